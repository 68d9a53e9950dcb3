"""No bot can know what its seat has not seen: what it is given follows from what the seat remembers."""

from __future__ import annotations

from contextlib import suppress

import pytest
from attrs import define, field

from rulesrun.interpreter.bots.bot import Bot
from rulesrun.interpreter.bots.greedy import GreedyBot
from rulesrun.interpreter.bots.mcts import MctsBot
from rulesrun.interpreter.bots.observation import UNKNOWN, OneOf
from rulesrun.interpreter.bots.observer import Observer
from rulesrun.interpreter.model.random import Streams
from rulesrun.interpreter.model.values import PLAYER, Slots
from tests.bots.tables import table_of, watch
from tests.bots.twins import Ledger, Swap, Unlike, play
from tests.interpreter.made import table

SECRET = """
card Card: rank 1..4
zone deck: pile of Card, hidden
zone hand of player: set of Card, private
zone kept of player: pile of Card, hidden
zone shown of player: set of Card, public
marker guess of player: 1..3, private
marker mood: 1..2, hidden
setup
  shuffle all Card into deck
  deal 2 from deck to each hand
  roll mood
phase secrets
  all choose think
phase play: one turn each from 1
  choose hide or lay
phase again: one turn each from 1
  choose lay if possible
action think(n in 1..3), secret
  guess becomes n
action hide(c from hand)
  move c to kept
action lay(c from hand)
  move c to shown
  show hand
score at end
  points = sum of rank over c in shown
"""


@pytest.mark.parametrize(("name", "players"), [
    ("classics/kuhn", 2), ("classics/kuhn", 3), ("classics/leduc", 2), ("classics/rock_paper_scissors", 2),
])
def test_same_memory_same_observation(name: str, players: int) -> None:
    ledger = Ledger(table_of(name, players))
    for seed in range(400):
        play(ledger, None, Streams(seed), None, 1000)
    assert ledger.ambiguous() >= (1 if name.endswith("scissors") else 6)


@pytest.mark.parametrize("how", [", secret", ""])
def test_same_memory_same_observation_with_secrets(how: str) -> None:
    """What all choose at once may be announced: even so nobody hears it before they have chosen themselves."""
    ledger = Ledger(table(SECRET.replace(", secret", how)))
    for seed in range(1500):
        play(ledger, None, Streams(seed), None, 1000)
    assert ledger.ambiguous() > 20


BURIED = """
card Card: rank 1..5
zone deck: pile of Card, hidden
zone hand of player: set of Card, private
zone heap: pile of Card, public top
setup
  shuffle all Card into deck
  deal 2 from deck to each hand
  draw 1 from deck to heap
phase play: repeat 2 times
  one turn each from 1
    choose bury or lay
action bury(c from hand)
  move c to bottom of heap
action lay(c from hand)
  move c to heap
score at end
  points = sum of rank over c in hand
"""


def test_what_lies_under_an_open_top_is_not_heard() -> None:
    """Who lays a card on a heap shows it, and nothing of what others have put under it."""
    ledger = Ledger(table(BURIED))
    for seed in range(600):
        play(ledger, None, Streams(seed), None, 1000)
    assert ledger.ambiguous() > 20


def test_goofspiel_of_three_cards() -> None:
    ledger = Ledger(table_of("classics/goofspiel", 2, cards=4))
    for seed in range(600):
        play(ledger, None, Streams(seed), None, 1000)
    assert ledger.ambiguous() > 20


@pytest.mark.parametrize(("name", "players", "limit"), [
    ("zero", 2, 70), ("zero", 3, 90), ("collection", 2, 70), ("the_game", 2, 60), ("hourglass", 2, 60),
    ("hourglass", 3, 70),
])
def test_swapped_hidden_cards_are_not_noticed(name: str, players: int, limit: int) -> None:
    """A game again with two cards swapped: wherever a seat remembers the same, it is given the same."""
    ledger = Ledger(table_of(name, players))
    kinds = next(iter(ledger.table.bench.kinds.values()))
    streams = Streams(4)
    for seed in range(2):
        record = play(ledger, None, Streams(seed), None, limit)
        for _ in range(20):
            swap = Swap(kinds, streams.random_below(len(kinds), "one"), streams.random_below(len(kinds), "other"))
            try:
                play(ledger, record, Streams(seed), swap, limit)
            except Unlike:
                continue
    assert ledger.ambiguous() > 10


