"""Charts of estimates and distributions: shares, edges, effects with their intervals, how values are spread."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import floor

from attrs import evolve, frozen

from rulesrun.dsl.text.messages import Message, message, template
from rulesrun.interpreter.measure.estimates import Estimate, Exact
from rulesrun.locale.language import translate
from rulesrun.pages.drawing import (
    WIDTH,
    Scale,
    axis_ticks,
    draw_box,
    draw_chart,
    draw_dot,
    draw_label,
    draw_line,
    draw_numbers_below,
    round_step,
    shorten_name,
)
from rulesrun.pages.markup import Markup
from rulesrun.report.figure_text import estimate_text, number_text, percent_text

ROW = 26
TOP = 8
AXIS = 22
MOST_BARS = 24
TALL = 150
LEFT = 8
UPRIGHT = 42  # where bars begin, to the right of an upright axis
APART = 48  # from one tick to the next
FEWEST_POINTS = 0.05  # an edge axis reaches at least so far


@frozen
class ChartRow:
    """One row of a chart of intervals. `is_clear`: an effect that is certain."""

    name: str
    found: Estimate
    is_clear: bool = True


def axis_reach(marks: Sequence[ChartRow], least: float = FEWEST_POINTS) -> float:
    """How far from zero an axis must go, so that several charts may share it."""
    ends = [end for mark in marks for end in (mark.found.low, mark.found.high, mark.found.value) if end is not None]
    return max([least, *map(abs, ends)]) * 1.05


def draw_intervals(marks: Sequence[ChartRow], reach: float, says: str, names: int = 76) -> Markup:
    """A dot and its interval in each row, around a line at zero; in percent."""
    height = TOP + ROW * len(marks)
    scale = Scale(-reach, reach, names, WIDTH - LEFT - 14)
    marked = axis_ticks(-reach, reach, (WIDTH - names) // APART)
    drawn = [draw_line(scale(at), TOP, scale(at), height, "grid" if at else "zero") for at in marked]
    for row, mark in enumerate(marks):
        drawn += draw_interval_row(mark, TOP + ROW * (row + 0.5), scale, estimate_percent_text(mark.found))
        drawn.append(draw_label(0, TOP + ROW * (row + 0.5) + 4, shorten_name(translate(mark.name), names // 6)))
    drawn += draw_axis(scale, height, marked)
    return draw_chart(height + AXIS, says, *drawn)


def draw_axis(scale: Scale, height: float, marked: Sequence[float]) -> list[Markup]:
    """In percent."""
    hundred = Scale(scale.low * 100, scale.high * 100, scale.start, scale.end)
    return draw_numbers_below(hundred, height + 15, [round(at * 100, 6) for at in marked], " %")


def draw_interval_row(mark: ChartRow, y: float, scale: Scale, says: str) -> list[Markup]:
    found, kind = mark.found, "" if mark.is_clear else " faint"
    if not found.games:
        return []
    drawn = []
    if found.low is not None and found.high is not None:
        drawn.append(draw_line(scale(found.low), y, scale(found.high), y, "whisker" + kind))
    return [*drawn, draw_dot(
        scale(found.value), y, "dot" + kind, message("{name}: {value}", name=mark.name, value=says)
    )]


def estimate_percent_text(found: Estimate) -> Message:
    return estimate_text(found, True)


def draw_shares(marks: Sequence[ChartRow], says: str) -> Markup:
    """A bar from zero in each row, with its interval."""
    height = TOP + (ROW + 14) * len(marks)
    high = max([0.01, *(mark.found.high or mark.found.value for mark in marks)])
    scale = Scale(0, min(high, 1.0), LEFT, WIDTH - 28)
    drawn = []
    for row, mark in enumerate(marks):
        y = TOP + (ROW + 14) * row
        drawn.append(draw_label(LEFT, y + 12, shorten_name(translate(mark.name), 34)))
        drawn.append(draw_label(WIDTH - LEFT, y + 12, percent_text(mark.found.value), "tick", "end"))
        drawn.append(
            draw_box(LEFT, y + 18, scale(mark.found.value) - LEFT, 10, "bar", estimate_percent_text(mark.found))
        )
        if mark.found.low is not None and mark.found.high is not None:
            drawn.append(draw_line(scale(mark.found.low), y + 23, scale(mark.found.high), y + 23, "thin whisker"))
    marked = axis_ticks(0, scale.high)
    return draw_chart(height + AXIS, says, *drawn, *draw_axis(scale, height, marked))


# ---------------------------------------------------------------- how values are spread


@frozen
class SpreadScale:
    """Bars of equal width from `first` on, the same in several charts, and the largest share that any of them shows.
    `parts`: the values are counted in so many parts of one."""

    first: float
    width: float
    bars: int
    is_whole: bool
    most: float
    parts: int = 1

    def bar_of(self, value: Exact) -> int:
        return int((float(value) / self.parts - self.first) / self.width + 1e-9)

    def range_text(self, bar: int) -> str | Message:
        low = self.first + bar * self.width
        if self.is_whole and self.width == 1:
            return number_text(low)
        high = number_text(low + self.width - (1 if self.is_whole else 0))
        return message("{low} to {high}", low=number_text(low), high=high)

    def count_bars(self, spread: Mapping[Exact, int]) -> list[int]:
        counts = [0] * self.bars
        for value, count in spread.items():
            counts[self.bar_of(value)] += count
        return counts


def make_spread_scale(spreads: Sequence[Mapping[Exact, int]], parts: int = 1) -> SpreadScale:
    """A bar a value where they are few whole numbers, else bars of a round width."""
    values = {float(value) / parts for spread in spreads for value in spread}
    low, high = min(values), max(values)
    is_whole = all(value == int(value) for value in values)
    width = round_step(high - low, MOST_BARS) if high > low else 1.0
    width = max(width, 1.0) if is_whole else width
    first = floor(low / width + 1e-9) * width
    bars = int((high - first) / width + 1e-9) + 1
    scale = SpreadScale(first, width, bars, is_whole, 1.0, parts)
    most = max(max(scale.count_bars(spread)) / sum(spread.values()) for spread in spreads)
    return evolve(scale, most=most)


@frozen
class SpreadWords:
    """What a bar and the whole chart say."""

    of_bar: str
    of_all: str


SCORES = SpreadWords(
    template("final score {values}: {share}, {times:,} times"),
    template("final score: from {low} to {high}, mean {mean}"),
)
LENGTHS = SpreadWords(
    template("decisions {values}: {share}, {times:,} times"), template("decisions: from {low} to {high}, mean {mean}")
)


def draw_histogram(spread: Mapping[Exact, int], mean: float, words: SpreadWords, shared: SpreadScale) -> Markup:
    counts = shared.count_bars(spread)
    whole, bottom = sum(counts), TOP + 14 + TALL
    start = shared.first - (0.5 if shared.is_whole and shared.width == 1 else 0.0)
    end = start + shared.width * shared.bars
    scale, up = Scale(start, end, UPRIGHT, WIDTH - LEFT), Scale(0, shared.most, bottom, TOP + 14)
    drawn = draw_share_axis(up, shared.most)
    for bar, count in enumerate(counts):
        x, right = scale(start + bar * shared.width), scale(start + (bar + 1) * shared.width)
        says = message(
            words.of_bar, values=shared.range_text(bar), share=percent_text(count / whole), times=count
        )
        gap = min(1.5, (right - x) / 8)
        if count:
            tall = bottom - up(count / whole)
            drawn.append(draw_box(x + gap / 2, bottom - tall, right - x - gap, tall, "bar", says))
    middle = scale(mean)
    drawn.append(draw_line(UPRIGHT, bottom, WIDTH - LEFT, bottom, "zero"))
    drawn.append(draw_line(middle, TOP + 10, middle, bottom, "mean"))
    anchor = "start" if middle < WIDTH / 2 else "end"
    shift = 4 if anchor == "start" else -4
    drawn.append(draw_label(middle + shift, TOP + 10, message("mean {mean}", mean=number_text(mean)), "note", anchor))
    ticks = [at for at in axis_ticks(start, end, 6) if not shared.is_whole or at == int(at)]
    drawn += draw_numbers_below(scale, bottom + 16, ticks)
    lowest, highest = (number_text(float(end) / shared.parts) for end in (min(spread), max(spread)))
    says = message(words.of_all, low=lowest, high=highest, mean=number_text(mean))
    return draw_chart(bottom + AXIS, says, *drawn)


def draw_share_axis(up: Scale, most: float) -> list[Markup]:
    """Shares of all games, from none up, in percent."""
    drawn = []
    for at in axis_ticks(0, most, 3):
        y = up(at)
        drawn.append(draw_label(UPRIGHT - 6, y + 4, f"{number_text(round(at * 100, 6))} %", "tick", "end"))
        if at:
            drawn.append(draw_line(UPRIGHT, y, WIDTH - LEFT, y, "grid"))
    return drawn
