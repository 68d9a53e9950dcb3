"""Worked examples: each line against the declared things that it names."""

from __future__ import annotations

from pathlib import PurePath
from typing import TypeGuard, assert_never

from attrs import evolve

from rulesrun.dsl import ast
from rulesrun.dsl.ast.named_values import name_of
from rulesrun.dsl.diagnostics.diagnostic import Diagnostic, Edit
from rulesrun.dsl.text.messages import message, plural
from rulesrun.dsl.typing.declared import infer_option_value
from rulesrun.dsl.typing.literals import find_fitting_kind, infer_literal
from rulesrun.dsl.typing.moves import infer_target, infer_zone
from rulesrun.dsl.typing.names import unknown_diagnostic
from rulesrun.dsl.typing.notebook import ANY, PLAYER, TOP, TRUTH, UNKNOWN, Notebook, is_assignable, strip_optional
from rulesrun.dsl.typing.program import BuiltinMeaning
from rulesrun.dsl.typing.types import CollectionOf, ComponentOf, Type


def infer_example(book: Notebook, example: ast.Example) -> None:
    for line in example.lines:
        _infer_line(book, line)


def _infer_line(book: Notebook, line: ast.ExampleLine) -> None:
    match line:
        case ast.ForPlayers(count=count):
            book.require_number(count, TOP)
        case ast.Set(name=name, value=value):
            _infer_set_option(book, name, value)
        case ast.GivenCards(zone=zone, items=items):
            kind = infer_zone(book, zone, TOP)
            _infer_literals(book, items, ComponentOf(kind) if kind is not None else UNKNOWN)
        case ast.GivenValue(target=target, value=value):
            _infer_given_value(book, value, _infer_given_target(book, target, value))
        case ast.GivenTurn(player=player):
            book.require_type(player, TOP, PLAYER)
        case ast.GivenPhase(phase=phase):
            _infer_given_phase(book, phase)
        case ast.NextChance(items=items):
            for item in items:
                _infer_chance(book, item)
        case ast.When(player=player, action=action, arguments=arguments):
            _infer_acted(book, player, action, arguments)
        case ast.ThenCan(player=player, action=action, arguments=given):
            _infer_acted(book, player, action, given)
        case ast.Then(condition=condition):
            book.require_type(condition, TOP, TRUTH)
        case ast.ThenStill(title=title):
            _check_still(book, line, title)
        case ast.ThenOver() | ast.Todo():
            pass
        case _:
            assert_never(line)


def _check_still(book: Notebook, line: ast.ThenStill, title: str) -> None:
    """Only what is judged while playing can be spoken of."""
    properties = book.game.properties
    silent = (message("can happen"), message("at most"), message("at least"), message("ends within"))
    if not any(one.title == title and one.word not in silent for one in properties):
        book.report(
            "unknown-property", message(
                'there is no property "{title}" that a single game can break',
                title=title), line
        )


def _infer_set_option(book: Notebook, name: ast.Name, value: ast.Expr) -> None:
    option = book.names.things.get(name.text)
    if isinstance(option, ast.Option):
        book.meanings[name] = option
        infer_option_value(book, option, value)
        return
    options = [known for known, thing in book.names.things.items() if isinstance(thing, ast.Option)]
    book.add_diagnostic(unknown_diagnostic("unknown-option", "option", name, options))


def _infer_given_target(book: Notebook, target: ast.Expr, value: ast.Expr) -> Type:
    """A position may also say which round it is, and what has been counted."""
    if isinstance(target, ast.Name) and target.text == "round" and "round" not in book.names.things:
        return book.record_meaning(target, BuiltinMeaning("round"), book.rounds)
    if isinstance(target, ast.Of) and is_total(target.subject) and "total" not in book.names.things:
        book.require_type(target.owner, TOP, PLAYER)
        book.types[target] = book.record_meaning(target.subject, BuiltinMeaning("total"), ANY)
        return ANY
    if is_total(target) and "total" not in book.names.things:
        return book.report(
            "not-assignable", message("every player has a total"), target, message("say whose: `given total of 1 = …`")
        )
    name = name_of(target)
    if name is not None and isinstance(book.names.things.get(name.text), ast.Zone):
        colon = Edit(target.span.end, value.span.start, ": ")
        sentence = message("write the contents of a zone after `:`")
        return book.report("not-assignable", sentence, target, message("write `:` instead of `=`"), edits=(colon,))
    return infer_target(book, target, TOP)


