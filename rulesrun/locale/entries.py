"""Files in gettext's form: text in, entries out, and entries packed for the wheel.

Only the standard library is imported here, and nothing of the project: `setup.py` packs with this module before any of
it is installed.
"""

from __future__ import annotations

import json
from ast import literal_eval
from base64 import urlsafe_b64encode
from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import NamedTuple

LENGTH = 6  # of a fingerprint: 36 bits


class Entry(NamedTuple):
    """One sentence: `many` for more than one; `said` in the language, as many forms as it has."""

    sentence: str
    said: tuple[str, ...]
    many: str | None = None
    context: str | None = None
    places: tuple[str, ...] = ()

    @property
    def key(self) -> tuple[str | None, str]:
        return self.context, self.sentence

    @property
    def fingerprint(self) -> str:
        return compute_fingerprint(self.sentence, self.context)


def read_entries(text: str) -> Iterator[Entry]:
    """The entries of a file, its head (of the empty sentence) among them."""
    for block in text.split("\n\n"):
        fields, places = read_fields(block)
        if "msgid" in fields:
            said = [value for name, value in fields.items() if name.startswith("msgstr")]
            yield Entry(fields["msgid"], tuple(said), fields.get("msgid_plural"), fields.get("msgctxt"), places)


def read_fields(block: str) -> tuple[dict[str, str], tuple[str, ...]]:
    """`msgid "…"` and the quoted lines that follow it."""
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


def compute_fingerprint(sentence: str, context: str | None = None) -> str:
    """What a sentence is looked up by: a catalogue need not say all of the English again."""
    digest = sha256(f"{context or ''}\0{sentence}".encode()).digest()
    return urlsafe_b64encode(digest).decode()[:LENGTH]


def index_entries(entries: Iterable[Entry]) -> dict[str, tuple[str, ...]]:
    """What is said, by the fingerprint of the sentence. What nobody has translated yet is left out."""
    said: dict[str, tuple[str, ...]] = {}
    for entry in entries:
        if all(entry.said) and said.setdefault(entry.fingerprint, entry.said) is not entry.said and entry.sentence:
            raise ValueError(f"said twice, or two sentences with one fingerprint: {entry.sentence!r}")
    return said


def pack_entries(entries: Iterable[Entry]) -> str:
    """The fingerprints first, one behind the other, then what is said."""
    said = index_entries(entries)
    packed = {"fingerprints": "".join(said), "said": list(said.values())}
    return json.dumps(packed, ensure_ascii=False, separators=(",", ":")) + "\n"


def unpack_entries(text: str) -> dict[str, tuple[str, ...]]:
    packed = json.loads(text)
    fingerprints = packed["fingerprints"]
    return {fingerprints[LENGTH * number :][:LENGTH]: tuple(forms) for number, forms in enumerate(packed["said"])}
