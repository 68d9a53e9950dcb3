"""What every game of the gallery is to hold, a line each: size, time, speed, its small table.

`python benchmarks/gallery.py [SECONDS] [GAME…]` prints the lines of the rules and their words and signs, beside what is
wanted; the seconds of `rulesrun FILE`; random games a second in machine code beside OpenSpiel's `evaluate_bots` for the
same game in the same run, where it has the game (`*`: with other rules, which docs/gallery.md names); whether
every position of the small table was looked at and held; and whether the report of `rulesrun FILE` knows of a leak.
`--size` prints only the first of these. All times are processor time.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage

from native import rate, spiel_rate

from rulesrun.files.loading import read_rules
from rulesrun.interpreter.native.flow.engine import compile_engine, simulate
from rulesrun.interpreter.play.game_loop import MOST_DECISIONS
from rulesrun.interpreter.reference.table import set_up_table

GAMES = Path(__file__).resolve().parent.parent / "games"
# The words and signs that a game has in Ludii's language; no game is to have more than a fifth above.
BOARDS = {
    "othello": 630, "breakthrough": 414, "hex": 592, "oware": 616, "nine_mens_morris": 229, "checkers": 263,
    "backgammon": 725, "dots_and_boxes": 1_176, "battleship": 0, "phantom_tic_tac_toe": 0,
}
SPIEL = {
    "backgammon": "backgammon*", "battleship": "battleship*", "blackjack": "blackjack*", "blotto": "blotto",
    "breakthrough": "breakthrough", "checkers": "checkers", "cribbage": "cribbage", "dots_and_boxes": "dots_and_boxes",
    "gin_rummy": "gin_rummy*", "hex": "hex", "nine_mens_morris": "nine_mens_morris", "othello": "othello",
    "oware": "oware", "phantom_tic_tac_toe": "phantom_ttt", "spades": "spades*",
}
MOST_BOARD_LINES, MOST_CARD_LINES = 80, 120
LEFT_OUT = re.compile(
    r"(example|words|small|always|never|at end|at least|at most|can happen|after |ends within|persona)\b"
)
MANY, FEW = 64, 16


def main(words: list[str]) -> int:
    size = "--size" in words
    asked = [word for word in words if word != "--size"]
    seconds = float(asked.pop(0)) if asked and asked[0].replace(".", "").isdigit() else 1.0
    print(f"{'game':<22}{'lines':>6}{'wanted':>7}{'words':>7}{'wanted':>7}" + (
        "" if size else f"{'file s':>8}{'native/s':>11}{'evaluate_bots/s':>17}{'times':>8}  small table, leaks"
    ))
    for path in sorted((GAMES / "gallery").glob("*.rules")):
        if not asked or path.stem in asked:
            line(path, seconds, size)
    return 0


def line(path: Path, seconds: float, size: bool) -> None:
    name = path.stem
    lines, words = measure(path.read_text("utf-8"))
    wanted = f"{6 * BOARDS[name] // 5}" if BOARDS.get(name) else ""
    most = MOST_BOARD_LINES if name in BOARDS else MOST_CARD_LINES
    print(f"{name:<22}{lines:>6}{most:>7}{words:>7}{wanted:>7}", end="", flush=True)
    if not size:
        plain, leak = run_plainly(path)
        print(f"{plain:>8.1f}", end="", flush=True)
        native, spiel = native_rate(name, seconds), SPIEL.get(name, "")
        other = spiel_rate(spiel.rstrip("*"), seconds) if spiel else 0.0
        times = f"{other:>17,.0f}{native / other:>7.1f}{'*' if spiel.endswith('*') else ' '}" if other else f"{'':>25}"
        print(f"{native:>11,.0f}{times}  {explore(path)}, {leak}", end="", flush=True)
    print()


def measure(text: str) -> tuple[int, int]:
    """Lines with something on them, words and signs: without comments, examples, properties, small tables, labels."""
    kept, inside = [], True
    for written in text.split("\n"):
        if re.match(r"\w", written):
            inside = not LEFT_OUT.match(written)
        if inside and written.strip() and not written.lstrip().startswith("#"):
            kept.append(written)
    return len(kept), len(re.findall(r"[^\W_]+(?:[_\-][^\W_]+)*|[^\s\w]", "\n".join(kept)))


def run(*words: str) -> tuple[str, float]:
    before = getrusage(RUSAGE_CHILDREN)
    found = subprocess.run([sys.executable, "-m", "rulesrun", *words], capture_output=True, text=True, check=False)
    after = getrusage(RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return found.stdout + found.stderr, spent


def run_plainly(path: Path) -> tuple[float, str]:
    told, seconds = run(str(path), "--all")
    return seconds, "a leak" if re.search(r"^ +leak", told, re.MULTILINE) else "no leak"


def explore(path: Path) -> str:
    told, _ = run("explore", str(path))
    positions = re.search(r"positions +([\d,]+)", told)
    amount = positions[1] if positions else "no"
    verdict = "complete" if "complete  " in told else "NOT COMPLETE"
    return f"{amount} positions, {verdict}, {'holds' if 'everything holds' in told else 'BROKEN'}"


def native_rate(name: str, seconds: float) -> float:
    program = read_rules(f"gallery/{name}").program
    assert program is not None
    text = (GAMES / "gallery" / f"{name}.rules").read_text("utf-8")
    engine = compile_engine(set_up_table(program, int(re.findall(r"^players (\d+)", text, re.MULTILINE)[0])))
    simulate(engine, 0, FEW, checks=False)
    block = engine.new_memory(1, False, MOST_DECISIONS, False)
    block.numbers("seen broken")[0] = -1

    def play(first: int) -> None:
        assert engine.run_games(block, first, MANY) == MANY

    return float(rate(play, MANY, seconds))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
