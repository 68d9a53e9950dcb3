"""How far the verdicts go: what is proved, what games bear witness of, what nobody knows, what the rules lay open."""

from __future__ import annotations

from collections.abc import Iterator

from rulesrun.dsl.text.messages import Message, message
from rulesrun.files.excerpts import place_text
from rulesrun.locale.language import say, say_plural, translate
from rulesrun.pages.markup import (
    Child,
    Markup,
    element,
    folding_section,
    heading,
    join_markup,
    paragraph,
    text_with_code,
)
from rulesrun.pages.verdicts import OPEN, badge, example_sheet, property_sheet, property_status, summary_list
from rulesrun.services.implicit_properties import assurance_lines, judge_unwritten
from rulesrun.services.reports import FileReport, laid_open_sentence
from rulesrun.terminal.plurals import count_positions

PROVED, EVIDENCE, UNKNOWN = "proved", "evidence", "open"
HEADS: dict[str, tuple[Message, Message]] = {
    PROVED: (message("Proved"), message("True of every game at these tables, whatever the players choose.")),
    EVIDENCE: (message("Evidence"), message("True in every game that was played. Rarer things may have been missed.")),
    UNKNOWN: (message("Not known"), message("Nothing that was seen supports or refutes it.")),
}

def certainty_section(report: FileReport, anchor: str) -> Markup:
    """Of rules in which something is broken only what holds all the same."""
    found = dict(zip(HEADS, (list(proved(report)), list(witnessed(report)), list(unknown(report))), strict=True))
    groups = [certainty_group(kind, items) for kind, items in found.items() if items]
    if report.laid_open:
        groups.append(laid_open_group(report))
    sheets = [
        folding_section(say("Examples ({number})", number=len(report.examples)), example_sheet(report))
        if report.examples else None,
        folding_section(say("Properties ({number})", number=len(report.properties)), property_sheet(report))
        if report.properties else None,
    ]  # fmt: skip
    return element(
        "section", heading(3, say("How far this can be trusted")), summary_list(report),
        element("div", *groups, class_="certainty") if groups else None, *sheets, id=anchor,
    )  # fmt: skip


def certainty_group(kind: str, items: list[Child]) -> Markup:
    title, says = HEADS[kind]
    return element(
        "div", heading(4, translate(title)), paragraph(translate(says), class_="note"),
        element("ul", *(element("li", item) for item in items)), class_=f"group {kind}",
    )  # fmt: skip


def proved(report: FileReport) -> Iterator[Child]:
    yield from (translate(text) for label, text in list_assurances(report) if label == PROVED)
    yield from (translate(one.title) for one in judge_unwritten(report) if one.verdict == "holds" and one.is_proved)


def witnessed(report: FileReport) -> Iterator[Child]:
    yield from (translate(text) for label, text in list_assurances(report) if label == EVIDENCE)
    for small in report.small:
        whole = say("all there are") if small.is_complete else say("not all")
        positions = count_positions(small.positions)
        yield say("small table “{title}”: {positions}, {whole}", title=small.title, positions=positions, whole=whole)
    unwritten = [one for one in judge_unwritten(report) if one.verdict == "holds" and not one.is_proved]
    if unwritten:
        items = element("ul", *(element("li", translate(one.title)) for one in unwritten))
        yield join_markup((say("Built-in checks:"), items))


def unknown(report: FileReport) -> Iterator[Child]:
    for one in report.properties:
        if property_status(one) == OPEN and not one.is_broken:
            yield join_markup((badge(OPEN, translate(one.word)), f" “{one.title}”"))
    yield from (translate(one.title) for one in judge_unwritten(report) if one.verdict == "not known")
    tried = report.options
    if tried is not None and tried.values < tried.of_values:
        yield say(
            "only {tried} of {of} other values of options were tried",
            of=tried.of_values, tried=tried.values,
        )  # fmt: skip
    if tried is not None and tried.pairs < tried.of_pairs:
        yield say(
            "only {tried} of {of} pairs of other values were tried",
            of=tried.of_pairs, tried=tried.pairs,
        )  # fmt: skip
    for players, reason in report.refused:
        yield say_plural("a game with {count} player: {reason}", "a game with {count} players: {reason}", players,
                         reason=translate(reason))  # fmt: skip


def list_assurances(report: FileReport) -> Iterator[tuple[str, str]]:
    """A line without a label goes on with that of the line above it."""
    kind = ""
    for label, text in assurance_lines(report) if report.is_faultless else ():
        kind = label or kind
        yield kind, text


def laid_open_group(report: FileReport) -> Markup:
    sources = report.reading.sources
    items = (
        element(
            "li", text_with_code(laid_open_sentence(one, sources)), " ",
            element("small", place_text(one.span, report.reading.name, sources)),
        )
        for one in report.laid_open
    )  # fmt: skip
    return element(
        "div", heading(4, say("Revealed")),
        paragraph(say("What these lines reveal, not everybody sees otherwise. Check that you mean it."), class_="note"),
        element("ul", *items), class_="group open",
    )  # fmt: skip
