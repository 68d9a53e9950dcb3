"""Collections and what is asked of all their elements: `where`, `some … has`, `sum of … over`, `the … with highest`."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import evolve

from rulesrun.dsl import ast
from rulesrun.dsl.ast.walk import walk
from rulesrun.dsl.diagnostics.diagnostic import Edit
from rulesrun.dsl.format.format import text_of_expression
from rulesrun.dsl.text.articles import with_article
from rulesrun.dsl.text.messages import message
from rulesrun.dsl.typing import types
from rulesrun.dsl.typing.declared import report_empty_range, type_of
from rulesrun.dsl.typing.names import Scope, find_attribute_of_kind, find_local_name, unknown_diagnostic
from rulesrun.dsl.typing.notebook import (
    ANY,
    MOST_COMBINATIONS,
    PLAYER,
    PLAYERS,
    TRUTH,
    UNKNOWN,
    Notebook,
    count_combinations,
    describe_type,
    find_marker_of_board,
    is_comparable,
    is_kept_for,
    item_of,
    join_types,
    size_of,
    strip_optional,
    sum_bounds,
)
from rulesrun.dsl.typing.program import AllOf, BuiltinMeaning
from rulesrun.dsl.typing.types import CollectionOf, NumberOf, OptionalOf, OrderOf, Type, Unknown

# ---- mixed kinds
# Components of several kinds in one place: what `Card or Coin` has in common, and what `is a Card` makes known.
#
# A name keeps its value, so once it is known to be a Card it has all that a Card has: in what follows `and`, after
# `then`, in the lines below `if`, among those that `where` leaves over.


def infer_joined(book: Notebook, node: ast.Joined, items: Iterable[types.Type]) -> types.Type:
    """`hand or won`: what lies in any of them."""
    found: types.Type | None = None
    for part, item in zip(node.parts, items, strict=True):
        if isinstance(item, types.Unknown):
            return UNKNOWN
        whole = book.types.get(part)
        if not isinstance(item, types.ComponentOf) or not (isinstance(whole, types.CollectionOf) and whole.is_zone):
            sentence = message("expected a zone, found {found}", found=describe_type(types.CollectionOf(item)))
            hint = message("only zones are joined by `or`; a `where` behind the last is for all of them")
            return book.report("not-a-zone", sentence, part, hint)
        before = found.members if isinstance(found, types.ComponentOf) else ()
        found = types.component_of_kinds((*before, *item.members)) if before else item
    return types.CollectionOf(found if found is not None else UNKNOWN)


def infer_is_kind(book: Notebook, node: ast.In, scope: Scope) -> types.Type:
    """`taken is a Card`."""
    name = node.collection
    asked = book.infer_type(node.item, scope)
    if not isinstance(name, ast.Name):  # a value that stands alone, `Square where it is a stone`
        hint = message("compare values with `=`: `… = …`")
        return book.report("wrong-type", message("this is no kind of component"), name, hint)
    kind = book.names.things.get(name.text)
    if not isinstance(kind, ast.Components):
        return _report_no_kind(book, node, name)
    wanted = types.ComponentOf(name.text)
    book.record_meaning(name, AllOf(kind), types.CollectionOf(wanted))
    found = strip_optional(asked)
    if isinstance(found, types.Unknown) or (isinstance(found, types.ComponentOf) and is_comparable(found, wanted)):
        return TRUTH
    sentence = message("{found} is never {wanted}", found=describe_type(asked), wanted=describe_type(wanted))
    if isinstance(found, types.CollectionOf):
        sentence = message("expected one component, found {found}", found=describe_type(asked))
    return book.report("wrong-type", sentence, node)


def _report_no_kind(book: Notebook, node: ast.In, name: ast.Name) -> types.Type:
    """`colour is a red`, `taken is a card`."""
    kinds = [components.name.text for components in book.names.components()]
    found = unknown_diagnostic("unknown-component", "component", name, kinds)
    if found.hint is None and name.text in book.names.words:
        sign = "is not" if node.negated else "="
        edits = (Edit(node.item.span.end, name.span.start, f" {sign} "),)
        hint = message("compare values with `{sign}`: `… {sign} {word}`", sign=sign, word=name.text)
        found = evolve(found, hint=hint, edits=edits)
    marker = book.names.things.get(name.text)
    if isinstance(marker, ast.Variable) and is_kept_for(book, marker, book.types.get(node.item)):
        written = _write_marker_test(node, marker)
        hint = message("write `{written}`", written=written)
        found = evolve(found, hint=hint, edits=(Edit(node.span.start, node.span.end, written),))
    book.add_diagnostic(found)
    return TRUTH


def _write_marker_test(node: ast.In, marker: ast.Variable) -> str:
    """`cell is not a wall`."""
    asked = f"{marker.name.text}[{text_of_expression(node.item)}]"
    if isinstance(marker.type, ast.TruthType):
        return f"not {asked}" if node.negated else asked
    return f"{asked} is {'' if node.negated else 'not '}nothing"


# ---- what is known further on


def narrow_scope(scope: Scope, condition: ast.Expr, holds: bool = True) -> Scope:
    """What is known where the condition holds, or where it does not."""
    match condition:
        case ast.Not(value):
            return narrow_scope(scope, value, not holds)
        case ast.And(parts) if holds:
            for part in parts:
                scope = narrow_scope(scope, part)
            return scope
        case ast.Or(parts) if not holds:
            for part in parts:
                scope = narrow_scope(scope, part, holds=False)
            return scope
        case ast.In(ast.Name() as name, ast.Name(kind), negated, of_kind=True):
            return _narrow_name(scope, name.text, kind, holds is not negated)
        case ast.Compare("=" | "is not" as sign, ast.Name() as name, ast.Name(kind)):  # a slip, where it is a kind
            return _narrow_name(scope, name.text, kind, holds is (sign == "="))
        case _:
            return scope


def _narrow_name(scope: Scope, text: str, kind: str, is_it: bool) -> Scope:
    elements = [frame for frame in scope.frames() if frame.has_attributes]
    for frame in scope.frames():
        is_element = frame.element is not None and not frame.is_named()
        if not (frame.name == text and frame.meaning is not None) and not (text == "it" and is_element):
            continue
        type = _narrow_type(frame.type, kind, is_it)
        if type is None:
            return scope
        if frame in elements[:1]:
            return evolve(frame, parent=scope, type=type)
        return Scope(scope, frame.name, frame.meaning, type, in_after=scope.in_after) if text != "it" else scope
    return scope


def _narrow_type(found: types.Type | None, kind: str, is_it: bool) -> types.Type | None:
    inner = strip_optional(found) if found is not None else None
    if not isinstance(inner, types.ComponentOf):
        return None
    left = [one for one in inner.members if (one == kind) is is_it]
    if not left or kind not in inner.members:
        return None
    type = types.component_of_kinds(left)
    return types.OptionalOf(type) if isinstance(found, types.OptionalOf) and not is_it else type


def narrow_element(scope: Scope, element: ast.Node, condition: ast.Expr, item: types.Type) -> types.Type:
    """What the elements are that a condition leaves over."""
    if not isinstance(item, types.ComponentOf) or len(item.members) == 1:
        return item
    inner = narrow_scope(scope, condition)
    return next((one.type for one in inner.frames() if one.element is element and one.type is not None), item)


# ---- attributes


def suggest_kind_test(owner: types.ComponentOf, having: list[str]) -> str | None:
    """What to ask before `rank of c`, where only some of them have a rank."""
    if len(owner.members) < 2 or not having:
        return None
    return message("ask first: `if … is {kind}`, or `… where it is {kind} and …`", kind=with_article(having[0]))


def attribute_type(book: Notebook, owner: types.Type, name: ast.Name) -> types.Type | None:
    """The type of what several kinds call the same; None where there is one kind."""
    if not isinstance(owner, types.ComponentOf) or len(owner.members) < 2:
        return None
    found = [find_attribute_of_kind(one, name.text, book.names) for one in owner.members]
    found_types = [type_of(book, attribute, name) for _, attribute in filter(None, found)]
    joined: types.Type | None = found_types[0]
    for type in found_types[1:]:
        joined = join_types(joined, type) if joined is not None else None
    has_rule = any(one is not None and one[1].type is None for one in found)
    if joined is not None and not has_rule:
        return joined
    sentence = message("`{name}` is not the same of {kinds}", name=name.text, kinds=describe_type(owner))
    return book.report("wrong-type", sentence, name, suggest_kind_test(owner, list(owner.members)))


# ---- which kinds may lie together


def unite_kinds(book: Notebook) -> tuple[tuple[str, ...], ...]:
    """The kinds that may lie in the same place, in the order in which they are declared."""
    together = {types.split_kinds(one.kind) for type in book.types.values() for one in _component_types(type)}
    together |= {types.split_kinds(one.kind) for type in book.declared.values() for one in _component_types(type)}
    for piece in book.game.declarations:
        written = [part.names for part in walk(piece) if isinstance(part, ast.EitherType)]
        if isinstance(piece, ast.Zone):
            written = [piece.kinds]
        together |= {tuple(name.text for name in names) for names in written}
    order = [components.name.text for components in book.names.components()]
    groups: list[set[str]] = []
    for kinds in (tuple(one for one in kinds if one in order) for kinds in together):
        if len(kinds) > 1:
            touched = [one for one in groups if not one.isdisjoint(kinds)]
            groups = [one for one in groups if one not in touched] + [set(kinds).union(*touched)]
    return tuple(sorted((tuple(sorted(one, key=order.index)) for one in groups), key=lambda one: order.index(one[0])))


def _component_types(type: types.Type) -> Iterable[types.ComponentOf]:
    while isinstance(type, types.CollectionOf | types.OptionalOf | types.OrderOf):
        type = type.item
    return (type,) if isinstance(type, types.ComponentOf) else ()


# ---- collections


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
