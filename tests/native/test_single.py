"""One position at a time, in machine code: whatever Python asks of it, it says what the reference's says."""

from __future__ import annotations

import copy
import pickle
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from random import Random
from typing import Any, cast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

pytest.importorskip("llvmlite")
pytest.importorskip("numpy")

import numpy

import rulesrun
from rulesrun.files.loading import read_rules, read_text
from rulesrun.files.sources import bundled_names
from rulesrun.interpreter.form.form import CannotCompile
from rulesrun.interpreter.model.values import RefusedTable
from rulesrun.interpreter.native.positions.blocks import Blocks
from rulesrun.interpreter.play.visibility import has_show_statement
from rulesrun.interpreter.reference.table import set_up_table
from tests.native.bundled import TABLES, bundled
from tests.native.made_up import written
from tests.native.single import Pair, compare, equal_alike, quick_blocks, saved_alike, started, walk

STEPS = 30
FIRST = [at for at, one in enumerate(TABLES) if one[0] not in {earlier[0] for earlier in TABLES[:at]}]
KEPT: dict[Any, Blocks] = {}
SEEDS = st.none() | st.integers(0, 1 << 53)


def bundled_start(at: int, seed: int | None) -> Pair:
    name, _, _ = TABLES[at]
    table, positions = bundled(at)
    if at not in KEPT:
        KEPT[at] = quick_blocks(table) if has_show_statement(table) else Blocks(positions)
    return started(read_rules(name), table, KEPT[at], seed)


@pytest.mark.parametrize("at", [
    at if at in FIRST else pytest.param(at, marks=pytest.mark.long) for at in range(len(TABLES))
])
@settings(max_examples=2, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data(), seed=SEEDS)
def test_a_walk_that_goes_back(at: int, data: st.DataObject, seed: int | None) -> None:
    """Every seat is asked at every step; earlier positions are gone on from, and are what they were."""
    chance = data.draw(st.randoms(use_true_random=False))
    met = walk(bundled_start(at, seed), chance.randrange, STEPS)
    equal_alike(met)
    compare(met[chance.randrange(len(met))])
    saved_alike(met[-1])


@pytest.mark.long
@pytest.mark.parametrize("name", bundled_names())
def test_walks_at_every_table(name: str) -> None:
    """To the end of a game and back, with every number of players."""
    reading = read_rules(name)
    assert reading.program is not None
    for players in rulesrun.load(name).players:
        table = set_up_table(reading.program, players, {})
        blocks, chance = quick_blocks(table), Random(players)
        for seed in (None, *range(4)):
            equal_alike(walk(started(reading, table, blocks, seed), chance.randrange, 600, back=40)[-60:])


# ---- rulebooks made up

def made_up_walk(number: int, steps: int) -> bool:
    """Whether there was anything to walk through."""
    text = written(number)
    reading = read_text(f'rules 1\ngame "Made"\nplayers 2..3\n{text}', "made")
    if reading.program is None:
        return False
    try:
        table = set_up_table(reading.program, 2 + number % 2, {})
        blocks, chance = quick_blocks(table), Random(number)
    except (CannotCompile, RefusedTable):
        return False
    for seed in (None, number):
        with suppress(rulesrun.RulesFault):
            met = walk(started(reading, table, blocks, seed), chance.randrange, steps)
            equal_alike(met)
    return True


@pytest.mark.parametrize("first", range(0, 12, 4))
def test_walks_in_rulebooks_made_up(first: int) -> None:
    assert sum(made_up_walk(number, 20) for number in range(first, first + 4)) > 1


@pytest.mark.long
@pytest.mark.parametrize("hundred", range(10))
def test_walks_in_many_rulebooks_made_up(hundred: int) -> None:
    assert sum(made_up_walk(number, 60) for number in range(100 * hundred + 12, 100 * hundred + 112)) > 50


# ---- chance by a seed

MANY_ORDERS = """
rules 1
game "Orders"
players 2
values Letter: a, b, c, d, e, f, g, h, i, j, k, l, m, n
values Colour: red, blue
token Token: colour Colour, 5 of each
marker layout: order of Letter
marker first_to: player or nothing
number die[1..3] of player: 1..6
number weighted: 1..4
zone bag of player: pile of Token, hidden
zone box: pile of Token, hidden
zone out: set of Token, public
setup
  shuffle all Token into box
  deal 4 from box to each bag
phase play: repeat 4 times
  shuffle layout
  roll die[2] of 2
  roll weighted with chances 1, 0, 2, 5
  draw 1 from bag of 2 to out
  choose rest or look
action rest
action look
  roll die[1]
score at end
  points = die[2] + weighted
ranking: highest total, ties share
"""


