"""Every planted leak is found and named, and nothing is said of rulebooks that are like them and tell nothing."""

from __future__ import annotations

import re
from itertools import count
from os import times
from pathlib import Path
from re import Match

import pytest

from rulesrun.cli import main
from rulesrun.dsl.typing.program import Program
from rulesrun.files.loading import read_rules
from rulesrun.interpreter.reference.table import set_up_table
from rulesrun.interpreter.secrecy.information_flow import LaidOpen, find_laid_open
from rulesrun.interpreter.secrecy.leaks import Leak
from rulesrun.interpreter.secrecy.open_choices import prove_open_choices
from tests.searching.made import searched
from tests.searching.planted import (
    ANOTHERS,
    COUNTS,
    FLOW,
    LOOK_ALIKES,
    PLACES,
    SEEN_TO_GO,
    TOGETHER,
    VALUES,
    Planted,
    rulebook,
)

PLANTED = [*VALUES, *FLOW, *COUNTS, *ANOTHERS, *TOGETHER, *PLACES, *SEEN_TO_GO]
FOUND_BY_GAMES = {"options against the neighbour's hand"}
SECONDS = 30  # of processor time in which the plain form finds each


def read(text: str, folder: Path) -> Program:
    file = folder / "planted.rules"
    file.write_text(text, "utf-8")
    program = read_rules(str(file)).program
    assert program is not None
    return program


def told(text: str, folder: Path) -> list[tuple[str, LaidOpen]]:
    table = set_up_table(read(text, folder), 2, {})
    return [(text[one.span.start : one.span.end], one) for one in find_laid_open(table)]


def leaks_met(text: str, folder: Path, games: int) -> list[Leak]:
    found = searched(set_up_table(read(text, folder), 2, {}), games, leaks=True).found.values()
    return [failure.leak for game in found for failure in game.failures if failure.leak is not None]


def is_warned_of(program: Program) -> bool:
    return any(one.code == "secret-leak" for one in program.warnings)


def seconds_spent() -> float:
    """Of processor time, in the processes that were started and are over, too."""
    return sum(times()[:4])


def test_there_are_sixty() -> None:
    assert [len(VALUES), len(FLOW), len(COUNTS)] == [20, 20, 20]
    assert len(LOOK_ALIKES) >= 40


@pytest.mark.parametrize("one", PLANTED, ids=lambda one: one.name)
def test_what_is_planted_is_named(one: Planted, tmp_path: Path) -> None:
    text = rulebook(one.parts)
    if one.name in FOUND_BY_GAMES:
        leaks = leaks_met(text, tmp_path, 60)
        assert leaks
        assert any(place.startswith(one.thing) for leak in leaks for _, place in leak.swapped)
        return
    assert any(one.line in line and one.thing in found.things for line, found in told(text, tmp_path))


@pytest.mark.parametrize(("name", "parts"), LOOK_ALIKES, ids=[name for name, _ in LOOK_ALIKES])
def test_nothing_is_said_of_a_look_alike(name: str, parts: dict[str, str], tmp_path: Path) -> None:
    text = rulebook(parts)
    assert told(text, tmp_path) == []
    assert leaks_met(text, tmp_path, 8) == []
    assert not is_warned_of(read(text, tmp_path))


def name_conditions(text: str) -> str:
    """The same rules, with each condition of an `if` under a name."""
    numbers = count(1)

    def name(line: Match[str]) -> str:
        number = next(numbers)
        return f"{line[1]}let reason_{number} = {line[2]}\n{line[1]}if reason_{number}\n"

    return re.sub(r"^( +)if (.*)\n", name, text, flags=re.MULTILINE)


NAMED = [one for one in PLANTED if name_conditions(rulebook(one.parts)) != rulebook(one.parts)]
NAMED_ALIKE = [(name, parts) for name, parts in LOOK_ALIKES if name_conditions(rulebook(parts)) != rulebook(parts)]


@pytest.mark.parametrize("one", NAMED, ids=lambda one: one.name)
def test_a_name_for_a_condition_hides_nothing(one: Planted, tmp_path: Path) -> None:
    written, named = rulebook(one.parts), name_conditions(rulebook(one.parts))
    assert any(one.thing in found.things for _, found in told(named, tmp_path))
    assert is_warned_of(read(named, tmp_path)) == is_warned_of(read(written, tmp_path))


def test_games_find_what_a_name_decides(tmp_path: Path) -> None:
    asked = "if highest of rank of c over c in hand of left of player > 4\n  choose keep"
    text = name_conditions(rulebook({"after": asked}))
    assert "let reason_1" in text
    assert leaks_met(text, tmp_path, 4)


@pytest.mark.parametrize(("name", "parts"), NAMED_ALIKE, ids=[name for name, _ in NAMED_ALIKE])
def test_a_name_for_a_condition_tells_nothing(name: str, parts: dict[str, str], tmp_path: Path) -> None:
    text = name_conditions(rulebook(parts))
    assert told(text, tmp_path) == []
    assert leaks_met(text, tmp_path, 4) == []
    assert not is_warned_of(read(text, tmp_path))


@pytest.mark.parametrize("one", PLANTED, ids=lambda one: one.name)
def test_what_is_warned_of_is_not_proved(one: Planted, tmp_path: Path) -> None:
    program = read(rulebook(one.parts), tmp_path)
    found = prove_open_choices(set_up_table(program, 2, {}))
    is_proved = found.flow and len(found.proved) == found.choices
    assert not (is_proved and is_warned_of(program))


@pytest.mark.long
@pytest.mark.parametrize("one", PLANTED, ids=lambda one: one.name)
def test_the_plain_form_finds_it_in_time(one: Planted, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, began = tmp_path / "planted.rules", seconds_spent()
    file.write_text(rulebook(one.parts), "utf-8")
    main([str(file)])
    assert seconds_spent() - began < SECONDS
    lines = capsys.readouterr().out.split("\n")
    named = [line for line in lines if one.line in line or "only" in line or "cannot see" in line]
    assert any(one.thing in line for line in named)


@pytest.mark.long
@pytest.mark.parametrize(("name", "parts"), LOOK_ALIKES, ids=[name for name, _ in LOOK_ALIKES])
def test_the_plain_form_says_nothing_of_it(
    name: str, parts: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "planted.rules"
    file.write_text(rulebook(parts), "utf-8")
    main([str(file)])
    out = capsys.readouterr().out
    assert "reveals" not in out
    assert "secret-leak" not in out
