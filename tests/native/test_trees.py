"""Trees counted level by level in machine code: the same counts as the reference, node for node."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction
from threading import Event
from typing import Any

import pytest

pytest.importorskip("llvmlite")
pytest.importorskip("numpy")

import numpy

from rulesrun.files.loading import read_rules
from rulesrun.interpreter.form.form import CannotCompile
from rulesrun.interpreter.model.values import OPTIONS, Fault, Slots
from rulesrun.interpreter.native.positions.batches import Numbers, Rows
from rulesrun.interpreter.native.positions.positions import compile_positions
from rulesrun.interpreter.native.tree import levels
from rulesrun.interpreter.native.tree.counting import (
    count_subtrees,
    count_tree_natively,
    count_whole_tree,
    sum_counters,
)
from rulesrun.interpreter.native.tree.levels import FineOdds, Level, LevelCounter, NotWhole, compile_tree_positions
from rulesrun.interpreter.play.game_tree import HistoryOdds, TreeCount, TreeCounter, count_tree
from rulesrun.interpreter.reference.chance import ChanceWait
from rulesrun.interpreter.reference.decisions import DecisionWait, TogetherWait
from rulesrun.interpreter.reference.flow_graph import Wait
from rulesrun.interpreter.reference.table import Table, set_up_table
from tests.interpreter.made import program, table
from tests.interpreter.test_expectations import DICE, TOGETHER, dice
from tests.interpreter.test_expectations import made_up as expected_of
from tests.native.made_up import made_up

MOST = 2_500_000


def bundled(name: str, players: int, options: dict[str, Any]) -> Table:
    program = read_rules(name).program
    assert program is not None
    return set_up_table(program, players, options)


COUNTS = ("decisions", "chance", "together", "terminals", "max_depth", "information_sets", "expectation")


def as_counted(found: TreeCount) -> dict[str, Any]:
    return {name: getattr(found, name) for name in COUNTS}


def compared(rules: Table) -> None:
    assert as_counted(count_tree_natively(compile_tree_positions(rules), MOST)) == as_counted(count_tree(rules))


@pytest.mark.parametrize(("name", "players", "options"), [
    ("classics/kuhn", 2, {}), ("classics/kuhn", 3, {}), ("classics/leduc", 2, {}),
    ("classics/goofspiel", 2, {"cards": 4, "prizes": "descending"}), ("classics/goofspiel", 2, {"cards": 3}),
    ("classics/goofspiel", 3, {"cards": 3, "last_by_itself": "no"}),
    ("classics/pig", 2, {"die": 2, "target": 4, "length": 6}), ("classics/nim", 2, {"heaps": "{2, 3}"}),
    ("classics/rock_paper_scissors", 2, {"throws": 2}),
])
def test_the_same_counts(name: str, players: int, options: dict[str, Any]) -> None:
    compared(bundled(name, players, options))


def test_the_whole_tree_of_a_board() -> None:
    found = count_tree_natively(compile_tree_positions(bundled("classics/tic_tac_toe", 2, {})), MOST)
    assert (found.histories, found.decisions, found.terminals) == (549_946, 294_778, 255_168)
    assert found.information_sets == {1: 180_361, 2: 114_417}
    assert found.expected_scores == {1: Fraction(187, 630), 2: Fraction(-187, 630)}


SECRETS = """
values Colour: red, blue
card Card: colour Colour, rank 1..2, 2 of each
zone stock: pile of Card, hidden
zone hand of player: set of Card, private
zone line: row of Card, public
number mark of player: 0..3 = 0, private
number hint: 0..2 = 0
setup
  shuffle all Card into stock
  deal 1 from stock to each hand
phase play: one turn each from 1
  choose lay, whisper or note
phase together
  all choose note where mark = 0
action lay(card from hand)
  move card to line
action whisper(value in 1..2), secret
  mark becomes value
action note(value in 1..2)
  needs value > hint
  hint becomes 1
  mark becomes 3
score at end
  points = mark + (sum of rank over hand) * (if line is empty then 1 else rank of top of line)
