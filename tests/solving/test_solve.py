"""Values of games that are known: by mathematics, by theory, or published."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from rulesrun.interpreter.solve.bounds import NoAnswer
from rulesrun.interpreter.solve.equilibrium import CfrSolver, best_response_value
from rulesrun.interpreter.solve.game_tree import build_game_tree
from rulesrun.interpreter.solve.solve import solve_game
from tests.bots.tables import table_of
from tests.command_line import interrupting, run_here
from tests.interpreter.made import table


def nim_value(heaps: tuple[int, ...], misere: bool) -> int:
    """Bouton's theorem: 1 when who begins wins."""
    total = 0
    for heap in heaps:
        total ^= heap
    if misere and max(heaps) <= 1:
        return 1 if len([heap for heap in heaps if heap]) % 2 == 0 else -1
    return 1 if total else -1


@pytest.mark.parametrize("misere", [False, True])
@pytest.mark.parametrize("heaps", [(1,), (1, 1), (1, 2), (1, 2, 3), (3, 3), (2, 4, 6), (1, 3, 5), (1, 1, 1), (5,)])
def test_nim(heaps: tuple[int, ...], misere: bool) -> None:
    made = table_of("classics/nim", heaps=list(heaps), misere="yes" if misere else "no")
    answer = solve_game(made)
    assert answer.is_exact
    assert answer.values == (nim_value(heaps, misere), -nim_value(heaps, misere))


def test_the_first_choice_in_nim_leaves_nothing_over() -> None:
    """From 1, 2, 4 the only winning choice is to take one from the heap of four: 1 xor 2 xor 3 is 0."""
    answer = solve_game(table_of("classics/nim", heaps=[1, 2, 4]))
    best = [option.arguments for option, share in answer.plays[0].shares if share > 0]
    assert best == [(("heap", 3), ("amount", 1))]


def test_tic_tac_toe_is_a_draw() -> None:
    answer = solve_game(table_of("classics/tic_tac_toe"))
    assert answer.values == (0, 0)
    assert all(share > 0 for _, share in answer.plays[0].shares)  # no first mark loses


def test_kuhn() -> None:
    """Kuhn, 1950: the game is worth -1/18 to who begins."""
    answer = solve_game(table_of("classics/kuhn"), 1e-3)
    low, high = answer.between
    assert low <= -1 / 18 <= high
    assert answer.exploitability < 1e-3
    assert answer.information_sets == (6, 6)
    assert answer.values[0] == pytest.approx(-1 / 18, abs=1e-3)


def test_kuhn_strategy_is_one_of_the_known_family() -> None:
    """Who begins bets the lowest card with chance a up to 1/3, the highest with 3a, calls with the middle: a + 1/3."""
    answer = solve_game(table_of("classics/kuhn"), 1e-4)

    def share(card: int, heard: int, action: str) -> float:
        for play in answer.plays:
            hand = play.state.slots[room.base]
            if play.player == 1 and len(play.heard) == heard and hand == (card - 1,):
                return next(share for option, share in play.shares if option.action == action)
        raise AssertionError

    room = next(one for one in table_of("classics/kuhn").bench.zones.values() if one.declaration.name.text == "hand")
    bluff = share(1, 0, "bet")
    assert 0 <= bluff <= 1 / 3 + 0.02
    assert share(3, 0, "bet") == pytest.approx(3 * bluff, abs=0.05)
    assert share(2, 0, "bet") == pytest.approx(0, abs=0.02)
    assert share(2, 2, "call") == pytest.approx(bluff + 1 / 3, abs=0.05)


def test_leduc() -> None:
    """Published: -0.0856 to who begins."""
    answer = solve_game(table_of("classics/leduc"), 1e-3, 120)
    low, high = answer.between
    assert answer.exploitability < 1e-3
    assert low <= -0.0856 + 5e-5
    assert high >= -0.0856 - 5e-5
    assert answer.information_sets == (144, 144)


def test_rock_paper_scissors_and_a_lopsided_throw() -> None:
    answer = solve_game(table_of("classics/rock_paper_scissors"))
    assert answer.values[0] == pytest.approx(0, abs=1e-3)
    assert all(share == pytest.approx(1 / 3, abs=0.01) for _, share in answer.plays[0].shares)


