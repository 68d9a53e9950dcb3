"""Charts of estimates and distributions: shares, edges, effects with their intervals, how values are spread."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import ceil, floor, log10

from attrs import evolve, frozen

from rulesrun.dsl.text.messages import Message, Names, message, message_in, template
from rulesrun.interpreter.measure.course import PARTS, ActionCourse
from rulesrun.interpreter.measure.estimates import Estimate, Exact
from rulesrun.locale.language import translate
from rulesrun.pages.markup import Child, Markup, Value, element
from rulesrun.report.figure_text import estimate_text, number_text, percent_text

# ---- drawing
# What every chart is drawn with: scales, ticks, marks. Numbers in, SVG out; colours come from the page's style.


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


# ---- charts


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


# ---- course chart
# The use of actions over a game as a chart: what was chosen in each tenth in, columns and a legend out.


MOST_ACTIONS = 6  # told apart by colour; the others are taken together
COURSE_TOP = 6
COURSE_TALL = 150
COURSE_LEFT = 46
OTHERS = message("all others")


def select_actions(courses: Iterable[ActionCourse], declared: list[str]) -> list[str]:
    """In the order of the rules, the same at every table; of many, the most frequent."""
    counts: Counter[str] = Counter()
    for course in courses:
        for (_, action), count in course.chosen.items():
            counts[action] += count
    used = [name for name in declared if counts[name]]
    if len(used) <= MOST_ACTIONS:
        return used
    kept = sorted(used, key=lambda name: -counts[name])[: MOST_ACTIONS - 1]
    return [*(name for name in used if name in kept), OTHERS]


def draw_course(course: ActionCourse, told: list[str]) -> Markup:
    width = (WIDTH - COURSE_LEFT - 4) / PARTS
    drawn = [
        draw_label(COURSE_LEFT - 6, COURSE_TOP + COURSE_TALL * (1 - part) + 4, f"{part * 100:.0f} %", "tick", "end")
        for part in (0, 0.5, 1)
    ]
    for part in range(PARTS):
        drawn += draw_column(course, told, part, COURSE_LEFT + part * width, width - 2)
    drawn.append(draw_line(COURSE_LEFT, COURSE_TOP + COURSE_TALL, WIDTH - 4, COURSE_TOP + COURSE_TALL, "zero"))
    drawn += [
        draw_label(COURSE_LEFT, COURSE_TOP + COURSE_TALL + 15, message_in("of a game", "beginning"), "tick"),
        draw_label(WIDTH - 4, COURSE_TOP + COURSE_TALL + 15, message_in("of a game", "end"), "tick", "end")
    ]  # fmt: skip
    rows = (len(told) + 1) // 2
    for at, name in enumerate(told):
        shown = shorten_name(translate(name_in_words(name)), 22)
        x, y = COURSE_LEFT + (at % 2) * (WIDTH - COURSE_LEFT) / 2, COURSE_TOP + COURSE_TALL + 30 + 18 * (at // 2)
        drawn += [draw_box(x, y, 11, 11, f"series-{at + 1}"), draw_label(x + 17, y + 10, shown)]
    says = message(
        "which actions are chosen in each tenth of a game: {actions}", actions=list(map(name_in_words, told))
    )
    return draw_chart(COURSE_TOP + COURSE_TALL + 34 + 18 * rows, says, *drawn)


def draw_column(course: ActionCourse, told: list[str], part: int, x: float, width: float) -> list[Markup]:
    """The first action lies at the bottom."""
    whole, floor, drawn = course.count_in_part(part), float(COURSE_TOP + COURSE_TALL), []
    if not whole:
        return []
    for at, name in enumerate(told):
        own = sum(course.chosen[part, one] for one in ([name] if name != OTHERS else other_actions(course, told)))
        tall = COURSE_TALL * own / whole
        floor -= tall
        says = message(
            "{action}: {share} of the decisions in tenth {part}", action=name_in_words(name),
            share=percent_text(own / whole), part=part + 1,
        )  # fmt: skip
        if own:
            drawn.append(draw_box(round(x, 2), round(floor, 2), width, tall, f"series-{at + 1}", says))
    return drawn


def name_in_words(name: str) -> str:
    return name if name is OTHERS else Names(name)


def other_actions(course: ActionCourse, told: list[str]) -> list[str]:
    return sorted({action for _, action in course.chosen} - set(told))
