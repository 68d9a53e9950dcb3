"""Statements as canonical lines. Takes a body, gives lines with their depth and the node that each one says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from attrs import frozen

from rulesrun.dsl import ast
from rulesrun.dsl.ast.named_values import is_to_the_right, single_value
from rulesrun.dsl.format.expressions import (
    BREAK_TO_FIT,
    PLUS,
    WHERE_FULL_LEVEL,
    format_binder,
    format_condition,
    format_expression,
    format_operand,
    mark_list,
    mark_part,
    remove_marks,
    write_collection,
    write_right_end,
)
from rulesrun.dsl.text.keywords import BOX


@frozen
class FormattedLine:
    """One logical line: how deep it stands, what it says (with marks to break it by), the node it comes from."""

    depth: int
    marked: str
    node: ast.Node

    @property
    def text(self) -> str:
        return remove_marks(self.marked)


def format_body(body: tuple[ast.Statement, ...], depth: int) -> Iterator[FormattedLine]:
    for statement in body:
        yield from format_statement(statement, depth)


def format_statement(statement: ast.Statement, depth: int) -> Iterator[FormattedLine]:
    match statement:
        case ast.If(branches):
            for index, branch in enumerate(branches):
                yield FormattedLine(depth, format_branch(branch, is_first=index == 0), branch)
                yield from format_body(branch.body, depth + 1)
        case ast.ForEach(word="let"):
            yield FormattedLine(depth, format_let(statement), statement)
            yield from format_body(statement.body, depth)
        case ast.ForEach(called=called) if called is not None:
            yield FormattedLine(depth, format_call(called), statement)
        case ast.ForEach() | ast.EachPlayer():
            yield FormattedLine(depth, format_each(statement), statement)
            yield from format_body(statement.body, depth + 1)
        case ast.Turns() | ast.Repeat():
            yield FormattedLine(depth, format_loop(statement), statement)
            yield from format_body(statement.body, depth + 1)
        case _:
            yield FormattedLine(depth, format_simple_statement(statement), statement)


def format_branch(branch: ast.Branch, *, is_first: bool) -> str:
    if branch.condition is None:
        return "otherwise"
    return f"{'if' if is_first else 'otherwise if'} {format_condition(branch.condition)}"


def format_each(statement: ast.ForEach | ast.EachPlayer) -> str:
    match statement:
        case ast.ForEach(binder, order):
            return f"each {format_binder(binder)}{format_order(order)}"
        case ast.EachPlayer(start, condition, order):
            text = "each player"
            if start is not None:
                text += f" from {format_operand(start, PLUS, 'where')}"
            if condition is not None:
                text += f" where {format_condition(condition)}"
            return text + format_order(order)
        case _:
            assert_never(statement)


def format_let(statement: ast.ForEach) -> str:
    name = statement.each.name.text if statement.each.name is not None else "it"
    return format_equation(f"let {name}", single_value(statement))


def format_call(called: ast.Spelled) -> str:
    """What is spelled out, as it was written: `do put_down(guard)`."""
    return f"do {format_expression(called)}" if isinstance(called, ast.Call) else format_simple_statement(called)


def format_throw(thrown: ast.Throw) -> str:
    text = f"roll {'all ' * thrown.all}{write_collection(thrown.what).text}"
    return text + (f" into {format_plain_value(thrown.into)}" if thrown.into is not None else "")


def format_equation(left: str, value: ast.Expr) -> str:
    """`x = …`: what is long stands below, if it is whole there; cases and conditions have their own lines."""
    has_own_lines = isinstance(value, ast.IfElse | ast.And | ast.Or)
    return f"{left} ={' ' if has_own_lines else BREAK_TO_FIT}{format_expression(value)}"


def format_plain_value(expr: ast.Expr) -> str:
    """A place, a number, a component: what needs no truth."""
    return write_right_end(expr, PLUS).text


def format_plain_values(exprs: tuple[ast.Expr, ...]) -> str:
    return mark_list(map(format_plain_value, exprs))


def format_loop(loop: ast.Turns | ast.Repeat) -> str:
    match loop:
        case ast.Turns(once, start, excluded, skipping, until, _, following, limit, without):
            text = f"{'one turn each' if once else 'turns'} from {format_plain_value(start)}"
            if following is not None:
                to_the_right = is_to_the_right(following)
                text += ", to the right" if to_the_right else f", next {format_condition(following)}"
            if excluded is not None:
                text += f" except {format_plain_value(excluded)}"
            if skipping is not None:
                text += f" skipping {format_condition(skipping)}"
            text += f" until {format_condition(until)}" if until is not None else ""
            if limit is not None:
                actions = f" without {join_alternatives([one.text for one in without])}" if without else ""
                text += f", at most {format_plain_value(limit)} turns{actions}"
            return text
        case ast.Repeat(times, until):
            if times is not None:
                return f"repeat {format_plain_value(times)} times"
            return "repeat" + (f" until {format_condition(until)}" if until is not None else "")
        case _:
            assert_never(loop)


def format_order(order: ast.Order | None) -> str:
    if order is None:
        return ""
    return f" in {'reverse ' * order.reverse}order of {format_plain_value(order.key)}"


Simple = (
    ast.Shuffle | ast.Deal | ast.Move | ast.Swap | ast.Becomes | ast.Increases | ast.Roll | ast.Throw | ast.Lots
    | ast.Choose | ast.DoEffect | ast.Ask | ast.LookAt
    | ast.Do | ast.End | ast.Wins | ast.Clear | ast.Show | ast.CountPoints | ast.Record
)


def format_simple_statement(statement: Simple) -> str:
    """A statement of one line."""
    match statement:
        case ast.Shuffle() | ast.Deal() | ast.Move():
            return format_moving(statement)
        case ast.Swap(one, other):
            return f"swap {format_plain_value(one)} with {format_plain_value(other)}"
        case ast.Becomes(target, value):
            return f"{format_plain_value(target)} becomes {format_expression(value)}"
        case ast.Increases(target, sign, amount):
            return (
                f"{format_plain_value(target)} {'increases' if sign > 0 else 'decreases'} by "
                f"{format_expression(amount)}"
            )
        case ast.Roll(target, chances):
            return f"roll {format_plain_value(target)}" + (
                f" with chances {format_plain_values(chances)}" if chances else ""
            )
        case ast.Throw():
            return format_throw(statement)
        case ast.Lots(target):
            return f"draw lots for {format_plain_value(target)}"
        case ast.Choose():
            return format_choose(statement)
        case ast.Do(step, arguments):
            return f"do {step.text}" + (f"({mark_list(map(format_expression, arguments))})" if arguments else "")
        case ast.DoEffect(column, owner):
            return f"do {column.text} of {format_plain_value(owner)}"
        case ast.Ask():
            return format_ask(statement)
        case ast.End(what):
            return f"end {what}"
        case ast.Clear(everything, what):
            return f"clear {'all ' * everything}{write_collection(what).text}"
        case ast.Wins(who, is_loss):
            told = format_plain_value(who) if who is not None else "nobody"
            return f"{told} {'loses' if is_loss else 'wins'}"
        case ast.LookAt(up_to, what):
            return f"look at {'up to ' * up_to}{format_plain_value(what)}"
        case ast.Show(what, to):
            return f"show {format_plain_value(what)}" + (f" to {format_plain_value(to)}" if to is not None else "")
        case ast.CountPoints():
            return "count points"
        case ast.Record(values, memory):
            return (
                f"record {mark_list([*map(format_plain_value, values[:-1]), format_operand(values[-1])])} in "
                f"{memory.text}"
            )
        case _:
            assert_never(statement)


def format_ask(statement: ast.Ask) -> str:
    text = f"ask each {statement.who}"
    match statement.start:
        case ast.Of(ast.Name("left" | "right" as side), ast.Name("player")):
            text += f" from {side}"
        case ast.Node() as start:
            text += f" from {format_operand(start, PLUS, 'where')}"
    if statement.condition is not None:
        text += f" where {format_condition(statement.condition)}"
    text += f": {join_alternatives([action.text for action in statement.actions])}"
    return text + (f", until {format_condition(statement.until)}" if statement.until is not None else "")


def format_moving(statement: ast.Shuffle | ast.Deal | ast.Move) -> str:
    match statement:
        case ast.Shuffle(what, everything, into):
            text = f"shuffle {'all ' * everything}{format_plain_value(what)}"
            return text + (f" into {format_plain_value(into)}" if into is not None else "")
        case ast.Deal(word="roll", count=count, origin=origin, target=target):
            die = origin.text.removeprefix(BOX) if isinstance(origin, ast.Name) else ""
            is_plain = isinstance(count, ast.Number | ast.Name)
            amount = format_expression(count) if is_plain else f"({format_expression(count)})"
            return f"roll {amount} of {die} into {format_plain_value(target)}"
        case ast.Deal(word, up_to, count, origin, condition, to_each, target, alias):
            text = f"{word} {'up to ' * up_to}{format_plain_value(count)} from {format_operand(origin, PLUS, 'where')}"
            text += f" where {format_condition(condition)}" if condition is not None else ""
            return f"{text} to {'each ' * to_each}{format_plain_value(target)}" + (f" as {alias.text}" if alias else "")
        case ast.Move(everything, what, target, order):
            return (
                f"move {'all ' * everything}{write_collection(what).text} to "
                f"{format_plain_value(target)}{format_order(order)}"
            )
        case _:
            assert_never(statement)


def format_choose(statement: ast.Choose) -> str:
    match statement.who:
        case "all":
            where = f" where {format_condition(statement.condition)}" if statement.condition is not None else ""
            opening = "all choose "
        case "team":
            where, opening = "", "team chooses "
        case "named" if statement.chooser is not None:
            where, opening = "", f"{format_plain_value(statement.chooser)} chooses "
        case _:
            where, opening = "", "choose "
    text = opening + join_alternatives([action.text for action in statement.actions]) + where
    if statement.if_possible:
        text += " if possible"
    if statement.is_promised:
        text += ", always possible"
    if statement.otherwise is not None:
        return mark_part(
            WHERE_FULL_LEVEL, (f"{text},", f"else {next(format_statement(statement.otherwise, 0)).marked}")
        )
    return text


def join_alternatives(words: list[str]) -> str:
    """`exchange, pass or zero`."""
    return f"{mark_list(words[:-1])} or {words[-1]}" if len(words) > 1 else words[0]