"""


def test_secret_choices_equal_components_and_private_numbers() -> None:
    compared(table(SECRETS.replace("note where", "note or whisper where")))


@pytest.mark.parametrize("players", [2, 3])
def test_what_is_to_be_expected(players: int) -> None:
    rules = table(DICE, players)
    assert count_tree_natively(compile_tree_positions(rules), MOST).expectation == dice(players)
    compared(table(TOGETHER.replace("repeat until some p in players has n of p = 2", "repeat 2 times"), players))


@pytest.mark.parametrize("seeds", [range(3), pytest.param(range(400, 460), marks=pytest.mark.long)])
def test_what_is_to_be_expected_of_rulebooks_made_up(seeds: range) -> None:
    for seed in seeds:
        text, players, expected = expected_of(seed)
        assert (
            count_tree_natively(compile_tree_positions(table(text, players), None, 0), MOST).expectation == expected
        ), text


def test_a_property_that_goes_wrong_is_told_by_the_reference() -> None:
    wrong = table(DICE + "marker chosen: player or nothing\ncan happen \"somebody\": die of chosen = 2\n", 2)
    for count in (count_tree, lambda made: count_tree_natively(compile_tree_positions(made), MOST)):
        with pytest.raises((Fault, CannotCompile)):
            count(wrong)


def test_few_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(levels, "LARGE", 5)
    compared(bundled("classics/leduc", 2, {}))
    monkeypatch.setattr(levels, "BYTES", 1)
    compared(table(SHOWN))


def test_who_is_never_asked_knows_nothing() -> None:
    rules = table("phase play: one turn each from 1 except 2\n  choose stay\naction stay\nscore at end\n  points = 0\n")
    compared(rules)
    assert count_tree_natively(compile_tree_positions(rules), MOST).information_sets == {1: 1, 2: 0}


@pytest.mark.parametrize("jobs", [2, 3, 7])
@pytest.mark.parametrize("rules", ["leduc", "kuhn", "shown"])
def test_any_number_of_threads(rules: str, jobs: int) -> None:
    made = table(SHOWN, 3) if rules == "shown" else bundled(f"classics/{rules}", 2, {})
    positions = compile_tree_positions(made)
    assert as_counted(count_tree_natively(positions, MOST, jobs)) == as_counted(count_tree_natively(positions, MOST))


def test_who_does_not_stop_at_every_moment_does_not_count() -> None:
    with pytest.raises(CannotCompile, match="moment"):
        count_tree_natively(compile_positions(table(SHOWN)), MOST)


SHOWN = """
values Colour: red, blue
card Card: colour Colour, rank 1..2, 2 of each
zone stock: pile of Card, hidden
zone hand of player: set of Card, private
zone line: row of Card, public
number mark of player: 0..3 = 0, private
setup
  shuffle all Card into stock
  deal 1 from stock to each hand
phase play: one turn each from 1
  choose lay, tell, tell_all or open
phase together
  all choose note
action lay(card from hand)
  move card to line
action tell, secret
  show hand to left of player
action tell_all, secret
  show hand
  show hand
  show (hand where rank > 1) to left of player
action open, secret
  needs line is not empty
  show bottom of line
action note(value in 1..2)
  show hand to left of player
  mark becomes value
score at end
  points = mark + (sum of rank over hand)
"""


@pytest.mark.parametrize("players", [2, 3])
def test_what_is_shown_and_to_whom(players: int) -> None:
    compared(table(SHOWN, players))


def test_what_is_shown_is_remembered() -> None:
    """Two cards each with its odds; the second player is asked one question, with the other's card known or not."""
    cards = """
card Card: rank 1..3
zone stock: pile of Card, hidden
zone hand of player: set of Card, private
setup
  shuffle all Card into stock
  deal 1 from stock to each hand
  show hand of 1 to 2
phase play: one turn each from 1
  choose stay
action stay
score at end
  points = 0
"""
    found = count_tree_natively(compile_tree_positions(table(cards)), MOST)
    assert found.information_sets == {1: 3, 2: 6}
    found = count_tree_natively(compile_tree_positions(table(cards.replace("hand of 1 to 2", "hand of 1 to 1"))), MOST)
    assert found.information_sets == {1: 3, 2: 3}


PILES = """
values Colour: red, blue
card Card: colour Colour, rank 1..2COPIES
zone stock: pile of Card, SEEN
zone hand of player: set of Card, private
setup
  shuffle all Card into stock
  deal 1 from stock to each hand
phase play: one turn each from 1
  choose put, under, mix, take or pass
  choose put, mix or pass
action put(card from hand)
  move card to stock
action under(card from hand)
  move card to bottom of stock
action mix
  shuffle hand into stock
action take
  draw 1 from stock to hand
action pass
score at end
  points = sum of rank over hand
"""


@pytest.mark.parametrize("seen", ["hidden", "public", "public top"])
@pytest.mark.parametrize("copies", ["", ", 2 of each"])
def test_shuffled_piles_and_tops(seen: str, copies: str) -> None:
    compared(table(PILES.replace("SEEN", seen).replace("COPIES", copies)))


def test_a_fault_at_the_end_is_told_by_the_reference() -> None:
    faulty = PILES.replace("SEEN", "public").replace("COPIES", "").replace(
        "sum of rank over hand", "(if hand is empty then rank of first of hand else 0)")
    with pytest.raises(Fault) as slow:
        count_tree(table(faulty))
    with pytest.raises(Fault) as quick:
        count_tree_natively(compile_tree_positions(table(faulty)), MOST)
    assert quick.value.diagnostic == slow.value.diagnostic


# ---- rulebooks made up at random: no more than two answers of each question, for some questions

DEEP = 7


