"""Collections and what is asked of all their elements: `where`, `some … has`, `sum of … over`, `the … with highest`."""

from __future__ import annotations

from rulesrun.dsl import ast
from rulesrun.dsl.diagnostics.diagnostic import Edit
from rulesrun.dsl.format.format import text_of_expression
from rulesrun.dsl.text.messages import message
from rulesrun.dsl.typing.declared import report_empty_range
from rulesrun.dsl.typing.intervals import ANY, sum_bounds
from rulesrun.dsl.typing.mixed_kinds import infer_joined, narrow_element
from rulesrun.dsl.typing.names import Scope, find_local_name
from rulesrun.dsl.typing.notebook import Notebook, find_marker_of_board
from rulesrun.dsl.typing.program import BuiltinMeaning
from rulesrun.dsl.typing.relations import PLAYER, PLAYERS, TRUTH, UNKNOWN, describe_type, item_of, strip_optional
from rulesrun.dsl.typing.sizes import MOST_COMBINATIONS, count_combinations, size_of
from rulesrun.dsl.typing.types import CollectionOf, NumberOf, OptionalOf, OrderOf, Type, Unknown

COUNTING = ("count", "sum", "highest", "lowest", "list", "sorted")
MOST_VALUES = 100_000


def infer_collection(
    book: Notebook, node: ast.Expr, scope: Scope, hint: Type | None = None, name: str | None = None
) -> Type:
    """The type of the elements. `name`: what the element is called, for a `where` inside."""
    found = _infer_collection_type(book, node, scope, hint, name)
    book.types[node] = found
    item = item_of(found)
    return item if item is not None else _report_not_several(book, node, found)


def _report_not_several(book: Notebook, node: ast.Expr, found: Type) -> Type:
    if strip_optional(found) == PLAYER or isinstance(strip_optional(found), NumberOf):
        hint_text = (
            message("write a range `1..n`, or `players`") if isinstance(found, NumberOf) else message("write `players`")
        )
        players = () if isinstance(found, NumberOf) else (Edit(node.span.start, node.span.end, "players"),)
        sentence = message("expected several things, found {found_type}", found_type=describe_type(found))
        return book.report("not-a-collection", sentence, node, hint_text, edits=players)
    return book.report(
        "not-a-collection",
        message("expected a zone or several things, found {found_type}", found_type=describe_type(found)),
        node,
    )


def _infer_collection_type(book: Notebook, node: ast.Expr, scope: Scope, hint: Type | None, name: str | None) -> Type:
    match node:
        case ast.Name(text="players") if find_local_name(scope, "players", book.names) is None:
            return book.record_meaning(node, BuiltinMeaning("players"), PLAYERS)
        case ast.Filter():
            return infer_filter(book, node, scope, name)
        case ast.Joined(parts=parts):
            return infer_joined(book, node, [infer_collection(book, part, scope, hint) for part in parts])
        case _:
            return book.infer_type(node, scope, CollectionOf(hint) if hint is not None else None)


def infer_filter(book: Notebook, node: ast.Filter, scope: Scope, name: str | None = None) -> Type:
    item = infer_collection(book, node.collection, scope, name=name)
    inside = scope.with_element(node, item, name)
    book.require_type(node.condition, inside, TRUTH)
    return UNKNOWN if isinstance(item, Unknown) else CollectionOf(narrow_element(inside, node, node.condition, item))


def infer_each(book: Notebook, each: ast.Each, scope: Scope) -> Type:
    """The type of the element that a binder names."""
    item = infer_collection(book, each.collection, scope, name=each.name.text if each.name else None)
    book.types[each] = item
    if each.name is not None:
        book.record_meaning(each.name, each, item)
    return item


def element_scope(each: ast.Each, item: Type, scope: Scope) -> Scope:
    return scope.with_element(each, item, each.name.text if each.name else None)


def infer_combinations(book: Notebook, node: ast.Combinations, scope: Scope) -> Type:
    """Of single values: components, players, words, numbers."""
    low, high = book.require_number(node.low, scope), book.require_number(node.high, scope)
    item = infer_collection(book, node.collection, scope)
    if low.low > high.high:
        return report_empty_range(book, node, low.low, high.high)
    if isinstance(item, CollectionOf | OrderOf | OptionalOf):
        sentence = message("expected single values to combine, found {found_type}", found_type=describe_type(item))
        return book.report("wrong-type", sentence, node.collection)
    there = size_of(book, node.collection).low
    if count_combinations(there, low.high, high.low) > MOST_COMBINATIONS:
        sentence = message("these are more than {most} combinations", most=MOST_COMBINATIONS)
        hint = message("take fewer at once, or from fewer: `combinations of 2 from (… where …)`")
        return book.report("too-many-combinations", sentence, node, hint)
    return CollectionOf(CollectionOf(item))


