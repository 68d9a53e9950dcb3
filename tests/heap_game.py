"""A small game of cards, as tests of slips, hints and completion need it."""

from __future__ import annotations


def write_heap(needs: str = "") -> str:
    """`needs` stands in the action of laying a card."""
    line = f"  needs {needs}\n" if needs else ""
    return HEAP.replace("  move given to heap\n", f"{line}  move given to heap\n")


HEAP = """\
rules 1
game "Heap"
players 2..4
values Colour: red, blue, green
card Card: colour Colour, rank 1..6
zone stock: pile of Card, hidden
zone hand of player: set of Card, private
zone heap: pile of Card, public
number passes: 0..20 = 0
setup
  shuffle all Card into stock
  deal 4 from stock to each hand
phase play: turns from starter until passes >= players
  choose lay or pass
action lay(given from hand)
  move given to heap
action pass
  passes increases by 1
score at end
  points = count of hand
ranking: lowest total, ties share
"""
