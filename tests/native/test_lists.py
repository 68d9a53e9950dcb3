"""Lists where one value is needed: among other lists, the better of two, as parameters, from tables, with fractions.

Every expression is worked out again and again in random games; what both engines make of it goes into the points.
"""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

pytest.importorskip("llvmlite")

from rulesrun.cli import main
from rulesrun.interpreter.measure.duel import ReferenceMeasurer
from rulesrun.interpreter.native.flow.engine import GameBatch
from rulesrun.interpreter.native.measure.measurement import NativeMeasurer, compile_measuring_engine
from rulesrun.interpreter.reference.table import Table
from tests.interpreter.made import table
from tests.native.both import differences, quick_engine, quick_positions
from tests.native.test_positions import walk

PIECES = """
values Colour: red, blue, green
card Card: colour Colour, rank 1..6
zone stock: pile of Card, hidden
zone hand of player: set of Card, private
zone heap: pile of Card, public
number a: 0..9 = 2
marker f: yes or no = no
marker lay: order of Colour
marker other_lay: order of Colour
marker own of player: order of Colour
option heaps: row of 0..9 up to 4 = {3, 1, 2}
table some_of(q Colour): {1, a}, {2, 3, a}, {5}
define red_in(o order of Colour) = position(red, o)
define second(o order of Colour) = o[2]
define how_many(o row of 0..9 up to 4) = count of o
define hands = list of (sorted of rank over hand of p) over p in players
"""
SETUP = """
setup
  shuffle all Card into stock
  deal 4 from stock to each hand
  draw 2 from stock to heap
  shuffle lay
  each player
    shuffle own
"""
TRUTHS = (
    "{1, 2} in {{1, 2}, {2, 3}}", "{a, 2} in {{1, 2}, {2, 3}}", "{a, count of hand} in {{2, 3}, {3, 2}}",
    "{{1, 2}, {a, 3}} = {{a, 3}, {1, 2}}", "{{1, 2}, {2, a}} = {{2, 1}, {a, 2}}",
    "(list of rank over hand) in {{1, 2}, {2, 3}}", "hands = {{1}, {2}}",
    "(highest of (sorted of rank over hand of p) over p in players) = (sorted of rank over hand)",
    "lay in {{red, blue, green}, {green, blue, red}}", "lay = other_lay", "second(lay) = red",
    "(sorted of (list of rank over hand of p) over p in players) = hands",
    "(the p in players with highest (sorted of rank over hand of p)) = player",
    "some h in hands has count of h > 2 and item 2 of h = a", "some h in {{1, 2}, {3, 4}} has a in h",
    "(if f then {1, 2} else {2, 3}) = {1, 2}", "own of 1 = own of 2",
    "some c in (if f then (hand where rank = 1) else heap) has rank of c = 2", "{1, 2} not in {{a, 2}, {1, a}}",
    "(list of (rank / 2) over hand) = {1 / 2, 1}", "3 / 2 in {1 / 2, a / 2}", "a / 2 in (list of (rank / 2) over hand)",
    "(highest of (list of (rank / 2) over hand)) > 3 / 2", "some x in (list of (rank / 2) over hand) has x = a / 2",
)
NUMBERS = (
    "count of (highest of (sorted of rank over hand of p) over p in players)",
    "sum of (lowest of (sorted of rank over hand of p) over p in players)",
    "count of distinct (sorted of rank over hand of p) over p in players",
    "count of distinct (list of colour over hand of p) over p in players",
    "count of (list of distinct (sorted of rank over hand of p) over p in players)",
    "count of distinct own of p over p in players", "count of (list of distinct (own of p) over p in players)",
    "count of those p in players with lowest (sorted of rank over hand of p)",
    "sum of (item 1 of (sorted of (list of rank over hand of p) over p in players))",
    "item 1 of item 1 of (list of (list of rank over hand of p) over p in players)",
    "position((sorted of rank over hand), hands)", "sum of (sum of h) over h in {{1, 2}, {3, a}}",
    "count of (if f then hand else heap)", "sum of rank over c in (if f then hand else heap)",
    "count of (if f then {1, 2} else {2, 3, 4})", "red_in(lay) + red_in(own of left of player)",
    "how_many(heaps) + how_many({1, a})", "sum of some_of(colour of c)", "count of (some_of(red) where it > 1)",
    "2 * (sum of (list of (rank / 2) over hand))", "count of distinct (rank / 2) over hand",
    "count of (list of distinct (rank / 2) over hand)", "position(a / 2, (list of (rank / 2) over hand))",
    "2 * (item 1 of (sorted of (rank / 2) over hand))", "(sum of x over x in {a / 2, 1, 3 / 2} where x > 1) * 2",
)
WEIGHTS = (1, 10, 100, 1_000, 10_000)


