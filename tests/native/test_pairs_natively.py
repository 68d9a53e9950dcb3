"""Pairs of games in machine code: the same deals, the same luck, the same sums as the reference's duel."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

pytest.importorskip("llvmlite")
pytest.importorskip("numpy")

from rulesrun.dsl.variants.differences import find_differences
from rulesrun.files.loading import read_rules, read_text
from rulesrun.interpreter.form.form import CannotCompile
from rulesrun.interpreter.measure.duel import WATCHED, Duel
from rulesrun.interpreter.measure.measured_game import GameMeasurer, make_option_lots
from rulesrun.interpreter.measure.pairs import Effect, compute_effects, pairs_to_json
from rulesrun.interpreter.measure.suspects import find_suspects
from rulesrun.interpreter.model.random import Streams, game_seed
from rulesrun.interpreter.model.values import RefusedTable
from rulesrun.interpreter.native.flow.engine import compile_engine
from rulesrun.interpreter.native.measure.measurement import NativeMeasurer, compile_measuring_engine
from rulesrun.interpreter.native.measure.pairs import NativeDuel, compile_duel
from rulesrun.interpreter.native.positions.positions import compile_positions
from rulesrun.interpreter.reference.expressions import WatchedConditions
from rulesrun.interpreter.reference.table import Table, set_up_table
from tests.interpreter.made import bundled, program, table
from tests.measuring.games import coin
from tests.measuring.test_pairs import renamed
from tests.native.made_up import made_up
from tests.native.same_games import all_tables, table_of
from tests.native.test_statistics import STUCK, told

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


def unlike(made: Table, games: int, seed: int = 0) -> list[str]:
    """What coupled luck brings on one engine only."""
    lots = make_option_lots(made)
    try:
        worker, watcher = NativeMeasurer(compile_measuring_engine(made, lots=lots), seed), GameMeasurer(made)
    except CannotCompile:  # several components are chosen at once
        return []
    watcher.lots = lots
    found = []
    for record in worker.records(WATCHED, games):
        expected = watcher.play_game(Streams(game_seed(seed, record.number)), record.number)
        if told(record) != told(expected):
            found.append(f"{told(record)} instead of {told(expected)}")
    return found


@pytest.mark.parametrize(("name", "players", "options"), list(all_tables())[5::60])
def test_shared_luck_is_the_reference_s(name: str, players: int, options: dict[str, Any]) -> None:
    made = table_of(name, players, options)
    if made is not None:
        assert unlike(made, 5, seed=8) == []


@pytest.mark.long
@pytest.mark.parametrize(("name", "players", "options"), list(all_tables()))
def test_shared_luck_is_the_reference_s_for_long(name: str, players: int, options: dict[str, Any]) -> None:
    made = table_of(name, players, options)
    if made is not None:
        assert unlike(made, 60, seed=9) == []


@pytest.mark.parametrize("number", range(3))
def test_shared_luck_of_rulebooks_made_up(number: int) -> None:
    assert unlike(set_up_table(program(made_up(number), "2..3"), 2 + number % 2, {}), 25) == []


@pytest.mark.long
def test_shared_luck_of_many_made_up() -> None:
    for number in range(3, 203):
        assert unlike(set_up_table(program(made_up(number), "2..3"), 2 + number % 2, {}), 25) == [], (
            f"rulebook {number}"
        )


def test_shared_luck_of_dice_with_chances_and_draws() -> None:
    assert unlike(table(THROWS), 20) == []


def test_an_order_of_many_values_is_shared_by_the_reference() -> None:
    """Of thirteen values and more chance gives several words, which are not those of shared luck."""
    text = "marker way: order of 1..{0}\nsetup\n  shuffle way\nphase p: repeat 2 times\n  choose pick\n"
    text += "action pick(n in 1..{0})\nscore at end\n  points = way[1]\nranking: highest total, ties share\n"
    assert unlike(table(text.format(12)), 5) == []
    made = table(text.format(13))
    with pytest.raises(CannotCompile, match="order"):
        compile_measuring_engine(made, lots=make_option_lots(made))


def duel(base: str, variant: str, players: int, seed: int = 0) -> Duel:
    left, right = (read_rules(name).program for name in (base, variant))
    assert left is not None
    assert right is not None
    back = {new: old for old, new in find_differences(left.game, right.game).renamed.items()}
    return Duel(set_up_table(left, players), set_up_table(right, players), seed, back)


@pytest.mark.parametrize(("base", "variant", "players", "deals"), [
    ("zero", "variants/zero_three_passes", 2, 12), ("classics/pig", "classics/pig", 2, 40),
    *(pytest.param(*one, marks=pytest.mark.long) for one in (
        ("the_game", "variants/the_game_six_rows", 3, 200), ("hourglass", "variants/hourglass_three_rounds", 2, 200),
        ("tokens", "variants/tokens_smaller_reserve", 2, 60), ("collection", "variants/collection_own_goal", 3, 200),
        ("collection", "variants/collection_two_rounds", 4, 100), ("zero", "variants/zero_wrong_call_penalty", 4, 60),
    )),
])  # fmt: skip
def test_the_same_sums_over_pairs(base: str, variant: str, players: int, deals: int) -> None:
    found = duel(base, variant, players, seed=3)
    first = WATCHED - deals // 2
    natively = compile_duel(found, jobs=2)
    assert pairs_to_json(natively.play_range(first, deals)) == pairs_to_json(found.play_range(first, deals))


def test_new_names_for_the_same_rules_differ_in_no_deal() -> None:
    for name in ("classics/kuhn", "classics/pig"):
        other = read_text(renamed(name), "renamed.rules").program
        assert other is not None
        ours = bundled(name)
        back = {new: old for old, new in find_differences(ours.game, other.game).renamed.items()}
        pairs = compile_duel(Duel(set_up_table(ours, 2), set_up_table(other, 2), 1, back)).play_range(0, 3000)
        assert (pairs.games, pairs.finished, pairs.differing) == (3000, 3000, 0)


def test_an_effect_of_known_size_is_met_closely() -> None:
    """Another coin: seat 1 wins three in four, or one in two."""
    found = Duel(coin(3, 1), coin(1, 1), 4)
    found.pairs = compile_duel(found).play_range(0, 40_000)
    (change,) = compute_effects(found.pairs, [("win", "1")], 2)
    assert isinstance(change, Effect)
    assert abs(change.difference.value + 1 / 4) < 5 * change.difference.half_width / 1.96


def test_deals_that_get_stuck_are_counted_alike() -> None:
    found = Duel(table(STUCK), table(STUCK.replace("else 2", "else 1")), 6)
    ours, theirs = compile_duel(found).play_range(150, 120), found.play_range(150, 120)
    assert pairs_to_json(ours) == pairs_to_json(theirs)
    assert 0 < sum(ours.stuck) < 200


def test_games_that_do_not_end_without_a_rule_are_known_without_the_reference(monkeypatch: pytest.MonkeyPatch) -> None:
    ours = bundled("classics/nim")
    made = set_up_table(ours, 2)
    found = Duel(made, made, 1)
    found.watchers[1].limit = 6
    expected = pairs_to_json(found.play_range(WATCHED - 20, 40))
    assert 0 < expected["stuck"][1] < 40
    monkeypatch.setattr(NativeDuel, "play_by_reference", None)
    assert pairs_to_json(compile_duel(found, care=0).play_range(WATCHED - 20, 40)) == expected


def unlike_without(name: str, players: int, deals: int, step: int = 1) -> list[str]:
    """What is left out of the rules, after which machine code adds up other sums than the reference."""
    ours = bundled(name)
    made, found, left = set_up_table(ours, players), [], None
    for one in find_suspects(ours, made)[::step]:
        try:
            pair = Duel(made, one.set_up_table(ours, players, made.options), 3)
        except RefusedTable:
            continue
        pair.watchers[1].limit = 600
        try:
            natively = compile_duel(pair, care=0, left=left)
        except CannotCompile:
            continue
        left = natively.left
        first = WATCHED - deals // 2
        if pairs_to_json(natively.play_range(first, deals)) != pairs_to_json(pair.play_range(first, deals)):
            found.append(one.text)
    return found


@pytest.mark.parametrize("name", ["classics/kuhn", "classics/leduc", "classics/nim"])
def test_the_same_sums_without_any_of_the_rules(name: str) -> None:
    assert unlike_without(name, 2, 8) == []


@pytest.mark.long
@pytest.mark.parametrize(("name", "players"), [
    ("zero", 3), ("the_game", 2), ("collection", 3), ("tokens", 2), ("hourglass", 2), ("classics/pig", 2),
    ("classics/goofspiel", 2), ("classics/tic_tac_toe", 2),
])  # fmt: skip
def test_the_same_sums_without_any_of_the_rules_for_long(name: str, players: int) -> None:
    assert unlike_without(name, players, 10, 1 if name.startswith("classics/") else 3) == []


def test_only_games_that_are_measured_are_compiled_without_a_rule() -> None:
    ours = bundled("classics/kuhn")
    made = set_up_table(ours, 2)
    found = [
        one.set_up_table(ours, 2, {})
        for one in find_suspects(ours, made)
        if one.node is not None or one.left_out is not None
    ]
    assert len(found) > 4
    for other in found:
        compile_measuring_engine(other, care=0)
        for compiled in (compile_engine, compile_positions):
            with pytest.raises(CannotCompile, match="left out"):
                compiled(other)


def test_rules_that_are_watched_are_left_to_the_reference() -> None:
    ours = bundled("classics/kuhn")
    watched = set_up_table(ours, 2, {}, WatchedConditions(set()))
    with pytest.raises(CannotCompile, match="watched"):
        compile_measuring_engine(watched)


def test_compare_says_the_same_on_either_engine() -> None:
    def document(*words: str) -> Any:
        command = [sys.executable, "-m", "rulesrun", "compare", "classics/kuhn", "classics/kuhn", "--players", "2"]
        done = subprocess.run([*command, "--games", "60", "--json", *words], capture_output=True, text=True, check=True)
        found = json.loads(done.stdout)
        del found["seconds"]
        for one in found["comparisons"]:
            one.pop("seconds", None)
        return found

    ours, theirs = document("--engine", "native"), document("--engine", "reference")
    assert (ours.pop("engine"), theirs.pop("engine")) == ("native", "reference")
    assert ours == theirs
