"""Podkidnoy durak beside a program written apart: every question of random games, their means, a small tree whole."""

from __future__ import annotations

from collections.abc import Generator
from random import Random

import pytest

import rulesrun
from tests.gallery.card_facts import facts_of_rules, play_rules
from tests.gallery.told_games import Question, Told, facts_of_told, follow_rules, play_told

pytest.importorskip("llvmlite")

NAME = "gallery/durak"
DECK = [f"{suit}-{rank}" for suit in ("clubs", "diamonds", "hearts", "spades") for rank in range(6, 15)]
SMALL_DECK = [f"{suit}-{rank}" for suit in ("clubs", "hearts") for rank in range(6, 9)]


def suit(card: str) -> str:
    return card.split("-")[0]


def rank(card: str) -> int:
    return int(card.split("-")[1])


def tell_durak(players: int, cards: list[str], size: int, first_limit: int = 6, alone: bool = False) -> Told:
    deck, seats = list(cards), range(players)
    last = yield 0, list(deck)
    deck.remove(last)
    hands: list[list[str]] = [[] for _ in seats]

    def draw(seat: int) -> Generator[Question, str, None]:
        card = yield 0, list(deck) or [last]
        if card == last:
            at_bottom.clear()
        else:
            deck.remove(card)
        hands[seat].append(card)

    at_bottom = [last]
    for seat in seats:
        for _ in range(size):
            yield from draw(seat)
    trump = suit(last)
    first = min(seats, key=lambda seat: (min([rank(c) for c in hands[seat] if suit(c) == trump], default=99), seat))
    attacker, limit = first, first_limit
    while sum(map(bool, hands)) > 1:
        around = [(attacker + step) % players for step in range(1, players)]
        defender = next(seat for seat in around if hands[seat])
        limit = min(limit, len(hands[defender]))
        card = (yield attacker + 1, [f"attack {c}" for c in hands[attacker]]).split()[1]
        hands[attacker].remove(card)
        lying, attacks, takes = [card], 1, False
        while card:
            if not takes:
                able = [f"beat {c}" for c in hands[defender] if beats(c, card, trump)]
                answer = yield defender + 1, [*able, "take"]
                takes = answer == "take"
                if not takes:
                    hands[defender].remove(answer.split()[1])
                    lying.append(answer.split()[1])
            card = ""
            for seat in [attacker, *around]:
                if seat == defender or not hands[seat] or attacks == limit or (alone and seat != attacker):
                    continue
                fitting = [f"throw_in {c}" for c in hands[seat] if rank(c) in map(rank, lying)]
                answer = yield seat + 1, [*fitting, "pass"]
                if answer != "pass":
                    card = answer.split()[1]
                    hands[seat].remove(card)
                    lying.append(card)
                    attacks += 1
                    break
        if takes:
            hands[defender] += lying
        for seat in [attacker, *(one for one in around if one != defender), defender]:
            while len(hands[seat]) < size and (deck or at_bottom):
                yield from draw(seat)
        after = [(attacker + step) % players for step in range(1, players + 1)]
        attacker = next((one for one in after if hands[one] and not (takes and one == defender)), attacker)
        limit = 6
    fools = [bool(hand) for hand in hands]
    return [0 if not any(fools) else 1 - players if fool else 1 for fool in fools]


def beats(higher: str, lower: str, trump: str) -> bool:
    if suit(higher) == suit(lower):
        return rank(higher) > rank(lower)
    return suit(higher) == trump


@pytest.mark.parametrize("players", range(2, 7))
def test_every_question_of_random_games(players: int) -> None:
    for seed in range(4):
        follow_rules(rulesrun.load(NAME).start(players), tell_durak(players, DECK, 6), Random(seed))


def test_options_ask_what_they_say() -> None:
    options = {"most_in_first_bout": 5, "who_throws_in": "the_attacker"}
    for seed in range(5):
        follow_rules(rulesrun.load(NAME).start(3, options), tell_durak(3, DECK, 6, 5, True), Random(seed))


@pytest.mark.parametrize(("players", "games"), [(2, 800), pytest.param(5, 10_000, marks=pytest.mark.long)])
def test_random_games_are_worth_the_same(players: int, games: int) -> None:
    play_rules(NAME, players, 10_000).agree_with(play_told(lambda: tell_durak(players, DECK, 6), games))


@pytest.mark.long
def test_a_small_table_is_worth_exactly_this() -> None:
    ours = facts_of_rules(NAME, small="six cards of two suits, hands of two")
    assert ours == facts_of_told(lambda: tell_durak(2, SMALL_DECK, 2))
