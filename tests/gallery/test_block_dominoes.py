"""Block dominoes beside OpenSpiel's, which is written in Python, and small sets beside a program written apart."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement

import pytest
from attrs import evolve, frozen

pytest.importorskip("llvmlite")

from tests.gallery.card_facts import HERE, facts_of, facts_of_rules, play_rules, play_spiel

NAME = "gallery/block_dominoes"
Tile = tuple[int, int]


@pytest.mark.parametrize("games", [400, pytest.param(10_000, marks=pytest.mark.long)])
def test_random_games_are_worth_what_they_are_in_openspiel(games: int) -> None:
    """No rule differs, but that OpenSpiel asks nobody to knock."""
    pyspiel = pytest.importorskip("pyspiel")
    pytest.importorskip("open_spiel.python.games.block_dominoes")
    theirs = play_spiel(pyspiel.load_game("python_block_dominoes"), games)
    play_rules(str(HERE / "openspiel_block_dominoes.rules"), 2, 20_000).agree_with(theirs)


@frozen
class Dominoes:
    deck: tuple[Tile, ...]
    hands: tuple[tuple[Tile, ...], ...]
    hand_size: int
    ends: tuple[int, ...] = ()
    turn: int = 0
    knocks: int = 0

    @property
    def player(self) -> int:
        return 0 if self._dealt_to() is not None else self.turn + 1

    def _dealt_to(self) -> int | None:
        return next((seat for seat, hand in enumerate(self.hands) if len(hand) < self.hand_size), None) \
            if not self.ends else None

    def follow(self) -> Iterator[tuple[Dominoes, int]]:
        seat = self._dealt_to()
        if seat is not None:
            for tile in self.deck:
                hands = replace(self.hands, seat, (*self.hands[seat], tile))
                yield evolve(self, deck=tuple(t for t in self.deck if t != tile), hands=hands), 1
            return
        moves = list(self._placed())
        yield from moves
        if not moves:
            yield evolve(self, turn=(self.turn + 1) % len(self.hands), knocks=self.knocks + 1), 1

    def _placed(self) -> Iterator[tuple[Dominoes, int]]:
        for tile in self.hands[self.turn]:
            rest = tuple(t for t in self.hands[self.turn] if t != tile)
            after = evolve(
                self, hands=replace(self.hands, self.turn, rest), knocks=0, turn=(self.turn + 1) % len(self.hands)
            )
            if not self.ends:
                yield evolve(after, ends=tile), 1
                continue
            for end in set(self.ends):
                if end in tile:
                    other = self.ends[1] if self.ends[0] == end else self.ends[0]
                    yield evolve(after, ends=(other, tile[1] if tile[0] == end else tile[0])), 1

    def scores(self) -> list[int] | None:
        if not self.ends or (self.knocks < len(self.hands) and all(self.hands)):
            return None
        pips = [sum(map(sum, hand)) for hand in self.hands]
        least = min(pips)
        if pips.count(least) > 1:
            return [0] * len(pips)
        return [sum(pips) - least if own == least else -own for own in pips]


def replace(hands: tuple[tuple[Tile, ...], ...], seat: int, hand: tuple[Tile, ...]) -> tuple[tuple[Tile, ...], ...]:
    return (*hands[:seat], hand, *hands[seat + 1:])


@pytest.mark.parametrize(("players", "most_pips", "hand_size"), [(2, 2, 2), (3, 2, 1)])
def test_a_small_set_is_worth_exactly_this(players: int, most_pips: int, hand_size: int) -> None:
    deck = tuple(combinations_with_replacement(range(most_pips + 1), 2))
    ours = facts_of_rules(NAME, players=players, options={"most_pips": most_pips, "hand_size": hand_size})
    written = facts_of(Dominoes(deck, ((),) * players, hand_size))
    assert ours.scores[1] == written.scores[1]
    assert (ours.scores, ours.decisions, ours.terminals) == (written.scores, written.decisions, written.terminals)
