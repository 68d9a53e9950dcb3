"""Memory outside a position, as the small form sees it: numbers of one width side by side, at an address."""

from __future__ import annotations

from attrs import frozen

from rulesrun.interpreter.form.form import (
    NUMBER,
    Value,
    as_pointer,
    as_value,
    local,
    number,
    product_above,
    sign_extend,
    vector_type,
)
from rulesrun.interpreter.form.lines import Lines
from rulesrun.interpreter.model.random import GOLDEN

HERE = Value("here", NUMBER)  # where the position lies
POSITION = as_pointer(HERE)


@frozen(eq=False)
class MemoryArray:
    """`bits` wide numbers, from 0 up, from an address on."""

    at: Value
    bits: int = 64

    def element_address(self, index: Value | int) -> Value:
        return self.at + as_value(index) * (self.bits // 8)

    def load(self, index: Value | int = 0) -> Value:
        """Without a sign, where it is narrower than a number."""
        return Value("peek", NUMBER, (self.element_address(index),), self.bits)

    def load_signed(self, index: Value | int = 0) -> Value:
        return sign_extend(self.load(index), self.bits)

    def load_several(self, amount: int) -> Value:
        """The first so many, side by side."""
        return Value("peek", vector_type(amount), (self.at,), self.bits)

    def store(self, lines: Lines, index: Value | int, value: Value | int) -> None:
        """A number, or numbers side by side from there on."""
        lines.emit("poke", self.element_address(index), as_value(value), extra=self.bits)

    def add_to(self, lines: Lines, index: Value | int, value: Value | int) -> None:
        self.store(lines, index, self.load(index) + value)

    def part(self, lines: Lines, first: Value | int) -> MemoryArray:
        """The same from a later element on."""
        return MemoryArray(lines.bind(as_pointer(self.element_address(first))), self.bits)

    def prefetch(self, lines: Lines, index: Value, to_write: bool = True) -> None:
        """Wanted soon: the processor fetches what is there meanwhile, even from another one's own memory."""
        lines.emit("expect", self.element_address(index), extra=int(to_write))


def local_array(name: str, bits: int = 64) -> MemoryArray:
    """The array that a parameter is the address of."""
    return MemoryArray(as_pointer(local(name)), bits)


def move_bytes(lines: Lines, target: Value, source: Value, amount: Value | int) -> None:
    lines.emit("move bytes", target, source, as_value(amount))


def clear_bytes(lines: Lines, target: Value, amount: Value | int) -> None:
    lines.emit("clear bytes", target, as_value(amount))


def load_shifted(at: Value, shift: Value | int) -> Value:
    """A number of a position at its byte, shifted up and down to have its sign: 64 bits less the shift are its own."""
    return (Value("peek anywhere", NUMBER, (at,), 64) << shift) >> shift


def call_address(function: Value, *given: Value, gives: str | None = None) -> Value:
    """A call of a function of which the address is known: the position, then numbers."""
    return Value("call at", gives or "void", (function, *given))


def next_random_word(lines: Lines, stream: MemoryArray) -> Value:
    """A stream of chance moves on."""
    state = lines.bind(stream.load() + number(GOLDEN - (1 << 64)))
    stream.store(lines, 0, state)
    return lines.bind(Value("mix", NUMBER, (state,)))


def random_below(lines: Lines, stream: MemoryArray, limit: Value) -> Value:
    """The upper word of a random word times the limit."""
    return lines.bind(product_above(next_random_word(lines, stream), limit))
