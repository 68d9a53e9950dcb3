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
from rulesrun.interpreter.form.machine_code import Cache, MachineCode, compiled
from rulesrun.interpreter.model.flow_graph import Wait
from rulesrun.interpreter.model.random import GOLDEN, MASK, Streams
from rulesrun.interpreter.native.flow.asked_games import STUCK
from rulesrun.interpreter.native.flow.questions import Question
from rulesrun.interpreter.native.layout.chance_names import names_of
from rulesrun.interpreter.native.positions import block_kernels as words
from rulesrun.interpreter.native.positions.block_equality import Sameness
from rulesrun.interpreter.native.positions.positions import Position, Positions, RawSheet
from rulesrun.interpreter.play.game_loop import MOST_BY_CHANCE, chance_source
from rulesrun.interpreter.play.step import ChanceDecision, Decision, Sheet, sheet_of
from rulesrun.interpreter.reference.chance import ChanceWait, DrawWait, OrderWait, ValueWait
from rulesrun.interpreter.reference.decisions import DecisionWait

Sheets = bytes  # as machine code tells all points counted so far
WithLuck = tuple[bytes, int, Sheets, bytes, tuple[int, ...]]  # a block, its answers, points, streams, what was answered

SIGNED = {8: "<b", 16: "<h", 32: "<i", 64: "<q"}


