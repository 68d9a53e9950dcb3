"""Watches one game for all seats that think. Takes positions and movements, gives observations.

The only room of the bots that sees everything. Movements are seen one by one, so that
nothing has to be guessed from sizes.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from attrs import define, evolve, field

from rulesrun.dsl.text.source import Located
from rulesrun.interpreter.bots.belief import Belief
from rulesrun.interpreter.bots.heard_choices import ChoiceListener
from rulesrun.interpreter.bots.movement import Movement
from rulesrun.interpreter.bots.named_components import NamedComponents
from rulesrun.interpreter.bots.observation import UNKNOWN, Observation
from rulesrun.interpreter.bots.private_places import find_private_places
from rulesrun.interpreter.bots.solution import Book, Reader
from rulesrun.interpreter.bots.unseen import Mark, MarkGroup, resolve_mark
from rulesrun.interpreter.model.compile_context import VariableRoom
from rulesrun.interpreter.model.core import Move, Record
from rulesrun.interpreter.model.core_lowering import lower_statements
from rulesrun.interpreter.model.flow_decisions import instructions_before_choices
from rulesrun.interpreter.model.instructions import Do
from rulesrun.interpreter.model.places import find_changed_room, flatten_content
from rulesrun.interpreter.model.values import OPTIONS, PC, PLAYER, SHOWN, TEAM, Jump, Slots
from rulesrun.interpreter.play.player_memory import is_seen_at_once
from rulesrun.interpreter.play.visibility import can_see, shown_to
from rulesrun.interpreter.reference.chance import DrawWait
from rulesrun.interpreter.reference.decisions import DecisionWait, TogetherWait
from rulesrun.interpreter.reference.flow_graph import Wait
from rulesrun.interpreter.reference.table import Table

SILENT = {"jump", "unless", "choose", "draw"}


@define(eq=False)
class Observer:
    """`seats`: whose observations will be asked for (0: the team). `book`: of a solved game, where somebody plays by
    one. `listens`: whether what others choose is kept, for who goes by it."""

    table: Table
    seats: tuple[int, ...]
    book: Book | None = None
    listens: bool = False
    beliefs: dict[int, Belief] = field(init=False)
    changed: set[int] = field(init=False, factory=set)  # variables that may hold another value than at the start
    places: list[int] = field(init=False)
    named: NamedComponents = field(init=False)
    steps: list[Jump] = field(init=False)
    written: dict[int, tuple[int, ...]] = field(init=False)
    written_below: dict[int, tuple[int, ...]] = field(init=False)
    secret_memories: list[int] = field(init=False)  # what is recorded there is not for all to see
    reader: Reader | None = field(init=False, default=None)
    listener: ChoiceListener | None = field(init=False, default=None)
    _before_draw: Slots | None = field(init=False, default=None)  # of a draw that is seen when it is done
    _drawn: tuple[int, ...] = ()  # what it has brought so far

    def __attrs_post_init__(self) -> None:
        private = find_private_places(self.table)
        if self.listens and any(private):
            self.listener = ChoiceListener(private)
        seats = self.seats if self.listener is None else sorted({TEAM, *self.seats})
        self.beliefs = {seat: Belief(self.table, seat) for seat in seats}
        first = next(iter(self.beliefs.values()), None)
        self.places = [slot for heap in first.heaps for slot in heap.slots] if first else []
        self.written = {
            pc: written_variable_slots(self.table, one.node) for pc, one in enumerate(self.table.operations)
        }
        self.written_below = written_in_branches(self.table)
        self.named = NamedComponents(self.table, self.who_sees)
        self.secret_memories = secret_memories(self.table)
        self.steps = [self.watch_step(pc, step) for pc, step in enumerate(self.table.steps)]
        self.reader = None if self.book is None else self.book.open()

    # ---- playing on

    def watch_step(self, pc: int, step: Jump) -> Jump:
        operation = self.table.operations[pc]
        if operation.kind == "move":
            done = operation.instruction.effect if isinstance(operation.instruction, Do) else None
            moved = [one.taken.what for one in done.transfers] if isinstance(done, Move) else []
            return self.follow_step(step, self.named.register_of(moved[0]) if len(moved) == 1 else None)
        if operation.kind == "shuffle":
            return self.follow_step(step, None)
        if operation.kind == "show":
            return self.watch_show(step)
        if operation.kind == "drawn":
            return self.finish_draw(step)
        variables = self.written_below.get(pc, () if operation.kind in SILENT else self.written[pc])
        if variables:

            def note(S: Slots) -> int:
                self.changed.update(variables)
                self.forget_told(variables)
                return step(S)

            return note
        return step

    def forget_told(self, slots: Iterable[int]) -> None:
        """Another value may stand there now, as far as everybody knows: what was shown may be true no longer."""
        for belief in self.beliefs.values():
            belief.told.difference_update(slots)

    def follow_step(self, step: Jump, register: int | None) -> Jump:
        """`register`: of the component that is moved by its name."""
        def follow(S: Slots) -> int:
            before = S.copy()
            following = step(S)
            self.follow_movement(Movement(before, S))
            if register is not None:
                self.note_moved(before, S, register)
            return following

        return follow

    def watch_show(self, step: Jump) -> Jump:
        def show(S: Slots) -> int:
            following = step(S)
            for seat, belief in self.beliefs.items():
                for slot, content in shown_to(S[SHOWN], seat):
                    belief.note_shown(slot, content)
            return following

        return show

    def run_to_question(self, S: Slots) -> Wait:
        return self.table.run_to_question(S, self.steps)

    def apply_answer(self, S: Slots, wait: Any, value: Any) -> None:
        """What came, or what was chosen."""
        if self.reader is not None:
            self.reader.note_answer(value)
        self.changed.update(self.written[wait.pc])
        self.forget_told(self.written[wait.pc])
        if isinstance(wait, DecisionWait):
            chooser = wait.chooser(S)
            if self.listener is not None and not isinstance(wait, TogetherWait):
                known = evolve(self.make_observation(S, TEAM), options=(), tells=())
                self.listener.note_choice(known, wait, chooser, value)
            wait.apply_answer(S, value)
            self.named.note_choice(S, wait, chooser, value)
        elif isinstance(wait, DrawWait):
            self.follow_draw(S, wait, value)
        else:
            before = S.copy()
            wait.apply_answer(S, value)
            self.follow_movement(Movement(before, S))

    def follow_draw(self, S: Slots, wait: DrawWait, value: Any) -> None:
        """Where nobody sees in which order components come, they are followed when all are there."""
        at_once, target = is_seen_at_once(wait), wait.target_slot(S)
        if self._before_draw is None:
            self._before_draw, self._drawn = S.copy(), ()
        wait.apply_answer(S, value)
        self._drawn = (*self._drawn, value)
        if not at_once:
            self.follow_movement(Movement(self._before_draw, S))
            self._before_draw = None
        self.named.note_draw(S, wait, self._drawn if at_once else (value,), target)

    def finish_draw(self, step: Jump) -> Jump:
        def done(S: Slots) -> int:
            if self._before_draw is not None:
                self.follow_movement(Movement(self._before_draw, S.copy(), True))
                self._before_draw = None
            return step(S)

        return done

    def note_moved(self, before: Slots, after: Slots, register: int) -> None:
        gone: list[int] = []
        come: list[int] = []
        for slot in self.named.places[register]:
            if before[slot] != after[slot]:
                (gone if len(flatten_content(after[slot])) < len(flatten_content(before[slot])) else come).append(slot)
        self.named.note_move(after, register, gone, come)

    def who_sees(self, slot: int, comes: bool) -> set[int]:
        """The seats that see what lies in a place, or comes there."""
        return {
            seat for seat, belief in self.beliefs.items()
            if slot not in belief.marks or (comes and any(slot in heap.tops for heap in belief.heaps))
        }

    def follow_movement(self, movement: Movement) -> None:
        self.named.followed(movement.before, movement.after)
        if self.listener is not None:
            for heap in self.beliefs[TEAM].heaps:
                self.listener.follow_movement(movement, heap)
        for belief in self.beliefs.values():
            belief.follow_movement(movement)

    # ---- what a seat knows

    def make_observation(self, S: Slots, seat: int, seed: int = 0) -> Observation:
        """At a decision of this seat."""
        belief = self.beliefs[seat]
        slots = list(S[: len(self.table.blank)])
        numbers: dict[int, int] = {}
        groups: list[tuple[int, ...]] = []

        def written(mark: Mark) -> int:
            mark = resolve_mark(mark)
            if isinstance(mark, int):
                return mark
            if id(mark) not in numbers:
                groups.append(group_kinds(mark))
                numbers[id(mark)] = len(groups)
            return -numbers[id(mark)]

        for slot in sorted(belief.marks):
            slots[slot] = tuple(
                tuple(written(mark) for mark in part) if isinstance(part, tuple) else written(part)
                for part in belief.marks[slot]
            )
        self.hide_variables(slots, seat)
        for slot in self.secret_memories:
            slots[slot] = self.table.blank[slot]
        self.hide_registers(S, slots, belief)
        self.hide_choices(slots, seat)
        self.hide_places(slots, belief)
        slots[SHOWN] = tuple(one for one in slots[SHOWN] if one[0] in {0, seat})
        place = -1 if self.reader is None else self.reader.place
        tells = () if self.listener is None else self.listener.tells_for(seat, S)
        return Observation(self.table, seat, tuple(slots), tuple(groups), tuple(S[OPTIONS]), seed, place, tells)

    def hide_variables(self, slots: Slots, seat: int) -> None:
        for room in self.table.bench.variables.values():
            for number in range(room.amount):
                slot = room.base + number
                is_hidden = slot in self.changed and slot not in self.beliefs[seat].told
                if is_hidden and not can_see(room, number, seat):
                    slots[slot] = UNKNOWN

    def hide_registers(self, S: Slots, slots: Slots, belief: Belief) -> None:
        """Remembered components: chosen, drawn, gone through."""
        pc = S[PC]
        for slot in self.named.places:
            if S[slot] is not None:
                alive = is_slot_live(self.table, slot, pc)
                slots[slot] = (
                    self.named.value_as_known(S, slots, slot, belief.seat) if alive else self.table.blank[slot]
                )

    def hide_places(self, slots: Slots, belief: Belief) -> None:
        """Where a remembered component lies, in a place that the seat does not see."""
        following = self.table.bench.following
        for register, where in following.singles:
            if slots[where] is not None and (slots[where][0] in belief.marks or slots[register] is UNKNOWN):
                slots[where] = None
        for _, wheres in following.several:
            if slots[wheres]:
                slots[wheres] = tuple(
                    None if where is None or where[0] in belief.marks else where for where in slots[wheres]
                )

    def hide_choices(self, slots: Slots, seat: int) -> None:
        """What others have chosen at the same moment is nobody's knowledge until it happens."""
        for wait in self.table.waits.values():
            if not isinstance(wait, TogetherWait) or slots[wait.seats] is None:
                continue
            if slots[PC] == wait.pc and len(slots[wait.chosen]) < len(slots[wait.seats]):
                slots[wait.chosen] = ()
                slots[PLAYER] = slots[wait.seats][0]
            else:
                slots[wait.chosen] = tuple(
                    option if number < slots[wait.done] or one == seat else UNKNOWN
                    for number, (one, option) in enumerate(zip(slots[wait.seats], slots[wait.chosen], strict=True))
                )


