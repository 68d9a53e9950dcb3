"""Peg solitaire on a triangle of fifteen holes: as many positions and ends as a program written apart finds, with jumps
along the three ways of a hexagonal board."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import rulesrun

SIDE = 5
WAYS = ((0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1))


def find_positions() -> tuple[int, int]:
    """How many sets of pegs are reached from all holes but the corner, and how many of them have no jump."""
    holes = frozenset((row, column) for row in range(1, SIDE + 1) for column in range(1, SIDE + 2 - row))
    start = holes - {(1, 1)}
    reached, waiting, ends = {start}, [start], 0
    while waiting:
        pegs = waiting.pop()
        following = [
            pegs - {(row, column), over} | {to}
            for row, column in pegs for down, across in WAYS
            if (over := (row + down, column + across)) in pegs
            and (to := (row + 2 * down, column + 2 * across)) in holes - pegs
        ]  # fmt: skip
        ends += not following
        new = set(following) - reached
        reached |= new
        waiting += new
    return len(reached), ends


@pytest.mark.parametrize("engine", ["auto", "reference"])
def test_all_positions_are_reached(engine: str) -> None:
    positions, ends = find_positions()
    told = str(rulesrun.load(str(Path(__file__).with_name("peg_solitaire.rules"))).explore(engine=engine, whole=True))
    found = re.search(r"positions +([\d,]+): [\d,]+ decisions, 0 chance events, ([\d,]+) ends", told)
    assert found is not None, told
    assert [int(one.replace(",", "")) for one in found.groups()] == [positions, ends]
