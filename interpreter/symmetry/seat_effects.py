"""What seats do one after the other: takes the lines, refuses them where it may matter who comes first.

What is changed must belong to the seat itself, and no other seat may look at it meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rulesrun.dsl import ast
from rulesrun.dsl.ast.walk import children, walk
from rulesrun.dsl.typing.program import AttributeMeaning, BuiltinMeaning
from rulesrun.interpreter.model.places import room_meant
from rulesrun.interpreter.play.relevance import living_parts, truth_of
from rulesrun.interpreter.symmetry.seat_expressions import SeatWords, TellsApart, is_builtin
from rulesrun.interpreter.symmetry.symmetric_words import end_of

POINTS = {"total", "place", "counted", "latest"}

Rooms = set[int]  # by zone or variable


def any_order(words: SeatWords, lines: Sequence[ast.Statement], choices: Sequence[ast.Choice]) -> None:
    changes = tuple(changes_of(words, lines))
    changed = {id(own_room(words, place)) for one in changes for place in places_changed(words, one, choices)}
    for change in changes:
        words.change(change, True)
    for line in lines:
        look_at_own(words, line, changed)


def changes_of(words: SeatWords, lines: Sequence[ast.Statement]) -> Iterator[ast.Becomes | ast.Increases | ast.Move]:
    for line in lines:
        match line:
            case ast.If():
                for branch in living_parts(words.table, line):
                    assert isinstance(branch, ast.Branch)
                    if truth_of(words.table, branch.condition) is None:
                        words.plain(branch.condition, True)
                    yield from changes_of(words, branch.body)
            case ast.Becomes() | ast.Increases() | ast.Move():
                yield line
            case _:
                raise TellsApart("seats do something one after the other that is not known here")


def places_changed(words: SeatWords, line: ast.Statement, choices: Sequence[ast.Choice]) -> Iterator[ast.Expr]:
    match line:
        case ast.Becomes(target=target) | ast.Increases(target=target):
            yield target
        case ast.Move(_, what, target, _):
            yield end_of(target)
            yield place_of(words, what, choices)


def place_of(words: SeatWords, what: ast.Expr, choices: Sequence[ast.Choice]) -> ast.Expr:
    """Where that which is moved comes from."""
    what = words.all_of(what)
    while isinstance(what, ast.Filter):
        what = what.collection
    meaning = words.table.bench.meaning(what) if isinstance(what, ast.Name) else None
    chosen = next((one for one in choices if one is meaning), None)
    return place_of(words, chosen.domain, ()) if chosen is not None else what


def own_room(words: SeatWords, place: ast.Expr) -> Any:
    """The zone or variable; `player` has one of them, and it is that one."""
    room = room_meant(words.table.bench, place) if isinstance(place, ast.Name | ast.Index) else None
    if room is None or not room.declaration.per_player:
        raise TellsApart("seats change one after the other what belongs to all of them")
    return room.declaration


def look_at_own(words: SeatWords, node: ast.Node, changed: Rooms) -> None:
    """What is changed may be looked at where it belongs to `player`, through definitions as well."""
    if isinstance(node, ast.Of) and words.sort(node.owner) == "player" and not names(words, node.owner, "player"):
        look_at_none(words, node.subject, changed)
    for part in (*children(node), *behind(words, node)):
        look_at_own(words, part, changed)


def look_at_none(words: SeatWords, node: ast.Node, changed: Rooms) -> None:
    for part in walk(node):
        if isinstance(part, ast.Name) and id(words.table.bench.meaning(part)) in changed:
            raise TellsApart("a seat looks at what another one has just changed")
        for one in behind(words, part):
            look_at_none(words, one, changed)


def behind(words: SeatWords, node: ast.Node) -> tuple[ast.Node, ...]:
    """What a name stands for."""
    meaning = words.table.bench.meaning(node) if isinstance(node, ast.Name) else None
    if isinstance(meaning, ast.ScoreLine) or (isinstance(meaning, BuiltinMeaning) and meaning.name in POINTS):
        raise TellsApart("seats look at points")
    if isinstance(meaning, ast.Table):
        return tuple(entry.value for entry in meaning.entries)
    if isinstance(meaning, ast.Action):  # `can …`
        return (*(one.domain for one in meaning.choices), *(one.condition for one in meaning.needs))
    if isinstance(meaning, AttributeMeaning) and meaning.attribute.type is None:
        return tuple(cell for row in meaning.components.rows for cell in row.cells)
    return (meaning.body,) if isinstance(meaning, ast.Define) else ()


# ---- a loop for one of them


def at_most_one(words: SeatWords, condition: ast.Expr | None, loop: ast.EachPlayer) -> bool:
    """`if (count of players where A of it = B) = 1`, then `each player where A = B`."""
    match condition:
        case ast.Compare("=" | "is", ast.Of(count, ast.Filter(players, held)), ast.Number(1)):
            is_count = names(words, count, "count") and names(words, players, "players")
        case _:
            return False
    if loop.start is not None or loop.order is not None or not is_count or loop.condition is None:
        return False
    one, other = told(words, held, True), told(words, loop.condition, False)
    return one is not None and one == other


def told(words: SeatWords, node: ast.Expr, by_it: bool) -> tuple[Any, ...] | None:
    """A comparison of names, those of the seat that is meant apart from those of nobody; None: not understood."""
    if not isinstance(node, ast.Compare):
        return None
    sides = (side_of(words, node.left, by_it), side_of(words, node.right, by_it))
    return None if None in sides else (node.operator, *sides)


def side_of(words: SeatWords, node: ast.Expr, by_it: bool) -> tuple[Any, ...] | None:
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


def is_of_nobody(words: SeatWords, name: ast.Name) -> bool:
    try:
        words.name(name, False)
    except TellsApart:
        return False
    return True


def names(words: SeatWords, node: ast.Expr, word: str) -> bool:
    return isinstance(node, ast.Name) and is_builtin(words.table.bench.meaning(node), word)
