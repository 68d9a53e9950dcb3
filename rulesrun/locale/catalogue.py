"""The sentences of one language: files in gettext's form in, the library's own translations out.

A language is `CODE.po` in this folder, or a folder `CODE` of such files, one for each folder of the code.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import frozen

from rulesrun.dsl.text.messages import CONTEXT_END

if TYPE_CHECKING:
    from gettext import GNUTranslations

FOLDER = Path(__file__).resolve().parent
MAGIC = 0x950412DE


@frozen
class Entry:
    """One sentence: `many` for more than one; `said` in the language, as many forms as it has."""

    sentence: str
    said: tuple[str, ...]
    many: str | None = None
    context: str | None = None
    places: tuple[str, ...] = ()

    @property
    def key(self) -> tuple[str | None, str]:
        return self.context, self.sentence


def read_entries(text: str) -> Iterator[Entry]:
    """The entries of a file, its head (of the empty sentence) among them."""
    for block in text.split("\n\n"):
        fields, places = read_fields(block)
        if "msgid" in fields:
            said = [value for name, value in fields.items() if name.startswith("msgstr")]
            yield Entry(fields["msgid"], tuple(said), fields.get("msgid_plural"), fields.get("msgctxt"), places)


def read_fields(block: str) -> tuple[dict[str, str], tuple[str, ...]]:
    """`msgid "…"` and the quoted lines that follow it."""
    from ast import literal_eval

    fields: dict[str, str] = {}
    places: list[str] = []
    name = ""
    for line in block.split("\n"):
        if line.startswith("#: "):
            places += line[3:].split()
        elif line.startswith('"'):
            fields[name] += literal_eval(line)
        elif line.startswith("msg"):
            name, _, quoted = line.partition(" ")
            fields[name] = literal_eval(quoted)
    return fields, tuple(places)


def list_files(code: str) -> list[Path]:
    return [*FOLDER.glob(f"{code}.po"), *sorted(FOLDER.glob(f"{code}/*.po"))]


def list_languages() -> list[str]:
    """Those that have a catalogue."""
    return sorted({path.stem for path in FOLDER.glob("*.po")} | {path.parent.name for path in FOLDER.glob("*/*.po")})


@cache
def load_catalogue(code: str) -> GNUTranslations | None:
    """All files of a language as one; None where there are none. Who speaks English never needs the library."""
    from gettext import GNUTranslations

    entries = [entry for path in list_files(code) for entry in read_entries(path.read_text("utf-8"))]
    return GNUTranslations(BytesIO(compile_entries(entries))) if entries else None


def compile_entries(entries: list[Entry]) -> bytes:
    """The binary form that the library reads: numbers of the tables, then places of texts, then the texts."""
    import struct

    texts: dict[bytes, bytes] = {}
    for entry in entries:
        if all(entry.said):
            context = "" if entry.context is None else entry.context + CONTEXT_END
            key = context + entry.sentence + ("" if entry.many is None else f"\0{entry.many}")
            texts.setdefault(key.encode(), "\0".join(entry.said).encode())
    amount, body = len(texts), bytearray()
    places: list[tuple[int, int]] = []
    for text in (*sorted(texts), *(texts[key] for key in sorted(texts))):
        places.append((len(text), 28 + 16 * amount + len(body)))
        body += text + b"\0"
    table = b"".join(struct.pack("<II", *place) for place in places)
    return struct.pack("<7I", MAGIC, 0, amount, 28, 28 + 8 * amount, 0, 28) + table + bytes(body)
