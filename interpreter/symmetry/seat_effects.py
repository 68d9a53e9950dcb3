"""What seats do one after the other: takes the lines, refuses them where it may matter who comes first.

What is changed must belong to the seat itself, and no other seat may look at it meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, assert_never

from rulesrun.dsl import ast
from rulesrun.dsl.ast.walk import children, walk
from rulesrun.dsl.flow.mentions import nodes_behind_meaning
from rulesrun.interpreter.model.core import Adjust, Assign, Move, Operand
from rulesrun.interpreter.model.core_lowering import lower_statement
from rulesrun.interpreter.model.places import find_room
from rulesrun.interpreter.model.relevance import constant_truth, live_parts
from rulesrun.interpreter.symmetry.seat_expressions import (
    SeatExpressionCheck,
    TellsApart,
    collection_taken,
)

POINTS = {"total", "place", "counted", "latest"}

Rooms = set[int]  # by zone or variable


def check_any_order(words: SeatExpressionCheck, lines: Sequence[ast.Statement], choices: Sequence[ast.Choice]) -> None:
    changes = tuple(find_changing_lines(words, lines))
    changed = {
        id(require_own_room(words, place)) for one in changes for place in find_changed_places(words, one, choices)
    }
    for change in changes:
        words.check_change(change, True)
    for line in lines:
        check_reads_own(words, line, changed)


def find_changing_lines(
    words: SeatExpressionCheck, lines: Sequence[ast.Statement]
) -> Iterator[Assign | Adjust | Move]:
    for line in lines:
        done = lower_statement(words.table.bench, line)
        match done:
            case ast.If():
                for branch in live_parts(words.table.bench, line):
                    assert isinstance(branch, ast.Branch)
                    if constant_truth(words.table.bench, branch.condition) is None:
                        words.check_plain(branch.condition, True)
                    yield from find_changing_lines(words, branch.body)
            case Assign() | Adjust() | Move():
                yield done
            case _:
                raise TellsApart("seats do something one after the other that is not known here")


def find_changed_places(
    words: SeatExpressionCheck, done: Assign | Adjust | Move, choices: Sequence[ast.Choice]
) -> Iterator[Operand]:
    match done:
        case Assign(place=place) | Adjust(place=place):
            yield place.node
        case Move(transfers=transfers):
            for transfer in transfers:
                yield transfer.target.place.node
                yield find_source_place(words, collection_taken(transfer.taken), choices)
        case _:
            assert_never(done)


def find_source_place(words: SeatExpressionCheck, what: Operand, choices: Sequence[ast.Choice]) -> Operand:
    """Where that which is moved comes from."""
    while isinstance(what, ast.Filter):
        what = what.collection
    meaning = words.table.bench.meaning(what)
    chosen = next((one for one in choices if one is meaning), None)
    return find_source_place(words, chosen.domain, ()) if chosen is not None else what


def require_own_room(words: SeatExpressionCheck, place: Operand) -> Any:
    """The zone or variable; `player` has one of them, and it is that one."""
    room = find_room(words.table.bench, place) if isinstance(place, ast.Name | ast.Index) else None
    if room is None or not room.declaration.per_player:
        raise TellsApart("seats change one after the other what belongs to all of them")
    return room.declaration


def check_reads_own(words: SeatExpressionCheck, node: ast.Node, changed: Rooms) -> None:
    """What is changed may be looked at where it belongs to `player`, through definitions as well."""
    if (
        isinstance(node, ast.Of)
        and words.sort_of_node(node.owner) == "player"
        and not words.table.bench.is_word(node.owner, "player")
    ):
        check_reads_none(words, node.subject, changed)
    for part in (*children(node), *nodes_behind(words, node)):
        check_reads_own(words, part, changed)


def check_reads_none(words: SeatExpressionCheck, node: ast.Node, changed: Rooms) -> None:
    for part in walk(node):
        if isinstance(part, ast.Name) and id(words.table.bench.meaning(part)) in changed:
            raise TellsApart("a seat looks at what another one has just changed")
        for one in nodes_behind(words, part):
            check_reads_none(words, one, changed)


def nodes_behind(words: SeatExpressionCheck, node: ast.Node) -> tuple[ast.Node, ...]:
    """What a name stands for."""
    meaning = words.table.bench.meaning(node)
    if isinstance(meaning, ast.ScoreLine) or words.table.bench.is_word(node, *POINTS):
        raise TellsApart("seats look at points")
    return tuple(nodes_behind_meaning(meaning)) if meaning is not None else ()


# ---- a loop for one of them


def is_loop_for_one(words: SeatExpressionCheck, condition: Operand | None, loop: ast.EachPlayer) -> bool:
    """`if (count of players where A of it = B) = 1`, then `each player where A = B`."""
    match condition:
        case ast.Compare("=" | "is", ast.Of(count, ast.Filter(players, held)), ast.Number(1)):
            is_count = words.table.bench.is_word(count, "count") and words.table.bench.is_word(players, "players")
        case _:
            return False
    if loop.start is not None or loop.order is not None or not is_count or loop.condition is None:
        return False
    one, other = comparison_key(words, held, True), comparison_key(words, loop.condition, False)
    return one is not None and one == other


def comparison_key(words: SeatExpressionCheck, node: Operand, by_it: bool) -> tuple[Any, ...] | None:
    """A comparison of names, those of the seat that is meant apart from those of nobody; None: not understood."""
    if not isinstance(node, ast.Compare):
        return None
    sides = (side_key(words, node.left, by_it), side_key(words, node.right, by_it))
    return None if None in sides else (node.operator, *sides)


def side_key(words: SeatExpressionCheck, node: Operand, by_it: bool) -> tuple[Any, ...] | None:
    match node:
        case ast.Number(value):
            return ("number", value)
        case ast.Of(ast.Name() as name, ast.Name(text="it")) if by_it:
            return ("own", id(words.table.bench.meaning(name)))
        case ast.Name():
            meaning = words.table.bench.meaning(node)
            if isinstance(meaning, ast.Define | ast.Zone | ast.Variable | ast.Option):
                kind = "own" if not by_it and not is_of_nobody(words, node) else "shared"
                return (kind, id(meaning)) if kind == "own" or is_of_nobody(words, node) else None
    return None


def is_of_nobody(words: SeatExpressionCheck, name: ast.Name) -> bool:
    try:
        words.check_expression(name, False)
    except TellsApart:
        return False
    return True
