"""Kernels that add up rows of figures, the same for every table: what they work on is said by a desk of addresses.

A row is a game, a column a figure. Eight columns at a time are added up over all rows: totals, squares, games with it.
Products of two columns follow, then how often each value of some columns comes. Where a value is counted hangs on
how large it is: exactly to `FINE`, above that as `round_to_digits` rounds it.

Of pairs of rows the products are added up, figure by figure, and of each with the other's measure. Both rows are laid
out by the figures that either table has; a figure that a table does not have is zero.
"""

from __future__ import annotations

from attrs import frozen

from rulesrun.interpreter.form.form import (
    NUMBER,
    Function,
    Value,
    as_number,
    binary,
    local,
    nonzero_lanes,
    number,
    select,
    sign_extend,
    zero_vector,
)
from rulesrun.interpreter.form.lines import Lines, call
from rulesrun.interpreter.form.memory import MemoryArray, call_address, local_array
from rulesrun.interpreter.measure.totals import FINE

TOGETHER = 8  # columns that are added up at once
OCTAVE = 2 * FINE  # places for the values of one roundness: from -FINE up to FINE
EXACT_BITS = FINE.bit_length() - 1

DESK = (
    "rows", "width", "stripes", "sums", "stride", "measured", "own", "against", "products", "spread", "columns",
    "places", "counts", "reach",
)  # fmt: skip

CROSS_DESK = (
    "left.width", "right.width", "left.places", "right.places", "left.row", "right.row", "keys", "both", "moved",
    "seen", "measured", "own", "against", "own.by.other", "other.by.own", "differing",
)  # fmt: skip


@frozen
class Desk:
    """Numbers and addresses by their names."""

    lines: Lines
    names: tuple[str, ...]

    def number(self, name: str) -> Value:
        return self.lines.bind(local_array("desk").load(self.names.index(name)))

    def array(self, name: str, bits: int = 64) -> MemoryArray:
        return MemoryArray(self.number(name), bits).part(self.lines, 0)


def add_rows_function() -> Function:
    """Adds so many rows to what is there."""
    lines = Lines()
    desk = Desk(lines, DESK)
    with lines.when(local("amount") > 0):
        sums = desk.array("sums")
        with lines.repeat(desk.number("stripes")) as stripe:
            add_stripe(desk, stripe * TOGETHER, sums.part(lines, stripe * TOGETHER))
        own, against, products = (desk.array(name) for name in ("own", "against", "products"))
        with lines.repeat(desk.number("measured")) as at:
            products.add_to(lines, at, sum_of_products(desk, own.load(at), against.load(at)))
        columns, counts, reach = desk.array("columns"), desk.array("counts", 32), desk.array("reach")
        with lines.repeat(desk.number("spread")) as at:
            own_counts = counts.part(lines, at * desk.number("places"))
            count_values(desk, columns.load(at), own_counts, reach.part(lines, at * 2))
    given = ("desk", "rows", "amount")
    return Function("add rows", given, None, lines.lines, is_inner=False, has_position=False)


def column(desk: Desk, which: Value) -> MemoryArray:
    """The numbers of a column stand a row apart, from here on."""
    return local_array("rows").part(desk.lines, which)


def add_stripe(desk: Desk, first: Value, sums: MemoryArray) -> None:
    """Some columns side by side: their totals, their squares, in how many games they are not 0."""
    lines, width, stride = desk.lines, desk.number("width"), desk.number("stride")
    total, square, games = (lines.variable(zero_vector(TOGETHER), name) for name in ("total", "square", "games"))
    rows = column(desk, first)
    with lines.repeat(local("amount")) as at:
        values = lines.bind(rows.part(lines, at * width).load_several(TOGETHER))
        lines.add_to(total, values)
        short = lines.bind(sign_extend(values, 32))
        lines.add_to(square, short * short)
        lines.add_to(games, nonzero_lanes(values))
    for part, found in enumerate((total, square, games)):
        place = sums.part(lines, stride * part)
        place.store(lines, 0, place.load_several(TOGETHER) + found)


def sum_of_products(desk: Desk, one: Value, other: Value) -> Value:
    """Of two columns, over all rows."""
    lines, width, found = desk.lines, desk.number("width"), desk.lines.variable(number(0), "sum")
    first, second = column(desk, one), column(desk, other)
    with lines.repeat(local("amount")) as at:
        lines.add_to(found, first.load(at * width) * second.load(at * width))
    return found


