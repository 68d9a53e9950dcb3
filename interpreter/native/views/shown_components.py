"""A machine that notes what `show` lays open: what and to whom, since the last answer. Other machines leave it out.

Takes a table, gives positions, in which the notes are. Each is known again by a number mixed from it; of a zone that is
shown all that lies there is written down as well.
"""

from __future__ import annotations

from rulesrun.dsl import ast
from rulesrun.dsl.typing.types import CollectionOf
from rulesrun.interpreter.form.form import NOTHING, Field, Line, X, as_number, both, compare, logic, number
from rulesrun.interpreter.form.lines import Lines, call
from rulesrun.interpreter.form.machine_code import Cache, compiled
from rulesrun.interpreter.model.compile_context import ZoneRoom
from rulesrun.interpreter.model.components import Kinds
from rulesrun.interpreter.model.places import room_meant, zone_meant
from rulesrun.interpreter.native.expressions import places
from rulesrun.interpreter.native.flow import asked_games, bodies, flow
from rulesrun.interpreter.native.flow.asked_games import AskedForm
from rulesrun.interpreter.native.flow.random_games import signed
from rulesrun.interpreter.native.layout.lowering import lowered
from rulesrun.interpreter.native.layout.machine import Machine
from rulesrun.interpreter.native.layout.plan import LEFT, Plan, Scope, ask, position_function
from rulesrun.interpreter.native.positions.positions import Positions, positions_for, text_of
from rulesrun.interpreter.native.views.view_hashes import START, joined
from rulesrun.interpreter.play.visibility import has_show_to
from rulesrun.interpreter.reference.statements import kind_shown
from rulesrun.interpreter.reference.table import Table

MOST_SHOWN = 16  # between two questions
MOST_LISTED = 1024  # components that lie in what is shown
NOTES = (  # and how many there are
    ("shown to", "shown"), ("shown what", "shown"), ("shown place", "shown"), ("shown from", "shown"),
    ("shown many", "shown"), ("shown kinds", "shown listed"),
)
ALONE, SEVERAL = 1, 2  # one component, or a collection


def positions_with_shown(table: Table, cache: Cache | None = None) -> Positions:
    """Compiles a table; raises `CannotCompile`. Where nothing is ever shown, these are the positions of others."""
    if not has_show_to(table):
        return positions_for(table, cache)
    form = lowered(table, showing_games)
    return Positions(table, form, compiled(text_of(form), cache))


def showing_games(table: Table) -> AskedForm:
    machine = Machine(laid_out(table), True, statement)
    flow.whole_game(machine)
    return asked_games.finished(machine, forgetting(machine.plan))


def laid_out(table: Table) -> Plan:
    """With room for the notes."""
    plan = asked_games.laid_out(table)
    listed = most_listed(plan)
    for name, high, amount in (
        ("shown", MOST_SHOWN, 1),
        ("shown place", len(table.blank) + len(shown_parts(plan)), MOST_SHOWN), ("shown from", listed, MOST_SHOWN),
        ("shown many", listed, MOST_SHOWN), ("shown listed", listed, 1), ("shown kinds", most_kinds(plan), listed),
    ):
        plan.number_field(name, 0, high, amount)
    plan.field("shown what", 64, MOST_SHOWN)
    plan.field("shown to", 32, MOST_SHOWN)  # 0: to everybody; nobody where it is nothing
    return plan


def shown_zones(plan: Plan) -> list[ZoneRoom]:
    """Those of which a statement shows the whole."""
    found = [room_meant(plan.bench, operation.node.what) for operation in plan.table.operations
             if isinstance(operation.node, ast.Show)]
    return [room for room in plan.bench.zones.values() if any(room is one for one in found)]


