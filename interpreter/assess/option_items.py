"""What an option contains that may be worth it or not: an option in, its action, values and components out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol, runtime_checkable

from attrs import define, field, frozen

from rulesrun.interpreter.bots.bot import Bot
from rulesrun.interpreter.bots.observation import Observation
from rulesrun.interpreter.measure.catalogue import TableFigures
from rulesrun.interpreter.measure.summary import ArgumentFigures
from rulesrun.interpreter.reference.decisions import OptionKey
from rulesrun.interpreter.reference.table import Table

Item = tuple[str, ...]  # ("action", name) · ("value", action, choice, value) · ("component", name)
MOST_KNOWN = 100_000


@define(eq=False)
class OptionItems:
    table: Table
    figures: ArgumentFigures = field(init=False)
    names: dict[int, str] = field(init=False)
    _known: dict[OptionKey, frozenset[Item]] = field(init=False, factory=dict)

    def __attrs_post_init__(self) -> None:
        self.figures = ArgumentFigures(TableFigures(self.table))
        self.names = {number: one.action.name.text for number, one in self.figures.actions.items()}

    def items_of(self, option: OptionKey) -> frozenset[Item]:
        found = self._known.get(option)
        if found is None:
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            found = self._known[option] = frozenset(self._list_items(option))
        return found

    def _list_items(self, option: OptionKey) -> Iterator[Item]:
        yield "action", self.names[option[0]]
        yield from self.figures.argument_keys(option)

    @property
    def actions(self) -> list[Item]:
        """In the order of the rules."""
        return [("action", action.name.text) for action in self.table.bench.actions]


@runtime_checkable
class ChoosingBot(Bot, Protocol):
    """A bot that can do without some options."""

    def choose_among(self, seen: Observation, allowed: Sequence[bool]) -> int: ...


@frozen(eq=False)
class AbstainingBot:
    """Plays as another, but never chooses what contains an item, as long as anything else can be chosen.

    Where the other would not have chosen it anyway, this one chooses the same: so a game in which it never comes to
    that is the same game.
    """

    bot: ChoosingBot
    item: Item
    items: OptionItems
    looks: bool = True

    @property
    def listens(self) -> bool:
        return self.bot.listens

    @property
    def name(self) -> str:
        return f"{self.bot.name} without {' '.join(self.item[1:])}"

    def choose(self, seen: Observation) -> int:
        chosen = self.bot.choose(seen)
        if self.item not in self.items.items_of(seen.options[chosen]):
            return chosen
        allowed = [self.item not in self.items.items_of(option) for option in seen.options]
        return self.bot.choose_among(seen, allowed) if any(allowed) else chosen
