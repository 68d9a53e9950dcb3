"""Expressions and types as canonical text, with as few brackets as the language allows.

Marks in it (`format_lines`) say where a line may be broken.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import assert_never

from attrs import frozen

from rulesrun.dsl import ast
from rulesrun.dsl.format.line_breaks import AT_ALL, BREAK_WHERE_FULL, WHERE_FULL, WHERE_FULL_LEVEL, mark_list, mark_part
from rulesrun.dsl.text.articles import with_article

ANYTHING, OR, AND, NOT, COMPARE, PLUS, TIMES, MINUS, OF, ATOM = range(10)
ARITHMETIC = {"+": PLUS, "-": PLUS, "*": TIMES, "/": TIMES, "div": TIMES, "mod": TIMES}


WHERE_WORDS = frozenset(("count", "sum", "highest", "lowest", "list", "sorted"))  # `count of hand where …`
OVER_WORDS = WHERE_WORDS - {"count"}


@frozen
class WrittenExpression:
    """`strength`: how firmly it holds together. `takes`: which words it would take in after it; `*` is any operator."""

    text: str
    strength: int
    takes: frozenset[str] = frozenset()


ALL = frozenset(("*", "where", "over"))
WHERE = frozenset(("where",))


def format_expression(expr: ast.Expr) -> str:
    """Where a range or a `where` may stand without brackets."""
    return write_expression(expr).text


def format_condition(expr: ast.Expr) -> str:
    """Where an expression ends by itself: a word of the language or the end of the line follows."""
    return write_right_end(expr, OR).text


def format_operand(expr: ast.Expr, strength: int = PLUS, before: str = "*") -> str:
    """Where `before` follows: a word, or `*` for an operator or anything else."""
    written = write_expression(expr)
    if isinstance(expr, ast.Arithmetic) and written.strength >= strength and before in written.takes:
        return format_closed(expr)
    return bracket_if_needed(written, strength, before)


def format_closed(expr: ast.Arithmetic) -> str:
    """`a + (sum of …)` rather than `(a + sum of …)`, when something follows."""
    strength = ARITHMETIC[expr.operator]
    first = format_operand(expr.left, strength + is_mixed_arithmetic(expr.left, expr.operator))
    return mark_part(WHERE_FULL_LEVEL, (f"{first} {expr.operator}", f"({write_expression(expr.right).text})"))


def bracket_if_needed(written: WrittenExpression, strength: int, before: str) -> str:
    is_firm = written.strength >= strength and before not in written.takes
    return written.text if is_firm else f"({written.text})"


def write_right_end(expr: ast.Expr, strength: int) -> WrittenExpression:
    """As the right end of something: it may stay open."""
    written = write_expression(expr)
    return written if written.strength >= strength else WrittenExpression(f"({written.text})", ATOM)


def format_values(exprs: Iterable[ast.Expr]) -> str:
    return mark_list(map(format_expression, exprs))


def quote_text(text: str) -> str:
    return f'"{text}"'


def write_expression(expr: ast.Expr) -> WrittenExpression:
    match expr:
        case ast.Number(value):
            return WrittenExpression(str(value), ATOM if value >= 0 else MINUS)
        case ast.Text(text):
            return WrittenExpression(quote_text(text), ATOM)
        case ast.Truth(value):
            return WrittenExpression("yes" if value else "no", ATOM)
        case ast.Nothing():
            return WrittenExpression("nothing", ATOM)
        case ast.Name(text):
            return WrittenExpression(text, ATOM)
        case ast.Index(name, (key,), of=True):
            return write_selection(ast.Of(name, key, span=expr.span))
        case ast.Index(name, keys):
            return WrittenExpression(f"{name.text}[{format_values(keys)}]", ATOM)
        case ast.Call(name, arguments):
            return WrittenExpression(f"{name.text}({format_values(arguments)})", ATOM)
        case ast.SetOf(items):
            return WrittenExpression("{" + format_literals(items) + "}", ATOM)
        case ast.Literal(parts):
            return WrittenExpression(" ".join(format_operand(part, MINUS) for part in parts), ATOM)
        case ast.Before(value):
            return WrittenExpression(f"before ({format_expression(value)})", ATOM)
        case ast.Can(action):
            return WrittenExpression(f"can {action.text}", ATOM)
        case ast.Of() | ast.Item() | ast.Filter() | ast.Joined() | ast.Combinations() | ast.Range():
            return write_selection(expr)
        case ast.Quantified() | ast.Aggregate() | ast.Best():
            return write_over(expr)
        case ast.Compare() | ast.In() | ast.IsEmpty() | ast.Arithmetic() | ast.Negate():
            return write_operation(expr)
        case ast.Not() | ast.And() | ast.Or() | ast.IfElse():
            return write_logic(expr)
        case _:
            assert_never(expr)


def write_selection(
    expr: ast.Of | ast.Item | ast.Filter | ast.Joined | ast.Combinations | ast.Range,
) -> WrittenExpression:
    match expr:
        case ast.Of(subject, owner):
            word = subject.text if isinstance(subject, ast.Name) else ""
            right = write_counted(owner) if word in WHERE_WORDS else write_right_end(owner, OF)
            if isinstance(owner, ast.Literal) and len(owner.parts) > 1:
                right = WrittenExpression(f"({right.text})", ATOM)
            takes = right.takes | {name for name, words in TAKEN.items() if word in words}
            return WrittenExpression(f"{format_operand(subject, ATOM)} of {right.text}", OF, takes)
        case ast.Item(position, collection):
            right = write_right_end(collection, OF)
            return WrittenExpression(f"item {format_operand(position, ATOM)} of {right.text}", OF, right.takes)
        case ast.Filter(collection, condition):
            return WrittenExpression(format_where(format_filtered(collection), condition), ANYTHING, ALL)
        case ast.Joined(parts):
            return WrittenExpression(" or ".join(format_operand(part) for part in parts), ANYTHING, ALL)
        case ast.Combinations(low, high, collection):
            right = write_right_end(collection, OF)
            amount = format_operand(low) if low is high else f"{format_operand(low)}..{format_operand(high)}"
            return WrittenExpression(f"combinations of {amount} from {right.text}", OF, right.takes)
        case ast.Range(low, high):
            return WrittenExpression(f"{format_operand(low)}..{format_operand(high)}", ANYTHING, ALL)
        case _:
            assert_never(expr)


TAKEN = {"where": WHERE_WORDS, "over": OVER_WORDS}


def write_counted(expr: ast.Expr) -> WrittenExpression:
    """After `count of`: a `where` belongs to what is counted."""
    if not isinstance(expr, ast.Filter) or isinstance(expr.collection, ast.Range):
        return write_right_end(expr, OF)
    return WrittenExpression(format_where(format_operand(expr.collection, OF, "where"), expr.condition), OF, ALL)


def format_where(values: str, condition: ast.Expr) -> str:
    return mark_part(WHERE_FULL, (f"{values} where", format_condition(condition)))


def format_filtered(expr: ast.Expr) -> str:
    """The collection before a `where`: a range needs no brackets there."""
    if isinstance(expr, ast.Range):
        return f"{format_operand(expr.low)}..{format_operand(expr.high, before='where')}"
    if isinstance(expr, ast.Joined):
        return " or ".join(format_operand(part, before="where") for part in expr.parts)
    return format_operand(expr, before="where")


def write_collection(expr: ast.Expr) -> WrittenExpression:
    """After `in` and `over`: a range or a `where` needs no brackets."""
    is_open = isinstance(expr, ast.Range | ast.Filter | ast.Joined)
    return write_expression(expr) if is_open else write_right_end(expr, PLUS)


def format_binder(binder: ast.Each) -> str:
    values = write_collection(binder.collection).text
    return f"{binder.name.text} in {values}" if binder.name else values


def write_over(expr: ast.Quantified | ast.Aggregate | ast.Best) -> WrittenExpression:
    match expr:
        case ast.Quantified():
            return WrittenExpression(mark_part(WHERE_FULL, format_quantified(expr)), NOT, ALL)
        case ast.Aggregate(word, distinct, body, binder):
            what = "distinct " * distinct + format_operand(body, OF, "over")
            return WrittenExpression(mark_part(WHERE_FULL, (f"{word} of {what} over", format_binder(binder))), OF, ALL)
        case ast.Best(direction="only", each=binder):
            return WrittenExpression(f"the {format_binder(binder)}", OF, ALL)
        case ast.Best() if (around := read_first_from(expr)) is not None:
            return WrittenExpression(format_first_from(*around), OF, ALL)
        case ast.Best(word, binder, direction, key):
            return WrittenExpression(
                f"{word} {format_binder(binder)} with {direction} {write_right_end(key, PLUS).text}", OF, ALL
            )
        case _:
            assert_never(expr)


def read_first_from(best: ast.Best) -> tuple[ast.Name, ast.Expr, ast.Expr | None] | None:
    """`the first p from left of player where …`: who it is, where one begins, the condition."""
    match best:
        case ast.Best(
            "the",
            ast.Each(ast.Name() as name, several),
            "lowest",
            ast.Call(ast.Name(text="seats_from"), (start, ast.Name(text=counted))),
        ) if counted == name.text:
            match several:
                case ast.Name(text="players"):
                    return name, start, None
                case ast.Filter(ast.Name(text="players"), condition):
                    return name, start, condition
    return None


def format_first_from(name: ast.Name, start: ast.Expr, condition: ast.Expr | None) -> str:
    if condition is None:
        return f"the first {name.text} from {write_right_end(start, PLUS).text}"
    return f"the first {name.text} from {format_operand(start, PLUS, 'where')} where {format_condition(condition)}"


def format_quantified(expr: ast.Quantified) -> Iterator[str]:
    """What stands up to each `has`, and what must hold."""
    body: ast.Expr = expr
    while isinstance(body, ast.Quantified):
        line = read_line_of_places(body)
        if line is not None:
            words, body = line
            yield f"{words} has"
        else:
            yield f"{body.word} {format_binder(body.each)} has"
            body = body.body
    yield format_condition(body)


LINES = {"lines": "in", "lines_through": "through"}


def read_line_of_places(expr: ast.Quantified) -> tuple[str, ast.Expr] | None:
    """`some line of 3 in Square has …`: the words up to `has`, and what holds of every place."""
    match expr:
        case ast.Quantified(
            each=ast.Each(None, ast.Call(ast.Name(text="lines" | "lines_through" as called), (where, length))),
            body=ast.Quantified("every", ast.Each(None, ast.Name(text="it")), body),
        ):
            return f"{expr.word} line of {format_operand(length)} {LINES[called]} {format_operand(where)}", body
        case _:
            return None


def write_operation(expr: ast.Compare | ast.In | ast.IsEmpty | ast.Arithmetic | ast.Negate) -> WrittenExpression:
    match expr:
        case ast.Compare("=", left, ast.Nothing()):
            return WrittenExpression(f"{format_operand(left)} is nothing", COMPARE)
        case ast.Compare(operator, left, right):
            return write_binary(format_operand(left), operator, write_right_end(right, PLUS), COMPARE)
        case ast.In(item, ast.Name(kind), negated, of_kind=True):
            words = f"is {'not ' * negated}{with_article(kind)}"
            return WrittenExpression(f"{format_operand(item)} {words}", COMPARE)
        case ast.In(item, values, negated):
            right_end = write_collection(values)
            return WrittenExpression(
                f"{format_operand(item)} {'not ' * negated}in {right_end.text}", COMPARE, right_end.takes | WHERE
            )
        case ast.IsEmpty(values, negated):
            return WrittenExpression(f"{format_operand(values)} is{' not' * negated} empty", COMPARE)
        case ast.Arithmetic(operator, left, right):
            strength = ARITHMETIC[operator]
            first = format_operand(left, strength + is_mixed_arithmetic(left, operator))
            return write_binary(first, operator, write_right_end(right, strength + 1), strength)
        case ast.Negate(value):
            operand = write_right_end(value, OF)
            return WrittenExpression(f"-{operand.text}", MINUS, operand.takes)
        case _:
            assert_never(expr)


def is_mixed_arithmetic(left: ast.Expr, operator: str) -> bool:
    """`(n div 2) mod 4`: the order of these is known to few."""
    is_arithmetic = isinstance(left, ast.Arithmetic) and left.operator != operator
    return is_arithmetic and ARITHMETIC[operator] == TIMES


def write_binary(left: str, operator: str, right: WrittenExpression, strength: int) -> WrittenExpression:
    text = mark_part(WHERE_FULL_LEVEL, (f"{left} {operator}", right.text))
    return WrittenExpression(text, strength, right.takes)


def write_logic(expr: ast.Not | ast.And | ast.Or | ast.IfElse) -> WrittenExpression:
    match expr:
        case ast.Not(value):
            right = write_right_end(value, NOT)
            return WrittenExpression(f"not {right.text}", NOT, right.takes)
        case ast.And(parts):
            return write_joined(parts, "and", AND)
        case ast.Or(parts):
            return write_joined(parts, "or", OR)
        case ast.IfElse():
            return WrittenExpression(mark_part(AT_ALL, map(BREAK_WHERE_FULL.join, format_cases(expr))), NOT, ALL)
        case _:
            assert_never(expr)


def format_cases(expr: ast.IfElse) -> Iterator[tuple[str, ...]]:
    """`if … then …`, `else if … then …`, `else …`."""
    word: str = "if"
    rest: ast.Expr = expr
    while isinstance(rest, ast.IfElse):
        yield f"{word} {format_if_part(rest.condition)}", f"then {format_if_part(rest.then)}"
        word, rest = "else if", rest.otherwise
    yield (f"else {format_condition(rest)}",)


def format_if_part(expr: ast.Expr) -> str:
    """Between the words of an `if`, where a second `if` would be hard to read."""
    return f"({format_expression(expr)})" if isinstance(expr, ast.IfElse) else format_condition(expr)


def write_joined(parts: tuple[ast.Expr, ...], word: str, strength: int) -> WrittenExpression:
    """For the reader's sake `and` inside of `or` has brackets, and the last part where an earlier one needs them."""
    *earlier, right = [write_expression(part) for part in parts]
    if right.strength < NOT or ("*" in right.takes and any("*" in part.takes for part in earlier)):
        right = WrittenExpression(f"({right.text})", ATOM)
    firm = [bracket_if_needed(part, NOT, "*") for part in earlier]
    following = (f"{word} {item}" for item in (*firm[1:], right.text))
    return WrittenExpression(mark_part(AT_ALL, (firm[0], *following)), strength, right.takes)


