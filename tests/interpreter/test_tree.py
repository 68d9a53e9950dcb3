"""The exact size of games' trees, against published counts and counts made by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest

from rulesrun.interpreter.play.game_tree import count_tree
from rulesrun.interpreter.reference.table import set_up_table
from tests.interpreter.made import bundled, table

PUBLISHED = [
    # game, options, (histories, chance, decisions, together, terminals), information sets, score of player 1
    ("classics/kuhn", {}, (58, 4, 24, 0, 30), (6, 6), Fraction(1, 8)),
    ("classics/leduc", {}, (1939, 49, 774, 0, 1116), (144, 144), Fraction(-5, 64)),
    ("classics/goofspiel", {"cards": 4, "prizes": "descending"}, (737, 0, 0, 161, 576), (161, 161), Fraction(0)),
    ("classics/goofspiel", {"cards": 3}, (301, 28, 0, 57, 216), (57, 57), Fraction(0)),
    ("classics/pig", {"die": 2, "target": 4, "length": 6}, (708, 92, 277, 0, 339), None, Fraction(37, 1024)),
]


@pytest.mark.parametrize(("game", "options", "sizes", "sets", "score"), PUBLISHED)
def test_published_counts(
    game: str, options: dict[str, object], sizes: tuple[int, ...], sets: tuple[int, ...] | None, score: Fraction
) -> None:
    counted = count_tree(set_up_table(bundled(game), 2, options))
    found = (counted.histories, counted.chance, counted.decisions, counted.together, counted.terminals)
    assert found == sizes
    assert sets is None or tuple(counted.information_sets.values()) == sets
    assert counted.expected_scores == {1: score, 2: -score}


@pytest.mark.long
def test_the_whole_tree_of_tic_tac_toe() -> None:
    counted = count_tree(set_up_table(bundled("classics/tic_tac_toe"), 2))
    assert (counted.histories, counted.decisions, counted.terminals) == (549946, 294778, 255168)
    assert counted.information_sets == {1: 180361, 2: 114417}
    assert counted.expected_scores[1] == Fraction(187, 630)
    assert counted.max_depth == 9


def test_a_count_may_be_stopped() -> None:
    counted = count_tree(set_up_table(bundled("classics/tic_tac_toe"), 2), most=500)
    assert not counted.is_complete
    assert counted.histories == 500


PEEK = """
card Card: rank 1..3
zone deck: pile of Card, hidden
zone mine: place of Card, VISIBLE
zone hand of player: place of Card, private
marker called: yes or no = no
setup
  shuffle all Card into deck
  draw 1 from deck to mine
phase play: one turn each from 1
  choose call or wait
action call
  called becomes yes
action waiting
score at end
  points = if called then rank of top of mine else 0
ranking: highest total, ties share
""".replace("call or wait", "call or waiting")


@pytest.mark.parametrize(("visibility", "first", "second"), [("public", 3, 6), ("hidden", 1, 2)])
def test_information_sets_follow_from_what_is_seen(visibility: str, first: int, second: int) -> None:
    # one decision of player 1; then player 2 knows what player 1 did, and the card only when it is public
    counted = count_tree(table(PEEK.replace("VISIBLE", visibility)))
    assert counted.information_sets == {1: first, 2: second}
    assert (counted.chance, counted.decisions, counted.terminals) == (1, 9, 12)


def test_secret_choices_are_not_heard() -> None:
    counted = count_tree(table(PEEK.replace("VISIBLE", "hidden").replace("action call", "action call, secret").replace(
        "action waiting", "action waiting, secret").replace("marker called: yes or no = no",
                                                            "marker called: yes or no = no, hidden")))
    assert counted.information_sets == {1: 1, 2: 1}


def test_the_expected_score_is_exact() -> None:
    # 1, 2, 3 with equal chance; called in three of the four ways: 2 * 3 / 4
    assert count_tree(table(PEEK.replace("VISIBLE", "public"))).expected_scores[1] == Fraction(3, 2)
