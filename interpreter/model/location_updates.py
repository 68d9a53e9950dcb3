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
Change = Callable[[Any, Where], Where | None]


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
        for register, where in self.singles:
            if S[where] is not None:
                S[where] = change(S[register], S[where])
        for left, wheres in self.several:
            if S[left] and S[wheres]:  # what an action chose is forgotten when the action is over
                S[wheres] = tuple([
                    None if where is None else change(kind, where)
                    for kind, where in zip(S[left], S[wheres], strict=False)
                ])

    def update_after_take(self, S: Slots, slot: int, at: int, kind: int, number: int, whole: bool) -> None:
        """Such a component was taken out; `whole`: what lay at this place, not one of an unordered part.

        Of equal ones in an unordered part nobody can say which was taken: a remembered one is the last to go.
        """
        content = S[slot]

        def change(own: Any, where: Where) -> Where:
            if where[0] != slot:
                return where
            if where[1] == at and whole:
                return HELD, number
            if where[1] == at:
                return (HELD, number) if own == kind and not holds_kind_at(content, at, kind) else where
            return (slot, where[1] - 1) if whole and where[1] > at else where

        self.update_followed(S, change)

    def update_after_take_all(self, S: Slots, slot: int) -> None:
        """Everything was taken out, part by part."""

        self.update_followed(S, lambda own, where: (HELD, where[1]) if where[0] == slot else where)

    def raise_held(self, S: Slots, by: int) -> None:
        """More is about to be taken out: what is held already makes room for its numbers."""
        self.update_followed(S, lambda own, where: (HELD, where[1] + by) if where[0] == HELD else where)

    def update_after_put(self, S: Slots, slot: int, at: int, number: int, kind: int | None = None) -> None:
        """What was held lies here now; of an unordered part that comes apart, the one of this kind."""

        def change(own: Any, where: Where) -> Where:
            if where[0] == HELD:
                return (slot, at) if where[1] == number and kind in {None, own} else where
            return (slot, where[1] + 1) if where[0] == slot and where[1] >= at else where

        self.update_followed(S, change)

    def update_after_shuffle(self, S: Slots, slot: int) -> None:
        """All that lies there, and all that is held, is in one unordered part."""
        self.update_followed(S, lambda own, where: (slot, 0) if where[0] in {slot, HELD} else where)


def holds_kind_at(content: tuple[Any, ...], at: int, kind: int) -> bool:
    """Whether such a component is in the part at a place."""
    part = content[at] if at < len(content) else None
    return part == kind or (isinstance(part, tuple) and kind in part)
