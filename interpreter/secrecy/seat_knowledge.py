"""What the seats of one game know, and where the game was before it was asked who chooses what.

Follows a game question by question. The team knows what its members know together.
"""

from __future__ import annotations

from typing import Any

from attrs import define, field

from rulesrun.dsl.text.messages import message
from rulesrun.interpreter.bots.belief import Belief
from rulesrun.interpreter.bots.observation import UNKNOWN, Observation
from rulesrun.interpreter.bots.observer import Observer
from rulesrun.interpreter.model.compile_context import VariableRoom, ZoneRoom
from rulesrun.interpreter.model.core import Adjust, Assign, Contents, list_operands_of
from rulesrun.interpreter.model.flow_decisions import naming_word
from rulesrun.interpreter.model.instructions import BeginRound, Do, Instruction
from rulesrun.interpreter.model.places import compile_place
from rulesrun.interpreter.model.values import (
    EVENTS,
    MOST_STEPS,
    MOST_WORK,
    OPTIONS,
    PC,
    PLAYER,
    SHOWN,
    TEAM,
    WORK,
    Jump,
    Slots,
    fault,
)
from rulesrun.interpreter.play.visibility import can_see
from rulesrun.interpreter.reference.decisions import DecisionWait, TogetherWait
from rulesrun.interpreter.reference.flow_graph import Operation, Wait
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.secrecy.information_flow import flows_of, is_open
from rulesrun.interpreter.secrecy.secrets import NONE, Sources, is_known_value

CONDITIONS = {"unless", "jump", "how-often"}
STEERING = CONDITIONS | {
    "round-begins", "phase", "turns-begin", "turns-end", "turn", "next-seat", "gather", "keep-player", "player-again",
    "nobody-asked-yet", "set-back", "forget", "before", "after", "moment", "figure",
}  # fmt: skip


def is_naming(operation: Operation) -> bool:
    """A value gets a name, or loses it: it is worked out where the condition that speaks of it would be."""
    return operation.kind in {"gather", "forget"} and naming_word(operation.instruction) is not None


def is_known_to(room: ZoneRoom | VariableRoom, number: int, seat: int) -> bool:
    """As what a seat sees; the team sees what any of its members does."""
    if seat == TEAM and room.declaration.visibility == "private" and room.declaration.per_player:
        return True
    if seat == TEAM and room.seers:
        return bool(room.seers[number])
    return can_see(room, number, seat)


class SeatBelief(Belief):
    """What one seat, or the team together, knows of the components it cannot see."""

    def can_see(self, room: ZoneRoom, number: int) -> bool:
        return is_known_to(room, number, self.seat)


