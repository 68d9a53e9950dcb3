"""What everybody hears of the choices of others, and what everybody knew when they were made.

Takes the choices and movements of one game, gives for each choice a `HeardChoice`; nothing of it is hidden from
anybody. Who wants to know what it tells of the cards asks `opponent_model`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from attrs import define, evolve, field

from rulesrun.interpreter.bots.belief import Heap
from rulesrun.interpreter.bots.movement import Movement
from rulesrun.interpreter.bots.observation import HeardChoice, Observation, Tell
from rulesrun.interpreter.model.places import flatten_content
from rulesrun.interpreter.model.values import TEAM, Slots
from rulesrun.interpreter.play.player_memory import announcement
from rulesrun.interpreter.reference.decisions import DecisionWait, OptionKey, TogetherWait

MOST_TELLS = 12  # of one game that are thought about: the last ones


@define(eq=False)
class ChoiceListener:
    """Of one game. `arrived`: how many components have come to a private place so far."""

    private: tuple[tuple[int, ...], ...]  # by seat the places into which it looks, and not everybody
    heard: list[HeardChoice] = field(init=False, factory=list)
    arrived: Counter[int] = field(init=False, factory=Counter)
    _arrived_then: list[Counter[int]] = field(init=False, factory=list)
    _is_moving: bool = field(init=False, default=False)  # since the last choice nothing has moved

    def note_choice(self, before: Observation, wait: DecisionWait, chooser: int, option: OptionKey) -> None:
        """`before`: what everybody knew. What is secret, or chosen at the same moment, is not heard."""
        self._is_moving = False
        if chooser == TEAM or isinstance(wait, TogetherWait) or not self.private[chooser]:
            return
        said = announcement(wait, option)
        if said is not None:
            self.heard.append(
                HeardChoice(len(self.heard), before, chooser, said, places=self.private[chooser])
            )
            self._arrived_then.append(self.arrived.copy())
            self._is_moving = True

    def follow_movement(self, movement: Movement, heap: Heap) -> None:
        """`heap`: the components of one declaration, as everybody sees them."""
        changed = movement.changed_slots(heap.slots)
        if not changed:
            return
        for slot in changed:
            if slot not in heap.seen:
                self.arrived[slot] += len(movement.change_at(slot, False).come)
        if self._is_moving:
            self._is_moving = False
            self.heard[-1] = describe_movement(self.heard[-1], movement, changed, heap)

    def tells_for(self, seat: int, S: Slots) -> tuple[Tell, ...]:
        """What may tell this seat something: what others did, and how much of what they held then is still there."""
        found = []
        for one, arrived in zip(self.heard[-MOST_TELLS:], self._arrived_then[-MOST_TELLS:], strict=True):
            if one.chooser == seat:
                continue
            kept = []
            for slot in self.private[one.chooser]:
                size = len(flatten_content(S[slot]))
                left = size - (self.arrived[slot] - arrived[slot])
                if left > 0:
                    kept.append((slot, left, size))
            if kept:
                found.append(Tell(one, tuple(kept)))
        return tuple(found)


def describe_movement(one: HeardChoice, movement: Movement, changed: Sequence[int], heap: Heap) -> HeardChoice:
    """With what everybody saw of the first components that moved: which they were, and from whose hand they came."""
    seen, come, left = list[int](), Counter[int](), list[tuple[int, int]]()
    for slot in changed:
        gone, arriving = visible_change(movement, slot, heap)
        seen += [*gone, *arriving]
        come.update(arriving)
    for slot in changed:
        if slot not in heap.seen and slot not in heap.tops:
            for kind in movement.change_at(slot, False).gone:
                if come[kind] > 0:
                    come[kind] -= 1
                    left.append((slot, kind))
    return evolve(one, seen=tuple(sorted(seen)), left=tuple(left))


def visible_change(movement: Movement, slot: int, heap: Heap) -> tuple[Sequence[int], Sequence[int]]:
    """What everybody sees leave a place, and come there: of a pile with an open top the top alone."""
    if slot in heap.seen:
        change = movement.change_at(slot, False)
        return change.gone, change.come
    if slot not in heap.tops:
        return (), ()
    before, after = movement.before[slot], movement.after[slot]
    few, many = len(flatten_content(before)), len(flatten_content(after))
    return (open_top(before) if few > many else (), open_top(after) if many > few else ())


def open_top(content: Sequence[Any]) -> Sequence[int]:
    return (content[-1],) if content and isinstance(content[-1], int) else ()
