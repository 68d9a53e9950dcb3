"""The type of every expression. Takes a node and its scope, writes the side tables of the book."""

from __future__ import annotations

from typing import assert_never

from rulesrun.dsl import ast
from rulesrun.dsl.diagnostics.diagnostic import Edit
from rulesrun.dsl.format.format import text_of_expression
from rulesrun.dsl.mistakes.moves import THINGS
from rulesrun.dsl.mistakes.values import AMOUNTS
from rulesrun.dsl.text.messages import message
from rulesrun.dsl.typing.calls import infer_call
from rulesrun.dsl.typing.collections import (
    infer_aggregate,
    infer_best,
    infer_collection,
    infer_combinations,
    infer_empty,
    infer_filter,
    infer_is_kind,
    infer_item,
    infer_joined,
    infer_quantified,
    infer_range,
    narrow_scope,
)
from rulesrun.dsl.typing.declared import type_of
from rulesrun.dsl.typing.literals import infer_literal, infer_set
from rulesrun.dsl.typing.name_uses import find_expected_word, infer_index, infer_name, is_bare_word, words_type
from rulesrun.dsl.typing.names import Scope, attributes_of, unknown_diagnostic
from rulesrun.dsl.typing.notebook import (
    COUNT,
    NOTHING,
    PLAYER,
    TRUTH,
    UNKNOWN,
    Notebook,
    calculate_bounds,
    describe_type,
    is_comparable,
    item_of,
    join_types,
    negate_bounds,
    strip_optional,
)
from rulesrun.dsl.typing.of_phrases import infer_of
from rulesrun.dsl.typing.types import ComponentOf, NothingOf, NumberOf, PlayerOf, TextOf, Type, Unknown, WordOf


def infer_expression(book: Notebook, node: ast.Expr, scope: Scope, hint: Type | None) -> Type:
    match node:
        case ast.Number(value=value):
            return _infer_number(book, node, value, hint)
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
        case ast.Combinations():
            return infer_combinations(book, node, scope)
        case ast.Joined(parts=parts):
            return infer_joined(book, node, [infer_collection(book, part, scope) for part in parts])
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


def _infer_operation(book: Notebook, node: Operation, scope: Scope, hint: Type | None) -> Type:
    match node:
        case ast.Compare():
            return _infer_comparison(book, node, scope)
        case ast.In(of_kind=True):
            return infer_is_kind(book, node, scope)
        case ast.In():
            return _infer_membership(book, node, scope)
        case ast.IsEmpty():
            return infer_empty(book, node, scope)
        case ast.Arithmetic(operator=operator, left=left, right=right):
            return _infer_arithmetic(
                book,
                node,
                calculate_bounds(operator, book.require_number(left, scope), book.require_number(right, scope)),
            )
        case ast.Negate(value=value):
            return negate_bounds(book.require_number(value, scope))
        case ast.Not(value=value):
            book.require_type(value, scope, TRUTH)
            return TRUTH
        case ast.And(parts=parts) | ast.Or(parts=parts):
            for number, part in enumerate(parts):
                book.require_type(part, scope, TRUTH)
                if number == 0 and isinstance(node, ast.Or) and _report_listed_value(book, parts):
                    return TRUTH
                scope = narrow_scope(scope, part, isinstance(node, ast.And))
            return TRUTH
        case ast.IfElse():
            return _infer_if_else(book, node, scope, hint)
        case ast.Can(action=action):
            return _infer_can(book, action)
        case ast.Before(value=value):
            return _infer_before(book, node, value, scope, hint)
        case _:
            assert_never(node)


def _infer_number(book: Notebook, node: ast.Number, value: int, hint: Type | None) -> Type:
    if hint is None or strip_optional(hint) != PLAYER:
        return NumberOf(value, value)
    if not 1 <= value <= book.players.high:
        return book.report(
            "no-such-seat",
            message("there is no seat {value}: players are 1..{high}", value=value, high=book.players.high),
            node,
        )
    return PLAYER


def _infer_arithmetic(book: Notebook, node: ast.Arithmetic, found: NumberOf) -> Type:
    divisor = book.types.get(node.right)
    if node.operator in {"div", "mod", "/"} and divisor == NumberOf(0, 0):
        return book.report("division-by-zero", message("nothing can be divided by 0"), node.right)
    return found


# ---------------------------------------------------------------- comparisons


def _infer_comparison(book: Notebook, node: ast.Compare, scope: Scope) -> Type:
    left, right = _infer_both_sides(book, node, scope)
    if isinstance(left, Unknown) or isinstance(right, Unknown):
        return TRUTH
    if node.operator in {"=", "is not"}:
        if not is_comparable(left, right):
            _report_not_comparable(book, node, left, right)
    else:
        for side, type in ((node.left, left), (node.right, right)):
            if not _has_order(type):
                book.report_wrong_type(side, COUNT, type)
                break
        else:
            if not is_comparable(left, right):
                _report_not_comparable(book, node, left, right)
    return TRUTH


