"""Labels of things that are not there: a misspelt key in `words` would silently say nothing."""

from __future__ import annotations

from collections.abc import Iterator

from rulesrun.dsl import ast
from rulesrun.dsl.ast.walk import walk
from rulesrun.dsl.diagnostics.diagnostic import Diagnostic
from rulesrun.dsl.flow.checked_game import CheckedGame
from rulesrun.dsl.text.looks import ASPECTS, COLOURS, LAYOUTS, SYMBOLS, fits_aspect
from rulesrun.dsl.text.messages import Message, message
from rulesrun.dsl.typing.names import ALONE, BUILTINS, find_suggestion

TITLE = "game"


def check_known_labels(reading: CheckedGame) -> Iterator[Diagnostic]:
    """A variant may have removed what the files that it builds on have labels for; only its own are looked at then."""
    pieces = reading.game.declarations
    words = [piece for piece in pieces if isinstance(piece, ast.Words)]
    if not words:
        return
    asked = reading.game.file
    is_variant = reading.game.base is not None or any(piece.span.file != asked for piece in pieces)
    is_base = is_variant and any(isinstance(piece, ast.Title) and piece.span.file == asked for piece in pieces)
    known = _list_names(piece for piece in pieces if not isinstance(piece, ast.Words))
    for word in (word for piece in words for word in piece.items):
        own = not is_variant or (word.span.file == asked and not is_base)
        if own and word.name.text not in known:
            sentence = message("there is nothing called `{word}` that could have this label", word=word.name.text)
            near = find_suggestion(word.name.text, known)
            yield Diagnostic(
                "unknown-label", sentence, word.name.span, near.hint, "warning", edits=near.edits(word.name)
            )


def _list_names(pieces: Iterator[ast.AnyDeclaration]) -> set[str]:
    written = {node.text for piece in pieces for node in walk(piece) if isinstance(node, ast.Name)}
    return written | {builtin.name for builtin in BUILTINS} | ALONE | {TITLE}


# ---- known looks
# Hints for looks that nobody can draw: another aspect, a colour that is none. They would silently do nothing.


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