def count_values(desk: Desk, which: Value, counts: MemoryArray, reach: MemoryArray) -> None:
    """How often each value of a column comes. `reach`: the first and the last place that was counted at."""
    lines, width, values = desk.lines, desk.number("width"), column(desk, which)
    low, high = lines.variable(reach.load(0), "low"), lines.variable(reach.load(1), "high")
    with lines.repeat(local("amount")) as at:
        value = lines.bind(values.load(at * width))
        size = lines.bind(select(value < 0, number(0) - value, value))
        digits = Value("highest", NUMBER, (size,)) + (1 - EXACT_BITS)
        shift = lines.bind(binary("max", lines.bind(digits), number(0)))
        place = lines.bind(shift * OCTAVE + FINE + (value >> shift))
        counts.add_to(lines, place, 1)
        lines.set(low, binary("min", low, place))
        lines.set(high, binary("max", high, place))
    reach.store(lines, 0, low)
    reach.store(lines, 1, high)


def play_and_add_function(add_rows: Function) -> Function:
    """Plays games, a few at a time, and adds them up; ends where the games do not go on. Gives how many were played."""
    lines = Lines()
    done, rows = lines.variable(number(0), "done"), Desk(lines, DESK).number("rows")
    with lines.loop() as over:
        left = lines.bind(local("amount") - done)
        lines.leave(over, left <= 0)
        share = lines.bind(binary("min", left, local("few")))
        played = lines.bind(call_address(local("games"), local("first") + done, share, gives=NUMBER))
        lines.emit("do", call(add_rows, local("desk"), rows, played))
        lines.add_to(done, played)
        lines.leave(over, played.differs(share))
    lines.emit("return", done)
    return Function("play and add", ("desk", "games", "first", "amount", "few"), NUMBER, lines.lines, is_inner=False)


# ---- pairs of rows

def add_pairs_function() -> Function:
    """Adds so many pairs of rows up."""
    lines = Lines()
    desk = Desk(lines, CROSS_DESK)
    differing = desk.array("differing")
    with lines.repeat(local("amount")) as pair:
        left, right = (lay_out(desk, side, pair) for side in ("left", "right"))
        differing.add_to(lines, 0, cross(desk, left, right))
        cross_measured(desk, left, right)
    given = ("desk", "left", "right", "amount")
    return Function("add pairs", given, None, lines.lines, is_inner=False, has_position=False)


def lay_out(desk: Desk, side: str, pair: Value) -> MemoryArray:
    """The figures of a row in their places. `places`: of each figure its column, or -1."""
    lines = desk.lines
    places, found = desk.array(f"{side}.places"), desk.array(f"{side}.row")
    row = local_array(side).part(lines, pair * desk.number(f"{side}.width"))
    with lines.repeat(desk.number("keys")) as key:
        place = lines.bind(places.load(key))
        is_there = lines.bind(place >= 0)
        value = lines.bind(row.load(select(is_there, place, number(0))))
        found.store(lines, key, select(is_there, value, number(0)))
    return found


def cross(desk: Desk, left: MemoryArray, right: MemoryArray) -> Value:
    """Figure by figure; 1 where any of them differs."""
    lines, is_any = desk.lines, desk.lines.variable(number(0), "any")
    both, moved, seen = (desk.array(name) for name in ("both", "moved", "seen"))
    with lines.repeat(desk.number("keys")) as key:
        one, other = lines.bind(left.load(key)), lines.bind(right.load(key))
        differs = lines.bind(as_number(one.differs(other)))
        both.add_to(lines, key, one * other)
        moved.add_to(lines, key, differs)
        seen.store(lines, key, seen.load(key) | one | other)
        lines.set(is_any, is_any | differs)
    return is_any


def cross_measured(desk: Desk, left: MemoryArray, right: MemoryArray) -> None:
    """Each figure of one side with the measure of the other."""
    lines = desk.lines
    own, against, by_other, by_own = (desk.array(name) for name in ("own", "against", "own.by.other", "other.by.own"))
    with lines.repeat(desk.number("measured")) as at:
        figure, measure = lines.bind(own.load(at)), lines.bind(against.load(at))
        by_other.add_to(lines, at, left.load(figure) * right.load(measure))
        by_own.add_to(lines, at, left.load(measure) * right.load(figure))


def sum_kernels() -> tuple[Function, ...]:
    add_rows = add_rows_function()
    return add_rows, play_and_add_function(add_rows), add_pairs_function()
