"""Many positions at once do what each would do alone; long runs keep nothing."""

from __future__ import annotations

from random import Random

import pytest

pytest.importorskip("llvmlite")
pytest.importorskip("numpy")

import numpy

from rulesrun.files.loading import read_rules
from rulesrun.interpreter.native.flow.engine import compile_engine, simulate
from rulesrun.interpreter.native.positions.batches import Batch
from rulesrun.interpreter.native.positions.positions import compile_positions
from rulesrun.interpreter.native.positions.row_kernels import ILLEGAL
from rulesrun.interpreter.play.step import GameOver
from rulesrun.interpreter.reference.table import Table, set_up_table


def kuhn() -> Table:
    program = read_rules("classics/kuhn").program
    assert program is not None
    return set_up_table(program, 2, {})


def test_rows_go_the_way_of_single_positions() -> None:
    positions = compile_positions(kuhn())
    batch, chance = Batch(positions), Random(4)
    rows, alone = batch.start(50), [positions.begin_game().state] * 50
    while (amounts := batch.options(rows)).any():
        answers = numpy.array([chance.randrange(max(amount, 1)) for amount in amounts.tolist()])
        batch.apply_answers(rows, answers)
        for at, amount in enumerate(amounts.tolist()):
            assert amount == (0 if isinstance(positions.pending_decision(alone[at]), GameOver) else amount)
            if amount:
                alone[at] = positions.next_step(alone[at], int(answers[at])).state
            assert rows[at].tobytes() == alone[at].memory  # type: ignore[attr-defined]
    totals = batch.read_named_field(rows, "total")
    assert totals.shape == (50, 2)
    assert (totals.sum(axis=1) == 0).all()


def test_an_answer_that_is_none_leaves_the_row_as_it_is() -> None:
    batch = Batch(compile_positions(kuhn()))
    rows = batch.start(3)
    before = rows.copy()
    assert batch.apply_answers(rows, numpy.array([-1, 3, 1 << 40])).tolist() == [ILLEGAL] * 3
    assert (rows == before).all()


def test_rows_of_another_size_are_refused() -> None:
    batch = Batch(compile_positions(kuhn()))
    with pytest.raises(ValueError, match="rows"):
        batch.options(numpy.zeros((3, 5), dtype=numpy.uint8))
    with pytest.raises(ValueError, match="one answer"):
        batch.apply_answers(batch.start(2), numpy.array([0]))


def test_a_million_games_keep_nothing() -> None:
    resource = pytest.importorskip("resource")
    engine = compile_engine(kuhn())
    simulate(engine, 0, 1000)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    found = simulate(engine, 0, 1_000_000)
    assert found.games == 1_000_000
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 20_000  # kilobytes
