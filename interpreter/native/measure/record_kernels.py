"""A kernel that plays one random game and writes its record down in numbers, moment by moment, the same for all tables.

What is written is what the reference's contrast compares. The functions of a table come as addresses; what its
questions are, as rows of numbers.
"""

from __future__ import annotations

from attrs import define, field

from rulesrun.interpreter.form.form import NUMBER, Function, Value, invert, local, number, select
from rulesrun.interpreter.form.lines import Lines
from rulesrun.interpreter.form.memory import (
    POSITION,
    MemoryArray,
    load_shifted,
    local_array,
    move_bytes,
    random_below,
)
from rulesrun.interpreter.native.positions.block_kernels import DRAWN, SMALL, KernelPlan, weights_of

# Numbers of the plan, by their place.
(SIZE, AMOUNT, SETTLE, RUN, WHERE, FAULT, FAULT_UP, TOLD, SHEETS, TELLING, PC, PC_UP, PLAYER, PLAYER_UP, QUESTIONS,
 NAMES, STREAMS, PLACES, PLACE_UP, SEATS, RESULT, RESULT_UP, BEFORE, LUCK, MOST_DECISIONS) = range(25)  # fmt: skip
PLAN = 25

# Numbers of a question, by their place.
(IS_CHANCE, WEIGHING, STREAM, TELLS, WHAT, ORIGINS, TARGETS, VALUES, WEIGHTS, TOTAL, COLUMNS, WIDTH, ACTIONS, IS_TEAM,
 SEATS_AT, SEAT_BYTES, SEAT_UP, ASKED_AT, ASKED_UP, GUARDS) = range(20)  # fmt: skip
WIDE = 20  # of one question

OVER, BY_REFERENCE = 0, -1
MOST_COUNTED = 1 << 13  # words of points at once
AT_CHANCE, AT_DECISION, AT_THE_END = 1, 2, 3


