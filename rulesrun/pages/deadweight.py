"""Dead weight and exact answers on a page: what each rule is good for; how a small game is played best."""

from __future__ import annotations

from rulesrun.dsl.text.messages import join_messages, message, message_in, plural, template
from rulesrun.files.excerpts import line_of
from rulesrun.interpreter.measure.estimates import estimate_share
from rulesrun.interpreter.search.endless import ENDLESS, MAY_GO_ON, NOT_OVER
from rulesrun.locale.language import say
from rulesrun.pages.collecting import ProbeResult
from rulesrun.pages.markup import (
    Cell,
    Markup,
    element,
    folding_section,
    heading,
    join_markup,
    paragraph,
    preformatted,
    sortable_sheet,
    text_cell,
)
from rulesrun.pages.verdicts import FAILS, HOLDS, OPEN, badge
from rulesrun.report.compare_text import effect_text
from rulesrun.report.deadweight_text import ORDER, USES, differing_text, find_unused, names_left_alone, names_text
from rulesrun.report.figure_text import percent_text
from rulesrun.report.solve_text import method_lines, play_text, value_text
from rulesrun.services.deadweight import WeighedRule, Weighing
from rulesrun.terminal.plurals import count_games, count_players

STATUS = {"never met": OPEN, "no difference": OPEN, "no measurable effect": OPEN, "effect": HOLDS, "needed": HOLDS,
          ENDLESS: HOLDS, MAY_GO_ON: OPEN, NOT_OVER: OPEN, "refused": FAILS}  # fmt: skip
MOST_PLAYS = 24
AT_RANDOM = template(
    "The same deals with and without the rule, {players}; {games} at random. What random players never use may still "
    "matter to good ones."
)
BY_NAME = template("The same deals with and without the rule, {players}; {games} by {names}.")
UNUSED, UNUSED_BY_GOOD = template("{what}: {names}"), template("good players: {what}: {names}")


def dead_weight_section(weighing: Weighing, who: str | None, anchor: str) -> Markup:
    """`who`: plays, where it is not chance."""
    rows = sorted(weighing.weighed, key=verdict_rank)
    rules = [one for one in rows if not one.suspect.is_component]
    components = [one for one in rows if one.suspect.is_component]
    sentence = AT_RANDOM if who is None else BY_NAME
    return element(
        "section",
        heading(3, message("What does each rule change?")),
        paragraph(
            message(
                sentence, players=count_players(weighing.table.players),
                games=count_games(weighing.all_games), names=who or "",
            )
        ),
        element("ul", *(element("li", line) for line in summary_lines(weighing)), class_="verdicts"),
        folding_section(
            message("Rules ({number})", number=len(rules)),
            weighed_sheet(message("Rules, and the game without each"), rules, weighing),
        ),
        folding_section(
            message("Components ({number})", number=len(components)),
            weighed_sheet(message("Components, and the game without each"), components, weighing),
        ) if components else None,
        id=anchor,
    )  # fmt: skip


def verdict_rank(one: WeighedRule) -> int:
    verdicts = [verdict for verdict, _ in ORDER]
    return verdicts.index(one.verdict) if one.verdict in verdicts else len(verdicts)


def summary_lines(weighing: Weighing) -> list[Markup]:
    lines = []
    for verdict, title in ORDER:
        amount = sum(one.verdict == verdict for one in weighing.weighed)
        if amount:
            lines.append(join_markup((badge(STATUS.get(verdict, OPEN), verdict), f" {amount}: ", title)))
    for word_, what in USES:
        for names, totals, sentence in (
            (find_unused(weighing, word_, weighing.random_totals), weighing.random_totals, UNUSED),
            (names_left_alone(weighing, word_), weighing.good, UNUSED_BY_GOOD),
        ):
            if names and totals.finished:
                told = message(sentence, what=what, names=names_text(names, totals))
                lines.append(join_markup((badge(OPEN, "unused"), " ", told)))
    return lines


def weighed_sheet(title: str, weighed: list[WeighedRule], weighing: Weighing) -> Markup:
    def row(one: WeighedRule) -> list[Cell]:
        line = line_of(one.suspect.span, weighing.reading.sources)
        return [
            Cell(element("code", one.suspect.text), small=message("line {line}", line=line)),
            text_cell(badge(STATUS.get(one.verdict, OPEN), one.verdict)),
            Cell(evidence_text(one, weighing), deal_count(one)),
        ]  # fmt: skip

    columns = [message_in("column", "rule"), message_in("column", "verdict"), message("without it")]
    return sortable_sheet(title, columns, map(row, weighed))


def deal_count(one: WeighedRule) -> int:
    return one.pairs.games


def evidence_text(one: WeighedRule, weighing: Weighing) -> str:
    if one.refused or one.is_decided:
        return one.refused or message("with the default options; other values are tested separately")
    if one.is_never_met:
        most = estimate_share(0, weighing.games).high or 1.0
        unmet = plural(
            "in none of {count:,} game (95 % certain: in fewer than {share})",
            "in none of {count:,} games (95 % certain: in fewer than "
            "{share})", weighing.games, share=percent_text(most),
        )  # fmt: skip
        return join_messages([unmet, differing_text(one)], "; ") if deal_count(one) else unmet
    if not deal_count(one):
        return ""
    return join_messages([differing_text(one), *(effect_text(effect) for effect in one.clear[:3])], "; ")


def solution_section(probed: ProbeResult, anchor: str) -> Markup | None:
    """Only where there is an answer: of a large game nothing is told."""
    answer, table = probed.answer, probed.table
    if answer is None:
        return None
    lines = [line for play in answer.plays[:MOST_PLAYS] for line in play_text(table, play)]
    if len(answer.plays) > MOST_PLAYS:
        lines.append("  " + say("… and {amount:,} more", amount=len(answer.plays) - MOST_PLAYS))
    values = [
        message("player {player}: {points}", player=player, points=value_text(value))
        for player, value in enumerate(answer.values, start=1)
    ]
    return element(
        "section",
        heading(3, message("The exact answer")),
        *(paragraph(line) for line in method_lines(answer)),
        element("ul", *(element("li", badge(HOLDS, "value"), " ", value) for value in values), class_="verdicts"),
        folding_section(message("How to play"), preformatted("\n".join(lines))),
        id=anchor,
    )
