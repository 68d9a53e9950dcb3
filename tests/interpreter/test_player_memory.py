"""What a player remembers: information sets of made-up games, counted by hand and in plain Python."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, permutations
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from rulesrun.interpreter.model.random import Streams
from rulesrun.interpreter.model.values import EVENTS, OPTIONS, PC, Slots
from rulesrun.interpreter.play.game_tree import count_tree
from rulesrun.interpreter.play.player_memory import PlayerMemories, is_moment
from rulesrun.interpreter.play.step import GameOver, next_state, pending_decision, start_state
from rulesrun.interpreter.play.visibility import PlayerViews
from rulesrun.interpreter.reference.chance import ChanceWait
from rulesrun.interpreter.reference.decisions import DecisionWait, TogetherWait
from rulesrun.interpreter.reference.table import Table, set_up_table
from rulesrun.records.recall import ReferenceRecall, Told
from tests.bots.twins import Ledger
from tests.bots.twins import play as play_noted
from tests.interpreter.made import bundled, table
from tests.interpreter.remembering import SKETCHES, Game, Sketch, Way, information_sets, played

# ---- two rulebooks as they were told to us


INFOSETS = """
card Card: rank 1..3
zone stock: pile of Card, hidden
zone hand of player: set of Card, private
zone heap: set of Card, public
setup
  shuffle all Card into stock
  draw 2 from stock to hand of 1
  draw 1 from stock to hand of 2
phase play: one turn each from 1
  choose lay
action lay(card from hand)
  move card to heap
score at end
  points = sum of rank over hand
ranking: highest total, ties share
"""

SEEN_AND_GONE = """
values Letter: a, b
card Card: letter Letter
zone deck: pile of Card, hidden
zone table: set of Card, public
marker guess: Letter or nothing
setup
  shuffle all Card into deck
  draw 1 from deck to table
  move all table to deck
  shuffle deck
phase play
  choose say
action say(letter in Letter)
  guess becomes letter
score at end
  points = if guess = a then 1 else 0
ranking: highest total, ties share
"""


def infosets_by_hand(way: Way) -> None:
    first = way.chance([1, 2, 3])
    second = way.chance([one for one in (1, 2, 3) if one != first])
    (last,) = {1, 2, 3} - {first, second}
    way.see(tuple(sorted((first, second))), 1)
    way.see(last, 2)
    laid = way.choose(1, sorted((first, second)))
    way.see(("on the heap", laid))
    way.choose(2, [last])


def seen_and_gone_by_hand(way: Way) -> None:
    way.see(way.chance(["a", "b"]))
    way.choose(1, ["a", "b"])


# ---- more of them, each told in words

CARDS = """
card Card: rank 1..3
zone deck: pile of Card, hidden
zone table: set of Card, public
zone line: row of Card, public
zone tray: pile of Card, public top
zone hand of player: set of Card, private
zone rack of player: row of Card, private
zone bag: set of Card, public
zone heap: pile of Card, hidden
number open: 0..9 = 0
number secret: 1..3, hidden
marker one: player = 1
marker two: player = 2
number bid of player: 0..2 = 0, private
setup
  shuffle all Card into deck
phase play
"""
REST = """
action stay
action say(n in 1..2)
  bid becomes n
action add(n in 1..2)
  open increases by n
action wave, secret
score at end
  points = 0
