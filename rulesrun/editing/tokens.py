"""What each stretch of a text is, exactly: comments, texts, numbers, words of the language, names by what they mean."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from attrs import frozen

from rulesrun.dsl.completion.cursor import find_kind
from rulesrun.dsl.parsing.beginnings import read_terminals
from rulesrun.dsl.parsing.blocks import Block, read_blocks
from rulesrun.dsl.symbols.descriptions import name_thing_kind
from rulesrun.dsl.symbols.uses import Use, uses_of
from rulesrun.dsl.text.lexer import Word
from rulesrun.editing.positions import Position
from rulesrun.editing.workspace import Analysis

KINDS = (
    "comment", "string", "number", "keyword", "operator", "variable", "parameter", "function", "method", "event",
    "type", "enumMember", "property", "namespace",
)  # fmt: skip
MODIFIERS = ("declaration", "readonly", "defaultLibrary")
KINDS_OF_SYMBOLS: Mapping[str, str] = {
    "action": "method", "step": "method", "phase": "event", "line": "property", "row": "enumMember",
    "attribute": "property", "word": "enumMember", "local": "parameter", "label": "property", "outcome": "enumMember",
    "persona": "type", "figure": "property", "language": "namespace", "builtin": "variable", "unknown": "variable",
}  # fmt: skip

Stretch = tuple[int, int, str, tuple[str, ...]]
Named = tuple[Use, Use | None]


@frozen
class SemanticToken:
    """A stretch of one line. `length` counts units of UTF-16; `kind` and `modifiers` are those of the protocol. Names
    are declarations where they are given, and so are the keywords with which a piece begins."""

    start: Position
    length: int
    kind: str
    modifiers: tuple[str, ...] = ()


def list_tokens(analysis: Analysis) -> tuple[SemanticToken, ...]:
    """In the order of the text. Signs that stand between other things, `,`, `:`, brackets, are left out."""
    blocks = read_blocks(analysis.link.source)
    uses = uses_of(analysis.rules)
    names = {use.span.start: (use, uses.declared.get(use.symbol)) for use in uses.own}
    spans: list[Stretch] = [(comment.span.start, comment.span.end, "comment", ()) for comment in blocks.comments]
    spans += _list_notes(blocks.top)
    for block in blocks.top:
        spans += _list_line_tokens((block,), names)
    lines = analysis.lines
    return tuple(
        SemanticToken(place.start, place.end.character - place.start.character, kind, modifiers)
        for start, end, kind, modifiers in sorted(spans)
        if (place := lines.make_range(start, end)).start.line == place.end.line
    )


def _list_notes(blocks: tuple[Block, ...] | list[Block]) -> list[Stretch]:
    found: list[Stretch] = []
    for block in blocks:
        found += [(note.span.start, note.span.end, "comment", ()) for note in block.note_comments]
        found += _list_notes(block.children)
    return found


def _list_line_tokens(path: tuple[Block, ...], names: Mapping[int, Named]) -> Iterator[Stretch]:
    line, kind = path[-1], find_kind(path)
    read = read_terminals(line.words, kind) if kind is not None else None
    terminals = read[0] if read is not None else ()
    opens_piece = len(path) == 1
    for at, word in enumerate(line.words):
        found = _classify_word(word, terminals[at] if at < len(terminals) else None, names.get(word.start))
        opens_piece = opens_piece and found == ("keyword", ())
        if found is not None:
            yield (word.start, word.end, *(("keyword", ("declaration",)) if opens_piece else found))
    for child in line.children:
        yield from _list_line_tokens((*path, child), names)


def _classify_word(word: Word, terminal: str | None, named: Named | None) -> tuple[str, tuple[str, ...]] | None:
    if word.kind in ("string", "number"):
        return word.kind, ()
    if word.kind == "sign":
        return ("operator", ()) if word.text not in ",:()[]{}" else None
    if word.kind != "word":
        return None
    if named is not None:
        return _classify_use(*named)
    return ("variable", ()) if terminal in ("NAME", None) else ("keyword", ())


def _classify_use(use: Use, declared: Use | None) -> tuple[str, tuple[str, ...]]:
    modifiers = ("declaration",) if use.declares is not None else ()
    if use.symbol.kind == "builtin":
        return "variable", ("defaultLibrary",)
    return KINDS_OF_SYMBOLS.get(use.symbol.kind) or name_thing_kind(declared.declares if declared else None), modifiers
