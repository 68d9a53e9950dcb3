"""Components and values written out: `red 7`, `46`, `most_pink`, `{1, 3}`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations, zip_longest

from rulesrun.dsl import ast
from rulesrun.dsl.ast.boards import is_grid
from rulesrun.dsl.diagnostics.diagnostic import Edit
from rulesrun.dsl.text.articles import with_article
from rulesrun.dsl.text.messages import message
from rulesrun.dsl.typing.boards import find_place, report_unknown_place
from rulesrun.dsl.typing.declared import type_of
from rulesrun.dsl.typing.name_uses import find_expected_word
from rulesrun.dsl.typing.names import Scope, find_local_name, find_suggestion
from rulesrun.dsl.typing.notebook import (
    PLAYER,
    TRUTH,
    UNKNOWN,
    Notebook,
    describe_type,
    item_of,
    join_types,
    strip_optional,
)
from rulesrun.dsl.typing.types import CollectionOf, ComponentOf, NumberOf, Type

MOST_TURNED = 4  # attributes whose order is tried


def infer_set(book: Notebook, node: ast.SetOf, scope: Scope, hint: Type | None) -> Type:
    wanted = item_of(hint) if hint is not None else None
    found: Type | None = None
    for item in node.items:
        type = book.infer_type(item, scope, wanted if wanted is not None else found)
        joined = type if found is None else join_types(found, type)
        if joined is None and found is not None:
            book.report(
                "wrong-type",
                message(
                    "expected {found_type}, as before it, found {type}",
                    found_type=describe_type(found),
                    type=describe_type(type),
                ),
                item,
            )
        found = joined if joined is not None else found
    return CollectionOf(found if found is not None else wanted or UNKNOWN)


def infer_literal(book: Notebook, node: ast.Literal, scope: Scope, hint: Type | None) -> Type:
    """A component where one is expected or several parts stand together; else the one value."""
    expected = strip_optional(hint) if hint is not None else None
    kind = book.find_kind(expected) if expected is not None else None
    if isinstance(expected, ComponentOf) and len(expected.members) > 1:
        kind = find_member(book, node, scope, expected)
    if len(node.parts) == 1 and not (kind and _is_component_name(book, node.parts[0], scope, kind)):
        part = node.parts[0]
        return book.infer_type(part, scope, hint)
    if kind is None:
        kind = find_fitting_kind(book, node)
    if kind is None:
        for part in node.parts:
            book.infer_type(part, scope)
        return book.report("unknown-component", message("no component is written like this"), node)
    return _infer_component(book, node, scope, kind)


def find_member(book: Notebook, node: ast.Literal, scope: Scope, expected: ComponentOf) -> ast.Components | None:
    """Which of several kinds is written so; of none, the first that has as many attributes."""
    kinds = [one for one in book.names.components() if one.name.text in expected.members]
    if len(node.parts) == 1:
        kinds = [one for one in kinds if _is_component_name(book, node.parts[0], scope, one)]
    fitting = [one for one in kinds if _is_written_so(book, node, one)]
    if len(fitting) > 1:
        told = join_names([one.name.text for one in fitting])
        hint = message("give one of them rows with names, or one attribute more")
        book.report("ambiguous-word", message("{kinds} are written like this", kinds=told), node, hint)
    same_length = [one for one in kinds if len(one.attributes) == len(node.parts) and not one.rows]
    return next(iter([*fitting, *same_length, *kinds]), None)


def _is_written_so(book: Notebook, node: ast.Literal, kind: ast.Components) -> bool:
    if kind.rows:
        return _is_row_name(kind, node)
    types = [type_of(book, attribute, node) for attribute in kind.attributes]
    return len(types) == len(node.parts) and _has_fitting_parts(book, node.parts, types)


def join_names(names: Sequence[str]) -> str:
    return " and ".join(f"`{name}`" for name in names)


def _is_component_name(book: Notebook, part: ast.Expr, scope: Scope, kind: ast.Components) -> bool:
    """Whether a single word or number is a component's name rather than a thing that is one."""
    if isinstance(part, ast.Name):
        if any(row.name.text == part.text for row in kind.rows):
            return True
        return not find_local_name(scope, part.text, book.names) and part.text not in book.names.things
    return isinstance(part, ast.Number | ast.Truth | ast.Negate)


def find_fitting_kind(book: Notebook, node: ast.Literal) -> ast.Components | None:
    """The kind whose components are written with such parts; the first that has as many, where none fits."""
    same_length = []
    for kind in book.names.components():
        types = [type_of(book, attribute, node) for attribute in kind.attributes]
        if kind.rows:
            if _is_row_name(kind, node):
                return kind
        elif len(types) == len(node.parts):
            same_length.append(kind)
            if all(_is_fitting_part(book, part, type) for part, type in zip(node.parts, types, strict=True)):
                return kind
    return same_length[0] if same_length and len(node.parts) > 1 else None


def _is_row_name(kind: ast.Components, node: ast.Literal) -> bool:
    name = node.parts[0]
    return len(node.parts) == 1 and isinstance(name, ast.Name) and name.text in {row.name.text for row in kind.rows}


