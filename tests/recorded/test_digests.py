"""Random games of the bundled rulebooks are what they were: every event, every state."""

from __future__ import annotations

import pytest

from rulesrun.files import bundled_names
from tests.recorded.digests import digest_of_games, digests_of, recorded, tables_of

USUAL = {name: recorded()["digests"][f"{name} 2"] for name in bundled_names() if f"{name} 2" in recorded()["digests"]}


@pytest.mark.parametrize("name", [name for name in USUAL if not name.startswith("variants/")])
def test_games_of_two_are_what_they_were(name: str) -> None:
    _, table = next((at, table) for at, table in tables_of(name) if at == f"{name} 2")
    assert digest_of_games(table, recorded()["seeds"]) == USUAL[name]


@pytest.mark.long
@pytest.mark.parametrize("name", bundled_names())
def test_games_at_every_table_are_what_they_were(name: str) -> None:
    known = {at: digest for at, digest in recorded()["digests"].items() if at.split(" ")[0] == name}
    assert digests_of(name, recorded()["seeds"], with_states=True) == known
