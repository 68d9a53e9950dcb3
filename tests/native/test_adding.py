"""Rows of figures added up by machine code: what Python's whole numbers give for the same rows, game by game."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

pytest.importorskip("llvmlite")
pytest.importorskip("numpy")

import numpy

from rulesrun.interpreter.measure.declared_figures import Key
from rulesrun.interpreter.measure.duel import WATCHED, ReferenceMeasurer
from rulesrun.interpreter.measure.estimates import Exact
from rulesrun.interpreter.measure.pairs import PairTotals
from rulesrun.interpreter.measure.record import GameRecord
from rulesrun.interpreter.measure.totals import FINE, Totals, round_to_digits, totals_to_json
from rulesrun.interpreter.native.measure import measurement
from rulesrun.interpreter.native.measure import sums as statistics_sums
from rulesrun.interpreter.native.measure.figures import LARGEST
from rulesrun.interpreter.native.measure.measured_games import MeasuredForm
from rulesrun.interpreter.native.measure.measurement import FEW, PARTS, NativeMeasurer, compile_measuring_engine
from rulesrun.interpreter.native.measure.pairs import PairProducts
from rulesrun.interpreter.native.measure.sums import Tally, value_at
from rulesrun.interpreter.reference.table import Table, set_up_table
from tests.interpreter.made import bundled, table
from tests.measuring.games import kuhn
from tests.native.test_statistics import FRACTIONS, STUCK

EDGES = [0, 1, -1, FINE - 1, FINE, FINE + 1, -FINE, -FINE - 1, 2 * FINE - 1, 2 * FINE, 1 - 2 * FINE, LARGEST, -LARGEST,
         LARGEST - 1, 1 - LARGEST, 10_000, -9_999]  # fmt: skip


def drawn(chance: Random) -> int:
    return chance.choice([0, chance.choice(EDGES), chance.randint(-LARGEST, LARGEST), chance.randint(-9, 9)])


def form_of(made: Table) -> MeasuredForm:
    form = compile_measuring_engine(made).form
    assert isinstance(form, MeasuredForm)
    return form


def added(keys: list[Key], rows: list[list[int]]) -> Totals:
    """One game after the other, as records."""
    found = Totals()
    at = keys.index(("length", "decisions"))
    for number, row in enumerate(rows):
        values: dict[Key, Exact] = {key: value for key, value in zip(keys, row, strict=True) if value}
        found.add_record(GameRecord(number, values, decisions=row[at]))
    return found


@pytest.mark.parametrize(("name", "players"), [("classics/kuhn", 2), ("zero", 3)])
def test_any_rows_add_up_as_python_s_numbers_do(name: str, players: int) -> None:
    """Also the largest figures that there can be, and rows in any portions."""
    form = form_of(set_up_table(bundled(name), players))
    keys, chance = list(form.figures.keys), Random(1)
    rows = [[drawn(chance) for _ in keys] for _ in range(300)]
    wide = [[*row, *(chance.getrandbits(62) for _ in range(form.figures.width - len(keys)))] for row in rows]
    tally, found, array = Tally(form), Totals(), numpy.array(wide, dtype=numpy.int64)
    for first, last in ((0, 1), (1, 1), (1, 17), (17, 230), (230, 300)):
        tally.add_rows(array[first:last])
        if last == 17:
            tally.flush_into(found)
    tally.flush_into(found)
    assert totals_to_json(found) == totals_to_json(added(keys, rows))


def test_any_pairs_add_up_as_python_s_numbers_do() -> None:
    """Of two tables that have some figures only of their own, in another order."""
    left = [("score", "1"), ("options",), ("length", "decisions"), ("action", "a"), ("offered", "a"), ("value", "l")]
    right = [("value", "r"), ("length", "decisions"), ("offered", "a"), ("score", "1"), ("action", "a"), ("forced",)]
    keys: list[Any] = list(dict.fromkeys([*left, *right]))
    places = [keys.index(key) for key in left], [keys.index(key) for key in right]
    crosses, expected, chance = PairProducts(keys, places, (len(left) + 3, len(right) + 2)), PairTotals(), Random(2)
    rows: list[list[list[int]]] = [[], []]
    for number in range(200):
        one, other = [drawn(chance) for _ in left], [drawn(chance) for _ in right]
        if number % 3 == 0:  # nothing differs
            same = {key: drawn(chance) for key in set(left) & set(right)}
            one, other = [same.get(key, 0) for key in left], [same.get(key, 0) for key in right]
        rows[0].append([*one, 7, -8, 9])
        rows[1].append([*other, 1 << 60, -1])
        expected.add_pair(*(
            GameRecord(number, {key: value for key, value in zip(names, values, strict=True) if value})
            for names, values in ((left, one), (right, other))
        ))  # fmt: skip
    ours, theirs = (numpy.array(one, dtype=numpy.int64) for one in rows)
    for first, last in ((0, 1), (1, 1), (1, 90), (90, 200)):
        crosses.add_pairs(ours[first:last], theirs[first:last])
    assert crosses.collect_crosses() == expected.crosses
    assert crosses.differing == expected.differing < 200


def test_a_million_of_the_largest_figures_are_within_a_word() -> None:
    """As many as are added up before they are read: totals and squares of whole numbers, by multiplication."""
    form = form_of(kuhn())
    tally, found, games = Tally(form), Totals(), statistics_sums.MOST_GAMES
    rows = numpy.full((1 << 12, form.figures.width), -LARGEST, dtype=numpy.int64)
    for _ in range(games >> 12):
        tally.add_rows(rows)
    tally.flush_into(found)
    for key in (("score", "1"), ("action", "bet")):
        sums = found.sums[key]
        assert (sums.total, sums.squares, sums.games) == (-LARGEST * games, LARGEST**2 * games, games)
    assert found.sums["action", "bet"].product == LARGEST**2 * games
    assert found.spreads["score", "1"] == {-LARGEST: games}


def test_a_value_is_counted_where_it_is_rounded_to() -> None:
    form = form_of(kuhn())
    tally = Tally(form)
    for value in (*EDGES, *range(-3 * FINE, 3 * FINE, 97), *range(-LARGEST, LARGEST, 99_991)):
        found, row = Totals(), numpy.zeros((1, form.figures.width), dtype=numpy.int64)
        row[0, form.figures.keys["margin",]] = value
        tally.add_rows(row)
        tally.flush_into(found)
        assert found.spreads.get(("margin",), {}) == ({round_to_digits(value): 1} if value else {})


def test_every_place_stands_for_one_value() -> None:
    assert [value_at(place) for place in (0, FINE, FINE + 1, 2 * FINE - 1)] == [-FINE, 0, 1, FINE - 1]


def test_threads_that_take_parts_add_up_to_what_one_adds_up_to() -> None:
    """Also games that get stuck, which the reference plays one at a time, and points in fractions."""
    for text in (STUCK, FRACTIONS):
        made = table(text)
        engine = compile_measuring_engine(made)
        for first, games in ((0, 900), (WATCHED - 40, FEW + 60), (7, FEW - 1)):
            expected = totals_to_json(ReferenceMeasurer(made, 3).totals(first, games))
            assert totals_to_json(NativeMeasurer(engine, 3, 1).totals(first, games)) == expected
            assert totals_to_json(NativeMeasurer(engine, 3, 3).totals(first, games)) == expected


def test_rows_come_in_order_whoever_plays_them() -> None:
    made = set_up_table(bundled("classics/kuhn"), 2)
    engine = compile_measuring_engine(made)
    columns = ["game", "seed", "score_1", "action_bet"]
    games = 3 * PARTS * 5
    totals, rows = NativeMeasurer(engine, 3, 3).totals_and_rows(150, games, columns)
    assert [row["game"] for row in rows] == list(range(150, 150 + games))
    theirs, their_rows = ReferenceMeasurer(made, 3).totals_and_rows(150, games, columns)
    assert (totals_to_json(totals), rows) == (totals_to_json(theirs), their_rows)


def test_threads_end_when_one_is_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    """An interruption waits for the parts at hand only, and the worker plays on with what it has."""
    worker = NativeMeasurer(compile_measuring_engine(kuhn()), 1, 2)
    expected = totals_to_json(worker.totals(WATCHED, 5000))
    waited: list[int] = []

    def interrupted(tasks: list[Any]) -> None:
        waited.append(len(tasks))
        if len(waited) == 1:
            raise KeyboardInterrupt
        for task in tasks:
            task.result()

    with monkeypatch.context() as patch:
        patch.setattr(measurement, "wait", interrupted)
        with pytest.raises(KeyboardInterrupt):
            worker.totals(WATCHED, 1 << 22)
    assert waited == [2, 2]
    assert totals_to_json(worker.totals(WATCHED, 5000)) == expected
