"""Where the result and the complaints go: standard output and standard error, colour only on a terminal."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, TextIO, TypeAlias
from unicodedata import combining, east_asian_width

from rulesrun.dsl.text.messages import Message, join_messages, message_in
from rulesrun.locale.language import translate
from rulesrun.terminal.progress import line

if TYPE_CHECKING:
    from rulesrun.dsl.diagnostics.diagnostic import Diagnostic
    from rulesrun.dsl.text.source import Source

# ---- notes
# What is told beside the result of a command: notes, each once, in one line or as JSON. They change no exit code.


Sources: TypeAlias = "Mapping[str, Source]"

_noted: dict[tuple[str, object], tuple[Diagnostic, Sources]] = {}
_asked_at_the_end: list[Callable[[], None]] = []


def forget_notes() -> None:
    """A new command begins."""
    _noted.clear()
    _asked_at_the_end.clear()


def add_final_check(look: Callable[[], None]) -> None:
    """`look` may add a note when all is done."""
    _asked_at_the_end.append(look)


def collect_notes() -> list[tuple[Diagnostic, Sources]]:
    while _asked_at_the_end:
        _asked_at_the_end.pop()()
    return list(_noted.values())


def amount_of_notes() -> int:
    return len(_noted)


def add_note(note: Diagnostic, sources: Sources) -> None:
    _noted.setdefault((note.message, note.span), (note, sources))


def notes_about(sources: Sources) -> tuple[Diagnostic, ...]:
    """Those that speak of these files."""
    return tuple(note for note, _ in collect_notes() if note.span.file in sources)


def notes_json() -> list[dict[str, object]]:
    found = collect_notes()
    if not found:
        return []
    from rulesrun.dsl.diagnostics.report import diagnostic_to_json

    return [diagnostic_to_json(note, sources) for note, sources in found]


def note_lines() -> list[str]:
    """The place, what is the matter, and what to write instead."""
    return [format_note(note, sources) for note, sources in collect_notes()]


def format_note(note: Diagnostic, sources: Sources) -> str:
    source = sources.get(note.span.file)
    line = source.line_and_column(note.span.start)[0] if source is not None else 1
    hint = f"; {note.hint}" if note.hint else ""
    return f"note[{note.code}]: {note.span.file}:{line}: {note.message}{hint}"


# ---- wrapping
# Lines of a report in the width of a terminal. Text in, the same text in lines that fit out.
#
# A line goes on under its text, not under its label. Excerpts of rules and commands that somebody may copy stay
# whole.


COLOUR = re.compile("\x1b\\[[0-9;]*m")
NARROWEST = 60
TEXT_COLUMN = 13  # behind the label of a row
FIGURE_COLUMN = 15  # behind the label of a figure, one level deeper
EXCERPT = re.compile(r" *(?:\d+ +)?\||  *--> ")
ROW = re.compile(r"  [^\s=]")
FIGURE = re.compile(r"    \S.{1,8}? {2,}(?=\S)")
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
    figure = FIGURE.match(plain)
    if figure is not None and figure.end() == FIGURE_COLUMN:
        return FIGURE_COLUMN
    opening = OPENING.match(plain)
    own = opening[0] if opening is not None else ""
    return len(own) if own.strip() or len(own) in (TEXT_COLUMN, FIGURE_COLUMN) else len(own) + 2


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


# ---- output


RED, GREEN, YELLOW, BOLD, PLAIN = "\x1b[31m", "\x1b[32m", "\x1b[33m", "\x1b[1m", "\x1b[0m"


def make_portable(stream: TextIO) -> None:
    """UTF-8 and bare line feeds everywhere, so that the same result is the same bytes."""
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")


def open_closed_streams() -> None:
    """Who starts us with a stream closed (`>&-`) wants to hear nothing of it; no file of ours must get its number."""
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:
            handle = os.open(os.devnull, os.O_RDWR)
            setattr(sys, name, os.fdopen(handle, "r" if name == "stdin" else "w", encoding="utf-8"))


def print_text(text: str = "", end: str = "\n") -> None:
    """A part of the result."""
    line.clear()
    sys.stdout.write(translate(text) + end)


def print_report(text: str) -> None:
    """What was found in a file. A person reads it in the width of the terminal; a pipe gets the lines as they are."""
    line.clear()
    said = translate(text)
    sys.stdout.write(wrap_report(said, terminal_width()) if sys.stdout.isatty() else said)


_said_json = False


def reset_json() -> None:
    global _said_json
    _said_json = False


def has_printed_json() -> bool:
    """Whether a document was written since this was forgotten: there is to be one, and no more."""
    return _said_json


def print_json(document: object) -> None:
    """The notes of the command are a part of it."""
    global _said_json
    _said_json = True
    notes = notes_json()
    if notes and isinstance(document, dict):
        document = {**document, "notes": notes}
    sys.stdout.write(json.dumps(document, ensure_ascii=False, indent=2) + "\n")


def one_line_json(document: object) -> str:
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"))


_error_sink: ContextVar[Callable[[str], None] | None] = ContextVar("error sink", default=None)


@contextmanager
def redirect_errors(sink: Callable[[str], None]) -> Iterator[None]:
    """Inside, what would be written to standard error goes there: a library writes nothing."""
    before = _error_sink.set(sink)
    try:
        yield
    finally:
        _error_sink.reset(before)


def prefixed(reason: str) -> Message:
    """A complaint begins with who complains."""
    return join_messages(["rulesrun: ", reason], "")


def print_error(text: str) -> None:
    text = translate(text)
    sink = _error_sink.get()
    if sink is not None:
        sink(text)
        return
    line.clear()
    sys.stdout.flush()
    sys.stderr.write((wrap_report(text, terminal_width()) if sys.stderr.isatty() else text) + "\n")
    sys.stderr.flush()


_painted_anyway = False


def force_colour(is_wanted: bool) -> None:
    """In a process whose text goes to another one's terminal."""
    global _painted_anyway
    _painted_anyway = is_wanted