def seats_that_choose(table: Table) -> list[int]:
    """The players, and the team where it decides anything."""
    has_team = any(isinstance(wait, DecisionWait) and wait.is_team for wait in table.waits.values())
    return list(range(0 if has_team else 1, table.players + 1))


def group_kinds(group: MarkGroup) -> tuple[int, ...]:
    return tuple(sorted(group.kinds.elements()))


def is_slot_live(table: Table, slot: int, pc: int) -> bool:
    lives = table.lives.get(slot)
    return lives is None or any(first <= pc < last for first, last in lives)


def written_variable_slots(table: Table, node: Located) -> tuple[int, ...]:
    """The slots of the variable that a statement writes to."""
    room = find_changed_room(table.bench, node)
    return tuple(range(room.base, room.base + room.amount)) if isinstance(room, VariableRoom) else ()


def written_in_branches(table: Table) -> dict[int, tuple[int, ...]]:
    """What may be written to where a condition decides, by the operation that asks it: whether it came to that is not
    for all to know, so from there on it may be another value whatever the answer was."""
    below: dict[int, set[int]] = {}
    written: dict[int, set[int]] = {}
    for scope, one in zip(table.flow.scopes, table.flow.instructions, strict=True):
        if scope is not None and scope.statement is not None:
            if id(scope) not in written:
                lines = instructions_before_choices(table.flow, scope)
                written[id(scope)] = {slot for line in lines for slot in written_variable_slots(table, line.node)}
            below.setdefault(id(one.node), set()).update(written[id(scope)])
    asked = ((pc, id(one.node)) for pc, one in enumerate(table.operations) if one.kind == "unless")
    return {pc: tuple(sorted(below[node])) for pc, node in asked if node in below}


def secret_memories(table: Table) -> list[int]:
    """The slots of memories in which something is recorded that not everybody sees."""
    bench = table.bench
    records = [done for done in lower_statements(bench) if isinstance(done, Record)]
    return [slot for key, slot in bench.memories.items()
            if any(id(done.memory) == key and bench.names_secrets(done.node) for done in records)]
