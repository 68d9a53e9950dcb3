"""The law of `test_noninterference`, where cards are seen that come or go: which one is moved, drawn or shuffled, and
in which order cards are laid down, may tell of what lies elsewhere.
"""

from __future__ import annotations

from random import Random

import pytest

from rulesrun.interpreter.model.values import Fault
from rulesrun.interpreter.secrecy.information_flow import find_laid_open
from tests.interpreter.made import table
from tests.searching.test_noninterference import somebody_learns

FEW, MANY = 60, 2_000
BASE = """
values Colour: red, blue
card Card: rank 1..6
zone deck: pile of Card, hidden
zone hand of player: set of Card, private
zone line of player: row of Card, private
zone stack of player: pile of Card, private
zone shown: row of Card, public
zone heap: pile of Card, public top
zone brow of player: row of Card, public except player
zone note of player: pile of Card, seen by left of player
zone mixed[1..2]: pile of Card, public
zone away: set of Card, hidden
zone gone: pile of Card, hidden
marker omen: Colour, hidden
number heard of player: 0..9 = 0, seen by left of player, clamped
number mine of player: 0..9 = 0, private, clamped
setup
  shuffle all Card into deck
  roll omen
  deal 1 from deck to each hand
  draw 1 from deck to hand
{setup}
phase play
  choose begin
{lines}
  choose stop
action begin
action stop
define sign = if omen = red then 1 else -1
step drop(c Card)
  move c to away
score at end
  points = 0
ranking: highest total, ties share
"""

LEFT = "left of player"
FILLED = {
    "shown": "draw 2 from deck to shown", "heap": "draw 2 from deck to heap", "line": "draw 2 from deck to line of 2",
    f"line of {LEFT}": "draw 2 from deck to line of 2", "mixed[1]": "draw 2 from deck to mixed[1]",
    "brow": "draw 2 from deck to brow of 2", f"brow of {LEFT}": "draw 2 from deck to brow of 2",
    "note": "draw 2 from deck to note of 2", f"note of {LEFT}": "draw 2 from deck to note of 2",
    f"hand of {LEFT}": "draw 1 from deck to hand of 2", "hand": "draw 1 from deck to hand of 2",
    f"stack of {LEFT}": "draw 2 from deck to stack of 2", "stack": "draw 2 from deck to stack of 2",
}  # fmt: skip
SECRETS = (
    "(if omen = red then 1 else 2)", "(if sum of rank over hand > 5 then 1 else 2)", "(count of hand)", "1", "2",
    f"(if some c in hand of {LEFT} has rank of c > 4 then 2 else 1)",
)  # fmt: skip
KEYS = (
    "rank * sign", "rank", "rank * (if highest of rank over hand > 4 then 1 else -1)", "0 - rank",
    f"rank * (if some c in hand of {LEFT} has rank of c = 6 then 1 else -1)",
)  # fmt: skip
ROWS = ("shown", "brow", "line", f"line of {LEFT}")
TARGETS = ("away", "gone")


def statement(random: Random) -> tuple[str, list[str]]:
    """A place, and what is done there if enough lies in it."""
    place, row = random.choice(sorted(FILLED)), random.choice(ROWS)
    secret, key, target = random.choice(SECRETS), random.choice(KEYS), random.choice(TARGETS)
    direction, end = random.choice(("highest", "lowest")), random.choice(("first", "last"))
    pile = random.choice(("heap", f"stack of {LEFT}", "stack", "mixed[1]"))
    of_key = key.replace("rank", "rank of c", 1)
    return random.choice((
        (place, [f"draw up to 1 from {place} where rank > 3 * ({secret} - 1) to {target}"]),
        (place, [f"draw 1 from {place} where no c in {place} has rank of c * {secret} = 2 * rank to {target}"]),
        (row, [f"move item {secret} of {row} to {target}"]),
        (place, [f"move the c in {place} with {direction} {of_key} to {target}"]),
        (row, [f"let c = item {secret} of {row}", f"move c to {target}"]),
        (row, [f"let c = the c in {row} with {direction} {of_key}", "do drop(c)"]),
        (place, [f"do drop(the c in {place} with {direction} {of_key})"]),
        (row, [f"move {end} of (those c in {row} with {direction} {of_key}) to {target}"]),
        (row, [f"move {end} of ({row} where rank * {secret} > 1) to {target}"]),
        (place, [f"move 1 of ({place} where it = the c in {place} with {direction} {of_key}) to {target}"]),
        (place, [f"shuffle ({place} where rank * {secret} > 3) into gone"]),
        (pile, [f"move all {pile} to {pile} in order of {key}"]),
        ("line", [f"move all line to stack of {LEFT} in order of {key}"]),
        ("shown", [f"move all shown to mixed[2] in order of {key}"]),
        ("shown", [f"move all shown to line of {LEFT} in order of {key}"]),
        ("mixed[1]", [f"shuffle mixed[{secret}]"]),
        ("heap", [f"if {secret} = 1", "  shuffle heap"]),
        (place, [f"heard of {random.choice(('player', LEFT))} becomes {secret}"]),
        (place, [f"if {secret} = 2", "  heard becomes 1"]),
        ("shown", [f"move all shown to note in order of {key}"]),
        ("shown", [f"move all shown to brow in order of {key}"]),
        ("hand", [f"show hand of (if {secret} = 1 then player else left of player)"]),
        ("hand", [f"show (the c in hand with {direction} {of_key}) to {LEFT}"]),
    ))  # fmt: skip


def check(seed: int, tally: dict[str, int] | None = None) -> bool:
    """Whether the law said something: somebody learned."""
    place, lines = statement(Random(seed))
    guard = f"  if count of {place} > 1"
    text = BASE.format(setup=f"  {FILLED[place]}", lines="\n".join([guard, *(f"    {line}" for line in lines)]))
    made = table(text)
    try:
        learns = somebody_learns(made)
    except Fault:
        return False
    assert not learns or any(find_laid_open(made)), "\n".join(lines)
    return learns


def test_what_goes_where_it_was_seen_is_laid_open() -> None:
    assert sum(check(seed) for seed in range(FEW)) > FEW / 6


@pytest.mark.long
def test_what_goes_where_it_was_seen_is_laid_open_in_many_rules() -> None:
    assert sum(check(seed) for seed in range(FEW, MANY)) > MANY / 6
