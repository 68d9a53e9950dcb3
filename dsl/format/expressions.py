"""Expressions and types as canonical text, with as few brackets as the language allows.

Marks in it (`format_lines`) say where a line may be broken.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import assert_never

from attrs import frozen

from rulesrun.dsl import ast
from rulesrun.dsl.format.line_breaks import AT_ALL, BREAK_WHERE_FULL, WHERE_FULL, WHERE_FULL_LEVEL, listed, part

ANYTHING, OR, AND, NOT, COMPARE, PLUS, TIMES, MINUS, OF, ATOM = range(10)
ARITHMETIC = {"+": PLUS, "-": PLUS, "*": TIMES, "/": TIMES, "div": TIMES, "mod": TIMES}


WHERE_WORDS = frozenset(("count", "sum", "highest", "lowest", "list", "sorted"))  # `count of hand where …`
OVER_WORDS = WHERE_WORDS - {"count"}


@frozen
class Written:
    """`strength`: how firmly it holds together. `takes`: which words it would take in after it; `*` is any operator."""

    text: str
    strength: int
    takes: frozenset[str] = frozenset()


ALL = frozenset(("*", "where", "over"))
WHERE = frozenset(("where",))


def full(expr: ast.Expr) -> str:
    """Where a range or a `where` may stand without brackets."""
    return write(expr).text


def truth(expr: ast.Expr) -> str:
    """Where an expression ends by itself: a word of the language or the end of the line follows."""
    return last(expr, OR).text


def inside(expr: ast.Expr, strength: int = PLUS, before: str = "*") -> str:
    """Where `before` follows: a word, or `*` for an operator or anything else."""
    written = write(expr)
    if isinstance(expr, ast.Arithmetic) and written.strength >= strength and before in written.takes:
        return closed(expr)
    return bracketed(written, strength, before)


def closed(expr: ast.Arithmetic) -> str:
    """`a + (sum of …)` rather than `(a + sum of …)`, when something follows."""
    strength = ARITHMETIC[expr.operator]
    first = inside(expr.left, strength + is_mixed(expr.left, expr.operator))
    return part(WHERE_FULL_LEVEL, (f"{first} {expr.operator}", f"({write(expr.right).text})"))


def bracketed(written: Written, strength: int, before: str) -> str:
    is_firm = written.strength >= strength and before not in written.takes
    return written.text if is_firm else f"({written.text})"


def last(expr: ast.Expr, strength: int) -> Written:
    """As the right end of something: it may stay open."""
    written = write(expr)
    return written if written.strength >= strength else Written(f"({written.text})", ATOM)


def values_text(exprs: Iterable[ast.Expr]) -> str:
    return listed(map(full, exprs))


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
            return Written(f"{name.text}[{values_text(keys)}]", ATOM)
        case ast.Call(name, arguments):
            return Written(f"{name.text}({values_text(arguments)})", ATOM)
        case ast.SetOf(items):
            return Written("{" + literals(items) + "}", ATOM)
        case ast.Literal(parts):
            return Written(" ".join(inside(part, MINUS) for part in parts), ATOM)
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
            word = subject.text if isinstance(subject, ast.Name) else ""
            right = counted(owner) if word in WHERE_WORDS else last(owner, OF)
            takes = right.takes | {name for name, words in TAKEN.items() if word in words}
            return Written(f"{inside(subject, ATOM)} of {right.text}", OF, takes)
        case ast.Item(position, collection):
            right = last(collection, OF)
            return Written(f"item {inside(position, ATOM)} of {right.text}", OF, right.takes)
        case ast.Filter(collection, condition):
            return Written(where(filtered(collection), condition), ANYTHING, ALL)
        case ast.Range(low, high):
            return Written(f"{inside(low)}..{inside(high)}", ANYTHING, ALL)
        case _:
            assert_never(expr)


TAKEN = {"where": WHERE_WORDS, "over": OVER_WORDS}


def counted(expr: ast.Expr) -> Written:
    """After `count of`: a `where` belongs to what is counted."""
    if not isinstance(expr, ast.Filter) or isinstance(expr.collection, ast.Range):
        return last(expr, OF)
    return Written(where(inside(expr.collection, OF, "where"), expr.condition), OF, ALL)


def where(values: str, condition: ast.Expr) -> str:
    return part(WHERE_FULL, (f"{values} where", truth(condition)))


def filtered(expr: ast.Expr) -> str:
    """The collection before a `where`: a range needs no brackets there."""
    if isinstance(expr, ast.Range):
        return f"{inside(expr.low)}..{inside(expr.high, before='where')}"
    return inside(expr, before="where")


def collection(expr: ast.Expr) -> Written:
    """After `in` and `over`: a range or a `where` needs no brackets."""
    return write(expr) if isinstance(expr, ast.Range | ast.Filter) else last(expr, PLUS)


def each(binder: ast.Each) -> str:
    values = collection(binder.collection).text
    return f"{binder.name.text} in {values}" if binder.name else values


def write_over(expr: ast.Quantified | ast.Aggregate | ast.Best) -> Written:
    match expr:
        case ast.Quantified():
            return Written(part(WHERE_FULL, quantified(expr)), NOT, ALL)
        case ast.Aggregate(word, distinct, body, binder):
            what = "distinct " * distinct + inside(body, OF, "over")
            return Written(part(WHERE_FULL, (f"{word} of {what} over", each(binder))), OF, ALL)
        case ast.Best(word, binder, direction, key):
            return Written(f"{word} {each(binder)} with {direction} {last(key, PLUS).text}", OF, ALL)
        case _:
            assert_never(expr)


def quantified(expr: ast.Quantified) -> Iterator[str]:
    """What stands up to each `has`, and what must hold."""
    body: ast.Expr = expr
    while isinstance(body, ast.Quantified):
        yield f"{body.word} {each(body.each)} has"
        body = body.body
    yield truth(body)


def write_operation(expr: ast.Compare | ast.In | ast.IsEmpty | ast.Arithmetic | ast.Negate) -> Written:
    match expr:
        case ast.Compare("=", left, ast.Nothing()):
            return Written(f"{inside(left)} is nothing", COMPARE)
        case ast.Compare(operator, left, right):
            return binary(inside(left), operator, last(right, PLUS), COMPARE)
        case ast.In(item, values, negated):
            right_end = collection(values)
            return Written(f"{inside(item)} {'not ' * negated}in {right_end.text}", COMPARE, right_end.takes | WHERE)
        case ast.IsEmpty(values, negated):
            return Written(f"{inside(values)} is{' not' * negated} empty", COMPARE)
        case ast.Arithmetic(operator, left, right):
            strength = ARITHMETIC[operator]
            first = inside(left, strength + is_mixed(left, operator))
            return binary(first, operator, last(right, strength + 1), strength)
        case ast.Negate(value):
            operand = last(value, OF)
            return Written(f"-{operand.text}", MINUS, operand.takes)
        case _:
            assert_never(expr)


def is_mixed(left: ast.Expr, operator: str) -> bool:
    """`(n div 2) mod 4`: the order of these is known to few."""
    is_arithmetic = isinstance(left, ast.Arithmetic) and left.operator != operator
    return is_arithmetic and ARITHMETIC[operator] == TIMES


def binary(left: str, operator: str, right: Written, strength: int) -> Written:
    text = part(WHERE_FULL_LEVEL, (f"{left} {operator}", right.text))
    return Written(text, strength, right.takes)


def write_logic(expr: ast.Not | ast.And | ast.Or | ast.IfElse) -> Written:
    match expr:
        case ast.Not(value):
            right = last(value, NOT)
            return Written(f"not {right.text}", NOT, right.takes)
        case ast.And(parts):
            return joined(parts, "and", AND)
        case ast.Or(parts):
            return joined(parts, "or", OR)
        case ast.IfElse():
            return Written(part(AT_ALL, map(BREAK_WHERE_FULL.join, cases(expr))), NOT, ALL)
        case _:
            assert_never(expr)


def cases(expr: ast.IfElse) -> Iterator[tuple[str, ...]]:
    """`if … then …`, `else if … then …`, `else …`."""
    word: str = "if"
    rest: ast.Expr = expr
    while isinstance(rest, ast.IfElse):
        yield f"{word} {middle(rest.condition)}", f"then {middle(rest.then)}"
        word, rest = "else if", rest.otherwise
    yield (f"else {truth(rest)}",)


def middle(expr: ast.Expr) -> str:
    """Between the words of an `if`, where a second `if` would be hard to read."""
    return f"({full(expr)})" if isinstance(expr, ast.IfElse) else truth(expr)


def joined(parts: tuple[ast.Expr, ...], word: str, strength: int) -> Written:
    """For the reader's sake `and` inside of `or` has brackets, and the last part where an earlier one needs them."""
    *earlier, right = [write(part) for part in parts]
    if right.strength < NOT or ("*" in right.takes and any("*" in part.takes for part in earlier)):
        right = Written(f"({right.text})", ATOM)
    firm = [bracketed(part, NOT, "*") for part in earlier]
    following = (f"{word} {item}" for item in (*firm[1:], right.text))
    return Written(part(AT_ALL, (firm[0], *following)), strength, right.takes)


def literals(items: Iterable[ast.Literal]) -> str:
    return listed(literal(item) for item in items)


def literal(item: ast.Literal) -> str:
    """One value is a number or more; several stand side by side."""
    return last(item.parts[0], PLUS).text if len(item.parts) == 1 else write(item).text


# ---------------------------------------------------------------- types


def type_text(written: ast.TypeExpr, before: str = "*") -> str:
    match written:
        case ast.RangeType(low, high):
            return f"{inside(low)}..{inside(high, before=before)}"
        case ast.NamedType(name):
            return name.text
        case ast.WordsType(words, or_player):
            return listed(word.text for word in words) + (" or player" if or_player else "")
        case ast.TruthType():
            return "yes or no"
        case ast.PlayerType():
            return "player"
        case ast.OrderType(item):
            return f"order of {type_text(item, before)}"
        case ast.RowType(item, capacity):
            return f"row of {type_text(item)} up to {inside(capacity, before=before)}"
        case ast.Optional(item):
            return f"{type_text(item)} or nothing"
        case _:
            assert_never(written)
