"""Calls: definitions and tables with arguments, and the words of the language that take some."""

from __future__ import annotations

from attrs import evolve

from rulesrun.dsl import ast
from rulesrun.dsl.diagnostics.diagnostic import Edit
from rulesrun.dsl.text.messages import message, plural
from rulesrun.dsl.typing.boards import infer_board_call
from rulesrun.dsl.typing.declared import type_of
from rulesrun.dsl.typing.name_uses import infer_argument
from rulesrun.dsl.typing.names import CALLS, NO_SUGGESTION, Scope, find_suggestion, unknown_diagnostic
from rulesrun.dsl.typing.notebook import ANY, COUNT, PLAYER, UNKNOWN, Notebook, describe_type, item_of
from rulesrun.dsl.typing.program import BuiltinMeaning
from rulesrun.dsl.typing.types import NumberOf, OrderOf, Type, Unknown

COMBINING = ("combinations", "subsets", "choose", "sets")  # what people call who know other languages


def infer_call(book: Notebook, node: ast.Call, scope: Scope) -> Type:
    name = node.name
    thing = book.names.things.get(name.text)
    if isinstance(thing, ast.Define | ast.Table) and thing.parameters:
        return _infer_defined_call(book, node, thing, scope)
    if name.text in CALLS:
        book.meanings[name] = BuiltinMeaning(name.text)
        return _infer_builtin_call(book, node, scope)
    for argument in node.arguments:
        book.infer_type(argument, scope)
    if thing is None:
        found = unknown_diagnostic("unknown-name", "definition or table", name, book.names.callable_names())
        if name.text in COMBINING:
            hint = message("ways to take some of several are `combinations of 2..3 from …`")
            found = evolve(found, hint=hint, edits=())
        book.add_diagnostic(found)
        return UNKNOWN
    book.meanings[name] = thing
    has_keys = isinstance(thing, ast.Zone | ast.Variable) and thing.keys
    hint = message("write `{name}[…]`", name=name.text) if has_keys else message("write `{name}` alone", name=name.text)
    edits = () if has_keys else (Edit(node.span.start, node.span.end, name.text),)
    return book.report(
        "not-callable", message("`{name}` takes nothing in brackets", name=name.text), node, hint, edits=edits
    )


def _infer_defined_call(book: Notebook, node: ast.Call, thing: ast.Define | ast.Table, scope: Scope) -> Type:
    book.meanings[node.name] = thing
    wanted = len(thing.parameters)
    if len(node.arguments) != wanted:
        book.report(
            "wrong-number-of-arguments",
            plural(
                "`{name}` takes {count} argument, found {arguments}",
                "`{name}` takes {count} arguments, found {arguments}",
                wanted, name=node.name.text, arguments=len(node.arguments),
            ),
            node,
        )
    for argument, parameter in zip(node.arguments, thing.parameters, strict=False):
        role = message("`{parameter}` of `{name}`", parameter=parameter.name.text, name=node.name.text)
        infer_argument(book, argument, type_of(book, parameter, node), scope, role)
    for argument in node.arguments[wanted:]:
        book.infer_type(argument, scope)
    return book.record_meaning(node.name, thing, type_of(book, thing, node.name))


def _infer_builtin_call(book: Notebook, node: ast.Call, scope: Scope) -> Type:
    text = node.name.text
    wanted = len(CALLS[text].takes)
    if not wanted <= len(node.arguments) <= wanted + CALLS[text].more:
        for argument in node.arguments:
            book.infer_type(argument, scope)
        return book.report(
            "wrong-number-of-arguments",
            plural(
                "`{name}` takes {count} argument, found {arguments}",
                "`{name}` takes {count} arguments, found {arguments}",
                wanted, name=text, arguments=len(node.arguments),
            ), node,
        )
    match text:
        case "smallest" | "largest":
            return _extreme_bounds(text, [book.require_number(argument, scope) for argument in node.arguments])
        case "position":
            return _infer_position(book, node, scope)
        case "times":
            return _infer_times(book, node.arguments[0])
        case "seats_from":
            for argument in node.arguments:
                book.require_type(argument, scope, PLAYER)
            return NumberOf(0, book.players.high - 1)
        case "seat":
            return _infer_seat(book, node.arguments[0], scope)
        case "neighbours" | "ahead" | "rays" | "between" | "distance" | "lines" | "lines_through" | "connected":
            return infer_board_call(book, node, scope)
        case _:
            return _infer_score_line(book, node.arguments[0], text)


def _extreme_bounds(text: str, given: list[NumberOf]) -> NumberOf:
    best = min if text == "smallest" else max
    return NumberOf(best(number.low for number in given), best(number.high for number in given))


def _infer_position(book: Notebook, node: ast.Call, scope: Scope) -> Type:
    found = book.infer_type(node.arguments[1], scope)
    item = item_of(found)
    if item is None:
        return book.report(
            "not-a-collection",
            message("expected a zone or a list, found {found_type}", found_type=describe_type(found)),
            node.arguments[1],
        )
    book.require_type(node.arguments[0], scope, item)
    if isinstance(found, OrderOf) and isinstance(item, NumberOf):
        return NumberOf(1, item.high - item.low + 1)
    return COUNT


def _infer_seat(book: Notebook, node: ast.Expr, scope: Scope) -> Type:
    found = book.infer_type(node, scope)
    thing = book.meanings.get(node)
    if isinstance(found, Unknown):
        return PLAYER
    if isinstance(thing, ast.Option) and isinstance(thing.type, ast.WordsType) and thing.type.or_player:
        return PLAYER
    hint = (
        message("the player at a seat is its number: write `{value}`", value=node.value)
        if isinstance(node, ast.Number)
        else None
    )
    return book.report(
        "wrong-type",
        message("expected an option with `or player`, found {found_type}", found_type=describe_type(found)),
        node,
        hint,
    )


def _infer_times(book: Notebook, node: ast.Expr) -> Type:
    thing = book.names.things.get(node.text) if isinstance(node, ast.Name) else None
    if isinstance(node, ast.Name) and isinstance(thing, ast.Memory):
        book.record_meaning(node, thing, UNKNOWN)
        return COUNT
    memories = [name for name, thing in book.names.things.items() if isinstance(thing, ast.Memory)]
    near = find_suggestion(node.text, memories) if isinstance(node, ast.Name) else NO_SUGGESTION
    book.types[node] = UNKNOWN
    sentence = message("`times` needs the name of a memory")
    return book.report("unknown-memory", sentence, node, near.hint, edits=near.edits(node))


def _infer_score_line(book: Notebook, node: ast.Expr, text: str) -> Type:
    """The argument of `counted` and `latest`: a score line or `total`."""
    if isinstance(node, ast.Name) and node.text in book.names.lines:
        line = book.names.lines[node.text]
        book.record_meaning(node, line, type_of(book, line, node))
        return ANY
    if isinstance(node, ast.Name) and node.text == "total":
        return book.record_meaning(node, BuiltinMeaning("total"), ANY)
    lines = [*book.names.lines, "total"]
    near = find_suggestion(node.text, lines) if isinstance(node, ast.Name) else NO_SUGGESTION
    book.types[node] = UNKNOWN
    sentence = message("`{text}` needs the name of a score line", text=text)
    return book.report("unknown-line", sentence, node, near.hint, edits=near.edits(node))
