"""Hints for looks that nobody can draw: another aspect, a colour that is none. They would silently do nothing."""

from __future__ import annotations

from collections.abc import Iterator

from rulesrun.dsl import ast
from rulesrun.dsl.diagnostics.diagnostic import Diagnostic
from rulesrun.dsl.flow.checked_game import CheckedGame
from rulesrun.dsl.text.looks import ASPECTS, COLOURS, LAYOUTS, SYMBOLS, fits_aspect
from rulesrun.dsl.text.messages import Message, message
from rulesrun.dsl.typing.names import find_suggestion


def check_known_looks(reading: CheckedGame) -> Iterator[Diagnostic]:
    for piece in reading.game.declarations:
        if isinstance(piece, ast.Look):
            yield from _check_look(piece)


def _check_look(look: ast.Look) -> Iterator[Diagnostic]:
    aspect = look.language.text
    if aspect not in ASPECTS:
        near = find_suggestion(aspect, ASPECTS)
        listed = ", ".join(f"`{one}`" for one in ASPECTS)
        sentence = message("a `look` has {listed}, but no `{aspect}`", listed=listed, aspect=aspect)
        yield Diagnostic(
            "unknown-look", sentence, look.language.span, near.hint, "warning", edits=near.edits(look.language)
        )
        return
    for word in look.items:
        if not fits_aspect(aspect, word.text):
            sentence = message("“{text}” cannot be drawn for `{name}`", text=word.text, name=word.name.text)
            yield Diagnostic("unknown-look", sentence, word.span, _say_what_fits(aspect), "warning")


def _say_what_fits(aspect: str) -> Message:
    if aspect == COLOURS:
        return message("a colour is written as red, green and blue: `#c1303c`")
    if aspect == SYMBOLS:
        return message("a symbol is one sign, such as `♥`")
    return message("the layouts are {layouts}; write several side by side", layouts=", ".join(LAYOUTS))
