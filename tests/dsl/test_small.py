"""Small tables: how they are read, laid out, applied and checked."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulesrun.dsl import ast
from rulesrun.dsl.format.format import format_file, format_game
from rulesrun.dsl.parsing.parse import parse_source
from rulesrun.dsl.text.source import Source
from rulesrun.dsl.variants.small_tables import build_small_game
from rulesrun.files.loading import Reading, read_rules, read_text

GAME = """rules 1
game "Tiny"
players 2..3

values Colour: red, orange, yellow

card Card: colour Colour, rank 1..4

option extra: 0..3 = 2

zone stock: pile of Card, hidden
zone hand of player: set of Card, private

setup
  shuffle all Card into stock
  deal 2 + extra from stock to each hand

phase play: one turn each from 1
  choose pass

action pass

score at end
  points = sum of rank over hand

ranking: highest total, ties share

always "yellow is a colour": yellow in Colour
"""

SMALL = """
small "two ranks"
  players 2
  card Card: colour Colour, rank 1..2
  set extra = 0
  # said again
  setup
    shuffle all Card into stock
    deal 1 + extra from stock to each hand
"""


def reading(text: str) -> Reading:
    return read_text(text, "tiny.rules")


def codes(text: str) -> list[str]:
    return [one.code for one in reading(text).diagnostics if one.severity == "error"]


def piece(game: ast.Game, kind: type[ast.Node]) -> ast.Node:
    (found,) = [one for one in game.declarations if isinstance(one, kind)]
    return found


def test_a_small_table_changes_what_it_names_and_nothing_else() -> None:
    game = reading(GAME + SMALL).game
    assert game is not None
    assert not any(isinstance(one, ast.Small) for one in game.declarations)
    (small,) = game.smalls
    assembled = build_small_game(game, small)
    assert assembled.diagnostics == ()
    whole, less = format_game(game).replace(SMALL.replace("  # said again\n", ""), ""), format_game(assembled.game)
    assert [line for line in less.splitlines() if line not in whole.splitlines()] == [
        "players 2", "card Card: colour Colour, rank 1..2", "option extra: 0..3 = 0",
        "  deal 1 + extra from stock to each hand",
    ]


def test_examples_and_labels_stay_behind() -> None:
    more = 'example "it"\n  given hand of 1: yellow 4\n  then 1 can pass\n\nwords de\n  pass: "weiter"\n'
    game = reading(GAME + more + SMALL).game
    assert game is not None
    less = build_small_game(game, game.smalls[0]).game
    assert not any(isinstance(one, ast.Example | ast.Words) for one in less.declarations)


def test_the_canonical_layout_is_itself() -> None:
    text = GAME + SMALL
    source = Source("tiny.rules", text)
    assert format_file(source, parse_source(source)) == text


def test_a_small_table_is_checked_with_the_game() -> None:
    assert codes(GAME + SMALL) == []
    wrong = GAME + '\nsmall "no yellow"\n  values Colour: red, orange\n'
    (found,) = [one for one in reading(wrong).diagnostics if one.severity == "error"]
    assert found.code == "unknown-word"
    assert [one.message for one in found.related] == ["on the small table `no yellow`"]


def test_what_cannot_stand_below() -> None:
    assert codes(GAME + '\nsmall "it"\n  example "x"\n    then 1 can pass\n') == ["misplaced-piece"]
    assert codes(GAME + '\nsmall "it"\n') == ["empty-body"]
    assert codes(GAME + '\nsmall "it"\n  set nothing_such = 1\n') == ["nothing-to-change"]
    assert codes(GAME + SMALL + SMALL) == ["duplicate-name"]


def test_small_is_a_name_elsewhere() -> None:
    assert codes(GAME.replace("extra", "small")) == []


def test_a_piece_without_lines_keeps_the_old_ones() -> None:
    game = reading(GAME + '\nsmall "from the second"\n  phase play: one turn each from 2\n').game
    assert game is not None
    phase = piece(build_small_game(game, game.smalls[0]).game, ast.Phase)
    assert isinstance(phase, ast.Phase)
    assert phase.loop is not None
    assert isinstance(phase.loop, ast.Turns)
    assert repr(phase.loop.start) == "Number(value=2)"
    assert len(phase.body) == 1
    assert codes(GAME + '\nsmall "a new one"\n  phase another: one turn each from 2\n') == ["empty-body"]


def in_variant(tmp_path: Path, *lines: str) -> Reading:
    (tmp_path / "tiny.rules").write_text(GAME + SMALL, encoding="utf-8")
    variant = 'rules 1\nvariant "Tiny, too" of "tiny.rules"\n' + "".join(f"{line}\n" for line in lines)
    (tmp_path / "tiny_too.rules").write_text(variant, encoding="utf-8")
    return read_rules(str(tmp_path / "tiny_too.rules"))


@pytest.mark.parametrize(("lines", "smalls"), [
    (('never "green": no',), 1),
    (("change players 2..4",), 1),  # its sizes are the small table's own
    (("change setup", "  shuffle all Card into stock", "  deal 3 from stock to each hand"), 0),  # would be undone there
    (("remove option extra", "change setup", "  shuffle all Card into stock"), 0),  # cannot be set there any more
])
def test_a_variant_leaves_behind_what_does_not_fit(tmp_path: Path, lines: tuple[str, ...], smalls: int) -> None:
    read = in_variant(tmp_path, *lines)
    assert read.program is not None, read.diagnostics
    assert len(read.program.game.smalls) == smalls


def test_a_small_table_of_the_variant_itself_must_fit(tmp_path: Path) -> None:
    read = in_variant(tmp_path, 'small "its own"', "  set nothing_such = 1")
    assert [one.code for one in read.diagnostics if one.severity == "error"] == ["nothing-to-change"]
