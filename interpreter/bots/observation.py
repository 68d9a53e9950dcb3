"""What one seat knows when it must choose: the only thing a bot is ever given. Nothing of it says what is hidden.

`slots` is the position as the seat knows it. A component that it cannot tell is a number below zero: `-g` is one of
`groups[g - 1]`. `UNKNOWN` stands for a hidden value, `OneOf` for a component in a place the seat
cannot look into.
"""

from __future__ import annotations

from enum import Enum
from typing import Any

from attrs import frozen

from rulesrun.interpreter.reference.decisions import OptionKey
from rulesrun.interpreter.reference.table import Table


class Hidden(Enum):
    UNKNOWN = "unknown"


UNKNOWN = Hidden.UNKNOWN


@frozen
class OneOf:
    """A remembered component, unseen; it lies at `slot`. `among`: seen there, but not which of these it is."""

    slot: int
    among: tuple[int, ...] = ()


@frozen
class Observation:
    """`seat` 0 is the team. `seed` is what makes the bot's own chance.

    `place`: for who plays by the book of a solved game, the page that fits to all the seat remembers.
    """

    table: Table
    seat: int
    slots: tuple[Any, ...]
    groups: tuple[tuple[int, ...], ...]
    options: tuple[OptionKey, ...]
    seed: int = 0
    place: int = -1
