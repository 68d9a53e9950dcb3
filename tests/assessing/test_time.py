"""The clock ends games by construction: every question has its part of the time, and what was cut is told."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count

import pytest

from rulesrun.files.loading import read_playable
from rulesrun.interpreter.assess import played_games
from rulesrun.interpreter.assess.answers import NO
from rulesrun.report.assess_text import assessment_json, assessment_text
from rulesrun.run import bot_games
from rulesrun.run.bot_games import AssessTools, GamesOrder
from rulesrun.run.ranges import make_order
from rulesrun.services import assess
from rulesrun.services.assess import assess_rules, choose_table
from rulesrun.terminal.requests import AssessRequest

TICK = 0.002  # seconds, each time that somebody looks at the clock


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[], float]:
    """One that goes on by being looked at."""
    ticks: Iterator[int] = count()

    def look() -> float:
        return next(ticks) * TICK

    for module in (played_games, bot_games, assess):
        monkeypatch.setattr(module, "monotonic", look)
    return look


def test_every_question_has_its_part_of_the_time(clock: Callable[[], float]) -> None:
    request = AssessRequest(files=("classics/pig",), players="2", jobs=1, seconds=10, quiet=True, engine="reference")
    found = assess_rules(read_playable("classics/pig"), request)
    assert clock() < 10
    assert found.is_late
    assert set(found.planned) == set(found.played) == {"alone", "against", "random", "without"}
    assert all(found.played.values())
    assert any(found.played[kind] < games for kind, games in found.planned.items())
    told = " ".join(assessment_text(found).split())
    assert f"{found.played['alone']:,} of {found.planned['alone']:,} between good players" in told
    assert assessment_json(found)["tables"][0]["played"]["alone"] == [found.played["alone"], found.planned["alone"]]


def test_the_game_at_hand_is_left_out(clock: Callable[[], float]) -> None:
    reading = read_playable("classics/pig")
    table = choose_table(reading, AssessRequest(files=("classics/pig",), players="2"))
    tools, whole = AssessTools(table, "reference", 7), GamesOrder(make_order(reading, table, 7, None, ()), "random")
    all_games = tools.play(whole, 0, 6)
    cut = GamesOrder(whole.side, "random", until=clock() + TICK * (all_games[0].decisions + 6))
    assert tools.play(cut, 0, 6) == all_games[:1]
    assert tools.play(cut, 1, 6) == []


def test_too_little_time_says_nothing(clock: Callable[[], float]) -> None:
    request = AssessRequest(files=("gallery/gin_rummy",), jobs=1, seconds=1, quiet=True, engine="reference")
    found = assess_rules(read_playable("gallery/gin_rummy"), request)
    assert found.is_late
    assert found.decided is None or found.decided.verdict != NO
    assert "Not known" in assessment_text(found)


def test_work_has_no_clock(clock: Callable[[], float]) -> None:
    request = AssessRequest(files=("classics/kuhn",), players="2", jobs=1, work=1, quiet=True)
    found = assess_rules(read_playable("classics/kuhn"), request)
    assert not found.is_late
    assert found.planned == found.played
