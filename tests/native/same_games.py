"""Every bundled rulebook at every table, thousands of games on both engines: `python -m tests.native.same_games`.

A table is a number of players and a setting of options and readings, so that every two values meet. What has been found
alike is noted in a file, under a name made of the machine code, the reference and the rules: started again, the command
goes on where it was, and only looks again at what has changed.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from time import process_time
from typing import Any

from attrs import define, field

from rulesrun.files.loading import read_rules
from rulesrun.interpreter.form.llvm import ModuleText
from rulesrun.interpreter.model.values import RefusedTable
from rulesrun.interpreter.native.flow.engine import compile_engine
from rulesrun.interpreter.native.positions.positions import compile_positions
from rulesrun.interpreter.reference.table import Table, set_up_table
from rulesrun.run.engine_choice import CodeCache, cache_folder
from tests.games.measure import FIVE, GAMES, VARIANTS, Settings, pairwise, players_of, program_of
from tests.native.twins import Twins

SEEDS = 2000
CHUNK = 250
ROOT = Path(__file__).resolve().parents[2]
REFERENCE = ("model", "reference", "play")
COMPARING = ("interpreter/native/positions/positions.py", "tests/native/encoded.py", "tests/native/twins.py")

CLASSICS: list[tuple[str, int, dict[str, Any]]] = [
    ("classics/tic_tac_toe", 2, {}), ("classics/kuhn", 2, {}), ("classics/kuhn", 3, {}), ("classics/leduc", 2, {}),
    *[("classics/goofspiel", players, {"cards": cards, "prizes": prizes, "last_by_itself": itself})
      for players in (2, 3, 4)
      for cards, prizes, itself in ((13, "random", "yes"), (5, "ascending", "no"), (13, "descending", "no"),
                                    (2, "random", "no"), (5, "random", "yes"), (13, "ascending", "yes"))],
    *[("classics/pig", players, settings)
      for players in (2, 3, 4) for settings in ({}, {"die": 2, "target": 4, "length": 6}, {"die": 20, "target": 1000})],
    *[("classics/nim", 2, {"misere": misere, "heaps": heaps})
      for misere in ("no", "yes") for heaps in ("{1, 3, 5, 7}", "{2, 3}", "{20, 1, 0, 4, 7, 13}")],
    *[("classics/rock_paper_scissors", 2, {"throws": throws}) for throws in (1, 5, 9)],
]


def all_tables() -> Iterator[tuple[str, int, Settings]]:
    yield from CLASSICS
    for name in FIVE:
        for players in players_of(name):
            yield name, players, {}
    for name in VARIANTS:
        for players in players_of(f"variants/{name}"):
            yield f"variants/{name}", players, {}
    for name in FIVE:
        for settings in pairwise(name):
            for players in players_of(name):
                yield name, players, settings


def sources() -> str:
    """What else has a say: the reference, and what compares."""
    reference = (path for folder in REFERENCE for path in sorted((ROOT / "interpreter" / folder).glob("*.py")))
    paths = [*reference, *(ROOT / one for one in COMPARING)]
    return sha256(b"\0".join(path.read_bytes() for path in paths)).hexdigest()


def table_of(name: str, players: int, settings: Settings) -> Table | None:
    program = program_of(name) if (GAMES / f"{name}.rules").exists() else read_rules(name).program
    assert program is not None
    try:
        return set_up_table(program, players, settings)
    except RefusedTable:
        return None  # the rules themselves exclude it


@define(eq=False)
class Notes:
    """How many games of each table, from seed 0 on, have been found alike."""

    path: Path
    done: dict[str, int] = field(factory=dict)

    def read(self) -> None:
        if self.path.exists():
            for line in self.path.read_text().splitlines():
                entry = json.loads(line)
                self.done[entry["digest"]] = max(entry["games"], self.done.get(entry["digest"], 0))

    def add(self, digest: str, games: int, told: dict[str, Any]) -> None:
        self.done[digest] = games
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a") as file:
            file.write(json.dumps({"digest": digest, "games": games, **told}) + "\n")


def digest_of(twins: Twins, common: str) -> str:
    """A name for this table in this machine code."""
    assert twins.engine is not None
    texts = [ModuleText(False).format_module(form.functions) for form in (twins.positions.form, twins.engine.form)]
    starts = [str(form.start.values) for form in (twins.positions.form, twins.engine.form)]
    return sha256("\0".join([common, *texts, *starts]).encode()).hexdigest()[:24]


def look_at(name: str, players: int, settings: Settings, seeds: int, notes: Notes, common: str) -> tuple[str, str]:
    """`alike`, `before` (noted earlier), `refused` or `NOT ALIKE`, and what is to be told."""
    table = table_of(name, players, settings)
    if table is None:
        return "refused", ""
    cache = CodeCache(cache_folder())
    twins = Twins(table, compile_positions(table, cache), compile_engine(table, cache))
    digest = digest_of(twins, common)
    done, began = notes.done.get(digest, 0), process_time()
    if done >= seeds:
        return "before", f"{done:,} games"
    while done < seeds:
        for seed in range(done, min(done + CHUNK, seeds)):
            found = twins.game(seed)
            if found is not None:
                return "NOT ALIKE", f"seed {seed}: {found}"
        done = min(done + CHUNK, seeds)
        notes.add(digest, done, {"name": name, "players": players, "settings": {**settings}})
    told = f"{seeds:,} games, {twins.events:,} events, {process_time() - began:.1f} s"
    left = f", {twins.told} left to the reference" if twins.told else ""
    return "alike", told + left + (f", {twins.faulty} with a fault" if twins.faulty else "")


def main() -> int:
    asked = argparse.ArgumentParser(prog="python -m tests.native.same_games", description=__doc__)
    asked.add_argument("names", nargs="*", help="only these rulebooks, as `zero` or `classics/kuhn`")
    asked.add_argument("--seeds", type=int, default=SEEDS)
    asked.add_argument("--notes", type=Path, default=(cache_folder() or Path()).parent / "same_games.jsonl")
    given = asked.parse_args()
    tables = [one for one in all_tables() if not given.names or one[0] in given.names]
    notes, common, counts = Notes(given.notes), sources(), dict.fromkeys(("alike", "before", "refused", "NOT ALIKE"), 0)
    notes.read()
    for number, (name, players, settings) in enumerate(tables, start=1):
        words = " ".join(f"{option}={value}" for option, value in settings.items())
        verdict, told = look_at(name, players, settings, given.seeds, notes, common)
        counts[verdict] += 1
        say(f"{number}/{len(tables)} {name} {players} {words}: {verdict} {told}")
    say(", ".join(f"{many} {word}" for word, many in counts.items()))
    return 1 if counts["NOT ALIKE"] else 0


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
