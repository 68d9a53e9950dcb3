"""Tables that can be sorted: columns and rows of cells in, markup out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from attrs import frozen

from rulesrun.dsl.text.messages import Message, message, message_in
from rulesrun.interpreter.measure.estimates import Estimate
from rulesrun.pages.markup import Child, Markup, element, join_markup
from rulesrun.report.figure_text import estimate_text, number_text, percent_text


@frozen
class Cell:
    """`key`: what the column is sorted by, when it is a number; `small`: stands below, as an interval does."""

    shown: Child
    key: float | None = None
    small: str = ""
    is_number: bool = False


def text_cell(shown: Child) -> Cell:
    return Cell(shown)


def number_cell(value: float) -> Cell:
    return Cell(number_text(value), value, is_number=True)


def estimate_cell(found: Estimate, is_share: bool) -> Cell:
    """The value, its interval below."""
    told = percent_text if is_share else number_text
    if found.low is None or found.high is None or not found.games or found.low == found.high:
        return Cell(estimate_text(found, is_share), found.value if found.games else None, is_number=True)
    return Cell(told(found.value), found.value, range_text(told(found.low), told(found.high)), is_number=True)


def range_text(low: str, high: str) -> Message:
    """A unit is said once."""
    return message("{low} to {high}", low=low.removesuffix(" %"), high=high)


NOTHING = Cell("–", is_number=True)
UNKNOWN_INTERVAL = message("interval not known")
PLAYERS, GAMES = message_in("column", "players"), message_in("column", "games")


def sortable_sheet(
    caption: Child, columns: Sequence[Child], rows: Iterable[Sequence[Cell]], foot: Markup | None = None
) -> Markup:
    """The first cell of a row names it. Without rows there is no table."""
    told = list(rows)
    if not told:
        return Markup("")
    kinds = ["number" if cell.is_number else None for cell in told[0]]
    head = (element("th", column, scope="col", class_=kind) for column, kind in zip(columns, kinds, strict=True))
    table = element(
        "table", element("caption", caption), element("thead", element("tr", *head)),
        element("tbody", *(_row_element(cells) for cells in told)), element("tfoot", foot) if foot else None,
        class_="sortable",
    )  # fmt: skip
    return element("div", table, class_="wide", tabindex=0, role="region", aria_label=_caption_text(caption))


def _caption_text(caption: Child) -> str | None:
    return caption if isinstance(caption, str) else None


def _row_element(cells: Sequence[Cell]) -> Markup:
    first, *others = cells
    return element(
        "tr", element("th", _cell_content(first), scope="row", data_key=first.key),
        *(element("td", _cell_content(cell), class_="number" if cell.is_number else None, data_key=cell.key)
          for cell in others),
    )  # fmt: skip


def _cell_content(cell: Cell) -> Markup:
    small = element("small", cell.small) if cell.small else None
    return join_markup((cell.shown, small))
