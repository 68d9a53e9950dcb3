"""`rulesrun compare`: what a house rule changes, in words and in play."""

from __future__ import annotations

from rulesrun.files.checkpoints import open_kept_sums
from rulesrun.files.loading import read_playable
from rulesrun.report.compare_text import comparison_json, comparison_lines
from rulesrun.services.compare import SECONDS, Comparison, compare_rulebooks
from rulesrun.services.measure import job_count_for_bots, make_crew
from rulesrun.terminal.output import print_json, print_text
from rulesrun.terminal.requests import CompareRequest

THINKING_DEALS, LONG = 40, 8  # deals, seconds: for less, processes would hardly have started


def run(request: CompareRequest) -> int:
    base, *variants = (read_playable(name, request.variants) for name in request.files)
    seconds = (request.seconds or SECONDS) / len(variants)
    found: list[Comparison] = []
    kept = open_kept_sums(request, "comparisons", base)
    jobs = job_count_for_bots(request, THINKING_DEALS) if seconds >= LONG else 1
    with make_crew(request, jobs) as crew:
        for variant in variants:
            found.append(compare_rulebooks(base, variant, request, seconds, crew, kept))
            if not (request.json or request.quiet):
                print_text(("\n" if len(found) > 1 else "") + "\n".join(comparison_lines(found[-1], request)))
            if found[-1].is_partial:
                break
    if request.json:
        print_json(
            {
                "comparisons": [comparison_json(one) for one in found],
                "seats": request.seats or "random",
                "games": sum(one.games for one in found),
                "engine": "native" if any(one.engine == "native" for one in found) else "reference",
                "seconds": round(sum(one.seconds for one in found), 3),
                "partial": any(one.is_partial for one in found),
            }
        )
    if not all(one.holds for one in found):
        return 1
    return 2 if any(one.is_partial for one in found) else 0
