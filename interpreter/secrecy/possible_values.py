"""Which values a number or marker can ever hold, where that can be read off the rules. Takes a table, gives them.

What is never written need not be taken for possible: a bid of 1 to 3 is not 7, though the number may go to 9.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from rulesrun.interpreter.model import core
from rulesrun.interpreter.model.core import Assign, DrawValue, Operand
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.secrecy.information_flow import VariableWrite, variable_of, writing_statements

MOST = 1_000


def find_possible_values(table: Table) -> Mapping[int, frozenset[Any]]:
    """By variable; those of which nothing is known are left out."""
    found: dict[int, set[Any] | None] = {}
    for node in writing_statements(table):
        variable = variable_of(node.place)
        if variable is not None:
            so_far, values = found.setdefault(id(variable), set()), values_written(table, node)
            found[id(variable)] = None if so_far is None or values is None else so_far | {*values}
    return {
        id(room.declaration): frozenset({table.blank[room.base], *values})
        for room in table.bench.variables.values()
        if room.declaration.start is None or is_constant(table, room.declaration.start)
        if (values := found.get(id(room.declaration))) is not None
    }


def values_written(table: Table, node: VariableWrite) -> Iterable[Any] | None:
    """None: any of its type."""
    if isinstance(node, DrawValue) and node.what == "lot":
        return range(1, table.players + 1)
    if not isinstance(node, Assign):
        return None
    meaning = table.bench.meaning(node.value)
    if isinstance(meaning, core.Choice) and meaning.word == "in" and meaning.count is None:
        return next(constant_domains(table, meaning.domain), None)
    value = table.bench.ready.get(id(node.value))
    return [value[1].value] if value is not None and value[1].is_constant else None


def constant_domains(table: Table, domain: Operand) -> Iterator[Iterable[Any]]:
    """What may be chosen, where that is the same in every position."""
    known = table.bench.ready.get(id(domain))
    if known is not None and known[1].is_constant and isinstance(known[1].value, range | tuple):
        yield known[1].value[:MOST]


def is_constant(table: Table, node: Operand) -> bool:
    known = table.bench.ready.get(id(node))
    return known is not None and known[1].is_constant
