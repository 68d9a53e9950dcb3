"""Kernels for one position at a time, the same for every table: an answer and what comes of it, with its chance.

The functions of a table come as addresses, in a plan of numbers. Code of a table stays as it is; this is compiled once,
apart from it.
"""

from __future__ import annotations

from attrs import define, field, frozen

from rulesrun.interpreter.form.form import NUMBER, Function, Value, invert, local, number, select
from rulesrun.interpreter.form.lines import Lines
from rulesrun.interpreter.form.memory import (
    POSITION,
    MemoryArray,
    call_address,
    load_shifted,
    local_array,
    move_bytes,
    random_below,
)

# Numbers of the plan, by their place: what the kernels must know of a table.
SIZE, AMOUNT, SETTLE, RUN, WHERE, FAULT, FAULT_UP, TOLD, OUT, PC, PC_UP, TELLING, CHANCES, FACES, SOURCES = range(15)
PLAN = 15

# What a step gives instead of the number of answers; that points were counted is one bit more.
STUCK, BY_HAND = -1, -2
COUNTED = 1 << 62
MOST_ANSWERS = 4096  # of chance, in one call
MOST_NOTED = 1 << 13  # words of points, after which a call gives back what there is

# How chance weighs at a question; else where its weights stand among the faces.
NO_CHANCE, DRAWN, EVENLY = -3, -1, -2
SMALL = 1 << 32  # a total from here on takes several random words


@define(eq=False)
class KernelPlan:
    """What a kernel is told of a table: numbers by their place. They stay in locals."""

    lines: Lines
    at: MemoryArray = field(factory=lambda: local_array("plan"))

    def number(self, place: int) -> Value:
        return self.lines.bind(self.at.load(place))

    def array(self, place: int) -> MemoryArray:
        """Numbers at an address."""
        return MemoryArray(self.number(place)).part(self.lines, 0)

    def scratch(self, place: int) -> MemoryArray:
        """Numbers of the position."""
        return MemoryArray(POSITION + self.number(place)).part(self.lines, 0)

    def field(self, place: int, shift: int) -> Value:
        """A number of the position as it is now."""
        return self.lines.bind(load_shifted(POSITION + self.number(place), self.number(shift)))

    def call(self, place: int, *given: Value, gives: str | None = None) -> Value:
        """A function of the table, now."""
        found = call_address(self.number(place), *given, gives=gives)
        if gives is not None:
            return self.lines.bind(found)
        self.lines.emit("do", found)
        return number(0)


@frozen(eq=False)
class Weights:
    """How the answers of a question of chance weigh: `stride` words apart, or all alike."""

    is_even: Value
    at: MemoryArray
    stride: Value

    def load(self, which: Value) -> Value:
        return self.at.load(which * self.stride)

    def total(self, lines: Lines, amount: Value) -> Value:
        """Of so many answers; 0 where all weigh alike."""
        total = lines.variable(number(0), "total")
        with lines.repeat(select(self.is_even, number(0), amount)) as which:
            lines.add_to(total, self.load(which))
        return total

    def pick(self, lines: Lines, amount: Value, below: Value) -> Value:
        """The answer that a random number below the total is one of; the first where none has weight."""
        picked, left = lines.variable(below, "picked"), lines.variable(below, "left")
        with lines.when(invert(self.is_even)):
            lines.set(picked, number(0))
            with lines.loop() as done:
                lines.set(left, left - self.load(picked))
                lines.leave(done, left < 0)
                lines.add_to(picked, 1)
                lines.leave(done, picked >= amount)
            lines.set(picked, select(left < 0, picked, number(0)))
        return picked


def weights_of(lines: Lines, kind: Value, drawn: MemoryArray, own: MemoryArray) -> Weights:
    """`drawn`: where the position tells the weights of what may be drawn; `own`: those of this question."""
    is_drawn = lines.bind(kind.equals(DRAWN))
    at = lines.bind(select(is_drawn, drawn.at, own.at))
    return Weights(lines.bind(kind.equals(EVENLY)), MemoryArray(at), lines.bind(select(is_drawn, number(2), number(1))))


