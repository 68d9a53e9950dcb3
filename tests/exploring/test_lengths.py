"""`ends within` is judged exactly where all positions were looked at: by the longest game there is."""

from __future__ import annotations

from typing import Any

import pytest

from rulesrun.interpreter.explore.breadth_first import Engine, Explored, explore_table
from rulesrun.interpreter.explore.findings import LengthCheck, check_lengths, tell_length
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.symmetry.renaming import find_word_group
from tests.interpreter.made import table

HEAP = """
number left: 0..7 = 7
rounds 2
setup round
  left becomes 7
phase play: turns from 1 until left = 0
  choose take{more}
action take(n in 1..3)
  needs n <= left
  left decreases by n
action rest
  needs left > 5
score at end
  points = left
ranking: highest total, ties share
ends within {turns} turns "turns"
ends within {rounds} rounds "rounds"
ends within {decisions} decisions "decisions"
"""
"""The longest game takes one at a time: seven turns a round."""

AT_ONCE = """
values Colour: red, blue, green
number times: 0..5 = 0
marker last: Colour or nothing
phase play: repeat until times = 2
  all choose name
  last becomes nothing
  times increases by 1
action name(c in Colour)
  last becomes c
score at end
  points = times
ranking: highest total, ties share
ends within {most} decisions "two of each"
"""


def engines() -> list[Any]:
    return [pytest.param(jobs, id=f"{jobs} threads" if jobs else "reference") for jobs in (0, 1, 2)]


def engine(made: Table, jobs: int) -> Engine | None:
    if not jobs:
        return None
    pytest.importorskip("llvmlite")
    from rulesrun.interpreter.native.explore.exploration import compile_exploration, make_native_engine

    return make_native_engine(compile_exploration(made), jobs, few=0)


def looked(made: Table, jobs: int, limit: int = 1000) -> tuple[Explored, list[LengthCheck]]:
    found = explore_table(made, limit, group=find_word_group(made), engine=engine(made, jobs))
    return found, check_lengths(found)


def heap(turns: int, rounds: int, decisions: int, more: str = "") -> Table:
    return table(HEAP.format(turns=turns, rounds=rounds, decisions=decisions, more=more))


@pytest.mark.parametrize("jobs", engines())
def test_the_longest_game_is_known(jobs: int) -> None:
    found, told = looked(heap(14, 2, 14), jobs)
    assert found.is_complete
    assert [(one.unit, one.longest, one.is_known, one.is_broken) for one in told] == [
        ("turns", 14, True, False), ("rounds", 2, True, False), ("decisions", 14, True, False)
    ]


@pytest.mark.parametrize("jobs", engines())
def test_one_less_is_broken_with_the_shortest_story(jobs: int) -> None:
    """The second round begins after three moves at the soonest: 3 + 3 + 1."""
    found, told = looked(heap(13, 1, 13), jobs)
    assert all(one.is_broken for one in told)
    stories = [tell_length(found, one) for one in told]
    assert [len(story.moves) for story in stories if story is not None] == [14, 3, 13]
    assert [story.failure.title for story in stories if story is not None] == ["turns", "rounds", "decisions"]


@pytest.mark.parametrize("jobs", engines())
def test_a_circle_has_no_longest_game(jobs: int) -> None:
    """Resting changes nothing but whose turn it is."""
    found, told = looked(heap(300, 2, 300, " or rest"), jobs)
    assert [one.is_broken for one in told] == [True, False, True]
    story = tell_length(found, told[0])
    assert story is not None
    assert len(story.moves) == 301


@pytest.mark.parametrize("jobs", engines())
def test_what_was_not_followed_is_not_known(jobs: int) -> None:
    found, told = looked(heap(14, 2, 14), jobs, limit=9)
    assert not found.is_complete
    assert not any(one.is_known or one.is_broken for one in told)
    assert 0 < told[0].longest < 14


@pytest.mark.parametrize("jobs", engines())
@pytest.mark.parametrize(("most", "broken"), [(4, False), (3, True)])
def test_choices_at_the_same_moment_are_counted_one_by_one(jobs: int, most: int, broken: bool) -> None:
    """Two players, twice; the colours are alike, so that ways lead to positions that stand for others."""
    found, (told,) = looked(table(AT_ONCE.format(most=most)), jobs)
    assert (told.is_broken, told.longest, told.is_known) == (broken, 4, True)
    story = tell_length(found, told) if broken else None
    assert (story is not None) is broken


def test_the_command_tells_it(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    from rulesrun.cli import main

    file = tmp_path / "heap.rules"
    text = HEAP.format(turns=14, rounds=2, decisions=13, more="")
    file.write_text(f'rules 1\ngame "Heap"\nplayers 2\n{text}', "utf-8")
    assert main(["explore", str(file)]) == 1
    said = capsys.readouterr().out
    assert "the longest game has 14 turns" in said
    assert "the longest game has 2 rounds" in said
    assert 'fails      ends within 13 decisions "decisions"' in said
    assert "2 players, 13 moves" in said


@pytest.mark.parametrize("jobs", engines())
def test_turns_inside_a_turn_make_no_game_longer(jobs: int) -> None:
    made = table(
        "number done: 0..3 = 0\nphase play: turns from 1 until done = 3\n  one turn each from left of player\n"
        "    choose go\n  done increases by 1\naction go\nends within 3 turns \"three\"\nscore at end\n  points = 0\n"
        "ranking: highest total, ties share\n", 3,
    )  # fmt: skip
    (found,) = check_lengths(explore_table(made, engine=engine(made, jobs)))
    assert (found.longest, found.is_known) == (3, True)
