"""One game, played and measured. Takes a table and streams of chance, gives the record of the game.

The flow's steps are wrapped where something is to be counted: the beginning of a turn, of a phase, a counting of points.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from attrs import define, field

from rulesrun.dsl import ast
from rulesrun.interpreter.chance import ChanceWait
from rulesrun.interpreter.decisions import DecisionWait, OptionKey
from rulesrun.interpreter.invariants import Guard
from rulesrun.interpreter.measuring.record import Record
from rulesrun.interpreter.measuring.rows import RowWatch
from rulesrun.interpreter.measuring.standings import Race, Standings
from rulesrun.interpreter.measuring.summary import Summary
from rulesrun.interpreter.play import MOST_DECISIONS, player_source
from rulesrun.interpreter.random import Streams
from rulesrun.interpreter.table import Table
from rulesrun.interpreter.values import EVENTS, OPTIONS, PHASE, Fault, Jump, Slots, fault

Chooser = Callable[[Slots, DecisionWait, list[OptionKey]], int]


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


@define(eq=False)
class Watcher:
    """Plays games of one table. `renamed`: other names for sources of chance, so that renamed rules meet the same."""

    table: Table
    guard: Guard | None = None
    choosers: Mapping[int, Chooser] = field(factory=dict)
    renamed: Callable[[str], str] | None = None
    limit: int = MOST_DECISIONS
    counts: Counts = field(init=False, factory=Counts)
    steps: list[Jump] = field(init=False)
    _standings: Standings = field(init=False)
    _rows: RowWatch = field(init=False)
    _summary: Summary = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._standings, self._rows = Standings(self.table), RowWatch(self.table)
        self._summary = Summary(self.table)
        self.steps = list(self.table.steps)
        operations = self.table.operations
        for at, operation in enumerate(operations):
            if operation.kind == "phase":
                self._watch(at, self.phase_begins)
                loop = operation.node.loop if isinstance(operation.node, ast.Phase) else None
                if loop is None:
                    self._watch(at, self.turn_begins)
                elif isinstance(loop, ast.Repeat):
                    last = max(n for n, one in enumerate(operations) if one.node is loop and one.kind == "unless")
                    self._watch(last, self.turn_begins, self._after(last))
            elif operation.kind == "turns-begin":
                self._watch(at + 2, self.turn_begins, self._after(at + 2))
            elif operation.kind == "count":
                self._watch(at, self.counted)

    def _after(self, at: int) -> int:
        """Where the flow goes on behind an operation; what leads to a jump leads to where the jump leads."""
        at += 1
        for _ in self.table.operations:
            if self.table.operations[at].kind != "jump":
                break
            at = self.table.steps[at]([])
        return at

    def _watch(self, at: int, note: Callable[[Slots], None], only_to: int | None = None) -> None:
        step = self.steps[at]

        def watched(S: Slots) -> int:
            following = step(S)
            if only_to is None or following == only_to:
                note(S)
            return following

        self.steps[at] = watched

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
        self.counts = counts = Counts()
        record = Record(number)
        if self.guard is not None:
            self.guard.begin()
            S[EVENTS] = []
        try:
            self._play_out(S, streams, counts)
            self._summary.fill(record, S, counts)
        except Fault as problem:
            record.stuck = problem.diagnostic.code
        record.decisions = counts.decisions
        if self.guard is not None:
            record.is_watched = True
            record.broken, record.happened = tuple(sorted(self.guard.broken)), tuple(sorted(self.guard.happened))
        return record

    def _play_out(self, S: Slots, streams: Streams, counts: Counts) -> None:
        run, steps, below, guard = self.table.run, self.steps, streams.below, self.guard
        sources = [player_source(player) for player in range(self.table.players + 1)]
        renamed = self.renamed or str
        while True:
            wait = run(S, steps)
            if isinstance(wait, DecisionWait):
                options = S[OPTIONS]
                self._note_options(S, wait, options, counts)
                if guard is not None:
                    guard.look(S)
                chooser = wait.chooser(S)
                own = self.choosers.get(chooser)
                at = below(len(options), sources[chooser]) if own is None else own(S, wait, options)
                option = options[at]
                counts.chosen[option] += 1
                counts.last = option[0], S[PHASE]
                wait.settle(S, option)
            elif isinstance(wait, ChanceWait):
                wait.settle(S, wait.pick(S, below(wait.total(S), renamed(wait.source(S)))))
            else:
                if guard is not None:
                    guard.look(S, at_end=True)
                return

    def _note_options(self, S: Slots, wait: DecisionWait, options: list[OptionKey], counts: Counts) -> None:
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
