"""Writing a file: what was there stays until all of the new text is on the disk. A path and a text in, or `Trouble`."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from tempfile import NamedTemporaryFile, mkstemp

from rulesrun.dsl.text.messages import message
from rulesrun.terminal.trouble import Trouble

ASIDE = ".rulesrun-"
RULES = ".rules"
FIRST_LINE = re.compile(rb"(\xef\xbb\xbf)?\s*rules \d+\s")


def write_atomically(path: str, text: str | Iterable[str]) -> None:
    """The old file or the new one is there, never half of one; a link stays a link, a device a device."""
    pieces = (text,) if isinstance(text, str) else text
    with translate_write_errors(path):
        if is_replaced(path):
            _replace_file(os.path.realpath(path), pieces)
        else:
            with open(path, "w", encoding="utf-8", newline="\n") as file:
                file.writelines(pieces)


_unwritten: dict[str, None] = {}


@contextmanager
def postpone_write_failures(path: str) -> Iterator[None]:
    """What cannot be written does not take the result with it: the front door tells it in the end, exit code 2."""
    try:
        yield
    except OSError as reason:
        _unwritten[f"{path}: cannot be written: {reason.strerror or reason}"] = None
    except Trouble as trouble:
        _unwritten[str(trouble)] = None


def add_write_failures(reasons: Iterable[str]) -> None:
    """Sentences that another process has noted."""
    _unwritten.update(dict.fromkeys(reasons))


def take_write_failures() -> tuple[str, ...]:
    """What could not be written since this was asked last."""
    found = tuple(_unwritten)
    _unwritten.clear()
    return found


def check_writable(path: str, keep: Iterable[str] = ()) -> None:
    """That it can be written is found out before the long work, not after it; `keep`: files that it must not be."""
    with translate_write_errors(path):
        if any(os.path.exists(path) and os.path.exists(one) and os.path.samefile(path, one) for one in keep):
            raise Trouble(message("{path}: this is the file with the rules; choose another name", path=path))
        if path.endswith(RULES) or holds_rules(path):
            raise Trouble(
                message(
                    "{path}: this is the name of a rulebook, and would be overwritten; choose another name", path=path
                )
            )
        if is_replaced(path):
            with NamedTemporaryFile(dir=os.path.dirname(os.path.realpath(path)), prefix=ASIDE):
                pass


def holds_rules(path: str) -> bool:
    """Whether a rulebook stands there already, whatever its name."""
    if not os.path.isfile(path):
        return False
    with open(path, "rb") as file:
        return FIRST_LINE.match(file.read(80)) is not None


def is_replaced(path: str) -> bool:
    """A new file takes its place; a pipe or a device is written to."""
    if os.path.isdir(path):
        raise IsADirectoryError(0, message("it is a folder"))
    return not os.path.exists(path) or os.path.isfile(path)


@contextmanager
def translate_write_errors(path: str) -> Iterator[None]:
    """What keeps a file from being written is told with its name."""
    try:
        yield
    except OSError as reason:
        raise Trouble(
            message("{path}: cannot be written: {reason}", path=path, reason=reason.strerror or reason)
        ) from None
    except ValueError:
        raise Trouble(message("{path}: this is not the name of a file", path=repr(path))) from None


def _replace_file(path: str, pieces: Iterable[str]) -> None:
    handle, fresh = mkstemp(dir=os.path.dirname(path), prefix=ASIDE)
    try:
        with open(handle, "w", encoding="utf-8", newline="\n") as file:
            file.writelines(pieces)
        os.chmod(fresh, _file_mode(path))
        os.replace(fresh, path)
    except BaseException:
        os.unlink(fresh)
        raise


def _file_mode(path: str) -> int:
    """That of the file whose place it takes, else what any new file gets."""
    if os.path.exists(path):
        return stat.S_IMODE(os.stat(path).st_mode)
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
