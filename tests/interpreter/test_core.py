"""What the names in expressions mean: the core as `rulesrun compile --show core` prints it."""

from __future__ import annotations

import pytest

from rulesrun.interpreter.model.core_printer import format_core, format_flow
from tests.interpreter.made import table

RULES = """
values Colour: red, blue
card Card: colour Colour, rank 1..3
option bonus: 0..9 = 4
zone stock: pile of Card, hidden
zone hand of player: set of Card, private
zone slots[1..3] of player: set of Card, public
number passes of player: 0..2 = 0
table worth(c Colour): red: 2, otherwise: 1
define best(p player) = highest of rank over c in hand of p
define asked = {}
setup
  shuffle all Card into stock
  deal 1 from stock to each hand
phase play: one turn each from starter
  choose pass
action pass
score
  points = 1
ranking: highest total
"""


@pytest.mark.parametrize(
    ("written", "core"),
    [
        ("bonus", "4"),  # an option
        ("count of players", "(count (1, 2))"),
        ("players", "2"),
        ("count of hand", "(count (contents hand))"),  # that of `player`
        ("count of hand of left of player", "(count (contents hand (neighbour left (current player))))"),
        ("count of slots[2] of 1", "(count (contents slots 2 1))"),
        ("count of hand where colour = red", "(count (filter (contents hand) (compare = (attribute colour it) 0)))"),
        ("best(2)", "(definition best 2)"),
        ("worth(blue)", "(caselookup worth 1)"),
        ("total of starter", "(forplayer (points) (current starter))"),
        ("highest of {1, 2}", "(fold highest (setof (literal 1) (literal 2)))"),
        ("sum of rank over c in hand", "(aggregate sum (attribute rank it) c in (contents hand))"),
        ("smallest(bonus, passes)", "(extreme smallest 4 (contents passes))"),
    ],
)
def test_names_are_resolved(written: str, core: str) -> None:
    made = table(RULES.format(written))
    assert core in [line.partition("  ")[2] for line in format_core(made.bench)]


@pytest.mark.parametrize(("line", "core"), [
    ("move all hand to bottom of stock",
     "(move (transfer (takefrom (contents hand)) (target (contents stock) bottom)))"),
    ("swap hand with hand of 2", "(move (transfer (takefrom (contents hand)) (target (contents hand 2))) "
                                 "(transfer (takefrom (contents hand 2)) (target (contents hand))))"),
    ("passes increases by 1", "(adjust (contents passes) 1 1)"),
    ("starter becomes 2", "(assign (current starter) 2)"),
])  # fmt: skip
def test_statements_come_to_effects(line: str, core: str) -> None:
    text = RULES.format("1") + f"\naction do_it\n  {line}\n"
    made = table(text.replace("choose ", "choose do_it or ", 1))
    assert core in [told.partition("  ")[2] for told in format_core(made.bench)]


def test_the_flow_is_a_list_that_leads_back_and_on() -> None:
    """What stands between two labels is left out by a jump; a loop leads back to where it looks whether it is over."""
    made = table("""zone stock: pile of Card, hidden
zone hand of player: set of Card, private
card Card: rank 1..3, 2 of each
setup
  shuffle all Card into stock
phase play: turns from 1 until passes = 2
  choose take
number passes: 0..2 = 0
action take
  if passes = 1
    draw 1 from stock to hand
  passes increases by 1
score at end
  points = passes
ranking: highest points
""")
    told = [(line.split("  (")[1].split()[0].rstrip(")"), line) for line in format_flow(made.bench, made.flow)]
    assert [kind for kind, _ in told] == [
        "begingame", "mix", "beginround", "enterphase", "beginturns", "until", "findturn", "beginturn", "ask", "jump",
        "beginaction", "unless", "draw", "jump", "adjust", "endaction", "jump", "moveon", "loopback", "endturns",
        "nextround", "fillsheets", "rank", "over",
    ]  # fmt: skip
    lines = dict(told)
    at = {kind: int(line.split()[0]) for kind, line in told}
    assert f"label:{at['until']}" in lines["loopback"]
    assert f"done:{at['endturns']}" in lines["until"]
    assert f"take:{at['beginaction'] - 1}" in lines["ask"]
