"""The type of every expression. Takes a node and its scope, writes the side tables of the book."""

from __future__ import annotations

from typing import assert_never

from rulesrun.dsl import ast
from rulesrun.dsl.typing.calls import infer_call
from rulesrun.dsl.typing.collections import (
    infer_aggregate,
    infer_best,
    infer_collection,
    infer_empty,
    infer_filter,
    infer_item,
    infer_quantified,
    infer_range,
)
from rulesrun.dsl.typing.intervals import COUNT, calculated, negated
from rulesrun.dsl.typing.literals import infer_literal, infer_set
from rulesrun.dsl.typing.name_uses import infer_index, infer_name, is_bare_word, word_of
from rulesrun.dsl.typing.names import Scope, unknown
from rulesrun.dsl.typing.notebook import Book
from rulesrun.dsl.typing.of_phrases import infer_of
from rulesrun.dsl.typing.relations import NOTHING, PLAYER, TRUTH, bare, comparable, describe, item_of, join
from rulesrun.dsl.typing.types import NothingOf, NumberOf, PlayerOf, TextOf, Type, Unknown, WordOf


def infer_expression(book: Book, node: ast.Expr, scope: Scope, hint: Type | None) -> Type:
    match node:
        case ast.Number(value=value):
            return _number(book, node, value, hint)
        case ast.Text():
            return TextOf()
        case ast.Truth():
            return TRUTH
        case ast.Nothing():
            return NOTHING
        case ast.Name():
            return infer_name(book, node, scope, hint)
        case ast.Index():
            return infer_index(book, node, scope)
        case ast.Call():
            return infer_call(book, node, scope)
        case ast.Of():
            return infer_of(book, node, scope)
        case ast.Item():
            return infer_item(book, node, scope)
        case ast.Filter():
            return infer_filter(book, node, scope)
        case ast.Range():
            return infer_range(book, node, scope)
        case ast.Literal():
            return infer_literal(book, node, scope, hint)
        case ast.SetOf():
            return infer_set(book, node, scope, hint)
        case ast.Quantified():
            return infer_quantified(book, node, scope)
        case ast.Aggregate():
            return infer_aggregate(book, node, scope)
        case ast.Best():
            return infer_best(book, node, scope)
        case _:
            return _infer_operation(book, node, scope, hint)


Operation = (
    ast.Compare | ast.In | ast.IsEmpty | ast.Arithmetic | ast.Negate | ast.Not | ast.And | ast.Or | ast.IfElse
    | ast.Can | ast.Before
)


def _infer_operation(book: Book, node: Operation, scope: Scope, hint: Type | None) -> Type:
    match node:
        case ast.Compare():
            return _compare(book, node, scope)
        case ast.In():
            return _in(book, node, scope)
        case ast.IsEmpty():
            return infer_empty(book, node, scope)
        case ast.Arithmetic(operator=operator, left=left, right=right):
            return _arithmetic(book, node, calculated(operator, book.number(left, scope), book.number(right, scope)))
        case ast.Negate(value=value):
            return negated(book.number(value, scope))
        case ast.Not(value=value):
            book.require(value, scope, TRUTH)
            return TRUTH
        case ast.And(parts=parts) | ast.Or(parts=parts):
            for part in parts:
                book.require(part, scope, TRUTH)
            return TRUTH
        case ast.IfElse():
            return _if_else(book, node, scope, hint)
        case ast.Can(action=action):
            return _can(book, action)
        case ast.Before(value=value):
            return _before(book, node, value, scope, hint)
        case _:
            assert_never(node)


def _number(book: Book, node: ast.Number, value: int, hint: Type | None) -> Type:
    if hint is None or bare(hint) != PLAYER:
        return NumberOf(value, value)
    if not 1 <= value <= book.players.high:
        return book.report("no-such-seat", f"there is no seat {value}: players are 1..{book.players.high}", node)
    return PLAYER


def _arithmetic(book: Book, node: ast.Arithmetic, found: NumberOf) -> Type:
    divisor = book.types.get(node.right)
    if node.operator in {"div", "mod", "/"} and divisor == NumberOf(0, 0):
        return book.report("division-by-zero", "nothing can be divided by 0", node.right)
    return found


