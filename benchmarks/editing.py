"""How long an editor waits: findings, completion and hover on the longest bundled rulebook, a key at a time; then the
page in a browser tab: painted, ready, from a key to its mistakes.

    python benchmarks/editing.py [KEYS]

Beside the clock stands the time of the processor: on a busy machine only that compares. Wanted is what people notice,
on a quiet machine by the clock. The page needs Node.js and Chromium (`.ci/tools`).
"""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from time import perf_counter, process_time

from rulesrun.editing import Position, Range, TextEdit, Workspace, complete, hover, list_findings
from rulesrun.files.sources import bundled_names, open_rules
from rulesrun.playground.assembly import write_playground

EDITORS = Path(__file__).resolve().parents[1] / "editors"
WANTED = {"findings": 150, "completion": 50, "hover": 20}  # 95 of 100
WANTED_OF_PAGE = {"painted": 1000, "ready cold": 4000, "ready warm": 2500, "key to mistakes": 300}


def measure(call: Callable[[], object]) -> tuple[float, float]:
    clock, busy = perf_counter(), process_time()
    call()
    return perf_counter() - clock, process_time() - busy


def find_share(times: Sequence[float], share: float) -> float:
    return sorted(times)[int(len(times) * share)]


def measure_keys(text: str, keys: int) -> dict[str, list[tuple[float, float]]]:
    lines, chance = text.split("\n"), random.Random(1)
    workspace = Workspace()
    workspace.open_document("longest.rules", text, 0)
    workspace.analyse("longest.rules")
    times: dict[str, list[tuple[float, float]]] = {what: [] for what in WANTED}
    for version in range(1, keys + 1):
        line = chance.randrange(len(lines))
        place = Position(line, chance.randrange(len(lines[line]) + 1))
        workspace.open_document("longest.rules", text, 0)
        workspace.change_document("longest.rules", [TextEdit(Range(place, place), "x")], version)
        times["findings"].append(measure(lambda: list_findings(workspace.analyse("longest.rules"))))
        analysis = workspace.analyse("longest.rules")
        times["completion"].append(measure(partial(complete, analysis, place)))
        times["hover"].append(measure(partial(hover, analysis, place)))
    return times


def measure_page(game: str, keys: int) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        write_playground(f"{folder}/page", str(EDITORS / "node_modules/pyodide"))
        driver = [str(shutil.which("node")), str(EDITORS / "tests/latency.mjs"), f"{folder}/page", game, str(keys)]
        found = json.loads(subprocess.run(driver, capture_output=True, text=True, check=True).stdout)
    return {
        "painted": found["cold"]["painted"],
        "ready cold": found["cold"]["ready"],
        "ready warm": found["warm"]["ready"],
        "key to mistakes": find_share(found["diagnostics"], 0.95),
    }


def main(keys: int) -> None:
    name = max(bundled_names(), key=lambda name: open_rules(name).text.count("\n"))
    text = open_rules(name).text
    print(f"{name}, {text.count(chr(10))} lines, {keys} keys; milliseconds by the clock, of the processor")
    for what, found in measure_keys(text, keys).items():
        for told, share in (("half", 0.5), ("95 of 100", 0.95)):
            clock, busy = (find_share([one[at] for one in found], share) * 1000 for at in (0, 1))
            wanted = f"  wanted {WANTED[what]}" if share > 0.5 else ""
            print(f"{what:16} {told:10} {clock:7.0f} {busy:7.0f}{wanted}")
    if shutil.which("node") is None or not (EDITORS / "node_modules/playwright-core").is_dir():
        print("the page was not measured: .ci/tools")
        return
    for what, time in measure_page(name, min(keys, 60)).items():
        print(f"{what:16} {'':10} {time:7.0f} {'':7}  wanted {WANTED_OF_PAGE[what]}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
