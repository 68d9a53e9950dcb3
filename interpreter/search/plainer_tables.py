"""Tables that differ from one in a single option: nearer to what the rules have, or with less of something.

Takes a table, gives tables; those that the rules do not allow are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulesrun.interpreter.model.domains import find_range
from rulesrun.interpreter.model.values import RefusedTable
from rulesrun.interpreter.reference.table import Table, set_up_table

MOST_STEPS_DOWN = 3


def tables_with_usual_option(table: Table) -> Iterator[Table]:
    """One option that was set is as the rules have it."""
    settled = unusual_options(table)
    for name in settled:
        found = set_up_with_options(table, {other: value for other, value in settled.items() if other != name})
        if found is not None:
            yield found


def unusual_options(table: Table) -> dict[str, object]:
    """The options that are not as the rules have them."""
    usual = set_up_with_options(table, {})
    if usual is None:
        return dict(table.options)
    return {name: value for name, value in table.options.items() if value != usual.options.get(name)}


def tables_with_lower_option(table: Table) -> Iterator[Table]:
    """One option that is a number is lower: the lowest first, then half of it, then one less."""
    for option in table.bench.options:
        value = table.options.get(option.name.text)
        numbers = find_range(table.bench, option.type)
        if numbers is None or isinstance(value, bool) or not isinstance(value, int):
            continue
        lowest = numbers.start
        for other in sorted({lowest, (lowest + value) // 2, value - 1})[:MOST_STEPS_DOWN]:
            found = set_up_with_options(table, {**table.options, option.name.text: other}) if other < value else None
            if found is not None:
                yield found


def set_up_with_options(table: Table, options: Mapping[str, object]) -> Table | None:
    try:
        return set_up_table(
            table.program, table.players, {name: format_option_value(value) for name, value in options.items()}
        )
    except RefusedTable:
        return None


def format_option_value(value: object) -> object:
    """As it is said on the command line."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ",".join(str(one) for one in value) if isinstance(value, list | tuple) else str(value)
