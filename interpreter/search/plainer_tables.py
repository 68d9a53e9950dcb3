"""Tables that differ from one in a single option: nearer to what the rules have, or with less of something.

Takes a table, gives tables; those that the rules do not allow are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulesrun.dsl import ast
from rulesrun.interpreter.model.values import RefusedTable
from rulesrun.interpreter.reference.table import Table, set_up

MOST_STEPS_DOWN = 3


def plainer(table: Table) -> Iterator[Table]:
    """One option that was set is as the rules have it."""
    settled = unusual(table)
    for name in settled:
        found = with_options(table, {other: value for other, value in settled.items() if other != name})
        if found is not None:
            yield found


def unusual(table: Table) -> dict[str, object]:
    """The options that are not as the rules have them."""
    usual = with_options(table, {})
    if usual is None:
        return dict(table.options)
    return {name: value for name, value in table.options.items() if value != usual.options.get(name)}


def lowered(table: Table) -> Iterator[Table]:
    """One option that is a number is lower: the lowest first, then half of it, then one less."""
    for option in table.bench.of_class(ast.Option):
        value = table.options.get(option.name.text)
        if not isinstance(option.type, ast.RangeType) or isinstance(value, bool) or not isinstance(value, int):
            continue
        lowest = table.bench.fixed_number(option.type.low)
        for other in sorted({lowest, (lowest + value) // 2, value - 1})[:MOST_STEPS_DOWN]:
            found = with_options(table, {**table.options, option.name.text: other}) if other < value else None
            if found is not None:
                yield found


def with_options(table: Table, options: Mapping[str, object]) -> Table | None:
    try:
        return set_up(table.program, table.players, {name: said(value) for name, value in options.items()})
    except RefusedTable:
        return None


def said(value: object) -> object:
    """As it is said on the command line."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ",".join(str(one) for one in value) if isinstance(value, list | tuple) else str(value)
