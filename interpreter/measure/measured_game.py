"""One game, played and measured. Takes a table and streams of chance, gives the record of the game.

Steps of the flow are wrapped where something is counted: a turn begins, a phase begins, points are counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from time import monotonic

from attrs import define, field

from rulesrun.dsl import ast
from rulesrun.interpreter.bots.bot import Bot
from rulesrun.interpreter.bots.match import OutOfTime
from rulesrun.interpreter.measure.common_random_numbers import CoupledLuck, Luck, OptionLots, PlainLuck, Renamed
from rulesrun.interpreter.measure.leaders import Race, Standings
from rulesrun.interpreter.measure.record import TOO_LONG, Record
from rulesrun.interpreter.measure.rule_rows import RowWatch
from rulesrun.interpreter.measure.seated_bots import Thinking
from rulesrun.interpreter.measure.summary import Summary
from rulesrun.interpreter.model.random import Streams
from rulesrun.interpreter.model.values import EVENTS, OPTIONS, PHASE, Fault, Jump, Slots, State, fault
from rulesrun.interpreter.play.game_loop import MOST_BY_CHANCE, MOST_DECISIONS, too_much_chance
from rulesrun.interpreter.play.properties import Guard
from rulesrun.interpreter.reference.chance import ChanceWait
from rulesrun.interpreter.reference.decisions import DecisionWait, OptionKey
from rulesrun.interpreter.reference.table import Table

Note = Callable[[Slots], None]


@define(eq=False)
class Counts:
    """Of the game at hand."""

    decisions: int = 0
    options: int = 0
    forced: int = 0
    turns: int = 0
    phases: Counter[int] = field(factory=Counter)
    chosen: Counter[OptionKey] = field(factory=Counter)
    offered: Counter[int] = field(factory=Counter)
    rows: Counter[tuple[str, str]] = field(factory=Counter)
    last: tuple[int, int] | None = None  # the last action, and its phase
    race: Race = field(factory=Race)


def lots_of(table: Table, renamed: Renamed = str) -> OptionLots:
    """For luck that two tables share; `renamed` gives the names of the other one."""
    ready = [table.actions.of(action) for action in table.bench.of_class(ast.Action)]
    phases = tuple(renamed(phase.name.text) for phase in table.bench.of_class(ast.Phase))
    with_turns = tuple(isinstance(phase.loop, ast.Turns) for phase in table.bench.of_class(ast.Phase))
    return OptionLots(table, {one.number: one for one in ready}, renamed, phases, with_turns)


@define(eq=False)
class Watcher:
    """Plays games of one table."""

    table: Table
    guard: Guard | None = None
    bots: tuple[Bot, ...] | None = None  # seat by seat; None: everybody plays at random
    lots: OptionLots | None = None  # for luck that is coupled with that of another table
    limit: int = MOST_DECISIONS
    until: float = float("inf")  # by the clock: players that think are not waited for any longer
    stopped: State | None = field(init=False, default=None)  # the last game, where it was not over after so long
    sequence: list[int] | None = None  # the actions chosen, one by one, for who wants to know
    counts: Counts = field(init=False, factory=Counts)
    steps: Sequence[Jump] = field(init=False)
    _notes: list[tuple[int, Note, int | None]] = field(init=False, factory=list)
    _standings: Standings = field(init=False)
    _rows: RowWatch = field(init=False)
    _summary: Summary = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._standings, self._rows = Standings(self.table), RowWatch(self.table)
        self._summary = Summary(self.table)
        for at, operation in enumerate(self.table.operations):
            if operation.kind == "phase":
                self._watch(at, self.phase_begins)
            elif operation.kind == "count":
                self._watch(at, self.counted)
            if at in self.table.turns_begun:
                self._watch(at, self.turn_begins, self._after(at) if operation.kind == "unless" else None)
        self.steps = self._wrapped(self.table.steps)

    def _after(self, at: int) -> int:
        """Where the flow goes on behind an operation; what leads to a jump leads to where the jump leads."""
        at += 1
        for _ in self.table.operations:
            if self.table.operations[at].kind != "jump":
                break
            at = self.table.steps[at]([])
        return at

    def _watch(self, at: int, note: Note, only_to: int | None = None) -> None:
        self._notes.append((at, note, only_to))

    def _wrapped(self, steps: Sequence[Jump]) -> Sequence[Jump]:
        wrapped = list(steps)
        for at, note, only_to in self._notes:
            wrapped[at] = noting(wrapped[at], note, only_to)
        return wrapped

    # ---- what is counted on the way

    def phase_begins(self, S: Slots) -> None:
        self.counts.phases[S[PHASE]] += 1

    def turn_begins(self, S: Slots) -> None:
        self.counts.turns += 1
        if not self._standings.in_rounds:
            self.look(S)

    def counted(self, S: Slots) -> None:
        self._rows.count(S, self.counts.rows)
        if self._standings.in_rounds:
            self.look(S)

    def look(self, S: Slots) -> None:
        self.counts.race.look(self._standings.leaders(S), self.counts.decisions)

    # ---- a game

    def play(self, streams: Streams, number: int) -> Record:
        S = self.table.fresh()
        self.counts, self.stopped = Counts(), None
        counts = self.counts
        record = Record(number)
        if self.guard is not None:
            self.guard.begin()
            S[EVENTS] = []
        try:
            self._play_out(S, streams, counts)
            self._summary.fill(record, S, counts)
        except Fault as problem:
            record.stuck = problem.diagnostic.code
            self.stopped = self.table.closed(S) if record.stuck == TOO_LONG else None
        record.decisions = counts.decisions
        if self.guard is not None:
            record.is_watched = True
            record.broken, record.happened = tuple(sorted(self.guard.broken)), tuple(sorted(self.guard.happened))
        return record

    def _play_out(self, S: Slots, streams: Streams, counts: Counts) -> None:
        run, steps, guard = self.table.run, self.steps, self.guard
        luck: Luck = PlainLuck(streams) if self.lots is None else CoupledLuck(streams, self.lots)
        thinking = None if self.bots is None else Thinking(self.table, self.bots, luck)
        if thinking is not None:
            steps = self._wrapped(thinking.steps)
        by_chance = 0
        while True:
            wait = run(S, steps)
            if isinstance(wait, DecisionWait):
                options = self.asked(S, wait, counts)
                chooser = wait.chooser(S)
                if monotonic() > self.until:
                    raise OutOfTime
                if thinking is None:
                    option = luck.option(S, options, chooser, counts.turns)
                else:
                    option = thinking.choice(S, chooser, counts.turns)
                self.chosen(S, option, counts)
                value = option
            elif isinstance(wait, ChanceWait):
                by_chance += 1
                if by_chance > MOST_BY_CHANCE:
                    raise too_much_chance(wait.node.span, counts.decisions)
                value = luck.outcome(S, wait, counts.turns)
            else:
                if guard is not None:
                    guard.look(S, at_end=True)
                return
            if thinking is None:
                wait.settle(S, value)
            else:
                thinking.settle(S, wait, value)

    def asked(self, S: Slots, wait: DecisionWait, counts: Counts) -> list[OptionKey]:
        options: list[OptionKey] = S[OPTIONS]
        self._note_options(wait, options, counts)
        if self.guard is not None:
            self.guard.look(S)
        return options

    def chosen(self, S: Slots, option: OptionKey, counts: Counts) -> None:
        counts.chosen[option] += 1
        counts.last = option[0], S[PHASE]
        if self.sequence is not None:
            self.sequence.append(option[0])

    def _note_options(self, wait: DecisionWait, options: list[OptionKey], counts: Counts) -> None:
        counts.decisions += 1
        if counts.decisions > self.limit:
            raise fault("too-long", f"the game is not over after {self.limit} decisions", wait.node.span)
        counts.options += len(options)
        counts.forced += len(options) == 1
        offered, first = counts.offered, options[0][0]
        offered[first] += 1
        if options[-1][0] != first:
            for number in {option[0] for option in options} - {first}:
                offered[number] += 1


def noting(step: Jump, note: Note, only_to: int | None) -> Jump:
    """Notes after the step; where it may go two ways, only after one of them."""

    def noted(S: Slots) -> int:
        following = step(S)
        if only_to is None or following == only_to:
            note(S)
        return following

    return noted
