"""Boards as they are written: what the checker says of slips, how lines are laid out, what a variant changes."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulesrun
from rulesrun.dsl.format.format import format_file
from rulesrun.dsl.parsing.parse import parse_source
from rulesrun.dsl.text.source import Source
from rulesrun.editing import find_definition
from tests.command_line import run_here
from tests.dsl.marked import TABLE, expect
from tests.editing.texts import open_text

BOARD = "board Square: 3 by 3\nmarker stone[Square]: player or nothing\n"
PLAY = """phase play: turns from 1 until no s in Square has stone[s] is nothing
  choose place
action place(s in Square)
  needs stone[s] is nothing
  stone[s] becomes player
"""


@pytest.mark.parametrize("line", [
    "never \"a\": stone[k9] = 1 #! unknown-component",
    "never \"a\": stone[1, 2] = 1 #! wrong-number-of-arguments",
    "never \"a\": some s in neighbours(3) has stone[s] = 1 #! not-a-board",
    "never \"a\": some s in neighbours(Square) has stone[s] = 1 #! not-a-board",
    "never \"a\": some line of 3 in stone has stone[it] = 1 #! not-a-board",
    "never \"a\": some s in connected(a1, Square) has stone[s] = 1 #! not-a-board",
    "never \"a\": some s in adjacent(a1) has stone[s] = 1 #! unknown-name",
    "never \"a\": rank of a1 = 2 #! unknown-attribute",
    "zone box_of: set of Square, public #! not-a-board",
    "never \"a\": some line of 3 in Square has stone[it] = 1 and row = 2",
    "never \"a\": no line of 2 through b2 has stone[it] = 1 and distance(it, a1) = 2",
    "never \"a\": some l in lines(Square, 3) has (count of l where stone[it] = 1) = 2 and b2 in l",
])  # fmt: skip
def test_what_is_said_of_a_line(line: str) -> None:
    expect(TABLE + BOARD + PLAY + line + "\n")


@pytest.mark.parametrize(("written", "hint"), [
    ("board Square: 8x8", "`8 by 8`"), ("board Square: 8, 8", "`8 by 8`"), ("board Square: 3 * 4", "`3 by 4`"),
    ("board Square: 8", "`8 by 8`"), ("board 8 by 8", "`board Square: 8 by 8`"),
    ("board Square: 5 by 5, hex", "`hexagonal`"), ("board Square: hexagonal 5 by 5", "`5 by 5, hexagonal`"),
    ("board Square\n  a1, a2", "`line a1, a2`"), ("grid Square: 3 by 3", "board"),
    ("never \"a\": some row of 3 in Square has stone[it] = 1", "`some line of …`"),
    ("never \"a\": (line 3)", "`some line of 3 in … has …`"),
])  # fmt: skip
def test_slips_have_a_hint(written: str, hint: str) -> None:
    """As Ludii, Python and plain English say it."""
    found = parse_source(Source("test.rules", f"{TABLE}{written}\n")).diagnostics
    assert any(hint in (one.hint or "") for one in found), found


@pytest.mark.parametrize("line", [
    "board Square: 3 by 3", "board Square: size by 2 * size, hexagonal",
    "board Square: 8 by 8 where (row + column) mod 2 = 0", "board Square\n  line a1, b1\n  line b1, c1",
    "define a = some line of 3 in Square has stone[it] = player",
    "define a = no line of size through s has stone[it] = player and row = 1",
    "define a = some l in lines(Square, 3) has every s in l has stone[s] = player",
])  # fmt: skip
def test_the_layout_keeps_them(line: str) -> None:
    text = f"rules 1\n\n{line}\n"
    source = Source("test.rules", text)
    assert format_file(source, parse_source(source)) == text


def test_a_variant_changes_the_size_alone(tmp_path: Path) -> None:
    """One line; the examples of the base are played on the larger board."""
    variant = tmp_path / "larger.rules"
    variant.write_text(
        'rules 1\nvariant "Seven rows, eight columns" of "connect_four.rules"\n\nchange board Square: 7 by 8\n'
        "change action drop(slot in 1..8)\n"
        "change define free(slot 1..8) = Square where column = slot and disc[it] is nothing\n"
    )
    base = tmp_path / "connect_four.rules"
    base.write_text((Path(__file__).parent / "connect_four.rules").read_text("utf-8"))
    found = rulesrun.load(str(variant))
    assert found.start(2).legal()[-1].arguments == (("slot", 8),)
    assert run_here("test", str(variant), folder=tmp_path).returncode == 0
    expanded = run_here("fmt", "--expanded", str(variant), folder=tmp_path)
    assert "board Square: 7 by 8" in expanded.stdout


def test_places_are_found_in_an_editor() -> None:
    """What nobody wrote down has no declaration to go to; places in lines that are written out have one."""
    lines = "board Square\n  line a1, b1\n  line b1, g7\nmarker stone[Square]: player or nothing\n"
    _, analysis = open_text(TABLE + lines + PLAY + "never \"a\": stone[g7] = 1\n")
    place = analysis.lines.find_position(analysis.text.index("stone[g7]") + 7)
    found = find_definition(analysis, place)
    assert found is not None
    start, _ = analysis.lines.find_span(found.range)
    assert start == analysis.text.index("g7")
