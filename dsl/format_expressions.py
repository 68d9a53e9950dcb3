"""Expressions and types as canonical text, on one line, with as few brackets as the language allows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from attrs import frozen

from rulesrun.dsl import ast

ANYTHING, OR, AND, NOT, COMPARE, PLUS, TIMES, MINUS, OF, ATOM = range(10)
ARITHMETIC = {"+": PLUS, "-": PLUS, "*": TIMES, "/": TIMES, "div": TIMES, "mod": TIMES}


@frozen
class Written:
    """`strength`: how firmly it holds together. `is_open`: whether it would take in what is written after it."""

    text: str
    strength: int
    is_open: bool = False


def full(expr: ast.Expr) -> str:
    """Where any expression may stand and nothing that it could take in follows."""
    return write(expr).text


def inside(expr: ast.Expr, strength: int = PLUS) -> str:
    """Where something follows."""
    written = write(expr)
    is_firm = written.strength >= strength and not written.is_open
    return written.text if is_firm else f"({written.text})"


def last(expr: ast.Expr, strength: int) -> Written:
    """As the right end of something: it may stay open."""
    written = write(expr)
    return written if written.strength >= strength else Written(f"({written.text})", ATOM)


def listed(exprs: Iterable[ast.Expr]) -> str:
    return ", ".join(map(full, exprs))


def quoted(text: str) -> str:
    return f'"{text}"'


def write(expr: ast.Expr) -> Written:
    match expr:
        case ast.Number(value):
            return Written(str(value), ATOM if value >= 0 else MINUS)
        case ast.Text(text):
            return Written(quoted(text), ATOM)
        case ast.Truth(value):
            return Written("yes" if value else "no", ATOM)
        case ast.Nothing():
            return Written("nothing", ATOM)
        case ast.Name(text):
            return Written(text, ATOM)
        case ast.Index(name, keys):
            return Written(f"{name.text}[{listed(keys)}]", ATOM)
        case ast.Call(name, arguments):
            return Written(f"{name.text}({listed(arguments)})", ATOM)
        case ast.SetOf(items):
            return Written("{" + literals(items) + "}", ATOM)
        case ast.Literal(parts):
            return Written(" ".join(inside(part, ATOM) for part in parts), ATOM)
        case ast.Before(value):
            return Written(f"before ({full(value)})", ATOM)
        case ast.Can(action):
            return Written(f"can {action.text}", ATOM)
        case ast.Of() | ast.Item() | ast.Filter() | ast.Range():
            return write_selection(expr)
        case ast.Quantified() | ast.Aggregate() | ast.Best():
            return write_over(expr)
        case ast.Compare() | ast.In() | ast.IsEmpty() | ast.Arithmetic() | ast.Negate():
            return write_operation(expr)
        case ast.Not() | ast.And() | ast.Or() | ast.IfElse():
            return write_logic(expr)
        case _:
            assert_never(expr)


def write_selection(expr: ast.Of | ast.Item | ast.Filter | ast.Range) -> Written:
    match expr:
        case ast.Of(subject, owner):
            right = operand_of(owner)
            return Written(f"{inside(subject, ATOM)} of {right.text}", OF, right.is_open)
        case ast.Item(position, collection):
            right = operand_of(collection)
            return Written(f"item {inside(position, ATOM)} of {right.text}", OF, right.is_open)
        case ast.Filter(collection, condition):
            return Written(f"{span_of_values(collection)} where {full(condition)}", ANYTHING, True)
        case ast.Range(low, high):
            return Written(f"{inside(low)}..{inside(high)}", ANYTHING)
        case _:
            assert_never(expr)


def operand_of(expr: ast.Expr) -> Written:
    """What stands after `of`: a `where` belongs to it without brackets."""
    if isinstance(expr, ast.Filter) and write(expr.collection).strength >= OF and not write(expr.collection).is_open:
        return write(expr)
    return last(expr, OF)


def span_of_values(expr: ast.Expr) -> str:
    """The collection before a `where`: a range needs no brackets there."""
    return write(expr).text if isinstance(expr, ast.Range) else inside(expr)


def collection(expr: ast.Expr) -> Written:
    """After `in` and `over`: a range or a `where` needs no brackets."""
    return write(expr) if isinstance(expr, ast.Range | ast.Filter) else last(expr, PLUS)


def each(binder: ast.Each) -> Written:
    right = collection(binder.collection)
    return Written(f"{binder.name.text} in {right.text}" if binder.name else right.text, ANYTHING, right.is_open)


def write_over(expr: ast.Quantified | ast.Aggregate | ast.Best) -> Written:
    match expr:
        case ast.Quantified(word, binder, body):
            return Written(f"{word} {closed(binder)} has {full(body)}", ANYTHING, True)
        case ast.Aggregate(word, distinct, body, binder):
            what = "distinct " * distinct + inside(body, OF)
            return Written(f"{word} of {what} over {each(binder).text}", OF, True)
        case ast.Best(word, binder, direction, key):
            return Written(f"{word} {closed(binder)} with {direction} {full(key)}", OF, True)
        case _:
            assert_never(expr)


def closed(binder: ast.Each) -> str:
    return each(binder).text


def write_operation(expr: ast.Compare | ast.In | ast.IsEmpty | ast.Arithmetic | ast.Negate) -> Written:
    match expr:
        case ast.Compare(operator, left, right):
            return binary(inside(left, PLUS), operator, last(right, PLUS), COMPARE)
        case ast.In(item, values, negated):
            return binary(inside(item, PLUS), "not in" if negated else "in", collection_operand(values), COMPARE)
        case ast.IsEmpty(values, negated):
            return Written(f"{inside(values, PLUS)} is{' not' * negated} empty", COMPARE)
        case ast.Arithmetic(operator, left, right):
            strength = ARITHMETIC[operator]
            return binary(inside(left, strength), operator, last(right, strength + 1), strength)
        case ast.Negate(value):
            operand = last(value, OF)
            return Written(f"-{operand.text}", MINUS, operand.is_open)
        case _:
            assert_never(expr)


def collection_operand(expr: ast.Expr) -> Written:
    """After the comparison `in`: a range needs no brackets."""
    return write(expr) if isinstance(expr, ast.Range) else last(expr, PLUS)


def binary(left: str, operator: str, right: Written, strength: int) -> Written:
    return Written(f"{left} {operator} {right.text}", strength, right.is_open)


def write_logic(expr: ast.Not | ast.And | ast.Or | ast.IfElse) -> Written:
    match expr:
        case ast.Not(value):
            right = last(value, NOT)
            return Written(f"not {right.text}", NOT, right.is_open)
        case ast.And(parts):
            return joined(parts, "and", AND)
        case ast.Or(parts):
            return joined(parts, "or", OR)
        case ast.IfElse(condition, then, otherwise):
            text = f"if {full(condition)} then {full(then)} else {full(otherwise)}"
            return Written(text, ANYTHING, True)
        case _:
            assert_never(expr)


def joined(parts: tuple[ast.Expr, ...], word: str, strength: int) -> Written:
    firm = [inside(part, strength + 1) for part in parts[:-1]]
    right = last(parts[-1], strength + 1)
    return Written(f" {word} ".join([*firm, right.text]), strength, right.is_open)


def literals(items: Iterable[ast.Literal]) -> str:
    return ", ".join(literal(item) for item in items)


def literal(item: ast.Literal) -> str:
    """One value is any expression; several stand side by side."""
    return full(item.parts[0]) if len(item.parts) == 1 else write(item).text


# ---------------------------------------------------------------- types


def type_text(written: ast.TypeExpr) -> str:
    match written:
        case ast.RangeType(low, high):
            return f"{inside(low)}..{inside(high)}"
        case ast.NamedType(name):
            return name.text
        case ast.WordsType(words):
            return ", ".join(word.text for word in words)
        case ast.TruthType():
            return "yes or no"
        case ast.PlayerType():
            return "player"
        case ast.OrderType(item):
            return f"order of {type_text(item)}"
        case ast.RowType(item, capacity):
            return f"row of {type_text(item)} up to {inside(capacity)}"
        case ast.Optional(item):
            return f"{type_text(item)} or nothing"
        case _:
            assert_never(written)
