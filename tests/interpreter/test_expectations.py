"""What is to be expected of random play, exactly, against plain programs that know nothing of rules files."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product

import pytest
from attrs import define, field

from rulesrun.interpreter.play.game_tree import Expectation, count_tree
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
    own: defaultdict[tuple[int, bool], Fraction] = defaultdict(Fraction)
    wins: defaultdict[int, Fraction] = defaultdict(Fraction)
    for face in (1, 2, 3):
        if face == 3:
            own[3, True] += Fraction(1, 3)
            continue
        own[face, False] += Fraction(1, 6)  # kept
        for following in (1, 2, 3):
            own[following, False] += Fraction(1, 18)
    scores, ties, alike, three = Fraction(0), Fraction(0), Fraction(0), Fraction(0)
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


# ---- rulebooks made up at random

OPERATIONS = {
    "roll": "  roll face\n  v increases by face\n",
    "choose": "  choose one or two\n",
    "all": "  all choose say\n",
    "draw": "  draw 1 from deck to hand\n",
}
MADE_UP = """
card Card: rank 1..3, 2 of each
zone deck: pile of Card, hidden
zone hand of player: set of Card, private
number v of player: 0..99 = 0
number face: 1..3
setup
  shuffle all Card into deck
{phases}
action one
  v increases by 1
action two
  v increases by 2
action say(k in 0..1)
  v increases by k
can happen "three": some p in players has v of p = 3
at least 1/2 of games "all alike": every p in players has v of p = v of 1
score at end
  points = v + (sum of rank over hand)
ranking: highest total, ties share
"""


def rules_of(phases: list[list[str]]) -> str:
    written = [f"phase n{at}: one turn each from 1\n{''.join(OPERATIONS[one] for one in phase)}"
               for at, phase in enumerate(phases)]  # fmt: skip
    return MADE_UP.format(phases="".join(written))


@define
class Followed:
    """The same games in plain Python: what is added, ending by ending."""

    players: int
    operations: list[tuple[int, str]]
    sums: defaultdict[str, Fraction] = field(factory=lambda: defaultdict(Fraction))

    def follow(
        self, at: int, odds: Fraction, v: tuple[int, ...], drawn: tuple[tuple[int, ...], ...], asked: int, three: bool
    ) -> None:
        if at == len(self.operations):
            self.end(odds, v, drawn, asked, three)
            return
        seat, what = self.operations[at]
        for share, added, card in self.ways(what, seat, drawn):
            after = tuple(one + more for one, more in zip(v, added, strict=True))
            hands = tuple((*hand, card) if card and who == seat else hand for who, hand in enumerate(drawn))
            is_asked = {"choose": 1, "all": self.players}.get(what, 0)
            self.follow(at + 1, odds * share, after, hands, asked + is_asked, three or (is_asked > 0 and 3 in v))

    def ways(
        self, what: str, seat: int, drawn: tuple[tuple[int, ...], ...]
    ) -> Iterator[tuple[Fraction, tuple[int, ...], int]]:
        """Odds, what everybody gets, the card that is drawn."""
        if what in ("roll", "choose"):
            amounts = (1, 2, 3) if what == "roll" else (1, 2)
            for amount in amounts:
                added = tuple(amount if who == seat else 0 for who in range(self.players))
                yield Fraction(1, len(amounts)), added, 0
        elif what == "all":
            for together in product((0, 1), repeat=self.players):
                yield Fraction(1, 2**self.players), together, 0
        else:
            gone = Counter(card for hand in drawn for card in hand)
            left = {rank: 2 - gone[rank] for rank in (1, 2, 3)}
            for rank, copies in left.items():
                if copies:
                    yield Fraction(copies, sum(left.values())), (0,) * self.players, rank

    def end(
        self, odds: Fraction, v: tuple[int, ...], drawn: tuple[tuple[int, ...], ...], asked: int, three: bool
    ) -> None:
        scores = [own + sum(hand) for own, hand in zip(v, drawn, strict=True)]
        winners = [seat for seat, score in enumerate(scores) if score == max(scores)]
        for seat, score in enumerate(scores):
            self.sums[f"score {seat + 1}"] += odds * score
            self.sums[f"win {seat + 1}"] += odds / len(winners) * (seat in winners)
        self.sums["ties"] += odds * (len(winners) > 1)
        self.sums["decisions"] += odds * asked
        self.sums["three"] += odds * (three or 3 in v)
        self.sums["alike"] += odds * (len(set(v)) == 1)

    def expectation(self) -> Expectation:
        self.follow(0, Fraction(1), (0,) * self.players, ((),) * self.players, 0, False)
        scores, wins = (
            {seat: self.sums[f"{word} {seat}"] for seat in range(1, self.players + 1)} for word in ("score", "win")
        )
        shares = {"three": self.sums["three"], "all alike": self.sums["alike"]}
        return Expectation(scores, self.sums["decisions"], wins, self.sums["ties"], shares)


def made_up(seed: int) -> tuple[str, int, Expectation]:
    chance = random.Random(seed)
    players, phases = chance.choice((2, 2, 3)), chance.choice((1, 1, 2))
    most = {(2, 1): 3, (2, 2): 1, (3, 1): 2, (3, 2): 1}[players, phases]
    made = [[chance.choice(list(OPERATIONS)) for _ in range(chance.randint(1, most))] for _ in range(phases)]
    order = [(seat, one) for phase in made for seat in range(players) for one in phase]
    return rules_of(made), players, Followed(players, order).expectation()


def test_rulebooks_made_up_at_random_against_plain_python() -> None:
    for seed in range(12):
        text, players, expected = made_up(seed)
        assert count_tree(table(text, players)).expectation == expected, text


@pytest.mark.long
def test_many_rulebooks_made_up_at_random_against_plain_python() -> None:
    for seed in range(100, 400):
        text, players, expected = made_up(seed)
        assert count_tree(table(text, players)).expectation == expected, text
