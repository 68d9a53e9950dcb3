"""Memory outside a position, as the small form sees it: numbers of one width side by side, at an address.

What a kernel works on is said by a table of numbers, the `Control`; Python fills it in and reads what came of it.
"""

from __future__ import annotations

import ctypes
from typing import Any

from attrs import define, field, frozen

from rulesrun.interpreter.form.form import NUMBER, Line, X, both, local, number
from rulesrun.interpreter.form.lines import Lines

WORD = (1 << 64) - 1

# What kernels are told and what they tell, by name.
NAMES = (
    "blocks", "members", "first", "last", "stacks", "rows", "hashes", "ways", "images", "sizes", "ends", "room",
    "children", "reached", "broken seen", "events", "event room", "event count", "group", "stages", "image",
    "survivors", "inverses", "work", "gives up", "results", "numbered", "news", "answers", "shares",
    "share counts", "table", "mask", "shift", "found hashes", "known", "unlike", "buffers", "buffer count", "partition",
    "partitions", "next number", "parents", "came", "found sizes", "found members", "edges", "offsets",
    "edge count", "marks", "whole", "decisions", "chances", "overs", "happened", "before", "found",
    "added turns", "added rounds", "added decisions", "fresh slots", "fresh children",
    "records", "found records", "record pool",
)
PLACES = {name: at for at, name in enumerate(NAMES)}


def signed(value: int) -> int:
    """A word as the machine's number."""
    value &= WORD
    return value - (1 << 64) if value >> 63 else value


@frozen(eq=False)
class Array:
    """`bits` wide numbers, from 0 up, from an address on."""

    at: X
    bits: int

    def place(self, index: X) -> X:
        return both("add", self.at, both("mul", index, number(self.bits // 8)))

    def get(self, index: X) -> X:
        return X("peek", NUMBER, (self.place(index),), self.bits)

    def put(self, lines: Lines, index: X, value: X) -> None:
        lines.lines.append(Line("poke", (self.place(index), value), self.bits))


    def expect(self, lines: Lines, index: X, to_write: bool = True) -> None:
        """Wanted soon: the processor fetches what is there meanwhile, even from another one's own memory."""
        lines.lines.append(Line("expect", (self.place(index),), int(to_write)))


HERE = X("here", NUMBER)


def move_bytes(lines: Lines, target: X, source: X, amount: int) -> None:
    lines.lines.append(Line("move bytes", (target, source), amount))


@define(eq=False)
class Told:
    """The control as a kernel reads and writes it; what it only reads stays in locals."""

    lines: Lines
    address: X = field(factory=lambda: local("control"))

    @property
    def array(self) -> Array:
        return Array(self.address, 64)

    def get(self, name: str) -> X:
        return self.lines.kept(self.array.get(number(PLACES[name])), "c")

    def put(self, name: str, value: X) -> None:
        self.array.put(self.lines, number(PLACES[name]), value)

    def add(self, name: str, value: X) -> None:
        at = number(PLACES[name])
        self.array.put(self.lines, at, X("add", NUMBER, (self.array.get(at), value)))

    def of(self, name: str, bits: int) -> Array:
        return Array(self.get(name), bits)


@define(eq=False)
class Control:
    """The same as Python sees it."""

    numbers: Any = field(init=False)
    address: int = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.numbers = (ctypes.c_int64 * len(NAMES))()
        self.address = ctypes.addressof(self.numbers)

    def __getitem__(self, name: str) -> int:
        return int(self.numbers[PLACES[name]])

    def __setitem__(self, name: str, value: int) -> None:
        self.numbers[PLACES[name]] = value
