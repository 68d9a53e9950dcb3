"""Every reachable position in machine code: the same numbers, counts and findings as `explore.breadth_first`.

Takes a table that is compiled and a search of the reference that has looked at the first position; fills in what was
found. Positions are followed some at a time, on several threads; they get their numbers in the order in which one
thread would have found them.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from time import perf_counter
from typing import Any

import numpy
from attrs import define, field

from rulesrun.interpreter.explore.breadth_first import BreadthFirstSearch, Engine, Explored
from rulesrun.interpreter.form.form import Function
from rulesrun.interpreter.form.llvm import ModuleText
from rulesrun.interpreter.form.machine_code import Cache, MachineCode, compile_text, has_pdep
from rulesrun.interpreter.native.explore import visited_set
from rulesrun.interpreter.native.explore.arrays import Control
from rulesrun.interpreter.native.explore.canonical_rows import CanonicalRows
from rulesrun.interpreter.native.explore.machine import ExploredForm, lower_exploration
from rulesrun.interpreter.native.explore.memory import ExplorationWorker, VisitedPositions, zero_array
from rulesrun.interpreter.native.explore.position_checks import LOOKED, position_check_function
from rulesrun.interpreter.native.explore.results import (
    ENDED,
    EnginesDisagree,
    FindingReporter,
    hand_over_results,
    list_way_events,
)
from rulesrun.interpreter.native.explore.successors import ExpandWriter, lay_out_notes
from rulesrun.interpreter.native.explore.symmetry_tables import lay_out_group
from rulesrun.interpreter.native.explore.visited_set import NEW, PARTS, PARTS_BITS
from rulesrun.interpreter.native.layout.lowering import lower_table
from rulesrun.interpreter.reference.table import Table

# ---- pace
# Whether threads work side by side or one after another: told by the clock, kernel by kernel. It changes no result.
#
# Side by side is quicker where there are as many idle processors as threads. Where it is not, because others use them
# or what two threads touch lies too near each other, one after another is: so that is tried now and then.


FIRST = 3  # the round that goes one after another for the first time
AGAIN = {True: 100, False: 8}  # by the way that is kept: rounds after which the other is tried once more
NEWER = 0.3  # how much the last round counts
CLEARLY = 0.9  # so much quicker it must be to go one after another

SIDE_BY_SIDE, IN_TURN = True, False


@define(eq=False)
class KernelPace:
    """Of one kernel: seconds for a piece of work, either way."""

    seconds: dict[bool, float] = field(factory=dict)
    rounds: int = 0
    since: int = 0  # how many rounds ago the other way was tried

    @property
    def better_way(self) -> bool:
        if IN_TURN not in self.seconds:
            return SIDE_BY_SIDE
        return IN_TURN if self.seconds[IN_TURN] < CLEARLY * self.seconds[SIDE_BY_SIDE] else SIDE_BY_SIDE

    def next_way(self) -> bool:
        self.rounds += 1
        self.since += 1
        if self.rounds < FIRST:
            return SIDE_BY_SIDE
        if self.rounds == FIRST or self.since >= AGAIN[self.better_way]:
            self.since = 0
            return not self.better_way
        return self.better_way

    def note_time(self, way: bool, seconds: float, work: float) -> None:
        taken = seconds / max(work, 1)
        before = self.seconds.get(way, taken)
        self.seconds[way] = before + NEWER * (taken - before)


# ---- compiled
# Everything that going through all positions of a table needs, as machine code. Takes a table, gives its functions.


OF_POSITIONS = ("begin", "expand", "look")
OF_ROWS = ("look up", "number", "enter", "link", "grow")


@define(eq=False)
class ExploringCode:
    """Each function takes the memory of a thread and a control; outside Python's lock."""

    form: ExploredForm
    code: MachineCode
    functions: dict[str, Callable[[int, int], int]] = field(init=False)

    def __attrs_post_init__(self) -> None:
        pointer, number = ctypes.c_void_p, ctypes.c_int64
        self.functions = {
            name: self.code.function(name, number, pointer, number) for name in (*OF_POSITIONS, *OF_ROWS)
        }

    def call_kernel(self, name: str, memory: int, control: Control) -> int:
        return self.functions[name](memory, control.address)


