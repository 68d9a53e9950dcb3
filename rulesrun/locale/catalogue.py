"""The sentences of one language: its files in, what is said in place of an English sentence out.

A language is `CODE.po` in this folder, or a folder `CODE` of such files, one for each folder of the code. In the wheel
it is `CODE.json`, which `setup.py` makes of them: smaller, and faster to read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

from attrs import frozen

from rulesrun.locale.entries import compute_fingerprint, index_entries, read_entries, unpack_entries

FOLDER = Path(__file__).resolve().parent
PLURALS = re.compile(r"^Plural-Forms:.*\bplural=([^;\n]+)", re.MULTILINE)


@frozen(eq=False)
class Catalogue:
    """What is said by the fingerprint of its sentence; `choose_form` says which form goes with a number."""

    said: Mapping[str, tuple[str, ...]]
    choose_form: Callable[[int], int]

    def find_sentence(self, sentence: str, context: str | None = None) -> str:
        """The English one where there is no other."""
        return self.said.get(compute_fingerprint(sentence, context), (sentence,))[0]

    def find_plural(self, one: str, many: str, count: int, context: str | None = None) -> str:
        forms = self.said.get(compute_fingerprint(one, context))
        if forms is None:
            return one if count == 1 else many
        return forms[self.choose_form(count)]


def list_files(code: str) -> list[Path]:
    return [*FOLDER.glob(f"{code}.po"), *sorted(FOLDER.glob(f"{code}/*.po"))]


def list_languages() -> list[str]:
    """Those that have a catalogue."""
    alone = {path.stem for form in ("*.po", "*.json") for path in FOLDER.glob(form)}
    return sorted(alone | {path.parent.name for path in FOLDER.glob("*/*.po")})


@cache
def load_catalogue(code: str) -> Catalogue | None:
    """All files of a language as one; None where there are none. Who speaks English never needs it."""
    from gettext import c2py

    packed = FOLDER / f"{code}.json"
    if packed.is_file():
        said = unpack_entries(packed.read_text("utf-8"))
    else:
        said = index_entries(entry for path in list_files(code) for entry in read_entries(path.read_text("utf-8")))
    if not said:
        return None
    head = PLURALS.search(said[compute_fingerprint("")][0])
    return Catalogue(said, c2py(head[1] if head is not None else "n != 1"))
