"""How many elements a collection can have. Takes expressions whose types are known."""

from __future__ import annotations

from math import comb

from rulesrun.dsl import ast
from rulesrun.dsl.typing.intervals import COUNT
from rulesrun.dsl.typing.notebook import Notebook
from rulesrun.dsl.typing.program import AllOf, BuiltinMeaning, Meaning
from rulesrun.dsl.typing.relations import PLAYER, item_of
from rulesrun.dsl.typing.types import ComponentOf, NumberOf, Type, WordOf

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
