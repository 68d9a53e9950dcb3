"""Turns within turns: the turns of the game are the outermost ones, and what is kept each turn is theirs."""

from __future__ import annotations

import pytest

from rulesrun.interpreter.measure.measured_game import GameMeasurer
from rulesrun.interpreter.model.random import Streams
from rulesrun.interpreter.play.random_games import simulate_games
from rulesrun.interpreter.play.step import GameOver, PlayerDecision, next_state, pending_decision, start_state
from rulesrun.interpreter.reference.table import Table
from tests.interpreter.made import table
from tests.interpreter.nested_turns import Endless, Followed, made_up, rules

NAMES = ("kept", "lasting", "own")
KEPT = """
number n: 0..9 = 0, each turn
number done: 0..9 = 0
phase play: turns from 1 until done = 3
  n becomes 5
  one turn each from left of player except player
    choose ok
  choose check
  done increases by 1
action ok
action check
  needs n = 5
score at end
  x = 1
ranking: highest total, ties share
"""


def test_the_outer_turn_goes_on() -> None:
    made = table(KEPT, 3)
    found = simulate_games(made, 1, 5)
    assert (found.decisions, found.faults, found.broken) == (45, [], [])
    assert GameMeasurer(made).play_game(Streams(1), 0).values["length", "turns"] == 3


def test_turns_of_a_phase_without_a_header_are_turns_and_what_holds_them_is_none() -> None:
    tricks = KEPT.replace("phase play: turns from 1 until done = 3\n  n becomes 5", "phase play: repeat 2 times")
    tricks = tricks.replace("    choose ok\n", "    n increases by 1\n    choose ok\n")
    tricks = tricks.replace("needs n = 5", "needs n = 1")
    assert GameMeasurer(table(tricks, 3)).play_game(Streams(1), 0).values["length", "turns"] == 4


def asked_of(made: Table) -> list[tuple[int, ...]]:
    """Who is asked, and what the numbers are then."""
    rooms = {room.declaration.name.text: room.base for room in made.bench.variables.values()}
    state, found = start_state(made), list[tuple[int, ...]]()
    while not isinstance(decision := pending_decision(made, state), GameOver):
        assert isinstance(decision, PlayerDecision)
        found.append((decision.player, *(state.slots[rooms[name]] for name in NAMES)))
        state = next_state(made, state, 0)
    return found


def followed(seed: int) -> tuple[Table, Followed] | None:
    """A rulebook and the same game followed in plain Python; None where it asks too much."""
    players, made = made_up(seed)
    plain = Followed(players, made)
    try:
        plain.game()
    except (Endless, RecursionError):
        return None
    return table(rules(made), players), plain


def look_at(seed: int) -> bool:
    found = followed(seed)
    if found is None:
        return False
    made, plain = found
    assert asked_of(made) == plain.asked, rules(plain.made)
    record = GameMeasurer(made).play_game(Streams(0), 0)
    assert record.values.get(("length", "turns"), 0) == plain.turns, rules(plain.made)
    broken = {"odd"} if any(kept % 3 == 1 for kept in plain.ended) else set()
    broken |= {"short"} if len(plain.ended) > 5 else set()
    assert set(simulate_games(made, 0, 1).broken_games) == broken, rules(plain.made)
    return True


def test_loops_made_up_at_random_against_plain_python() -> None:
    assert sum(look_at(seed) for seed in range(120)) > 60


@pytest.mark.long
def test_many_loops_made_up_at_random_against_plain_python() -> None:
    assert sum(look_at(seed) for seed in range(1_000, 12_000)) > 5_000
