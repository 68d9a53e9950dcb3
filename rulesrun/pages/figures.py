"""Figures on a page: measured tables in, charts and sortable tables out, each figure with interval and sample size."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from rulesrun.dsl.text.messages import Message, Names, message, message_in, template
from rulesrun.interpreter.measure.catalogue import GENERAL, TableFigures
from rulesrun.interpreter.measure.declared_figures import Key, declared_figure
from rulesrun.interpreter.measure.estimates import LEVEL, Estimate, Exact, normal_quantile, two_sided_p_value
from rulesrun.interpreter.measure.figures import (
    estimate_against_measure,
    estimate_edge,
    estimate_figure,
    estimate_games_with,
)
from rulesrun.interpreter.measure.record import TOO_LONG
from rulesrun.locale.language import say
from rulesrun.pages.charts import (
    LENGTHS,
    SCORES,
    ChartRow,
    SpreadWords,
    axis_reach,
    draw_course,
    draw_histogram,
    draw_intervals,
    draw_shares,
    make_spread_scale,
    select_actions,
)
from rulesrun.pages.collecting import CollectedFile
from rulesrun.pages.markup import (
    GAMES,
    NOTHING,
    PLAYERS,
    Cell,
    Child,
    Markup,
    element,
    estimate_cell,
    folding_section,
    gallery,
    heading,
    join_markup,
    number_cell,
    paragraph,
    sortable_sheet,
    text_cell,
)
from rulesrun.pages.verdicts import BADGES, HOLDS, OPEN, badge
from rulesrun.report.figure_text import figure_name, number_text, percent_text, seat_words, team_text
from rulesrun.report.measure_text import STOPPED
from rulesrun.services.measure import MeasuredTable
from rulesrun.services.unfinished_games import going_on_word
from rulesrun.terminal.plurals import count_games, count_players

# ---- fairness
# Is it fair? Measured tables in, a verdict out: which seats clearly win more or less often than their share.


FAMILY = 0.01  # how often any seat at all may be called favoured where none is
MOST = 4  # seats told one by one
MORE = template("seat {seat} of {players} wins {share} more often than an equal share ({low} to {high})")
LESS = template("seat {seat} of {players} wins {share} less often than an equal share ({low} to {high})")

Seat = tuple[int, int, Estimate]  # players, the seat, its edge


def fairness_lines(tables: list[MeasuredTable]) -> Iterator[Markup]:
    """`tables`: where players win from each other. Clear is what is so at 1 % for all seats together."""
    seats: list[Seat] = [
        (one.table.players, seat, estimate_edge(one.totals, seat, one.table))
        for one in tables
        for seat in one.table.bench.first_seats
    ]
    if not seats or any(found.low is None for _, _, found in seats):
        return
    clear = sorted((seat for seat in seats if is_clear(seat[2], len(seats))), key=lambda seat: -abs(seat[2].value))
    for players, seat, found in clear[:MOST]:
        low, high = sorted((abs(found.low or 0.0), abs(found.high or 0.0)))
        sentence = MORE if found.value > 0 else LESS
        said = message(
            sentence, seat=seat, players=players, share=percent_text(abs(found.value)), low=percent_text(low),
            high=percent_text(high),
        )  # fmt: skip
        yield join_markup((badge(OPEN, "edge"), " ", said))
    if len(clear) > MOST:
        yield join_markup((badge(OPEN, "edge"), " ", message("and {seats} more seats", seats=len(clear) - MOST)))
    if not clear:
        most = max(max(-(found.low or 0.0), found.high or 0.0) for _, _, found in seats)
        said = message("no seat has a clear edge: each within {most} of an equal share", most=percent_text(most))
        yield join_markup((badge(HOLDS, "fair"), " ", said))


def is_clear(found: Estimate, family: int) -> bool:
    error = found.half_width / normal_quantile((1 + LEVEL) / 2)
    return bool(found.value) and (not error or two_sided_p_value(found.value / error) * family < FAMILY)


# ---- details
# The long tables of a page, folded: the use of actions, of their values, of rows and of components.


IN_GAMES = message_in("column", "in games")
Row = Callable[[MeasuredTable, Key], list[Cell]]


def detail_sheets(known: list[MeasuredTable]) -> Iterator[Markup]:
    yield action_sheet(known)
    for kind, title, name, columns, row in (
        (
            "value", message("What is chosen with an action"), message_in("column", "choice"),
            [message("a game"), IN_GAMES], value_row,
        ),
        (
            "met", message("Rows with rules of their own"), message_in("column", "row"),
            [message("revealed"), message("met by players")], rule_row,
        ),
        (
            "component", message("Components"), message_in("column", "component"),
            [message("chosen a game"), message("kept a game")], component_row,
        ),
    ):  # fmt: skip
        table = long_sheet(known, kind, title, [name, PLAYERS, *columns, GAMES], row)
        if table.html:
            yield folding_section(title, table)


def long_sheet(known: list[MeasuredTable], kind: str, title: str, columns: list[str], row: Row) -> Markup:
    rows = []
    for one in known:
        for key in TableFigures(one.table).list_piece_keys():
            if key[0] == kind:
                cells = row(one, key)
                rows.append([cells[0], players_cell(one), *cells[1:], number_cell(one.totals.finished)])
    return sortable_sheet(title, columns, rows)


def players_cell(one: MeasuredTable) -> Cell:
    return Cell(one.table.players, one.table.players, is_number=True)


def action_sheet(known: list[MeasuredTable]) -> Markup:
    columns: list[str] = [
        message_in("column", "action"), PLAYERS, message("chosen a game"), IN_GAMES, message("chosen when possible"),
        GAMES,
    ]  # fmt: skip
    return long_sheet(known, "action", message("Actions"), columns, action_row)


def action_row(one: MeasuredTable, key: Key) -> list[Cell]:
    totals, players = one.totals, one.table.players
    if totals.sums.get(("offered", key[1])) is None:
        most = estimate_games_with(totals, ("offered", key[1])).high or 1.0
        seldom = message("in fewer than {share} of games", share=percent_text(most))
        never = Cell(message("never possible"), 0.0, seldom, is_number=True)
        return [Cell(Names(key[1])), never, Cell("–", 0.0, is_number=True), Cell("–", 0.0, is_number=True)]
    when = estimate_against_measure(totals, key, players)
    assert when is not None
    return [
        Cell(Names(key[1])), estimate_cell(estimate_figure(totals, key, players), False),
        estimate_cell(estimate_games_with(totals, key), True), estimate_cell(when, True),
    ]  # fmt: skip


def value_row(one: MeasuredTable, key: Key) -> list[Cell]:
    _, action, choice, value = key
    each = estimate_figure(one.totals, key, one.table.players)
    name = element("span", Names(f"{action}: {choice}"), " ", element("b", Names(value)))
    return [Cell(name), estimate_cell(each, False), estimate_cell(estimate_games_with(one.totals, key), True)]


def rule_row(one: MeasuredTable, key: Key) -> list[Cell]:
    when = estimate_against_measure(one.totals, key, one.table.players)
    assert when is not None
    return [
        Cell(Names(key[1])),
        estimate_cell(estimate_games_with(one.totals, ("row", key[1])), True),
        estimate_cell(when, True),
    ]


def component_row(one: MeasuredTable, key: Key) -> list[Cell]:
    chosen, kept = (estimate_figure(one.totals, (word, key[1]), one.table.players) for word in ("component", "kept"))
    return [Cell(Names(key[1])), estimate_cell(chosen, False), estimate_cell(kept, False)]


# ---- figures


def figures_section(found: CollectedFile, anchor: str) -> Markup:
    assert found.measured is not None
    known = [one for one in found.measured.tables if one.totals.finished]
    who = found.request.seats
    fair = [element("li", line) for line in fairness_lines(competitive_tables(known))] if who is not None else []
    told = [
        heading(3, say("Figures of random play") if who is None else say("Figures")),
        paragraph(
            message(
                "From games played at random, with 95 % intervals. Random players show what the rules allow, not what "
                "good players do."
            ) if who is None else message("From games played by {names}, with 95 % intervals.", names=who)
        ),
        element("ul", *fair, class_="verdicts") if fair else None,
        sample_sheet(found),
        *all_charts(found, known),
        seat_sheet(known), figure_matrix(known), *detail_sheets(known),
    ]  # fmt: skip
    return element("section", *told, id=anchor)


def all_charts(found: CollectedFile, known: list[MeasuredTable]) -> list[Markup]:
    """Of one table side by side, of several below each other."""
    kinds = (edge_charts, result_charts, score_charts, length_charts, course_charts)
    drawn = [list(kind(found, known)) for kind in kinds]
    if len(known) > 1:
        return [one for parts in drawn for one in parts]
    return [element("div", *(element("div", *parts) for parts in drawn if parts), class_="parts")]


def player_count_text(one: MeasuredTable) -> Message:
    return count_players(one.table.players)


def sample_sheet(found: CollectedFile) -> Markup:
    assert found.measured is not None

    def row(one: MeasuredTable) -> list[Cell]:
        long = one.totals.stuck[TOO_LONG]
        stuck = one.totals.stuck.total() - long
        small: str = ""
        if long:
            word = BADGES[going_on_word(one.going_on)]
            small = message("{games} not over: {verdict}", games=number_text(long), verdict=word)
        stopped = STOPPED.get(one.stopped, one.stopped)
        return [
            Cell(player_count_text(one), one.table.players), number_cell(one.totals.games),
            Cell(number_text(stuck), stuck, small, is_number=True), text_cell(stopped),
        ]  # fmt: skip

    columns = [PLAYERS, GAMES, message_in("column", "stuck"), message_in("column", "stopped because")]
    return sortable_sheet(message("Where the figures come from"), columns, map(row, found.measured.tables))


def captioned_figure(one: MeasuredTable, title: Child, picture: Markup, games: int | None = None) -> Markup:
    sample = count_games(one.totals.finished if games is None else games)
    return element("figure", element("figcaption", title, element("small", sample)), picture)


def chart_group(title: str, says: str, drawings: list[Markup], lines: Sequence[Markup] = ()) -> Iterator[Markup]:
    if drawings or lines:
        yield heading(4, title)
        yield paragraph(says, class_="note")
        yield from lines
    if drawings:
        yield gallery(drawings)


def edge_charts(found: CollectedFile, known: list[MeasuredTable]) -> Iterator[Markup]:
    several = competitive_tables(known)
    marks = {
        one.table.players: [
            ChartRow(seat_words(one.table, seat), estimate_edge(one.totals, seat, one.table))
            for seat in one.table.bench.first_seats
        ]
        for one in several
    }
    reach = axis_reach([mark for row in marks.values() for mark in row])
    yield from chart_group(
        say("How often does each seat win?"),
        message(
            "How much more or less often each seat wins than its equal share. If an interval does not reach zero, the "
            "seat has a real edge."
        ),
        [
            captioned_figure(one, player_count_text(one),
                    draw_intervals(marks[one.table.players], reach,
                                   message("edge of each seat, {players}", players=player_count_text(one))))
            for one in several
        ],
    )  # fmt: skip


def competitive_tables(known: list[MeasuredTable]) -> list[MeasuredTable]:
    """Where players win from each other."""
    return [one for one in known if one.table.players > 1 and not is_cooperative(one)]


def is_cooperative(one: MeasuredTable) -> bool:
    """The table wins or loses together."""
    tie = estimate_figure(one.totals, ("tie",), one.table.players)
    return bool(TableFigures(one.table).list_keys("result")) and tie.value == 1


def result_charts(found: CollectedFile, known: list[MeasuredTable]) -> Iterator[Markup]:
    drawings = []
    for one in known:
        keys = TableFigures(one.table).list_keys("result")
        marks = [ChartRow(Names(key[1]), estimate_figure(one.totals, key, one.table.players)) for key in keys]
        if marks:
            drawings.append(
                captioned_figure(
                    one, player_count_text(one),
                    draw_shares(marks, message("results, {players}", players=player_count_text(one))),
                )
            )
    says = message("The share of games that end with each word.")
    yield from chart_group(message("How does the game end?"), says, drawings)


def score_charts(found: CollectedFile, known: list[MeasuredTable]) -> Iterator[Markup]:
    spreads = []
    for one in known:
        spread: Counter[Exact] = Counter()
        for seat in range(1, one.table.players + 1):
            spread.update(one.totals.value_counts(("score", str(seat))))
        spreads.append(spread)
    says = say("The final scores of all seats together: the share of each score.")
    yield from chart_group(message("How many points does a player score?"), says, *draw_spreads(known, spreads, SCORES))


def length_charts(found: CollectedFile, known: list[MeasuredTable]) -> Iterator[Markup]:
    key: Key = ("length", "decisions")
    spreads = [one.totals.value_counts(key) for one in known]
    says = say("Each choice of a player is a decision: the share of games of each length.")
    parts = declared_figure(key).unit(known[0].table.players)
    drawn = draw_spreads(known, spreads, LENGTHS, parts)
    yield from chart_group(message("How long is a game?"), says, *drawn)


def draw_spreads(
    known: list[MeasuredTable], spreads: Sequence[Mapping[Exact, int]], words: SpreadWords, parts: int = 1
) -> tuple[list[Markup], list[Markup]]:
    """Charts of what varies; lines on what is always the same: one block would fill the whole chart."""
    varying = [(one, spread) for one, spread in zip(known, spreads, strict=True) if len(spread) > 1]
    always = [
        always_line(one, float(min(spread)) / parts)
        for one, spread in zip(known, spreads, strict=True) if len(spread) == 1
    ]
    if not varying:
        return [], always
    shared = make_spread_scale([spread for _, spread in varying], parts)
    drawings = []
    for one, spread in varying:
        mean = float(sum(value * count for value, count in spread.items())) / sum(spread.values()) / parts
        drawings.append(captioned_figure(one, player_count_text(one), draw_histogram(spread, mean, words, shared)))
    return drawings, always


def always_line(one: MeasuredTable, value: float) -> Markup:
    return paragraph(element("b", player_count_text(one)), ": ", say("always {number}", number=number_text(value)))


def course_charts(found: CollectedFile, known: list[MeasuredTable]) -> Iterator[Markup]:
    drawings = []
    told = select_actions(found.courses.values(), declared_actions(known))
    for one in known:
        seen = found.courses.get(one.table.players)
        if seen is not None and seen.chosen and len(told) > 1:
            drawings.append(captioned_figure(one, player_count_text(one), draw_course(seen, told), seen.games))
    says = message("What is chosen in each tenth of a game, in the first games.")
    yield from chart_group(message("Which actions are chosen when?"), says, drawings)


def declared_actions(known: list[MeasuredTable]) -> list[str]:
    return [action.name.text for action in known[0].table.bench.actions] if known else []


def seat_sheet(known: list[MeasuredTable]) -> Markup:
    rows = []
    for one in known:
        players = one.table.players
        for seat in one.table.bench.first_seats:
            wins, score = (estimate_figure(one.totals, (word_, str(seat)), players) for word_ in ("win", "score"))
            rows.append([
                Cell(player_count_text(one), players), Cell(team_text(one.table, seat), seat, is_number=True),
                estimate_cell(wins, True),
                estimate_cell(estimate_edge(one.totals, seat, one.table), True), estimate_cell(score, False),
                number_cell(one.totals.finished),
            ])  # fmt: skip
    columns = [
        PLAYERS, message_in("column", "seat"), message_in("column", "wins"), message_in("column", "edge"),
        message("mean score"), GAMES,
    ]  # fmt: skip
    return sortable_sheet(message("Seats"), columns, rows)


def figure_matrix(known: list[MeasuredTable]) -> Markup:
    """A figure a row, a number of players a column."""
    if not known:
        return Markup("")
    first = known[0].table
    pieces = [("line", line.name.text) for score in first.bench.scores for line in score.lines]
    pieces += [("phase", phase.name.text) for phase in first.bench.phases]
    figures = TableFigures(first)
    keys = [*GENERAL, *figures.list_keys("figure"), *figures.list_ending_keys(), *pieces]
    rows = [[Cell(figure_name(key)), *(figure_cell(one, key) for one in known)] for key in keys]
    sample = [Cell(GAMES), *(number_cell(one.totals.finished) for one in known)]
    told = [sample, *(row for row in rows if any(one is not NOTHING for one in row[1:]))]
    columns = [message_in("column", "figure"), *map(player_count_text, known)]
    return sortable_sheet(message("Course of the game"), columns, told)


def figure_cell(one: MeasuredTable, key: Key) -> Cell:
    """What never came in an ending is left out."""
    if key[0] == "ending" and not one.totals.sums.get(key):
        return NOTHING
    return estimate_cell(estimate_figure(one.totals, key, one.table.players), declared_figure(key).is_share)
