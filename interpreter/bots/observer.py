"""Watches one game for all seats that think. Takes positions and movements, gives observations.

The only room of the bots that sees everything. Movements are seen one by one, so that
nothing has to be guessed from sizes.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from attrs import define, field

from rulesrun.dsl import ast
from rulesrun.dsl.types import CollectionOf, ComponentOf, Type
from rulesrun.dsl.walk import walk
from rulesrun.interpreter.bots.belief import Belief
from rulesrun.interpreter.bots.movement import Movement
from rulesrun.interpreter.bots.observation import UNKNOWN, Observation, OneOf
from rulesrun.interpreter.bots.unseen import Group, Mark, meant
from rulesrun.interpreter.chance import DrawWait
from rulesrun.interpreter.decisions import DecisionWait, TogetherWait
from rulesrun.interpreter.graph import Wait
from rulesrun.interpreter.layout import all_zone_slots
from rulesrun.interpreter.places import flat, room_meant
from rulesrun.interpreter.player_memory import is_at_once
from rulesrun.interpreter.table import Table
from rulesrun.interpreter.values import OPTIONS, PC, PLAYER, SHOWN, Jump, Slots
from rulesrun.interpreter.visibility import sees, shown_to
from rulesrun.interpreter.workbench import VariableRoom

SILENT = {"jump", "unless", "choose", "draw"}


@define(eq=False)
class Observer:
    """`seats`: whose observations will be asked for (0: the team)."""

    table: Table
    seats: tuple[int, ...]
    beliefs: dict[int, Belief] = field(init=False)
    changed: set[int] = field(init=False, factory=set)  # variables that may hold another value than at the start
    places: list[int] = field(init=False)
    registers: dict[int, list[int]] = field(init=False)
    steps: list[Jump] = field(init=False)
    written: dict[int, tuple[int, ...]] = field(init=False)
    known_registers: dict[int, set[int]] = field(init=False)  # by seat: remembered components that it saw come there
    secret_memories: list[int] = field(init=False)  # what is recorded there is not for all to see
    _before_draw: Slots | None = field(init=False, default=None)  # of a draw that is seen when it is done
    _drawn: dict[int, tuple[int, ...]] = field(init=False, factory=dict)  # by register of `as`: what came together

    def __attrs_post_init__(self) -> None:
        self.beliefs = {seat: Belief(self.table, seat) for seat in self.seats}
        first = next(iter(self.beliefs.values()), None)
        self.places = [slot for heap in first.heaps for slot in heap.slots] if first else []
        self.written = {pc: variables_of(self.table, one.node) for pc, one in enumerate(self.table.operations)}
        self.registers = component_registers(self.table)
        self.known_registers = {seat: set() for seat in self.seats}
        self.secret_memories = secret_memories(self.table)
        self.steps = [self.watched(pc, step) for pc, step in enumerate(self.table.steps)]

    # ---- playing on

    def watched(self, pc: int, step: Jump) -> Jump:
        operation = self.table.operations[pc]
        if operation.kind in {"move", "shuffle"}:
            return self.following(step)
        if operation.kind == "show":
            return self.showing(step)
        if operation.kind == "drawn":
            return self.done_drawing(step)
        if self.written[pc] and operation.kind not in SILENT:
            variables = self.written[pc]

            def note(S: Slots) -> int:
                self.changed.update(variables)
                return step(S)

            return note
        return step

    def following(self, step: Jump) -> Jump:
        def follow(S: Slots) -> int:
            before = S.copy()
            following = step(S)
            self.followed(Movement(before, S))
            return following

        return follow

    def showing(self, step: Jump) -> Jump:
        def show(S: Slots) -> int:
            following = step(S)
            for seat, belief in self.beliefs.items():
                for slot, content in shown_to(S[SHOWN], seat):
                    belief.shown(slot, content)
            return following

        return show

    def run(self, S: Slots) -> Wait:
        return self.table.run(S, self.steps)

    def settle(self, S: Slots, wait: Any, value: Any) -> None:
        """What came, or what was chosen."""
        self.changed.update(self.written[wait.pc])
        if isinstance(wait, DecisionWait):
            self.note_choices(wait, wait.chooser(S), value)
            wait.settle(S, value)
            return
        if is_at_once(wait):
            self.draw(S, wait, value)
            return
        before = S.copy()
        wait.settle(S, value)
        self.followed(Movement(before, S))
        if isinstance(wait, DrawWait) and wait.remember is not None:
            self.note_remembered(wait.remember, self.seats_that_see(wait.target_slot(before)))

    def note_choices(self, wait: DecisionWait, chooser: int, option: Any) -> None:
        """Whoever chooses a component knows which it is; of one that lay open everybody does."""
        for choice in wait.offers[option[0]].action.choices:
            if choice.slot in self.registers:
                lies_open = is_from_open_place(self.table, choice.choice.domain)
                seen_by = self.seats if lies_open else (chooser,)
                self.note_remembered(choice.slot, () if isinstance(wait, TogetherWait) else seen_by)

    def note_remembered(self, slot: int, seats: Iterable[int]) -> None:
        for seat, known in self.known_registers.items():
            (known.add if seat in seats else known.discard)(slot)

    def seats_that_see(self, slot: int) -> list[int]:
        return [seat for seat, belief in self.beliefs.items() if slot not in belief.marks]

    def draw(self, S: Slots, wait: DrawWait, value: Any) -> None:
        """Nobody sees in which order these components come: they are followed when all are there."""
        is_first = self._before_draw is None
        if self._before_draw is None:
            self._before_draw = S.copy()
        wait.settle(S, value)
        if wait.remember is not None:
            self._drawn[wait.remember] = (*(() if is_first else self._drawn[wait.remember]), value)

    def done_drawing(self, step: Jump) -> Jump:
        def done(S: Slots) -> int:
            if self._before_draw is not None:
                self.followed(Movement(self._before_draw, S.copy(), True))
                self._before_draw = None
            return step(S)

        return done

    def followed(self, movement: Movement) -> None:
        for belief in self.beliefs.values():
            belief.follow(movement)

    # ---- what a seat knows

    def observation(self, S: Slots, seat: int, seed: int = 0) -> Observation:
        """At a decision of this seat."""
        belief = self.beliefs[seat]
        slots = list(S[: len(self.table.blank)])
        numbers: dict[int, int] = {}
        groups: list[tuple[int, ...]] = []

        def written(mark: Mark) -> int:
            mark = meant(mark)
            if isinstance(mark, int):
                return mark
            if id(mark) not in numbers:
                groups.append(kinds_in(mark))
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
        slots[SHOWN] = tuple(one for one in slots[SHOWN] if one[0] in {0, seat})
        return Observation(self.table, seat, tuple(slots), tuple(groups), tuple(S[OPTIONS]), seed)

    def hide_variables(self, slots: Slots, seat: int) -> None:
        for room in self.table.bench.variables.values():
            for number in range(room.amount):
                slot = room.base + number
                if slot in self.changed and not sees(room, number, seat):
                    slots[slot] = UNKNOWN

    def hide_registers(self, S: Slots, slots: Slots, belief: Belief) -> None:
        """Remembered components: chosen, drawn, gone through."""
        pc = S[PC]
        for slot, places in self.registers.items():
            if S[slot] is None:
                continue
            if not is_alive(self.table, slot, pc):
                slots[slot] = self.table.blank[slot]
            elif slot in self.known_registers[belief.seat]:
                continue
            elif isinstance(S[slot], tuple):
                slots[slot] = tuple(known_as(S, slots, belief, places, kind) for kind in S[slot])
            elif isinstance(S[slot], int):
                slots[slot] = self.last_drawn(S, belief, slot) or known_as(S, slots, belief, places, S[slot])

    def last_drawn(self, S: Slots, belief: Belief, register: int) -> OneOf | None:
        """Of several that came at once the seat sees which they are, not which was the last."""
        for slot in self.registers[register]:
            if S[register] in flat(S[slot]) and slot not in belief.marks:
                lying = flat(S[slot])
                among = tuple(sorted({kind for kind in self._drawn.get(register, ()) if kind in lying}))
                return OneOf(slot, among) if len(among) > 1 else None
        return None

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


def kinds_in(group: Group) -> tuple[int, ...]:
    return tuple(sorted(group.kinds.elements()))


def known_as(S: Slots, slots: Slots, belief: Belief, places: list[int], kind: int) -> Any:
    """A remembered component as the seat knows it."""
    for slot in places:
        if slot in belief.marks and kind in flat(S[slot]):
            return kind if kind in flat(slots[slot]) else OneOf(slot)
    return kind


def is_from_open_place(table: Table, domain: ast.Expr) -> bool:
    zones = [table.bench.meaning(part) for part in walk(domain) if isinstance(part, ast.Name)]
    return all(zone.visibility in {None, "public"} for zone in zones if isinstance(zone, ast.Zone))


def is_alive(table: Table, slot: int, pc: int) -> bool:
    lives = table.lives.get(slot)
    return lives is None or any(first <= pc < last for first, last in lives)


def variables_of(table: Table, node: ast.Node) -> tuple[int, ...]:
    """The slots of the variable that a statement writes to."""
    target = node.what if isinstance(node, ast.Shuffle) else getattr(node, "target", None)
    room = room_meant(table.bench, target) if isinstance(target, ast.Name | ast.Index | ast.Of) else None
    return tuple(range(room.base, room.base + room.amount)) if isinstance(room, VariableRoom) else ()


def component_registers(table: Table) -> dict[int, list[int]]:
    """The slots that remember a component, and where such a component may lie."""
    bench, found = table.bench, {}
    for action in bench.of_class(ast.Action):
        for choice in table.actions.of(action).choices:
            if choice.is_component:
                found[choice.slot] = places_of(table, bench.type_of(choice.choice.domain))
    for wait in table.waits.values():
        if isinstance(wait, DrawWait) and wait.remember is not None:
            found[wait.remember] = all_zone_slots(bench, wait.origin.kinds)
    return found


def places_of(table: Table, found: Type | None) -> list[int]:
    assert isinstance(found, CollectionOf)
    assert isinstance(found.item, ComponentOf)
    for kinds in table.bench.kinds.values():
        if kinds.declaration.name.text == found.item.kind:
            return all_zone_slots(table.bench, kinds)
    return []


def secret_memories(table: Table) -> list[int]:
    """The slots of memories in which something is recorded that not everybody sees."""
    bench = table.bench
    records = [node for declaration in bench.program.game.declarations for node in walk(declaration)
               if isinstance(node, ast.Record)]
    return [slot for key, slot in bench.memories.items()
            if any(id(bench.meaning(one.memory)) == key and speaks_of_secrets(table, one, set()) for one in records)]


def speaks_of_secrets(table: Table, node: ast.Node, seen: set[int]) -> bool:
    """Whether a zone or variable that is not public is named there, or in what is named there."""
    for part in walk(node):
        meaning = table.bench.meaning(part) if isinstance(part, ast.Name) else None
        if not isinstance(meaning, ast.Node) or id(meaning) in seen:
            continue
        seen.add(id(meaning))
        if isinstance(meaning, ast.Zone | ast.Variable):
            if meaning.visibility in {"hidden", "private", "public top"}:
                return True
        elif isinstance(meaning, ast.Define | ast.Table | ast.ScoreLine) and speaks_of_secrets(table, meaning, seen):
            return True
    return False
