"""What machine code found, in the form of the reference: takes memory, fills in an `Explored`."""

from __future__ import annotations

from array import array
from typing import Any

import numpy
from attrs import define, field

from rulesrun.interpreter.explore.breadth_first import BreadthFirstSearch, Explored
from rulesrun.interpreter.explore.findings import RetracedGame, nth_successor
from rulesrun.interpreter.model.values import PC
from rulesrun.interpreter.native.explore.memory import ExplorationWorker, VisitedPositions
from rulesrun.interpreter.native.explore.successors import ENTRIES, EVENT
from rulesrun.interpreter.native.layout.machine import bit_of_several, by_bit
from rulesrun.interpreter.reference.decisions import DecisionWait
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


# ---- findings
# What machine code noted while it went through positions is walked again by the reference, which tells what it is.
#
# Takes notes of ways and of positions, adds findings to what was found, in the order in which the reference finds
# them.


TOLD_IN_FULL = 300  # faults that are walked again one by one; after these, one of every kind


class EnginesDisagree(Exception):
    """The machine code says something that the reference does not: it is left to the reference."""


def list_way_events(worker: ExplorationWorker) -> list[tuple[int, ...]]:
    """Events on ways: parent, way, how many children came before it in all buffers, what."""
    before = worker.control["before"]
    return [(parent, way, child + before, what) for parent, way, child, what in worker.read_events(EVENT)]


@define(eq=False)
class FindingReporter:
    search: BreadthFirstSearch
    visited: VisitedPositions
    retraced: int = 0
    kinds_told: set[int] = field(factory=set)
    broken: int = field(init=False, default=0)  # properties that are told already, one bit each

    def __attrs_post_init__(self) -> None:
        self.update_broken()

    def count_faults(self, events: list[tuple[int, ...]]) -> None:
        for parent, _, _, what in events:
            if what > 0:
                self.visited.marks.array[parent] |= FAULTY
                self.search.found.transitions += 1

    def report_events(self, events: list[tuple[int, ...]], looks: list[tuple[int, ...]]) -> None:
        """What was noted on ways, and at the new positions that they led to, in the order of the reference."""
        on_ways = [(child, 0, at, parent, way, what) for at, (parent, way, child, what) in enumerate(events)]
        for event in sorted([*on_ways, *looks]):
            if event[1] == 1:
                self.report_happened(event[2], event[5])
                self.report_position(event[2], event[3], event[4])
            else:
                self.report_way(event[3], event[4], event[5])

    def report_way(self, parent: int, which: int, what: int) -> None:
        """A fault, or properties that did not hold at their moments."""
        if what < 0 and not -what & ~self.broken:
            return
        if what > 0 and self.retraced >= TOLD_IN_FULL and what in self.kinds_told:
            return
        self.retraced += what > 0
        self.kinds_told.add(what)
        way = nth_successor(self.search.found.ways, self.walk_to(parent).S, which)
        known = len(self.search.found.guard.broken)
        for judged, position in way.broken:
            self.search.note_moment(judged, position, way, parent)
        if way.problem is not None:
            self.search.note_fault(way.problem, parent, way.answers)
        is_told = len(self.search.found.guard.broken) > known
        if (way.problem is None) == (what > 0) or (what < 0 and not is_told and self.is_sure(-what)):
            raise EnginesDisagree("what happens on a way")
        self.update_broken()

    def report_happened(self, number: int, happened: int) -> None:
        for at, judged in by_bit(self.search.found.table):
            title = judged.declaration.title
            if happened >> at & 1 and title not in self.search.found.happened:
                self.search.found.happened[title] = number
                self.search.found.guard.happened.add(title)

    def report_position(self, number: int, new: int, fault: int) -> None:
        if not fault and not new & ~self.broken:
            return
        if fault and self.retraced >= TOLD_IN_FULL and fault in self.kinds_told:
            return
        self.retraced += fault > 0
        self.kinds_told.add(fault)
        found = self.search.found
        S = self.walk_to(number).S
        known = len(found.findings)
        self.search.check_properties(S, number, not isinstance(found.table.waits[S[PC]], DecisionWait))
        if not fault and len(found.findings) == known and self.is_sure(new):
            raise EnginesDisagree("what holds at a position")
        self.update_broken()

    def walk_to(self, number: int) -> RetracedGame:
        found: Any = self.search.found
        found.parents, found.came = self.visited.parents.array, self.visited.came.array
        return RetracedGame(found).walk_to(number)

    def update_broken(self) -> None:
        for at, judged in by_bit(self.search.found.table):
            if judged.declaration.title in self.search.found.guard.broken:
                self.broken |= 1 << at & ~bit_of_several(self.search.found.table)

    def is_sure(self, new: int) -> bool:
        """Whether one of them is told for the first time; which of those that share a bit it is, is not known."""
        return bool(new & ~self.broken & ~bit_of_several(self.search.found.table))
