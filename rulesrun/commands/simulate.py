"""`rulesrun simulate`: many random games, and what came of them."""

from __future__ import annotations

from rulesrun.arguments import Request
from rulesrun.findings import complain_about
from rulesrun.loading import read_rules
from rulesrun.output import say, say_json
from rulesrun.playing import Clock, play_tables
from rulesrun.reports import FileReport, TableReport, report_json, simulation_text
from rulesrun.tables import seat_all

GAMES = 1000


def run(request: Request) -> int:
    reading = read_rules(request.files[0], request.variants)
    if reading.program is None:
        complain_about(reading)
        return 1
    request.chosen.setdefault("games", GAMES)
    report = FileReport(reading)
    play_tables(report, seat_all(reading, request), request, Clock(None))
    if request.json:
        document = report_json(report)
        document["tables"] = [_table(table) for table in report.tables]
        say_json(document | {"engine": "reference"})
    else:
        say(simulation_text(report), end="")
    if not report.holds:
        return 1
    return 2 if report.is_partial else 0


def _table(table: TableReport) -> dict[str, object]:
    finished = max(table.finished, 1)
    return {
        "players": table.players,
        "games": table.games,
        "decisions": table.decisions,
        "seconds": round(table.seconds, 3),
        "wins": {str(seat): won for seat, won in enumerate(table.first_places, 1)},
        "mean_scores": {str(seat): points / finished for seat, points in enumerate(table.points, 1)},
    }