def infer_range(book: Notebook, node: ast.Range, scope: Scope) -> Type:
    match node.low:
        case ast.Of(ast.Name(text=word), ast.Number() as first) if word in COUNTING:
            values = f"{first.value}..{text_of_expression(node.high)}"
            hint = message(
                "put brackets around it: `{word} of ({values})`, `{word} of ({values} where …)`",
                word=word,
                values=values,
            )
            return book.report(
                "missing-brackets", message("`{word} of` takes only the first number", word=word), node, hint
            )
        case _:
            pass
    low, high = book.require_number(node.low, scope), book.require_number(node.high, scope)
    if low.low > high.high:
        return report_empty_range(book, node, low.low, high.high)
    if high.high - low.low >= MOST_VALUES:
        return book.report(
            "too-many-values",
            message("the range can have more than {most_values} numbers", most_values=MOST_VALUES),
            node,
            message("keep its bounds closer"),
        )
    return CollectionOf(NumberOf(low.low, high.high))


def infer_quantified(book: Notebook, node: ast.Quantified, scope: Scope) -> Type:
    item = infer_each(book, node.each, scope)
    book.require_type(node.body, element_scope(node.each, item, scope), TRUTH)
    return TRUTH


def infer_aggregate(book: Notebook, node: ast.Aggregate, scope: Scope) -> Type:
    item = infer_each(book, node.each, scope)
    body = book.infer_type(node.body, element_scope(node.each, item, scope))
    match node.word:
        case "count":
            return NumberOf(0, size_of(book, node.each.collection).high)
        case "sum":
            if not isinstance(body, NumberOf | Unknown):
                return book.report(
                    "wrong-type",
                    message("expected a number to add up, found {body_type}", body_type=describe_type(body)),
                    node.body,
                )
            most = size_of(book, node.each.collection).high
            return sum_bounds(body, most) if isinstance(body, NumberOf) else ANY
        case "list" | "sorted":
            return CollectionOf(body)
        case _:
            return _require_ranked(book, node.body, body)


def _require_ranked(book: Notebook, node: ast.Expr, found: Type) -> Type:
    """What can be compared for being higher: numbers, lists of numbers."""
    if isinstance(found, NumberOf | Unknown) or isinstance(item_of(found), NumberOf | Unknown):
        return found
    return book.report(
        "wrong-type",
        message("expected a number or a list of numbers, found {found_type}", found_type=describe_type(found)),
        node,
    )


def infer_best(book: Notebook, node: ast.Best, scope: Scope) -> Type:
    item = infer_each(book, node.each, scope)
    key = book.infer_type(node.key, element_scope(node.each, item, scope))
    _require_ranked(book, node.key, key)
    if node.direction == "only" and not isinstance(node.each.collection, ast.Filter):
        name = node.each.name.text if node.each.name is not None else "it"
        hint = message("write `where …` after it, or `with highest …`; for the first of a row, `first of …`")
        return book.report("unfinished-line", message("say which `{name}` is meant", name=name), node, hint)
    return item if node.word == "the" else CollectionOf(item)


def infer_item(book: Notebook, node: ast.Item, scope: Scope) -> Type:
    book.require_number(node.position, scope)
    return infer_collection(book, node.collection, scope)


def infer_empty(book: Notebook, node: ast.IsEmpty, scope: Scope) -> Type:
    """Of a marker it is asked with another word."""
    asked = node.collection
    found = _infer_collection_type(book, asked, scope, None, None)
    book.types[asked] = found
    if isinstance(found, OptionalOf):
        sentence = message("a single value is not empty: it is `nothing`")
        written = f"{text_of_expression(asked)} is {'not ' if node.negated else ''}nothing"
        hint = message("write `{written}`", written=written)
        book.report("not-a-collection", sentence, node, hint, edits=(Edit(node.span.start, node.span.end, written),))
    elif (marker := find_marker_of_board(book, found)) is not None:
        sentence = message("a place is not empty: nothing stands there")
        written = f"{marker}[{text_of_expression(asked)}] is {'not ' if node.negated else ''}nothing"
        hint = message("write `{written}`", written=written)
        book.report("not-a-collection", sentence, node, hint, edits=(Edit(node.span.start, node.span.end, written),))
    elif item_of(found) is None:
        _report_not_several(book, asked, found)
    return TRUTH


