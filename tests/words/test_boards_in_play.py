"""`move here to there`, `clear there`, `ahead(s)`, `3 rings`, `at most 9 turns`: what they do, what slips are told."""

from __future__ import annotations

import pytest

import rulesrun
from rulesrun.dsl.format.format import format_file
from rulesrun.dsl.parsing.parse import parse_source
from rulesrun.dsl.text.source import Source
from rulesrun.files.loading import read_text
from rulesrun.interpreter.examples.examples import run_examples
from rulesrun.interpreter.model.boards import list_neighbours
from rulesrun.interpreter.reference.table import set_up_table
from tests.native.both import differences, quick_engine

GAME = """rules 1
# Made up for this test.
game "Men"
players {players}

board Square: 3 by 3

marker man[Square]: player or nothing
marker is_king[Square]: yes or no
number height[Square]: 0..9
marker at: Square or nothing

setup
  man[a1] becomes 1
  is_king[a1] becomes yes
  height[a1] becomes 3
  man[b3] becomes 2

phase play: {turns}
  choose step, else nobody wins

action step(from in Square where man = player, to in ahead(from) where man is nothing)
  {line}
  at becomes to

can happen "a king": is_king[a2] and not is_king[b3]
always "heights stay": height[a1] = 3 and height[b3] = 0
example "as it goes"
  when 1: step(a1, a2)
  then {then}
"""
TURNS = "turns from 1, at most 4 turns"


def rules(line: str = "move from to to", turns: str = TURNS, then: str = "at = a2", players: str = "2") -> str:
    return GAME.format(line=line, turns=turns, then=then, players=players)


@pytest.mark.parametrize(("line", "then"), [
    ("move from to to", "man[a2] = 1 and is_king[a2] and man[a1] is nothing and not is_king[a1] and height[a1] = 3"),
    ("clear from", "man[a1] is nothing and not is_king[a1] and man[a2] is nothing and height[a1] = 3"),
    ("clear all {a1, b3}", "no s in Square has man is not nothing"),
    ("clear all Square where man = player",
     "(count of Square where man is not nothing) = 1 and man[b3] = 2"),
    ("move from to from", "man[a1] = 1 and is_king[a1]"),
    ("move b3 to to", "man[a2] = 2 and man[b3] is nothing and not is_king[a2] and is_king[a1]"),
    ("move (the s in Square with highest row of s + (if man = 2 then 3 else 0)) to to", "man[a2] = 2"),
])  # fmt: skip
def test_what_stands_there_goes_along(line: str, then: str) -> None:
    report = rulesrun.loads(rules(line, then=then)).test(games=1)
    assert "1 example" in str(report), str(report)
    assert "does not hold" not in str(report), str(report)


@pytest.mark.parametrize(("expression", "places"), [
    ("neighbours(a1, 2)", "a3 c1 c3"), ("neighbours(b2, 2)", ""), ("neighbours(b1, 2)", "b3"),
    ("neighbours(b1, steps)", "b3"), ("neighbours(b1, steps - 1)", "a1 a2 b2 c1 c2"),
    ("ahead(b1, 2)", "b3"), ("ahead(a1, 2)", "a3 c3"), ("ahead(a2, 2)", ""), ("ahead(ahead_most, 1)", "a2 b2"),
])  # fmt: skip
def test_where_a_jump_ends(expression: str, places: str) -> None:
    """Of player 1, on three rows; both engines say the same."""
    told = f"{expression} = {{{', '.join(places.split())}}}" if places else f"{expression} is empty"
    text = rules(then="at = a2").replace("always \"heights", f"""option steps: 1..2 = 2
define ahead_most = a1
always "so": player = 2 or {told}
always \"heights""")
    report = rulesrun.loads(text).test(games=3)
    assert "does not hold" not in str(report), str(report)
    program = read_text(text, "test.rules").program
    assert program is not None
    assert not differences(set_up_table(program, 2), 8, seed=0)


@pytest.mark.parametrize("line", [
    "board Point: 3 rings", "phase play: turns from 1 until done, at most 9 turns without step or jump",
])  # fmt: skip
def test_the_layout_keeps_pieces(line: str) -> None:
    text = f"rules 1\n\n{line}\n"
    source = Source("test.rules", text)
    assert format_file(source, parse_source(source)) == text


def neighbours_of(rings: int) -> dict[str, set[str]]:
    """As `board Point: … rings` has them."""
    text = rules().replace("board Square: 3 by 3", f"board Square: {rings} rings")
    program = read_text(text.replace("b3", "d6").replace("a2", "a4"), "test.rules").program
    assert program is not None
    kinds = next(iter(set_up_table(program, 2, {}).bench.kinds.values()))
    return {name: {kinds.names[other] for other in list_neighbours(kinds)[at]} for at, name in enumerate(kinds.names)}


