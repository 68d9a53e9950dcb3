"""`sum of chips over players`: what is asked of each element must be asked of *it*, else all give the same."""

from __future__ import annotations

from collections.abc import Iterator

from rulesrun.dsl import ast
from rulesrun.dsl.ast.walk import walk
from rulesrun.dsl.diagnostics.diagnostic import Diagnostic
from rulesrun.dsl.flow.checked_game import CheckedGame
from rulesrun.dsl.text.messages import message
from rulesrun.dsl.typing.program import AttributeMeaning, ItMeaning, Meaning


def check_elements_asked(reading: CheckedGame) -> Iterator[Diagnostic]:
    for node in reading.nodes:
        match node:
            case ast.Aggregate(body=question) | ast.Quantified(body=question) | ast.Best(key=question):
                each = node.each
            case _:
                continue
        names = [one for one in walk(question) if isinstance(one, ast.Name)]
        if names and not any(_is_about_element(reading, name, each) for name in names):
            yield _same_for_all_diagnostic(reading, question, names, each)


def _is_about_element(reading: CheckedGame, name: ast.Name, each: ast.Each) -> bool:
    meaning = reading.meaning(name)
    return meaning is each or (isinstance(meaning, ItMeaning | AttributeMeaning) and meaning.element is each)


def _same_for_all_diagnostic(
    reading: CheckedGame, question: ast.Expr, names: list[ast.Name], each: ast.Each
) -> Diagnostic:
    own = next((name.text for name in names if _is_per_player(reading.meaning(name))), None)
    called = each.name.text if each.name is not None else "p" if own is not None else "it"
    hint = message("say whose it is, as in `… of {called}`", called=called)
    if own is not None:
        hint = message(
            "`{own}` alone means that of `player`; for each of them, write `{own} of {called}` with `{called} in …`",
            own=own,
            called=called,
        )
    return Diagnostic(
        "same-for-all", message("this is the same for all of them"), question.span, hint, severity="warning"
    )


def _is_per_player(meaning: Meaning | None) -> bool:
    return isinstance(meaning, ast.Zone | ast.Variable) and meaning.per_player
