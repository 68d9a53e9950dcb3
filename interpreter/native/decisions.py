"""Where somebody chooses, answered at random: one player, the team, or several at once; and what is done then."""

from __future__ import annotations

from rulesrun.dsl import ast
from rulesrun.interpreter.native import chances, listing, moments, questions
from rulesrun.interpreter.native.form import (
    YES,
    Field,
    X,
    both,
    compare,
    known,
    number,
)
from rulesrun.interpreter.native.lines import call
from rulesrun.interpreter.native.machine import Machine
from rulesrun.interpreter.native.plan import Scope, ask
from rulesrun.interpreter.values import TEAM

Together = tuple[Field, int, Field, Field, Field, Field]  # chosen, how wide, seats, player before, done, how many


def choose(machine: Machine, node: ast.Choose) -> None:
    if node.who != "named":
        decision(machine, node)
        return
    lines = machine.lines
    assert node.chooser is not None
    kept, scope = machine.register("player before"), machine.scope()
    lines.store(kept, scope.player)
    machine.store("player", scope.needed(node.chooser))
    decision(machine, node)
    machine.store("player", lines.load(kept))
    machine.forget(kept)


def actions_of(machine: Machine, node: ast.Choose) -> list[ast.Action]:
    """In the order of the file, without doubles."""
    bench = machine.plan.bench
    meant = {id(bench.meaning(name)) for name in node.actions}
    return [action for action in bench.of_class(ast.Action) if id(action) in meant]


def decision(machine: Machine, node: ast.Choose) -> None:
    if node.who == "all":
        together(machine, node)
        return
    actions, done, otherwise = actions_of(machine, node), machine.label("chosen"), machine.label("else")
    if machine.asks:
        asking_one(machine, node, actions, done, otherwise)
        return
    scope = machine.scope()
    counts = count_all(scope, actions)
    without_options(machine, node, counts[-1], otherwise, done)
    asked(machine, scope)
    machine.notes.asked(scope, actions, counts)
    stream = number(TEAM) if node.who == "team" else scope.player
    which = scope.lines.variable(chances.below(scope, known(counts[-1], 1, 1 << 31), stream), "w")
    entries = [machine.label(action.name.text) for action in actions]
    pick(machine, scope, actions, counts, which, entries)
    all_effects(machine, node, actions, entries, done, otherwise)


def asking_one(machine: Machine, node: ast.Choose, actions: list[ast.Action], done: str, otherwise: str) -> None:
    """Stops with the question; then goes where the answer leads."""
    for action in actions:
        listing.registers(machine.plan, action)
    question = questions.choice(machine, node, actions)
    scope = machine.scope()
    without_options(machine, node, machine.lines.kept(ask(question.amount, scope)), otherwise, done)
    machine.go_when(compare("is not", machine.load("fault"), number(0)), "stuck")
    questions.stop(machine, question, machine.label("after choice"))
    entries = [machine.label(action.name.text) for action in actions]
    meant = machine.lines.kept(machine.load("entry"))
    machine.store("entry", number(0))
    for at, entry in enumerate(entries):
        machine.go_when(compare("=", meant, number(at)), entry)
    all_effects(machine, node, actions, entries, done, otherwise)


def all_effects(
    machine: Machine, node: ast.Choose, actions: list[ast.Action], entries: list[str], done: str, otherwise: str
) -> None:
    for action, entry in zip(actions, entries, strict=True):
        machine.place(entry)
        effects(machine, action)
        machine.go(done)
    machine.place(otherwise)
    if node.otherwise is not None:
        machine.statement(machine, node.otherwise)
    machine.place(done)


def count_all(scope: Scope, actions: list[ast.Action]) -> list[X]:
    """How many options each action brings, and at the end how many there are."""
    lines, total, found = scope.lines, number(0), []
    for action in actions:
        is_plain = not action.choices and not action.needs
        ways = number(1) if is_plain else lines.kept(ask(listing.counting(scope.plan, action), scope), "n")
        found.append(ways)
        total = both("add", total, ways)
    return [*found, lines.kept(total, "n")]


def without_options(machine: Machine, node: ast.Choose, total: X, otherwise: str, done: str) -> None:
    if total.op == "const" and total.extra:
        return
    with machine.lines.when(compare("=", total, number(0))):
        if node.otherwise is not None:
            machine.go(otherwise)
        elif node.if_possible:
            machine.go(done)
        else:
            machine.scope().fault("empty-choice", node)
            machine.go("stuck")


