"""Lines of a report in the width of a terminal. Text in, the same text in lines that fit out.

A line goes on under its text, not under its label. Excerpts of rules and commands that somebody may copy stay
whole.
"""

from __future__ import annotations

import re
import shutil
from unicodedata import combining, east_asian_width

COLOUR = re.compile("\x1b\\[[0-9;]*m")
NARROWEST = 60
TEXT_COLUMN = 13  # behind the label of a row
EXCERPT = re.compile(r" *(?:\d+ +)?\||  *--> ")
ROW = re.compile(r"  [^\s=]")
OPENING = re.compile(r" *(?:= (?:hint|note): |\d+\. |- )?")
KEPT = re.compile(r"`[^`]*`[^\s`]*|\(rulesrun [^)]*\)\S*|(?<=: )rulesrun .*|\S+")


def terminal_width() -> int:
    """`COLUMNS` comes first, then what the terminal says."""
    return max(shutil.get_terminal_size().columns, NARROWEST)


def wrap_report(text: str, width: int) -> str:
    return "\n".join(part for line in text.split("\n") for part in wrap_line(line, width))


def wrap_line(line: str, width: int) -> list[str]:
    plain = COLOUR.sub("", line)
    if measure_width(plain) <= width or EXCERPT.match(plain):
        return [line]
    hang = min(hanging_indent(plain), width // 2)
    lines = [""]
    for gap, word in split_words(line, width - hang):
        is_too_long = measure_width(word) > width - hang  # no line has room for it
        if not lines[-1].strip() or is_too_long or measure_width(lines[-1] + gap + word) <= width:
            lines[-1] += gap + word
        else:
            lines.append(" " * hang + word)
    return lines


def hanging_indent(plain: str) -> int:
    """Where the text of a line begins."""
    if ROW.match(plain):
        return TEXT_COLUMN
    opening = OPENING.match(plain)
    own = opening[0] if opening is not None else ""
    return len(own) if own.strip() or len(own) == TEXT_COLUMN else len(own) + 2


def split_words(line: str, room: int) -> list[tuple[str, str]]:
    """Each word with the gap before it; what is between backticks is one word where a line has room for it."""
    found, end = [], 0
    for word in KEPT.finditer(line):
        gap, end = line[end : word.start()], word.end()
        parts = [word[0]] if measure_width(word[0]) <= room or word[0].startswith("rulesrun ") else word[0].split(" ")
        found += [(gap if at == 0 else " ", part) for at, part in enumerate(parts)]
    return found


def measure_width(text: str) -> int:
    """In columns: colours take none, signs of East Asia two."""
    return sum(0 if combining(sign) else 2 if east_asian_width(sign) in "WF" else 1 for sign in COLOUR.sub("", text))
