"""Positions of the reference as the bytes that machine code has for them. Takes a table and a plan.

Only what a trace shows is written: what lies in every zone and box, every variable. A pile that was shuffled may be
divided in several ways that mean the same; such places are read from the machine's bytes and compared as contents.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import define, field

from rulesrun.dsl import ast
from rulesrun.interpreter.form.form import NOTHING, Field
from rulesrun.interpreter.model.compile_context import VariableRoom
from rulesrun.interpreter.model.values import Slots
from rulesrun.interpreter.native.layout.plan import Plan, Store
from rulesrun.interpreter.native.positions.positions import read_content
from rulesrun.interpreter.reference.table import Table

Write = Callable[[bytearray, Any], None]


@define(eq=False)
class Encoded:
    """One game: `differs` says after every event which place is not alike."""

    table: Table
    plan: Plan
    first: int = field(init=False)
    end: int = field(init=False)
    names: dict[int, str] = field(init=False, factory=dict)
    _writers: list[tuple[int, Write]] = field(init=False, factory=list)
    _bags: list[tuple[int, Store, int, list[slice]]] = field(init=False, factory=list)
    _before: list[Any] = field(init=False, factory=list)
    _bytes: bytearray = field(init=False, factory=bytearray)

    def __attrs_post_init__(self) -> None:
        bench, stores = self.table.bench, self.plan.stores
        stored = {room.declaration.name.text: stores[id(room.declaration)] for room in self.plan.bench.zones.values()}
        boxes = [(slot, stores[key], 0) for slot, key in zip(bench.boxes.values(), self.plan.bench.boxes, strict=True)]
        zones = [(room.base + at, stored[room.declaration.name.text], at)
                 for room in bench.zones.values() for at in range(room.amount)]
        places = [part for _, store, _ in [*boxes, *zones] for part in fields_of(store)]
        places += self.plan.variables.values()
        self.first = min((one.at for one in places), default=0)
        self.end = max((one.at + one.amount * one.bits // 8 for one in places), default=0)
        for slot, store, at in [*boxes, *zones]:
            self.names[slot] = f"{store.name} {at}"
            if store.shape == "bag":
                self._bags.append((slot, store, at, slices(store, at)))
            else:
                self._writers.append((slot, writer(store, at)))
        for variable in bench.variables.values():
            for at in range(variable.amount):
                self.names[variable.base + at] = variable.names[at]
                self._writers.append((variable.base + at, self.value_writer(variable, at)))
        self.begin()

    def value_writer(self, room: VariableRoom, at: int) -> Write:
        rooms = zip(self.plan.bench.variables.values(), self.plan.variables.values(), strict=True)
        place = next(one for other, one in rooms if other.declaration.name.text == room.declaration.name.text)
        if isinstance(room.declaration.type, ast.OrderType):
            many = len(self.table.blank[room.base])
            return lambda memory, value: put(memory, place, at * many, value)
        return lambda memory, value: put(memory, place, at, (NOTHING if value is None else int(value),))

    def begin(self) -> None:
        self._before = [None] * len(self.table.blank)
        self._bytes = bytearray(self.end)

    def differs(self, S: Slots, memory: bytes, read: Callable[..., int]) -> str | None:
        """The first place where the machine's position is another; None when all are alike."""
        before, expected = self._before, self._bytes
        for slot, write in self._writers:
            value = S[slot]
            if value is not before[slot] or before[slot] is None:
                write(expected, value)
                before[slot] = value
        for slot, store, at, parts in self._bags:
            if S[slot] is not before[slot] or any(memory[part] != expected[part] for part in parts):
                if read_content(store, read, memory, at) != S[slot]:
                    return self.names[slot]
                before[slot] = S[slot]
                for part in parts:
                    expected[part] = memory[part]
        if memory[self.first : self.end] == expected[self.first :]:
            return None
        return self.place_of(next(at for at in range(self.first, self.end) if memory[at] != expected[at]))

    def place_of(self, byte: int) -> str:
        found = [one for one in self.plan.fields.values() if one.at <= byte < one.at + one.amount * one.bits // 8]
        return found[0].name if found else f"byte {byte}"


def fields_of(store: Store) -> list[Field]:
    inner = [part for one in (store.bottom, store.inner, store.top) if one is not None for part in fields_of(one)]
    return [one for one in (store.members, store.size, store.items, store.length) if one is not None] + inner


def slices(store: Store, at: int) -> list[slice]:
    """The bytes of one instance."""
    found = []
    for one in fields_of(store):
        each = one.amount // store.amount * one.bits // 8
        found.append(slice(one.at + at * each, one.at + (at + 1) * each))
    return found


def put(memory: bytearray, place: Field, first: int, values: tuple[int, ...]) -> None:
    step = place.bits // 8
    data = b"".join([(value & ((1 << place.bits) - 1)).to_bytes(step, "little") for value in values])
    at = place.at + first * step
    memory[at : at + len(data)] = data


def writer(store: Store, at: int) -> Write:
    match store.shape:
        case "bits":
            return bits_writer(store, at)
        case "counts":
            return counts_writer(store, at)
        case _:
            return row_writer(store, at)


def bits_writer(store: Store, at: int) -> Write:
    assert store.members is not None
    (place,) = slices(store, at)
    size, bit = store.members.bits // 8, [1 << kind for kind in range(len(store.kinds))]

    def write(memory: bytearray, kinds: tuple[int, ...]) -> None:
        memory[place] = sum([bit[kind] for kind in kinds]).to_bytes(size, "little")

    return write


def counts_writer(store: Store, at: int) -> Write:
    members, size, many = store.members, store.size, len(store.kinds)
    assert members is not None
    assert size is not None

    def write(memory: bytearray, kinds: tuple[int, ...]) -> None:
        amounts = [0] * many
        for kind in kinds:
            amounts[kind] += 1
        put(memory, members, at * many, tuple(amounts))
        put(memory, size, at, (len(kinds),))

    return write


def row_writer(store: Store, at: int) -> Write:
    items, length, many = store.items, store.length, max(store.capacity, 1)
    assert items is not None
    assert length is not None

    def write(memory: bytearray, kinds: tuple[int, ...]) -> None:
        put(memory, items, at * many, (*kinds, *[0] * (many - len(kinds))))
        put(memory, length, at, (len(kinds),))

    return write
