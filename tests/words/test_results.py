"""`player wins`, `player loses`, `nobody wins`; `opponent`; markers of places and cards that stand alone."""

from __future__ import annotations

import pytest

import rulesrun
from rulesrun.dsl.parsing.parse import parse_source
from rulesrun.dsl.text.source import Source
from rulesrun.files.loading import read_text

GAME = """rules 1
# Made up for this test.
game "Heap"
players {players}

number left_over: 0..5 = 5

phase play: turns from 1
  choose take, else nobody wins

action take(n in 1..2)
  needs n < left_over
  left_over decreases by n
  if left_over = 1
    {result}
"""


def final_result(result: str, players: int, *amounts: int, teams: str = "") -> rulesrun.Result:
    game = rulesrun.loads(GAME.format(players=f"{players}{teams}", result=result)).start(seed=1)
    for amount in amounts:
        game = game.apply(next(one for one in game.legal() if one.arguments == (("n", amount),)))
    found = game.result()
    assert found is not None
    return found


@pytest.mark.parametrize(("result", "players", "scores", "places"), [
    ("player wins", 2, {1: -1, 2: 1}, ((2,), (1,))),
    ("player loses", 2, {1: 1, 2: -1}, ((1,), (2,))),
    ("opponent wins", 2, {1: 1, 2: -1}, ((1,), (2,))),
    ("opponent loses", 2, {1: -1, 2: 1}, ((2,), (1,))),
    ("player wins", 3, {1: -1, 2: 1, 3: -1}, ((2,), (1, 3))),
    ("player loses", 3, {1: 1, 2: -1, 3: 1}, ((1, 3), (2,))),
    ("nobody wins", 3, {1: 0, 2: 0, 3: 0}, ((1, 2, 3),)),
])  # fmt: skip
def test_one_wins_and_the_others_lose(
    result: str, players: int, scores: dict[int, int], places: tuple[tuple[int, ...], ...]
) -> None:
    """The second player takes the last but one."""
    found = final_result(result, players, 2, 2)
    assert (found.scores, found.places) == (scores, places)


@pytest.mark.parametrize(("result", "scores"), [
    ("player wins", {1: -1, 2: 1, 3: -1, 4: 1}), ("player loses", {1: 1, 2: -1, 3: 1, 4: -1}),
    ("left of player wins", {1: 1, 2: -1, 3: 1, 4: -1}), ("nobody wins", {1: 0, 2: 0, 3: 0, 4: 0}),
])  # fmt: skip
def test_partners_win_and_lose_together(result: str, scores: dict[int, int]) -> None:
    assert final_result(result, 4, 2, 2, teams="\nteams: 1 and 3, 2 and 4").scores == scores


def test_a_game_that_ends_otherwise_has_no_winner() -> None:
    assert final_result("end game", 2, 2, 2).scores == {1: 0, 2: 0}


@pytest.mark.parametrize(("written", "hint"), [
    ("player win", "`player wins`"), ("win", "`player wins`"), ("lose", "`player loses`"),
    ("player has won", "`player wins`"), ("player is the winner", "`player wins`"),
    ("player wins the game", "`player wins`"), ("left of player has lost", "`left of player loses`"),
    ("the game is a draw", "`nobody wins`"), ("tie", "`nobody wins`"), ("both win", "`nobody wins`"),
    ("no one wins", "`nobody wins`"), ("wins player", "`player wins`"), ("player wins if n = 1", "`player wins` below"),
])  # fmt: skip
def test_slips_have_a_hint(written: str, hint: str) -> None:
    found = parse_source(Source("test.rules", GAME.format(players=2, result=written))).diagnostics
    assert any(hint in (one.hint or "") for one in found), found


