"""Whether games end, in machine code: the same as the reference's `explore.endings`, for many positions.

Its functions know nothing of rules: positions are numbers, with what follows each.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy

from rulesrun.interpreter.explore.breadth_first import Explored
from rulesrun.interpreter.explore.findings import Circle, EndingAnalysis, find_way_back
from rulesrun.interpreter.form.form import NUMBER, Function, Value, binary, compare, local, number
from rulesrun.interpreter.form.lines import Lines
from rulesrun.interpreter.form.llvm import ModuleText
from rulesrun.interpreter.form.machine_code import Cache, MachineCode, compile_text, has_pdep
from rulesrun.interpreter.form.memory import MemoryArray
from rulesrun.interpreter.native.explore import results

UNSEEN = 2**32 - 1
Numbers = numpy.ndarray[Any, Any]


def analyze_endings_natively(found: Explored, cache: Cache | None = None) -> EndingAnalysis:
    text = ModuleText(has_pdep()).format_module(
        (reverse_edges_function(), reach_back_function(), strong_components_function())
    )
    code = compile_text(text, cache)
    edges, offsets = numpy.array(found.edges, dtype=numpy.uint32), numpy.array(found.offsets, dtype=numpy.uint32)
    trapped = find_trapped_positions(code, found, edges, offsets)
    return EndingAnalysis(trapped, find_circle(code, found, edges, offsets))


def call_kernel(code: MachineCode, name: str, *given: Numbers | int) -> int:
    """All take the arrays that they work on, by address; the position that comes first is none of theirs."""
    idle = ctypes.create_string_buffer(16)
    values = [one if isinstance(one, int) else int(one.ctypes.data) for one in given]
    function = code.function(name, ctypes.c_int64, ctypes.c_void_p, *(ctypes.c_int64 for _ in values))
    return int(function(ctypes.addressof(idle), *values))


def zero_words(amount: int) -> Numbers:
    return numpy.zeros(max(amount, 1), dtype=numpy.uint32)


def find_trapped_positions(code: MachineCode, found: Explored, edges: Numbers, offsets: Numbers) -> list[int]:
    size, expanded = found.size, found.expanded
    starts = numpy.zeros(size + 1, dtype=numpy.uint32)
    starts[1:] = numpy.cumsum(numpy.bincount(edges, minlength=size)[:size])
    before, place = zero_words(len(edges)), starts.copy()
    call_kernel(code, "turn round", edges, offsets, expanded, place, before)
    can_end, waiting = numpy.zeros(size, dtype=numpy.uint8), zero_words(size)
    first = numpy.array([*found.ended, *found.faulty, *range(expanded, size)], dtype=numpy.int64)
    can_end[first] = 1
    known = numpy.flatnonzero(can_end)
    waiting[: len(known)] = known
    call_kernel(code, "reach", starts, before, can_end, waiting, len(known))
    trapped: list[int] = numpy.flatnonzero(can_end == 0).tolist()
    return trapped


def find_circle(code: MachineCode, found: Explored, edges: Numbers, offsets: Numbers) -> Circle | None:
    size = found.expanded
    parts, work = zero_words(found.size), [zero_words(size) for _ in range(5)]
    work[0][:] = UNSEEN
    call_kernel(code, "knots", edges, offsets, size, parts, *work, numpy.zeros(max(size, 1), dtype=numpy.uint8))
    members = numpy.flatnonzero(parts)
    if not len(members):
        return None
    sizes = numpy.array(found.sizes, dtype=numpy.int64)
    way = find_way_back(found, int(members[0]), results.to_word_array(parts))
    return Circle(tuple(way), int(sizes[members].sum()))


# ---- the functions

def local_array(name: str, bits: int = 32) -> MemoryArray:
    return MemoryArray(local(name), bits)


def reverse_edges_function() -> Function:
    """What lies before each position; `place` says where the next of them goes."""
    lines = Lines()
    edges, offsets, place, before = (
        local_array("edges"),
        local_array("offsets"),
        local_array("place"),
        local_array("before"),
    )

    def position(which: Value) -> None:
        def edge(at: Value) -> None:
            following = lines.bind(edges.load(at))
            to = lines.bind(place.load(following))
            before.store(lines, to, which)
            place.store(lines, following, binary("add", to, number(1)))

        last = lines.bind(binary("sub", offsets.load(binary("add", which, number(1))), number(1)))
        lines.for_range(lines.bind(offsets.load(which)), last, edge)

    lines.for_range(number(0), binary("sub", local("size"), number(1)), position)
    lines.emit("return", number(0))
    return Function("turn round", ("edges", "offsets", "size", "place", "before"), NUMBER, lines.lines, is_inner=False)


def reach_back_function() -> Function:
    """From those that can end to all from which one comes to them."""
    lines = Lines()
    starts, before, can_end, waiting = (
        local_array("starts"),
        local_array("before"),
        local_array("can_end", 8),
        local_array("waiting"),
    )
    done, many = lines.variable(number(0), "done"), lines.variable(local("many"), "many")
    with lines.loop() as over:
        lines.leave(over, compare(">=", done, many))
        one = lines.bind(waiting.load(done))

        def edge(at: Value) -> None:
            earlier = lines.bind(before.load(at))
            with lines.when(compare("=", can_end.load(earlier), number(0))):
                can_end.store(lines, earlier, number(1))
                waiting.store(lines, many, earlier)
                lines.add_to(many, number(1))

        last = lines.bind(binary("sub", starts.load(binary("add", one, number(1))), number(1)))
        lines.for_range(lines.bind(starts.load(one)), last, edge)
        lines.add_to(done, number(1))
    lines.emit("return", many)
    given = ("starts", "before", "can_end", "waiting", "many")
    return Function("reach", given, NUMBER, lines.lines, is_inner=False)


class StrongComponents:
    """Writes `strongly_connected_components`, Tarjan's algorithm with a stack of its own. Positions are numbers."""

    given = ("edges", "offsets", "size", "parts", "seen", "low", "stack", "path", "next", "open")

    def __init__(self) -> None:
        self.lines = Lines()
        self.edges, self.offsets, self.parts, self.seen, self.low, self.stack, self.path, self.next = (
            local_array(name) for name in ("edges", "offsets", "parts", "seen", "low", "stack", "path", "next")
        )
        self.open = local_array("open", 8)
        self.clock, self.knot, self.top, self.depth = (
            self.lines.variable(number(0), stem) for stem in ("clock", "knot", "top", "depth")
        )

    def write_function(self) -> Function:
        lines = self.lines

        def root(which: Value) -> None:
            with lines.when(compare("=", self.seen.load(which), number(UNSEEN))):
                lines.set(self.depth, number(-1))
                self.enter_position(which)
                with lines.loop() as done:
                    lines.leave(done, compare("<", self.depth, number(0)))
                    self.follow_edge()

        lines.for_range(number(0), binary("sub", local("size"), number(1)), root)
        lines.emit("return", self.knot)
        return Function("knots", self.given, NUMBER, lines.lines, is_inner=False)

    def enter_position(self, which: Value) -> None:
        lines = self.lines
        lines.add_to(self.depth, number(1))
        self.path.store(lines, self.depth, which)
        self.next.store(lines, self.depth, self.offsets.load(which))
        self.seen.store(lines, which, self.clock)
        self.low.store(lines, which, self.clock)
        self.stack.store(lines, self.top, which)
        self.open.store(lines, which, number(1))
        lines.add_to(self.clock, number(1))
        lines.add_to(self.top, number(1))

    def follow_edge(self) -> None:
        """One edge further; back, when there is no other."""
        lines = self.lines
        one, edge = lines.bind(self.path.load(self.depth)), lines.bind(self.next.load(self.depth))
        with lines.when(compare("<", edge, self.offsets.load(binary("add", one, number(1))))) as line:
            self.next.store(lines, self.depth, binary("add", edge, number(1)))
            following = lines.bind(self.edges.load(edge))
            with lines.when(compare("<", following, local("size"))):
                seen = lines.bind(self.seen.load(following))
                with lines.when(compare("=", seen, number(UNSEEN))) as new:
                    self.enter_position(following)
                with lines.otherwise(new), lines.when(compare("is not", self.open.load(following), number(0))):
                    self.low.store(lines, one, lines.bind(binary("min", lines.bind(self.low.load(one)), seen)))
        with lines.otherwise(line):
            lowest = lines.bind(self.low.load(one))
            with lines.when(compare("=", lowest, self.seen.load(one))):
                self.close_component(one)
            lines.set(self.depth, binary("sub", self.depth, number(1)))
            with lines.when(compare(">=", self.depth, number(0))):
                parent = lines.bind(self.path.load(self.depth))
                self.low.store(lines, parent, lines.bind(binary("min", lines.bind(self.low.load(parent)), lowest)))

    def close_component(self, one: Value) -> None:
        """Nothing leads before it: what lies above it on the stack is a knot, or it alone is none."""
        lines = self.lines
        is_alone = compare("=", self.stack.load(binary("sub", self.top, number(1))), one)
        mark = lines.variable(binary("add", self.knot, number(1)), "mark")
        with lines.when(is_alone):
            lines.set(mark, number(0))

            def edge(at: Value) -> None:
                with lines.when(compare("=", self.edges.load(at), one)):
                    lines.set(mark, binary("add", self.knot, number(1)))

            last = lines.bind(binary("sub", self.offsets.load(binary("add", one, number(1))), number(1)))
            lines.for_range(lines.bind(self.offsets.load(one)), last, edge)
        with lines.loop() as done:
            lines.set(self.top, binary("sub", self.top, number(1)))
            member = lines.bind(self.stack.load(self.top))
            self.parts.store(lines, member, mark)
            self.open.store(lines, member, number(0))
            lines.leave(done, compare("=", member, one))
        with lines.when(compare("is not", mark, number(0))):
            lines.set(self.knot, mark)


def strong_components_function() -> Function:
    return StrongComponents().write_function()
