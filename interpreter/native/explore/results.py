"""What machine code found, in the form of the reference: takes memory, fills in an `Explored`."""

from __future__ import annotations

from array import array
from typing import Any

import numpy

from rulesrun.dsl import ast
from rulesrun.interpreter.explore.breadth_first import Explored
from rulesrun.interpreter.native.explore.memory import Visited, Worker
from rulesrun.interpreter.native.explore.position_checks import rules
from rulesrun.interpreter.native.explore.successors import ENTRIES
from rulesrun.interpreter.symmetry.orbit_counts import ITSELF

ENDED, FAULTY = 1, 2  # marks of a position


def hand_over(found: Explored, visited: Visited, workers: list[Worker], expanded: int) -> None:
    size, found.engine = visited.size, "native"
    found.parents, found.came = numbers(visited.parents.array[:size]), numbers(visited.came.array[:size])
    found.sizes = numbers(visited.sizes.array[:size])
    found.offsets = numbers(visited.offsets.array[: expanded + 1])
    found.edges = numbers(visited.edges.array[: found.offsets[-1]])
    if found.group.shifts:
        hand_over_seats(found, visited)
    for unit, known in visited.lengths.items():
        found.lengths[unit] = numbers(known.array[: found.offsets[-1]])
    marks = visited.marks.array[:size]
    found.ended = set(numpy.flatnonzero(marks & ENDED).tolist())
    found.faulty = set(numpy.flatnonzero(marks & FAULTY).tolist())
    for name in ("decisions", "chances", "overs"):
        counted = sum(worker.control[name] for worker in workers)
        setattr(found, name, getattr(found, name) + counted)
    hand_over_notes(found, workers)


def hand_over_seats(found: Explored, visited: Visited) -> None:
    """By how many seats each is what stands for it, moved on: `images` are the members that make it so."""
    shifts = numpy.array(found.group.shifts, dtype=numpy.uint16)
    places = shifts[visited.members.array[: visited.size]]
    places[~visited.waits_from(found.group.begun_at)] = ITSELF
    found.seats_at = array("H", places.tobytes())
    found.edge_seats = array("H", shifts[visited.images.array[: found.offsets[-1]]].tobytes())


def hand_over_notes(found: Explored, workers: list[Worker]) -> None:
    """What has ever been reached, chosen, counted; which rules of components have held."""
    form = workers[0].form
    reached = noted(workers, "noted")
    nodes = {id(node) for node, seen in zip(form.nodes, reached, strict=False) if seen}
    found.ways.done |= {at for at, one in enumerate(found.table.operations) if id(one.node) in nodes}
    taken = noted(workers, "options taken")
    actions = found.table.bench.of_class(ast.Action)
    for question in form.questions:
        for entry, action in enumerate(question.actions):
            if taken[question.number * ENTRIES + entry]:
                found.ways.chosen.add(actions.index(action))
    scored = iter(noted(workers, "scored"))
    for at, score in enumerate(found.table.bench.of_class(ast.Score)):
        found.ways.scored |= {(at, column) for column in range(len(score.lines)) if next(scored)}
    held = noted(workers, "rules held")
    for (name, _), is_held in zip(rules(form.plan), held, strict=False):
        if is_held:
            found.rules.waiting.pop(name, None)


def noted(workers: list[Worker], name: str) -> list[int]:
    """On any of the threads."""
    total = workers[0].number(name).copy()
    for worker in workers[1:]:
        total |= worker.number(name)
    found: list[int] = total.tolist()
    return found


def numbers(several: Any) -> array[int]:
    found = array("I")
    found.frombytes(numpy.ascontiguousarray(several).view(numpy.uint8).data)
    return found