def shown_parts(plan: Plan) -> dict[int, Kinds]:
    """The kinds of what a statement shows beside whole zones, by the number that stands for the place."""
    bench, kinds = plan.bench, list(plan.bench.kinds.values())
    shown = [operation.node.what for operation in plan.table.operations if isinstance(operation.node, ast.Show)]
    found = {kind_shown(bench, what) for what in shown if zone_meant(bench, what) is None}
    return {len(plan.table.blank) + which: kinds[which] for which in sorted(found)}


def shown_kinds(plan: Plan) -> list[Kinds]:
    return [*(room.kinds for room in shown_zones(plan)), *shown_parts(plan).values()]


def most_kinds(plan: Plan) -> int:
    return max([len(kinds) for kinds in shown_kinds(plan)], default=0)


def most_listed(plan: Plan) -> int:
    """Room for all components twice over: each lies in one zone, and few zones are shown to one after the other."""
    everything = sum(sum(kinds.copies) for kinds in shown_kinds(plan))
    return min(2 * everything + 1, MOST_LISTED)


def forgetting(plan: Plan) -> list[Line]:
    """A question has been answered: nothing is shown any longer."""
    def write(scope: Scope, given: list[X]) -> None:
        for name, amount in NOTES:
            last = both("sub", scope.lines.kept(scope.lines.load(plan.fields[amount])), number(1))
            set_back(scope, plan.fields[name], last)
        for amount in ("shown", "shown listed"):
            scope.lines.store(plan.fields[amount], number(0))

    function, lines = position_function(plan, "forget shown", "forget shown", (), None, write), Lines()
    lines.add("do", call(function, number(1)))
    return lines.lines


def set_back(scope: Scope, place: Field, last: X) -> None:
    scope.lines.count_through(number(0), last, lambda at: scope.lines.store(place, number(0), at))


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
        lines.store(amount, both("add", before, number(1)))
        lines.store(fields["shown place"], place_shown(scope, node.what), before)
        write_down(scope, node, before, done)


def write_down(scope: Scope, node: ast.Show, entry: X, done: str) -> None:
    """All that lies there, one after the other."""
    lines, fields = scope.lines, scope.plan.fields
    listed, kinds = fields["shown listed"], fields["shown kinds"]
    first = lines.kept(lines.load(listed))
    lines.store(fields["shown from"], first, entry)

    def look(one: X) -> None:
        at = lines.kept(lines.load(listed))
        is_full = lines.kept(compare(">=", at, number(kinds.amount)))
        scope.fault_when(is_full, LEFT, node)
        lines.leave(done, is_full)
        lines.store(kinds, as_number(one), at)
        lines.store(listed, both("add", at, number(1)))

    if is_several(scope, node.what):
        scope.several(node.what).each(scope, look)
    else:
        one = lines.kept(as_number(scope.value(node.what)))
        with lines.when(compare("is not", one, number(NOTHING))):
            look(one)
    lines.store(fields["shown many"], both("sub", lines.load(listed), first), entry)


def is_several(scope: Scope, node: ast.Expr) -> bool:
    return isinstance(scope.bench.type_of(node), CollectionOf)


def place_shown(scope: Scope, node: ast.Expr) -> X:
    """The slot of a zone that is shown whole; for others a number behind all slots says what kind it is."""
    room = zone_meant(scope.bench, node)
    if room is not None:
        return both("add", number(room.base), places.index_of(scope, node))
    return number(len(scope.plan.table.blank) + kind_shown(scope.bench, node))


def content(scope: Scope, node: ast.Expr) -> X:
    """Which place it is, and what lies there, as one number."""
    lines = scope.lines
    key = lines.variable(joined(number(signed(START)), place_shown(scope, node)), "h")
    lines.set(key, joined(key, number(SEVERAL if is_several(scope, node) else ALONE)))
    if is_several(scope, node):
        scope.several(node).each(scope, lambda one: lines.set(key, joined(key, as_number(one))))
    else:
        lines.set(key, joined(key, as_number(scope.value(node))))
    return lines.kept(key)
