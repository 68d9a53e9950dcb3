"""`rulesrun compare`: what a house rule changes, in words and in play."""

from __future__ import annotations

from rulesrun.files.loading import read_playable
from rulesrun.report.compare_text import comparison_lines, comparisons_json
from rulesrun.services.compare import Comparison, compare_variants
from rulesrun.terminal.output import print_json, print_report
from rulesrun.terminal.requests import CompareRequest


def run(request: CompareRequest) -> int:
    base, *variants = (read_playable(name, request.variants) for name in request.files)
    found: list[Comparison] = []
    for one in compare_variants(base, variants, request):
        found.append(one)
        if not (request.json or request.quiet):
            print_report(("\n" if len(found) > 1 else "") + "\n".join(comparison_lines(one, request)) + "\n")
    if request.json:
        print_json(comparisons_json(found, request))
    if not all(one.holds for one in found):
        return 1
    return 2 if any(one.is_partial for one in found) else 0
