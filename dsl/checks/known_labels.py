"""Labels of things that are not there: a misspelt key in `words` would silently say nothing."""

from __future__ import annotations

from collections.abc import Iterator

from rulesrun.dsl import ast
from rulesrun.dsl.ast.walk import walk
from rulesrun.dsl.diagnostics.diagnostic import Diagnostic
from rulesrun.dsl.flow.checked_game import CheckedGame
from rulesrun.dsl.text.messages import message
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
