"""Figures on a page: measured tables in, charts and sortable tables out, each figure with interval and sample size."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from rulesrun.dsl import ast
from rulesrun.interpreter.measure.catalogue import GENERAL, endings
from rulesrun.interpreter.measure.estimates import Exact
from rulesrun.interpreter.measure.figures import edge, figure, unit
from rulesrun.interpreter.measure.record import TOO_LONG, Key
from rulesrun.interpreter.reference.table import Table
from rulesrun.pages.charts import Mark, around_zero, histogram, reach_of, shares
from rulesrun.pages.collecting import Collected
from rulesrun.pages.course_chart import actions_told, course_chart
from rulesrun.pages.details import details
from rulesrun.pages.fairness import fairness
from rulesrun.pages.markup import Child, Markup, command, element, gallery, heading, paragraph
from rulesrun.pages.sheets import NOTHING, Cell, estimate_cell, plain_number, sheet, word
from rulesrun.report.figure_text import SHARES, figure_name, number
from rulesrun.report.measure_text import STOPPED
from rulesrun.services.measure import Measured
from rulesrun.services.unfinished_games import going_on_word


def figures(found: Collected) -> Markup:
    assert found.measured is not None
    known = [one for one in found.measured.tables if one.totals.finished]
    who = found.request.text("seats")
    fair = [element("li", line) for line in fairness(rivals(known))]
    told = [
        heading(3, "Figures"),
        paragraph(
            f"Of games played {'at random' if who is None else f'by {who}'}; every value with its 95 % interval. ",
            "Random players show what the rules allow, not what good players do." if who is None else None,
        ),
        element("ul", *fair, class_="verdicts") if fair else None,
        sample_sheet(found),
        *charts(found, known),
        seat_sheet(known), matrix(known), *details(known),
    ]  # fmt: skip
    return element("section", *told)


def charts(found: Collected, known: list[Measured]) -> list[Markup]:
    """Of one table side by side, of several below each other."""
    kinds = (edge_charts, result_charts, score_charts, length_charts, course_charts)
    drawn = [list(kind(found, known)) for kind in kinds]
    if len(known) > 1:
        return [one for parts in drawn for one in parts]
    return [element("div", *(element("div", *parts) for parts in drawn if parts), class_="parts")]


def people(one: Measured) -> str:
    return f"{one.table.players} player{'s' * (one.table.players != 1)}"


def sample_sheet(found: Collected) -> Markup:
    assert found.measured is not None

    def row(one: Measured) -> list[Cell]:
        long = one.totals.stuck[TOO_LONG]
        stuck = one.totals.stuck.total() - long
        small = f"{number(long)} not over: {going_on_word(one.going_on)}" if long else ""
        stopped = STOPPED.get(one.stopped, one.stopped)
        return [
            Cell(people(one), one.table.players), plain_number(one.totals.games),
            Cell(number(stuck), stuck, small, is_number=True), word(stopped), word(command(found.command_of(one))),
        ]  # fmt: skip

    columns = ["players", "games", "stuck", "stopped because", "again"]
    return sheet("What the figures rest on", columns, map(row, found.measured.tables))


def drawing(found: Collected, one: Measured, title: Child, picture: Markup, games: int | None = None) -> Markup:
    sample = f"{one.totals.finished if games is None else games:,} games"
    return element(
        "figure", element("figcaption", title, element("small", sample)), picture,
        command(found.command_of(one, games)),
    )  # fmt: skip


def part(title: str, says: str, drawings: list[Markup]) -> Iterator[Markup]:
    if drawings:
        yield heading(4, title)
        yield paragraph(says, class_="note")
        yield gallery(drawings)


def edge_charts(found: Collected, known: list[Measured]) -> Iterator[Markup]:
    several = rivals(known)
    marks = {
        one.table.players: [
            Mark(f"seat {seat}", edge(one.totals, seat, one.table.players)) for seat in range(1, one.table.players + 1)
        ]
        for one in several
    }
    reach = reach_of([mark for row in marks.values() for mark in row])
    yield from part(
        "Is it fair? The edge of each seat",
        "By how much a seat wins more or less often than its equal share. "
        "An interval that does not reach zero is an advantage of the seat.",
        [
            drawing(found, one, people(one),
                    around_zero(marks[one.table.players], reach, f"edge of each seat, {people(one)}"))
            for one in several
        ],
    )  # fmt: skip


def rivals(known: list[Measured]) -> list[Measured]:
    """Where players win from each other."""
    return [one for one in known if one.table.players > 1 and not is_cooperative(one)]


def is_cooperative(one: Measured) -> bool:
    """The table wins or loses together."""
    tie = figure(one.totals, ("tie",), one.table.players)
    return any(key[0] == "result" for key in endings(one.table)) and tie.value == 1


def result_charts(found: Collected, known: list[Measured]) -> Iterator[Markup]:
    drawings = []
    for one in known:
        keys = [key for key in endings(one.table) if key[0] == "result"]
        marks = [Mark(key[1], figure(one.totals, key, one.table.players)) for key in keys]
        if marks:
            drawings.append(drawing(found, one, people(one), shares(marks, f"results, {people(one)}")))
    yield from part("How does it end? Results", "The share of games that end with each word.", drawings)


def score_charts(found: Collected, known: list[Measured]) -> Iterator[Markup]:
    drawings = []
    for one in known:
        spread: Counter[Exact] = Counter()
        for seat in range(1, one.table.players + 1):
            spread.update(one.totals.spread(("score", str(seat))))
        mean = float(sum(value * count for value, count in spread.items())) / spread.total()
        drawings.append(drawing(found, one, people(one), histogram(spread, mean, "final score")))
    says = "The final scores of all seats together."
    yield from part("How many points? Final scores", says, drawings)


def length_charts(found: Collected, known: list[Measured]) -> Iterator[Markup]:
    key: Key = ("length", "decisions")
    drawings = [
        drawing(found, one, people(one),
                histogram(one.totals.spread(key), figure(one.totals, key, one.table.players).value, "decisions",
                          unit(key, one.table.players)))
        for one in known
    ]  # fmt: skip
    yield from part("How long is it? Decisions in a game", "Every choice of a player is a decision.", drawings)


def course_charts(found: Collected, known: list[Measured]) -> Iterator[Markup]:
    drawings = []
    told = actions_told(found.courses.values(), declared_actions(known))
    for one in known:
        seen = found.courses.get(one.table.players)
        if seen is not None and seen.chosen and len(told) > 1:
            drawings.append(drawing(found, one, people(one), course_chart(seen, told), seen.games))
    says = "What is chosen in each tenth of a game, in the first of the games."
    yield from part("What is done when? The use of actions", says, drawings)


def declared_actions(known: list[Measured]) -> list[str]:
    return [action.name.text for action in known[0].table.bench.of_class(ast.Action)] if known else []


def seat_sheet(known: list[Measured]) -> Markup:
    rows = []
    for one in known:
        players = one.table.players
        for seat in range(1, players + 1):
            wins, score = (figure(one.totals, (word_, str(seat)), players) for word_ in ("win", "score"))
            rows.append([
                Cell(people(one), players), Cell(seat, seat, is_number=True), estimate_cell(wins, True),
                estimate_cell(edge(one.totals, seat, players), True), estimate_cell(score, False),
                plain_number(one.totals.finished),
            ])  # fmt: skip
    return sheet("Seats", ["players", "seat", "wins", "edge", "mean score", "games"], rows)


def matrix(known: list[Measured]) -> Markup:
    """A figure a row, a number of players a column."""
    if not known:
        return Markup("")
    first = known[0].table
    keys = [*GENERAL, *endings(first), *((kind, piece.name.text) for kind, piece in lines_and_phases(first))]
    rows = [[Cell(figure_name(key)), *(cell(one, key) for one in known)] for key in keys]
    sample = [Cell("games"), *(plain_number(one.totals.finished) for one in known)]
    told = [sample, *(row for row in rows if any(one is not NOTHING for one in row[1:]))]
    return sheet("Course of the game", ["figure", *map(people, known)], told)


def lines_and_phases(table: Table) -> Iterator[tuple[str, ast.ScoreLine | ast.Phase]]:
    yield from (("line", line) for score in table.bench.of_class(ast.Score) for line in score.lines)
    yield from (("phase", phase) for phase in table.bench.of_class(ast.Phase))


def cell(one: Measured, key: Key) -> Cell:
    """What never came in an ending is left out."""
    if key[0] == "ending" and not one.totals.sums.get(key):
        return NOTHING
    return estimate_cell(figure(one.totals, key, one.table.players), key[0] in SHARES)


