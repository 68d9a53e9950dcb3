"""Skill on a page: does thinking pay, do the personas of the rules, does a habit? Rungs in, a chart and a table out."""

from __future__ import annotations

from collections.abc import Iterator

from rulesrun.dsl.text.messages import message, message_in, template
from rulesrun.interpreter.measure.estimates import Estimate
from rulesrun.interpreter.measure.ladder import Rung
from rulesrun.pages.charts import ChartRow, axis_reach, draw_intervals
from rulesrun.pages.collecting import ProbeResult
from rulesrun.pages.markup import (
    GAMES,
    NOTHING,
    UNKNOWN_INTERVAL,
    Cell,
    Markup,
    element,
    heading,
    join_markup,
    number_cell,
    paragraph,
    range_text,
    sortable_sheet,
    text_cell,
)
from rulesrun.pages.verdicts import BADGES, HOLDS, OPEN, badge
from rulesrun.report.figure_text import number_text, percent_text, round_up
from rulesrun.terminal.plurals import count_games, count_players

LINES = {
    "better": template("{player} beats {other} ({games})"),
    "worse": template("{player} does worse than {other} ({games})"),
    "alike": template("{player} is no better than {other} ({games})"),
    "not known": template("{player} against {other} ({games})"),
}  # fmt: skip


def skill_section(probed: ProbeResult, anchor: str) -> Markup | None:
    if not any(rung.games for rung in probed.rungs):
        return None
    return element(
        "section",
        heading(3, message("Does skill matter?")),
        paragraph(
            message(
                "One player of the first kind among players of the second, at every seat in turn; {players}. If the "
                "interval lies above the fair share, skill matters.",
                players=count_players(probed.table.players),
            )
        ),
        element("ul", *(element("li", line) for line in skill_lines(probed)), class_="verdicts"),
        draw_rungs(probed),
        *(rung_sheet(title, rungs, probed) for title, rungs in rung_groups(probed)),
        id=anchor,
    )


def rung_groups(probed: ProbeResult) -> list[tuple[str, list[Rung]]]:
    named: list[tuple[str, list[Rung]]] = [
        (message("Players that think"), probed.thinking), (message("Personas of the rules"), probed.personas),
        (message("Habits"), probed.habits),
    ]  # fmt: skip
    return [(title, rungs) for title, rungs in named if rungs]


def skill_lines(probed: ProbeResult) -> Iterator[Markup]:
    """Only what the intervals bear."""
    for rung in (*probed.thinking, *probed.personas):
        verdict = rung.verdict(len(probed.table.bench.teams))
        status = OPEN if verdict == "not known" else HOLDS
        line = message(
            LINES[verdict], player=rung.player.name, other=rung.against.name, games=count_games(rung.games)
        )
        yield join_markup((badge(status, verdict), " ", line, reason_unknown(rung, len(probed.table.bench.teams))))
    winning = [rung.player.name for rung in probed.habits if rung.verdict(len(probed.table.bench.teams)) == "better"]
    if winning:
        told = message("simple habits that beat random play: {names}", names=winning)
        yield join_markup((badge(OPEN, "habits"), " ", told))
    elif any(rung.games for rung in probed.habits):
        yield join_markup((badge(HOLDS, "habits"), " ", message("no simple habit beat random play")))


def reason_unknown(rung: Rung, teams: int) -> Markup | None:
    """Why nothing is known."""
    if rung.verdict(teams) != "not known" or not rung.games or finite_or_none(rung.interval[0]) is None:
        return None
    more = rung.games_to_know(teams)
    if more is None:
        return element("span", " ", message("there is no edge that more games would make clear"), class_="note")
    told = message("if the edge is as large as it looks, about {games:,} games would show it", games=round_up(more))
    return element("span", " ", told, class_="note")


def rung_estimate(rung: Rung) -> Estimate:
    low, high = rung.interval
    if rung.in_points:
        return Estimate(rung.gain, finite_or_none(low), finite_or_none(high), rung.games)
    return Estimate(rung.share, low, high, rung.games)


def finite_or_none(value: float) -> float | None:
    return value if abs(value) < float("inf") else None


def draw_rungs(probed: ProbeResult) -> Markup | None:
    """Shares of games won, less the fair share; gains in points have no common scale."""
    rungs = [rung for rung in probed.rungs if rung.games and not rung.in_points]
    if not rungs:
        return None
    fair = 1 / len(probed.table.bench.teams)
    marks = [
        ChartRow(f"{rung.player.name} : {rung.against.name}", rung_estimate(rung).shift(-fair),
             rung.verdict(len(probed.table.bench.teams)) in ("better", "worse"))
        for rung in rungs
    ]  # fmt: skip
    least, most = (pick(rung.games for rung in rungs) for pick in (min, max))
    games = message("{games:,} games each", games=least) if least == most else message(
        "{least:,} to {most:,} games each", least=least, most=most
    )
    says = message("games won more often than a fair share")
    picture = draw_intervals(marks, axis_reach(marks), says, names=150)
    title = element("figcaption", message("Games won beyond the fair share"), element("small", games))
    return element("figure", title, picture)


def rung_sheet(title: str, rungs: list[Rung], probed: ProbeResult) -> Markup:
    columns = [
        message_in("column", "player"), message_in("column", "against"), GAMES, message_in("column", "wins"),
        message_in("column", "verdict"), message("ms a choice"),
    ]  # fmt: skip
    return sortable_sheet(title, columns, [rung_row(rung, len(probed.table.bench.teams)) for rung in rungs])


def rung_row(rung: Rung, teams: int) -> list[Cell]:
    shown = NOTHING
    found = rung_estimate(rung)
    if rung.games:
        tell = number_text if rung.in_points else percent_text
        is_known = found.low is not None and found.high is not None
        interval = range_text(tell(found.low or 0.0), tell(found.high or 0.0)) if is_known else UNKNOWN_INTERVAL
        value: str = tell(found.value)
        if rung.in_points:
            value = message("{gain} points", gain=value)
        shown = Cell(value, found.value, interval, is_number=True)
    verdict = BADGES[rung.verdict(teams) if rung.games else "not played"]
    return [
        Cell(rung.player.name), text_cell(rung.against.name), number_cell(rung.games), shown, text_cell(verdict),
        number_cell(round(1000 * rung.seconds / max(rung.choices, 1), 1)),
    ]  # fmt: skip
