"""Compares the messages of the code with the catalogues of languages.

`python -m tests.messages.catalogues` names what is missing or dead, `--update` writes the new ones into the files,
empty, and takes the dead ones out. A folder of the code has a file of its own.
"""

from __future__ import annotations

import argparse
import ast
import sys
from collections.abc import Collection, Iterator
from functools import cache
from pathlib import Path
from typing import BinaryIO

from babel.messages.extract import extract_from_dir

from rulesrun.dsl import explain
from rulesrun.dsl.explain.page import TRANSLATION, Page
from rulesrun.locale.catalogue import FOLDER, list_files
from rulesrun.locale.entries import Entry, read_entries
from tests.explained import read_pages

ROOT = Path(__file__).resolve().parent.parent.parent
PACKAGES = ("dsl", "interpreter", "rulesrun")
MODULES = {"rulesrun.dsl.text.messages", "rulesrun.locale.language"}
EXTRACTOR = "tests.messages.catalogues:extract_calls"
KEYWORDS = {
    "message": None, "message_in": ((1, "c"), 2), "plural": (1, 2), "template": None, "say": None,
    "say_plural": (1, 2),
}  # fmt: skip
HEADS = {
    "ru": "Content-Type: text/plain; charset=UTF-8\nLanguage: ru\nPlural-Forms: nplurals=3; "
    "plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);\n",
}  # fmt: skip
FORMS = {"ru": 3}


@cache
def extract_entries() -> dict[tuple[str | None, str], Entry]:
    """Every message of the code, in the order of files and lines; the places where it is said."""
    found: dict[tuple[str | None, str], Entry] = {}
    for package in PACKAGES:
        extracted = extract_from_dir(ROOT / package, [("**.py", EXTRACTOR)], keywords=KEYWORDS)
        for file, _line, sentence, _comments, context in sorted(extracted, key=lambda one: (one[0], one[1])):
            one, many = sentence if isinstance(sentence, tuple) else (sentence, None)
            before = found.get((context, one))
            places = dict.fromkeys((*(before.places if before is not None else ()), f"{package}/{file}"))
            found[context, one] = Entry(one, (), many, context, tuple(places))
    return found


def extract_calls(
    file: BinaryIO, keywords: Collection[str], _tags: object, options: object
) -> Iterator[tuple[int, str, tuple[str | None, ...], list[str]]]:
    """For Babel, which does not look into f-strings itself: every call of a marking function, with its literals."""
    for name, node in find_calls(file.read().decode("utf-8")):
        literals = tuple(
            one.value if isinstance(one, ast.Constant) and isinstance(one.value, str) else None for one in node.args
        )
        if name in keywords:
            yield node.lineno, name, literals, []


def find_calls(text: str) -> Iterator[tuple[str, ast.Call]]:
    """The calls of functions that are imported from where messages are made and said."""
    tree = ast.parse(text)
    imports = (node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module in MODULES)
    imported = {name.name for node in imports for name in node.names}
    if "class Message(str)" in text:
        imported |= set(KEYWORDS)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in imported:
            yield node.func.id, node


def read_catalogue(code: str) -> dict[tuple[str | None, str], Entry]:
    entries = (entry for path in list_files(code) for entry in read_entries(path.read_text("utf-8")))
    return {entry.key: entry for entry in entries if entry.sentence}


def compare_catalogue(code: str) -> Iterator[str]:
    """What is missing or dead, a line each."""
    wanted, there = extract_entries(), read_catalogue(code)
    for key, entry in wanted.items():
        if key not in there or there[key].many != entry.many or not all(there[key].said):
            yield f"not in {code}: {entry.places[0]}: {entry.sentence!r}"
    yield from (f"dead in {code}: {sentence!r}" for context, sentence in there if (context, sentence) not in wanted)
    yield from compare_pages(code)


def compare_pages(code: str) -> Iterator[str]:
    """Pages of `rulesrun explain` that are missing, dead, or translate what the English page said before."""
    pages = {page.code: page for page in read_pages()}
    there = {path.name.split(".")[0]: path for path in sorted(explain.FOLDER.glob(f"*.{code}.md"))}
    yield from (f"no page in {code}: {name}" for name in pages if name not in there)
    yield from (f"dead page in {code}: {name}" for name in there if name not in pages)
    for name in pages.keys() & there.keys():
        found = TRANSLATION.fullmatch(there[name].read_text("utf-8"))
        if found is None or found["original"] != pages[name].fingerprint:
            yield f"{there[name].name}: translate what the English page says now, then end with `{stamp(pages[name])}`"


def stamp(page: Page) -> str:
    """The last line of a translated page: what it is a translation of."""
    return f"<!-- English: {page.fingerprint} -->"


def update_catalogue(code: str) -> None:
    wanted, there = extract_entries(), read_catalogue(code)
    files: dict[str, list[Entry]] = {}
    for key, entry in wanted.items():
        before = there.get(key)
        forms = FORMS[code] if entry.many is not None else 1
        said = before.said if before is not None and len(before.said) == forms else ("",) * forms
        room = ".".join(Path(entry.places[0]).parent.parts)
        files.setdefault(room, []).append(Entry(entry.sentence, said, entry.many, entry.context, entry.places))
    for path in list_files(code):
        path.unlink()
    for room, entries in files.items():
        write_entries(FOLDER / code / f"{room}.po", [Entry("", (HEADS[code],)), *entries])


def write_entries(path: Path, entries: list[Entry]) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n\n".join("\n".join(format_entry(entry)) for entry in entries) + "\n", "utf-8")


def format_entry(entry: Entry) -> Iterator[str]:
    if entry.places:
        yield f"#: {' '.join(entry.places)}"
    if entry.context is not None:
        yield f"msgctxt {quote(entry.context)}"
    yield f"msgid {quote(entry.sentence)}"
    if entry.many is None:
        yield f"msgstr {quote(entry.said[0])}"
        return
    yield f"msgid_plural {quote(entry.many)}"
    for number, form in enumerate(entry.said):
        yield f"msgstr[{number}] {quote(form)}"


def quote(text: str) -> str:
    """On one line; a text of several lines has a line for each."""
    lines = text.split("\n")
    if len(lines) == 1:
        return _quote_line(text)
    quoted = [_quote_line(f"{line}\n") for line in lines[:-1]]
    return "\n".join(['""', *quoted, *([_quote_line(lines[-1])] if lines[-1] else [])])


def _quote_line(text: str) -> str:
    for sign, escape in (("\\", "\\\\"), ('"', '\\"'), ("\n", "\\n"), ("\t", "\\t")):
        text = text.replace(sign, escape)
    return f'"{text}"'


def main() -> None:
    words = argparse.ArgumentParser(prog="python -m tests.messages.catalogues", description=__doc__)
    words.add_argument("--update", action="store_true", help="write what is new into the files, take out what is dead")
    asked = words.parse_args()
    for code in HEADS:
        if asked.update:
            update_catalogue(code)
        sys.stdout.writelines(f"{line}\n" for line in compare_catalogue(code))


if __name__ == "__main__":
    main()
