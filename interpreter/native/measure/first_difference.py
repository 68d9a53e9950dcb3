"""The same deal at two tables, in machine code: takes both, gives of a seed whether and where their records part.

Each game writes its record down as numbers, moment by moment; two records are the same exactly when all numbers are.
What gets stuck, or is too long to write down, is left to the reference.
"""

from __future__ import annotations

import ctypes
from math import factorial
from typing import Any

import numpy
from attrs import define, field, frozen

from rulesrun.dsl.text.messages import message
from rulesrun.interpreter.form.form import CannotCompile, Field
from rulesrun.interpreter.form.llvm import ModuleText
from rulesrun.interpreter.form.machine_code import Cache, MachineCode, compile_text, has_pdep
from rulesrun.interpreter.measure.first_difference import has_same_components
from rulesrun.interpreter.model.random import GOLDEN, MASK, hash_name, mix_word
from rulesrun.interpreter.native.expressions import scales
from rulesrun.interpreter.native.flow.asked_games import lower_asked_games
from rulesrun.interpreter.native.flow.questions import Question
from rulesrun.interpreter.native.flow.random_games import to_signed
from rulesrun.interpreter.native.layout.lowering import lower_table
from rulesrun.interpreter.native.layout.machine import stream_names
from rulesrun.interpreter.native.measure import record_kernels as words
from rulesrun.interpreter.native.positions.block_kernels import DRAWN, EVENLY, SMALL
from rulesrun.interpreter.native.positions.positions import NativePositions, OptionColumns, format_positions
from rulesrun.interpreter.play.game_loop import MOST_DECISIONS, player_stream_name
from rulesrun.interpreter.reference.chance import ChanceWait, DrawWait, OrderWait, ValueWait
from rulesrun.interpreter.reference.decisions import DecisionWait, TogetherWait
from rulesrun.interpreter.reference.flow_graph import Wait
from rulesrun.interpreter.reference.table import Table

ROOM = 1 << 19  # numbers of one record
MOMENTS = 1 << 15
MOST_KEPT = 128  # tables in machine code, each with its memory

Ending = tuple[tuple[int, ...], int, tuple[int, ...]]  # who is first, the word for the table, the scores


@frozen
class SeenDifference:
    """Of one deal at both tables: what differs. `shared`: the decisions before the first difference."""

    differs: bool
    changes_the_scores: bool
    changes_the_winner: bool
    decisions: int  # of the longer game
    shared: int


@define(eq=False)
class RecordPage:
    """On which a record is written."""

    words: Any = field(init=False)
    starts: Any = field(init=False)  # where each moment begins, twice; odd for decisions

    def __attrs_post_init__(self) -> None:
        self.words, self.starts = (numpy.zeros(many, dtype=numpy.int64) for many in (ROOM, MOMENTS + 1))


