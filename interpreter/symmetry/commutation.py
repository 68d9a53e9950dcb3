"""Statements whose order does not matter: takes a loop of the rules, says whether it comes to the same in any order.

Allowed is what touches only what belongs to the element, or what is the same whoever comes first.
"""

from __future__ import annotations

from rulesrun.dsl import ast
from rulesrun.dsl.ast.footprint import footprint_of
from rulesrun.dsl.ast.named_values import name_of
from rulesrun.dsl.ast.walk import children, walk
from rulesrun.dsl.flow.mentions import walk_mentions
from rulesrun.dsl.typing.program import AllOf, AttributeMeaning, BuiltinMeaning, ItMeaning, RowMeaning, WordMeaning
from rulesrun.interpreter.model.compile_context import VariableRoom, ZoneRoom
from rulesrun.interpreter.model.core import Adjust, Assign, Contents, Mix, Move, Operand, TakeFrom, TakeSome, Transfer
from rulesrun.interpreter.model.core_lowering import lower_statement
from rulesrun.interpreter.model.known_constructs import SINCE_EDITION_1
from rulesrun.interpreter.model.places import find_room, find_zone
from rulesrun.interpreter.reference.table import Table

KNOWS = SINCE_EDITION_1
Shuffled = dict[int, set[int]]  # by statement: the piles that are shuffled before anything is asked
FIXED_IN_A_LOOP = (
    ast.Option | ast.Parameter | ast.Choice | ast.Each | ast.Deal | ast.Table | ast.Values | ast.Components | AllOf
    | WordMeaning | ItMeaning | RowMeaning | BuiltinMeaning
)


def find_shuffled_afterwards(table: Table) -> Shuffled:
    found: Shuffled = {}
    for piece in table.program.game.declarations:
        for node in walk(piece):
            body = getattr(node, "body", None)
            if isinstance(body, tuple):
                note_shuffles(table, body, found, set())
    return found


def note_shuffles(table: Table, body: tuple[ast.Statement, ...], found: Shuffled, after: set[int]) -> None:
    """From the last line to the first; what stands in a loop is followed by what follows the loop.

    Whoever looks at a pile before it is shuffled may see in which order it was filled.
    """
    for line in reversed(body):
        done = lower_statement(table.bench, line)
        after = after - find_zones_read(table, line) if is_quiet(table, line) else set()
        if isinstance(done, Mix) and done.room.amount == 1:
            after = after | {id(done.room.declaration)}
        for node in walk(line):
            if isinstance(node, ast.Statement):
                found.setdefault(id(node), set()).update(after)


def is_quiet(table: Table, line: ast.Statement) -> bool:
    """Whether nobody is asked anything there, and nothing is shown; of other statements it is not known."""
    match lower_statement(table.bench, line):
        case Mix() | Move() | Assign() | Adjust():
            return True
        case ast.ForEach(body=body):
            return all(is_quiet(table, one) for one in body)
        case _:
            return False


def find_zones_read(table: Table, line: ast.Statement) -> set[int]:
    """The zones that a line looks at: all that it names, itself or through definitions, but to put something there."""
    targets = {id(name) for node in walk(line) if isinstance(node, ast.Statement) for name in list_targets(table, node)}
    named = walk_mentions(lambda node: None if id(node) in targets else table.bench.meaning(node), line)
    return {id(meaning) for meaning in named if isinstance(meaning, ast.Zone)}


def list_targets(table: Table, line: ast.Statement) -> list[ast.Name | None]:
    """The names of the zones that something is put into."""
    match lower_statement(table.bench, line):
        case Move(transfers=transfers):
            places = [one.target.place for one in transfers]
        case Mix(place=place):
            places = [place]
        case _:
            return []
    return [name_of(one.node) for one in places]


def is_commutative(table: Table, loop: ast.ForEach, shuffled: Shuffled) -> bool:
    return not has_double_write(table, loop) and all(
        is_line_commutative(table, loop, line, shuffled) for line in loop.body
    )


def has_double_write(table: Table, loop: ast.ForEach) -> bool:
    """Whether two lines change one number or marker: then the last one would count."""
    written = [id(find_room(table.bench, place)) for line in loop.body for place in footprint_of(line).writes]
    return len(set(written)) < len(written)


