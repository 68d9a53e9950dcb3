"""Exchanging words of a `values` type, or seats, in whole positions. Takes a table and what becomes what."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import permutations, product
from math import factorial
from typing import Any, assert_never

from attrs import define, field, frozen

from rulesrun.dsl.text.messages import Names, message, template
from rulesrun.dsl.typing import types
from rulesrun.interpreter.model.compile_context import VariableRoom, ZoneRoom
from rulesrun.interpreter.model.components import Kinds, Part
from rulesrun.interpreter.model.core import Action, Aggregate, Operand, Record, Values, WrittenType
from rulesrun.interpreter.model.core_lowering import lower_expression
from rulesrun.interpreter.model.domains import declared_type
from rulesrun.interpreter.model.instructions import Do, DrawComponents, GatherElements, GatherSeats
from rulesrun.interpreter.model.places import find_zone
from rulesrun.interpreter.play.position_keys import PositionKeys
from rulesrun.interpreter.reference.decisions import TogetherWait
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.symmetry.canonical_positions import (
    Change,
    ChosenMap,
    MemoryMap,
    OrderedMap,
    Relabelling,
    SymmetryGroup,
    UnorderedMap,
    ValueMap,
    make_each_map,
    make_sorted_map,
)
from rulesrun.interpreter.symmetry.symmetric_words import WordSymmetryProof

MOST_MEMBERS = 120
Words = Mapping[str, tuple[int, ...]]  # by type: what each word becomes


@frozen(eq=False)
class NotAlike(Exception):
    """The components do not allow the words to be exchanged."""

    message: str


def find_word_group(table: Table, most: int = MOST_MEMBERS, but_for: Collection[str] = ()) -> SymmetryGroup:
    """All exchanges of words that are proved to be alike; fewer words when there would be too many of them."""
    if has_unknown_slots_in_use(table, seats=False):
        return SymmetryGroup(table, ())
    choices: list[list[tuple[str, tuple[int, ...]]]] = []
    said: list[str] = []
    room = most
    for values in table.bench.enumerations:
        if values.name.text in but_for:
            continue
        proof = WordSymmetryProof(table, values)
        free = proof.free_words
        while factorial(len(free)) > room:
            free = free[:-1]
        if len(free) < 2 or not is_exchange_possible(table, values, free):
            continue
        room //= factorial(len(free))
        names = [item.name.text for item in values.items]
        choices.append([(values.name.text, one) for one in permute_words(names, free)])
        left = len(proof.free_words) - len(free)
        sentence = template(
            "{words}: these words of {type} are symmetric (proved); with {left} more there would be too many exchanges"
        ) if left else template("{words}: these words of {type} are symmetric (proved)")
        said.append(message(
            sentence, words=list(map(Names, free)), type=Names(values.name.text), **({"left": left} if left else {})
        ))  # fmt: skip
    members = (
        [PositionRenaming(table, dict(words)).make_relabelling() for words in product(*choices)] if choices else []
    )
    different = list({one.key: one for one in members}.values())  # the first one changes nothing
    changing = different[1:]
    return SymmetryGroup(table, changing, tuple(said) if changing else ())


def permute_words(names: list[str], free: tuple[str, ...]) -> Iterator[tuple[int, ...]]:
    """Every permutation of the free words; the first changes nothing."""
    places = [names.index(word) for word in free]
    for order in permutations(places):
        found = list(range(len(names)))
        for place, becomes in zip(places, order, strict=True):
            found[place] = becomes
        yield tuple(found)


def is_exchange_possible(table: Table, values: Values, free: tuple[str, ...]) -> bool:
    """Whether the components are the same when two free words are exchanged."""
    names = [item.name.text for item in values.items]
    try:
        for words in list(permute_words(names, free))[1:]:
            PositionRenaming(table, {values.name.text: words}).make_relabelling()
    except NotAlike:
        return False
    return True


def has_unknown_slots_in_use(table: Table, seats: bool) -> bool:
    """Whether somebody is asked while something is in use of which nobody knows how to rename it."""
    dead = PositionKeys(table).dead
    return any(slot not in dead[pc] for slot in find_unknown_slots(table, seats) for pc in table.waits)


def find_unknown_slots(table: Table, seats: bool) -> Iterator[int]:
    """What `before` keeps, but for numbers and truths; what is left of an `each`, that of players where seats move;
    where one of several equal components lies: in a zone without order that depends on what else lies there."""
    for judged in table.watches.properties:
        kept = (table.bench.type_of(node.value) for node in judged.values_before)
        if not all(isinstance(one, types.NumberOf | types.TruthOf) for one in kept):
            yield from (slot for slot, _ in judged.befores)
    of_seats = {id(one.node) for one in table.flow.instructions if isinstance(one, GatherSeats)}
    for node, what, slots in table.flow.registers:
        if what == "each" and (seats or id(node) not in of_seats):
            yield from slots
    bench = table.bench
    yield from (slot for slot in bench.wheres.values() if slot >= 0)
    for variable, first in bench.marked.items():
        yield from range(first, first + bench.variables[variable].amount)


@define(eq=False)
class PositionRenaming:
    table: Table
    words: Words
    seats: tuple[int, ...] | None = None  # what each player becomes, from place 1 on
    kinds: dict[int, tuple[int, ...]] = field(init=False, factory=dict)  # by id(kinds): what each kind becomes

    def __attrs_post_init__(self) -> None:
        for kinds in self.table.bench.kinds.values():
            self.kinds[id(kinds)] = self.rename_kinds(kinds)

    def make_relabelling(self) -> Relabelling:
        size = len(self.table.blank)
        sources: list[int] = list(range(size))
        changes: list[Change | None] = [None] * size
        bench = self.table.bench
        for kinds_id, slot in bench.boxes.items():
            changes[slot] = self.unordered_change(bench.kinds[kinds_id])
        for zone in bench.zones.values():
            self.relabel_place(zone, self.content_change(zone), sources, changes)
        for variable in bench.variables.values():
            self.relabel_place(variable, self.change_of_written_type(variable.declaration.type), sources, changes)
        for slot, change in self.register_changes():
            changes[slot] = change
        return Relabelling(tuple(sources), tuple(changes))

    # ---- components

    def rename_kinds(self, kinds: Kinds) -> tuple[int, ...]:
        found: list[int] = []
        for part in kinds.parts:
            found += self.rename_part(kinds, part)
        for part in kinds.parts:
            self.require_same_computed(kinds, part, found)
        return tuple(found)

    def rename_part(self, kinds: Kinds, part: Part) -> list[int]:
        declaration = part.declaration
        plain = [one for one in declaration.attributes if one.type is not None]
        columns = [self.change_of_written_type(one.type) for one in plain if one.type is not None]
        found = []
        for kind, written in zip(part.numbers, part.written, strict=True):
            renamed = tuple(
                value if change is None else change(value) for value, change in zip(written, columns, strict=True)
            )
            becomes = kind if declaration.rows and renamed == written else part.by_written.get(renamed, -1)
            if becomes < 0 or kinds.copies[becomes] != kinds.copies[kind] or (declaration.rows and becomes != kind):
                raise NotAlike(f"{declaration.name.text}: not every combination is there")
            found.append(becomes)
        return found

    def require_same_computed(self, kinds: Kinds, part: Part, becomes: list[int]) -> None:
        for attribute in part.declaration.computed:
            values, change = kinds.attributes.get(id(attribute), ()), self.change_of_written_type(attribute.type)
            for kind in part.numbers if values else ():
                if values[becomes[kind]] != (values[kind] if change is None else change(values[kind])):
                    raise NotAlike(f"{attribute.name.text} is computed from the words")

    def content_change(self, zone: ZoneRoom) -> Change | None:
        if zone.declaration.kind != "set" and zone.sort_key is None:
            becomes = self.kinds[id(zone.kinds)]
            return None if is_identity(becomes) else OrderedMap(becomes)
        return self.unordered_change(zone.kinds, zone.sort_key if zone.declaration.kind != "set" else None)

    def unordered_change(self, kinds: Kinds, keys: tuple[Any, ...] | None = None) -> Change | None:
        becomes = self.kinds[id(kinds)]
        return None if is_identity(becomes) else UnorderedMap(becomes, keys)

    # ---- places

    def relabel_place(
        self, room: ZoneRoom | VariableRoom, change: Change | None, sources: list[int], changes: list[Change | None]
    ) -> None:
        """What lay at `x[red]` lies at `x[blue]` afterwards."""
        columns = [self.change_of_written_type(one) for one in room.declaration.keys]
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

    def change_of_written_type(self, written: WrittenType | None) -> Change | None:
        """How values of a type as it is written are renamed; None: they stay."""
        return self.change_of_type(declared_type(self.table.bench, written)) if written is not None else None

    def change_of_type(self, of_type: types.Type | None) -> Change | None:
        match of_type:
            case types.PlayerOf():
                return ValueMap(self.seats) if self.seats is not None else None
            case types.WordOf(name):
                words = self.words.get(name)
                return ValueMap(words) if words is not None else None
            case types.ComponentOf(kind):
                kinds = self.table.bench.kinds_called(kind)
                becomes = self.kinds[id(kinds)]
                return None if is_identity(becomes) else ValueMap(becomes)
            case types.OptionalOf(item):
                return self.change_of_type(item)
            case types.CollectionOf(item) | types.OrderOf(item):
                return make_each_map(self.change_of_type(item))
            case types.NumberOf() | types.TruthOf() | types.NothingOf() | types.TextOf():
                return None
            case types.Unknown() | None:
                raise NotAlike("it is not known what this is")
            case _:
                assert_never(of_type)

    def change_of_element_type(self, of_type: types.Type | None) -> Change | None:
        return self.change_of_type(types.item_of(of_type))

    # ---- registers

    def register_changes(self) -> Iterator[tuple[int, Change | None]]:
        bench = self.table.bench
        for action in bench.actions:
            for choice, change in zip(action.choices, self.choice_changes(action), strict=True):
                yield bench.registers[id(choice)], change
        for one in self.table.flow.instructions:
            if isinstance(one, GatherElements):
                yield one.slots.element, self.change_of_element_type(bench.type_of(one.each.collection))
            elif isinstance(one, DrawComponents) and id(one.effect.node) in bench.registers:
                kind = types.ComponentOf(one.effect.room.declaration.component.text)
                yield bench.registers[id(one.effect.node)], self.change_of_type(kind)
        for wait in self.table.waits.values():
            if isinstance(wait, TogetherWait):
                yield wait.chosen, self.chosen_options_change()
        for memory, slot in bench.memories.items():
            yield slot, self.memory_change(memory)

    def choice_changes(self, action: Action) -> list[Change | None]:
        found: list[Change | None] = []
        for choice in action.choices:
            change = self.change_of_element_type(self.table.bench.type_of(choice.domain))
            found.append(make_sorted_map(change) if choice.count is not None else change)
        return found

    def chosen_options_change(self) -> Change:
        """Options that were chosen, whose effects are still to come."""
        return ChosenMap(
            tuple(tuple(self.choice_changes(action)) for action in self.table.bench.actions)
        )

    def memory_change(self, memory: int) -> Change | None:
        """Of a memory that is written in several places the values must be of the same types there."""
        effects = [one.effect for one in self.table.flow.instructions if isinstance(one, Do)]
        records = [one for one in effects if isinstance(one, Record) and id(one.memory) == memory]
        rows = [tuple(self.stored_value_change(value) for value in record.values) for record in records]
        if not rows or not any(change for row in rows for change in row):
            return None
        if len({id(one) for one in records}) > 1:
            raise NotAlike("a memory is written in several places")
        return MemoryMap(rows[0])

    def stored_value_change(self, value: Operand) -> Change | None:
        """How a value is renamed that a memory keeps as the expression gives it."""
        asked = lower_expression(self.table.bench, value)
        if isinstance(asked, Aggregate):
            return make_each_map(self.stored_value_change(asked.body))
        zone = find_zone(self.table.bench, value)
        if isinstance(zone, ZoneRoom):
            return self.content_change(zone)
        return self.change_of_type(self.table.bench.type_of(value))


def is_identity(becomes: tuple[int, ...]) -> bool:
    return becomes == tuple(range(len(becomes)))
