"""Measured games as text for people."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import sqrt

from rulesrun.dsl.text.messages import Message, Names, message, template
from rulesrun.interpreter.measure.catalogue import TableFigures, list_figures
from rulesrun.interpreter.measure.declared_figures import Key, declared_figure
from rulesrun.interpreter.measure.estimates import compute_variance, estimate_share
from rulesrun.interpreter.measure.figures import (
    estimate_against_measure,
    estimate_edge,
    estimate_figure,
    estimate_games_with,
    has_spread,
)
from rulesrun.interpreter.measure.record import TOO_LONG
from rulesrun.interpreter.measure.totals import Sums, Totals
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.search.endless import MAY_GO_ON
from rulesrun.locale.language import say, say_plural, translate, use_words
from rulesrun.report.figure_text import (
    ending_place,
    estimate_text,
    figure_name,
    number_text,
    percent_text,
    seat_words,
)
from rulesrun.services.measure import (
    GAMES_OVER,
    INTERRUPTED,
    LOST,
    PRECISE,
    STUCK,
    TIME_OVER,
    MeasuredFile,
    MeasuredTable,
)
from rulesrun.services.reports import head_line
from rulesrun.services.unfinished_games import going_on_text, going_on_word
from rulesrun.terminal.output import RED, pad_label, paint_text, say_label
from rulesrun.terminal.plurals import count_games, count_players
from rulesrun.terminal.requests import MeasureRequest

MOST_NAMES = 6  # of components told by name at either end
STOPPED = {
    PRECISE: message("the requested precision is reached"), GAMES_OVER: message("all requested games were played"),
    TIME_OVER: message("time ran out"), INTERRUPTED: message("interrupted: this report is partial"),
    STUCK: message("no game comes to its end"),
    LOST: message("the cluster went away: this report is partial"),
}  # fmt: skip


def measurement_lines(found: MeasuredFile, request: MeasureRequest) -> Iterator[str]:
    reading = found.reading
    use_words(reading.game)
    yield head_line(reading)
    for one in found.tables:
        yield from measured_table_lines(one, request)
    for players, reason in found.seating.refused:
        yield "  " + say("none with {players}: {reason}", players=count_players(players), reason=reason)
    for table in found.missing_tables:
        yield "  " + say("not played yet: {players}", players=count_players(table.players))
    games = sum(one.totals.games for one in found.tables)
    yield "  " + say("{games} in {seconds:.1f} s; 95 % intervals in brackets", games=count_games(games),
                     seconds=found.seconds)  # fmt: skip
    if found.is_partial and request.out is None:
        yield "  " + say("with `--out FILE` a run can continue where it was interrupted")
    elif found.is_partial:
        yield "  " + say("run the same command again to continue from {file}", file=request.out)
    if not found.holds:
        see = say("see `rulesrun {file}`", file=reading.name)
        yield f"  {paint_text(say('does not hold'), RED)}: {see}"


def figure_row(label: str, text: str) -> str:
    return f"    {pad_label(say_label(label), 11)}{text}"


def measured_table_lines(one: MeasuredTable, request: MeasureRequest) -> Iterator[str]:
    totals, table = one.totals, one.table
    is_open = one.stopped == STUCK and not one.stuck
    why = message("no game ended within the limit") if is_open else STOPPED[one.stopped]
    yield "  " + say(
        "{players}: {games} {who}; {why}", players=count_players(table.players), games=count_games(totals.games),
        who=players_kind(request.seats), why=why,
    )  # fmt: skip
    if one.lasting is not None:
        yield figure_row(MAY_GO_ON, say(
            "{games:,} of {total:,} games did not end within the limit", games=one.lasting.games,
            total=one.lasting.of,
        ))  # fmt: skip
        yield figure_row("", translate(going_on_text(one.going_on)))
    for code, games in sorted(one.stuck.items()):
        often = estimate_text(estimate_share(games, totals.games), True)
        if code == TOO_LONG:
            yield from too_long_lines(one, often)
        else:
            yield figure_row("stuck", say(
                "{code}: {often}, first in game {number}", code=code, often=often, number=totals.first_of[code]
            ))  # fmt: skip
    for title, games in sorted(totals.broken.items()):
        yield figure_row("broken", say(
            '"{title}": in {broken:,} of {games:,} games looked at', title=title, broken=games, games=totals.watched
        ))  # fmt: skip
    if not totals.finished:
        return
    if totals.finished != totals.games:
        yield figure_row("figures", say_plural(
            "of the {count:,} game that ended", "of the {count:,} games that ended",
            totals.finished,
        ))  # fmt: skip
    yield from seat_lines(totals, table)
    yield from own_lines(totals, table)
    yield from course_lines(totals, table)
    yield from use_lines(totals, table)


def players_kind(seats: str | None) -> Message:
    return message("at random") if seats is None else message("by {names}", names=seats)


def too_long_lines(one: MeasuredTable, often: Message) -> Iterator[str]:
    """Games that must go on for ever, or of which nobody knows."""
    first = one.totals.first_of[TOO_LONG]
    yield figure_row(going_on_word(one.going_on), say(
        "not over within the limit: {often}, first in game {number}", often=often, number=first
    ))  # fmt: skip
    yield figure_row("", translate(going_on_text(one.going_on)))


def seat_lines(totals: Totals, table: Table) -> Iterator[str]:
    players = table.players
    for seat in table.bench.first_seats:
        wins, score = (
            estimate_figure(totals, ("win", str(seat)), players),
            estimate_figure(totals, ("score", str(seat)), players),
        )
        lead = estimate_edge(totals, seat, table)
        yield figure_row(translate(seat_words(table, seat)), say(
            "wins {wins}, edge {edge}", wins=estimate_text(wins, True), edge=estimate_text(lead, True)
        ))  # fmt: skip
        points = say("score {points}", points=estimate_text(score, False))
        yield figure_row("", points + spread_text(totals, ("score", str(seat)), players))
    yield figure_row("together", say(
        "first place shared {ties}; gap between highest and lowest score {margin}",
        ties=figure_line(totals, ("tie",), players), margin=figure_line(totals, ("margin",), players),
    ))  # fmt: skip


def spread_text(totals: Totals, key: Key, players: int) -> str:
    """`, sd …`; nothing where all games were alike."""
    sums, parts = totals.sums.get(key, Sums()), declared_figure(key).unit(players)
    error = figure_spread(sums, totals.finished) / parts
    low, middle, high = (float(value) / parts for value in totals.compute_quantiles(key, FIVE_HALF_NINETY_FIVE))
    if not error:
        return ""
    return say(
        ", standard deviation {deviation}, median {median}, nine of ten {low} to {high}", deviation=number_text(error),
        median=number_text(middle), low=number_text(low), high=number_text(high),
    )  # fmt: skip


FIVE_HALF_NINETY_FIVE = (Fraction(1, 20), Fraction(1, 2), Fraction(19, 20))


def figure_spread(sums: Sums, games: int) -> float:
    return sqrt(compute_variance(sums.total, sums.squares, games))


def figure_line(totals: Totals, key: Key, players: int) -> Message:
    return estimate_text(estimate_figure(totals, key, players), declared_figure(key).is_share)


def own_lines(totals: Totals, table: Table) -> Iterator[str]:
    """The figures that the rules declare."""
    for number_, key in enumerate(TableFigures(table).list_keys("figure")):
        told = say("{name}: {value}", name=figure_name(key), value=figure_line(totals, key, table.players))
        spread = spread_text(totals, key, table.players) if has_spread(totals, key) else ""
        yield figure_row("counted" if number_ == 0 else "", told + spread)


def course_lines(totals: Totals, table: Table) -> Iterator[str]:
    players = table.players
    key: Key
    for label, what, sentence in LENGTHS:
        key = ("length", what)
        amount = say(sentence, amount=figure_line(totals, key, players))
        yield figure_row(label, amount + spread_text(totals, key, players))
    yield figure_row("choices", say(
        "options at each decision: {options}; decisions with only "
        "one: {forced}", options=figure_line(totals, ("options",), players),
        forced=figure_line(totals, ("forced",), players),
    ))  # fmt: skip
    if not table.bench.is_won_at_once:  # nobody leads before
        yield figure_row("course", say(
            "the winner takes the lead for good after {settled} of the decisions; the lead changes {changes} times",
            settled=figure_line(totals, ("settled",), players),
            changes=figure_line(totals, ("lead changes",), players),
        ))  # fmt: skip
    for number_, key in enumerate(key for key in TableFigures(table).list_ending_keys() if totals.sums.get(key)):
        name = ending_place(key[1]) if key[0] == "ending" else figure_name(key)
        figure = translate(figure_line(totals, key, players))
        yield figure_row("ends" if number_ == 0 else "", f"{translate(name)}: {figure}")


LENGTHS = (
    ("length", "decisions", template("decisions {amount}")), ("", "turns", template("turns {amount}")),
    ("", "rounds", template("rounds {amount}")),
)  # fmt: skip


def use_lines(totals: Totals, table: Table) -> Iterator[str]:
    known = list_figures(table)
    for number_, key in enumerate(key for key in known if key[0] == "action"):
        yield figure_row("actions" if number_ == 0 else "", action_text(totals, key, table.players))
    lines = () if table.bench.is_won_at_once else (("line", "points"),)
    for word, label in (("phase", "phases"), *lines, ("value", "values")):
        for number_, key in enumerate(key for key in known if key[0] == word):
            each = figure_line(totals, key, table.players)
            often = percent_text(estimate_games_with(totals, key).value)
            yield figure_row(label if number_ == 0 else "", say(
                "{name}: {each} a game, in {often} of games", name=Names(" ".join(key[1:])), each=each, often=often
            ))  # fmt: skip
    for number_, key in enumerate(key for key in known if key[0] == "met"):
        yield figure_row("rows" if number_ == 0 else "", row_text(totals, key, table.players))
    for word, label in (("component", "chosen"), ("kept", "kept")):
        told = component_text(totals, [key for key in known if key[0] == word])
        if told:
            yield figure_row(label, told)


def action_text(totals: Totals, key: Key, players: int) -> str:
    possible = totals.sums.get(("offered", key[1]))
    if possible is None:
        most = estimate_games_with(totals, ("offered", key[1])).high or 1.0
        return say(
            "{name}: never possible (in fewer than {share} of games)", name=Names(key[1]), share=percent_text(most)
        )
    when = estimate_against_measure(totals, key, players)
    assert when is not None
    return say(
        "{name}: {each} a game, in {often} of games; chosen at {taken} of the decisions where it is possible",
        name=Names(key[1]), each=figure_line(totals, key, players),
        often=percent_text(estimate_games_with(totals, key).value), taken=estimate_text(when, True),
    )  # fmt: skip


def row_text(totals: Totals, key: Key, players: int) -> str:
    lies = estimate_games_with(totals, ("row", key[1]))
    if not lies.value:
        return say("{name}: never revealed", name=Names(key[1]))
    when = estimate_against_measure(totals, key, players)
    assert when is not None
    return say(
        "{name}: revealed in {often} of games, met by {held} of the players", name=Names(key[1]),
        often=percent_text(lies.value), held=estimate_text(when, True),
    )  # fmt: skip


def component_text(totals: Totals, keys: list[Key]) -> str:
    """The rarest and the most frequent; all of them stand in the JSON."""
    counts = sorted((totals.sums.get(key, Sums()).total, key[1]) for key in keys)
    never = [name for count, name in counts if not count]
    if not counts or len(never) == len(counts):
        return ""
    names = list(map(Names, never[:MOST_NAMES]))
    told = [say("never {names}", names=names) + (" …" if len(never) > MOST_NAMES else "")] if never else []
    ends = [counts[len(never)], counts[-1]] if len(counts) - len(never) > 1 else counts[-1:]
    sentences = [
        template("rarest {name} ({amount} a game)"), template("most often {name} ({amount} a game)")
    ] if len(ends) == 2 else [template("only {name} ({amount} a game)")]
    told += [
        say(sentence, name=Names(name), amount=number_text(float(count) / totals.finished))
        for sentence, (count, name) in zip(sentences, ends, strict=True)
    ]
    return "; ".join(told)
