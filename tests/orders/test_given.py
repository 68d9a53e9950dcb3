"""A position that an example lays is the one that play comes to, in every zone and for everybody who looks."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulesrun.dsl.typing.program import Program
from rulesrun.interpreter.examples.arranging import PositionArranger
from rulesrun.interpreter.model.example_lowering import GivenContents, lower_example
from rulesrun.interpreter.model.values import State
from rulesrun.interpreter.play.position_keys import PositionKeys
from rulesrun.interpreter.play.step import GameOver, PlayerDecision, next_state, pending_decision, start_state
from rulesrun.interpreter.play.visibility import view_to_json
from rulesrun.interpreter.reference.table import Table
from tests.interpreter.made import program, table
from tests.orders.labelled import ZONES, Rulebook, rulebook

KNOWN = [zone for zone in ZONES if zone != "deck"]


def after(rules: Table, seed: int, decisions: int) -> State:
    """Some decision of a game at random."""
    chance, state = Random(seed), start_state(rules)
    while not isinstance(question := pending_decision(rules, state), GameOver):
        if isinstance(question, PlayerDecision):
            if not decisions:
                return state
            decisions -= 1
        state = next_state(rules, state, chance.randrange(len(question)))
    return state


def laid(book: Rulebook, reached: State, seed: int) -> tuple[Table, State, State]:
    """The same zones written as `given`, laid over another game."""
    rules = table(book.text, 1)
    names = {room.declaration.name.text: room.base for room in rules.bench.zones.values()}
    lines = "\n".join(
        f"  given {zone}: " + (", ".join(str(kind + 1) for kind in reached.slots[names[zone]]) or "nothing")
        for zone in KNOWN
    )
    read = program(f'{book.text}\nexample "laid"\n{lines}\n  then yes', "1")
    rules = table_of(read)
    S = rules.to_slots(after(rules, seed, 1))
    PositionArranger(rules, S).arrange_components(contents_given(read))
    return rules, rules.to_state(S), reached


def contents_given(read: Program) -> list[GivenContents]:
    """What its only example says of places."""
    (example,) = read.game.examples
    return [line for line in lower_example(read, example).lines if isinstance(line, GivenContents)]


def table_of(read: Any) -> Table:
    from rulesrun.interpreter.reference.table import set_up_table

    return set_up_table(read, 1, {})


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 1 << 40), game=st.integers(0, 1000), decisions=st.integers(0, 8))
def test_what_is_laid_is_what_play_comes_to(seed: int, game: int, decisions: int) -> None:
    book = rulebook(seed, markers=False, draws=False)
    rules, found, reached = laid(book, after(table(book.text, 1), game, decisions), game + 1)
    S, T = rules.to_slots(found), rules.to_slots(reached)
    for room in rules.bench.zones.values():
        name = room.declaration.name.text
        if name != "deck":
            assert S[room.base] == T[room.base], name
            assert view_to_json(rules, S, 1)["zones"][name] == view_to_json(rules, T, 1)["zones"][name]
    assert all(S[slot] == T[slot] for slot in rules.bench.boxes.values())


def test_positions_are_one_for_who_goes_through_all() -> None:
    """Laid over another game, at the same question, it has the same key."""
    read = program(TWO_ROWS + 'example "laid"\n  given line: 1, 2, 2\n  given other: 1\n  then yes\n', "1")
    rules = table_of(read)
    reached = next_state(rules, next_state(rules, start_state(rules), 1), 0)
    S = rules.to_slots(next_state(rules, next_state(rules, start_state(rules), 0), 0))
    PositionArranger(rules, S).arrange_components(contents_given(read))
    positions = PositionKeys(rules)
    assert positions.key_of(S) == positions.key_of(rules.to_slots(reached))


TWO_ROWS = """
card Card: rank 1..2, 2 of each
zone line: row of Card, public
zone other: row of Card, public
setup
  move all Card to line
phase play: repeat 3 times
  choose stay or take
action stay
action take
  move first of line to other
score at end
  points = 0
ranking: highest total, ties share
"""


@pytest.mark.parametrize(("seen", "holds"), [("public", True), ("hidden", False)])
def test_a_pile_that_is_seen_is_laid_in_order(seen: str, holds: bool) -> None:
    """Even where it may hold what was shuffled; of a hidden one nothing is known."""
    text = f"""
card Card: rank 1..4
zone stock: pile of Card, hidden
zone heap: pile of Card, {seen}
setup
  shuffle all Card into stock
  move all stock to heap
phase play
  choose stay
action stay
score at end
  points = 0
ranking: highest total, ties share
example "in order"
  given heap: 3, 1, 2
  then yes
"""
    read = program(text, "1")
    rules = table_of(read)
    S = rules.to_slots(start_state(rules))
    PositionArranger(rules, S).arrange_components(contents_given(read))
    heap = next(room.base for room in rules.bench.zones.values() if room.declaration.name.text == "heap")
    assert (S[heap] == (2, 0, 1)) is holds
