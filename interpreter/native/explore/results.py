"""What machine code found, in the form of the reference: takes memory, fills in an `Explored`."""

from __future__ import annotations

from array import array
from typing import Any

import numpy

from rulesrun.interpreter.explore.breadth_first import Explored
from rulesrun.interpreter.native.explore.memory import ExplorationWorker, VisitedPositions
from rulesrun.interpreter.native.explore.successors import ENTRIES
from rulesrun.interpreter.symmetry.canonical_positions import ITSELF

ENDED, FAULTY = 1, 2  # marks of a position


def hand_over_results(
    found: Explored, visited: VisitedPositions, workers: list[ExplorationWorker], expanded: int
) -> None:
    size, found.engine = visited.size, "native"
    found.parents, found.came = to_word_array(visited.parents.array[:size]), to_word_array(visited.came.array[:size])
    found.sizes = to_word_array(visited.sizes.array[:size])
    found.offsets = to_word_array(visited.offsets.array[: expanded + 1])
    found.edges = to_word_array(visited.edges.array[: found.offsets[-1]])
    if found.group.shifts:
        hand_over_seats(found, visited)
    for unit, known in visited.lengths.items():
        found.lengths[unit] = to_word_array(known.array[: found.offsets[-1]])
    marks = visited.marks.array[:size]
    found.ended = set(numpy.flatnonzero(marks & ENDED).tolist())
    found.faulty = set(numpy.flatnonzero(marks & FAULTY).tolist())
    for name in ("decisions", "chances", "overs"):
        counted = sum(worker.control[name] for worker in workers)
        setattr(found, name, getattr(found, name) + counted)
    hand_over_notes(found, workers)


def hand_over_seats(found: Explored, visited: VisitedPositions) -> None:
    """By how many seats each is what stands for it, moved on: `images` are the members that make it so."""
    shifts = numpy.array(found.group.shifts, dtype=numpy.uint16)
    places = shifts[visited.members.array[: visited.size]]
    places[~visited.positions_waiting_from(found.group.begun_at)] = ITSELF
    found.seats_at = array("H", places.tobytes())
    found.edge_seats = array("H", shifts[visited.images.array[: found.offsets[-1]]].tobytes())


def hand_over_notes(found: Explored, workers: list[ExplorationWorker]) -> None:
    """What has ever been reached, chosen, counted; which rules of components have held."""
    form = workers[0].form
    reached = merge_notes(workers, "noted")
    nodes = {id(node) for node, seen in zip(form.nodes, reached, strict=False) if seen}
    found.ways.done |= {at for at, one in enumerate(found.table.operations) if id(one.node) in nodes}
    taken = merge_notes(workers, "options taken")
    actions = found.table.bench.actions
    for question in form.questions:
        for entry, action in enumerate(question.actions):
            if taken[question.number * ENTRIES + entry]:
                found.ways.chosen.add(actions.index(action))
    scored = iter(merge_notes(workers, "scored"))
    for at, score in enumerate(found.table.bench.scores):
        found.ways.scored |= {(at, column) for column in range(len(score.lines)) if next(scored)}
    held = merge_notes(workers, "rules held")
    for (name, _, _), is_held in zip(form.plan.bench.list_component_rules(), held, strict=False):
        if is_held:
            found.rules.waiting.pop(name, None)


def merge_notes(workers: list[ExplorationWorker], name: str) -> list[int]:
    """On any of the threads."""
    total = workers[0].field_array(name).copy()
    for worker in workers[1:]:
        total |= worker.field_array(name)
    found: list[int] = total.tolist()
    return found


def to_word_array(several: Any) -> array[int]:
    found = array("I")
    found.frombytes(numpy.ascontiguousarray(several).view(numpy.uint8).data)
    return found
