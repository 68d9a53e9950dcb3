"""What each character of a rules file is to the parser: comment, text, number, keyword, name or sign."""

from __future__ import annotations

from typing import Any
from unittest import mock

from rulesrun.dsl.parsing import grammar
from rulesrun.dsl.parsing.parse import parse_source
from rulesrun.dsl.text.lexer import scan_line
from rulesrun.dsl.text.source import Source

KINDS = {"string": "text", "number": "number", "sign": "sign"}


def classify_characters(text: str) -> dict[int, str]:
    """By offset. White space has no kind, nor has what stands in a line with a mistake."""
    kinds: dict[int, str] = {}
    make_token = grammar.make_token

    def note_token(terminal: str, words: list[Any]) -> Any:
        for word in words:
            kind = KINDS.get(word.kind) or ("name" if terminal == "NAME" else "keyword")
            kinds.update(dict.fromkeys(range(word.start, word.end), kind))
        return make_token(terminal, words)

    with mock.patch.object(grammar, "make_token", note_token):
        parsed = parse_source(Source("text", text))
    assert not parsed.diagnostics, parsed.diagnostics
    start = 0
    for line in text.split("\n"):
        comment = scan_line(text, start, start + len(line)).comment
        if comment is not None:
            kinds.update(dict.fromkeys(range(comment, start + len(line)), "comment"))
        start += len(line) + 1
    return {at: kind for at, kind in kinds.items() if not text[at].isspace()}
