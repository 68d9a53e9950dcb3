"""The patterns in the words of TextMate and of CodeMirror. Each function gives the whole text of a file."""

from __future__ import annotations

import json
from collections.abc import Mapping

from rulesrun.highlighting.patterns import Colour, Pattern, list_patterns

LETTERS = r"[\p{L}\p{N}\p{M}_]"
NAME = rf"\p{{L}}{LETTERS}*"
UPPER = rf"\p{{Lu}}{LETTERS}*"

# Names that colour themes know, chosen so that a colour stays when a language server adds its own.
SCOPES: Mapping[Colour, str] = {
    Colour.NOTE: "comment.line.documentation",
    Colour.COMMENT: "comment.line.number-sign",
    Colour.TEXT: "string.quoted.double",
    Colour.NUMBER: "constant.numeric",
    Colour.PIECE: "keyword.declaration",
    Colour.KEYWORD: "keyword.control",
    Colour.CONSTANT: "constant.language",
    Colour.DEFINED: "entity.name.function",
    Colour.TYPE: "entity.name.type",
    Colour.CALLED: "variable.other",
    Colour.NAME: "variable.other",
    Colour.OPERATOR: "keyword.operator",
    Colour.PUNCTUATION: "punctuation",
}

# Tags of Lezer, by which CodeMirror's themes go.
TAGS: Mapping[Colour, str] = {
    Colour.NOTE: "docComment",
    Colour.COMMENT: "lineComment",
    Colour.TEXT: "string",
    Colour.NUMBER: "number",
    Colour.PIECE: "definitionKeyword",
    Colour.KEYWORD: "keyword",
    Colour.CONSTANT: "atom",
    Colour.DEFINED: "definition",
    Colour.TYPE: "typeName",
    Colour.CALLED: "variableName",
    Colour.NAME: "variableName",
    Colour.OPERATOR: "operator",
    Colour.PUNCTUATION: "punctuation",
}


def write_pattern(pattern: Pattern) -> str:
    """With the classes of Unicode, which Oniguruma and JavaScript share."""
    behind = f"(?<={'|'.join(pattern.behind)})" if pattern.behind else ""
    text = (behind + pattern.text).replace("UPPER", UPPER).replace("NAME", NAME)
    return text.replace(r"\w", LETTERS).replace(r"\>", f"(?!{LETTERS})")


def write_textmate() -> str:
    """A `.tmLanguage.json`, for VS Code and whatever reads TextMate's grammars."""
    patterns = [
        {"name": f"{SCOPES[pattern.colour]}.rules", "match": write_pattern(pattern)} for pattern in list_patterns()
    ]
    grammar = {
        "name": "rulesrun",
        "scopeName": "source.rules",
        "fileTypes": ["rules"],
        "comment": "Written by `python -m rulesrun.highlighting.build`.",
        "patterns": patterns,
    }
    return json.dumps(grammar, indent=2, ensure_ascii=False) + "\n"


def write_codemirror() -> str:
    """A module with a list of expressions and tags, for a stream language."""
    lines = [
        f"  [{json.dumps(TAGS[pattern.colour])}, {json.dumps(write_pattern(pattern), ensure_ascii=False)}],"
        for pattern in list_patterns()
    ]
    head = "// Written by `python -m rulesrun.highlighting.build`: the first that fits wins."
    return "\n".join([head, "export const PATTERNS = [", *lines, "]", ""])
