"""The catalogue of diagnostics: every code has its page, every example is what its page says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulesrun.dsl.check import check_game
from rulesrun.dsl.diagnostics.diagnostic import Diagnostic
from rulesrun.dsl.explain import explain_code, find_nearest_codes, list_codes
from rulesrun.dsl.explain.page import Page
from rulesrun.dsl.parsing.parse import parse_source
from rulesrun.dsl.text.source import Source
from rulesrun.dsl.typing.program import Program
from rulesrun.dsl.variants.extend import assemble_game
from tests.explained import complete_file, complete_variant, expand_example, read_pages

ROOT = Path(__file__).parents[2]
PAGES = {page.code: page for page in read_pages()}
# A call that makes a diagnostic, and its code.
CODE = re.compile(
    r"\b(?:Diagnostic|Mistake|_?report|mistake|at_first_word|_misplaced|unknown|fault|refused|_pasted|Fault|Failure)"
    r'\(\s*"([a-z]+(?:-[a-z]+)*)",'
)
# What the front door finds, which reads files.
FOUND_ELSEWHERE = {"unknown-base", "base-cycle"}
# What leads to it.
EARLIER = {"too-many-errors": {"unknown-piece"}}


def found_in(*files: tuple[str, str]) -> list[Diagnostic]:
    chain = [(source, parse_source(source)) for source in (Source(name, text) for name, text in files)]
    found = [one for _, parsed in chain for one in parsed.diagnostics]
    if found:
        return found
    assembled = assemble_game(files[-1][0], chain)
    if assembled.diagnostics:
        return list(assembled.diagnostics)
    checked = check_game(assembled.game, tuple(source for source, _ in chain))
    return list(checked.warnings if isinstance(checked, Program) else checked.diagnostics)


def found_in_example(page: Page, example: str) -> list[Diagnostic]:
    text = expand_example(example)
    if page.kind in ("whole",) and example.startswith(("rules", "game")):
        return found_in(("a.rules", text))
    if page.kind in ("variant", "variants"):
        base, variant = ("base.rules", complete_file("")), complete_variant(text)
        several = [(f"variant{at}.rules", variant) for at in range(2 if page.kind == "variants" else 1)]
        return found_in(base, *several)
    return found_in(("a.rules", complete_file(text)))


@pytest.mark.parametrize("code", list_codes())
def test_the_wrong_example_is_wrong_for_this_reason_alone(code: str) -> None:
    page = PAGES[code]
    found = found_in_example(page, page.wrong)
    if page.kind == "play" or code in FOUND_ELSEWHERE:
        assert not [one for one in found if one.severity == "error" and one.code != "missing-base"], found
        return
    assert {one.code for one in found} - EARLIER.get(code, set()) == {code}, found


@pytest.mark.parametrize("code", list_codes())
def test_the_right_example_is_right(code: str) -> None:
    page = PAGES[code]
    kind = "" if page.kind == "play" else page.kind
    right = Page(page.code, page.says, page.wrong, page.right, "variant" if kind == "variants" else kind)
    found = found_in_example(right, right.right)
    assert not [one for one in found if one.severity == "error" or one.code == code], found


@pytest.mark.parametrize("room", ["dsl", "interpreter", "rulesrun"])
def test_every_code_has_its_page(room: str) -> None:
    files = [path for path in (ROOT / room).rglob("*.py") if "explain" not in path.parts]
    used = {code for path in files for code in CODE.findall(path.read_text(encoding="utf-8"))}
    assert used - set(list_codes()) == set()


def test_the_text_of_a_page() -> None:
    text = explain_code("unknown-zone")
    assert text is not None
    assert text.startswith("unknown-zone\n\nThere is no zone of that name.")
    assert "\nWrong:\n    setup\n      shuffle all Card into stok\n" in text
    assert "\nRight:\n    setup\n      shuffle all Card into stock\n" in text


def test_an_unknown_code() -> None:
    assert explain_code("unknown-zome") is None
    assert find_nearest_codes("unknown-zome")[0] == "unknown-zone"
    assert find_nearest_codes("Unknown_Zone")[0] == "unknown-zone"
    assert find_nearest_codes("qqqqqq") == ()


def test_what_is_repeated_is_not_printed_in_full() -> None:
    assert all(len(page.format_page()) < 3000 for page in PAGES.values())
    assert len(expand_example(PAGES["file-too-large"].wrong).splitlines()) > 20_000


def test_every_page_is_of_a_code_that_is_used() -> None:
    files = [path for room in ("dsl", "interpreter", "rulesrun") for path in (ROOT / room).rglob("*.py")]
    texts = [path.read_text(encoding="utf-8") for path in files if "explain" not in path.parts]
    assert {code for code in list_codes() if not any(f'"{code}"' in text for text in texts)} == set()
