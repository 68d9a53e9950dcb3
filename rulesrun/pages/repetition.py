"""The commands that show what a page tells again, in one place. What was collected of a file in, a table out."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from rulesrun.locale.language import say
from rulesrun.pages.collecting import SEARCH, CollectedFile, section_command, seed_of, seed_words
from rulesrun.pages.markup import Markup, command_element, element, heading
from rulesrun.services.compare import ComparedTable, Comparison
from rulesrun.terminal.plurals import count_players

Row = tuple[str, str]  # what is shown, and by which command


def repetition_section(found: CollectedFile, anchor: str) -> Markup:
    rows = (
        element("tr", element("th", what, scope="row"), element("td", command_element(command)))
        for what, command in list_commands(found)
    )
    table = element("table", element("tbody", *rows))
    return element(
        "section", heading(3, say("How to reproduce this")),
        element("div", table, class_="wide", tabindex=0, role="region", aria_label=say(
            "How to reproduce this"
        )), id=anchor,
    )  # fmt: skip


def list_commands(found: CollectedFile) -> Iterator[Row]:
    yield say("Verdicts"), found.format_command("")
    yield from ((say("Broken: “{what}”", what=what), command) for what, command in failing_commands(found))
    yield from assessing_commands(found)
    for one in found.measured.tables if found.measured is not None else ():
        players = count_players(one.table.players)
        yield say("Figures, {players}", players=players), found.repeat_command(one)
    yield from probing_commands(found)
    for comparison in found.comparisons:
        for table in comparison.tables:
            players = count_players(table.players)
            what = say("Compared with {variant}, {players}", variant=comparison.variant.title, players=players)
            yield what, compare_command(found, comparison, table)


def failing_commands(found: CollectedFile) -> Iterator[Row]:
    report = found.report
    named = [
        *((one.title, one.repeat) for one in report.examples if one.is_fault),
        *((one.title, one.repeat) for one in report.properties if one.is_broken),
        *((one.diagnostic.message, one.repeat) for one in report.faults),
    ]
    yield from ((title, repeat) for title, repeat in named if repeat)


def assessing_commands(found: CollectedFile) -> Iterator[Row]:
    if found.assessment is not None:
        players = str(found.assessment.table.players)
        words = ["--players", players, "--seed", str(seed_of(found.request))]
        yield say("Five questions, with more games"), found.format_command("assess", *words)


def probing_commands(found: CollectedFile) -> Iterator[Row]:
    probed = found.probed
    if probed is None:
        return
    played = max([rung.games for rung in probed.thinking if rung.games] or [0])
    if played:
        words = [*seed_words(found.request), "--budget", SEARCH.partition(":")[2], "--games", str(played)]
        yield say("Skill"), section_command(probed, found.reading, found.request, "ladder", *words)
    if probed.weighing is not None:
        words = seed_words(found.request)
        yield say("What each rule changes"), section_command(
            probed, found.reading, found.request, "deadweight", *words
        )
    if probed.answer is not None:
        yield say("The exact answer"), section_command(probed, found.reading, found.request, "solve")


def compare_command(found: CollectedFile, one: Comparison, table: ComparedTable) -> str:
    request, seats = found.request, found.request.seats
    told = ["rulesrun", "compare", one.base.name, one.variant.name]
    told += [part for name, value in request.settings.items() for part in ("--set", f"{name}={value}")]
    told += ["--players", str(table.players), "--seed", str(seed_of(request)), "--games", str(table.duel.pairs.games)]
    return shlex.join([*told, *(["--seats", seats] if seats else [])])
