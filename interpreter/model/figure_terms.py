"""How a figure is worked out, as data: the reference works a term out with numbers, machine code writes it as lines.

A term speaks of quantities by their names; whoever counts gives them at the event.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import lcm
from operator import add, eq, floordiv, gt, itemgetter, mul, sub
from typing import Any, Literal, assert_never

from attrs import frozen

Operator = Literal["add", "sub", "mul", "div", "min", "max", "=", ">"]
FUNCTIONS: dict[Operator, Callable[[Any, Any], Any]] = {
    "add": add, "sub": sub, "mul": mul, "div": floordiv, "min": min, "max": max, "=": eq, ">": gt,
}  # fmt: skip


@frozen
class Number:
    value: int


@frozen
class Quantity:
    name: str


@frozen
class Combination:
    operator: Operator
    left: Term
    right: Term


@frozen
class Either:
    test: Term
    one: Term
    other: Term


Term = Number | Quantity | Combination | Either

Reckoning = Callable[[Mapping[str, Any]], Any]

ONE = Number(1)


def compile_term(term: Term) -> Reckoning:
    """As a function of the quantities by their names."""
    match term:
        case Number(value):
            return lambda known: value
        case Quantity(name):
            return itemgetter(name)
        case Combination(operator, left, right):
            function, one, other = FUNCTIONS[operator], compile_term(left), compile_term(right)
            return lambda known: function(one(known), other(known))
        case Either(test, left, right):
            is_one, one, other = compile_term(test), compile_term(left), compile_term(right)
            return lambda known: one(known) if is_one(known) else other(known)
        case _:
            assert_never(term)


# ---- at the end of a game

WIN = Combination("mul", Quantity("won"), Combination("div", Quantity("parts"), Quantity("winners")))
TIE = Combination(">", Quantity("winners"), Quantity("team"))
MARGIN = Combination("sub", Quantity("highest"), Quantity("lowest"))
PARTS_OF_A_GAME = 10_000
SINCE = Combination("mul", Quantity("since"), Number(PARTS_OF_A_GAME))
SETTLED = Combination("div", SINCE, Combination("max", Quantity("decisions"), ONE))


def parts_of_a_win(players: int) -> int:
    """So many that any shared first place is a whole number of them."""
    return lcm(*range(1, players + 1))


# ---- figures that the rules declare, by their word: what one is with a value more, and how many values it has then

BEFORE, VALUE, TIMES = Quantity("before"), Quantity("value"), Quantity("times")
SUM, IS_FIRST = Combination("add", BEFORE, VALUE), Combination("=", TIMES, Number(0))
ALWAYS_THERE = {"how often", "sum"}  # has a value though its moment never came: what was not counted is none
COMBINED: dict[str | None, tuple[Term, Term]] = {
    "how often": (SUM, ONE),
    "sum": (SUM, ONE),
    "mean": (SUM, Combination("add", TIMES, ONE)),
    "highest": (Either(IS_FIRST, VALUE, Combination("max", BEFORE, VALUE)), ONE),
    "lowest": (Either(IS_FIRST, VALUE, Combination("min", BEFORE, VALUE)), ONE),
    None: (VALUE, ONE),
}
COMBINING = {word: (compile_term(together), compile_term(often)) for word, (together, often) in COMBINED.items()}


def combine_values(word: str | None, before: Any, value: Any, times: int) -> tuple[Any, int]:
    """What is only counted comes once in a game, however often."""
    known = {"before": before, "value": value, "times": times}
    together, often = COMBINING[word]
    return together(known), often(known)
