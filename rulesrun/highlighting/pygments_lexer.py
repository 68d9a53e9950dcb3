"""The language for Pygments: pages made by Sphinx, MkDocs, IPython, `pygmentize`. The wheel registers it."""

from __future__ import annotations

import re
from typing import ClassVar

from pygments.lexer import RegexLexer
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Whitespace

from rulesrun.highlighting.patterns import Colour, Pattern, list_patterns

TOKENS = {
    Colour.NOTE: Comment.Special,
    Colour.COMMENT: Comment.Single,
    Colour.TEXT: String.Double,
    Colour.NUMBER: Number.Integer,
    Colour.PIECE: Keyword.Declaration,
    Colour.KEYWORD: Keyword,
    Colour.CONSTANT: Keyword.Constant,
    Colour.DEFINED: Name.Function,
    Colour.TYPE: Name.Class,
    Colour.CALLED: Name,
    Colour.NAME: Name,
    Colour.OPERATOR: Operator,
    Colour.PUNCTUATION: Punctuation,
}

NAME = r"[^\W\d_]\w*"
UPPER = r"(?=[A-ZÀ-ÖØ-ÞА-ЯЁ])[^\W\d_]\w*"


def write_pattern(pattern: Pattern) -> str:
    """In the words of `re`, which looks back over a fixed length."""
    text = pattern.text.replace("UPPER", UPPER).replace("NAME", NAME).replace(r"\>", r"(?!\w)")
    behind = "|".join(f"(?<={place})" for place in pattern.behind)
    return f"(?:{behind}){text}" if behind else text


class RulesLexer(RegexLexer):  # type: ignore[misc]
    """Rules of card and board games, as `rulesrun` reads them."""

    name = "rulesrun"
    aliases: ClassVar[list[str]] = ["rules", "rulesrun"]
    filenames: ClassVar[list[str]] = ["*.rules"]
    mimetypes: ClassVar[list[str]] = ["text/x-rulesrun"]
    url = "https://pypi.org/project/rulesrun/"
    flags = re.MULTILINE
    tokens: ClassVar[dict[str, list[tuple[str, object]]]] = {
        "root": [
            (r"\s+", Whitespace),
            *((write_pattern(pattern), TOKENS[pattern.colour]) for pattern in list_patterns()),
        ]
    }