def test_three_rings_are_the_board_of_the_game() -> None:
    """The sixteen lines of Nine Men's Morris, as they are printed."""
    lines = [
        "a7 d7 g7", "b6 d6 f6", "c5 d5 e5", "a4 b4 c4", "e4 f4 g4", "c3 d3 e3", "b2 d2 f2", "a1 d1 g1",
        "a1 a4 a7", "b2 b4 b6", "c3 c4 c5", "d1 d2 d3", "d5 d6 d7", "e3 e4 e5", "f2 f4 f6", "g1 g4 g7",
    ]  # fmt: skip
    expected: dict[str, set[str]] = {}
    for one, middle, other in map(str.split, lines):
        for here, there in ((one, middle), (middle, one), (middle, other), (other, middle)):
            expected.setdefault(here, set()).add(there)
    assert neighbours_of(3) == expected


@pytest.mark.parametrize(("turns", "moves"), [
    ("turns from 1, at most 1 turns", 1), ("turns from 1, at most 2 turns", 2),
    ("turns from 1, at most 1 turns without step", 4), ("turns from 1 until man[a2] = 1, at most 2 turns", 1),
])  # fmt: skip
def test_turns_are_counted(turns: str, moves: int) -> None:
    """On three rows each of two men has two steps."""
    game, made = rulesrun.loads(rules(turns=turns, then="at is not nothing")).start(seed=1), 0
    while not isinstance(game.pending, rulesrun.End):
        game, made = game.apply(0), made + 1
    assert made == moves


@pytest.mark.parametrize(("changed", "code", "hint"), [
    ({"line": "clear neighbours(to)"}, "not-a-board", "`clear all neighbours(to)`"),
    ({"line": "move man[from] to man[to]"}, "not-a-board", "`move from to to`"),
    ({"turns": "turns from 1, at most 4 turns without stop"}, "unknown-action", "`step`"),
    ({"turns": "one turn each from 1, at most 4 turns"}, "wrong-type", "until"),
    ({"players": "2..3"}, "not-a-board", "define ahead"),
    ({"then": "ahead(a1, height[a1]) is empty"}, "asked-too-early", "`ahead(s, 2)`"),
    ({"then": "ahead(a1, 0) is empty"}, "leaves-range", ""),
    ({"then": "neighbours(a1, height[a1]) is empty"}, "asked-too-early", "a number, or an option"),
    ({"then": "some s in Square has man of s = 1"}, "unknown-attribute", "`man[s]`"),
    ({"then": "neighbours(a1, 0) is empty"}, "leaves-range", ""),
    ({"then": "no line of height[a1] in Square has man is nothing"}, "asked-too-early", "a number, or an option"),
    ({"then": "no k in 2..3 has some line of k in Square has man = 1"}, "asked-too-early", "a number, or an option"),
])  # fmt: skip
def test_what_is_refused(changed: dict[str, str], code: str, hint: str) -> None:
    found = read_text(rules(**changed), "test.rules").diagnostics
    assert any(one.code == code and hint in (one.hint or "") for one in found), found


@pytest.mark.parametrize(("written", "hint"), [
    ("board Point: rings 3", "`3 rings`"), ("board Point: 3 concentric rings", "`3 rings`"),
    ("phase play: turns from 1, max 9 turns", "`, at most 9 turns`"),
    ("phase play: turns from 1 until 9 turns", "`, at most 9 turns`"),
    ("step s\n  capture to", "`clear`"),
])  # fmt: skip
def test_slips_have_a_hint(written: str, hint: str) -> None:
    found = parse_source(Source("test.rules", f"rules 1\n{written}\n")).diagnostics
    assert any(hint in (one.hint or "") for one in found), found


def test_clear_is_for_boards() -> None:
    text = "rules 1\n# x\ngame \"T\"\nplayers 2\nphase p\n  clear all players\n"
    assert "not-a-board" in [one.code for one in read_text(text, "test.rules").diagnostics]


@pytest.mark.parametrize(("length", "warned"), [("3", False), ("4", True), ("longest", False), ("longest + 2", True)])
def test_a_line_that_no_board_has_is_warned_of(length: str, warned: bool) -> None:
    text = rules().replace("  at becomes to\n", f"  at becomes to\n  if some line of {length} in Square has man = 1\n"
                           "    nobody wins\n").replace("setup\n", "option longest: 2..3 = 3\nsetup\n")  # fmt: skip
    found = [one.message for one in read_text(text, "test.rules").diagnostics if one.code == "always-false"]
    assert found == ["no line of this board is so long"] * warned


