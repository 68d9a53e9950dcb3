"""What each player remembers: everything seen since the beginning, as one number for each different memory.

Takes positions as they come; two histories give a player the same number exactly when that player
has seen the same, in the same order, and has made the same choices.
"""

from __future__ import annotations

from typing import Any

from attrs import define, field

from rulesrun.interpreter.decisions import DecisionWait, OptionKey
from rulesrun.interpreter.table import Table
from rulesrun.interpreter.values import SHOWN, Slots
from rulesrun.interpreter.visibility import Viewers

Known = tuple[int, ...]  # by player, the number of the memory

SPREAD = 1 << 32


@define(eq=False)
class Memories:
    table: Table
    viewers: Viewers = field(init=False)
    _things: dict[Any, int] = field(init=False, factory=dict)  # views, choices: each has its number
    _chains: dict[int, int] = field(init=False, factory=dict)  # memory and thing: the memory after it
    _last: dict[int, int] = field(init=False, factory=dict)  # memory: the view it ends with

    def __attrs_post_init__(self) -> None:
        self.viewers = Viewers(self.table)

    def nothing(self) -> Known:
        return (0,) * self.table.players

    def thing(self, one: Any) -> int:
        return self._things.setdefault(one, len(self._things) + 1)

    def then(self, memory: int, thing: int) -> int:
        return self._chains.setdefault(memory * SPREAD + thing, len(self._chains) + 1)

    def after_event(self, S: Slots, known: Known) -> Known:
        """What everybody sees now; seeing the same again adds nothing."""
        if self.viewers.sees_alike:
            thing = self.thing(self.viewers.looks[1](S))
            return tuple([self.seeing(memory, thing, False) for memory in known])
        is_shown = bool(S[SHOWN])
        return tuple([
            self.seeing(memory, self.thing(self.viewers.looks[player](S)), is_shown)
            for player, memory in enumerate(known, start=1)
        ])

    def seeing(self, memory: int, thing: int, is_shown: bool) -> int:
        if self._last.get(memory) == thing and not is_shown:
            return memory
        after = self.then(memory, thing)
        self._last[after] = thing
        return after

    def asked(self, known: Known, options: list[OptionKey]) -> Known:
        """What is known by who is asked to choose among these."""
        thing = self.thing(("options", *options))
        return tuple([self.then(memory, thing) for memory in known])

    def own(self, known: Known, asked: Known, player: int, option: OptionKey) -> Known:
        """The player remembers the choice; nobody else knows of it."""
        thing = self.thing(("own", option))
        after = self.then(asked[player - 1], thing)
        return tuple([after if seat == player else memory for seat, memory in enumerate(known, start=1)])

    def chosen(
        self, known: Known, asked: Known, choosers: tuple[int, ...], wait: DecisionWait, option: OptionKey
    ) -> Known:
        """The chooser remembers the choice, the others what was announced of it."""
        own, heard = self.thing(("own", option)), self.announced(wait, option)
        found = []
        for player, memory in enumerate(known, start=1):
            if player in choosers:
                found.append(self.then(asked[player - 1], own))
            else:
                found.append(self.then(memory, heard) if heard else memory)
        return tuple(found)

    def announced(self, wait: DecisionWait, option: OptionKey) -> int:
        """The action and those of its values that are no components; nothing of a secret one."""
        heard = announcement(wait, option)
        return self.thing(heard) if heard is not None else 0


def announcement(wait: DecisionWait, option: OptionKey) -> tuple[Any, ...] | None:
    ready = wait.offers[option[0]].action
    if ready.action.secret:
        return None
    shown = [
        value for choice, value in zip(ready.choices, option[1:], strict=True) if not choice.is_component
    ]
    return ("heard", option[0], *shown)
