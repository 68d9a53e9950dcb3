"""Places that the rules treat alike: rows and columns of a board, heaps of a row. Takes a table, gives exchanges.

The rules are written out; an exchange that leaves every piece of them as it is, and the beginning too, is a symmetry.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from itertools import combinations, product
from typing import Any

from attrs import frozen

from rulesrun.dsl.contents.written_values import kind_of_values
from rulesrun.dsl.text.messages import Names, message
from rulesrun.interpreter.model.boards import list_turns
from rulesrun.interpreter.model.compile_context import VariableRoom
from rulesrun.interpreter.model.components import Kinds
from rulesrun.interpreter.model.core import Room
from rulesrun.interpreter.model.known_constructs import BOARDS, SINCE_EDITION_1, TEAMS
from rulesrun.interpreter.model.relevance import has_only_known_constructs
from rulesrun.interpreter.play.position_keys import PositionKeys
from rulesrun.interpreter.play.successors import Successors
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.symmetry.canonical_positions import Relabelling
from rulesrun.interpreter.symmetry.canonical_terms import LONGEST_DOMAIN, NotWrittenOut, TermWriter

KNOWS = SINCE_EDITION_1 | BOARDS | TEAMS
LONGEST_INDEX = 12
MOST_LOOKED_AT = 1_000_000  # terms, all exchanges together

Column = tuple[Room, int]
Keys = tuple[Any, ...]
Moved = Callable[[Room, Keys], Keys]
"""Where what lies there goes to: for a room and the numbers of its keys the numbers of the new ones."""


@frozen(eq=False)
class PlaceExchange:
    """`places`: by zone or variable, for each of its places the new one; the same for every owner."""

    says: str
    places: Mapping[int, tuple[int, ...]]
    sources: tuple[int, ...]

    @property
    def relabelling(self) -> Relabelling:
        return Relabelling(self.sources, (None,) * len(self.sources))


def find_symmetric_places(table: Table, but_for: Collection[int] = ()) -> tuple[PlaceExchange, ...]:
    """Those that are proved; rooms whose slots are exchanged otherwise may be left out."""
    candidates = list(list_candidate_exchanges(table, but_for)) if has_only_known_constructs(table.bench, KNOWS) else []
    if not candidates:
        return ()
    way = next(iter(Successors(table).first_successors()))
    if way.problem is not None:
        return ()
    beginning = PositionKeys(table).normalize_position(way.S)[: len(table.blank)]
    candidates = [one for one in candidates if one.relabelling.relabel(beginning) == beginning]
    written = TermWriter(table)
    try:
        pieces = sorted(set(written.write_pieces()))
    except (NotWrittenOut, RecursionError):
        return ()
    few = max(MOST_LOOKED_AT // (len(written.terms.nodes) + 1), 1)
    return tuple(one for one in candidates[:few] if is_symmetry(written, pieces, one))


def is_symmetry(written: TermWriter, pieces: list[int], exchange: PlaceExchange) -> bool:
    known: dict[int, int] = {}
    try:
        return all(written.terms.exchange_places(piece, exchange.places, known) == piece for piece in pieces)
    except NotWrittenOut:
        return False


def close_exchanges(found: tuple[PlaceExchange, ...], most: int) -> tuple[tuple[PlaceExchange, ...], list[Relabelling]]:
    """Those that the others do not come to, and all that comes of doing some of them one after the other; fewer of
    them when that is too much."""
    needed: tuple[PlaceExchange, ...] = ()
    members: set[tuple[int, ...]] = set()
    for one in found:
        if one.sources not in members:
            more = close_permutations([*(each.sources for each in needed), one.sources], most)
            needed, members = ((*needed, one), more) if len(more) <= most else (needed, members)
    return needed, [Relabelling(one, (None,) * len(one)) for one in sorted(members) if one != tuple(range(len(one)))]


def close_permutations(found: list[tuple[int, ...]], most: int) -> set[tuple[int, ...]]:
    """All that can be made of these; no more than one too many."""
    same = tuple(range(len(found[0])))
    members, waiting = {same}, [same]
    while waiting and len(members) <= most:
        one = waiting.pop()
        for other in found:
            both = tuple([one[source] for source in other])
            if both not in members:
                members.add(both)
                waiting.append(both)
    return members


# ---- what is tried


def list_candidate_exchanges(table: Table, but_for: Collection[int] = ()) -> Iterator[PlaceExchange]:
    """All that could be symmetries: two places, all the other way round, two keys of one board."""
    columns = [one for one in list_key_columns(table) if one[0].base not in but_for]
    yield from list_turned_boards(table, columns)
    columns = [(room, column) for room, column in columns if find_board(table, room, column) is None]
    for alike in group_columns(columns):
        several = [Names(name) for name in dict.fromkeys(room.declaration.name.text for room, _ in alike)]
        yield from reordering_exchanges(table, alike, message("the places of {names}", names=several))
        for room, column in alike if len(alike) > 1 else ():
            yield from reordering_exchanges(
                table, [(room, column)],
                message("key {number} of {name}", number=column + 1, name=Names(room.declaration.name.text)),
            )
        for (one, first), (other, second) in combinations(alike, 2):
            if one is other:
                says = message(
                    "{name}: keys {first} and {second} exchanged", name=Names(one.declaration.name.text),
                    first=first + 1, second=second + 1,
                )  # fmt: skip
                yield make_exchange(table, [one], says, make_key_swap(first, second))


def list_turned_boards(table: Table, columns: list[Column]) -> Iterator[PlaceExchange]:
    """Every board turned and mirrored, with all that stands on it."""
    for board in [one for one in table.bench.kinds.values() if one.declaration.board is not None]:
        alike = [(room, column) for room, column in columns if find_board(table, room, column) is board]
        for says, order in list_turns(board) if alike else ():
            rooms = list({id(room): room for room, _ in alike}.values())
            name = Names(board.declaration.name.text)
            turned = message("{name}: {says}", name=name, says=says)
            yield make_exchange(table, rooms, turned, make_reordering(alike, order))


def find_board(table: Table, room: Room, column: int) -> Kinds | None:
    """The board whose places a key names."""
    called = kind_of_values(room.declaration.keys[column])
    boards = (one for one in table.bench.kinds.values() if one.declaration.board is not None)
    return next((one for one in boards if one.declaration.name.text == called), None)


def list_rooms(table: Table) -> list[Room]:
    return [*table.bench.zones.values(), *table.bench.variables.values()]


def list_key_columns(table: Table) -> Iterator[Column]:
    """But for what stays with components: they would have to change places themselves."""
    for room in list_rooms(table):
        if isinstance(room, VariableRoom) and room.declaration.of_kind:
            continue
        for column, values in enumerate(room.keys):
            longest = LONGEST_INDEX if find_board(table, room, column) is None else LONGEST_DOMAIN
            if 2 <= len(values) <= longest and kind_of_values(room.declaration.keys[column]) != "player":
                yield room, column


def group_columns(columns: list[Column]) -> list[list[Column]]:
    """Those that count the same things together."""
    found: dict[tuple[Any, ...], list[Column]] = {}
    for room, column in columns:
        called = kind_of_values(room.declaration.keys[column])
        found.setdefault((called, room.keys[column]), []).append((room, column))
    return list(found.values())


def reordering_exchanges(table: Table, columns: list[Column], what: str) -> Iterator[PlaceExchange]:
    size = len(columns[0][0].keys[columns[0][1]])
    rooms = list({id(room): room for room, _ in columns}.values())
    for at, to in combinations(range(size), 2):
        says = message("{what}: {first} and {second} exchanged", what=what, first=at + 1, second=to + 1)
        yield make_exchange(table, rooms, says, make_reordering(columns, swap_values(tuple(range(size)), at, to)))
    if size > 2:
        yield make_exchange(
            table, rooms, message("{what}: rotated", what=what), make_reordering(columns, tuple(range(size))[::-1])
        )


def make_reordering(columns: list[Column], order: Keys) -> Moved:
    mine = {(id(room), column) for room, column in columns}
    return lambda room, keys: tuple([
        order[key] if (id(room), column) in mine else key for column, key in enumerate(keys)
    ])


def make_key_swap(first: int, second: int) -> Moved:
    return lambda room, keys: swap_values(keys, first, second)


def swap_values(values: Keys, first: int, second: int) -> Keys:
    found = list(values)
    found[first], found[second] = values[second], values[first]
    return tuple(found)


def make_exchange(table: Table, rooms: list[Room], says: str, moved: Moved) -> PlaceExchange:
    sources, places = list(range(len(table.blank))), {}
    for room in rooms:
        every = list(product(*(range(len(values)) for values in room.keys)))
        number_of = {keys: number for number, keys in enumerate(every)}
        becomes = tuple(number_of[moved(room, keys)] for keys in every)
        places[id(room.declaration)] = becomes
        for start in range(room.base, room.base + room.amount, room.per_player):
            for number, new in enumerate(becomes):
                sources[start + new] = start + number
    return PlaceExchange(says, places, tuple(sources))
