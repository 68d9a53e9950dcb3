"""Dice, steps of cards and reactions in variants, spelled out, and under fixed numbers."""

from __future__ import annotations

from math import comb
from pathlib import Path

import pytest

import rulesrun
from tests.command_line import run_here
from tests.words.test_card_effects import EVENTS, PLAYED
from tests.words.test_dice import LIARS, PRESSED, THROWS
from tests.words.test_reactions import CLAIMS

GAMES = {"throws": THROWS, "liars": LIARS, "pressed": PRESSED, "events": EVENTS, "played": PLAYED, "claims": CLAIMS}

# A variant's lines, and what stands in the game spelled out that did not stand in its base.
CHANGES = [
    ("throws", "change die Die: 1..4, 3 of each", "die Die: 1..4, 3 of each"),
    ("throws", "change phase play, in place of roll all cup\n  roll all cup where face < 3",
     "    roll all cup where face < 3"),
    ("throws", "change phase play, in place of roll all Die into cup\n  roll 1 of Die into cup",
     "  roll 1 of Die into cup"),
    ("liars", "change action again, after roll d\n  roll all cup", "  roll all cup"),
    ("events", "change row tax of Event: 2, pay(3)", "  tax: 2, pay(3)"),
    ("events", "add row feast of Event: 4, everybody_gains", "  feast: 4, everybody_gains"),
    ("events", "change phase play, in place of do effect of event\n  repeat 2 times\n    do effect of event",
     "    do effect of event"),
    ("claims", "change action claim, in place of ask each opponent from left: doubt or trust, until doubted\n"
     "  ask each opponent from right: doubt or trust, until doubted",
     "  ask each opponent from right: doubt or trust, until doubted"),
]  # fmt: skip


@pytest.mark.parametrize(("base", "change", "line"), CHANGES)
def test_a_variant_spelled_out_is_the_same_game(base: str, change: str, line: str, tmp_path: Path) -> None:
    (tmp_path / f"{base}.rules").write_text(GAMES[base])
    variant, alone = tmp_path / "variant.rules", tmp_path / "alone.rules"
    variant.write_text(f'rules 1\nvariant "Otherwise" of "{base}.rules"\n\n{change}\n')
    done = run_here("fmt", "--expanded", str(variant), folder=tmp_path)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert line in lines
    assert lines.count(line) == GAMES[base].splitlines().count(line) + 1
    alone.write_text(done.stdout)
    assert run_here("fmt", "--check", str(alone), folder=tmp_path).returncode == 0
    games = [play_somehow(rulesrun.load(str(path)), seed) for path in (variant, alone) for seed in range(5)]
    assert games[:5] == games[5:]


def play_somehow(book: rulesrun.Rulebook, seed: int) -> list[str]:
    position, said = book.start(book.players[-1], seed=seed), list[str]()
    while len(said) < 30 and not isinstance(position.pending, rulesrun.End):
        answers = list(position.legal())
        said.append(str(answers))
        position = position.apply(answers[(seed + 7 * len(said)) % len(answers)])
    return said


# Of dice every set of faces is one answer: sets of at most n of f faces are comb(n + f, f).
AMOUNTS = {
    "throws": comb(2 + 3, 3),
    "liars": 2 + 2 + 1,
    "pressed": comb(3 + 3, 3) - 1 + 1,
    "claims": 2 + 1 + 1,
    "played": 2 + 1,
}


@pytest.mark.parametrize("name", AMOUNTS)
def test_every_answer_has_its_number(name: str, tmp_path: Path) -> None:
    path = tmp_path / f"{name}.rules"
    path.write_text(GAMES[name])
    book = rulesrun.load(str(path))
    numbers = book.actions(book.players[-1])
    assert len(numbers) == AMOUNTS[name]
    for seed in range(20):
        position = book.start(book.players[-1], seed=seed)
        while not isinstance(position.pending, rulesrun.End):
            legal = numbers.legal(position)
            assert {str(numbers[one]) for one in legal} == {str(one) for one in position.legal()}
            position = numbers.apply(position, legal[seed % len(legal)])
