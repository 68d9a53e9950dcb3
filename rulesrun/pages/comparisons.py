"""Comparisons on a page: what a variant says otherwise, what that changes in play, what fails now."""

from __future__ import annotations

from collections.abc import Iterator

from rulesrun.dsl.text.messages import join_messages, message, message_in, plural
from rulesrun.interpreter.measure.declared_figures import declared_figure
from rulesrun.interpreter.measure.estimates import Estimate, estimate_share
from rulesrun.interpreter.measure.pairs import Effect
from rulesrun.locale.language import say, say_title, translate
from rulesrun.pages.charts import ChartRow, axis_reach, draw_intervals
from rulesrun.pages.markup import (
    UNKNOWN_INTERVAL,
    Cell,
    Markup,
    element,
    folding_section,
    gallery,
    heading,
    join_markup,
    paragraph,
    preformatted,
    range_text,
    sortable_sheet,
    text_cell,
)
from rulesrun.pages.verdicts import FAILS, HOLDS, OPEN, badge
from rulesrun.report.compare_text import FEW, GENERAL, KNOWLEDGE_ONLY, MANY, SIDES, comparison_sentences
from rulesrun.report.figure_text import figure_name, number_text, percent_text
from rulesrun.services.compare import ComparedTable, Comparison
from rulesrun.services.unfinished_games import going_on_text, going_on_word, is_fault
from rulesrun.terminal.plurals import count_deals, count_games, count_players

MOST_MARKS = 12


def comparison_section(one: Comparison, anchor: str) -> Markup:
    told = [
        heading(3, message("Compared with {variant}", variant=say_title(one.variant.game))),
        paragraph(message(
            "The same deals and the same chance under both rules; {games:,} games in all. Every "
            "effect has its 95 % interval.", games=one.games,
        )),
        changed_rules(one),
        *said_paragraphs(one),
        element("ul", *(element("li", line) for line in change_lines(one)), class_="verdicts"),
        gallery([effect_figure(at) for at in one.tables if at.found]),
        *(effect_sheet(at) for at in one.tables),
    ]  # fmt: skip
    return element("section", *told, id=anchor)


def said_paragraphs(one: Comparison) -> Iterator[Markup]:
    """What it changes in play, by good players and by random ones."""
    if one.is_knowledge_only:
        yield paragraph(KNOWLEDGE_ONLY)
    for table in one.good or one.tables:
        yield heading(4, count_players(table.players))
        for head, sentences in comparison_sentences(one, table.players):
            said = " ".join(map(translate, sentences))
            yield paragraph(element("b", head, " ") if head is not None else None, said, class_="answer")


def change_lines(one: Comparison) -> Iterator[Markup]:
    for title in one.failing_examples:
        yield join_markup((badge(FAILS, "fails now"), " ", message("example “{title}”", title=title)))
    yield from (join_markup((badge(FAILS, "broken now"), f" “{title}”")) for title in one.broken)
    if one.holds:
        yield join_markup((
            badge(HOLDS, "holds"), " ", message("no example of the base fails, and no property is broken"),
        ))
    for table in one.tables:
        yield from unfinished(table)
        deals = table.duel.pairs.finished
        differing = estimate_share(table.duel.pairs.differing, deals)
        low, high = (percent_text(bound or 0.0) for bound in (differing.low, differing.high))
        effect = plural("{count} figure clearly changes", "{count} figures clearly change", len(table.clear))
        told = message(
            "{effect}; the game differs in {share} of {deals} ({low} to {high})",
            effect=effect if table.clear else message("no measurable effect"), share=percent_text(differing.value),
            deals=count_deals(deals), low=low, high=high,
        )  # fmt: skip
        yield join_markup((badge(OPEN, count_players(table.players)), " ", told))


def unfinished(table: ComparedTable) -> Iterator[Markup]:
    """Games that got stuck, and games that were not over after very long: what is known of these."""
    players = count_players(table.players)
    for side, games in zip(SIDES, table.stuck, strict=True):
        if games:
            told = message("{side}, with {players}: {games}", side=side, players=players, games=count_games(games))
            yield join_markup((badge(FAILS, "stuck"), " ", told))
    for side, games, found in zip(SIDES, table.duel.pairs.long, table.going_on, strict=True):
        if games:
            said = badge(FAILS if is_fault(found) else OPEN, going_on_word(found))
            told = message("{side}, with {players}: {games}", side=side, players=players, games=count_games(games))
            yield join_markup((said, " ", join_messages([told, going_on_text(found)], "; ")))


def changed_rules(one: Comparison) -> Markup:
    """The rules that are said otherwise."""
    lines = [say("{old} is renamed to {new}", old=old, new=new) for old, new in one.words.renamed.items()]
    parts: list[Markup] = [element("span", line + "\n") for line in lines]
    for piece in (piece for piece in one.words.pieces if piece.is_rule):
        parts.append(element("b", f"{piece.word} {piece.what}\n"))
        parts += [element("del", f"- {line.strip()}\n") for line in piece.old]
        parts += [element("ins", f"+ {line.strip()}\n") for line in piece.new]
    if not parts:
        return paragraph("The rules are the same.")
    return preformatted(*parts, class_="words")


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
        marks, min(axis_reach(marks, 0.02), 2.0), message("change of each figure against the base"), names=150
    )
    sample = element("small", count_deals(table.duel.pairs.finished))
    shown = message("{players}: change against the base", players=count_players(table.players))
    title = element("figcaption", shown, sample)
    return element("figure", title, picture)


def effect_sheet(table: ComparedTable) -> Markup | None:
    if not table.found:
        return paragraph(message("{players}: too few games to say anything.", players=count_players(table.players)))
    clear = {effect.key for effect in table.clear}
    rows = [effect_row(effect, effect.key in clear) for effect in table.found if effect.left or effect.right]
    columns = [
        message_in("column", "figure"), message_in("column", "base"), message_in("column", "variant"),
        message_in("column", "difference"), message_in("column", "verdict"),
    ]  # fmt: skip
    sample = [count_players(table.players), count_deals(table.duel.pairs.finished)]
    sheet = sortable_sheet(message("Effects, {sample}", sample=sample), columns, rows)
    return folding_section(message("Every effect: {sample}", sample=sample), sheet)


def effect_row(effect: Effect, is_clear: bool) -> list[Cell]:
    told = percent_text if declared_figure(effect.key).is_share else number_text
    found = effect.difference
    sign = "+" if found.value > 0 else ""
    is_known = found.low is not None and found.high is not None
    interval = range_text(told(found.low or 0.0), told(found.high or 0.0)) if is_known else UNKNOWN_INTERVAL
    return [
        Cell(figure_name(effect.key)), Cell(told(effect.left), effect.left, is_number=True),
        Cell(told(effect.right), effect.right, is_number=True),
        Cell(f"{sign}{told(found.value)}", found.value, interval, is_number=True),
        text_cell(effect_verdict(effect, is_clear)),
    ]  # fmt: skip


def effect_verdict(effect: Effect, is_clear: bool) -> str:
    if is_clear:
        return message("changes")
    if effect.moved == 0 and effect.difference.value == 0:
        return message("the same in every deal")
    if effect.smallest == float("inf") and effect.moved:
        return message("not known: it differs in only {deals} deals", deals=effect.moved)
    if effect.smallest == float("inf"):
        return message("not known")
    size = percent_text(effect.smallest) if declared_figure(effect.key).is_share else number_text(effect.smallest)
    return message("no measurable effect (an effect of {size} would have been seen)", size=size)
