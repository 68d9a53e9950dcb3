"""Small rulebooks of users at which something untrue was said once: what is said of them, on both engines."""

from __future__ import annotations

import json
from collections import Counter
from importlib.util import find_spec
from pathlib import Path
from shutil import copy
from typing import Any

import pytest

from rulesrun.cli import main
from rulesrun.files.loading import read_rules

FOLDER = Path(__file__).parent / "reported"
HAS_COMPILER = find_spec("llvmlite") is not None
ENGINES = ("reference", pytest.param("native", marks=pytest.mark.skipif(not HAS_COMPILER, reason="no machine code")))


def report_of(capsys: pytest.CaptureFixture[str], name: str, engine: str, *more: str) -> tuple[int, dict[str, Any]]:
    code = main([str(FOLDER / f"{name}.rules"), "--json", "--engine", engine, *more])
    found = json.loads(capsys.readouterr().out)["files"][0]
    assert isinstance(found, dict)
    return code, found


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", [
    "item_of_equals", "items_of_equals", "row_filled_again", "told_apart_by_name", "eights", "same_names",
])  # fmt: skip
def test_what_is_right_is_said_to_be_right(name: str, engine: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, found = report_of(capsys, name, engine, "--games", "20")
    assert (code, found["faults"]) == (0, [])
    assert all(one["verdict"] == "passed" for one in found["examples"])


@pytest.mark.parametrize("engine", ENGINES)
def test_hands_of_three_and_four_cards_to_lay(engine: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, found = report_of(capsys, "stuck", engine, "--games", "5")
    assert code == 1
    assert [fault["diagnostic"]["code"] for fault in found["faults"]] == ["empty-choice"]
    program = read_rules(str(FOLDER / "stuck.rules")).program
    assert program is not None
    assert [one.code for one in program.warnings] == ["choice-runs-out"]


@pytest.mark.parametrize("engine", ENGINES)
def test_a_turn_that_draws_has_drawn_in_an_example(engine: str, capsys: pytest.CaptureFixture[str]) -> None:
    _, found = report_of(capsys, "turn_that_draws", engine, "--games", "5")
    assert [one["verdict"] for one in found["examples"]] == ["failed", "passed", "failed"]


@pytest.mark.parametrize("engine", ENGINES)
def test_the_outer_turn_goes_on_after_the_turns_inside(engine: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Three outer turns, each with two answers inside; `n` keeps the 5 that the outer turn has given it."""
    file = str(FOLDER / "turns_inside.rules")
    assert main(["trace", file, "--states", "--engine", engine]) == 0
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {one["variables"]["n"] for one in events if one["event"] == "state"} == {5}
    chosen = [one["chosen"]["action"] for one in events if one["event"] == "decision"]
    assert chosen == ["ok", "ok", "check"] * 3
    assert main(["simulate", file, "--engine", engine, "--games", "10", "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)["tables"][0]["figures"]
    assert [one["value"] for one in figures if one["figure"] == ["length", "turns"]] == [3]


@pytest.mark.parametrize("engine", ENGINES)
def test_a_component_kind_may_be_counted_in_require(engine: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, found = report_of(capsys, "require_count", engine, "--games", "5")
    assert (code, found["faults"]) == (0, [])


@pytest.mark.parametrize("engine", ENGINES)
def test_no_two_figures_have_one_name(engine: str, capsys: pytest.CaptureFixture[str]) -> None:
    more = ["--engine", engine, "--games", "10", "--json", "--figures", "all"]
    assert main(["simulate", str(FOLDER / "same_names.rules"), *more]) == 0
    figures = json.loads(capsys.readouterr().out)["tables"][0]["figures"]
    for named in ("figure", "says"):
        assert max(Counter(str(one[named]) for one in figures).values()) == 1


def test_what_is_laid_out_anew_can_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = Path(copy(FOLDER / "copies_in_brackets.rules", tmp_path))
    assert main(["fmt", str(file)]) == 0
    assert read_rules(str(file)).program is not None
    assert "largest(wagers, 1) of each" in file.read_text("utf-8")
    capsys.readouterr()
