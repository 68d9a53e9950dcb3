"""What the plain form looks at: other options and pairs of them, small tables, games that go on and on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rulesrun.cli import main
from rulesrun.interpreter.model.random import Streams
from rulesrun.interpreter.reference.collections import count_selections_by_size, list_selections

FOLDER = Path(__file__).parent / "plain_form"


def report_of(capsys: pytest.CaptureFixture[str], name: str, *more: str) -> tuple[int, dict[str, Any]]:
    path = FOLDER / f"{name}.rules"
    code = main([str(path) if path.exists() else name, "--json", *more])
    found = json.loads(capsys.readouterr().out)["files"][0]
    assert isinstance(found, dict)
    return code, found


def codes(report: dict[str, Any]) -> list[str]:
    return [fault["diagnostic"]["code"] for fault in report["faults"]]


def verdict_on_ends(report: dict[str, Any]) -> str:
    (found,) = (one["verdict"] for one in report["unwritten"] if one["title"] == "every game ends")
    return str(found)


@pytest.mark.parametrize("engine", ["auto", "reference"])
@pytest.mark.parametrize("name", ["spin2", "spin3"])
def test_games_that_cannot_end_with_another_option_are_found(
    capsys: pytest.CaptureFixture[str], name: str, engine: str
) -> None:
    """Three points lie there, and the players take them in turn: nobody gets three."""
    code, report = report_of(capsys, name, "--engine", engine)
    assert code == 1
    assert codes(report) == ["no-way-out"]
    assert "--set goal=3" in report["faults"][0]["repeat"]
    assert report["stories"][0]["options"]["goal"] == 3


def test_two_options_that_do_not_go_together_are_found(capsys: pytest.CaptureFixture[str]) -> None:
    """Eight goals with fewer than five letters are left, and each new one wants another letter."""
    code, report = report_of(capsys, "options_in_pairs")
    assert code == 1
    assert codes(report) == ["nothing-to-draw"]
    assert "--set goals=round --set goal_count=5" in report["faults"][0]["repeat"]
    assert report["options"]["pairs"] > 5


def test_a_declared_small_table_is_looked_at(capsys: pytest.CaptureFixture[str]) -> None:
    code, report = report_of(capsys, "small_table_not_looked_at")
    assert code == 1
    assert codes(report) == ["empty-choice"]
    (story,) = report["stories"]
    assert len(story["moves"]) == 2
    assert story["table"] == 'the small table "one card in the supply"'
    (site,) = (one for one in report["small_tables"] if one["title"] == "one card in the supply")
    assert (site["positions"], site["complete"], site["broken"]) == (6919, True, 1)


@pytest.mark.long
def test_a_small_table_of_the_base_that_does_not_fit_a_variant_is_no_false_alarm(
    capsys: pytest.CaptureFixture[str]
) -> None:
    """It is set up without goals; the variant wants one in each round."""
    code, report = report_of(capsys, "variants/collection_own_goal")
    assert code == 0
    assert any(one["broken"] for one in report["small_tables"])


def test_a_small_table_for_other_players_is_left_out_and_that_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    _, report = report_of(capsys, "small_table_not_looked_at", "--players", "3")
    titles = [one["title"] for one in report["small_tables"]]
    assert "one card in the supply" not in titles
    assert any("one card in the supply" in reason for reason in report["small_tables_left_out"])


def test_players_may_go_on_for_ever_and_nobody_must(capsys: pytest.CaptureFixture[str]) -> None:
    code, report = report_of(capsys, "may_go_on_is_not_stuck")
    assert code == 0
    assert report["ok"]
    assert not report["faults"]
    assert verdict_on_ends(report) == "may go on"
    assert report["lasting"]["games"] > 0


def test_of_the_base_the_same_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    """There players may exchange for ever, too; random ones happen to pass."""
    code, report = report_of(capsys, "zero")
    assert code == 0
    assert verdict_on_ends(report) == "may go on"


def test_too_many_ways_to_choose_are_told_after_the_first_game(capsys: pytest.CaptureFixture[str]) -> None:
    code, report = report_of(capsys, "too_many_options")
    assert code == 1
    assert codes(report) == ["too-many-options"]
    assert report["games"] == 1


@pytest.mark.parametrize("seed", range(20))
def test_selections_are_counted_as_they_are_written_down(seed: int) -> None:
    streams = Streams(seed)
    kinds = [kind for kind in range(4) for _ in range(streams.random_below(4, "copies"))]
    amounts = [kinds.count(kind) for kind in sorted(set(kinds))]
    counted = count_selections_by_size(amounts, len(kinds))
    for size in range(len(kinds) + 1):
        assert counted[size] == len(list_selections(kinds, size, size))


LONG = [pytest.param([one], marks=pytest.mark.long) for one in ("explore", "trace")]


@pytest.mark.parametrize(
    "words", [[], ["simulate"], ["test"], ["tree"], *LONG]
)
def test_chance_without_end_is_told_soon(capsys: pytest.CaptureFixture[str], words: list[str]) -> None:
    code = main([*words, str(FOLDER / "chance_without_end.rules"), "--set", "goal=3"])
    told = capsys.readouterr()
    assert "Traceback" not in told.err
    assert code == {"tree": 2, "explore": 0}.get("".join(words), 1), told
