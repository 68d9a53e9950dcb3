"""Places that do not agree with scores and tie-breaks are found, whatever room made them."""

from __future__ import annotations

import pytest

from rulesrun.interpreter.model.values import RESULT, Slots
from rulesrun.interpreter.play.properties import AGREE, compare_keys
from rulesrun.interpreter.play.random_games import simulate_games
from rulesrun.interpreter.reference.scoring import Places, Scoring
from tests.interpreter.made import table

DICE = """
number face of player: 1..6
setup
  each player
    roll face
phase play: one turn each from 1
  choose pass
action pass
score at end
  points = face
{}
"""


@pytest.mark.parametrize("by", ["highest total", "lowest face", "lowest (1 / face)"])
def test_what_is_ranked_rightly_agrees(by: str) -> None:
    assert not simulate_games(table(DICE.format(f"ranking: {by}, ties share"), 3), 1, 40).broken


@pytest.mark.parametrize(
    ("places", "why"),
    [
        (((1, 2), (3,)), "a tie that is none"),
        (((3,), (2,), (1,)), "the wrong way round"),
        (((1,), (2,)), "somebody left out"),
        (((1,), (2,), (3, 1)), "somebody twice"),
    ],
)
def test_wrong_places_are_found(places: Places, why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made = table(DICE.format("ranking: highest total, ties share"), 3)
    monkeypatch.setattr(Scoring, "rank_players", lambda self, S: places)
    found = simulate_games(made, 1, 40)
    assert AGREE in found.broken_games, why
    [(_, broken)] = found.broken
    assert broken.values[0].text


def test_a_tie_where_none_is_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    made = table(DICE.format("ranking: highest total"), 3)
    monkeypatch.setattr(Scoring, "rank_players", lambda self, S: (tuple(range(1, 4)),))
    assert simulate_games(made, 1, 40).broken_games[AGREE] > 0


def test_a_result_that_is_not_the_first_outcome(monkeypatch: pytest.MonkeyPatch) -> None:
    text = DICE.format("ranking: highest total, ties share\nresult: high when face of 1 > 3, otherwise low")
    right = Scoring.finish_scoring

    def always_high(self: Scoring, S: Slots) -> None:
        right(self, S)
        S[RESULT] = "high"

    monkeypatch.setattr(Scoring, "finish_scoring", always_high)
    found = simulate_games(table(text), 1, 40)
    assert 0 < found.broken_games[AGREE] < 40


def test_the_first_criterion_that_tells_apart_decides() -> None:
    assert compare_keys(((3, True), (1, False)), ((3, True), (2, False))) == 1
    assert compare_keys(((3, True), (9, False)), ((4, True), (2, False))) == -1
    assert compare_keys(((3, True),), ((3, True),)) == 0
