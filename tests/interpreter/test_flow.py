"""Turns, rounds, phases and their ends: who chooses when."""

from __future__ import annotations

import pytest

from rulesrun.interpreter.model.values import Fault
from rulesrun.interpreter.play.step import GameOver, PlayerDecision, next_state, pending_decision, start_state
from rulesrun.interpreter.reference.table import set_up_table
from tests.interpreter.made import choose, decisions, over, program, seats, table

SCORE = """
action stay
score at end
  points = 0
ranking: highest total, ties share
"""


def flow(phase: str, pieces: str = "", players: int = 3) -> list[int]:
    return seats(table(f"{pieces}\n{phase}\n{SCORE}", players))


TURNS = "number turns_taken: 0..50 = 0\n"
COUNTED = "  turns_taken increases by 1\n  choose stay"


def test_turns_go_clockwise_until_the_condition_holds() -> None:
    assert flow(f"phase play: turns from 2 until turns_taken = 5\n{COUNTED}", TURNS) == [2, 3, 1, 2, 3]


def test_the_condition_is_looked_at_before_the_first_turn() -> None:
    assert flow(f"phase play: turns from 2 until turns_taken = 0\n{COUNTED}\nphase rest\n  choose stay", TURNS) == [1]


def test_skipped_players_have_no_turn() -> None:
    assert flow(f"phase play: turns from 1 skipping player = 2 until turns_taken = 4\n{COUNTED}", TURNS) == [1, 3, 1, 3]


def test_the_loop_is_over_when_everybody_is_skipped() -> None:
    pieces = TURNS + "marker out of player: yes or no = no\n"
    phase = f"phase play: turns from 1 skipping out\n{COUNTED}\n  out becomes yes"
    assert flow(phase, pieces) == [1, 2, 3]


def test_one_turn_each_except_somebody() -> None:
    assert flow("phase play: one turn each from 3 except 1\n  choose stay") == [3, 2]


def test_repeat() -> None:
    assert flow("phase play: repeat 2 times\n  choose stay") == [1, 1]
    assert flow(f"phase play: repeat until turns_taken = 3\n{COUNTED}", TURNS) == [1, 1, 1]


def test_a_repetition_inside_a_turn_is_left_by_end_turn() -> None:
    phase = f"phase play: turns from 1 until turns_taken >= 4\n  repeat 5 times\n  {COUNTED}"
    phase = phase.replace("\n  choose", "\n    choose")
    assert flow(phase + "\n    if turns_taken mod 2 = 0\n      end turn", TURNS) == [1, 1, 2, 2]


def test_end_phase_and_end_game() -> None:
    first = f"phase first: turns from 1 until turns_taken = 9\n{COUNTED}\n  if turns_taken = 2\n    end phase\n"
    second = f"phase second: turns from 3 until turns_taken = 30\n{COUNTED}\n  if turns_taken = 4\n    end game\n"
    assert flow(first + second, TURNS) == [1, 2, 3, 1]


def test_the_starter_moves_each_round_and_things_are_set_back() -> None:
    pieces = "rounds 3, starter moves left\nnumber turns_taken: 0..50 = 0, each round\n"
    phase = f"phase play: turns from starter until turns_taken = 2\n{COUNTED}"
    assert flow(phase, pieces) == [1, 2, 2, 3, 3, 1]


def test_end_round_leads_to_the_next_round() -> None:
    pieces = "rounds 2\nnumber turns_taken: 0..50 = 0, each round\n"
    phase = f"phase play: turns from 1 until turns_taken = 9\n{COUNTED}\n  if turns_taken = 2\n    end round"
    assert flow(phase, pieces) == [1, 2, 1, 2]


def test_rounds_until_looks_after_each_round() -> None:
    pieces = "rounds until turns_taken >= 3\n" + TURNS
    assert flow(f"phase play\n{COUNTED}\n  choose stay", pieces) == [1] * 6


def test_named_choosers_are_player_inside_and_not_afterwards() -> None:
    pieces = "marker third: player = 3\nmarker marked of player: yes or no = no\n"
    phase = "phase play: turns from 1 until some p in players has marked of p\n  third chooses mark\n  choose stay\n"
    made = table(f"{pieces}{phase}action mark\n  marked becomes yes\n{SCORE}", 3)
    assert seats(made) == [3, 1]


def test_each_player_from_somebody() -> None:
    phase = "phase play\n  each player from 2 where player is not 3\n    choose stay"
    assert flow(phase) == [2, 1]


