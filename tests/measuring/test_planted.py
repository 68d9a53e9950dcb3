"""House rules whose effect is known: `compare` names it and its direction in words, and nothing where nothing is."""

from __future__ import annotations

import re

import pytest

from rulesrun.files.loading import read_text
from rulesrun.report.compare_text import comparison_sentences
from rulesrun.services.compare import compare_variants
from rulesrun.terminal.requests import CompareRequest
from tests.measuring.planted import Draft, Guess, Planted, null_rules, planted_rules

GAMES = 600
NOTHING = ("No effect was measured.", "No seat gains or loses", "It is not known whether a seat gains")
NUMBERS = (
    r"(?P<now>[\d.,]*\d)(?: points a game| points| times a game| decisions)?(?: of 100 games)?"
    r" instead of (?P<then>[\d.,]*\d)"
)


def compare(base: Draft | Guess, variant: Draft | Guess, seed: int = 0) -> list[str]:
    """The sentences, of good and between random players."""
    left, right = read_text(base.text(), "base.rules"), read_text(variant.text(), "variant.rules")
    assert left.program is not None, left.diagnostics
    assert right.program is not None, right.diagnostics
    request = CompareRequest(files=("base.rules", "variant.rules"), games=GAMES, jobs=1, quiet=True, seed=seed)
    (found,) = compare_variants(left, [right], request)
    return [str(said) for _, part in comparison_sentences(found, 2) for said in part]


def says(sentences: list[str], beginning: str, rises: bool) -> bool:
    """Whether such a sentence is there, and whether its number moves so; none may move the other way."""
    moves = []
    for sentence in sentences:
        told = re.match(beginning + r".*?" + NUMBERS, sentence)
        if told is not None:
            now, then = (float(told[side].replace(",", "")) for side in ("now", "then"))
            moves.append(now > then)
    return bool(moves) and all(one is rises for one in moves)


def is_told(planted: Planted, sentences: list[str]) -> bool:
    """The effect that was planted, in its direction."""
    match planted.kind:
        case "seat" | "open" | "ties":
            gains = says(sentences, f"Seat {planted.seat} wins", True)
            return gains or says(sentences, f"Seat {3 - planted.seat} wins", False)
        case "card":
            fewer = [says(sentences, f"{suit}-{planted.card} is chosen", False) for suit in ("red", "blue")]
            return says(sentences, "A player scores", False) and any(fewer)
        case "length":
            return says(sentences, "Games get longer:", True)
        case "luck":
            return any(one.startswith("Luck matters more") for one in sentences)
        case _:
            raise AssertionError(planted.kind)


def is_silent(sentences: list[str]) -> bool:
    return all(one.startswith(NOTHING) for one in sentences)


@pytest.mark.parametrize("kind", ["seat", "ties"])
def test_a_planted_rule_is_named(kind: str) -> None:
    planted = next(one for one in planted_rules() if one.kind == kind)
    sentences = compare(planted.base, planted.variant)
    assert is_told(planted, sentences), sentences


def test_what_is_dealt_in_another_way_has_no_effect() -> None:
    base, variant = null_rules()[1]
    assert is_silent(compare(base, variant))


@pytest.mark.long
def test_sixty_planted_rules_are_named() -> None:
    rules = planted_rules()
    assert len(rules) == 60
    missed = {}
    for number, one in enumerate(rules):
        sentences = compare(one.base, one.variant)
        if not is_told(one, sentences):
            missed[number, one.kind] = sentences
    assert missed == {}


@pytest.mark.long
def test_sixty_rules_without_effect_are_told_as_such() -> None:
    rules = null_rules()
    assert len(rules) == 60
    found = {}
    for number, (base, variant) in enumerate(rules):
        sentences = compare(base, variant, seed=number)
        if not is_silent(sentences):
            found[number] = sentences
    assert found == {}
