"""What stands where in a shuffled pile is not known before it is drawn: beside plain lists, on both engines."""

from __future__ import annotations

from random import Random

import pytest
from attrs import define, field
from hypothesis import given, settings
from hypothesis import strategies as st

from rulesrun.interpreter.model.values import Fault
from rulesrun.interpreter.play.step import next_state, start_state
from rulesrun.interpreter.reference.table import Table
from tests.dsl.marked import CARDS, PLAY, expect
from tests.interpreter.made import table

RANKS = 3
UNKNOWN = "not-known-yet"

Place = tuple[int, int]  # the rank of what lies there; which unordered part it is in, 0 where its order is known


@define
class Pile:
    """From the bottom up. Cards in the row come into it from its ends, and are mixed with all that lies there."""

    row: list[int]
    under: list[int] = field(factory=list)
    mixed: list[int] = field(factory=list)
    on: list[int] = field(factory=list)

    def places(self) -> list[Place]:
        part = 1 if len(self.mixed) > 1 else 0
        return [*((one, 0) for one in self.under), *((one, part) for one in sorted(self.mixed)),
                *((one, 0) for one in self.on)]


def step(chance: Random, pile: Pile) -> str | None:
    kind = chance.choice(("on", "on", "under", "under", "mix", "all"))
    if kind == "mix":
        pile.mixed += [*pile.under, *pile.on]
        pile.under, pile.on = [], []
        return "shuffle deck"
    if not pile.row:
        return None
    if kind == "on":
        pile.on.append(pile.row.pop(0))
        return "move first of line to deck"
    if kind == "under":
        pile.under.insert(0, pile.row.pop())
        return "move last of line to bottom of deck"
    pile.on += pile.row
    pile.row = []
    return "move all line to deck"


def question(chance: Random, pile: Pile) -> tuple[str, int | str]:
    """In words, and what it is: a number, or the code of a fault."""
    least = chance.choice((1, 1, 2, 3))
    places = [one for one in pile.places() if one[0] >= least]
    words = "deck" if least == 1 else f"(deck where rank >= {least})"
    kind = chance.choice(("item", "end", "place"))
    if kind == "place":
        rank = chance.randint(1, RANKS)
        one = f"the c in Card with lowest (if rank of c = {rank} then 0 else 1)"
        return f"position({one}, {words})", place(places, rank)
    if kind == "item":
        k = chance.randint(1, 4)
        return f"rank of item {k} of {words}", item(places, k - 1) if len(places) >= k else "no-such-item"
    end = chance.choice((0, -1))
    if not places:
        return f"rank of {'first' if end == 0 else 'last'} of {words}", "of-nothing"
    found = item(places, end)
    if least == 1 and places[end][1]:
        found = UNKNOWN  # the end of a whole pile is what a draw would decide
    return f"rank of {'first' if end == 0 else 'last'} of {words}", found


def item(places: list[Place], at: int) -> int | str:
    rank, part = places[at]
    others = {one for one, other in places if part and other == part}
    return UNKNOWN if len(others) > 1 else rank


def place(places: list[Place], rank: int) -> int | str:
    at = next((at for at, one in enumerate(places) if one[0] == rank), None)
    if at is None:
        return 0
    part = places[at][1]
    return UNKNOWN if part and sum(other == part for _, other in places) > 1 else at + 1


def asked(seed: int) -> tuple[Table, int | str, str]:
    chance = Random(seed)
    copies = chance.choice((1, 2))
    pile = Pile([rank for rank in range(1, RANKS + 1) for _ in range(copies)])
    steps = [line for _ in range(chance.randint(1, 9)) if (line := step(chance, pile)) is not None]
    words, expected = question(chance, pile)
    lines = "\n".join(f"  {line}" for line in ("move all Card to line", *steps))
    text = f"""
card Card: rank 1..{RANKS}, {copies} of each
zone deck: pile of Card, public
zone line: row of Card, public
number told: 0..20 = 0
setup
{lines}
phase play
  choose go
action go
  if yes = no
    shuffle line into deck
  told becomes {words}
score at end
  points = told
ranking: highest total, ties share
"""
    return table(text, 1), expected, text


def answer_of_reference(rules: Table) -> int | str:
    try:
        state = next_state(rules, start_state(rules), 0)
    except Fault as problem:
        return problem.diagnostic.code
    room = next(one for one in rules.bench.variables.values() if one.declaration.name.text == "told")
    found: int = state.slots[room.base]
    return found


def answer_of_machine(rules: Table) -> int | str:
    from tests.native.both import quick_positions

    positions = quick_positions(rules, 0)
    try:
        state = positions.state_of(positions.next_step(positions.begin_game().state, 0).state)
    except Fault as problem:
        return problem.diagnostic.code
    room = next(one for one in rules.bench.variables.values() if one.declaration.name.text == "told")
    found: int = state.slots[room.base]
    return found


@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 1 << 40))
def test_a_place_is_told_when_it_is_settled(seed: int) -> None:
    rules, expected, text = asked(seed)
    assert answer_of_reference(rules) == expected, text


@pytest.mark.parametrize("seed", range(40))
def test_a_place_is_told_when_it_is_settled_by_machine_code(seed: int) -> None:
    pytest.importorskip("llvmlite")
    rules, expected, text = asked(seed)
    assert answer_of_machine(rules) == expected, text


PILE = "zone pool: pile of Card, public\nsetup round\n  shuffle all Card into pool\n"


@pytest.mark.parametrize("asked", ["rank of item 2 of pool", "position(top of heap, pool)", "rank of top of pool",
                                   "rank of item 1 of (pool where rank > 1)"])
def test_a_pile_that_is_only_shuffled_is_told_beforehand(asked: str) -> None:
    expect(CARDS + PLAY + PILE + f"phase more\n  if {asked} = 1 #! not-known-yet\n    end game\n")
    put = "  move all heap to bottom of pool\n"
    expect(CARDS + PLAY + PILE + put + f"phase more\n  if {asked} = 1\n    end game\n")
    counted = f"  if count of pool = 1\n    if {asked} = 1\n      end game\n"
    expect(CARDS + PLAY + PILE + f"phase more\n{counted}")