@define(eq=False)
class KnowledgeObserver(Observer):
    """`before`: the position since which only conditions were looked at; `earlier`: since which nothing else happened
    than that a phase, a loop or a turn went on, or ended, and that open values became others.
    """

    before: Slots = field(init=False, factory=list)
    earlier: Slots = field(init=False, factory=list)
    _made_of: dict[int, Sources] = field(init=False)
    _asks: list[bool] = field(init=False)  # a condition, or a choice
    _steers: list[bool] = field(init=False)  # that, or how the game goes on
    _leaves: list[bool] = field(init=False)  # components and values are after it as they were before

    def __attrs_post_init__(self) -> None:
        Observer.__attrs_post_init__(self)
        self.named.team_knows = True
        waits = [self.table.waits.get(pc) for pc in range(len(self.table.operations))]
        self._asks, self._steers = (
            [one.kind in kinds or is_naming(one) or isinstance(wait, DecisionWait)
             for one, wait in zip(self.table.operations, waits, strict=True)]
            for kinds in (CONDITIONS, STEERING)
        )  # fmt: skip
        flows = flows_of(self.table)
        self._made_of = flows.contents.made_of
        for pc, one in enumerate(self.table.operations):
            change = one.instruction.effect if isinstance(one.instruction, Do) else None
            if one.kind in {"becomes", "increases"} and isinstance(change, Assign | Adjust):
                parts = [(part, False) for part in list_operands_of(change)]
                self._steers[pc] = self._steers[pc] or is_open(self.table, parts)  # the same comes, whatever is hidden
        self._leaves = [not isinstance(wait, TogetherWait) for wait in waits]

    def begin_game(self, seats: tuple[int, ...]) -> None:
        """A new game, followed for these seats."""
        self.beliefs = {seat: SeatBelief(self.table, seat) for seat in seats}
        self.changed.clear()
        self._before_draw = None  # the game before may have been left in the middle of a deal

    def watch_step(self, pc: int, step: Jump) -> Jump:
        """Which numbers and markers may hold something that not everybody knows."""
        operation = self.table.operations[pc]
        if operation.kind == "set-back":
            return self.watch_reset(operation.instruction, operation.node, step)
        if operation.kind not in {"becomes", "increases"} or not self.written[pc]:
            return Observer.watch_step(self, pc, step)
        assert isinstance(operation.instruction, Do)
        done = operation.instruction.effect
        assert isinstance(done, Assign | Adjust)
        assert isinstance(done.place, Contents)
        place = compile_place(self.table.bench, done.place).run
        note = self.changed.discard if id(operation.node) in flows_of(self.table).open_writes else self.changed.add

        def write(S: Slots) -> int:
            slot = place(S)
            note(slot)
            self.forget_told((slot,))
            return step(S)

        return write

    def watch_reset(self, instruction: Instruction, node: object, step: Jump) -> Jump:
        """What is set back to a start that all know is known to be so."""
        bench, moment = self.table.bench, "round" if isinstance(instruction, BeginRound) else "turn"
        known: set[int] = set()
        for room in bench.variables.values():
            start, is_meant = room.declaration.start, node is room.declaration or room.declaration.reset == moment
            if is_meant and (start is None or bench.compile(start).is_constant):
                known.update(range(room.base, room.base + room.amount))

        def set_back(S: Slots) -> int:
            self.changed -= known
            self.forget_told(known)
            return step(S)

        return set_back

    def watch_show(self, step: Jump) -> Jump:
        def show(S: Slots) -> int:
            following = step(S)
            for seat, belief in self.beliefs.items():
                for to, slot, content in S[SHOWN]:
                    if to in {TEAM, seat} or seat == TEAM:
                        belief.note_shown(slot, content)
            return following

        return show

    def run_to_question(self, S: Slots) -> Wait:
        """As the table runs, but remembers the positions before the last conditions."""
        steps, pc, is_moved, is_elsewhere = self.steps, S[PC], True, True
        S[WORK] = MOST_WORK
        try:
            for _ in range(MOST_STEPS):
                if is_moved and self._asks[pc]:
                    self.before, is_moved = copy_position_at(S, pc), False
                if is_elsewhere and self._steers[pc]:
                    self.earlier, is_elsewhere = copy_position_at(S, pc), False
                here, pc = pc, steps[pc](S)
                if pc < 0:
                    S[PC] = ~pc
                    return self.table.waits[~pc]
                is_moved = is_moved or not (self._asks[here] and self._leaves[here])
                is_elsewhere = is_elsewhere or not (self._steers[here] and self._leaves[here])
        except (TypeError, RecursionError, OverflowError) as problem:
            raise self.table.translate_error(problem, self.table.operations[pc].node) from problem
        raise fault(
            "endless", message("this goes on for ever without asking anybody"), self.table.operations[pc].node.span
        )

    def run_to_choice(self, S: Slots, is_wide: bool = False, way: list[int] | None = None) -> Wait | None:
        """The choice that is reached by conditions alone, or by how the game goes on; None when something else comes
        first. `way`: gets the operations that were gone through.
        """
        steps, pc, goes = self.table.steps, S[PC], self._steers if is_wide else self._asks
        S[WORK] = MOST_WORK
        for _ in range(MOST_STEPS):
            if not goes[pc]:
                return None
            if way is not None:
                way.append(pc)
            here, pc = pc, steps[pc](S)
            if pc < 0:
                S[PC] = ~pc
                return self.table.waits[~pc]
            if not self._leaves[here]:
                return None
        return None

    # ---- what a seat knows

    def observe_before(self, seat: int, is_wide: bool = False) -> Observation:
        """The position before the last conditions, as the seat knows it."""
        S = list(self.earlier if is_wide else self.before)
        S[OPTIONS] = ()
        return self.make_observation(S, seat)

    def hide_variables(self, slots: Slots, seat: int) -> None:
        for room in self.table.bench.variables.values():
            made_of = self._made_of.get(id(room.declaration), NONE)
            for number in range(room.amount):
                slot = room.base + number
                is_hidden = slot in self.changed and slot not in self.beliefs[seat].told
                if is_hidden and not is_known_to(room, number, seat):
                    is_own = room.declaration.per_player and number // room.per_player + 1 == seat
                    if not is_known_value(room.declaration, made_of, is_own, seat == TEAM):
                        slots[slot] = UNKNOWN

    def hide_choices(self, slots: Slots, seat: int) -> None:
        """Those of a choice that is just being made are left: nothing has come of them yet. All together know all."""
        if seat == TEAM:
            return
        here = self.table.waits.get(slots[PC])
        kept_ones: list[tuple[int, Any]] = []
        if isinstance(here, TogetherWait) and slots[here.seats] is not None:
            kept_ones = [(slot, slots[slot]) for slot in (here.chosen, here.seats, here.done, here.before)]
        player = slots[PLAYER]
        Observer.hide_choices(self, slots, seat)
        for slot, value in kept_ones:
            slots[slot] = value
        if kept_ones:
            slots[PLAYER] = player


def copy_position_at(S: Slots, pc: int) -> Slots:
    copy = list(S)
    copy[PC], copy[EVENTS] = pc, None
    return copy


def has_secrets(table: Table) -> bool:
    """Whether anything can be hidden from anybody."""
    rooms: list[ZoneRoom | VariableRoom] = [*table.bench.zones.values(), *table.bench.variables.values()]
    return any(room.declaration.visibility not in {None, "public"} for room in rooms)