def test_a_phase_with_a_condition() -> None:
    pieces = "marker second_seat: player = 2\n"
    assert flow("phase first when players = 2\n  choose stay\nphase second\n  second_seat chooses stay", pieces) == [2]


def test_what_nobody_can_choose() -> None:
    never = "action never\n  needs turns_taken = 9\n"
    pieces = TURNS + never
    with pytest.raises(Fault) as found:
        flow("phase play\n  choose never", pieces)
    assert found.value.diagnostic.code == "empty-choice"
    assert flow("phase play\n  choose never if possible\n  choose stay", pieces) == [1]
    assert flow("phase play\n  choose never, else end game\n  choose stay", pieces) == []


@pytest.mark.parametrize(
    "body",
    [
        "phase play\n  absent chooses stay",
        "phase play\n  absent chooses hit",
        "phase play: turns from absent until turns_taken = 2\n  choose stay",
        "phase play: one turn each from absent\n  choose stay",
        "phase play\n  each player from absent\n    choose stay",
        "phase play\n  absent becomes left of absent\n  choose stay",
    ],
)
def test_nobody_cannot_play(body: str) -> None:
    pieces = TURNS + "marker absent: player or nothing\naction hit(who in opponents)\n  turns_taken increases by 1\n"
    with pytest.raises(Fault) as found:
        flow(body, pieces)
    assert found.value.diagnostic.code == "nothing-used"
    span = found.value.diagnostic.span
    assert span is not None
    assert span.end - span.start == len("absent")


def test_what_never_asks_anybody_is_found() -> None:
    never = TURNS + "action never\n  needs turns_taken = 9\n"
    with pytest.raises(Fault) as found:
        flow("phase play: repeat until turns_taken = 50\n  turns_taken becomes 0\n  choose never if possible", never)
    assert found.value.diagnostic.code == "endless"


TOGETHER = """
marker third: player = 3
number bid_of of player: 0..3 = 0
number seen: 0..9 = 0
marker folded of player: yes or no = no
phase play
  third chooses leave
  all choose bid where not folded
action leave
  folded becomes yes
action bid(amount in 1..3)
  needs seen = 0 because "somebody has bid before"
  bid_of becomes amount
  seen increases by amount
score at end
  points = bid_of * 10 + seen
ranking: highest total, ties share
"""


def test_choices_at_the_same_moment_are_made_on_one_position() -> None:
    made = table(TOGETHER, 3)
    state = choose(made, start_state(made), "leave")
    first = pending_decision(made, state)
    assert isinstance(first, PlayerDecision)
    assert (first.player, first.together) == (1, (1, 2))
    state = choose(made, state, "bid", 2)
    second = pending_decision(made, state)
    assert isinstance(second, PlayerDecision)
    assert (second.player, len(second.options)) == (2, 3)
    state = choose(made, state, "bid", 3)
    assert over(made, state).scores == {1: 25, 2: 35, 3: 5}


def test_the_team_is_player_0_and_a_choice_may_be_the_player() -> None:
    made = table(
        "phase play: turns from 1 until begun is not nothing\n  team chooses begin\n"
        "phase rest: one turn each from begun\n  choose stay\n"
        "marker begun: player or nothing\naction begin(player in players)\n  begun becomes player\n" + SCORE,
        3,
    )
    decision = pending_decision(made, start_state(made))
    assert isinstance(decision, PlayerDecision)
    assert decision.player == 0
    assert seats(set_up_table(made.program, 3, {})) == [0, 1, 2, 3]


def test_a_state_that_is_held_does_not_change() -> None:
    made = table(TOGETHER, 3)
    state = start_state(made)
    before = (state.slots, hash(state))
    next_state(made, state, 0)
    pending_decision(made, state)
    assert (state.slots, hash(state)) == before
    assert start_state(made) == state


def test_options_are_of_actions_in_the_order_of_the_file() -> None:
    made = table("phase play\n  choose second or first\naction first\naction second\nscore at end\n  points = 0\n")
    decision = next(decisions(made))
    assert [option.action for option in decision.options] == ["first", "second"]


def test_the_game_is_over_after_the_last_round() -> None:
    made = set_up_table(program(f"phase play\n  choose stay\n{SCORE}"), 2)
    state = next_state(made, start_state(made), 0)
    assert isinstance(pending_decision(made, state), GameOver)