@define(eq=False)
class RecordWriter:
    """A record being written. A moment: what kind it is, the points counted since the last one, then what is asked."""

    lines: Lines
    plan: KernelPlan = field(init=False)
    words: MemoryArray = field(init=False)  # the record
    starts: MemoryArray = field(init=False)  # where each moment begins, with one bit for decisions
    used: Value = field(init=False)  # words that were written
    moment: Value = field(init=False)
    decisions: Value = field(init=False)
    answer: Value = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.plan, self.words, self.starts = KernelPlan(self.lines), local_array("words"), local_array("moments")
        self.used, self.moment, self.decisions, self.answer = (
            self.lines.variable(number(0), name) for name in ("used", "moment", "decisions", "answer")
        )

    def begin_game(self) -> None:
        lines, plan = self.lines, self.plan
        names, luck = plan.array(NAMES), plan.array(LUCK)
        with lines.repeat(plan.number(STREAMS)) as stream:
            luck.store(lines, stream, Value("mix", NUMBER, (names.load(stream) ^ local("key"),)))
        move_bytes(lines, POSITION, local("start"), plan.number(SIZE))
        plan.scratch(TOLD).store(lines, 0, 0)

    def leave_to_reference(self, test: Value) -> None:
        with self.lines.when(test):
            self.lines.emit("return", number(BY_REFERENCE))

    def write_moment(self) -> None:
        """What comes next, up to the answer to it; the end of the game is given back."""
        lines, plan = self.lines, self.plan
        asked, told = plan.call(RUN, gives=NUMBER), plan.scratch(TOLD)
        counted = lines.bind(told.load())
        self.leave_to_reference(plan.field(FAULT, FAULT_UP).differs(0) | (asked < 0))
        self.leave_to_reference((counted > MOST_COUNTED) | (self.moment >= local("most")))
        self.leave_to_reference(self.used + counted + 256 > local("room"))
        kind, points = self.words.part(lines, self.used), self.words.part(lines, self.used + 1)
        points.store(lines, 0, counted)
        move_bytes(lines, points.element_address(1), plan.scratch(SHEETS).at, counted * 8)
        told.store(lines, 0, 0)
        self.starts.store(lines, self.moment, self.used * 2)
        lines.add_to(self.used, counted + 2)
        with lines.when(asked.equals(OVER)):
            self.write_end(kind)
        here = plan.field(PC, PC_UP)
        question = KernelPlan(lines, plan.array(QUESTIONS).part(lines, here * WIDE))
        with lines.when(question.number(IS_CHANCE).differs(0)) as is_chance:
            kind.store(lines, 0, AT_CHANCE)
            self.write_chance(question)
        with lines.otherwise(is_chance):
            kind.store(lines, 0, AT_DECISION)
            self.write_choice(question)
        lines.add_to(self.moment, 1)
        plan.call(SETTLE, self.answer)

    def write_end(self, kind: MemoryArray) -> None:
        """Who is first, second and so on, and the word for it."""
        lines, plan = self.lines, self.plan
        kind.store(lines, 0, AT_THE_END)
        shift = plan.number(PLACE_UP)
        self.write_numbers(plan.number(SEATS), plan.number(PLACES), (number(64) - shift) >> 3, shift)
        self.words.store(lines, self.used, plan.field(RESULT, RESULT_UP))
        self.starts.store(lines, self.moment + 1, (self.used + 1) * 2)
        lines.emit("return", self.moment + 1)

    def write_numbers(self, amount: Value, at: Value, apart: Value, shift: Value) -> None:
        """Numbers of the position that stand so many bytes apart; before them, how many they are."""
        lines, apart = self.lines, self.lines.bind(apart)
        found = self.words.part(lines, self.used)
        found.store(lines, 0, amount)
        with lines.repeat(amount) as which:
            found.store(lines, which + 1, load_shifted(POSITION + at + which * apart, shift))
        lines.add_to(self.used, amount + 1)

    def write_choice(self, question: KernelPlan) -> None:
        lines, plan, size = self.lines, self.plan, self.plan.number(SIZE)
        self.starts.store(lines, self.moment, self.starts.load(self.moment) | 1)
        lines.add_to(self.decisions, 1)
        player, is_team = plan.field(PLAYER, PLAYER_UP), question.number(IS_TEAM).differs(0)
        chooser = lines.bind(select(is_team, number(0), player))
        self.words.store(lines, self.used, chooser)
        lines.add_to(self.used, 1)
        seats, together = question.number(SEATS_AT), question.field(ASKED_AT, ASKED_UP)
        asked = lines.bind(select(seats < 0, number(0), together))
        self.write_numbers(asked, seats, question.number(SEAT_BYTES), question.number(SEAT_UP))
        before = plan.array(BEFORE)
        move_bytes(lines, before.at, POSITION, size)
        options, width = plan.call(AMOUNT, gives=NUMBER), question.number(WIDTH)
        self.words.store(lines, self.used, options)
        rows = self.words.part(lines, self.used + 1)
        lines.add_to(self.used, options * width + 1)
        self.leave_to_reference((self.used > local("room")) | (options < 1))
        self.leave_to_reference(self.decisions > plan.number(MOST_DECISIONS))
        with lines.repeat(options) as option:
            plan.call(SETTLE, option)
            self.write_option(question, rows.part(lines, option * width), width)
        lines.set(self.answer, random_below(lines, plan.array(LUCK).part(lines, chooser), options))
        move_bytes(lines, POSITION, before.at, size)

    def write_option(self, question: KernelPlan, row: MemoryArray, width: Value) -> None:
        """The action, then its own values, and 0 where others have theirs, and behind several that are chosen at once:
        the guard of a column says where it stands how many they are, and which of them this is."""
        lines = self.lines
        columns, guards = question.array(COLUMNS), question.array(GUARDS)
        entry = load_shifted(POSITION + columns.load(0), lines.bind(columns.load(1)))
        action = question.array(ACTIONS).part(lines, entry * 3)
        first, behind = lines.bind(action.load(1)), lines.bind(action.load(2))
        row.store(lines, 0, action.load(0))
        with lines.repeat(width, first=1) as at:
            value = load_shifted(POSITION + columns.load(at * 2), lines.bind(columns.load(at * 2 + 1)))
            guard, which = lines.bind(guards.load(at * 2)), guards.load(at * 2 + 1)
            is_there = guard.equals(0) | (which < row.load(guard))
            row.store(lines, at, select((at >= first) & (at < behind) & is_there, value, number(0)))

    def write_chance(self, question: KernelPlan) -> None:
        """Of what, where from, where to, what came, how it weighs, and all weights together."""
        lines, plan, telling = self.lines, self.plan, self.plan.scratch(TELLING)
        telling.store(lines, 0, 0)
        telling.store(lines, 1, 0)
        plan.call(WHERE)
        stream = question.number(STREAM) + telling.load(question.number(TELLS))
        luck = plan.array(LUCK).part(lines, stream)
        origin = lines.bind(question.array(ORIGINS).load(telling.load(0)))
        target = lines.bind(question.array(TARGETS).load(telling.load(1)))
        ways, kind = plan.call(AMOUNT, gives=NUMBER), question.number(WEIGHING)
        weights = weights_of(lines, kind, telling.part(lines, 1), question.array(WEIGHTS))
        total = lines.bind(select(weights.is_even, question.number(TOTAL), weights.total(lines, ways)))
        self.leave_to_reference((total >= SMALL) | (total < 1))
        lines.set(self.answer, weights.pick(lines, ways, random_below(lines, luck, total)))
        value, weight = lines.variable(self.answer, "value"), lines.variable(number(1), "weight")
        with lines.when(invert(weights.is_even)):
            drawn, values = telling.element_address(self.answer * 2), question.array(VALUES)
            place = lines.bind(select(kind.equals(DRAWN), drawn, values.element_address(self.answer)))
            lines.set(value, MemoryArray(place).load())
            lines.set(weight, weights.load(self.answer))
        told = (question.number(WHAT), origin, target, value, weight, total)
        for at, one in enumerate(told):
            self.words.store(lines, self.used + at, one)
        lines.add_to(self.used, len(told))


def record_function() -> Function:
    """How many moments the game has; `BY_REFERENCE` where the reference is to play it."""
    writer = RecordWriter(Lines())
    writer.begin_game()
    with writer.lines.loop():
        writer.write_moment()
    given = ("start", "plan", "key", "words", "room", "moments", "most")
    return Function("record", given, NUMBER, writer.lines.lines, is_inner=False)
