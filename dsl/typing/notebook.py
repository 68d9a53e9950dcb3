"""What is found out about a game while its expressions are read: the side tables, and the complaints."""

from __future__ import annotations

from collections.abc import Callable
from math import comb

from attrs import define, field

from rulesrun.dsl import ast
from rulesrun.dsl.ast.named_values import name_of
from rulesrun.dsl.diagnostics.diagnostic import Diagnostic, Edit, Related
from rulesrun.dsl.text.articles import with_article
from rulesrun.dsl.text.messages import message
from rulesrun.dsl.typing import types
from rulesrun.dsl.typing.names import DeclaredNames, Scope
from rulesrun.dsl.typing.program import AllOf, BuiltinMeaning, Meaning
from rulesrun.dsl.typing.types import CollectionOf, ComponentOf, NumberOf, PlayerOf, TruthOf, Type, WordOf, split_kinds

# ---- intervals
# Arithmetic of bounds: what a sum or a product of bounded numbers can be at least and at most.


LIMIT = 10**12
ANY = NumberOf(-LIMIT, LIMIT)
COUNT = NumberOf(0, LIMIT)


def clamp_bounds(low: int, high: int) -> NumberOf:
    """The bounds, kept within what the checker follows."""
    return NumberOf(max(-LIMIT, min(LIMIT, low)), max(-LIMIT, min(LIMIT, high)))


def join_bounds(left: NumberOf, right: NumberOf) -> NumberOf:
    return NumberOf(min(left.low, right.low), max(left.high, right.high))


def is_disjoint(left: NumberOf, right: NumberOf) -> bool:
    return left.high < right.low or right.high < left.low


def negate_bounds(value: NumberOf) -> NumberOf:
    return NumberOf(-value.high, -value.low)


def calculate_bounds(operator: str, left: NumberOf, right: NumberOf) -> NumberOf:
    """The bounds of `left operator right`; a division by zero counts for nothing, it is a fault of its own."""
    if LIMIT in {left.high, right.high, -left.low, -right.low}:
        return _calculate_open_bounds(operator, left, right)
    match operator:
        case "+":
            return clamp_bounds(left.low + right.low, left.high + right.high)
        case "-":
            return clamp_bounds(left.low - right.high, left.high - right.low)
        case "*":
            corners = [a * b for a in (left.low, left.high) for b in (right.low, right.high)]
            return clamp_bounds(min(corners), max(corners))
        case "mod":
            return _remainder_bounds(left, right)
        case _:
            return _quotient_bounds(operator, left, right)


def _calculate_open_bounds(operator: str, left: NumberOf, right: NumberOf) -> NumberOf:
    """Where a bound is not known: only signs and remainders can be followed."""
    if operator == "mod":
        return _remainder_bounds(left, right)
    if operator in {"+", "*", "div", "/"} and left.low >= 0 and right.low >= 0:
        return COUNT
    return ANY


def _remainder_bounds(left: NumberOf, right: NumberOf) -> NumberOf:
    if left.low >= 0 and left.high < right.low:
        return left
    return NumberOf(min(0, right.low + 1), max(0, right.high - 1))


def _extreme_divisors(value: NumberOf) -> list[int]:
    near_zero = [at for at in (-1, 1) if value.low <= at <= value.high]
    return [at for at in (value.low, value.high) if at != 0] + near_zero


