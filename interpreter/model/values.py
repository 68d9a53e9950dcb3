"""The values a position is made of, the fixed slots, and what can go wrong while playing.

Numbers are `int` (or `Fraction` after `/`), truth is `bool`, players count from 1, words and
components are numbers from 0 in their declared order, `nothing` is `None`, several values are a tuple.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

from attrs import frozen

from rulesrun.dsl.diagnostics.diagnostic import Diagnostic
from rulesrun.dsl.text.source import Span

Slots = list[Any]
"""A position being worked on: slots from the front are the position, slots from the back are scratch."""

Run = Callable[[Slots], Any]
Jump = Callable[[Slots], int]

PC, PLAYER, ROUND, STARTER, PHASE, SHEETS, SHOWN, PLACES, RESULT = range(9)
FIRST_FREE = 9

OPTIONS, EVENTS, WORK, FIGURES = -1, -2, -3, -4
FIRST_SCRATCH = -5

TEAM = 0
MOST_STEPS = 100_000
MOST_WORK = 5_000_000  # elements gone through between two questions


@frozen
class State:
    """A position that somebody holds: never changes; may be compared, hashed, kept."""

    slots: tuple[Any, ...]


class Fault(Exception):
    """The rules led to something that has no meaning; a fact about the rules, not about this program."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(f"{diagnostic.code}: {diagnostic.message}")
        self.diagnostic = diagnostic


class RefusedTable(Exception):
    """These options or this number of players are not allowed by the rules."""

    def __init__(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        super().__init__("; ".join(one.message for one in diagnostics))
        self.diagnostics = diagnostics


def fault(code: str, message: str, span: Span, hint: str | None = None) -> Fault:
    return Fault(Diagnostic(code, message, span, hint))


def sort_values(values: Iterable[Any]) -> list[Any]:
    """In their order: `nothing` stands before everything."""
    listed = list(values)
    try:
        return sorted(listed)
    except TypeError:
        return sorted(listed, key=order_key)


def order_key(value: Any) -> tuple[Any, ...]:
    if value is None:
        return (0,)
    return (1, [order_key(one) for one in value]) if isinstance(value, (tuple, range)) else (1, value)


def simplify_number(number: int | Fraction) -> int | Fraction:
    """A fraction that is whole becomes a whole number."""
    if type(number) is int:
        return number
    if isinstance(number, Fraction) and number.denominator == 1:
        return number.numerator
    return number


@frozen(eq=False)
class Code:
    """An expression made ready: how to run it, and what is known about it before the game.

    `slot` is set when running it only reads that slot; `is_constant` when it is always `value`; `listed` when it is one
    of these values, by what that slot holds.
    """

    run: Run
    is_constant: bool = False
    value: Any = None
    slot: int | None = None
    listed: tuple[tuple[Any, ...], int] | None = None


def constant(value: Any) -> Code:
    return Code(lambda S: value, is_constant=True, value=value)


def read_slot(slot: int) -> Code:
    return Code(lambda S: S[slot], slot=slot)


def look_up_slot(values: tuple[Any, ...], slot: int) -> Code:
    return Code(lambda S: values[S[slot]], listed=(values, slot))