# ---------------------------------------------------------------- comparisons


def _compare(book: Book, node: ast.Compare, scope: Scope) -> Type:
    left, right = _both_sides(book, node, scope)
    if isinstance(left, Unknown) or isinstance(right, Unknown):
        return TRUTH
    if node.operator in {"=", "is not"}:
        if not comparable(left, right):
            _not_comparable(book, node, left, right)
    else:
        for side, type in ((node.left, left), (node.right, right)):
            if not _has_order(type):
                book.wrong_type(side, COUNT, type)
                break
        else:
            if not comparable(left, right):
                _not_comparable(book, node, left, right)
    return TRUTH


def _both_sides(book: Book, node: ast.Compare, scope: Scope) -> tuple[Type, Type]:
    """The side that needs no help comes first; its type decides among words of the same name on the other."""
    if is_bare_word(book, node.left, scope) and not is_bare_word(book, node.right, scope):
        right = book.infer(node.right, scope)
        return book.infer(node.left, scope, right), right
    left = book.infer(node.left, scope)
    right = book.infer(node.right, scope, left)
    if not comparable(left, right) and isinstance(node.left, ast.Name) and word_of(book, right, node.left.text):
        left = book.infer(node.left, scope, right)
    return left, right


def _has_order(type: Type) -> bool:
    found = bare(type)
    return isinstance(found, NumberOf | Unknown) or isinstance(item_of(found), NumberOf | Unknown)


def _not_comparable(book: Book, node: ast.Compare, left: Type, right: Type) -> None:
    if isinstance(left, NothingOf) or isinstance(right, NothingOf):
        side, type = (node.right, right) if isinstance(left, NothingOf) else (node.left, left)
        empty = "write `is empty`" if item_of(type) is not None else None
        book.report("never-nothing", f"{describe(type)} is always there, never nothing", side, empty)
        return
    hint = None
    if isinstance(left, WordOf) and isinstance(right, WordOf):
        hint = f"`{left.name}` has {_listed(left.words)}"
    elif {bare(left).__class__, bare(right).__class__} == {NumberOf, PlayerOf}:
        hint = "a player is not a number; what is to be a player is declared as one: `marker …: player or nothing`"
    book.report("wrong-type", f"{describe(left)} is compared with {describe(right)}", node, hint)


def _listed(words: tuple[str, ...]) -> str:
    return ", ".join(f"`{word}`" for word in words[:8])


def _in(book: Book, node: ast.In, scope: Scope) -> Type:
    if isinstance(node.collection, ast.SetOf):
        item = book.infer(node.item, scope)
        elements = infer_collection(book, node.collection, scope, hint=item)
    else:
        elements = infer_collection(book, node.collection, scope)
        item = book.infer(node.item, scope, elements)
    if not comparable(elements, item):
        book.report("wrong-type", f"{describe(item)} is looked for among {describe(elements)} and the like", node)
    return TRUTH


# ---------------------------------------------------------------- the rest


def _if_else(book: Book, node: ast.IfElse, scope: Scope, hint: Type | None) -> Type:
    book.require(node.condition, scope, TRUTH)
    if hint is None and is_bare_word(book, node.then, scope) and not is_bare_word(book, node.otherwise, scope):
        otherwise = book.infer(node.otherwise, scope)
        then = book.infer(node.then, scope, otherwise)
    else:
        then = book.infer(node.then, scope, hint)
        otherwise = book.infer(node.otherwise, scope, hint if hint is not None else then)
    joined = join(then, otherwise)
    if joined is None:
        return book.report(
            "wrong-type", f"expected {describe(then)}, as after `then`, found {describe(otherwise)}", node.otherwise
        )
    return joined


def _can(book: Book, action: ast.Name) -> Type:
    declared = book.names.actions.get(action.text)
    if declared is None:
        book.complain(unknown("unknown-action", "action", action, book.names.actions))
    else:
        book.meanings[action] = declared
    return TRUTH


def _before(book: Book, node: ast.Before, value: ast.Expr, scope: Scope, hint: Type | None) -> Type:
    found = book.infer(value, scope, hint)
    if not scope.in_after:
        return book.report("before-outside-after", "`before` is for `after ACTION` properties", node)
    return found


