"""Words that the rules treat alike. Takes a table and a `values` type, gives the words that may be exchanged.

A word is free when nothing names it and nothing depends on the order in which the words are written. What
goes through the words, or through components that carry them, one after the other, must come to the same in any order.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from attrs import define, field, frozen

from rulesrun.dsl.contents.written_values import kind_of_values
from rulesrun.dsl.text.source import Located
from rulesrun.dsl.typing import types
from rulesrun.interpreter.model import core
from rulesrun.interpreter.model.core_lowering import base_of_filters, list_pieces, lower_expression, lower_statements
from rulesrun.interpreter.model.domains import declared_type
from rulesrun.interpreter.model.known_constructs import (
    MIXED_KINDS,
    SEEN_BY_SOME,
    SETS,
    SINCE_EDITION_1,
    TEAMS,
    find_unknown_construct,
)
from rulesrun.interpreter.model.places import find_zone
from rulesrun.interpreter.model.relevance import find_words_named, live_operations, live_statements
from rulesrun.interpreter.model.values import RefusedTable
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.symmetry.commutation import find_shuffled_afterwards, is_commutative

# That some seats see less tells no words apart; nor do components of other kinds, or of other zones.
KNOWS = SINCE_EDITION_1 | SEEN_BY_SOME | MIXED_KINDS | TEAMS | SETS


@frozen
class Obstacle:
    """What depends on the order of the words."""

    message: str
    node: Located


@define(eq=False)
class WordSymmetryProof:
    """`obstacle` is the first that was found; without one the words that are not named are alike."""

    table: Table
    values: core.Values
    named: set[str] = field(init=False, factory=set)
    obstacle: Obstacle | None = field(init=False, default=None)
    shuffled: dict[int, set[int]] = field(init=False)
    told: frozenset[int] = field(init=False)  # what is put in order where a step is told a set

    def __attrs_post_init__(self) -> None:
        self.shuffled = find_shuffled_afterwards(self.table)
        loops = (one for one in lower_statements(self.table.bench) if isinstance(one, core.ForEach))
        self.told = frozenset(id(one.ordered) for one in loops if one.ordered is not None)
        self.obstacle = next(self.find_obstacles(), None)

    @property
    def free_words(self) -> tuple[str, ...]:
        if self.obstacle is not None:
            return ()
        return tuple(item.name.text for item in self.values.items if item.name.text not in self.named)

    def find_obstacles(self) -> Iterator[Obstacle]:
        for option in self.table.bench.options:
            if kind_of_values(option.type).split()[-1] in {self.values.name.text, *self.find_carriers()}:
                yield Obstacle("an option is one of them", option)
        unknown = find_unknown_construct(self.table.bench, KNOWS)
        if unknown is not None:
            yield Obstacle("a construct that is not known here", unknown)
            return
        self.named.update(find_words_named(self.table.bench, self.values))
        yield from self.obstacles_in_pieces()
        for done in live_statements(self.table.bench):
            if (message := self.obstacle_in_statement(done)) is not None:
                yield Obstacle(message, done.node)
        try:
            for asked in live_operations(self.table.bench):
                if (message := self.obstacle_in_operation(asked)) is not None:
                    yield Obstacle(message, asked.node)
        except RefusedTable:
            yield Obstacle("something has no meaning at this table", self.values)

    # ---- types

    def has_words(self, of_type: types.Type | None) -> bool:
        """Whether values of the type are words of this list, or carry them; or may be, where nothing is known of it."""
        match of_type:
            case types.WordOf(name):
                return name == self.values.name.text
            case types.ComponentOf(kind):
                return not self.find_carriers().isdisjoint(types.split_kinds(kind))
            case types.OptionalOf(item) | types.CollectionOf(item) | types.OrderOf(item):
                return self.has_words(item)
            case types.NumberOf() | types.TruthOf() | types.PlayerOf() | types.NothingOf() | types.TextOf():
                return False
            case types.Unknown() | None:
                return True  # it may be
            case _:
                assert_never(of_type)

    def find_carriers(self) -> set[str]:
        """The components that have a word of the list among their attributes."""
        return {
            one.name.text
            for one in self.table.bench.components
            for attribute in (*one.attributes, *one.computed)
            if attribute.type is not None
            and declared_type(self.table.bench, attribute.type) == types.WordOf(self.values.name.text, ())
        }

    def is_about(self, node: core.Operand) -> bool:
        return self.has_words(self.table.bench.type_of(node))

    def has_own_order(self, node: core.Operand) -> bool:
        """A pile, a row, an `order`: who stands where does not come from the order of the words."""
        node = base_of_filters(self.table.bench, node)
        room = find_zone(self.table.bench, node)
        if room is not None:
            return room.declaration.kind != "set" and room.declaration.sort_key is None
        return isinstance(self.table.bench.type_of(node), types.OrderOf)

    def is_in_order_of_words(self, collection: core.Operand) -> bool:
        return self.is_about(collection) and not self.has_own_order(collection)

    # ---- what depends on the order of the words

    def obstacle_in_operation(self, asked: core.Core) -> str | None:
        match asked:
            case core.Compare(_, "<" | "<=" | ">" | ">=", left, right) if self.is_about(left) or self.is_about(right):
                return "they are compared by their order"
            case core.Range() if self.is_about(asked.node):
                return "a range of them depends on their order"
            case core.Fold(_, "highest" | "lowest" | "sorted", several) if self.is_about(several):
                return "they are put in order"
            case core.Fold(_, "list", several) | core.EndOf(_, _, several) if self.is_in_order_of_words(several):
                return "the first or last of them depends on their order"
            case core.Aggregate(node) if id(node) in self.told:
                pass  # whatever goes through the set is looked at by itself
            case core.Aggregate(_, word, _, body, each):
                return self.obstacle_in_aggregate(word, body, each)
            case core.Best(_, word, each, _, key):
                if self.is_about(key) or (word == "the" and self.is_in_order_of_words(each.collection)):
                    return "of several that are equal the first one is taken"
            case core.ItemAt(_, _, several, is_index) if self.is_access_by_order(several, is_index):
                return "one is found by its place in their order"
            case core.PositionOf(_, _, several) if self.is_in_order_of_words(several):
                return "a place in their order is asked for"
            case (
                core.Constant() | core.Register() | core.Element() | core.Contents() | core.Attribute()
                | core.Definition() | core.CaseLookup() | core.ForPlayer() | core.Current() | core.Opponents()
                | core.Points() | core.Standing() | core.Count() | core.Fold() | core.EndOf() | core.ItemAt()
                | core.Neighbour() | core.SeatsFrom() | core.Extreme() | core.PositionOf() | core.Times()
                | core.PlacesNear() | core.PlacesBetween() | core.Distance() | core.Lines() | core.Connected()
                | core.Filter() | core.Joined() | core.Combinations() | core.Range() | core.SetOf() | core.Literal()
                | core.Quantified() | core.Compare() | core.In() | core.IsEmpty() | core.Arithmetic() | core.Negate()
                | core.Not() | core.Logic() | core.IfElse() | core.Can() | core.Before()
            ):
                pass  # operands are looked at by themselves
            case _:
                assert_never(asked)
        return None

    def obstacle_in_aggregate(self, word: str, body: core.Operand, each: core.Each) -> str | None:
        if word in {"highest", "lowest", "sorted"} and self.is_about(body):
            return "they are put in order"
        if word == "list" and self.is_in_order_of_words(each.collection):
            return "a list goes through them in their order"
        return None

    def is_access_by_order(self, collection: core.Operand, is_index: bool) -> bool:
        if is_index and isinstance(lower_expression(self.table.bench, collection), core.Contents):
            return self.is_about(collection)
        return self.is_in_order_of_words(collection)

    def obstacle_in_statement(self, done: core.Statement) -> str | None:
        match done:
            case core.ForEach():
                return self.obstacle_in_for_each(done)
            case core.EachPlayer(order=core.Order(key=key)) if self.is_about(key):
                return "players are put in their order"
            case core.Move(_, transfers):
                return next(filter(None, (self.obstacle_in_transfer(done.node, one) for one in transfers)), None)
            case core.DrawValue(place=place, chances=chances) if chances and self.is_about(place.node):
                return "they have different chances"
            case core.Record(values=values):
                if any(self.is_about(value) and not self.is_storable(value) for value in values):
                    return "a memory keeps them in their order"
            case (
                core.Mix() | core.Draw() | core.Assign() | core.Adjust() | core.DrawValue() | core.DrawOrder()
                | core.End() | core.Show() | core.CountPoints()
                | core.Choose() | core.If() | core.EachPlayer() | core.Turns() | core.Repeat() | core.Do()
            ):
                pass  # what they change, and with what, does not depend on the order of the words
            case _:
                assert_never(done)
        return None

    def obstacles_in_pieces(self) -> Iterator[Obstacle]:
        for piece in list_pieces(self.table.bench):
            for message in filter(None, (self.obstacle_in_piece(piece),)):
                yield Obstacle(message, piece)

    def obstacle_in_piece(self, piece: core.Piece) -> str | None:
        match piece:
            case core.Zone(sort_key=core.Operand() as key) if self.is_about(key):
                return "a zone is sorted by them"
            case core.Variable():
                return self.obstacle_in_variable(piece)
            case core.Table(parameters=parameters, entries=entries):
                is_bare = any(entry.keys is None and not entry.is_otherwise for entry in entries)
                if is_bare and self.is_declared_as_words(parameters[0].type):
                    return "a table is written in their order"
            case core.Score(lines=lines) if any(self.is_about(one.value) for one in lines):
                return "players are compared by them"
            case core.Ranking(criteria=criteria) if any(self.is_about(one.value) for one in criteria):
                return "players are compared by them"
            case (
                core.Zone() | core.Score() | core.Ranking() | core.Rounds() | core.Components() | core.Memory()
                | core.Define() | core.Setup() | core.Phase() | core.Step() | core.Action() | core.Result()
                | core.Property()
            ):
                pass  # what stands in them is looked at by itself
            case _:
                assert_never(piece)
        return None

    def obstacle_in_for_each(self, done: core.ForEach) -> str | None:
        if done.order is not None and self.is_about(done.order.key):
            return "they are gone through in their order"
        if done.ordered is not None:
            return None  # it is one set
        if self.is_in_order_of_words(done.each.collection) and not is_commutative(self.table, done, self.shuffled):
            return "they are gone through one after the other"
        return None

    def obstacle_in_transfer(self, node: Located, transfer: core.Transfer) -> str | None:
        taken, target = transfer.taken, transfer.target.room
        if transfer.order is not None and self.is_about(transfer.order.key):
            return "they are put down in their order"
        if isinstance(taken, core.TakeOne) or target.declaration.kind in {"set", "place"}:
            return None
        several = taken.collection if isinstance(taken, core.TakeSome) else taken.what
        if id(target.declaration) in self.shuffled.get(id(node), set()) or not self.is_in_order_of_words(several):
            return None
        return "several are put down in their order"

    def obstacle_in_variable(self, variable: core.Variable) -> str | None:
        """Without a start that is written the first word is one that is named."""
        if variable.start is not None or not self.is_declared_as_words(variable.type):
            return None
        if self.is_single(declared_type(self.table.bench, variable.type)):
            self.named.update(item.name.text for item in self.values.items[:1])
            return None
        return "a marker begins with all of them in their order"

    def is_single(self, of_type: types.Type) -> bool:
        """One word, or a component of one kind."""
        is_component = isinstance(of_type, types.ComponentOf) and len(types.split_kinds(of_type.kind)) == 1
        return is_component or isinstance(of_type, types.WordOf)

    def is_declared_as_words(self, written: core.WrittenType) -> bool:
        """What may be nothing begins with nothing."""
        of_type = declared_type(self.table.bench, written)
        return not isinstance(of_type, types.OptionalOf) and self.has_words(of_type)

    def is_storable(self, value: core.Operand) -> bool:
        """A zone, a word, a component, or a list of these that goes through something else. What lies in a pile whose
        order is open is kept in declared order."""
        asked = lower_expression(self.table.bench, value)
        if isinstance(asked, core.Aggregate):
            is_list = asked.word == "list" and not self.is_about(asked.each.collection)
            return is_list and self.is_storable(asked.body)
        zone = find_zone(self.table.bench, value)
        if zone is not None:
            return not zone.is_shuffled
        return not isinstance(self.table.bench.type_of(value), types.CollectionOf | types.OrderOf)
