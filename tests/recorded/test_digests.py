"""Random games of the bundled rulebooks are what they were: every event, every state, every figure."""

from __future__ import annotations

import pytest

from rulesrun.files.sources import bundled_names
from tests.recorded.digests import SEEDS, SUMS, digest_of_games, digests_of, recorded, sums_of, tables_of

USUAL = {name: recorded()[f"{name} 2"] for name in bundled_names() if f"{name} 2" in recorded()}


def of_rulebook(known: dict[str, str], name: str) -> dict[str, str]:
    return {at: digest for at, digest in known.items() if at.split(" ")[0] == name}


@pytest.mark.parametrize("name", [name for name in USUAL if not name.startswith("variants/")])
def test_games_of_two_are_what_they_were(name: str) -> None:
    _, table = next((at, table) for at, table in tables_of(name) if at == f"{name} 2")
    assert digest_of_games(table, SEEDS) == USUAL[name]


@pytest.mark.long
@pytest.mark.parametrize("name", bundled_names())
def test_games_at_every_table_are_what_they_were(name: str) -> None:
    assert digests_of(name) == of_rulebook(recorded(), name)


@pytest.mark.long
@pytest.mark.parametrize("name", bundled_names())
def test_figures_of_many_games_are_what_they_were(name: str) -> None:
    pytest.importorskip("llvmlite")
    assert sums_of(name) == of_rulebook(recorded(SUMS), name)
