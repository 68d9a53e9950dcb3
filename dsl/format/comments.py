"""Where comments stand in the canonical layout: laid lines and the comments of a file in, both in one order out."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate

from attrs import define, evolve, field, frozen

from rulesrun.dsl.parsing.blocks import Comment
from rulesrun.dsl.text.source import Source


@frozen
class LaidLine:
    """One logical line to be written: what it says, where it stood, and whether a blank line must be above it."""

    depth: int
    text: str
    start: int = 0
    end: int = 0
    is_apart: bool = False
    is_tied: bool = False  # to the notes above it


@define
class _CommentedLine:
    """A line with the comments above it, at its end and below it."""

    line: LaidLine
    above: list[LaidLine] = field(factory=list)
    tail: str = ""
    below: list[LaidLine] = field(factory=list)

    def move_tail_above(self) -> None:
        """A line has one end: the comments that stood inside of it go above it."""
        if self.tail:
            self.put_comment_above(self.tail)
            self.tail = ""

    def put_comment_above(self, comment: str) -> None:
        """A comment from inside of the line takes over the blank line above it."""
        self.above.append(LaidLine(self.line.depth, comment, -1 if self.line.is_tied else self.line.start))
        self.line = evolve(self.line, is_tied=True)


def merge_comments(
    lines: Sequence[LaidLine], comments: Sequence[Comment], source: Source
) -> Iterator[tuple[LaidLine, str]]:
    """Every line and every comment in the order in which they are written, with what stands at the line's end."""
    placed = [_CommentedLine(line) for line in lines]
    starts = list(accumulate((line.start for line in lines), max))
    loose: list[LaidLine] = []
    for comment in comments:
        _place_comment(comment, placed, bisect_right(starts, comment.span.start), loose, source)
    before: LaidLine | None = None
    for one in placed:
        apart = one.line.is_apart
        one.line = evolve(one.line, is_apart=False)
        for laid in (*one.above, one.line, *one.below):
            can_be_apart = before is not None and before.depth >= laid.depth and not laid.is_tied
            wanted = apart or (can_be_apart and _has_blank_above(laid, source))
            apart = False
            yield evolve(laid, is_apart=wanted), one.tail if laid is one.line else ""
            before = laid
    for laid in loose:
        yield evolve(laid, is_apart=_has_blank_above(laid, source)), ""


def _place_comment(
    comment: Comment, placed: list[_CommentedLine], following: int, loose: list[LaidLine], source: Source
) -> None:
    """`following`: the first line that starts after the comment."""
    previous = placed[following - 1] if following else None
    after = placed[following] if following < len(placed) else None
    said = LaidLine(0, comment.text.rstrip(), comment.span.start)
    if previous is not None and not comment.own_line:
        previous.move_tail_above()
        previous.tail = said.text
    elif previous is not None and said.start < previous.line.end and (after is None or _is_leaf(previous, after)):
        previous.move_tail_above()
        _first_note_above(placed, following - 1).put_comment_above(said.text)
    elif after is not None and (after.line.depth or previous is None or _is_at_margin(comment, previous, source)):
        after.above.append(evolve(said, depth=after.line.depth))
    elif previous is not None and not _is_at_margin(comment, previous, source):
        previous.below.append(evolve(said, depth=previous.line.depth))
    else:
        loose.append(said)


def _first_note_above(placed: list[_CommentedLine], at: int) -> _CommentedLine:
    """The first of the notes above a line, which start where it starts; else the line."""
    while at and placed[at].line.depth and placed[at - 1].line.start == placed[at].line.start:
        at -= 1
    return placed[at]


def _is_leaf(line: _CommentedLine, after: _CommentedLine) -> bool:
    return after.line.depth <= line.line.depth


def _is_at_margin(comment: Comment, previous: _CommentedLine, source: Source) -> bool:
    """Whether it belongs to the top level rather than to the lines of the piece above."""
    return source.line_and_column(comment.span.start)[1] == 1 or previous.line.depth == 0


def _has_blank_above(laid: LaidLine, source: Source) -> bool:
    """Whether it stood first on a line below a blank one."""
    line, column = source.line_and_column(laid.start) if laid.start >= 0 else (1, 1)
    return (
        line > 1 and not source.text_of_line(line)[: column - 1].strip() and not source.text_of_line(line - 1).strip()
    )
