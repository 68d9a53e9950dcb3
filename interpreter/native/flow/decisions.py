"""Where somebody chooses, answered at random: one player or the team; and what is done then."""

from __future__ import annotations

from typing import assert_never

from rulesrun.interpreter.form.form import Value, binary, compare, narrow, number
from rulesrun.interpreter.form.lines import call
from rulesrun.interpreter.model import core
from rulesrun.interpreter.model.flow_decisions import can_exit_early
from rulesrun.interpreter.model.instructions import (
    ActionStep,
    Ask,
    BeginAction,
    EndAction,
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
