"""The small form carried out in plain Python: what its operations mean, said a second time, apart from LLVM.

Values are whole numbers from 0, as wide as their type; a number is read with its sign where that matters. Memory is a
row of bytes, laid out as for machine code, so that both can be compared byte by byte.
"""

from __future__ import annotations

from collections.abc import Callable
from math import isqrt
from typing import Any

from attrs import define, field

from rulesrun.interpreter.form.form import (
    TRUTH,
    Constants,
    Field,
    Function,
    Lanes,
    Line,
    Value,
    bit_width,
    vector_length,
)
from rulesrun.interpreter.model.random import GOLDEN, MASK, mix_word

Signal = tuple[str, Any]  # leave | goto | return, with the name or the value
Locals = dict[str, int]


class NotInPython(Exception):
    """An operation on chance with large limits."""


def signed(value: int, bits: int) -> int:
    return value - (1 << bits) if value >> (bits - 1) else value


@define(eq=False)
class FormMachine:
    """`base`: the address of its first byte; a position lies `position` bytes on. `functions`: those that have an
    address."""

    memory: bytearray
    base: int = 0
    position: int = 0
    functions: dict[int, Callable[..., int]] = field(factory=dict)

    def call(self, function: Function, *given: int) -> int:
        names: Locals = dict(zip(function.parameters, (one & MASK for one in given), strict=True))
        at, body = 0, function.body
        while True:
            signal = self.run_lines(body[at:], names)
            if signal is None:
                return 0
            kind, told = signal
            if kind == "return":
                return int(told)
            assert kind == "goto", signal
            at = next(number for number, line in enumerate(body) if line.op == "label" and line.extra == told)

    # ---- lines

    def run_lines(self, lines: list[Line], names: Locals) -> Signal | None:
        for line in lines:
            signal = self.run_line(line, names)
            if signal is not None:
                return signal
        return None

    def run_line(self, line: Line, names: Locals) -> Signal | None:
        match line.op:
            case "set":
                names[line.extra] = self.value(line.args[0], names)
            case "store":
                self.store(line, names)
            case "if":
                return self.run_lines(line.body if self.value(line.args[0], names) else line.otherwise, names)
            case "loop" | "block":
                return self.run_nested(line, names)
            case "leave" | "goto":
                return line.op, line.extra
            case "return":
                return "return", self.value(line.args[0], names) if line.args else 0
            case "do":
                self.value(line.args[0], names)
            case "label":
                pass
            case "switch":
                value = signed(self.value(line.args[0], names), 64)
                return next((("goto", label) for number, label in line.extra if number == value), None)
            case "copy":
                first, amount, source = line.extra
                at = self.position + first
                self.memory[at : at + amount] = bytes(one & 255 for one in source.values[:amount])
            case "poke" | "move bytes" | "clear bytes":
                self.write_bytes(line, [self.value(one, names) for one in line.args])
            case "expect":
                pass
            case _:
                raise NotInPython(line.op)
        return None

    def write_bytes(self, line: Line, given: list[int]) -> None:
        target, *rest = given
        if line.op == "poke":
            size = line.extra // 8 * vector_length(line.args[1].type)
            written = (rest[0] & ((1 << 8 * size) - 1)).to_bytes(size, "little")
        else:
            written = self.read_bytes(*rest) if line.op == "move bytes" else bytes(rest[0])
        at = self.place_of(target, len(written))
        self.memory[at : at + len(written)] = written

    def read_bytes(self, address: int, size: int) -> bytes:
        at = self.place_of(address, size)
        return bytes(self.memory[at : at + size])

    def place_of(self, address: int, size: int) -> int:
        at = address - self.base
        assert 0 <= at <= at + size <= len(self.memory), (address, size)
        return at

    def run_nested(self, line: Line, names: Locals) -> Signal | None:
        while True:
            signal = self.run_lines(line.body, names)
            if signal is not None:
                return None if signal == ("leave", line.extra) else signal
            if line.op == "block":
                return None

    def store(self, line: Line, names: Locals) -> None:
        place: Field = line.extra
        index, value = (self.value(one, names) for one in line.args)
        at, size = self.address(place, index), max(place.bits // 8, 1)
        self.memory[at : at + size] = (value & ((1 << place.bits) - 1)).to_bytes(size, "little")

    def address(self, place: Field, index: int) -> int:
        at = place.at + max(place.bits // 8, 1) * signed(index, 64)
        assert place.at <= at < place.at + max(place.bits // 8, 1) * place.amount, (place.name, index)
        return self.position + at

    # ---- values

    def value(self, x: Value, names: Locals) -> int:
        match x.op:
            case "const":
                return int(x.extra) & ((1 << bit_width(x.type)) - 1)
            case "local":
                return names[x.extra]
            case "load":
                return self.load(x.extra, self.value(x.args[0], names), bit_width(x.type))
            case "table":
                table: Constants = x.extra
                found = table.values[signed(self.value(x.args[0], names), 64)] & ((1 << table.bits) - 1)
                return signed(found, table.bits) & ((1 << bit_width(x.type)) - 1)
            case "call":
                return self.call(x.extra, *(self.value(one, names) for one in x.args))
            case "lanes":
                lanes: Lanes = x.extra
                first, wanted = (self.value(one, names) for one in x.args)
                return sum(
                    1 << at for at in range(lanes.amount)
                    if operation(Value(lanes.operator, TRUTH), 64, [self.load(lanes.place, first + at, 64), wanted])
                )
            case "peek" | "peek anywhere":
                size = x.extra // 8 * vector_length(x.type)
                return int.from_bytes(self.read_bytes(self.value(x.args[0], names), size), "little")
            case "here":
                return self.base + self.position
            case "call at":
                address, *given = (self.value(one, names) for one in x.args)
                return self.functions[address](*given) & MASK
            case "below":
                state, limit = (self.value(one, names) for one in x.args)
                return self.random_below(self.address(x.extra, state), limit)
            case _:
                values, amount = [self.value(one, names) for one in x.args], vector_length(x.args[0].type)
                if amount > 1:
                    lanes_of = [[one >> 64 * at & MASK for one in values] for at in range(amount)]
                    return sum((operation(x, 64, own) & MASK) << 64 * at for at, own in enumerate(lanes_of))
                return operation(x, bit_width(x.args[0].type), values) & ((1 << bit_width(x.type)) - 1)

    def load(self, place: Field, index: int, bits: int) -> int:
        at = self.address(place, index)
        found = int.from_bytes(self.memory[at : at + max(place.bits // 8, 1)], "little")
        return signed(found, place.bits) & ((1 << bits) - 1) if place.bits < bits else found

    def random_below(self, at: int, limit: int) -> int:
        state = int.from_bytes(self.memory[at : at + 8], "little") + GOLDEN & MASK
        self.memory[at : at + 8] = state.to_bytes(8, "little")
        return mix_word(state) * limit >> 64


def operation(x: Value, bits: int, values: list[int]) -> int:
    """`bits`: of the first value. What does not fit is cut off by who asks."""
    a, b = values[0], values[1] if len(values) > 1 else 0
    left, right = signed(a, bits), signed(b, bits)
    match x.op:
        case "add" | "sub" | "mul":
            return a + b if x.op == "add" else a - b if x.op == "sub" else a * b
        case "and" | "or" | "xor":
            return a & b if x.op == "and" else a | b if x.op == "or" else a ^ b
        case "not":
            return ~a
        case "=" | "is not":
            return (a == b) is (x.op == "=")
        case "<" | "<=" | ">" | ">=":
            return {"<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right}[x.op]
        case "min" | "max":
            return min(left, right) if x.op == "min" else max(left, right)
        case "div" | "mod":
            return left // right if x.op == "div" else left % right
        case "select":
            return values[1] if a else values[2]
        case "widen" | "pointer":
            return a
        case "shl" | "lshr" | "shift_set" | "ashr":
            return a << b if x.op == "shl" else left >> b if x.op == "ashr" else a >> b
        case "sign extend":
            return signed(a & ((1 << x.extra) - 1), x.extra)
        case "mul high":
            return a * b >> 64
        case "nonzero lanes":
            return a != 0
        case "root":
            return isqrt(a)
        case "bit":
            return 1 << (a & (bit_width(x.type) - 1) if x.type in {"i64", "i128"} else a)
        case "mix" | "mix_sum":
            return mix_word(a) if x.op == "mix" else mix_word(a + b * GOLDEN)
        case _:
            return set_operation(x, bits, a, b)


def set_operation(x: Value, bits: int, members: int, number: int) -> int:
    match x.op:
        case "popcount":
            return members.bit_count()
        case "lowest":
            return (members & -members).bit_length() - 1 if members else bits
        case "highest":
            return members.bit_length() - 1
        case "drop_lowest":
            return members & (members - 1)
        case "kth":
            return [at for at in range(bits) if members >> at & 1][number]
        case _:
            raise NotInPython(x.op)
