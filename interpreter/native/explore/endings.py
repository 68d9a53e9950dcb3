"""Whether games end, in machine code: the same as the reference's `exploring.endings`, for many positions.

Its functions know nothing of rules: positions are numbers, with what follows each.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy

from rulesrun.interpreter.explore.breadth_first import Explored
from rulesrun.interpreter.explore.endings import Circle, Ends, way_back
from rulesrun.interpreter.form.form import NUMBER, Function, X, both, compare, local, number
from rulesrun.interpreter.form.lines import Lines
from rulesrun.interpreter.form.llvm import ModuleText
from rulesrun.interpreter.form.machine_code import Cache, MachineCode, compiled, has_pdep
from rulesrun.interpreter.native.explore import results
from rulesrun.interpreter.native.explore.arrays import Array

UNSEEN = 2**32 - 1
Numbers = numpy.ndarray[Any, Any]


def native_ends(found: Explored, cache: Cache | None = None) -> Ends:
    text = ModuleText(has_pdep()).whole((turning_function(), reaching_function(), knots_function()))
    code = compiled(text, cache)
    edges, offsets = numpy.array(found.edges, dtype=numpy.uint32), numpy.array(found.offsets, dtype=numpy.uint32)
    trapped = without_end(code, found, edges, offsets)
    return Ends(trapped, circle(code, found, edges, offsets))


def call(code: MachineCode, name: str, *given: Numbers | int) -> int:
    """All take the arrays that they work on, by address; the position that comes first is none of theirs."""
    idle = ctypes.create_string_buffer(16)
    values = [one if isinstance(one, int) else int(one.ctypes.data) for one in given]
    function = code.function(name, ctypes.c_int64, ctypes.c_void_p, *(ctypes.c_int64 for _ in values))
    return int(function(ctypes.addressof(idle), *values))


def zeroes(amount: int) -> Numbers:
    return numpy.zeros(max(amount, 1), dtype=numpy.uint32)


def without_end(code: MachineCode, found: Explored, edges: Numbers, offsets: Numbers) -> list[int]:
    size, expanded = found.size, found.expanded
    starts = numpy.zeros(size + 1, dtype=numpy.uint32)
    starts[1:] = numpy.cumsum(numpy.bincount(edges, minlength=size)[:size])
    before, place = zeroes(len(edges)), starts.copy()
    call(code, "turn round", edges, offsets, expanded, place, before)
    can_end, waiting = numpy.zeros(size, dtype=numpy.uint8), zeroes(size)
    first = numpy.array([*found.ended, *found.faulty, *range(expanded, size)], dtype=numpy.int64)
    can_end[first] = 1
    known = numpy.flatnonzero(can_end)
    waiting[: len(known)] = known
    call(code, "reach", starts, before, can_end, waiting, len(known))
    trapped: list[int] = numpy.flatnonzero(can_end == 0).tolist()
    return trapped


def circle(code: MachineCode, found: Explored, edges: Numbers, offsets: Numbers) -> Circle | None:
    size = found.expanded
    parts, work = zeroes(found.size), [zeroes(size) for _ in range(5)]
    work[0][:] = UNSEEN
    call(code, "knots", edges, offsets, size, parts, *work, numpy.zeros(max(size, 1), dtype=numpy.uint8))
    members = numpy.flatnonzero(parts)
    if not len(members):
        return None
    sizes = numpy.array(found.sizes, dtype=numpy.int64)
    way = way_back(found, int(members[0]), results.numbers(parts))
    return Circle(tuple(way), int(sizes[members].sum()))


# ---- the functions

def array(name: str, bits: int = 32) -> Array:
    return Array(local(name), bits)


def turning_function() -> Function:
    """What lies before each position; `place` says where the next of them goes."""
    lines = Lines()
    edges, offsets, place, before = array("edges"), array("offsets"), array("place"), array("before")

    def position(which: X) -> None:
        def edge(at: X) -> None:
            following = lines.kept(edges.get(at))
            to = lines.kept(place.get(following))
            before.put(lines, to, which)
            place.put(lines, following, both("add", to, number(1)))

        last = lines.kept(both("sub", offsets.get(both("add", which, number(1))), number(1)))
        lines.count_through(lines.kept(offsets.get(which)), last, edge)

    lines.count_through(number(0), both("sub", local("size"), number(1)), position)
    lines.add("return", number(0))
    return Function("turn round", ("edges", "offsets", "size", "place", "before"), NUMBER, lines.lines, is_inner=False)


def reaching_function() -> Function:
    """From those that can end to all from which one comes to them."""
    lines = Lines()
    starts, before, can_end, waiting = array("starts"), array("before"), array("can_end", 8), array("waiting")
    done, many = lines.variable(number(0), "done"), lines.variable(local("many"), "many")
    with lines.loop() as over:
        lines.leave(over, compare(">=", done, many))
        one = lines.kept(waiting.get(done))

        def edge(at: X) -> None:
            earlier = lines.kept(before.get(at))
            with lines.when(compare("=", can_end.get(earlier), number(0))):
                can_end.put(lines, earlier, number(1))
                waiting.put(lines, many, earlier)
                lines.add_to(many, number(1))

        last = lines.kept(both("sub", starts.get(both("add", one, number(1))), number(1)))
        lines.count_through(lines.kept(starts.get(one)), last, edge)
        lines.add_to(done, number(1))
    lines.add("return", many)
    given = ("starts", "before", "can_end", "waiting", "many")
    return Function("reach", given, NUMBER, lines.lines, is_inner=False)


class Knots:
    """Writes `knots`, Tarjan's algorithm with a stack of its own; what `Explored` calls a position is a number."""

    given = ("edges", "offsets", "size", "parts", "seen", "low", "stack", "path", "next", "open")

    def __init__(self) -> None:
        self.lines = Lines()
        self.edges, self.offsets, self.parts, self.seen, self.low, self.stack, self.path, self.next = (
            array(name) for name in ("edges", "offsets", "parts", "seen", "low", "stack", "path", "next")
        )
        self.open = array("open", 8)
        self.clock, self.knot, self.top, self.depth = (
            self.lines.variable(number(0), stem) for stem in ("clock", "knot", "top", "depth")
        )

    def write(self) -> Function:
        lines = self.lines

        def root(which: X) -> None:
            with lines.when(compare("=", self.seen.get(which), number(UNSEEN))):
                lines.set(self.depth, number(-1))
                self.enter(which)
                with lines.loop() as done:
                    lines.leave(done, compare("<", self.depth, number(0)))
                    self.step()

        lines.count_through(number(0), both("sub", local("size"), number(1)), root)
        lines.add("return", self.knot)
        return Function("knots", self.given, NUMBER, lines.lines, is_inner=False)

    def enter(self, which: X) -> None:
        lines = self.lines
        lines.add_to(self.depth, number(1))
        self.path.put(lines, self.depth, which)
        self.next.put(lines, self.depth, self.offsets.get(which))
        self.seen.put(lines, which, self.clock)
        self.low.put(lines, which, self.clock)
        self.stack.put(lines, self.top, which)
        self.open.put(lines, which, number(1))
        lines.add_to(self.clock, number(1))
        lines.add_to(self.top, number(1))

    def step(self) -> None:
        """One edge further; back, when there is no other."""
        lines = self.lines
        one, edge = lines.kept(self.path.get(self.depth)), lines.kept(self.next.get(self.depth))
        with lines.when(compare("<", edge, self.offsets.get(both("add", one, number(1))))) as line:
            self.next.put(lines, self.depth, both("add", edge, number(1)))
            following = lines.kept(self.edges.get(edge))
            with lines.when(compare("<", following, local("size"))):
                seen = lines.kept(self.seen.get(following))
                with lines.when(compare("=", seen, number(UNSEEN))) as new:
                    self.enter(following)
                with lines.otherwise(new), lines.when(compare("is not", self.open.get(following), number(0))):
                    self.low.put(lines, one, lines.kept(both("min", lines.kept(self.low.get(one)), seen)))
        with lines.otherwise(line):
            lowest = lines.kept(self.low.get(one))
            with lines.when(compare("=", lowest, self.seen.get(one))):
                self.close(one)
            lines.set(self.depth, both("sub", self.depth, number(1)))
            with lines.when(compare(">=", self.depth, number(0))):
                parent = lines.kept(self.path.get(self.depth))
                self.low.put(lines, parent, lines.kept(both("min", lines.kept(self.low.get(parent)), lowest)))

    def close(self, one: X) -> None:
        """Nothing leads before it: what lies above it on the stack is a knot, or it alone is none."""
        lines = self.lines
        is_alone = compare("=", self.stack.get(both("sub", self.top, number(1))), one)
        mark = lines.variable(both("add", self.knot, number(1)), "mark")
        with lines.when(is_alone):
            lines.set(mark, number(0))

            def edge(at: X) -> None:
                with lines.when(compare("=", self.edges.get(at), one)):
                    lines.set(mark, both("add", self.knot, number(1)))

            last = lines.kept(both("sub", self.offsets.get(both("add", one, number(1))), number(1)))
            lines.count_through(lines.kept(self.offsets.get(one)), last, edge)
        with lines.loop() as done:
            lines.set(self.top, both("sub", self.top, number(1)))
            member = lines.kept(self.stack.get(self.top))
            self.parts.put(lines, member, mark)
            self.open.put(lines, member, number(0))
            lines.leave(done, compare("=", member, one))
        with lines.when(compare("is not", mark, number(0))):
            lines.set(self.knot, mark)


def knots_function() -> Function:
    return Knots().write()
