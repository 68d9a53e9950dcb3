"""What is broken is found, by the shortest game; what cannot happen is said; what ends and what does not."""

from __future__ import annotations

from collections import deque

import pytest

from rulesrun.interpreter.explore.breadth_first import Explored, explore_table
from rulesrun.interpreter.explore.findings import (
    answers_to,
    find_circle,
    find_trapped_positions,
    longest_game_length,
    tell_circle,
    tell_finding,
    tell_trap,
)
from rulesrun.interpreter.explore.never_happened import find_never_happened
from rulesrun.interpreter.search.answered_games import GameChecker, ListedAnswers
from tests.exploring.made import EXCHANGES, Explore, bundled, merged, plainly, table_of

COUNTING = """rules 1
game "Counting"
players 2
number steps: 0..9 = 0
phase play: turns from 1 until steps >= 7
  choose one or two
action one
  steps increases by 1
action two
  steps increases by 2
score at end
  points = steps
ranking: highest total, ties share
"""


def test_a_broken_property_with_the_fewest_moves() -> None:
    """To 6 from 0 by ones and twos, never looked at before the second move: three twos."""
    found = plainly(table_of(COUNTING + 'never "six": steps = 6\n'))
    (finding,) = found.findings
    story = tell_finding(found, finding)
    assert story is not None
    assert [move.option.action for move in story.moves] == ["two", "two", "two"]
    assert story.failure.title == "six"


@pytest.mark.parametrize("look", [plainly, merged])
def test_a_property_of_a_moment_is_found_on_the_way_to_known_positions(look: Explore) -> None:
    rules = EXCHANGES + 'after exchange "something is passed": passes > 0\n'
    found = look(table_of(rules))
    (finding,) = found.findings
    story = tell_finding(found, finding)
    assert story is not None
    assert [move.option.action for move in story.moves] == ["exchange"]


def test_a_number_that_leaves_its_range() -> None:
    found = plainly(table_of(COUNTING.replace("0..9 = 0", "0..7 = 0")))
    (finding,) = found.findings
    assert (finding.kind, finding.title) == ("fault", "leaves-range")
    story = tell_finding(found, finding)
    assert story is not None
    assert [move.option.action for move in story.moves] == ["two", "two", "two", "two"]


def test_a_choice_among_nothing() -> None:
    rules = COUNTING.replace("action one\n", "action one\n  needs steps < 3\n").replace(
        "action two\n", "action two\n  needs steps < 3\n"
    )
    found = plainly(table_of(rules))
    assert [finding.title for finding in found.findings] == ["empty-choice"]
    story = tell_finding(found, found.findings[0])
    assert story is not None
    assert len(story.moves) == 2


def test_a_tie_that_nobody_decides() -> None:
    found = plainly(table_of(COUNTING.replace(", ties share", "")))
    assert [finding.title for finding in found.findings] == ["undecided-tie"]


def test_an_empty_pile() -> None:
    rules = EXCHANGES.replace("  passes increases by 1\n", "  passes increases by 1\n  draw 2 from stock to supply\n")
    found = plainly(table_of(rules))
    assert [finding.title for finding in found.findings] == ["empty-zone"]
    story = tell_finding(found, found.findings[0])
    assert story is not None
    assert [move.option.action for move in story.moves] == ["pass", "pass"]


# ---- endings

TRAPPING = """rules 1
game "A trap"
players 1
number place: 0..5 = 0
phase walk: turns from 1 until place = 4
  choose step_on or slip
action step_on
  needs place < 3
  place increases by 1
action slip
  needs place in 2..3
  if place = 3
    place becomes 5
  otherwise
    place becomes 4
action turn
score at end
  points = place
ranking: highest total, ties share
"""


def test_a_position_without_a_way_to_the_end() -> None:
    """From 3 one slips to 5, where one turns for ever; from 2 one may still slip to the end."""
    rules = TRAPPING.replace("choose step_on or slip", "choose step_on, slip or turn").replace(
        "action turn\n", "action turn\n  needs place = 5\n"
    )
    found = plainly(table_of(rules, 1))
    trapped = find_trapped_positions(found)
    assert found.findings == []
    assert len(trapped) == 2
    story = tell_trap(found, trapped)
    assert [move.option.action for move in story.moves] == ["step_on", "step_on", "step_on"]
    assert story.trapped == 2


def test_a_circle_that_can_be_left_is_no_trap() -> None:
    rules = COUNTING.replace("choose one or two", "choose one, two or back").replace(
        "score at end", "action back\n  needs steps > 1\n  steps decreases by 2\nscore at end"
    )
    found = plainly(table_of(rules))
    assert find_trapped_positions(found) == []
    way = find_circle(found)
    assert way is not None
    told = tell_circle(found, way)
    assert len(told.story.moves) == told.until + len(way.positions)
    assert len(way.positions) == brute_shortest_circle(found)


