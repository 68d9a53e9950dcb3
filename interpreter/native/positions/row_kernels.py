"""Kernels for many positions at a time, each a row of bytes: answers followed, answers at random, chance played on,
what a seat sees as one number, all options of a position, and their fixed numbers.

A row is copied to where positions are worked on, and back where it is to change. Values of options are read from the
bytes where they lie, shifted up and down to have their sign. Chance takes a random word a row: times the sum of the
weights, of which the upper half counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from attrs import define, field

from rulesrun.interpreter.form.form import (
    NUMBER,
    Function,
    Value,
    as_number,
    binary,
    local,
    number,
    product_above,
    select,
)
from rulesrun.interpreter.form.lines import Lines, call
from rulesrun.interpreter.form.memory import (
    POSITION,
    MemoryArray,
    load_shifted,
    local_array,
    move_bytes,
    next_random_word,
)
from rulesrun.interpreter.model.random import GOLDEN
from rulesrun.interpreter.native.flow.asked_games import AskedGamesForm
from rulesrun.interpreter.native.positions.block_kernels import weights_of

ILLEGAL = -2  # what is given for an answer that there is not; the row stays as it was
CHANCE = -1  # who decides, where it is no seat
ENTRY, COLUMN = 3, 7  # numbers of an action that is offered, and of a value of its choices
VIEW_SEED, VIEW_FACTOR = 7046029254386353131, -4658895280553007687


@define(eq=False)
class RowWriter:
    """A kernel being written for the positions of a table."""

    form: AskedGamesForm
    lines: Lines = field(factory=Lines)

    def call(self, name: str, *given: Value) -> Value:
        """A function of the table, now."""
        found = call(next(one for one in self.form.functions if one.name == name), *given)
        if found.type == NUMBER:
            return self.lines.bind(found)
        self.lines.emit("do", found)
        return number(0)

    def load(self, name: str) -> Value:
        return self.lines.bind(self.lines.load(self.form.plan.fields[name]))

    @property
    def telling(self) -> MemoryArray:
        return MemoryArray(POSITION + self.form.plan.fields["telling"].at)

    def row(self, which: Value) -> MemoryArray:
        return local_array("rows", 8).part(self.lines, which * self.form.plan.size)

    @contextmanager
    def each_row(self, keeps: bool = False) -> Iterator[Value]:
        """What stands in it, for every row, where positions are worked on. `keeps`: what becomes of it is the row."""
        with self.lines.repeat(local("n")) as which:
            row = self.row(which)
            move_bytes(self.lines, POSITION, row.at, self.form.plan.size)
            yield which
            if keeps:
                self.keep(which)

    def keep(self, which: Value) -> None:
        move_bytes(self.lines, self.row(which).at, POSITION, self.form.plan.size)

    def finish(self, name: str, *parameters: str, gives: str | None = None) -> Function:
        return Function(name, parameters, gives, self.lines.lines, is_inner=False)

    def is_legal(self, answer: Value) -> Value:
        return (answer >= 0) & (answer < self.call("amount"))


def row_kernels(form: AskedGamesForm) -> tuple[Function, ...]:
    number_option = number_option_function()
    return (
        follow_function(form), settle_function(form), run_function(form), count_function(form), view_function(form),
        answers_function(form), play_on_function(form), options_function(form), number_option,
        numbers_function(form, number_option), find_numbers_function(), move_marks_function(),
    )  # fmt: skip


# ---- answers

def follow_function(form: AskedGamesForm) -> Function:
    """An answer to each position, to its next question."""
    kernel = RowWriter(form)
    with kernel.each_row() as which:
        answer = kernel.lines.bind(local_array("answers").load(which))
        asked = kernel.lines.variable(number(ILLEGAL), "asked")
        with kernel.lines.when(kernel.is_legal(answer)):
            kernel.call("settle", answer)
            kernel.lines.set(asked, kernel.call("run"))
            kernel.keep(which)
        local_array("found").store(kernel.lines, which, asked)
    return kernel.finish("follow many", "rows", "n", "answers", "found")


def settle_function(form: AskedGamesForm) -> Function:
    """An answer to each position; the game has not gone on yet."""
    kernel = RowWriter(form)
    with kernel.each_row(keeps=True) as which:
        kernel.call("settle", kernel.lines.bind(local_array("answers").load(which)))
    return kernel.finish("settle many", "rows", "n", "answers")


def run_function(form: AskedGamesForm) -> Function:
    """Each position on to its next question. Gives how many are stuck."""
    kernel = RowWriter(form)
    stuck = kernel.lines.variable(number(0), "stuck")
    with kernel.each_row(keeps=True):
        kernel.lines.add_to(stuck, as_number(kernel.call("run") < 0))
    kernel.lines.emit("return", stuck)
    return kernel.finish("run many", "rows", "n", gives=NUMBER)


def count_function(form: AskedGamesForm) -> Function:
    """How many answers there are."""
    kernel = RowWriter(form)
    with kernel.each_row() as which:
        local_array("found").store(kernel.lines, which, kernel.call("amount"))
    return kernel.finish("count many", "rows", "n", "found")


def view_function(form: AskedGamesForm) -> Function:
    """A number for what is seen of each position: some words of it, of each some bits."""
    kernel = RowWriter(form)
    lines = kernel.lines
    with lines.repeat(local("n")) as which:
        row, mixed = kernel.row(which), lines.variable(number(VIEW_SEED), "h")
        with lines.repeat(local("words")) as at:
            word = load_shifted(row.at + local_array("offsets").load(at), 0)
            seen = (mixed ^ (word & local_array("masks").load(at))) * (GOLDEN - (1 << 64))
            lines.set(mixed, fold(lines, seen, 32) * VIEW_FACTOR)
        local_array("found").store(lines, which, fold(lines, mixed, 29))
    given = ("rows", "n", "offsets", "masks", "words", "found")
    return Function("view many", given, None, lines.lines, is_inner=False, has_position=False)


def fold(lines: Lines, word: Value, bits: int) -> Value:
    """The upper bits come to the lower ones."""
    kept = lines.bind(word)
    return kept ^ Value("lshr", NUMBER, (kept, number(bits)))


# ---- chance

def pick(kernel: RowWriter, kind: Value, word: Value) -> Value:
    """An answer at random, by the weights of this kind of question. `faces`: those that never change."""
    lines, amount = kernel.lines, kernel.call("amount")
    weights = weights_of(lines, kind, kernel.telling.part(lines, 1), local_array("faces").part(lines, kind))
    limit = select(weights.is_even, amount, weights.total(lines, amount))
    return weights.pick(lines, amount, lines.bind(product_above(word, lines.bind(limit))))


def answers_function(form: AskedGamesForm) -> Function:
    """An answer to each position by a random word: chance by its weights, options all alike."""
    kernel = RowWriter(form)
    with kernel.each_row() as which:
        kind = kernel.lines.bind(local_array("kinds").load(kernel.load("pc")))
        answer = pick(kernel, kind, kernel.lines.bind(local_array("words").load(which)))
        local_array("found").store(kernel.lines, which, answer)
    return kernel.finish("answers at random", "rows", "n", "words", "kinds", "faces", "found")


def play_on_function(form: AskedGamesForm) -> Function:
    """An answer to each position, and then all that chance decides; below zero: chance alone. Gives the next question,
    or that the game is stuck where nobody else is asked for so long."""
    kernel = RowWriter(form)
    lines = kernel.lines
    with kernel.each_row() as which:
        answer, found = lines.bind(local_array("answers").load(which)), lines.variable(number(ILLEGAL), "found")
        with lines.block() as refused:
            asked = lines.variable(kernel.load("pc"), "asked")
            with lines.when(answer >= 0):
                lines.leave(refused, answer >= kernel.call("amount"))
                kernel.call("settle", answer)
                lines.set(asked, kernel.call("run"))
            follow_chance(kernel, asked, local_array("streams").part(lines, which))
            kernel.keep(which)
            lines.set(found, asked)
        local_array("found").store(lines, which, found)
    given = ("rows", "n", "answers", "streams", "choosers", "kinds", "faces", "most", "found")
    return kernel.finish("play on", *given)


def follow_chance(kernel: RowWriter, asked: Value, stream: MemoryArray) -> None:
    lines, done = kernel.lines, kernel.lines.variable(number(0), "done")
    with lines.loop() as decided:
        lines.leave(decided, asked <= 0)
        lines.leave(decided, local_array("choosers").load(asked).differs(CHANCE))
        with lines.when(done >= local("most")):
            lines.set(asked, number(-1))
            lines.leave(decided)
        kind = lines.bind(local_array("kinds").load(asked))
        kernel.call("settle", pick(kernel, kind, next_random_word(lines, stream)))
        lines.set(asked, kernel.call("run"))
        lines.add_to(done, 1)


# ---- options

def options_function(form: AskedGamesForm) -> Function:
    """All options of a position, a row each: the numbers at some places. `places`: byte and shift of each."""
    kernel = RowWriter(form)
    lines, places = kernel.lines, local_array("places")
    with lines.repeat(local("n")) as option:
        kernel.call("settle", option)
        own = local_array("found").part(lines, option * local("width"))
        with lines.repeat(local("width")) as at:
            own.store(lines, at, load_shifted(POSITION + places.load(at * 2), lines.bind(places.load(at * 2 + 1))))
    return kernel.finish("list options", "n", "places", "width", "found")


def number_option_function() -> Function:
    """The fixed number of the option that was settled: that of its entry, and what each value adds. `entry`: the first
    number, the first column, where they end. A column: byte and shift of the value, the lowest value, where what it
    adds stands among the worths, byte and shift of its gate, and how many must be there, at least one more."""
    lines = Lines()
    entry, columns, worths = (local_array(name) for name in ("entry", "columns", "worths"))
    found = lines.variable(entry.load(0), "found")
    with lines.repeat(entry.load(2), first=entry.load(1)) as which:
        column = columns.part(lines, which * COLUMN)
        at, shift, low, table, gate_at, gate_shift, index = (lines.bind(column.load(part)) for part in range(COLUMN))
        is_there = lines.bind(index < load_shifted(POSITION + gate_at, gate_shift))
        place = load_shifted(POSITION + at, shift) - low
        worth = lines.bind(worths.load(table + select(is_there, place, number(0))))
        lines.add_to(found, select(is_there, worth, number(0)))
    lines.emit("return", found)
    return Function("number option", ("entry", "columns", "worths"), NUMBER, lines.lines)


def numbers_function(form: AskedGamesForm, number_option: Function) -> Function:
    """The fixed numbers of the options of each position, `width` of them at most, and how many there are; of chance and
    at the end none."""
    kernel = RowWriter(form)
    lines, amounts = kernel.lines, local_array("amounts")
    with kernel.each_row() as which:
        question, options = lines.bind(local_array("questions").load(kernel.load("pc"))), lines.variable(number(0))
        with lines.when(question >= 0):
            lines.set(options, kernel.call("amount"))
        amounts.store(lines, which, options)
        ids = local_array("ids", 32).part(lines, which * local("width"))
        number_row(kernel, number_option, question, binary("min", options, local("width")), ids)
    given = ("rows", "n", "questions", "entries", "columns", "worths", "ids", "width", "amounts")
    return kernel.finish("number options", *given)


def number_row(
    kernel: RowWriter, number_option: Function, question: Value, limit: Value, ids: MemoryArray
) -> None:
    """Of one position."""
    lines, limit = kernel.lines, kernel.lines.bind(limit)
    option, last = lines.variable(number(0), "option"), lines.variable(number(-1), "last")
    with lines.loop() as over:
        lines.leave(over, option >= limit)
        kernel.call("settle", option)
        offered, step = kernel.load("entry"), lines.variable(number(1), "step")
        entry = lines.bind(local("entries") + (question + offered) * (8 * ENTRY))

        def number_settled() -> Value:
            return lines.bind(call(number_option, entry, local("columns"), local("worths")))

        ids.store(lines, option, number_settled())
        with lines.when(offered.differs(last)):
            wide = kernel.call("grid", offered)
            with lines.when(wide > 1):
                high = lines.bind(kernel.telling.load())
                with lines.when(option + high * wide <= limit):
                    number_grid(kernel, number_settled, (option, high, wide), ids.part(lines, option))
                    lines.set(step, high * wide)
        lines.set(last, offered)
        lines.add_to(option, step)


def number_grid(
    kernel: RowWriter, number_settled: Callable[[], Value], grid: tuple[Value, Value, Value], ids: MemoryArray
) -> None:
    """All pairs of two values, from an option on: those of the first line and of the first column are looked at, for
    each value adds the same wherever it stands."""
    lines, (option, high, wide) = kernel.lines, grid
    with lines.repeat(wide, first=1) as column:
        kernel.call("settle", option + column)
        ids.store(lines, column, number_settled())
    with lines.repeat(high, first=1) as line:
        begin = lines.bind(line * wide)
        kernel.call("settle", option + begin)
        more = lines.bind(number_settled() - ids.load(0))
        with lines.repeat(wide) as column:
            ids.store(lines, begin + column, ids.load(column) + more)


def find_numbers_function() -> Function:
    """Of each position the answer with the wanted number."""
    lines = Lines()
    with lines.repeat(local("n")) as which:
        ids = local_array("ids", 32).part(lines, which * local("width"))
        amount, wanted = (lines.bind(local_array(name).load(which)) for name in ("amounts", "wanted"))
        option, found = lines.variable(number(0), "option"), lines.variable(number(ILLEGAL), "found")
        with lines.loop() as over:
            lines.leave(over, option >= amount)
            with lines.when(ids.load_signed(option).equals(wanted)):
                lines.set(found, option)
                lines.leave(over)
            lines.add_to(option, 1)
        local_array("found").store(lines, which, found)
    given = ("ids", "width", "amounts", "n", "wanted", "found")
    return Function("find numbers", given, None, lines.lines, is_inner=False, has_position=False)


def move_marks_function() -> Function:
    """Takes the marks off the numbers of each position that were there before, and marks those of now, a byte each."""
    lines = Lines()
    with lines.repeat(local("n")) as which:
        marks = local_array("marks", 8).part(lines, which * local("actions"))
        for when, sign in (("before", 0), ("now", 1)):
            own = local_array(f"ids {when}", 32).part(lines, which * local(f"width {when}"))
            with lines.repeat(local_array(f"amounts {when}").load(which)) as option:
                marks.store(lines, own.load_signed(option), sign)
    listed = tuple(f"{name} {when}" for when in ("before", "now") for name in ("ids", "width", "amounts"))
    given = (*listed, "n", "marks", "actions")
    return Function("move marks", given, None, lines.lines, is_inner=False, has_position=False)
