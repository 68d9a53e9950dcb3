"""Pairs of games as ranges for processes and clusters: two tables as plain data in, exact totals of pairs out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from threading import get_ident
from time import monotonic
from typing import TYPE_CHECKING

from attrs import define, field, frozen

from rulesrun.dsl.typing.program import Program
from rulesrun.files.loading import read_chain
from rulesrun.files.sources import TextFile
from rulesrun.interpreter.measure.duel import Duel
from rulesrun.interpreter.measure.measured_game import GameMeasurer
from rulesrun.interpreter.measure.pairs import PairTotals, merge_pairs, pairs_from_json, pairs_to_json
from rulesrun.interpreter.measure.suspects import Suspect, find_suspects
from rulesrun.interpreter.measure.totals import Totals, totals_to_json
from rulesrun.interpreter.model.random import Streams, game_seed
from rulesrun.interpreter.model.values import Fault, RefusedTable
from rulesrun.interpreter.play.game_loop import MOST_DECISIONS
from rulesrun.interpreter.reference.expressions import WatchedConditions
from rulesrun.interpreter.reference.table import Table, set_up_table
from rulesrun.run.measure_engines import ENOUGH_STUCK, ChangeoverDuel
from rulesrun.run.ranges import Crew, Plain, Range, WorkOrder
from rulesrun.run.seats import make_bots
from rulesrun.terminal.progress import Progress

if TYPE_CHECKING:
    from rulesrun.interpreter.native.flow.engine import Engine
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


# ---- deadweight parts
# Parts of weighing rules, for processes and clusters: an order as plain data in, what was found out as plain data.
#
# One part looks which conditions are ever true in a range of games; another plays the same deals with one rule and
# without it, for a time or up to so many.


MOST_KNOWN_TOOLS = 2  # tables that a process keeps ready
LEAST, PATIENCE = 16, 1.0  # deals; seconds beyond its time that a rule may take for them


@frozen
class WeighOrder:
    """`deals`: with each rule and without it, or None, as many as the time allows.

    `limit`: after so many decisions a game without a rule does not end; `pace`: the seconds of a deal by the reference;
    `played`: by number, how many deals of each rule are known already.
    """

    side: WorkOrder
    deals: int | None = None
    limit: int = MOST_DECISIONS
    pace: float = 0.0
    threads: int = 1
    played: tuple[int, ...] = ()


@define(eq=False)
class WeighTools:
    """What a process keeps ready for one table."""

    table: Table
    suspects: list[Suspect]
    notes: WatchedConditions
    watcher: GameMeasurer
    left: Engine | None = field(init=False, default=None)  # the table's own machine code


_known_tools: dict[tuple[int, str], WeighTools] = {}


def weigh_tools_for(side: WorkOrder) -> WeighTools:
    """Each thread has its own: one plays a game at a time."""
    key = get_ident(), repr(side)
    if key not in _known_tools:
        while len(_known_tools) >= MOST_KNOWN_TOOLS:
            _known_tools.pop(next(iter(_known_tools)), None)
        table = set_up_ordered_table(side)
        found = find_suspects(table.program, table)
        notes = WatchedConditions({id(one.node) for one in found if one.is_condition})
        watched = set_up_table(table.program, table.players, table.options, notes)
        _known_tools[key] = WeighTools(table, found, notes, GameMeasurer(watched, bots=make_bots(side.seats, watched)))
    return _known_tools[key]


def count_met_conditions(order: WeighOrder, first: int, games: int) -> Plain:
    """In how many games each condition was true, was false at some time, by the suspects' numbers."""
    began = monotonic()
    scales, totals = weigh_tools_for(order.side), Totals()
    counts: tuple[Counter[int], Counter[int]] = (Counter(), Counter())
    for number in range(first, first + games):
        scales.notes.true.clear()
        scales.notes.false.clear()
        totals.add_record(scales.watcher.play_game(Streams(game_seed(order.side.seed, number)), number))
        counts[0].update(scales.notes.true)
        counts[1].update(scales.notes.false)
    numbers = {id(one.node): at for at, one in enumerate(scales.suspects) if one.is_condition}
    return {
        "totals": totals_to_json(totals), "decided": sorted(numbers[node] for node in scales.notes.decided),
        "true": counts_by_number(counts[0], numbers), "false": counts_by_number(counts[1], numbers),
        "seconds": monotonic() - began,
    }  # fmt: skip


def counts_by_number(counts: Counter[int], numbers: Mapping[int, int]) -> list[tuple[int, int]]:
    return [(numbers[node], games) for node, games in counts.items()]


def play_without(order: WeighOrder, number: int, milliseconds: int) -> Plain:
    """The same deals with the suspect of this number and without it."""
    scales = weigh_tools_for(order.side)
    table = scales.table
    try:
        other = scales.suspects[number].set_up_table(table.program, table.players, table.options)
    except (RefusedTable, Fault) as refusal:
        return {"refused": str(refusal)}
    pair = PairOrder(order.side, order.side, limit=order.limit)
    duel = make_duel(pair, table, other)
    duel.watched = 0  # whether properties hold without a rule is not asked
    share = milliseconds / 1000 if order.deals is None else float("inf")
    until = monotonic() + share
    is_asked, engine = order.side.engine == "native", order.side.engine
    here = ChangeoverDuel(  # the changed rules are nobody's: where they cannot be compiled, the reference plays
        duel, "auto" if is_asked else engine, order.deals, float("inf"), order.threads,
        float("inf") if is_asked else order.pace, scales.left,
    )  # fmt: skip
    here.until = max(until, monotonic() + share / 2)  # however long it took to get ready
    first = order.played[number] if order.played else 0
    add_deals(duel, play_parts(Crew(1), pair, duel, order.deals, here, first), here.until)
    if here.left is not None:
        scales.left = here.left
    keys = list(map(list, duel.list_figures()))
    going_on = duel.judge_long_game(1, PATIENCE)
    return {
        "pairs": pairs_to_json(duel.pairs), "keys": keys, "engine": here.name, "compiling": here.choice.compiling,
        "going_on": None if going_on is None else (going_on.ends, going_on.positions),
    }  # fmt: skip


def add_deals(duel: Duel, parts: Iterable[PairTotals], until: float) -> None:
    """As long as there is time, but so many that they say something, unless these take very long."""
    for part in parts:
        duel.pairs = pairs = merge_pairs(duel.pairs, part)
        late = monotonic() - until
        is_said = pairs.finished >= LEAST or pairs.stuck[1] >= pairs.stuck[0] + ENOUGH_STUCK
        if has_only_stuck_games(pairs) or late > PATIENCE or (late > 0 and is_said):
            return
