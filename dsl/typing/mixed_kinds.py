"""Components of several kinds in one place: what `Card or Coin` has in common, and what `is a Card` makes known.

A name keeps its value, so once it is known to be a Card it has all that a Card has: in what follows `and`, after
`then`, in the lines below `if`, among those that `where` leaves over.
"""

from __future__ import annotations

from collections.abc import Iterable

from attrs import evolve

from rulesrun.dsl import ast
from rulesrun.dsl.ast.walk import walk
from rulesrun.dsl.diagnostics.diagnostic import Edit
from rulesrun.dsl.text.articles import with_article
from rulesrun.dsl.text.messages import message
from rulesrun.dsl.typing import types
from rulesrun.dsl.typing.declared import type_of
from rulesrun.dsl.typing.names import Scope, find_attribute_of_kind, unknown_diagnostic
from rulesrun.dsl.typing.notebook import Notebook
from rulesrun.dsl.typing.program import AllOf
from rulesrun.dsl.typing.relations import TRUTH, UNKNOWN, describe_type, is_comparable, join_types, strip_optional


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
    book.add_diagnostic(found)
    return TRUTH


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
