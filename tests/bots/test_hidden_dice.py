"""What bots believe of dice they do not see: they were thrown, every face as likely, whatever the other dice show."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

pytest.importorskip("llvmlite")
pytest.importorskip("numpy")

from rulesrun.interpreter.bots.belief import Belief, Heap
from rulesrun.interpreter.bots.bot import BotChance
from rulesrun.interpreter.bots.consistent_deals import Dealer
from rulesrun.interpreter.bots.deliberation import Manner, Think, deal_fitting
from rulesrun.interpreter.bots.evaluation import FOR_POINTS
from rulesrun.interpreter.bots.match import play_match
from rulesrun.interpreter.bots.mcts import MctsBot
from rulesrun.interpreter.bots.observation import Observation
from rulesrun.interpreter.bots.observer import Observer
from rulesrun.interpreter.bots.tree_search import think_by_reference
from rulesrun.interpreter.model.layout import all_zone_slots
from rulesrun.interpreter.model.places import flatten_content
from rulesrun.interpreter.model.random import Streams
from rulesrun.interpreter.model.values import OPTIONS, Slots
from rulesrun.interpreter.native.think.thinking import compile_mind
from rulesrun.interpreter.reference.table import Table
from tests.bots.tables import watch
from tests.bots.test_beliefs import check_heap
from tests.bots.test_native_thinking import think_alike
from tests.test_idioms import GAMES
from tests.words.test_dice import LIARS
from tests.words.twins import table_of

# What lies in the cup nobody sees; it counts, so that what a deal is worth tells the cup.
CUPS = """rules 1
game "Made"
players 1

die Die: 1..3, 4 of each

zone own: set of Die, public
zone cup: set of Die, hidden
zone lost: set of Die, public

setup
  roll 2 of Die into own
  roll 2 of Die into cup

phase play: repeat 3 times
  one turn each from 1
    choose throw_own, throw_cup or lose

phase last: one turn each from 1
  choose wait

action throw_own
  roll all own

action throw_cup
  roll all cup

action lose
  needs count of cup = 2
  draw 1 from cup to lost

action wait

score at end
  points = (sum of worth(face) over cup)

define worth(f 1..3) = if f = 1 then 25 else if f = 2 then 5 else 1

ranking: highest total, ties share
"""
BLUFFS = next(text for text in GAMES if "Liar's Dice" in text)
DEALS = 1200
SURE = 45  # of chi-square with at most five degrees of freedom: less often than once in ten million


def odds(count: int) -> dict[int, Fraction]:
    """The chance of what a cup of so many dice is worth."""
    thrown = Counter(sum((25, 5, 1)[face] for face in faces) for faces in product(range(3), repeat=count))
    return {worth: Fraction(often, 3**count) for worth, often in thrown.items()}


def chi_square(found: Counter[int], wanted: dict[int, Fraction]) -> float:
    assert set(found) <= set(wanted)
    total = found.total()
    return float(sum((found[one] - total * chance) ** 2 / (total * chance) for one, chance in wanted.items()))


def observations(made: Table) -> list[Observation]:
    """At the last choice of some games: as many as there are different ones."""
    found: dict[tuple[object, ...], Observation] = {}

    def visit(observer: Observer, S: Slots, player: int) -> None:
        if len(S[OPTIONS]) == 1:
            seen = observer.make_observation(S, player, len(found))
            found.setdefault((seen.slots, seen.groups), seen)

    for seed in range(60):
        watch(made, seed, visit)
    return list(found.values())


def content_of(made: Table, S: Slots, name: str) -> tuple[int, ...]:
    room = next(room for room in made.bench.zones.values() if room.declaration.name.text == name)
    return tuple(flatten_content(S[room.base]))


def worths_dealt(think: Think, seen: Observation) -> Counter[int]:
    """What deals are worth, one at a time."""
    thought = think(seen, Manner())
    return Counter(thought.evaluate_options(1, 0, [True])[0] // FOR_POINTS for _ in range(DEALS))


def test_hidden_dice_are_dealt_as_they_are_thrown() -> None:
    """Whatever is seen: also where all dice that are seen show one face, and where a die of the cup was seen."""
    made = table_of(CUPS, 1)
    mind, counts, chance = compile_mind(made), Counter[int](), BotChance(7)
    some = observations(made)
    for seen in some:
        count = len(content_of(made, list(seen.slots), "cup"))
        counts[count] += 1
        wanted = odds(count)
        ours, native = worths_dealt(think_by_reference, seen), worths_dealt(mind.start_thought, seen)
        assert ours == native
        assert chi_square(ours, wanted) < SURE
        dealt = deal_fitting(Dealer(seen), chance)
        assert dealt is not None
        assert Counter(content_of(made, dealt, "own")) == Counter(content_of(made, list(seen.slots), "own"))
    assert set(counts) == {1, 2}
    assert any(len(set(content_of(made, list(seen.slots), "own"))) == 1 for seen in some)


def test_all_faces_lie_somewhere() -> None:
    """A deal is a position of the game: the box has what is left of every face."""
    made = table_of(CUPS, 1)
    chance, (kinds,) = BotChance(9), made.bench.kinds.values()
    for seen in observations(made):
        dealer = Dealer(seen)
        for _ in range(20):
            dealt = deal_fitting(dealer, chance)
            assert dealt is not None
            lying = Counter(kind for slot in all_zone_slots(made.bench, kinds) for kind in flatten_content(dealt[slot]))
            assert lying == Counter({0: 4, 1: 4, 2: 4})


def test_machine_code_thinks_of_hidden_dice_as_the_reference() -> None:
    assert think_alike(table_of(CUPS, 1), 1, 20, Manner()) > 2
    assert think_alike(table_of(LIARS), 1, 40, Manner()) > 0
    assert think_alike(table_of(BLUFFS, 3), 1, 40, Manner()) > 3


def test_the_same_choices_with_either_when_dice_are_hidden() -> None:
    """Through whole games of bids and doubt, in which dice are shown, lost and thrown again."""
    made, games = table_of(BLUFFS), list[list[int]]()
    for think in (compile_mind(made).start_thought, think_by_reference):
        answers = list[int]()
        play_match(made, [MctsBot(8, think=think), MctsBot(4, think=think)], Streams(4), answers=answers)
        games.append(answers)
    assert len(games[0]) > 20
    assert games[0] == games[1]


@pytest.mark.parametrize(("text", "players"), [(CUPS, 1), (LIARS, 2), (BLUFFS, 3)])
def test_no_die_seen_is_ever_a_surprise(text: str, players: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def surprised(self: Belief, heap: Heap, after: Slots) -> None:
        raise AssertionError(f"seat {self.seat} had to begin anew")

    def visit(observer: Observer, S: Slots, player: int) -> None:
        for belief in observer.beliefs.values():
            for heap in belief.heaps:
                check_heap(belief, heap, S)

    monkeypatch.setattr(Belief, "reset_heap", surprised)
    for seed in range(10):
        watch(table_of(text, players), seed, visit, 400)
