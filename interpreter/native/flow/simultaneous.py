"""Where several choose at once: everyone is asked on the same position, then the effects happen seat by seat."""

from __future__ import annotations

from attrs import frozen

from rulesrun.dsl import ast
from rulesrun.interpreter.form.form import YES, Field, X, both, compare, number
from rulesrun.interpreter.native.expressions import options
from rulesrun.interpreter.native.flow import questions
from rulesrun.interpreter.native.flow.decisions import actions_of, asked, count_all, effects, forget_left, one_of, take
from rulesrun.interpreter.native.layout.early_exits import may_be_left
from rulesrun.interpreter.native.layout.machine import Machine
from rulesrun.interpreter.native.layout.plan import Scope, ask


@frozen(eq=False)
class Together:
    """What `all choose` keeps: by seat the action and the values chosen; who takes part; how far it has come."""

    chosen: Field
    values: dict[int, list[Field]]  # by action, beside the registers of its choices
    seats: Field
    before: Field
    done: Field
    amount: Field


def together(machine: Machine, node: ast.Choose) -> None:
    """Everyone is asked on the same position, then the effects happen seat by seat."""
    lines, n = machine.lines, machine.plan.bench.players
    actions = actions_of(machine, node)
    kept = together_kept(machine, actions)
    if machine.asks:
        asking_all(machine, node, actions, kept)
        carry_out(machine, node, actions, kept)
        return
    scope = machine.scope()
    lines.store(kept.before, scope.player)
    amount = lines.variable(number(0), "n")

    def ask_one(seat: X) -> None:
        whose = scope.asked_of(seat)
        fits = whose.condition(node.condition) if node.condition is not None else compare(
            "=", number(0), number(0))
        with lines.when(fits):
            machine.store("player", seat)
            choice_of(machine, node, whose, actions, kept, amount)

    lines.count_through(number(1), number(n), ask_one)
    lines.store(kept.amount, amount)
    lines.store(kept.done, number(0))
    carry_out(machine, node, actions, kept)


def together_kept(machine: Machine, actions: list[ast.Action]) -> Together:
    plan, n = machine.plan, machine.plan.bench.players
    chosen, values = plan.field("chosen", 32, n), {}
    for action in actions:
        fields = options.registers(plan, action)
        values[id(action)] = [plan.field(f"chosen {one.name}", one.bits, n * one.amount) for one in fields]
    seats, before = plan.field("seats", 8, n), machine.register("player before")
    return Together(chosen, values, seats, before, machine.register("done"), machine.register("how many"))


def keep_chosen(machine: Machine, kept: Together, action: ast.Action, at: X) -> None:
    """From the registers of the choices to what is kept for one who chose."""
    for own, place in zip(options.registers(machine.plan, action), kept.values[id(action)], strict=True):
        copy(machine, own, None, place, at)


def recall_chosen(machine: Machine, kept: Together, action: ast.Action, at: X) -> None:
    for own, place in zip(options.registers(machine.plan, action), kept.values[id(action)], strict=True):
        copy(machine, place, at, own, None)


def copy(machine: Machine, source: Field, source_at: X | None, target: Field, target_at: X | None) -> None:
    """One register, or its like for one of several seats."""
    lines, wide = machine.lines, min(source.amount, target.amount)

    def one(step: X) -> None:
        at = [both("add", both("mul", seat, number(wide)), step) if seat is not None else step
              for seat in (source_at, target_at)]
        lines.store(target, lines.load(source, at[0]), at[1])

    if wide == 1:
        one(number(0))
    else:
        lines.count_through(number(0), number(wide - 1), one)


def asking_all(machine: Machine, node: ast.Choose, actions: list[ast.Action], kept: Together) -> None:
    """Seat by seat, all on the same position; who has nothing to choose is left out."""
    lines, n = machine.lines, machine.plan.bench.players
    scope, asked_field, seats, amount = machine.scope(), machine.register("how many asked"), kept.seats, kept.amount
    machine.registered(node, "together", seats, amount, kept.before, kept.done, asked_field)
    lines.store(kept.before, scope.player)
    lines.store(amount, who_takes_part(scope, node, seats, n))
    lines.store(asked_field, number(0))
    lines.store(kept.done, number(0))
    if any(may_be_left(machine.plan.bench, action) for action in actions):
        machine.forget(kept.chosen, *[place for several in kept.values.values() for place in several])
    again, over = machine.label("ask"), machine.label("all asked")
    machine.place(again)
    now = lines.kept(lines.load(asked_field))
    machine.go_when(compare(">=", now, lines.load(amount)), over)
    machine.store("player", lines.load(seats, now))
    question = questions.choice(machine, node, actions)
    question.seats, question.seats_asked, question.at = seats, amount, asked_field
    none = lines.kept(compare("=", ask(question.amount, machine.scope()), number(0)))
    forget_left(machine, actions)
    with lines.when(none):
        if not node.if_possible and node.otherwise is None:
            machine.scope().fault("empty-choice", node)
            machine.go("stuck")
        leave_out(machine, seats, now, amount)
        machine.go(again)
    machine.go_when(compare("is not", machine.load("fault"), number(0)), "stuck")
    questions.stop(machine, question, machine.label("after choice"))
    note_answer(machine, actions, kept, asked_field)
    machine.go(again)
    machine.place(over)
    machine.forget(asked_field)


