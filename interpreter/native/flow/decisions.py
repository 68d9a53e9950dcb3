"""Where somebody chooses, answered at random: one player or the team; and what is done then."""

from __future__ import annotations

from typing import assert_never

from attrs import frozen

from rulesrun.interpreter.form.form import YES, Field, Value, binary, compare, narrow, number
from rulesrun.interpreter.form.lines import call
from rulesrun.interpreter.model import core
from rulesrun.interpreter.model.core import Action, Operand
from rulesrun.interpreter.model.flow_decisions import can_exit_early
from rulesrun.interpreter.model.instructions import (
    ActionStep,
    Ask,
    AskTogether,
    BeginAction,
    BeginTogether,
    ChoiceStep,
    EndAction,
    EndTogether,
    KeepPlayer,
    Offer,
    RestorePlayer,
)
from rulesrun.interpreter.model.values import TEAM
from rulesrun.interpreter.native.expressions import locations, options
from rulesrun.interpreter.native.flow import chance, moments, questions
from rulesrun.interpreter.native.flow.flow import lower_restore_player
from rulesrun.interpreter.native.layout.machine import Machine
from rulesrun.interpreter.native.layout.plan import Scope, call_for_player


def lower_ask(machine: Machine, one: Ask) -> None:
    """On to where an answer leads; never to what comes next."""
    machine.is_reached = False
    if machine.asks:
        lower_question(machine, one)
        return
    scope, actions = machine.new_scope(), [offer.action for offer in one.offers]
    counts = count_options(scope, actions)
    lower_without_options(machine, one, counts[-1])
    begin_decision(machine, scope)
    machine.notes.on_options_counted(scope, actions, counts)
    stream = number(TEAM) if one.who == "team" else scope.player
    which = scope.lines.variable(choose_at_random(scope, actions, counts[-1], stream), "w")
    pick_option(machine, scope, one.offers, counts, which)


def choose_at_random(scope: Scope, actions: list[core.Action], total: Value, chooser: Value) -> Value:
    """The number of the option that is chosen at random."""
    if scope.plan.luck is not None:
        answer: Value = scope.plan.luck.choice(scope, actions, total, chooser)
        return answer
    return chance.random_below(scope, narrow(total, 1, 1 << 31), chooser)


def lower_question(machine: Machine, one: Ask) -> None:
    """Stops with the question; then goes where the answer leads."""
    actions = [offer.action for offer in one.offers]
    for action in actions:
        options.choice_registers(machine.plan, action)
    question = questions.choice_question(machine, one.node, actions)
    scope = machine.new_scope()
    amount = machine.lines.bind(call_for_player(question.amount, scope))
    forget_unfinished(machine, actions)
    lower_without_options(machine, one, amount)
    machine.go_if(compare("is not", machine.load("fault"), number(0)), "stuck")
    questions.stop_for_question(machine, question, machine.new_label("after choice"))
    meant = machine.lines.bind(machine.load("entry"))
    machine.store("entry", number(0))
    for at, offer in enumerate(one.offers):
        machine.go_if(compare("=", meant, number(at)), offer.entry)


def forget_unfinished(machine: Machine, actions: list[core.Action]) -> None:
    """Where an action is offered, nothing is chosen in it; not even if its effects were left before they were over."""
    for action in actions:
        if action.choices and can_exit_early(machine.plan.bench, machine.plan.table.flow, action):
            forget_choices(machine, action)


def count_options(scope: Scope, actions: list[core.Action]) -> list[Value]:
    """How many options each action brings, and at the end how many there are."""
    lines, total, found = scope.lines, number(0), []
    for action in actions:
        is_plain = not action.choices and not action.needs and not options.is_left_out(scope.plan, action)
        ways = (
            number(1)
            if is_plain
            else lines.bind(call_for_player(options.option_count_function(scope.plan, action), scope), "n")
        )
        found.append(ways)
        total = binary("add", total, ways)
    return [*found, lines.bind(total, "n")]


def lower_without_options(machine: Machine, one: Ask, total: Value) -> None:
    if total.op == "const" and total.extra:
        return
    with machine.lines.when(compare("=", total, number(0))):
        if one.otherwise is not None:
            machine.go_to(one.otherwise)
        elif one.if_possible:
            machine.go_to(one.done)
        else:
            machine.new_scope().emit_fault("empty-choice", one.node)
            machine.go_to("stuck")


