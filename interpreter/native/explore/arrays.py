"""What a kernel works on is said by a table of numbers, the `Control`; Python fills it in and reads what came of it."""

from __future__ import annotations

import ctypes
from typing import Any

from attrs import define, field

from rulesrun.interpreter.form.form import NUMBER, Value, local, number
from rulesrun.interpreter.form.lines import Lines
from rulesrun.interpreter.form.memory import MemoryArray

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


def to_signed(value: int) -> int:
    """A word as the machine's number."""
    value &= WORD
    return value - (1 << 64) if value >> 63 else value


@define(eq=False)
class KernelControl:
    """The control as a kernel reads and writes it; what it only reads stays in locals."""

    lines: Lines
    address: Value = field(factory=lambda: local("control"))

    @property
    def control_array(self) -> MemoryArray:
        return MemoryArray(self.address, 64)

    def load(self, name: str) -> Value:
        return self.lines.bind(self.control_array.load(number(PLACES[name])), "c")

    def store(self, name: str, value: Value) -> None:
        self.control_array.store(self.lines, number(PLACES[name]), value)

    def add_to(self, name: str, value: Value) -> None:
        at = number(PLACES[name])
        self.control_array.store(self.lines, at, Value("add", NUMBER, (self.control_array.load(at), value)))

    def array_at(self, name: str, bits: int) -> MemoryArray:
        return MemoryArray(self.load(name), bits)


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
