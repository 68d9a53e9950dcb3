"""Gin rummy beside OpenSpiel's: the same deals, card by card, with every question and the score of each.

Rules that differ: a card just taken from the pile may not be thrown back at once, and whoever is level with the one
who knocked has undercut, as pagat.com says and OpenSpiel does not. OpenSpiel offers a last card to knock with when two
are left in the stock; there the comparison ends. And it looks for the melds that leave least of eleven cards before one
is thrown away, which now and then hides a knock: what may be knocked with is worked out here once more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, pairwise
from random import Random
from typing import Any

import pytest

import rulesrun
from tests.gallery.told_games import write

pyspiel = pytest.importorskip("pyspiel")

NAME = "gallery/gin_rummy"
SUITS = {"clubs": "c", "diamonds": "d", "hearts": "h", "spades": "s"}
TAKE, DRAW, PASS, KNOCK = 52, 53, 54, 55


def short(card: str) -> str:
    """`hearts-12` as OpenSpiel writes it."""
    suit, rank = card.split("-")
    return "A23456789TJQK"[int(rank) - 1] + SUITS[suit]


def cards_of(state: Any, action: int) -> frozenset[str]:
    text = state.action_to_string(action).split()[-1]
    return frozenset(text[at:at + 2] for at in range(0, len(text), 2))


def say(state: Any, *cards: str) -> None:
    """Throws a card, lays one off, or lays a meld."""
    wanted = frozenset(cards)
    (action,) = [one for one in state.legal_actions() if cards_of(state, one) == wanted]
    state.apply_action(action)


def melds_of(sets: list[str], runs: list[str]) -> Iterator[list[str]]:
    """Melds of three to five, as OpenSpiel has them: longer sequences are two of them."""
    for rank in {card[0] for card in sets}:
        yield [card for card in sets if card[0] == rank]
    order = "A23456789TJQK"
    for suit in SUITS.values():
        held = sorted((card for card in runs if card[1] == suit), key=lambda card: order.index(card[0]))
        breaks = [at for at, (one, other) in enumerate(pairwise(held), 1)
                  if order.index(other[0]) - order.index(one[0]) > 1]
        for begin, end in pairwise([0, *breaks, len(held)]):
            run = held[begin:end]
            while len(run) > 5:
                yield run[:3]
                run = run[3:]
            if run:
                yield run


def zone(position: rulesrun.Position, name: str, seat: int) -> list[str]:
    return [short(card) for card in position.observe(seat).now["zones"][f"{name}[{seat}]"]]


def play_deal(chance: Random, thrift: float, options: dict[str, Any], state: Any) -> str:
    """Says how the deal ended: gin, knock, undercut, wall."""
    position = rulesrun.load(NAME).start(2, {"most_deals": 1, **options})
    taken = ""
    while not isinstance(position.pending, rulesrun.End):
        legal = position.legal()
        if isinstance(position.pending, rulesrun.Chance):
            chosen = chance.choice(legal)
            say(state, short(write(chosen)))
            position = position.apply(chosen)
            continue
        if "Phase: Wall" in str(state) or state.is_terminal():
            return "wall"
        seat = position.pending.player
        assert seat == state.current_player() + 1
        actions = {choice.action for choice in legal}
        theirs = set(state.legal_actions())
        if actions & {"take", "refuse", "draw_card"}:
            assert {"take": TAKE, "refuse": PASS, "draw_card": DRAW}.keys() >= actions
            assert {{"take": TAKE, "refuse": PASS, "draw_card": DRAW}[one] for one in actions} == theirs
            chosen = chance.choice(legal)
            taken = short(position.observe(seat).now["zones"]["discards"]["top"]) if chosen.action == "take" else ""
            state.apply_action({"take": TAKE, "refuse": PASS, "draw_card": DRAW}[chosen.action])
        elif "discard" in actions:
            thrown = {short(str(choice.arguments[0][1])) for choice in legal if choice.action == "discard"}
            assert thrown | ({taken} - {""}) == {"".join(cards_of(state, one)) for one in theirs - {KNOCK}}
            assert "knock" in actions or KNOCK not in theirs
            if "knock" in actions or chance.random() < 0.05:
                hand = frozenset(thrown | ({taken} - {""}))
                limit = position.observe(seat).now["variables"]["limit"]
                assert ("knock" in actions) == any(least_left(hand - {card}) <= limit for card in hand)
            knocks = [choice for choice in legal if choice.action == "knock"]
            if KNOCK in theirs and chance.random() < 0.5:
                return end_deal(chance, position, state, chance.choice(knocks))
            discards = [choice for choice in legal if choice.action == "discard"]
            chosen = max(discards, key=lambda one: looseness(one, discards))
            if chance.random() > thrift:
                chosen = chance.choice(discards)
            say(state, short(str(chosen.arguments[0][1])))
        position = position.apply(chosen)
    return "wall"


@cache
def least_left(cards: frozenset[str]) -> int:
    """The points that the best melds leave, whatever they are: the first card is in a meld, or it is not."""
    if not cards:
        return 0
    order = "A23456789TJQK"
    card = min(cards)
    at = order.index(card[0])
    melds = [frozenset(kin) for size in (3, 4) for kin in combinations([f"{card[0]}{suit}" for suit in "cdhs"], size)]
    melds += [
        frozenset(order[rank] + card[1] for rank in range(low, low + size))
        for size in range(3, 11) for low in range(max(at - size + 1, 0), min(at, 13 - size) + 1)
    ]
    return min(
        [min(at + 1, 10) + least_left(cards - {card})]
        + [least_left(cards - meld) for meld in melds if card in meld and meld <= cards]
    )


def looseness(thrown: rulesrun.Choice, hand: Sequence[rulesrun.Choice]) -> int:
    """Players who keep what belongs together come to knock."""
    suit, rank = split(thrown)
    others = [split(choice) for choice in hand]
    kin = sum(other == rank or (of == suit and abs(other - rank) in (1, 2)) for of, other in others)
    return min(rank, 10) - 6 * kin


def split(choice: rulesrun.Choice) -> tuple[str, int]:
    suit, rank = str(choice.arguments[0][1]).split("-")
    return suit, int(rank)


def end_deal(chance: Random, position: rulesrun.Position, state: Any, knock: rulesrun.Choice) -> str:
    assert isinstance(position.pending, rulesrun.Decision)
    seat = position.pending.player
    other = 3 - seat
    state.apply_action(KNOCK)
    say(state, short(str(dict(knock.arguments)["thrown"])))
    position = position.apply(knock)
    for meld in melds_of(zone(position, "sets", seat), zone(position, "runs", seat)):
        say(state, *meld)
    state.apply_action(PASS)
    laying = False
    while isinstance(position.pending, rulesrun.Decision):
        legal = position.legal()
        chosen = chance.choice(legal)
        if legal[-1].action == "finish":
            laying = True
            ours = {short(str(choice.arguments[0][1])) for choice in legal[:-1]}
            assert ours == {"".join(cards_of(state, one)) for one in state.legal_actions() if one != PASS}
        if chosen.action == "lay_off":
            say(state, short(str(chosen.arguments[0][1])))
        elif chosen.action == "finish":
            state.apply_action(PASS)
        position = position.apply(chosen)
    for meld in melds_of(zone(position, "sets", other), zone(position, "runs", other)):
        say(state, *meld)
    state.apply_action(PASS)
    result = position.result()
    assert result is not None
    assert state.is_terminal()
    lead = result.scores[1] - result.scores[2]
    assert lead == state.returns()[0] or (state.returns()[0] == 0 and result.scores[other] == 25)
    return ("gin" if not laying else "knock") if result.scores[seat] else "undercut"


@pytest.mark.parametrize(("deals", "oklahoma"), [
    (8, False), (4, True), pytest.param(1_500, False, marks=pytest.mark.long),
])
def test_deals_are_those_of_openspiel(deals: int, oklahoma: bool) -> None:
    game = pyspiel.load_game(f"gin_rummy(oklahoma={oklahoma})")
    options = {"oklahoma": "yes" if oklahoma else "no"}
    ends = Counter(
        play_deal(Random(seed), thrift, options, game.new_initial_state())
        for seed in range(deals) for thrift in (0, 0.7, 1)
    )
    assert ends.keys() >= ({"knock", "wall", "gin", "undercut"} if deals > 8 else {"knock", "wall"}), ends
