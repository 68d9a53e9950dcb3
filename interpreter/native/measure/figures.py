"""Where every figure of a measured game stands in a row of numbers. Takes a table, gives names their places.

Behind the figures stand marks: what is noted of a game that is no figure, or is only needed on the way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import lcm

from attrs import define, field, frozen

from rulesrun.dsl import ast
from rulesrun.dsl.text.messages import message
from rulesrun.dsl.typing.types import CollectionOf, ComponentOf, NumberOf, OptionalOf, OrderOf, item_of
from rulesrun.interpreter.form.form import CannotCompile
from rulesrun.interpreter.measure.catalogue import GENERAL, ending_figures, seat_figures
from rulesrun.interpreter.measure.component_names import component_names
from rulesrun.interpreter.measure.record import Key, parts_of_a_win
from rulesrun.interpreter.measure.rule_rows import find_scoring_zones, rules_by_kind
from rulesrun.interpreter.measure.summary import MOST_VALUES
from rulesrun.interpreter.model.compile_context import ZoneRoom
from rulesrun.interpreter.model.components import Kinds
from rulesrun.interpreter.model.domains import typed_to_external
from rulesrun.interpreter.native.expressions import scales
from rulesrun.interpreter.native.layout.plan import Plan, type_bounds
from rulesrun.interpreter.reference.options import CompiledAction, CompiledChoice
from rulesrun.interpreter.reference.table import Table

MOST_FIGURES = 8192
LARGEST = 1 << 20  # a figure beyond it is left to the reference: so squares of a million games add up exactly
MARKS = ("decisions", "result", "happened", "leading", "since", "last action", "last phase")


@frozen(eq=False)
class ChoiceFigures:
    """The figures of a choice's values: of `first` and those that follow; -1: the value is not told."""

    first: int
    figures: tuple[int, ...]
    is_whole: bool  # no other values come


@frozen(eq=False)
class RuleFigures:
    """Components with rules, the zones where they count, the places of `row` and `met` by kind."""

    kinds: Kinds
    rooms: list[ZoneRoom]
    column: ast.AttributeDecl
    row: tuple[int, ...]
    met: tuple[int, ...]


@define(eq=False)
class Figures:
    plan: Plan
    keys: dict[Key, int] = field(factory=dict)
    scales: dict[int, int] = field(factory=dict)  # of figures that may be fractions: how many times as large they are
    told: dict[int, tuple[ChoiceFigures, ...]] = field(factory=dict)  # by id of the action
    rules: list[RuleFigures] = field(factory=list)
    kept: list[tuple[ZoneRoom, tuple[int, ...]]] = field(factory=list)
    names: dict[str, tuple[str, ...]] = field(init=False)  # of components, by their declaration's

    def __attrs_post_init__(self) -> None:
        table = self.table
        self.names = component_names(table.bench)
        if parts_of_a_win(table.players) > LARGEST:
            raise CannotCompile(message("a shared win is divided among too many players to be counted natively"))
        for key in (*seat_figures(table), *GENERAL, *ending_figures(table), *self._piece_keys()):
            self.place_of_key(key)
        for figure in table.watches.figures:
            for word in ("figure", "moments"):
                self.place_of_key((word, figure.declaration.name.text))
        self.place_of_key(("ending", "in play"))
        for action in table.bench.declarations(ast.Action):
            ready = table.actions.compiled_action(action)
            self.told[id(action)] = tuple(self._choice_figures(ready, choice) for choice in ready.choices)
        self._add_components()
        self._note_scales()
        if len(self.keys) > MOST_FIGURES:
            raise CannotCompile(message("there is too much to count in a game"))

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

    def _piece_keys(self) -> Iterator[Key]:
        bench = self.table.bench
        for score in bench.declarations(ast.Score):
            yield from (("line", line.name.text) for line in score.lines)
        for action in bench.declarations(ast.Action):
            yield from ((word, action.name.text) for word in ("action", "offered"))
        yield from (("phase", phase.name.text) for phase in bench.declarations(ast.Phase))

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
            low = -MOST_VALUES if low is None else max(low, -MOST_VALUES)
            high = MOST_VALUES if high is None else min(high, MOST_VALUES)
        if low is None or high is None:
            raise CannotCompile(
                message("it is not known what may be chosen as `{choice}`", choice=choice.choice.name.text)
            )
        return ChoiceFigures(
            low, tuple(self._value_figure(ready, choice, value) for value in range(low, high + 1)), not is_number
        )

    def _value_figure(self, ready: CompiledAction, choice: CompiledChoice, value: int) -> int:
        item = item_of(self.table.bench.type_of(choice.choice.domain))
        if choice.is_component:
            assert isinstance(item, ComponentOf)
            kinds = self.table.bench.kinds_called(item.kind)
            return self.place_of_key(("component", self.names[kinds.declaration.name.text][value]))
        told = typed_to_external(self.table.bench, item, value)
        if isinstance(told, int) and abs(told) > MOST_VALUES:
            return -1
        return self.place_of_key(("value", ready.action.name.text, choice.choice.name.text, str(told)))

    def _add_components(self) -> None:
        bench = self.table.bench
        counting = find_scoring_zones(self.table)
        for kinds in bench.kinds.values():
            rooms = [room for room in counting if room.kinds is kinds]
            if rules_by_kind(self.table, kinds) and rooms:
                column = next(one for one in kinds.declaration.attributes if one.type is None)
                self.rules.append(
                    RuleFigures(
                        kinds, rooms, column, self._places_by_kind("row", kinds), self._places_by_kind("met", kinds)
                    )
                )
        for room in bench.zones.values():
            if room.declaration.per_player:
                self.kept.append((room, self._places_by_kind("kept", room.kinds)))

    def _note_scales(self) -> None:
        """Points are kept at the scale of all lines together, or of a line; figures of the rules at their own."""
        points = [("margin",), *(key for key in self.keys if key[0] == "score")]
        found = {key: scales.scale_of_total(self.plan) for key in points}
        for score in self.table.bench.declarations(ast.Score):
            for line in score.lines:
                key = ("line", line.name.text)
                found[key] = lcm(found.get(key, 1), scales.scale_of(self.plan, line))
        for figure in self.table.bench.declarations(ast.Figure):
            found["figure", figure.name.text] = scales.scale_of_figure(self.plan, figure)
        self.scales = {self.place_of_key(key): scale for key, scale in found.items() if scale != 1}

    def whole_ranges(self) -> list[tuple[int, int]]:
        """From which place to which the figures are whole numbers."""
        stops = [-1, *sorted(self.scales), len(self.keys)]
        return [(one + 1, other - 1) for one, other in pairwise(stops) if other - one > 1]

    def _places_by_kind(self, word: str, kinds: Kinds) -> tuple[int, ...]:
        return tuple(self.place_of_key((word, name)) for name in self.names[kinds.declaration.name.text])


def is_consecutive(places: Sequence[int]) -> bool:
    """Whether they stand side by side, so that no table is needed to find them."""
    return list(places) == list(range(places[0], places[0] + len(places))) if places else True
