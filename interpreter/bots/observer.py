"""Watches one game for all seats that think. Takes positions and movements, gives observations.

The only room of the bots that sees everything. Movements are seen one by one, so that
nothing has to be guessed from sizes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import prod
from typing import Any
from weakref import WeakKeyDictionary

from attrs import define, evolve, field

from rulesrun.dsl.text.source import Located
from rulesrun.dsl.typing.types import CollectionOf, ComponentOf, Type
from rulesrun.interpreter.bots.belief import Belief, ChoiceListener, Mark, MarkGroup, Movement, resolve_mark
from rulesrun.interpreter.bots.observation import UNKNOWN, Observation, OneOf
from rulesrun.interpreter.bots.solution import Book, Reader
from rulesrun.interpreter.model.compile_context import VariableRoom, ZoneRoom
from rulesrun.interpreter.model.core import Contents, Move, Operand, Record, Register
from rulesrun.interpreter.model.core_lowering import lower_expression, lower_statements
from rulesrun.interpreter.model.flow_decisions import instructions_before_choices
from rulesrun.interpreter.model.instructions import Do
from rulesrun.interpreter.model.layout import all_zone_slots
from rulesrun.interpreter.model.places import find_changed_room, flatten_content
from rulesrun.interpreter.model.values import OPTIONS, PC, PLAYER, SHOWN, TEAM, Jump, Slots
from rulesrun.interpreter.play.player_memory import is_seen_at_once
from rulesrun.interpreter.play.visibility import can_see, shown_to
from rulesrun.interpreter.reference.chance import DrawWait
from rulesrun.interpreter.reference.decisions import DecisionWait, TogetherWait
from rulesrun.interpreter.reference.flow_graph import Wait
from rulesrun.interpreter.reference.moves import find_origins
from rulesrun.interpreter.reference.options import CompiledChoice
from rulesrun.interpreter.reference.table import Table

# ---- private places
# Places into which one player looks and not everybody. Takes a table or an observation, gives places, or in how many
# ways they may be filled.


_found: WeakKeyDictionary[Table, tuple[tuple[int, ...], ...]] = WeakKeyDictionary()


def find_private_places(table: Table) -> tuple[tuple[int, ...], ...]:
    """By seat; the team has none."""
    found = _found.get(table)
    if found is None:
        found = _found[table] = tuple(places_of_seat(table, seat) for seat in range(table.players + 1))
    return found


def places_of_seat(table: Table, seat: int) -> tuple[int, ...]:
    return tuple(
        room.base + number for room in table.bench.zones_at_table for number in range(room.amount)
        if room.declaration.visibility != "public top" and can_see(room, number, seat)
        and not can_see(room, number, TEAM)
    )


def count_holdings(seen: Observation) -> int:
    """At most so many ways there are, as far as the seat knows, to fill the places into which others look."""
    kinds = [len(set(group)) for group in seen.groups]
    others = {slot for places in find_private_places(seen.table) for slot in places}
    return prod(kinds[-mark - 1] for slot in others for mark in flatten_content(seen.slots[slot]) if mark < 0)


# ---- named components
# Components that have a name while something is done with them, chosen or drawn: which seats know which they are.
#
# Who chooses knows it, and who sees where one component alone is drawn to; so does everybody who sees it move by its
# name. Anybody else knows where it lies. Takes what happens in a game, gives each such component as a seat knows it.


WhoSees = Callable[[int, bool], set[int]]  # of a slot the seats that see what lies there, or what comes to lie there


@define(eq=False)
class NamedComponents:
    """`places`: by register where such a component may lie."""

    table: Table
    who_sees: WhoSees
    team_knows: bool = False  # whether the team knows what its members know together
    places: dict[int, list[int]] = field(init=False)
    _known: dict[int, set[int]] = field(init=False, factory=dict)  # by register: who knows
    _lies: dict[int, set[int]] = field(init=False, factory=dict)  # by register: where it may lie
    _drawn: dict[int, tuple[tuple[int, ...], set[int]]] = field(init=False, factory=dict)  # what came, who saw

    def __attrs_post_init__(self) -> None:
        self.places = component_registers(self.table)

    # ---- what happens

    def note_choice(self, S: Slots, wait: DecisionWait, chooser: int, option: tuple[Any, ...]) -> None:
        """Right after the choice. Those made together are known to who made them until their effects begin."""
        if isinstance(wait, TogetherWait):
            return
        for choice in wait.offers[option[0]].action.choices:
            if choice.slot in self.places:
                self._known[choice.slot] = set(range(self.table.players + 1)) if chooser == TEAM else {chooser}
                self._drawn.pop(choice.slot, None)
                self.note_place(choice.slot, self.possible_origins(choice, chooser), S)

    def note_place(self, register: int, slots: Sequence[int], S: Slots) -> None:
        kinds = S[register] if isinstance(S[register], tuple) else (S[register],)
        self._lies.pop(register, None)
        for slot in slots:
            if all(kind in flatten_content(S[slot]) for kind in kinds):
                self._lies[register] = {slot}
                return

    def possible_origins(self, choice: CompiledChoice, chooser: int) -> Sequence[int]:
        """Where it may have been chosen from, as far as the text says."""
        origins = find_origins(self.table.bench, choice.choice.domain)
        found = [slot for origin in origins for slot in self.slots_of_origin(origin, chooser)]
        return found or self.places[choice.slot]

    def slots_of_origin(self, origin: Operand, chooser: int) -> Sequence[int]:
        lowered = lower_expression(self.table.bench, origin)
        if not isinstance(lowered, Contents) or not isinstance(lowered.room, ZoneRoom):
            return ()
        room = lowered.room
        if chooser != TEAM and room.declaration.per_player and lowered.owner is None and not lowered.keys:
            return range(room.base + (chooser - 1) * room.per_player, room.base + chooser * room.per_player)
        return range(room.base, room.base + room.amount)

    def note_draw(self, S: Slots, wait: DrawWait, together: tuple[int, ...], target: int) -> None:
        """Right after the draw; `together`: all that this statement has brought, where it is seen at once."""
        if wait.remember is None:
            return
        seats = self.who_sees(target, True)
        self._known[wait.remember] = seats if len(set(together)) == 1 else set()
        self._lies[wait.remember], self._drawn[wait.remember] = {target}, (together, seats)

    def note_move(self, S: Slots, register: int, gone: Sequence[int], come: Sequence[int]) -> None:
        """By its name, out of and into these places."""
        if S[register] is None:
            return
        known = self._known.setdefault(register, set())
        known.update(*[self.who_sees(slot, False) for slot in gone], *[self.who_sees(slot, True) for slot in come])
        self.note_place(register, come, S)

    def followed(self, before: Slots, after: Slots) -> None:
        """By a statement that does not name it: it may have gone along from wherever it may lie."""
        changed = [slot for slot in set().union(*self.places.values()) if before[slot] != after[slot]]
        grown = {slot for slot in changed if len(flatten_content(after[slot])) > len(flatten_content(before[slot]))}
        for register, slots in self._lies.items():
            if any(
                len(flatten_content(after[slot])) < len(flatten_content(before[slot])) for slot in slots & set(changed)
            ):
                gone = {slot for slot in slots if not flatten_content(after[slot])}
                self._lies[register] = (slots - gone) | (grown & set(self.places[register]))

    def register_of(self, what: Operand) -> int | None:
        """Of a component that is spoken of by its name: one that was chosen, or drawn."""
        lowered = lower_expression(self.table.bench, what)
        if not isinstance(lowered, Register):
            return None
        for action in self.table.bench.actions:
            for choice in self.table.actions.compiled_action(action).choices:
                if choice.choice is lowered.binder:
                    return choice.slot
        return self.table.bench.registers.get(id(lowered.binder)) if lowered.is_drawn else None

    # ---- what a seat knows

    def value_as_known(self, S: Slots, slots: Slots, register: int, seat: int) -> Any:
        """`slots`: the position as the seat knows it."""
        value = S[register]
        known, acting = self._known.get(register, set()), self.acting_seat(S, register)
        if seat in known or seat == acting or (seat == TEAM and self.team_knows and (known or acting)):
            return value
        if isinstance(value, tuple):
            return tuple(self.component_as_known(S, slots, register, kind, seat) for kind in value)
        return self.component_as_known(S, slots, register, value, seat)

    def acting_seat(self, S: Slots, register: int) -> int | None:
        """Whose effect it is that is being carried out, of those who chose together."""
        for wait in self.table.waits.values():
            if isinstance(wait, TogetherWait) and S[wait.seats] is not None and 0 < S[wait.done] <= len(S[wait.seats]):
                actions = [offer.action for offer in wait.offers.values()]
                if any(choice.slot == register for action in actions for choice in action.choices):
                    found: int = S[wait.seats][S[wait.done] - 1]
                    return found
        return None

    def component_as_known(self, S: Slots, slots: Slots, register: int, kind: int, seat: int) -> Any:
        lies = sorted(self._lies.get(register, ()))
        hidden = next((slot for slot in lies if any(mark < 0 for mark in flatten_content(slots[slot]))), None)
        if hidden is not None:
            return OneOf(hidden)
        marks = {mark for slot in lies for mark in flatten_content(slots[slot])}
        if kind not in marks:
            return self.anywhere(S, slots, register, kind)
        together, saw = self._drawn.get(register, ((), set()))
        among = tuple(sorted(one for one in marks if seat not in saw or one in together))
        return OneOf(lies[0], among) if len(among) > 1 else kind

    def anywhere(self, S: Slots, slots: Slots, register: int, kind: int) -> Any:
        """It was lost sight of: it may be in any place that the seat does not see."""
        places = self.places[register]
        hidden = next((one for one in places if any(mark < 0 for mark in flatten_content(slots[one]))), None)
        return kind if hidden is None else OneOf(hidden)


def component_registers(table: Table) -> dict[int, list[int]]:
    """The slots that remember a component, and where such a component may lie."""
    bench, found = table.bench, {}
    for action in bench.actions:
        for choice in table.actions.compiled_action(action).choices:
            if choice.is_component:
                found[choice.slot] = component_slots(table, bench.type_of(choice.choice.domain))
    for wait in table.waits.values():
        if isinstance(wait, DrawWait) and wait.remember is not None:
            found[wait.remember] = all_zone_slots(bench, wait.origin.kinds)
    return found


def component_slots(table: Table, found: Type | None) -> list[int]:
    assert isinstance(found, CollectionOf)
    assert isinstance(found.item, ComponentOf)
    return all_zone_slots(table.bench, table.bench.kinds_called(found.item.kind))


# ---- observer


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
