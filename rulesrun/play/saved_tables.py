"""A table in a file, to go on with later: a line on where the rules are, then a line for each event."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path

from attrs import frozen

from rulesrun.dsl.text.messages import message
from rulesrun.files.atomic_files import translate_write_errors, write_atomically
from rulesrun.files.loading import read_playable
from rulesrun.files.sources import read_trace
from rulesrun.files.user_folders import find_data_folder
from rulesrun.table.session import BrokenEvents, Session
from rulesrun.terminal.output import one_line_json
from rulesrun.terminal.trouble import Trouble

VERSION = 1


@frozen(eq=False)
class SavedTable:
    """`rules` and `variants`: as they were asked for."""

    rules: str
    variants: tuple[str, ...]
    events: tuple[dict[str, object], ...]

    def restore(self) -> Session:
        reading = read_playable(self.rules, self.variants)
        return Session.restore(reading, self.events)


def save_table(path: str, session: Session, rules: str, variants: Sequence[str]) -> None:
    where = os.path.abspath(rules) if os.path.exists(rules) else rules
    with translate_write_errors(path):
        write_atomically(path, _table_lines(session, where, variants))


def keep_unfinished_table(session: Session, rules: str, variants: Sequence[str]) -> str:
    """Beside the user's other data, under a name that is free; the name."""
    folder = find_data_folder() or Path(tempfile.gettempdir())
    stem = Path(rules).name.removesuffix(".rules")
    names = (f"{stem}.game" if number == 1 else f"{stem}-{number}.game" for number in count(1))
    path = next(folder / "unfinished" / name for name in names if not (folder / "unfinished" / name).exists())
    with translate_write_errors(str(path)):
        path.parent.mkdir(parents=True, exist_ok=True)
    save_table(str(path), session, rules, variants)
    return str(path)


def _table_lines(session: Session, rules: str, variants: Sequence[str]) -> Iterator[str]:
    yield one_line_json({"saved": VERSION, "rules": rules, "with": list(variants)}) + "\n"
    for event in session.events():
        yield one_line_json(event) + "\n"


def find_saved_table(path: str) -> SavedTable | None:
    """None where the file is no saved table."""
    if not os.path.isfile(path):
        return None
    lines = [line for line in read_trace(path).split("\n") if line.strip()]
    try:
        head = json.loads(lines[0]) if lines and lines[0].startswith("{") else {}
        if not isinstance(head, dict) or head.get("saved") != VERSION:
            return None
        return SavedTable(str(head["rules"]), tuple(map(str, head["with"])), tuple(map(json.loads, lines[1:])))
    except (ValueError, KeyError, TypeError, RecursionError):
        return None


def restore_table(saved: SavedTable, path: str) -> Session:
    try:
        return saved.restore()
    except (BrokenEvents, KeyError, TypeError, ValueError) as reason:
        raise Trouble(message(
            "{file}: this game cannot be continued: {reason}",
            file=path, reason=str(reason))) from None