def asked(machine: Machine, scope: Scope) -> None:
    """A decision has come: faults so far end the game, properties are looked at."""
    lines, plan = machine.lines, machine.plan
    machine.store("steps", number(0))
    count = lines.kept(both("add", machine.load("decisions"), number(1)))
    machine.store("decisions", count)
    with lines.when(compare("is not", machine.load("watching"), number(0))):
        lines.add("do", call(moments.looking(plan), scope.player))
    machine.go_when(compare(">", count, machine.load("limit")), "stuck")
    machine.go_when(compare("is not", machine.load("fault"), number(0)), "stuck")


def pick(
    machine: Machine, scope: Scope, actions: list[ast.Action], counts: list[X], which: X, entries: list[str]
) -> None:
    """Puts the values of the option into the registers and goes to its effects."""
    lines = machine.lines
    for at, action in enumerate(actions):
        if at == len(actions) - 1:
            take(machine, scope, action, which)
            machine.go(entries[at])
            return
        with lines.when(compare("<", which, counts[at])):
            take(machine, scope, action, which)
            machine.go(entries[at])
        lines.set(which, both("sub", which, counts[at]))


def take(machine: Machine, scope: Scope, action: ast.Action, which: X) -> None:
    if action.choices:
        scope.lines.add("do", call(listing.taking(scope.plan, action), scope.player, which))
    machine.notes.chosen(scope, action)


def effects(machine: Machine, action: ast.Action) -> None:
    lines = machine.lines
    own = next((choice for choice in action.choices if choice.name.text == "player"), None)
    kept = machine.register("player before") if own is not None else None
    if own is not None and kept is not None:
        lines.store(kept, machine.load("player"))
        machine.store("player", lines.load(machine.plan.fixed_names[id(own)]))
    listing.registers(machine.plan, action)
    moments.before_action(machine, action)
    machine.body(action.body)
    moments.after_action(machine, action)
    if kept is not None:
        machine.store("player", lines.load(kept))
        machine.forget(kept)
    if machine.asks:
        machine.forget(*listing.registers(machine.plan, action))


# ---- several at once


def together(machine: Machine, node: ast.Choose) -> None:
    """Everyone is asked on the same position, then the effects happen seat by seat."""
    plan, lines, n = machine.plan, machine.lines, machine.plan.bench.players
    actions = actions_of(machine, node)
    wide = max((len(action.choices) for action in actions), default=0)
    chosen = plan.field("chosen", 32, n * (wide + 1))
    seats, before = plan.field("seats", 8, n), machine.register("player before")
    done_field, amount_field = machine.register("done"), machine.register("how many")
    if machine.asks:
        asking_all(machine, node, actions, (chosen, wide, seats, before, done_field, amount_field))
        carry_out(machine, node, actions, (chosen, wide, seats, before, done_field, amount_field))
        return
    scope = machine.scope()
    lines.store(before, scope.player)
    amount = lines.variable(number(0), "n")

    def ask_one(seat: X) -> None:
        whose = scope.asked_of(seat)
        fits = whose.condition(node.condition) if node.condition is not None else compare(
            "=", number(0), number(0))
        with lines.when(fits):
            machine.store("player", seat)
            choice_of(machine, node, whose, actions, chosen, wide, seats, amount)

    lines.count_through(number(1), number(n), ask_one)
    lines.store(amount_field, amount)
    lines.store(done_field, number(0))
    carry_out(machine, node, actions, (chosen, wide, seats, before, done_field, amount_field))


