"""HTML as values: what is text is escaped, always; markup is only what was made here. A message becomes text in the
language that is spoken, names of the rules by their `words`.

A page is well-formed XML too, so that a test can read it with a strict parser.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape

from attrs import frozen

from rulesrun.locale.language import translate

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
