"""The statements: what they name and need. A drawn card's name is known in the lines after it."""

from __future__ import annotations

from typing import assert_never

from attrs import evolve

from rulesrun.dsl import ast
from rulesrun.dsl.typing.collections import element_scope, infer_collection, infer_each
from rulesrun.dsl.typing.moves import infer_deal, infer_move, infer_show, infer_shuffle
from rulesrun.dsl.typing.names import Scope, unknown
from rulesrun.dsl.typing.notebook import Book
from rulesrun.dsl.typing.relations import PLAYER, PLAYERS, TRUTH, UNKNOWN, bare, describe, fits
from rulesrun.dsl.typing.targets import infer_target
from rulesrun.dsl.typing.types import NumberOf, Type, Unknown, WordOf


def infer_body(book: Book, body: tuple[ast.Statement, ...], scope: Scope) -> None:
    for statement in body:
        infer_statement(book, statement, scope)
        if isinstance(statement, ast.Deal) and statement.alias is not None:
            scope = scope.with_name(statement.alias.text, statement, book.types.get(statement.alias, UNKNOWN))


def infer_statement(book: Book, node: ast.Statement, scope: Scope) -> None:
    match node:
        case ast.Shuffle():
            infer_shuffle(book, node, scope)
        case ast.Deal():
            infer_deal(book, node, scope)
        case ast.Move():
            infer_move(book, node, scope)
        case ast.Show():
            infer_show(book, node, scope)
        case ast.Becomes(target=target, value=value):
            book.require(value, scope, infer_target(book, target, scope))
        case ast.Increases(target=target, amount=amount):
            _increases(book, target, amount, scope)
        case ast.Roll():
            _roll(book, node, scope)
        case ast.Lots(target=target):
            _lots(book, target, scope)
        case ast.Choose():
            _choose(book, node, scope)
        case ast.Do(step=step):
            _do(book, step)
        case ast.End() | ast.CountPoints():
            pass
        case ast.Record():
            _record(book, node, scope)
        case _:
            _infer_block(book, node, scope)


Block = ast.If | ast.ForEach | ast.EachPlayer | ast.Turns | ast.Repeat


def _infer_block(book: Book, node: Block, scope: Scope) -> None:
    """The statements with lines below."""
    match node:
        case ast.If(branches=branches):
            for branch in branches:
                if branch.condition is not None:
                    book.require(branch.condition, scope, TRUTH)
                infer_body(book, branch.body, scope)
        case ast.ForEach():
            _for_each(book, node, scope)
        case ast.EachPlayer():
            _each_player(book, node, scope)
        case ast.Turns():
            infer_turns(book, node, scope)
            infer_body(book, node.body, scope)
        case ast.Repeat():
            infer_repeat(book, node, scope)
            infer_body(book, node.body, scope)
        case _:
            assert_never(node)


def _increases(book: Book, target: ast.Expr, amount: ast.Expr, scope: Scope) -> None:
    found = infer_target(book, target, scope)
    if not isinstance(found, NumberOf | Unknown):
        book.report("wrong-type", f"expected a number, found {describe(found)}", target, "only numbers increase")
    book.number(amount, scope)


def _roll(book: Book, node: ast.Roll, scope: Scope) -> None:
    found = bare(infer_target(book, node.target, scope))
    for chance in node.chances:
        book.number(chance, scope)
    size = _values_of(found, book)
    if size is None and not isinstance(found, Unknown):
        book.report("wrong-type", f"expected a number or a word to roll, found {describe(found)}", node.target)
    elif node.chances and size is not None and len(node.chances) != size:
        book.report(
            "wrong-number-of-chances", f"there are {size} values and {len(node.chances)} chances", node,
            "give one chance for each value, in their order",
        )


def _values_of(type: Type, book: Book) -> int | None:
    match type:
        case NumberOf(low=low, high=high):
            return high - low + 1
        case WordOf(words=words):
            return len(words)
        case _:
            return 2 if type == TRUTH else book.players.high if type == PLAYER else None


def _lots(book: Book, target: ast.Expr, scope: Scope) -> None:
    found = infer_target(book, target, scope)
    if not fits(PLAYER, found):
        book.report("wrong-type", f"lots are drawn for a player, found {describe(found)}", target)


def _choose(book: Book, node: ast.Choose, scope: Scope) -> None:
    if node.chooser is not None:
        book.require(node.chooser, scope, PLAYER)
    if node.condition is not None:
        book.require(node.condition, scope, TRUTH)
    for name in node.actions:
        action = book.names.actions.get(name.text)
        if action is None:
            found = unknown("unknown-action", "action", name, book.names.actions)
            is_step = name.text in book.names.steps
            book.complain(evolve(found, hint=f"a step is done: write `do {name.text}`") if is_step else found)
        else:
            book.meanings[name] = action
    if node.otherwise is not None:
        infer_statement(book, node.otherwise, scope)


def _do(book: Book, name: ast.Name) -> None:
    step = book.names.steps.get(name.text)
    if step is None:
        found = unknown("unknown-step", "step", name, book.names.steps)
        is_action = name.text in book.names.actions
        book.complain(evolve(found, hint=f"an action is chosen: write `choose {name.text}`") if is_action else found)
    else:
        book.meanings[name] = step


def _record(book: Book, node: ast.Record, scope: Scope) -> None:
    for value in node.values:
        if isinstance(value, ast.Name) and value.text == "players":
            infer_collection(book, value, scope)
        else:
            book.infer(value, scope)
    memory = book.names.things.get(node.memory.text)
    if isinstance(memory, ast.Memory):
        book.meanings[node.memory] = memory
    else:
        memories = [name for name, thing in book.names.things.items() if isinstance(thing, ast.Memory)]
        book.complain(unknown("unknown-memory", "memory", node.memory, memories))


# ---------------------------------------------------------------- loops


def _for_each(book: Book, node: ast.ForEach, scope: Scope) -> None:
    item = infer_each(book, node.each, scope)
    inside = element_scope(node.each, item, scope)
    if node.order is not None:
        book.infer(node.order.key, inside)
    if node.each.name is not None:
        inside = scope.with_name(node.each.name.text, node.each, item)
    infer_body(book, node.body, inside)


def _each_player(book: Book, node: ast.EachPlayer, scope: Scope) -> None:
    if node.start is not None:
        book.require(node.start, scope, PLAYER)
    if node.condition is not None:
        book.require(node.condition, scope, TRUTH)
    if node.order is not None:
        book.infer(node.order.key, scope)
    infer_body(book, node.body, scope)


def infer_turns(book: Book, node: ast.Turns, scope: Scope) -> None:
    """The header alone: of a phase the lines stand elsewhere."""
    book.require(node.start, scope, PLAYER)
    if node.excluded is not None:
        found = book.infer(node.excluded, scope, PLAYER)
        if not fits(PLAYER, found) and not fits(PLAYERS, found):
            book.report("wrong-type", f"expected a player, found {describe(found)}", node.excluded)
    for condition in (node.skipping, node.until):
        if condition is not None:
            book.require(condition, scope, TRUTH)


def infer_repeat(book: Book, node: ast.Repeat, scope: Scope) -> None:
    if node.times is not None:
        book.number(node.times, scope)
    if node.until is not None:
        book.require(node.until, scope, TRUTH)
