"""Rules broken on purpose are found out alike by both engines; games and compiled tables leave no memory behind."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

pytest.importorskip("llvmlite")
pytest.importorskip("numpy")

import numpy

import rulesrun
from rulesrun.files.loading import read_rules
from rulesrun.interpreter.form.form import CannotCompile
from rulesrun.interpreter.model.values import RefusedTable
from rulesrun.interpreter.native.flow.engine import compile_engine, simulate
from rulesrun.interpreter.native.search.biased_search import compile_biased_games
from rulesrun.interpreter.native.search.candidates import NativeJudge
from rulesrun.interpreter.reference.table import set_up_table
from rulesrun.interpreter.search.answered_games import FailureKind
from rulesrun.interpreter.search.candidates import Candidate, ReferenceJudge
from tests.interpreter.made import bundled, program
from tests.native.both import differences, quick_engine
from tests.native.made_up import made_up

BROKEN = sorted((Path(__file__).parents[1] / "broken").glob("*.rules"))
QUICK = ("a08", "a09", "b09", "b10")  # small games


def same_findings(path: Path, games: int) -> list[str]:
    """At the smallest table that the rules allow. What the checker refuses is played by neither."""
    reading = read_rules(str(path))
    rules = reading.program
    if rules is None:
        assert reading.has_errors
        return []
    for players in range(1, 9):
        try:
            made = set_up_table(rules, players, {})
        except RefusedTable:
            continue
        return differences(made, games, seed=1, engine=quick_engine(made))
    raise AssertionError("no table")


@pytest.mark.parametrize("path", [one for one in BROKEN if one.name.startswith(QUICK)], ids=lambda path: path.stem)
def test_what_is_broken_is_found_out_alike(path: Path) -> None:
    assert same_findings(path, 150) == []


@pytest.mark.long
@pytest.mark.parametrize("path", BROKEN, ids=lambda path: path.stem)
def test_all_that_is_broken_is_found_out_alike(path: Path) -> None:
    assert same_findings(path, 400) == []


# ---- memory


def resident() -> int:
    """Bytes of this process that are in memory."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def growth(step: Callable[[int], object], times: int, warm: int = 2) -> int:
    """How much a process grows after it has become warm."""
    for number in range(warm):
        step(number)
    before = resident()
    for number in range(warm, warm + times):
        step(number)
    return resident() - before


def leaks(name: str, players: int, games: int, parts: int) -> int:
    engine = compile_engine(set_up_table(bundled(name), players, {}))
    return growth(lambda number: simulate(engine, 7, games // parts, first=number * (games // parts)), parts)


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is read from /proc")
def test_games_leave_no_memory_behind() -> None:
    assert leaks("classics/kuhn", 2, 1_000_000, 4) < 4 << 20


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is read from /proc")
def test_tables_leave_no_memory_behind() -> None:
    assert growth(compiled, 16, warm=8) < 24 << 20


@pytest.mark.long
@pytest.mark.parametrize(("name", "players", "games"), [
    ("zero", 4, 1_000_000), ("the_game", 4, 1_000_000), ("tokens", 4, 100_000), ("classics/kuhn", 2, 10_000_000),
])
def test_a_million_games_leave_no_memory_behind(name: str, players: int, games: int) -> None:
    assert leaks(name, players, games, 4) < 4 << 20


@pytest.mark.long
def test_two_hundred_tables_leave_no_memory_behind() -> None:
    assert growth(compiled, 200, warm=20) < 64 << 20


def compiled(number: int) -> None:
    made = set_up_table(program(made_up(number), "2..3"), 2, {})
    with suppress(CannotCompile):
        simulate(quick_engine(made), 1, 20, limit=50)


@pytest.mark.long
@pytest.mark.parametrize("seed", [None, 5])
@pytest.mark.parametrize("name", ["zero", "collection"])
def test_a_million_steps_of_positions_leave_no_memory_behind(name: str, seed: int | None) -> None:
    start, chance = rulesrun.load(name).start(3, engine="native", seed=seed), Random(1)
    position = start

    def play(number: int) -> None:
        nonlocal position
        for step in range(250_000):
            answers = len(position.legal())
            position = position.apply(int(chance.random() * answers)) if answers else start
            if step % 2_500 == 0:
                position.observe(1)

    assert growth(play, 4) < 4 << 20


@pytest.mark.long
@pytest.mark.parametrize("name", ["zero", "tokens"])
def test_a_million_steps_in_arrays_leave_no_memory_behind(name: str) -> None:
    many, chance = rulesrun.load(name).many(3), numpy.random.default_rng(1)
    rows, first = many.start(1_000), many.start(1)

    def play(number: int) -> None:
        for _ in range(250):
            words = chance.integers(0, 1 << 64, 1_000, dtype=numpy.uint64)
            rows[many.apply(rows, many.at_random(rows, words)) != 1] = first

    assert growth(play, 4) < 4 << 20


@pytest.mark.long
def test_candidates_for_a_smaller_game_leave_no_memory_behind() -> None:
    made = set_up_table(bundled("the_game"), 3, {})
    judge = NativeJudge(compile_biased_games(made), ReferenceJudge(made, FailureKind("no such property", "", 0)))

    def play(number: int) -> None:
        for seed in range(number * 5_000, (number + 1) * 5_000):
            judge.try_candidate(Candidate(seed=seed, leans=bool(seed % 2)), 200, 1_000)
            judge.try_candidate(Candidate((1, 2, 3), (0, 1)), 2, 1_000)

    assert growth(play, 4) < 4 << 20
