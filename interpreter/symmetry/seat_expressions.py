"""Whether an expression says the same of every seat: takes expressions, refuses what is not known.

`asked`: `player` is a seat that is known there (of an effect, a score, a loop); elsewhere it would name the first seat.
"""

from __future__ import annotations

from typing import assert_never

from attrs import define, field

from rulesrun.dsl.typing import types
from rulesrun.dsl.typing.program import AllOf, BuiltinMeaning, WordMeaning
from rulesrun.interpreter.model import core
from rulesrun.interpreter.model.core import Adjust, Assign, Move, Operand, Taken, TakeSome, Transfer
from rulesrun.interpreter.model.core_lowering import lower_expression
from rulesrun.interpreter.model.domains import declared_type
from rulesrun.interpreter.model.places import find_zone
from rulesrun.interpreter.model.values import RefusedTable
from rulesrun.interpreter.reference.table import Table

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

    def sort_of_node(self, node: Operand) -> Sort:
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

    def sort_of_written_type(self, written: core.WrittenType | None) -> Sort:
        if written is None:
            raise TellsApart("a rule, not a value")
        return self.sort_of_declared(declared_type(self.table.bench, written))

    def may_be_nothing(self, written: core.WrittenType) -> bool:
        return isinstance(declared_type(self.table.bench, written), types.OptionalOf)

    def sort_of_declared(self, of_type: types.Type) -> Sort:
        match of_type:
            case types.OptionalOf(item):
                return self.sort_of_declared(item)
            case types.OrderOf(item):
                if self.sort_of_declared(item) != "plain":
                    raise TellsApart("several seats in an order")
                return "plain"
            case types.CollectionOf(item):
                inner = self.sort_of_declared(item)
                return inner if inner == "plain" else f"several {inner}"
            case _:
                return self.sort_of_type(of_type)

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

    def check_expression(self, node: Operand, asked: bool) -> None:
        self.check_operation(self.lower(node), asked)

    def lower(self, node: Operand) -> core.Core:
        try:
            return lower_expression(self.table.bench, node)
        except RefusedTable:
            raise TellsApart("it has no meaning at this table") from None

    def check_operation(self, one: core.Core, asked: bool) -> None:
        match one:
            case core.Constant() | core.Register() | core.Element() | core.Current():
                is_fine = self.is_known_name(one, asked)
            case core.Contents() | core.Attribute():
                is_fine = self.is_known_place(one, asked)
            case core.Definition() | core.CaseLookup():
                is_fine = self.is_known_call(one, asked)
            case core.Opponents() | core.Points() | core.Standing() | core.Can():
                is_fine = asked  # of what can be done the actions themselves are looked at
            case core.ForPlayer() | core.Neighbour():
                is_fine = self.is_of_seat(one, asked)
            case core.Count() | core.Fold() | core.EndOf():
                is_fine = self.is_of_several(one, asked)
            case core.ItemAt(is_index=False) | core.Extreme() | core.Logic() | core.Not() | core.Arithmetic():
                is_fine = self.has_plain_parts(one, asked)
            case core.Negate() | core.Range() | core.Before() | core.Combinations():
                is_fine = self.has_plain_parts(one, asked)  # ways to take some come in the same order for all of them
            case core.SetOf() | core.Literal():
                is_fine = self.sort_of_node(one.node) == "plain" and self.has_plain_parts(one, asked)
            case core.Filter() | core.Quantified() | core.Aggregate() | core.Best():
                is_fine = self.is_known_loop(one, asked)
            case core.In() | core.IsEmpty() | core.Compare() | core.IfElse():
                is_fine = self.compares_same_sorts(one, asked)
            case _:
                is_fine = False
        if not is_fine:
            raise TellsApart("something that is not known to be the same for every seat")

    def has_plain_parts(self, one: core.Core, asked: bool) -> bool:
        for part in core.list_operands(one):
            self.check_plain(part, asked)
        return True

    def is_known_name(self, one: core.Constant | core.Register | core.Element | core.Current, asked: bool) -> bool:
        match one:
            case core.Constant(node, value, None):
                return value is None or self.sort_of_node(node) == "plain"
            case core.Constant(meaning=core.Option(type=written)):
                return self.sort_of_written_type(written) == "plain"
            case core.Constant(meaning=BuiltinMeaning(word)):
                return word == "players"
            case core.Constant(meaning=meaning):
                return isinstance(meaning, WordMeaning | AllOf | core.Phase)
            case core.Element(node):
                return not isinstance(self.table.bench.meaning(node), BuiltinMeaning)
            case core.Register(binder=core.Deal(alias=alias, each=is_each)):
                return alias is not None and not is_each
            case core.Current(what="player"):
                return asked
            case core.Current(what="starter"):
                return self.knows_starter
            case core.Register() | core.Current(what="round" | "phase"):
                return True
            case _:
                return False

    def is_known_place(self, one: core.Contents | core.Attribute, asked: bool) -> bool:
        if isinstance(one, core.Contents):
            self.check_keys(one.room.declaration, one.keys, asked)
            if one.owner is None:
                is_fine = asked or not one.room.declaration.per_player
            else:
                self.check_expression(one.owner, asked)
                is_fine = self.sort_of_node(one.owner) == "player"
            return is_fine and len(one.keys) == len(one.room.keys)
        is_fine = one.meaning.attribute.type is not None or asked
        if isinstance(one.owner, core.Element):
            return is_fine
        self.check_expression(one.owner, asked)
        sort = self.sort_of_node(one.owner)
        return is_fine and sort != "player" and not sort.startswith("several")

    def is_known_call(self, called: core.Definition | core.CaseLookup, asked: bool) -> bool:
        """`asked` is what the arguments know; what a line of the score says is looked at by itself."""
        meaning = called.table if isinstance(called, core.CaseLookup) else called.meaning
        if isinstance(meaning, core.ScoreLine):
            return asked
        for parameter, one in zip(meaning.parameters, called.arguments, strict=True):
            self.check_expression(one, asked)
            if self.sort_of_node(one) != self.sort_of_written_type(parameter.type):
                return False  # a seat beside something else
        if isinstance(meaning, core.Define):
            self.check_definition(meaning, asked)
            return True
        if any(self.sort_of_written_type(one.type) != "plain" for one in meaning.parameters):
            return False  # a table of seats
        for entry in meaning.entries:
            for one in (entry.value, *(entry.keys or ())):
                self.check_plain(one, asked)
        return True

    def check_definition(self, meaning: core.Define, asked: bool) -> None:
        if (id(meaning), asked) not in self.known:
            self.check_expression(meaning.body, asked)
            self.known.add((id(meaning), asked))

    def check_keys(self, room: core.Zone | core.Variable, keys: tuple[Operand, ...], asked: bool) -> None:
        if any(self.sort_of_written_type(one) != "plain" for one in room.keys):
            raise TellsApart("a key that is a seat")
        for key in keys:
            self.check_plain(key, asked)

    # ---- `X of Y`

    def is_of_seat(self, one: core.ForPlayer | core.Neighbour, asked: bool) -> bool:
        owner = one.player if isinstance(one, core.Neighbour) else one.owner
        self.check_expression(owner, asked)
        if self.sort_of_node(owner) != "player":
            return False
        if isinstance(one, core.Neighbour):
            return self.around or self.table.players == 2  # the other one
        match self.lower(one.subject):
            case core.Definition() as called:
                return self.is_known_call(called, True)
            case core.Points() | core.Standing():
                return True
            case _:
                return False

    def is_of_several(self, one: core.Count | core.Fold | core.EndOf, asked: bool) -> bool:
        self.check_expression(one.collection, asked)
        sort = self.sort_of_node(one.collection)
        match one:
            case core.Count():
                return sort != "player"
            case core.Fold():
                return sort == "plain"
            case core.EndOf():
                return sort == "plain" or (sort != "player" and self.has_own_order(one.collection))
            case _:
                assert_never(one)

    def has_own_order(self, collection: Operand) -> bool:
        room = find_zone(self.table.bench, collection)
        return room is not None and room.declaration.kind != "set" and room.declaration.sort_key is None

    # ---- several

    def is_known_loop(self, one: core.Filter | core.Quantified | core.Aggregate | core.Best, asked: bool) -> bool:
        """A list has to have the same order for all of them, the first of several to be the same one."""
        collection = one.collection if isinstance(one, core.Filter) else one.each.collection
        self.check_expression(collection, asked)
        match one:
            case core.Filter(condition=body) | core.Quantified(body=body) | core.Aggregate(body=body):
                self.check_plain(body, asked)
            case core.Best(key=key):
                self.check_plain(key, asked)
            case _:
                assert_never(one)
        goes_by_order = isinstance(one, core.Best) or (isinstance(one, core.Aggregate) and one.word == "list")
        return not goes_by_order or self.sort_of_node(collection) == "plain"

    def compares_same_sorts(self, one: core.In | core.IsEmpty | core.Compare | core.IfElse, asked: bool) -> bool:
        match one:
            case core.IsEmpty(_, collection):
                self.check_expression(collection, asked)
            case core.In(_, what, collection):
                self.check_expression(what, asked)
                self.check_expression(collection, asked)
                item = self.sort_of_node(what)
                return self.sort_of_node(collection) == (item if item == "plain" else f"several {item}")
            case core.Compare(_, operator, left, right):
                self.check_same_sort(left, right, asked)
                if operator not in {"=", "is not"}:
                    self.check_plain(left, asked)
                    self.check_plain(right, asked)
            case core.IfElse(_, condition, then, otherwise):
                self.check_plain(condition, asked)
                self.check_same_sort(then, otherwise, asked)
            case _:
                assert_never(one)
        return True

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
