"""Who is better than whom in every bundled game: `greedy` against random players, search against `greedy`.

Every comparison is played until its interval leaves the fair share out, up to `--most` deals, each once at every seat.
The interval (95 %, `sequential.py`) holds at whatever deal it stops. Where all win together, or play
for points, the share is that of the deals in which the player does better than the other kind, ties counting half.

Cheap games first, in pieces: what is known is kept in the file, and the next run goes on from there.

    python -m benchmarks.strength RESULTS.json [--seconds 240] [--most 2000] [--search 1000] [GAME…]
    python -m benchmarks.strength RESULTS.json --show
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from time import monotonic, process_time
from typing import Any

from benchmarks.sequential import sequential_interval
from rulesrun.files.loading import read_playable
from rulesrun.interpreter.bots.bot import RandomBot
from rulesrun.interpreter.bots.deliberation import Think
from rulesrun.interpreter.bots.evaluation import Judge
from rulesrun.interpreter.bots.greedy import GreedyBot
from rulesrun.interpreter.bots.match import OutOfTime
from rulesrun.interpreter.bots.mcts import MctsBot
from rulesrun.interpreter.measure.ladder import play_numbered_game
from rulesrun.interpreter.reference.table import Table
from rulesrun.run.bot_engines import compile_think_now, make_think
from rulesrun.services.assess import choose_table
from rulesrun.terminal.requests import AssessRequest

GAMES = Path(__file__).resolve().parents[1] / "games"
RUNGS = ("greedy", "search")
SLICE, GROWTH = 10.0, 1.5  # seconds that a comparison is played for, and how much longer the next time
SEED = 20
FEWEST = 20  # deals
ALIKE = 0.03  # of the games: closer than that is as good

Known = dict[str, Any]  # of a comparison: `deals` by what they gave, `seconds` of a processor, `stuck` games


def bundled_names() -> list[str]:
    files = [path for folder in (".", "classics", "gallery") for path in sorted((GAMES / folder).glob("*.rules"))]
    return [str(path.relative_to(GAMES))[: -len(".rules")] for path in files]


def set_up(name: str) -> tuple[Table, Think]:
    """The smallest table at which anybody has somebody to play with; how they think there."""
    request = AssessRequest(files=(name,), quiet=True)
    table = choose_table(read_playable(str(GAMES / f"{name}.rules")), request)
    think = make_think(table)
    compile_think_now(think)
    return table, think


def play_deals(
    table: Table, think: Think, rung: str, search: int, known: Known, until: float, most: int
) -> None:
    """Until it is clear who is better, or the time is over."""
    greedy = GreedyBot(think=think)
    player, against = (greedy, RandomBot()) if rung == "greedy" else (MctsBot(search, think=think), greedy)
    judge = Judge(table)
    while monotonic() < until and not is_over(known, most):
        deal, began, shares = known["played"], process_time(), list[float]()
        numbers = [deal] if judge.is_common else range(deal * table.players, (deal + 1) * table.players)
        try:
            for number in numbers:
                worth = play_numbered_game(table, player, against, SEED, number, until + 60).worth
                if worth is not None:
                    shares.append(worth)
        except OutOfTime:
            return
        known["played"] += 1
        known["seconds"] += process_time() - began
        if len(shares) < len(numbers):
            known["stuck"] += 1
            continue
        mean = sum(shares) / len(shares)
        value = str((1 + (mean > 0) - (mean < 0)) / 2 if judge.in_points else round(mean, 6))
        known["deals"][value] = known["deals"].get(value, 0) + 1
        known["fair"] = 0.5 if judge.in_points else 1 / len(table.bench.teams)


def interval_of(known: Known) -> tuple[float, float]:
    return sequential_interval({float(value): count for value, count in known["deals"].items()})


def verdict_of(known: Known) -> str:
    low, high = interval_of(known)
    fair = known["fair"]
    if fair - ALIKE < low and high < fair + ALIKE:
        return "alike"
    return "better" if low > fair else "worse" if high < fair else "not known"


def is_over(known: Known, most: int) -> bool:
    """Stuck games may not keep it going for ever."""
    deals = sum(known["deals"].values())
    is_clear = deals >= FEWEST and verdict_of(known) != "not known"
    return is_clear or deals >= most or known["played"] >= 2 * most


def rows(kept: dict[str, Known]) -> Iterator[str]:
    yield f"{'game':<30}{'':<10}{'deals':>6}{'stuck':>6}{'share':>8}{'95 %':>15}  {'':<11}{'s a deal':>9}"
    for name, known in sorted(kept.items()):
        deals = sum(known["deals"].values())
        game, rung = name.split(" ")
        if not deals:
            yield f"{game:<30}{rung:<10}{deals:>6}{known['stuck']:>6}"
            continue
        share = sum(float(value) * count for value, count in known["deals"].items()) / deals
        low, high = interval_of(known)
        yield (
            f"{game:<30}{rung:<10}{deals:>6}{known['stuck']:>6}{share:>8.1%}{low:>7.1%} …{high:>6.1%}"
            f"  {verdict_of(known):<11}{known['seconds'] / known['played']:>9.3f}"
        )


def main() -> None:
    asked = argparse.ArgumentParser()
    asked.add_argument("results", type=Path)
    asked.add_argument("games", nargs="*")
    asked.add_argument("--seconds", type=float, default=240.0)
    asked.add_argument("--most", type=int, default=2000)
    asked.add_argument("--search", type=int, default=1000)
    asked.add_argument("--show", action="store_true")
    words = asked.parse_intermixed_args()
    kept: dict[str, Known] = json.loads(words.results.read_text()) if words.results.exists() else {}
    if not words.show:
        climb(words, kept)
    print("\n".join(rows(kept)))


def climb(words: argparse.Namespace, kept: dict[str, Known]) -> None:
    """Whatever has taken least so far gets the next slice of the time."""
    end, tables, slices = monotonic() + words.seconds, dict[str, tuple[Table, Think]](), dict[str, float]()
    names = [f"{game} {rung}" for game in words.games or bundled_names() for rung in RUNGS]
    for name in names:
        kept.setdefault(name, {"deals": {}, "played": 0, "stuck": 0, "seconds": 0.0, "fair": 0.5})
    while open_ones := [name for name in names if not is_over(kept[name], words.most)]:
        name = min(open_ones, key=lambda one: (slices.get(one, 0.0), kept[one]["seconds"], names.index(one)))
        if monotonic() > end:
            return
        game, rung = name.split(" ")
        if game not in tables:
            tables[game] = set_up(game)
        slices[name] = slices.get(name, SLICE / GROWTH) * GROWTH
        until = min(monotonic() + slices[name], end)
        play_deals(*tables[game], rung, words.search, kept[name], until, words.most)
        words.results.write_text(json.dumps(kept, indent=1, sort_keys=True))


if __name__ == "__main__":
    main()
