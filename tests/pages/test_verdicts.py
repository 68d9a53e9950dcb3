"""Verdicts on a page say no more than what was found."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulesrun.dsl.diagnostics.diagnostic import Diagnostic
from rulesrun.dsl.text.source import Span
from rulesrun.files.loading import read_rules
from rulesrun.interpreter.bots.bot import FirstBot, RandomBot
from rulesrun.interpreter.measure.ladder import GameOutcome, Rung
from rulesrun.interpreter.reference.table import set_up_table
from rulesrun.pages.collecting import ProbeResult
from rulesrun.pages.skill import skill_lines
from rulesrun.pages.verdicts import property_status, property_status_text, summary_lines
from rulesrun.services.reports import FaultReport, FileReport, PropertyReport, TableReport
from tests.pages.made import text_of, tree, written


def fault(code: str) -> FaultReport:
    return FaultReport(Diagnostic(code, "so it is", Span("a.rules", 0, 1)), 1, "")


def lines(*codes: str) -> str:
    report = FileReport(read_rules("classics/kuhn"), tables=[TableReport(2, 10, 10)])
    report.faults += map(fault, codes)
    return " ".join(line.html for line in summary_lines(report))


def test_what_tells_a_secret_is_no_way_to_get_stuck() -> None:
    assert "1 way to get stuck" in lines("empty-zone")
    assert "2 ways to get stuck" in lines("empty-zone", "leaves-range")
    told_of_leak = lines("secret-leak")
    assert "no game gets stuck" in told_of_leak
    assert "1 choice that gives away what is hidden" in told_of_leak


def test_a_game_that_goes_on_is_not_stuck() -> None:
    told_of_both = lines("empty-zone", "no-way-out", "too-long")
    assert "1 way to get stuck" in told_of_both
    assert "1 way to go on for ever, with no way to the end" in told_of_both
    assert "it is not known whether they can" in told_of_both


def test_what_only_the_search_has_met_has_happened() -> None:
    met, unmet = (PropertyReport("can happen", "it", 1, "line 1", searched=times) for times in (3, 0))
    assert (property_status(met), property_status_text(met)) == ("holds", "seen")
    assert (property_status(unmet), property_status_text(unmet)) == ("open", "not seen")


def test_of_habits_that_did_not_play_nothing_is_said() -> None:
    program = read_rules("classics/kuhn").program
    assert program is not None
    habit = Rung(FirstBot(), RandomBot(), 20)
    probed = ProbeResult(set_up_table(program, 2, {}), habits=[habit])
    assert not list(skill_lines(probed))
    for _ in range(20):
        habit.add_outcome(GameOutcome(0.5))
    (line,) = skill_lines(probed)
    assert "simple habit" in line.html


BASE = """rules 1
game "One each"
players 2
number n: 0..9 = 0
phase play: one turn each from 1
  choose add or pass
action add
  n increases by 1
action pass
score at end
  points = n
ranking: highest total, ties share
example "one is added"
  when 1: add
  then n = 1
"""
DOUBLED = 'rules 1\nvariant "Two" of "base.rules"\nchange action add\n  n becomes 2\n'
TOLD = {
    "en": ("the variant holds", "1 example of its base no longer holds", "Examples of the base that no longer hold"),
    "ru": ("вариант верен", "1 пример основы больше не верен", "Примеры основы, которые больше не верны"),
}


@pytest.mark.parametrize("language", TOLD)
def test_examples_of_the_base_stand_apart_from_faults(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    """As in the text: a variant may break them rightly, and `rulesrun adopt` takes over what changed."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "base.rules").write_text(BASE, "utf-8")
    words = '\nwords ru\n  add: "прибавить"\n'
    (tmp_path / "two.rules").write_text(DOUBLED + words, "utf-8")
    page = text_of(tree(written(tmp_path, "two.rules", "--games", "20", "--lang", language, code=1)))
    for said in TOLD[language]:
        assert said in page
    assert "rulesrun adopt two.rules" in page
    assert "does not hold" not in page.replace("this does not hold", "")
    own = '\nexample "own"\n  when 1: add\n  then n = 1\n'
    (tmp_path / "two.rules").write_text(DOUBLED + words + own, "utf-8")
    page = text_of(tree(written(tmp_path, "two.rules", "--games", "20", code=1)))
    assert page.count("fails example “own”") == 1
    assert page.count("no longer holds example “one is added”") == 1
