"""The end of a game explained to one seat: the sheets as they were counted, where the last points come from, who is
first by which criterion. Only what is worked out from what the seat sees is told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rulesrun.dsl.text.messages import join_messages
from rulesrun.dsl.text.source import Span
from rulesrun.files.excerpts import WHOLE, excerpt, line_of, values_text
from rulesrun.files.loading import Reading
from rulesrun.interpreter.model.values import Fault, State
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.secrecy.secrets import is_told_whole
from rulesrun.interpreter.stories.reasons import LineReasons, explain_score, explain_winner
from rulesrun.records.traces import value_to_json

Json = dict[str, Any]
MOST_VALUES = 6
DEEPEST = 1


def explain_end(
    reading: Reading, table: Table, state: State, seat: int, counted: Sequence[Json]
) -> Json:
    """`counted`: every counting of points of the game, as a trace has it. Where somebody wins at once, no line of the
    rules counts anything: there is nothing to explain."""
    is_written = not table.bench.is_won_at_once
    return {
        "sheets": [{"round": one["round"], "players": one["sheet"]} for one in counted],
        "lines": [
            {"player": one, "lines": [*explain_lines(reading, table, state, one, seat, counted)] if is_written else []}
            for one in table.bench.first_seats
        ],
        **({"teams": [list(team) for team in table.bench.teams]} if table.bench.team_size > 1 else {}),
        "ranking": list(explain_ranking(reading, table, state)) if is_written else [],
    }  # fmt: skip


def explain_lines(
    reading: Reading, table: Table, state: State, player: int, seat: int,
    counted: Sequence[Json],
) -> Iterator[Json]:
    """Every line of the sheets of one player: how much in all, and how the last of it came about."""
    now = {one.name: one for one in explain_score(table, state, player)}
    for score in table.bench.scores:
        for line in score.lines:
            name = line.name.text
            values = [sheet["sheet"][str(player)][name] for sheet in counted if name in sheet["sheet"][str(player)]]
            yield {
                "name": name, "values": values, "notes": list(line.notes or score.notes),
                "rule": excerpt(line.span, reading.sources, WHOLE), "line": line_of(line.span, reading.sources),
                "because": last_reasons(reading, line.value.span, now[name], values)
                if is_told_whole(table, line.value, player == seat) else [],
            }  # fmt: skip


def last_reasons(reading: Reading, line: Span, now: LineReasons, values: Sequence[object]) -> list[str]:
    """Where the table still lies as it was counted. The rule is told beside it: of the whole what it was worth."""
    if not values or value_to_json(now.value) != values[-1]:
        return []
    told = [one for one in now.values if one.depth <= DEEPEST]
    found = list(values_text(told, reading.sources, WHOLE)[:MOST_VALUES])
    return [join_messages(["= ", told[0].text], ""), *found[1:]] if told and told[0].span == line else found


def explain_ranking(reading: Reading, table: Table, state: State) -> Iterator[Json]:
    try:
        _, criteria = explain_winner(table, state)
    except Fault:
        return
    for one, step in zip(criteria, table.scoring.criteria, strict=True):
        asked = (step.criterion.value, step.criterion.when) if step.criterion is not None else ()
        is_open = all(is_told_whole(table, part, False) for part in asked if part is not None)
        values: Mapping[int, Any] = one.values if is_open else {}
        yield {
            "text": one.text, "applies": one.used, "places": [list(group) for group in one.groups],
            "values": {str(player): value_to_json(value) for player, value in values.items()},
        }  # fmt: skip