@define(eq=False)
class Space:
    """Memory in which one step at a time is made."""

    positions: Positions
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
        self.plan.numbers[words.OUT] = ctypes.addressof(self.found) - self.positions.address


    def told(self) -> Sheets:
        """The points that were counted in the last step."""
        fields, at = self.positions.form.plan.fields, self.positions.address
        return ctypes.string_at(at + fields["sheets told"].at, 8 * self.amount_told.value)

    def sheets_of(self, sheets: Sheets) -> list[RawSheet]:
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

    positions: Positions
    cache: Cache | None = None
    loops: MachineCode = field(init=False)
    sources: dict[str, int] = field(init=False, factory=dict)  # the streams of chance, by name
    _step: Any = field(init=False)
    _step_with_luck: Any = field(init=False)
    _spaces: list[Space] = field(init=False, factory=list)
    sameness: Sameness = field(init=False)
    _pc: tuple[Any, int] = field(init=False)
    _player: tuple[Any, int] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.loops = compiled(words.SINGLE, self.cache)
        pointer, number, block = ctypes.c_void_p, ctypes.c_int64, ctypes.c_char_p
        # Called with Python's lock held: a step takes less time than giving it away.
        self._step = ctypes.PYFUNCTYPE(number, pointer, block, number, pointer)(self.loops.address("step_alone"))
        self._step_with_luck = ctypes.PYFUNCTYPE(number, pointer, block, number, pointer, block, number, pointer)(
            self.loops.address("step_with_luck")
        )
        fields = self.positions.form.plan.fields
        self._pc, self._player = reader(fields["pc"]), reader(fields["player"])
        self._spaces.append(self.new_space())
        self.sameness = Sameness(self.positions)

    # ---- memory to step in

    def new_space(self) -> Space:
        own = self.positions
        return Space(Positions(own.table, own.form, own.code), self.planned())

    @contextmanager
    def space(self) -> Iterator[Space]:
        space = self.taken()
        try:
            yield space
        finally:
            self._spaces.append(space)

    def taken(self) -> Space:
        """Nobody else has it meanwhile."""
        try:
            return self._spaces.pop()
        except IndexError:
            return self.new_space()

    def planned(self) -> StepPlan:
        form, code, fields = self.positions.form, self.positions.code, self.positions.form.plan.fields
        kinds, faces, sources = self.chances()
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

    def chances(self) -> tuple[list[int], list[int], list[int]]:
        """By question: how chance weighs there, all weights that never change, which stream it takes."""
        asked = self.positions.asked
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
                names, told = names_of(self.positions.table, wait)
                sources[2 * at], sources[2 * at + 1] = self.first_source(names), told
        return kinds, faces, sources

    def first_source(self, names: tuple[str, ...]) -> int:
        """Names of one place stand side by side."""
        for name in names:
            self.sources.setdefault(name, len(self.sources))
        return self.sources[names[0]]

    # ---- the game

    def begin(self, seed: int | None = None) -> WithLuck:
        """To the first question; with a seed, to the first that chance does not answer."""
        with self.space() as space:
            first: Any = space.positions.begin().state
            sheets = space.told()
            space.positions.enter(first.memory)
            amount = space.positions.amount()
        if seed is not None:
            return self.followed_with_luck(first.memory, -1, self.luck_of(seed), sheets, seed)
        return first.memory, amount, sheets, b"", ()

    def followed(self, memory: bytes, index: int, sheets: Sheets) -> tuple[bytes, int, Sheets]:
        """The next position, the number of its answers, all points so far. `STUCK`: the reference must go on.

        The index must be one of an answer: nobody looks again.
        """
        spaces = self._spaces
        space = spaces.pop() if spaces else self.new_space()
        found = self._step(space.positions.address, memory, index, space.plan.numbers)
        if found >= words.COUNTED:
            found, sheets = found - words.COUNTED, sheets + space.told()
        following = space.memory.tobytes(), found, sheets
        spaces.append(space)
        return following

    def followed_with_luck(self, memory: bytes, index: int, luck: bytes, sheets: Sheets, seed: int) -> WithLuck:
        """The same, and then whatever chance decides, by its streams. An index below zero: chance alone.

        Gives the streams and all answers as well.
        """
        spaces, answers = self._spaces, [index] if index >= 0 else []
        space = spaces.pop() if spaces else self.new_space()
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
            sheets += space.told()
            if found != words.BY_HAND:
                found -= words.COUNTED
                break
            if len(answers) > MOST_BY_CHANCE:
                found = STUCK  # the reference says so
                break
            index, luck = self.by_hand(memory, luck, seed)
            answers.append(index)
        spaces.append(space)
        return memory, found, sheets, luck, tuple(answers)

    # ---- chance

    def luck_of(self, seed: int) -> bytes:
        """Every stream where it begins."""
        return self.luck_at(seed, {})

    def luck_at(self, seed: int, marks: Mapping[str, int]) -> bytes:
        streams = Streams(seed)
        for name in self.sources:
            streams.below(1, name)
        begins = streams.marks()
        values = [marks.get(name, (begins[name] - GOLDEN) & MASK) for name in self.sources]
        return b"".join(one.to_bytes(8, "little") for one in values)

    def marks(self, luck: bytes, seed: int) -> dict[str, int]:
        """How far each stream has come that was asked for anything, as `Streams` has it."""
        begun, found = self.luck_of(seed), {}
        for at, name in enumerate(self.sources):
            if luck[8 * at : 8 * at + 8] != begun[8 * at : 8 * at + 8]:
                found[name] = int.from_bytes(luck[8 * at : 8 * at + 8], "little")
        return found

    def by_hand(self, memory: bytes, luck: bytes, seed: int) -> tuple[int, bytes]:
        """The answer of chance where it takes more than one word, and the streams after it."""
        question = self.question(memory)
        assert isinstance(question, ChanceDecision)
        streams = Streams(seed).resumed(self.marks(luck, seed))
        number = streams.below(question.total, chance_source(question.origin, question.target))
        return question.index_at(number), self.luck_at(seed, streams.marks())

    # ---- what is asked

    def question(self, memory: bytes) -> Decision:
        """In words, as the reference puts it."""
        with self.space() as space:
            return space.positions.pending(Position(memory))

    def rows(self, memory: bytes) -> list[list[int]]:
        """All options of a decision in numbers, a row each: the same numbers mean the same option of this question."""
        asked = self.asked(memory)
        with self.space() as space:
            space.positions.enter(memory)
            amount = space.positions.amount()
            return space.positions.options.rows(asked[0], space.positions.address, amount) if asked else []

    def asked(self, memory: bytes) -> tuple[Question, Wait] | None:
        """What is asked here; None when the game is over."""
        read, at = self._pc
        return self.positions.asked.get(read(memory, at)[0])

    def player(self, memory: bytes) -> int:
        read, at = self._player
        found: int = read(memory, at)[0]
        return found

    def counted(self, sheets: Sheets) -> tuple[Sheet, ...]:
        """As the reference tells points."""
        if not sheets:
            return ()
        with self.space() as space:
            return tuple(sheet_of(self.positions.table, one) for one in space.sheets_of(sheets))

    def together(self, memory: bytes) -> tuple[int, ...] | None:
        """Everybody who chooses at this moment."""
        asked = self.asked(memory)
        with self.space() as space:
            space.positions.enter(memory)
            if asked is None or not isinstance(asked[1], DecisionWait):
                return None
            return space.positions.together(asked[0], asked[1])

    def places(self, memory: bytes, wait: ChanceWait) -> tuple[str | None, str | None]:
        """Where from and where to, by name."""
        with self.space() as space:
            space.positions.enter(memory)
            return space.positions.places(wait)


def reader(place: Field) -> tuple[Any, int]:
    """Reads a number of a block."""
    return Struct(SIGNED[place.bits]).unpack_from, place.at
