"""Small games of turns made for the tests; how many orders of seats are proved alike, and what is merged by them."""

from __future__ import annotations

from rulesrun.interpreter.explore.breadth_first import Explored, explore_table
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.symmetry.symmetric_turns import find_seats_in_turn
from rulesrun.interpreter.symmetry.symmetries import find_seats_once_begun, find_symmetry_group

CLIMB = """rules 1
game "Climb"
players 2..4

card Card: rank 1..5

zone stock: pile of Card, hidden
zone hand of player: set of Card, private
zone heap: pile of Card, public

number passes: 0..2 = 0

setup
  draw lots for starter
  shuffle all Card into stock
  deal 1 from stock to each hand

phase play: turns from starter until passes = 2
  choose lay or pass

action lay(given from hand)
  needs heap is empty or rank of given > rank of top of heap
  move given to heap

action pass
  passes increases by 1

score at end
  points = count of hand

ranking: lowest total, ties share
"""
FIRST = CLIMB.replace("  draw lots for starter\n", "").replace("from starter", "from 1")
SWAPS = """rules 1
game "Swaps"
players 2..3

card Card: rank 1..4

zone stock: pile of Card, hidden
zone supply: set of Card, public
zone hand of player: set of Card, private

number passes: 0..2 = 0

setup
  shuffle all Card into stock
  deal 1 from stock to each hand
  draw 1 from stock to supply

phase exchanging: turns from 1 until passes = 2
  choose exchange or pass

action exchange(give from hand, take from supply)
  move give to supply
  move take to hand

action pass
  passes increases by 1

score at end
  points = sum of rank over hand

ranking: highest total, ties share
"""
BOASTS = """rules 1
game "Boasts"
players 2..3
rounds 2, starter moves left

card Card: rank 1..3

zone stock: pile of Card, hidden
zone hand of player: set of Card, private

number wins of player: 0..2 = 0
marker boasted: player or nothing, each round

setup
  draw lots for starter

setup round
  shuffle all Card into stock
  deal 1 from stock to each hand

phase play: one turn each from starter
  choose boast or hush

action boast
  needs boasted is nothing
  boasted becomes player

action hush

at end of round "nobody": count of stock <= 3

phase counting
  each player
    if boasted = player and (sum of rank over hand) = 3
      wins increases by 1

score at end
  points = wins

ranking: highest total, ties share
"""
BETS = """rules 1
game "Bets"
players 2..3

marker bettor: player or nothing
number chips of player: 0..2 = 1

setup
  draw lots for starter

phase play: repeat until some p in players has chips of p = 2
  draw lots for bettor
  bettor chooses bet or stay

action bet
  chips increases by 1

action stay
  bettor becomes nothing

score at end
  points = chips

ranking: highest total, ties share
"""


def together(table: Table) -> Explored:
    return explore_table(table, group=find_symmetry_group(table))


def orders(table: Table) -> int:
    found = find_seats_in_turn(table, 120)
    return len(found.members) + 1 if found is not None else 1


def counted_alike(table: Table) -> int:
    found = find_seats_once_begun(table, 120)
    return len(found.members) + 1 if found is not None else 1


def changed(old: str, new: str, text: str = CLIMB) -> str:
    assert old in text
    return text.replace(old, new)
