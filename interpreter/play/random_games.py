"""Many random games, as fast as they go. Takes a table and a seed, gives what happened in all of them."""

from __future__ import annotations

from collections import Counter
from time import monotonic, perf_counter
from typing import Any

from attrs import define, field

from rulesrun.dsl.diagnostics.diagnostic import Diagnostic
from rulesrun.dsl.text.messages import message
from rulesrun.interpreter.model.random import Streams
from rulesrun.interpreter.model.values import EVENTS, OPTIONS, PLACES, RESULT, Fault, Slots, State, fault
from rulesrun.interpreter.play.game_loop import (
    MOST_BY_CHANCE,
    MOST_DECISIONS,
    player_stream_name,
    too_much_chance_fault,
)
from rulesrun.interpreter.play.properties import BrokenProperty, PropertyGuard
from rulesrun.interpreter.reference.chance import ChanceWait
from rulesrun.interpreter.reference.decisions import DecisionWait
from rulesrun.interpreter.reference.scoring import Places
from rulesrun.interpreter.reference.table import Table

LOOKED_AT = 1_000  # the clock, by chance events in a row


@define(eq=False)
class SimulationResult:
    """What happened. A faulty or broken game is counted, and told once for every kind."""

    games: int = 0
    unfinished: int = 0  # stopped by the clock
    decisions: int = 0
    seconds: float = 0.0
    wins: Counter[int] = field(factory=Counter)
    results: Counter[str] = field(factory=Counter)
    places: Counter[Places] = field(factory=Counter)
    score_sums: Counter[int] = field(factory=Counter)
    lengths: Counter[int] = field(factory=Counter)
    faults: list[tuple[int, Diagnostic, State | None]] = field(factory=list)  # the game's number comes first
    broken: list[tuple[int, BrokenProperty]] = field(factory=list)
    happened: Counter[str] = field(factory=Counter)  # games in which a `can happen` was true, by title
    broken_games: Counter[str] = field(factory=Counter)
    faulty_games: Counter[str] = field(factory=Counter)


def simulate_games(
    table: Table, seed: int, games: int, *, first: int = 0, seconds: float | None = None, checks: bool = True,
    limit: int = MOST_DECISIONS,
) -> SimulationResult:
    """`games` games numbered from `first`; stops early when the time is over."""
    found = SimulationResult()
    guard = PropertyGuard(table) if checks else None
    began, until = perf_counter(), None if seconds is None else monotonic() + seconds
    for number in range(first, first + games):
        simulate_game(table, Streams(seed, number), number, guard, found, limit, until)
        found.seconds = perf_counter() - began
        if seconds is not None and found.seconds > seconds:
            break
    return found


def simulate_game(
    table: Table, streams: Streams, number: int, guard: PropertyGuard | None, found: SimulationResult, limit: int,
    until: float | None = None,
) -> None:
    """Plays one game and notes what happened. A game that is not over `until` then is only counted as unfinished."""
    S = table.new_slots()
    found.games += 1
    if guard is not None:
        guard.begin_game()
        S[EVENTS] = []
    decisions = found.decisions
    try:
        if not play_to_end(table, S, streams, guard, found, limit, until):
            found.unfinished += 1
            return
        note_ending(table, S, found)
    except Fault as problem:
        code = problem.diagnostic.code
        found.faulty_games[code] += 1
        if found.faulty_games[code] == 1:
            found.faults.append((number, problem.diagnostic, table.to_state(S)))
    found.lengths[found.decisions - decisions] += 1
    if guard is not None:
        guard.add_to_results(number, found)


def play_to_end(
    table: Table,
    S: Slots,
    streams: Streams,
    guard: PropertyGuard | None,
    found: SimulationResult,
    limit: int,
    until: float | None,
) -> bool:
    """To the end; no when the time is over before."""
    run, below, last, by_chance = table.run_to_question, streams.random_below, found.decisions + limit, 0
    sources = [player_stream_name(player) for player in range(table.players + 1)]
    while True:
        wait = run(S)
        if isinstance(wait, DecisionWait):
            options = S[OPTIONS]
            found.decisions += 1
            if found.decisions > last:
                raise fault(
                    "too-long", message("the game has not ended after {limit} decisions", limit=limit), wait.node.span
                )
            if until is not None and monotonic() > until:
                return False
            if guard is not None:
                guard.check_position(S)
            wait.apply_answer(S, options[below(len(options), sources[wait.chooser(S)])])
        elif isinstance(wait, ChanceWait):
            by_chance += 1
            if by_chance > MOST_BY_CHANCE:
                raise too_much_chance_fault(wait.node.span, found.decisions - last + limit)
            if until is not None and by_chance % LOOKED_AT == 0 and monotonic() > until:
                return False
            wait.apply_answer(S, wait.outcome_at(S, below(wait.total_weight(S), wait.stream_name(S))))
        else:
            if guard is not None:
                guard.check_position(S, at_end=True)
            return True


def note_ending(table: Table, S: Slots, found: SimulationResult) -> None:
    places = S[PLACES]
    found.places[places] += 1
    for player in places[0]:
        found.wins[player] += 1
    if S[RESULT] is not None:
        found.results[S[RESULT]] += 1
    scores: dict[int, Any] = table.scoring.scores(S)
    for player, score in scores.items():
        found.score_sums[player] += score
