"""Where every figure of a measured game stands in a row of numbers. Takes a table, gives names their places.

Behind the figures stand marks: what is noted of a game that is no figure, or is only needed on the way.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import lcm
from typing import assert_never

from attrs import define, field, frozen

from rulesrun.dsl.text.messages import message
from rulesrun.dsl.typing.program import AttributeMeaning
from rulesrun.dsl.typing.types import CollectionOf, NumberOf, OptionalOf, OrderOf, item_of
from rulesrun.interpreter.form.form import CannotCompile
from rulesrun.interpreter.measure.catalogue import MOST_COUNTED, TableFigures, find_scoring_zones, rules_by_kind
from rulesrun.interpreter.measure.declared_figures import Event, Figure, Key
from rulesrun.interpreter.model.compile_context import ZoneRoom
from rulesrun.interpreter.model.components import Kinds
from rulesrun.interpreter.model.moments import parts_of_a_win
from rulesrun.interpreter.native.expressions import scales
from rulesrun.interpreter.native.layout.plan import Plan, type_bounds
from rulesrun.interpreter.reference.options import CompiledAction, CompiledChoice
from rulesrun.interpreter.reference.table import Table

MOST_FIGURES = 8192
LARGEST = 1 << 20  # a figure beyond it is left to the reference: so squares of a million games add up exactly
OF_COMPONENTS = (Event.VALUE, Event.KEPT, Event.OPEN_ROW)  # counted where there is something to count
MARKS = ("decisions", "result", "happened", "leading", "since", "last action", "last phase")


@frozen(eq=False)
class CountedRow:
    """Figures that stand side by side, and their places."""

    figure: Figure
    places: tuple[int, ...]


@frozen(eq=False)
class ChoiceFigures:
    """The figures of a choice's values: of `first` and those that follow; -1: the value is not told."""

    first: int
    figures: tuple[int, ...]
    is_whole: bool  # no other values come


@frozen(eq=False)
class RuleFigures:
    """Components with rules, the zones where they count."""

    kinds: Kinds
    rooms: list[ZoneRoom]
    rule: AttributeMeaning  # what asks for the rule of one


@define(eq=False)
class Figures:
    plan: Plan
    keys: dict[Key, int] = field(factory=dict)
    rows: dict[tuple[Event, str], list[CountedRow]] = field(factory=dict)
    scales: dict[int, int] = field(factory=dict)  # of figures that may be fractions: how many times as large they are
    told: dict[int, tuple[ChoiceFigures, ...]] = field(factory=dict)  # by id of the action
    rules: list[RuleFigures] = field(factory=list)
    kept: list[ZoneRoom] = field(factory=list)
    declared: TableFigures = field(init=False)

    def __attrs_post_init__(self) -> None:
        table = self.table
        self.declared = TableFigures(table)
        if parts_of_a_win(table.players) > LARGEST:
            raise CannotCompile(message("a shared win is divided among too many players to be counted natively"))
        self._add_components()
        for event in Event:
            if event not in OF_COMPONENTS:
                for of in self.declared.names_at(event):
                    self._add_rows(event, of)
        for action in table.bench.actions:
            ready = table.actions.compiled_action(action)
            self.told[id(action)] = tuple(self._choice_figures(ready, choice) for choice in ready.choices)
        self._note_scales()
        if len(self.keys) > MOST_FIGURES:
            raise CannotCompile(message("there is too much to count in a game"))

    def _add_rows(self, event: Event, of: str = "") -> None:
        if (event, of) not in self.rows:
            self.rows[event, of] = [
                CountedRow(row.figure, tuple(map(self.place_of_key, row.keys)))
                for row in self.declared.rows_at(event, of)
            ]

    @property
    def table(self) -> Table:
        return self.plan.table

    def place_of_key(self, key: Key) -> int:
        return self.keys.setdefault(key, len(self.keys))

    def place_of_mark(self, name: str) -> int:
        return len(self.keys) + self.table.players + MARKS.index(name)

    def place_of_seat(self, seat: int) -> int:
        """Where the final place of a seat, from 1, is noted."""
        return len(self.keys) + seat - 1

    @property
    def width(self) -> int:
        return len(self.keys) + self.table.players + len(MARKS)

    def _choice_figures(self, ready: CompiledAction, choice: CompiledChoice) -> ChoiceFigures:
        item = item_of(self.table.bench.type_of(choice.choice.domain))
        if (choice.choice.count is not None or isinstance(item, CollectionOf | OrderOf)) and not choice.is_component:
            return ChoiceFigures(0, (), False)  # several values together are not told one by one
        if item is None or isinstance(item, OptionalOf):
            raise CannotCompile(
                message("what is chosen as `{choice}` is not counted natively", choice=choice.choice.name.text)
            )
        low, high = type_bounds(self.plan, item)
        is_number = isinstance(item, NumberOf)
        if is_number:
            low = -MOST_COUNTED if low is None else max(low, -MOST_COUNTED)
            high = MOST_COUNTED if high is None else min(high, MOST_COUNTED)
        if low is None or high is None:
            raise CannotCompile(
                message("it is not known what may be chosen as `{choice}`", choice=choice.choice.name.text)
            )
        return ChoiceFigures(
            low, tuple(self._value_figure(ready, choice, value) for value in range(low, high + 1)), not is_number
        )

    def _value_figure(self, ready: CompiledAction, choice: CompiledChoice, value: int) -> int:
        key = self.declared.key_of_value(choice, ready.action.name.text, value)
        return -1 if key is None else self.place_of_key(key)

    def _add_components(self) -> None:
        bench = self.table.bench
        counting = find_scoring_zones(self.table)
        for kinds in bench.kinds.values():
            rooms = [room for room in counting if room.kinds is kinds]
            if rules_by_kind(self.table, kinds) and rooms:
                column = next(one for one in kinds.declaration.attributes if one.type is None)
                self._add_rows(Event.OPEN_ROW, kinds.declaration.name.text)
                self.rules.append(RuleFigures(kinds, rooms, AttributeMeaning(kinds.declaration, column, None)))
        for room in bench.zones.values():
            if room.declaration.per_player:
                self._add_rows(Event.KEPT, room.kinds.declaration.name.text)
                self.kept.append(room)

    def _note_scales(self) -> None:
        """Points are kept at the scale of all lines together, or of a line; figures of the rules at their own."""
        bench, found = self.table.bench, dict[int, int]()
        lines = [line for score in bench.scores for line in score.lines]
        for row in (row for rows in self.rows.values() for row in rows):
            match row.figure.scale:
                case "whole":
                    continue
                case "total":
                    own = [scales.scale_of_total(self.plan)] * len(row.places)
                case "line":
                    own = [scales.scale_of(self.plan, line) for line in lines]
                case "own":
                    own = [scales.scale_of_figure(self.plan, one) for one in bench.figures]
                case _:
                    assert_never(row.figure.scale)
            for place, scale in zip(row.places, own, strict=True):
                found[place] = lcm(found.get(place, 1), scale)
        self.scales = {place: scale for place, scale in found.items() if scale != 1}

    def whole_ranges(self) -> list[tuple[int, int]]:
        """From which place to which the figures are whole numbers."""
        stops = [-1, *sorted(self.scales), len(self.keys)]
        return [(one + 1, other - 1) for one, other in pairwise(stops) if other - one > 1]


def is_consecutive(places: Sequence[int]) -> bool:
    """Whether they stand side by side, so that no table is needed to find them."""
    return list(places) == list(range(places[0], places[0] + len(places))) if places else True
