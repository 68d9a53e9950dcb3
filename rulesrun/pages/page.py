"""The whole page: what was collected of every file in, one self-contained HTML document out."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256

from rulesrun.interpreter.measure.figures import figure
from rulesrun.pages.collecting import Collected
from rulesrun.pages.comparisons import comparison
from rulesrun.pages.deadweight import dead_weight, solved
from rulesrun.pages.figures import figures
from rulesrun.pages.glance import glance
from rulesrun.pages.markup import Markup, command, element, heading, join, paragraph
from rulesrun.pages.sheets import NOTHING, Cell, plain_number, sheet, word
from rulesrun.pages.skill import skill
from rulesrun.pages.style import SCRIPT, STYLE
from rulesrun.pages.verdicts import verdict, verdicts
from rulesrun.report.figure_text import estimate_text
from rulesrun.services.measure import Measured


def page(collected: list[Collected], asked: str, version: str) -> str:
    """`asked`: the command that makes this page again."""
    title = title_of(collected[0]) if len(collected) == 1 else f"{len(collected)} rulebooks"
    body = element(
        "body",
        element("header", heading(1, title), *opening(collected)),
        element("main", *(article(found, number, len(collected) == 1) for number, found in enumerate(collected, 1))),
        element("footer", paragraph(f"Made by rulesrun {version}: ", command(asked))),
        element("script", Markup(SCRIPT)),
    )
    return "<!DOCTYPE html>\n" + element("html", head(title), body, lang="en").html + "\n"


def head(title: str) -> Markup:
    """Nothing is loaded from anywhere, and nothing runs but the page's own script."""
    allowed = f"default-src 'none'; style-src '{fingerprint(STYLE)}'; script-src '{fingerprint(SCRIPT)}'"
    allowed += "; base-uri 'none'; form-action 'none'"
    return element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", http_equiv="Content-Security-Policy", content=allowed),
        element("title", f"{title}: rules report"),
        element("style", Markup(STYLE)),
    )


def fingerprint(inline: str) -> str:
    return "sha256-" + b64encode(sha256(inline.encode()).digest()).decode()


def title_of(found: Collected) -> str:
    return found.reading.title or found.reading.name


def opening(collected: list[Collected]) -> list[Markup]:
    if len(collected) == 1:
        found = collected[0]
        return [paragraph(element("code", found.reading.name), " ", verdict(found))]
    columns = ["game", "verdict", "players", "games played", "decisions in a game"]
    return [sheet("At a glance", columns, [row_of(found, number) for number, found in enumerate(collected, 1)])]


def row_of(found: Collected, number: int) -> list[Cell]:
    name = Cell(element("a", title_of(found), href=f"#game-{number}"), small=found.reading.name)
    tables = found.measured.tables if found.measured is not None else []
    if not tables:
        return [name, word(verdict(found)), NOTHING, NOTHING, NOTHING]
    counts = sorted(one.table.players for one in tables)
    players = str(counts[0]) if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"
    return [
        name, word(verdict(found)), Cell(players, counts[0], is_number=True), plain_number(found.games),
        Cell(length_of(tables[0]), small=f"with {tables[0].table.players}", is_number=True),
    ]  # fmt: skip


def length_of(one: Measured) -> str:
    return estimate_text(figure(one.totals, ("length", "decisions"), one.table.players), False)


def article(found: Collected, number: int, is_alone: bool) -> Markup:
    name = None if is_alone else join((
        heading(2, title_of(found)), paragraph(element("code", found.reading.name), " ", verdict(found)),
    ))  # fmt: skip
    game = found.reading.game
    tables = found.measured.tables if found.measured is not None else []
    return element(
        "article",
        name,
        element("section", heading(3, "The rules at a glance"), glance(game, tables[0].table if tables else None))
        if game is not None else None,
        verdicts(found),
        figures(found) if any(one.totals.finished for one in tables) else None,
        skill(found, found.probed) if found.probed is not None else None,
        dead_weight(found, found.probed.weighing, found.probed)
        if found.probed is not None and found.probed.weighing is not None else None,
        solved(found, found.probed) if found.probed is not None else None,
        *(comparison(found, one) for one in found.comparisons),
        id=f"game-{number}",
    )
