"""Steadied figures in machine code: luck of choices, weights and sums are the reference's, to the last digit."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("llvmlite")
pytest.importorskip("numpy")

from rulesrun.cli import main
from rulesrun.interpreter.measuring.duel import Duel
from rulesrun.interpreter.measuring.estimates import FEWEST
from rulesrun.interpreter.measuring.paired import effects
from rulesrun.interpreter.measuring.pairs import pairs_to_plain
from rulesrun.interpreter.measuring.rehearsing import Rehearsal
from rulesrun.interpreter.measuring.steady_duel import SteadyDuel, weights_by_reference
from rulesrun.interpreter.measuring.steadying import Weights
from rulesrun.interpreter.measuring.watching import lots_of
from rulesrun.interpreter.native.form import CannotCompile
from rulesrun.interpreter.native.rehearsing_natively import NativeRehearsal, machines_for
from rulesrun.interpreter.native.statistics import measuring_engine
from rulesrun.interpreter.native.statistics_steady import steady_native_duel, weights_natively
from rulesrun.interpreter.table import Table, set_up
from rulesrun.loading import read_rules
from tests.interpreter.made import bundled, program, table
from tests.measuring.test_steady import GATHER, blur_of, gather, gather_weights
from tests.native.made_up import made_up
from tests.native.same_games import all_tables, table_of

THROWS = """
values Side: heads, tails
marker coin: Side
number got of player: 0..100 = 0
zone heap: pile of Chip, hidden
zone mine of player: set of Chip, public
card Chip: rank 1..12

setup
  shuffle all Chip into heap

phase p: repeat 5 times
  roll coin with chances 1, 2
  draw 1 from heap to mine
  all choose bid
action bid(n in 1..12 where coin = heads or n <= 3)
  got increases by n

score at end
  points = got + sum of rank over c in mine
ranking: highest total, ties share
"""

SOMETIMES_STUCK = """
number got of player: 0..5 = 0

phase p: repeat 3 times
  choose few or many
action few
  got increases by 1
action many(n in 1..2)
  got increases by n

score at end
  points = got