def format_literals(items: Iterable[ast.Literal]) -> str:
    return mark_list(format_literal(item) for item in items)


def format_literal(item: ast.Literal) -> str:
    """One value is a number or more; several stand side by side."""
    return write_right_end(item.parts[0], PLUS).text if len(item.parts) == 1 else write_expression(item).text


# ---------------------------------------------------------------- types


def format_type(written: ast.TypeExpr, before: str = "*") -> str:
    match written:
        case ast.RangeType(listed=(*others, last)):
            return f"{mark_list(map(str, others))} or {last}"
        case ast.RangeType(low, high):
            return f"{format_operand(low)}..{format_operand(high, before=before)}"
        case ast.NamedType(name):
            return name.text
        case ast.EitherType(names):
            return " or ".join(name.text for name in names)
        case ast.WordsType(words, or_player):
            return mark_list(word.text for word in words) + (" or player" if or_player else "")
        case ast.TruthType():
            return "yes or no"
        case ast.PlayerType():
            return "player"
        case ast.OrderType(item):
            return f"order of {format_type(item, before)}"
        case ast.RowType(item, capacity):
            return f"row of {format_type(item)} up to {format_operand(capacity, before=before)}"
        case ast.SetType(item):
            return f"set of {format_type(item, before)}"
        case ast.Optional(item):
            return f"{format_type(item)} or nothing"
        case _:
            assert_never(written)
