"""Rules that once were left to the reference: they become machine code, and both engines make the same of them."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("llvmlite")

from rulesrun.files.loading import read_rules
from rulesrun.interpreter.reference.table import Table, set_up_table
from tests.native.both import differences, quick_engine

RULES = Path(__file__).parent / "rules"
TABLES: dict[str, list[tuple[int, dict[str, int]]]] = {
    "lines_of_boards": [(2, {})],
    "define_in_where": [(2, {"kinds": 3}), (2, {"kinds": 1})],
    "set_of_sets": [(1, {})],
    "order_or_nothing": [(2, {})],
    "table_of_orders": [(2, {})],
    "sorted_pile": [(1, {}), (2, {"copies": 1}), (2, {"copies": 3})],
    "position_of_type": [(2, {"kinds": 8}), (3, {"kinds": 3, "copies": 2}), (6, {})],
}


def table(name: str, players: int, options: dict[str, int]) -> Table:
    program = read_rules(str(RULES / f"{name}.rules")).program
    assert program is not None
    return set_up_table(program, players, options)


@pytest.mark.parametrize("name", TABLES)
def test_machine_code_plays_the_games_of_the_reference(name: str) -> None:
    for players, options in TABLES[name]:
        made = table(name, players, options)
        assert differences(made, 40, engine=quick_engine(made)) == []