def format_exploration(form: ExploredForm) -> str:
    functions = make_kernels(form)
    inner = {id(one) for one in form.functions}
    written = [*form.functions, *(one for one in form.plan.functions if id(one) not in inner)]
    return ModuleText(has_pdep()).format_module([*written, *functions])


def make_kernels(form: ExploredForm) -> tuple[Function, ...]:
    lay_out_notes(form)
    form.plan.add_scratch("rules held", 8, max(len(form.plan.bench.list_component_rules()), 1))
    alike = CanonicalRows(form)
    ways = (ExpandWriter(form, alike).begin_function(), ExpandWriter(form, alike).expand_function())
    return (
        *alike.functions,
        *ways,
        position_check_function(form, alike),
        *visited_set.visited_set_functions(form, alike.chains),
    )


def compile_exploration(table: Table, cache: Cache | None = None, care: int = 2) -> ExploringCode:
    """Raises `CannotCompile` with the reason when the reference alone can do it. `care`: see `compiled`."""
    form = lower_table(table, lower_exploration)
    text = lower_table(table, lambda _: format_exploration(form))
    return ExploringCode(form, compile_text(text, cache, care))


# ---- exploration


ROOM, LARGE_ROOM = 1 << 13, 1 << 17  # ways that a thread keeps at a time
NEAR = 1 << 23  # bytes of rows that stay near the processor; twice as many where threads wait for each other
MOST_ROOM = 1 << 18
FEW = 2000  # ways: so few are done before another thread has begun


