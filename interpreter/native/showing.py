"""A machine that notes what `show` lays open: what and to whom, since the last answer. For who counts a tree.

Takes a table, gives positions; whoever lets one go on takes the notes away first. Other machines leave them out.
"""

from __future__ import annotations

from rulesrun.dsl import ast
from rulesrun.dsl.types import CollectionOf
from rulesrun.interpreter.native import asked_games, bodies, flow, places
from rulesrun.interpreter.native.asked_games import AskedForm
from rulesrun.interpreter.native.engine import lowered
from rulesrun.interpreter.native.form import NUMBER, Constants, X, as_number, compare, logic, number
from rulesrun.interpreter.native.games import signed, start_bytes
from rulesrun.interpreter.native.machine import Machine
from rulesrun.interpreter.native.machine_code import Cache, compiled
from rulesrun.interpreter.native.plan import LEFT, Scope, ask, position_function
from rulesrun.interpreter.native.positions import Positions, positions_for, text_of
from rulesrun.interpreter.native.sights import START, joined
from rulesrun.interpreter.table import Table
from rulesrun.interpreter.visibility import has_show_to
from rulesrun.interpreter.workbench import ZoneRoom

MOST_SHOWN = 16  # between two questions
ALONE, SEVERAL = 1, 2  # one component, or a collection


def positions_of_tree(table: Table, cache: Cache | None = None) -> Positions:
    """Compiles a table; raises `CannotCompile`."""
    if not has_show_to(table):
        return positions_for(table, cache)
    form = lowered(table, showing_games)
    return Positions(table, form, compiled(text_of(form), cache))


def showing_games(table: Table) -> AskedForm:
    plan = asked_games.laid_out(table)
    for name, bits, amount in (("shown", 8, 1), ("shown to", 32, MOST_SHOWN), ("shown what", 64, MOST_SHOWN)):
        plan.field(name, bits, amount)
    machine = Machine(plan, True, statement)
    flow.whole_game(machine)
    run, asked = asked_games.machine_function(machine), tuple(machine.waits)
    start = Constants("start", 8, start_bytes(plan))
    return AskedForm(plan, (*plan.functions, run, *asked_games.answers(plan, asked)), asked, start)


def statement(machine: Machine, node: ast.Statement) -> None:
    if isinstance(node, ast.Show):
        function = position_function(
            machine.plan, ("statement", id(node)), "show", (), None, lambda inner, _: show(inner, node)
        )
        machine.lines.add("do", ask(function, machine.scope()))
    else:
        bodies.statement(machine, node)


def show(scope: Scope, node: ast.Show) -> None:
    """The same, shown to the same again, is shown once."""
    lines, fields = scope.lines, scope.plan.fields
    amount, to, what = fields["shown"], fields["shown to"], fields["shown what"]
    key, whom = content(scope, node.what), number(0)
    if node.to is not None:
        whom = lines.kept(as_number(scope.value(node.to)))
    before, at = lines.kept(lines.load(amount)), lines.variable(number(0), "i")
    with lines.block() as done:
        with lines.loop() as over:
            lines.leave(over, compare(">=", at, before))
            is_same = compare("=", lines.load(what, at), key)
            lines.leave(done, logic("and", is_same, compare("=", lines.load(to, at), whom)))
            lines.add_to(at, number(1))
        is_full = lines.kept(compare(">=", before, number(MOST_SHOWN)))
        scope.fault_when(is_full, LEFT, node)
        lines.leave(done, is_full)
        lines.store(what, key, before)
        lines.store(to, whom, before)
        lines.store(amount, X("add", NUMBER, (before, number(1))))


def content(scope: Scope, node: ast.Expr) -> X:
    """Which place it is, and what lies there, as one number; 0 stands for what is no place."""
    lines, room = scope.lines, places.room_of(scope, node)
    place = number(0)
    if isinstance(room, ZoneRoom):
        place = X("add", NUMBER, (number(room.base), places.index_of(scope, node)))
    key = lines.variable(joined(number(signed(START)), place), "h")
    is_several = isinstance(scope.bench.type_of(node), CollectionOf)
    lines.set(key, joined(key, number(SEVERAL if is_several else ALONE)))
    if is_several:
        scope.several(node).each(scope, lambda one: lines.set(key, joined(key, as_number(one))))
    else:
        lines.set(key, joined(key, as_number(scope.value(node))))
    return lines.kept(key)