def settle_and_run(plan: KernelPlan, answer: Value) -> None:
    """On to the next question; `STUCK` is given where there is none."""
    plan.call(SETTLE, answer)
    asked = plan.call(RUN, gives=NUMBER)
    with plan.lines.when(plan.field(FAULT, FAULT_UP).differs(0) | (asked < 0)):
        plan.lines.emit("return", number(STUCK))


def give_answers(plan: KernelPlan, told: MemoryArray) -> None:
    """How many answers there are, and whether points were counted."""
    answers, counted = plan.call(AMOUNT, gives=NUMBER), told.load().differs(0)
    plan.lines.emit("return", answers | select(counted, number(COUNTED), number(0)))


def step_function() -> Function:
    """From a position, by an answer, to the next question: how many answers that has. The position lies at `OUT`."""
    lines = Lines()
    plan = KernelPlan(lines)
    size, told = plan.number(SIZE), plan.scratch(TOLD)
    move_bytes(lines, POSITION, local("from"), size)
    told.store(lines, 0, 0)
    settle_and_run(plan, local("answer"))
    move_bytes(lines, plan.array(OUT).at, POSITION, size)
    give_answers(plan, told)
    return Function("step alone", ("from", "answer", "plan"), NUMBER, lines.lines, is_inner=False)


def step_with_luck_function() -> Function:
    """The same, and then all that chance decides, by its streams: each answer is written down, the streams lie behind
    the position. A first answer below zero: none. Gives `BY_HAND` where chance must be asked outside, and begins there.
    """
    lines = Lines()
    plan = KernelPlan(lines)
    size, told, out, answers = plan.number(SIZE), plan.scratch(TOLD), plan.array(OUT), local_array("answers")
    streams = MemoryArray(out.at + size).part(lines, 0)
    move_bytes(lines, POSITION, local("from"), size)
    move_bytes(lines, streams.at, local("luck"), local("streams") * 8)
    told.store(lines, 0, 0)
    answer, many = lines.variable(local("answer"), "answer"), lines.variable(number(0), "many")
    with lines.loop():
        with lines.when(answer >= 0):
            settle_and_run(plan, answer)
        asked = plan.field(PC, PC_UP)
        kind = lines.bind(plan.array(CHANCES).load(asked))
        move_bytes(lines, out.at, POSITION, size)
        answers.store(lines, 0, many)
        with lines.when(kind.equals(NO_CHANCE)):
            give_answers(plan, told)
        give_up_if(lines, (told.load() > MOST_NOTED) | (many >= MOST_ANSWERS))
        lines.set(answer, answer_of_chance(plan, streams, asked, kind))
        lines.add_to(many, 1)
        answers.store(lines, many, answer)
        move_bytes(lines, POSITION, out.at, size)
    given = ("from", "answer", "plan", "luck", "streams", "answers")
    return Function("step with luck", given, NUMBER, lines.lines, is_inner=False)


def give_up_if(lines: Lines, test: Value) -> None:
    with lines.when(test):
        lines.emit("return", number(BY_HAND))


def answer_of_chance(plan: KernelPlan, streams: MemoryArray, asked: Value, kind: Value) -> Value:
    """By the stream of whom the question speaks of."""
    lines, telling = plan.lines, plan.scratch(TELLING)
    telling.store(lines, 0, 0)
    telling.store(lines, 1, 0)
    plan.call(WHERE)
    source = plan.array(SOURCES).part(lines, asked * 2)
    stream = streams.part(lines, source.load(0) + telling.load(source.load(1)))
    amount = plan.call(AMOUNT, gives=NUMBER)
    weights = weights_of(lines, kind, telling.part(lines, 1), plan.array(FACES).part(lines, kind))
    limit = lines.bind(select(weights.is_even, amount, weights.total(lines, amount)))
    give_up_if(lines, limit >= SMALL)
    return weights.pick(lines, amount, random_below(lines, stream, limit))


def block_kernels() -> tuple[Function, ...]:
    return step_function(), step_with_luck_function()
