"""The whole page: what was collected of every file in, one self-contained HTML document out."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256

from rulesrun.dsl.contents.told_pieces import tell_pieces
from rulesrun.dsl.text.messages import Message, message, message_in
from rulesrun.interpreter.measure.figures import estimate_figure
from rulesrun.locale.language import list_labels, say, spoken_language, use_words
from rulesrun.pages.certainty import certainty_section
from rulesrun.pages.collecting import CollectedFile
from rulesrun.pages.comparisons import comparison_section
from rulesrun.pages.deadweight import dead_weight_section, solution_section
from rulesrun.pages.figures import figures_section
from rulesrun.pages.glance import glance_section
from rulesrun.pages.markup import Markup, command_element, element, heading, join_markup, paragraph
from rulesrun.pages.opening import answers_section, contents, headline
from rulesrun.pages.repetition import repetition_section
from rulesrun.pages.sheets import NOTHING, Cell, number_cell, sortable_sheet, text_cell
from rulesrun.pages.skill import skill_section
from rulesrun.pages.styles import SCRIPT, STYLE
from rulesrun.pages.verdicts import broken_section, file_verdict
from rulesrun.report.figure_text import estimate_text
from rulesrun.services.measure import MeasuredTable


def make_page(collected: list[CollectedFile], asked: str, version: str) -> str:
    """`asked`: the command that makes this page again."""
    title = title_of(collected[0]) if len(collected) == 1 else say("{amount} rulebooks", amount=len(collected))
    body = element(
        "body",
        element("header", heading(1, title), *page_opening(collected)),
        element(
            "main", *(file_article(found, number, len(collected) == 1) for number, found in enumerate(collected, 1))
        ),
        element(
            "footer", paragraph(message("Made by rulesrun {version}:", version=version), " ", command_element(asked))
        ),
        element("script", Markup(SCRIPT)),
    )
    page = element("html", page_head(title), body, lang=spoken_language().code or "en")
    return f"<!DOCTYPE html>\n{page.html}\n"


def page_head(title: str) -> Markup:
    """Nothing is loaded from anywhere, and nothing runs but the page's own script."""
    allowed = f"default-src 'none'; style-src '{fingerprint(STYLE)}'; script-src '{fingerprint(SCRIPT)}'"
    allowed += "; base-uri 'none'; form-action 'none'"
    return element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", http_equiv="Content-Security-Policy", content=allowed),
        element("title", message("{title}: rules report", title=title)),
        element("style", Markup(STYLE)),
    )


def fingerprint(inline: str) -> str:
    return "sha256-" + b64encode(sha256(inline.encode()).digest()).decode()


def title_of(found: CollectedFile) -> str:
    """What the rules call themselves in the language that is spoken."""
    code = spoken_language().code
    labels = list_labels(found.reading.game, code) if code is not None else {}
    return labels.get("game", found.reading.title) or found.reading.name


def page_opening(collected: list[CollectedFile]) -> list[Markup]:
    if len(collected) == 1:
        found = collected[0]
        return [paragraph(element("code", found.reading.name), " ", file_verdict(found))]
    columns = [
        message_in("column", "game"), message_in("column", "verdict"), message_in("column", "players"),
        message("games played"), message("decisions in a game"),
    ]  # fmt: skip
    return [
        sortable_sheet(
            message("At a glance"), columns, [overview_row(found, number) for number, found in enumerate(collected, 1)]
        )
    ]


def overview_row(found: CollectedFile, number: int) -> list[Cell]:
    name = Cell(element("a", title_of(found), href=f"#game-{number}"), small=found.reading.name)
    tables = found.measured.tables if found.measured is not None else []
    if not tables:
        return [name, text_cell(file_verdict(found)), NOTHING, NOTHING, NOTHING]
    counts = sorted(one.table.players for one in tables)
    players: str = str(counts[0])
    if len(counts) > 1:
        players = message("{low} to {high}", low=counts[0], high=counts[-1])
    return [
        name, text_cell(file_verdict(found)), Cell(players, counts[0], is_number=True), number_cell(found.games),
        Cell(
            mean_length_text(tables[0]), is_number=True,
            small=message("with {players}", players=tables[0].table.players),
        ),
    ]  # fmt: skip


def mean_length_text(one: MeasuredTable) -> Message:
    return estimate_text(estimate_figure(one.totals, ("length", "decisions"), one.table.players), False)


def file_article(found: CollectedFile, number: int, is_alone: bool) -> Markup:
    """The verdict, what is broken, five answers; then what they rest on, the rules, and how to see it all again."""
    use_words(found.reading.game)
    name = None if is_alone else join_markup((
        heading(2, title_of(found)), paragraph(element("code", found.reading.name), " ", file_verdict(found)),
    ))  # fmt: skip
    sections = list(list_sections(found, f"game-{number}"))
    return element(
        "article", name, headline(found, is_alone), contents([(anchor, title) for anchor, title, _ in sections]),
        *(section for _, _, section in sections), id=f"game-{number}",
    )  # fmt: skip


def list_sections(found: CollectedFile, game: str) -> Iterator[tuple[str, str, Markup]]:
    """Where each stands, what it is called in the contents, and the section."""
    broken = broken_section(found.report, f"{game}-broken")
    if broken is not None:
        yield f"{game}-broken", say("What is broken") if not found.is_faultless else say("What changes"), broken
    figures, skill, weight = f"{game}-figures", f"{game}-skill", f"{game}-rules-worth"
    answers = answers_section(found, f"{game}-answers", {"length": figures, "skill": skill, "worth": weight})
    if answers is not None:
        yield f"{game}-answers", say("Five questions"), answers
    for at, one in enumerate(found.comparisons, 1):
        anchor = f"{game}-compared-{at}"
        yield anchor, say("Compared with {variant}", variant=one.variant.title), comparison_section(one, anchor)
    yield f"{game}-trust", say("How far to trust this"), certainty_section(found.report, f"{game}-trust")
    if figures_are_known(found):
        yield figures, say("Figures"), figures_section(found, figures)
    yield from probed_sections(found, skill, weight, f"{game}-solution")
    rulebook = found.reading.game
    if rulebook is not None:
        tables = found.measured.tables if found.measured is not None else []
        glance = glance_section(tell_pieces(rulebook), rulebook.base, tables[0].table if tables else None)
        rules = element("section", heading(3, say("The rules")), glance, id=f"{game}-rules")
        yield f"{game}-rules", say("The rules"), rules
    yield f"{game}-again", say("How to reproduce this"), repetition_section(found, f"{game}-again")


def figures_are_known(found: CollectedFile) -> bool:
    return found.measured is not None and any(one.totals.finished for one in found.measured.tables)


def probed_sections(found: CollectedFile, skill: str, weight: str, solution: str) -> Iterator[tuple[str, str, Markup]]:
    probed = found.probed
    if probed is None:
        return
    ladder = skill_section(probed, skill)
    if ladder is not None:
        yield skill, say("Skill"), ladder
    if probed.weighing is not None:
        section = dead_weight_section(probed.weighing, found.request.seats, weight)
        yield weight, say("What each rule changes"), section
    answer = solution_section(probed, solution)
    if answer is not None:
        yield solution, say("The exact answer"), answer