def asking_all(machine: Machine, node: ast.Choose, actions: list[ast.Action], kept: Together) -> None:
    """Seat by seat, all on the same position; who has nothing to choose is left out."""
    chosen, wide, seats, before, done_field, amount = kept
    plan, lines, n = machine.plan, machine.lines, machine.plan.bench.players
    scope, asked_field = machine.scope(), machine.register("how many asked")
    fields = {id(action): listing.registers(plan, action) for action in actions}
    lines.store(before, scope.player)
    lines.store(amount, who_takes_part(scope, node, seats, n))
    lines.store(asked_field, number(0))
    lines.store(done_field, number(0))
    again, over = machine.label("ask"), machine.label("all asked")
    machine.place(again)
    now = lines.kept(lines.load(asked_field))
    machine.go_when(compare(">=", now, lines.load(amount)), over)
    machine.store("player", lines.load(seats, now))
    question = questions.choice(machine, node, actions)
    question.seats, question.seats_asked, question.at = seats, amount, asked_field
    none = lines.kept(compare("=", ask(question.amount, machine.scope()), number(0)))
    with lines.when(none):
        if not node.if_possible and node.otherwise is None:
            machine.scope().fault("empty-choice", node)
            machine.go("stuck")
        leave_out(machine, seats, now, amount)
        machine.go(again)
    machine.go_when(compare("is not", machine.load("fault"), number(0)), "stuck")
    questions.stop(machine, question, machine.label("after choice"))
    at = lines.kept(lines.load(asked_field))
    base = lines.kept(both("mul", at, number(wide + 1)))
    lines.store(chosen, machine.load("entry"), base)
    for entry, action in enumerate(actions):
        with lines.when(compare("=", machine.load("entry"), number(entry))):
            for step, place in enumerate(fields[id(action)]):
                lines.store(chosen, lines.load(place), both("add", base, number(step + 1)))
    lines.store(asked_field, both("add", at, number(1)))
    machine.forget(*[place for several in fields.values() for place in several], plan.fields["entry"])
    machine.go(again)
    machine.place(over)
    machine.forget(asked_field)


def who_takes_part(scope: Scope, node: ast.Choose, seats: Field, n: int) -> X:
    """Notes the seats, gives how many."""
    lines = scope.lines
    total = lines.variable(number(0), "n")
    for seat in range(1, n + 1):
        fits = scope.asked_of(number(seat)).condition(node.condition) if node.condition is not None else YES
        with lines.when(fits):
            lines.store(seats, number(seat), total)
            lines.add_to(total, number(1))
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
    machine: Machine, node: ast.Choose, scope: Scope, actions: list[ast.Action], chosen: object, wide: int,
    seats: object, amount: X,
) -> None:

    assert isinstance(chosen, Field)
    assert isinstance(seats, Field)
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
        which = lines.variable(chances.below(scope, known(counts[-1], 1, 1 << 31), scope.player), "w")
        lines.store(seats, scope.player, amount)
        base = lines.kept(both("mul", amount, number(wide + 1)))
        lines.add_to(amount, number(1))
        for at, action in enumerate(actions):
            is_meant = compare("<", which, counts[at]) if at < len(actions) - 1 else compare("=", number(0), number(0))
            with lines.when(is_meant):
                take(machine, scope, action, which)
                lines.store(chosen, number(at), base)
                for step, place in enumerate(listing.registers(machine.plan, action)):
                    lines.store(chosen, lines.load(place), both("add", base, number(step + 1)))
                lines.leave(settled)
            lines.set(which, both("sub", which, counts[at]))


def carry_out(machine: Machine, node: ast.Choose, actions: list[ast.Action], places: Together) -> None:
    chosen, wide, seats, before, done_field, amount_field = places
    plan, lines = machine.plan, machine.lines
    following, over = machine.label("effect"), machine.label("effects done")
    entries = [machine.label(action.name.text) for action in actions]
    machine.place(following)
    now = lines.kept(lines.load(done_field))
    machine.go_when(compare(">=", now, lines.load(amount_field)), over)
    lines.store(done_field, both("add", now, number(1)))
    machine.store("player", lines.load(seats, now))
    base = lines.kept(both("mul", now, number(wide + 1)))
    for at, action in enumerate(actions):
        with lines.when(compare("=", lines.load(chosen, base), number(at))):
            for step, place in enumerate(listing.registers(plan, action)):
                lines.store(place, lines.load(chosen, both("add", base, number(step + 1))))
            machine.go(entries[at])
    machine.go("stuck")
    for action, entry in zip(actions, entries, strict=True):
        machine.place(entry)
        effects(machine, action)
        machine.back(following)
    machine.place(over)
    machine.store("player", lines.load(before))
    machine.forget(chosen, seats, before, done_field)
    if node.otherwise is None:
        machine.forget(amount_field)
    else:
        none, some = machine.label("nobody"), machine.label("somebody")
        machine.go_when(compare("is not", lines.load(amount_field), number(0)), some)
        machine.place(none)
        machine.statement(machine, node.otherwise)
        machine.place(some)
