"""Properties: what does not hold is found, with its position and the values of its parts; many games."""

from __future__ import annotations

import pytest

from rulesrun.interpreter.model.random import Streams
from rulesrun.interpreter.play.game_loop import play_game, random_picker
from rulesrun.interpreter.play.random_games import SimulationResult, simulate_games
from rulesrun.interpreter.play.step import GameOver
from rulesrun.interpreter.reference.table import set_up_table
from tests.interpreter.made import bundled, table

RULES = """
number height: 0..9 = 0
phase play: turns from 1 until height >= 6
  choose climb or slip
action climb
  height increases by 2
action slip
  needs height > 0
  height decreases by 1
score at end
  points = height
ranking: highest total, ties share
"""


def simulated(properties: str, games: int = 30) -> SimulationResult:
    return simulate_games(table(RULES + properties), 1, games)


@pytest.mark.parametrize(
    ("written", "title"),
    [
        ('always "low": height < 5', "low"),
        ('never "five": height = 5', "five"),
        ('at end of turn "even": height mod 2 = 0', "even"),
        ('at end of round "exact": height = 7', "exact"),
        ('at end of game "exact": height = 7 and total of 1 = 7', "exact"),
        ('after climb "by one": height = before (height) + 1', "by one"),
    ],
)
def test_what_does_not_hold_is_found(written: str, title: str) -> None:
    found = simulated(written)
    assert [broken.title for _, broken in found.broken] == [title]
    assert found.broken_games[title] > 0
    assert any(value.text.isdigit() for value in found.broken[0][1].values)


@pytest.mark.parametrize(
    "written",
    [
        'always "in range": height <= 7',
        'never "eight": height = 8',
        'at end of turn "in range": height <= 7',
        'at end of round "high": height >= 6',
        'at end of game "counted": total of 1 = height',
        'after climb "by two": height = before (height) + 2',
        'after slip "by one": height = before (height) - 1',
    ],
)
def test_what_holds_is_not_told(written: str) -> None:
    found = simulated(written)
    assert found.broken == []
    assert found.faults == []
    assert found.games == 30


def test_can_happen_counts_games() -> None:
    found = simulated('can happen "seven": height = 7\ncan happen "nine": height = 9\n', 60)
    assert 0 < found.happened["seven"] < 60
    assert found.happened["nine"] == 0


def test_a_fault_is_told_once_with_its_place() -> None:
    made = table(RULES.replace("increases by 2", "increases by 5").replace("height >= 6", "height >= 9"))
    found = simulate_games(made, 1, 20)
    assert [diagnostic.code for _, diagnostic, _ in found.faults] == ["leaves-range"]
    assert sum(found.lengths.values()) == found.games == 20


def test_a_game_that_goes_on_and_on_is_stopped() -> None:
    made = table("phase play: turns from 1 until round = 2\n  choose wait\naction wait\nscore at end\n  points = 0\n")
    found = simulate_games(made, 1, 1, limit=50)
    assert found.faulty_games == {"too-long": 1}


@pytest.mark.parametrize(("name", "players"), [("zero", 2), ("classics/goofspiel", 3), ("classics/leduc", 2)])
def test_the_fast_way_and_the_plain_way_play_the_same_games(name: str, players: int) -> None:
    made = set_up_table(bundled(name), players)
    for number in range(5):
        fast = simulate_games(made, 7, 1, first=number)
        last = list(play_game(made, random_picker(Streams(7, number))))[-1].question
        assert isinstance(last, GameOver)
        assert fast.places == {last.places: 1}
        assert dict(fast.score_sums) == last.scores


def test_the_same_seed_gives_the_same_games() -> None:
    first, second = simulated("", 20), simulated("", 20)
    assert (first.places, first.lengths) == (second.places, second.lengths)