def begin_decision(machine: Machine, scope: Scope) -> None:
    """A decision has come: faults so far end the game, and so does one decision too many; properties are looked at."""
    lines, plan = machine.lines, machine.plan
    count = lines.bind(binary("add", machine.load("decisions"), number(1)))
    machine.store("decisions", count)
    machine.go_if(compare(">", count, machine.load("limit")), "stuck")
    with lines.when(compare("is not", machine.load("watching"), number(0))):
        lines.emit("do", call(moments.property_check_function(plan), scope.player))
    machine.restart_work_at_choice()
    machine.go_if(compare("is not", machine.load("fault"), number(0)), "stuck")


def pick_option(
    machine: Machine, scope: Scope, offers: tuple[Offer, ...], counts: list[Value], which: Value
) -> None:
    """Puts the values of the option into the registers and goes to its effects."""
    lines = machine.lines
    for at, offer in enumerate(offers):
        if at == len(offers) - 1:
            take_option(machine, scope, offer.action, which)
            machine.go_to(offer.entry)
            return
        with lines.when(compare("<", which, counts[at])):
            take_option(machine, scope, offer.action, which)
            machine.go_to(offer.entry)
        lines.set(which, binary("sub", which, counts[at]))


def take_option(machine: Machine, scope: Scope, action: core.Action, which: Value) -> None:
    if action.choices:
        scope.lines.emit("do", call(options.option_taking_function(scope.plan, action), scope.player, which))
    machine.notes.on_option_chosen(scope, action)


# ---- around actions, and who is meant by `player`


def lower_action(machine: Machine, one: ActionStep) -> None:
    match one:
        case KeepPlayer():
            lower_keep_player(machine, one)
        case RestorePlayer(_, before):
            lower_restore_player(machine, before)
        case BeginAction(action):
            options.choice_registers(machine.plan, action)
            if any(id(choice) in machine.plan.bench.located for choice in action.choices):
                locations.follow_choices(machine.new_scope(), action)
        case EndAction(action):
            forget_choices(machine, action)
        case _:
            assert_never(one)


def lower_keep_player(machine: Machine, one: KeepPlayer) -> None:
    lines, chosen, kept = machine.lines, one.chosen, machine.keep(one.before, "player before")
    if isinstance(chosen, core.Choice):
        lines.store(kept, machine.load("player"))
        machine.store("player", lines.load(machine.plan.fixed_names[id(chosen)]))
        return
    scope = machine.new_scope()
    lines.store(kept, scope.player)
    machine.store("player", scope.lower_needed(chosen))


def forget_choices(machine: Machine, action: core.Action) -> None:
    if machine.asks:
        machine.forget_fields(
            *options.choice_registers(machine.plan, action), *locations.followed_fields(machine.plan, action.choices)
        )


# ---- simultaneous
# Where several choose at once: everyone is asked on the same position, then the effects happen seat by seat.


@frozen(eq=False)
class TogetherFields:
    """What `all choose` keeps: by seat the action and the values chosen; who takes part; how far it has come."""

    chosen: Field
    values: dict[int, list[Field]]  # by action, beside the registers of its choices
    seats: Field
    before: Field
    done: Field
    amount: Field


def lower_choice(machine: Machine, one: ChoiceStep) -> None:
    match one:
        case Ask():
            lower_ask(machine, one)
        case BeginTogether():
            pass  # that nobody has been asked yet is seen by where the machine is
        case AskTogether():
            lower_ask_together(machine, one)
        case EndTogether():
            lower_end_together(machine, one)
        case _:
            assert_never(one)


