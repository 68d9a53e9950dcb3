"""Every message has its sentence in every language, with the same holes; none is dead; a language is one file."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

from rulesrun.dsl import explain
from rulesrun.dsl.text.messages import Message, Names, join_messages, message, message_in, plural
from rulesrun.locale import catalogue
from rulesrun.locale.catalogue import list_languages, load_catalogue
from rulesrun.locale.entries import Entry, read_entries
from rulesrun.locale.language import Language
from tests.explained import read_pages
from tests.messages import catalogues
from tests.messages.catalogues import (
    FORMS,
    HEADS,
    KEYWORDS,
    PACKAGES,
    ROOT,
    compare_catalogue,
    extract_entries,
    find_calls,
    read_catalogue,
    write_entries,
)


def test_every_message_is_in_every_catalogue_and_nothing_else() -> None:
    assert list_languages() == sorted(HEADS)
    assert [line for code in list_languages() for line in compare_catalogue(code)] == []


def holes_of(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name is not None}


@pytest.mark.parametrize("code", sorted(HEADS))
def test_a_sentence_has_the_holes_of_its_message(code: str) -> None:
    for (_, sentence), entry in read_catalogue(code).items():
        assert len(entry.said) == (FORMS[code] if entry.many is not None else 1), sentence
        for form in entry.said:
            wanted = holes_of(entry.many or sentence)
            assert holes_of(form) in (wanted, wanted | {"count"}), f"{sentence!r}: {form!r}"


def calls() -> Iterator[tuple[Path, ast.Call, str]]:
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            if path.parts[-2:] not in {("text", "messages.py"), ("locale", "language.py")}:
                yield from (
                    (path, node, name) for name, node in find_calls(path.read_text("utf-8")) if name in KEYWORDS
                )


def test_templates_are_literals_and_their_holes_are_given() -> None:
    """What is not a literal is not found for the catalogues. A table of templates is filled by `message(TABLE[…])`."""
    for path, node, name in calls():
        amount = {"message_in": 2, "plural": 2, "say_plural": 2}.get(name, 1)
        where = f"{path.relative_to(ROOT)}:{node.lineno}"
        literals = [one.value for one in node.args[:amount] if isinstance(one, ast.Constant)]
        if not literals and name in {"message", "say"}:
            assert isinstance(node.args[0], ast.Name | ast.Subscript | ast.Attribute), where
            continue
        assert len(literals) == amount, f"{where}: the sentence is not one literal"
        given = {word.arg for word in node.keywords}
        if name == "template" or None in given:
            continue
        wanted = set().union(*(holes_of(str(one)) for one in literals))
        assert wanted - {"count"} == given, f"{where}: {sorted(wanted)} asked, {sorted(map(str, given))} given"


def test_english_is_what_a_message_is_by_itself() -> None:
    told = plural("{count} game of {name}", "{count:,} games of {name}", 2000, name=Names("zero"))
    assert told == "2,000 games of zero"
    assert isinstance(str(told), Message)
    assert message("a {things} b", things=("x", "y")) == "a x, y b"
    assert str(ValueError(message("no {name}", name="x"))) == "no x"
    assert join_messages([message("one"), "two"], "; ") == "one; two"


MADE_UP = [
    Entry("", ("Content-Type: text/plain; charset=UTF-8\nPlural-Forms: nplurals=2; plural=n != 1;\n",)),
    Entry("no errors", ("nix feil",)),
    Entry("{count} error", ("{count} feil", "{count} feilen"), "{count} errors"),
    Entry("draw", ("ziehen",), context="action"),
    Entry("draw", ("remis",), context="result"),
]


def test_a_third_language_is_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_entries(tmp_path / "xx.po", MADE_UP)
    assert [entry.said for entry in read_entries((tmp_path / "xx.po").read_text("utf-8"))] == [e.said for e in MADE_UP]
    monkeypatch.setattr(catalogue, "FOLDER", tmp_path)
    load_catalogue.cache_clear()
    assert list_languages() == ["xx"]
    made_up = Language("xx", load_catalogue("xx"), {"red": "rot"})
    load_catalogue.cache_clear()
    assert made_up.translate(message("no errors")) == "nix feil"
    assert made_up.translate(plural("{count} error", "{count} errors", 3)) == "3 feilen"
    assert made_up.translate(join_messages([message("no errors"), Names("red-7")])) == "nix feil, rot-7"
    assert made_up.translate(message_in("result", "draw")) == "remis"
    assert made_up.translate(message("not here: {what}", what=message("no errors"))) == "not here: nix feil"
    assert made_up.translate("red") == "red"


def test_russian_counts_and_groups() -> None:
    russian = Language("ru", load_catalogue("ru"), {})
    errors = [russian.translate(plural("{count} error", "{count} errors", amount)) for amount in (1, 2, 5, 21, 112)]
    assert errors == ["1 ошибка", "2 ошибки", "5 ошибок", "21 ошибка", "112 ошибок"]
    assert russian.format_number(12345, ",") == "12\u00a0345"
    assert russian.translate(Names("player or nothing")) == "игрок или ничего"


def test_entries_are_extracted_with_their_places() -> None:
    found = extract_entries()
    assert found[None, "no errors"].places == ("dsl/diagnostics/report.py",)
    assert not [sentence for _, sentence in found if re.fullmatch(r"\W*", sentence) and sentence != ","]


def test_a_page_whose_english_has_changed_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for path in explain.FOLDER.glob("*.ru.md"):
        (tmp_path / path.name).write_text(path.read_text("utf-8"), "utf-8")
    stale = tmp_path / "unknown-zone.ru.md"
    stale.write_text(re.sub(r"English: \w+", "English: 01234567", stale.read_text("utf-8")), "utf-8")
    (tmp_path / "unknown-name.ru.md").rename(tmp_path / "no-such-code.ru.md")
    assert read_pages()  # kept from here on
    monkeypatch.setattr(explain, "FOLDER", tmp_path)
    told = [line.split(":")[0] for line in catalogues.compare_pages("ru")]
    assert sorted(told) == ["dead page in ru", "no page in ru", "unknown-zone.ru.md"]
