"""One slip, few messages: a name misspelt where it is declared does not bring a message for every use."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from rulesrun.files.loading import read_text

GAMES = Path(__file__).parents[2] / "games"
DECLARED = re.compile(
    r"^(?:values|card|option|reading|table|define|zone|number|marker|phase|step|action) (\w+)|^zone [^:]*: \w+ of (\w+)"
    r"|^card \w+: (\w+)",
    re.MULTILINE,
)


def misspelt(name: str) -> Iterator[tuple[str, str]]:
    """Each declared name, and the rulebook in which it is misspelt there alone."""
    text = (GAMES / f"{name}.rules").read_text("utf-8")
    for found in DECLARED.finditer(text):
        at = max(group for group in range(1, 4) if found[group])
        yield found[0], f"{text[: found.start(at)]}{found[at]}x{text[found.end(at) :]}"


@pytest.mark.parametrize("name", ["classics/leduc", "classics/goofspiel"])
def test_a_misspelt_declaration_brings_few_messages(name: str) -> None:
    for declared, text in misspelt(name):
        found = read_text(text).diagnostics
        assert len(found) <= 4, (declared, [(one.code, one.message) for one in found])
        assert found or declared.startswith("phase"), declared


def test_what_is_of_an_unknown_component_is_taken_for_the_likeliest() -> None:
    text = (GAMES / "zero.rules").read_text("utf-8").replace("set of Card, private", "set of Cards, private")
    (found,) = read_text(text).diagnostics
    assert (found.code, found.hint) == ("unknown-component", "did you mean `Card`?")
