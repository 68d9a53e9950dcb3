"""What machine code noted while it went through positions is walked again by the reference, which tells what it is.

Takes notes of ways and of positions, adds findings to what was found, in the order in which the reference finds them.
"""

from __future__ import annotations

from typing import Any

from attrs import define, field

from rulesrun.interpreter.explore.breadth_first import BreadthFirstSearch
from rulesrun.interpreter.explore.retracing import RetracedGame, nth_successor
from rulesrun.interpreter.model.values import PC
from rulesrun.interpreter.native.explore.memory import ExplorationWorker, VisitedPositions
from rulesrun.interpreter.native.explore.results import FAULTY
from rulesrun.interpreter.native.explore.successors import EVENT
from rulesrun.interpreter.native.layout.property_bits import bit_of_several, by_bit
from rulesrun.interpreter.reference.decisions import DecisionWait

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
