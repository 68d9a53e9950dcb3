"""Verdicts on a page: what the check, the examples, the games and the search found, each with its status."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from rulesrun.dsl.diagnostics.diagnostic import Diagnostic
from rulesrun.dsl.diagnostics.report import format_diagnostics, summarize_diagnostics
from rulesrun.interpreter.search.endless import ENDLESS, MAY_GO_ON, NOT_OVER
from rulesrun.locale.language import say
from rulesrun.pages.collecting import CollectedFile
from rulesrun.pages.markup import Markup, command_element, element, heading, join_markup, paragraph, text_with_code
from rulesrun.pages.sheets import Cell, number_cell, sortable_sheet, text_cell
from rulesrun.pages.stories import story_block
from rulesrun.services.reports import (
    ExampleReport,
    FileReport,
    PropertyReport,
    adopt_command,
    count_base_examples,
    label_of,
)
from rulesrun.services.share_verdicts import share_text
from rulesrun.terminal.plurals import counted

HOLDS, FAILS, OPEN = "holds", "fails", "open"
BASE = OPEN, "no longer holds"


def badge(status: str, shown: str) -> Markup:
    return element("span", shown, class_=f"badge {status}")


def file_verdict(found: CollectedFile) -> Markup:
    partial = badge(OPEN, "interrupted: partial") if found.is_partial else None
    if found.holds and found.report.unknown_shares:
        return join_markup((badge(OPEN, "nothing broken so far"), partial))
    if found.is_faultless and found.report.base_examples:
        left = count_base_examples(len(found.report.base_examples))
        return join_markup((badge(HOLDS, "the variant holds"), badge(OPEN, left), partial))
    return join_markup((badge(HOLDS, "everything holds") if found.holds else badge(FAILS, "does not hold"), partial))


def broken_section(report: FileReport, anchor: str) -> Markup | None:
    """Every story first, then what failed in the words of the rules."""
    blocks = [
        *(failure_block(one.title, "example", one.diagnostic, (*one.values, *one.notes), report)
          for one in report.examples if one.is_fault),
        *(failure_block(one.title, one.word, None, one.values, report) for one in report.properties if one.is_broken),
        *(failure_block(one.diagnostic.message, label_of(one), one.diagnostic, (), report) for one in report.faults),
    ]  # fmt: skip
    stories = [story_block(one, f"{anchor}-{number}") for number, one in enumerate(report.stories, 1)]
    base = list(base_examples(report))
    if not (blocks or stories or base):
        return None
    title = heading(3, say("What is broken")) if blocks or stories else heading(3, say("What the variant changes"))
    return element("section", title, *stories, *blocks, *base, id=anchor)


def summary_list(report: FileReport) -> Markup:
    return element("ul", *(element("li", line) for line in summary_lines(report)), class_="verdicts")


def summary_lines(report: FileReport) -> Iterator[Markup]:
    yield from check_lines(report)
    counts = [one.verdict for one in report.examples if one.is_fault or one.verdict != "failed"]
    for status, name, shown in ((HOLDS, "passed", "passed"), (FAILS, "failed", "failed"), (OPEN, "todo", "to do")):
        if name in counts:
            of = counted(len(report.examples), "example")
            yield join_markup((badge(status, shown), f" {counts.count(name)} of {of} of the rulebook"))
    if report.base_examples:
        told = base_examples_text(report)
        yield join_markup((badge(OPEN, "base examples"), f" {told}"))
    held = [one for one in report.properties if property_status(one) == HOLDS]
    if report.properties:
        status = FAILS if any(one.is_broken for one in report.properties) else HOLDS if held else OPEN
        games = f"in {report.games:,} random games" if report.games else ""
        unmet = sum(property_status(one) == OPEN for one in report.properties)
        yield join_markup((
            badge(status, status if status != OPEN else "not met"),
            f" {len(held)} of {len(report.properties)} properties {games}",
            f"; {unmet} not met or not known yet, which proves nothing" if unmet else None,
        ))  # fmt: skip
    yield from fault_lines(report)
    for players, reason in report.refused:
        yield join_markup((badge(OPEN, "none"), f" with {counted(players, 'player')}: {reason}"))


def fault_lines(report: FileReport) -> Iterator[Markup]:
    """Ways to get stuck, games that go on and on, and what tells secrets."""
    labels = Counter(map(label_of, report.faults))
    stuck = counted(labels["stuck"], "way to get stuck", "ways to get stuck")
    if labels["stuck"]:
        yield join_markup((badge(FAILS, "stuck"), f" {stuck}"))
    elif report.tables:
        yield join_markup((badge(HOLDS, "holds"), " no game gets stuck"))
    if labels[ENDLESS]:
        told = counted(labels[ENDLESS], "way to go on for ever", "ways to go on for ever")
        yield join_markup((badge(FAILS, ENDLESS), f" {told}, with no way to the end"))
    if labels[NOT_OVER]:
        told = " games are not over after very long; whether they can come to the end is not known"
        yield join_markup((badge(FAILS, NOT_OVER), told))
    if report.lasting is not None:
        yield join_markup((badge(OPEN, MAY_GO_ON), " players may go on for ever, if they choose so; nobody must"))
    if labels["leaks"]:
        choices = counted(labels["leaks"], "choice")
        yield join_markup((badge(FAILS, "leaks"), f" {choices} from which one learns what lies hidden"))


def base_examples_text(report: FileReport) -> str:
    """A variant may break examples of its base rightly: that is no fault."""
    amount = len(report.base_examples)
    holding = "no longer holds" if amount == 1 else "no longer hold"
    told = "can no longer be read" if report.reading.has_errors else holding
    return f"{amount} {told} under this variant"


def base_examples(report: FileReport) -> Iterator[Markup]:
    """Apart from what is a fault: what changed, and how the variant takes it over."""
    broken = [one for one in report.examples if one.verdict == "failed" and one.is_base]
    if not broken:
        return
    yield heading(4, "Examples of the base that no longer hold")
    adopt = adopt_command(report.reading)
    if adopt:
        yield paragraph("The variant may break them rightly; this drops or records each: ", command_element(adopt))
    for one in broken:
        yield failure_block(one.title, "example", one.diagnostic, (*one.values, *one.notes), report, BASE)


def check_lines(report: FileReport) -> Iterator[Markup]:
    found = report.reading.diagnostics
    if not found:
        yield join_markup((badge(HOLDS, "holds"), " the check finds nothing to complain about"))
        return
    has_errors = any(one.severity == "error" for one in found)
    status, shown = (FAILS, "fails") if has_errors else (OPEN, "warns")
    text = element("pre", format_diagnostics(found, report.reading.sources))
    yield join_markup((badge(status, shown), f" the check: {summarize_diagnostics(found)}", text))


def failure_block(
    title: str, kind: str, diagnostic: Diagnostic | None, values: tuple[str, ...], report: FileReport,
    shown: tuple[str, str] = (FAILS, "fails"),
) -> Markup:  # fmt: skip
    lines = [format_diagnostics([diagnostic], report.reading.sources)] if diagnostic is not None else []
    told = "\n".join([*lines, *values])
    return element(
        "div", element("p", badge(*shown), f" {kind} “", text_with_code(title), "”"),
        element("pre", told) if told else None,
        class_=f"failure {shown[0]}",
    )  # fmt: skip


def example_sheet(report: FileReport) -> Markup:
    shown = {"passed": (HOLDS, "passes"), "failed": (FAILS, "fails"), "todo": (OPEN, "to do")}

    def row(one: ExampleReport) -> list[Cell]:
        verdict = BASE if one.verdict == "failed" and one.is_base else shown[one.verdict]
        return [text_cell(one.title), text_cell(badge(*verdict)), Cell(one.where, one.line)]

    return sortable_sheet(
        "The worked examples of the rulebook", ["example", "verdict", "where"], map(row, report.examples)
    )


def property_status(one: PropertyReport) -> str:
    if one.is_broken:
        return FAILS
    if one.share is not None:
        return HOLDS if one.verdict == HOLDS else OPEN
    return OPEN if one.can_happen and not (one.games or one.searched) else HOLDS


def property_status_text(one: PropertyReport) -> str:
    if one.share is not None:
        return one.verdict
    if one.can_happen:
        return "happened" if one.games or one.searched else "not met"
    return "broken" if one.is_broken else HOLDS


def property_sheet(report: FileReport) -> Markup:
    def row(one: PropertyReport) -> list[Cell]:
        kind = one.word if one.share is None else f"{one.word} {one.share[0]}/{one.share[1]} of games"
        often = "" if one.share is None else share_text(one.share, one.games, one.finished)
        return [
            Cell(one.title, small=often), text_cell(kind),
            text_cell(badge(property_status(one), property_status_text(one))),
            number_cell(one.games) if one.is_counted or one.is_broken else text_cell(""), Cell(one.where, one.line),
        ]  # fmt: skip

    columns = ["property", "kind", "verdict", "in games", "where"]
    return sortable_sheet(f"Properties, in {report.games:,} random games", columns, map(row, report.properties))
