"""The loop of measured games as lines: begin, play, sum up, write a row. A table in; functions and a layout out."""

from __future__ import annotations

from attrs import frozen

from rulesrun.interpreter.form.form import NUMBER, Constants, Function, Value, binary, compare, number
from rulesrun.interpreter.form.lines import Lines, call
from rulesrun.interpreter.measure.common_random_numbers import OptionLots
from rulesrun.interpreter.native.flow.random_games import (
    RandomGamesForm,
    begin_streams,
    plan_random_games,
    play_function,
    start_bytes,
)
from rulesrun.interpreter.native.layout.plan import Scope
from rulesrun.interpreter.native.measure.common_random_numbers import NativeCoupledLuck
from rulesrun.interpreter.native.measure.counters import CountingHooks
from rulesrun.interpreter.native.measure.figures import LARGEST, Figures
from rulesrun.interpreter.reference.table import Table

ROW_BYTES = 1 << 19  # memory for the rows of some games
MOST_ROWS = 1024


@frozen(eq=False)
class MeasuredForm(RandomGamesForm):
    """`rows`: how many games there is room for in a thread's memory."""

    figures: Figures
    rows: int
    lots: OptionLots | None


def lower_measured_games(table: Table, lots: OptionLots | None = None) -> MeasuredForm:
    """`lots`: for luck that two tables share."""
    plan = plan_random_games(table)
    counting = CountingHooks(plan, Figures(plan))
    if lots is not None:
        plan.luck = NativeCoupledLuck(plan, lots, counting.load_turns)
    play = play_function(plan, counting)
    if lots is not None:
        plan.luck.finish()
    summing = counting.sum_up_function()
    start = Constants("start", 8, start_bytes(plan))
    width = counting.figures.width
    rows = max(1, min(MOST_ROWS, ROW_BYTES // (8 * width)))
    plan.add_scratch("rows of figures", 64, rows * width)
    loop = games_loop_function(counting, play, summing, start)
    return MeasuredForm(plan, (*plan.functions, play, loop), start, counting.figures, rows, lots)


def games_loop_function(counting: CountingHooks, play: Function, summing: Function, start: Constants) -> Function:
    """Plays games until one must be played by the reference; gives how many rows it has written."""
    plan, figures = counting.plan, counting.figures
    lines = Lines()
    scope = Scope(plan, lines, number(1))
    first, amount = Value("local", NUMBER, extra="first"), Value("local", NUMBER, extra="amount")
    done = lines.variable(number(0), "games")
    with lines.loop() as over:
        lines.leave(over, compare(">=", done, amount))
        lines.emit("copy", extra=(0, len(start.values), start))
        if plan.work is not None:
            lines.store(plan.work, number(0))
        if plan.lists_written:
            lines.store(plan.heap[1], number(0))
        lines.for_range(
            number(0), number(figures.width - 1), lambda at: lines.store(counting.row, number(0), at)
        )
        begin_streams(scope, binary("add", first, done))
        if plan.luck is not None:
            plan.luck.begin(scope)
        ended = lines.bind(call(play), "ended")
        lines.leave(over, Value("not", "i1", (ended,)))
        lines.leave(over, compare("is not", lines.load(plan.fields["broken"]), number(0)))
        lines.emit("do", call(summing, number(1)))
        lines.leave(over, has_too_large_figure(counting, lines))
        base = lines.bind(binary("mul", done, number(figures.width)))
        lines.for_range(number(0), number(figures.width - 1), lambda at: lines.store(
            plan.fields["rows of figures"], lines.load(counting.row, at), binary("add", base, at)
        ))
        lines.add_to(done, number(1))
    lines.emit("return", done)
    return Function("games", ("first", "amount"), NUMBER, lines.lines, is_inner=False)


def has_too_large_figure(counting: CountingHooks, lines: Lines) -> Value:
    """Whether a figure is beyond what may be squared and added up."""
    found = lines.variable(number(0), "large")

    def visit(at: Value) -> None:
        moved = binary("add", lines.load(counting.row, at), number(LARGEST))
        beyond = Value("shift_set", NUMBER, (moved, number((2 * LARGEST).bit_length() - 1)))
        lines.set(found, Value("or", NUMBER, (found, beyond)))

    for first, last in counting.figures.whole_ranges():
        lines.for_range(number(first), number(last), visit)
    return compare("is not", found, number(0))
