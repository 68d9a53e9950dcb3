"""What one seat knows when it must choose: the only thing a bot is ever given. Nothing of it says what is hidden.

`slots` is the position as the seat knows it. A component that it cannot tell is a number below zero: `-g` is one of
`groups[g - 1]`. `UNKNOWN` stands for a hidden value, `OneOf` for a component in a place the seat
cannot look into.
"""

from __future__ import annotations

from enum import Enum
from typing import Any

from attrs import define, field, frozen

from rulesrun.interpreter.reference.decisions import OptionKey
from rulesrun.interpreter.reference.table import Table


class Hidden(Enum):
    UNKNOWN = "unknown"


UNKNOWN = Hidden.UNKNOWN
NEUTRAL = 64  # the weight of a kind of which nothing is told
SlotWeights = dict[int, dict[int, int]]  # by place and kind


@frozen
class OneOf:
    """A remembered component, unseen; it lies at `slot`. `among`: seen there, but not which of these it is."""

    slot: int
    among: tuple[int, ...] = ()


@frozen
class Observation:
    """`seat` 0 is the team. `seed` is what makes the bot's own chance.

    `place`: for who plays by the book of a solved game, the page that fits to all the seat remembers.
    `tells`: what others did, where somebody goes by it. `weights`: by place and kind, how much more likely it lies
    there than its share of the group says, in parts of `NEUTRAL`.
    """

    table: Table
    seat: int
    slots: tuple[Any, ...]
    groups: tuple[tuple[int, ...], ...]
    options: tuple[OptionKey, ...]
    seed: int = 0
    place: int = -1
    tells: tuple[Tell, ...] = ()
    weights: tuple[tuple[int, tuple[tuple[int, int], ...]], ...] = ()


@define
class HeardChoice:
    """A choice as everybody heard it. `before`: what everybody knew when it was made; `said`: what was announced;
    `seen`: the first components that moved afterwards, as far as everybody saw them; `left`: those of them that came
    out of a hidden place, and of which one. `places`: into which the chooser looks, and not everybody. `weights`: what
    it tells, by how much was thought about it."""

    number: int
    before: Observation
    chooser: int
    said: tuple[Any, ...]
    seen: tuple[int, ...] = ()
    left: tuple[tuple[int, int], ...] = ()
    places: tuple[int, ...] = ()
    weights: dict[int, SlotWeights] = field(factory=dict, eq=False)


@frozen
class Tell:
    """`kept`: by place, how many components at least that lay there then are there still, and of how many."""

    heard: HeardChoice
    kept: tuple[tuple[int, int, int], ...]
