"""Nothing is said against a bundled game that is not so: 20,000 games of each, leaks looked for in a share of them.

It takes a while; what has been played is noted in pytest's cache, so that an interrupted run goes on where it stopped.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from rulesrun.files.loading import read_rules
from rulesrun.interpreter.play import random_games as reference
from rulesrun.interpreter.play.random_games import SimulationResult
from rulesrun.interpreter.reference.table import Table, set_up_table
from rulesrun.interpreter.search.biased_search import search_failures
from rulesrun.interpreter.search.effort import Effort
from rulesrun.services.tables import allowed_players

ROOT = Path(__file__).parents[2]
BUNDLED = sorted(
    str(path.relative_to(ROOT / "games"))[: -len(".rules")]
    for folder in ("games", "games/classics") for path in (ROOT / folder).glob("*.rules")
)
GAMES = 20_000
DEALT_ANEW = 25  # in one game of so many, what the chooser cannot see is dealt anew at decisions
CHUNK = 2_000


def tables_of(name: str) -> list[Table]:
    program = read_rules(name).program
    assert program is not None
    return [set_up_table(program, players, {}) for players in allowed_players(program)]


def played(table: Table, first: int, games: int) -> SimulationResult:
    pytest.importorskip("llvmlite")
    from rulesrun.interpreter.native.flow.engine import compile_engine, simulate
    from rulesrun.run.engine_choice import CodeCache, cache_folder

    return simulate(compile_engine(table, CodeCache(cache_folder())), 1, games, first=first)


def code_and(rules: Path) -> str:
    """What has been played counts only for the same rules and the same code."""
    sources = [path for room in ("dsl", "grammar", "interpreter") for path in sorted((ROOT / room).rglob("*.py"))]
    return hashlib.sha256(b"\0".join(path.read_bytes() for path in [*sources, rules])).hexdigest()


@pytest.mark.long
@pytest.mark.parametrize("name", BUNDLED)
def test_twenty_thousand_games(name: str, cache: pytest.Cache) -> None:
    tables = tables_of(name)
    digest = code_and(ROOT / "games" / f"{name}.rules")
    for table in tables:
        key = f"rulesrun/no_false_alarm/{name}/{table.players}/{digest}"
        done, wanted = int(cache.get(key, 0)), GAMES // len(tables) + 1
        while done < wanted:
            games = min(CHUNK, wanted - done)
            found = played(table, done, games)
            assert not found.broken
            assert not found.faults
            looked = search_failures([table], done, Effort(10**9, 3_600), max(games // DEALT_ANEW, 1), leaks=True)
            assert not looked.found, [kind.name for kind in looked.found]
            done += games
            cache.set(key, done)


@pytest.mark.parametrize("name", BUNDLED)
def test_a_few_games(name: str) -> None:
    table = tables_of(name)[0]
    assert not reference.simulate_games(table, 5, 3).broken
    assert not search_failures([table], 5, Effort(10**9, 60), 2, leaks=True).found
