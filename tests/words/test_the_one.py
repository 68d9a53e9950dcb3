"""`the p in players where …`: the only one. `the first p from X where …`: the nearest, clockwise."""

from __future__ import annotations

import pytest

from rulesrun.interpreter.model.values import Fault
from tests.interpreter.made import asked
from tests.native.both import differences, quick_engine
from tests.words.twins import assert_alike, errors_of, is_laid_out, program_of, table_of

BIDS = "number bid of player: 0..3 = 0\nnumber score of player: 0..9 = 4\n"


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("the p in players where p = left of 2", 3),
        ("the n in 1..9 where n * n = 49", 7),
        ("the p in players where (count of (opponents where it = p)) = 0", 1),
        *((f"the first p from {start} where p in {{2, 4}}", wanted) for start, wanted in enumerate((2, 2, 4, 4), 1)),
        *((f"the first p from {start}", start) for start in range(1, 5)),
        ("the first p from left of 3 where p is not 4 and p is not 1", 2),
        *((f"seats_from(2, {seat})", (seat - 2) % 4) for seat in range(1, 5)),
        ("the first in 3..5 with highest 0 - first", 3),
    ],
)
def test_it_gives(question: str, wanted: object) -> None:
    assert asked(question, players=4) == wanted


@pytest.mark.parametrize(
    ("question", "code"),
    [
        ("the p in players where bid of p = 0", "of-several"),
        ("the p in players where bid of p = 1", "of-nothing"),
        ("the first p from 1 where bid of p = 1", "of-nothing"),
    ],
)
def test_none_or_several_is_a_fault(question: str, code: str) -> None:
    with pytest.raises(Fault) as caught:
        asked(question, BIDS, players=3)
    assert caught.value.diagnostic.code == code


GAME = """rules 1
game "Made"
players 3

number bid of player: 0..2, each turn
number chips of player: 0..9 = 2
marker leader: player = 1

phase play: turns from leader until round_over
  all choose offer
  leader becomes {leader}
  chips of leader increases by 1

action offer(n in 0..2)
  bid becomes n

define round_over = some p in players has chips of p >= 4

score at end
  points = chips

ranking: highest total, ties share
"""
NEW = "the first p from left of player where bid of p = highest of bid of q over q in players"
OLD = "the p in players where bid of p = (highest of bid of q over q in players) with lowest (p_after(p))"


def test_the_same_game_said_without_it_has_the_same_tree() -> None:
    """Three players: the seats to the left of the leader, counted by a table."""
    table = """
define p_after(p player) =
  if p = left of player then 0 else if p = left of left of player then 1 else 2
"""
    assert_alike(
        GAME.replace("{leader}", NEW).replace(">= 4", ">= 3"),
        GAME.replace("{leader}", OLD).replace(">= 4", ">= 3") + table,
        players=3,
    )


def test_both_engines_find_the_same_faults() -> None:
    text = GAME.replace("{leader}", "the p in players where bid of p = 2")
    table = table_of(text, 3)
    assert differences(table, 200, seed=2, engine=quick_engine(table), limit=200) == []


def test_it_is_laid_out_as_it_is_written() -> None:
    assert is_laid_out(GAME.replace("{leader}", NEW))
    assert is_laid_out(GAME.replace("{leader}", "the p in players where bid of p = 2"))


@pytest.mark.parametrize(
    ("written", "code", "told"),
    [
        ("the p in players", "unfinished-line", "say which `p` is meant"),
        ("those p in players where bid of p = 1", "unfinished-line", "needs a choice"),
        ("the first p from players", "wrong-type", "expected a player"),
    ],
)
def test_slips(written: str, code: str, told: str) -> None:
    found = errors_of(GAME.replace("{leader}", written))
    assert any(one.code == code and told in one.message for one in found), found


def test_old_files_may_call_an_element_first() -> None:
    program_of(GAME.replace("{leader}", "the first in players with highest bid of first"))
