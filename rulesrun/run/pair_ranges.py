"""Pairs of games as ranges for processes and clusters: two tables as plain data in, exact totals of pairs out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from threading import get_ident
from time import monotonic
from typing import TYPE_CHECKING

from attrs import frozen

from rulesrun.dsl.typing.program import Program
from rulesrun.files.loading import read_chain
from rulesrun.files.sources import TextFile
from rulesrun.interpreter.measure.duel import Duel
from rulesrun.interpreter.measure.pairs import Pairs, pairs_from_plain, pairs_to_plain, sum_of_pairs
from rulesrun.interpreter.play.game_loop import MOST_DECISIONS
from rulesrun.interpreter.reference.table import Table, set_up
from rulesrun.run.pair_engines import ENOUGH_STUCK, DuelHere
from rulesrun.run.ranges import Crew, Order, Plain, Range
from rulesrun.run.seats import bots_of
from rulesrun.terminal.progress import Progress

if TYPE_CHECKING:
    from rulesrun.run.cluster import ClusterCrew

DEALS = 8  # in a range, when players play at random
MOST_KNOWN = 4  # duels that a process keeps ready


@frozen
class PairOrder:
    """`back`: names of the right rulebook as the left one has them."""

    left: Order
    right: Order
    back: tuple[tuple[str, str], ...] = ()
    limit: int = MOST_DECISIONS  # of a game of the right table


def ranges(deals: int | None, seats: str | None, first: int = 0) -> Iterator[Range]:
    """From the first up to so many deals, or without end; one at first: nobody knows how long it takes."""
    at, size = first, 1
    while deals is None or at < deals:
        games = size if deals is None else min(size, deals - at)
        yield at, games
        at += games
        size = min(2 * size, DEALS) if seats is None and at > first + 1 else 1


def parts(
    crew: Crew | ClusterCrew, order: PairOrder, duel: Duel, deals: int | None, here: DuelHere | None = None,
    first: int | None = None,
) -> Iterator[Pairs]:  # fmt: skip
    """Range after range, in order, whoever plays them; from the first on, else from the deals on that the duel has."""
    at = duel.pairs.games if first is None else first
    stretch = ranges(deals, order.left.seats, at)
    here = here or DuelHere(duel, "reference", deals, float("inf"))
    if isinstance(crew, Crew):
        while here.native is None and (crew.jobs == 1 or not here.is_settled):
            at, games = next(stretch, (at, 0))
            if not games:
                return
            yield here.by_reference(at, games)
            at += games
        if here.native is not None:
            yield from here.natively(at)
            return
    for _, _, pairs in crew.answers(play_pairs, order, stretch):
        yield pairs_from_plain(pairs)


def add_pairs(
    duel: Duel, parts: Iterable[Pairs], until: float, progress: Progress, note: Callable[[], None] | None = None
) -> None:
    """As long as there is time; a part counts wholly or not at all, whenever an interruption comes."""
    if gets_nowhere(duel.pairs):
        return
    for part in parts:
        duel.pairs = sum_of_pairs(duel.pairs, part)
        progress.tell(duel.pairs.games)
        if note is not None:
            note()
        if monotonic() > until or gets_nowhere(duel.pairs):
            return


def gets_nowhere(pairs: Pairs) -> bool:
    return not pairs.finished and pairs.games >= ENOUGH_STUCK


def play_pairs(order: PairOrder, first: int, deals: int) -> Plain:
    return pairs_to_plain(_known_duel(order).range(first, deals))


def duel_of(order: PairOrder, left: Table, right: Table) -> Duel:
    bots = bots_of(order.left.seats, left), bots_of(order.right.seats, right)
    duel = Duel(left, right, order.left.seed, dict(order.back), bots)
    duel.watchers[1].limit = order.limit
    return duel


@lru_cache(maxsize=MOST_KNOWN)
def program_of(name: str, files: tuple[tuple[str, str], ...]) -> Program:
    """Read once for all that is left out of it."""
    program = read_chain(TextFile(name, "", "", ""), [TextFile(one, text, "", one) for one, text in files]).program
    assert program is not None
    return program


def table_of(order: Order) -> Table:
    return set_up(program_of(order.name, order.files), order.players, order.options)


# ---- in each process

_known: dict[tuple[int, str], Duel] = {}


def _known_duel(order: PairOrder) -> Duel:
    """Each thread has duels of its own: one plays a game at a time."""
    key = get_ident(), repr(order)
    if key not in _known:
        while len(_known) >= MOST_KNOWN:
            _known.pop(next(iter(_known)), None)
        left = table_of(order.left)
        _known[key] = duel_of(order, left, table_of(order.right))
    return _known[key]
