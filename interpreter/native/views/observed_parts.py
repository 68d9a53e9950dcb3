"""One part of what a seat sees of many positions: its name, its bounds, how it is read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy
from attrs import frozen

from rulesrun.interpreter.form.form import Field
from rulesrun.interpreter.native.positions.batches import Rows

Read = Callable[[Rows], Any]
WIDEST = (1 << 31) - 1

COUNT, KIND, WORD, SEAT, TRUTH, NUMBER = "count", "kind", "word", "seat", "truth", "number"


@frozen(eq=False)
class Bounds:
    """What the numbers of a part say, and between what they lie. Nothing, where there may be nothing, is `low`."""

    meaning: str
    low: int
    high: int


@frozen(eq=False)
class CopiedNumbers:
    """How machine code reads some numbers of a part: `what` is done, from where, up to which gate."""

    what: int
    place: Field
    first: int  # of the field's numbers, or of the bytes of bits
    amount: int
    gate: tuple[Field, int] | None = None  # only so many are there


@frozen(eq=False)
class ObservedPart:
    """`owner`: the seat whose it is, and how many parts of it come before for that seat; 0 where it is nobody's."""

    name: str
    kind: Any
    shape: tuple[int, ...]
    read: Read
    bounds: Bounds
    copied: tuple[CopiedNumbers, ...] = ()  # empty where machine code does not read it
    group: int = 0
    owner: int = 0
    is_by_seat: bool = False  # the last axis goes by seats
    is_of_shown: bool = False  # where nothing is shown just now, there is nothing to read

    @property
    def amount(self) -> int:
        return int(numpy.prod(self.shape, dtype=int)) if self.shape else 1
