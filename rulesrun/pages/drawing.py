"""What every chart is drawn with: scales, ticks, marks. Numbers in, SVG out; colours come from the page's style."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor, log10

from attrs import frozen

from rulesrun.pages.markup import Child, Markup, Value, element
from rulesrun.report.figure_text import number_text

WIDTH = 360  # of every chart, in its own units: about as many pixels as a phone has
LETTER = 7  # how wide a figure of a tick is, at most


@frozen
class Scale:
    """From values to places."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        part = (value - self.low) / ((self.high - self.low) or 1.0)
        return round(self.start + min(max(part, 0.0), 1.0) * (self.end - self.start), 2)


def round_step(reach: float, wanted: int) -> float:
    """A round distance (1, 2 or 5 and zeros) that goes about so often into `reach`."""
    if reach <= 0:
        return 1.0
    rough = reach / max(wanted, 1)
    size: float = 10.0 ** floor(log10(rough))
    return next(size * factor for factor in (1, 2, 5, 10) if size * factor >= rough * 0.999)


def axis_ticks(low: float, high: float, wanted: int = 4) -> list[float]:
    distance = round_step(high - low, wanted)
    first, last = ceil(low / distance - 1e-9), floor(high / distance + 1e-9)
    return [round(at * distance, 10) for at in range(first, last + 1)]


def draw_chart(height: float, says: str, *marks: Markup | None) -> Markup:
    """`says`: the chart in words, for who cannot see it."""
    return element(
        "svg", element("title", says), *marks,
        viewBox=f"0 0 {WIDTH} {height:g}", role="img", xmlns="http://www.w3.org/2000/svg",
    )  # fmt: skip


def draw_line(x1: float, y1: float, x2: float, y2: float, kind: str) -> Markup:
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=kind)


def draw_box(x: float, y: float, width: float, height: float, kind: str, says: str | None = None) -> Markup:
    title = element("title", says) if says else None
    return element("rect", title, x=x, y=y, width=max(round(width, 2), 0), height=max(round(height, 2), 0), class_=kind)


def draw_dot(x: float, y: float, kind: str, says: str | None = None) -> Markup:
    return element("circle", element("title", says) if says else None, cx=x, cy=y, r=4, class_=kind)


def draw_label(x: float, y: float, shown: Child, kind: str = "", anchor: str = "start", **more: Value) -> Markup:
    return element("text", shown, x=x, y=y, class_=kind or None, text_anchor=anchor, **more)


def draw_numbers_below(scale: Scale, y: float, values: Sequence[float], unit: str = "") -> list[Markup]:
    """Numbers under a horizontal axis; those at its ends stay inside the chart."""
    drawn = []
    for value in values:
        x, shown = scale(value), number_text(value).replace("-", "−") + unit
        half = LETTER * len(shown) / 2
        anchor = "start" if x < half else "end" if x > WIDTH - half else "middle"
        drawn.append(draw_label(min(max(x, 0), WIDTH), y, shown, "tick", anchor))
    return drawn


def shorten_name(name: str, most: int) -> str:
    return name if len(name) <= most else name[: most - 1] + "…"