@pytest.mark.parametrize("seed", [0, 3, 1 << 60])
def test_a_seed_gives_the_same_chance(seed: int) -> None:
    """An order of so many letters takes more than one random word."""
    reading = read_text(MANY_ORDERS, "orders")
    assert reading.program is not None
    table = set_up_table(reading.program, 2, {})
    pair = started(reading, table, quick_blocks(table), seed)
    for met in walk(pair, Random(seed).randrange, 12):
        saved_alike(met)


# ---- what is refused


@pytest.mark.parametrize("name", ["classics/tic_tac_toe", "classics/kuhn", "zero"])
def test_wrong_use_is_refused_alike(name: str) -> None:
    rules, other = rulesrun.load(name), rulesrun.load("classics/nim").start(seed=1)
    told = []
    for engine in ("native", "reference"):
        position = rules.start(engine=engine, seed=4)
        over = position
        while len(over.legal()):
            over = over.apply(len(over.legal()) - 1)
        found: list[tuple[type, str] | str]
        found = [refusal(position, wrong) for wrong in (-1, len(position.legal()), 1 << 64, -(1 << 70), None, 1.0, "a")]
        found += [refusal(over, wrong) for wrong in (0, -1, rulesrun.Choice("pass"), over)]
        found += [refusal(position, rulesrun.Choice("no such")), refusal(position, other.legal()[0])]
        for seat in (0, -1, position.players + 1, 1 << 70, "1", None):
            with pytest.raises(ValueError, match="no player") as problem:
                position.observe(seat)  # type: ignore[arg-type]
            found.append(str(problem.value))
        assert position.apply(True) == position.apply(1) == position.apply(cast(int, numpy.int64(1)))
        told.append(found)
    assert told[0] == told[1]


def refusal(position: rulesrun.Position, wrong: Any) -> tuple[type, str]:
    with pytest.raises((rulesrun.IllegalChoice, TypeError)) as problem:
        position.apply(wrong)
    return type(problem.value), str(problem.value).replace("native", "reference")


def test_a_position_is_shared_but_not_pickled() -> None:
    rules = rulesrun.load("classics/kuhn")
    for engine in ("native", "reference"):
        position = rules.start(engine=engine, seed=1)
        assert copy.copy(position) is copy.deepcopy(position) is position
        with pytest.raises(TypeError, match="to_json"):
            pickle.dumps(position)
        assert rules.position(position.to_json()).legal() == position.legal()
        for name in ("_memory", "_state", "players"):
            with pytest.raises(AttributeError):
                setattr(position, name, 1)


def test_answers_are_a_sequence() -> None:
    for engine in ("native", "reference"):
        position = rulesrun.load("classics/tic_tac_toe").start(engine=engine)
        legal = position.legal()
        assert len(legal) == 9
        assert legal[-1] == legal[8] == rulesrun.Choice("mark", {"square": "c3"})
        assert legal[1:3] == (legal[1], legal[2])
        assert legal.index(legal[4]) == 4
        assert legal == tuple(legal)
        assert tuple(legal) == legal
        assert hash(legal) == hash(position.legal())
        assert legal != position.apply(0).legal()
        assert repr(position.apply(0).legal()) == repr(tuple(position.apply(0).legal()))
        with pytest.raises(IndexError):
            legal[9]


# ---- threads, memory


def test_threads_share_positions() -> None:
    rules = rulesrun.load("classics/leduc")
    start = rules.start(2, engine="native")

    def play(seed: int) -> list[tuple[object, ...]]:
        found, chance = list[tuple[object, ...]](), Random(seed)
        for _ in range(60):
            position = start
            while len(position.legal()):
                position = position.apply(chance.randrange(len(position.legal())))
                found.append((position.pending, tuple(position.legal())))
            found.append((position.result(), position.observe(1)))
        return found

    alone = [play(seed) for seed in range(4)]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(play, range(4))) == alone


def test_positions_that_are_given_up_leave_nothing_behind() -> None:
    positions_come_and_go(100_000)


@pytest.mark.long
def test_a_million_positions_leave_nothing_behind() -> None:
    positions_come_and_go(1_000_000)


def positions_come_and_go(amount: int) -> None:
    resource = pytest.importorskip("resource")
    start, chance = rulesrun.load("classics/pig").start(2, engine="native"), Random(1)

    def play(steps: int) -> None:
        position = start
        for step in range(steps):
            answers = len(position.legal())
            position = position.apply(int(chance.random() * answers)) if answers else start
            if step % 1000 == 0:
                position.observe(1)

    play(20_000)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    play(amount)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 5_000  # kilobytes