def _infer_both_sides(book: Notebook, node: ast.Compare, scope: Scope) -> tuple[Type, Type]:
    """The side that needs no help comes first; its type decides among words of the same name on the other."""
    if is_bare_word(book, node.left, scope) and not is_bare_word(book, node.right, scope):
        right = book.infer_type(node.right, scope)
        return book.infer_type(node.left, scope, right), right
    left = book.infer_type(node.left, scope)
    right = book.infer_type(node.right, scope, left)
    if (
        not is_comparable(left, right)
        and isinstance(node.left, ast.Name)
        and find_expected_word(book, right, node.left.text)
    ):
        left = book.infer_type(node.left, scope, right)
    return left, right


def _report_listed_value(book: Notebook, parts: tuple[ast.Expr, ...]) -> bool:
    """`rank of card = king or queen`: what follows `or` is no condition, but another value."""
    first, *others = parts
    if not isinstance(first, ast.Compare) or first.operator not in ("=", "is not"):
        return False
    left = strip_optional(book.types.get(first.left, UNKNOWN))
    if not all(_is_value_of(book, one, left) for one in others):
        return False
    asked = text_of_expression(first.left)
    listed = ", ".join(text_of_expression(one) for one in (first.right, *others))
    written = f"{asked} in {{{listed}}}" if first.operator == "=" else f"not ({asked} in {{{listed}}})"
    sentence = message("`or` joins conditions, and this is a value")
    edit = Edit(first.span.start, others[-1].span.end, written)
    hint = message("write `{written}`", written=written)
    book.report("wrong-type", sentence, others[0], hint, edits=(edit,))
    return True


def _is_value_of(book: Notebook, node: ast.Expr, type: Type) -> bool:
    if isinstance(node, ast.Name):
        return find_expected_word(book, type, node.text) is not None
    return isinstance(node, ast.Number) and isinstance(type, NumberOf)


def _has_order(type: Type) -> bool:
    found = strip_optional(type)
    return isinstance(found, NumberOf | Unknown) or isinstance(item_of(found), NumberOf | Unknown)


def _report_not_comparable(book: Notebook, node: ast.Compare, left: Type, right: Type) -> None:
    if isinstance(left, NothingOf) or isinstance(right, NothingOf):
        side, type = (node.right, right) if isinstance(left, NothingOf) else (node.left, left)
        empty = message("write `is empty`") if item_of(type) is not None else None
        asked = message(
            "{of_expression} is {word}empty",
            of_expression=text_of_expression(side),
            word="" if node.operator == "=" else "not ",
        )
        done = (Edit(node.span.start, node.span.end, asked),) if empty is not None else ()
        sentence = message("{type} is never `nothing`", type=describe_type(type))
        book.report("never-nothing", sentence, side, empty, edits=done)
        return
    test = _write_kind_test(book, node)
    if test is not None:
        done = (Edit(node.span.start, node.span.end, test),)
        sentence = message("this is a kind of component")
        book.report("wrong-type", sentence, node.right, message("write `{asked}`", asked=test), edits=done)
        return
    hint: str | None = None
    edits: tuple[Edit, ...] = ()
    if isinstance(left, WordOf) and isinstance(right, WordOf):
        hint = message("`{left}` has {quote}", left=left.name, quote=_quote_words(left.words))
    elif {strip_optional(left).__class__, strip_optional(right).__class__} == {NumberOf, PlayerOf}:
        hint = message(
            "a player is not a number; to keep a player, declare `marker …: player or nothing`"
        )
    elif attribute := _find_asked_attribute(book, node, left, right):
        hint = message("write `{asked}`", asked=attribute)
        edits = (Edit(node.span.start, node.span.end, attribute),)
    book.report(
        "wrong-type",
        message(
            "{left_type} is compared with {right_type}", left_type=describe_type(left), right_type=describe_type(right)
        ),
        node,
        hint,
        edits=edits,
    )


def _write_kind_test(book: Notebook, node: ast.Compare) -> str | None:
    """`thing = Coin`: `thing is a Coin`."""
    kind = node.right if isinstance(node.right, ast.Name) else None
    if kind is None or not isinstance(book.names.things.get(kind.text), ast.Components):
        return None
    if not isinstance(strip_optional(book.types.get(node.left, TRUTH)), ComponentOf):
        return None
    return text_of_expression(ast.In(node.left, kind, node.operator == "is not", True, span=node.span))


