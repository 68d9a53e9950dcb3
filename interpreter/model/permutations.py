"""Orders by their number: the n-th of all orders, as words stand in a dictionary."""

from __future__ import annotations

from collections.abc import Sequence
from math import factorial
from typing import Any


def order_at(number: int, length: int) -> tuple[int, ...]:
    """The numbers from 0 to length - 1 in their n-th order."""
    left, found = list(range(length)), []
    for done in range(length):
        step = factorial(length - 1 - done)
        found.append(left.pop(number // step))
        number %= step
    return tuple(found)


def order_number(order: Sequence[Any], names: Sequence[Any]) -> int | None:
    """The number of an order of these names; None when it is not one."""
    left, number = list(names), 0
    if len(order) != len(left):
        return None
    for name in order:
        if name not in left:
            return None
        at = left.index(name)
        number += at * factorial(len(left) - 1)
        left.pop(at)
    return number
