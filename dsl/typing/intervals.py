"""Arithmetic of bounds: what a sum or a product of bounded numbers can be at least and at most."""

from __future__ import annotations

from rulesrun.dsl.typing.types import NumberOf

LIMIT = 10**12
ANY = NumberOf(-LIMIT, LIMIT)
COUNT = NumberOf(0, LIMIT)


def clamp_bounds(low: int, high: int) -> NumberOf:
    """The bounds, kept within what the checker follows."""
    return NumberOf(max(-LIMIT, min(LIMIT, low)), max(-LIMIT, min(LIMIT, high)))


def join_bounds(left: NumberOf, right: NumberOf) -> NumberOf:
    return NumberOf(min(left.low, right.low), max(left.high, right.high))


def is_disjoint(left: NumberOf, right: NumberOf) -> bool:
    return left.high < right.low or right.high < left.low


def negate_bounds(value: NumberOf) -> NumberOf:
    return NumberOf(-value.high, -value.low)


def calculate_bounds(operator: str, left: NumberOf, right: NumberOf) -> NumberOf:
    """The bounds of `left operator right`; a division by zero counts for nothing, it is a fault of its own."""
    if LIMIT in {left.high, right.high, -left.low, -right.low}:
        return _calculate_open_bounds(operator, left, right)
    match operator:
        case "+":
            return clamp_bounds(left.low + right.low, left.high + right.high)
        case "-":
            return clamp_bounds(left.low - right.high, left.high - right.low)
        case "*":
            corners = [a * b for a in (left.low, left.high) for b in (right.low, right.high)]
            return clamp_bounds(min(corners), max(corners))
        case "mod":
            return _remainder_bounds(left, right)
        case _:
            return _quotient_bounds(operator, left, right)


def _calculate_open_bounds(operator: str, left: NumberOf, right: NumberOf) -> NumberOf:
    """Where a bound is not known: only signs and remainders can be followed."""
    if operator == "mod":
        return _remainder_bounds(left, right)
    if operator in {"+", "*", "div", "/"} and left.low >= 0 and right.low >= 0:
        return COUNT
    return ANY


def _remainder_bounds(left: NumberOf, right: NumberOf) -> NumberOf:
    if left.low >= 0 and left.high < right.low:
        return left
    return NumberOf(min(0, right.low + 1), max(0, right.high - 1))


def _extreme_divisors(value: NumberOf) -> list[int]:
    near_zero = [at for at in (-1, 1) if value.low <= at <= value.high]
    return [at for at in (value.low, value.high) if at != 0] + near_zero


def _quotient_bounds(operator: str, left: NumberOf, right: NumberOf) -> NumberOf:
    divisors = _extreme_divisors(right)
    if not divisors:
        return ANY
    floors = [a // b for a in (left.low, left.high) for b in divisors]
    ceilings = [-(-a // b) for a in (left.low, left.high) for b in divisors]
    return clamp_bounds(min(floors), max(floors if operator == "div" else ceilings))


def sum_bounds(value: NumberOf, most: int) -> NumberOf:
    """The sum of up to `most` such numbers."""
    if LIMIT in {value.high, -value.low} or most >= LIMIT:
        return COUNT if value.low >= 0 else ANY
    return clamp_bounds(min(0, value.low * most), max(0, value.high * most))
