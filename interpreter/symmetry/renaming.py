"""Exchanging words of a `values` type, or seats, in whole positions. Takes a table and what becomes what."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import permutations, product
from math import factorial
from typing import Any, assert_never

from attrs import define, field, frozen

from rulesrun.dsl import ast
from rulesrun.dsl.ast.walk import walk
from rulesrun.dsl.typing.types import (
    CollectionOf,
    ComponentOf,
    NothingOf,
    NumberOf,
    OptionalOf,
    OrderOf,
    PlayerOf,
    TextOf,
    TruthOf,
    Type,
    Unknown,
    WordOf,
    item_of,
)
from rulesrun.interpreter.model.compile_context import VariableRoom, ZoneRoom
from rulesrun.interpreter.model.components import Kinds
from rulesrun.interpreter.model.domains import named
from rulesrun.interpreter.model.places import zone_meant
from rulesrun.interpreter.play.position_keys import Positions
from rulesrun.interpreter.reference.decisions import TogetherWait
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.symmetry.canonical_positions import Group, Relabelling
from rulesrun.interpreter.symmetry.symmetric_words import Proof
from rulesrun.interpreter.symmetry.value_maps import (
    Change,
    Chosen,
    Ordered,
    Remembered,
    Renamed,
    Unordered,
    each,
    each_sorted,
)

MOST_MEMBERS = 120
Words = Mapping[str, tuple[int, ...]]  # by type: what each word becomes


@frozen(eq=False)
class NotAlike(Exception):
    """The components do not allow the words to be exchanged."""

    message: str


def group_of_words(table: Table, most: int = MOST_MEMBERS, but_for: Collection[str] = ()) -> Group:
    """All exchanges of words that are proved to be alike; fewer words when there would be too many of them."""
    if is_unsure(table, seats=False):
        return Group(table, ())
    choices: list[list[tuple[str, tuple[int, ...]]]] = []
    said: list[str] = []
    room = most
    for values in table.bench.of_class(ast.Values):
        if values.name.text in but_for:
            continue
        proof = Proof(table, values)
        free = proof.free
        while factorial(len(free)) > room:
            free = free[:-1]
        if len(free) < 2 or not is_possible(table, values, free):
            continue
        room //= factorial(len(free))
        names = [item.name.text for item in values.items]
        choices.append([(values.name.text, one) for one in exchanges(names, free)])
        left = len(proof.free) - len(free)
        more = f", and {left} more that are left as they are" if left else ""
        said.append(f"{', '.join(free)}: the rules treat these words of {values.name.text} alike (proved){more}")
    members = [Renaming(table, dict(words)).relabelling() for words in product(*choices)] if choices else []
    different = list({one.key: one for one in members}.values())  # the first one changes nothing
    changing = different[1:]
    return Group(table, changing, tuple(said) if changing else ())


def exchanges(names: list[str], free: tuple[str, ...]) -> Iterator[tuple[int, ...]]:
    """Every permutation of the free words; the first changes nothing."""
    places = [names.index(word) for word in free]
    for order in permutations(places):
        found = list(range(len(names)))
        for place, becomes in zip(places, order, strict=True):
            found[place] = becomes
        yield tuple(found)


def is_possible(table: Table, values: ast.Values, free: tuple[str, ...]) -> bool:
    """Whether the components are the same when two free words are exchanged."""
    names = [item.name.text for item in values.items]
    try:
        for words in list(exchanges(names, free))[1:]:
            Renaming(table, {values.name.text: words}).relabelling()
    except NotAlike:
        return False
    return True


def is_unsure(table: Table, seats: bool) -> bool:
    """Whether somebody is asked while something is in use of which nobody knows how to rename it."""
    dead = Positions(table).dead
    return any(slot not in dead[pc] for slot in unknown_slots(table, seats) for pc in table.waits)


def unknown_slots(table: Table, seats: bool) -> Iterator[int]:
    """What `before` keeps, but for numbers and truths; what is left of an `each`, that of players where seats move."""
    for judged in table.watches.properties:
        kept = [node for node in walk(judged.declaration.condition) if isinstance(node, ast.Before)]
        if not all(isinstance(table.bench.type_of(node.value), NumberOf | TruthOf) for node in kept):
            yield from (slot for slot, _ in judged.befores)
    for node, what, slots in table.registers:
        if what == "each" and (seats or isinstance(node, ast.ForEach)):
            yield from slots


@define(eq=False)
class Renaming:
    table: Table
    words: Words
    seats: tuple[int, ...] | None = None  # what each player becomes, from place 1 on
    kinds: dict[int, tuple[int, ...]] = field(init=False, factory=dict)  # by id(kinds): what each kind becomes

    def __attrs_post_init__(self) -> None:
        for kinds in self.table.bench.kinds.values():
            self.kinds[id(kinds)] = self.kinds_renamed(kinds)

    def relabelling(self) -> Relabelling:
        size = len(self.table.blank)
        sources: list[int] = list(range(size))
        changes: list[Change | None] = [None] * size
        bench = self.table.bench
        for kinds_id, slot in bench.boxes.items():
            changes[slot] = self.unordered(bench.kinds[kinds_id])
        for zone in bench.zones.values():
            self.place(zone, self.content(zone), sources, changes)
        for variable in bench.variables.values():
            self.place(variable, self.written(variable.declaration.type), sources, changes)
        for slot, change in self.registers():
            changes[slot] = change
        return Relabelling(tuple(sources), tuple(changes))

    # ---- components

    def kinds_renamed(self, kinds: Kinds) -> tuple[int, ...]:
        declaration = kinds.declaration
        plain = [one for one in declaration.attributes if one.type is not None]
        columns = [self.written(one.type) for one in plain if one.type is not None]
        found = []
        for kind, written in enumerate(kinds.written):
            renamed = tuple(
                value if change is None else change(value) for value, change in zip(written, columns, strict=True)
            )
            becomes = kind if declaration.rows and renamed == written else kinds.by_written.get(renamed, -1)
            if becomes < 0 or kinds.copies[becomes] != kinds.copies[kind] or (declaration.rows and becomes != kind):
                raise NotAlike(f"{declaration.name.text}: not every combination is there")
            found.append(becomes)
        for attribute in declaration.computed:
            values, change = kinds.attributes.get(id(attribute), ()), self.written(attribute.type)
            for kind, value in enumerate(values):
                if values[found[kind]] != (value if change is None else change(value)):
                    raise NotAlike(f"{attribute.name.text} is computed from the words")
        return tuple(found)

    def content(self, zone: ZoneRoom) -> Change | None:
        if zone.declaration.kind != "set" and zone.sort_key is None:
            becomes = self.kinds[id(zone.kinds)]
            return None if is_unchanged(becomes) else Ordered(becomes)
        return self.unordered(zone.kinds, zone.sort_key if zone.declaration.kind != "set" else None)

    def unordered(self, kinds: Kinds, keys: tuple[Any, ...] | None = None) -> Change | None:
        becomes = self.kinds[id(kinds)]
        return None if is_unchanged(becomes) else Unordered(becomes, keys)

    # ---- places

    def place(
        self, room: ZoneRoom | VariableRoom, change: Change | None, sources: list[int], changes: list[Change | None]
    ) -> None:
        """What lay at `x[red]` lies at `x[blue]` afterwards."""
        columns = [self.written(one) for one in room.declaration.keys]
        combinations = list(product(*room.keys))
        number_of = {keys: number for number, keys in enumerate(combinations)}
        for owner in range(room.amount // room.per_player if room.per_player else 0):
            goes_to = self.seats[owner + 1] - 1 if self.seats and room.declaration.per_player else owner
            for number, keys in enumerate(combinations):
                renamed = tuple(
                    key if column is None else column(key) for key, column in zip(keys, columns, strict=True)
                )
                slot = room.base + goes_to * room.per_player + number_of[renamed]
                sources[slot], changes[slot] = room.base + owner * room.per_player + number, change

    # ---- values

    def written(self, written: ast.TypeExpr | None) -> Change | None:
        """How values of a type as it is written are renamed; None: they stay."""
        match written:
            case ast.NamedType(name):
                declaration = named(self.table.bench, name)
                if isinstance(declaration, ast.Components):
                    return self.of_type(ComponentOf(name.text))
                return self.of_type(WordOf(name.text, ()))
            case ast.Optional(item):
                return self.written(item)
            case ast.OrderType(item) | ast.RowType(item):
                return each(self.written(item))
            case ast.PlayerType():
                return self.of_type(PlayerOf())
            case ast.RangeType() | ast.WordsType() | ast.TruthType() | None:
                return None
            case _:
                assert_never(written)

    def of_type(self, of_type: Type | None) -> Change | None:
        match of_type:
            case PlayerOf():
                return Renamed(self.seats) if self.seats is not None else None
            case WordOf(name):
                words = self.words.get(name)
                return Renamed(words) if words is not None else None
            case ComponentOf(kind):
                kinds = next(one for one in self.table.bench.kinds.values() if one.declaration.name.text == kind)
                becomes = self.kinds[id(kinds)]
                return None if is_unchanged(becomes) else Renamed(becomes)
            case OptionalOf(item):
                return self.of_type(item)
            case CollectionOf(item) | OrderOf(item):
                return each(self.of_type(item))
            case NumberOf() | TruthOf() | NothingOf() | TextOf() | Unknown() | None:
                return None
            case _:
                assert_never(of_type)

    def of_element(self, of_type: Type | None) -> Change | None:
        return self.of_type(item_of(of_type))

    # ---- registers

    def registers(self) -> Iterator[tuple[int, Change | None]]:
        bench = self.table.bench
        for action in bench.of_class(ast.Action):
            for choice, change in zip(action.choices, self.choices(action), strict=True):
                yield bench.registers[id(choice)], change
        for node in self.statements():
            if isinstance(node, ast.ForEach):
                yield bench.registers[id(node.each)], self.of_element(bench.type_of(node.each.collection))
            else:
                zone = zone_meant(bench, node.origin)
                kind = ComponentOf(zone.declaration.component.text) if isinstance(zone, ZoneRoom) else None
                yield bench.registers[id(node)], self.of_type(kind)
        for wait in self.table.waits.values():
            if isinstance(wait, TogetherWait):
                yield wait.chosen, self.chosen()
        for memory, slot in bench.memories.items():
            yield slot, self.memory(memory)

    def statements(self) -> list[ast.ForEach | ast.Deal]:
        """Loops and draws that are written out somewhere."""
        nodes = {id(one.node): one.node for one in self.table.operations}
        return [
            one for one in nodes.values()
            if isinstance(one, ast.ForEach | ast.Deal) and self.register_key(one) in self.table.bench.registers
        ]

    def register_key(self, node: ast.ForEach | ast.Deal) -> int:
        return id(node.each) if isinstance(node, ast.ForEach) else id(node)

    def choices(self, action: ast.Action) -> list[Change | None]:
        found: list[Change | None] = []
        for choice in action.choices:
            change = self.of_element(self.table.bench.type_of(choice.domain))
            found.append(each_sorted(change) if choice.count is not None else change)
        return found

    def chosen(self) -> Change:
        """Options that were chosen, whose effects are still to come."""
        return Chosen(tuple(tuple(self.choices(action)) for action in self.table.bench.of_class(ast.Action)))

    def memory(self, memory: int) -> Change | None:
        """Of a memory that is written in several places the values must be of the same types there."""
        records = [
            one.node for one in self.table.operations
            if isinstance(one.node, ast.Record) and id(self.table.bench.meaning(one.node.memory)) == memory
        ]
        rows = [tuple(self.stored(value) for value in record.values) for record in records]
        if not rows or not any(change for row in rows for change in row):
            return None
        if len({id(one) for one in records}) > 1:
            raise NotAlike("a memory is written in several places")
        return Remembered(rows[0])

    def stored(self, value: ast.Expr) -> Change | None:
        """How a value is renamed that a memory keeps as the expression gives it."""
        if isinstance(value, ast.Aggregate):
            return each(self.stored(value.body))
        zone = zone_meant(self.table.bench, value)
        if isinstance(zone, ZoneRoom):
            return self.content(zone)
        return self.of_type(self.table.bench.type_of(value))


def is_unchanged(becomes: tuple[int, ...]) -> bool:
    return becomes == tuple(range(len(becomes)))
