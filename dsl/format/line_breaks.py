"""One logical line as physical ones. Takes its text with marks in it, breaks it where the language lets a line go on.

The marks say how the line is built: its parts, and where each may be broken. A part is broken before what stands inside
of it; what is broken inside of a broken part stands deeper, so that no line seems to belong to another part than it
does. The marks are control characters, which no word and no text of the language can hold.
"""

from __future__ import annotations

from collections.abc import Iterable

from attrs import define, field

WIDTH = 110
INDENT = "  "

# How a part is broken: at all its places or none, or where a line is full. `AT_ALL_LEVEL`: what is inside is no deeper;
# `WHERE_FULL_LEVEL`: what is like it stands no deeper, as a sum in a sum.
AT_ALL, AT_ALL_LEVEL, WHERE_FULL, WHERE_FULL_LEVEL = OPENING = "\x01\x02\x03\x04"
CLOSE = "\x05"
# A break; one that waits for a full line, even in a part that is broken at all places; one that must make the rest fit.
BREAK, BREAK_WHERE_FULL, BREAK_TO_FIT = BREAKS = "\x06\x07\x08"
ON_ONE_LINE = str.maketrans({**dict.fromkeys(OPENING + CLOSE, ""), **dict.fromkeys(BREAKS, " ")})


def mark_part(how: str, items: Iterable[str], sign: str = "") -> str:
    """Items that stand beside each other, or below each other."""
    return f"{how}{f'{sign}{BREAK}'.join(items)}{CLOSE}"


def mark_list(items: Iterable[str]) -> str:
    """With commas between them."""
    return mark_part(WHERE_FULL, items, ",")


def remove_marks(marked: str) -> str:
    """Without the marks."""
    return marked.translate(ON_ONE_LINE)


def fold_line(marked: str, depth: int) -> list[str]:
    """At most `WIDTH` wide where that can be done; what goes on stands two levels deeper."""
    whole = _parse_marks(marked)
    if len(INDENT * depth) + whole.width <= WIDTH:
        return [INDENT * depth + remove_marks(marked)]
    lines = _LineFiller(depth)
    lines.put_part(whole, 0, depth + 2)
    return lines.done


@define(eq=False)
class _LinePart:
    """`items`: what stands between its breaks, each of words and parts."""

    how: str
    items: list[list[str | _LinePart]] = field(factory=lambda: [[]])
    breaks: list[str] = field(factory=list)
    width: int = 0


def _parse_marks(marked: str) -> _LinePart:
    whole = _LinePart(AT_ALL_LEVEL)
    still_open = [whole]
    start = 0
    for at, sign in enumerate(marked):
        if sign > BREAKS[-1]:
            continue
        _add_piece(still_open[-1], marked[start:at])
        start = at + 1
        if sign in OPENING:
            still_open.append(_LinePart(sign))
        elif sign == CLOSE:
            inner = still_open.pop()
            _add_piece(still_open[-1], inner)
        else:
            still_open[-1].breaks.append(sign)
            still_open[-1].items.append([])
            still_open[-1].width += 1
    _add_piece(whole, marked[start:])
    return whole


def _add_piece(part: _LinePart, piece: str | _LinePart) -> None:
    if piece:
        part.items[-1].append(piece)
        part.width += _width_of(piece)


def _width_of(piece: str | _LinePart) -> int:
    return len(piece) if isinstance(piece, str) else piece.width


def _leading_width(pieces: Iterable[str | _LinePart], behind: int) -> int:
    """How wide the pieces are up to the first place where they may be broken, or with what must follow."""
    width = 0
    for piece in pieces:
        if isinstance(piece, _LinePart) and _can_be_broken(piece):
            return width + _leading_width(piece.items[0], 0)
        width += _width_of(piece)
    return width + behind


def _can_be_broken(part: _LinePart) -> bool:
    return bool(part.breaks) or any(isinstance(piece, _LinePart) and _can_be_broken(piece) for piece in part.items[0])


def _width_to_first_break(item: list[str | _LinePart]) -> int:
    """How wide it is up to its own first break, whatever is inside."""
    begin = item[0]
    if isinstance(begin, _LinePart) and (begin.breaks or len(item) == 1):
        return _width_to_first_break(begin.items[0])
    return sum(map(_width_of, item))


class _LineFiller:
    """Lines as they are filled, and how deep the last of them stands."""

    def __init__(self, depth: int) -> None:
        self.done = [INDENT * depth]
        self.level = depth
        self.room = WIDTH - len(INDENT * 2)  # the first line leaves free at its end what others leave at their begin
        self.is_begun = True  # the first line goes on deeper, whatever stands in it

    def begin_line(self, level: int) -> None:
        self.done.append(INDENT * level)
        self.level, self.room = level, WIDTH
        self.is_begun = False

    def put_text(self, text: str) -> None:
        self.done[-1] += text
        self.is_begun = True

    def put_part(self, part: _LinePart, behind: int, level: int) -> None:
        """`behind`: how much must follow on its last line; `level`: how deep stands what goes on."""
        has_room = self._has_room_for(part.width + behind)
        own = level if self.is_begun else self.level
        inner = own + 1 if part.breaks and part.how != AT_ALL_LEVEL else own
        for at, item in enumerate(part.items):
            after = 0 if at + 1 < len(part.items) else behind
            if at and not has_room and self._is_broken(part, at, after, own):
                self.begin_line(own)
            elif at:
                self.put_text(" ")
            for place, piece in enumerate(item, 1):
                if isinstance(piece, str):
                    self.put_text(piece)
                else:
                    is_like = piece.how == part.how == WHERE_FULL_LEVEL
                    self.put_part(piece, _leading_width(item[place:], after), own if is_like else inner)

    def _is_broken(self, part: _LinePart, at: int, behind: int, level: int) -> bool:
        """Before its item at this place, behind which so much must follow."""
        width = sum(map(_width_of, part.items[at])) + behind
        if part.how in (AT_ALL, AT_ALL_LEVEL) and part.breaks[at - 1] == BREAK:
            return True
        if part.breaks[at - 1] == BREAK_TO_FIT and len(INDENT * level) + width > WIDTH:
            width = _width_to_first_break(part.items[at])
        return not self._has_room_for(1 + width)

    def _has_room_for(self, width: int) -> bool:
        return len(self.done[-1]) + width <= self.room
