"""HTML as values: what is text is escaped, always; markup is only what was made here. A message becomes text in the
language that is spoken, names of the rules by their `words`.

A page is well-formed XML too, so that a test can read it with a strict parser.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path

from attrs import frozen

from rulesrun.dsl.text.messages import Message, message, message_in
from rulesrun.interpreter.measure.estimates import Estimate
from rulesrun.locale.language import translate
from rulesrun.report.figure_text import estimate_text, number_text, percent_text

Value = str | int | float | None

# Signs that no document may hold, and those that turn the direction of what stands behind them.
UNFIT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")


@frozen
class Markup:
    """Finished HTML."""

    html: str


Child = Markup | str | int | None


def escape_text(plain: str) -> Markup:
    return Markup(escape(UNFIT.sub("\ufffd", plain)))


def join_markup(children: Iterable[Child]) -> Markup:
    return Markup("".join(_child_html(child) for child in children))


def element(tag: str, *children: Child, **attributes: Value) -> Markup:
    """`element("td", "a < b", class_="wide", data_key=3)`; an attribute that is None is left out."""
    told = "".join(_attribute_html(name, value) for name, value in attributes.items() if value is not None)
    inner = "".join(_child_html(child) for child in children)
    if not inner and tag not in ("script", "style", "td", "th", "span", "div", "code"):
        return Markup(f"<{tag}{told}/>")
    return Markup(f"<{tag}{told}>{inner}</{tag}>")


def _child_html(child: Child) -> str:
    if child is None:
        return ""
    return child.html if isinstance(child, Markup) else escape_text(translate(child)).html


def _attribute_html(name: str, value: Value) -> str:
    told = f"{value:.6g}" if isinstance(value, float) else translate(value)
    return f' {name.rstrip("_").replace("_", "-")}="{escape_text(told).html}"'


# ---- what stands on every page


def heading(level: int, *children: Child, **attributes: Value) -> Markup:
    return element(f"h{level}", *children, **attributes)


def paragraph(*children: Child, **attributes: Value) -> Markup:
    return element("p", *children, **attributes)


def text_with_code(text: str) -> Markup:
    """What stands between backquotes is said in the language of the rules."""
    parts = translate(text).split("`")
    if len(parts) % 2 == 0:
        return escape_text(translate(text))
    return join_markup(element("code", part) if at % 2 else part for at, part in enumerate(parts))


def command_element(words: str) -> Markup:
    """What to type to see a figure again."""
    return element("code", words, class_="command")


def preformatted(*children: Child, **attributes: Value) -> Markup:
    """It may be wider than the page, so keys must be able to move it."""
    return element("pre", *children, tabindex=0, **attributes)


def gallery(figures: Sequence[Markup]) -> Markup:
    """Pictures side by side, as many as there is room for; four in two rows of two."""
    return element("div", *figures, class_="gallery pairs" if len(figures) in (2, 4) else "gallery")


def folding_section(title: Child, *children: Child) -> Markup:
    """Opened by a click, and on paper."""
    return element("details", element("summary", title), *children)


# ---- sheets
# Tables that can be sorted: columns and rows of cells in, markup out.


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


# ---- styles
# What pages look like and the little they do: files beside the code, read once, put into each page.


STATIC = Path(__file__).resolve().parent / "static"
PALETTE = (STATIC / "palette.css").read_text("utf-8")
STYLE = PALETTE + (STATIC / "report.css").read_text("utf-8")
SCRIPT = (STATIC / "report.js").read_text("utf-8")