@pytest.mark.parametrize(("players", "result", "more", "code", "said"), [
    (2, "everyone loses", "", "wrong-type", "one player"),
    (2, "nobody loses", "", "wrong-type", "one player"),
    (2, "winner becomes player", "", "wrong-type", "becomes the winner"),
    (2, "player wins", "score at end\n  points = 1\n", "said-twice", "who wins"),
    (2, "player wins", "ranking: highest total, ties share\n", "said-twice", "who wins"),
    (2, "player wins", "marker winner: player or nothing\n", "duplicate-name", "`winner`"),
    (2, "player wins", "define outcome = 3\n", "duplicate-name", "`outcome`"),
    (3, "opponent wins", "", "unknown-name", "`opponent`"),
])  # fmt: skip
def test_what_is_refused(players: int, result: str, more: str, code: str, said: str) -> None:
    found = read_text(GAME.format(players=players, result=result) + more, "test.rules").diagnostics
    assert any(one.code == code and said in one.message for one in found), found


BOARD = """rules 1
# Made up for this test.
game "Stones"
players 2

board Square: 3 by 3
card Card: rank 1..3

zone hand of player: row of Card, public

marker stone[Square]: player or nothing
number seen[Square] of player: 0..3
marker marked of Card: yes or no

setup
  move all Card to hand of 1

phase play: turns from 1 until (count of Square where stone is not nothing) = 3
  choose place

action place(s in Square where stone is nothing)
  stone[s] becomes player
  seen[s] becomes 2
  if s = a1
    marked of (first of hand of 1) becomes yes

score at end
  points = {points}

ranking: highest total, ties share
"""


@pytest.mark.parametrize(("alone", "in_full"), [
    ("count of Square where stone = player", "count of Square where stone[it] = player"),
    ("if some s in Square has stone = player and seen > 1 then 1 else 0",
     "if some s in Square has stone[s] = player and seen[s] > 1 then 1 else 0"),
    ("sum of seen over Square", "sum of seen[s] over s in Square"),
    ("sum of seen of opponent over Square", "sum of seen[s] of left of player over s in Square"),
    ("if some line of 2 in Square has stone = player then 1 else 0",
     "if some line of 2 in Square has stone[it] = player then 1 else 0"),
    ("count of Square where (count of neighbours(it) where stone = player) = 1",
     "count of Square where (count of neighbours(it) where stone[it] = player) = 1"),
    ("count of hand of 1 where marked", "count of hand of 1 where marked of it"),
    ("rank of the c in hand of 1 with lowest (if marked then 0 else rank)",
     "rank of the c in hand of 1 with lowest (if marked of c then 0 else rank of c)"),
])  # fmt: skip
def test_what_stands_alone_is_of_what_is_looked_at(alone: str, in_full: str) -> None:
    both = [rulesrun.loads(BOARD.format(points=points)) for points in (alone, in_full)]
    for seed in range(5):
        games = [book.start(seed=seed) for book in both]
        while not isinstance(games[0].pending, rulesrun.End):
            games = [game.apply(seed % len(game.legal())) for game in games]
        assert games[0].result() == games[1].result()


def test_a_choice_of_that_name_is_the_choice() -> None:
    text = BOARD.format(points="1").replace("s in Square where stone is nothing", "s in Square, stone in 1..9")
    text = text.replace("  stone[s] becomes player\n", "")
    found = read_text(text.replace("s = a1", "some t in Square has stone = 3"), "test.rules")
    assert found.program is not None
    assert "shadowed-name" in [one.code for one in found.diagnostics]


@pytest.mark.parametrize("line", ["all choose lay where wins = 0", "all choose lay where wins < 2, else end phase"])
def test_a_number_can_be_called_wins(line: str) -> None:
    """The word says who wins where a line ends with it; elsewhere it may be a name of the rules."""
    found = read_text(f"""rules 1
game "Wins"
players 2
number wins of player: 0..3 = 0
phase play: repeat 2 times
  {line}
action lay
  wins increases by 1
score at end
  points = wins
ranking: highest total, ties share
""", "test.rules")
    assert found.program is not None, found.diagnostics
