"""The statements: what they name and need. A drawn card's name is known in the lines after it."""

from __future__ import annotations

from typing import assert_never

from attrs import evolve

from rulesrun.dsl import ast
from rulesrun.dsl.ast.named_values import name_of, single_literal
from rulesrun.dsl.ast.walk import walk
from rulesrun.dsl.diagnostics.diagnostic import Edit
from rulesrun.dsl.text.messages import message, plural
from rulesrun.dsl.typing.collections import element_scope, infer_collection, infer_each, narrow_scope
from rulesrun.dsl.typing.declared import type_of
from rulesrun.dsl.typing.moves import (
    infer_deal,
    infer_move,
    infer_show,
    infer_shuffle,
    infer_target,
    infer_zone,
    require_same_kind,
)
from rulesrun.dsl.typing.name_uses import infer_argument
from rulesrun.dsl.typing.names import Scope, unknown_diagnostic
from rulesrun.dsl.typing.notebook import (
    PLAYER,
    PLAYERS,
    TOP,
    TRUTH,
    UNKNOWN,
    Notebook,
    describe_type,
    is_assignable,
    strip_optional,
)
from rulesrun.dsl.typing.types import CollectionOf, ComponentOf, NumberOf, Type, Unknown, WordOf


def infer_body(book: Notebook, body: tuple[ast.Statement, ...], scope: Scope) -> None:
    for statement in body:
        infer_statement(book, statement, scope)
        if isinstance(statement, ast.Deal) and statement.alias is not None:
            scope = scope.with_name(statement.alias.text, statement, book.types.get(statement.alias, UNKNOWN))


def infer_statement(book: Notebook, node: ast.Statement, scope: Scope) -> None:
    match node:
        case ast.Shuffle():
            infer_shuffle(book, node, scope)
        case ast.Deal():
            infer_deal(book, node, scope)
        case ast.Move():
            infer_move(book, node, scope)
        case ast.Swap(one=one, other=other):
            here, there = infer_zone(book, one, scope), infer_zone(book, other, scope)
            if require_same_kind(book, other, here, there):
                require_same_kind(book, one, there, here)
        case ast.Show():
            infer_show(book, node, scope)
        case ast.Becomes(target=target, value=value):
            book.require_type(value, scope, infer_target(book, target, scope))
        case ast.Increases(target=target, amount=amount):
            _infer_increases(book, target, amount, scope)
        case ast.Roll():
            _infer_roll(book, node, scope)
        case ast.Throw() | ast.DoEffect() | ast.Ask() | ast.LookAt() | ast.Wins() | ast.Clear():
            infer_unspelled(book, node, scope)
        case ast.Lots(target=target):
            _infer_lots(book, target, scope)
        case ast.Choose():
            _infer_choose(book, node, scope)
        case ast.Do():
            _infer_do(book, node, scope)
        case ast.End() | ast.CountPoints():
            pass
        case ast.Record():
            _infer_record(book, node, scope)
        case _:
            _infer_block(book, node, scope)


Unspelled = ast.Throw | ast.DoEffect | ast.Ask | ast.LookAt | ast.Wins | ast.Clear


def infer_unspelled(book: Notebook, node: Unspelled, scope: Scope) -> None:
    """In a file that cannot be spelled out, or where that went wrong and was said: what the names mean."""
    match node:
        case ast.Throw(what=what, into=into):
            parts: tuple[ast.Expr | None, ...] = (what, into)
        case ast.DoEffect(owner=owner):
            parts = (owner,)
        case ast.Clear(what=what):
            parts = (what,)
            if not any(one.board is not None for one in book.names.components()):
                sentence = message("`clear` is for places of a board, and there is none")
                hint = message("empty a zone by `move all … to …`, a marker by `… becomes nothing`")
                book.report("not-a-board", sentence, node, hint)
        case ast.Wins(who=who):
            parts = (who,)
        case ast.LookAt(what=ast.Of(subject=amount, owner=pile)) if not _is_zone(book, amount):
            infer_zone(book, pile, scope)
            parts = (None if isinstance(amount, ast.Name) else amount,)  # as `top` and `last`
        case ast.LookAt(what=what):
            parts = (what,)
        case ast.Ask(start=start, condition=condition, until=until):
            parts = (start, condition, until)
        case _:
            assert_never(node)
    for part in parts:
        if part is not None and not isinstance(part, ast.Nothing):
            book.infer_type(part, scope)