class FewLevels(LevelCounter):
    def expand_level(self, level: Level) -> list[Level]:
        found = [one.select_histories(numpy.flatnonzero((one.depth <= DEEP) | self.are_choosing(one.rows)))
                 for one in super().expand_level(level)]
        for one in found:
            one.counts = numpy.minimum(one.counts, self.few(one))
        return [one for one in found if len(one)]

    def first_level(self) -> Level:
        level = super().first_level()
        level.counts = numpy.minimum(level.counts, self.few(level))
        return level

    def few(self, level: Level) -> Numbers:
        """One outcome of chance at the start, else two answers."""
        asked = self.views.read_named_field(level.rows, "pc")[:, 0]
        of_chance = [
            number for number, (_, wait) in self.positions.questions_by_number.items() if isinstance(wait, ChanceWait)
        ]
        return numpy.where(numpy.isin(asked, of_chance) & (level.depth == 0), 1, 2)

    def are_choosing(self, rows: Rows) -> Any:
        """Where somebody has chosen, and others choose at the same moment: that is one node."""
        found = numpy.zeros(len(rows), dtype=bool)
        for number, (question, wait) in self.positions.questions_by_number.items():
            if isinstance(wait, TogetherWait) and question.at is not None:
                have_chosen = self.views.read_named_field(rows, question.at.name)[:, 0] > 0
                found |= (self.views.read_named_field(rows, "pc")[:, 0] == number) & have_chosen
        return found

    def outcome_weights(self, rows: Rows, wait: Wait, counts: Numbers) -> tuple[Numbers, Numbers]:
        return numpy.ones(int(counts.sum()), dtype=numpy.int64), numpy.repeat(counts, counts)


class FewCounting(TreeCounter):
    def count_history(self, S: Slots, known: tuple[int, ...], depth: int, way: HistoryOdds) -> bool:
        return depth > DEEP or super().count_history(S, known, depth, way)

    def count_chance(
        self,
        S: Slots,
        wait: ChanceWait,
        outcomes: list[tuple[Any, int]],
        known: tuple[int, ...],
        depth: int,
        way: HistoryOdds,
    ) -> bool:
        if depth:
            return super().count_chance(S, wait, outcomes[:2], known, depth, way)
        wait.apply_answer(S, outcomes[0][0])
        return self.count_history(S, known, depth, way)

    def count_decision(
        self, S: Slots, wait: DecisionWait, known: tuple[int, ...], depth: int, way: HistoryOdds
    ) -> bool:
        S[OPTIONS] = S[OPTIONS][:2]
        return super().count_decision(S, wait, known, depth, way)

    def own_choices(
        self,
        S: Slots,
        wait: TogetherWait,
        known: tuple[int, ...],
        known_there: tuple[int, ...],
        number: int,
        way: HistoryOdds,
    ) -> list[tuple[Slots, tuple[int, ...], HistoryOdds]]:
        S[OPTIONS] = S[OPTIONS][:2]
        return super().own_choices(S, wait, known, known_there, number, way)


class FurtherCounting(FewCounting):
    def count_history(self, S: Slots, known: tuple[int, ...], depth: int, way: HistoryOdds) -> bool:
        return depth > DEEP + 1 or TreeCounter.count_history(self, S, known, depth, way)


def differing(rules: Table) -> list[str] | None:
    """Which counts differ; None when both have left it."""
    theirs, ours = FewCounting(rules, MOST), FewLevels(compile_tree_positions(rules), FineOdds())
    try:
        theirs.count_tree()
    except Fault:
        with pytest.raises((NotWhole, Fault)):
            count_subtrees(ours, [ours.first_level()], MOST, Event(), [ours])
        return None
    if not count_whole_tree(
        [ours], ours.first_level(), MOST
    ):  # machine code has looked an event further, where the game is stuck
        with pytest.raises(Fault):
            FurtherCounting(rules, MOST).count_tree()
        return None
    names = ("decisions", "chance", "together", "terminals", "max_depth", "information_sets")
    return [name for name in names if getattr(sum_counters([ours]), name) != getattr(theirs.found, name)]


def made(number: int) -> Table:
    return set_up_table(program(made_up(number), "2..3"), 2 + number % 2, {})


@pytest.mark.parametrize("number", [0, 1, 2])
def test_the_same_of_a_rulebook_made_up(number: int) -> None:
    assert not differing(made(number))


@pytest.mark.long
@pytest.mark.parametrize("ten", range(1, 11))
def test_the_same_of_many(ten: int) -> None:
    for number in range(10 * ten, 10 * ten + 10):
        with suppress(CannotCompile):  # few are refused
            assert not differing(made(number)), f"rulebook {number}"


def test_copies_by_attributes_are_counted_alike() -> None:
    compared(table(
        "values Symbol: zero, skip, wild\ntable how_many(s Symbol): 1, 2, 4\n"
        "card Card: colour 1..2, symbol Symbol, (how_many(symbol) + colour) of each\n"
        "zone stock: pile of Card, hidden\nzone hand of player: set of Card, private\n"
        "setup\n  shuffle all Card into stock\n  deal 2 from stock to each hand\n"
        "phase play: one turn each from 1\n  choose lay\n"
        "zone heap: row of Card, public\naction lay(given from hand)\n  move given to heap\n"
        "score at end\n  points = count of (hand where symbol = wild)\nranking: highest total, ties share\n"
    ))  # fmt: skip
