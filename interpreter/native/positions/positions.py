"""Positions in machine code: flat blocks of memory that can be kept, copied, compared; answers to their questions.

It answers as the reference's `play.step` does, with the same objects, so that whoever records or plays a game
need not know which engine it is.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

from attrs import define, field, frozen

from rulesrun.dsl.text.messages import message
from rulesrun.dsl.typing.types import CollectionOf, NothingOf, OptionalOf, OrderOf, Type
from rulesrun.interpreter.form.form import NOTHING, Field
from rulesrun.interpreter.form.llvm import ModuleText
from rulesrun.interpreter.form.machine_code import Cache, MachineCode, compile_text, has_pdep
from rulesrun.interpreter.model import core
from rulesrun.interpreter.model.compile_context import VariableRoom
from rulesrun.interpreter.model.places import find_changed_room
from rulesrun.interpreter.model.values import PC, PHASE, PLAYER, ROUND, SHEETS, STARTER, TEAM, State, fault
from rulesrun.interpreter.native.expressions import combinations, kept_lists, scales
from rulesrun.interpreter.native.flow.asked_games import STUCK, AskedGamesForm, lower_asked_games
from rulesrun.interpreter.native.flow.engine import decode_places
from rulesrun.interpreter.native.flow.questions import Question, list_waits
from rulesrun.interpreter.native.layout.lowering import lower_table
from rulesrun.interpreter.native.layout.plan import Plan, Store
from rulesrun.interpreter.native.positions.row_kernels import row_kernels
from rulesrun.interpreter.play.step import (
    ChanceDecision,
    Decision,
    GameOver,
    PlayerDecision,
    Sheet,
    Step,
    decode_sheet,
    make_option,
    outcome_name,
)
from rulesrun.interpreter.reference.chance import ChanceWait, DrawWait, OrderWait, ValueWait
from rulesrun.interpreter.reference.decisions import DecisionWait, TogetherWait
from rulesrun.interpreter.reference.flow_graph import Wait
from rulesrun.interpreter.reference.table import Table

# ---- block reader
# A block of memory → a position of the reference: what lies in every zone, what every variable holds.


Read = Callable[..., int]


def read_state(table: Table, plan: Plan, read: Read, memory: bytes, pc: int, sheets: tuple[Any, ...]) -> State:
    """Registers of the flow are left as they are before the game."""
    slots = list(table.blank)
    slots[PC] = pc
    slots[PLAYER], slots[ROUND] = read("player"), read("round")
    slots[STARTER], slots[PHASE], slots[SHEETS] = read("starter"), read("phase"), sheets
    for room in table.bench.zones.values():
        store = plan.stores[id(room.declaration)]
        for number in range(room.amount):
            slots[room.base + number] = read_content(store, read, memory, number)
    for key, box in table.bench.boxes.items():
        slots[box] = read_content(plan.stores[key], read, memory, 0)
    for variable in table.bench.variables.values():
        for number in range(variable.amount):
            slots[variable.base + number] = read_variable(table, plan, variable, read, number)
    return State(tuple(slots))


def read_content(store: Store, read: Read, memory: bytes, index: int) -> tuple[Any, ...]:
    match store.shape:
        case "bits":
            assert store.members is not None
            step = store.members.bits // 8
            at = store.members.at + index * step
            members = int.from_bytes(memory[at : at + step], "little")
            return tuple(kind for kind in range(len(store.kinds)) if members >> kind & 1)
        case "counts":
            assert store.members is not None
            many, name = len(store.kinds), store.members.name
            return tuple(kind for kind in range(many) for _ in range(read(name, index * many + kind)))
        case "row":
            assert store.items is not None
            assert store.length is not None
            first, items = index * max(store.capacity, 1), store.items.name
            return tuple(read(items, first + at) for at in range(read(store.length.name, index)))
        case _:
            parts = [read_content(part, read, memory, index) if part is not None else ()
                     for part in (store.bottom, store.inner, store.top)]
            mixed = parts[1]
            return (*parts[0], *((mixed,) if len(mixed) > 1 else mixed), *parts[2])


def read_variable(table: Table, plan: Plan, room: VariableRoom, read: Read, number: int) -> Any:
    place = plan.variables[id(room.declaration)]
    name, many = place.name, place.amount // room.amount
    if room.holds_order:
        found = tuple(read(name, number * many + at) for at in range(many))
        return None if found[0] == NOTHING else found
    return to_held_value(room, read(name, number))


def to_held_value(room: VariableRoom, found: int) -> Any:
    """A single value, as the reference has it."""
    if room.is_optional and found == NOTHING:
        return None
    return bool(found) if room.holds_truth else found


# ---- option rows
# All options of a decision at once: a position in memory and its question in, the reference's option keys out.
#
# A row is the number of the action among those of the question, then the values of every action's choices.


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


# ---- positions


RawSheet = tuple[int, int, tuple[tuple[Any, ...], ...]]


@frozen
class Position:
    """A position that somebody holds: never changes; may be compared, hashed, kept."""

    memory: bytes
    sheets: tuple[RawSheet, ...] = ()


@define(eq=False)
class NativePositions:
    """A table in machine code, one question at a time."""

    table: Table
    form: AskedGamesForm
    code: MachineCode
    _memory: ctypes.Array[ctypes.c_char] = field(init=False)
    _at: int = field(init=False)
    _run: Callable[..., int] = field(init=False)
    _amount: Callable[..., int] = field(init=False)
    _settle: Callable[..., None] = field(init=False)
    _where: Callable[..., None] = field(init=False)
    _asked: dict[int, tuple[Question, Wait]] = field(init=False)
    options: OptionRows = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._memory = ctypes.create_string_buffer(self.form.plan.scratch_end + 128)
        self._at = (ctypes.addressof(self._memory) + 63) // 64 * 64
        self._run = self.code.function("run", ctypes.c_int64, ctypes.c_void_p)
        self._amount = self.code.function("amount", ctypes.c_int64, ctypes.c_void_p)
        self._settle = self.code.function("settle", None, ctypes.c_void_p, ctypes.c_int64)
        self._where = self.code.function("where", None, ctypes.c_void_p)
        self.options = OptionRows(self.table, self.form.plan, self.code)
        asked = self.form.questions
        self._asked = {one.number: (one, wait) for one, wait in zip(asked, list_waits(self.table, asked), strict=True)}

    # ---- memory

    @property
    def address(self) -> int:
        """Where a position is worked on."""
        return self._at

    def read_number(self, name: str, index: int = 0) -> int:
        place = self.form.plan.fields[name]
        kinds = {8: ctypes.c_int8, 16: ctypes.c_int16, 32: ctypes.c_int32, 64: ctypes.c_int64}
        return int(kinds[place.bits].from_address(self._at + place.at + index * place.bits // 8).value)

    def read_telling(self, index: int) -> int:
        return self.read_number("telling", index)

    @property
    def questions_by_number(self) -> dict[int, tuple[Question, Wait]]:
        """Every question by its number, beside the reference's own."""
        return self._asked

    def outcome_weights(self) -> list[int]:
        """Of the outcomes of the draw at the position that was entered."""
        return [weight for _, weight in self.read_draw_outcomes(self.count_answers())]

    def count_answers(self) -> int:
        """How many answers there are at the position that was entered."""
        return self._amount(self._at)

    def run_to_question(self) -> int:
        """From the position that was entered on to the next question; gives its number."""
        return self._run(self._at)

    def load_block(self, memory: bytes) -> None:
        ctypes.memmove(self._at, memory, len(memory))

    def copy_block(self) -> bytes:
        return ctypes.string_at(self._at, self.form.plan.size)

    # ---- the game

    def begin_game(self) -> Step:
        return self.run_to_step(bytes(self.form.start.values)[: self.form.plan.size], ())

    def next_step(self, position: Any, index: int) -> Step:
        return self.run_to_step(self.apply_answer(position.memory, index), position.sheets)

    def apply_answer(self, memory: bytes, index: int) -> bytes:
        """The question is answered; the game has not gone on yet."""
        self.load_block(memory)
        if not 0 <= index < self._amount(self._at):
            raise IndexError("there are not so many")
        self._settle(self._at, index)
        return self.copy_block()

    def run_to_step(self, memory: bytes, sheets: tuple[RawSheet, ...]) -> Step:
        """To the next question; the points counted on the way are told."""
        self.load_block(memory)
        self.reset_told_sheets()
        found = self._run(self._at)
        if found == STUCK or self.read_number("fault"):
            code, node = self.form.plan.faults[self.read_number("fault") - 1]
            raise fault(code, message("the game is stuck here; the reference engine shows why"), node.span)
        new = tuple(self.read_sheets())
        events: tuple[Sheet, ...] = tuple(decode_sheet(self.table, sheet) for sheet in new)
        position: Any = Position(self.copy_block(), (*sheets, *new))
        return Step(position, events)

    def reset_told_sheets(self) -> None:
        """Points that are counted from here on are told from the beginning."""
        ctypes.c_int64.from_address(self._at + self.form.plan.fields["told"].at).value = 0

    def read_sheets(self) -> list[RawSheet]:
        at, end, n = 0, self.read_number("told"), self.table.players
        scores, found = self.table.bench.scores, []
        while at < end:
            number, of_round = self.read_number("sheets told", at), self.read_number("sheets told", at + 1)
            lines = len(scores[number].lines)
            times = [scales.scale_of(self.form.plan, line) for line in scores[number].lines]
            values = tuple(
                tuple(scales.unscale(self.read_number("sheets told", at + 2 + line * n + seat), times[line])
                      for line in range(lines))
                for seat in range(n)
            )
            found.append((number, of_round, values))
            at += 2 + lines * n
        return found

    # ---- questions

    def pending_decision(self, position: Any) -> Decision:
        self.load_block(position.memory)
        number = self.read_number("pc")
        if number == 0:
            return self.make_game_over()
        question, wait = self._asked[number]
        amount = self._amount(self._at)
        if isinstance(wait, DecisionWait):
            return self.make_player_decision(question, wait, amount, position.memory)
        return self.make_chance_decision(wait, amount)

    def make_game_over(self) -> GameOver:
        n, code = self.table.players, 0
        for seat in range(n):
            code = code * (n + 1) + self.read_number("place", seat)
        results, at = self.table.bench.results, self.read_number("result")
        result = None
        if results:
            outcomes = results[0].outcomes
            result = (outcomes[at - 1].word if at <= len(outcomes) else results[0].otherwise).text
        scale = scales.scale_of_total(self.form.plan)
        totals = {seat + 1: scales.unscale(self.read_number("total", seat), scale) for seat in range(n)}
        return GameOver(totals, decode_places(code, n), result)

    def make_player_decision(
        self, question: Question, wait: DecisionWait, amount: int, memory: bytes
    ) -> PlayerDecision:
        player = TEAM if wait.is_team else self.read_number("player")
        together = self.together_seats(question, wait)
        keys = self.options.read_keys(question, self._at, amount)
        self.load_block(memory)
        return PlayerDecision(player, together, tuple(make_option(self.table, wait, key) for key in keys))

    def together_seats(self, question: Question, wait: DecisionWait) -> tuple[int, ...] | None:
        """Everybody who chooses at this moment."""
        if not isinstance(wait, TogetherWait) or question.seats is None or question.seats_asked is None:
            return None
        many = self.read_number(question.seats_asked.name)
        return tuple(self.read_number(question.seats.name, at) for at in range(many))

    def make_chance_decision(self, wait: Wait, amount: int) -> ChanceDecision:
        assert isinstance(wait, ChanceWait)
        if isinstance(wait, OrderWait):
            values = tuple(outcome_name(self.table, wait, value) for value in wait.values)
            return ChanceDecision(wait.what, *self.name_source(wait), amount, amount, values, (), wait.pc)
        if isinstance(wait, DrawWait):
            possible = self.read_draw_outcomes(amount)
        else:
            assert isinstance(wait, ValueWait)
            possible = [(value, weight) for value, weight in zip(wait.values, wait.weights, strict=True) if weight]
        names = tuple(outcome_name(self.table, wait, value) for value, _ in possible)
        weights = tuple(weight for _, weight in possible)
        return ChanceDecision(wait.what, *self.name_source(wait), amount, sum(weights), names, weights, wait.pc)

    def read_draw_outcomes(self, amount: int) -> list[tuple[int, int]]:
        """What may be drawn, with its weight; asked right after the amount."""
        place = self.form.plan.fields["telling"]
        told = (ctypes.c_int64 * (2 * amount)).from_address(self._at + place.at)[:]
        return list(zip(told[::2], told[1::2], strict=True))

    def place_names(self, wait: ChanceWait) -> tuple[str | None, str | None]:
        """Where from and where to, by name."""
        _, origin, target = self.name_source(wait)
        return origin, target

    def name_source(self, wait: ChanceWait) -> tuple[str, str | None, str | None]:
        """Whose chance it is, where from and where to. What may come is read before."""
        self._where(self._at)
        if isinstance(wait, DrawWait):
            stream = wait.origin.names[self.read_telling(0)]
            return stream, None if wait.is_thrown else stream, wait.target.names[self.read_telling(1)]
        target = self.variable_name(wait)
        return target, None, target

    def variable_name(self, wait: Wait) -> str:
        """The name of the instance that chance decides."""
        room = find_changed_room(self.table.bench, wait.node)
        return "starter" if room is None else room.names[self.read_telling(1)]

    # ---- for people

    def state_of(self, position: Any) -> State:
        """As a position of the reference: its zones, variables, turn and points."""
        self.load_block(position.memory)
        asked = self._asked.get(self.read_number("pc"))
        pc = asked[1].pc if asked is not None else max(self.table.waits)
        return read_state(self.table, self.form.plan, self.read_number, self.copy_block(), pc, position.sheets)


def compile_positions(table: Table, cache: Cache | None = None) -> NativePositions:
    """Compiles a table; raises `CannotCompile` with the reason when it cannot be."""
    form = lower_table(table, lower_asked_games)
    return NativePositions(table, form, compile_text(format_positions(form), cache))


def format_positions(form: AskedGamesForm) -> str:
    """With the kernels for many positions and options."""
    return ModuleText(has_pdep()).format_module((*form.functions, *row_kernels(form)))