def _is_zone(book: Notebook, what: ast.Expr) -> bool:
    name = name_of(what)
    return name is not None and isinstance(book.names.things.get(name.text), ast.Zone)


Block = ast.If | ast.ForEach | ast.EachPlayer | ast.Turns | ast.Repeat


def _infer_block(book: Notebook, node: Block, scope: Scope) -> None:
    """The statements with lines below."""
    match node:
        case ast.If(branches=branches):
            for branch in branches:
                if branch.condition is None:
                    infer_body(book, branch.body, scope)
                    continue
                book.require_type(branch.condition, scope, TRUTH)
                infer_body(book, branch.body, narrow_scope(scope, branch.condition))
                scope = narrow_scope(scope, branch.condition, holds=False)
        case ast.ForEach():
            _infer_for_each(book, node, scope)
        case ast.EachPlayer():
            _infer_each_player(book, node, scope)
        case ast.Turns():
            infer_turns(book, node, scope)
            infer_body(book, node.body, scope)
        case ast.Repeat():
            infer_repeat(book, node, scope)
            infer_body(book, node.body, scope)
        case _:
            assert_never(node)


def _infer_increases(book: Notebook, target: ast.Expr, amount: ast.Expr, scope: Scope) -> None:
    found = infer_target(book, target, scope)
    if not isinstance(found, NumberOf | Unknown):
        book.report(
            "wrong-type",
            message("expected a number, found {found_type}", found_type=describe_type(found)),
            target,
            message("only numbers can increase or decrease"),
        )
    book.require_number(amount, scope)


def _infer_roll(book: Notebook, node: ast.Roll, scope: Scope) -> None:
    found = strip_optional(infer_target(book, node.target, scope))
    for chance in node.chances:
        book.require_number(chance, scope)
    size = _count_values(found, book)
    if size is None and not isinstance(found, Unknown):
        book.report(
            "wrong-type",
            message("expected a number or a word to roll, found {found_type}", found_type=describe_type(found)),
            node.target,
        )
    elif node.chances and size is not None and len(node.chances) != size:
        book.report(
            "wrong-number-of-chances",
            message("there are {size} values and {chances} chances", size=size, chances=len(node.chances)),
            node,
            message("give one chance for each value, in their order"),
        )


def _count_values(type: Type, book: Notebook) -> int | None:
    match type:
        case NumberOf(low=low, high=high):
            return high - low + 1
        case WordOf(words=words):
            return len(words)
        case _:
            return 2 if type == TRUTH else book.players.high if type == PLAYER else None


def _infer_lots(book: Notebook, target: ast.Expr, scope: Scope) -> None:
    found = infer_target(book, target, scope)
    if not is_assignable(PLAYER, found):
        book.report(
            "wrong-type",
            message("expected a player to draw lots for, found {found_type}", found_type=describe_type(found)),
            target,
        )


def _infer_choose(book: Notebook, node: ast.Choose, scope: Scope) -> None:
    if node.chooser is not None:
        book.require_type(node.chooser, scope, PLAYER)
    if node.condition is not None:
        book.require_type(node.condition, scope, TRUTH)
    for name in node.actions:
        action = book.names.actions.get(name.text)
        if action is None:
            found = unknown_diagnostic("unknown-action", "action", name, book.names.actions)
            is_step = name.text in book.names.steps
            done = evolve(
                found, hint=message(
                    "`{name}` is a step: write `do {name}`",
                    name=name.text), edits=_do_instead(node, name)
            )
            book.add_diagnostic(done if is_step else found)
        else:
            book.meanings[name] = action
    if node.otherwise is not None:
        infer_statement(book, node.otherwise, scope)