def is_coloured(stream: TextIO | None = None) -> bool:
    """`NO_COLOR` with anything in it, a dumb terminal, a pipe or a file: no colour."""
    if _painted_anyway and stream is None:
        return True
    stream = stream or sys.stdout
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def paint_text(text: str, paint: str) -> str:
    return f"{paint}{text}{PLAIN}" if is_coloured() else text


def pad_label(label: str, width: int) -> str:
    """A column of text: colours take no room in it, and a long label still has a gap behind it."""
    room = width - measure_width(label)
    return label + " " * max(room, 1)


# ---- rows
# Rows of a report: what a verdict or a label is called, and the text behind it. Words in, a line out.


LABELS: dict[str, Message] = {
    label: label
    for label in (
        message_in("label", "holds"), message_in("label", "fails"), message_in("label", "passed"),
        message_in("label", "examples"), message_in("label", "seen"),
        message_in("label", "not known"), message_in("label", "not broken"), message_in("label", "not judged"),
        message_in("label", "not seen"), message_in("label", "not proved"), message_in("label", "never"),
        message_in("label", "reveals"), message_in("label", "games"), message_in("label", "secrets"),
        message_in("label", "options"), message_in("label", "small"), message_in("label", "saved"),
        message_in("label", "stuck"), message_in("label", "leaks"), message_in("label", "may go on"),
        message_in("label", "endless"), message_in("label", "too long"), message_in("label", "proved"),
        message_in("label", "evidence"), message_in("label", "next"),
        message_in("label", "table"), message_in("label", "positions"), message_in("label", "complete"),
        message_in("label", "partial"), message_in("label", "symmetry"), message_in("label", "ends"),
        message_in("label", "happens"), message_in("label", "coverage"), message_in("label", "threshold"),
        message_in("label", "broken"), message_in("label", "figures"), message_in("label", "together"),
        message_in("label", "length"), message_in("label", "choices"), message_in("label", "course"),
        message_in("label", "counted"),
        message_in("label", "actions"), message_in("label", "phases"), message_in("label", "points"),
        message_in("label", "values"), message_in("label", "rows"), message_in("label", "chosen"),
        message_in("label", "kept"), message_in("label", "base examples"), message_in("label", "changed"),
        message_in("label", "added"), message_in("label", "removed"), message_in("label", "renamed"),
        message_in("label", "dropped"), message_in("label", "recorded"),
        message_in("label", "fails now"), message_in("label", "broken now"),
    )
}  # fmt: skip
"""Every word that stands before a row; verdicts are among them."""


def say_label(label: str) -> str:
    return translate(LABELS.get(label, label))


def labelled_row(label: str, text: str, paint: str | None = None) -> str:
    """`  holds      always "…" (line 7)`"""
    said = say_label(label)
    return f"  {pad_label(said if paint is None else paint_text(said, paint), 11)}{text}"
