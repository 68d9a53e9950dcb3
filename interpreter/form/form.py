"""The small form between the rules and machine code: values, lines, functions, fields, tables. Data, no behaviour.

A value has a type: `i64` for every number, word, player and component, `i1` for truth, `i64`/`i128`/… with
one bit a kind for a set of components (`bits` tells them from numbers only where it is printed), `<8 x i64>` for
numbers side by side. Operators in Python write operations down, as they are for Python's numbers: `a + 1`, `a >> 3`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from attrs import define, field, frozen

from rulesrun.dsl.text.source import Located

NUMBER = "i64"
TRUTH = "i1"
POINTER = "ptr"  # an address, where machine code is to know that it is one
NOTHING = -(1 << 31)  # how a value that may be `nothing` says that it is


class CannotCompile(Exception):
    """This table cannot become machine code; the message says why, `node` which part of the rules is the reason,
    `instead` what can be written in its place."""

    def __init__(self, reason: str, node: Located | None = None, instead: str | None = None) -> None:
        super().__init__(reason)
        self.node, self.instead = node, instead

    def with_node(self, node: Located) -> CannotCompile:
        """The innermost part of the rules that is known to be the reason."""
        self.node = self.node or node
        return self


@frozen(eq=False)
class Value:
    """A value: an operation on other values. `low` and `high` are what is known of a number."""

    op: str
    type: str
    args: tuple[Value, ...] = ()
    extra: Any = None
    low: int | None = None
    high: int | None = None

    def __add__(self, other: Value | int) -> Value:
        return binary("add", self, as_value(other))

    def __sub__(self, other: Value | int) -> Value:
        return binary("sub", self, as_value(other))

    def __mul__(self, other: Value | int) -> Value:
        return binary("mul", self, as_value(other))

    def __lshift__(self, other: Value | int) -> Value:
        return Value("shl", self.type, (self, as_value(other)))

    def __rshift__(self, other: Value | int) -> Value:
        return Value("ashr", self.type, (self, as_value(other)))

    def __and__(self, other: Value | int) -> Value:
        return combine_bits("and", self, other)

    def __or__(self, other: Value | int) -> Value:
        return combine_bits("or", self, other)

    def __xor__(self, other: Value | int) -> Value:
        return combine_bits("xor", self, other)

    def __lt__(self, other: Value | int) -> Value:
        return compare("<", self, as_value(other))

    def __le__(self, other: Value | int) -> Value:
        return compare("<=", self, as_value(other))

    def __gt__(self, other: Value | int) -> Value:
        return compare(">", self, as_value(other))

    def __ge__(self, other: Value | int) -> Value:
        return compare(">=", self, as_value(other))

    def equals(self, other: Value | int) -> Value:
        return compare("=", self, as_value(other))

    def differs(self, other: Value | int) -> Value:
        return compare("is not", self, as_value(other))


@define(eq=False)
class Line:
    """One line of a function: what it does, with which values, and what stands below it."""

    op: str  # set | store | if | loop | block | leave | return | do | label | goto | copy | poke | move bytes | …
    args: tuple[Value, ...] = ()
    extra: Any = None
    body: list[Line] = field(factory=list)
    otherwise: list[Line] = field(factory=list)


@frozen(eq=False)
class Field:
    """A part of a position: `amount` values of `bits` bits from byte `at`."""

    name: str
    bits: int
    amount: int
    at: int


@frozen(eq=False)
class Lanes:
    """Values of a field that stand side by side, each compared with the same value. More of them are read than are
    looked at: as many as machines compare at once."""

    place: Field
    operator: str
    amount: int

    @property
    def width(self) -> int:
        return max(8, 1 << (self.amount - 1).bit_length())


@frozen(eq=False)
class Constants:
    """Numbers known before the game, looked up by their place."""

    name: str
    bits: int
    values: Sequence[int]


@define(eq=False)
class Function:
    name: str
    parameters: tuple[str, ...]  # the position comes before them; numbers all
    gives: str | None
    body: list[Line] = field(factory=list)
    is_inner: bool = True
    inline: bool = False
    has_position: bool = True  # else it takes its parameters alone


# ---- values

def number(value: int) -> Value:
    return Value("const", NUMBER, extra=int(value), low=int(value), high=int(value))


YES = Value("const", TRUTH, extra=1)
NO = Value("const", TRUTH, extra=0)


def as_value(value: Value | int) -> Value:
    return value if isinstance(value, Value) else number(value)


def as_pointer(address: Value) -> Value:
    """The same, known to be one: sums of it are steps in memory, which the compiler follows better than numbers."""
    return address if address.type == POINTER else Value("pointer", POINTER, (address,))


def truth(value: bool) -> Value:
    return YES if value else NO


def constant_of(value: Value) -> int | None:
    return value.extra if value.op == "const" else None


def local(name: str, kind: str = NUMBER, low: int | None = None, high: int | None = None) -> Value:
    return Value("local", kind, extra=name, low=low, high=high)


def narrow(value: Value, low: int | None, high: int | None) -> Value:
    """The same value, of which more is known."""
    if value.op == "const":
        return value
    lows = [one for one in (value.low, low) if one is not None]
    highs = [one for one in (value.high, high) if one is not None]
    return Value(value.op, value.type, value.args, value.extra, max(lows, default=None), min(highs, default=None))


FOLDS: dict[str, Callable[[int, int], int]] = {
    "add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b,
    "=": lambda a, b: a == b, "is not": lambda a, b: a != b, "<": lambda a, b: a < b, "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b, ">=": lambda a, b: a >= b, "div": lambda a, b: a // b, "mod": lambda a, b: a % b,
    "min": min, "max": max,
}


def binary(op: str, a: Value, b: Value) -> Value:
    """An operation on two numbers that gives a number."""
    x, y = constant_of(a), constant_of(b)
    if x is not None and y is not None and a.type == NUMBER and (op not in {"div", "mod"} or y):
        return number(FOLDS[op](x, y))
    if op in {"add", "sub"} and y == 0:
        return a
    if op == "add" and x == 0:
        return b
    if op == "mul" and y == 1:
        return a
    low, high = result_bounds(op, a, b)
    return Value(op, a.type, (a, b), None, low, high)


def result_bounds(op: str, a: Value, b: Value) -> tuple[int | None, int | None]:
    if a.low is None or a.high is None or b.low is None or b.high is None:
        return None, None
    if op == "add":
        return a.low + b.low, a.high + b.high
    if op == "sub":
        return a.low - b.high, a.high - b.low
    if op == "mul":
        ends = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
        return min(ends), max(ends)
    if op == "mod" and b.low > 0:
        return 0, b.high - 1
    if op in {"min", "max"}:
        choose = min if op == "min" else max
        return choose(a.low, b.low), choose(a.high, b.high)
    return None, None


def compare(op: str, a: Value, b: Value) -> Value:
    x, y = constant_of(a), constant_of(b)
    if x is not None and y is not None:
        return truth(bool(FOLDS[op](x, y)))
    return Value(op, TRUTH, (a, b))


def logic(op: str, a: Value, b: Value) -> Value:
    """`and`, `or` of two truths that may both be looked at."""
    for one, other in ((a, b), (b, a)):
        value = constant_of(one)
        if value is not None:
            return (other if value else NO) if op == "and" else (YES if value else other)
    return Value(op, TRUTH, (a, b))


def combine_bits(op: str, a: Value, b: Value | int) -> Value:
    """`and`, `or`, `xor` of two truths, or of all bits of two numbers."""
    if a.type == TRUTH and isinstance(b, Value) and op != "xor":
        return logic(op, a, b)
    return Value(op, a.type, (a, as_value(b)))


def invert(a: Value) -> Value:
    value = constant_of(a)
    return truth(not value) if value is not None else Value("not", a.type, (a,))


def select(test: Value, a: Value, b: Value) -> Value:
    value = constant_of(test)
    if value is not None:
        return a if value else b
    low = min(a.low, b.low) if a.low is not None and b.low is not None else None
    high = max(a.high, b.high) if a.high is not None and b.high is not None else None
    return Value("select", a.type, (test, a, b), None, low, high)


def as_number(value: Value) -> Value:
    """Truth as 0 or 1."""
    if value.type != TRUTH:
        return value
    if value.op == "const":
        return number(value.extra)
    return Value("widen", NUMBER, (value,), None, 0, 1)


def sign_extend(value: Value, bits: int) -> Value:
    """What the lowest bits say as a number with a sign; of numbers side by side, each."""
    return Value("sign extend", value.type, (value,), bits)


def product_above(a: Value, b: Value) -> Value:
    """The upper word of the product of two words without signs."""
    return Value("mul high", NUMBER, (a, b))


def integer_root(a: Value) -> Value:
    """Rounded down; of a number below 2 to the 52nd."""
    return Value("root", NUMBER, (a,))


def as_truth(value: Value) -> Value:
    return value if value.type == TRUTH else compare("is not", value, number(0))


# ---- numbers side by side

def vector_type(amount: int) -> str:
    return f"<{amount} x i64>"


def vector_length(kind: str) -> int:
    """How many numbers stand side by side; 1 for a single one."""
    return int(kind[1:].split()[0]) if kind.startswith("<") else 1


def zero_vector(amount: int) -> Value:
    return Value("const", vector_type(amount), extra=0)


def nonzero_lanes(value: Value) -> Value:
    """1 for each of several numbers that is not 0."""
    return Value("nonzero lanes", value.type, (value,))


# ---- sets of kinds

def set_type(kinds: int) -> str:
    return f"i{max(64, (kinds + 63) // 64 * 64)}"


def bit_width(kind: str) -> int:
    if kind == POINTER:
        return 64
    return 64 * vector_length(kind) if kind.startswith("<") else int(kind[1:])


def constant_set(kind: str, value: int) -> Value:
    return Value("const", kind, extra=value)


def singleton(kind: str, which: Value) -> Value:
    """The set of one kind."""
    value = constant_of(which)
    return constant_set(kind, 1 << value) if value is not None else Value("bit", kind, (which,))


def compare_lanes(place: Field, operator: str, amount: int, first: Value, wanted: Value) -> Value:
    """Of so many values of a field, from the first on, those that are like the wanted one: a bit for each."""
    return Value("lanes", set_type(amount), (first, wanted), Lanes(place, operator, amount))


def combine_sets(op: str, a: Value, b: Value) -> Value:
    """`and`, `or` of two sets."""
    x, y = constant_of(a), constant_of(b)
    if x is not None and y is not None:
        return constant_set(a.type, x & y if op == "and" else x | y)
    return Value(op, a.type, (a, b))


def set_difference(a: Value, b: Value) -> Value:
    y = constant_of(b)
    if y is not None:
        return combine_sets("and", a, constant_set(a.type, ~y & ((1 << bit_width(a.type)) - 1)))
    return Value("and", a.type, (a, Value("not", b.type, (b,))))


def count_bits(a: Value) -> Value:
    value = constant_of(a)
    return (
        number(value.bit_count()) if value is not None else Value("popcount", NUMBER, (a,), None, 0, bit_width(a.type))
    )


def is_empty(a: Value) -> Value:
    return (
        compare("=", a, constant_set(a.type, 0)) if a.op == "const" else Value("=", TRUTH, (a, constant_set(a.type, 0)))
    )
