"""The long tables of a page, folded: the use of actions, of their values, of rows and of components."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rulesrun.interpreter.measure.catalogue import piece_figures
from rulesrun.interpreter.measure.figures import estimate_against_measure, estimate_figure, estimate_games_with
from rulesrun.interpreter.measure.record import Key
from rulesrun.pages.markup import Markup, element, folding_section
from rulesrun.pages.sheets import Cell, estimate_cell, number_cell, sortable_sheet
from rulesrun.services.measure import MeasuredTable

Row = Callable[[MeasuredTable, Key], list[Cell]]


def detail_sheets(known: list[MeasuredTable]) -> Iterator[Markup]:
    yield action_sheet(known)
    for kind, title, name, columns, row in (
        ("value", "What is chosen with an action", "choice", ["a game", "in games"], value_row),
        ("met", "Rows with a rule", "row", ["lies open", "holds for players"], rule_row),
        ("component", "Components", "component", ["chosen a game", "kept a game"], component_row),
    ):
        table = long_sheet(known, kind, title, [name, "players", *columns, "games"], row)
        if table.html:
            yield folding_section(title, table)


def long_sheet(known: list[MeasuredTable], kind: str, title: str, columns: list[str], row: Row) -> Markup:
    rows = []
    for one in known:
        for key in piece_figures(one.table):
            if key[0] == kind:
                cells = row(one, key)
                rows.append([cells[0], players_cell(one), *cells[1:], number_cell(one.totals.finished)])
    return sortable_sheet(title, columns, rows)


def players_cell(one: MeasuredTable) -> Cell:
    return Cell(one.table.players, one.table.players, is_number=True)


def action_sheet(known: list[MeasuredTable]) -> Markup:
    columns = ["action", "players", "chosen a game", "in games", "taken when possible", "games"]
    return long_sheet(known, "action", "Actions", columns, action_row)


def action_row(one: MeasuredTable, key: Key) -> list[Cell]:
    totals, players = one.totals, one.table.players
    if totals.sums.get(("offered", key[1])) is None:
        most = estimate_games_with(totals, ("offered", key[1])).high or 1.0
        never = Cell("never possible", 0.0, f"in fewer than {most * 100:.2f} % of the games", is_number=True)
        return [Cell(key[1]), never, Cell("–", 0.0, is_number=True), Cell("–", 0.0, is_number=True)]
    when = estimate_against_measure(totals, key, players)
    assert when is not None
    return [
        Cell(key[1]), estimate_cell(estimate_figure(totals, key, players), False),
        estimate_cell(estimate_games_with(totals, key), True), estimate_cell(when, True),
    ]  # fmt: skip


def value_row(one: MeasuredTable, key: Key) -> list[Cell]:
    _, action, choice, value = key
    each = estimate_figure(one.totals, key, one.table.players)
    name = element("span", f"{action}: {choice} ", element("b", value))
    return [Cell(name), estimate_cell(each, False), estimate_cell(estimate_games_with(one.totals, key), True)]


def rule_row(one: MeasuredTable, key: Key) -> list[Cell]:
    when = estimate_against_measure(one.totals, key, one.table.players)
    assert when is not None
    return [
        Cell(key[1]),
        estimate_cell(estimate_games_with(one.totals, ("row", key[1])), True),
        estimate_cell(when, True),
    ]


def component_row(one: MeasuredTable, key: Key) -> list[Cell]:
    chosen, kept = (estimate_figure(one.totals, (word, key[1]), one.table.players) for word in ("component", "kept"))
    return [Cell(key[1]), estimate_cell(chosen, False), estimate_cell(kept, False)]