def _quotient_bounds(operator: str, left: NumberOf, right: NumberOf) -> NumberOf:
    divisors = _extreme_divisors(right)
    if not divisors:
        return ANY
    floors = [a // b for a in (left.low, left.high) for b in divisors]
    ceilings = [-(-a // b) for a in (left.low, left.high) for b in divisors]
    return clamp_bounds(min(floors), max(floors if operator == "div" else ceilings))


def sum_bounds(value: NumberOf, most: int) -> NumberOf:
    """The sum of up to `most` such numbers."""
    if LIMIT in {value.high, -value.low} or most >= LIMIT:
        return COUNT if value.low >= 0 else ANY
    return clamp_bounds(min(0, value.low * most), max(0, value.high * most))


# ---- relations
# How types relate: what fits where, what two have in common, how a type is called in a message. Pure functions.


TRUTH = types.TruthOf()
PLAYER = types.PlayerOf()
NOTHING = types.NothingOf()
UNKNOWN = types.Unknown()
PLAYERS = types.CollectionOf(PLAYER)


def describe_type(type: types.Type) -> str:
    """The type as an author would say it."""
    match type:
        case types.NumberOf():
            return message("a number")
        case types.TruthOf():
            return message("yes or no")
        case types.PlayerOf():
            return message("a player")
        case types.WordOf(name=name):
            return message("a phase") if name == "phase" else message("a value of `{name}`", name=name)
        case types.ComponentOf():
            return types.EITHER.join(map(with_article, type.members))
        case types.OrderOf(item=item):
            return message("an order of {several}", several=_describe_several(item))
        case types.CollectionOf(item=item, is_zone=is_zone):
            return (
                f"{'a zone' if is_zone else 'several'} of {_describe_several(item)}"
                if is_zone
                else _describe_several(item)
            )
        case types.OptionalOf(item=item):
            return message("{item_type} or nothing", item_type=describe_type(item))
        case types.NothingOf():
            return "nothing"
        case types.TextOf():
            return message("a text")
        case types.Unknown():
            return "something"


def _describe_several(type: types.Type) -> str:
    match type:
        case types.NumberOf():
            return message("several numbers")
        case types.PlayerOf():
            return message("several players")
        case types.ComponentOf(kind=kind):
            return f"several {kind}"
        case types.WordOf(name=name):
            return message("several values of `{name}`", name=name)
        case _:
            return message("several values")


def strip_optional(type: types.Type) -> types.Type:
    """Without `or nothing`."""
    return type.item if isinstance(type, types.OptionalOf) else type


def item_of(type: types.Type) -> types.Type | None:
    """What a collection is made of; None for what is not a collection."""
    match type:
        case types.CollectionOf(item=item) | types.OrderOf(item=item):
            return item
        case types.Unknown():
            return UNKNOWN
        case _:
            return None


def is_assignable(expected: types.Type, found: types.Type) -> bool:
    """Whether a value of the type found may stand where the other is expected."""
    match expected, found:
        case (types.Unknown(), _) | (_, types.Unknown()):
            return True
        case (types.OptionalOf(item=item), types.NothingOf()):
            return True
        case (types.OptionalOf(item=item), _):
            return is_assignable(item, strip_optional(found))
        case (_, types.OptionalOf(item=item)):
            return is_assignable(expected, item)
        case (types.NumberOf(), types.NumberOf()):
            return True
        case (types.ComponentOf(), types.ComponentOf()):
            return set(found.members) <= set(expected.members)
        case (types.WordOf(name=a, words=left), types.WordOf(name=b, words=right)):
            return a == b and left == right
        case (types.CollectionOf(item=a) | types.OrderOf(item=a), types.CollectionOf(item=b) | types.OrderOf(item=b)):
            return is_assignable(a, b) or is_assignable(b, a)
        case _:
            return expected == found


def is_comparable(left: types.Type, right: types.Type) -> bool:
    """Whether `=` between them can make sense."""
    if isinstance(left, types.NothingOf) or isinstance(right, types.NothingOf):
        other = right if isinstance(left, types.NothingOf) else left
        return isinstance(other, types.OptionalOf | types.NothingOf | types.Unknown)
    one, other = strip_optional(left), strip_optional(right)
    if isinstance(one, types.ComponentOf) and isinstance(other, types.ComponentOf):
        return not set(one.members).isdisjoint(other.members)
    return is_assignable(left, right) or is_assignable(right, left)


def join_types(left: types.Type, right: types.Type) -> types.Type | None:
    """The type of something that is one or the other; None when they have nothing in common."""
    match left, right:
        case (types.Unknown(), _) | (_, types.Unknown()):
            return UNKNOWN
        case (types.NumberOf(), types.NumberOf()):
            return join_bounds(left, right)
        case (types.NothingOf(), types.NothingOf()):
            return NOTHING
        case (types.NothingOf(), other) | (other, types.NothingOf()):
            return other if isinstance(other, types.OptionalOf) else types.OptionalOf(other)
        case (types.OptionalOf(item=a), b) | (b, types.OptionalOf(item=a)):
            inner = join_types(a, strip_optional(b))
            return None if inner is None else types.OptionalOf(inner)
        case (types.CollectionOf(item=a), types.CollectionOf(item=b)):
            inner = join_types(a, b)
            return None if inner is None else types.CollectionOf(inner)
        case (types.ComponentOf(), types.ComponentOf()) if is_assignable(right, left):
            return right
        case _:
            return left if is_assignable(left, right) else None


# ---- notebook


Infer = Callable[["Notebook", ast.Expr, Scope, Type | None], Type]
TOP = Scope()
ONE = NumberOf(1, 1)
DEEPEST = 110
MOST_COMPLAINTS = 100


class TooManyComplaints(Exception):
    """The rest of the game is not looked at."""



@define(eq=False)
class Notebook:
    """`infer_expression` is set once by the module that can read every expression; the others need not know it."""

    game: ast.Game
    names: DeclaredNames
    infer_expression: Infer
    meanings: dict[ast.Node, Meaning] = field(factory=dict)
    types: dict[ast.Node, Type] = field(factory=dict)
    declared: dict[ast.Node, Type] = field(factory=dict)
    busy: list[ast.Node] = field(factory=list)
    diagnostics: list[Diagnostic] = field(factory=list)
    players: NumberOf = ONE
    rounds: NumberOf = COUNT
    kind_counts: dict[str, NumberOf] = field(factory=dict)
    oversized: set[ast.Components] = field(factory=set)
    boards_read: set[str] = field(factory=set)  # whose sizes are being read
    level: int = 0

    def report(
        self, code: str, sentence: str, node: ast.Node, hint: str | None = None, related: tuple[Related, ...] = (),
        edits: tuple[Edit, ...] = (),
    ) -> Type:  # fmt: skip
        """An error; gives the type that suppresses followers."""
        self.add_diagnostic(Diagnostic(code, sentence, node.span, hint, related=related, edits=edits))
        return UNKNOWN

    def add_diagnostic(self, found: Diagnostic) -> None:
        """Keeps it; gives up when there are too many, since every one of them costs a search for what was meant."""
        self.diagnostics.append(found)
        if len(self.diagnostics) >= MOST_COMPLAINTS:
            raise TooManyComplaints

    def infer_type(self, node: ast.Expr, scope: Scope, hint: Type | None = None) -> Type:
        """What the expression gives. The hint helps to choose among words of the same name; it demands nothing."""
        if self.level > DEEPEST:
            return self.report(
                "too-deep", message("this uses too many nested definitions or brackets"), node, message(
                    "split it into steps"
                )
            )
        self.level += 1
        found = self.infer_expression(self, node, scope, hint)
        self.level -= 1
        self.types[node] = found
        return found

    def require_type(self, node: ast.Expr, scope: Scope, expected: Type) -> Type:
        """As `infer_type`, and a complaint when it does not fit."""
        found = self.infer_type(node, scope, expected)
        if not is_assignable(expected, found):
            return self.report_wrong_type(node, expected, found)
        return found

    def report_wrong_type(self, node: ast.Expr, expected: Type, found: Type) -> Type:
        sentence = message(
            "expected {expected_type}, found {found_type}",
            expected_type=describe_type(expected),
            found_type=describe_type(found),
        )
        hint = suggest_conversion(found, expected)
        return self.report("wrong-type", sentence, node, hint, edits=convert_by_edits(node, found, expected))

    def require_number(self, node: ast.Expr, scope: Scope) -> NumberOf:
        """A number is required here; its bounds."""
        found = self.require_type(node, scope, COUNT)
        return found if isinstance(found, NumberOf) else COUNT

    def record_meaning(self, name: ast.Name, meaning: Meaning, type: Type) -> Type:
        self.meanings[name] = meaning
        self.types[name] = type
        return type

    def meaning_of_place(self, node: ast.Expr) -> Meaning | None:
        """Of the name behind `x`, `x[k]`, `x of p`."""
        name = name_of(node)
        return self.meanings.get(name) if name is not None else None

    def phase_words(self) -> WordOf:
        return WordOf("phase", tuple(self.names.phases))

    def copies_of_kind(self, kind: str) -> NumberOf:
        """How many components of a kind there are, over all tables."""
        found = [self.kind_counts.get(one, COUNT) for one in split_kinds(kind)]
        return NumberOf(sum(one.low for one in found), min(COUNT.high, sum(one.high for one in found)))

    def find_kind(self, type: Type) -> ast.Components | None:
        """The declaration of a component type."""
        found = self.names.things.get(type.kind) if isinstance(type, ComponentOf) else None
        return found if isinstance(found, ast.Components) else None


    def find_board(self, type: Type | None) -> ast.Components | None:
        """The declaration of the board that a place belongs to."""
        found = self.find_kind(type) if type is not None else None
        return found if found is not None and found.board is not None else None


def find_marker_of_board(book: Notebook, type: Type | None) -> str | None:
    """The only marker that says what stands on the places of a board."""
    board = book.find_board(type)
    found = [
        thing.name.text for thing in book.names.things.values()
        if board is not None and isinstance(thing, ast.Variable) and thing.word == "marker" and len(thing.keys) == 1
        and isinstance(thing.keys[0], ast.NamedType) and thing.keys[0].name.text == board.name.text
    ]  # fmt: skip
    return found[0] if len(found) == 1 else None


def is_kept_for(book: Notebook, marker: ast.Variable, type: Type | None) -> bool:
    """Whether it says what stands on the places of the board: `wall[Cell]` of a `Cell`."""
    board = book.find_board(type)
    keys = [key.name.text for key in marker.keys if isinstance(key, ast.NamedType)]
    return board is not None and marker.word == "marker" and keys == [board.name.text] and len(marker.keys) == 1


def convert_by_edits(node: ast.Expr, found: Type, expected: Type) -> tuple[Edit, ...]:
    """As `suggest_conversion` says, where it can be written around what stands there."""
    start, end = node.span.start, node.span.end
    match expected, found:
        case CollectionOf(item), _ if found == item:
            return Edit(start, start, "{"), Edit(end, end, "}")
        case NumberOf(), TruthOf():
            return Edit(start, start, "(if "), Edit(end, end, " then 1 else 0)")
        case NumberOf(), CollectionOf() if isinstance(node, ast.Name | ast.Of | ast.Index | ast.Call | ast.SetOf):
            return (Edit(start, start, "count of "),)
        case NumberOf(), CollectionOf():
            return Edit(start, start, "count of ("), Edit(end, end, ")")
        case _:
            return ()


def suggest_conversion(found: Type, expected: Type) -> str | None:
    """What people mean who write the one where the other belongs."""
    match expected, found:
        case PlayerOf(), NumberOf():
            return message("the players themselves are `players`, as in `some p in players has …`")
        case PlayerOf(), CollectionOf(item=PlayerOf()):
            return message("one of them is `left of player`; to do it for all, write `each p in …` above this line")
        case TruthOf(), NumberOf():
            return message("a condition compares, as in `n = 3`; one of several values: `n in {{3, 7}}`")
        case NumberOf(), TruthOf():
            return message("as a number: `if … then 1 else 0`")
        case CollectionOf(item), _ if found == item:
            return message("a single one is a set in braces: `{{…}}`")
        case NumberOf(), CollectionOf():
            return message("for their number, write `count of …`")
        case NumberOf(), ComponentOf():
            return message("for a number, name the attribute, as in `rank of …`")
        case _:
            return None


# ---- sizes
# How many elements a collection can have. Takes expressions whose types are known.


MOST_COMBINATIONS = 100_000  # that one expression goes through
FAR_FROM_THE_ENDS = 17  # of more than this, from either end, there are too many ways


def count_combinations(amount: int, low: int, high: int) -> int:
    """How many ways there are to take so many of them, equal ones counted singly; or more than are gone through."""
    found = 0
    for size in range(max(low, 0), min(high, amount) + 1):
        if min(size, amount - size) > FAR_FROM_THE_ENDS:
            return MOST_COMBINATIONS + 1
        found += comb(amount, size)
        if found > MOST_COMBINATIONS:
            return found
    return found


def size_of(book: Notebook, node: ast.Expr) -> NumberOf:
    """The bounds of the number of elements."""
    match node:
        case ast.Name():
            return _named_size(book, node, book.meanings.get(node))
        case ast.Index(name=name) | ast.Of(subject=ast.Name() as name) | ast.Of(subject=ast.Index(name=name)):
            return _named_size(book, node, book.meanings.get(name))
        case ast.Filter(collection=collection):
            return NumberOf(0, size_of(book, collection).high)
        case ast.Joined(parts=parts):
            found = [size_of(book, part) for part in parts]
            return NumberOf(sum(one.low for one in found), min(COUNT.high, sum(one.high for one in found)))
        case ast.Combinations():
            return NumberOf(0, MOST_COMBINATIONS)
        case ast.Range():
            return _count_values(book, item_of(book.types[node])) or COUNT
        case ast.SetOf(items=items):
            return NumberOf(min(1, len(items)), len(items))
        case ast.Aggregate(distinct=False, each=each):
            return size_of(book, each.collection)
        case ast.Aggregate(each=each) | ast.Best(each=each):
            return NumberOf(0, size_of(book, each.collection).high)
        case ast.IfElse(then=then, otherwise=otherwise):
            left, right = size_of(book, then), size_of(book, otherwise)
            return NumberOf(min(left.low, right.low), max(left.high, right.high))
        case _:
            return NumberOf(0, _item_size(book, node))


def _item_size(book: Notebook, node: ast.Expr) -> int:
    item = item_of(book.types[node]) if node in book.types else None
    return book.copies_of_kind(item.kind).high if isinstance(item, ComponentOf) else COUNT.high


def _named_size(book: Notebook, node: ast.Expr, meaning: Meaning | None) -> NumberOf:
    match meaning:
        case ast.Zone(kind="place"):
            return NumberOf(0, 1)
        case ast.Zone(kinds=kinds, capacity=capacity):
            most = min(COUNT.high, sum(book.copies_of_kind(one.text).high for one in kinds))
            bound = book.types.get(capacity) if capacity is not None else None
            return NumberOf(0, min(most, bound.high) if isinstance(bound, NumberOf) else most)
        case AllOf() | ast.Variable():
            return _count_values(book, item_of(book.types[node])) or COUNT
        case BuiltinMeaning(name="players"):
            return book.players
        case BuiltinMeaning(name="opponents"):
            return NumberOf(book.players.low - 1, book.players.high - 1)
        case ast.Choice(count=ast.RangeType() as count):
            return _count_bounds(book, count)
        case ast.Option(type=ast.RowType(capacity=capacity)):
            longest = book.types.get(capacity)
            return NumberOf(0, longest.high) if isinstance(longest, NumberOf) else COUNT
        case ast.Define(parameters=(), body=body) if body in book.types:
            return size_of(book, body)
        case _:
            return NumberOf(0, _item_size(book, node))


def _count_bounds(book: Notebook, count: ast.RangeType) -> NumberOf:
    low, high = book.types.get(count.low), book.types.get(count.high)
    if isinstance(low, NumberOf) and isinstance(high, NumberOf):
        return NumberOf(low.low, high.high)
    return COUNT


def _count_values(book: Notebook, item: Type | None) -> NumberOf | None:
    """How many values a type has; of a range between bounds that vary, up to so many."""
    match item:
        case NumberOf(low=low, high=high):
            return NumberOf(0, high - low + 1)
        case WordOf(words=words):
            return NumberOf(len(words), len(words))
        case ComponentOf(kind=kind):
            return book.copies_of_kind(kind)
        case _:
            return book.players if item == PLAYER else None
