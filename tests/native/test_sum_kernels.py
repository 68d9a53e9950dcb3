"""Rows of random figures added up by kernels: machine code, plain Python and sums written apart say the same."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import numpy
import pytest

pytest.importorskip("llvmlite")

from rulesrun.interpreter.measure.totals import round_to_digits
from rulesrun.interpreter.native.measure.sum_kernels import CROSS_DESK, DESK, OCTAVE, TOGETHER, sum_kernels
from rulesrun.interpreter.native.measure.sums import value_at
from tests.native.kernel_memory import KernelMemory

GAMES, FIGURES, STRIPES, PLACES = 7, 12, 2, 8 * OCTAVE
WIDTH = STRIPES * TOGETHER
MEASURED = [(0, 3), (5, 1), (2, 2)]
SPREAD = [1, 4]


def random_rows(chance: Random, games: int = GAMES, width: int = WIDTH) -> list[list[int]]:
    limits = [1, 2, 900, 70_000]
    return [[chance.choice([-1, 1]) * chance.randrange(chance.choice(limits)) for _ in range(width)]
            for _ in range(games)]


def lay_out_desk(memory: KernelMemory, rows: Any) -> tuple[Any, dict[str, Any]]:
    arrays = {
        "rows": rows, "sums": memory.put([[0] * WIDTH] * 3), "own": memory.put([own for own, _ in MEASURED]),
        "against": memory.put([other for _, other in MEASURED]), "products": memory.put([100, 0, 0]),
        "columns": memory.put(SPREAD), "counts": memory.put([[0] * PLACES] * 2, numpy.uint32),
        "reach": memory.put([[PLACES, -1]] * 2),
    }  # fmt: skip
    numbers = {"width": WIDTH, "stripes": STRIPES, "stride": WIDTH, "measured": 3, "spread": 2, "places": PLACES}
    words = {name: int(array.ctypes.data) for name, array in arrays.items()} | numbers
    return memory.put([words[name] for name in DESK]), arrays


def check_sums(rows: list[list[int]], arrays: dict[str, Any]) -> None:
    columns = list(zip(*rows, strict=True))
    assert arrays["sums"].tolist() == [
        [sum(column) for column in columns],
        [sum(value * value for value in column) for column in columns],
        [sum(value != 0 for value in column) for column in columns],
    ]
    products = [sum(row[own] * row[other] for row in rows) for own, other in MEASURED]
    assert arrays["products"].tolist() == [100 + products[0], *products[1:]]
    for which, counts, (first, last) in zip(SPREAD, arrays["counts"], arrays["reach"].tolist(), strict=True):
        places = numpy.flatnonzero(counts).tolist()
        assert {value_at(at): counts[at] for at in places} == Counter(round_to_digits(one) for one in columns[which])
        assert (first, last) == (min(places), max(places))


@pytest.mark.parametrize("seed", range(20))
def test_rows_are_added_up(seed: int) -> None:
    chance, memory = Random(seed), KernelMemory(1 << 20)
    rows = random_rows(chance)
    desk, arrays = lay_out_desk(memory, memory.put(rows))
    memory.run(sum_kernels(), "add rows", desk, arrays["rows"], GAMES)
    check_sums(rows, arrays)


@pytest.mark.parametrize("seed", range(20))
def test_games_are_played_and_added_up(seed: int) -> None:
    """A few at a time; from some number on they do not go on."""
    chance, memory = Random(seed), KernelMemory(1 << 20)
    games, few = random_rows(chance, 20), chance.randrange(1, 5)
    end = chance.randrange(25)
    block = memory.put([[0] * WIDTH] * few)
    desk, arrays = lay_out_desk(memory, block)

    def play(position: Any, first: int, amount: int) -> int:
        played = max(0, min(amount, end - first))
        written = numpy.array(games[first : first + played], dtype=numpy.int64).tobytes()
        position[: len(written)] = written
        return played

    found = memory.run(sum_kernels(), "play and add", block, desk, memory.add_function(play, 2), 2, 15, few)
    assert found == max(0, min(15, end - 2))
    if found:
        check_sums(games[2 : 2 + found], arrays)


@pytest.mark.parametrize("seed", range(20))
def test_products_of_pairs(seed: int) -> None:
    chance, memory = Random(seed), KernelMemory(1 << 20)
    widths = {"left": 6, "right": 9}
    rows = {side: random_rows(chance, GAMES, width) for side, width in widths.items()}
    rows["right"][0][:6], rows["right"][3][:6] = rows["left"][0], rows["left"][3]
    places = {side: [chance.randrange(-1, width) for _ in range(FIGURES)] for side, width in widths.items()}
    if chance.random() < 0.5:
        places["left"] = places["right"] = [chance.randrange(-1, 6) for _ in range(FIGURES)]
    arrays = {f"{side}.places": memory.put(own) for side, own in places.items()}
    for name in ("left.row", "right.row", "both", "moved", "seen"):
        arrays[name] = memory.put([0] * FIGURES)
    arrays["own"], arrays["against"] = (memory.put([pair[at] for pair in MEASURED]) for at in (0, 1))
    arrays["own.by.other"], arrays["other.by.own"] = memory.put([0] * 3), memory.put([0] * 3)
    arrays["differing"] = memory.put([40])
    words = {name: int(array.ctypes.data) for name, array in arrays.items()}
    words |= {"left.width": 6, "right.width": 9, "keys": FIGURES, "measured": 3}
    given = (memory.put([words[name] for name in CROSS_DESK]), memory.put(rows["left"]), memory.put(rows["right"]))
    memory.run(sum_kernels(), "add pairs", *given, GAMES)
    left, right = (
        [[row[place] if place >= 0 else 0 for place in places[side]] for row in rows[side]] for side in widths
    )
    pairs = list(zip(left, right, strict=True))
    assert arrays["both"].tolist() == [sum(one[at] * other[at] for one, other in pairs) for at in range(FIGURES)]
    assert arrays["moved"].tolist() == [sum(one[at] != other[at] for one, other in pairs) for at in range(FIGURES)]
    seen = [any(one[at] or other[at] for one, other in pairs) for at in range(FIGURES)]
    assert [value != 0 for value in arrays["seen"].tolist()] == seen
    assert arrays["own.by.other"].tolist() == [sum(one[f] * other[m] for one, other in pairs) for f, m in MEASURED]
    assert arrays["other.by.own"].tolist() == [sum(one[m] * other[f] for one, other in pairs) for f, m in MEASURED]
    assert arrays["differing"].tolist() == [40 + sum(one != other for one, other in pairs)]
