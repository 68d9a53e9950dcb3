"""Digests of what the bundled rulebooks do, at every table: traces of random games with the state after every event,
and exact sums of all figures of many more games, played in machine code.

`python -m tests.recorded.digests [NAME…]` records them anew. Read the difference before you commit it; the commit says
why.
`python -m tests.recorded.digests --compare` names the tables that differ.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from rulesrun.files.loading import read_playable
from rulesrun.files.sources import bundled_names
from rulesrun.interpreter.model.random import Streams
from rulesrun.interpreter.model.values import Fault, RefusedTable
from rulesrun.interpreter.play.game_loop import random_picker
from rulesrun.interpreter.reference.table import Table, list_option_values, set_up_table
from rulesrun.records.traces import record_game
from rulesrun.services.stories import value_text
from rulesrun.services.tables import allowed_players
from rulesrun.terminal.output import one_line_json
from tests.recorded.commands import digest_of as digest_of_command

HERE = Path(__file__).resolve().parent
TRACES = HERE / "traces.json"
SUMS = HERE / "sums.json"
SEEDS = 5
GAMES = 200  # of which the figures are added up
MOST_VALUES = 4  # of an option: the first ones and the last
MOST_DECISIONS = 400  # of a game; its beginning stands for it

Settings = dict[str, str]


def tables_of(name: str) -> Iterator[tuple[str, Table]]:
    """Every number of players, with the options as they are and with each changed alone."""
    program = read_playable(name).program
    assert program is not None
    for players in allowed_players(program):
        settings: list[Settings] = [{}]
        try:
            usual = set_up_table(program, players, {})
        except RefusedTable:
            continue
        for option in program.game.options:
            own = option.name.text
            values = [value for value in list_option_values(usual, own) if value != usual.options[own]]
            few = values if len(values) <= MOST_VALUES else [*values[: MOST_VALUES - 1], values[-1]]
            settings += [{own: value_text(value)} for value in few]
        for setting in settings:
            try:
                table = set_up_table(program, players, dict(setting))
            except RefusedTable:
                continue
            yield " ".join([name, str(players), *(f"{key}={value}" for key, value in setting.items())]), table


def digest_of_games(table: Table, seeds: int) -> str:
    """Of the traces of so many random games, with the state after every event."""
    digest = hashlib.sha256()
    for seed in range(seeds):
        for line in lines_of_game(table, seed):
            digest.update(line.encode())
    return digest.hexdigest()[:24]


def lines_of_game(table: Table, seed: int) -> Iterator[str]:
    decisions = 0
    try:
        for event in record_game(table, random_picker(Streams(seed)), with_states=True):
            yield one_line_json(event)
            decisions += event["event"] == "decision"
            if decisions >= MOST_DECISIONS:
                return
    except Fault as fault:
        yield fault.diagnostic.code


def digests_of(name: str, seeds: int = SEEDS) -> dict[str, str]:
    """Of the traces at every table of one rulebook."""
    return {at: digest_of_games(table, seeds) for at, table in tables_of(name)}


def sums_of(name: str) -> dict[str, str]:
    """Of all figures of many games at every table of one rulebook."""
    with tempfile.TemporaryDirectory() as folder:
        return {at: digest_of_command(simulate_many(at), Path(folder)) for at, _ in tables_of(name)}


def simulate_many(at: str) -> tuple[str, ...]:
    """`classics/pig 2 target=20` → the command that measures games at this table."""
    name, players, *settings = at.split(" ")
    chosen = [word for setting in settings for word in ("--set", setting)]
    how = ("--figures", "all", "--engine", "native", "--json")
    return ("simulate", name, "--players", players, *chosen, "--games", str(GAMES), *how)


def of_rulebooks(names: Sequence[str], digests: Callable[[str], dict[str, str]]) -> dict[str, str]:
    """Several at once."""
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        return {at: digest for part in pool.map(digests, names) for at, digest in part.items()}


def recorded(file: Path = TRACES) -> dict[str, str]:
    found: dict[str, str] = json.loads(file.read_text("utf-8"))
    return found


def main() -> None:
    words = argparse.ArgumentParser(prog="python -m tests.recorded.digests", description=__doc__)
    words.add_argument("names", nargs="*", default=bundled_names(), help="rulebooks, else all of them")
    words.add_argument("--compare", action="store_true", help="write nothing, name the tables that differ")
    asked = words.parse_args()
    for file, digests in ((TRACES, digests_of), (SUMS, sums_of)):
        known, found = recorded(file), of_rulebooks(asked.names, digests)
        before = {at: digest for at, digest in known.items() if at.split(" ")[0] in asked.names}
        if asked.compare:
            differing = [at for at in {**before, **found} if before.get(at) != found.get(at)]
            sys.stdout.write(f"{file.name}: {len(found)} tables, {len(differing)} differ\n")
            sys.stdout.writelines(f"  {at}\n" for at in differing)
        else:
            kept = {**{at: digest for at, digest in known.items() if at not in before}, **found}
            order = [at for name in bundled_names() for at in kept if at.split(" ")[0] == name]
            file.write_text(json.dumps({at: kept[at] for at in order}, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
