"""How long good players take to answer: `assess` of each game (60 s wanted), `report` of the five (120 s), `compare`.

By the clock, which only a quiet machine makes worth reading, and in processor time of all processes. `--work`: the
games of so many seconds, however long they take here: then the processor time says how good the plan is.

    python benchmarks/answers.py [--work] [--seconds N] [GAME…]
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from time import monotonic

GAMES = Path(__file__).resolve().parents[1] / "games"
FIVE = ("collection", "the_game", "tokens", "hourglass", "zero")
VARIANTS = (("zero", "zero_three_passes"), ("collection", "collection_open_hands"), ("the_game", "the_game_six_rows"))


def bundled_names() -> list[str]:
    return [str(path.relative_to(GAMES))[: -len(".rules")] for path in sorted(GAMES.rglob("*.rules"))
            if path.parent.name != "variants"]


def measure(title: str, wanted: float, words: list[str]) -> None:
    began, before = monotonic(), getrusage(RUSAGE_CHILDREN)
    done = subprocess.run([sys.executable, "-m", "rulesrun", *words], capture_output=True, text=True, check=False)
    clock, after = monotonic() - began, getrusage(RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    late = "late" if clock > wanted else ""
    print(f"{title:<44}{clock:>8.1f}{spent:>11.1f}{wanted:>9.0f}  {late:<5}{done.returncode}", flush=True)


def main() -> None:
    asked = argparse.ArgumentParser()
    asked.add_argument("games", nargs="*")
    asked.add_argument("--seconds", type=int, default=60)
    asked.add_argument("--work", action="store_true")
    words = asked.parse_intermixed_args()
    print(f"{'':<44}{'clock':>8}{'processor':>11}{'wanted':>9}  {'':<5}exit")
    option = "--work" if words.work else "--seconds"
    for name in words.games or bundled_names():
        measure(f"assess {name}", words.seconds, ["assess", name, option, str(words.seconds), "--quiet"])
    if words.games:
        return
    for base, variant in VARIANTS:
        measure(f"compare {base} {variant}", 30, ["compare", base, f"variants/{variant}", "--seconds", "20"])
    with tempfile.TemporaryDirectory() as folder:
        page = str(Path(folder) / "page.html")
        measure("report of the five", 120, ["report", *FIVE, "--html", page])


if __name__ == "__main__":
    main()