def _is_fitting_part(book: Notebook, part: ast.Expr, type: Type) -> bool:
    match part:
        case ast.Name(text=text):
            return find_expected_word(book, type, text) is not None
        case ast.Number(value=value):
            return type == PLAYER or (isinstance(type, NumberOf) and type.low <= value <= type.high)
        case ast.Negate(value=ast.Number(value=value)):
            return isinstance(type, NumberOf) and type.low <= -value <= type.high
        case ast.Truth():
            return type == TRUTH
        case _:
            return False


def _infer_component(book: Notebook, node: ast.Literal, scope: Scope, kind: ast.Components) -> Type:
    if kind.rows:
        return _infer_row(book, node, kind)
    if is_grid(kind) and len(node.parts) == 1:
        return _infer_place(book, node.parts[0], kind)
    types = [type_of(book, attribute, node) for attribute in kind.attributes]
    if len(types) != len(node.parts):
        names = ", ".join(attribute.name.text for attribute in kind.attributes)
        for part in node.parts:
            book.types[part] = UNKNOWN
        return book.report(
            "unknown-component",
            message("write {with_article} as its {names}", with_article=with_article(kind.name.text), names=names),
            node,
        )
    turned = _suggest_order(book, node, types)
    if turned is not None:
        for part in node.parts:
            book.types[part] = UNKNOWN
        sentence = message(
            "write the attributes of {with_article} in the order of its declaration",
            with_article=with_article(kind.name.text),
        )
        edits = (Edit(node.span.start, node.span.end, turned),) if "…" not in turned else ()
        return book.report("unknown-component", sentence, node, message("write `{turned}`", turned=turned), edits=edits)
    for part, type in zip(node.parts, types, strict=True):
        found = book.require_type(part, scope, type)
        if isinstance(type, NumberOf) and isinstance(found, NumberOf) and not type.low <= found.low <= type.high:
            sentence = message(
                "no {kind} has {low} here: it is {low_2}..{high}",
                kind=kind.name.text,
                low=found.low,
                low_2=type.low,
                high=type.high,
            )
            is_joined = isinstance(part, ast.Negate) and type.low <= -found.low <= type.high
            hint = message("write attributes side by side, without `-`: `{parts}`", parts=_format_parts(node.parts))
            book.report("unknown-component", sentence, part, hint if is_joined else None)
    return ComponentOf(kind.name.text)


def _infer_place(book: Notebook, part: ast.Expr, board: ast.Components) -> Type:
    place = find_place(book, part, ComponentOf(board.name.text)) if isinstance(part, ast.Name) else None
    if isinstance(part, ast.Name) and place is not None:
        return book.record_meaning(part, place, ComponentOf(board.name.text))
    book.types[part] = UNKNOWN
    return report_unknown_place(book, part, board)


def _suggest_order(book: Notebook, node: ast.Literal, types: list[Type]) -> str | None:
    """`3 hearts` → `hearts 3`; None where it is in order, or no order would do."""
    if not 2 <= len(types) <= MOST_TURNED or _has_fitting_parts(book, node.parts, types):
        return None
    orders = (parts for parts in permutations(node.parts) if _has_fitting_parts(book, parts, types))
    found = next(orders, None)
    return _format_parts(found, types) if found is not None else None


def _has_fitting_parts(book: Notebook, parts: tuple[ast.Expr, ...], types: list[Type]) -> bool:
    return all(_is_fitting_part(book, part, type) for part, type in zip(parts, types, strict=True))


def _format_parts(parts: tuple[ast.Expr, ...], types: Sequence[Type] = ()) -> str:
    """Names and numbers as they are written; a joining sign is left out where the number cannot be below 0."""
    return " ".join(
        f"-{_format_part(part.value)}" if isinstance(part, ast.Negate) and isinstance(type, NumberOf) and type.low < 0
        else _format_part(part.value if isinstance(part, ast.Negate) else part)
        for part, type in zip_longest(parts, types)
    )  # fmt: skip


def _format_part(part: ast.Expr) -> str:
    match part:
        case ast.Name(text=text):
            return text
        case ast.Number(value=value):
            return str(value)
        case _:
            return "…"


def _infer_row(book: Notebook, node: ast.Literal, kind: ast.Components) -> Type:
    part = node.parts[0]
    for each in node.parts:
        book.types[each] = UNKNOWN
    if isinstance(part, ast.Name) and len(node.parts) == 1 and kind.board is not None:
        place = find_place(book, part, ComponentOf(kind.name.text))
        if place is not None:
            return book.record_meaning(part, place, ComponentOf(kind.name.text))
    if isinstance(part, ast.Name) and len(node.parts) == 1:
        row = book.names.rows.get(part.text)
        if row is not None and row.components is kind:
            return book.record_meaning(part, row, ComponentOf(kind.name.text))
        near = find_suggestion(part.text, [row.name.text for row in kind.rows])
        sentence = message("there is no {kind} called `{part}`", kind=kind.name.text, part=part.text)
        return book.report("unknown-component", sentence, part, near.hint, edits=near.edits(part))
    return book.report(
        "unknown-component",
        message("write {with_article} by its name", with_article=with_article(kind.name.text)),
        node,
    )
