"""Statements as canonical lines. Takes a body, gives lines with their depth and the node that each one says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from attrs import frozen

from rulesrun.dsl import ast
from rulesrun.dsl.format.expressions import PLUS, collection, each, full, inside, last, truth
from rulesrun.dsl.format.line_breaks import WHERE_FULL_LEVEL, listed, on_one_line, part


@frozen
class Row:
    """One logical line: how deep it stands, what it says (with marks to break it by), the node it comes from."""

    depth: int
    marked: str
    node: ast.Node

    @property
    def text(self) -> str:
        return on_one_line(self.marked)


def body_rows(body: tuple[ast.Statement, ...], depth: int) -> Iterator[Row]:
    for statement in body:
        yield from statement_rows(statement, depth)


def statement_rows(statement: ast.Statement, depth: int) -> Iterator[Row]:
    match statement:
        case ast.If(branches):
            for index, branch in enumerate(branches):
                yield Row(depth, branch_text(branch, is_first=index == 0), branch)
                yield from body_rows(branch.body, depth + 1)
        case ast.ForEach() | ast.EachPlayer():
            yield Row(depth, each_text(statement), statement)
            yield from body_rows(statement.body, depth + 1)
        case ast.Turns() | ast.Repeat():
            yield Row(depth, loop_text(statement), statement)
            yield from body_rows(statement.body, depth + 1)
        case _:
            yield Row(depth, statement_text(statement), statement)


def branch_text(branch: ast.Branch, *, is_first: bool) -> str:
    if branch.condition is None:
        return "otherwise"
    return f"{'if' if is_first else 'otherwise if'} {truth(branch.condition)}"


def each_text(statement: ast.ForEach | ast.EachPlayer) -> str:
    match statement:
        case ast.ForEach(binder, order):
            return f"each {each(binder)}{order_text(order)}"
        case ast.EachPlayer(start, condition, order):
            text = "each player"
            if start is not None:
                text += f" from {inside(start, PLUS, 'where')}"
            if condition is not None:
                text += f" where {truth(condition)}"
            return text + order_text(order)
        case _:
            assert_never(statement)


def plain(expr: ast.Expr) -> str:
    """A place, a number, a component: what needs no truth."""
    return last(expr, PLUS).text


def plain_list(exprs: tuple[ast.Expr, ...]) -> str:
    return listed(map(plain, exprs))


def loop_text(loop: ast.Turns | ast.Repeat) -> str:
    match loop:
        case ast.Turns(once, start, excluded, skipping, until):
            text = f"{'one turn each' if once else 'turns'} from {plain(start)}"
            if excluded is not None:
                text += f" except {plain(excluded)}"
            if skipping is not None:
                text += f" skipping {truth(skipping)}"
            return text + (f" until {truth(until)}" if until is not None else "")
        case ast.Repeat(times, until):
            if times is not None:
                return f"repeat {plain(times)} times"
            return "repeat" + (f" until {truth(until)}" if until is not None else "")
        case _:
            assert_never(loop)


def order_text(order: ast.Order | None) -> str:
    if order is None:
        return ""
    return f" in {'reverse ' * order.reverse}order of {plain(order.key)}"


Simple = (
    ast.Shuffle | ast.Deal | ast.Move | ast.Becomes | ast.Increases | ast.Roll | ast.Lots | ast.Choose | ast.Do
    | ast.End | ast.Show | ast.CountPoints | ast.Record
)


def statement_text(statement: Simple) -> str:
    """A statement of one line."""
    match statement:
        case ast.Shuffle() | ast.Deal() | ast.Move():
            return moving_text(statement)
        case ast.Becomes(target, value):
            return f"{plain(target)} becomes {full(value)}"
        case ast.Increases(target, sign, amount):
            return f"{plain(target)} {'increases' if sign > 0 else 'decreases'} by {full(amount)}"
        case ast.Roll(target, chances):
            return f"roll {plain(target)}" + (f" with chances {plain_list(chances)}" if chances else "")
        case ast.Lots(target):
            return f"draw lots for {plain(target)}"
        case ast.Choose():
            return choose_text(statement)
        case ast.Do(step):
            return f"do {step.text}"
        case ast.End(what):
            return f"end {what}"
        case ast.Show(what, to):
            return f"show {plain(what)}" + (f" to {plain(to)}" if to is not None else "")
        case ast.CountPoints():
            return "count points"
        case ast.Record(values, memory):
            return f"record {listed([*map(plain, values[:-1]), inside(values[-1])])} in {memory.text}"
        case _:
            assert_never(statement)


def moving_text(statement: ast.Shuffle | ast.Deal | ast.Move) -> str:
    match statement:
        case ast.Shuffle(what, everything, into):
            text = f"shuffle {'all ' * everything}{plain(what)}"
            return text + (f" into {plain(into)}" if into is not None else "")
        case ast.Deal(word, up_to, count, origin, condition, to_each, target, alias):
            text = f"{word} {'up to ' * up_to}{plain(count)} from {inside(origin, PLUS, 'where')}"
            text += f" where {truth(condition)}" if condition is not None else ""
            return f"{text} to {'each ' * to_each}{plain(target)}" + (f" as {alias.text}" if alias else "")
        case ast.Move(everything, what, target, order):
            return f"move {'all ' * everything}{collection(what).text} to {plain(target)}{order_text(order)}"
        case _:
            assert_never(statement)


def choose_text(statement: ast.Choose) -> str:
    match statement.who:
        case "all":
            where = f" where {truth(statement.condition)}" if statement.condition is not None else ""
            opening = "all choose "
        case "team":
            where, opening = "", "team chooses "
        case "named" if statement.chooser is not None:
            where, opening = "", f"{plain(statement.chooser)} chooses "
        case _:
            where, opening = "", "choose "
    text = opening + alternatives([action.text for action in statement.actions]) + where
    if statement.if_possible:
        text += " if possible"
    if statement.is_promised:
        text += ", always possible"
    if statement.otherwise is not None:
        return part(WHERE_FULL_LEVEL, (f"{text},", f"else {next(statement_rows(statement.otherwise, 0)).marked}"))
    return text


def alternatives(words: list[str]) -> str:
    """`exchange, pass or zero`."""
    return f"{listed(words[:-1])} or {words[-1]}" if len(words) > 1 else words[0]


