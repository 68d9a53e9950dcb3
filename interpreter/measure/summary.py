"""From the counts of a finished game and its last position to the record's figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from attrs import define, field

from rulesrun.dsl import ast
from rulesrun.dsl.typing.types import CollectionOf, ComponentOf
from rulesrun.interpreter.measure.component_names import component_names
from rulesrun.interpreter.measure.record import PARTS_OF_A_GAME, GameRecord, parts_of_a_win
from rulesrun.interpreter.model.places import flatten_content
from rulesrun.interpreter.model.values import FIGURES, PLACES, RESULT, ROUND, SHEETS, Slots, simplify_number
from rulesrun.interpreter.play.step import argument_to_external
from rulesrun.interpreter.reference.options import CompiledAction, CompiledChoice
from rulesrun.interpreter.reference.table import Table

if TYPE_CHECKING:
    from rulesrun.interpreter.measure.measured_game import GameCounts

MOST_VALUES = 64  # numbers beyond it are not told one by one
MOST_KNOWN = 10_000


@define(eq=False)
class GameSummary:
    table: Table
    arguments: ArgumentFigures = field(init=False)
    actions: dict[int, CompiledAction] = field(init=False)
    phases: list[str] = field(init=False)
    lines: list[list[str]] = field(init=False)
    owned: list[tuple[tuple[str, ...], int]] = field(init=False)  # names of the kinds, a slot that a player owns

    def __attrs_post_init__(self) -> None:
        bench = self.table.bench
        self.arguments = ArgumentFigures(self.table)
        self.actions = self.arguments.actions
        self.phases = [phase.name.text for phase in bench.declarations(ast.Phase)]
        self.lines = [[line.name.text for line in score.lines] for score in bench.declarations(ast.Score)]
        names = component_names(bench)
        self.owned = [
            (names[room.kinds.declaration.name.text], slot)
            for room in bench.zones.values()
            if room.declaration.per_player
            for slot in range(room.base, room.base + room.amount)
        ]

    def fill_record(self, record: GameRecord, S: Slots, counts: GameCounts) -> None:
        values: Counter[Any] = Counter()
        self._add_ending(values, record, S, counts)
        self._add_course(values, S, counts)
        for figure in self.table.watches.figures:
            total, times = S[FIGURES][figure.place : figure.place + 2]
            name = figure.declaration.name.text
            values["figure", name], values["moments", name] = total, times
        for (word, name), count in counts.rows.items():
            values[word, name] = count
        for option, count in counts.chosen.items():
            self._add_choice(values, option, count)
        for names, slot in self.owned:
            for kind in flatten_content(S[slot]):
                values["kept", names[kind]] += 1
        record.values = {key: simplify_number(value) for key, value in values.items() if value}

    def _add_ending(self, values: Counter[Any], record: GameRecord, S: Slots, counts: GameCounts) -> None:
        scores: dict[int, Any] = self.table.scoring.scores(S)
        record.places, record.result = S[PLACES], S[RESULT]
        winners, size = S[PLACES][0], self.table.bench.team_size
        parts = parts_of_a_win(self.table.players)
        for seat in winners:
            values["win", str(seat)] = parts * size // len(winners)
        for seat, score in scores.items():
            values["score", str(seat)] = score
        values["tie",] = int(len(winners) > size)
        values["margin",] = max(scores.values()) - min(scores.values())
        if S[RESULT] is not None:
            values["result", S[RESULT]] = 1
        for number, _round, sheet in S[SHEETS]:
            for own in sheet:
                for name, points in zip(self.lines[number], own, strict=True):
                    values["line", name] += points
        if counts.last is not None:
            action, phase = counts.last
            values["ending", self.actions[action].action.name.text] = 1
            values["ending", "in " + self.phases[phase] if phase < len(self.phases) else "in play"] = 1
        settled = counts.race.settling_decision(winners, counts.decisions)
        values["settled",] = settled * PARTS_OF_A_GAME // max(counts.decisions, 1)
        values["lead changes",] = counts.race.changes

    def _add_course(self, values: Counter[Any], S: Slots, counts: GameCounts) -> None:
        values["length", "decisions"] = counts.decisions
        values["length", "turns"] = counts.turns
        values["length", "rounds"] = S[ROUND]
        values["options",], values["forced",] = counts.options, counts.forced
        for number, count in counts.phases.items():
            values["phase", self.phases[number]] = count
        for number, count in counts.offered.items():
            values["offered", self.actions[number].action.name.text] = count

    def _add_choice(self, values: Counter[Any], option: tuple[Any, ...], count: int) -> None:
        ready = self.actions[option[0]]
        name = ready.action.name.text
        values["action", name] += count
        for word, told in self.arguments.cached_figures(ready, option):
            values[word, *told] += count


@define(eq=False)
class ArgumentFigures:
    """What was chosen with an action, as figures."""

    table: Table
    actions: dict[int, CompiledAction] = field(init=False)
    _names: dict[str, tuple[str, ...]] = field(init=False)  # of components, by their declaration's
    _known: dict[tuple[Any, ...], tuple[tuple[str, tuple[str, ...]], ...]] = field(init=False, factory=dict)

    def __attrs_post_init__(self) -> None:
        bench = self.table.bench
        ready = [self.table.actions.compiled_action(action) for action in bench.declarations(ast.Action)]
        self.actions = {one.number: one for one in ready}
        self._names = component_names(bench)

    def cached_figures(
        self, ready: CompiledAction, option: tuple[Any, ...]
    ) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """What was chosen with the action: components by their names, small values as they are written."""
        known = self._known.get(option)
        if known is None:
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            known = self._known[option] = tuple(self.argument_figures(ready, option))
        return known

    def argument_figures(
        self, ready: CompiledAction, option: tuple[Any, ...]
    ) -> Iterator[tuple[str, tuple[str, ...]]]:
        for choice, value in zip(ready.choices, option[1:], strict=True):
            if choice.is_component:
                chosen = value if isinstance(value, tuple) else (value,)
                yield from (("component", (self._component_name(choice, one),)) for one in chosen)
                continue
            told = argument_to_external(self.table, choice.choice, value)
            if not isinstance(told, list) and not (isinstance(told, int) and abs(told) > MOST_VALUES):
                yield "value", (ready.action.name.text, choice.choice.name.text, str(told))

    def _component_name(self, choice: CompiledChoice, kind: int) -> str:
        found = self.table.bench.type_of(choice.choice.domain)
        assert isinstance(found, CollectionOf)
        assert isinstance(found.item, ComponentOf)
        kinds = self.table.bench.kinds_called(found.item.kind)
        return self._names[kinds.declaration.name.text][kind]
