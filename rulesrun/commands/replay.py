"""`rulesrun replay`: a recorded game played again; the first event that the rules refuse is named."""

from __future__ import annotations

from rulesrun.dsl.text.messages import join_messages, message
from rulesrun.files.loading import read_playable
from rulesrun.files.sources import read_trace
from rulesrun.terminal.output import print_json, print_text
from rulesrun.terminal.requests import ReplayRequest
from rulesrun.terminal.trouble import Trouble


def run(request: ReplayRequest) -> int:
    from rulesrun.records.replays import RefusedEvent, replay_lines

    rules, trace = request.files
    reading = read_playable(rules, request.variants)
    lines = _read_lines(trace)
    try:
        events = replay_lines(reading, lines, request.rules_only)
    except RefusedEvent as refused:
        if request.json:
            print_json(
                {"file": reading.name, "trace": trace, "ok": False, "line": refused.line, "message": str(refused)}
            )
        else:
            print_text(join_messages([f"{trace}:{refused.line}", str(refused)], ": "))
        return 1
    except Trouble as reason:
        raise Trouble(join_messages([trace, str(reason)], ": ")) from None
    if request.json:
        print_json({"file": reading.name, "trace": trace, "ok": True, "events": events})
    elif not request.quiet:
        print_text(message("{trace}: all {lines} lines follow the rules", trace=trace, lines=events))
    return 0


def _read_lines(trace: str) -> list[str]:
    lines = read_trace(trace).split("\n")
    if lines[-1] == "":
        lines.pop()
    return lines
