"""Blackjack beside OpenSpiel's, and a small table beside a program written apart."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import pytest
from attrs import evolve, frozen

pytest.importorskip("llvmlite")

from tests.gallery.card_facts import HERE, facts_of, facts_of_rules, play_rules, play_spiel

NAME = "gallery/blackjack"


def test_random_games_are_worth_what_they_are_in_openspiel() -> None:
    """The differences in rules are the lines of the variant."""
    pyspiel = pytest.importorskip("pyspiel")
    theirs = play_spiel(pyspiel.load_game("blackjack"), 40_000)
    play_rules(str(HERE / "openspiel_blackjack.rules"), 1, 40_000).agree_with(theirs)


@frozen
class Deal:
    """Four aces, four sixes, four tens; one player with one chip. Cards go to the player, face down, to the dealer."""

    left: tuple[int, ...] = (4, 4, 4)
    mine: tuple[int, ...] = ()
    dealers: tuple[int, ...] = ()
    stake: int = 1
    draws: bool = True
    done: bool = False

    @property
    def player(self) -> int:
        return 0 if self.draws else 1

    def follow(self) -> Iterator[tuple[Deal, int]]:
        if self.draws:
            for at, card in enumerate((1, 6, 10)):
                if self.left[at]:
                    left = tuple(count - (at == other) for other, count in enumerate(self.left))
                    yield evolve(self, left=left).take(card), self.left[at]
        else:
            yield evolve(self, draws=True), 1
            yield evolve(self, done=True).go_on(), 1
            if len(self.mine) == 2:
                yield evolve(self, draws=True, stake=2), 1

    def take(self, card: int) -> Deal:
        if self.done or (len(self.mine) == 2 and len(self.dealers) < 2):
            return evolve(self, dealers=(*self.dealers, card)).go_on()
        return evolve(self, mine=(*self.mine, card), done=self.stake == 2).go_on()

    def go_on(self) -> Deal:
        if len(self.mine) < 2 or len(self.dealers) < 2:
            return evolve(self, draws=True)
        over = self.done or is_natural(self.dealers) or worth(self.mine) >= 21
        if not over:
            return evolve(self, draws=False)
        waits = worth(self.mine) <= 21 and not is_natural(self.mine)
        return evolve(self, done=True, draws=waits and worth(self.dealers) < 17)

    def scores(self) -> tuple[Fraction] | None:
        if not self.done or self.draws:
            return None
        mine, dealers = worth(self.mine), worth(self.dealers)
        if is_natural(self.mine) or is_natural(self.dealers):
            return (Fraction(3, 2) * is_natural(self.mine) * (not is_natural(self.dealers))
                    - is_natural(self.dealers) * (not is_natural(self.mine)),)
        if mine > 21 or mine < dealers <= 21:
            return (Fraction(-self.stake),)
        return (Fraction(self.stake * (dealers > 21 or mine > dealers)),)


def worth(cards: tuple[int, ...]) -> int:
    return max((total for total in (sum(cards), sum(cards) + 10 * (1 in cards)) if total <= 21), default=sum(cards))


def is_natural(cards: tuple[int, ...]) -> bool:
    return sorted(cards) == [1, 10]


def test_a_small_table_is_worth_exactly_this() -> None:
    assert facts_of_rules(NAME, small="aces, sixes and tens, four of each") == facts_of(Deal())
