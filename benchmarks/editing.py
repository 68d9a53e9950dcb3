"""How long an editor waits: findings, completion and hover on the longest bundled rulebook, a key at a time.

    python benchmarks/editing.py [KEYS]

Beside the clock stands the time of the processor: on a busy machine only that compares.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from time import perf_counter, process_time

from rulesrun.editing import Position, Range, TextEdit, Workspace, complete, hover, list_findings
from rulesrun.files.sources import bundled_names, open_rules


def measure(call: Callable[[], object]) -> tuple[float, float]:
    clock, busy = perf_counter(), process_time()
    call()
    return perf_counter() - clock, process_time() - busy


def main(keys: int) -> None:
    text = max((open_rules(name).text for name in bundled_names()), key=lambda text: text.count("\n"))
    lines, chance = text.split("\n"), random.Random(1)
    workspace = Workspace()
    workspace.open_document("longest.rules", text, 0)
    workspace.analyse("longest.rules")
    times: dict[str, list[tuple[float, float]]] = {"findings": [], "completion": [], "hover": []}
    for version in range(1, keys + 1):
        line = chance.randrange(len(lines))
        place = Position(line, chance.randrange(len(lines[line]) + 1))
        workspace.open_document("longest.rules", text, 0)
        workspace.change_document("longest.rules", [TextEdit(Range(place, place), "x")], version)
        times["findings"].append(measure(lambda: list_findings(workspace.analyse("longest.rules"))))
        analysis = workspace.analyse("longest.rules")
        times["completion"].append(measure(lambda a=analysis, p=place: complete(a, p)))  # type: ignore[misc]
        times["hover"].append(measure(lambda a=analysis, p=place: hover(a, p)))  # type: ignore[misc]
    print(f"{text.count(chr(10))} lines, {keys} keys; milliseconds by the clock, of the processor")
    for what, found in times.items():
        for name, share in (("half", 0.5), ("95 of 100", 0.95)):
            clock, busy = (sorted(one[at] for one in found)[int(len(found) * share)] * 1000 for at in (0, 1))
            print(f"{what:12} {name:10} {clock:7.0f} {busy:7.0f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
