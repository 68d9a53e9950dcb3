"""What is to be expected of random play, exactly, against plain programs that know nothing of rules files."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product

from rulesrun.interpreter.tree import Expectation, count_tree
from tests.interpreter.made import table

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


@cache
def noughts_and_crosses(board: str) -> tuple[Fraction, ...]:
    """Of the first, of the second, of nobody; decisions from here on."""
    to_move, other = "XO" if board.count(".") % 2 else "OX"
    if any(all(board[at] == other for at in line) for line in LINES):
        return (Fraction(other == "X"), Fraction(other == "O"), Fraction(0), Fraction(0))
    free = [at for at in range(9) if board[at] == "."]
    if not free:
        return (Fraction(0), Fraction(0), Fraction(1), Fraction(0))
    following = [noughts_and_crosses(board[:at] + to_move + board[at + 1 :]) for at in free]
    *shares, decisions = (sum(column, Fraction(0)) / len(free) for column in zip(*following, strict=True))
    return (*shares, decisions + 1)


def test_noughts_and_crosses_in_plain_python() -> None:
    """The figures that everybody knows: 737/1260, 121/420, 8/63; also what machine code says of it."""
    first, second, nobody, decisions = noughts_and_crosses("." * 9)
    assert (first, second, nobody) == (Fraction(737, 1260), Fraction(121, 420), Fraction(8, 63))
    assert decisions == Fraction(3203, 420)


DICE = """
number die of player: 1..3
number rolls: 0..9 = 0
phase play: one turn each from 1
  roll die
  rolls increases by 1
  choose keep or again
action keep
action again
  needs die of player < 3
  roll die
can happen "a three is rolled again": some p in players has die of p = 3
can happen "never": rolls = 9
at most 1/2 of games "all are alike": every p in players has die of p = die of 1
score at end
  points = die
ranking: highest total, ties share
"""


def dice(players: int) -> Expectation:
    """Every seat alone: of each die at the end, and whether a three was seen where somebody chose."""
    own: Counter[tuple[int, bool]] = Counter()
    for face in (1, 2, 3):
        if face == 3:
            own[3, True] += Fraction(1, 3)
            continue
        own[face, False] += Fraction(1, 6)  # kept
        for following in (1, 2, 3):
            own[following, False] += Fraction(1, 18)
    scores, wins, ties, alike, three = Fraction(0), Counter[int](), Fraction(0), Fraction(0), Fraction(0)
    for ends in product(own, repeat=players):
        odds = Fraction(1)
        for one in ends:
            odds *= own[one]
        faces = [face for face, _ in ends]
        winners = [seat for seat in range(players) if faces[seat] == max(faces)]
        scores += odds * faces[0]
        for seat in winners:
            wins[seat + 1] += odds / len(winners)
        ties += odds * (len(winners) > 1)
        alike += odds * (len(set(faces)) == 1)
        three += odds * (3 in faces or any(seen for _, seen in ends))
    each = dict.fromkeys(range(1, players + 1), scores)
    shares = {"a three is rolled again": three, "never": Fraction(0), "all are alike": alike}
    return Expectation(each, Fraction(players), dict(wins), ties, shares)


def test_dice_in_plain_python() -> None:
    for players in (2, 3):
        assert count_tree(table(DICE, players)).expectation == dice(players)


TOGETHER = """
number n of player: 0..2 = 0
phase play: repeat until some p in players has n of p = 2
  all choose say where n < 2
  choose rest
action say(k in 1..2)
  n becomes k
action rest
can happen "two ones": (count of players where n of it = 1) = 2
score at end
  points = n
ranking: highest total, ties share
"""


def test_who_choose_at_the_same_moment_choose_one_by_one() -> None:
    """Each round three decisions; it goes on while both say one, of four equally likely ways."""
    found = count_tree(table(TOGETHER, 2), 20)
    assert not found.is_complete
    assert found.expectation is None
    once = TOGETHER.replace("repeat until some p in players has n of p = 2", "repeat 2 times")
    two_rounds = count_tree(table(once.replace(" where n < 2", ""), 2)).expectation
    assert two_rounds is not None
    assert two_rounds.decisions == 6
    assert two_rounds.shares == {"two ones": 1 - Fraction(3, 4) ** 2}
    assert two_rounds.win_shares == {1: Fraction(1, 2), 2: Fraction(1, 2)}
    assert two_rounds.ties == Fraction(1, 2)