def brute_shortest_circle(found: Explored) -> int:
    """The shortest way back of the first position that has one."""
    for start in range(len(found.keys)):
        steps, waiting = {}, deque((one, 1) for one in found.successors_of(start))
        while waiting:
            number, length = waiting.popleft()
            if number == start:
                return length
            if number not in steps:
                steps[number] = length
                waiting.extend((one, length + 1) for one in found.successors_of(number))
    raise AssertionError("there is no circle")


def test_no_circle_where_every_move_takes_something_away() -> None:
    assert find_circle(plainly(bundled("classics/nim", heaps=[2, 2]))) is None


# ---- what never happens


def test_what_never_happens() -> None:
    rules = COUNTING + 'action leap\n  steps increases by 7\n'
    rules += 'can happen "eight": steps = 8\ncan happen "nine": steps = 9\n'
    rules = rules.replace("choose one or two", "choose one, two or leap").replace(
        "action leap\n", "action leap\n  needs steps = 9\n"
    ).replace("  points = steps\n", "  points = steps\n  bonus = if steps = 3 then 1 else 0\n")
    found = find_never_happened(plainly(table_of(rules)))
    assert {(one.kind, one.name) for one in found} == {
        ("action", "leap"), ("score line", "bonus"), ("can happen", "nine"),
    }


def test_rules_on_cards_that_are_never_met() -> None:
    rules = COUNTING + """
card Goal: bonus 1..3, rule met
  far: 1, steps >= 8
  farther: 2, steps >= 9
zone goals: set of Goal, public
"""
    rules = rules.replace("  points = steps\n", "  points = sum of bonus over g in goals where met of g\n")
    rules = rules.replace("phase play", "setup\n  move all Goal to goals\nphase play")
    found = find_never_happened(plainly(table_of(rules)))
    assert ("rule", "met of farther") in {(one.kind, one.name) for one in found}
    assert ("rule", "met of far") not in {(one.kind, one.name) for one in found}


# ---- retracing, limits


@pytest.mark.parametrize("look", [plainly, merged])
def test_every_position_is_reached_by_the_game_that_is_told_for_it(look: Explore) -> None:
    table = table_of(EXCHANGES)
    found = look(table)
    for number in range(0, len(found.keys), 13):
        answers = answers_to(found, number)
        played = GameChecker(table, len(answers) + 1).play_game(ListedAnswers(answers))
        assert played.answers[: len(answers)] == answers


def test_at_the_limit_what_is_known_is_partial() -> None:
    found = plainly(bundled("classics/tic_tac_toe"), limit=500)
    assert found.stopped == "limit"
    assert not found.is_complete
    assert 500 < len(found.keys) < 520
    assert find_trapped_positions(found) == []
    assert found.expanded < len(found.keys)


def test_positions_do_not_remember_how_often_they_came_when_no_rule_asks() -> None:
    rules = COUNTING + "memory places\ncan happen \"again\": times(places) = 2\n"
    rules = rules.replace("  choose one or two", "  record steps in places\n  choose one or two")
    found = plainly(table_of(rules))
    assert len(found.keys) == len(plainly(table_of(COUNTING)).keys)
    assert not [one for one in find_never_happened(found) if one.kind == "can happen"]


def test_an_interruption_leaves_what_is_known() -> None:
    def stop(positions: int) -> None:
        if positions > 600:
            raise KeyboardInterrupt

    found = explore_table(bundled("classics/tic_tac_toe"), tell=stop)
    assert found.stopped == "interrupted"
    assert 600 < len(found.keys) < 5478
    assert found.expanded < len(found.keys)
    assert find_trapped_positions(found) == []


def test_time_is_kept() -> None:
    found = explore_table(bundled("tokens"), seconds=0.2)
    assert found.stopped == "time"
    assert found.seconds < 5


def test_how_long_a_game_lasts_is_no_matter_of_positions() -> None:
    """Every game is over after five decisions; there are more positions than that."""
    found = plainly(table_of(
        'rules 1\ngame "Five"\nplayers 2\nnumber n: 0..5 = 0\nnumber m: 0..5 = 0\n'
        "phase play: turns from 1 until n + m >= 5\n  choose one or other\n"
        "action one\n  n increases by 1\naction other\n  m increases by 1\n"
        'ends within 5 decisions "short"\nends within 1 turns "shorter"\n'
    ))
    assert found.is_complete
    assert len(found.keys) == 21
    assert not found.findings


def test_the_longest_game_may_be_longer_than_the_way_to_any_position() -> None:
    """One step or two: everywhere in two moves, but a game may take four."""
    text = """rules 1
game "Steps"
players 1
number walked: 0..4 = 0
phase play: turns from 1 until walked = 4
  choose one or two
action one
  walked increases by 1
action two
  needs walked <= 2
  walked increases by 2
score at end
  points = walked
"""
    found = plainly(table_of(text, 1))
    assert (found.depth, longest_game_length(found)) == (2, 4)
    assert longest_game_length(plainly(bundled("classics/tic_tac_toe"))) == 9
