"""Components that have a name while something is done with them, chosen or drawn: which seats know which they are.

Who chooses knows it, and who sees where one component alone is drawn to; so does everybody who sees it move by its
name. Anybody else knows where it lies. Takes what happens in a game, gives each such component as a seat knows it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from attrs import define, field

from rulesrun.dsl.typing.types import CollectionOf, ComponentOf, Type
from rulesrun.interpreter.bots.observation import OneOf
from rulesrun.interpreter.model.compile_context import ZoneRoom
from rulesrun.interpreter.model.core import Contents, Operand, Register
from rulesrun.interpreter.model.core_lowering import lower_expression
from rulesrun.interpreter.model.layout import all_zone_slots
from rulesrun.interpreter.model.places import flatten_content
from rulesrun.interpreter.model.values import TEAM, Slots
from rulesrun.interpreter.reference.chance import DrawWait
from rulesrun.interpreter.reference.decisions import DecisionWait, TogetherWait
from rulesrun.interpreter.reference.moves import find_origins
from rulesrun.interpreter.reference.options import CompiledChoice
from rulesrun.interpreter.reference.table import Table

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
