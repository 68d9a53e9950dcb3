"""How long `rulesrun FILE` takes: by the clock, and in processor time of either process, which another program on the
machine changes little. Each file with an empty cache of machine code, then with a full one. `--reference`: without
machine code. Names of files, or none for all that are bundled.

    python benchmarks/verdict.py [--reference] [FILE…]
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

GAMES = Path(__file__).parents[1] / "games"
WORK = """
import json, sys, time
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from rulesrun.cli import main
began = time.monotonic()
code = main(sys.argv[1:])
sys.stdout.flush()
seconds = [sum(getrusage(who)[:2]) for who in (RUSAGE_SELF, RUSAGE_CHILDREN)]
print(json.dumps([code, time.monotonic() - began, *seconds]), file=sys.stderr)
"""

Measured = tuple[int, float, float, float]  # exit code, by the clock, processor time here and in the other process


def measured(words: list[str], cache: str) -> Measured:
    environment = {**os.environ, "XDG_CACHE_HOME": cache}
    done = subprocess.run(
        [sys.executable, "-c", WORK, *words], env=environment, capture_output=True, text=True, check=False
    )
    code, clock, here, other = json.loads(done.stderr.splitlines()[-1])
    return code, clock, here, other


def row(name: str, words: list[str]) -> str:
    with tempfile.TemporaryDirectory() as cache:
        found = [measured(words, cache) for _ in range(2)]
    columns = "   ".join(f"{clock:6.1f} {here:6.1f} {other:6.1f}" for _, clock, here, other in found)
    return f"{name:<44}{columns}   {found[0][0]}"


def main(words: list[str]) -> None:
    more = ["--engine", "reference"] if "--reference" in words else []
    files = [word for word in words if word != "--reference"] or sorted(map(str, GAMES.rglob("*.rules")))
    print(f"{'':<44}{'empty cache':<20}   {'full cache':<20}   exit")
    print(f"{'file':<44}{' clock  first  other':<20}   {' clock  first  other':<20}   code")
    for file in files:
        print(row(os.path.relpath(file), [file, *more]), flush=True)
    if len(files) > 1:
        print(row("all of them", [*files, *more]), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