def _find_asked_attribute(book: Notebook, node: ast.Compare, left: Type, right: Type) -> str | None:
    """`card = red`: the attribute that is meant, written out, where there is one such."""
    kind = book.find_kind(strip_optional(left))
    if kind is None or not isinstance(right, WordOf | NumberOf):
        return None
    known = attributes_of(kind)
    fitting = [one for one in known if is_comparable(strip_optional(type_of(book, one, node)), right)]
    if len(fitting) != 1:
        return None
    asked, value = text_of_expression(node.left), text_of_expression(node.right)
    return f"{fitting[0].name.text} of {asked} {node.operator} {value}"


def _find_meant_count(book: Notebook, node: ast.In, scope: Scope) -> str | None:
    """`number of cards in hand`, `count of red in hand`."""
    match node.item:
        case ast.Of(ast.Name(word), ast.Name(what) as name) if word in AMOUNTS and word not in book.names.things:
            pass
        case _:
            return None
    counted = f"count of {text_of_expression(node.collection)}"
    if what in THINGS or isinstance(book.names.things.get(what), ast.Components):
        return counted
    elements = infer_collection(book, node.collection, scope)
    kind, owners = book.find_kind(elements), book.names.words.get(what, [])
    if kind is None or len(owners) != 1:
        return None
    word_type = words_type(book, owners[0])
    fitting = [one for one in attributes_of(kind) if strip_optional(type_of(book, one, name)) == word_type]
    return f"{counted} where {fitting[0].name.text} = {what}" if len(fitting) == 1 else None


def _find_meant_sum(book: Notebook, node: ast.In, scope: Scope) -> str | None:
    """`sum of ranks in hand`, `highest of rank in hand`."""
    match node.item:
        case ast.Of(ast.Name("sum" | "highest" | "lowest" | "list" | "sorted" as word), ast.Name(what)):
            pass
        case _:
            return None
    kind = book.find_kind(infer_collection(book, node.collection, scope))
    known = {one.name.text for one in attributes_of(kind)} if kind is not None else set()
    attribute = next((one for one in (what, what.removesuffix("s")) if one in known), None)
    return f"{word} of {attribute} over {text_of_expression(node.collection)}" if attribute is not None else None


def _quote_words(words: tuple[str, ...]) -> str:
    return ", ".join(f"`{word}`" for word in words[:8])


def _infer_membership(book: Notebook, node: ast.In, scope: Scope) -> Type:
    counted = _find_meant_count(book, node, scope)
    if counted is not None:
        hint = message("write `{said}`", said=counted)
        edits = (Edit(node.span.start, node.span.end, counted),)
        return book.report("wrong-type", message("this asks whether something is there"), node, hint, edits=edits)
    meant = _find_meant_sum(book, node, scope)
    if meant is not None:
        edits = (Edit(node.span.start, node.span.end, meant),)
        sentence = message("this asks whether something is there")
        return book.report("wrong-type", sentence, node, message("write `{said}`", said=meant), edits=edits)
    if isinstance(node.collection, ast.SetOf):
        item = book.infer_type(node.item, scope)
        elements = infer_collection(book, node.collection, scope, hint=item)
    else:
        elements = infer_collection(book, node.collection, scope)
        item = book.infer_type(node.item, scope, elements)
    if not is_comparable(elements, item):
        book.report(
            "wrong-type",
            message(
                "{item_type} cannot be among {elements_type}",
                item_type=describe_type(item),
                elements_type=describe_type(elements),
            ),
            node,
        )
    return TRUTH


# ---------------------------------------------------------------- the rest


def _infer_if_else(book: Notebook, node: ast.IfElse, scope: Scope, hint: Type | None) -> Type:
    book.require_type(node.condition, scope, TRUTH)
    yes, no = narrow_scope(scope, node.condition), narrow_scope(scope, node.condition, holds=False)
    if hint is None and is_bare_word(book, node.then, yes) and not is_bare_word(book, node.otherwise, no):
        otherwise = book.infer_type(node.otherwise, no)
        then = book.infer_type(node.then, yes, otherwise)
    else:
        then = book.infer_type(node.then, yes, hint)
        otherwise = book.infer_type(node.otherwise, no, hint if hint is not None else then)
    joined = join_types(then, otherwise)
    if joined is None:
        return book.report(
            "wrong-type",
            message(
                "expected {then_type}, as after `then`, found {otherwise_type}",
                then_type=describe_type(then),
                otherwise_type=describe_type(otherwise),
            ),
            node.otherwise,
        )
    return joined


def _infer_can(book: Notebook, action: ast.Name) -> Type:
    declared = book.names.actions.get(action.text)
    if declared is None:
        book.add_diagnostic(unknown_diagnostic("unknown-action", "action", action, book.names.actions))
    else:
        book.meanings[action] = declared
    return TRUTH


def _infer_before(book: Notebook, node: ast.Before, value: ast.Expr, scope: Scope, hint: Type | None) -> Type:
    found = book.infer_type(value, scope, hint)
    if not scope.in_after:
        return book.report("before-outside-after", message("`before` is for `after ACTION` properties"), node)
    return found


