"""Where several choose at once: everyone is asked on the same position, then the effects happen seat by seat."""

from __future__ import annotations

from typing import assert_never

from attrs import frozen

from rulesrun.interpreter.form.form import YES, Field, Value, binary, compare, number
from rulesrun.interpreter.model.core import Action, Operand
from rulesrun.interpreter.model.flow_decisions import can_exit_early
from rulesrun.interpreter.model.instructions import (
    Ask,
    AskTogether,
    BeginTogether,
    ChoiceStep,
    EndTogether,
)
from rulesrun.interpreter.native.expressions import options
from rulesrun.interpreter.native.flow import questions
from rulesrun.interpreter.native.flow.decisions import (
    begin_decision,
    choose_at_random,
    count_options,
    forget_unfinished,
    lower_ask,
    take_option,
)
from rulesrun.interpreter.native.layout.machine import Machine
from rulesrun.interpreter.native.layout.plan import Scope, call_for_player


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
