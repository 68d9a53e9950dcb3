"""One game, played and measured. Takes a table and streams of chance, gives the record of the game.

Steps of the flow are wrapped where something is counted: a turn begins, a phase begins, points are counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from time import monotonic
from typing import Any

from attrs import define, field

from rulesrun.dsl.text.messages import message
from rulesrun.interpreter.bots.bot import Bot, RandomBot
from rulesrun.interpreter.bots.match import OutOfTime, bot_of, make_observation, make_observer
from rulesrun.interpreter.bots.observer import Observer
from rulesrun.interpreter.measure.catalogue import OpenRow, RuleRowCounter
from rulesrun.interpreter.measure.common_random_numbers import CoupledLuck, LuckSource, OptionLots, PlainLuck, Renamed
from rulesrun.interpreter.measure.record import TOO_LONG, GameRecord
from rulesrun.interpreter.measure.summary import GameSummary
from rulesrun.interpreter.model.random import Streams
from rulesrun.interpreter.model.values import (
    EVENTS,
    FIGURES,
    OPTIONS,
    PHASE,
    PLAYER,
    SHEETS,
    WORK,
    Fault,
    Jump,
    Slots,
    State,
    fault,
)
from rulesrun.interpreter.play.game_loop import MOST_BY_CHANCE, MOST_DECISIONS, too_much_chance_fault
from rulesrun.interpreter.play.properties import PropertyGuard
from rulesrun.interpreter.reference.chance import ChanceWait
from rulesrun.interpreter.reference.decisions import DecisionWait, OptionKey
from rulesrun.interpreter.reference.table import Table

# ---- leaders
# Who leads now. Takes a table and a position in the middle of a game, gives the leading players, or nobody.


@define(eq=False)
class Standings:
    """As if the game were over now: sheets of the end are filled in on trial, sheets of rounds only when they are."""

    table: Table
    at_end: list[int] = field(init=False)
    in_rounds: bool = field(init=False)

    def __attrs_post_init__(self) -> None:
        scores = self.table.bench.scores
        self.at_end = [number for number, score in enumerate(scores) if score.when == "end"]
        self.in_rounds = len(self.at_end) < len(scores)

    def find_leaders(self, S: Slots) -> tuple[int, ...] | None:
        """None when all are level, or when nothing can be said at this moment."""
        kept: tuple[Any, ...] = (S[SHEETS], S[PLAYER], S[WORK])
        try:
            for number in self.at_end:
                self.table.scoring.compile_counting(number)(S)
            first = self.table.scoring.rank_players(S)[0]
        except (Fault, TypeError, RecursionError, OverflowError):
            return None
        finally:
            S[SHEETS], S[PLAYER], S[WORK] = kept
        return first if len(first) < self.table.players else None


@define(eq=False)
class LeadTracker:
    """Who led when: fed with looks, asked at the end."""

    leading: tuple[int, ...] | None = None
    changes: int = 0
    since: int = 0  # the decision after which the present leaders came to lead

    def note_leaders(self, leaders: tuple[int, ...] | None, decisions: int) -> None:
        if leaders == self.leading or leaders is None:
            return
        self.changes += self.leading is not None
        self.leading, self.since = leaders, decisions

    def settling_decision(self, winners: tuple[int, ...], decisions: int) -> int:
        """The decision after which the winners led until the end."""
        return self.since if winners == self.leading else decisions


# ---- measured game


Note = Callable[[Slots], None]


@define(eq=False)
class GameCounts:
    """Of the game at hand."""

    decisions: int = 0
    turns: int = 0
    options: Counter[int] = field(factory=Counter)  # how many decisions had so many
    phases: Counter[int] = field(factory=Counter)
    chosen: Counter[OptionKey] = field(factory=Counter)
    offered: Counter[int] = field(factory=Counter)
    rows: Counter[OpenRow] = field(factory=Counter)
    last: tuple[int, int] | None = None  # the last action, and its phase
    race: LeadTracker = field(factory=LeadTracker)


def make_option_lots(table: Table, renamed: Renamed = str) -> OptionLots:
    """For luck that two tables share; `renamed` gives the names of the other one."""
    ready = [table.actions.compiled_action(action) for action in table.bench.actions]
    phases = tuple(renamed(phase.name.text) for phase in table.bench.phases)
    with_turns = tuple(table.phases[number].turn is not None for number in range(len(phases)))
    return OptionLots(table, {one.number: one for one in ready}, renamed, phases, with_turns)


@define(eq=False)
class GameMeasurer:
    """Plays games of one table."""

    table: Table
    guard: PropertyGuard | None = None
    bots: tuple[Bot, ...] | None = None  # seat by seat; None: everybody plays at random
    lots: OptionLots | None = None  # for luck that is coupled with that of another table
    limit: int = MOST_DECISIONS
    until: float = float("inf")  # by the clock: players that think are not waited for any longer
    stopped: State | None = field(init=False, default=None)  # the last game, where it was not over after so long
    sequence: list[int] | None = None  # the actions chosen, one by one, for who wants to know
    counts: GameCounts = field(init=False, factory=GameCounts)
    steps: Sequence[Jump] = field(init=False)
    _notes: list[tuple[int, Note]] = field(init=False, factory=list)
    _standings: Standings = field(init=False)
    _rows: RuleRowCounter = field(init=False)
    _summary: GameSummary = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._standings, self._rows = Standings(self.table), RuleRowCounter(self.table)
        self._summary = GameSummary(self.table)
        for at, operation in enumerate(self.table.operations):
            if operation.kind == "phase":
                self._notes.append((at, self.on_phase_begin))
            elif operation.kind == "count":
                self._notes.append((at, self.on_points_counted))
            elif operation.kind == "turn":
                self._notes.append((at, self.on_turn_begin))
        self.steps = self._wrap_steps(self.table.steps)

    def _wrap_steps(self, steps: Sequence[Jump]) -> Sequence[Jump]:
        wrapped = list(steps)
        for at, note in self._notes:
            wrapped[at] = wrap_step(wrapped[at], note)
        return wrapped

    # ---- what is counted on the way

    def on_phase_begin(self, S: Slots) -> None:
        self.counts.phases[S[PHASE]] += 1

    def on_turn_begin(self, S: Slots) -> None:
        self.counts.turns += 1
        if not self._standings.in_rounds:
            self.note_leaders(S)

    def on_points_counted(self, S: Slots) -> None:
        self._rows.count_rows(S, self.counts.rows)
        if self._standings.in_rounds:
            self.note_leaders(S)

    def note_leaders(self, S: Slots) -> None:
        self.counts.race.note_leaders(self._standings.find_leaders(S), self.counts.decisions)

    # ---- a game

    def play_game(self, streams: Streams, number: int) -> GameRecord:
        S = self.table.new_slots()
        S[FIGURES] = self.table.watches.empty_figures()
        self.counts, self.stopped = GameCounts(), None
        counts = self.counts
        record = GameRecord(number)
        if self.guard is not None:
            self.guard.begin_game()
            S[EVENTS] = []
        try:
            self._play_to_end(S, streams, counts)
            self._summary.fill_record(record, S, counts)
        except Fault as problem:
            record.stuck = problem.diagnostic.code
            self.stopped = self.table.to_state(S) if record.stuck == TOO_LONG else None
        record.decisions = counts.decisions
        if self.guard is not None:
            record.is_watched = True
            record.broken, record.happened = tuple(sorted(self.guard.broken)), tuple(sorted(self.guard.happened))
        return record

    def _play_to_end(self, S: Slots, streams: Streams, counts: GameCounts) -> None:
        run, steps, guard = self.table.run_to_question, self.steps, self.guard
        luck: LuckSource = PlainLuck(streams) if self.lots is None else CoupledLuck(streams, self.lots)
        thinking = None if self.bots is None else SeatedBots(self.table, self.bots, luck)
        if thinking is not None:
            steps = self._wrap_steps(thinking.steps)
        by_chance = 0
        while True:
            wait = run(S, steps)
            if isinstance(wait, DecisionWait):
                options = self.on_options_counted(S, wait, counts)
                chooser = wait.chooser(S)
                if monotonic() > self.until:
                    raise OutOfTime
                if thinking is None:
                    option = luck.pick_option(S, options, chooser, counts.turns)
                else:
                    option = thinking.choose_option(S, chooser, counts.turns)
                self.on_option_chosen(S, option, counts)
                value = option
            elif isinstance(wait, ChanceWait):
                by_chance += 1
                if by_chance > MOST_BY_CHANCE:
                    raise too_much_chance_fault(wait.node.span, counts.decisions)
                value = luck.pick_outcome(S, wait, counts.turns)
            else:
                if guard is not None:
                    guard.check_position(S, at_end=True)
                return
            if thinking is None:
                wait.apply_answer(S, value)
            else:
                thinking.apply_answer(S, wait, value)

    def on_options_counted(self, S: Slots, wait: DecisionWait, counts: GameCounts) -> list[OptionKey]:
        options: list[OptionKey] = S[OPTIONS]
        self._count_options(wait, options, counts)
        if self.guard is not None:
            self.guard.check_position(S)
        return options

    def on_option_chosen(self, S: Slots, option: OptionKey, counts: GameCounts) -> None:
        counts.chosen[option] += 1
        counts.last = option[0], S[PHASE]
        if self.sequence is not None:
            self.sequence.append(option[0])

    def _count_options(self, wait: DecisionWait, options: list[OptionKey], counts: GameCounts) -> None:
        counts.decisions += 1
        if counts.decisions > self.limit:
            raise fault(
                "too-long", message("the game has not ended after {limit} decisions", limit=self.limit), wait.node.span
            )
        counts.options[len(options)] += 1
        offered, first = counts.offered, options[0][0]
        offered[first] += 1
        if options[-1][0] != first:
            for number in {option[0] for option in options} - {first}:
                offered[number] += 1


def wrap_step(step: Jump, note: Note) -> Jump:
    """Notes after the step."""

    def noted(S: Slots) -> int:
        following = step(S)
        note(S)
        return following

    return noted


# ---- bots at its seats


@define(eq=False)
class SeatedBots:
    """Of one game. A random player picks as in games where all do."""

    table: Table
    bots: Sequence[Bot]
    luck: LuckSource
    observer: Observer = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.observer = make_observer(self.table, self.bots)

    @property
    def steps(self) -> Sequence[Jump]:
        return self.observer.steps

    def choose_option(self, S: Slots, player: int, turn: int) -> OptionKey:
        bot = bot_of(self.bots, player)
        options: list[OptionKey] = S[OPTIONS]
        if isinstance(bot, RandomBot):
            return self.luck.pick_option(S, options, player, turn)
        return options[
            bot.choose(
                make_observation(self.table, self.observer, S, player, bot, self.luck.seed_for_bot(S, player, turn))
            )
        ]

    def apply_answer(self, S: Slots, wait: Any, value: Any) -> None:
        self.observer.apply_answer(S, wait, value)
