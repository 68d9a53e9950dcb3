"""Thousand beside a program written apart: every question of whole games, their means, a small tree whole."""

from __future__ import annotations

from collections.abc import Generator
from random import Random

import pytest

import rulesrun
from tests.gallery.card_facts import facts_of_rules, play_rules
from tests.gallery.told_games import Question, Told, facts_of_told, follow_rules, play_told

pytest.importorskip("llvmlite")

NAME = "gallery/thousand"
WORTH = {"9": 0, "J": 2, "Q": 3, "K": 4, "10": 10, "A": 11}
MARRIAGE = {"spades": 40, "clubs": 60, "diamonds": 80, "hearts": 100}
DECK = [f"{suit}-{rank}" for suit in MARRIAGE for rank in WORTH]


TellsPoints = Generator[Question, str, list[int]]


def suit(card: str) -> str:
    return card.split("-")[0]


def rank(card: str) -> str:
    return card.split("-")[1]


def paired(hand: list[str]) -> set[str]:
    return {one for one in MARRIAGE if f"{one}-K" in hand and f"{one}-Q" in hand}


def tell_thousand(
    deals: int = 30, cards: list[str] = DECK, size: int = 7, plain_limit: int = 120,
    marriage: dict[str, int] = MARRIAGE, must_beat: bool = False,
) -> TellsPoints:
    totals, on_barrel = [0, 0, 0], [0, 0, 0]
    for number in range(deals):
        starter = number % 3
        deck, hands, talon = list(cards), [[], [], []], []  # type: tuple[list[str], list[list[str]], list[str]]
        for place in [hand for hand in hands for _ in range(size)] + [talon] * 3:
            card = yield 0, list(deck)
            deck.remove(card)
            place.append(card)
        on_barrel = [before + 1 if total == 880 else 0 for before, total in zip(on_barrel, totals, strict=True)]
        contract, declarer, passed, seat = 100, starter, [False] * 3, starter
        while passed.count(False) > 1:
            seat = (seat + 1) % 3
            if not passed[seat]:
                answer = yield seat + 1, [*bids(hands[seat], contract, plain_limit, marriage), "pass"]
                if answer == "pass":
                    passed[seat] = True
                else:
                    contract, declarer = int(answer.split()[1]), seat
        hand = hands[declarer]
        hand += talon
        answer = yield declarer + 1, [f"hand_out {a} {b}" for a in hand for b in rest(hand, a)] + ["give_up"]
        gave_up = answer == "give_up"
        got = [0, 0, 0]
        if not gave_up:
            for step, card in enumerate(answer.split()[1:], 1):
                hand.remove(card)
                hands[(declarer + step) % 3].append(card)
            answer = yield declarer + 1, [*bids(hand, contract, plain_limit, marriage), "keep"]
            if answer != "keep":
                contract = int(answer.split()[1])
            got = yield from tell_play(hands, declarer, marriage, must_beat)
        for one in range(3):
            totals[one] = new_total(
                totals[one], on_barrel[one], got[one], contract if one == declarer else 0, gave_up
            )
        if max(totals) >= 1000:
            break
    return totals


def rest(hand: list[str], card: str) -> list[str]:
    """All others, one of equal ones among them."""
    at = hand.index(card)
    return hand[:at] + hand[at + 1:]


def bids(hand: list[str], contract: int, plain_limit: int, marriage: dict[str, int]) -> list[str]:
    limit = plain_limit + sum(marriage[one] for one in paired(hand))
    return [f"bid {points}" for points in range(contract + 5, limit + 1, 5)]


def tell_play(hands: list[list[str]], leader: int, marriage: dict[str, int], must_beat: bool) -> TellsPoints:
    got, taken, trump = [0, 0, 0], [0, 0, 0], ""
    while hands[leader]:
        trick: list[str] = []
        for seat in ((leader + step) % 3 for step in range(3)):
            hand = hands[seat]
            answers = [f"play {card}" for card in playable(hand, trick, trump, must_beat)]
            if not trick and taken[leader]:
                answers += [f"announce {card}" for card in hand if rank(card) in "KQ" and suit(card) in paired(hand)]
            said, card = (yield seat + 1, answers).split()
            if said == "announce":
                trump = suit(card)
                got[seat] += marriage[trump]
            hand.remove(card)
            trick.append(card)
        best = max(power(card, trick, trump) for card in trick)
        first = min((leader + at) % 3 for at, card in enumerate(trick) if power(card, trick, trump) == best)
        leader = first  # of equal cards, which a small table has, the first seat's
        taken[leader] += 1
        got[leader] += sum(WORTH[rank(card)] for card in trick)
    return got


def playable(hand: list[str], trick: list[str], trump: str, must_beat: bool) -> list[str]:
    if not trick:
        return hand
    led = [card for card in hand if suit(card) == suit(trick[0])]
    fitting = led or [card for card in hand if suit(card) == trump] or hand
    if must_beat:
        highest = max(power(card, trick, trump) for card in trick)
        return [card for card in fitting if power(card, trick, trump) >= highest] or fitting
    return fitting


def power(card: str, trick: list[str], trump: str) -> int:
    if suit(card) == trump:
        return 100 + WORTH[rank(card)]
    return WORTH[rank(card)] if suit(card) == suit(trick[0]) else -1


def new_total(total: int, deals_on_barrel: int, got: int, contract: int, gave_up: bool) -> int:
    if contract:
        change = contract if got >= contract and not gave_up else -contract
    elif deals_on_barrel:
        change = 0
    else:
        change = 60 if gave_up else 5 * round(got / 5)
    if deals_on_barrel and total + change >= 1000:
        return total + change
    if deals_on_barrel == 3:
        return 760
    return min(total + change, 880)


def test_every_question_of_random_games() -> None:
    for seed in range(3):
        follow_rules(rulesrun.load(NAME).start(3), tell_thousand(), Random(seed))
    follow_rules(rulesrun.load(NAME).start(3, {"must_beat": "yes"}), tell_thousand(must_beat=True), Random(3))


def test_the_barrel() -> None:
    """The first seat bids and gives up, deal after deal: the others climb on the barrel, and fall from it."""
    def taste(seat: int, said: list[str]) -> list[str]:
        return [one for one in said if one in (("bid 105", "give_up") if seat == 1 else ("pass", "keep"))]

    position = rulesrun.load(NAME).start(3)
    totals: list[int] = []

    def tell() -> Told:
        totals[:] = yield from tell_thousand()
        return totals

    follow_rules(position, tell(), Random(1), taste)
    assert totals[0] < -1000
    assert 760 <= totals[1] <= 880


@pytest.mark.parametrize("games", [100, pytest.param(3_000, marks=pytest.mark.long)])
def test_random_games_are_worth_the_same(games: int) -> None:
    play_rules(NAME, 3, 2_000).agree_with(play_told(tell_thousand, games))


@pytest.mark.long
def test_a_small_table_is_worth_exactly_this() -> None:
    cards = [f"hearts-{one}" for one in "QKA"] * 3
    ours = facts_of_rules(NAME, small="one suit, three of each, hands of two")
    assert ours == facts_of_told(lambda: tell_thousand(1, cards, 2, 105, dict.fromkeys(MARRIAGE, 5)))
