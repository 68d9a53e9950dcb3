"""Words that the rules treat alike. Takes a table and a `values` type, gives the words that may be exchanged.

A word is free when nothing names it and nothing depends on the order in which the words are written. What
goes through the words, or through components that carry them, one after the other, must come to the same in any order.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never, cast

from attrs import define, field, frozen

from rulesrun.dsl import ast
from rulesrun.dsl.ast.footprint import statements_of
from rulesrun.dsl.ast.named_values import is_told_set, single_literal
from rulesrun.dsl.ast.walk import walk
from rulesrun.dsl.typing import types
from rulesrun.dsl.typing.program import BuiltinMeaning, WordMeaning
from rulesrun.interpreter.model import core
from rulesrun.interpreter.model.core_lowering import lower_statement
from rulesrun.interpreter.model.known_constructs import SINCE_EDITION_1, find_unknown_construct
from rulesrun.interpreter.model.places import find_zone
from rulesrun.interpreter.model.relevance import live_nodes
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.symmetry.commutation import find_shuffled_afterwards, is_commutative

ENDS = {"top", "bottom", "first", "last"}
# That some seats see less tells no words apart; nor do components of other kinds, or of other zones.
KNOWS = SINCE_EDITION_1 | {ast.SeenBy, ast.EitherType, ast.Joined, ast.Teams, ast.SetType, ast.Combinations}


@frozen
class Obstacle:
    """What depends on the order of the words."""

    message: str
    node: ast.Node


@define(eq=False)
class WordSymmetryProof:
    """`obstacle` is the first that was found; without one the words that are not named are alike."""

    table: Table
    values: ast.Values
    named: set[str] = field(init=False, factory=set)
    obstacle: Obstacle | None = field(init=False, default=None)
    shuffled: dict[int, set[int]] = field(init=False)
    told: frozenset[int] = field(init=False)  # what is put in order where a step is told a set

    def __attrs_post_init__(self) -> None:
        self.shuffled = find_shuffled_afterwards(self.table)
        loops = (one for one, _ in statements_of(self.table.program.game) if isinstance(one, ast.ForEach))
        self.told = frozenset(id(single_literal(one).parts[0]) for one in loops if is_told_set(one))
        self.obstacle = next(self.find_obstacles(), None)

    @property
    def free_words(self) -> tuple[str, ...]:
        if self.obstacle is not None:
            return ()
        return tuple(item.name.text for item in self.values.items if item.name.text not in self.named)

    def find_obstacles(self) -> Iterator[Obstacle]:
        for option in self.table.bench.options:
            if any(isinstance(part, ast.NamedType) and self.has_words_as_written(part) for part in walk(option.type)):
                yield Obstacle("an option is one of them", option)
        unknown = find_unknown_construct(self.table.bench, KNOWS)
        if unknown is not None:
            yield Obstacle("a construct that is not known here", unknown)
            return
        for node in live_nodes(self.table.bench):
            meaning = self.table.bench.meaning(node)
            if isinstance(meaning, WordMeaning) and meaning.type_name == self.values.name.text:
                self.named.add(meaning.word)
            if not isinstance(node, ast.Values) and (message := self.obstacle_in(cast(ast.AnyNode, node))) is not None:
                yield Obstacle(message, node)

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
            if isinstance(attribute.type, ast.NamedType) and attribute.type.name.text == self.values.name.text
        }

    def is_about(self, node: ast.Node) -> bool:
        return self.has_words(self.table.bench.type_of(node))

    def has_own_order(self, node: core.Operand) -> bool:
        """A pile, a row, an `order`: who stands where does not come from the order of the words."""
        while isinstance(node, ast.Filter):
            node = node.collection
        room = find_zone(self.table.bench, node)
        if room is not None:
            return room.declaration.kind != "set" and room.declaration.sort_key is None
        return isinstance(self.table.bench.type_of(node), types.OrderOf)

    def is_in_order_of_words(self, collection: core.Operand) -> bool:
        return self.is_about(collection) and not self.has_own_order(collection)

    # ---- what depends on the order of the words

    def obstacle_in(self, node: ast.AnyNode) -> str | None:
        if isinstance(node, ast.Expr):
            return self.obstacle_in_expression(node)
        if isinstance(node, ast.Statement):
            return self.obstacle_in_statement(node)
        return self.obstacle_in_piece(node)

    def obstacle_in_expression(self, node: ast.Expr) -> str | None:
        match node:
            case ast.Compare("<" | "<=" | ">" | ">=", left, right) if self.is_about(left) or self.is_about(right):
                return "they are compared by their order"
            case ast.Range() if self.is_about(node):
                return "a range of them depends on their order"
            case ast.Of(ast.Name() as word, owner):
                return self.obstacle_in_of(self.table.bench.meaning(word), owner)
            case ast.Aggregate() if id(node) in self.told:
                pass  # whatever goes through the set is looked at by itself
            case ast.Aggregate(word, _, body, each):
                return self.obstacle_in_aggregate(word, body, each)
            case ast.Best(word, each, _, key):
                if self.is_about(key) or (word == "the" and self.is_in_order_of_words(each.collection)):
                    return "of several that are equal the first one is taken"
            case ast.Item(_, collection) | ast.Index(ast.Name() as collection, _) if self.is_access_by_order(
                node, collection
            ):
                return "one is found by its place in their order"
            case ast.Call(name, (_, collection)) if (
                self.table.bench.is_word(name, "position") and self.is_in_order_of_words(collection)
            ):
                return "a place in their order is asked for"
            case (
                ast.Number() | ast.Text() | ast.Truth() | ast.Nothing() | ast.Name() | ast.Call() | ast.Of()
                | ast.Item() | ast.Index() | ast.Filter() | ast.Joined() | ast.Combinations() | ast.Range()
                | ast.SetOf() | ast.Literal()
                | ast.Quantified() | ast.Compare() | ast.In() | ast.IsEmpty() | ast.Arithmetic() | ast.Negate()
                | ast.Not() | ast.And() | ast.Or() | ast.IfElse() | ast.Can() | ast.Before()
            ):
                pass  # names in them are looked at by themselves
            case _:
                assert_never(node)
        return None

    def obstacle_in_of(self, meaning: object, owner: core.Operand) -> str | None:
        if not isinstance(meaning, BuiltinMeaning) or not self.is_about(owner):
            return None
        if meaning.name in {"highest", "lowest", "sorted"}:
            return "they are put in order"
        if meaning.name in ENDS | {"list"} and not self.has_own_order(owner):
            return "the first or last of them depends on their order"
        return None

    def obstacle_in_aggregate(self, word: str, body: core.Operand, each: ast.Each) -> str | None:
        if word in {"highest", "lowest", "sorted"} and self.is_about(body):
            return "they are put in order"
        if word == "list" and self.is_in_order_of_words(each.collection):
            return "a list goes through them in their order"
        return None

    def is_access_by_order(self, node: ast.Node, collection: core.Operand) -> bool:
        meaning = self.table.bench.meaning(node.name) if isinstance(node, ast.Index) else None
        if isinstance(meaning, ast.Zone | ast.Variable):
            return self.is_about(collection) and not meaning.keys
        return self.is_in_order_of_words(collection)

    def obstacle_in_statement(self, node: ast.Statement) -> str | None:
        done = lower_statement(self.table.bench, node)
        match done:
            case ast.ForEach(each, order, _):
                return self.obstacle_in_for_each(done, each, order)
            case ast.EachPlayer(order=ast.Order(key=key)) if self.is_about(key):
                return "players are put in their order"
            case core.Move(_, transfers):
                return next(filter(None, (self.obstacle_in_transfer(node, one) for one in transfers)), None)
            case core.DrawValue(place=place, chances=chances) if chances and self.is_about(place.node):
                return "they have different chances"
            case core.Record(values=values):
                if any(self.is_about(value) and not self.is_storable(value) for value in values):
                    return "a memory keeps them in their order"
            case (
                core.Mix() | core.Draw() | core.Assign() | core.Adjust() | core.DrawValue() | core.DrawOrder()
                | core.End() | core.Show() | core.CountPoints()
                | ast.Choose() | ast.If() | ast.EachPlayer() | ast.Turns() | ast.Repeat() | ast.Do()
            ):
                pass  # what they change, and with what, does not depend on the order of the words
            case _:
                assert_never(done)
        return None

    def obstacle_in_piece(self, node: ast.AnyDeclaration | ast.TypeExpr | ast.Part | ast.ExampleLine) -> str | None:
        match node:
            case ast.Zone(sort_key=ast.Node() as key) if self.is_about(key):
                return "a zone is sorted by them"
            case ast.Variable():
                return self.obstacle_in_variable(node)
            case ast.Table(parameters=parameters, entries=entries):
                is_bare = any(entry.keys is None and not entry.is_otherwise for entry in entries)
                if is_bare and self.has_words_as_written(parameters[0].type):
                    return "a table is written in their order"
            case ast.ScoreLine(value=value) | ast.Criterion(value=value) if self.is_about(value):
                return "players are compared by them"
            case (
                ast.Zone() | ast.ScoreLine() | ast.Criterion() | ast.Rounds() | ast.Values() | ast.Components()
                | ast.Memory() | ast.Define() | ast.Setup() | ast.Phase() | ast.Step() | ast.Action() | ast.Score()
                | ast.Ranking() | ast.Result() | ast.Figure() | ast.Property() | ast.Persona() | ast.Small()
            ):
                pass
            case (
                ast.Each() | ast.Branch() | ast.Order() | ast.Choice() | ast.Needs() | ast.Outcome()
                | ast.Enumerator() | ast.AttributeDecl() | ast.RowDecl() | ast.Parameter() | ast.Entry()
                | ast.Preference() | ast.Word() | ast.SeenBy()
            ):
                pass  # what stands in them is looked at by itself
            case ast.RangeType() | ast.NamedType() | ast.EitherType() | ast.WordsType() | ast.TruthType():
                pass
            case ast.PlayerType():
                pass
            case ast.OrderType() | ast.RowType() | ast.SetType() | ast.Optional():
                pass
            case _:
                return self.obstacle_in_unplayed(node)
        return None

    def obstacle_in_unplayed(
        self,
        node: ast.Edition | ast.Title | ast.VariantOf | ast.Players | ast.Teams | ast.Option | ast.Require | ast.Example
        | ast.Words | ast.Fix | ast.ChangePiece | ast.RemovePiece | ast.ChangeRow | ast.ChangeLine
        | ast.ChangeLines | ast.ExampleLine,
    ) -> str | None:
        """Settled before the game, or beside it; changes of a variant have been carried out."""
        return None

    def obstacle_in_for_each(self, node: ast.ForEach, each: ast.Each, order: ast.Order | None) -> str | None:
        if order is not None and self.is_about(order.key):
            return "they are gone through in their order"
        if is_told_set(node):
            return None  # it is one set
        if self.is_in_order_of_words(each.collection) and not is_commutative(self.table, node, self.shuffled):
            return "they are gone through one after the other"
        return None

    def obstacle_in_transfer(self, node: ast.Statement, transfer: core.Transfer) -> str | None:
        taken, target = transfer.taken, transfer.target.room
        if transfer.order is not None and self.is_about(transfer.order.key):
            return "they are put down in their order"
        if isinstance(taken, core.TakeOne) or target.declaration.kind in {"set", "place"}:
            return None
        several = taken.collection if isinstance(taken, core.TakeSome) else taken.what
        if id(target.declaration) in self.shuffled.get(id(node), set()) or not self.is_in_order_of_words(several):
            return None
        return "several are put down in their order"

    def obstacle_in_variable(self, variable: ast.Variable) -> str | None:
        """Without a start that is written the first word is one that is named."""
        if variable.start is not None or not self.has_words_as_written(variable.type):
            return None
        if isinstance(variable.type, ast.NamedType):
            self.named.update(item.name.text for item in self.values.items[:1])  # a range has no words
            return None
        return "a marker begins with all of them in their order"

    def has_words_as_written(self, written: ast.TypeExpr) -> bool:
        match written:
            case ast.NamedType(name):
                return name.text == self.values.name.text or name.text in self.find_carriers()
            case ast.EitherType(names):
                return not self.find_carriers().isdisjoint(name.text for name in names)
            case ast.OrderType(item) | ast.RowType(item) | ast.SetType(item):
                return self.has_words_as_written(item)
            case ast.RangeType() | ast.WordsType() | ast.TruthType() | ast.PlayerType() | ast.Optional():
                return False  # what may be nothing begins with nothing
            case _:
                assert_never(written)

    def is_storable(self, value: core.Operand) -> bool:
        """A zone, a word, a component, or a list of these that goes through something else. What lies in a pile whose
        order is open is kept in declared order."""
        if isinstance(value, ast.Aggregate):
            is_list = value.word == "list" and not self.is_about(value.each.collection)
            return is_list and self.is_storable(value.body)
        zone = find_zone(self.table.bench, value)
        if zone is not None:
            return not zone.is_shuffled
        return not isinstance(self.table.bench.type_of(value), types.CollectionOf | types.OrderOf)
