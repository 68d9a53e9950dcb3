"""Small games whose lines say what is expected of them: `#! code` at the end of a line, several with commas."""

from __future__ import annotations

import re

from rulesrun.dsl import ast
from rulesrun.dsl.ast.walk import walk
from rulesrun.dsl.check import check_game
from rulesrun.dsl.diagnostics.diagnostic import Diagnostic
from rulesrun.dsl.parsing.parse import parse_source
from rulesrun.dsl.text.source import Source
from rulesrun.dsl.typing.program import Program, Rejected

HEADER = 'rules 1\ngame "A test"\n'
RANKING = "ranking: highest 1, ties share\n"  # of all the same: for who wins there must be no points
TABLE = f"{HEADER}players 2..4\n{RANKING}"
CARDS = (
    TABLE
    + """values Colour: red, blue, green
card Card: colour Colour, rank 1..5
zone stock: pile of Card, hidden
zone hand of player: set of Card, private
zone heap: pile of Card, public
setup
  shuffle all Card into stock
  deal 2 from stock to each hand
"""
)
# Uses everything that CARDS declares; so only what a test adds can be complained of.
PLAY = """phase play: one turn each from 1
  choose lay, else end game
action lay(given from hand)
  move given to heap
"""


def checked(text: str) -> Program | Rejected:
    source = Source("test.rules", text)
    parsed = parse_source(source)
    assert parsed.diagnostics == (), [one.message for one in parsed.diagnostics]
    smalls = tuple(piece for piece in parsed.declarations if isinstance(piece, ast.Small))
    pieces = tuple(piece for piece in parsed.declarations if piece not in smalls)
    game = ast.Game("test", "test.rules", None, pieces, smalls, span=parsed.declarations[0].span)
    return check_game(game, (source,))


def complaints(text: str) -> tuple[Diagnostic, ...]:
    found = checked(text)
    return found.warnings if isinstance(found, Program) else found.diagnostics


def expect(text: str) -> tuple[Diagnostic, ...]:
    """Every marked line has its complaints, and there are no others."""
    source = Source("test.rules", text)
    found = complaints(text)
    placed = sorted((source.line_and_column(one.span.start)[0], one.code) for one in found)
    marked = sorted(
        (number, code.strip())
        for number in range(1, source.count_lines() + 1)
        for marks in re.findall(r"#! (.*)$", source.text_of_line(number))
        for code in marks.split(",")
    )
    assert placed == marked, [(source.line_and_column(one.span.start), one.code, one.message) for one in found]
    return found


def program(text: str) -> Program:
    found = checked(text)
    assert isinstance(found, Program), [one.message for one in found.diagnostics]
    return found


def names_called(program: Program, text: str) -> list[ast.Name]:
    """All uses of a name that mean something, in the order of the file."""
    names = (node for node in walk(program.game) if isinstance(node, ast.Name) and node.text == text)
    return [name for name in names if name in program.names]
