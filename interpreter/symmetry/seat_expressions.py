"""Whether an expression says the same of every seat: takes expressions, refuses what is not known.

`asked`: `player` is a seat that is known there (of an effect, a score, a loop); elsewhere it would name the first seat.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, assert_never

from attrs import define, field

from rulesrun.dsl import ast
from rulesrun.dsl.ast.walk import children
from rulesrun.dsl.typing import types
from rulesrun.dsl.typing.program import AllOf, AttributeMeaning, BuiltinMeaning, ItMeaning, WordMeaning
from rulesrun.interpreter.model.core import Adjust, Assign, Move, Operand, Taken, TakeSome, Transfer
from rulesrun.interpreter.model.places import find_zone
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.symmetry.symmetric_words import ENDS

OF_ALL = {"sum", "highest", "lowest", "sorted", "list"}
ANYONES = ast.Each | ast.Choice | ast.Parameter | ast.Phase | ItMeaning | WordMeaning | AllOf
ANYTIME = {"players", "round", "phase"}
Sort = str  # plain, nothing, player, the name of a kind that belongs to seats; with `several ` before it


class TellsApart(Exception):
    """Here one seat may be told from another."""


@define(eq=False)
class SeatExpressionCheck:
    """`around`: all move on by as many seats, so that who sits left of whom stays; `knows_starter`: it was drawn."""

    table: Table
    moved: set[str]  # kinds of components that belong to seats
    around: bool = False
    knows_starter: bool = False
    known: set[tuple[int, bool]] = field(factory=set)  # definitions that were looked at

    # ---- what a value is, as far as seats go

    def sort_of_node(self, node: ast.Node) -> Sort:
        return self.sort_of_type(self.table.bench.type_of(node))

    def sort_of_type(self, of_type: types.Type | None) -> Sort:
        match of_type:
            case types.OptionalOf(item):
                return self.sort_of_type(item)
            case types.PlayerOf():
                return "player"
            case types.ComponentOf(kind):
                return self.sort_of_kinds(types.split_kinds(kind))
            case types.CollectionOf(item) | types.OrderOf(item):
                inner = self.sort_of_type(item)
                return inner if inner == "plain" else f"several {inner}"
            case types.NothingOf():
                return "nothing"
            case types.NumberOf() | types.TruthOf() | types.WordOf() | types.TextOf():
                return "plain"
            case _:
                raise TellsApart("it is not known what this is")

    def sort_of_kinds(self, kinds: tuple[str, ...]) -> Sort:
        moved = [one for one in kinds if one in self.moved]
        if moved and len(kinds) > 1:
            raise TellsApart("components of several kinds, some of which are somebody's")
        return moved[0] if moved else "plain"

    def sort_of_written_type(self, written: ast.TypeExpr | None) -> Sort:
        match written:
            case ast.PlayerType():
                return "player"
            case ast.Optional(item):
                return self.sort_of_written_type(item)
            case ast.NamedType(name):
                return self.sort_of_kinds((name.text,))
            case ast.EitherType(names):
                return self.sort_of_kinds(tuple(name.text for name in names))
            case ast.OrderType(item) | ast.RowType(item):
                if self.sort_of_written_type(item) != "plain":
                    raise TellsApart("several seats in an order")
                return "plain"
            case ast.SetType(item):
                inner = self.sort_of_written_type(item)
                return inner if inner == "plain" else f"several {inner}"
            case ast.WordsType(or_player=True) | None:
                raise TellsApart("a word or a seat")
            case ast.WordsType() | ast.RangeType() | ast.TruthType():
                return "plain"
            case _:
                assert_never(written)

    # ---- expressions

    def check_plain(self, node: Operand | None, asked: bool) -> None:
        """Neither a seat nor something of a seat: a number, a truth, a word; several of these."""
        if node is not None:
            self.check_expression(node, asked)
            if self.sort_of_node(node) not in {"plain", "nothing"}:
                raise TellsApart("a seat is used as something else")

    def check_same_sort(self, one: Operand, other: Operand, asked: bool) -> None:
        """A number beside a player would name a seat."""
        self.check_expression(one, asked)
        self.check_expression(other, asked)
        sorts = {self.sort_of_node(one), self.sort_of_node(other)} - {"nothing"}
        if len(sorts) > 1 or any(sort.startswith("several") for sort in sorts):
            raise TellsApart("a seat beside something else")

    def check_expression(self, node: ast.Node, asked: bool) -> None:
        read = READERS.get(type(node))
        if read is None:
            raise TellsApart("an expression that is not known here")
        read(self, node, asked)

    def check_literal(self, node: ast.Number | ast.Truth | ast.Text, asked: bool) -> None:
        if self.sort_of_node(node) != "plain":
            raise TellsApart("a seat is named")

    def check_nothing(self, node: ast.Nothing, asked: bool) -> None:
        pass

    def check_name(self, node: ast.Name, asked: bool) -> None:
        meaning = self.table.bench.meaning(node)
        match meaning:
            case BuiltinMeaning("player" | "opponents" | "total" | "place") | ast.ScoreLine():
                is_fine = asked
            case BuiltinMeaning("starter"):
                is_fine = self.knows_starter
            case ast.Zone(keys=()) | ast.Variable(keys=()):
                is_fine = asked or not meaning.per_player
            case ast.Option(type=written):
                is_fine = self.sort_of_written_type(written) == "plain"
            case ast.Define(parameters=()):
                self.check_definition(meaning, asked)
                is_fine = True
            case AttributeMeaning(attribute=attribute):
                is_fine = attribute.type is not None or asked
            case ast.Deal(alias=alias, each=False):
                is_fine = alias is not None
            case _:
                is_fine = isinstance(meaning, ANYONES) or self.table.bench.is_word(node, *ANYTIME)
        if not is_fine:
            raise TellsApart(f"`{node.text}` may be of one seat")

    def check_definition(self, meaning: ast.Define, asked: bool) -> None:
        if (id(meaning), asked) not in self.known:
            self.check_expression(meaning.body, asked)
            self.known.add((id(meaning), asked))

    def check_call(self, node: ast.Call, asked: bool) -> None:
        meaning = self.table.bench.meaning(node.name)
        match meaning:
            case BuiltinMeaning("smallest" | "largest"):
                for one in node.arguments:
                    self.check_plain(one, asked)
            case BuiltinMeaning("counted" | "latest") if asked:
                pass
            case ast.Define(parameters=parameters) | ast.Table(parameters=parameters):
                for parameter, one in zip(parameters, node.arguments, strict=True):
                    self.check_expression(one, asked)
                    if self.sort_of_node(one) != self.sort_of_written_type(parameter.type):
                        raise TellsApart("a seat beside something else")
                self.check_called(meaning, asked)
            case _:
                raise TellsApart("a call that is not known here")

    def check_called(self, meaning: ast.Define | ast.Table, asked: bool) -> None:
        if isinstance(meaning, ast.Define):
            self.check_definition(meaning, asked)
        elif any(self.sort_of_written_type(one.type) != "plain" for one in meaning.parameters):
            raise TellsApart("a table of seats")
        else:
            for entry in meaning.entries:
                for one in (entry.value, *(entry.keys or ())):
                    self.check_plain(one, asked)

    def check_index(self, node: ast.Index, asked: bool) -> None:
        meaning = self.table.bench.meaning(node.name)
        if not isinstance(meaning, ast.Zone | ast.Variable) or not meaning.keys or (meaning.per_player and not asked):
            raise TellsApart("an index that is not known here")
        self.check_keys(meaning, node.keys, asked)

    def check_keys(self, room: ast.Zone | ast.Variable, keys: tuple[Operand, ...], asked: bool) -> None:
        if any(self.sort_of_written_type(one) != "plain" for one in room.keys):
            raise TellsApart("a key that is a seat")
        for key in keys:
            self.check_plain(key, asked)

    # ---- `X of Y`

    def check_of(self, node: ast.Of, asked: bool) -> None:
        self.check_expression(node.owner, asked)
        subject, sort = node.subject, self.sort_of_node(node.owner)
        name = subject.name if isinstance(subject, ast.Index | ast.Call) else subject
        meaning = self.table.bench.meaning(name)
        match meaning:
            case _ if sort == "player":
                is_fine = self.is_of_seat(subject, meaning, asked)
            case AttributeMeaning(attribute=attribute) if isinstance(subject, ast.Name):
                is_fine = not sort.startswith("several") and (attribute.type is not None or asked)
            case BuiltinMeaning("count"):
                is_fine = True
            case BuiltinMeaning(word) if word in OF_ALL:
                is_fine = sort == "plain"
            case BuiltinMeaning(word) if word in ENDS:
                is_fine = sort == "plain" or self.has_own_order(node.owner)
            case _:
                is_fine = False
        if not is_fine:
            raise TellsApart("something of it that is not known here")

    def is_of_seat(self, subject: Operand, meaning: object, asked: bool) -> bool:
        match meaning:
            case ast.Zone(per_player=True) | ast.Variable(per_player=True):
                self.check_keys(meaning, subject.keys if isinstance(subject, ast.Index) else (), asked)
                return True
            case ast.Define(parameters=()):
                self.check_definition(meaning, True)
                return True
            case ast.Define() if isinstance(subject, ast.Call):
                self.check_call(subject, True)
                return True
            case BuiltinMeaning("left" | "right"):
                return self.around or self.table.players == 2  # the other one
            case BuiltinMeaning("counted" | "latest"):
                return isinstance(subject, ast.Call)
            case BuiltinMeaning("total" | "place") | ast.ScoreLine():
                return True
            case _:
                return False

    def has_own_order(self, collection: Operand) -> bool:
        room = find_zone(self.table.bench, collection)
        return room is not None and room.declaration.kind != "set" and room.declaration.sort_key is None

    # ---- several

    def check_filter(self, node: ast.Filter, asked: bool) -> None:
        self.check_expression(node.collection, asked)
        self.check_plain(node.condition, asked)

    def check_quantified(self, node: ast.Quantified, asked: bool) -> None:
        self.check_expression(node.each.collection, asked)
        self.check_plain(node.body, asked)

    def check_aggregate(self, node: ast.Aggregate, asked: bool) -> None:
        self.check_expression(node.each.collection, asked)
        self.check_plain(node.body, asked)
        if node.word == "list" and self.sort_of_node(node.each.collection) != "plain":
            raise TellsApart("a list in the order of the seats")

    def check_membership(self, node: ast.In, asked: bool) -> None:
        self.check_expression(node.item, asked)
        self.check_expression(node.collection, asked)
        item, collection = self.sort_of_node(node.item), self.sort_of_node(node.collection)
        if collection != (item if item == "plain" else f"several {item}"):
            raise TellsApart("a seat among something else")

    def check_combinations(self, node: ast.Combinations, asked: bool) -> None:
        """Ways to take some of what belongs to no seat: whoever asks, they come in the same order."""
        self.check_plain(node.low, asked)
        self.check_plain(node.high, asked)
        self.check_plain(node.collection, asked)

    def check_is_empty(self, node: ast.IsEmpty, asked: bool) -> None:
        self.check_expression(node.collection, asked)

    def check_best(self, node: ast.Best, asked: bool) -> None:
        """The first of several has to be the same one."""
        self.check_expression(node.each.collection, asked)
        self.check_plain(node.key, asked)
        if self.sort_of_node(node.each.collection) != "plain":
            raise TellsApart("the first one in the order of the seats")

    def check_can(self, node: ast.Can, asked: bool) -> None:
        if not asked:
            raise TellsApart("what one of them can do")  # the actions themselves are looked at

    def check_plain_parts(self, node: Any, asked: bool) -> None:
        for part in children(node):
            assert isinstance(part, Operand)
            self.check_plain(part, asked)

    def check_set(self, node: ast.SetOf | ast.Literal, asked: bool) -> None:
        if self.sort_of_node(node) != "plain":
            raise TellsApart("a seat is named")
        self.check_plain_parts(node, asked)

    def check_comparison(self, node: ast.Compare, asked: bool) -> None:
        self.check_same_sort(node.left, node.right, asked)
        if node.operator not in {"=", "is", "is not"}:
            self.check_plain(node.left, asked)
            self.check_plain(node.right, asked)

    def check_if_else(self, node: ast.IfElse, asked: bool) -> None:
        self.check_plain(node.condition, asked)
        self.check_same_sort(node.then, node.otherwise, asked)

    # ---- what is changed

    def check_change(self, done: Assign | Adjust | Move, asked: bool) -> None:
        match done:
            case Assign(place=place, value=value):
                self.check_same_sort(place.node, value, asked)
            case Adjust(place=place, amount=amount):
                self.check_plain(place.node, asked)
                self.check_plain(amount, asked)
            case Move(transfers=transfers):
                for transfer in transfers:
                    self.check_transfer(transfer, asked)
            case _:
                assert_never(done)

    def check_transfer(self, transfer: Transfer, asked: bool) -> None:
        taken, target, order = transfer.taken, transfer.target, transfer.order
        if isinstance(taken, TakeSome):
            self.check_plain(taken.amount, asked)
        self.check_expression(collection_taken(taken), asked)
        self.check_expression(target.place.node, asked)
        self.check_plain(order.key if order else None, asked)
        is_open = target.room.declaration.kind in {"set", "place"}  # no order, or one alone
        if not is_open and self.sort_of_node(taken.what).startswith("several"):
            raise TellsApart("several are put down in the order of the seats")


def collection_taken(taken: Taken) -> Operand:
    """What is moved, or some of it."""
    return taken.collection if isinstance(taken, TakeSome) else taken.what


READERS: dict[type[ast.Node], Callable[[SeatExpressionCheck, Any, bool], None]] = {
    ast.Number: SeatExpressionCheck.check_literal,
    ast.Truth: SeatExpressionCheck.check_literal,
    ast.Text: SeatExpressionCheck.check_literal,
    ast.Nothing: SeatExpressionCheck.check_nothing,
    ast.Name: SeatExpressionCheck.check_name,
    ast.Call: SeatExpressionCheck.check_call,
    ast.Index: SeatExpressionCheck.check_index,
    ast.Of: SeatExpressionCheck.check_of,
    ast.Filter: SeatExpressionCheck.check_filter,
    ast.Quantified: SeatExpressionCheck.check_quantified,
    ast.Aggregate: SeatExpressionCheck.check_aggregate,
    ast.In: SeatExpressionCheck.check_membership,
    ast.Combinations: SeatExpressionCheck.check_combinations,
    ast.IsEmpty: SeatExpressionCheck.check_is_empty,
    ast.SetOf: SeatExpressionCheck.check_set,
    ast.Literal: SeatExpressionCheck.check_set,
    ast.Compare: SeatExpressionCheck.check_comparison,
    ast.IfElse: SeatExpressionCheck.check_if_else,
    ast.Best: SeatExpressionCheck.check_best,
    ast.Can: SeatExpressionCheck.check_can,
    ast.Item: SeatExpressionCheck.check_plain_parts,
    ast.And: SeatExpressionCheck.check_plain_parts,
    ast.Or: SeatExpressionCheck.check_plain_parts,
    ast.Not: SeatExpressionCheck.check_plain_parts,
    ast.Arithmetic: SeatExpressionCheck.check_plain_parts,
    ast.Negate: SeatExpressionCheck.check_plain_parts,
    ast.Range: SeatExpressionCheck.check_plain_parts,
    ast.Before: SeatExpressionCheck.check_plain_parts,
}
