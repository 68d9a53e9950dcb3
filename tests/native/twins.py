"""One random game on three machines at once: the reference, machine code that is asked, machine code that plays alone.

After every event everything is compared of which a trace is made: what is asked of whom, every outcome with its weight,
every option in its order, points, what lies everywhere, every variable, the end. Nothing is written out, so that
thousands of games of every table can be looked at. A seed in, a text out: what is not alike, or nothing.
"""

from __future__ import annotations

import ctypes
from typing import Any

from attrs import define, field

from rulesrun.interpreter.form.form import Field
from rulesrun.interpreter.model.random import Streams
from rulesrun.interpreter.model.values import (
    EVENTS,
    FIRST_FREE,
    OPTIONS,
    PC,
    PHASE,
    PLACES,
    PLAYER,
    RESULT,
    ROUND,
    STARTER,
    Fault,
    Slots,
)
from rulesrun.interpreter.native.flow.asked_games import STUCK
from rulesrun.interpreter.native.flow.engine import Engine, ThreadMemory, decode_places
from rulesrun.interpreter.native.flow.random_games import to_signed
from rulesrun.interpreter.native.positions.positions import NativePositions, read_state
from rulesrun.interpreter.play.game_loop import MOST_DECISIONS, player_stream_name
from rulesrun.interpreter.play.step import GameOver
from rulesrun.interpreter.reference.chance import ChanceWait, DrawWait, OrderWait
from rulesrun.interpreter.reference.decisions import DecisionWait, TogetherWait
from rulesrun.interpreter.reference.table import Table
from tests.native.encoded import Encoded

FLOW = (("player", PLAYER), ("round", ROUND), ("starter", STARTER), ("phase", PHASE))
KINDS: dict[int, Any] = {8: ctypes.c_int8, 16: ctypes.c_int16, 32: ctypes.c_int32, 64: ctypes.c_int64}


UNSURE = {"endless", "left-to-reference"}  # bounds of machine code alone: from there on the reference plays


class NotAlike(Exception):
    """What is another on the two engines."""


class Left(Exception):
    """Machine code has come to a bound of its own; until then everything was alike."""


