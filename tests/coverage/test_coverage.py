"""`rulesrun test --coverage`: what must be reached and what cannot be, in small rules where that is plain."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from rulesrun.dsl import ast
from rulesrun.dsl.contents.rule_parts import find_parts
from rulesrun.files.loading import read_rules, read_text
from rulesrun.files.sources import bundled_names
from rulesrun.interpreter.coverage.coverage import new_notes, note_examples
from rulesrun.interpreter.model.random import Streams
from rulesrun.interpreter.play.game_loop import random_picker
from rulesrun.interpreter.reference.table import set_up_table
from rulesrun.records.traces import record_game
from rulesrun.services.tables import allowed_players
from tests.command_line import run_here

WELL = """rules 1
game "Well"
players 2
option depth: 1..3 = 1
reading late: yes or no = no
  "Who comes late?"

card Goal: letter 1..2, rule met
  always_met: 1, count of well >= 0
  never_met: 2, count of well > 6
card Stone: rank 1..6

zone goals: set of Goal, public
zone well: set of Stone, public
zone bag: pile of Stone, hidden
number thrown: 0..6 = 0

setup
  move all Goal to goals
  shuffle all Stone into bag

phase throwing: turns from 1 until bag is empty
  choose throw or shout
  if thrown = 2 and some g in goals has met of g and letter of g = 2
    do echo
  otherwise if late
    end phase

step echo
  thrown becomes 0

action throw
  draw 1 from bag to well
  thrown increases by 1

action shout
  needs thrown >= 5
  thrown becomes thrown

define loud = thrown > 0

score at end
  points = if loud then thrown else 0

ranking: highest total, ties share

example "shouting"
  given thrown = 5
  when 1: shout
  then thrown = 5