@define(eq=False)
class NativeSearch:
    search: BreadthFirstSearch
    code: ExploringCode
    jobs: int = 1
    few: int = FEW
    workers: list[ExplorationWorker] = field(init=False)
    visited: VisitedPositions = field(init=False)
    pool: ThreadPoolExecutor | None = field(init=False)
    teller: FindingReporter = field(init=False)
    large_room: int = field(init=False)
    paces: dict[tuple[str, ...], KernelPace] = field(factory=dict)  # by kernels
    ways_per_position: float = 4.0
    expanded: int = 0

    def __attrs_post_init__(self) -> None:
        form = self.code.form
        threads = min(self.jobs, PARTS)
        self.workers = [ExplorationWorker(form, threads) for _ in range(threads)]
        self.visited = VisitedPositions(form)
        self.teller = FindingReporter(self.search, self.visited)
        self.pool = ThreadPoolExecutor(threads - 1) if threads > 1 else None
        buffers = numpy.array([worker.control.address for worker in self.workers], dtype=numpy.int64)
        for worker in self.workers:
            worker.keep_array("buffers", buffers)
            worker.control["buffer count"] = worker.control["partitions"] = threads
            lay_out_group(worker, self.explored.group)
        for at, worker in enumerate(self.workers):
            worker.control["partition"] = at
        self.large_room = large_room(len(form.words), threads)
        self.make_room(ROOM)

    @property
    def explored(self) -> Explored:
        return self.search.found

    def expand_all(self) -> None:
        """From the first position on, which the reference has looked at."""
        try:
            self.visit_first()
            self.expand_levels()
        finally:
            if self.pool is not None:
                self.pool.shutdown()
            hand_over_results(self.explored, self.visited, self.workers, self.expanded)

    # ---- all threads

    def run_kernels(
        self, *names: str, workers: list[ExplorationWorker] | None = None, ways: float | None = None
    ) -> None:
        """Kernels, one after the other, on every thread, this one is the first; the lock is not held meanwhile."""
        several = self.workers if workers is None else workers
        work = sum(worker.control["children"] for worker in several) if ways is None else ways
        if self.pool is None or len(several) < 2 or work < self.few:
            self.run_in_turn(names, several)
            return
        pace = self.paces.setdefault(names, KernelPace())
        way, began = pace.next_way(), perf_counter()
        if way == IN_TURN:
            self.run_in_turn(names, several)
        else:
            tasks = [self.pool.submit(self.run_in_turn, names, [worker]) for worker in several[1:]]
            self.run_in_turn(names, several[:1])
            for task in tasks:
                task.result()
        pace.note_time(way, perf_counter() - began, work)

    def run_in_turn(self, names: tuple[str, ...], workers: list[ExplorationWorker]) -> None:
        for worker in workers:
            for name in names:
                self.code.call_kernel(name, worker.address, worker.control)

    def set_for_all(self, name: str, value: int) -> None:
        for worker in self.workers:
            worker.control[name] = value

    def make_room(self, room: int) -> None:
        for worker in self.workers:
            worker.make_room(room)
        answers = numpy.array([worker.control["results"] for worker in self.workers], dtype=numpy.int64)
        for worker in self.workers:
            worker.keep_array("answers", answers)

    # ---- positions

    def visit_first(self) -> None:
        first, found = self.workers[0], self.explored
        self.set_for_all("broken seen", self.teller.broken)
        for worker in self.workers[1:]:
            worker.control["children"] = worker.control["first"] = worker.control["reached"] = 0
        self.code.call_kernel("begin", first.address, first.control)
        if first.control["children"] != 1:
            raise EnginesDisagree("the first position")
        first.arrays["ends"][0], first.control["first"], first.control["reached"] = 1, 0, 1
        self.visit_successors([first])
        self.visited.edge_count = 0
        self.visited.offsets.array[:2] = 0
        self.visited.parents.array[0] = 0xFFFFFFFF
        self.visited.marks.array[0] = ENDED if found.overs else 0
        found.whole, found.transitions = int(self.visited.sizes.array[0]), 0

    def expand_levels(self) -> None:
        found, visited, number = self.explored, self.visited, 0
        found.levels = [1]
        last = 1
        while number < visited.size:
            if number == last:
                found.levels.append(visited.size - number)
                last = visited.size
            found.stopped = self.reason_to_stop()
            if found.stopped is not None:
                return
            number = self.expanded = self.expand_batch(number, last)

    def reason_to_stop(self) -> str | None:
        return self.search.reason_to_stop(self.visited.size, self.visited.bytes_used)

    def expand_batch(self, first: int, last: int) -> int:
        """Follows positions from `first` on, before `last`; gives how far it came."""
        room = self.workers[0].room
        if room < self.large_room and (last - first) * self.ways_per_position > room * len(self.workers):
            self.make_room(self.large_room)
        notes = [self.copy_notes(worker) for worker in self.workers]
        workers = self.expand_stretches(first, last)
        before = self.visited.size
        cut = self.visit_successors(workers)
        reached = workers[-1].control["reached"] if cut is None else cut
        events = [event for worker in workers for event in list_way_events(worker) if event[0] < reached]
        self.teller.count_faults(events)
        if cut is not None:
            for worker, noted in zip(self.workers, notes, strict=True):
                self.replay_notes(worker, noted, first, cut)
        looks = self.check_new_positions(before, workers, bool(events))
        self.teller.report_events(events, looks)
        self.set_for_all("broken seen", self.teller.broken)
        return reached

    def expand_stretches(self, first: int, last: int) -> list[ExplorationWorker]:
        """Every thread a stretch of positions; gives those threads whose stretches follow one another without a gap."""
        each = max(1, int(0.7 * min(worker.room for worker in self.workers) / self.ways_per_position))
        used: list[ExplorationWorker] = []
        for worker in self.workers:
            if first < last:
                worker.control["first"], worker.control["last"] = first, min(first + each, last)
                first = worker.control["last"]
                used.append(worker)
        for worker in self.workers:
            self.clear_results(worker)
            self.visited.fill_control(worker.control)
        ways = self.ways_per_position * (used[-1].control["last"] - used[0].control["first"])
        self.run_kernels("expand", workers=used, ways=ways)
        if any(worker.control["gives up"] for worker in used):
            raise EnginesDisagree("too many ways")
        return self.keep_contiguous(used)

    def clear_results(self, worker: ExplorationWorker) -> None:
        worker.control["children"], worker.control["reached"] = 0, worker.control["first"]

    def keep_contiguous(self, used: list[ExplorationWorker]) -> list[ExplorationWorker]:
        head = used[0]
        if head.control["reached"] == head.control["first"]:
            if head.room >= MOST_ROOM:
                raise EnginesDisagree("too many ways")
            self.make_room(2 * head.room)
            return self.expand_stretches(head.control["first"], head.control["first"] + 1)
        kept: list[ExplorationWorker] = []
        for worker in used:
            is_next = not kept or kept[-1].control["reached"] == kept[-1].control["last"]
            if is_next and (not kept or kept[-1].control["last"] == worker.control["first"]):
                kept.append(worker)
            else:
                break
        for worker in used[len(kept) :]:
            self.clear_results(worker)
        children = sum(worker.control["children"] for worker in kept)
        parents = kept[-1].control["reached"] - kept[0].control["first"]
        self.ways_per_position = max(1.0, 0.5 * self.ways_per_position + 0.5 * children / parents)
        return kept

    def visit_successors(self, workers: list[ExplorationWorker]) -> int | None:
        """What came of it is looked up and numbered; gives where it was cut off, when the limit was reached."""
        visited = self.visited
        children = sum(worker.control["children"] for worker in workers)
        if visited.has_to_grow(children):
            self.grow_table(children)
        before = 0
        for worker in workers:
            worker.control["before"] = before
            before += worker.control["children"]
        visited.reserve_positions(children, children)
        for worker in self.workers:
            visited.fill_control(worker.control)
        self.run_kernels("look up")
        new = numpy.sum([worker.arrays["news"] for worker in self.workers], axis=0).tolist()
        cut = self.cut_at_limit(workers)
        following, edges = visited.size, visited.edge_count
        for at, worker in enumerate(workers):
            worker.control["next number"], worker.control["edge count"] = following, edges
            visited.keep_lengths(worker)
            if self.code.form.memories:
                worker.reserve_records()
            following += new[at] if cut is None else int(self.new_children(worker).sum())
            edges += worker.control["children"]
        self.run_kernels("number", workers=workers)
        if self.code.form.memories:
            visited.count_records(self.workers)
        self.run_kernels("enter", "link")
        if any(worker.control["unlike"] for worker in workers):
            raise EnginesDisagree("two positions have the same hash")
        if self.explored.group.shifts:
            visited.note_images(workers)
        visited.size, visited.edge_count = following, edges
        self.explored.transitions += sum(worker.control["children"] for worker in workers)
        self.explored.whole += sum(worker.control["whole"] for worker in workers)
        return cut

    def grow_table(self, more: int) -> None:
        """Each thread its parts."""
        visited, size = self.visited, len(self.visited.table)
        while 2 * (visited.size + more) > size:
            size *= 4
        visited.set_table(zero_array(size, numpy.uint64))
        for worker in self.workers:
            visited.fill_control(worker.control)
            worker.control["known"] = visited.size
        self.run_kernels("grow")

    def cut_at_limit(self, workers: list[ExplorationWorker]) -> int | None:
        """The reference stops before a position when there are more than the limit: what comes after it is left."""
        room = self.search.limit - self.visited.size
        if room >= sum(worker.control["children"] for worker in workers):
            return None
        for at, worker in enumerate(workers):
            new = numpy.cumsum(self.new_children(worker))
            ends = worker.arrays["ends"][: worker.control["reached"] - worker.control["first"]]
            sums = numpy.concatenate([[0], new])[ends]
            over = numpy.flatnonzero(sums > room)
            if len(over):
                worker.control["reached"] = worker.control["first"] + int(over[0]) + 1
                worker.control["children"] = int(ends[over[0]])
                for other in workers[at + 1 :]:
                    self.clear_results(other)
                return worker.control["reached"]
            room -= int(sums[-1]) if len(sums) else 0
        return None

    def new_children(self, worker: ExplorationWorker) -> Any:
        """Which children of a buffer are new."""
        many, before = worker.control["children"], worker.control["before"]
        parts = worker.arrays["hashes"][:many] >> numpy.uint64(64 - PARTS_BITS)
        owners = (parts.astype(numpy.int64) * len(self.workers)) >> PARTS_BITS
        own = numpy.arange(many, dtype=numpy.uint32) + numpy.uint32(NEW + before)
        found = numpy.zeros(many, dtype=bool)
        for at, other in enumerate(self.workers):
            found |= (owners == at) & (other.arrays["results"][before : before + many] == own)
        return found

    # ---- what is noted on the way

    def copy_notes(self, worker: ExplorationWorker) -> list[Any]:
        return [worker.field_array(name).copy() for name in ("noted", "options taken", "scored")]

    def replay_notes(self, worker: ExplorationWorker, noted: list[Any], first: int, reached: int) -> None:
        """As if nothing had been followed beyond a position."""
        for name, kept in zip(("noted", "options taken", "scored"), noted, strict=True):
            worker.field_array(name)[:] = kept
        if worker is self.workers[0]:
            mine = worker.control
            kept_numbers = mine["first"], mine["children"], mine["reached"]
            mine["first"] = first
            while mine["first"] < reached:
                mine["last"] = reached
                self.code.call_kernel("expand", worker.address, mine)
                mine["first"] = max(mine["reached"], mine["first"] + 1)
            mine["first"], mine["children"], mine["reached"] = kept_numbers

    def check_new_positions(
        self, before: int, workers: list[ExplorationWorker], in_order: bool
    ) -> list[tuple[int, ...]]:
        """At all new positions; gives what is to be told of them, in its order among the events of ways."""
        places = numpy.concatenate([
            numpy.flatnonzero(self.new_children(worker)) + worker.control["before"] for worker in workers
        ]) if in_order else None
        found: list[tuple[int, ...]] = []
        first, after = before, self.visited.size
        each = (after - before + len(self.workers) - 1) // len(self.workers)
        used: list[ExplorationWorker] = []
        for worker in self.workers:
            if first < after:
                worker.control["first"], worker.control["last"] = first, min(first + each, after)
                first = worker.control["last"]
                used.append(worker)
        self.run_kernels("look", workers=used)
        for worker in used:
            while True:
                for number, *what in worker.read_events(LOOKED):
                    place = int(places[number - before]) if places is not None else number
                    found.append((place, 1, number, *what))
                if worker.control["reached"] >= worker.control["last"]:
                    break
                worker.control["first"] = worker.control["reached"]
                self.code.call_kernel("look", worker.address, worker.control)
        return found


def large_room(words: int, threads: int) -> int:
    """The more a thread keeps, the more rarely threads wait for each other; but rows should stay near. As soon as there
    is as much to follow: to prepare it for a small table would take longer than to go through that.
    """
    room, near = ROOM, NEAR * min(threads, 2)
    while room < LARGE_ROOM and 2 * room * 8 * words <= near:
        room *= 2
    return room


def make_native_engine(code: ExploringCode, jobs: int = 1, few: int = FEW) -> Engine:
    """For `breadth.explore`."""
    return lambda search: NativeSearch(search, code, jobs, few).expand_all()
