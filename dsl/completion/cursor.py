"""The line in which the cursor stands: its words before and behind, what kind of line it is, the word itself."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence

from attrs import frozen

from rulesrun.dsl.parsing.blocks import Block, Blocks, FindStretch, KnownBlock, read_blocks
from rulesrun.dsl.parsing.grammar import KIND_BELOW
from rulesrun.dsl.text.lexer import Word, scan_line
from rulesrun.dsl.text.source import Source

HOLE = "what_stands_at_the_cursor"


@frozen(eq=False)
class CursorLine:
    """`start` to `end` is the word at the cursor, perhaps none; `patched` is the text with `HOLE` in its place."""

    kind: str  # a start symbol of the grammar; empty where no line may begin
    before: tuple[Word, ...]
    after: tuple[Word, ...]
    typed: str
    start: int
    end: int
    patched: str
    path: tuple[Block, ...]  # the piece, the lines around, this line: places are those of `patched`
    blocks: Blocks

    @property
    def line(self) -> Block:
        return self.path[-1]

    @property
    def piece(self) -> Block:
        return self.path[0]

    def goes_after(self, *words: str) -> bool:
        """Whether the line before it, as deep as this one, begins with one of these."""
        siblings = self.path[-2].children if len(self.path) > 1 else []
        before = [line for line in siblings if line.start < self.line.start]
        return bool(before) and before[-1].words[0].text in words

    @property
    def continued(self) -> tuple[Block, ...]:
        """The path to the line above, where this one may go on with it."""
        may_go_on = not self.before and len(self.path) > 1 and self.path[-2].children[0] is self.line
        return self.path[:-1] if may_go_on else ()


def find_cursor_line(text: str, offset: int, find_stretch: FindStretch | None = None) -> CursorLine | None:
    """None in a comment, in a text in quotes, and where no line can be read. Of pieces that `find_stretch` knows only
    the words are given, at the places where they stood.
    """
    if _is_in_comment_or_quotes(text, offset):
        return None
    start, end = find_word(text, offset)
    patched = f"{text[:start]}{HOLE}{text[end:]}"
    blocks = read_blocks(Source("", patched), find_stretch)
    path = find_path(blocks.top, start)
    if path is None:
        return None
    words = path[-1].words
    at = next((at for at, word in enumerate(words) if word.start == start), None)
    if at is None:
        return None
    before, after, kind = tuple(words[:at]), tuple(words[at + 1 :]), find_kind(path) or ""
    return CursorLine(kind, before, after, text[start:offset], start, end, patched, path, blocks)


def find_word(text: str, offset: int) -> tuple[int, int]:
    """The name or word around a place, perhaps of no length."""
    start = end = offset
    while start > 0 and is_name_sign(text[start - 1]):
        start -= 1
    while end < len(text) and is_name_sign(text[end]):
        end += 1
    if start < end and text[start].isdigit():
        return offset, offset
    return start, end


def is_name_sign(sign: str) -> bool:
    return sign.isalnum() or sign == "_" or unicodedata.category(sign) in ("Mn", "Mc")


def _is_in_comment_or_quotes(text: str, offset: int) -> bool:
    first = text.rfind("\n", 0, offset) + 1
    found = scan_line(text, first, offset)
    if found.comment is not None:
        return True
    return any(word.kind == "odd" and word.text == '"' for word in found.words)


def find_path(blocks: Sequence[Block], offset: int) -> tuple[Block, ...] | None:
    """The blocks around a place, the outermost first, down to the line that has a word there."""
    for block in blocks:
        if any(word.start <= offset <= word.end for word in block.words):
            return (block,)
        below = find_path(block.children, offset)
        if below is not None:
            return (block, *below)
    return None


def find_kind(path: Sequence[Block]) -> str | None:
    """What kind of line stands at the end of such a path."""
    kind: str | None = "declaration"
    for parent in path[:-1]:
        if kind == "declaration":
            first = parent.words[1 if parent.words[0].text == "change" and len(parent.words) > 1 else 0]
            kind = KIND_BELOW.get(first.text)
        elif kind != "statement":
            return None
    return kind


def all_lines(blocks: Sequence[Block]) -> Iterator[Block]:
    """Every logical line, in the order of the text."""
    for block in blocks:
        whole = block.stretch.block if isinstance(block, KnownBlock) and block.stretch is not None else block
        yield whole
        yield from all_lines(whole.children)
