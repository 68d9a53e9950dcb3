"""Which bit of a word stands for which property: takes a table, gives the bits.

A word has room for sixty, and some of its own. Where there are more, each that says what has happened keeps a bit, and
the last of the others share one: whenever it is set, the reference looks which of them is meant.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulesrun.dsl.text.messages import message
from rulesrun.interpreter.form.form import CannotCompile
from rulesrun.interpreter.model.moments import JudgedProperty
from rulesrun.interpreter.reference.table import Table

MOST_PROPERTIES = 60
SOONER = "those that need not be looked at together can go into variants"
SHARED = MOST_PROPERTIES - 1


def happens(judged: JudgedProperty) -> bool:
    """Whether games are counted in which it was true."""
    return judged.declaration.word == "can happen" or judged.declaration.share is not None


def bits_of(table: Table) -> tuple[int, ...]:
    """Of every property, in their order."""
    properties = table.watches.properties
    if len(properties) <= MOST_PROPERTIES:
        return tuple(range(len(properties)))
    counted = [judged for judged in properties if happens(judged)]
    if len(counted) > SHARED:
        raise CannotCompile(
            message("there are too many properties that count games: more than {shared}", shared=SHARED),
            counted[SHARED].declaration,
            SOONER,
        )
    numbers, others = iter(range(len(counted))), iter(range(len(counted), SHARED))
    return tuple([next(numbers) if happens(judged) else next(others, SHARED) for judged in properties])


def by_bit(table: Table) -> Iterator[tuple[int, JudgedProperty]]:
    """Every property with its bit."""
    yield from zip(bits_of(table), table.watches.properties, strict=True)


def bit_of_several(table: Table) -> int:
    """The bit that stands for several, as a word; none, where each has its own."""
    return 1 << SHARED if len(table.watches.properties) > MOST_PROPERTIES else 0
