"""Why nothing is legal at a choice: of each action what it lacks. Takes a table and a position, gives data.

The ways to do an action are gone through as when options are listed. Each is given up at the first choice that has no
values, or at the first condition that does not hold; what gives up most of them comes first.
"""

from __future__ import annotations

from typing import Any

from attrs import define, field, frozen

from rulesrun.dsl.text.source import Span
from rulesrun.interpreter.model.domains import argument_to_external
from rulesrun.interpreter.model.values import PLAYER, Code, Fault, Slots, State
from rulesrun.interpreter.play.explanation import ExplainedValue, explain_expression
from rulesrun.interpreter.reference.decisions import DecisionWait
from rulesrun.interpreter.reference.options import CompiledAction
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
    values: tuple[ExplainedValue, ...]


def find_lacks(table: Table, state: State, choose: Span) -> tuple[Lack, ...]:
    """For each action of the `choose` at this place, what it lacks; nothing when some option is legal."""
    wait = find_choice(table, choose)
    if wait is None:
        return ()
    found: list[Lack] = []
    for offer in wait.offers.values():
        search = _LackSearch(table, table.to_slots(state), offer.action)
        if search.has_legal_option():
            return ()
        found += search.list_lacks()
    return tuple(found)


def find_choice(table: Table, choose: Span) -> DecisionWait | None:
    waits = (one for one in table.waits.values() if isinstance(one, DecisionWait))
    return next((one for one in waits if one.node.span == choose), None)


@define(eq=False)
class _LackSearch:
    table: Table
    S: Slots
    ready: CompiledAction
    ways: int = 0
    empty: dict[int, tuple[Slots, list[str]]] = field(factory=dict)  # by the number of the choice
    failed: dict[int, tuple[Slots, list[str]]] = field(factory=dict)  # by the number of the need

    def has_legal_option(self) -> bool:
        return self.search_level(0, ())

    def search_level(self, level: int, chosen: tuple[str, ...]) -> bool:
        """Whether something is legal with these choices. Notes at what each way ends."""
        self.ways += 1
        if self.ways > MOST_WAYS:
            return False
        for number, (at, _need, code) in enumerate(self.ready.needs):
            if at == level and not self.is_true(code):
                self.note_end(self.failed, number, chosen)
                return False
        if level == len(self.ready.choices):
            return True
        choice, asked = self.ready.choices[level], self.S[PLAYER]
        try:
            values = list(choice.values(self.S))
        except (Fault, TypeError):
            values = []
        if not values:
            self.note_end(self.empty, level, chosen)
        is_legal = False
        for value in values:
            self.S[choice.slot] = value
            if choice.is_player:
                self.S[PLAYER] = value
            is_legal = self.search_level(level + 1, (*chosen, self.format_value(level, value))) or is_legal
            self.S[PLAYER] = asked
        self.S[choice.slot] = None
        return is_legal

    def is_true(self, code: Code) -> bool:
        try:
            return bool(code.run(self.S))
        except (Fault, TypeError, RecursionError, OverflowError):
            return False

    def format_value(self, level: int, value: Any) -> str:
        outside = argument_to_external(self.table.bench, self.ready.choices[level].choice, value)
        if isinstance(outside, list | tuple):
            return "{" + ", ".join(str(one) for one in outside) + "}"
        return str(outside)

    def note_end(self, ends: dict[int, tuple[Slots, list[str]]], number: int, chosen: tuple[str, ...]) -> None:
        text = f"({', '.join(chosen)})" if len(chosen) > 1 else "".join(chosen)
        ends.setdefault(number, (self.S.copy(), []))[1].append(text)

    def list_lacks(self) -> list[Lack]:
        """The conditions and choices at which the ways end, what ends most of them first."""
        ends = [(len(texts), self.make_need_lack(number, S, texts)) for number, (S, texts) in self.failed.items()]
        ends += [(len(texts), self.make_choice_lack(number, S, texts)) for number, (S, texts) in self.empty.items()]
        return [lack for _, lack in sorted(ends, key=lambda one: -one[0])[:MOST_LACKS]]

    def make_need_lack(self, number: int, S: Slots, texts: list[str]) -> Lack:
        _, need, _ = self.ready.needs[number]
        values = explain_expression(self.table, self.table.to_state(S), need.condition)
        refused = tuple(text for text in dict.fromkeys(texts) if text)
        return Lack(self.ready.action.name.text, need.condition.span, False, need.because, refused, values)

    def make_choice_lack(self, number: int, S: Slots, texts: list[str]) -> Lack:
        choice = self.ready.choices[number].choice
        values = explain_expression(self.table, self.table.to_state(S), choice.domain)
        refused = tuple(text for text in dict.fromkeys(texts) if text)
        return Lack(self.ready.action.name.text, choice.span, True, None, refused, values)