"""


def lines_of(text: str, sought: str) -> int:
    return next(number for number, line in enumerate(text.split("\n"), 1) if sought in line)


def test(tmp_path: Path, text: str, *words: str) -> tuple[int, str]:
    (tmp_path / "well.rules").write_text(text, "utf-8")
    done = run_here("test", "well.rules", *words, folder=tmp_path)
    assert not done.stderr
    return done.returncode, done.stdout


test.__test__ = False  # type: ignore[attr-defined]


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[int, str, str], tuple[bool, bool]]:
    code, text = test(tmp_path_factory.mktemp("well"), WELL, "--coverage", "--games", "5", "--json")
    assert code == 0, text
    document = json.loads(text)
    (file,) = document["files"]
    assert document["games"] == file["games"] + file["coverage"]["games"]
    assert document["engine"] == "reference"
    found: list[dict[str, Any]] = file["coverage"]["parts"]
    return {(one["line"], one["side"], one["text"]): (one["by_examples"], one["by_games"]) for one in found}


def at(parts: dict[tuple[int, str, str], tuple[bool, bool]], sought: str, side: str) -> tuple[bool, bool]:
    line = lines_of(WELL, sought)
    (found,) = {met for (number, own, _), met in parts.items() if (number, own) == (line, side)}
    return found


def test_what_is_always_done_is_done_by_both(parts: dict[tuple[int, str, str], tuple[bool, bool]]) -> None:
    assert at(parts, "shuffle all Stone", "done") == (True, True)
    assert at(parts, "choose throw", "done") == (True, True)


def test_what_only_the_example_or_only_games_do(parts: dict[tuple[int, str, str], tuple[bool, bool]]) -> None:
    assert at(parts, "draw 1 from bag", "done") == (False, True)
    assert at(parts, "points = ", "asked") == (False, True)
    assert at(parts, "needs thrown", "true") == (True, True)


def test_what_cannot_happen_is_never_done(parts: dict[tuple[int, str, str], tuple[bool, bool]]) -> None:
    assert at(parts, "do echo", "done") == (False, False)
    assert at(parts, "  thrown becomes 0", "done") == (False, False)
    assert at(parts, "if thrown = 2", "true") == (False, False)
    assert at(parts, "if thrown = 2", "false") == (True, True)
    assert at(parts, "never_met:", "true") == (False, False)
    assert at(parts, "always_met:", "true") == (False, True)


def test_a_branch_that_an_option_decides(parts: dict[tuple[int, str, str], tuple[bool, bool]]) -> None:
    """Random games are played with every option changed, the example with the defaults."""
    assert at(parts, "otherwise if late", "true") == (False, True)
    assert at(parts, "otherwise if late", "false") == (True, True)
    assert at(parts, "end phase", "done") == (False, True)


def test_values_of_options_and_readings(parts: dict[tuple[int, str, str], tuple[bool, bool]]) -> None:
    line = lines_of(WELL, "option depth")
    assert {text: met for (number, _, text), met in parts.items() if number == line} == {
        "depth = 1": (True, True), "depth = 2": (False, True), "depth = 3": (False, True),
    }  # fmt: skip
    line = lines_of(WELL, "reading late")
    assert {text: met for (number, _, text), met in parts.items() if number == line} == {
        "late = no": (True, True), "late = yes": (False, True),
    }  # fmt: skip


def test_percentages_and_the_threshold(tmp_path: Path, parts: dict[tuple[int, str, str], tuple[bool, bool]]) -> None:
    met = sum(any(by) for by in parts.values())
    percent = 100 * met / len(parts)
    assert 70 < percent < 95
    code, text = test(tmp_path, WELL, "--coverage", "--games", "5", "--threshold", str(int(percent)))
    assert code == 0
    assert f"{met} of {len(parts)}" in text
    assert test(tmp_path, WELL, "--coverage", "--games", "5", "--threshold", str(int(percent) + 1))[0] == 1


def test_never_reached_lines_are_listed_with_their_words(tmp_path: Path) -> None:
    _, text = test(tmp_path, WELL, "--coverage", "--games", "2")
    assert f"line {lines_of(WELL, 'do echo')}: statement `do echo`: never done" in text
    listing = test(tmp_path, WELL, "--listing", "--games", "2")[1]
    assert re.search(r"^  --! +\d+      do echo$", listing, re.MULTILINE)
    assert re.search(r"^  eg  +\d+    choose throw or shout$", listing, re.MULTILINE)


def test_why_tells_the_chain_of_conditions_and_which_is_missing(tmp_path: Path) -> None:
    code, text = test(tmp_path, WELL, "--why", str(lines_of(WELL, "  thrown becomes 0")), "--games", "2")
    assert code == 0
    chain = ["never done", "`do echo` is reached", "the phase `throwing` comes", "while not `bag is empty`",
             "if `thrown = 2 and some g in goals has met of g and letter of g = 2` — never true"]  # fmt: skip
    places = [text.index(part) for part in chain]
    assert places == sorted(places)


def test_why_of_a_line_without_a_rule_is_refused(tmp_path: Path) -> None:
    (tmp_path / "well.rules").write_text(WELL, "utf-8")
    done = run_here("test", "well.rules", "--why", "2", folder=tmp_path)
    assert done.returncode == 2
    assert "no rule that could be reached" in done.stderr


@pytest.mark.parametrize("game", bundled_names())
def test_noting_changes_nothing_in_a_game(game: str) -> None:
    """A table that notes what is reached plays the same games, event by event."""
    program = read_rules(game).program
    assert program is not None
    parts, players = find_parts(program), allowed_players(program)[0]
    notes = new_notes(parts)
    plain, noting = set_up_table(program, players), notes.set_up_table(program, players, {})
    assert len(noting.blank) == len(plain.blank)
    assert list(record_game(plain, random_picker(Streams(5)))) == list(record_game(noting, random_picker(Streams(5))))
    assert notes.done


def test_a_plain_table_has_nothing_to_note() -> None:
    program = read_rules("zero").program
    assert program is not None
    assert not [one for one in set_up_table(program, 3).operations if one.kind == "noted"]


def test_examples_of_zero_reach_the_calling_of_zero() -> None:
    reading = read_rules("zero")
    assert reading.program is not None
    parts = find_parts(reading.program)
    notes = note_examples(reading.program, parts)
    (zero,) = [part for part in parts if part.what == "action" and part.span.start and _name(part) == "zero"]
    assert id(zero.node) in notes.done


def _name(part: Any) -> str:
    return str(part.node.name.text)


def test_a_game_without_conditions_is_whole() -> None:
    reading = read_text('rules 1\ngame "One"\nplayers 1\nphase play\n  choose go\naction go\n')
    assert reading.program is not None
    assert [part.what for part in find_parts(reading.program)] == ["phase", "statement", "action"]


def test_what_only_properties_ask_for_is_no_rule() -> None:
    text = WELL + "\ndefine deep = shallow\ndefine shallow = count of well\nalways \"never full\": deep <= 6\n"
    reading = read_text(text)
    assert reading.program is not None
    names = {part.piece.name.text for part in find_parts(reading.program) if isinstance(part.piece, ast.Define)}
    assert names == {"loud"}
