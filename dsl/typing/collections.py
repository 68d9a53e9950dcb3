"""Collections and what is asked of all their elements: `where`, `some … has`, `sum of … over`, `the … with highest`."""

from __future__ import annotations

from rulesrun.dsl import ast
from rulesrun.dsl.format.format import text_of_expression
from rulesrun.dsl.typing.declared import empty_range
from rulesrun.dsl.typing.intervals import ANY, repeated
from rulesrun.dsl.typing.names import Scope, find
from rulesrun.dsl.typing.notebook import Book
from rulesrun.dsl.typing.program import BuiltinMeaning
from rulesrun.dsl.typing.relations import PLAYER, PLAYERS, TRUTH, UNKNOWN, bare, describe, item_of
from rulesrun.dsl.typing.sizes import size_of
from rulesrun.dsl.typing.types import CollectionOf, NumberOf, Type, Unknown

COUNTING = ("count", "sum", "highest", "lowest", "list", "sorted")
MOST_VALUES = 100_000


def infer_collection(
    book: Book, node: ast.Expr, scope: Scope, hint: Type | None = None, name: str | None = None
) -> Type:
    """The type of the elements. `name`: what the element is called, for a `where` inside."""
    found = _collection(book, node, scope, hint, name)
    book.types[node] = found
    item = item_of(found)
    if item is not None:
        return item
    if bare(found) == PLAYER or isinstance(bare(found), NumberOf):
        hint_text = "write a range `1..n`, or `players`" if isinstance(found, NumberOf) else "write `players`"
        return book.report("not-a-collection", f"expected several things, found {describe(found)}", node, hint_text)
    return book.report("not-a-collection", f"expected a zone or several things, found {describe(found)}", node)


def _collection(book: Book, node: ast.Expr, scope: Scope, hint: Type | None, name: str | None) -> Type:
    match node:
        case ast.Name(text="players") if find(scope, "players", book.names) is None:
            return book.means(node, BuiltinMeaning("players"), PLAYERS)
        case ast.Filter():
            return infer_filter(book, node, scope, name)
        case _:
            return book.infer(node, scope, CollectionOf(hint) if hint is not None else None)


def infer_filter(book: Book, node: ast.Filter, scope: Scope, name: str | None = None) -> Type:
    item = infer_collection(book, node.collection, scope, name=name)
    book.require(node.condition, scope.with_element(node, item, name), TRUTH)
    return UNKNOWN if isinstance(item, Unknown) else CollectionOf(item)


def infer_each(book: Book, each: ast.Each, scope: Scope) -> Type:
    """The type of the element that a binder names."""
    item = infer_collection(book, each.collection, scope, name=each.name.text if each.name else None)
    book.types[each] = item
    if each.name is not None:
        book.means(each.name, each, item)
    return item


def element_scope(each: ast.Each, item: Type, scope: Scope) -> Scope:
    return scope.with_element(each, item, each.name.text if each.name else None)


def infer_range(book: Book, node: ast.Range, scope: Scope) -> Type:
    match node.low:
        case ast.Of(ast.Name(text=word), ast.Number() as first) if word in COUNTING:
            values = f"{first.value}..{text_of_expression(node.high)}"
            hint = f"put brackets around it: `{word} of ({values})`, `{word} of ({values} where …)`"
            return book.report("missing-brackets", f"`{word} of` takes the first number alone", node, hint)
        case _:
            pass
    low, high = book.number(node.low, scope), book.number(node.high, scope)
    if low.low > high.high:
        return empty_range(book, node, low.low, high.high)
    if high.high - low.low >= MOST_VALUES:
        return book.report(
            "too-many-values", f"the range can have more than {MOST_VALUES} numbers", node, "keep its bounds closer"
        )
    return CollectionOf(NumberOf(low.low, high.high))


def infer_quantified(book: Book, node: ast.Quantified, scope: Scope) -> Type:
    item = infer_each(book, node.each, scope)
    book.require(node.body, element_scope(node.each, item, scope), TRUTH)
    return TRUTH


def infer_aggregate(book: Book, node: ast.Aggregate, scope: Scope) -> Type:
    item = infer_each(book, node.each, scope)
    body = book.infer(node.body, element_scope(node.each, item, scope))
    match node.word:
        case "count":
            return NumberOf(0, size_of(book, node.each.collection).high)
        case "sum":
            if not isinstance(body, NumberOf | Unknown):
                return book.report("wrong-type", f"expected a number to add up, found {describe(body)}", node.body)
            most = size_of(book, node.each.collection).high
            return repeated(body, most) if isinstance(body, NumberOf) else ANY
        case "list" | "sorted":
            return CollectionOf(body)
        case _:
            return _ranked(book, node.body, body)


def _ranked(book: Book, node: ast.Expr, found: Type) -> Type:
    """What can be compared for being higher: numbers, lists of numbers."""
    if isinstance(found, NumberOf | Unknown) or isinstance(item_of(found), NumberOf | Unknown):
        return found
    return book.report("wrong-type", f"expected a number or a list of numbers, found {describe(found)}", node)


def infer_best(book: Book, node: ast.Best, scope: Scope) -> Type:
    item = infer_each(book, node.each, scope)
    key = book.infer(node.key, element_scope(node.each, item, scope))
    _ranked(book, node.key, key)
    return item if node.word == "the" else CollectionOf(item)


def infer_item(book: Book, node: ast.Item, scope: Scope) -> Type:
    book.number(node.position, scope)
    return infer_collection(book, node.collection, scope)


def infer_empty(book: Book, node: ast.IsEmpty, scope: Scope) -> Type:
    infer_collection(book, node.collection, scope)
    return TRUTH


