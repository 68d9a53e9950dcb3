"""Spades beside OpenSpiel's; a small deal beside a program written apart; whole games judged a second time."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from attrs import define, evolve, field, frozen

import rulesrun
from tests.gallery.card_facts import HERE, facts_of, facts_of_rules, play_rules, play_spiel

pytest.importorskip("llvmlite")

NAME = "gallery/spades"
SMALL = "a deal of two suits, one rank, hands of two"


@pytest.mark.parametrize("games", [3_000, pytest.param(50_000, marks=pytest.mark.long)])
def test_random_deals_are_worth_what_they_are_in_openspiel(games: int) -> None:
    """The differences in rules are the lines of the variant."""
    pyspiel = pytest.importorskip("pyspiel")
    theirs = play_spiel(pyspiel.load_game("spades"), games)
    play_rules(str(HERE / "openspiel_spades.rules"), 4, 50_000).agree_with(theirs)


@define
class Judge:
    """Counts a game from what is chosen, card by card; says whose choice is next."""

    totals: list[int] = field(factory=lambda: [0, 0])
    bags: list[int] = field(factory=lambda: [0, 0])
    bids: list[int] = field(factory=list)
    tricks: list[int] = field(factory=lambda: [0, 0, 0, 0])
    trick: list[tuple[str, int]] = field(factory=list)
    starter: int = 0
    leader: int = 0

    def next_seat(self) -> int:
        return (self.starter + len(self.bids)) % 4 if len(self.bids) < 4 else (self.leader + len(self.trick)) % 4

    def hear(self, choice: rulesrun.Choice) -> None:
        ((_, said),) = choice.arguments
        if choice.action == "bid_tricks":
            self.bids.append(int(str(said)))
            return
        suit, rank = str(said).split("-")
        self.trick.append((suit, int(rank)))
        if len(self.trick) == 4:
            self._take_trick()
        if sum(self.tricks) == 13:
            self._count_deal()

    def _take_trick(self) -> None:
        spades = [card for card in self.trick if card[0] == "spades"]
        best = max(spades or [card for card in self.trick if card[0] == self.trick[0][0]])
        self.leader = (self.leader + self.trick.index(best)) % 4
        self.tricks[self.leader] += 1
        self.trick = []

    def _count_deal(self) -> None:
        bids = [self.bids[(seat - self.starter) % 4] for seat in range(4)]
        for side in (0, 1):
            wanted, taken = bids[side] + bids[side + 2], self.tricks[side] + self.tricks[side + 2]
            for seat in (side, side + 2):
                if bids[seat] == 0:
                    self.totals[side] += -100 if self.tricks[seat] else 100
            over = max(taken - wanted, 0)
            self.totals[side] += (10 * wanted if taken >= wanted else -10 * wanted) + over
            for _ in range(over):
                self.bags[side] += 1
                if self.bags[side] % 10 == 0:
                    self.totals[side] -= 100
        self.bids, self.tricks = [], [0] * 4
        self.starter = self.leader = (self.starter + 1) % 4

    def is_over(self) -> bool:
        return not self.bids and any(abs(total) >= 500 for total in self.totals)


@pytest.mark.parametrize("highest_bid", [0, 3, 13])
def test_whole_games_are_counted_as_by_hand(highest_bid: int) -> None:
    for seed in range(3):
        chance, judge = Random(seed), Judge()
        position = rulesrun.load(NAME).start(4, seed=seed)
        while isinstance(position.pending, rulesrun.Decision):
            assert not judge.is_over()
            assert position.pending.player == judge.next_seat() + 1
            options = position.legal()
            bids = options[0].action == "bid_tricks"
            chosen = options[chance.randint(0, highest_bid)] if bids else chance.choice(options)
            judge.hear(chosen)
            position = position.apply(chosen)
        result = position.result()
        assert result is not None
        assert judge.is_over()
        assert list(result.scores.values()) == judge.totals * 2


@frozen
class Deal:
    """Four clubs and four spades, two a player: of equal cards the first seat's takes the trick."""

    left: tuple[int, int] = (4, 4)
    hands: tuple[str, ...] = ("", "", "", "")
    bids: tuple[int, ...] = ()
    trick: str = ""
    leader: int = 0
    taken: tuple[int, ...] = ()
    broken: bool = False

    @property
    def player(self) -> int:
        if sum(self.left):
            return 0
        return 1 + (len(self.bids) if len(self.bids) < 4 else (self.leader + len(self.trick)) % 4)

    def follow(self) -> Iterator[tuple[Deal, int]]:
        if sum(self.left):
            seat = (8 - sum(self.left)) // 2
            for at, card in enumerate("cs"):
                if self.left[at]:
                    hands = (*self.hands[:seat], self.hands[seat] + card, *self.hands[seat + 1:])
                    left = (self.left[0] - (at == 0), self.left[1] - (at == 1))
                    yield evolve(self, left=left, hands=hands), self.left[at]
        elif len(self.bids) < 4:
            for bid in range(3):
                yield evolve(self, bids=(*self.bids, bid)), 1
        else:
            for card in sorted(self._playable()):
                yield self._play(card), 1

    def _playable(self) -> set[str]:
        hand = set(self.hands[self.player - 1])
        if self.trick:
            return hand & {self.trick[0]} or hand
        return hand if self.broken else hand - {"s"} or hand

    def _play(self, card: str) -> Deal:
        seat, trick = self.player - 1, self.trick + card
        hands = (*self.hands[:seat], self.hands[seat].replace(card, "", 1), *self.hands[seat + 1:])
        after = evolve(self, hands=hands, trick=trick, broken=self.broken or card == "s")
        if len(trick) < 4:
            return after
        best = "s" if "s" in trick else "c"
        taker = min((self.leader + at) % 4 for at in range(4) if trick[at] == best)
        return evolve(after, trick="", leader=taker, taken=(*self.taken, taker))

    def scores(self) -> list[int] | None:
        if len(self.taken) < 2:
            return None
        sides = []
        for side in (0, 1):
            seats = (side, side + 2)
            wanted, taken = sum(self.bids[seat] for seat in seats), sum(self.taken.count(seat) for seat in seats)
            nils = sum(-100 if seat in self.taken else 100 for seat in seats if self.bids[seat] == 0)
            sides.append(nils + (10 * wanted + taken - wanted if taken >= wanted else -10 * wanted))
        return sides * 2


def test_a_small_deal_is_worth_exactly_this() -> None:
    assert facts_of_rules(NAME, small=SMALL) == facts_of(Deal())
