"""What commands say in Russian has no English sentence left: reports, complaints, refusals, of every bundled file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from rulesrun.dsl.explain import list_codes, read_page, read_translation
from rulesrun.dsl.text.messages import Message
from rulesrun.files.sources import bundled_names
from rulesrun.locale.catalogue import load_catalogue
from rulesrun.locale.language import Language
from rulesrun.terminal.arguments import COMMANDS
from tests.command_line import run_here
from tests.dsl.test_explain import found_in_example
from tests.recorded.commands import COUNTABLE, QUICK, SOLVABLE, base_of

OURS = re.compile(
    r"\b(the|of|in|is|are|and|not|with|that|this|games?|seat|wins|score|deals|every|never|none|players?|decisions?|"
    r"rarest|always|holds|ends|position|points|from|nobody|proved|example|error|warning|hint)\b"
)
QUOTED = re.compile(
    r'\[[a-z-]+\]|"[^"]*"|`[^`]*`|«[^»]*»|--\S+|\(line [^)]*\)|rulesrun .*'  # titles, rules, commands
    r"|^ *\d* \|.*|^ +(?:правило|строка).*|^    [-+] .*|^             .*|^      .*"  # what stands in the file
    r"|^  (?:добавлено|изменено|убрано|названо) .*|^  \w+  \S.*$|^\S+\.rules  .*"  # pieces and titles
)


def left_in_english(text: str) -> list[str]:
    return [line for line in text.splitlines() if OURS.search(QUOTED.sub("", line))]


def commands_of(name: str) -> Iterator[tuple[str, ...]]:
    played = ("--engine", "reference", "--seed", "3")
    yield ("check", name)
    yield (name, "--games", "6", "--all", *played)
    yield ("test", name, "--games", "2", "--coverage", *played)
    yield ("simulate", name, "--games", "8", *played)
    yield ("explore", name, "--limit", "600", "--jobs", "1", "--engine", "reference")
    yield ("readings", name, "--games", "1", *played)
    if name in SOLVABLE:
        yield ("solve", name)
    if name in COUNTABLE:
        yield ("tree", name, "--players", "2", "--engine", "reference")
    if name.startswith("variants/"):
        yield ("compare", base_of(name), name, "--games", "4", "--seats", "random", "--figures", "all", *played)
        yield ("adopt", name)


def assert_spoken(command: tuple[str, ...], folder: Path) -> None:
    done = run_here(*command, "--lang", "ru", folder=folder)
    assert left_in_english(done.stdout) == [], command
    assert left_in_english(done.stderr) == [], command


@pytest.mark.parametrize("name", QUICK)
def test_reports_of_a_rulebook_are_in_russian(name: str, tmp_path: Path) -> None:
    for command in commands_of(name):
        assert_spoken(command, tmp_path)


@pytest.mark.long
@pytest.mark.parametrize("name", [name for name in bundled_names() if name not in QUICK])
def test_reports_of_every_rulebook_are_in_russian(name: str, tmp_path: Path) -> None:
    for command in commands_of(name):
        assert_spoken(command, tmp_path)


BROKEN = sorted((Path(__file__).resolve().parent.parent / "broken").glob("**/*.rules"))


@pytest.mark.parametrize("file", BROKEN, ids=lambda file: file.stem)
def test_complaints_of_broken_rulebooks_are_in_russian(file: Path, tmp_path: Path) -> None:
    assert BROKEN
    assert_spoken(("check", str(file)), tmp_path)


REFUSED = (
    ("simulate", "zero", "--players", "77"), ("check", "nowhere"), ("solve", "zero"),
    ("explore", "zero", "--small", "x"),
    ("simulate", "zero", "--games", "many"), ("trace", "zero", "--engine", "native", "--seats", "greedy"),
    ("why", "zero", "zero"), ("explain", "no-such"),
)  # fmt: skip


@pytest.mark.parametrize("command", REFUSED, ids=lambda command: "-".join(command[:2]))
def test_refusals_are_in_russian(command: tuple[str, ...], tmp_path: Path) -> None:
    assert_spoken(command, tmp_path)


@pytest.mark.parametrize("command", [(), *((name,) for name in COMMANDS if name != "run")], ids=str)
def test_help_is_in_russian(command: tuple[str, ...], tmp_path: Path) -> None:
    if not command or "lang" in COMMANDS[command[0]].options:
        assert_spoken((*command, "--help"), tmp_path)


def test_the_manual_page_is_in_russian(tmp_path: Path) -> None:
    said = run_here("man", "--lang", "ru", folder=tmp_path).stdout
    assert re.sub(r"\\\[u\w+\]", "", said) != said
    assert left_in_english(re.sub(r"\\\(oq.*?\\\(cq|\\-\\-\S+|^\.(It|Nm).*", "", said, flags=re.MULTILINE)) == []


@pytest.mark.parametrize("code", list_codes())
def test_a_diagnostic_is_made_of_messages(code: str) -> None:
    """Each that has an example of what is wrong: a message with its values, and its hint, said whole in Russian."""
    russian = Language("ru", load_catalogue("ru"), {})
    page = read_page(code)
    assert page is not None
    for found in found_in_example(page, page.wrong):
        for part in (found.message, found.hint, *(other.message for other in found.related)):
            assert part is None or isinstance(part, Message), part
            assert left_in_english(russian.translate(part or "")) == [], part


def test_what_diagnostics_mean_is_said_in_russian(tmp_path: Path) -> None:
    """The examples stay: they are rules."""
    for code in list_codes():
        assert left_in_english(read_translation(code, "ru") or "") == [], code
    said = run_here("explain", "unknown-zone", "--lang", "ru", folder=tmp_path).stdout
    assert "Зоны с таким именем нет." in said
    assert "shuffle all Card into stok" in said