def _infer_given_value(book: Notebook, value: ast.Expr, expected: Type) -> None:
    """`given last = 5`: a single attribute stands for the component, as everywhere in an example."""
    if isinstance(strip_optional(expected), ComponentOf) and isinstance(value, ast.Number | ast.Name):
        found = infer_literal(book, ast.Literal((value,), span=value.span), TOP, expected)
        if not is_assignable(expected, found):
            book.report_wrong_type(value, expected, found)
    else:
        book.require_type(value, TOP, expected)


def is_total(node: ast.Expr) -> TypeGuard[ast.Name]:
    return isinstance(node, ast.Name) and node.text == "total"


def _infer_given_phase(book: Notebook, name: ast.Name) -> None:
    phase = book.names.phases.get(name.text)
    if phase is None:
        book.add_diagnostic(unknown_diagnostic("unknown-phase", "phase", name, book.names.phases))
    else:
        book.record_meaning(name, phase, book.phase_words())


def _infer_literals(book: Notebook, items: tuple[ast.Literal, ...], expected: Type) -> None:
    """The components; `nothing` alone says that there are none."""
    for item in items:
        if len(items) == 1 and len(item.parts) == 1 and isinstance(item.parts[0], ast.Nothing):
            book.infer_type(item, TOP)
        else:
            book.require_type(item, TOP, expected)


def _infer_chance(book: Notebook, item: ast.Literal) -> None:
    """A component of any kind, else a number, a word, a player."""
    kind = find_fitting_kind(book, item)
    book.infer_type(item, TOP, ComponentOf(kind.name.text) if kind is not None else None)


def suggest_adopting(book: Notebook, found: Diagnostic) -> Diagnostic:
    """Where the example is the base's, and the variant has taken the action away."""
    if book.game.base is None or found.span.file != book.game.base:
        return found
    hint = message("the base's example asks for it: `rulesrun adopt {variant}` lists, drops or updates such examples",
                   variant=PurePath(book.game.file).name)  # fmt: skip
    return evolve(found, hint=hint, edits=())


def _infer_acted(
    book: Notebook, player: ast.Expr | None, action: ast.Name, arguments: tuple[ast.Literal, ...] | None
) -> None:
    if player is not None:
        book.require_type(player, TOP, PLAYER)
    declared = book.names.actions.get(action.text)
    if declared is None:
        unknown = unknown_diagnostic("unknown-action", "action", action, book.names.actions)
        book.add_diagnostic(suggest_adopting(book, unknown))
        return
    book.meanings[action] = declared
    if arguments is None:
        return
    wanted = ", ".join(choice.name.text for choice in declared.choices)
    hint = f"`{action.text}({wanted})`" if wanted else message(
        "write `{action}` alone, or say in `action {action}(… from …)` what is chosen", action=action.text
    )
    groups = declared.group_arguments(arguments)
    if groups is None:
        found = plural(
            "`{action}` has {count} choice", "`{action}` has {count} choices", len(declared.choices),
            action=action.text,
        )  # fmt: skip
        book.report("wrong-number-of-arguments", found, action, hint)
        return
    before = len(book.diagnostics)
    for group, choice in zip(groups, declared.choices, strict=True):
        for argument in group:
            _infer_argument(book, argument, book.declared.get(choice, UNKNOWN), len(group) > 1)
    if len(book.diagnostics) > before + 1 and _can_be_wrong_order([one.code for one in book.diagnostics[before:]]):
        del book.diagnostics[before:]
        book.report(
            "wrong-type",
            message("these are not the choices of `{action}` in their order", action=action.text),
            action,
            hint,
        )


def _can_be_wrong_order(codes: list[str]) -> bool:
    """Whether what is complained of may come of another order alone; a name that there is not does not."""
    return "wrong-type" in codes and {*codes} <= {"wrong-type", "unknown-component"}


def _infer_argument(book: Notebook, argument: ast.Literal, expected: Type, is_one_of_several: bool) -> None:
    """Cards may stand for the set of them."""
    is_set = len(argument.parts) == 1 and isinstance(argument.parts[0], ast.SetOf)
    if isinstance(expected, CollectionOf) and (is_one_of_several or not is_set):
        expected = expected.item
    book.require_type(argument, TOP, expected)
