"""What the seats of one game know, and where the game was before it was asked who chooses what.

Follows a game question by question. The team knows what its members know together.
"""

from __future__ import annotations

from typing import Any

from attrs import define, field

from rulesrun.interpreter.bots.belief import Belief
from rulesrun.interpreter.bots.observation import UNKNOWN, Observation
from rulesrun.interpreter.bots.observer import Observer
from rulesrun.interpreter.decisions import DecisionWait, TogetherWait
from rulesrun.interpreter.graph import Wait
from rulesrun.interpreter.table import Table
from rulesrun.interpreter.values import (
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
from rulesrun.interpreter.visibility import sees
from rulesrun.interpreter.workbench import VariableRoom, ZoneRoom

CONDITIONS = {"unless", "jump"}


def is_known_to(room: ZoneRoom | VariableRoom, number: int, seat: int) -> bool:
    """As what a seat sees; the team sees what any of its members does."""
    if seat == TEAM and room.declaration.visibility == "private" and room.declaration.per_player:
        return True
    return sees(room, number, seat)


class Known(Belief):
    """What one seat, or the team together, knows of the components it cannot see."""

    def sees(self, room: ZoneRoom, number: int) -> bool:
        return is_known_to(room, number, self.seat)


@define(eq=False)
class Following(Observer):
    """`before`: the position since which only conditions were looked at."""

    before: Slots = field(init=False, factory=list)
    _asks: list[bool] = field(init=False)  # a condition, or a choice
    _leaves: list[bool] = field(init=False)  # the position is after it as it was before

    def __attrs_post_init__(self) -> None:
        Observer.__attrs_post_init__(self)
        waits = [self.table.waits.get(pc) for pc in range(len(self.table.operations))]
        conditions = [one.kind in CONDITIONS for one in self.table.operations]
        self._asks = [
            is_asked or isinstance(wait, DecisionWait) for is_asked, wait in zip(conditions, waits, strict=True)
        ]
        self._leaves = [
            asks and not isinstance(wait, TogetherWait) for asks, wait in zip(self._asks, waits, strict=True)
        ]

    def begin(self, seats: tuple[int, ...]) -> None:
        """A new game, followed for these seats."""
        self.beliefs = {seat: Known(self.table, seat) for seat in seats}
        self.changed.clear()

    def showing(self, step: Jump) -> Jump:
        def show(S: Slots) -> int:
            following = step(S)
            for seat, belief in self.beliefs.items():
                for to, slot, content in S[SHOWN]:
                    if to in {TEAM, seat} or seat == TEAM:
                        belief.shown(slot, content)
            return following

        return show

    def run(self, S: Slots) -> Wait:
        """As the table runs, but remembers the position before the last conditions."""
        steps, pc, is_moved = self.steps, S[PC], True
        S[WORK] = MOST_WORK
        try:
            for _ in range(MOST_STEPS):
                if is_moved and self._asks[pc]:
                    self.before, is_moved = kept(S, pc), False
                here, pc = pc, steps[pc](S)
                if pc < 0:
                    S[PC] = ~pc
                    return self.table.waits[~pc]
                is_moved = is_moved or not self._leaves[here]
        except (TypeError, RecursionError, OverflowError) as problem:
            raise self.table.complaint(problem, self.table.operations[pc].node) from problem
        raise fault("endless", "this goes on and on, and nobody is ever asked", self.table.operations[pc].node.span)

    def asked_from(self, S: Slots) -> Wait | None:
        """The choice that is reached by conditions alone; None when something else comes first."""
        steps, pc = self.table.steps, S[PC]
        S[WORK] = MOST_WORK
        for _ in range(MOST_STEPS):
            if not self._asks[pc]:
                return None
            here, pc = pc, steps[pc](S)
            if pc < 0:
                S[PC] = ~pc
                return self.table.waits[~pc]
            if not self._leaves[here]:
                return None
        return None

    # ---- what a seat knows

    def known_before(self, seat: int) -> Observation:
        """The position before the last conditions, as the seat knows it."""
        S = list(self.before)
        S[OPTIONS] = ()
        return self.observation(S, seat)

    def hide_variables(self, slots: Slots, seat: int) -> None:
        for room in self.table.bench.variables.values():
            for number in range(room.amount):
                slot = room.base + number
                if slot in self.changed and not is_known_to(room, number, seat):
                    slots[slot] = UNKNOWN

    def hide_choices(self, slots: Slots, seat: int) -> None:
        """Those of a choice that is just being made are left: nothing has come of them yet."""
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


def kept(S: Slots, pc: int) -> Slots:
    copy = list(S)
    copy[PC] = pc
    return copy


def has_secrets(table: Table) -> bool:
    """Whether anything can be hidden from anybody."""
    rooms: list[ZoneRoom | VariableRoom] = [*table.bench.zones.values(), *table.bench.variables.values()]
    return any(room.declaration.visibility not in {None, "public"} for room in rooms)
