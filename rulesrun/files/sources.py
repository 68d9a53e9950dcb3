"""Reading files: a path, `-` or the name of a bundled rulebook in, its text out."""

from __future__ import annotations

import hashlib
import os
import sys
from difflib import get_close_matches
from functools import lru_cache
from importlib.util import find_spec
from typing import BinaryIO

from attrs import frozen

from rulesrun.dsl.text.messages import join_messages, message
from rulesrun.terminal.arguments import COMMANDS
from rulesrun.terminal.trouble import Trouble

LARGEST = 16_000_000
LARGEST_TRACE = 200_000_000
SUFFIX = ".rules"


@frozen
class TextFile:
    """`name` is how it was asked for, `folder` where a base named in it is looked for."""

    name: str
    text: str
    folder: str
    digest: str

    @property
    def short_name(self) -> str:
        return os.path.basename(self.name)


def open_rules(asked: str) -> TextFile:
    """A path that exists, else a bundled rulebook of that name."""
    if asked == "-":
        return _make_text_file("-", _read_standard_input(), os.curdir)
    if os.path.exists(asked):
        return _make_text_file(asked, read_bytes(asked), os.path.dirname(asked))
    bundled = bundled_path(asked)
    if bundled is None:
        raise Trouble(_not_found_message(asked))
    return _make_text_file(asked.removesuffix(SUFFIX) + SUFFIX, read_bytes(bundled), os.path.dirname(bundled))


def open_base(asked: str, folder: str) -> TextFile | None:
    """The base of a variant: beside the variant, else bundled. Only rules files: a variant may come from a stranger."""
    beside = os.path.join(folder, asked)
    if asked.endswith(SUFFIX) and os.path.isfile(beside):
        name = os.path.normpath(beside)
        return _make_text_file(name, read_bytes(name), os.path.dirname(name))
    bundled = bundled_path(asked)
    if bundled is None:
        return None
    return _make_text_file(asked.removesuffix(SUFFIX) + SUFFIX, read_bytes(bundled), os.path.dirname(bundled))


def read_bytes(path: str, most: int = LARGEST) -> bytes:
    try:
        with open(path, "rb") as file:
            content = file.read(most + 1)
    except IsADirectoryError:
        raise Trouble(
            message(
                "{path}: this is a folder, not a file (`{pattern}`?)",
                path=path,
                pattern=os.path.join(path, "*" + SUFFIX),
            )
        ) from None
    except OSError as reason:
        raise Trouble(
            message("{path}: cannot be read: {reason}", path=path, reason=reason.strerror or reason)
        ) from None
    except ValueError:
        raise Trouble(message("{path}: this is not the name of a file", path=repr(path))) from None
    return _check_size(path, content, most)


def read_trace(path: str) -> str:
    """The text of a recorded game; `-` is standard input."""
    if path != "-":
        return decode_text(path, read_bytes(path, LARGEST_TRACE))
    return decode_text(
        "standard input", _check_size("standard input", sys.stdin.buffer.read(LARGEST_TRACE + 1), LARGEST_TRACE)
    )


def bundled_path(asked: str) -> str | None:
    """`zero`, `classics/kuhn`, with `.rules` or without."""
    root = _bundled_root()
    path = os.path.normpath(os.path.join(root, asked.removesuffix(SUFFIX) + SUFFIX))
    return path if path.startswith(root + os.sep) and "\0" not in path and os.path.isfile(path) else None


def bundled_names() -> list[str]:
    root = _bundled_root()
    return sorted(
        os.path.relpath(os.path.join(folder, file), root).removesuffix(SUFFIX).replace(os.sep, "/")
        for folder, _, files in os.walk(root)
        for file in files
        if file.endswith(SUFFIX)
    )


def _bundled_root() -> str:
    found = find_spec("rulesrun.games")
    assert found is not None
    assert found.origin is not None
    return os.path.dirname(os.path.abspath(found.origin))


def _read_standard_input() -> bytes:
    return _check_size("standard input", _read_all_once(sys.stdin.buffer))


@lru_cache(maxsize=1)
def _read_all_once(stream: BinaryIO) -> bytes:
    """Read once, however often somebody asks for it."""
    return stream.read(LARGEST + 1)


def _check_size(name: str, content: bytes, most: int = LARGEST) -> bytes:
    if len(content) > most:
        raise Trouble(message(
            "{name}: larger than {most} MB; this is surely not a rules file",
            name=name, most=most // 1000000))
    return content


def decode_text(name: str, content: bytes) -> str:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as reason:
        raise Trouble(
            message(
                "{name}: this is not UTF-8 text (byte {start}); save it as UTF-8", name=name, start=reason.start + 1
            )
        ) from None


def _make_text_file(name: str, content: bytes, folder: str) -> TextFile:
    return TextFile(name, decode_text(name, content), folder, hashlib.sha256(content).hexdigest())


def _not_found_message(asked: str) -> str:
    if not asked:
        return message("the name of a file is empty")
    if os.sep not in asked and not asked.endswith(SUFFIX):
        commands = get_close_matches(asked, [name for name in COMMANDS if name != "run"], n=1)
        if commands:
            return message(
                "there is no command and no file `{asked}`; did you mean `rulesrun {command}`?",
                asked=asked,
                command=commands[0],
            )
    near = find_near_bundled(asked)
    missing = message("{asked}: there is no such file", asked=asked)
    return join_messages([missing, message("did you mean the bundled `{near}`?", near=near)], "; ") if near else missing


def find_near_bundled(asked: str) -> str | None:
    """`kuhn`, `games/zero.rules`, `zro`."""
    last = os.path.basename(asked).removesuffix(SUFFIX)
    near = [name for name in bundled_names() if os.path.basename(name) == last]
    near = near or get_close_matches(asked.removesuffix(SUFFIX)[:40], bundled_names(), n=1)
    return near[0] if near else None
