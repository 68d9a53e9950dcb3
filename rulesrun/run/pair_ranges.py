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
from rulesrun.interpreter.measure.pairs import PairTotals, merge_pairs, pairs_from_json, pairs_to_json
from rulesrun.interpreter.play.game_loop import MOST_DECISIONS
from rulesrun.interpreter.reference.table import Table, set_up_table
from rulesrun.run.pair_engines import ENOUGH_STUCK, ChangeoverDuel
from rulesrun.run.ranges import Crew, Plain, Range, WorkOrder
from rulesrun.run.seats import make_bots
from rulesrun.terminal.progress import Progress

if TYPE_CHECKING:
    from rulesrun.run.cluster import ClusterCrew

DEALS = 8  # in a range, when players play at random
MOST_KNOWN = 4  # duels that a process keeps ready


@frozen
class PairOrder:
    """`back`: names of the right rulebook as the left one has them."""

    left: WorkOrder
    right: WorkOrder
    back: tuple[tuple[str, str], ...] = ()
    limit: int = MOST_DECISIONS  # of a game of the right table


def split_deals(deals: int | None, seats: str | None, first: int = 0) -> Iterator[Range]:
    """From the first up to so many deals, or without end; one at first: nobody knows how long it takes."""
    at, size = first, 1
    while deals is None or at < deals:
        games = size if deals is None else min(size, deals - at)
        yield at, games
        at += games
        size = min(2 * size, DEALS) if seats is None and at > first + 1 else 1


def play_parts(
    crew: Crew | ClusterCrew, order: PairOrder, duel: Duel, deals: int | None, here: ChangeoverDuel | None = None,
    first: int | None = None,
) -> Iterator[PairTotals]:  # fmt: skip
    """Range after range, in order, whoever plays them; from the first on, else from the deals on that the duel has."""
    at = duel.pairs.games if first is None else first
    stretch = split_deals(deals, order.left.seats, at)
    here = here or ChangeoverDuel(duel, "reference", deals, float("inf"))
    if isinstance(crew, Crew):
        while here.native is None and (crew.jobs == 1 or not here.choice.is_settled):
            at, games = next(stretch, (at, 0))
            if not games:
                return
            yield here.play_by_reference(at, games)
            at += games
        if here.native is not None:
            yield from here.play_natively(at)
            return
    for _, _, pairs in crew.play_ranges(play_pairs, order, stretch):
        yield pairs_from_json(pairs)


def add_pairs(
    duel: Duel, parts: Iterable[PairTotals], until: float, progress: Progress, note: Callable[[], None] | None = None
) -> None:
    """As long as there is time; a part counts wholly or not at all, whenever an interruption comes."""
    if has_only_stuck_games(duel.pairs):
        return
    for part in parts:
        duel.pairs = merge_pairs(duel.pairs, part)
        progress.update(duel.pairs.games)
        if note is not None:
            note()
        if monotonic() > until or has_only_stuck_games(duel.pairs):
            return


def has_only_stuck_games(pairs: PairTotals) -> bool:
    return not pairs.finished and pairs.games >= ENOUGH_STUCK


def play_pairs(order: PairOrder, first: int, deals: int) -> Plain:
    return pairs_to_json(_cached_duel(order).play_range(first, deals))


def make_duel(order: PairOrder, left: Table, right: Table) -> Duel:
    bots = make_bots(order.left.seats, left), make_bots(order.right.seats, right)
    duel = Duel(left, right, order.left.seed, dict(order.back), bots)
    duel.watchers[1].limit = order.limit
    return duel


@lru_cache(maxsize=MOST_KNOWN)
def read_program(name: str, files: tuple[tuple[str, str], ...]) -> Program:
    """Read once for all that is left out of it."""
    program = read_chain(TextFile(name, "", "", ""), [TextFile(one, text, "", one) for one, text in files]).program
    assert program is not None
    return program


def set_up_ordered_table(order: WorkOrder) -> Table:
    return set_up_table(read_program(order.name, order.files), order.players, order.options)


# ---- in each process

_known: dict[tuple[int, str], Duel] = {}


def _cached_duel(order: PairOrder) -> Duel:
    """Each thread has duels of its own: one plays a game at a time."""
    key = get_ident(), repr(order)
    if key not in _known:
        while len(_known) >= MOST_KNOWN:
            _known.pop(next(iter(_known)), None)
        left = set_up_ordered_table(order.left)
        _known[key] = make_duel(order, left, set_up_ordered_table(order.right))
    return _known[key]
