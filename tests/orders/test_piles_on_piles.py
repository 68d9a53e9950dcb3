"""A marked card in a pile that is put on another or under it: where it lies, beside plain lists, on both engines."""

from __future__ import annotations

from random import Random

import pytest
from attrs import define, field
from hypothesis import given, settings
from hypothesis import strategies as st

from rulesrun.interpreter.reference.table import Table
from tests.interpreter.made import table
from tests.orders.test_not_known_yet import UNKNOWN, answer_of_machine, answer_of_reference

Label = tuple[int, int]  # rank, and which of the equal ones
RANKS, COPIES = 3, 2


@define
class Piles:
    """The row, the deck from the bottom up with its shuffled part, and the pit, of which all is known at first."""

    row: list[Label] = field(factory=lambda: [(rank, copy) for rank in range(1, RANKS + 1) for copy in range(COPIES)])
    under: list[Label] = field(factory=list)
    mixed: list[Label] = field(factory=list)
    on: list[Label] = field(factory=list)
    pit: list[Label] = field(factory=list)

    def poured(self, at_bottom: bool) -> tuple[list[Label], list[Label], list[Label]]:
        """The pit afterwards: under, shuffled, on. What goes under a pile one by one is turned round."""
        mixed = self.mixed if len(self.mixed) > 1 else []
        first, last = (self.under, self.on) if mixed else ([*self.under, *self.mixed, *self.on], [])
        if at_bottom:
            return last[::-1], mixed, [*first[::-1], *self.pit]
        return [*self.pit, *first], mixed, last


def step(chance: Random, piles: Piles) -> str | None:
    kind = chance.choice(("on", "on", "under", "under", "pit", "mix"))
    if kind == "mix":
        piles.mixed += [*piles.under, *piles.on]
        piles.under, piles.on = [], []
        return "shuffle deck"
    if not piles.row:
        return None
    if kind == "on":
        piles.on.append(piles.row.pop(0))
        return "move first of line to deck"
    if kind == "under":
        piles.under.insert(0, piles.row.pop())
        return "move last of line to bottom of deck"
    piles.pit.append(piles.row.pop(0))
    return "move first of line to pit"


def asked(seed: int) -> tuple[Table, int | str, str]:
    chance, piles = Random(seed), Piles()
    marked = chance.randrange(len(piles.row))
    card = piles.row[marked]
    steps = [line for _ in range(chance.randint(2, 10)) if (line := step(chance, piles)) is not None]
    at_bottom = chance.random() < 0.5
    under, mixed, on = piles.poured(at_bottom)
    whole = [*under, *sorted(mixed), *on]
    lines = "\n".join(f"  {line}" for line in steps)
    text = f"""
card Card: rank 1..{RANKS}, {COPIES} of each
zone deck: pile of Card, hidden
zone pit: pile of Card, hidden
zone line: row of Card, public
marker found: Card or nothing
number told: 0..20 = 0
setup
  move all Card to line
  found becomes item {marked + 1} of line
{lines}
phase play
  choose go
action go
  move all deck to {"bottom of " if at_bottom else ""}pit
  told becomes position(found, pit)
score at end
  points = told
ranking: highest total, ties share
"""
    return table(text, 1), place(card, whole, mixed), text


def place(card: Label, whole: list[Label], mixed: list[Label]) -> int | str:
    meant = card if card in whole else next((one for one in whole if one[0] == card[0]), None)
    if meant is None:
        return 0
    return UNKNOWN if meant in mixed else whole.index(meant) + 1


@settings(max_examples=100, deadline=None)
@given(seed=st.integers(0, 1 << 40))
def test_a_marked_card_is_found_in_the_pile_below(seed: int) -> None:
    rules, expected, text = asked(seed)
    assert answer_of_reference(rules) == expected, text


@pytest.mark.parametrize("seed", range(30))
def test_a_marked_card_is_found_in_the_pile_below_by_machine_code(seed: int) -> None:
    pytest.importorskip("llvmlite")
    rules, expected, text = asked(seed)
    assert answer_of_machine(rules) == expected, text
