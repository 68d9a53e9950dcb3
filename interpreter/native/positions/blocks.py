"""Positions one at a time, as blocks of bytes: one call from a position and an answer to the next question.

Takes positions in machine code. A block never changes; what `sameness` makes of blocks is equal exactly when the
positions are. Each step happens in a memory of its own, so any number of threads may step at once.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from struct import Struct
from typing import Any

from attrs import define, field

from rulesrun.interpreter.form.form import Field
from rulesrun.interpreter.form.llvm import ModuleText
from rulesrun.interpreter.form.machine_code import Cache, MachineCode, compile_text, has_pdep
from rulesrun.interpreter.model.moments import JudgedProperty
from rulesrun.interpreter.model.random import GOLDEN, MASK, Streams
from rulesrun.interpreter.native.flow.asked_games import STUCK
from rulesrun.interpreter.native.flow.questions import Question
from rulesrun.interpreter.native.layout.machine import stream_names
from rulesrun.interpreter.native.positions import block_kernels as words
from rulesrun.interpreter.native.positions.positions import NativePositions, Position, RawSheet
from rulesrun.interpreter.play.game_loop import MOST_BY_CHANCE
from rulesrun.interpreter.play.step import ChanceDecision, Decision, Sheet, decode_sheet
from rulesrun.interpreter.reference.chance import ChanceWait, DrawWait, OrderWait, ValueWait
from rulesrun.interpreter.reference.decisions import DecisionWait
from rulesrun.interpreter.reference.flow_graph import Wait

# ---- block equality
# What tells blocks of positions apart and does not belong to the position: taken out before two are compared.
#
# The order in which a memory came to hold what it holds; what `before` kept in an action that is over; what an `each`
# has gone through already.


@define(eq=False)
class BlockCanonicalizer:
    positions: NativePositions
    _recorded: list[tuple[Field, Field, Field]] = field(init=False)  # by memory: how many, and they in two numbers
    _kept: list[tuple[slice, frozenset[int]]] = field(init=False, factory=list)  # and at which questions it counts

    def __attrs_post_init__(self) -> None:
        table, fields = self.positions.table, self.positions.form.plan.fields
        names = [memory.name.text for memory in table.bench.declared_memories]
        self._recorded = [
            (fields[f"records in {name}"], fields[f"first of {name}"], fields[f"second of {name}"]) for name in names
        ]
        for judged in table.watches.properties:
            if judged.befores:
                counts = self.live_questions(judged)
                self._kept += [(slice(one.at, one.at + one.amount * one.bits // 8), counts)
                               for one in self.before_fields(judged)]

    def live_questions(self, judged: JudgedProperty) -> frozenset[int]:
        table = self.positions.table
        return frozenset(
            number
            for number, (_, wait) in self.positions.questions_by_number.items()
            if not judged.is_idle_at(table.lives, wait.pc)
        )

    def before_fields(self, judged: JudgedProperty) -> list[Field]:
        plan = self.positions.form.plan
        found: list[Field] = []
        for node in judged.values_before:
            kept = plan.made.get(("before", id(node.value)))
            if kept is not None:
                found += [kept] if isinstance(kept, Field) else kept[:2]
        return found

    @property
    def is_needed(self) -> bool:
        """Whether there is anything to take out at this table."""
        return bool(self._recorded or self._kept or self.positions.form.lists)

    def canonical_block(self, memory: bytes) -> bytes:
        """The same of all blocks of one position."""
        if not self.is_needed:
            return memory
        lists = self.positions.form.lists
        found = bytearray(memory)
        here = self.read_number(memory, self.positions.form.plan.fields["pc"])
        for place, counts in self._kept:
            if here not in counts:
                found[place] = bytes(place.stop - place.start)
        for values, at, end in lists:
            self.normalize_each_list(found, memory, (values, at, end))
        for amount, first, second in self._recorded:
            earlier = self.read_number(memory, amount) - 1  # the last one counts as the last
            if earlier > 1:
                words = Struct(f"<{earlier}q")
                ones, others = (words.unpack_from(memory, place.at) for place in (first, second))
                pairs = sorted(zip(ones, others, strict=True))
                words.pack_into(found, first.at, *[one for one, _ in pairs])
                words.pack_into(found, second.at, *[other for _, other in pairs])
        return bytes(found)

    def normalize_each_list(self, found: bytearray, memory: bytes, own: tuple[Field, Field, Field]) -> None:
        values, at, end = own
        first, last = self.read_number(memory, at), self.read_number(memory, end)
        each = values.bits // 8
        left = memory[values.at + first * each : values.at + last * each]
        found[values.at : values.at + values.amount * each] = left.ljust(values.amount * each, b"\0")
        for place, number in ((at, 0), (end, last - first)):
            found[place.at : place.at + place.bits // 8] = number.to_bytes(place.bits // 8, "little", signed=True)

    @staticmethod
    def read_number(memory: bytes, place: Field) -> int:
        return int.from_bytes(memory[place.at : place.at + place.bits // 8], "little", signed=True)


# ---- blocks


Sheets = bytes  # as machine code tells all points counted so far
WithLuck = tuple[bytes, int, Sheets, bytes, tuple[int, ...]]  # a block, its answers, points, streams, what was answered

SIGNED = {8: "<b", 16: "<h", 32: "<i", 64: "<q"}


@define(eq=False)
class StepMemory:
    """Memory in which one step at a time is made."""

    positions: NativePositions
    plan: Any
    found: Any = field(init=False)  # where the next position is put, and the streams behind it
    memory: memoryview = field(init=False)
    luck: memoryview = field(init=False)
    answers: Any = field(init=False)  # how many there were by chance, and they
    place_of_answers: int = field(init=False)
    amount_told: Any = field(init=False)

    def __attrs_post_init__(self) -> None:
        size = self.positions.form.plan.size
        self.found = ctypes.create_string_buffer(size + 8 * self.plan.streams + 8)
        whole = memoryview(self.found).cast("B")
        self.memory, self.luck = whole[:size], whole[size : size + 8 * self.plan.streams]
        answers = (ctypes.c_int64 * (words.MOST_ANSWERS + 2))()
        self.answers, self.place_of_answers = memoryview(answers).cast("B").cast("q"), ctypes.addressof(answers)
        told = self.positions.form.plan.fields["told"]
        self.amount_told = ctypes.c_int64.from_address(self.positions.address + told.at)
        self.plan.numbers[words.OUT] = ctypes.addressof(self.found)


    def read_sheet_bytes(self) -> Sheets:
        """The points that were counted in the last step."""
        fields, at = self.positions.form.plan.fields, self.positions.address
        return ctypes.string_at(at + fields["sheets told"].at, 8 * self.amount_told.value)

    def decode_sheets(self, sheets: Sheets) -> list[RawSheet]:
        """In numbers."""
        fields, at = self.positions.form.plan.fields, self.positions.address
        ctypes.memmove(at + fields["sheets told"].at, sheets, len(sheets))
        self.amount_told.value = len(sheets) // 8
        return self.positions.read_sheets()


@define(eq=False)
class StepPlan:
    """What the loops must know of a table, as numbers; each space has its own."""

    numbers: Any
    kept: tuple[Any, ...]  # the arrays that the numbers point at
    streams: int


@define(eq=False)
class Blocks:
    """A table in machine code, one block after the other."""

    positions: NativePositions
    cache: Cache | None = None
    loops: MachineCode = field(init=False)
    sources: dict[str, int] = field(init=False, factory=dict)  # the streams of chance, by name
    _step: Any = field(init=False)
    _step_with_luck: Any = field(init=False)
    _spaces: list[StepMemory] = field(init=False, factory=list)
    sameness: BlockCanonicalizer = field(init=False)
    _pc: tuple[Any, int] = field(init=False)
    _player: tuple[Any, int] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.loops = compile_text(ModuleText(has_pdep()).format_module(words.block_kernels()), self.cache)
        pointer, number, block = ctypes.c_void_p, ctypes.c_int64, ctypes.c_char_p
        # Called with Python's lock held: a step takes less time than giving it away.
        self._step = ctypes.PYFUNCTYPE(number, pointer, block, number, pointer)(self.loops.address("step alone"))
        self._step_with_luck = ctypes.PYFUNCTYPE(number, pointer, block, number, pointer, block, number, pointer)(
            self.loops.address("step with luck")
        )
        fields = self.positions.form.plan.fields
        self._pc, self._player = number_reader(fields["pc"]), number_reader(fields["player"])
        self._spaces.append(self.new_step_memory())
        self.sameness = BlockCanonicalizer(self.positions)

    # ---- memory to step in

    def new_step_memory(self) -> StepMemory:
        own = self.positions
        return StepMemory(NativePositions(own.table, own.form, own.code), self.make_step_plan())

    @contextmanager
    def borrow_memory(self) -> Iterator[StepMemory]:
        space = self.take_memory()
        try:
            yield space
        finally:
            self._spaces.append(space)

    def take_memory(self) -> StepMemory:
        """Nobody else has it meanwhile."""
        try:
            return self._spaces.pop()
        except IndexError:
            return self.new_step_memory()

    def make_step_plan(self) -> StepPlan:
        form, code, fields = self.positions.form, self.positions.code, self.positions.form.plan.fields
        kinds, faces, sources = self.chance_tables()
        numbers = (ctypes.c_int64 * words.PLAN)()
        for name, at in (("amount", words.AMOUNT), ("settle", words.SETTLE), ("run", words.RUN),
                         ("where", words.WHERE)):
            numbers[at] = code.address(name)
        numbers[words.SIZE] = form.plan.size
        for name, at, up in (("fault", words.FAULT, words.FAULT_UP), ("pc", words.PC, words.PC_UP)):
            numbers[at], numbers[up] = fields[name].at, 64 - fields[name].bits
        numbers[words.TOLD], numbers[words.TELLING] = fields["told"].at, fields["telling"].at
        arrays = tuple((ctypes.c_int64 * len(one))(*one) for one in (kinds, faces, sources))
        for array, at in zip(arrays, (words.CHANCES, words.FACES, words.SOURCES), strict=True):
            numbers[at] = ctypes.addressof(array)
        return StepPlan(numbers, arrays, len(self.sources))

    def chance_tables(self) -> tuple[list[int], list[int], list[int]]:
        """By question: how chance weighs there, all weights that never change, which stream it takes."""
        asked = self.positions.questions_by_number
        kinds, faces, sources = [words.NO_CHANCE] * (len(asked) + 1), [0], [0] * (2 * len(asked) + 2)
        for at, (_, wait) in asked.items():
            if isinstance(wait, DrawWait):
                kinds[at] = words.DRAWN
            elif isinstance(wait, OrderWait):
                kinds[at] = words.EVENLY
            elif isinstance(wait, ValueWait):
                kinds[at] = len(faces)
                faces.extend(weight for weight in wait.weights if weight)
            if isinstance(wait, ChanceWait):
                names, told = stream_names(self.positions.table, wait)
                sources[2 * at], sources[2 * at + 1] = self.add_streams(names), told
        return kinds, faces, sources

    def add_streams(self, names: tuple[str, ...]) -> int:
        """Names of one place stand side by side."""
        for name in names:
            self.sources.setdefault(name, len(self.sources))
        return self.sources[names[0]]

    # ---- the game

    def begin_game(self, seed: int | None = None) -> WithLuck:
        """To the first question; with a seed, to the first that chance does not answer."""
        with self.borrow_memory() as space:
            first: Any = space.positions.begin_game().state
            sheets = space.read_sheet_bytes()
            space.positions.load_block(first.memory)
            amount = space.positions.count_answers()
        if seed is not None:
            return self.follow_with_chance(first.memory, -1, self.initial_streams(seed), sheets, seed)
        return first.memory, amount, sheets, b"", ()

    def follow_answer(self, memory: bytes, index: int, sheets: Sheets) -> tuple[bytes, int, Sheets]:
        """The next position, the number of its answers, all points so far. `STUCK`: the reference must go on.

        The index must be one of an answer: nobody looks again.
        """
        spaces = self._spaces
        space = spaces.pop() if spaces else self.new_step_memory()
        found = self._step(space.positions.address, memory, index, space.plan.numbers)
        if found >= words.COUNTED:
            found, sheets = found - words.COUNTED, sheets + space.read_sheet_bytes()
        following = space.memory.tobytes(), found, sheets
        spaces.append(space)
        return following

    def follow_with_chance(self, memory: bytes, index: int, luck: bytes, sheets: Sheets, seed: int) -> WithLuck:
        """The same, and then whatever chance decides, by its streams. An index below zero: chance alone.

        Gives the streams and all answers as well.
        """
        spaces, answers = self._spaces, [index] if index >= 0 else []
        space = spaces.pop() if spaces else self.new_step_memory()
        positions, plan = space.positions, space.plan
        while True:
            found = self._step_with_luck(
                positions.address, memory, index, plan.numbers, luck, plan.streams, space.place_of_answers
            )
            if found == STUCK:
                break
            many = space.answers[0]
            if many:
                answers += space.answers[1 : many + 1].tolist()
            memory, luck = space.memory.tobytes(), space.luck.tobytes()
            if 0 <= found < words.COUNTED:
                break
            sheets += space.read_sheet_bytes()
            if found != words.BY_HAND:
                found -= words.COUNTED
                break
            if len(answers) > MOST_BY_CHANCE:
                found = STUCK  # the reference says so
                break
            index, luck = self.draw_by_reference(memory, luck, seed)
            answers.append(index)
        spaces.append(space)
        return memory, found, sheets, luck, tuple(answers)

    # ---- chance

    def initial_streams(self, seed: int) -> bytes:
        """Every stream where it begins."""
        return self.pack_streams(seed, {})

    def pack_streams(self, seed: int, marks: Mapping[str, int]) -> bytes:
        streams = Streams(seed)
        for name in self.sources:
            streams.random_below(1, name)
        begins = streams.stream_states()
        values = [marks.get(name, (begins[name] - GOLDEN) & MASK) for name in self.sources]
        return b"".join(one.to_bytes(8, "little") for one in values)

    def stream_states(self, luck: bytes, seed: int) -> dict[str, int]:
        """How far each stream has come that was asked for anything, as `Streams` has it."""
        begun, found = self.initial_streams(seed), {}
        for at, name in enumerate(self.sources):
            if luck[8 * at : 8 * at + 8] != begun[8 * at : 8 * at + 8]:
                found[name] = int.from_bytes(luck[8 * at : 8 * at + 8], "little")
        return found

    def draw_by_reference(self, memory: bytes, luck: bytes, seed: int) -> tuple[int, bytes]:
        """The answer of chance where it takes more than one word, and the streams after it."""
        question = self.describe_question(memory)
        assert isinstance(question, ChanceDecision)
        streams = Streams(seed).resume_at(self.stream_states(luck, seed))
        number = streams.random_below(question.total, question.stream)
        return question.index_at_weight(number), self.pack_streams(seed, streams.stream_states())

    # ---- what is asked

    def describe_question(self, memory: bytes) -> Decision:
        """In words, as the reference puts it."""
        with self.borrow_memory() as space:
            return space.positions.pending_decision(Position(memory))

    def option_rows(self, memory: bytes) -> list[list[int]]:
        """All options of a decision in numbers, a row each: the same numbers mean the same option of this question."""
        asked = self.question_at(memory)
        with self.borrow_memory() as space:
            space.positions.load_block(memory)
            amount = space.positions.count_answers()
            return space.positions.options.read_rows(asked[0], space.positions.address, amount) if asked else []

    def question_at(self, memory: bytes) -> tuple[Question, Wait] | None:
        """What is asked here; None when the game is over."""
        read, at = self._pc
        return self.positions.questions_by_number.get(read(memory, at)[0])

    def player(self, memory: bytes) -> int:
        read, at = self._player
        found: int = read(memory, at)[0]
        return found

    def to_reference_sheets(self, sheets: Sheets) -> tuple[Sheet, ...]:
        """As the reference tells points."""
        if not sheets:
            return ()
        with self.borrow_memory() as space:
            return tuple(decode_sheet(self.positions.table, one) for one in space.decode_sheets(sheets))

    def together_seats(self, memory: bytes) -> tuple[int, ...] | None:
        """Everybody who chooses at this moment."""
        asked = self.question_at(memory)
        with self.borrow_memory() as space:
            space.positions.load_block(memory)
            if asked is None or not isinstance(asked[1], DecisionWait):
                return None
            return space.positions.together_seats(asked[0], asked[1])

    def place_names(self, memory: bytes, wait: ChanceWait) -> tuple[str | None, str | None]:
        """Where from and where to, by name."""
        with self.borrow_memory() as space:
            space.positions.load_block(memory)
            return space.positions.place_names(wait)


def number_reader(place: Field) -> tuple[Any, int]:
    """Reads a number of a block."""
    return Struct(SIGNED[place.bits]).unpack_from, place.at
