"""What is asked of the places of a board: neighbours, what lies between, distances, lines, what hangs together.

Takes operations, gives `Code`; all but `connected` is looked up.
"""

from __future__ import annotations

from typing import Any, assert_never

from rulesrun.dsl.text.messages import message
from rulesrun.interpreter.model import boards
from rulesrun.interpreter.model.compile_context import Workbench
from rulesrun.interpreter.model.core import Connected, Distance, Lines, Operand, PlacesBetween, PlacesNear
from rulesrun.interpreter.model.values import Code, Run, Slots, constant, fault

BoardQuestion = PlacesNear | PlacesBetween | Distance | Lines | Connected


def compile_board_question(bench: Workbench, asked: BoardQuestion) -> Code:
    match asked:
        case PlacesNear(_, board, what, place, how_far):
            return look_up(bench, boards.list_near(board, what, how_far), place)
        case PlacesBetween(_, board, one, other):
            return compile_between(bench, boards.list_between(board), one, other)
        case Distance(_, board, start, end):
            steps, first, last = boards.list_distances(board), place_of(bench, start), place_of(bench, end)
            return Code(lambda S: steps[first(S)][last(S)])
        case Lines(_, board, through, length):
            if through is None:
                return constant(boards.list_lines(board, length))
            return look_up(bench, boards.list_lines_through(board, length), through)
        case Connected(_, board, start, among):
            begin, free = bench.compile(start).run, bench.compile(among).run
            return Code(bench.compile_charged(lambda S: boards.find_connected(board, begin(S), free(S)), asked.node))
        case _:
            assert_never(asked)


def look_up(bench: Workbench, known: tuple[Any, ...], place: Operand) -> Code:
    at = place_of(bench, place)
    return Code(lambda S: known[at(S)])


def compile_between(
    bench: Workbench, known: dict[tuple[int, int], tuple[int, ...]], one: Operand, other: Operand
) -> Code:
    first, last = place_of(bench, one), place_of(bench, other)
    return Code(lambda S: known.get((first(S), last(S)), ()))


def place_of(bench: Workbench, node: Operand) -> Run:
    """A place; `nothing` is a fault."""
    run = bench.compile(node).run

    def find_place(S: Slots) -> Any:
        place = run(S)
        if place is None:
            raise fault("nothing-used", message("a place is needed here, but there is nothing"), node.span)
        return place

    return find_place
