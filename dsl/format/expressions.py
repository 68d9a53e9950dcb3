"""Expressions and types as canonical text, with as few brackets as the language allows.

Marks in it (`format_lines`) say where a line may be broken.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import assert_never

from attrs import define, field, frozen

from rulesrun.dsl import ast
from rulesrun.dsl.text.articles import with_article

# ---- line breaks
# One logical line as physical ones. Takes its text with marks in it, breaks it where the language lets a line go on.
#
# The marks say how the line is built: its parts, and where each may be broken. A part is broken before what stands
# inside of it; what is broken inside of a broken part stands deeper, so that no line seems to belong to another part
# than it does. The marks are control characters, which no word and no text of the language can hold.


WIDTH = 110
INDENT = "  "

# How a part is broken: at all its places or none, or where a line is full. `AT_ALL_LEVEL`: what is inside is no deeper;
# `WHERE_FULL_LEVEL`: what is like it stands no deeper, as a sum in a sum.
AT_ALL, AT_ALL_LEVEL, WHERE_FULL, WHERE_FULL_LEVEL = OPENING = "\x01\x02\x03\x04"
CLOSE = "\x05"
# A break; one that waits for a full line, even in a part that is broken at all places; one that must make the rest fit.
BREAK, BREAK_WHERE_FULL, BREAK_TO_FIT = BREAKS = "\x06\x07\x08"
ON_ONE_LINE = str.maketrans({**dict.fromkeys(OPENING + CLOSE, ""), **dict.fromkeys(BREAKS, " ")})


def mark_part(how: str, items: Iterable[str], sign: str = "") -> str:
    """Items that stand beside each other, or below each other."""
    return f"{how}{f'{sign}{BREAK}'.join(items)}{CLOSE}"


def mark_list(items: Iterable[str]) -> str:
    """With commas between them."""
    return mark_part(WHERE_FULL, items, ",")


def remove_marks(marked: str) -> str:
    """Without the marks."""
    return marked.translate(ON_ONE_LINE)


def fold_line(marked: str, depth: int) -> list[str]:
    """At most `WIDTH` wide where that can be done; what goes on stands two levels deeper."""
    whole = _parse_marks(marked)
    if len(INDENT * depth) + whole.width <= WIDTH:
        return [INDENT * depth + remove_marks(marked)]
    lines = _LineFiller(depth)
    lines.put_part(whole, 0, depth + 2)
    return lines.done


@define(eq=False)
class _LinePart:
    """`items`: what stands between its breaks, each of words and parts."""

    how: str
    items: list[list[str | _LinePart]] = field(factory=lambda: [[]])
    breaks: list[str] = field(factory=list)
    width: int = 0


def _parse_marks(marked: str) -> _LinePart:
    whole = _LinePart(AT_ALL_LEVEL)
    still_open = [whole]
    start = 0
    for at, sign in enumerate(marked):
        if sign > BREAKS[-1]:
            continue
        _add_piece(still_open[-1], marked[start:at])
        start = at + 1
        if sign in OPENING:
            still_open.append(_LinePart(sign))
        elif sign == CLOSE:
            inner = still_open.pop()
            _add_piece(still_open[-1], inner)
        else:
            still_open[-1].breaks.append(sign)
            still_open[-1].items.append([])
            still_open[-1].width += 1
    _add_piece(whole, marked[start:])
    return whole


def _add_piece(part: _LinePart, piece: str | _LinePart) -> None:
    if piece:
        part.items[-1].append(piece)
        part.width += _width_of(piece)


def _width_of(piece: str | _LinePart) -> int:
    return len(piece) if isinstance(piece, str) else piece.width


def _leading_width(pieces: Iterable[str | _LinePart], behind: int) -> int:
    """How wide the pieces are up to the first place where they may be broken, or with what must follow."""
    width = 0
    for piece in pieces:
        if isinstance(piece, _LinePart) and _can_be_broken(piece):
            return width + _leading_width(piece.items[0], 0)
        width += _width_of(piece)
    return width + behind


def _can_be_broken(part: _LinePart) -> bool:
    return bool(part.breaks) or any(isinstance(piece, _LinePart) and _can_be_broken(piece) for piece in part.items[0])


def _width_to_first_break(item: list[str | _LinePart]) -> int:
    """How wide it is up to its own first break, whatever is inside."""
    begin = item[0]
    if isinstance(begin, _LinePart) and (begin.breaks or len(item) == 1):
        return _width_to_first_break(begin.items[0])
    return sum(map(_width_of, item))


class _LineFiller:
    """Lines as they are filled, and how deep the last of them stands."""

    def __init__(self, depth: int) -> None:
        self.done = [INDENT * depth]
        self.level = depth
        self.room = WIDTH - len(INDENT * 2)  # the first line leaves free at its end what others leave at their begin
        self.is_begun = True  # the first line goes on deeper, whatever stands in it

    def begin_line(self, level: int) -> None:
        self.done.append(INDENT * level)
        self.level, self.room = level, WIDTH
        self.is_begun = False

    def put_text(self, text: str) -> None:
        self.done[-1] += text
        self.is_begun = True

    def put_part(self, part: _LinePart, behind: int, level: int) -> None:
        """`behind`: how much must follow on its last line; `level`: how deep stands what goes on."""
        has_room = self._has_room_for(part.width + behind)
        own = level if self.is_begun else self.level
        inner = own + 1 if part.breaks and part.how != AT_ALL_LEVEL else own
        for at, item in enumerate(part.items):
            after = 0 if at + 1 < len(part.items) else behind
            if at and not has_room and self._is_broken(part, at, after, own):
                self.begin_line(own)
            elif at:
                self.put_text(" ")
            for place, piece in enumerate(item, 1):
                if isinstance(piece, str):
                    self.put_text(piece)
                else:
                    is_like = piece.how == part.how == WHERE_FULL_LEVEL
                    self.put_part(piece, _leading_width(item[place:], after), own if is_like else inner)

    def _is_broken(self, part: _LinePart, at: int, behind: int, level: int) -> bool:
        """Before its item at this place, behind which so much must follow."""
        width = sum(map(_width_of, part.items[at])) + behind
        if part.how in (AT_ALL, AT_ALL_LEVEL) and part.breaks[at - 1] == BREAK:
            return True
        if part.breaks[at - 1] == BREAK_TO_FIT and len(INDENT * level) + width > WIDTH:
            width = _width_to_first_break(part.items[at])
        return not self._has_room_for(1 + width)

    def _has_room_for(self, width: int) -> bool:
        return len(self.done[-1]) + width <= self.room


# ---- expressions


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
