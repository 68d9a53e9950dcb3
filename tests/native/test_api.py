"""The Python API on both engines: the same positions, questions, observations, results, refusals."""

from __future__ import annotations

import copy
from functools import cache
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

pytest.importorskip("llvmlite")
pytest.importorskip("numpy")

import numpy

import rulesrun
from rulesrun.api import NoMachineCode, Rulebook
from rulesrun.api import batches as many_positions

TABLES: list[tuple[str, int, dict[str, object]]] = [
    ("classics/kuhn", 2, {}), ("classics/goofspiel", 3, {"cards": 4}), ("classics/pig", 2, {"die": 2, "target": 4}),
    ("zero", 3, {"wrong_calls": True}), ("collection", 2, {}), ("the_game", 2, {"fire": True}),
]


@cache
def rulebook(name: str) -> Rulebook:
    return rulesrun.load(name)


def same(ours: Any, theirs: Any) -> None:
    assert ours.pending == theirs.pending
    assert ours.legal() == theirs.legal()
    assert ours.result() == theirs.result()
    assert (ours.players, ours.options) == (theirs.players, theirs.options)


@pytest.mark.parametrize(("name", "players", "options"), TABLES)
@settings(max_examples=3, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data(), seed=st.none() | st.integers(0, 1 << 53), every=st.integers(1, 30))
def test_the_same_positions(
    name: str, players: int, options: dict[str, object], data: st.DataObject, seed: int | None, every: int
) -> None:
    rules, steps = rulebook(name), 0
    ours = rules.start(players, options, seed, engine="native")
    theirs = rules.start(players, options, seed, engine="reference")
    assert (ours.engine, theirs.engine) == ("native", "reference")
    while not isinstance(theirs.pending, rulesrun.End):
        same(ours, theirs)
        if steps % every == 0:
            for seat in range(1, players + 1):
                assert ours.observe(seat) == theirs.observe(seat)
        amount = len(theirs.legal())
        index = data.draw(st.integers(0, amount - 1)) if steps < 40 else steps % amount
        before = hash(ours)
        kept, (ours, theirs) = ours, (ours.apply(index), theirs.apply(index))
        assert hash(kept) == before
        assert ours != kept
        assert copy.copy(ours) is ours
        steps += 1
    same(ours, theirs)
    assert ours.to_json() == theirs.to_json()
    assert ours.observe(1) == theirs.observe(1)


def test_what_is_refused_is_refused_alike() -> None:
    rules = rulebook("classics/tic_tac_toe")
    told = []
    for engine in ("native", "reference"):
        position = rules.start(engine=engine).apply(rulesrun.Choice("mark", {"square": "b2"}))
        with pytest.raises(rulesrun.IllegalChoice) as refusal:
            position.apply(rulesrun.Choice("mark", {"square": "b2"}))
        told.append(str(refusal.value))
        for index in (-1, 8):
            with pytest.raises(rulesrun.IllegalChoice):
                position.apply(index)
    assert told == ["mark: already taken"] * 2


def test_auto_takes_machine_code_where_there_is_some() -> None:
    rules = rulesrun.load("classics/kuhn")
    assert rules.start().engine == "reference"
    first = rules.start(engine="native")
    assert rules.start().engine == "native"
    assert rules.start() == first
    assert len({rules.start(), first, first.apply(0)}) == 2
    with pytest.raises(ValueError, match="no engine"):
        rules.start(engine="fast")


FAULT = """
rules 1
game "Too much"
players 2
number n: 0..2 = 0
phase play: repeat 3 times
  choose more
action more
  n increases by 1
score at end
  points = n
ranking: highest total, ties share
"""


def test_a_fault_is_told_alike() -> None:
    told = []
    for engine in ("native", "reference"):
        position = rulesrun.loads(FAULT).start(engine=engine).apply(0).apply(0)
        with pytest.raises(rulesrun.RulesFault) as fault:
            position.apply(0)
        told.append((str(fault.value), fault.value.diagnostics))
    assert told[0] == told[1]
    assert "2" in told[0][0]


def test_without_a_compiler_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulesrun.run.engine_choice.is_compiler_installed", lambda: False)
    rules = rulesrun.load("classics/kuhn")
    assert rules.start().engine == "reference"
    with pytest.raises(NoMachineCode, match="not installed"):
        rules.start(engine="native")
    with pytest.raises(NoMachineCode, match="not installed"):
        rules.many()


