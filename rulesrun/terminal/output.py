"""Where the result and the complaints go: standard output and standard error, colour only on a terminal."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TextIO

from rulesrun.dsl.text.messages import Message, join_messages
from rulesrun.locale.language import translate
from rulesrun.terminal.notes import notes_json
from rulesrun.terminal.progress import line
from rulesrun.terminal.wrapping import measure_width, terminal_width, wrap_report

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
