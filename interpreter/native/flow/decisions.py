"""Where somebody chooses, answered at random: one player or the team; and what is done then."""

from __future__ import annotations

from rulesrun.dsl import ast
from rulesrun.interpreter.form.form import X, both, compare, known, number
from rulesrun.interpreter.form.lines import call
from rulesrun.interpreter.model.values import TEAM
from rulesrun.interpreter.native.expressions import locations, options
from rulesrun.interpreter.native.flow import chance, moments, questions
from rulesrun.interpreter.native.layout.early_exits import may_be_left
from rulesrun.interpreter.native.layout.machine import Machine
from rulesrun.interpreter.native.layout.plan import Scope, ask


def choose(machine: Machine, node: ast.Choose) -> None:
    if node.who != "named":
        decision(machine, node)
        return
    lines = machine.lines
    assert node.chooser is not None
    kept, scope = machine.register("player before"), machine.scope()
    machine.registered(node, "player before", kept)
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
    which = scope.lines.variable(one_of(scope, actions, counts[-1], stream), "w")
    entries = [machine.label(action.name.text) for action in actions]
    pick(machine, scope, actions, counts, which, entries)
    all_effects(machine, node, actions, entries, done, otherwise)


def one_of(scope: Scope, actions: list[ast.Action], total: X, chooser: X) -> X:
    """The number of the option that is chosen at random."""
    if scope.plan.luck is not None:
        answer: X = scope.plan.luck.choice(scope, actions, total, chooser)
        return answer
    return chance.below(scope, known(total, 1, 1 << 31), chooser)


def asking_one(machine: Machine, node: ast.Choose, actions: list[ast.Action], done: str, otherwise: str) -> None:
    """Stops with the question; then goes where the answer leads."""
    for action in actions:
        options.registers(machine.plan, action)
    question = questions.choice(machine, node, actions)
    scope = machine.scope()
    amount = machine.lines.kept(ask(question.amount, scope))
    forget_left(machine, actions)
    without_options(machine, node, amount, otherwise, done)
    machine.go_when(compare("is not", machine.load("fault"), number(0)), "stuck")
    questions.stop(machine, question, machine.label("after choice"))
    entries = [machine.label(action.name.text) for action in actions]
    meant = machine.lines.kept(machine.load("entry"))
    machine.store("entry", number(0))
    for at, entry in enumerate(entries):
        machine.go_when(compare("=", meant, number(at)), entry)
    all_effects(machine, node, actions, entries, done, otherwise)


def forget_left(machine: Machine, actions: list[ast.Action]) -> None:
    """Where an action is offered, nothing is chosen in it; not even if its effects were left before they were over."""
    for action in actions:
        if action.choices and may_be_left(machine.plan.bench, action):
            machine.forget(
                *options.registers(machine.plan, action), *locations.followed_fields(machine.plan, action.choices)
            )


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
        is_plain = not action.choices and not action.needs and not options.is_left_out(scope.plan, action)
        ways = number(1) if is_plain else lines.kept(ask(options.counting(scope.plan, action), scope), "n")
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
    """A decision has come: faults so far end the game, and so does one decision too many; properties are looked at."""
    lines, plan = machine.lines, machine.plan
    count = lines.kept(both("add", machine.load("decisions"), number(1)))
    machine.store("decisions", count)
    machine.go_when(compare(">", count, machine.load("limit")), "stuck")
    with lines.when(compare("is not", machine.load("watching"), number(0))):
        lines.add("do", call(moments.looking(plan), scope.player))
    machine.ask_here()
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
        scope.lines.add("do", call(options.taking(scope.plan, action), scope.player, which))
    machine.notes.chosen(scope, action)


def effects(machine: Machine, action: ast.Action) -> None:
    lines = machine.lines
    if any(id(choice) in machine.plan.bench.located for choice in action.choices):
        options.registers(machine.plan, action)
        locations.begin_choices(machine.scope(), action)
    own = next((choice for choice in action.choices if choice.name.text == "player"), None)
    kept = machine.register("player before") if own is not None else None
    if own is not None and kept is not None:
        machine.registered(action, "player before", kept)
        lines.store(kept, machine.load("player"))
        machine.store("player", lines.load(machine.plan.fixed_names[id(own)]))
    options.registers(machine.plan, action)
    moments.before_action(machine, action)
    machine.body(action.body)
    moments.after_action(machine, action)
    if kept is not None:
        machine.store("player", lines.load(kept))
        machine.forget(kept)
    if machine.asks:
        machine.forget(*options.registers(machine.plan, action), *locations.followed_fields(machine.plan, action.choices))