@pytest.mark.parametrize(("rings", "length", "warned"), [
    ("3", 3, False), ("3", 4, True), ("5", 5, False), ("2..4", 4, False),
])  # fmt: skip
def test_from_ring_to_ring_lines_are_as_long_as_there_are_rings(rings: str, length: int, warned: bool) -> None:
    """As many places as there are rings; three on a side."""
    text = rules().replace("board Square: 3 by 3", f"option deep: {rings} = {rings[0]}\nboard Square: deep rings"
                           if ".." in rings else f"board Square: {rings} rings")  # fmt: skip
    text = text.replace("  at becomes to\n", f"  at becomes to\n  if some line of {length} in Square has man = 1\n"
                        "    nobody wins\n")  # fmt: skip
    found = [one.message for one in read_text(text, "test.rules").diagnostics if one.code == "always-false"]
    assert found == ["no line of this board is so long"] * warned


def test_what_stands_there_is_not_what_to_write() -> None:
    """A hint does not say to write what is written: the mistake lies elsewhere."""
    line = "define f(s set of Square) = count of s = lowest row over s"
    (found,) = parse_source(Source("test.rules", f"rules 1\n{line}\n")).diagnostics
    assert "`of`" in (found.hint or "")


TWO_BOARDS = """rules 1
game "Two boards"
players 2
values Hue: red, blue
card Card: rank 1..3
token Coin: 2
board Square: 3 by 3
board Cell: 2 by 2
marker stone[Square]: player or nothing
marker home[Square]: Square
marker lucky[Square]: Card
marker owner[Square]: player
marker hue[Square]: Hue
marker dot[Cell]: yes or no
MORE
define best(n 1..2) = the s in Square with highest row of s * n
define few(n 1..2) = Square where row = n
setup
  each s in Square
    stone[s] becomes 1
    home[s] becomes item 4 of Square
    lucky[s] becomes item 2 of Card
    owner[s] becomes 2
    hue[s] becomes blue
phase play: one turn each from 1
  choose go
action go
  LINE
example "as at the beginning of the game"
  when 1: go
  then (every s in Square where stone is nothing has home[s] = item 1 of Square and lucky[s] = item 1 of Card)
  then (every s in Square where stone is nothing has owner[s] = 1 and hue[s] = red) and (count of CLEARED) > 0
  then every s in CLEARED has stone[s] is nothing
score at end
  points = count of Square where stone = player
ranking: highest total, ties share
"""


def on_two_boards(line: str, cleared: str = "few(1)", more: str = "") -> str:
    return TWO_BOARDS.replace("LINE", line).replace("CLEARED", cleared).replace("MORE", more)


@pytest.mark.parametrize(("line", "cleared"), [
    ("clear all few(1)", "few(1)"), ("clear best(1)", "{best(1)}"), ("move best(1) to item 1 of Square", "{best(1)}"),
    ("clear (if players = 2 then best(1) else best(2))", "{best(1)}"),
])
def test_the_board_is_that_of_the_definition(line: str, cleared: str) -> None:
    text = on_two_boards(line, cleared)
    program = read_text(text, "test.rules").program
    assert program is not None
    assert [one.verdict for one in run_examples(program)] == ["passed"]
    table = set_up_table(program, 2, {})
    assert differences(table, 20, engine=quick_engine(table)) == []


@pytest.mark.parametrize(("line", "more", "hint", "mended"), [
    ("clear a1", "", "`clear all (Cell where it = a1)`", ("clear a1", "clear all (Cell where it = a1)")),
    ("clear few(1)", "marker wish[Square]: order of Hue", "`marker wish[Square]: order of Hue or nothing`",
     ("order of Hue", "order of Hue or nothing")),
    ("clear few(1)", "marker other[Square]: Card or Coin", "`marker other[Square]: Card or Coin or nothing`",
     ("Card or Coin", "Card or Coin or nothing")),
])  # fmt: skip
def test_what_is_not_known_of_a_place_is_asked(line: str, more: str, hint: str, mended: tuple[str, str]) -> None:
    text = on_two_boards(line.replace("clear few", "clear all few"), more=more)
    found = [one for one in read_text(text, "test.rules").diagnostics if one.severity == "error"]
    assert [(one.code, hint in (one.hint or "")) for one in found] == [("not-a-board", True)]
    assert read_text(text.replace(*mended), "test.rules").program is not None


def test_what_ahead_comes_to_is_told_and_not_how_it_is_worked_out() -> None:
    text = rules(then="some s in ahead(c3, 2) has man[s] = 2 and s in ahead(c3)")
    told = str(rulesrun.loads(text).test(games=1))
    assert "ahead(c3, 2) = {a1, c1}" in told, told
    assert "place =" not in told