ranking: highest total, ties share
"""


def unlike(made: Table, games: int, seed: int = 7) -> int:
    """Games whose record or luck differs between the engines."""
    reference = Rehearsal(made, lots_of(made), seed)
    native = NativeRehearsal(reference, machines_for(reference))
    blur, found = blur_of(reference.outlook), 0
    both = zip(native.play(blur, 0, games), reference.play(blur, 0, games), strict=True)
    for (ours, luck), (theirs, expected) in both:
        assert native.numbers_of(ours.number) is not None or theirs.stuck is not None
        found += ours.values != theirs.values or with_luck(luck) != with_luck(expected)
    return found


def with_luck(row: dict[int, list[int]]) -> dict[int, list[int]]:
    return {at: numbers for at, numbers in row.items() if any(numbers)}


@pytest.mark.parametrize(("name", "players", "games"), [
    ("classics/goofspiel", 2, 6), ("classics/leduc", 2, 20),
    *(pytest.param(*one, marks=pytest.mark.long) for one in (("collection", 3, 2), ("tokens", 2, 2), ("zero", 3, 4))),
])  # fmt: skip
def test_the_luck_of_choices_is_the_reference_s(name: str, players: int, games: int) -> None:
    assert unlike(set_up(bundled(name), players), games) == 0


@pytest.mark.parametrize("values", [7, 60])
def test_luck_where_only_some_ways_are_looked_at(values: int) -> None:
    assert unlike(gather(values, 3), 20) == 0


def test_dice_with_chances_draws_and_choices_together() -> None:
    assert unlike(table(THROWS), 20) == 0


@pytest.mark.long
@pytest.mark.parametrize(("name", "players", "options"), list(all_tables()))
def test_the_luck_of_choices_for_long(name: str, players: int, options: dict[str, Any]) -> None:
    made = table_of(name, players, options)
    if made is not None:
        try:
            assert unlike(made, 6, seed=9) == 0
        except CannotCompile:
            pytest.skip("not compiled")


def unlike_made_up(number: int) -> int:
    try:
        return unlike(set_up(program(made_up(number), "2..3"), 2 + number % 2, {}), 6)
    except CannotCompile:
        return 0


def test_the_luck_of_choices_in_a_rulebook_made_up() -> None:
    """Its last line counts what another line has brought so far."""
    assert unlike_made_up(453) == 0


@pytest.mark.long
def test_the_luck_of_choices_in_rulebooks_made_up() -> None:
    assert [number for number in range(200) if unlike_made_up(number)] == []


class Kept(dict[str, bytes]):
    """Machine code of this test."""

    def put(self, key: str, code: bytes) -> None:
        self[key] = code


def test_weights_and_sums_are_the_reference_s() -> None:
    left, right, weights = gather_weights()
    duel, cache = Duel(left, right, 1), Kept()
    assert weights_natively(duel, cache) == weights
    steady = SteadyDuel(left, right, 3, weights=weights)
    expected = pairs_to_plain(steady.range(190, 40))
    for jobs in (1, 2):
        assert pairs_to_plain(steady_native_duel(steady, jobs, cache).range(190, 40)) == expected


def test_a_figure_that_has_weights_on_one_side_and_another_name_on_the_other() -> None:
    left, _, weights = gather_weights()
    other = set_up(program(GATHER.format(4, 9).replace("gain", "win_some")), 2)
    mine = Weights(weights[0].blur, {**weights[0].figures, ("action", "gain"): weights[0].figures["score", "1"]})
    duel = SteadyDuel(left, other, 3, {"win_some": "gain"}, weights=(mine, weights[1]))
    expected = duel.range(0, 20)
    assert expected.steady["action", "gain"].right > 0
    assert pairs_to_plain(steady_native_duel(duel).range(0, 20)) == pairs_to_plain(expected)


def test_games_that_get_stuck_are_played_by_the_reference() -> None:
    """Of either table, some deals end, some do not; what counts are those that end at both."""
    left, right = table(SOMETIMES_STUCK), table(SOMETIMES_STUCK.replace("n in 1..2", "n in 1..3"))
    weights = weights_by_reference(Duel(left, right, 1))
    steady = SteadyDuel(left, right, 3, weights=weights)
    expected = steady.range(0, 60)
    assert 0 < sum(expected.stuck) < 60
    assert expected.steady
    assert pairs_to_plain(steady_native_duel(steady).range(0, 60)) == pairs_to_plain(expected)


def test_an_order_of_many_values_is_shared_by_the_reference() -> None:
    """Of thirteen values and more chance gives several words, which are not those of shared luck."""
    text = "marker way: order of 1..{0}\nsetup\n  shuffle way\nphase p: repeat 2 times\n  choose pick\n"
    text += "action pick(n in 1..{0})\nscore at end\n  points = way[1]\nranking: highest total, ties share\n"
    assert unlike(table(text.format(12)), 5) == 0
    made = table(text.format(13))
    with pytest.raises(CannotCompile, match="order"):
        measuring_engine(made, lots=lots_of(made))


# ---------------------------------------------------------------- the command


def told(capsys: pytest.CaptureFixture[str], *words: str) -> list[dict[str, Any]]:
    assert main([*words, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    tables: list[dict[str, Any]] = [one for found in document["comparisons"] for one in found["tables"]]
    return [{name: value for name, value in one.items() if name != "continued"} for one in tables]


def test_a_steady_comparison_in_pieces_on_either_engine(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    words = ["compare", "classics/kuhn", "classics/kuhn", "--players", "2", "--steady"]
    whole = told(capsys, *words, "--games", "50", "--engine", "native", "--jobs", "2")
    told(capsys, *words, "--games", "20", "--out", "sums.json", "--engine", "reference")
    assert told(capsys, *words, "--games", "50", "--out", "sums.json", "--jobs", "1") == whole
    assert main(["compare", "classics/kuhn", "classics/kuhn", "--players", "2", "--out", "sums.json"]) == 2
    assert "other rules, options, players or seed" in capsys.readouterr().err


def test_players_that_think_are_not_steadied(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["compare", "classics/kuhn", "classics/kuhn", "--players", "2", "--steady", "--seats", "greedy"]
    assert main([*words, "--games", "5"]) == 2
    assert "leave out `--seats`" in capsys.readouterr().err


def test_weights_that_take_too_long_are_refused(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only where nobody said how many games there should be."""
    monkeypatch.setattr("rulesrun.steadied.PATIENCE", 0.0)
    words = ["compare", "classics/kuhn", "classics/kuhn", "--players", "2", "--steady", "--engine", "reference"]
    assert main([*words, "--seconds", "1"]) == 2
    assert "`--steady --games N` takes the time it needs" in capsys.readouterr().err
    assert main([*words, "--games", "12"]) == 0


