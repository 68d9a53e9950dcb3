"""Verdicts on a page: what the check, the examples, the games and the search found, each with its status."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from rulesrun.dsl.diagnostics.diagnostic import Diagnostic
from rulesrun.dsl.diagnostics.report import format_diagnostics, summarize_diagnostics
from rulesrun.dsl.text.messages import Message, message, message_in, plural
from rulesrun.files.excerpts import place_text
from rulesrun.interpreter.search.endless import ENDLESS, MAY_GO_ON, NOT_OVER
from rulesrun.locale.language import say, say_plural, translate
from rulesrun.pages.collecting import CollectedFile
from rulesrun.pages.markup import (
    Cell,
    Child,
    Markup,
    command_element,
    element,
    folding_section,
    heading,
    join_markup,
    number_cell,
    paragraph,
    preformatted,
    sortable_sheet,
    text_cell,
    text_with_code,
)
from rulesrun.pages.stories import story_block
from rulesrun.services.implicit_properties import assurance_lines, judge_unwritten, share_text
from rulesrun.services.reports import (
    ExampleReport,
    FileReport,
    PropertyReport,
    adopt_command,
    count_base_examples,
    label_of,
    laid_open_sentence,
)
from rulesrun.terminal.output import say_label
from rulesrun.terminal.plurals import count_players, count_positions, count_random_games

HOLDS, FAILS, OPEN = "holds", "fails", "open"
BASE = OPEN, "no longer holds"
EXAMPLE = message_in("column", "example")
BADGES: dict[str, Message] = {
    str(word.template): word
    for word in (
        message_in("badge", "holds"), message_in("badge", "fails"), message_in("badge", "open"),
        message_in("badge", "no longer holds"), message_in("badge", "passed"), message_in("badge", "failed"),
        message_in("badge", "passes"), message_in("badge", "to do"), message_in("badge", "warns"),
        message_in("badge", "base examples"), message_in("badge", "not seen"), message_in("badge", "none"),
        message_in("badge", "seen"), message_in("badge", "broken"), message_in("badge", "not known yet"),
        message_in("badge", "stuck"), message_in("badge", "leaks"), message_in("badge", "endless"),
        message_in("badge", "may go on"), message_in("badge", "too long"), message_in("badge", "edge"),
        message_in("badge", "fair"), message_in("badge", "habits"), message_in("badge", "unused"),
        message_in("badge", "value"), message_in("badge", "better"), message_in("badge", "worse"),
        message_in("badge", "alike"), message_in("badge", "not known"),
        message_in("badge", "not played"), message_in("badge", "needed"),
        message_in("badge", "effect"), message_in("badge", "never mattered"), message_in("badge", "no difference"),
        message_in("badge", "no measurable effect"), message_in("badge", "refused"),
        message_in("badge", "too few deals"), message_in("badge", "decided by options"),
        message_in("badge", "fails now"), message_in("badge", "broken now"),
    )
}  # fmt: skip
"""Every word that stands alone as a verdict, but for those that are messages where they are given."""
BADGES["never met"] = BADGES["never mattered"]  # as JSON calls it


def badge(status: str, shown: str) -> Markup:
    return element("span", BADGES.get(shown, shown), class_=f"badge {status}")


def file_verdict(found: CollectedFile) -> Markup:
    partial = badge(OPEN, message("interrupted: partial")) if found.is_partial else None
    if found.holds and found.report.unknown_shares:
        return join_markup((badge(OPEN, message("nothing broken so far")), partial))
    if found.is_faultless and found.report.base_examples:
        left = count_base_examples(len(found.report.base_examples))
        return join_markup((badge(HOLDS, message("the variant holds")), badge(OPEN, left), partial))
    verdict = badge(HOLDS, message("everything holds")) if found.holds else badge(FAILS, message("does not hold"))
    return join_markup((verdict, partial))


def broken_section(report: FileReport, anchor: str) -> Markup | None:
    """Every story first, then what failed in the words of the rules."""
    blocks = [
        *(failure_block(one.title, EXAMPLE, one.diagnostic, (*one.values, *one.notes), report)
          for one in report.examples if one.is_fault),
        *(failure_block(one.title, one.word, None, one.values, report) for one in report.properties if one.is_broken),
        *(failure_block(one.diagnostic.message, say_label(label_of(one)), one.diagnostic, (), report)
          for one in report.faults),
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
            said = plural(
                "{passed} of {count} example of the rulebook", "{passed} of {count} examples of the rulebook",
                len(report.examples), passed=counts.count(name),
            )  # fmt: skip
            yield join_markup((badge(status, shown), " ", said))
    if report.base_examples:
        yield join_markup((badge(OPEN, "base examples"), " ", base_examples_text(report)))
    held = [one for one in report.properties if property_status(one) == HOLDS]
    if report.properties:
        status = FAILS if any(one.is_broken for one in report.properties) else HOLDS if held else OPEN
        yield join_markup((badge(status, status if status != OPEN else "not seen"), " ", properties_text(report, held)))
    yield from fault_lines(report)
    for players, reason in report.refused:
        why = message("with {players}: {reason}", players=count_players(players), reason=reason)
        yield join_markup((badge(OPEN, "none"), " ", why))


def properties_text(report: FileReport, held: list[PropertyReport]) -> Message:
    said = message("{held} of {all} properties", held=len(held), all=len(report.properties))
    if report.games:
        said = message("{properties} in {games}", properties=said, games=count_random_games(report.games))
    unmet = sum(property_status(one) == OPEN for one in report.properties)
    if not unmet:
        return said
    return message(
        "{properties}; {unmet} not seen or not yet known", properties=said, unmet=unmet
    )


def fault_lines(report: FileReport) -> Iterator[Markup]:
    """Ways to get stuck, games that go on and on, and what tells secrets."""
    labels = Counter(map(label_of, report.faults))
    if labels["stuck"]:
        told = plural("{count} way to get stuck", "{count} ways to get stuck", labels["stuck"])
        yield join_markup((badge(FAILS, "stuck"), " ", told))
    elif report.tables:
        yield join_markup((badge(HOLDS, "holds"), " ", message("no game gets stuck")))
    if labels[ENDLESS]:
        told = plural(
            "{count} way to go on for ever, with no way to the end",
            "{count} ways to go on for ever, with no way to the end", labels[ENDLESS],
        )  # fmt: skip
        yield join_markup((badge(FAILS, ENDLESS), " ", told))
    if labels[NOT_OVER]:
        told = message("games do not end within the limit; it is not known whether they can")
        yield join_markup((badge(FAILS, NOT_OVER), " ", told))
    if report.lasting is not None:
        told = message("players can go on for ever if they want to, but nobody has to")
        yield join_markup((badge(OPEN, MAY_GO_ON), " ", told))
    if labels["leaks"]:
        told = plural(
            "{count} choice that gives away what is hidden",
            "{count} choices that give away what is hidden", labels["leaks"],
        )  # fmt: skip
        yield join_markup((badge(FAILS, "leaks"), " ", told))


def base_examples_text(report: FileReport) -> Message:
    """A variant may break examples of its base rightly: that is no fault."""
    amount = len(report.base_examples)
    if report.reading.has_errors:
        return message("{amount} can no longer be read under this variant", amount=amount)
    return plural(
        "{count} no longer holds under this variant", "{count} no longer hold under this variant", amount
    )


def base_examples(report: FileReport) -> Iterator[Markup]:
    """Apart from what is a fault: what changed, and how the variant takes it over."""
    broken = [one for one in report.examples if one.verdict == "failed" and one.is_base]
    if not broken:
        return
    yield heading(4, message("Examples of the base that no longer hold"))
    adopt = adopt_command(report.reading)
    if adopt:
        why = message("The variant may break them for a good reason; this command drops or updates each:")
        yield paragraph(why, " ", command_element(adopt))
    for one in broken:
        yield failure_block(one.title, EXAMPLE, one.diagnostic, (*one.values, *one.notes), report, BASE)


def check_lines(report: FileReport) -> Iterator[Markup]:
    found = report.reading.diagnostics
    if not found:
        yield join_markup((badge(HOLDS, "holds"), " ", message("the check finds no errors and no warnings")))
        return
    has_errors = any(one.severity == "error" for one in found)
    status, shown = (FAILS, "fails") if has_errors else (OPEN, "warns")
    text = preformatted(format_diagnostics(found, report.reading.sources, translate=translate))
    what = message("the check: {found}", found=summarize_diagnostics(found))
    yield join_markup((badge(status, shown), " ", what, text))


def failure_block(
    title: str, kind: str, diagnostic: Diagnostic | None, values: tuple[str, ...], report: FileReport,
    shown: tuple[str, str] = (FAILS, "fails"),
) -> Markup:  # fmt: skip
    lines = [] if diagnostic is None else [
        format_diagnostics([diagnostic], report.reading.sources, translate=translate)
    ]
    told = "\n".join([*lines, *map(translate, values)])
    return element(
        "div", element("p", badge(*shown), " ", kind, " “", text_with_code(title), "”"),
        preformatted(told) if told else None,
        class_=f"failure {shown[0]}",
    )  # fmt: skip


def example_sheet(report: FileReport) -> Markup:
    shown = {"passed": (HOLDS, "passes"), "failed": (FAILS, "fails"), "todo": (OPEN, "to do")}

    def row(one: ExampleReport) -> list[Cell]:
        verdict = BASE if one.verdict == "failed" and one.is_base else shown[one.verdict]
        return [text_cell(one.title), text_cell(badge(*verdict)), Cell(one.where, one.line)]

    columns = [EXAMPLE, message_in("column", "verdict"), message_in("column", "where")]
    return sortable_sheet(message("The worked examples of the rulebook"), columns, map(row, report.examples))


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
        return "seen" if one.games or one.searched else "not seen"
    return "broken" if one.is_broken else HOLDS


def property_sheet(report: FileReport) -> Markup:
    def row(one: PropertyReport) -> list[Cell]:
        kind = one.word if one.share is None else message(
            "{word} {share} of games", word=one.word, share=f"{one.share[0]}/{one.share[1]}"
        )
        often = "" if one.share is None else share_text(one.share, one.games, one.finished)
        return [
            Cell(one.title, small=often), text_cell(kind),
            text_cell(badge(property_status(one), property_status_text(one))),
            number_cell(one.games) if one.is_counted or one.is_broken else text_cell(""), Cell(one.where, one.line),
        ]  # fmt: skip

    columns = [
        message_in("column", "property"), message_in("column", "kind"), message_in("column", "verdict"),
        message_in("column", "in games"), message_in("column", "where"),
    ]  # fmt: skip
    caption = message("Properties, in {games}", games=count_random_games(report.games))
    return sortable_sheet(caption, columns, map(row, report.properties))


# ---- certainty
# How far the verdicts go: what is proved, what games bear witness of, what nobody knows, what the rules lay open.


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
