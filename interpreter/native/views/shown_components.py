"""A machine that notes what `show` lays open: what and to whom, since the last answer. Other machines leave it out.

Takes a table, gives positions, in which the notes are. Each is known again by a number mixed from it; of a zone that is
shown all that lies there is written down as well.
"""

from __future__ import annotations

from rulesrun.dsl.typing.types import CollectionOf
from rulesrun.interpreter.form.form import NOTHING, Field, Line, Value, as_number, binary, compare, logic, number
from rulesrun.interpreter.form.lines import Lines, call
from rulesrun.interpreter.form.machine_code import Cache, compile_text
from rulesrun.interpreter.model.compile_context import VariableRoom, ZoneRoom
from rulesrun.interpreter.model.components import Kinds
from rulesrun.interpreter.model.core import Operand, Show
from rulesrun.interpreter.model.instructions import Do, Instruction
from rulesrun.interpreter.native.expressions import places
from rulesrun.interpreter.native.flow import asked_games, bodies, flow
from rulesrun.interpreter.native.flow.asked_games import AskedGamesForm
from rulesrun.interpreter.native.flow.random_games import to_signed
from rulesrun.interpreter.native.layout.lowering import lower_table
from rulesrun.interpreter.native.layout.machine import Machine
from rulesrun.interpreter.native.layout.plan import LEFT, Plan, Scope, position_function
from rulesrun.interpreter.native.positions.positions import NativePositions, compile_positions, format_positions
from rulesrun.interpreter.native.views.view_hashes import START, combine_hashes
from rulesrun.interpreter.play.visibility import has_show_statement
from rulesrun.interpreter.reference.statements import shown_kinds_index
from rulesrun.interpreter.reference.table import Table

MOST_SHOWN = 16  # between two questions
MOST_LISTED = 1024  # components that lie in what is shown
NOTES = (  # and how many there are
    ("shown to", "shown"), ("shown what", "shown"), ("shown place", "shown"), ("shown from", "shown"),
    ("shown many", "shown"), ("shown kinds", "shown listed"), ("shown value", "shown"),
)
ALONE, SEVERAL = 1, 2  # one component, or a collection


def compile_showing_positions(table: Table, cache: Cache | None = None) -> NativePositions:
    """Compiles a table; raises `CannotCompile`. Where nothing is ever shown, these are the positions of others."""
    if not has_show_statement(table):
        return compile_positions(table, cache)
    form = lower_table(table, lower_showing_games)
    return NativePositions(table, form, compile_text(format_positions(form), cache))


def lower_showing_games(table: Table) -> AskedGamesForm:
    machine = Machine(plan_showing_games(table), True, lower_instruction)
    flow.lower_flow(machine)
    return asked_games.finish_form(machine, forget_shown_lines(machine.plan))


def plan_showing_games(table: Table) -> Plan:
    """With room for the notes."""
    plan = asked_games.plan_asked_games(table)
    listed = listing_capacity(plan)
    for name, high, amount in (
        ("shown", MOST_SHOWN, 1),
        ("shown place", len(table.blank) + len(shown_part_kinds(plan)), MOST_SHOWN), ("shown from", listed, MOST_SHOWN),
        ("shown many", listed, MOST_SHOWN), ("shown listed", listed, 1), ("shown kinds", max_shown_kinds(plan), listed),
    ):
        plan.add_number_field(name, 0, high, amount)
    plan.add_value_field("shown value", MOST_SHOWN, 0)
    plan.add_field("shown what", 64, MOST_SHOWN)
    plan.add_field("shown to", 32, MOST_SHOWN)  # 0: to everybody; nobody where it is nothing
    return plan


def find_shown_zones(plan: Plan) -> list[ZoneRoom]:
    """Those of which a statement shows the whole."""
    found = [one.zone.room for one in show_statements(plan) if one.zone is not None]
    return [room for room in plan.bench.zones.values() if any(room is one for one in found)]


def show_statements(plan: Plan) -> list[Show]:
    """Those that can be reached at this table."""
    done = [one.effect for one in plan.table.flow.instructions if isinstance(one, Do)]
    return [effect for effect in done if isinstance(effect, Show)]


def shown_part_kinds(plan: Plan) -> dict[int, Kinds]:
    """The kinds of what a statement shows beside whole zones, by the number that stands for the place."""
    bench, kinds = plan.bench, list(plan.bench.kinds.values())
    shown = show_statements(plan)
    found = {shown_kinds_index(bench, one.what) for one in shown if one.zone is None and one.value is None}
    return {len(plan.table.blank) + which: kinds[which] for which in sorted(found)}


def find_shown_variables(plan: Plan) -> list[VariableRoom]:
    """Those whose value a statement tells."""
    found = [one.value.room for one in show_statements(plan) if one.value is not None]
    return [room for room in plan.bench.variables.values() if any(room is one for one in found)]


def shown_kinds(plan: Plan) -> list[Kinds]:
    return [*(room.kinds for room in find_shown_zones(plan)), *shown_part_kinds(plan).values()]


