"""From the counts of a finished game and its last position to the record's figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from attrs import define, field

from rulesrun.interpreter.measure.catalogue import TableFigures
from rulesrun.interpreter.measure.declared_figures import Event, Key
from rulesrun.interpreter.measure.record import GameRecord
from rulesrun.interpreter.model.moments import Reckoning, compile_term, parts_of_a_win
from rulesrun.interpreter.model.places import flatten_content
from rulesrun.interpreter.model.values import FIGURES, PLACES, RESULT, ROUND, SHEETS, Slots, simplify_number
from rulesrun.interpreter.reference.options import CompiledAction
from rulesrun.interpreter.reference.table import Table

if TYPE_CHECKING:
    from rulesrun.interpreter.measure.measured_game import GameCounts

MOST_KNOWN = 10_000


@define(eq=False)
class GameSummary:
    table: Table
    arguments: ArgumentFigures = field(init=False)
    owned: list[tuple[str, int]] = field(init=False)  # the components, a slot that a player owns
    lines: list[int] = field(init=False)  # of each score, how many lines stand before its own
    results: list[str] = field(init=False)
    values: Counter[Key] = field(init=False, factory=Counter)
    parts: int = field(init=False)
    _rows: dict[tuple[Event, str], list[tuple[tuple[Key, ...], Reckoning]]] = field(init=False)

    def __attrs_post_init__(self) -> None:
        bench, figures = self.table.bench, TableFigures(self.table)
        self.arguments = ArgumentFigures(figures)
        self.parts = parts_of_a_win(self.table.players) * bench.team_size
        self._rows = {
            (event, of): [(row.keys, compile_term(row.figure.adds)) for row in figures.rows_at(event, of)]
            for event in Event
            for of in figures.names_at(event)
        }
        self.owned = [
            (room.kinds.declaration.name.text, slot)
            for room in bench.zones.values()
            if room.declaration.per_player
            for slot in range(room.base, room.base + room.amount)
        ]
        sizes = [len(score.lines) for score in bench.scores]
        self.lines = [sum(sizes[:at]) for at in range(len(sizes))]
        self.results = [name[0] for name in figures.names_at(Event.RESULT)[""]]

    def note(self, event: Event, which: int = 0, of: str = "", often: int = 1, **known: Any) -> None:
        """What has happened so often, to the figures that count it."""
        for keys, adds in self._rows[event, of]:
            self.values[keys[which]] += often * adds(known)

    def fill_record(self, record: GameRecord, S: Slots, counts: GameCounts) -> None:
        self.values = Counter()
        record.places, record.result = S[PLACES], S[RESULT]
        self._note_course(counts)
        self._note_choices(counts)
        self._note_seats(S)
        self._note_end(S, counts)
        record.values = {key: simplify_number(value) for key, value in self.values.items() if value}

    def _note_course(self, counts: GameCounts) -> None:
        for number, often in counts.phases.items():
            self.note(Event.PHASE, number, often=often)
        self.note(Event.TURN, often=counts.turns)
        for options, often in counts.options.items():
            self.note(Event.DECISION, often=often, options=options)
        for action, often in counts.offered.items():
            self.note(Event.POSSIBLE, action, often=often, possible=1)
        for (kind, which, players), often in counts.rows.items():
            self.note(Event.OPEN_ROW, which, kind, often, players=players)
        self.note(Event.NEW_LEADER, led=counts.race.changes)

    def _note_choices(self, counts: GameCounts) -> None:
        for option, often in counts.chosen.items():
            self.note(Event.CHOICE, option[0], often=often)
            for key in self.arguments.cached_keys(option):
                self.values[key] += often
        if counts.last is not None:
            phases = self._rows[Event.LAST, "phase"][0][0]
            self.note(Event.LAST, counts.last[0], "action")
            self.note(Event.LAST, min(counts.last[1], len(phases) - 1), "phase")

    def _note_seats(self, S: Slots) -> None:
        parts, winners = self.parts, S[PLACES][0]
        scores: dict[int, Any] = self.table.scoring.scores(S)
        for seat, total in scores.items():
            won = int(seat in winners)
            self.note(Event.SEAT, seat - 1, won=won, parts=parts, winners=len(winners), total=total)
        for number, _round, sheet in S[SHEETS]:
            for own in sheet:
                for at, points in enumerate(own, start=self.lines[number]):
                    self.note(Event.LINE, at, points=points)
        for kind, slot in self.owned:
            for which in flatten_content(S[slot]):
                self.note(Event.KEPT, which, kind)

    def _note_end(self, S: Slots, counts: GameCounts) -> None:
        winners, scores = S[PLACES][0], self.table.scoring.scores(S).values()
        self.note(
            Event.END, decisions=counts.decisions, rounds=S[ROUND], winners=len(winners),
            since=counts.race.settling_decision(winners, counts.decisions), team=self.table.bench.team_size,
            highest=max(scores), lowest=min(scores),
        )  # fmt: skip
        if S[RESULT] is not None:
            self.note(Event.RESULT, self.results.index(S[RESULT]))
        for at, figure in enumerate(self.table.watches.figures):
            total, times = S[FIGURES][figure.place : figure.place + 2]
            self.note(Event.MOMENT, at, total=total, times=times)


@define(eq=False)
class ArgumentFigures:
    """What was chosen with an action, as figures."""

    figures: TableFigures
    actions: dict[int, CompiledAction] = field(init=False)
    _known: dict[tuple[Any, ...], tuple[Key, ...]] = field(init=False, factory=dict)

    def __attrs_post_init__(self) -> None:
        table = self.figures.table
        ready = [table.actions.compiled_action(action) for action in table.bench.actions]
        self.actions = {one.number: one for one in ready}

    def cached_keys(self, option: tuple[Any, ...]) -> tuple[Key, ...]:
        known = self._known.get(option)
        if known is None:
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            known = self._known[option] = tuple(self.argument_keys(option))
        return known

    def argument_keys(self, option: tuple[Any, ...]) -> Iterator[Key]:
        ready = self.actions[option[0]]
        for choice, value in zip(ready.choices, option[1:], strict=True):
            several = choice.is_component and isinstance(value, tuple)
            for one in value if several else (value,):
                key = self.figures.key_of_value(choice, ready.action.name.text, one)
                if key is not None:
                    yield key