def is_line_commutative(table: Table, loop: ast.ForEach, line: ast.Statement, shuffled: Shuffled) -> bool:
    own = {id(loop.each)}
    match lower_statement(table.bench, line):
        case Assign(place=place, value=value):
            return is_fixed_place(table, place.node, own) and is_fixed_value(table, value)
        case Adjust(place=Contents(ast.Name(), VariableRoom(variable)), amount=ast.Number()):
            return not variable.clamped
        case Move(transfers=(Transfer(TakeFrom(what), target, None),)):
            return is_slice(table, what, own) and is_target_unordered(line, target.room, shuffled)
        case Move(transfers=(Transfer(TakeSome(_, amount, what), target, None),)):
            is_known = reads_only_own(table, amount, own)
            return is_known and is_slice(table, what, own) and is_target_unordered(line, target.room, shuffled)
        case _:
            return False  # nothing is known of it


def is_fixed_place(table: Table, target: Operand, own: set[int]) -> bool:
    """`lined[c]`, `seen[colour of c]` in a loop over c: which place it is does not change while the loop goes on."""
    keys = target.keys if isinstance(target, ast.Index) else ()
    if isinstance(target, ast.Of):
        return is_fixed_place(table, target.subject, own) and reads_only_own(table, target.owner, own)
    return all(is_element_name(table, key, own) or reads_only_own(table, key, own) for key in keys)


def is_fixed_value(table: Table, value: Operand) -> bool:
    is_word = isinstance(value, ast.Name) and isinstance(table.bench.meaning(value), WordMeaning)
    return is_word or isinstance(value, ast.Number | ast.Truth | ast.Nothing)


def is_target_unordered(line: ast.Statement, room: ZoneRoom, shuffled: Shuffled) -> bool:
    return room.declaration.kind == "set" or id(room.declaration) in shuffled.get(id(line), set())


def is_element_name(table: Table, node: ast.Node, own: set[int]) -> bool:
    return isinstance(node, ast.Name) and id(table.bench.meaning(node)) in own


def is_slice(table: Table, node: Operand, own: set[int]) -> bool:
    """`hand where colour = c`: no other element of the loop speaks of these components."""
    if not isinstance(node, ast.Filter) or not isinstance(node.condition, ast.Compare):
        return False
    condition = node.condition
    if condition.operator not in {"=", "is"} or find_zone(table.bench, node.collection) is None:
        return False
    sides = (condition.left, condition.right)
    return any(is_element_name(table, side, own) for side in sides) and any(is_attribute(table, side) for side in sides)


def is_attribute(table: Table, node: Operand) -> bool:
    name = node.subject if isinstance(node, ast.Of) else node
    return isinstance(name, ast.Name) and isinstance(table.bench.meaning(name), AttributeMeaning)


def reads_only_own(table: Table, node: ast.Node, own: set[int]) -> bool:
    """Whether of zones and numbers it reads only what belongs to the element; definitions are looked into."""
    if isinstance(node, ast.Filter) and is_slice(table, node, own):
        return True
    if isinstance(node, ast.Call):
        return call_reads_only_own(table, node, own)
    if isinstance(node, ast.Name):
        meaning = table.bench.meaning(node)
        if isinstance(meaning, AttributeMeaning):
            return meaning.attribute.type is not None
        return isinstance(meaning, FIXED_IN_A_LOOP)
    return type(node) in KNOWS and all(reads_only_own(table, part, own) for part in children(node))


def call_reads_only_own(table: Table, node: ast.Call, own: set[int]) -> bool:
    meaning = table.bench.meaning(node.name)
    if not all(is_element_name(table, one, own) or reads_only_own(table, one, own) for one in node.arguments):
        return False
    if isinstance(meaning, ast.Define):
        pairs = zip(meaning.parameters, node.arguments, strict=True)
        inner = {id(parameter) for parameter, one in pairs if is_element_name(table, one, own)}
        return reads_only_own(table, meaning.body, inner)
    if isinstance(meaning, ast.Table):
        return all(reads_only_own(table, entry.value, set()) for entry in meaning.entries)
    return isinstance(meaning, BuiltinMeaning)