PENNIES = """
values Side: heads, tails
marker shown of player: Side or nothing
phase showing
  all choose show_side
action show_side(side in Side)
  shown becomes side
define same = shown of 1 = shown of 2
define prize = if shown of 1 = heads then 3 else 1
score at end
  points = if same = (player = 1) then prize else -prize
"""


def test_matching_pennies_by_hand() -> None:
    """Player 1 gets 3 for two heads, 1 for two tails, else pays 3 (for heads) or 1: heads with q, tails with 1 - q.

    The other's heads give 3q - (1 - q), tails -3q + (1 - q): equal for q = 1/4, worth 0.
    """
    answer = solve_game(table(PENNIES), 1e-4)
    assert not answer.is_exact
    assert answer.values[0] == pytest.approx(0, abs=1e-3)
    own = next(play for play in answer.plays if play.player == 1)
    assert own.shares[0][1] == pytest.approx(1 / 4, abs=0.02)


def test_chance_by_hand() -> None:
    """Throw once, and once more if you like (the second counts): keep 4 and more of a six-sided die."""
    answer = solve_game(table("""
number face: 1..6 = 1
phase throwing
  roll face
  choose keep or again
action keep
action again
  roll face
score at end
  points = if player = 1 then face else -face
"""))
    assert answer.is_exact
    assert answer.values == (Fraction(17, 4), -Fraction(17, 4))


def test_a_best_response_to_a_bad_strategy() -> None:
    """Against coin tosses in Kuhn's game."""
    tree = build_game_tree(table_of("classics/kuhn"))
    solving = CfrSolver(tree)
    uniform = solving.current
    first, second = (best_response_value(tree, solving.payoffs, uniform, player) for player in (1, 2))
    assert first == pytest.approx(float(by_hand_first()))
    assert second > 0


def by_hand_first() -> Fraction:
    """The best plan of the first player against coin tosses, card by card, worked out from the rules of the game."""
    total = Fraction(0)
    for own in (1, 2, 3):
        worths = []
        signs = [1 if own > other else -1 for other in (1, 2, 3) if other != own]
        showdown = Fraction(sum(signs), 2)
        worths.append(Fraction(1, 2) * 1 + Fraction(1, 2) * 2 * showdown)  # bet: half fold, half call
        answered = max(Fraction(-1), 2 * showdown)  # passed, and the other bet: the card of who bets says nothing
        worths.append(Fraction(1, 2) * showdown + Fraction(1, 2) * answered)
        total += max(worths) / 3
    return total


@pytest.mark.parametrize(("name", "players", "says"), [
    ("classics/kuhn", 3, "two players"), ("zero", 2, "wins what the other loses"), ("the_game", 2, "here"),
    ("classics/tic_tac_toe", 2, None),
])
def test_what_is_refused(name: str, players: int, says: str | None) -> None:
    made = table_of(name, players)
    if says is None:
        assert solve_game(made).is_exact
        return
    with pytest.raises(NoAnswer, match=says):
        solve_game(made)


def test_too_large_is_said_in_time() -> None:
    with pytest.raises(NoAnswer, match="too large"):
        solve_game(table_of("classics/pig"), seconds=0.5)


def test_circles_have_no_value() -> None:
    with pytest.raises(NoAnswer, match="can repeat"):
        solve_game(table("""
marker left_side: yes or no = no
marker stopped: yes or no = no
phase play: turns from 1 until stopped
  choose swing or stop
action swing
  left_side becomes not left_side
action stop
  stopped becomes yes
score at end
  points = if player = 1 then 1 else -1
"""))


def test_interrupted_it_tells_the_bounds_it_has(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The value of Kuhn poker, -1/18, lies between what best responses to any strategies leave and win."""
    words = ["solve", "classics/kuhn", "--players", "2", "--within", "0.0001", "--json"]
    monkeypatch.setattr(CfrSolver, "update_player", interrupting(CfrSolver.update_player, 9))
    done = run_here(*words, folder=tmp_path)
    assert done.returncode == 2
    assert "interrupted" in done.stderr
    document = json.loads(done.stdout)
    low, high = document["value_between"]
    assert (document["partial"], document["iterations"]) == (True, 5)
    assert low < -1 / 18 < high
    assert high - low > 0.0002
