"""The fixed numbers of answers: counted by hand from the rules, the same on both engines, there and back."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, permutations, product
from math import comb

import pytest

import rulesrun
from rulesrun.api.native_position import NativePosition
from rulesrun.interpreter.spaces.choice_values import Lists, OptionalValues, Orders, Selections, SingleValues

SELECTIONS = """
rules 1
game "Several"
players 2
values Colour: red, blue
card Card: colour Colour, rank 1..3, 2 of each
zone deck: pile of Card, hidden
zone heap: set of Card, public
zone hand of player: set of Card, private
setup
  shuffle all Card into deck
  deal 5 from deck to each hand
phase play: turns from 1 until count of heap >= 6
  choose several or numbers
action several(1..3 cards from hand)
  move all cards to heap
action numbers(1..2 ns in {1, 4, 7}, p in players)
  needs count of hand > 0
  move the c in hand with highest rank to heap
score at end
  x = count of hand
ranking: highest total, ties share
"""

MELDS = """
rules 1
game "Melds"
players 2
values Suit: red, blue
card Card: suit Suit, rank 1..3, 2 of each
zone deck: pile of Card, hidden
zone heap: set of Card, public
zone hand of player: set of Card, private
marker named: Suit or nothing
marker layout: order of Suit
setup
  shuffle all Card into deck
  deal 6 from deck to each hand
phase play: turns from 1 until count of heap >= 9
  choose meld, name, ranks, arrange or both
action meld(g in (list of (hand where suit = s) over s in Suit))
  needs count of g > 0
  move (those c in hand with lowest rank) to heap
action name(s in {nothing, red, blue})
  needs s is not named
  needs count of hand > 0
  named becomes s
  move the c in hand with highest rank to heap
action ranks(r in {(list of n over n in 1..2), {3}, {lowest of rank over hand, 1}})
  needs count of hand > 0
  move the c in hand with highest rank to heap
action arrange(o in {layout, layout})
  needs count of hand > 0
  move the c in hand with lowest rank to heap
action both(b in {{{count of hand}, {1, 2}}, {{4}}})
  needs count of hand > 0
  move the c in hand with lowest rank to heap
score at end
  x = count of hand
