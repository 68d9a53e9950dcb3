"""The fixed numbers of the options of many positions: rows in, numbers and how many there are out.

What each value of each choice adds to the number of its action stands in tables; machine code reads the values where
they lie and adds up.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy
from attrs import define, field

from rulesrun.interpreter.form.form import NOTHING, Field
from rulesrun.interpreter.model import core
from rulesrun.interpreter.native.expressions import combinations
from rulesrun.interpreter.native.positions.batches import Batch, Numbers, Rows
from rulesrun.interpreter.native.positions.positions import cells_of
from rulesrun.interpreter.reference.decisions import DecisionWait
from rulesrun.interpreter.spaces.action_numbers import ActionNumbers, NumberedAction
from rulesrun.interpreter.spaces.choice_values import CannotNumber, Lists, Selections, SingleValues

ALWAYS = -(1 << 62)  # the gate of a column that is always read
NO_DECISION = -1
FEW_OPTIONS = 16


@define(eq=False)
class ActionTables:
    """What the loop reads: `entries` holds the first number and the columns of each action that a question offers."""

    questions: list[int]
    entries: list[int] = field(factory=list)
    columns: list[int] = field(factory=list)
    worths: list[int] = field(factory=lambda: [0])


@define(eq=False)
class ActionRows:
    """Numbers the options of a batch's positions."""

    batch: Batch
    numbers: ActionNumbers
    _number: Any = field(init=False)
    _find: Any = field(init=False)
    _tables: tuple[Any, ...] | None = field(init=False)  # None: machine code does not number them
    _width: int = field(init=False, default=FEW_OPTIONS)

    def __attrs_post_init__(self) -> None:
        pointer, number = ctypes.c_void_p, ctypes.c_int64
        self._number = self.batch.positions.code.function(
            "number options", None, pointer, pointer, number, *[pointer] * 5, number, pointer,
        )
        self._find = self.batch.positions.code.function(
            "find numbers", None, pointer, number, pointer, number, pointer, pointer
        )
        try:
            tables = self.compute_tables()
        except CannotNumber:
            self._tables = None
        else:
            self._tables = tuple(
                numpy.array(one or [0], dtype=numpy.int64)
                for one in (tables.questions, tables.entries, tables.columns, tables.worths)
            )

    def number_options(self, rows: Rows) -> tuple[Any, Numbers]:
        """The numbers of the options of each row, in the order of the rules, and how many there are. What stands behind
        the last is nothing. Of chance and of games that are over: none."""
        self.batch.check_rows(rows)
        if self._tables is None:
            return self.number_by_keys(rows)
        amounts: Numbers = numpy.empty(len(rows), dtype=numpy.int64)
        while True:
            found = numpy.empty((len(rows), self._width), dtype=numpy.int32)
            self.bind_numbers(rows, found, amounts)()
            most = int(amounts.max(initial=0))
            if most <= self._width:
                return found, amounts
            self._width = 1 << (most - 1).bit_length()

    def number_by_keys(self, rows: Rows) -> tuple[Any, Numbers]:
        """The same, row by row: for lists in lists and what machine code has no tables for."""
        numbers = [[self.numbers.number_of(key) for key in self.batch.list_keys(row)] for row in rows]
        amounts = numpy.array([len(own) for own in numbers], dtype=numpy.int64)
        found = numpy.zeros((len(rows), max(int(amounts.max(initial=0)), FEW_OPTIONS)), dtype=numpy.int32)
        for own, to in zip(numbers, found, strict=True):
            to[: len(own)] = own
        return found, amounts

    @property
    def is_in_machine_code(self) -> bool:
        return self._tables is not None

    def bind_numbers(self, rows: Rows, found: Any, amounts: Numbers) -> Callable[[], None]:
        """A call that numbers the options of rows into arrays; all of them must stay where they are, and be kept. More
        options than the array is wide are counted, and not written."""
        assert self._tables is not None
        return partial(
            self._number, self.batch.positions.address, rows.ctypes.data, len(rows),
            *(one.ctypes.data for one in self._tables), found.ctypes.data, found.shape[1], amounts.ctypes.data,
        )

    def find_answers(self, found: Any, amounts: Numbers, wanted: Any) -> Numbers:
        """Of each row the answer with the wanted number, among those that `number_options` gave; -2 where there is
        none."""
        wanted = numpy.ascontiguousarray(wanted, dtype=numpy.int64)
        if wanted.shape != (len(amounts),) or len(found) != len(amounts):
            raise ValueError("there must be one number for each position")
        answers: Numbers = numpy.empty(len(amounts), dtype=numpy.int64)
        self.bind_answers(found, amounts, wanted, answers)()
        return answers

    def bind_answers(self, found: Any, amounts: Numbers, wanted: Numbers, answers: Numbers) -> Callable[[], None]:
        """The same as a call on arrays that stay where they are, and are kept."""
        return partial(
            self._find, found.ctypes.data, found.shape[1], amounts.ctypes.data, len(amounts), wanted.ctypes.data,
            answers.ctypes.data,
        )

    # ---- tables

    def compute_tables(self) -> ActionTables:
        asked = self.batch.positions.questions_by_number
        tables = ActionTables([NO_DECISION] * (len(asked) + 1))
        for at, (question, wait) in asked.items():
            if isinstance(wait, DecisionWait):
                tables.questions[at] = len(tables.entries) // 3
                for action in question.actions:
                    self.add_entry(tables, action)
        return tables

    def add_entry(self, tables: ActionTables, action: core.Action) -> None:
        number = self.numbers.table.bench.actions.index(action)
        own = self.numbers.by_number.get(number)
        first = len(tables.columns) // 7
        if own is not None:
            for column in self.list_columns(tables, own):
                tables.columns.extend(column)
        tables.entries += [own.first if own is not None else -1, first, len(tables.columns) // 7]

    def list_columns(self, tables: ActionTables, own: NumberedAction) -> Iterator[tuple[int, ...]]:
        plan = self.batch.positions.form.plan
        for choice, values, stride in zip(own.ready.action.choices, own.choices, own.strides, strict=True):
            match values:
                case SingleValues() if id(choice) not in plan.lists:
                    place = plan.fixed_names[id(choice)]
                    worths = {value: at * stride for at, value in enumerate(values.values) if value is not None}
                    gate = ALWAYS if len(worths) == values.amount else NOTHING  # which is number 0, and adds nothing
                    yield (*shifted(place), *add_worths(tables, worths), *shifted(place), gate)
                case Selections() if choice.count is not None:
                    items, amount = combinations.selection_registers(plan, choice)
                    sizes = {size: before * stride for size, before in enumerate(values.before[:-1])}
                    yield (*shifted(amount), *add_worths(tables, sizes), *shifted(amount), ALWAYS)
                    for at, place in enumerate(cells_of(items)[: values.high]):
                        ways = [row[at + 1] * stride for row in values.ways]
                        worths = dict(zip(values.single.values, ways, strict=False))
                        yield (*shifted(place), *add_worths(tables, worths), *shifted(amount), at)
                case Lists(SingleValues(single)) if plan.lists[id(choice)].levels == 1:
                    amount, *cells = cells_of(plan.lists[id(choice)].cells)
                    for at, place in enumerate(cells[: values.longest]):
                        step = len(single) ** at * stride
                        worths = {value: (number + 1) * step for number, value in enumerate(single)}
                        yield (*shifted(place), *add_worths(tables, worths), *shifted(amount), at)
                case _:
                    raise CannotNumber(f"machine code does not number the values of `{choice.name.text}`")


def move_marks(batch: Batch, before: tuple[Any, Numbers], now: tuple[Any, Numbers], mask: Any) -> None:
    """Takes the marks from the numbers of each row that were there before, and marks those of now, one byte each, in
    place."""
    pointer, number, amounts = ctypes.c_void_p, ctypes.c_int64, now[1]
    if not (len(before[1]) == len(mask) == len(amounts)) or mask.itemsize != 1 or not mask.flags.c_contiguous:
        raise ValueError("a mask has a byte for each number, and there are as many positions as before")
    move = batch.positions.code.function(
        "move marks", None, pointer, number, pointer, pointer, number, pointer, number, pointer, number
    )
    move(
        before[0].ctypes.data, before[0].shape[1], before[1].ctypes.data, now[0].ctypes.data, now[0].shape[1],
        amounts.ctypes.data, len(amounts), mask.ctypes.data, mask.shape[1],
    )


def shifted(place: Field) -> tuple[int, int]:
    """Its byte, and how far its value is shifted up and down to have its sign."""
    return place.at, 64 - place.bits


def add_worths(tables: ActionTables, worths: dict[Any, int]) -> tuple[int, int]:
    """The lowest value, and where what it adds stands."""
    if not worths or not all(isinstance(value, int) for value in worths):
        raise CannotNumber("what is no whole number stands in no table")
    low, high = min(worths), max(worths)
    table = len(tables.worths)
    tables.worths += [worths.get(value, 0) for value in range(low, high + 1)]
    return low, table
