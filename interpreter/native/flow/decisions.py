"""Where somebody chooses, answered at random: one player or the team; and what is done then."""

from __future__ import annotations

from rulesrun.dsl import ast
from rulesrun.interpreter.form.form import Value, binary, compare, narrow, number
from rulesrun.interpreter.form.lines import call
from rulesrun.interpreter.model.values import TEAM
from rulesrun.interpreter.native.expressions import locations, options
from rulesrun.interpreter.native.flow import chance, moments, questions
from rulesrun.interpreter.native.layout.early_exits import can_exit_early
from rulesrun.interpreter.native.layout.machine import Machine
from rulesrun.interpreter.native.layout.plan import Scope, call_for_player


def lower_choose(machine: Machine, node: ast.Choose) -> None:
    if node.who != "named":
        lower_decision(machine, node)
        return
    lines = machine.lines
    assert node.chooser is not None
    kept, scope = machine.new_register("player before"), machine.new_scope()
    machine.record_registers(node, "player before", kept)
    lines.store(kept, scope.player)
    machine.store("player", scope.lower_needed(node.chooser))
    lower_decision(machine, node)
    machine.store("player", lines.load(kept))
    machine.forget_fields(kept)


def actions_of(machine: Machine, node: ast.Choose) -> list[ast.Action]:
    """In the order of the file, without doubles."""
    bench = machine.plan.bench
    meant = {id(bench.meaning(name)) for name in node.actions}
    return [action for action in bench.declarations(ast.Action) if id(action) in meant]


def lower_decision(machine: Machine, node: ast.Choose) -> None:
    actions, done, otherwise = actions_of(machine, node), machine.new_label("chosen"), machine.new_label("else")
    if machine.asks:
        lower_decision_question(machine, node, actions, done, otherwise)
        return
    scope = machine.new_scope()
    counts = count_options(scope, actions)
    lower_without_options(machine, node, counts[-1], otherwise, done)
    begin_decision(machine, scope)
    machine.notes.on_options_counted(scope, actions, counts)
    stream = number(TEAM) if node.who == "team" else scope.player
    which = scope.lines.variable(choose_at_random(scope, actions, counts[-1], stream), "w")
    entries = [machine.new_label(action.name.text) for action in actions]
    pick_option(machine, scope, actions, counts, which, entries)
    lower_all_effects(machine, node, actions, entries, done, otherwise)


def choose_at_random(scope: Scope, actions: list[ast.Action], total: Value, chooser: Value) -> Value:
    """The number of the option that is chosen at random."""
    if scope.plan.luck is not None:
        answer: Value = scope.plan.luck.choice(scope, actions, total, chooser)
        return answer
    return chance.random_below(scope, narrow(total, 1, 1 << 31), chooser)


def lower_decision_question(
    machine: Machine, node: ast.Choose, actions: list[ast.Action], done: str, otherwise: str
) -> None:
    """Stops with the question; then goes where the answer leads."""
    for action in actions:
        options.choice_registers(machine.plan, action)
    question = questions.choice_question(machine, node, actions)
    scope = machine.new_scope()
    amount = machine.lines.bind(call_for_player(question.amount, scope))
    forget_unfinished(machine, actions)
    lower_without_options(machine, node, amount, otherwise, done)
    machine.go_if(compare("is not", machine.load("fault"), number(0)), "stuck")
    questions.stop_for_question(machine, question, machine.new_label("after choice"))
    entries = [machine.new_label(action.name.text) for action in actions]
    meant = machine.lines.bind(machine.load("entry"))
    machine.store("entry", number(0))
    for at, entry in enumerate(entries):
        machine.go_if(compare("=", meant, number(at)), entry)
    lower_all_effects(machine, node, actions, entries, done, otherwise)


def forget_unfinished(machine: Machine, actions: list[ast.Action]) -> None:
    """Where an action is offered, nothing is chosen in it; not even if its effects were left before they were over."""
    for action in actions:
        if action.choices and can_exit_early(machine.plan.bench, action):
            machine.forget_fields(
                *options.choice_registers(machine.plan, action),
                *locations.followed_fields(machine.plan, action.choices),
            )


def lower_all_effects(
    machine: Machine, node: ast.Choose, actions: list[ast.Action], entries: list[str], done: str, otherwise: str
) -> None:
    for action, entry in zip(actions, entries, strict=True):
        machine.place_label(entry)
        lower_effects(machine, action)
        machine.go_to(done)
    machine.place_label(otherwise)
    if node.otherwise is not None:
        machine.statement(machine, node.otherwise)
    machine.place_label(done)


def count_options(scope: Scope, actions: list[ast.Action]) -> list[Value]:
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


def lower_without_options(machine: Machine, node: ast.Choose, total: Value, otherwise: str, done: str) -> None:
    if total.op == "const" and total.extra:
        return
    with machine.lines.when(compare("=", total, number(0))):
        if node.otherwise is not None:
            machine.go_to(otherwise)
        elif node.if_possible:
            machine.go_to(done)
        else:
            machine.new_scope().emit_fault("empty-choice", node)
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
    machine: Machine, scope: Scope, actions: list[ast.Action], counts: list[Value], which: Value, entries: list[str]
) -> None:
    """Puts the values of the option into the registers and goes to its effects."""
    lines = machine.lines
    for at, action in enumerate(actions):
        if at == len(actions) - 1:
            take_option(machine, scope, action, which)
            machine.go_to(entries[at])
            return
        with lines.when(compare("<", which, counts[at])):
            take_option(machine, scope, action, which)
            machine.go_to(entries[at])
        lines.set(which, binary("sub", which, counts[at]))


def take_option(machine: Machine, scope: Scope, action: ast.Action, which: Value) -> None:
    if action.choices:
        scope.lines.emit("do", call(options.option_taking_function(scope.plan, action), scope.player, which))
    machine.notes.on_option_chosen(scope, action)


def lower_effects(machine: Machine, action: ast.Action) -> None:
    lines = machine.lines
    if any(id(choice) in machine.plan.bench.located for choice in action.choices):
        options.choice_registers(machine.plan, action)
        locations.follow_choices(machine.new_scope(), action)
    own = next((choice for choice in action.choices if choice.name.text == "player"), None)
    kept = machine.new_register("player before") if own is not None else None
    if own is not None and kept is not None:
        machine.record_registers(action, "player before", kept)
        lines.store(kept, machine.load("player"))
        machine.store("player", lines.load(machine.plan.fixed_names[id(own)]))
    options.choice_registers(machine.plan, action)
    moments.before_action(machine, action)
    machine.lower_body(action.body)
    moments.after_action(machine, action)
    if kept is not None:
        machine.store("player", lines.load(kept))
        machine.forget_fields(kept)
    if machine.asks:
        machine.forget_fields(
            *options.choice_registers(machine.plan, action), *locations.followed_fields(machine.plan, action.choices)
        )