ranking: highest total, ties share
"""


def two_at_once(way: Way) -> None:
    """Two cards of three for player 1, who then knows which two; player 2 sees nothing."""
    two = way.chance(list(combinations((1, 2, 3), 2)))
    way.see(two, 1)
    way.choose(1, ["stay"])


def one_after_the_other(way: Way) -> None:
    way.see(way.chance(list(permutations((1, 2, 3), 2))), 1)
    way.choose(1, ["stay"])


def one_each_seen_by_all(way: Way) -> None:
    """A card of the two that are left lies open; then it goes, and the other comes."""
    way.see(way.chance([1, 2, 3]))
    way.choose(1, ["stay"])
    way.choose(2, ["stay"])


def passing_through(way: Way) -> None:
    """Twice a card of three is seen, and mixed with the others again; a choice in between."""
    way.see(way.chance([1, 2, 3]))
    way.choose(1, ["stay"])
    way.see(way.chance([1, 2, 3]))
    way.choose(1, ["stay"])


def shown_to_one(way: Way) -> None:
    """The top card of three is shown to player 2; who is not shown it sees that."""
    card = way.chance([1, 2, 3])
    way.see(card, 2)
    way.choose(1, ["stay"])
    way.choose(2, ["stay"])


def there_and_back(way: Way) -> None:
    """A number that everybody sees goes up and down again where a die that nobody sees has shown a 1."""
    if way.chance([1, 2, 3]) == 1:
        way.see("it went up and down")
    way.choose(1, ["stay"])
    way.choose(2, ["stay"])


def taken_from_the_open(way: Way) -> None:
    """Player 2 takes two of three open cards into a hand: everybody sees which, nobody in which order."""
    way.see(way.chance(list(combinations((1, 2, 3), 2))))
    way.choose(1, ["stay"])


def onto_an_open_pile(way: Way) -> None:
    """Each card is seen before the next covers it."""
    way.see(way.chance([1, 2, 3]))
    way.see(way.chance([1, 2]))
    way.choose(1, ["stay"])


def bids(way: Way) -> None:
    """At the same moment; what was bid is private."""
    mine = way.choose_together({1: [1, 2], 2: [1, 2]})
    for player in (1, 2):
        way.see(mine[player], player)
    way.choose(1, ["stay"])
    way.choose(2, ["stay"])


def added_together(way: Way) -> None:
    """A public number grows by the first, then by the second: who looks knows both."""
    chosen = way.choose_together({1: [1, 2], 2: [1, 2]})
    way.see(chosen[1])
    way.see(chosen[1] + chosen[2])
    way.choose(1, ["stay"])


def waved(way: Way) -> None:
    """A secret choice that nothing shows: the other does not know of it."""
    way.choose(2, ["add 1", "add 2", "wave"], lambda option: option if option != "wave" else None)
    way.choose(1, ["stay"])


def a_row_for_all(way: Way) -> None:
    way.see(way.chance(list(permutations((1, 2, 3), 2))))
    way.choose(1, ["stay"])
    way.choose(2, ["stay"])


GAMES: dict[str, tuple[str, Game]] = {
    "at once": ("  draw 2 from deck to hand of 1\n  one chooses stay\n", two_at_once),
    "two statements": ("  draw 1 from deck to hand of 1\n  draw 1 from deck to hand of 1\n  one chooses stay\n",
                       one_after_the_other),
    "into a row": ("  draw 2 from deck to rack of 1\n  one chooses stay\n", one_after_the_other),
    "a row for all": ("  draw 2 from deck to line\n  one chooses stay\n  two chooses stay\n", a_row_for_all),
    "gone at once": ("  draw 1 from deck to table\n  shuffle table into deck\n  one chooses stay\n  two chooses stay\n",
                     one_each_seen_by_all),
    "passing through": ("  repeat 2 times\n    draw 1 from deck to table\n    shuffle table into deck\n"
                        "    one chooses stay\n", passing_through),
    "shown to one": ("  draw 1 from deck to tray\n  show tray to two\n  one chooses stay\n  two chooses stay\n".replace(
                         "tray", "heap"), shown_to_one),
    "drawn by another": ("  draw 1 from deck to rack of 2\n  shuffle rack of 2 into deck\n  one chooses stay\n"
                         "  two chooses stay\n", shown_to_one),
    "there and back": ("  roll secret\n  if secret = 1\n    open becomes 1\n    open becomes 0\n  one chooses stay\n"
                       "  two chooses stay\n", there_and_back),
    "out of the open": ("  move all deck to bag\n  draw 2 from bag to hand of 2\n  one chooses stay\n",
                        taken_from_the_open),
    "an open pile": ("  draw 2 from deck to tray\n  one chooses stay\n", onto_an_open_pile),
    "bids": ("  all choose say\n  one chooses stay\n  two chooses stay\n", bids),
    "added together": ("  all choose add\n  one chooses stay\n", added_together),
    "a secret wave": ("  two chooses add or wave\n  one chooses stay\n", waved),
}
COUNTED: dict[str, tuple[int, int]] = {  # by hand
    "at once": (3, 0), "two statements": (6, 0), "into a row": (6, 0), "a row for all": (6, 6),
    "gone at once": (3, 3), "passing through": (3 + 9, 0), "shown to one": (1, 3), "drawn by another": (1, 3),
    "there and back": (2, 2), "out of the open": (3, 0), "an open pile": (6, 0), "bids": (1 + 2, 1 + 2),
    "added together": (1 + 4, 1), "a secret wave": (3, 1),
}


def rules_of(name: str) -> Table:
    return table(CARDS + GAMES[name][0] + REST)


@pytest.mark.parametrize("name", GAMES)
def test_information_sets_of_games_told_in_words(name: str) -> None:
    by_hand = dict(enumerate(COUNTED[name], start=1))
    assert information_sets(GAMES[name][1], 2) == by_hand
    assert count_tree(rules_of(name)).information_sets == by_hand


def test_what_one_statement_deals_has_no_order() -> None:
    assert information_sets(infosets_by_hand, 2) == {1: 3, 2: 6}
    assert count_tree(table(INFOSETS)).information_sets == {1: 3, 2: 6}


def test_what_is_gone_again_has_been_seen() -> None:
    assert information_sets(seen_and_gone_by_hand, 1) == {1: 2}
    assert count_tree(table(SEEN_AND_GONE, 1)).information_sets == {1: 2}


# ---- laws, with rulebooks of few words


MANY = pytest.param(600, marks=pytest.mark.long)


def agree(sketch: Sketch) -> None:
    """The tree has the information sets of the same game in plain Python."""
    counted = count_tree(table(sketch.text()), 3_000)
    if counted.is_complete:
        assert information_sets(played(sketch), 2) == counted.information_sets, sketch.text()


def law(check: Callable[[Sketch], None], examples: int) -> None:
    settings(max_examples=examples, deadline=None, suppress_health_check=list(HealthCheck))(given(SKETCHES)(check))()


@pytest.mark.parametrize("examples", [30, MANY])
def test_trees_have_the_information_sets_of_plain_python(examples: int) -> None:
    law(agree, examples)


@pytest.mark.parametrize("examples", [15, MANY])
def test_observations_are_equal_where_memories_are(examples: int) -> None:
    """What Python observes is the same exactly where the tree has one information set."""
    law(observed_alike, examples)


def observed_alike(sketch: Sketch) -> None:
    made = table(sketch.text())
    counted = count_tree(made, 500)
    if counted.is_complete:
        assert Pairs(made).of_whole_tree() == sum(counted.information_sets.values())


class Pairs:
    """Goes through a whole tree with both memories at hand: those of the tree, and histories of observations."""

    def __init__(self, made: Table) -> None:
        self.table, self.memories, self.reference = made, PlayerMemories(made), ReferenceRecall(made)
        self.histories: dict[tuple[int, int], Any] = {}
        self.numbers: dict[Any, int] = {}

    def of_whole_tree(self) -> int:
        S = self.table.new_slots()
        S[EVENTS] = None
        self.go(S, self.memories.empty_memories(), self.memories.empty_memories(), self.reference.begin_game())
        assert len(self.numbers) == len(self.histories)
        return len(self.histories)

    def go(self, S: Slots, known: tuple[int, ...], joint: tuple[int, ...], told: Told) -> None:
        wait, known = self.memories.run_to_question(S, known)
        question = pending_decision(self.table, told[0])
        if isinstance(wait, ChanceWait):
            for index, (value, _) in enumerate(wait.outcomes(S)):
                branch = S.copy()
                wait.apply_answer(branch, value)
                self.go(branch, known, known, self.reference.follow_answer(told, index))
        elif isinstance(wait, DecisionWait):
            player, is_joint = wait.chooser(S), isinstance(wait, TogetherWait)
            before = joint if isinstance(wait, TogetherWait) and S[wait.chosen] else known
            asked = self.memories.remember_options(before, S[OPTIONS])
            history = self.reference.observe(told, question, player).history
            assert self.histories.setdefault((player, asked[player - 1]), history) == history
            assert self.numbers.setdefault((player, history), asked[player - 1]) == asked[player - 1]
            for index, option in enumerate(S[OPTIONS]):
                branch = S.copy()
                wait.apply_answer(branch, option)
                then = (
                    self.memories.remember_own_choice(known, asked, player, option) if is_joint
                    else self.memories.remember_choice(known, asked, (player,), wait, option)
                )
                self.go(branch, then, before, self.reference.follow_answer(told, index))
        else:
            assert isinstance(question, GameOver)


@pytest.mark.parametrize("examples", [15, MANY])
def test_bots_are_given_the_same_where_memories_are_the_same(examples: int) -> None:
    def given_alike(sketch: Sketch) -> None:
        ledger = Ledger(table(sketch.text()))
        for seed in range(30):
            play_noted(ledger, None, Streams(seed), None, 1000)

    law(given_alike, examples)


# ---- which operations are moments


@pytest.mark.parametrize(("name", "players"), [
    ("zero", 3), ("tokens", 2), ("collection", 2), ("hourglass", 2), ("the_game", 2), ("classics/leduc", 2),
    ("classics/goofspiel", 2),
])
def test_what_leaves_no_trace_changes_nothing_that_is_seen(name: str, players: int) -> None:
    made = set_up_table(bundled(name), players)
    viewers = PlayerViews(made)

    def watched(pc: int) -> Callable[[Slots], int]:
        step = made.steps[pc]
        if is_moment(made.operations[pc].instruction):
            return step

        def watch(S: Slots) -> int:
            before = [viewers.looks[player](S) for player in viewers.looks]
            following = step(S)
            assert [viewers.looks[player](S) for player in viewers.looks] == before, made.operations[pc].kind
            return following

        return watch

    steps = [watched(pc) for pc in range(len(made.steps))]
    state, streams = start_state(made), Streams(2)
    for _ in range(200):
        question = pending_decision(made, state)
        if isinstance(question, GameOver):
            break
        index = streams.random_below(len(question), "any")
        following = next_state(made, state, index)
        S = made.to_slots(state)
        S[EVENTS] = None
        wait: Any = made.waits[S[PC]]
        answer = wait.outcomes(S)[index][0] if isinstance(wait, ChanceWait) else wait.list_options(S)[index]
        wait.apply_answer(S, answer)
        made.run_to_question(S, steps)
        state = following