def rulebook(numbers: tuple[str, ...], truths: tuple[str, ...], players: int) -> Table:
    """Each expression is added up in a variable of its own."""
    adding = [f"kept{at} increases by {one}" for at, one in enumerate(numbers)]
    adding += [f"if {one}\n    seen{at} increases by 1" for at, one in enumerate(truths)]
    kept = [f"kept{at}" for at in range(len(numbers))] + [f"seen{at}" for at in range(len(truths))]
    declared = "\n".join(f"number {name}: -9999..9999 = 0" for name in kept)
    points = " + ".join(f"{weight} * {name}" for name, weight in zip(kept, WEIGHTS * len(kept), strict=False))
    lines = "\n  ".join(adding)
    return table(f"""{PIECES}
{declared}
{SETUP}
phase play: turns from 1 until hand is empty or heap is empty
  choose lay_down, turn or stop
action lay_down(c from hand)
  {lines}
  move c to heap
  a becomes (a + rank of c) mod 10
action turn
  f becomes not f
  other_lay becomes lay
action stop
  end game
score at end
  points = {points}
ranking: highest total, ties share
""", players)


PARTS = 6  # so that a word of the machine holds the points, and what differs is soon known
SHARES = [(NUMBERS[at::PARTS], TRUTHS[at::PARTS]) for at in range(PARTS)]


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("part", range(PARTS))
def test_both_engines_make_the_same_of_lists(part: int, players: int, monkeypatch: pytest.MonkeyPatch) -> None:
    made, again = rulebook(*SHARES[part], players), list[int]()
    engine = quick_engine(made)
    look = GameBatch.replay_by_reference

    def replay_noting(games: GameBatch, number: int) -> None:
        again.append(number)
        look(games, number)

    monkeypatch.setattr(GameBatch, "replay_by_reference", replay_noting)
    assert differences(made, 60, seed=part, engine=engine) == []
    assert again == []  # none of these games was left to the reference
    assert walk(made, quick_positions(made), Random(part).randrange, 3) > 0


def test_full_houses_and_two_pairs(capsys: pytest.CaptureFixture[str]) -> None:
    """Of 6^5 throws 300 are a full house, and 1800 two pairs: the highest count and the faces are 3 and 2."""
    rules = Path(__file__).parent / "rules" / "set_of_sets.rules"
    assert main(["tree", str(rules), "--engine", "native", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["engine"] == "native"
    assert Fraction(told["expected_scores"]["1"]) == Fraction(25 * (300 + 1800), 6**5)


FROM_AN_ORDER = """
values Colour: red, blue, green
marker lay: order of Colour
number taken: 0..99 = 0
setup
  shuffle lay
phase play: repeat until taken > 6
  choose take
action take(x in lay)
  taken increases by position(x, lay)
score at end
  points = taken
ranking: highest total, ties share
"""


def test_a_choice_among_the_values_of_an_order_is_traced_and_counted() -> None:
    made = table(FROM_AN_ORDER)
    assert differences(made, 30, engine=quick_engine(made)) == []
    assert walk(made, quick_positions(made), Random(1).randrange) > 0
    ours = NativeMeasurer(compile_measuring_engine(made), 3).totals(0, 50)
    assert ours == ReferenceMeasurer(made, 3).totals(0, 50)


def test_code_made_with_care_does_not_end_the_process() -> None:
    """A loop over a list that lies in one of two places, from which two are chosen."""
    made = table(PIECES + SETUP + """
phase play: one turn each from 1
  choose take
action take(1..2 cards from (if f then hand else heap))
  a becomes count of cards
score at end
  points = a
ranking: highest total, ties share
""")
    compile_measuring_engine(made)
    assert differences(made, 10, engine=quick_engine(made, 2)) == []
