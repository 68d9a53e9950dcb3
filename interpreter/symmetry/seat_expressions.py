"""Whether an expression says the same of every seat: takes expressions, refuses what is not known.

`asked`: `player` is a seat that is known there (of an effect, a score, a loop); elsewhere it would name the first seat.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, assert_never

from attrs import define, field

from rulesrun.dsl import ast
from rulesrun.dsl.ast.walk import children
from rulesrun.dsl.typing.program import AllOf, AttributeMeaning, BuiltinMeaning, ItMeaning, WordMeaning
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
    WordOf,
)
from rulesrun.interpreter.model.places import zone_meant
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.symmetry.symmetric_words import ENDS, end_of

OF_ALL = {"sum", "highest", "lowest", "sorted", "list"}
ANYONES = ast.Each | ast.Choice | ast.Parameter | ast.Phase | ItMeaning | WordMeaning | AllOf
ANYTIME = {"players", "round", "phase"}
Sort = str  # plain, nothing, player, the name of a kind that belongs to seats; with `several ` before it


class TellsApart(Exception):
    """Here one seat may be told from another."""


@define(eq=False)
class SeatWords:
    """`around`: all move on by as many seats, so that who sits left of whom stays; `knows_starter`: it was drawn."""

    table: Table
    moved: set[str]  # kinds of components that belong to seats
    around: bool = False
    knows_starter: bool = False
    known: set[tuple[int, bool]] = field(factory=set)  # definitions that were looked at

    # ---- what a value is, as far as seats go

    def sort(self, node: ast.Node) -> Sort:
        return self.sort_of(self.table.bench.type_of(node))

    def sort_of(self, of_type: Type | None) -> Sort:
        match of_type:
            case OptionalOf(item):
                return self.sort_of(item)
            case PlayerOf():
                return "player"
            case ComponentOf(kind):
                return kind if kind in self.moved else "plain"
            case CollectionOf(item) | OrderOf(item):
                inner = self.sort_of(item)
                return inner if inner == "plain" else f"several {inner}"
            case NothingOf():
                return "nothing"
            case NumberOf() | TruthOf() | WordOf() | TextOf():
                return "plain"
            case _:
                raise TellsApart("it is not known what this is")

    def sort_written(self, written: ast.TypeExpr | None) -> Sort:
        match written:
            case ast.PlayerType():
                return "player"
            case ast.Optional(item):
                return self.sort_written(item)
            case ast.NamedType(name):
                return name.text if name.text in self.moved else "plain"
            case ast.OrderType(item) | ast.RowType(item):
                if self.sort_written(item) != "plain":
                    raise TellsApart("several seats in an order")
                return "plain"
            case ast.WordsType(or_player=True) | None:
                raise TellsApart("a word or a seat")
            case ast.WordsType() | ast.RangeType() | ast.TruthType():
                return "plain"
            case _:
                assert_never(written)

    # ---- expressions

    def plain(self, node: ast.Expr | None, asked: bool) -> None:
        """Neither a seat nor something of a seat: a number, a truth, a word; several of these."""
        if node is not None:
            self.of(node, asked)
            if self.sort(node) not in {"plain", "nothing"}:
                raise TellsApart("a seat is used as something else")

    def same(self, one: ast.Expr, other: ast.Expr, asked: bool) -> None:
        """A number beside a player would name a seat."""
        self.of(one, asked)
        self.of(other, asked)
        sorts = {self.sort(one), self.sort(other)} - {"nothing"}
        if len(sorts) > 1 or any(sort.startswith("several") for sort in sorts):
            raise TellsApart("a seat beside something else")

    def of(self, node: ast.Node, asked: bool) -> None:
        read = READERS.get(type(node))
        if read is None:
            raise TellsApart("an expression that is not known here")
        read(self, node, asked)

    def literally(self, node: ast.Number | ast.Truth | ast.Text, asked: bool) -> None:
        if self.sort(node) != "plain":
            raise TellsApart("a seat is named")

    def nothing(self, node: ast.Nothing, asked: bool) -> None:
        pass

    def name(self, node: ast.Name, asked: bool) -> None:
        meaning = self.table.bench.meaning(node)
        match meaning:
            case BuiltinMeaning("player" | "opponents" | "total" | "place") | ast.ScoreLine():
                is_fine = asked
            case BuiltinMeaning("starter"):
                is_fine = self.knows_starter
            case ast.Zone(keys=()) | ast.Variable(keys=()):
                is_fine = asked or not meaning.per_player
            case ast.Option(type=written):
                is_fine = self.sort_written(written) == "plain"
            case ast.Define(parameters=()):
                self.defined(meaning, asked)
                is_fine = True
            case AttributeMeaning(attribute=attribute):
                is_fine = attribute.type is not None or asked
            case ast.Deal(alias=alias, each=False):
                is_fine = alias is not None
            case _:
                is_fine = isinstance(meaning, ANYONES) or any(is_builtin(meaning, word) for word in ANYTIME)
        if not is_fine:
            raise TellsApart(f"`{node.text}` may be of one seat")

    def defined(self, meaning: ast.Define, asked: bool) -> None:
        if (id(meaning), asked) not in self.known:
            self.of(meaning.body, asked)
            self.known.add((id(meaning), asked))

    def call(self, node: ast.Call, asked: bool) -> None:
        meaning = self.table.bench.meaning(node.name)
        match meaning:
            case BuiltinMeaning("smallest" | "largest"):
                for one in node.arguments:
                    self.plain(one, asked)
            case BuiltinMeaning("counted" | "latest") if asked:
                pass
            case ast.Define(parameters=parameters) | ast.Table(parameters=parameters):
                for parameter, one in zip(parameters, node.arguments, strict=True):
                    self.of(one, asked)
                    if self.sort(one) != self.sort_written(parameter.type):
                        raise TellsApart("a seat beside something else")
                self.called(meaning, asked)
            case _:
                raise TellsApart("a call that is not known here")

    def called(self, meaning: ast.Define | ast.Table, asked: bool) -> None:
        if isinstance(meaning, ast.Define):
            self.defined(meaning, asked)
        elif any(self.sort_written(one.type) != "plain" for one in meaning.parameters):
            raise TellsApart("a table of seats")
        else:
            for entry in meaning.entries:
                for one in (entry.value, *(entry.keys or ())):
                    self.plain(one, asked)

    def index(self, node: ast.Index, asked: bool) -> None:
        meaning = self.table.bench.meaning(node.name)
        if not isinstance(meaning, ast.Zone | ast.Variable) or not meaning.keys or (meaning.per_player and not asked):
            raise TellsApart("an index that is not known here")
        self.keys(meaning, node.keys, asked)

    def keys(self, room: ast.Zone | ast.Variable, keys: tuple[ast.Expr, ...], asked: bool) -> None:
        if any(self.sort_written(one) != "plain" for one in room.keys):
            raise TellsApart("a key that is a seat")
        for key in keys:
            self.plain(key, asked)

    # ---- `X of Y`

    def of_owner(self, node: ast.Of, asked: bool) -> None:
        self.of(node.owner, asked)
        subject, sort = node.subject, self.sort(node.owner)
        name = subject.name if isinstance(subject, ast.Index | ast.Call) else subject
        meaning = self.table.bench.meaning(name) if isinstance(name, ast.Name) else None
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

    def is_of_seat(self, subject: ast.Expr, meaning: object, asked: bool) -> bool:
        match meaning:
            case ast.Zone(per_player=True) | ast.Variable(per_player=True):
                self.keys(meaning, subject.keys if isinstance(subject, ast.Index) else (), asked)
                return True
            case ast.Define(parameters=()):
                self.defined(meaning, True)
                return True
            case ast.Define() if isinstance(subject, ast.Call):
                self.call(subject, True)
                return True
            case BuiltinMeaning("left" | "right"):
                return self.around or self.table.players == 2  # the other one
            case BuiltinMeaning("counted" | "latest"):
                return isinstance(subject, ast.Call)
            case _:
                is_points = is_builtin(meaning, "total") or is_builtin(meaning, "place")
                return is_points or isinstance(meaning, ast.ScoreLine)

    def has_own_order(self, collection: ast.Expr) -> bool:
        room = zone_meant(self.table.bench, collection)
        return room is not None and room.declaration.kind != "set" and room.declaration.sort_key is None

    # ---- several

    def filter(self, node: ast.Filter, asked: bool) -> None:
        self.of(node.collection, asked)
        self.plain(node.condition, asked)

    def quantified(self, node: ast.Quantified, asked: bool) -> None:
        self.of(node.each.collection, asked)
        self.plain(node.body, asked)

    def aggregate(self, node: ast.Aggregate, asked: bool) -> None:
        self.of(node.each.collection, asked)
        self.plain(node.body, asked)
        if node.word == "list" and self.sort(node.each.collection) != "plain":
            raise TellsApart("a list in the order of the seats")

    def is_in(self, node: ast.In, asked: bool) -> None:
        self.of(node.item, asked)
        self.of(node.collection, asked)
        item, collection = self.sort(node.item), self.sort(node.collection)
        if collection != (item if item == "plain" else f"several {item}"):
            raise TellsApart("a seat among something else")

    def is_empty(self, node: ast.IsEmpty, asked: bool) -> None:
        self.of(node.collection, asked)

    def best(self, node: ast.Best, asked: bool) -> None:
        """The first of several has to be the same one."""
        self.of(node.each.collection, asked)
        self.plain(node.key, asked)
        if self.sort(node.each.collection) != "plain":
            raise TellsApart("the first one in the order of the seats")

    def can(self, node: ast.Can, asked: bool) -> None:
        if not asked:
            raise TellsApart("what one of them can do")  # the actions themselves are looked at

    def plain_parts(self, node: Any, asked: bool) -> None:
        for part in children(node):
            assert isinstance(part, ast.Expr)
            self.plain(part, asked)

    def set_of(self, node: ast.SetOf | ast.Literal, asked: bool) -> None:
        if self.sort(node) != "plain":
            raise TellsApart("a seat is named")
        self.plain_parts(node, asked)

    def compare(self, node: ast.Compare, asked: bool) -> None:
        self.same(node.left, node.right, asked)
        if node.operator not in {"=", "is", "is not"}:
            self.plain(node.left, asked)
            self.plain(node.right, asked)

    def if_else(self, node: ast.IfElse, asked: bool) -> None:
        self.plain(node.condition, asked)
        self.same(node.then, node.otherwise, asked)

    # ---- what is changed

    def change(self, line: ast.Becomes | ast.Increases | ast.Move, asked: bool) -> None:
        match line:
            case ast.Becomes(target, value):
                self.same(target, value, asked)
            case ast.Increases(target, _, amount):
                self.plain(target, asked)
                self.plain(amount, asked)
            case ast.Move(_, what, target, order):
                self.moved_things(what, asked)
                self.of(end_of(target), asked)
                self.plain(order.key if order else None, asked)
                room = zone_meant(self.table.bench, end_of(target))
                is_open = room is not None and room.declaration.kind in {"set", "place"}  # no order, or one alone
                if room is None or (not is_open and self.sort(what).startswith("several")):
                    raise TellsApart("several are put down in the order of the seats")

    def moved_things(self, what: ast.Expr, asked: bool) -> None:
        if isinstance(what, ast.Of) and self.is_some_of(what):
            self.plain(what.subject, asked)
        self.of(self.all_of(what), asked)

    def is_some_of(self, what: ast.Of) -> bool:
        """`2 of hand`."""
        is_name = isinstance(what.subject, ast.Name | ast.Index | ast.Call)
        return not is_name and isinstance(self.table.bench.type_of(what.subject), NumberOf)

    def all_of(self, what: ast.Expr) -> ast.Expr:
        return what.owner if isinstance(what, ast.Of) and self.is_some_of(what) else what


def is_builtin(meaning: object, word: str) -> bool:
    return isinstance(meaning, BuiltinMeaning) and meaning.name == word


READERS: dict[type[ast.Node], Callable[[SeatWords, Any, bool], None]] = {
    ast.Number: SeatWords.literally, ast.Truth: SeatWords.literally, ast.Text: SeatWords.literally,
    ast.Nothing: SeatWords.nothing, ast.Name: SeatWords.name, ast.Call: SeatWords.call, ast.Index: SeatWords.index,
    ast.Of: SeatWords.of_owner, ast.Filter: SeatWords.filter, ast.Quantified: SeatWords.quantified,
    ast.Aggregate: SeatWords.aggregate, ast.In: SeatWords.is_in, ast.IsEmpty: SeatWords.is_empty,
    ast.SetOf: SeatWords.set_of, ast.Literal: SeatWords.set_of, ast.Compare: SeatWords.compare,
    ast.IfElse: SeatWords.if_else, ast.Best: SeatWords.best, ast.Can: SeatWords.can, ast.Item: SeatWords.plain_parts,
    ast.And: SeatWords.plain_parts, ast.Or: SeatWords.plain_parts, ast.Not: SeatWords.plain_parts,
    ast.Arithmetic: SeatWords.plain_parts, ast.Negate: SeatWords.plain_parts, ast.Range: SeatWords.plain_parts,
    ast.Before: SeatWords.plain_parts,
}
