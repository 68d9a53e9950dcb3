"""Small rules made for the tests, and tables of them."""

from __future__ import annotations

from collections.abc import Callable

from rulesrun.dsl.check import check_game
from rulesrun.dsl.typing.program import Program
from rulesrun.dsl.variants.small_tables import build_small_game
from rulesrun.files.loading import read_rules, read_text
from rulesrun.interpreter.explore.breadth_first import Explored, explore_table
from rulesrun.interpreter.reference.table import Table, set_up_table
from rulesrun.interpreter.symmetry.renaming import find_word_group

EXCHANGES = """rules 1
game "Exchanges"
players 2

values Colour: red, blue, green

card Card: colour Colour, rank 1..2

zone stock: pile of Card, hidden
zone supply: set of Card, public
zone hand of player: set of Card, private

number passes: 0..2 = 0

setup
  shuffle all Card into stock
  deal 1 from stock to each hand
  deal 2 from stock to supply

phase exchanging: turns from 1 until passes = 2
  choose exchange or pass

action exchange(give from hand, take from supply)
  move give to supply
  move take to hand

action pass
  passes increases by 1

score at end
  points = count of distinct colour over hand

ranking: highest total, ties share
"""


def program_of(text: str) -> Program:
    reading = read_text(text, "made.rules")
    assert reading.program is not None, reading.diagnostics
    return reading.program


def table_of(text: str, players: int = 2, **options: object) -> Table:
    return set_up_table(program_of(text), players, options)


def bundled(name: str, players: int = 2, **options: object) -> Table:
    program = read_rules(name).program
    assert program is not None
    return set_up_table(program, players, options)


def small_table(name: str, number: int, players: int = 2, **options: object) -> Table:
    """One of the small tables that a bundled game declares."""
    program = read_rules(name).program
    assert program is not None
    small = check_game(build_small_game(program.game, program.game.smalls[number]).game, program.sources)
    assert isinstance(small, Program)
    return set_up_table(small, players, options)


Explore = Callable[[Table], Explored]


def plainly(table: Table, limit: int = 200_000) -> Explored:
    return explore_table(table, limit)


def merged(table: Table, limit: int = 200_000) -> Explored:
    return explore_table(table, limit, group=find_word_group(table))
