"""What stays with a component, as it is written: slips and their hints, the layout, a variant, examples, an editor."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulesrun
from rulesrun.dsl.format.format import format_file
from rulesrun.dsl.parsing.parse import parse_source
from rulesrun.dsl.text.source import Source
from rulesrun.files.loading import read_text
from tests.command_line import run_here

RULES = """rules 1
game "Kept"
players 2

values Colour: red, blue
card Card: colour Colour, rank 1..3

zone supply: set of Card, public
zone hand of player: row of Card, public

marker told of Card: yes or no
number wear of Card: 0..2, each turn, clamped

setup
  move all Card to supply

phase play: turns from 1 until count of supply = 0
  choose tell or take

action tell(c from supply where not told of it)
  told of c becomes yes

action take(c from supply where told of it)
  move c to hand
  wear of c increases by 1

score at end
  points = sum of wear of c over c in hand

ranking: highest total, ties share

example "it goes where the card goes"
  given told of (red 3) = yes
  given turn of 1
  then 1 can take(red 3)
  then 1 cannot take(red 2)
  when 1: take(red 3)
  then told of (red 3) and not told of (red 2)
  when 2: tell(red 2)
  then (count of Card where told of it) = 2 and told of top of hand of 1
"""
TELL = "told of c becomes yes"
DECLARED = "marker told of Card: yes or no"


def test_what_is_written_is_laid_out_so() -> None:
    source = Source("kept.rules", RULES)
    assert format_file(source, parse_source(source)) == RULES


@pytest.mark.parametrize(("old", "new", "code", "hint"), [
    (DECLARED, "marker told[Card]: yes or no", "wrong-type", "write `told of Card`"),
    (DECLARED, "marker told of each Card: yes or no", "unexpected-word", "write `marker told of Card`"),
    (DECLARED, "marker told of Card of player: yes or no", "unexpected-word", "leave `of player` out"),
    (TELL, "told[c] becomes yes", "wrong-type", "write `told of c`"),
    ("given told of (red 3)", "given told of red 3", "missing-brackets", "write `of (red 3)`"),
    ("then told of (red 3)", "then told of red 3", "missing-brackets", "write `of (red 3)`"),
])  # fmt: skip
def test_a_hint_that_is_followed(old: str, new: str, code: str, hint: str) -> None:
    """Where a fix does what the hint says, the file is as it was."""
    assert RULES.count(old) == 1
    text = RULES.replace(old, new)
    found = next(one for one in read_text(text).diagnostics if one.code == code and hint in (one.hint or ""))
    for edit in found.edits:
        text = text[: edit.start] + edit.text + text[edit.end :]
    assert found.edits
    assert text == RULES


@pytest.mark.parametrize(("old", "new", "code", "hint"), [
    ("rank 1..3", "rank 1..3, 2 of each", "wrong-type", "another attribute, as in `copy 1..3`"),
    ("rank 1..3", "rank 1..3, rank of each", "wrong-type", "another attribute, as in `copy 1..3`"),
    ("rank 1..3", "told 1..3", "duplicate-name", "choose another name"),
    (DECLARED, "marker told of Colour: yes or no", "wrong-type", "write `told[Colour]`"),
    (DECLARED, f"{DECLARED}, private", "nobody-owns-it", "leave `private` out"),
    (DECLARED, f"{DECLARED}, seen by left of player", "nobody-owns-it", "write the numbers of seats"),
    (TELL, "told becomes yes", "missing-key", "write `told of …`"),
    (TELL, "told of player becomes yes", "wrong-type", ""),
    (TELL, "told of (red 7) becomes yes", "unknown-component", ""),
])  # fmt: skip
def test_what_is_refused(old: str, new: str, code: str, hint: str) -> None:
    assert RULES.count(old) >= 1
    found = read_text(RULES.replace(old, new)).diagnostics
    assert any(one.code == code and hint in (one.hint or "") for one in found), found


def test_dice_keep_nothing() -> None:
    text = RULES.replace("zone supply", "die Die: 1..6, 2 of each\nmarker held of Die: yes or no\nzone supply")
    assert "what a die shows changes: nothing can stay with it" in [one.message for one in read_text(text).diagnostics]


def test_it_goes_where_the_component_goes(tmp_path: Path) -> None:
    """The example says it by hand; a variant begins otherwise."""
    (tmp_path / "kept.rules").write_text(RULES)
    assert run_here("test", "kept.rules", folder=tmp_path).returncode == 0
    (tmp_path / "quick.rules").write_text(
        'rules 1\nvariant "Quick" of "kept.rules"\n\nchange marker told of Card: yes or no = yes\n'
        'remove example "it goes where the card goes"\n'
    )
    expanded = run_here("fmt", "--expanded", "quick.rules", folder=tmp_path).stdout
    assert "\nmarker told of Card: yes or no = yes\n" in expanded
    legal = rulesrun.load(str(tmp_path / "quick.rules")).start(2).legal()
    assert {one.action for one in legal} == {"take"}


def test_what_a_story_is_given_says_it_as_the_rules_do(tmp_path: Path) -> None:
    """A game that breaks a promise is kept as an example, which is read again."""
    text = RULES.replace("  move all Card to supply\n", "  move all Card to supply\n  roll wear of (red 2)\n")
    promise = 'never "worn": some p in players has some c in hand of p has wear of c = 2'
    text = text.replace("\nscore at end", f"\n{promise}\n\nscore at end").replace(", each turn", "")
    (tmp_path / "kept.rules").write_text(text)
    run_here("kept.rules", "--save-example", folder=tmp_path)
    saved = (tmp_path / "kept.rules").read_text()
    assert 'example "found: worn"' in saved
    assert "given wear of (red 2) = " in saved
    assert not [one for one in read_text(saved).diagnostics if one.severity == "error"]
