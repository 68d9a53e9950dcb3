"""The small tables of the bundled games: looked at whole, nothing broken, and what is rare there does happen."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulesrun.dsl.typing.program import Program
from rulesrun.files.loading import read_playable
from rulesrun.interpreter.explore.findings import find_trapped_positions
from rulesrun.interpreter.explore.never_happened import find_never_happened
from rulesrun.services.tables import allowed_players
from tests.command_line import run_here
from tests.exploring.made import merged, small_table

GAMES = Path(__file__).resolve().parents[2] / "games"

# By game and number of the table: what never happens there, and nothing else.
NEVER: dict[tuple[str, int], set[str]] = {
    ("zero", 0): set(),
    ("zero", 1): set(),
    ("hourglass", 0): {"the pile is used a second time"},
    ("hourglass", 1): {"the pile is used a second time"},
    ("tokens", 0): {"a position for the third time"},
    ("the_game", 0): {"defeat by fire"},
    ("the_game", 1): {"begin"},
    ("classics/goofspiel", 0): set(),
    ("classics/pig", 0): set(),
}
LONG: dict[tuple[str, int], set[str]] = {
    ("collection", 0): {"all five colours", "six players exhaust the deck"},
    ("collection", 1): {"all five colours", "six players exhaust the deck", "goals"},
}


@pytest.mark.parametrize(("name", "number"), [
    one if one in {("tokens", 0), ("classics/goofspiel", 0), ("classics/pig", 0)}
    else pytest.param(*one, marks=pytest.mark.long)
    for one in (NEVER | LONG)
])
def test_a_small_table_is_looked_at_whole(name: str, number: int) -> None:
    found = merged(small_table(name, number))
    assert found.is_complete
    assert found.findings == []
    assert find_trapped_positions(found) == []
    kinds = {"action", "phase", "score line", "can happen"}
    assert {one.name for one in find_never_happened(found) if one.kind in kinds} == (NEVER | LONG)[name, number]


@pytest.mark.long
def test_a_zero_is_dealt() -> None:
    """Eight cards are dealt, one is taken: the ninth step at the soonest calls it."""
    happened = merged(small_table("zero", 0))
    assert happened.distance_of(happened.happened["a Zero combination is dealt"]) == 8
    assert happened.distance_of(happened.happened["a Zero combination is dealt and called"]) == 9


def test_a_discard_is_forced_and_the_reserve_is_empty() -> None:
    hourglass = merged(small_table("hourglass", 1), 12_000)
    # six cards: the last of them is certain; start, tuck, start, tuck: both sets lie before the first player
    assert hourglass.distance_of(hourglass.happened["a forced discard"]) == 5 + 4
    tokens = merged(small_table("tokens", 0))
    assert {"a pass", "everyone passes"} <= tokens.happened.keys()


def games_by_players() -> list[tuple[str, int]]:
    """Every bundled game that is no variant, with every number of players."""
    games = [path.relative_to(GAMES).with_suffix("").as_posix() for path in sorted(GAMES.rglob("*.rules"))]
    return [(name, players) for name in games if not name.startswith("variants/")
            for players in allowed_players(playable(name))]


def playable(name: str) -> Program:
    program = read_playable(name).program
    assert program is not None
    return program


@pytest.mark.parametrize(("name", "players"), [
    one if one[0] in {"classics/kuhn", "classics/goofspiel"} else pytest.param(*one, marks=pytest.mark.long)
    for one in games_by_players()
])
def test_for_every_number_of_players_a_table_reaches_all_actions(name: str, players: int, tmp_path: Path) -> None:
    done = run_here("explore", name, "--players", str(players), "--json", folder=tmp_path)
    told = json.loads(done.stdout)
    assert told["ok"], told
    assert any(table["complete"] for table in told["tables"])
    assert told["not_reached"] == []