ranking: highest total, ties share
"""

COUNTS = [
    ("classics/kuhn", 2, 4),  # pass, bet, fold, call
    ("classics/leduc", 2, 3),
    ("classics/tic_tac_toe", 2, 9),
    ("classics/rock_paper_scissors", 2, 3),
    ("zero", 3, 56 * 56 + 3),  # an exchange of any card for any other, and three words
    ("collection", 2, 60),
]


@pytest.mark.parametrize(("name", "players", "amount"), COUNTS)
def test_a_table_has_as_many_answers_as_its_domains_allow(name: str, players: int, amount: int) -> None:
    actions = rulesrun.load(name).actions(players)
    assert len(actions) == amount
    assert all(actions.number(actions[at]) == at for at in range(0, amount, 7))


def test_selections_are_counted_with_equal_components_as_one() -> None:
    """Six kinds, two of each: 6 alone, 21 pairs, 50 of three (56 with repetition, six of them three of a kind)."""
    actions = rulesrun.loads(SELECTIONS).actions(2)
    assert len(actions) == (6 + 21 + 50) + 2 * (3 + 6)
    assert len(set(actions)) == len(actions)
    assert all(actions.number(choice) == at for at, choice in enumerate(actions))


@pytest.mark.parametrize("copies", [(1, 1, 1), (2, 1, 3), (4, 4)])
def test_selections_are_numbered_without_gaps(copies: tuple[int, ...]) -> None:
    found = Selections.from_values(SingleValues.from_values(range(len(copies))), copies, 1, 3)
    wanted = [
        picked
        for size in (1, 2, 3)
        for picked in combinations_with_replacement(range(len(copies)), size)
        if all(picked.count(kind) <= amount for kind, amount in enumerate(copies))
    ]
    assert sorted(found.rank(one) or 0 for one in wanted) == list(range(found.amount))
    assert all(found.value_at(found.rank(one) or 0) == one for one in wanted)
    assert Selections.from_values(SingleValues.from_values(range(9)), [1] * 9, 4, 4).amount == comb(9, 4)


def positions_of(rules: rulesrun.Rulebook, players: int, engine: str, seed: int) -> Iterator[rulesrun.Position]:
    position = rules.start(players, seed=seed, engine=engine)
    for step in range(60):
        if not len(position.legal()):
            return
        yield position
        position = position.apply((step * 7 + seed) % len(position.legal()))


@pytest.mark.parametrize("name", ["zero", "hourglass", "tokens", "collection", "classics/goofspiel"])
def test_both_engines_and_rows_number_alike(name: str) -> None:
    numpy = pytest.importorskip("numpy")
    pytest.importorskip("llvmlite")
    rules = rulesrun.load(name)
    actions, many = rules.actions(2), rules.many(2)
    native = list(positions_of(rules, 2, "native", 3))
    for one, other in zip(native, positions_of(rules, 2, "reference", 3), strict=True):
        numbers = actions.legal(one)
        assert numbers == actions.legal(other)
        assert [actions[at] for at in numbers] == list(other.legal())
    blocks = [list(one._memory) for one in native if isinstance(one, NativePosition)]
    rows = numpy.array(blocks, dtype=numpy.uint8)
    ids, amounts = many.action_numbers(rows)
    for row, amount, position in zip(ids, amounts, native, strict=True):
        assert tuple(row[:amount]) == actions.legal(position)


def test_a_selection_is_numbered_in_machine_code() -> None:
    numpy = pytest.importorskip("numpy")
    pytest.importorskip("llvmlite")
    rules = rulesrun.loads(SELECTIONS)
    many = rules.many(2)
    rows, streams = many.start(50), numpy.arange(50, dtype=numpy.uint64)
    many.play_on(rows, numpy.full(50, -1), streams)
    ids, amounts = many.action_numbers(rows)
    for at in range(50):
        assert [many.actions[one] for one in ids[at, : amounts[at]]] == list(many.legal(rows, at))


def test_lists_and_orders_are_numbered_without_gaps() -> None:
    lists, orders = Lists(SingleValues.from_values("abc"), 3), Orders(SingleValues.from_values(range(4)))
    wanted = [one for size in range(4) for one in product("abc", repeat=size)]
    assert sorted(lists.rank(one) or 0 for one in wanted) == list(range(lists.amount)) == list(range(40))
    assert [orders.rank(one) for one in permutations(range(4))] == list(range(orders.amount))
    nested = OptionalValues(Lists(Lists(SingleValues.from_values((7, 9)), 2), 2))
    assert nested.amount == 1 + (1 + 7 + 49)
    for values in (lists, orders, nested):
        found = [values.value_at(number) for number in range(values.amount)]
        assert [values.rank(one) for one in found] == list(range(values.amount))
        assert len({values.list_marks(one) for one in found}) == values.amount


def test_lists_and_nothing_are_numbered_alike_on_both_engines() -> None:
    """By hand: 3**6 selections of two suits' cards at most, three names, lists of at most two of three ranks (1 + 3 +
    9), two orders; the last action has lists of lists."""
    numpy = pytest.importorskip("numpy")
    pytest.importorskip("llvmlite")
    rules = rulesrun.loads(MELDS)
    actions, many, steps = rules.actions(2), rules.many(2), rules.action_steps(2)
    assert actions.number(actions[3**6]) == 3**6
    assert str(actions[3**6]) == str(rulesrun.Choice("name", {"s": None}))
    seen = set()
    for seed in range(8):
        native = list(positions_of(rules, 2, "native", seed))
        for one, other in zip(native, positions_of(rules, 2, "reference", seed), strict=True):
            numbers = actions.legal(one)
            assert numbers == actions.legal(other)
            assert [actions[at] for at in numbers] == list(other.legal())
            assert follow_all_steps(steps, one) == set(one.legal())
            seen |= {(choice.action, str(choice.arguments)) for choice in one.legal()}
        blocks = [list(one._memory) for one in native if isinstance(one, NativePosition)]
        ids, amounts = many.action_numbers(numpy.array(blocks, dtype=numpy.uint8))
        for row, amount, position in zip(ids, amounts, native, strict=True):
            assert tuple(row[:amount]) == actions.legal(position)
    assert {action for action, _ in seen} == {"meld", "name", "ranks", "arrange", "both"}
    assert any(action == "name" and "None" in values for action, values in seen)


def test_rows_of_lists_are_numbered_in_machine_code() -> None:
    numpy = pytest.importorskip("numpy")
    pytest.importorskip("llvmlite")
    actions = {piece.split("(")[0]: f"action {piece}" for piece in MELDS.split("score at end")[0].split("action ")[1:]}
    several = MELDS[: MELDS.index("action ")].replace("meld, name, ranks, arrange or both", "name or ranks")
    counting = MELDS[MELDS.index("score at end") :]
    rules = rulesrun.loads(several + actions["name"] + actions["ranks"] + counting)
    many = rules.many(2)
    assert many._numbered()._tables is not None
    rows, streams = many.start(50), numpy.arange(50, dtype=numpy.uint64)
    many.play_on(rows, numpy.full(50, -1), streams)
    for _ in range(4):
        ids, amounts = many.action_numbers(rows)
        for at in range(50):
            assert [many.actions[one] for one in ids[at, : amounts[at]]] == list(many.legal(rows, at))
        many.play_on(rows, many.at_random(rows, streams), streams)


def follow_all_steps(steps: rulesrun.Steps, position: rulesrun.Position) -> set[rulesrun.Choice]:
    found: set[rulesrun.Choice] = set()
    open_ways: list[tuple[int, ...]] = [()]
    while open_ways:
        taken = open_ways.pop()
        choice = steps.finish(position, taken)
        found |= {choice} if choice is not None else set()
        open_ways += [(*taken, step) for step in steps.legal(position, taken)]
    return found


def test_what_no_domain_allows_has_no_number() -> None:
    actions = rulesrun.load("classics/nim").actions()
    with pytest.raises(ValueError, match="no value of `amount`"):
        actions.number(rulesrun.Choice("take", {"heap": 1, "amount": 99}))
    with pytest.raises(ValueError, match="nobody is offered"):
        actions.number(rulesrun.Choice("fly"))
    rules = rulesrun.load("classics/kuhn")
    kuhn, position = rules.actions(2), rules.start(2, seed=1)
    call = kuhn.number(rulesrun.Choice("call"))
    with pytest.raises(rulesrun.IllegalChoice):
        kuhn.apply(position, call)
    with pytest.raises(rulesrun.TooManyActions, match="ask for steps"):
        rulesrun.load("zero").actions(2, limit=1000)


def test_steps_lead_to_every_answer_and_to_no_other() -> None:
    rules = rulesrun.load("zero")
    steps, actions = rules.action_steps(2), rules.actions(2)
    assert len(steps) == 4 + 56
    position = rules.start(2, seed=5)
    found: list[int] = []
    open_ways: list[tuple[int, ...]] = [()]
    while open_ways:
        taken = open_ways.pop()
        choice = steps.finish(position, taken)
        if choice is not None:
            found.append(actions.number(choice))
        open_ways += [(*taken, step) for step in steps.legal(position, taken)]
    assert sorted(found) == sorted(actions.legal(position))


def test_steps_of_a_selection_say_when_it_is_enough() -> None:
    rules = rulesrun.loads(SELECTIONS)
    steps, position = rules.action_steps(2), rules.start(2, seed=1)
    assert follow_all_steps(steps, position) == set(position.legal())
    assert steps.word(len(steps) - 1) == "enough"


def test_bounds_are_those_that_are_known_of_the_games() -> None:
    pytest.importorskip("llvmlite")
    kuhn = rulesrun.load("classics/kuhn").bounds(2)
    assert kuhn == rulesrun.GameBounds(3, Fraction(-2), Fraction(2), Fraction(0))
    leduc = rulesrun.load("classics/leduc").bounds(2)
    assert leduc == rulesrun.GameBounds(8, Fraction(-13), Fraction(13), Fraction(0))
    assert rulesrun.load("classics/tic_tac_toe").bounds().longest == 9
    assert kuhn.is_zero_sum


def test_what_was_not_seen_whole_has_no_bounds() -> None:
    pytest.importorskip("llvmlite")
    assert rulesrun.load("zero").bounds(2, limit=2_000) == rulesrun.GameBounds()
    assert not rulesrun.load("zero").bounds(2, limit=2_000).is_zero_sum
