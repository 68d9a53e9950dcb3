"""A block of memory → a position of the reference: what lies in every zone, what every variable holds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulesrun.interpreter.form.form import NOTHING
from rulesrun.interpreter.model.compile_context import VariableRoom
from rulesrun.interpreter.model.values import PC, PHASE, PLAYER, ROUND, SHEETS, STARTER, State
from rulesrun.interpreter.native.layout.plan import Plan, Store
from rulesrun.interpreter.reference.table import Table

Read = Callable[..., int]


def read_state(table: Table, plan: Plan, read: Read, memory: bytes, pc: int, sheets: tuple[Any, ...]) -> State:
    """Registers of the flow are left as they are before the game."""
    slots = list(table.blank)
    slots[PC] = pc
    slots[PLAYER], slots[ROUND] = read("player"), read("round")
    slots[STARTER], slots[PHASE], slots[SHEETS] = read("starter"), read("phase"), sheets
    for room in table.bench.zones.values():
        store = plan.stores[id(room.declaration)]
        for number in range(room.amount):
            slots[room.base + number] = read_content(store, read, memory, number)
    for key, box in table.bench.boxes.items():
        slots[box] = read_content(plan.stores[key], read, memory, 0)
    for variable in table.bench.variables.values():
        for number in range(variable.amount):
            slots[variable.base + number] = read_variable(table, plan, variable, read, number)
    return State(tuple(slots))


def read_content(store: Store, read: Read, memory: bytes, index: int) -> tuple[Any, ...]:
    match store.shape:
        case "bits":
            assert store.members is not None
            step = store.members.bits // 8
            at = store.members.at + index * step
            members = int.from_bytes(memory[at : at + step], "little")
            return tuple(kind for kind in range(len(store.kinds)) if members >> kind & 1)
        case "counts":
            assert store.members is not None
            many, name = len(store.kinds), store.members.name
            return tuple(kind for kind in range(many) for _ in range(read(name, index * many + kind)))
        case "row":
            assert store.items is not None
            assert store.length is not None
            first, items = index * max(store.capacity, 1), store.items.name
            return tuple(read(items, first + at) for at in range(read(store.length.name, index)))
        case _:
            parts = [read_content(part, read, memory, index) if part is not None else ()
                     for part in (store.bottom, store.inner, store.top)]
            mixed = parts[1]
            return (*parts[0], *((mixed,) if len(mixed) > 1 else mixed), *parts[2])


def read_variable(table: Table, plan: Plan, room: VariableRoom, read: Read, number: int) -> Any:
    place = plan.variables[id(room.declaration)]
    name, many = place.name, place.amount // room.amount
    if room.holds_order:
        found = tuple(read(name, number * many + at) for at in range(many))
        return None if found[0] == NOTHING else found
    return to_held_value(room, read(name, number))


def to_held_value(room: VariableRoom, found: int) -> Any:
    """A single value, as the reference has it."""
    if room.is_optional and found == NOTHING:
        return None
    return bool(found) if room.holds_truth else found