def _do_instead(node: ast.Choose, name: ast.Name) -> tuple[Edit, ...]:
    """Where nothing else is said than `choose NAME`."""
    is_alone = node.who == "player" and len(node.actions) == 1 and node.span.end == name.span.end
    return (Edit(node.span.start, node.span.end, f"do {name.text}"),) if is_alone else ()


def _infer_do(book: Notebook, node: ast.Do, scope: Scope) -> None:
    name = node.step
    step = book.names.steps.get(name.text)
    if step is None:
        found = unknown_diagnostic("unknown-step", "step", name, book.names.steps)
        is_action = name.text in book.names.actions
        chosen = evolve(
            found, hint=message("`{name}` is an action: write `choose {name}`", name=name.text),
            edits=(Edit(node.span.start, node.span.end, f"choose {name.text}"),),
        )  # fmt: skip
        book.add_diagnostic(chosen if is_action else found)
        for argument in node.arguments:
            book.infer_type(argument, scope)
        return
    book.meanings[name] = step
    if len(node.arguments) != len(step.parameters):
        _report_number_of_arguments(book, node, step)
    for argument, parameter in zip(node.arguments, step.parameters, strict=False):
        _infer_told(book, argument, parameter, step, scope)
    for argument in node.arguments[len(step.parameters) :]:
        book.infer_type(argument, scope)


def _report_number_of_arguments(book: Notebook, node: ast.Do, step: ast.Step) -> None:
    wanted, name = len(step.parameters), step.name.text
    written = f"do {name}" + (f"({', '.join(one.name.text for one in step.parameters)})" if wanted else "")
    sentence = (
        message("the step `{name}` takes nothing in brackets", name=name)
        if not wanted
        else plural(
            "the step `{name}` takes {count} argument, found {arguments}",
            "the step `{name}` takes {count} arguments, found {arguments}",
            wanted, name=name, arguments=len(node.arguments),
        )
    )  # fmt: skip
    alone = () if wanted else (Edit(node.span.start, node.span.end, written),)
    hint = message("write `{written}`", written=written)
    book.report("wrong-number-of-arguments", sentence, node, hint, edits=alone)


def _infer_told(book: Notebook, told: ast.Expr, parameter: ast.Parameter, step: ast.Step, scope: Scope) -> None:
    role = message("`{parameter}` of `{name}`", parameter=parameter.name.text, name=step.name.text)
    infer_argument(book, told, type_of(book, parameter, told), scope, role)


def infer_step(book: Notebook, step: ast.Step) -> None:
    """Its lines know what it is told, by the types of its parameters."""
    scope = TOP
    for parameter in step.parameters:
        scope = scope.with_name(parameter.name.text, parameter, type_of(book, parameter, parameter.name))
    infer_body(book, step.body, scope)


def _infer_spelled_step(book: Notebook, node: ast.ForEach, called: ast.Call, scope: Scope) -> None:
    """What it is told is worked out here; its lines know of nothing else that stands around."""
    step = book.names.steps.get(called.name.text)
    if step is None:
        _infer_played_step(book, node, called, scope)
        return
    book.meanings[called.name] = step
    inside, inner = TOP, node
    for at, parameter in enumerate(step.parameters):
        type = type_of(book, parameter, parameter.name)
        assert inner.each.name is not None
        _infer_told(book, single_literal(inner), parameter, step, scope)
        book.types[inner.each.collection] = CollectionOf(type)
        book.types[inner.each] = book.record_meaning(inner.each.name, inner.each, type)
        inside = inside.with_name(parameter.name.text, inner.each, type)
        if at + 1 < len(step.parameters):
            (following,) = inner.body
            assert isinstance(following, ast.ForEach)
            inner = following
    infer_body(book, inner.body, inside)