# ---- many at a time


def test_many_games_at_random_do_what_single_ones_do() -> None:
    rules = rulebook("classics/leduc")
    many, chance = rules.many(2), numpy.random.default_rng(3)
    rows, alone = many.start(60), [rules.start(2, engine="reference")] * 60
    while not many.is_over(rows).all():
        amounts = many.options(rows)
        answers = many.at_random(rows, chance.integers(0, 1 << 64, 60, dtype=numpy.uint64))
        deciding, mask = many.deciding(rows), many.mask(rows)
        for at, position in enumerate(alone):
            assert amounts[at] == len(position.legal()) == mask[at].sum()
            assert deciding[at] == decided_by(position)
            if amounts[at]:
                assert mask[at, answers[at]]
                alone[at] = position.apply(int(answers[at]))
        assert many.legal(rows, 0) == alone[0].legal() or amounts[0]
        goes_on = many.apply(rows, answers)
        assert set(goes_on.tolist()) <= {0, 1, -2}
    assert (many.deciding(rows) == many_positions.NOBODY).all()
    for at, position in enumerate(alone):
        result = position.result()
        assert result is not None
        assert many.scores(rows)[at].tolist() == [result.scores[1], result.scores[2]]
        places = [next(1 + sum(map(len, result.places[:step])) for step, group in enumerate(result.places)
                       if seat in group) for seat in (1, 2)]
        assert many.places(rows)[at].tolist() == places


def decided_by(position: Any) -> int:
    pending = position.pending
    if isinstance(pending, rulesrun.Decision):
        return int(pending.player)
    return many_positions.CHANCE if isinstance(pending, rulesrun.Chance) else many_positions.NOBODY


WEIGHTED = """
rules 1
game "Weighted"
players 2
values Colour: red, blue, green
token Token: colour Colour, 5 of each
zone bag: pile of Token, hidden
zone out: set of Token, public
number die: 1..4
phase play
  roll die with chances 1, 0, 2, 5
  shuffle all Token into bag
  draw 2 from bag to out
  choose rest
action rest
score at end
  points = die
ranking: highest total, ties share
"""


def test_chance_comes_by_its_odds() -> None:
    """A word walks evenly through all 2**64: each outcome has its share of the words, to one in a thousand."""
    many = rulesrun.loads(WEIGHTED).many(2)
    amount = 4000
    step = (1 << 64) // amount
    words = numpy.array([at * step + step // 2 for at in range(amount)], dtype=numpy.uint64)
    rows = many.start(amount)
    assert odds(many, rows) == ["1/8", "1/4", "5/8"]
    found = many.at_random(rows, words)
    assert numpy.bincount(found).tolist() == [500, 1000, 2500]
    many.apply(rows, found)
    assert odds(many, rows) == ["1/3", "1/3", "1/3"]
    assert abs(numpy.bincount(many.at_random(rows, words)) - amount / 3).max() <= 1
    many.apply(rows, numpy.zeros(amount, dtype=numpy.int64))
    assert odds(many, rows) == ["2/7", "5/14", "5/14"]
    assert abs(numpy.bincount(many.at_random(rows, words)) - amount * numpy.array([4, 5, 5]) / 14).max() <= 1


def odds(many: many_positions.Many, rows: Any) -> list[str]:
    return [str(one.odds) for one in many.legal(rows, 0) if isinstance(one, rulesrun.Outcome)]


def test_wrong_arrays_are_refused() -> None:
    many = rulebook("classics/kuhn").many()
    rows = many.start(3)
    with pytest.raises(ValueError, match="one random word"):
        many.at_random(rows, numpy.zeros(2, dtype=numpy.uint64))
    with pytest.raises(ValueError, match="rows"):
        many.apply(rows[:, :-1], numpy.zeros(3, dtype=numpy.int64))
    with pytest.raises(ValueError, match="no player 3"):
        many.observe(rows, 3)
    assert many.start(0).shape == (0, many.size)
    assert many.options(many.start(0)).shape == (0,)
    assert many.observe(many.start(0), 1).shape == (0,)
    assert many.scores(many.start(0)).shape == (0, 2)
