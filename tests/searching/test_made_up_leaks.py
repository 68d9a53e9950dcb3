"""Made-up games that tell what lies hidden, each with what must be named; and others like them that tell nothing."""

from __future__ import annotations

import pytest

from rulesrun.interpreter.secrecy.leaks import Leak
from tests.interpreter.made import table
from tests.searching.made import searched

BASE = """values Colour: red, blue
card Card: colour Colour, rank 1..4
zone deck: pile of Card, hidden
zone hand of player: set of Card, private
zone open: row of Card, public
number clock: 0..9 = 0
marker omen: Colour, hidden
{more}
setup
  shuffle all Card into deck
  roll omen
  deal 2 from deck to each hand
{setup}
phase play{when}: {turns}
{turn}
action lay(give from hand)
{needs}
  move give to open
action keep
{actions}
score at end
  points = sum of rank over c in hand
ranking: highest total, ties share
"""


def leaks_of(text: dict[str, str], games: int = 60) -> list[Leak]:
    given = {"turns": "one turn each from 1", "turn": "choose lay or keep"} | text
    parts = dict.fromkeys(("more", "setup", "when", "needs", "actions"), "") | given
    parts = {name: "  " + part if name in {"setup", "turn", "needs"} and part else part for name, part in parts.items()}
    made = table("\n".join(line for line in BASE.format(**parts).split("\n") if line.strip()) + "\n")
    found = [failure for game in searched(made, games, leaks=True).found.values() for failure in game.failures]
    assert not [one.kind for one in found if one.leak is None]
    return [one.leak for one in found if one.leak is not None]


def things(leak: Leak) -> set[str]:
    """Where what is told lies, and which values it is."""
    return {place.partition("[")[0] for _, place in leak.swapped} | {name for name, _, _ in leak.values}


NEIGHBOUR = "hand of left of player"
LEAKING = {
    "an option against a card of the neighbour": (
        {"needs": f"needs some c in {NEIGHBOUR} has rank of c < rank of give"}, "lay", "hand"),
    "how many numbers may be said": (
        {"turn": "choose say or keep",
         "actions": f"action say(n in 1..highest of rank over c in {NEIGHBOUR})\n  clock becomes n"}, "say", "hand"),
    "asked because of the neighbour's hand": (
        {"turn": f"if some c in {NEIGHBOUR} has rank of c = 4\n    choose lay or keep"}, None, "hand"),
    "asked again and again, as high as the neighbour's hand is": (
        {"turn": f"repeat count of {NEIGHBOUR} where colour = red times\n    choose keep or lay if possible"},
        None, "hand"),
    "a condition on a word that nobody sees": ({"needs": "needs colour of give = omen"}, "lay", "omen"),
    "who is ahead, before hands are laid open": (
        {"needs": "needs points of player >= points of left of player"}, "lay", "hand"),
    "what lies out of the game": (
        {"more": "zone away: set of Card, hidden", "setup": "draw 1 from deck to away",
         "needs": "needs no c in away has colour of c = colour of give"}, "lay", "away"),
    "a secret bid of the neighbour": (
        {"more": "number bid of player: 0..3 = 0, private", "setup": "each player\n    roll bid",
         "needs": "needs bid of left of player < 2"}, "lay", "bid[2]"),
    "a phase that comes for a hidden word": ({"when": " when omen = red"}, None, "omen"),
    "a turn that is left out for a hidden word": (
        {"turns": "one turn each from 1 skipping omen = red and player = 2"}, None, "omen"),
    "an end that nobody can see coming": (
        {"more": "number fuse: 1..6, hidden", "setup": "roll fuse", "turns": "turns from 1 until clock >= fuse",
         "turn": "clock increases by 1\n  choose keep"}, None, "fuse"),
    "a first player chosen by a hidden word": (
        {"setup": "if omen = red\n    starter becomes 2", "turns": "one turn each from starter"}, None, "omen"),
}  # fmt: skip

SOUND = {
    "an option against one's own card": {"needs": "needs some c in hand has rank of c < rank of give"},
    "as many numbers as cards in a hand": {
        "turn": "choose say or keep", "actions": f"action say(n in 1..count of {NEIGHBOUR})\n  clock becomes n"},
    "asked because of one's own hand": {"turn": "if some c in hand has rank of c = 4\n    choose lay or keep"},
    "whoever cannot lay is passed over": {"needs": "needs rank of give > 2", "turn": "choose lay if possible"},
    "a turn left out for what all see": {"turns": "one turn each from 1 skipping count of hand < 2"},
    "options stand in an order of their own, not in that of an unseen pile": {
        "more": "zone heap: pile of Card, hidden\nzone shown: row of Card, public\nzone line: row of Card, hidden",
        "setup": "draw 2 from deck to shown\n  shuffle all shown into heap\n  draw 2 from heap to line",
        "turn": "choose pick or keep", "actions": "action pick(c from line)\n  move c to open"},
    "a word that all see": {
        "more": "marker sign: Colour", "setup": "roll sign", "needs": "needs colour of give = sign"},
    "who has more cards": {"needs": f"needs count of hand >= count of {NEIGHBOUR}"},
    "how many lie out of the game": {
        "more": "zone away: set of Card, hidden", "setup": "draw 1 from deck to away",
        "needs": "needs count of away = 1"},
    "one's own bid": {
        "more": "number bid of player: 0..3 = 0, private", "setup": "each player\n    roll bid",
        "needs": "needs bid < 2"},
    "a hand that was shown": {
        "setup": "show hand of 1\n  show hand of 2",
        "needs": f"needs some c in {NEIGHBOUR} has rank of c < 4 or player = 2"},
    "a phase that comes for an open number": {"when": " when clock = 0"},
    "an end that all see coming": {
        "more": "number fuse: 1..6", "setup": "roll fuse", "turns": "turns from 1 until clock >= fuse",
        "turn": "clock increases by 1\n  choose keep"},
}  # fmt: skip


@pytest.mark.parametrize("name", LEAKING)
def test_what_tells_is_found_and_named(name: str) -> None:
    text, action, thing = LEAKING[name]
    leaks = leaks_of(text)
    assert leaks
    for leak in leaks:
        assert leak.player in {1, 2}
        assert (leak.option.action if leak.option is not None else None) == action
    assert any(thing in things(leak) for leak in leaks)


@pytest.mark.parametrize("name", SOUND)
def test_what_tells_nothing_is_left_alone(name: str) -> None:
    assert not leaks_of(SOUND[name], 40)
