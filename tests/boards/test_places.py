"""What lies beside what, between what, on which lines: counted by formulas and by programs written apart."""

from __future__ import annotations

from random import Random

import pytest

from rulesrun.dsl import ast
from rulesrun.interpreter.model import boards
from rulesrun.interpreter.model.components import Kinds
from rulesrun.interpreter.reference.table import set_up_table
from tests.dsl.marked import TABLE, program

PLAY = "phase play: one turn each from 1\n  choose stop\naction stop\n"


def board(declared: str) -> Kinds:
    table = set_up_table(program(f"{TABLE}{declared}\nmarker stone[Place]: player or nothing\n{PLAY}"
                                 "never \"a stone\": some s in Place has stone[s] = 1\n"), 2)  # fmt: skip
    (declaration,) = table.bench.declarations(ast.Components)
    return table.bench.kinds_of(declaration)


@pytest.mark.parametrize(("rows", "columns"), [(1, 5), (3, 3), (4, 7), (8, 8)])
def test_a_grid(rows: int, columns: int) -> None:
    found = board(f"board Place: {rows} by {columns}")
    assert found.names[0] == "a1"
    assert found.names[-1] == f"{'abcdefgh'[columns - 1]}{rows}"
    steps = rows * (columns - 1) + columns * (rows - 1) + 2 * (rows - 1) * (columns - 1)
    assert sum(map(len, boards.list_neighbours(found))) == 2 * steps
    for length in (2, 3, 4):
        high, wide = max(rows - length + 1, 0), max(columns - length + 1, 0)
        assert len(boards.list_lines(found, length)) == rows * wide + columns * high + 2 * high * wide


def test_as_a_queen_and_a_king_go() -> None:
    found = board("board Place: 8 by 8")
    for one, (row, column) in enumerate(found.written):
        for other, (to_row, to_column) in enumerate(found.written):
            down, across = to_row - row, to_column - column
            assert boards.list_distances(found)[one][other] == max(abs(down), abs(across))
            is_straight = (down, across) != (0, 0) and (down == 0 or across == 0 or abs(down) == abs(across))
            assert (other in boards.list_rays(found)[one]) is is_straight
            inner = boards.list_between(found).get((one, other), ())
            assert len(inner) == (max(abs(down), abs(across)) - 1 if is_straight else 0)
            assert all(min(row, to_row) <= found.written[place][0] <= max(row, to_row) for place in inner)


@pytest.mark.parametrize("steps", [1, 2, 3, 7])
def test_so_many_steps_in_a_straight_line(steps: int) -> None:
    found = board("board Place: 8 by 8")
    ways = [(down, across) for down in (-1, 0, 1) for across in (-1, 0, 1) if down or across]
    for one, (row, column) in enumerate(found.written):
        there = {(row + steps * down, column + steps * across) for down, across in ways}
        near = {found.written[place] for place in boards.list_near(found, "neighbours", steps)[one]}
        assert near == there & set(found.written)


def test_hexagons() -> None:
    found = board("board Place: 5 by 4, hexagonal")
    assert sum(map(len, boards.list_neighbours(found))) == 2 * (5 * 3 + 4 * 4 + 4 * 3)
    for one, (row, column) in enumerate(found.written):
        for other, (to_row, to_column) in enumerate(found.written):
            down, across = to_row - row, to_column - column
            assert boards.list_distances(found)[one][other] == max(abs(down), abs(across), abs(down + across))


def test_dark_squares_alone() -> None:
    found = board("board Place: 8 by 8 where (row + column) mod 2 = 0")
    assert len(found) == 32
    assert sum(map(len, boards.list_neighbours(found))) == 2 * 49  # the diagonals alone: 2 x 7 x 7 steps, half of them


def test_lines_written_out() -> None:
    found = board("board Place\n  line north, middle, south\n  line west, middle, east\n  line far, away")
    near = {found.names[place]: {found.names[one] for one in beside}
            for place, beside in enumerate(boards.list_neighbours(found))}  # fmt: skip
    assert near["middle"] == {"north", "south", "west", "east"}
    assert near["far"] == {"away"}
    at = found.names.index
    assert boards.list_distances(found)[at("north")][at("east")] == 2
    assert boards.list_distances(found)[at("north")][at("far")] == len(found)
    assert boards.list_between(found)[at("west"), at("east")] == (at("middle"),)
    assert (at("north"), at("east")) not in boards.list_between(found)
    assert len(boards.list_lines(found, 3)) == 2


@pytest.mark.parametrize("declared", ["board Place: 6 by 6", "board Place: 6 by 6, hexagonal"])
def test_what_hangs_together(declared: str) -> None:
    found, chance = board(declared), Random(7)
    near = boards.list_neighbours(found)
    for _ in range(50):
        among = tuple(place for place in range(len(found)) if chance.random() < 0.5)
        start = tuple(place for place in range(len(found)) if chance.random() < 0.1)
        group = {place: place for place in among}  # each joined to the least that it hangs together with
        for _ in among:
            for place in among:
                group[place] = min(group[one] for one in (place, *near[place]) if one in group)
        begun = {group[place] for place in start if place in group}
        assert boards.find_connected(found, start, among) == tuple(one for one in among if group[one] in begun)


@pytest.mark.parametrize(("declared", "ways"), [
    ("board Place: 4 by 4", 7), ("board Place: 4 by 5", 3), ("board Place: 4 by 4, hexagonal", 3),
    ("board Place: 4 by 4 where row + column > 2", 1),
])  # fmt: skip
def test_turned_and_mirrored(declared: str, ways: int) -> None:
    """The symmetries of a square, a rectangle, a rhombus of hexagons, a square without a corner; itself left out."""
    found = board(declared)
    turns = boards.list_turns(found)
    assert len(turns) == ways
    for _, order in turns:
        for place, beside in enumerate(boards.list_neighbours(found)):
            assert {order[one] for one in beside} == set(boards.list_neighbours(found)[order[place]])