def _infer_played_step(book: Notebook, node: ast.ForEach, called: ast.Call, scope: Scope) -> None:
    """In a game that is played the step is gone, and its parameters are what it is told."""
    inside, inner = TOP, node
    for at in range(len(called.arguments)):
        inside = element_scope(inner.each, infer_each(book, inner.each, scope), inside)
        if at + 1 < len(called.arguments):
            (following,) = inner.body
            assert isinstance(following, ast.ForEach)
            inner = following
    infer_body(book, inner.body, inside)


def _infer_record(book: Notebook, node: ast.Record, scope: Scope) -> None:
    for value in node.values:
        if isinstance(value, ast.Name) and value.text == "players":
            infer_collection(book, value, scope)
        else:
            book.infer_type(value, scope)
    memory = book.names.things.get(node.memory.text)
    if isinstance(memory, ast.Memory):
        book.meanings[node.memory] = memory
    else:
        memories = [name for name, thing in book.names.things.items() if isinstance(thing, ast.Memory)]
        book.add_diagnostic(unknown_diagnostic("unknown-memory", "memory", node.memory, memories))


# ---------------------------------------------------------------- loops


def _infer_for_each(book: Notebook, node: ast.ForEach, scope: Scope) -> None:
    if isinstance(node.called, ast.Call):
        _infer_spelled_step(book, node, node.called, scope)
        return
    item = infer_each(book, node.each, scope)
    if isinstance(node.called, ast.DoEffect) and not _is_of_effect(book, node, item):
        return
    inside = element_scope(node.each, item, scope)
    if node.order is not None:
        book.infer_type(node.order.key, inside)
    if node.each.name is not None:
        inside = scope.with_name(node.each.name.text, node.each, item)
    infer_body(book, node.body, inside)


def _is_of_effect(book: Notebook, node: ast.ForEach, item: Type) -> bool:
    """`do effect of c`: whether c is one of those whose rows name the steps."""
    rows = [part.text for part in walk(node) if isinstance(part, ast.Name) and part.text in book.names.rows]
    found = strip_optional(item)
    if not rows or isinstance(found, Unknown):
        return True
    wanted = ComponentOf(book.names.rows[rows[0]].components.name.text)
    if found == wanted:
        return True
    sentence = message("expected {wanted}, found {found}", wanted=describe_type(wanted), found=describe_type(item))
    book.report("wrong-type", sentence, single_literal(node))
    return False


def _infer_each_player(book: Notebook, node: ast.EachPlayer, scope: Scope) -> None:
    if node.start is not None:
        book.require_type(node.start, scope, PLAYER)
    if node.condition is not None:
        book.require_type(node.condition, scope, TRUTH)
    if node.order is not None:
        book.infer_type(node.order.key, scope)
    infer_body(book, node.body, scope)


def infer_turns(book: Notebook, node: ast.Turns, scope: Scope) -> None:
    """The header alone: of a phase the lines stand elsewhere."""
    book.require_type(node.start, scope, PLAYER)
    if node.excluded is not None:
        found = book.infer_type(node.excluded, scope, PLAYER)
        if not is_assignable(PLAYER, found) and not is_assignable(PLAYERS, found):
            book.report(
                "wrong-type",
                message("expected a player, found {found_type}", found_type=describe_type(found)),
                node.excluded,
            )
    if node.following is not None:
        book.require_type(node.following, scope, PLAYER)
    for condition in (node.skipping, node.until):
        if condition is not None:
            book.require_type(condition, scope, TRUTH)


def infer_repeat(book: Notebook, node: ast.Repeat, scope: Scope) -> None:
    if node.times is not None:
        book.require_number(node.times, scope)
    if node.until is not None:
        book.require_type(node.until, scope, TRUTH)
