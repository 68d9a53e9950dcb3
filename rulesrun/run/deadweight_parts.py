"""Parts of weighing rules, for processes and clusters: an order as plain data in, what was found out as plain data.

One part looks which conditions are ever true in a range of games; another plays the same deals with one rule and
without it, for a time or up to so many.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from threading import get_ident
from time import monotonic
from typing import TYPE_CHECKING

from attrs import define, field, frozen

from rulesrun.interpreter.measure.duel import Duel
from rulesrun.interpreter.measure.measured_game import GameMeasurer
from rulesrun.interpreter.measure.pairs import PairTotals, merge_pairs, pairs_to_json
from rulesrun.interpreter.measure.suspects import Suspect, find_suspects
from rulesrun.interpreter.measure.totals import Totals, totals_to_json
from rulesrun.interpreter.model.random import Streams, game_seed
from rulesrun.interpreter.model.values import Fault, RefusedTable
from rulesrun.interpreter.play.game_loop import MOST_DECISIONS
from rulesrun.interpreter.reference.fixed_conditions import WatchedConditions
from rulesrun.interpreter.reference.table import Table, set_up_table
from rulesrun.run.pair_engines import ENOUGH_STUCK, ChangeoverDuel
from rulesrun.run.pair_ranges import PairOrder, has_only_stuck_games, make_duel, play_parts, set_up_ordered_table
from rulesrun.run.ranges import Crew, Plain, WorkOrder
from rulesrun.run.seats import make_bots

if TYPE_CHECKING:
    from rulesrun.interpreter.native.flow.engine import Engine

MOST_KNOWN = 2  # tables that a process keeps ready
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


_known: dict[tuple[int, str], WeighTools] = {}


def weigh_tools_for(side: WorkOrder) -> WeighTools:
    """Each thread has its own: one plays a game at a time."""
    key = get_ident(), repr(side)
    if key not in _known:
        while len(_known) >= MOST_KNOWN:
            _known.pop(next(iter(_known)), None)
        table = set_up_ordered_table(side)
        found = find_suspects(table.program, table)
        notes = WatchedConditions({id(one.node) for one in found if one.is_condition})
        watched = set_up_table(table.program, table.players, table.options, notes)
        _known[key] = WeighTools(table, found, notes, GameMeasurer(watched, bots=make_bots(side.seats, watched)))
    return _known[key]


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
