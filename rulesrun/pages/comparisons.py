"""Comparisons on a page: what a variant says otherwise, what that changes in play, what fails now."""

from __future__ import annotations

from collections.abc import Iterator

from rulesrun.interpreter.measure.estimates import Estimate, estimate_share
from rulesrun.interpreter.measure.paired import Effect
from rulesrun.pages.charts import ChartRow, axis_reach, draw_intervals
from rulesrun.pages.markup import (
    Markup,
    element,
    folding_section,
    gallery,
    heading,
    join_markup,
    paragraph,
)
from rulesrun.pages.sheets import Cell, sortable_sheet, text_cell
from rulesrun.pages.verdicts import FAILS, HOLDS, OPEN, badge
from rulesrun.report.compare_text import FEW, GENERAL, MANY
from rulesrun.report.figure_text import SHARES, figure_name, number_text, percent_text
from rulesrun.services.compare import ComparedTable, Comparison
from rulesrun.services.unfinished_games import going_on_text, going_on_word, is_fault
from rulesrun.terminal.plurals import counted

MOST_MARKS = 12


def comparison_section(one: Comparison, anchor: str) -> Markup:
    told = [
        heading(3, "Compared with ", one.variant.title),
        paragraph(
            f"The same deals and the same chance both ways; {one.games:,} games in all. "
            "Every effect with its 95 % interval."
        ),
        element("ul", *(element("li", line) for line in change_lines(one)), class_="verdicts"),
        changed_rules(one),
        gallery([effect_figure(at) for at in one.tables if at.found]),
        *(effect_sheet(at) for at in one.tables),
    ]  # fmt: skip
    return element("section", *told, id=anchor)


def change_lines(one: Comparison) -> Iterator[Markup]:
    yield from (join_markup((badge(FAILS, "fails now"), f" example “{title}”")) for title in one.failing_examples)
    yield from (join_markup((badge(FAILS, "broken now"), f" “{title}”")) for title in one.broken)
    if one.holds:
        yield join_markup((badge(HOLDS, "holds"), " no example of the base fails now, no property is broken"))
    for table in one.tables:
        yield from unfinished(table)
        deals = table.duel.pairs.finished
        differing = estimate_share(table.duel.pairs.differing, deals)
        low, high = (percent_text(bound or 0.0) for bound in (differing.low, differing.high))
        effect = f"{len(table.clear)} figures clearly change" if table.clear else "no measurable effect"
        yield join_markup((
            badge(OPEN, counted(table.players, "player")),
            f" {effect}; the game differs in {percent_text(differing.value)} of {deals:,} deals ({low} to {high})",
        ))  # fmt: skip


def unfinished(table: ComparedTable) -> Iterator[Markup]:
    """Games that got stuck, and games that were not over after very long: what is known of these."""
    where = f"with {counted(table.players, 'player')}"
    for side, games in zip(("base", "variant"), table.stuck, strict=True):
        if games:
            yield join_markup((badge(FAILS, "stuck"), f" the {side}, {where}: in {counted(games, 'game')}"))
    for side, games, found in zip(("base", "variant"), table.duel.pairs.long, table.going_on, strict=True):
        if games:
            said = badge(FAILS if is_fault(found) else OPEN, going_on_word(found))
            yield join_markup((said, f" the {side}, {where}: in {counted(games, 'game')}; {going_on_text(found)}"))


def changed_rules(one: Comparison) -> Markup:
    """The rules that are said otherwise."""
    lines = [f"  {old} is called {new}" for old, new in one.words.renamed.items()]
    parts: list[Markup] = [element("span", line + "\n") for line in lines]
    for piece in (piece for piece in one.words.pieces if piece.is_rule):
        parts.append(element("b", f"{piece.word} {piece.what}\n"))
        parts += [element("del", f"- {line.strip()}\n") for line in piece.old]
        parts += [element("ins", f"+ {line.strip()}\n") for line in piece.new]
    if not parts:
        return paragraph("The rules are the same.")
    return element("pre", *parts, class_="words")


def main_effects(table: ComparedTable) -> list[Effect]:
    """The clear ones, the clearest first, of many components only a few; then what everybody asks for."""
    components = [one for one in table.clear if one.key[0] in MANY][FEW:]
    clear = [one for one in table.clear if one not in components][:MOST_MARKS]
    asked = [one for one in table.found if one.key[0] == "win" or one.key in GENERAL]
    return [*clear, *(one for one in asked if one not in clear)][: MOST_MARKS + 4]


def relative_effect(effect: Effect) -> Estimate | None:
    """The change as a part of the base's own value."""
    return effect.difference.scale(1 / abs(effect.left)) if effect.left else None


def effect_figure(table: ComparedTable) -> Markup:
    clear = {effect.key for effect in table.clear}
    marks = [
        ChartRow(figure_name(effect.key), part, effect.key in clear)
        for effect in main_effects(table)
        if (part := relative_effect(effect)) is not None
    ]
    picture = draw_intervals(
        marks, min(axis_reach(marks, 0.02), 2.0), "change of each figure against the base", names=150
    )
    sample = element("small", f"{table.duel.pairs.finished:,} deals")
    title = element("figcaption", f"{counted(table.players, 'player')}: change against the base", sample)
    return element("figure", title, picture)


def effect_sheet(table: ComparedTable) -> Markup | None:
    if not table.found:
        return paragraph(f"{counted(table.players, 'player')}: too few games to say anything.")
    clear = {effect.key for effect in table.clear}
    rows = [effect_row(effect, effect.key in clear) for effect in table.found if effect.left or effect.right]
    columns = ["figure", "base", "variant", "difference", "verdict"]
    sample = f"{counted(table.players, 'player')}, {counted(table.duel.pairs.finished, 'deal')}"
    return folding_section(f"Every effect: {sample}", sortable_sheet(f"Effects, {sample}", columns, rows))


def effect_row(effect: Effect, is_clear: bool) -> list[Cell]:
    told = percent_text if effect.key[0] in SHARES else number_text
    found = effect.difference
    sign = "+" if found.value > 0 else ""
    is_known = found.low is not None and found.high is not None
    interval = f"{told(found.low or 0.0)} to {told(found.high or 0.0)}" if is_known else "interval not known"
    return [
        Cell(figure_name(effect.key)), Cell(told(effect.left), effect.left, is_number=True),
        Cell(told(effect.right), effect.right, is_number=True),
        Cell(f"{sign}{told(found.value)}", found.value, interval, is_number=True),
        text_cell(effect_verdict(effect, is_clear)),
    ]  # fmt: skip


def effect_verdict(effect: Effect, is_clear: bool) -> str:
    if is_clear:
        return "changes"
    if effect.moved == 0 and effect.difference.value == 0:
        return "the same in every deal"
    if effect.smallest == float("inf"):
        return f"not known: another in {effect.moved} deals only" if effect.moved else "not known"
    size = percent_text(effect.smallest) if effect.key[0] in SHARES else number_text(effect.smallest)
    return f"no measurable effect (one of {size} would have been seen)"