def max_shown_kinds(plan: Plan) -> int:
    return max([len(kinds) for kinds in shown_kinds(plan)], default=0)


def listing_capacity(plan: Plan) -> int:
    """Room for all components twice over: each lies in one zone, and few zones are shown to one after the other."""
    everything = sum(sum(kinds.copies) for kinds in shown_kinds(plan))
    return min(2 * everything + 1, MOST_LISTED)


def forget_shown_lines(plan: Plan) -> list[Line]:
    """A question has been answered: nothing is shown any longer."""
    def write(scope: Scope, given: list[Value]) -> None:
        for name, amount in NOTES:
            last = binary("sub", scope.lines.bind(scope.lines.load(plan.fields[amount])), number(1))
            reset_field(scope, plan.fields[name], last)
        for amount in ("shown", "shown listed"):
            scope.lines.store(plan.fields[amount], number(0))

    function, lines = position_function(plan, "forget shown", "forget shown", (), None, write), Lines()
    lines.emit("do", call(function, number(1)))
    return lines.lines


def reset_field(scope: Scope, place: Field, last: Value) -> None:
    scope.lines.for_range(number(0), last, lambda at: scope.lines.store(place, number(0), at))


def lower_instruction(machine: Machine, one: Instruction) -> None:
    if isinstance(one, Do) and isinstance(one.effect, Show):
        bodies.lower_as_function(machine, one.effect, "show", lower_show)
    else:
        bodies.lower_instruction(machine, one)


def lower_show(scope: Scope, done: Show) -> None:
    """The same, shown to the same again, is shown once."""
    node = done.node
    lines, fields = scope.lines, scope.plan.fields
    amount, to, what = fields["shown"], fields["shown to"], fields["shown what"]
    key, whom = hash_shown_content(scope, done), number(0)
    if done.to is not None:
        whom = lines.bind(as_number(scope.lower_value(done.to)))
    before, at = lines.bind(lines.load(amount)), lines.variable(number(0), "i")
    with lines.block() as over_now:
        with lines.loop() as over:
            lines.leave(over, compare(">=", at, before))
            is_same = compare("=", lines.load(what, at), key)
            lines.leave(over_now, logic("and", is_same, compare("=", lines.load(to, at), whom)))
            lines.add_to(at, number(1))
        is_full = lines.bind(compare(">=", before, number(MOST_SHOWN)))
        scope.emit_fault_if(is_full, LEFT, node)
        lines.leave(over_now, is_full)
        lines.store(what, key, before)
        lines.store(to, whom, before)
        lines.store(amount, binary("add", before, number(1)))
        lines.store(fields["shown place"], shown_place(scope, done), before)
        if done.value is not None:
            lines.store(fields["shown value"], as_number(scope.lower_value(done.what)), before)
        else:
            write_shown_kinds(scope, done, before, over_now)


def write_shown_kinds(scope: Scope, shown: Show, entry: Value, done: str) -> None:
    """All that lies there, one after the other."""
    lines, fields = scope.lines, scope.plan.fields
    listed, kinds = fields["shown listed"], fields["shown kinds"]
    first = lines.bind(lines.load(listed))
    lines.store(fields["shown from"], first, entry)

    def visit(one: Value) -> None:
        at = lines.bind(lines.load(listed))
        is_full = lines.bind(compare(">=", at, number(kinds.amount)))
        scope.emit_fault_if(is_full, LEFT, shown.node)
        lines.leave(done, is_full)
        lines.store(kinds, as_number(one), at)
        lines.store(listed, binary("add", at, number(1)))

    if is_collection(scope, shown.what):
        scope.lower_collection(shown.what).for_each(scope, visit)
    else:
        one = lines.bind(as_number(scope.lower_value(shown.what)))
        with lines.when(compare("is not", one, number(NOTHING))):
            visit(one)
    lines.store(fields["shown many"], binary("sub", lines.load(listed), first), entry)


def is_collection(scope: Scope, node: Operand) -> bool:
    return isinstance(scope.bench.type_of(node), CollectionOf)


def shown_place(scope: Scope, done: Show) -> Value:
    """The slot of a zone that is shown whole, of a value that is told; for others a number behind all slots says what
    kind it is."""
    place = done.zone or done.value
    if place is not None:
        return binary("add", number(place.room.base), places.place_index(scope, place))
    return number(len(scope.plan.table.blank) + shown_kinds_index(scope.bench, done.what))


def hash_shown_content(scope: Scope, done: Show) -> Value:
    """Which place it is, and what lies there, as one number."""
    lines, node = scope.lines, done.what
    key = lines.variable(combine_hashes(number(to_signed(START)), shown_place(scope, done)), "h")
    lines.set(key, combine_hashes(key, number(SEVERAL if is_collection(scope, node) else ALONE)))
    if is_collection(scope, node):
        scope.lower_collection(node).for_each(scope, lambda one: lines.set(key, combine_hashes(key, as_number(one))))
    else:
        lines.set(key, combine_hashes(key, as_number(scope.lower_value(node))))
    return lines.bind(key)