@define(eq=False)
class Choices(Ledger):
    """Of every memory what each bot chooses, which must be one option."""

    bots: tuple[Bot, ...] = (GreedyBot(deals=1, ahead=2), MctsBot(games=6))
    chosen: dict[tuple[int, int, str], int] = field(init=False, factory=dict)

    def note(self, observer: Observer, S: Slots, memory: int) -> None:
        super().note(observer, S, memory)
        seat = S[PLAYER]
        for bot in self.bots:
            found = bot.choose(observer.make_observation(S, seat, seed=9))
            assert self.chosen.setdefault((seat, memory, bot.name), found) == found, (seat, bot.name)


@pytest.mark.parametrize(("name", "limit", "swaps"), [
    ("classics/leduc", 40, 8), ("hourglass", 26, 4), pytest.param("zero", 33, 14, marks=pytest.mark.long),
])
def test_no_choice_changes_when_hidden_cards_are_swapped(name: str, limit: int, swaps: int) -> None:
    """Whole games again with two cards swapped: who remembers the same chooses the same."""
    ledger = Choices(table_of(name, 2))
    kinds = next(iter(ledger.table.bench.kinds.values()))
    streams = Streams(6)
    record = play(ledger, None, Streams(1), None, limit)
    for _ in range(swaps):
        swap = Swap(kinds, streams.random_below(len(kinds), "one"), streams.random_below(len(kinds), "other"))
        with suppress(Unlike):
            play(ledger, record, Streams(1), swap, limit)
    assert ledger.ambiguous() > 1


def test_equal_observations_equal_choices() -> None:
    """The bots are functions of what they are given."""
    bots: list[Bot] = [GreedyBot(deals=3), MctsBot(games=20)]

    def visit(observer: Observer, S: Slots, player: int) -> None:
        first, again = (observer.make_observation(S, player, seed=9) for _ in range(2))
        assert first == again
        for bot in bots:
            assert bot.choose(first) == bot.choose(again)

    watch(table_of("zero", 3), 1, visit, 30)


def test_an_observation_holds_nothing_hidden() -> None:
    """Of other hands there are only marks, of secret values only that they are unknown."""
    made = table(SECRET)
    rooms = {room.declaration.name.text: room for room in made.bench.variables.values()}
    seen_once = set()

    def visit(observer: Observer, S: Slots, player: int) -> None:
        seen = observer.make_observation(S, player)
        assert seen.slots[rooms["mood"].base] is UNKNOWN
        other = rooms["guess"].base + 2 - player
        if other in observer.changed:
            assert seen.slots[other] is UNKNOWN
            seen_once.add(player)
        assert not any(isinstance(value, OneOf) for value in seen.slots)
        assert S[PLAYER] == player

    for seed in range(5):
        watch(made, seed, visit)
    assert seen_once == {1, 2}


def test_what_is_recorded_of_hands_is_nobody_elses_knowledge() -> None:
    """A memory of positions holds what its statement names; when that is secret, an observation has nothing of it."""
    made = table(SECRET.replace("marker mood", "memory hands\nmemory heaps\nmarker mood").replace(
        "  choose hide or lay\n", "  record hand of 1 in hands\n  record mine in heaps\n  choose hide or lay\n"
    ).replace("score at end", "define mine = shown of 1\nscore at end"))
    secret, public = made.bench.memories.values()
    looked = []

    def visit(observer: Observer, S: Slots, player: int) -> None:
        seen = observer.make_observation(S, player)
        assert seen.slots[secret] == made.blank[secret]
        assert seen.slots[public] == S[public]
        looked.append(S[secret] is not None)

    watch(made, 1, visit)
    assert any(looked)
