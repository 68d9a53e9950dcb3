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
from rulesrun.interpreter.form.llvm import ModuleText
from rulesrun.interpreter.form.machine_code import Cache, MachineCode, compile_text, has_pdep
from rulesrun.interpreter.model.places import find_changed_room
from rulesrun.interpreter.model.values import TEAM, State, fault
from rulesrun.interpreter.native.expressions import scales
from rulesrun.interpreter.native.flow.asked_games import STUCK, AskedGamesForm, lower_asked_games
from rulesrun.interpreter.native.flow.engine import decode_places
from rulesrun.interpreter.native.flow.questions import Question, list_waits
from rulesrun.interpreter.native.layout.lowering import lower_table
from rulesrun.interpreter.native.positions.block_reader import read_state
from rulesrun.interpreter.native.positions.option_rows import OptionRows
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
