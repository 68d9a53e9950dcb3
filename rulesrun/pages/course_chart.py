"""The use of actions over a game as a chart: what was chosen in each tenth in, columns and a legend out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from rulesrun.interpreter.measure.course import PARTS, Course
from rulesrun.pages.drawing import WIDTH, box, chart, label, line, shortened
from rulesrun.pages.markup import Markup
from rulesrun.report.figure_text import percent

MOST_ACTIONS = 6  # told apart by colour; the others are taken together
TOP = 6
TALL = 150
LEFT = 46
OTHERS = "all others"


def actions_told(courses: Iterable[Course], declared: list[str]) -> list[str]:
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


def course_chart(course: Course, told: list[str]) -> Markup:
    width = (WIDTH - LEFT - 4) / PARTS
    drawn = [label(LEFT - 6, TOP + TALL * (1 - part) + 4, f"{part * 100:.0f} %", "tick", "end") for part in (0, 0.5, 1)]
    for part in range(PARTS):
        drawn += column(course, told, part, LEFT + part * width, width - 2)
    drawn.append(line(LEFT, TOP + TALL, WIDTH - 4, TOP + TALL, "zero"))
    drawn += [
        label(LEFT, TOP + TALL + 15, "beginning", "tick"), label(WIDTH - 4, TOP + TALL + 15, "end", "tick", "end")
    ]  # fmt: skip
    rows = (len(told) + 1) // 2
    for at, name in enumerate(told):
        x, y = LEFT + (at % 2) * (WIDTH - LEFT) / 2, TOP + TALL + 30 + 18 * (at // 2)
        drawn += [box(x, y, 11, 11, f"series-{at + 1}"), label(x + 17, y + 10, shortened(name, 22))]
    says = f"which actions are chosen in each tenth of a game: {', '.join(told)}"
    return chart(TOP + TALL + 34 + 18 * rows, says, *drawn)


def column(course: Course, told: list[str], part: int, x: float, width: float) -> list[Markup]:
    """The first action lies at the bottom."""
    whole, floor, drawn = course.in_part(part), float(TOP + TALL), []
    if not whole:
        return []
    for at, name in enumerate(told):
        own = sum(course.chosen[part, one] for one in ([name] if name != OTHERS else others(course, told)))
        tall = TALL * own / whole
        floor -= tall
        says = f"{name}: {percent(own / whole)} of the decisions in tenth {part + 1}"
        if own:
            drawn.append(box(round(x, 2), round(floor, 2), width, tall, f"series-{at + 1}", says))
    return drawn


def others(course: Course, told: list[str]) -> list[str]:
    return sorted({action for _, action in course.chosen} - set(told))
