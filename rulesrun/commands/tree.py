"""`rulesrun tree`: the exact size of a small game's tree."""

from __future__ import annotations

from time import perf_counter

from rulesrun.arguments import Request
from rulesrun.findings import complain_about
from rulesrun.interpreter.tree import Counting, TreeCount
from rulesrun.interpreter.values import Fault
from rulesrun.loading import read_rules
from rulesrun.output import complain, say, say_json
from rulesrun.tables import seat_one

MOST_HISTORIES = 2_500_000


def run(request: Request) -> int:
    reading = read_rules(request.files[0], request.variants)
    if reading.program is None:
        complain_about(reading)
        return 1
    table = seat_one(reading, request)
    counting = Counting(table, MOST_HISTORIES)
    began = perf_counter()
    try:
        counting.count()
    except KeyboardInterrupt:
        counting.found.is_complete = False
    except Fault as fault:
        from rulesrun.dsl.report import to_text

        complain(to_text([fault.diagnostic], reading.sources).rstrip("\n"))
        return 1
    _show(request, counting, perf_counter() - began)
    return 0 if counting.found.is_complete else 2


def _show(request: Request, counting: Counting, seconds: float) -> None:
    found = counting.found
    sets = {str(player): len(seen) for player, seen in counting.seen.items()}
    if request.json:
        scores = {str(player): str(score) for player, score in found.expected_scores.items()}
        document: dict[str, object] = {
            "information_sets": sets,
            "max_depth": found.max_depth,
            "expected_scores": scores,
        }
        say_json(_counts(found) | document | _how(found, seconds))
        return
    if not found.is_complete:
        complain(f"rulesrun: these counts are partial (at most {MOST_HISTORIES:,} histories are counted)")
    lines: list[tuple[str, object]] = [(name, f"{count:,}") for name, count in _counts(found).items()]
    lines += [(f"information sets {player}", f"{count:,}") for player, count in sets.items()]
    lines += [("max depth", found.max_depth)]
    lines += [(f"expected score {player}", score) for player, score in found.expected_scores.items()]
    for name, shown in lines:
        say(f"{name:<18}{shown!s:>12}")


def _counts(found: TreeCount) -> dict[str, int]:
    return {
        "histories": found.histories,
        "decisions": found.decisions,
        "chance": found.chance,
        "together": found.together,
        "terminals": found.terminals,
    }


def _how(found: TreeCount, seconds: float) -> dict[str, object]:
    return {"engine": "reference", "seconds": round(seconds, 3)} | ({} if found.is_complete else {"partial": True})
