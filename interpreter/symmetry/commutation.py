"""Statements whose order does not matter: takes a loop of the rules, says whether it comes to the same in any order.

Allowed is what touches only what belongs to the element, or what is the same whoever comes first.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import assert_never

from rulesrun.dsl.typing.program import WordMeaning
from rulesrun.interpreter.model import core
from rulesrun.interpreter.model.compile_context import VariableRoom, ZoneRoom
from rulesrun.interpreter.model.core import Adjust, Assign, Line, Mix, Move, Operand, TakeFrom, TakeSome, Transfer
from rulesrun.interpreter.model.core_lowering import (
    find_operation,
    list_pieces,
    lower_statement,
    walk_dependencies,
    walk_lines,
)
from rulesrun.interpreter.model.places import find_zone
from rulesrun.interpreter.model.values import RefusedTable
from rulesrun.interpreter.reference.table import Table

Shuffled = dict[int, set[int]]  # by statement: the piles that are shuffled before anything is asked
Own = Collection[int]  # by identity: what stands for the element of the loop


def find_shuffled_afterwards(table: Table) -> Shuffled:
    found: Shuffled = {}
    for piece in list_pieces(table.bench):
        if isinstance(piece, core.Setup | core.Phase | core.Step | core.Action):
            note_bodies(table, piece.body, found)
    return found


def note_bodies(table: Table, body: tuple[Line, ...], found: Shuffled) -> None:
    note_shuffles(table, body, found, set())
    for line in body:
        for inner in core.list_bodies(lower_statement(table.bench, line)):
            note_bodies(table, inner, found)


def note_shuffles(table: Table, body: tuple[Line, ...], found: Shuffled, after: set[int]) -> None:
    """From the last line to the first; what stands in a loop is followed by what follows the loop.

    Whoever looks at a pile before it is shuffled may see in which order it was filled.
    """
    for line in reversed(body):
        done = lower_statement(table.bench, line)
        after = after - find_zones_read(table, line) if is_quiet(table, line) else set()
        if isinstance(done, Mix) and done.room.amount == 1:
            after = after | {id(done.room.declaration)}
        for inside in walk_lines(table.bench, (line,)):
            found.setdefault(id(inside.node), set()).update(after)


def is_quiet(table: Table, line: Line) -> bool:
    """Whether nobody is asked anything there, and nothing is shown; of other statements it is not known."""
    match lower_statement(table.bench, line):
        case Mix() | Move() | Assign() | Adjust():
            return True
        case core.ForEach(body=body):
            return all(is_quiet(table, one) for one in body)
        case _:
            return False


def find_zones_read(table: Table, line: Line) -> set[int]:
    """The zones that a line looks at: all that it names, itself or through definitions, but to put something there."""
    roots = [one for done in walk_lines(table.bench, (line,)) for one in list_looked_at(done)]
    found = set[int]()
    try:
        for asked in walk_dependencies(table.bench, roots):
            if isinstance(asked, core.Contents):
                found.add(id(asked.room.declaration))
            elif isinstance(asked, core.Points | core.Standing):
                return set(table.bench.zones)  # whatever was counted
    except RefusedTable:
        return set(table.bench.zones)  # it is not known
    return found


def list_looked_at(done: core.Statement) -> list[Operand]:
    match done:
        case Move(transfers=transfers):
            taken = [one for each in transfers for one in core.operands_taken(each.taken)]
            keys = [one for each in transfers for one in core.key_of(each.order)]
            return [*taken, *keys, *(one for each in transfers for one in core.which_place(each.target.place))]
        case Mix(place=place, added=added):
            return [*(core.operands_taken(added) if added is not None else []), *core.which_place(place)]
        case _:
            return core.list_operands_of(done)


def is_commutative(table: Table, loop: core.ForEach, shuffled: Shuffled) -> bool:
    return not has_double_write(table, loop.body) and all(
        is_line_commutative(table, loop, line, shuffled) for line in loop.body
    )


def has_double_write(table: Table, body: Iterable[Line]) -> bool:
    """Whether two lines change one number or marker: then the last one would count."""
    done = [lower_statement(table.bench, line) for line in body]
    places = [
        one.place for one in done if isinstance(one, Assign | Adjust | core.DrawValue | core.DrawOrder)
    ]
    written = [id(one.room) if isinstance(one, core.Contents) else None for one in places]
    return len(set(written)) < len(written)


def is_line_commutative(table: Table, loop: core.ForEach, line: Line, shuffled: Shuffled) -> bool:
    own = {id(loop.each)}
    match lower_statement(table.bench, line):
        case Assign(place=place, value=value):
            return is_fixed_place(table, place, own) and is_fixed_value(table, value)
        case Adjust(place=core.Contents(room=VariableRoom(variable), keys=(), owner=None), amount=amount):
            return is_number(table, amount) and not variable.clamped
        case Move(transfers=(Transfer(TakeFrom(what), target, None),)):
            return is_slice(table, what, own) and is_target_unordered(line, target.room, shuffled)
        case Move(transfers=(Transfer(TakeSome(_, amount, what), target, None),)):
            is_known = reads_only_own(table, amount, own)
            return is_known and is_slice(table, what, own) and is_target_unordered(line, target.room, shuffled)
        case _:
            return False  # nothing is known of it


def is_fixed_place(table: Table, place: core.Assigned, own: Own) -> bool:
    """`lined[c]`, `seen[colour of c]` in a loop over c: which place it is does not change while the loop goes on."""
    if isinstance(place, core.Current):
        return True
    return all(is_element_name(table, one, own) or reads_only_own(table, one, own) for one in core.which_place(place))


def is_fixed_value(table: Table, value: Operand) -> bool:
    asked = find_operation(table.bench, value)
    is_known = isinstance(asked, core.Constant) and not isinstance(asked.value, str)
    return is_known and isinstance(asked, core.Constant) and isinstance(asked.meaning, WordMeaning | None)


def is_number(table: Table, value: Operand) -> bool:
    asked = find_operation(table.bench, value)
    return isinstance(asked, core.Constant) and asked.meaning is None and isinstance(asked.value, int)


def is_target_unordered(line: Line, room: ZoneRoom, shuffled: Shuffled) -> bool:
    return room.declaration.kind == "set" or id(room.declaration) in shuffled.get(id(line), set())


def is_element_name(table: Table, node: Operand, own: Own) -> bool:
    asked = find_operation(table.bench, node)
    return isinstance(asked, core.Register) and id(asked.binder) in own


def is_slice(table: Table, node: Operand, own: Own) -> bool:
    """`hand where colour = c`: no other element of the loop speaks of these components."""
    several = find_operation(table.bench, node)
    if not isinstance(several, core.Filter) or find_zone(table.bench, several.collection) is None:
        return False
    condition = find_operation(table.bench, several.condition)
    if not isinstance(condition, core.Compare) or condition.operator != "=":
        return False
    sides = (condition.left, condition.right)
    has_attribute = any(isinstance(find_operation(table.bench, side), core.Attribute) for side in sides)
    return has_attribute and any(is_element_name(table, side, own) for side in sides)


def reads_only_own(table: Table, node: Operand, own: Own) -> bool:
    """Whether of zones and numbers it reads only what belongs to the element; definitions are looked into."""
    asked = find_operation(table.bench, node)
    match asked:
        case None | core.Contents() | core.Times() | core.Can() | core.Joined() | core.Combinations():
            return False
        case core.Register() | core.Element() | core.Current() | core.Opponents() | core.Standing():
            return True
        case core.Constant(meaning=meaning):
            return not isinstance(meaning, core.Phase)
        case core.Points(line=line):
            return line is None
        case core.Definition() | core.CaseLookup():
            return call_reads_only_own(table, asked, own)
        case core.Attribute(meaning=meaning) if meaning.attribute.type is None:
            return False
        case core.Quantified(each=each) | core.Aggregate(each=each) | core.Best(each=each) if each.name is not None:
            return False
        case core.Filter() if is_slice(table, node, own):
            return True
        case (
            core.Attribute() | core.ForPlayer() | core.Count() | core.Fold() | core.EndOf() | core.ItemAt()
            | core.Neighbour() | core.SeatsFrom() | core.Extreme() | core.PositionOf() | core.PlacesNear()
            | core.PlacesBetween() | core.Distance() | core.Lines() | core.Connected() | core.Filter() | core.Range()
            | core.SetOf() | core.Literal() | core.Quantified() | core.Aggregate() | core.Best() | core.Compare()
            | core.In() | core.IsEmpty() | core.Arithmetic() | core.Negate() | core.Not() | core.Logic()
            | core.IfElse() | core.Before()
        ):
            return all(reads_only_own(table, part, own) for part in core.list_operands(asked))
        case _:
            assert_never(asked)


def call_reads_only_own(table: Table, called: core.Definition | core.CaseLookup, own: Own) -> bool:
    if not all(is_element_name(table, one, own) or reads_only_own(table, one, own) for one in called.arguments):
        return False
    if isinstance(called, core.CaseLookup):
        return all(reads_only_own(table, entry.value, ()) for entry in called.table.entries)
    pairs = zip(called.parameters, called.arguments, strict=True)
    inner = {id(parameter) for parameter, one in pairs if is_element_name(table, one, own)}
    return bool(called.arguments) and reads_only_own(table, called.body, inner)
