"""Why nothing is legal at a choice: of each action what it lacks. Takes a table and a position, gives data.

The ways to do an action are gone through as when options are listed. Each is given up at the first choice that has no
values, or at the first condition that does not hold; what gives up most of them comes first.
"""

from __future__ import annotations

from typing import Any

from attrs import define, field, frozen

from rulesrun.dsl.text.source import Span
from rulesrun.interpreter.model.values import PLAYER, Code, Fault, Slots, State
from rulesrun.interpreter.play.explanation import Explained, explain
from rulesrun.interpreter.play.step import argument_outside
from rulesrun.interpreter.reference.decisions import DecisionWait
from rulesrun.interpreter.reference.options import ReadyAction
from rulesrun.interpreter.reference.table import Table

MOST_WAYS = 2_000
MOST_LACKS = 3


@frozen
class Lack:
    """What keeps an action from being legal: a condition that does not hold, or that there is nothing to choose from.

    `refused`: for which choices, as a trace writes them; `values`: what its parts are worth for the first of them.
    """

    action: str
    span: Span
    is_empty: bool
    because: str | None
    refused: tuple[str, ...]
    values: tuple[Explained, ...]


def lacks_at(table: Table, state: State, choose: Span) -> tuple[Lack, ...]:
    """For each action of the `choose` at this place, what it lacks; nothing when some option is legal."""
    wait = choice_at(table, choose)
    if wait is None:
        return ()
    found: list[Lack] = []
    for offer in wait.offers.values():
        search = _Search(table, table.opened(state), offer.action)
        if search.finds_an_option():
            return ()
        found += search.lacks()
    return tuple(found)


def choice_at(table: Table, choose: Span) -> DecisionWait | None:
    waits = (one for one in table.waits.values() if isinstance(one, DecisionWait))
    return next((one for one in waits if one.node.span == choose), None)


@define(eq=False)
class _Search:
    table: Table
    S: Slots
    ready: ReadyAction
    ways: int = 0
    empty: dict[int, tuple[Slots, list[str]]] = field(factory=dict)  # by the number of the choice
    failed: dict[int, tuple[Slots, list[str]]] = field(factory=dict)  # by the number of the need

    def finds_an_option(self) -> bool:
        return self.from_level(0, ())

    def from_level(self, level: int, chosen: tuple[str, ...]) -> bool:
        """Whether something is legal with these choices. Notes at what each way ends."""
        self.ways += 1
        if self.ways > MOST_WAYS:
            return False
        for number, (at, _need, code) in enumerate(self.ready.needs):
            if at == level and not self.holds(code):
                self.note(self.failed, number, chosen)
                return False
        if level == len(self.ready.choices):
            return True
        choice, asked = self.ready.choices[level], self.S[PLAYER]
        try:
            values = list(choice.values(self.S))
        except (Fault, TypeError):
            values = []
        if not values:
            self.note(self.empty, level, chosen)
        is_legal = False
        for value in values:
            self.S[choice.slot] = value
            if choice.is_player:
                self.S[PLAYER] = value
            is_legal = self.from_level(level + 1, (*chosen, self.written(level, value))) or is_legal
            self.S[PLAYER] = asked
        self.S[choice.slot] = None
        return is_legal

    def holds(self, code: Code) -> bool:
        try:
            return bool(code.run(self.S))
        except (Fault, TypeError, RecursionError, OverflowError):
            return False

    def written(self, level: int, value: Any) -> str:
        outside = argument_outside(self.table, self.ready.choices[level].choice, value)
        if isinstance(outside, list | tuple):
            return "{" + ", ".join(str(one) for one in outside) + "}"
        return str(outside)

    def note(self, ends: dict[int, tuple[Slots, list[str]]], number: int, chosen: tuple[str, ...]) -> None:
        text = f"({', '.join(chosen)})" if len(chosen) > 1 else "".join(chosen)
        ends.setdefault(number, (self.S.copy(), []))[1].append(text)

    def lacks(self) -> list[Lack]:
        """The conditions and choices at which the ways end, what ends most of them first."""
        ends = [(len(texts), self.of_need(number, S, texts)) for number, (S, texts) in self.failed.items()]
        ends += [(len(texts), self.of_choice(number, S, texts)) for number, (S, texts) in self.empty.items()]
        return [lack for _, lack in sorted(ends, key=lambda one: -one[0])[:MOST_LACKS]]

    def of_need(self, number: int, S: Slots, texts: list[str]) -> Lack:
        _, need, _ = self.ready.needs[number]
        values = explain(self.table, self.table.closed(S), need.condition)
        refused = tuple(text for text in dict.fromkeys(texts) if text)
        return Lack(self.ready.action.name.text, need.condition.span, False, need.because, refused, values)

    def of_choice(self, number: int, S: Slots, texts: list[str]) -> Lack:
        choice = self.ready.choices[number].choice
        values = explain(self.table, self.table.closed(S), choice.domain)
        refused = tuple(text for text in dict.fromkeys(texts) if text)
        return Lack(self.ready.action.name.text, choice.span, True, None, refused, values)
