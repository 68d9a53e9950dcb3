"""`sum of chips over players`, `players where chips > 0`: what is asked of each must be asked of *it*, else all give
the same.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulesrun.dsl import ast
from rulesrun.dsl.ast.walk import walk
from rulesrun.dsl.diagnostics.diagnostic import Diagnostic, Edit
from rulesrun.dsl.flow.checked_game import CheckedGame
from rulesrun.dsl.text.messages import Message, message
from rulesrun.dsl.typing.program import AttributeMeaning, ItMeaning, Meaning
from rulesrun.dsl.typing.types import CollectionOf, PlayerOf


def check_elements_asked(reading: CheckedGame) -> Iterator[Diagnostic]:
    named = {id(node.collection): node for node in reading.nodes if isinstance(node, ast.Each)}
    for node in reading.nodes:
        match node:
            case ast.Aggregate(body=question) | ast.Quantified(body=question) | ast.Best(key=question):
                names = _list_names_if_same(reading, question, (node.each,))
                if names:
                    yield _asked_diagnostic(reading, question, names, node.each)
            case ast.Filter(condition=question) if _has_players(reading, node):
                each = named.get(id(node))
                names = _list_names_if_same(reading, question, (node,) if each is None else (node, each))
                subjects = {id(one.subject) for one in walk(question) if isinstance(one, ast.Of)}
                own = _find_own(reading, [name for name in names if id(name) not in subjects])
                if own is not None:
                    yield _filtered_diagnostic(question, own, each)


def _has_players(reading: CheckedGame, node: ast.Filter) -> bool:
    found = reading.inferred.types.get(node.collection)
    return isinstance(found, CollectionOf) and isinstance(found.item, PlayerOf)


def _list_names_if_same(
    reading: CheckedGame, question: ast.Expr, binders: tuple[ast.Each | ast.Filter, ...]
) -> list[ast.Name]:
    """The names in a question that is the same for all elements; none where it is about the element."""
    names = [one for one in walk(question) if isinstance(one, ast.Name)]
    return [] if any(_is_about_element(reading, name, binders) for name in names) else names


def _is_about_element(reading: CheckedGame, name: ast.Name, binders: tuple[ast.Each | ast.Filter, ...]) -> bool:
    meaning = reading.meaning(name)
    element = meaning.element if isinstance(meaning, ItMeaning | AttributeMeaning) else meaning
    return any(element is one for one in binders)


def _asked_diagnostic(
    reading: CheckedGame, question: ast.Expr, names: list[ast.Name], each: ast.Each
) -> Diagnostic:
    own = _find_own(reading, names)
    called = each.name.text if each.name is not None else "p" if own is not None else "it"
    hint = message("say whose it is, as in `… of {called}`", called=called)
    if own is not None:
        hint = message(
            "`{own}` alone means that of `player`; for each of them, write `{own} of {called}` with `{called} in …`",
            own=own.text,
            called=called,
        )
    return _same_for_all_diagnostic(question, hint)


def _filtered_diagnostic(question: ast.Expr, own: ast.Name, each: ast.Each | None) -> Diagnostic:
    called = each.name.text if each is not None and each.name is not None else "it"
    hint = message(
        "`{own}` alone means that of `player`; for each of them, write `{own} of {called}`", own=own.text, called=called
    )
    edit = Edit(own.span.end, own.span.end, f" of {called}")
    return _same_for_all_diagnostic(question, hint).with_edits(edit)


def _same_for_all_diagnostic(question: ast.Expr, hint: Message) -> Diagnostic:
    sentence = message("this is the same for all of them")
    return Diagnostic("same-for-all", sentence, question.span, hint, severity="warning")


def _find_own(reading: CheckedGame, names: list[ast.Name]) -> ast.Name | None:
    """The first that means something of `player`."""
    return next((name for name in names if _is_per_player(reading.meaning(name))), None)


def _is_per_player(meaning: Meaning | None) -> bool:
    return isinstance(meaning, ast.Zone | ast.Variable) and meaning.per_player