def lower_ask_together(machine: Machine, one: AskTogether) -> None:
    """Everyone is asked on the same position, then the effects happen seat by seat."""
    lines, n = machine.lines, machine.plan.bench.players
    actions = [offer.action for offer in one.offers]
    kept = machine.plan.made[("together", id(one.slots))] = together_fields(machine, actions)
    if machine.asks:
        lower_together_questions(machine, one, actions, kept)
        carry_out_effects(machine, one, kept)
        return
    scope = machine.new_scope()
    lines.store(kept.before, scope.player)
    amount = lines.variable(number(0), "n")

    def ask_one(seat: Value) -> None:
        whose = scope.for_player(seat)
        fits = whose.lower_condition(one.condition) if one.condition is not None else compare(
            "=", number(0), number(0))
        with lines.when(fits):
            machine.store("player", seat)
            choose_for_seat(machine, one, whose, actions, kept, amount)

    lines.for_range(number(1), number(n), ask_one)
    lines.store(kept.amount, amount)
    lines.store(kept.done, number(0))
    carry_out_effects(machine, one, kept)


def together_fields(machine: Machine, actions: list[Action]) -> TogetherFields:
    plan, n = machine.plan, machine.plan.bench.players
    chosen, values = plan.add_field("chosen", 32, n), {}
    for action in actions:
        fields = options.choice_registers(plan, action)
        values[id(action)] = [plan.add_field(f"chosen {one.name}", one.bits, n * one.amount) for one in fields]
    seats, before = plan.add_field("seats", 8, n), machine.new_register("player before")
    return TogetherFields(chosen, values, seats, before, machine.new_register("done"), machine.new_register("how many"))


def keep_chosen(machine: Machine, kept: TogetherFields, action: Action, at: Value) -> None:
    """From the registers of the choices to what is kept for one who chose."""
    for own, place in zip(options.choice_registers(machine.plan, action), kept.values[id(action)], strict=True):
        copy_register(machine, own, None, place, at)


def recall_chosen(machine: Machine, kept: TogetherFields, action: Action, at: Value) -> None:
    for own, place in zip(options.choice_registers(machine.plan, action), kept.values[id(action)], strict=True):
        copy_register(machine, place, at, own, None)


def copy_register(
    machine: Machine, source: Field, source_at: Value | None, target: Field, target_at: Value | None
) -> None:
    """One register, or its like for one of several seats."""
    lines, wide = machine.lines, min(source.amount, target.amount)

    def one(step: Value) -> None:
        at = [binary("add", binary("mul", seat, number(wide)), step) if seat is not None else step
              for seat in (source_at, target_at)]
        lines.store(target, lines.load(source, at[0]), at[1])

    if wide == 1:
        one(number(0))
    else:
        lines.for_range(number(0), number(wide - 1), one)


def lower_together_questions(
    machine: Machine, one: AskTogether, actions: list[Action], kept: TogetherFields
) -> None:
    """Seat by seat, all on the same position; who has nothing to choose is left out."""
    lines, n = machine.lines, machine.plan.bench.players
    scope, asked_field, seats, amount = (
        machine.new_scope(),
        machine.new_register("how many asked"),
        kept.seats,
        kept.amount,
    )
    machine.registers[one.slots.seats] = seats, amount
    machine.registers[one.slots.before], machine.registers[one.slots.done] = (kept.before,), (kept.done,)
    lines.store(kept.before, scope.player)
    lines.store(amount, find_participants(scope, one.condition, seats, n))
    lines.store(asked_field, number(0))
    lines.store(kept.done, number(0))
    if any(can_exit_early(machine.plan.bench, machine.plan.table.flow, action) for action in actions):
        machine.forget_fields(kept.chosen, *[place for several in kept.values.values() for place in several])
    again, over = machine.new_label("ask"), machine.new_label("all asked")
    machine.place_label(again)
    now = lines.bind(lines.load(asked_field))
    machine.go_if(compare(">=", now, lines.load(amount)), over)
    machine.store("player", lines.load(seats, now))
    question = questions.choice_question(machine, one.node, actions)
    question.seats, question.seats_asked, question.at = seats, amount, asked_field
    none = lines.bind(compare("=", call_for_player(question.amount, machine.new_scope()), number(0)))
    forget_unfinished(machine, actions)
    with lines.when(none):
        if not one.if_possible and one.otherwise is None:
            machine.new_scope().emit_fault("empty-choice", one.node)
            machine.go_to("stuck")
        leave_out_seat(machine, seats, now, amount)
        machine.go_to(again)
    machine.go_if(compare("is not", machine.load("fault"), number(0)), "stuck")
    questions.stop_for_question(machine, question, machine.new_label("after choice"))
    note_answer(machine, actions, kept, asked_field)
    machine.go_to(again)
    machine.place_label(over)
    machine.forget_fields(asked_field)


