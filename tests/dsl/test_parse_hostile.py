"""Any text at all ends in a tree or in findings, soon. Nothing is raised."""

from __future__ import annotations

import random
import re
from pathlib import Path
from time import process_time

import pytest

from rulesrun.dsl.parsing.parse import MOST_DIAGNOSTICS, parse_source
from rulesrun.dsl.text.source import Source
from tests.dsl.test_parse_mistakes import MISTAKES

GAMES = sorted((Path(__file__).resolve().parents[2] / "games").rglob("*.rules"))
SIGNS = [*'"#\t\x00{}[]():,=.-–“”\u00a0\ufeff\u2028\r\n', "\n  ", "\n      "]


def random_bytes(rolls: random.Random) -> str:
    return rolls.randbytes(rolls.randrange(2000)).decode("utf-8", "replace")


def random_words(rolls: random.Random) -> str:
    words = text_of_a_game(rolls).split()
    return "".join(rolls.choice(words) + rolls.choice([" ", " ", " ", "\n", "\n  ", "\n    "]) for _ in range(300))


def truncated(rolls: random.Random) -> str:
    text = text_of_a_game(rolls)
    return text[: rolls.randrange(len(text))]


def mutated(rolls: random.Random) -> str:
    letters = list(text_of_a_game(rolls))
    for _ in range(rolls.randrange(1, 30)):
        letters[rolls.randrange(len(letters))] = rolls.choice([*SIGNS, rolls.choice(letters), ""])
    return "".join(letters)


def shuffled(rolls: random.Random) -> str:
    lines = text_of_a_game(rolls).split("\n")
    for _ in range(5):
        one, other = rolls.randrange(len(lines)), rolls.randrange(len(lines))
        lines[one], lines[other] = " " * rolls.randrange(6) + lines[other], lines[one]
    return "\n".join(lines)


def text_of_a_game(rolls: random.Random) -> str:
    return rolls.choice(GAMES).read_text("utf-8")


SLIPS = sorted({word for text, *_ in MISTAKES for word in re.findall(r"\w+|[^\w\s]", text)})


def spoken(rolls: random.Random) -> str:
    """Short lines of the words of known slips, each below a piece or by itself."""
    lines = ["rules 1"]
    for _ in range(40):
        lines.append(rolls.choice(["", "  ", "  "]) + " ".join(rolls.choices(SLIPS, k=rolls.randrange(1, 7))))
        lines.append(rolls.choice(["action pass", "setup", "score at end", "phase play", 'example "x"', ""]))
    return "\n".join(lines)


MAKERS = (random_bytes, random_words, truncated, mutated, shuffled, spoken)


def check(text: str) -> None:
    parsed = parse_source(Source("t", text))
    assert len(parsed.diagnostics) <= MOST_DIAGNOSTICS
    assert parsed.declarations or parsed.diagnostics
    for found in (*parsed.diagnostics, *parsed.declarations, *parsed.comments):
        assert 0 <= found.span.start <= found.span.end <= len(text)


@pytest.mark.parametrize("seed", range(300))
def test_hostile_texts(seed: int) -> None:
    check(MAKERS[seed % len(MAKERS)](random.Random(seed)))


@pytest.mark.long
def test_twenty_thousand_hostile_texts() -> None:
    for seed in range(1000, 21_000):
        check(MAKERS[seed % len(MAKERS)](random.Random(seed)))


DEFINE = "rules 1\ndefine x = "
LARGE = {
    "brackets": (DEFINE + "(" * 10_000, "line-too-long"),
    "brackets on lines": (DEFINE + "\n  (" * 10_000, "line-too-long"),
    "nots": (DEFINE + "not " * 1900 + "a", "too-deep"),
    "a long sum": (DEFINE + "1 + " * 900 + "1", "too-deep"),
    "of of of": (DEFINE + "a of " * 900 + "a", "too-deep"),
    "calls": (DEFINE + "f(" * 500 + "1" + ")" * 500, "too-deep"),
    "sets": (DEFINE + "{" * 500 + "1" + "}" * 500, "too-deep"),
    "choices": (DEFINE + "if a then b else " * 300 + "c", "too-deep"),
    "blocks": ("rules 1\nsetup\n" + "\n".join(" " * depth + "if x" for depth in range(1, 1000)), "too-deep"),
    "a long line": (DEFINE + "a " * 400_000, "line-too-long"),
    "a long text": ('rules 1\ngame "' + "a" * 900_000, "unclosed-text"),
    "a long name": ("rules 1\nzone " + "a" * 900_000 + " x", "missing-colon"),
    "a long number": (DEFINE + "9" * 900_000, "number-too-large"),
    "accents": ("rules 1\nzone a" + "\u0301" * 900_000 + " x", "missing-colon"),
    "zeros": ("rules 1\n" + "\0" * 1000, "wrong-sign"),
    "five megabytes": ("rules 1\n" + "players 2\n" * 500_000, "file-too-large"),
    "many lines": ("\n" * 30_000, "file-too-large"),
    "bad lines": ("rules 1\n" + "foo bar\n" * 10_000, "too-many-errors"),
    "bad lines in a block": ("rules 1\nsetup\n" + "  foo bar\n" * 10_000, "too-many-errors"),
    "notes": ("rules 1\nscore at end\n" + "  ## n\n  a = 1\n" * 9000 + "  b\n", "unfinished-line"),
}


@pytest.mark.parametrize("name", LARGE)
def test_large_texts_end_soon(name: str) -> None:
    text, code = LARGE[name]
    started = process_time()
    found = parse_source(Source("t", text)).diagnostics
    assert code in [one.code for one in found]
    assert process_time() - started < 10


def test_brackets_that_hold_one_value_do_not_count_as_depth() -> None:
    assert parse_source(Source("t", DEFINE + "(" * 900 + "1" + ")" * 900)).diagnostics == ()
