"""All options of a decision at once: a position in memory and its question in, the reference's option keys out.

A row is the number of the action among those of the question, then the values of every action's choices.
"""

from __future__ import annotations

import ctypes
from typing import Any

from attrs import define, field, frozen

from rulesrun.dsl.typing.types import CollectionOf, NothingOf, OptionalOf, OrderOf, Type
from rulesrun.interpreter.form.form import NOTHING, Field
from rulesrun.interpreter.form.machine_code import MachineCode
from rulesrun.interpreter.model import core
from rulesrun.interpreter.native.expressions import combinations, kept_lists
from rulesrun.interpreter.native.flow.questions import Question
from rulesrun.interpreter.native.layout.plan import Plan
from rulesrun.interpreter.reference.table import Table

Key = tuple[Any, ...]
Shapes = tuple[tuple[int, int, bool], ...]
"""For every choice how many columns it takes, how many times its value is a list, and whether it may be nothing, or
hold it."""


@frozen(eq=False)
class OptionColumns:
    """Where the options of one question are read from, and how a row becomes a key."""

    places: Any  # for each column the byte, and how far it is shifted
    amount: int
    actions: tuple[tuple[int, int, int], ...]  # by entry: the action's number, its columns from and to
    several: dict[int, Shapes]  # by entry, where one of its choices is a list, or may be nothing


@define(eq=False)
class OptionRows:
    table: Table
    plan: Plan
    code: MachineCode
    _list: Any = field(init=False)
    _columns: dict[int, OptionColumns] = field(init=False, factory=dict)
    _found: Any = field(init=False)

    def __attrs_post_init__(self) -> None:
        pointer, number = ctypes.c_void_p, ctypes.c_int64
        self._list = self.code.function("list options", None, pointer, number, pointer, number, pointer)
        self._found = (ctypes.c_int64 * 256)()

    def columns_for(self, question: Question) -> OptionColumns:
        if question.number not in self._columns:
            fields, actions, several = [self.plan.fields["entry"]], [], {}
            for entry, action in enumerate(question.actions):
                ready = self.table.actions.compiled_action(action)
                parts = [self.choice_fields(choice.choice) for choice in ready.choices]
                own = [place for part in parts for place in part]
                actions.append((ready.number, len(fields), len(fields) + len(own)))
                shapes = tuple(
                    (len(part), self.levels(choice), may_hold_nothing(self.table.bench.type_of(choice.domain)))
                    for part, choice in zip(parts, action.choices, strict=True)
                )
                if any(levels or is_optional for _, levels, is_optional in shapes):
                    several[entry] = shapes
                fields += own
            self._columns[question.number] = OptionColumns(pack_places(fields), len(fields), tuple(actions), several)
        return self._columns[question.number]

    def choice_fields(self, choice: core.Choice) -> list[Field]:
        """Where the value of a choice is read; of several at once how many there are, then all of them."""
        if choice.count is None:
            return cells_of(self.plan.fixed_names[id(choice)])
        items, amount = combinations.selection_registers(self.plan, choice)
        return [amount, *cells_of(items)]

    def levels(self, choice: core.Choice) -> int:
        own = self.plan.lists.get(id(choice))
        return 1 if choice.count is not None else own.levels if own is not None else 0

    def read_rows(self, question: Question, address: int, amount: int) -> list[list[int]]:
        """Changes the position in memory: afterwards it is that of the last option."""
        columns = self.columns_for(question)
        size = amount * columns.amount
        if len(self._found) < size:
            self._found = (ctypes.c_int64 * (2 * size))()
        self._list(address, amount, columns.places, columns.amount, self._found)
        numbers, wide = self._found[:size], columns.amount
        return [numbers[at : at + wide] for at in range(0, size, wide)]

    def read_keys(self, question: Question, address: int, amount: int) -> list[Key]:
        """As the reference has them; changes the position in memory."""
        columns = self.columns_for(question)
        actions, several = columns.actions, columns.several
        found: list[Key] = []
        for row in self.read_rows(question, address, amount):
            action, first, end = actions[row[0]]
            values = row[first:end]
            found.append((action, *(group_selections(values, several[row[0]]) if row[0] in several else values)))
        return found


def cells_of(place: Field) -> list[Field]:
    """Each of its values."""
    step = place.bits // 8
    return [Field(place.name, place.bits, 1, place.at + at * step) for at in range(place.amount)]


def group_selections(values: list[int], shapes: Shapes) -> list[Any]:
    """Where several were chosen at once, or a list, they are one value."""
    found: list[Any] = []
    at = 0
    for width, levels, is_optional in shapes:
        value = kept_lists.list_in(values[at : at + width], levels) if levels else values[at]
        found.append(read_nothing(value) if is_optional else value)
        at += width
    return found


def may_hold_nothing(found: Type | None) -> bool:
    match found:
        case OptionalOf() | NothingOf():
            return True
        case CollectionOf(item) | OrderOf(item):
            return may_hold_nothing(item)
        case _:
            return False


def read_nothing(value: object) -> object:
    if isinstance(value, tuple):
        return tuple([read_nothing(one) for one in value])
    return None if value == NOTHING else value


def pack_places(fields: list[Field]) -> Any:
    """For each field its byte, and how far its value is shifted up and down to have its sign."""
    numbers = [number for place in fields for number in (place.at, 64 - place.bits)]
    return (ctypes.c_int64 * len(numbers))(*numbers)
