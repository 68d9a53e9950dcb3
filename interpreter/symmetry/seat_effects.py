"""What seats do one after the other: takes the lines, refuses them where it may matter who comes first.

What is changed must belong to the seat itself, and no other seat may look at it meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, assert_never

from rulesrun.interpreter.model import core
from rulesrun.interpreter.model.core import Adjust, Assign, Line, Move, Operand
from rulesrun.interpreter.model.core_lowering import list_operands_behind, lower_statement, walk_lines
from rulesrun.interpreter.model.relevance import constant_truth, live_branches
from rulesrun.interpreter.symmetry.seat_expressions import (
    SeatExpressionCheck,
    TellsApart,
    collection_taken,
)

Rooms = set[int]  # by zone or variable


def check_any_order(words: SeatExpressionCheck, lines: Sequence[Line], choices: Sequence[core.Choice]) -> None:
    changes = tuple(find_changing_lines(words, lines))
    changed = {
        id(require_own_room(words, place)) for one in changes for place in find_changed_places(words, one, choices)
    }
    for change in changes:
        words.check_change(change, True)
    for done in walk_lines(words.table.bench, lines):
        for one in core.list_operands_of(done):
            check_reads_own(words, one, changed)


def find_changing_lines(words: SeatExpressionCheck, lines: Sequence[Line]) -> Iterator[Assign | Adjust | Move]:
    for line in lines:
        done = lower_statement(words.table.bench, line)
        match done:
            case core.If(_, branches):
                for branch in live_branches(words.table.bench, branches):
                    if constant_truth(words.table.bench, branch.condition) is None:
                        words.check_plain(branch.condition, True)
                    yield from find_changing_lines(words, branch.body)
            case Assign() | Adjust() | Move():
                yield done
            case _:
                raise TellsApart("seats do something one after the other that is not known here")


def find_changed_places(
    words: SeatExpressionCheck, done: Assign | Adjust | Move, choices: Sequence[core.Choice]
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


def find_source_place(words: SeatExpressionCheck, what: Operand, choices: Sequence[core.Choice]) -> Operand:
    """Where that which is moved comes from."""
    while isinstance(asked := words.lower(what), core.Filter):
        what = asked.collection
    chosen = asked.binder if isinstance(asked, core.Register) else None
    if isinstance(chosen, core.Choice) and any(one is chosen for one in choices):
        return find_source_place(words, chosen.domain, ())
    return what


def require_own_room(words: SeatExpressionCheck, place: Operand) -> core.Zone | core.Variable:
    """The zone or variable; `player` has one of them, and it is that one."""
    asked = words.lower(place)
    if not isinstance(asked, core.Contents) or asked.owner is not None or not asked.room.declaration.per_player:
        raise TellsApart("seats change one after the other what belongs to all of them")
    return asked.room.declaration


def check_reads_own(words: SeatExpressionCheck, node: Operand, changed: Rooms) -> None:
    """What is changed may be looked at where it belongs to `player`, through definitions as well."""
    asked = words.lower(node)
    match asked:
        case core.Contents(owner=core.Operand() as owner) if is_of_another(words, owner):
            check_none_of(words, asked, changed)
        case core.ForPlayer(subject=subject, owner=owner) if is_of_another(words, owner):
            check_reads_none(words, subject, changed)
        case _:
            pass  # `check_expression` has refused what is not known; another seat is spoken of in no other way
    for part in list_parts(words, asked):
        check_reads_own(words, part, changed)


def is_of_another(words: SeatExpressionCheck, owner: Operand) -> bool:
    """Of a seat, and that is not said to be `player`."""
    return words.sort_of_node(owner) == "player" and not words.table.bench.is_word(owner, "player")


def check_reads_none(words: SeatExpressionCheck, node: Operand, changed: Rooms) -> None:
    asked = words.lower(node)
    check_none_of(words, asked, changed)
    for part in list_parts(words, asked):
        check_reads_none(words, part, changed)


def check_none_of(words: SeatExpressionCheck, asked: core.Core, changed: Rooms) -> None:
    if isinstance(asked, core.Contents):
        if id(asked.room.declaration) in changed:
            raise TellsApart("a seat looks at what another one has just changed")
        for key in asked.keys:
            check_reads_none(words, key, changed)


def list_parts(words: SeatExpressionCheck, asked: core.Core) -> list[Operand]:
    """What it is worked out from, and what it stands for."""
    is_line = isinstance(asked, core.Definition) and isinstance(asked.meaning, core.ScoreLine)
    if is_line or isinstance(asked, core.Points | core.Standing):
        raise TellsApart("seats look at points")
    return [*core.list_operands(asked), *list_operands_behind(words.table.bench, asked)]


# ---- a loop for one of them


def is_loop_for_one(words: SeatExpressionCheck, condition: Operand | None, loop: core.EachPlayer) -> bool:
    """`if (count of players where A of it = B) = 1`, then `each player where A = B`."""
    held = find_only_condition(words, condition) if condition is not None else None
    if loop.start is not None or loop.order is not None or held is None or loop.condition is None:
        return False
    one, other = comparison_key(words, held, True), comparison_key(words, loop.condition, False)
    return one is not None and one == other


def find_only_condition(words: SeatExpressionCheck, condition: Operand) -> Operand | None:
    """What it says of one player alone; None: it says something else."""
    match words.lower(condition):
        case core.Compare(_, "=", counted, number):
            count, one = words.lower(counted), words.lower(number)
        case _:
            return None
    match count, one:
        case core.Count(_, collection), core.Constant(_, 1, None):
            several = words.lower(collection)
        case _:
            return None
    is_of_all = isinstance(several, core.Filter) and words.table.bench.is_word(several.collection, "players")
    return several.condition if is_of_all and isinstance(several, core.Filter) else None


def comparison_key(words: SeatExpressionCheck, node: Operand, by_it: bool) -> tuple[Any, ...] | None:
    """A comparison of names, those of the seat that is meant apart from those of nobody; None: not understood."""
    asked = words.lower(node)
    if not isinstance(asked, core.Compare):
        return None
    sides = (side_key(words, asked.left, by_it), side_key(words, asked.right, by_it))
    return None if None in sides else (asked.operator, *sides)


def side_key(words: SeatExpressionCheck, node: Operand, by_it: bool) -> tuple[Any, ...] | None:
    asked = words.lower(node)
    if isinstance(asked, core.Constant) and asked.meaning is None and type(asked.value) is int:
        return ("number", asked.value)
    if by_it and (own := find_own_of_it(words, asked)) is not None:
        return ("own", own)
    named = find_named(asked, None)
    if named is None:
        return None
    is_of_nobody = is_known_of_nobody(words, node)
    kind = "own" if not by_it and not is_of_nobody else "shared"
    return (kind, named) if kind == "own" or is_of_nobody else None


def find_own_of_it(words: SeatExpressionCheck, asked: core.Core) -> int | None:
    """What is asked of `it`, by identity."""
    match asked:
        case core.Contents(owner=core.Operand() as owner) if is_it(words, owner):
            return find_named(asked, owner)
        case core.ForPlayer(subject=subject, owner=owner) if is_it(words, owner):
            return find_named(words.lower(subject), None)
        case _:
            return None


def is_it(words: SeatExpressionCheck, owner: Operand) -> bool:
    return isinstance(words.lower(owner), core.Element)


def find_named(asked: core.Core, owner: Operand | None) -> int | None:
    """A zone, a number, a definition or an option by its name alone, by identity."""
    match asked:
        case core.Contents(_, room, (), whose) if whose is owner:
            return id(room.declaration)
        case core.Definition(_, core.Define() as meaning, ()):
            return id(meaning)
        case core.Constant(_, _, core.Option() as meaning):
            return id(meaning)
        case _:
            return None


def is_known_of_nobody(words: SeatExpressionCheck, node: Operand) -> bool:
    try:
        words.check_expression(node, False)
    except TellsApart:
        return False
    return True
