"""The use of actions over a game as a chart: what was chosen in each tenth in, columns and a legend out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from rulesrun.dsl.text.messages import Names, message, message_in
from rulesrun.interpreter.measure.course import PARTS, ActionCourse
from rulesrun.locale.language import translate
from rulesrun.pages.drawing import WIDTH, draw_box, draw_chart, draw_label, draw_line, shorten_name
from rulesrun.pages.markup import Markup
from rulesrun.report.figure_text import percent_text

MOST_ACTIONS = 6  # told apart by colour; the others are taken together
TOP = 6
TALL = 150
LEFT = 46
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
    width = (WIDTH - LEFT - 4) / PARTS
    drawn = [
        draw_label(LEFT - 6, TOP + TALL * (1 - part) + 4, f"{part * 100:.0f} %", "tick", "end") for part in (0, 0.5, 1)
    ]
    for part in range(PARTS):
        drawn += draw_column(course, told, part, LEFT + part * width, width - 2)
    drawn.append(draw_line(LEFT, TOP + TALL, WIDTH - 4, TOP + TALL, "zero"))
    drawn += [
        draw_label(LEFT, TOP + TALL + 15, message_in("of a game", "beginning"), "tick"),
        draw_label(WIDTH - 4, TOP + TALL + 15, message_in("of a game", "end"), "tick", "end")
    ]  # fmt: skip
    rows = (len(told) + 1) // 2
    for at, name in enumerate(told):
        shown = shorten_name(translate(name_in_words(name)), 22)
        x, y = LEFT + (at % 2) * (WIDTH - LEFT) / 2, TOP + TALL + 30 + 18 * (at // 2)
        drawn += [draw_box(x, y, 11, 11, f"series-{at + 1}"), draw_label(x + 17, y + 10, shown)]
    says = message(
        "which actions are chosen in each tenth of a game: {actions}", actions=list(map(name_in_words, told))
    )
    return draw_chart(TOP + TALL + 34 + 18 * rows, says, *drawn)


def draw_column(course: ActionCourse, told: list[str], part: int, x: float, width: float) -> list[Markup]:
    """The first action lies at the bottom."""
    whole, floor, drawn = course.count_in_part(part), float(TOP + TALL), []
    if not whole:
        return []
    for at, name in enumerate(told):
        own = sum(course.chosen[part, one] for one in ([name] if name != OTHERS else other_actions(course, told)))
        tall = TALL * own / whole
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
