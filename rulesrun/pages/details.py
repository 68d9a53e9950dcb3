"""The long tables of a page, folded: the use of actions, of their values, of rows and of components."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rulesrun.dsl.text.messages import Names, message, message_in
from rulesrun.interpreter.measure.catalogue import TableFigures
from rulesrun.interpreter.measure.declared_figures import Key
from rulesrun.interpreter.measure.figures import estimate_against_measure, estimate_figure, estimate_games_with
from rulesrun.pages.markup import Markup, element, folding_section
from rulesrun.pages.sheets import GAMES, PLAYERS, Cell, estimate_cell, number_cell, sortable_sheet
from rulesrun.report.figure_text import percent_text
from rulesrun.services.measure import MeasuredTable

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
