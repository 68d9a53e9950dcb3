"""Measured games as text for people."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import sqrt

from rulesrun.interpreter.measure.catalogue import ending_figures, list_figures
from rulesrun.interpreter.measure.estimates import compute_variance, estimate_share
from rulesrun.interpreter.measure.figures import (
    estimate_against_measure,
    estimate_edge,
    estimate_figure,
    estimate_games_with,
    figure_unit,
)
from rulesrun.interpreter.measure.record import TOO_LONG, Key
from rulesrun.interpreter.measure.totals import Sums, Totals
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.search.endless import MAY_GO_ON
from rulesrun.report.figure_text import SHARES, estimate_text, figure_name, number_text, percent_text, players_text
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
from rulesrun.services.unfinished_games import going_on_text, going_on_word
from rulesrun.terminal.output import BOLD, RED, paint_text
from rulesrun.terminal.plurals import counted
from rulesrun.terminal.requests import MeasureRequest

MOST_NAMES = 6  # of components told by name at either end
STOPPED = {
    PRECISE: "the precision asked for is reached", GAMES_OVER: "all games asked for are played",
    TIME_OVER: "the time is over", INTERRUPTED: "interrupted: this report is partial",
    STUCK: "no game comes to its end",
    LOST: "the cluster went away: this report is partial",
}  # fmt: skip


def measurement_lines(found: MeasuredFile, request: MeasureRequest) -> Iterator[str]:
    reading = found.reading
    yield paint_text(reading.name, BOLD) + f"  {reading.title}"
    for one in found.tables:
        yield from measured_table_lines(one, request)
    for players, reason in found.seating.refused:
        yield f"  none with {players_text(players)}: {reason}"
    for table in found.missing_tables:
        yield f"  not played yet: {players_text(table.players)}"
    games = sum(one.totals.games for one in found.tables)
    yield f"  {counted(games, 'game')} in {found.seconds:.1f} s; in brackets 95 % intervals"
    if found.is_partial:
        out = request.out
        yield ("  with `--out FILE` a run can go on where it was interrupted" if out is None else
               f"  the same command goes on from {out}")
    if not found.holds:
        yield f"  {paint_text('does not hold', RED)}: see `rulesrun {reading.name}`"


def labelled_row(label: str, text: str) -> str:
    return f"    {label:<11}{text}"


def measured_table_lines(one: MeasuredTable, request: MeasureRequest) -> Iterator[str]:
    totals, table = one.totals, one.table
    who = "at random" if request.seats is None else f"by {request.seats}"
    is_open = one.stopped == STUCK and not one.stuck
    why = "no game was over after very long" if is_open else STOPPED[one.stopped]
    yield f"  {players_text(table.players)}: {counted(totals.games, 'game')} {who}; {why}"
    if one.lasting is not None:
        yield labelled_row(
            MAY_GO_ON, f"{one.lasting.games:,} of {one.lasting.of:,} games were not over after very long"
        )
        yield labelled_row("", going_on_text(one.going_on))
    for code, games in sorted(one.stuck.items()):
        often = estimate_text(estimate_share(games, totals.games), True)
        if code == TOO_LONG:
            yield from too_long_lines(one, often)
        else:
            yield labelled_row("stuck", f"{code}: {often}, first in game {totals.first_of[code]}")
    for title, games in sorted(totals.broken.items()):
        yield labelled_row("broken", f'"{title}": in {games:,} of {totals.watched:,} games looked at')
    if not totals.finished:
        return
    if totals.finished != totals.games:
        their = "its" if totals.finished == 1 else "their"
        yield labelled_row("figures", f"of the {counted(totals.finished, 'game')} that came to {their} end")
    yield from seat_lines(totals, table)
    yield from course_lines(totals, table)
    yield from use_lines(totals, table)


def too_long_lines(one: MeasuredTable, often: str) -> Iterator[str]:
    """Games that must go on for ever, or of which nobody knows."""
    first = one.totals.first_of[TOO_LONG]
    yield labelled_row(going_on_word(one.going_on), f"not over after very long: {often}, first in game {first}")
    yield labelled_row("", going_on_text(one.going_on))


def seat_lines(totals: Totals, table: Table) -> Iterator[str]:
    players = table.players
    for seat in range(1, players + 1):
        wins, score = (
            estimate_figure(totals, ("win", str(seat)), players),
            estimate_figure(totals, ("score", str(seat)), players),
        )
        lead = estimate_edge(totals, seat, players)
        yield labelled_row(f"seat {seat}", f"wins {estimate_text(wins, True)}, edge {estimate_text(lead, True)}")
        yield labelled_row(
            "", f"score {estimate_text(score, False)}{spread_text(totals, ('score', str(seat)), players)}"
        )
    yield labelled_row("together", f"shared first place {figure_line(totals, ('tie',), players)}; "
              f"highest minus lowest score {figure_line(totals, ('margin',), players)}")  # fmt: skip


def spread_text(totals: Totals, key: Key, players: int) -> str:
    """`, sd …`; nothing where all games were alike."""
    sums, parts = totals.sums.get(key, Sums()), figure_unit(key, players)
    error = figure_spread(sums, totals.finished) / parts
    low, middle, high = (float(value) / parts for value in totals.compute_quantiles(key, FIVE_HALF_NINETY_FIVE))
    if not error:
        return ""
    return (
        f", sd {number_text(error)}, half up to {number_text(middle)}, nine of ten {number_text(low)} to "
        f"{number_text(high)}"
    )


FIVE_HALF_NINETY_FIVE = (Fraction(1, 20), Fraction(1, 2), Fraction(19, 20))


def figure_spread(sums: Sums, games: int) -> float:
    return sqrt(compute_variance(sums.total, sums.squares, games))


def figure_line(totals: Totals, key: Key, players: int) -> str:
    return estimate_text(estimate_figure(totals, key, players), key[0] in SHARES)


def course_lines(totals: Totals, table: Table) -> Iterator[str]:
    players = table.players
    key: Key
    for label, what in (("length", "decisions"), ("", "turns"), ("", "rounds")):
        key = ("length", what)
        yield labelled_row(label, f"{what} {figure_line(totals, key, players)}{spread_text(totals, key, players)}")
    yield labelled_row("choices", f"{figure_line(totals, ('options',), players)} options in a decision; "
              f"only one in {figure_line(totals, ('forced',), players)}")  # fmt: skip
    settled = figure_line(totals, ("settled",), players)
    yield labelled_row("course", f"the winner leads for good after {settled} of the decisions; "
              f"the lead changes {figure_line(totals, ('lead changes',), players)} times")  # fmt: skip
    for number_, key in enumerate(key for key in ending_figures(table) if totals.sums.get(key)):
        name = figure_name(key).removeprefix("ends ")
        yield labelled_row("ends" if number_ == 0 else "", f"{name}: {figure_line(totals, key, players)}")


def use_lines(totals: Totals, table: Table) -> Iterator[str]:
    known = list_figures(table)
    for number_, key in enumerate(key for key in known if key[0] == "action"):
        yield labelled_row("actions" if number_ == 0 else "", action_text(totals, key, table.players))
    for word, label in (("phase", "phases"), ("line", "points"), ("value", "values")):
        for number_, key in enumerate(key for key in known if key[0] == word):
            each = figure_line(totals, key, table.players)
            often = percent_text(estimate_games_with(totals, key).value)
            yield labelled_row(
                label if number_ == 0 else "", f"{' '.join(key[1:])}: {each} a game, in {often} of the games"
            )
    for number_, key in enumerate(key for key in known if key[0] == "met"):
        yield labelled_row("rows" if number_ == 0 else "", row_text(totals, key, table.players))
    for word, label in (("component", "chosen"), ("kept", "kept")):
        told = component_text(totals, [key for key in known if key[0] == word])
        if told:
            yield labelled_row(label, told)


def action_text(totals: Totals, key: Key, players: int) -> str:
    possible = totals.sums.get(("offered", key[1]))
    if possible is None:
        most = estimate_games_with(totals, ("offered", key[1])).high or 1.0
        return f"{key[1]}: never possible (in fewer than {percent_text(most)} of the games)"
    when = estimate_against_measure(totals, key, players)
    assert when is not None
    return (
        f"{key[1]}: {figure_line(totals, key, players)} a game, in "
        f"{percent_text(estimate_games_with(totals, key).value)} of the games; "
        f"taken in {estimate_text(when, True)} of the decisions where it is possible"
    )


def row_text(totals: Totals, key: Key, players: int) -> str:
    lies = estimate_games_with(totals, ("row", key[1]))
    if not lies.value:
        return f"{key[1]}: never lay open"
    when = estimate_against_measure(totals, key, players)
    assert when is not None
    often = f"lay open in {percent_text(lies.value)} of the games"
    return f"{key[1]}: {often}, held for {estimate_text(when, True)} of the players"


def component_text(totals: Totals, keys: list[Key]) -> str:
    """The rarest and the most frequent; all of them stand in the JSON."""
    counts = sorted((totals.sums.get(key, Sums()).total, key[1]) for key in keys)
    never = [name for count, name in counts if not count]
    if not counts or len(never) == len(counts):
        return ""
    told = [f"never {', '.join(never[:MOST_NAMES])}" + (" …" if len(never) > MOST_NAMES else "")] if never else []
    ends = [counts[len(never)], counts[-1]] if len(counts) - len(never) > 1 else counts[-1:]
    words = ["rarest", "most often"] if len(ends) == 2 else ["only"]
    told += [
        f"{word} {name} ({number_text(float(count) / totals.finished)} a game)"
        for word, (count, name) in zip(words, ends, strict=True)
    ]
    return "; ".join(told)
