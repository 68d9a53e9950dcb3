"""What a seat believes is true of the position, and deals that fit to it are positions of the game."""

from __future__ import annotations

from collections import Counter

import pytest

from rulesrun.interpreter.bots.belief import Belief, Heap, MarkGroup, flatten_marks, groups_in
from rulesrun.interpreter.bots.bot import BotChance
from rulesrun.interpreter.bots.consistent_deals import Dealer
from rulesrun.interpreter.bots.deliberation import deal_fitting
from rulesrun.interpreter.bots.observer import Observer
from rulesrun.interpreter.model.places import flatten_content
from rulesrun.interpreter.model.values import EVENTS, OPTIONS, Slots
from rulesrun.interpreter.play.visibility import make_view_function
from tests.bots.tables import table_of, watch
from tests.interpreter.made import table

TABLES = [
    ("zero", 2, {}), ("zero", 4, {"wrong_calls": "yes"}), ("collection", 3, {"goals": "round"}), ("the_game", 3, {}),
    ("tokens", 3, {}), ("hourglass", 2, {}), ("hourglass", 5, {"two_decks": "yes"}), ("classics/kuhn", 3, {}),
    ("classics/leduc", 2, {}), ("classics/goofspiel", 3, {}),
]


def check_heap(belief: Belief, heap: Heap, S: Slots) -> None:
    """Known marks name what is there; a group holds as many components as it has marks."""
    marks: list[object] = []
    for slot in heap.slots:
        if slot in heap.seen:
            continue
        own = flatten_marks(belief.marks[slot])
        known = Counter(mark for mark in own if isinstance(mark, int))
        assert len(own) == len(flatten_content(S[slot]))
        assert known <= Counter(flatten_content(S[slot])), (slot, belief.seat)
        marks += own
    for group in groups_in(mark for mark in marks if isinstance(mark, MarkGroup)):
        assert group.kinds.total() == sum(mark is group for mark in marks)


@pytest.mark.parametrize(("name", "players", "options"), TABLES)
def test_beliefs_are_true(name: str, players: int, options: dict[str, object]) -> None:
    def visit(observer: Observer, S: Slots, player: int) -> None:
        for belief in observer.beliefs.values():
            for heap in belief.heaps:
                check_heap(belief, heap, S)

    table = table_of(name, players, **options)
    for seed in range(3):
        watch(table, seed, visit, 400)


@pytest.mark.parametrize(("name", "players", "options"), TABLES)
def test_nothing_seen_is_ever_a_surprise(
    name: str, players: int, options: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    def surprised(self: Belief, heap: Heap, after: Slots) -> None:
        raise AssertionError(f"seat {self.seat} had to begin anew")

    monkeypatch.setattr(Belief, "reset_heap", surprised)
    table = table_of(name, players, **options)
    for seed in range(3):
        watch(table, seed, lambda observer, S, player: None, 400)


@pytest.mark.parametrize(("name", "players", "options"), TABLES)
def test_deals_look_the_same_to_the_seat(name: str, players: int, options: dict[str, object]) -> None:
    table = table_of(name, players, **options)
    looks = {seat: make_view_function(table, seat) for seat in range(players + 1)}
    chance = BotChance(5)
    places = [slot for heap in Belief(table, 0).heaps for slot in heap.slots]

    def visit(observer: Observer, S: Slots, player: int) -> None:
        seen = observer.make_observation(S, player)
        made = deal_fitting(Dealer(seen), chance)
        assert made is not None
        assert looks[player](made) == looks[player](S)
        assert made[OPTIONS] == S[OPTIONS]
        assert made[EVENTS] is None
        for heap in observer.beliefs[player].heaps:
            there = Counter(kind for slot in heap.slots for kind in flatten_content(made[slot]))
            assert there == Counter(heap.kinds.all_components())
        assert len(places) == len(set(places))

    watch(table, 3, visit, 150)


def test_cards_taken_from_the_open_are_remembered() -> None:
    """Who takes an open card into a hand has it: everybody saw that."""
    table = table_of("zero", 2)
    room = next(one for one in table.bench.zones.values() if one.declaration.name.text == "hand")
    known: list[int] = []

    def visit(observer: Observer, S: Slots, player: int) -> None:
        other = 3 - player
        known.append(sum(isinstance(mark, int) for mark in flatten_marks(
            observer.beliefs[player].marks[room.base + other - 1]
        )))

    watch(table, 1, visit, 60)
    assert known[0] == 0
    assert max(known) >= 2


def test_a_discard_shuffled_back_is_what_can_be_drawn() -> None:
    """After reshuffling what all have seen, an unseen draw is one of those, and no other."""
    table = table_of("tokens", 2)

    def visit(observer: Observer, S: Slots, player: int) -> None:
        reserve = next(one for one in table.bench.zones.values() if one.declaration.name.text == "reserve")
        seen = observer.make_observation(S, player)
        assert all(mark >= 0 for mark in flatten_content(seen.slots[reserve.base]))

    watch(table, 2, visit, 60)


DARK = """
card Card: rank 1..4
zone stock: pile of Card, hidden
zone hand of player: set of Card, private
number dark: 0..3 = 0, hidden
setup
  shuffle all Card into stock
  deal 2 from stock to each hand
phase play: one turn each from 1
  if (sum of rank over c in hand) > 4
    {line}
  choose rest
action rest
step darken
  dark becomes 1
score at end
  points = 0
ranking: highest total, ties share
"""


@pytest.mark.parametrize("line", ["dark becomes 1", "do darken"])
def test_what_a_step_may_have_written_is_not_known_to_be_unchanged(line: str) -> None:
    """Whether the condition held is nobody's knowledge but the player's, wherever the line stands."""
    made = table(DARK.replace("{line}", line))
    (dark,) = (room.base for room in made.bench.variables.values())
    assert (dark,) in Observer(made, (1, 2)).written_below.values()