@define(eq=False)
class Twins:
    table: Table
    positions: NativePositions
    engine: Engine | None = None
    events: int = 0
    told: int = 0  # games that machine code leaves to the reference at a bound of its own
    faulty: int = 0
    _encoded: Encoded = field(init=False)
    _settle: Any = field(init=False)
    _numbers: dict[int, int] = field(init=False)  # by number of the operation, that of the question
    _flow: list[tuple[str, int, Any]] = field(init=False)
    _pc: Any = field(init=False)
    _fault: Any = field(init=False)
    _told: Any = field(init=False)
    _block: ThreadMemory | None = field(init=False, default=None)
    _shown: list[int] = field(init=False)

    def __attrs_post_init__(self) -> None:
        plan = self.positions.form.plan
        self._encoded = Encoded(self.table, plan)
        self._settle = self.positions.code.function("settle", None, ctypes.c_void_p, ctypes.c_int64)
        self._numbers = {wait.pc: number for number, (_, wait) in self.positions.questions_by_number.items()}
        self._flow = [(name, slot, self.cell(plan.fields[name])) for name, slot in FLOW]
        self._pc, self._fault, self._told = (self.cell(plan.fields[name]) for name in ("pc", "fault", "told"))
        zones = [slot for slot, name in self._encoded.names.items() if slot >= FIRST_FREE and name]
        self._shown = sorted(zones)
        if self.engine is not None:
            self._block = self.engine.new_memory(0, False, MOST_DECISIONS, False)

    def cell(self, place: Field) -> Any:
        return KINDS[place.bits].from_address(self.positions.address + place.at)

    def game(self, seed: int) -> str | None:
        """What is not alike in the game with this seed."""
        S = self.table.new_slots()
        S[EVENTS] = []
        try:
            code, decisions = self.side_by_side(S, Streams(seed))
            self.alone(S, seed, code, decisions)
        except NotAlike as found:
            return str(found)
        except Left:
            self.told += 1
        return None

    # ---- question by question

    def side_by_side(self, S: Slots, streams: Streams) -> tuple[str | None, int]:
        """The code of the fault that ends the game, if one does, and how many decisions there were."""
        start = self.positions.form.start.values
        self.positions.load_block(bytes(start)[: self.positions.form.plan.size])
        self._encoded.begin()
        self._told.value = 0
        asked, decisions = self.positions.run_to_question(), 0
        while True:
            wait, code = self.theirs(S)
            is_stuck = asked == STUCK or bool(self._fault.value)
            if code is not None or is_stuck:
                if code is None and self.fault_code() in UNSURE:
                    raise Left
                self.alike("a fault", is_stuck, code is not None)
                self.faulty += 1
                return code, decisions
            self.compare_position(S, asked, wait)
            self.compare_sheets(S)
            self.events += 1
            if isinstance(wait, DecisionWait):
                decisions += 1
                if decisions > MOST_DECISIONS:
                    return "too-long", decisions
                index = self.decision(S, wait, streams)
            elif isinstance(wait, ChanceWait):
                index = self.chance(S, wait, streams)
            else:
                over = GameOver(self.table.scoring.scores(S), S[PLACES], S[RESULT])
                self.alike("the end", self.positions.make_game_over(), over)
                return None, decisions
            self._told.value = 0
            S[EVENTS] = []
            self.alike("whether there is this answer", index < self.positions.count_answers(), True)
            self._settle(self.positions.address, index)
            asked = self.positions.run_to_question()

    def fault_code(self) -> str:
        faults = self.positions.form.plan.faults
        return faults[self._fault.value - 1][0] if self._fault.value else ""

    def theirs(self, S: Slots) -> tuple[Any, str | None]:
        try:
            return self.table.run_to_question(S), None
        except Fault as problem:
            return None, problem.diagnostic.code

    def alike(self, what: str, ours: Any, theirs: Any) -> None:
        if ours != theirs:
            raise NotAlike(f"event {self.events}: {what}: {ours!r} instead of {theirs!r}")

    def compare_position(self, S: Slots, asked: int, wait: Any) -> None:
        self.alike("the question", asked, self._numbers.get(S[PC], 0))
        for name, slot, cell in self._flow:
            if cell.value != S[slot]:
                self.alike(name, cell.value, S[slot])
        memory = self.positions.copy_block()
        place = self._encoded.differs(S, memory, self.positions.read_number)
        if place is not None:
            raise NotAlike(f"event {self.events}: `{place}` is another")

    def compare_sheets(self, S: Slots) -> None:
        theirs = [event[1] for event in S[EVENTS] if event[0] == "score"]
        if theirs or self._told.value:
            self.alike("points", self.positions.read_sheets(), theirs)

    def decision(self, S: Slots, wait: DecisionWait, streams: Streams) -> int:
        question, _ = self.positions.questions_by_number[self._numbers[wait.pc]]
        options: list[Any] = S[OPTIONS]
        self.alike("the number of options", self.positions.count_answers(), len(options))
        memory = self.positions.copy_block()
        self.alike(
            "the options", self.positions.options.read_keys(question, self.positions.address, len(options)), options
        )
        self.positions.load_block(memory)
        if isinstance(wait, TogetherWait):
            self.alike("who chooses", self.positions.together_seats(question, wait), wait.together_seats(S))
        index = streams.random_below(len(options), player_stream_name(wait.chooser(S)))
        wait.apply_answer(S, options[index])
        return index

    def chance(self, S: Slots, wait: ChanceWait, streams: Streams) -> int:
        positions, amount = self.positions, self.positions.count_answers()
        stream, (origin, target) = wait.stream_name(S), wait.place_names(S)
        if isinstance(wait, OrderWait):
            self.alike("the number of orders", amount, wait.total_weight(S))
            index = streams.random_below(amount, stream)
            value: Any = wait.outcome_at(S, index)
        else:
            outcomes = wait.outcomes(S)
            self.alike("the number of outcomes", amount, len(outcomes))
            if isinstance(wait, DrawWait):
                self.alike("the outcomes", positions.read_draw_outcomes(amount), outcomes)
            number = streams.random_below(sum([weight for _, weight in outcomes]), stream)
            index, (value, weight) = 0, outcomes[0]
            while number >= weight:
                number -= weight
                index += 1
                value, weight = outcomes[index]
        _, ours = positions.questions_by_number[self._numbers[wait.pc]]
        assert isinstance(ours, ChanceWait)
        self.alike("where", positions.place_names(ours), (origin, target))
        wait.apply_answer(S, value)
        return index

    # ---- the game that is played without asking

    def alone(self, S: Slots, seed: int, code: str | None, decisions: int) -> None:
        if self.engine is None or self._block is None:
            return
        block, plan = self._block, self.engine.form.plan
        block.numbers("seed")[0] = to_signed(seed)
        if not self.engine.run_games(block, 0, 1):
            self.told += code is None
            return
        self.alike("a fault of the game played alone", None, code)

        def read(name: str, index: int = 0) -> int:
            place = plan.fields[name]
            return int(KINDS[place.bits].from_address(block.address + place.at + index * place.bits // 8).value)

        self.alike("decisions", read("decisions"), decisions)
        n, code_of_places = self.table.players, 0
        for seat in range(n):
            code_of_places = code_of_places * (n + 1) + read("place", seat)
        scores = self.table.scoring.scores(S)
        self.alike("scores", {seat + 1: read("total", seat) for seat in range(n)}, scores)
        self.alike("places", decode_places(code_of_places, n), S[PLACES])
        state = read_state(self.engine.table, plan, read, ctypes.string_at(block.address, plan.size), S[PC], ())
        for slot in self._shown:
            self.alike(self._encoded.names[slot], state.slots[slot], S[slot])

