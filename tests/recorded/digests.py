"""Digests of what the bundled rulebooks do: random games at every table, some of them with the state after every event.

`python -m tests.recorded.digests` records them anew. Read the difference before you commit it; the commit says why.
`python -m tests.recorded.digests --compare` plays all of them, which takes an hour, and names the tables that differ.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from rulesrun.contrasts import options_of, values_of
from rulesrun.files import bundled_names
from rulesrun.interpreter.play import at_random
from rulesrun.interpreter.random import Streams
from rulesrun.interpreter.table import Table, set_up
from rulesrun.interpreter.values import Fault, RefusedTable
from rulesrun.loading import read_playable
from rulesrun.output import one_line_json
from rulesrun.stories import shown
from rulesrun.tables import allowed_players
from rulesrun.traces import record

HERE = Path(__file__).resolve().parent
TRACES = HERE / "traces.json"
MANY = HERE / "many_traces.json"
SEEDS = 5
MANY_SEEDS = 200  # without states
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
            usual = set_up(program, players, {})
        except RefusedTable:
            continue
        for option in options_of(program):
            values = [value for value in values_of(usual, option) if value != usual.options[option.name.text]]
            few = values if len(values) <= MOST_VALUES else [*values[: MOST_VALUES - 1], values[-1]]
            settings += [{option.name.text: shown(value)} for value in few]
        for setting in settings:
            try:
                table = set_up(program, players, dict(setting))
            except RefusedTable:
                continue
            yield " ".join([name, str(players), *(f"{key}={value}" for key, value in setting.items())]), table


def digest_of_games(table: Table, seeds: int, with_states: bool = True) -> str:
    """Of the traces of so many random games."""
    digest = hashlib.sha256()
    for seed in range(seeds):
        for line in lines_of_game(table, seed, with_states):
            digest.update(line.encode())
    return digest.hexdigest()[:24]


def lines_of_game(table: Table, seed: int, with_states: bool) -> Iterator[str]:
    decisions = 0
    try:
        for event in record(table, at_random(Streams(seed)), with_states=with_states):
            yield one_line_json(event)
            decisions += event["event"] == "decision"
            if decisions >= MOST_DECISIONS:
                return
    except Fault as fault:
        yield fault.diagnostic.code


def digests_of(name: str, seeds: int, with_states: bool) -> dict[str, str]:
    """At every table of one rulebook."""
    return {at: digest_of_games(table, seeds, with_states) for at, table in tables_of(name)}


def all_digests(seeds: int, with_states: bool) -> dict[str, str]:
    """Of every bundled rulebook, several at once."""
    names = bundled_names()
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        parts = pool.map(digests_of, names, [seeds] * len(names), [with_states] * len(names))
        return {at: digest for part in parts for at, digest in part.items()}


def recorded(file: Path = TRACES) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(file.read_text("utf-8"))
    return found


def main() -> None:
    for file, seeds, with_states in ((TRACES, SEEDS, True), (MANY, MANY_SEEDS, False)):
        digests = all_digests(seeds, with_states)
        if "--compare" in sys.argv:
            known = recorded(file)["digests"]
            differing = [at for at in {**known, **digests} if known.get(at) != digests.get(at)]
            sys.stdout.write(f"{file.name}: {len(digests)} tables, {len(differing)} differ\n")
            sys.stdout.writelines(f"  {at}\n" for at in differing)
        else:
            file.write_text(json.dumps({"seeds": seeds, "digests": digests}, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
