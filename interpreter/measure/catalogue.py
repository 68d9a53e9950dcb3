"""Every figure that a game of a table may show: a table in, names in the order of the rules out.

So that what never happened is told, too, and two tables of different rules can be laid side by side. Figures of one
kind stand in rows: whoever counts says which of the row it is by a number, of a phase, a component, a seat.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from typing import Any

from attrs import define, field, frozen

from rulesrun.dsl.contents.causes import find_zones_that_count
from rulesrun.dsl.typing.types import ComponentOf, item_of
from rulesrun.interpreter.measure.declared_figures import BY_WORDS, FIGURES, Event, Figure, Key
from rulesrun.interpreter.model.compile_context import Workbench, ZoneRoom
from rulesrun.interpreter.model.components import Kinds
from rulesrun.interpreter.model.core import Action
from rulesrun.interpreter.model.domains import argument_to_external
from rulesrun.interpreter.model.places import flatten_content
from rulesrun.interpreter.model.values import PLAYER, WORK, Fault, Run, Slots, sort_values
from rulesrun.interpreter.reference.options import CompiledChoice
from rulesrun.interpreter.reference.table import Table

# ---- rule rows
# Rows with rules (goal cards and the like): which lie open when points are counted, and for how many they hold.


OpenRow = tuple[str, int, int]  # its components, its number among them, of how many players the rule holds


@define(eq=False)
class RuleRowCounter:
    table: Table
    _open: list[tuple[str, list[int], dict[int, Run]]] = field(init=False, factory=list)

    def __attrs_post_init__(self) -> None:
        named = find_scoring_zones(self.table)
        for kinds in self.table.bench.kinds.values():
            ready = rules_by_kind(self.table, kinds)
            rooms = [room for room in named if room.kinds is kinds]
            slots = [slot for room in rooms for slot in range(room.base, room.base + room.amount)]
            if ready and slots:
                self._open.append((kinds.declaration.name.text, slots, ready))

    def count_rows(self, S: Slots, rows: Counter[OpenRow]) -> None:
        for name, slots, ready in self._open:
            for kind in (kind for slot in slots for kind in flatten_content(S[slot])):
                rows[name, kind, self._count_met(S, ready[kind])] += 1

    def _count_met(self, S: Slots, run: Run) -> int:
        kept: tuple[Any, ...] = (S[PLAYER], S[WORK])
        met = 0
        try:
            for player in range(1, self.table.players + 1):
                S[PLAYER] = player
                met += bool(run(S))
        except (Fault, TypeError, RecursionError, OverflowError):
            pass
        S[PLAYER], S[WORK] = kept
        return met


def find_scoring_zones(table: Table) -> list[ZoneRoom]:
    """Those that score lines or definitions speak of: what lies elsewhere is out of play."""
    meant = find_zones_that_count(table.program)
    return [room for key, room in table.bench.zones.items() if key in meant]


def rules_by_kind(table: Table, kinds: Kinds) -> dict[int, Run]:
    """The rule of every kind that has one."""
    bench = table.bench
    found: dict[int, Run] = {}
    for row, rule in kinds.list_rules():
        kind = kinds.names.index(row)
        if kind not in found:
            kept, bench.elements = bench.elements, []
            try:
                found[kind] = bench.compile(rule).run
            finally:
                bench.elements = kept
    return found


def has_rules(kinds: Kinds) -> bool:
    return next(kinds.list_rules(), None) is not None


# ---- catalogue


MOST_LISTED = 24  # a choice among more values is not listed value by value
MOST_COUNTED = 64  # numbers beyond it are not counted one by one
IN_PLAY: Key = ("in play",)  # where no phase goes on
GENERAL: tuple[Key, ...] = tuple(
    one.words for one in FIGURES if one.event in (Event.END, Event.TURN, Event.DECISION, Event.NEW_LEADER)
)


@frozen(eq=False)
class FigureRow:
    figure: Figure
    keys: tuple[Key, ...]


@define(eq=False, slots=False)
class TableFigures:
    """What is counted at a table. Rows of what components, and what else there is more than one of, are told apart by
    a name (`of`)."""

    table: Table

    def rows_at(self, event: Event, of: str = "") -> list[FigureRow]:
        names = self.names_at(event)[of]
        return [
            FigureRow(one, tuple((*one.words, *name) for name in names)) for one in FIGURES if one.event is event
        ]

    def names_at(self, event: Event) -> dict[str, list[Key]]:
        """What stands behind the words of these figures."""
        match event:
            case Event.PHASE:
                return {"": [(one.name.text,) for one in self.table.bench.phases]}
            case Event.POSSIBLE | Event.CHOICE:
                return {"": self._actions()}
            case Event.SEAT:
                return {"": [(str(seat),) for seat in range(1, self.table.players + 1)]}
            case Event.MOMENT:
                return {"": [(one.name.text,) for one in self.table.bench.figures]}
            case Event.LINE:
                scores = self.table.bench.scores
                return {"": [(line.name.text,) for score in scores for line in score.lines]}
            case Event.RESULT:
                results = self.table.bench.results
                words = [[*(outcome.word.text for outcome in one.outcomes), one.otherwise.text] for one in results]
                return {"": [(word,) for row in words for word in row]}
            case Event.LAST:
                return {"action": self._actions(), "phase": [*self._phases(), IN_PLAY]}
            case Event.VALUE | Event.KEPT | Event.OPEN_ROW:
                return {kind: [(name,) for name in names] for kind, names in self.component_names.items()}
            case Event.TURN | Event.DECISION | Event.NEW_LEADER | Event.END:
                return {"": [()]}

    def _actions(self) -> list[Key]:
        return [(one.name.text,) for one in self.table.bench.actions]

    def _phases(self) -> list[Key]:
        return [("in " + one.name.text,) for one in self.table.bench.phases]

    @cached_property
    def component_names(self) -> dict[str, tuple[str, ...]]:
        return component_names(self.table.bench)

    def key_of_value(self, choice: CompiledChoice, action: str, value: Any) -> Key | None:
        """What is counted when this is chosen: a component, another value if it is a single one and no large number."""
        if choice.is_component:
            item = item_of(self.table.bench.type_of(choice.choice.domain))
            assert isinstance(item, ComponentOf)
            kinds = self.table.bench.kinds_called(item.kind)
            return "component", self.component_names[kinds.declaration.name.text][value]
        told = argument_to_external(self.table.bench, choice.choice, value)
        if isinstance(told, list) or (isinstance(told, int) and abs(told) > MOST_COUNTED):
            return None
        return "value", action, choice.choice.name.text, str(told)

    # ---- what is told, in the order in which people read it

    def list_keys(self, word: str, of: str = "") -> list[Key]:
        figure = BY_WORDS[word,]
        return list(dict.fromkeys((*figure.words, *name) for name in self.names_at(figure.event)[of]))

    def list_ending_keys(self) -> list[Key]:
        phases: list[Key] = [("ending", *name) for name in self._phases()]
        return [*self.list_keys("result"), *self.list_keys("ending", "action"), *phases]

    def list_piece_keys(self) -> Iterator[Key]:
        for word in ("line", "action", "phase"):
            yield from self.list_keys(word)
        for action in self.table.bench.actions:
            yield from self._list_value_keys(action)
        for kinds in self.table.bench.kinds.values():
            words = ("row", "met") if has_rules(kinds) else ("component", "kept")
            for name in self.component_names[kinds.declaration.name.text]:
                yield from ((word, name) for word in words)

    def _list_value_keys(self, action: Action) -> Iterator[Key]:
        """Of choices whose values are known before the game."""
        for choice in self.table.actions.compiled_action(action).choices:
            code = self.table.bench.compile(choice.choice.domain)
            if not choice.is_component and code.is_constant and choice.choice.count is None:
                found = sort_values(set(code.value))[: MOST_LISTED + 1]
                if len(found) <= MOST_LISTED:
                    keys = (self.key_of_value(choice, action.name.text, value) for value in found)
                    yield from (key for key in keys if key is not None)


def list_figures(table: Table) -> list[Key]:
    figures = TableFigures(table)
    return [
        *figures.list_keys("win"), *figures.list_keys("score"), *GENERAL, *figures.list_keys("figure"),
        *figures.list_ending_keys(), *figures.list_piece_keys(),
    ]  # fmt: skip


def component_names(bench: Workbench) -> dict[str, tuple[str, ...]]:
    """By the name of their declaration, kind by kind, no two alike: a House 2 and a Cheque 2 are both written `2`, and
    told with their kind."""
    often = Counter(name for kinds in bench.kinds.values() for name in set(kinds.names))
    return {kinds.declaration.name.text: tuple(distinct_name(kinds, kind, often) for kind in range(len(kinds)))
            for kinds in bench.kinds.values()}  # fmt: skip


def distinct_name(kinds: Kinds, kind: int, often: Counter[str]) -> str:
    name = kinds.names[kind]
    return name if often[name] == 1 else f"{kinds.part_with(kind).declaration.name.text} {name}"
