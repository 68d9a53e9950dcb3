"""Verdicts on a page say no more than what was found."""

from __future__ import annotations

from rulesrun.dsl.diagnostics import Diagnostic
from rulesrun.dsl.source import Span
from rulesrun.interpreter.bots.bot import FirstBot, RandomBot
from rulesrun.interpreter.bots.ladder import Outcome, Rung
from rulesrun.interpreter.table import set_up
from rulesrun.loading import read_rules
from rulesrun.pages.probing import Probed
from rulesrun.pages.skill import told
from rulesrun.pages.verdicts import status_of, status_text, summary_lines
from rulesrun.reports import FaultReport, FileReport, PropertyReport, TableReport


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
    assert "1 choice from which one learns what lies hidden" in told_of_leak


def test_a_game_that_goes_on_is_not_stuck() -> None:
    told_of_both = lines("empty-zone", "no-way-out", "too-long")
    assert "1 way to get stuck" in told_of_both
    assert "1 way to go on for ever, with no way to the end" in told_of_both
    assert "whether they can come to the end is not known" in told_of_both


def test_what_only_the_search_has_met_has_happened() -> None:
    met, unmet = (PropertyReport("can happen", "it", 1, "line 1", searched=times) for times in (3, 0))
    assert (status_of(met), status_text(met)) == ("holds", "happened")
    assert (status_of(unmet), status_text(unmet)) == ("open", "not met")


def test_of_habits_that_did_not_play_nothing_is_said() -> None:
    program = read_rules("classics/kuhn").program
    assert program is not None
    habit = Rung(FirstBot(), RandomBot(), 20)
    probed = Probed(set_up(program, 2, {}), habits=[habit])
    assert not list(told(probed))
    for _ in range(20):
        habit.note(Outcome(0.5))
    (line,) = told(probed)
    assert "was seen" in line.html
