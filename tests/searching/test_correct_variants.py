"""No false alarm on correct house rules of the bundled games, and on correct rulebooks: no warning, nothing broken, no
leak, nothing laid open (that the base does not lay open as well)."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from rulesrun.cli import main
from rulesrun.files.loading import Reading, read_rules
from rulesrun.interpreter.reference.table import Table, set_up_table
from rulesrun.interpreter.secrecy.information_flow import find_laid_open
from rulesrun.interpreter.secrecy.leaks import Leak
from rulesrun.services.tables import allowed_players
from tests.searching.correct_rulebooks import correct_rulebook
from tests.searching.correct_variants import SPECIAL, Variant, correct_variant
from tests.searching.made import searched

MANY = 300
FEW = 2 * len(SPECIAL)


def reading_of(variant: Variant, folder: Path) -> tuple[Path, Reading]:
    file = folder / "house_rule.rules"
    file.write_text(variant.text, "utf-8")
    return file, read_rules(str(file))


def tables_of(reading: Reading, options: dict[str, str] | None = None) -> list[Table]:
    assert reading.program is not None
    return [set_up_table(reading.program, players, options or {}) for players in allowed_players(reading.program)]


def options_of(variant: Variant) -> dict[str, str]:
    """What it sets: with another value of an option other lines of the base come into play."""
    return dict(re.findall(r"^set (\w+) = (\w+)$", variant.text, re.MULTILINE))


def ways_of_telling(tables: list[Table]) -> int:
    return len({(one.span, one.how) for table in tables for one in find_laid_open(table)})


def leaks_met(table: Table, games: int) -> list[Leak]:
    found = searched(table, games, leaks=True).found.values()
    return [failure.leak for game in found for failure in game.failures if failure.leak is not None]


@pytest.mark.parametrize("seed", range(FEW))
def test_nothing_is_said_of_a_correct_variant(seed: int, tmp_path: Path) -> None:
    variant = correct_variant(seed)
    _, reading = reading_of(variant, tmp_path)
    assert not reading.diagnostics, variant.text
    base = tables_of(read_rules(variant.base), options_of(variant))
    assert ways_of_telling(tables_of(reading)) <= ways_of_telling(base)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(MANY))
def test_the_plain_form_finds_nothing(seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    variant = correct_variant(seed)
    file, reading = reading_of(variant, tmp_path)
    assert not reading.diagnostics, variant.text
    code = main([str(file), "--json"])
    [found] = json.loads(capsys.readouterr().out)["files"]
    failing = [one for one in found["unwritten"] if one["verdict"] == "fails"]
    assert code == 0, (variant.text, found)
    assert not failing, (variant.text, failing)
    base = ways_of_telling(tables_of(read_rules(variant.base), options_of(variant)))
    assert len(found["lays_open"]) <= base, (variant.text, found["lays_open"])
    assert not leaks_met(tables_of(reading)[0], 6), variant.text


@pytest.mark.parametrize("seed", range(FEW))
def test_nothing_is_said_of_a_correct_rulebook(seed: int, tmp_path: Path) -> None:
    text = correct_rulebook(seed)
    _, reading = reading_of(Variant("made up", "", text), tmp_path)
    assert not reading.diagnostics, text
    assert ways_of_telling(tables_of(reading)) == 0, text


@pytest.mark.long
@pytest.mark.parametrize("seed", range(MANY))
def test_the_plain_form_finds_nothing_in_it(
    seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = correct_rulebook(seed)
    file, reading = reading_of(Variant("made up", "", text), tmp_path)
    assert not reading.diagnostics, text
    code = main([str(file), "--json"])
    [found] = json.loads(capsys.readouterr().out)["files"]
    assert (code, found["faults"], found["lays_open"]) == (0, [], []), text
    assert not [one for one in found["unwritten"] if one["verdict"] == "fails"], text