def note_answer(machine: Machine, actions: list[ast.Action], kept: Together, asked_field: Field) -> None:
    """What one of them chose is kept until all have chosen."""
    lines = machine.lines
    at = lines.kept(lines.load(asked_field))
    lines.store(kept.chosen, machine.load("entry"), at)
    for entry, action in enumerate(actions):
        with lines.when(compare("=", machine.load("entry"), number(entry))):
            keep_chosen(machine, kept, action, at)
    lines.store(asked_field, both("add", at, number(1)))
    fields = [place for action in actions for place in options.registers(machine.plan, action)]
    machine.forget(*fields, machine.plan.fields["entry"])


def who_takes_part(scope: Scope, node: ast.Choose, seats: Field, n: int) -> X:
    """Notes the seats, gives how many."""
    lines = scope.lines
    total = lines.variable(number(0), "n")

    def look(seat: X) -> None:
        fits = scope.asked_of(seat).condition(node.condition) if node.condition is not None else YES
        with lines.when(fits):
            lines.store(seats, seat, total)
            lines.add_to(total, number(1))

    lines.count_through(number(1), number(n), look)
    return total


def leave_out(machine: Machine, seats: Field, at: X, amount: Field) -> None:
    """The seats after it move up."""
    lines = machine.lines
    last = lines.kept(both("sub", lines.load(amount), number(1)))
    lines.count_through(at, both("sub", last, number(1)), lambda to: lines.store(
        seats, lines.load(seats, both("add", to, number(1))), to
    ))
    lines.store(amount, last)


def choice_of(
    machine: Machine, node: ast.Choose, scope: Scope, actions: list[ast.Action], kept: Together, amount: X
) -> None:
    lines = machine.lines
    counts = count_all(scope, actions)
    with lines.block() as settled:
        with lines.when(compare("=", counts[-1], number(0))):
            if not node.if_possible and node.otherwise is None:
                scope.fault("empty-choice", node)
                machine.go("stuck")
            lines.leave(settled)
        asked(machine, scope)
        machine.notes.asked(scope, actions, counts)
        which = lines.variable(one_of(scope, actions, counts[-1], scope.player), "w")
        lines.store(kept.seats, scope.player, amount)
        here = lines.kept(amount)
        lines.add_to(amount, number(1))
        for at, action in enumerate(actions):
            is_meant = compare("<", which, counts[at]) if at < len(actions) - 1 else compare("=", number(0), number(0))
            with lines.when(is_meant):
                take(machine, scope, action, which)
                lines.store(kept.chosen, number(at), here)
                keep_chosen(machine, kept, action, here)
                lines.leave(settled)
            lines.set(which, both("sub", which, counts[at]))


def carry_out(machine: Machine, node: ast.Choose, actions: list[ast.Action], kept: Together) -> None:
    lines = machine.lines
    following, over = machine.label("effect"), machine.label("effects done")
    entries = [machine.label(action.name.text) for action in actions]
    machine.place(following)
    now = lines.kept(lines.load(kept.done))
    machine.go_when(compare(">=", now, lines.load(kept.amount)), over)
    lines.store(kept.done, both("add", now, number(1)))
    machine.store("player", lines.load(kept.seats, now))
    for at, action in enumerate(actions):
        with lines.when(compare("=", lines.load(kept.chosen, now), number(at))):
            recall_chosen(machine, kept, action, now)
            machine.go(entries[at])
    machine.go("stuck")
    for action, entry in zip(actions, entries, strict=True):
        machine.place(entry)
        effects(machine, action)
        machine.back(following, machine.plan.costs.of_loop(node, action.body))
    machine.place(over)
    machine.store("player", lines.load(kept.before))
    machine.forget(kept.chosen, *[place for several in kept.values.values() for place in several])
    machine.forget(kept.seats, kept.before, kept.done)
    if node.otherwise is None:
        machine.forget(kept.amount)
    else:
        none, some = machine.label("nobody"), machine.label("somebody")
        machine.go_when(compare("is not", lines.load(kept.amount), number(0)), some)
        machine.place(none)
        machine.statement(machine, node.otherwise)
        machine.place(some)
