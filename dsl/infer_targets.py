"""What can be changed: variables and the starter; and where components can be put."""

from __future__ import annotations

from rulesrun.dsl import ast
from rulesrun.dsl.infer_book import Book
from rulesrun.dsl.infer_types import UNKNOWN, describe
from rulesrun.dsl.names import Scope
from rulesrun.dsl.program import BuiltinMeaning, Meaning
from rulesrun.dsl.types import CollectionOf, ComponentOf, Type, Unknown

ZONE = CollectionOf(UNKNOWN, is_zone=True)


def infer_target(book: Book, node: ast.Expr, scope: Scope) -> Type:
    """The type of what is changed; a complaint when it cannot be."""
    found = book.infer(node, scope)
    name = name_of(node)
    meaning = book.meanings.get(name) if name is not None else None
    if isinstance(meaning, ast.Variable) and _is_whole(node, meaning):
        return found
    if isinstance(meaning, BuiltinMeaning) and meaning.name == "starter":
        return found
    if isinstance(found, Unknown):
        return UNKNOWN
    return book.report("not-assignable", f"{_called(name, meaning)} cannot be changed", node, _advice(meaning))


def _is_whole(node: ast.Expr, variable: ast.Variable) -> bool:
    """Not a place of an order: `layout[2]`."""
    index = node.subject if isinstance(node, ast.Of) else node
    return not isinstance(index, ast.Index) or bool(variable.keys)


def name_of(node: ast.Expr) -> ast.Name | None:
    """The declared name behind `x`, `x[k]`, `x of p`."""
    if isinstance(node, ast.Of):
        node = node.subject
    if isinstance(node, ast.Index):
        return node.name
    return node if isinstance(node, ast.Name) else None


def _called(name: ast.Name | None, meaning: Meaning | None) -> str:
    return f"`{name.text}`" if name is not None and meaning is not None else "this"


def _advice(meaning: Meaning | None) -> str:
    match meaning:
        case ast.Zone():
            return "components are moved: `move … to …`"
        case ast.Option():
            return "an option is chosen before the game; a `marker` or a `number` can change"
        case _:
            return "a `number`, a `marker` and `starter` can change"


def infer_zone(book: Book, node: ast.Expr, scope: Scope) -> str | None:
    """A zone is required here; the kind of its components."""
    found = book.infer(node, scope, ZONE)
    if isinstance(found, CollectionOf) and found.is_zone:
        return found.item.kind if isinstance(found.item, ComponentOf) else None
    if not isinstance(found, Unknown):
        book.report("not-a-zone", f"expected a zone, found {describe(found)}", node)
    return None


def infer_destination(book: Book, node: ast.Expr, scope: Scope) -> str | None:
    """A zone, or the `top` or `bottom` of one."""
    if isinstance(node, ast.Of) and isinstance(node.subject, ast.Name) and node.subject.text in {"top", "bottom"}:
        kind = infer_zone(book, node.owner, scope)
        book.means(node.subject, BuiltinMeaning(node.subject.text), UNKNOWN)
        book.types[node] = book.types[node.owner]
        return kind
    return infer_zone(book, node, scope)


def same_kind(book: Book, node: ast.Expr, moved: str | None, wanted: str | None) -> None:
    if moved is not None and wanted is not None and moved != wanted:
        book.report("wrong-zone-component", f"this zone is for `{wanted}`, not for `{moved}`", node)
