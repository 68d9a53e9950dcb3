"""What happens to remembered places when components move: whoever remembers where one lies is told of each movement.

A place is a slot and a place in what lies there, as in `locations`; in a zone without order equal ones lie as they
came. A component that has been taken out and is about to be put down is `HELD`, with its number among those that are
moved together.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import define, field

from rulesrun.interpreter.model.values import Slots

HELD = -2  # the slot of what is on its way
MOST_HELD = 1 << 20  # so many are moved at once, or fewer

Where = tuple[int, int]
Change = Callable[[Any, Where], Where | None]  # made anew for each register: equal ones of several go one by one


@define(eq=False)
class FollowedPlaces:
    """Registers with a component, each beside the register of its place; and registers with several of both."""

    singles: list[tuple[int, int]] = field(factory=list)
    several: list[tuple[int, int]] = field(factory=list)

    @property
    def is_used(self) -> bool:
        return bool(self.singles or self.several)

    def follow(self, register: int, where: int) -> None:
        if (register, where) not in self.singles:
            self.singles.append((register, where))

    def follow_all(self, left: int, wheres: int) -> None:
        self.several.append((left, wheres))

    def update_followed(self, S: Slots, change: Change) -> None:
        self.update_each(S, lambda: change)

    def update_each(self, S: Slots, make_change: Callable[[], Change]) -> None:
        for register, where in self.singles:
            if S[where] is not None:
                S[where] = make_change()(S[register], S[where])
        for left, wheres in self.several:
            if S[left] and S[wheres]:  # what an action chose is forgotten when the action is over
                change = make_change()
                S[wheres] = tuple([
                    None if where is None else change(kind, where)
                    for kind, where in zip(S[left], S[wheres], strict=False)
                ])

    def update_after_take(self, S: Slots, slot: int, at: int, kind: int, number: int, whole: bool) -> None:
        """Such a component was taken out; `whole`: what lay at this place, not one of an unordered part.

        Of equal ones in an unordered part nobody can say which was taken: a remembered one is the last to go.
        """
        content = S[slot]

        def make_change() -> Change:
            staying = count_kind_at(content, at, kind)

            def change(own: Any, where: Where) -> Where:
                nonlocal staying
                if where[0] != slot:
                    return where
                if where[1] == at and whole:
                    return HELD, number
                if where[1] == at and own == kind:
                    staying -= 1
                    return (HELD, number) if staying < 0 else where
                return (slot, where[1] - 1) if whole and where[1] > at else where

            return change

        self.update_each(S, make_change)

    def update_after_take_all(self, S: Slots, slot: int) -> None:
        """Everything was taken out, part by part."""

        self.update_followed(S, lambda own, where: (HELD, where[1]) if where[0] == slot else where)

    def raise_held(self, S: Slots, by: int) -> None:
        """More is about to be taken out: what is held already makes room for its numbers."""
        self.update_followed(S, lambda own, where: (HELD, where[1] + by) if where[0] == HELD else where)

    def update_after_put(self, S: Slots, slot: int, at: int, number: int, kind: int | None = None) -> None:
        """What was held lies here now; of an unordered part that comes apart, the one of this kind."""

        def make_change() -> Change:
            is_down = False

            def change(own: Any, where: Where) -> Where:
                nonlocal is_down
                if where[0] == HELD:
                    if where[1] != number or kind not in {None, own} or (is_down and kind is not None):
                        return where
                    is_down = True
                    return slot, at
                return (slot, where[1] + 1) if where[0] == slot and where[1] >= at else where

            return change

        self.update_each(S, make_change)

    def update_after_shuffle(self, S: Slots, slot: int) -> None:
        """All that lies there, and all that is held, is in one unordered part."""
        self.update_followed(S, lambda own, where: (slot, 0) if where[0] in {slot, HELD} else where)


def count_kind_at(content: tuple[Any, ...], at: int, kind: int) -> int:
    """How many such components are in the part at a place."""
    part = content[at] if at < len(content) else None
    return part.count(kind) if isinstance(part, tuple) else int(part == kind)
