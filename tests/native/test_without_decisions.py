"""Games in which chance decides alone: machine code plays them up to the bounds of the reference, not for a while."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from unittest.mock import patch

import pytest

pytest.importorskip("llvmlite")

from rulesrun.files.loading import read_rules
from rulesrun.interpreter.bots.bot import RandomBot
from rulesrun.interpreter.bots.match import play_match
from rulesrun.interpreter.measure.duel import ReferenceMeasurer
from rulesrun.interpreter.model.random import Streams
from rulesrun.interpreter.model.values import Fault
from rulesrun.interpreter.native.flow.engine import GameBatch
from rulesrun.interpreter.play.game_loop import MOST_BY_CHANCE
from rulesrun.interpreter.play.random_games import simulate_games
from rulesrun.interpreter.reference.table import Table, set_up_table
from tests.interpreter.made import table
from tests.native.both import differences, quick_engine

WAR = Path(__file__).parent / "rules" / "war.rules"
THROWS = """
option many: 1..{most} = 1
number face: 1..6
number thrown: 0..{most} = 0
marker done: yes or no = no
phase throwing{header}
{body}
score at end
  points = thrown
ranking: highest total, ties share
"""
BODIES = {
    "again and again": (": repeat until thrown = many", "  roll face\n  thrown increases by 1"),
    "so many times": ("", "  repeat many times\n    roll face\n    thrown increases by 1"),
    "turn by turn": (": turns from 1 until thrown >= many", "  roll face\n  thrown increases by 1"),
}
ASKED_IN_BETWEEN = """
option many: 1..{most} = 1
number face: 1..6
number thrown: 0..{most} = 0
phase play: turns from 1 until thrown >= many
  choose throw
action throw
  repeat smallest(1000, many - thrown) times
    roll face
    thrown increases by 1
score at end
  points = thrown
ranking: highest total, ties share
"""
COUNTING = """
number counted: 0..60000 = 0
phase counting
  repeat {times} times
    counted increases by 1
score at end
  points = counted
ranking: highest total, ties share
"""


def throwing(way: str, many: int) -> Table:
    header, body = BODIES[way]
    return table(THROWS.format(header=header, body=body, most=MOST_BY_CHANCE + 1), many=many)


def played_again(made: Table, games: int) -> list[int]:
    """The numbers of the games that the reference had to play after machine code."""
    again: list[int] = []
    look = GameBatch.replay_by_reference

    def replay_noting(self: GameBatch, number: int) -> None:
        again.append(number)
        look(self, number)

    with patch.object(GameBatch, "replay_by_reference", replay_noting):
        assert differences(made, games, engine=quick_engine(made)) == []
    return again


@pytest.mark.parametrize("battles", [100, 300, 2000])
def test_a_game_of_some_thousand_draws_is_played_in_machine_code_alone(battles: int) -> None:
    program = read_rules(str(WAR)).program
    assert program is not None
    assert played_again(set_up_table(program, 2, {"cap": battles}), 10) == []


@pytest.mark.parametrize("way", BODIES)
def test_machine_code_goes_as_far_as_the_reference(way: str) -> None:
    assert played_again(throwing(way, MOST_BY_CHANCE), 1) == []
    assert played_again(throwing(way, MOST_BY_CHANCE + 1), 1) == [0]  # too long on both


@pytest.mark.parametrize(("many", "finished"), [(MOST_BY_CHANCE, 1), (MOST_BY_CHANCE + 1, 0)])
def test_chance_is_counted_through_the_whole_game(many: int, finished: int) -> None:
    """Whoever is asked in between: a player here, after every thousand throws."""
    made = table(ASKED_IN_BETWEEN.format(most=MOST_BY_CHANCE + 1), many=many)
    assert played_again(made, 1) == [0] * (1 - finished)
    measured, streams = ReferenceMeasurer(made, 0), Streams(0)
    assert measured.totals(0, 1).finished == simulate_games(made, 0, 1).places.total() == finished
    with pytest.raises(Fault) if not finished else nullcontext():
        play_match(made, [RandomBot()] * made.players, streams)


def test_many_steps_without_chance_are_no_reason_either() -> None:
    """The reference does two operations each time, and a hundred thousand between two questions."""
    assert played_again(table(COUNTING.format(times=49_900)), 1) == []
    assert played_again(table(COUNTING.format(times=50_100)), 1) == [0]
