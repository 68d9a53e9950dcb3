"""Lists among lists that are kept while the game goes on: gone through, chosen from, recorded, asked `before`.

What comes out is reckoned here in plain Python, from what the rules say; and both engines make the same of every game.
"""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from itertools import product
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
from tests.native import explored
from tests.native.both import differences, quick_engine, quick_positions
from tests.native.test_positions import walk

HEAD = 'rules 1\n# Made up for a test.\ngame "Lists"\nplayers 1\n'
LINES = ((1, 2, 3), (4, 5, 6), (7, 8, 9), (1, 4, 7), (2, 5, 8), (3, 6, 9), (1, 5, 9), (3, 5, 7))
MADE = (
    "number a: 1..9 = 1\nnumber b: 1..9 = 1\nnumber got: 0..999 = 0\n"
    f"define lines = {{{', '.join('{' + ', '.join(map(str, line)) + '}' for line in LINES)}}}\n"
)
END = "score at end\n  points = got\nranking: highest total, ties share\n"


def expected(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Fraction:
    """The mean of the points, where every choice is as likely as the others; in machine code."""
    rules = tmp_path / "lists.rules"
    rules.write_text(HEAD + text)
    assert main(["tree", str(rules), "--engine", "native", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["engine"] == "native"
    return Fraction(told["expected_scores"]["1"])


def mean(values: list[int]) -> Fraction:
    return Fraction(sum(values), len(values))


def test_each_goes_through_the_lines_of_a_board(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Those on which both numbers lie count what lies on them; the order is that of their sums, and of the list."""
    text = MADE + """
phase play
  choose first
  choose second
  each line in lines where a in line in reverse order of sum of line
    if b in line
      got becomes (2 * got + item 2 of line) mod 50
action first(n in 1..9)
  a becomes n
action second(n in 1..9)
  b becomes n
""" + END

    def points(a: int, b: int) -> int:
        got = 0
        for line in sorted((line for line in LINES if a in line), key=sum, reverse=True):
            got = (2 * got + line[1]) % 50 if b in line else got
        return got

    assert expected(text, tmp_path, capsys) == mean([points(a, b) for a, b in product(range(1, 10), repeat=2)])


def test_what_is_gone_through_is_settled_before_the_first(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The body changes what the lists are made of, and asks between them."""
    text = MADE + """
phase play
  each pair in {{a, b, 1}, {b}, {a + b, a, a}}
    choose first
    got increases by (sum of pair) * count of pair
action first(n in 1..3)
  a becomes n
  b becomes (b + n) mod 4 + 1
""" + END
    assert expected(text, tmp_path, capsys) == (1 + 1 + 1) * 3 + 1 + (2 + 1 + 1) * 3


def test_a_choice_among_lists(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Equal lists are one option, and each says what it is worth; the next choice speaks of it."""
    text = MADE + """
phase play: repeat 2 times
  choose take
action take(run in {{3, 4}, {1, 2}, {2, 1}, {1, 2}, {a, 2}, {5}}, which in 1..3)
  needs which in run or count of run = 1
  needs sum of run > 3 - a
  a becomes smallest(which + 1, 9)
  got increases by 10 * (sum of run) + count of (run where it > which)
""" + END

    def games(a: int, left: int) -> list[tuple[Fraction, int]]:
        """How likely, and how many points."""
        if not left:
            return [(Fraction(1), 0)]
        runs = sorted({(3, 4), (1, 2), (2, 1), (a, 2), (5,)})
        options = [(run, which) for run, which in product(runs, (1, 2, 3))
                   if (which in run or len(run) == 1) and sum(run) > 3 - a]
        return [
            (chance / len(options), 10 * sum(run) + sum(one > which for one in run) + more)
            for run, which in options for chance, more in games(which + 1, left - 1)
        ]

    assert expected(text, tmp_path, capsys) == sum(chance * points for chance, points in games(1, 2))


def test_a_choice_among_lists_of_lists(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = MADE + """
phase play
  choose first
  choose take
action first(n in 1..4)
  a becomes n
action take(groups in {{{1, 2}, {3}}, {{a}, {2, a}}, {{3}, {2, 3}}, {lines[1], {a}}})
  each group in groups
    got increases by (sum of group) + 10 * count of group
""".replace("lines[1]", "(item 1 of lines)") + END

    def points(a: int) -> list[int]:
        several = {((1, 2), (3,)), ((a,), (2, a)), ((3,), (2, 3)), ((1, 2, 3), (a,))}
        return [sum(sum(group) + 10 * len(group) for group in groups) for groups in several]

    assert expected(text, tmp_path, capsys) == sum((mean(points(a)) for a in range(1, 5)), Fraction(0)) / 4


def test_a_memory_of_lists_made_in_any_way(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """How often a position was there is asked each time."""
    text = MADE + """
memory seen
memory sorted_too
phase play: repeat 4 times
  choose first
  record {{a, b}, {b}}, lines in seen
  got increases by times(seen)
  record sorted of {n, a} over n in 1..b, list distinct of {n mod 2} over n in 1..a in sorted_too
  got increases by 10 * times(sorted_too)
action first(n in 1..2)
  b becomes a
  a becomes n
""".replace("list distinct of", "list of distinct") + END
    points = []
    for choices in product((1, 2), repeat=4):
        a, b, got = 1, 1, 0
        seen: Counter[tuple[int, int]] = Counter()
        for choice in choices:
            a, b = choice, a
            seen[a, b] += 1  # both memories tell all pairs apart
            got += 11 * seen[a, b]
        points.append(got)
    assert expected(text, tmp_path, capsys) == mean(points)


WHOLE = """
values Colour: red, blue
card Card: colour Colour, rank 1..2
token Stone: number 1..1, 3 of each
zone stock: pile of Card, hidden
zone hand of player: set of Card, private
zone pit[1..2]: set of Stone, public
number n: 0..5 = 0
number got: 0..99 = 0
memory seen
memory other
define groups = {{1, n}, {2, n, 1}, (list of rank over hand)}
define hands = list of (list of rank over hand of p) over p in players
setup
  shuffle all Card into stock
  move all Stone to pit[1]
  deal 1 from stock to each hand
phase play: turns from starter until times(seen) > 2 or got > 20
  each h in hands in reverse order of item 1 of h
    got increases by sum of h
    choose lay, stone or rest
    n becomes (n + sum of h) mod 3
  record groups, n in seen
  record sorted of (sorted of rank over hand of p) over p in players, pit[1], hands in other
phase late
  all choose lay or rest
action lay(run in {{0}, {1, 2}, {n, 2, 1}}, deep in {groups, hands})
  needs (item 1 of deep) is not run
  n becomes (sum of run) mod 3
  got increases by count of deep
action stone(x from pit[1])
  move x to pit[2]
action rest
  got increases by 1
after lay "as before": groups = before (groups) or n < 2
after lay "hands as before": hands = before (hands)
never "much": got > 15 and n = 2
score at end
  points = got + n
ranking: lowest total, ties share
"""


@pytest.fixture(scope="module")
def made() -> Table:
    return table(WHOLE)


def test_both_engines_play_the_same_games(made: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    again: list[int] = []
    look = GameBatch.replay_by_reference

    def replay_noting(games: GameBatch, number: int) -> None:
        again.append(number)
        look(games, number)

    monkeypatch.setattr(GameBatch, "replay_by_reference", replay_noting)
    engine = quick_engine(made)
    assert differences(made, 60, engine=engine) == []
    assert not engine.left
    assert walk(made, quick_positions(made), Random(3).randrange, 3) > 0


def test_both_engines_count_the_same(made: Table) -> None:
    assert NativeMeasurer(compile_measuring_engine(made), 3).totals(0, 50) == ReferenceMeasurer(made, 3).totals(0, 50)


@pytest.mark.parametrize("merges", [False, True])
def test_both_engines_go_through_the_same_positions(made: Table, merges: bool) -> None:
    assert explored.differences(made, 3_000, merges=merges) == []


FRACTIONS = """
number a: 1..9 = 1
number n: 0..40 = 0
number got: 0..999 = 0
define parts = list of (k / 3) over k in {a, 4, 2 * a, 3}
phase play: repeat 3 times
  choose take or rest
  each part in parts where part > 1 / 2 in reverse order of part
    if part * 3 < 7
      n becomes (n + 6 * part) mod 40
    choose rest
    got increases by 12 * (part / 4)
  each line in {{a / 2, 1}, {1 / 3, a / 3, 3}}
    got increases by 6 * sum of line
action take(k in 1..4)
  a becomes k
action rest
  got increases by 1
after take "parts": parts = before (parts) or a / 2 > before (a / 2) + 1 / 3
after take "lower": a / 4 >= before (a / 4)
score at end
  points = got + n
ranking: highest total, ties share
"""


def test_fractions_are_gone_through_and_asked_before() -> None:
    made = table(FRACTIONS)
    engine = quick_engine(made)
    assert differences(made, 60, engine=engine) == []
    assert not engine.left
    assert walk(made, quick_positions(made), Random(3).randrange, 3) > 0
    assert NativeMeasurer(compile_measuring_engine(made), 3).totals(0, 50) == ReferenceMeasurer(made, 3).totals(0, 50)
    assert explored.differences(made, 1_500) == []


def test_fractions_that_are_gone_through_add_up(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = MADE + """
phase play
  choose first
  each part in {a / 2, 2 / 3, a / 3} where part in {1 / 2, 1, 2 / 3}
    b becomes smallest(9, b + 1)
    choose first
    got increases by 6 * part * b
action first(n in 1..3)
  a becomes n
""" + END

    def points(a: int) -> Fraction:
        parts = (Fraction(a, 2), Fraction(2, 3), Fraction(a, 3))
        fit = [one for one in parts if one in (Fraction(1, 2), 1, Fraction(2, 3))]
        return sum((6 * one * (2 + at) for at, one in enumerate(fit)), Fraction(0))

    assert expected(text, tmp_path, capsys) == sum(points(a) for a in (1, 2, 3)) / 3


OF_SEVERAL_KINDS = """
number a: 0..9 = 0
number got: 0..9999 = 0
table some_of(k 0..9): 0..4: {1 / 2, a}, otherwise: {a / 3}
define sum_of(o row of 0..9 up to 4) = sum of o
phase play: repeat 5 times
  choose take
  got increases by 6 * sum of (if a > 3 then {a / 2} else {a / 3, 1})
  got increases by 6 * sum of some_of(a)
  got increases by 60 * (highest of {a / 2, a / 3, 1})
  each part in (if a > 3 then {a / 2} else {a / 3, 1})
    got increases by 6 * part
  got increases by 2 * sum_of({2 * (a / 2), 1})
action take(k in 0..9)
  a becomes k
score at end
  points = got
ranking: highest total, ties share
"""


def test_lists_of_which_one_has_other_fractions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """After `if`, from a table, as a parameter: halves here and thirds there."""
    made = table(OF_SEVERAL_KINDS)
    assert differences(made, 60, engine=quick_engine(made)) == []
    assert walk(made, quick_positions(made), Random(2).randrange, 3) > 0

    def points(a: int) -> Fraction:
        branch = [Fraction(a, 2)] if a > 3 else [Fraction(a, 3), Fraction(1)]
        of_table = [Fraction(1, 2), Fraction(a)] if a <= 4 else [Fraction(a, 3)]
        return 12 * sum(branch, Fraction(0)) + 6 * sum(of_table) + 60 * max(Fraction(a, 2), Fraction(1)) + 2 * (a + 1)

    text = OF_SEVERAL_KINDS.replace("repeat 5 times", "repeat 1 times")
    assert expected(text, tmp_path, capsys) == sum(points(a) for a in range(10)) / 10