def test_points_in_fractions_are_not_steadied(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    rules = tmp_path / "halves.rules"
    rules.write_text('rules 1\ngame "Halves"\nplayers 2\nphase p\n  choose go\naction go\n'
                     "score at end\n  points = 1 / 2\nranking: highest total, ties share\n", "utf-8")  # fmt: skip
    assert main(["compare", str(rules), str(rules), "--steady", "--games", "12"]) == 2
    assert "whole points alone" in capsys.readouterr().err


# ---------------------------------------------------------------- intervals cover

IN_TURNS = """
rounds 3
number got of player: 0..100 = 0

phase gathering: one turn each from 1
  choose take, leave or gain

action take(n in 1..4)
  got increases by n

action leave

action gain
  got increases by {}

score at end
  points = got
ranking: highest total, ties share
"""


def exact_share(gained: int, always: int = 5) -> Fraction:
    """How often seat 1 is first after three choices of six each; `gain` brings seat 1 so much and seat 2 `always`."""
    first, second = (Counter(map(sum, product((1, 2, 3, 4, 0, last), repeat=3))) for last in (gained, always))
    found = Fraction(0)
    for (one, ways), (other, others) in product(first.items(), second.items()):
        found += Fraction(ways * others, 6**6) * (Fraction(1, 2) if one == other else int(one > other))
    return found


def in_turns() -> tuple[Table, Table]:
    return table(IN_TURNS.format("5")), table(IN_TURNS.format("if player = 1 then 9 else 5"))


@pytest.mark.parametrize("runs", [20, pytest.param(400, marks=pytest.mark.long)])
def test_a_change_in_wins_that_is_known_exactly_is_covered(runs: int) -> None:
    duel = Duel(*in_turns(), 1)
    steady = SteadyDuel(duel.left, duel.right, 5, weights=weights_natively(duel))
    native, truth, found, ratio = steady_native_duel(steady), exact_share(9) - Fraction(1, 2), 0, 0.0
    for run in range(runs):
        (change,) = effects(native.range(400 * run, 400), [("win", "1")], 2)
        assert change.is_steady
        assert change.difference.low is not None
        assert change.difference.high is not None
        found += change.difference.low <= truth <= change.difference.high
        ratio += change.difference.half / change.unpaired / runs
    assert abs(found / runs - 0.95) <= max(0.02, 3 * (0.05 / runs) ** 0.5)
    assert ratio < 0.5


# ---------------------------------------------------------------- how much narrower


@pytest.mark.long
@pytest.mark.parametrize("name", ["zero_three_passes", "zero_wrong_call_penalty"])
def test_intervals_of_house_rules_are_at_most_half_as_wide_as_unpaired(name: str) -> None:
    variant = read_rules(f"variants/{name}").program
    assert variant is not None
    left, right = set_up(bundled("zero"), 3), set_up(variant, 3)
    steady = SteadyDuel(left, right, 0, weights=weights_natively(Duel(left, right, 0)))
    pairs = steady_native_duel(steady).range(0, 2000)
    seats = [(word, str(seat)) for word in ("win", "score") for seat in (1, 2, 3)]
    for change in effects(pairs, [*seats, ("length", "decisions"), ("length", "turns")], 3):
        if change.moved >= FEWEST or change.key[0] != "length":  # else the deals are alike but for a few
            assert change.difference.half <= change.unpaired / 2, change.key
