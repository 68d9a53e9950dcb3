"""Skill on a page: does thinking pay, do the personas of the rules, does a habit? Rungs in, a chart and a table out."""

from __future__ import annotations

from collections.abc import Iterator

from rulesrun.interpreter.measure.estimates import Estimate
from rulesrun.interpreter.measure.ladder import Rung
from rulesrun.pages.charts import ChartRow, axis_reach, draw_intervals
from rulesrun.pages.markup import Markup, element, heading, join_markup, paragraph
from rulesrun.pages.probing import ProbeResult
from rulesrun.pages.sheets import NOTHING, Cell, number_cell, sortable_sheet, text_cell
from rulesrun.pages.verdicts import HOLDS, OPEN, badge
from rulesrun.report.figure_text import number_text, percent_text
from rulesrun.report.ladder_text import round_up
from rulesrun.terminal.plurals import counted


def skill_section(probed: ProbeResult, anchor: str) -> Markup | None:
    if not any(rung.games for rung in probed.rungs):
        return None
    return element(
        "section",
        heading(3, "Does skill matter?"),
        paragraph(
            "One player of the first kind among others, at every seat in turn; ",
            f"{counted(probed.table.players, 'player')}. ",
            "A share above the fair one with an interval clear of it is skill.",
        ),
        element("ul", *(element("li", line) for line in skill_lines(probed)), class_="verdicts"),
        draw_rungs(probed),
        *(rung_sheet(title, rungs, probed) for title, rungs in rung_groups(probed)),
        id=anchor,
    )


def rung_groups(probed: ProbeResult) -> list[tuple[str, list[Rung]]]:
    named = [("Players that think", probed.thinking), ("Personas of the rules", probed.personas),
             ("Habits", probed.habits)]  # fmt: skip
    return [(title, rungs) for title, rungs in named if rungs]


def skill_lines(probed: ProbeResult) -> Iterator[Markup]:
    """Only what the intervals bear."""
    for rung in (*probed.thinking, *probed.personas):
        verdict = rung.verdict(probed.table.players)
        shown = {"better": "beats", "worse": "does worse than"}.get(verdict)
        status = OPEN if shown is None else HOLDS
        line = f" {rung.player.name} {shown or 'against'} {rung.against.name}"
        yield join_markup(
            (badge(status, verdict), line, f" ({rung.games} games)", reason_unknown(rung, probed.table.players))
        )
    winning = [rung.player.name for rung in probed.habits if rung.verdict(probed.table.players) == "better"]
    if winning:
        yield join_markup((badge(OPEN, "habits"), f" habits that beat random play: {', '.join(winning)}"))
    elif any(rung.games for rung in probed.habits):
        yield join_markup((badge(HOLDS, "habits"), " no naive habit was seen to beat random play"))


def reason_unknown(rung: Rung, players: int) -> Markup | None:
    """Why nothing is known."""
    if rung.verdict(players) != "not known" or not rung.games or finite_or_none(rung.interval[0]) is None:
        return None
    more = rung.games_to_know(players)
    if more is None:
        return element("span", " no edge is seen that more games would make clear", class_="note")
    told = f" if the edge is as large as it was seen, about {round_up(more):,} games would tell"
    return element("span", told, class_="note")


def rung_estimate(rung: Rung) -> Estimate:
    low, high = rung.interval
    if rung.is_common:
        return Estimate(rung.gain, finite_or_none(low), finite_or_none(high), rung.games)
    return Estimate(rung.share, low, high, rung.games)


def finite_or_none(value: float) -> float | None:
    return value if abs(value) < float("inf") else None


def draw_rungs(probed: ProbeResult) -> Markup | None:
    """Shares of games won, less the fair share; gains in points have no common scale."""
    rungs = [rung for rung in probed.rungs if rung.games and not rung.is_common]
    if not rungs:
        return None
    fair = 1 / probed.table.players
    marks = [
        ChartRow(f"{rung.player.name} : {rung.against.name}", rung_estimate(rung).shift(-fair),
             rung.verdict(probed.table.players) in ("better", "worse"))
        for rung in rungs
    ]  # fmt: skip
    least, most = (pick(rung.games for rung in rungs) for pick in (min, max))
    games = f"{least:,} games each" if least == most else f"{least:,} to {most:,} games each"
    picture = draw_intervals(marks, axis_reach(marks), "games won more often than a fair share", names=150)
    title = element("figcaption", "Games won beyond the fair share", element("small", games))
    return element("figure", title, picture)


def rung_sheet(title: str, rungs: list[Rung], probed: ProbeResult) -> Markup:
    return sortable_sheet(title, ["player", "against", "games", "wins", "verdict", "ms a choice"],
                 [rung_row(rung, probed.table.players) for rung in rungs])  # fmt: skip


def rung_row(rung: Rung, players: int) -> list[Cell]:
    shown = NOTHING
    found = rung_estimate(rung)
    if rung.games:
        say = number_text if rung.is_common else percent_text
        is_known = found.low is not None and found.high is not None
        low = say(found.low or 0.0).removesuffix(" %")
        interval = f"{low} to {say(found.high or 0.0)}" if is_known else "interval not known"
        shown = Cell(say(found.value) + (" points" if rung.is_common else ""), found.value, interval, is_number=True)
    verdict = rung.verdict(players) if rung.games else "not played"
    return [
        Cell(rung.player.name), text_cell(rung.against.name), number_cell(rung.games), shown, text_cell(verdict),
        number_cell(round(1000 * rung.seconds / max(rung.choices, 1), 1)),
    ]  # fmt: skip