def note_answer(machine: Machine, actions: list[Action], kept: TogetherFields, asked_field: Field) -> None:
    """What one of them chose is kept until all have chosen."""
    lines = machine.lines
    at = lines.bind(lines.load(asked_field))
    lines.store(kept.chosen, machine.load("entry"), at)
    for entry, action in enumerate(actions):
        with lines.when(compare("=", machine.load("entry"), number(entry))):
            keep_chosen(machine, kept, action, at)
    lines.store(asked_field, binary("add", at, number(1)))
    fields = [place for action in actions for place in options.choice_registers(machine.plan, action)]
    machine.forget_fields(*fields, machine.plan.fields["entry"])


def find_participants(scope: Scope, condition: Operand | None, seats: Field, n: int) -> Value:
    """Notes the seats of whom this holds, gives how many."""
    lines = scope.lines
    total = lines.variable(number(0), "n")

    def visit(seat: Value) -> None:
        fits = scope.for_player(seat).lower_condition(condition) if condition is not None else YES
        with lines.when(fits):
            lines.store(seats, seat, total)
            lines.add_to(total, number(1))

    lines.for_range(number(1), number(n), visit)
    return total


def leave_out_seat(machine: Machine, seats: Field, at: Value, amount: Field) -> None:
    """The seats after it move up."""
    lines = machine.lines
    last = lines.bind(binary("sub", lines.load(amount), number(1)))
    lines.for_range(at, binary("sub", last, number(1)), lambda to: lines.store(
        seats, lines.load(seats, binary("add", to, number(1))), to
    ))
    lines.store(amount, last)


def choose_for_seat(
    machine: Machine, one: AskTogether, scope: Scope, actions: list[Action], kept: TogetherFields, amount: Value
) -> None:
    lines = machine.lines
    counts = count_options(scope, actions)
    with lines.block() as settled:
        with lines.when(compare("=", counts[-1], number(0))):
            if not one.if_possible and one.otherwise is None:
                scope.emit_fault("empty-choice", one.node)
                machine.go_to("stuck")
            lines.leave(settled)
        begin_decision(machine, scope)
        machine.notes.on_options_counted(scope, actions, counts)
        which = lines.variable(choose_at_random(scope, actions, counts[-1], scope.player), "w")
        lines.store(kept.seats, scope.player, amount)
        here = lines.bind(amount)
        lines.add_to(amount, number(1))
        for at, action in enumerate(actions):
            is_meant = compare("<", which, counts[at]) if at < len(actions) - 1 else compare("=", number(0), number(0))
            with lines.when(is_meant):
                take_option(machine, scope, action, which)
                lines.store(kept.chosen, number(at), here)
                keep_chosen(machine, kept, action, here)
                lines.leave(settled)
            lines.set(which, binary("sub", which, counts[at]))


def carry_out_effects(machine: Machine, one: AskTogether, kept: TogetherFields) -> None:
    """The next effect, or the end of the choice."""
    lines = machine.lines
    machine.place_label(one.next_effect)
    now = lines.bind(lines.load(kept.done))
    machine.go_if(compare(">=", now, lines.load(kept.amount)), one.over)
    lines.store(kept.done, binary("add", now, number(1)))
    machine.store("player", lines.load(kept.seats, now))
    for at, offer in enumerate(one.offers):
        with lines.when(compare("=", lines.load(kept.chosen, now), number(at))):
            recall_chosen(machine, kept, offer.action, now)
            machine.go_to(offer.entry)
    machine.go_to("stuck")
    machine.is_reached = False


def lower_end_together(machine: Machine, one: EndTogether) -> None:
    lines, kept = machine.lines, machine.plan.made[("together", id(one.slots))]
    machine.store("player", lines.load(kept.before))
    machine.forget_fields(kept.chosen, *[place for several in kept.values.values() for place in several])
    machine.forget_fields(kept.seats, kept.before, kept.done)
    if one.has_otherwise:
        machine.go_if(compare("is not", lines.load(kept.amount), number(0)), one.done)
    else:
        machine.forget_fields(kept.amount)