@define(eq=False)
class GameRecorder:
    """Plays one table and writes down what happens."""

    positions: NativePositions
    loops: MachineCode
    _arrays: list[Any] = field(init=False, factory=list)  # what numbers point at
    _sources: dict[str, int] = field(init=False, factory=dict)
    _plan: Any = field(init=False)
    _start: Any = field(init=False)
    _record: Any = field(init=False)

    def __attrs_post_init__(self) -> None:
        for player in range(self.positions.table.players + 1):
            self._sources[player_stream_name(player)] = player
        values, size = self.positions.form.start.values, self.positions.form.plan.size
        self._start = ctypes.create_string_buffer(bytes(values)[:size], size)
        self._plan = self.make_plan()
        pointer, number = ctypes.c_void_p, ctypes.c_int64
        self._record = self.loops.function(
            "record", number, pointer, pointer, pointer, number, pointer, number, pointer, number
        )

    def play_deal(self, seed: int, page: RecordPage) -> int:
        """How many moments the game has; fewer than none where it is left to the reference."""
        key = mix_word((mix_word(seed & MASK) + GOLDEN) & MASK)
        return int(self._record(
            self.positions.address, ctypes.addressof(self._start), ctypes.addressof(self._plan), to_signed(key),
            page.words.ctypes.data, len(page.words), page.starts.ctypes.data, len(page.starts) - 1,
        ))

    def read_ending(self) -> Ending:
        seats = range(self.positions.table.players)
        first = tuple(seat for seat in seats if self.positions.read_number("place", seat) == 1)
        return (
            first,
            self.positions.read_number("result"),
            tuple(self.positions.read_number("total", seat) for seat in seats),
        )

    # ---- what the loops must know

    def keep_numbers(self, numbers: list[int]) -> int:
        """Its address."""
        kept = (ctypes.c_int64 * max(len(numbers), 1))(*numbers)
        self._arrays.append(kept)
        return ctypes.addressof(kept)

    def make_plan(self) -> Any:
        form, code = self.positions.form, self.positions.code
        fields, size = form.plan.fields, form.plan.size
        rows = [0] * words.WIDE
        for number in range(1, len(self.positions.questions_by_number) + 1):
            rows += self.question_row(*self.positions.questions_by_number[number])
        numbers = (ctypes.c_int64 * words.PLAN)()
        for name, at in (("amount", words.AMOUNT), ("settle", words.SETTLE), ("run", words.RUN),
                         ("where", words.WHERE)):  # fmt: skip
            numbers[at] = code.address(name)
        for name, at, up in (("fault", words.FAULT, words.FAULT_UP), ("pc", words.PC, words.PC_UP),
                             ("player", words.PLAYER, words.PLAYER_UP), ("place", words.PLACES, words.PLACE_UP),
                             ("result", words.RESULT, words.RESULT_UP)):  # fmt: skip
            numbers[at], numbers[up] = fields[name].at, 64 - fields[name].bits
        for name, at in (("told", words.TOLD), ("sheets told", words.SHEETS), ("telling", words.TELLING)):
            numbers[at] = fields[name].at
        numbers[words.SIZE], numbers[words.SEATS] = size, self.positions.table.players
        numbers[words.QUESTIONS] = self.keep_numbers(rows)
        numbers[words.NAMES] = self.keep_numbers([to_signed(hash_name(name)) for name in self._sources])
        numbers[words.STREAMS], numbers[words.LUCK] = len(self._sources), self.keep_numbers([0] * len(self._sources))
        numbers[words.BEFORE] = self.keep_numbers([0] * (size // 8 + 1))
        numbers[words.MOST_DECISIONS] = MOST_DECISIONS
        return numbers

    def question_row(self, question: Question, wait: Wait) -> list[int]:
        row = [0] * words.WIDE
        if isinstance(wait, ChanceWait):
            self.put_chance(row, wait)
        else:
            assert isinstance(wait, DecisionWait)
            self.put_decision(row, question, wait)
        return row

    def put_chance(self, row: list[int], wait: ChanceWait) -> None:
        names, told = stream_names(self.positions.table, wait)
        row[words.IS_CHANCE], row[words.STREAM], row[words.TELLS] = 1, self.add_streams(names), told
        row[words.WHAT] = signed_name_hash(wait.what)
        if isinstance(wait, DrawWait):
            row[words.WEIGHING] = DRAWN
            row[words.ORIGINS] = self.keep_numbers([signed_name_hash(name) for name in wait.origin.names])
            row[words.TARGETS] = self.keep_numbers([signed_name_hash(name) for name in wait.target.names])
            return
        assert isinstance(wait, ValueWait)
        row[words.ORIGINS], row[words.TARGETS] = (
            self.keep_numbers([0]),
            self.keep_numbers([signed_name_hash(name) for name in names]),
        )
        if isinstance(wait, OrderWait):
            row[words.WEIGHING], row[words.WHAT] = EVENLY, signed_name_hash(f"{wait.what} {wait.values!r}")
            row[words.TOTAL] = min(factorial(len(wait.values)), SMALL)
            return
        possible = [(value, weight) for value, weight in zip(wait.values, wait.weights, strict=True) if weight]
        if len({value for value, _ in possible}) < len(possible):
            raise CannotCompile(message("a value appears twice among those that can be rolled"))
        row[words.VALUES] = self.keep_numbers([canonical_number(value) for value, _ in possible])
        row[words.WEIGHTS] = self.keep_numbers([weight for _, weight in possible])

    def add_streams(self, names: tuple[str, ...]) -> int:
        """Names of one place stand side by side."""
        for name in names:
            self._sources.setdefault(name, len(self._sources))
        return self._sources[names[0]]

    def put_decision(self, row: list[int], question: Question, wait: DecisionWait) -> None:
        columns = self.positions.options.columns_for(question)
        row[words.COLUMNS], row[words.WIDTH] = ctypes.addressof(columns.places), columns.amount
        row[words.ACTIONS] = self.keep_numbers([number for action in columns.actions for number in action])
        row[words.GUARDS] = self.keep_numbers(column_guards(columns))
        row[words.IS_TEAM], row[words.SEATS_AT] = int(wait.is_team), -1
        row[words.ASKED_AT], row[words.ASKED_UP] = field_position(self.positions.form.plan.fields["pc"])
        if is_together_question(question, wait):
            assert question.seats is not None
            assert question.seats_asked is not None
            row[words.SEATS_AT], row[words.SEAT_UP] = field_position(question.seats)
            row[words.SEAT_BYTES] = question.seats.bits // 8
            row[words.ASKED_AT], row[words.ASKED_UP] = field_position(question.seats_asked)


def column_guards(columns: OptionColumns) -> list[int]:
    """Of every column where it stands how many were chosen at once (0: it is no such column), and which one it is."""
    found = [0] * (2 * columns.amount)
    for entry, shapes in columns.several.items():
        at = columns.actions[entry][1]
        for width, levels, _ in shapes:
            for which in range(width - 1 if levels == 1 else 0):  # of lists among lists nothing is left behind them
                found[2 * (at + 1 + which) : 2 * (at + 2 + which)] = [at, which]
            at += width
    return found


def field_position(place: Field) -> tuple[int, int]:
    return place.at, 64 - place.bits


def is_together_question(question: Question, wait: DecisionWait) -> bool:
    return isinstance(wait, TogetherWait) and question.seats is not None and question.seats_asked is not None


def signed_name_hash(name: str) -> int:
    return to_signed(hash_name(name))


def canonical_number(value: Any) -> int:
    """The same number for what is the same, whichever table it is said at."""
    return int(value) if isinstance(value, int) else signed_name_hash(repr(value))


@define(eq=False)
class TablePair:
    """Two tables of the same rules."""

    left: GameRecorder
    right: GameRecorder
    pages: tuple[RecordPage, RecordPage]

    def compare_deal(self, seed: int) -> SeenDifference | None:
        """None: the reference must look."""
        one, other = self.pages
        moments = self.left.play_deal(seed, one), self.right.play_deal(seed, other)
        if min(moments) < 0:
            return None
        ends = [int(page.starts[many]) >> 1 for page, many in zip(self.pages, moments, strict=True)]
        unlike = one.words[: min(ends)] != other.words[: min(ends)]
        differs = ends[0] != ends[1] or bool(unlike.any())
        lengths = [int((page.starts[:many] & 1).sum()) for page, many in zip(self.pages, moments, strict=True)]
        shared = lengths[0]
        if differs:
            first = int(unlike.argmax())
            before = int(numpy.searchsorted(one.starts[: moments[0]] >> 1, first, side="right")) - 1
            shared = int((one.starts[:before] & 1).sum())
        endings = self.left.read_ending(), self.right.read_ending()
        return SeenDifference(
            differs, endings[0][2] != endings[1][2], endings[0][:2] != endings[1][:2], max(lengths), shared
        )


@define(eq=False)
class TablePairs:
    """Makes pairs for tables of the same rules; what comes again is not compiled again. `care`: see `compiled`."""

    cache: Cache | None = None
    care: int = 2
    _loops: MachineCode | None = field(init=False, default=None)
    pages: tuple[RecordPage, RecordPage] = field(init=False, factory=lambda: (RecordPage(), RecordPage()))
    _kept: dict[tuple[int, str], GameRecorder] = field(init=False, factory=dict)

    def make_pair(self, left: Table, right: Table) -> TablePair:
        """Raises `CannotCompile` with the reason; also where numbers would not mean the same at both."""
        if not has_same_components(left, right):
            raise CannotCompile(message("a number does not mean the same component at both tables"))
        one, other = self.recorder_for(left), self.recorder_for(right)
        if one is other:
            other = self.compile_recorder(right)
        if point_scales(one) != point_scales(other):
            raise CannotCompile(message("the two tables keep points differently"))
        ours, theirs = widths_of(one), widths_of(other)
        if any(wide != theirs.get(question, wide) for question, wide in ours.items()):
            raise CannotCompile(message("options take more room at one of the two tables"))
        return TablePair(one, other, self.pages)

    def recorder_for(self, table: Table) -> GameRecorder:
        key = table.players, repr(table.options)
        found = self._kept.pop(key, None) or self.compile_recorder(table)
        self._kept[key] = found
        if len(self._kept) > MOST_KEPT:
            del self._kept[next(iter(self._kept))]
        return found

    def compile_recorder(self, table: Table) -> GameRecorder:
        if self._loops is None:
            self._loops = compile_text(ModuleText(has_pdep()).format_module([words.record_function()]), self.cache)
        form = lower_table(table, lower_asked_games)
        return GameRecorder(
            NativePositions(table, form, compile_text(format_positions(form), self.cache, self.care)), self._loops
        )


def widths_of(one: GameRecorder) -> dict[int, int]:
    """How many numbers tell an option of each decision, by the id of its statement."""
    columns, asked = one.positions.options.columns_for, one.positions.questions_by_number.values()
    return {id(wait.node): columns(question).amount for question, wait in asked if isinstance(wait, DecisionWait)}


def point_scales(one: GameRecorder) -> list[int]:
    """How many times as large points are kept."""
    plan = one.positions.form.plan
    lines = [line for score in one.positions.table.bench.scores for line in score.lines]
    return [scales.scale_of_total(plan), *(scales.scale_of(plan, line) for line in lines)]
