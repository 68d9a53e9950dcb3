"""Random search by the clock, in machine code where tables are compiled in time. Takes tables, gives what was found.

Machine code plays hundreds of the reference's games in the time of one, the same ones; so compiling is worth as much
time as the search may take. What is compiled lies in the cache for the next time.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic
from typing import TYPE_CHECKING

from rulesrun.code_cache import CodeCache, folder
from rulesrun.engines import is_installed
from rulesrun.interpreter.searching.search import Search, rank, search
from rulesrun.interpreter.table import Table

if TYPE_CHECKING:
    from rulesrun.interpreter.native.lean_games import LeanGames


def searched(tables: Sequence[Table], seed: int, seconds: float, engine: str = "auto") -> Search:
    """Games that lean towards what is rare, for about so many seconds, at all tables in turn."""
    compiled = compiled_in_time(tables, seconds) if engine != "reference" and is_installed() else []
    if not compiled:
        return search(tables, seed, monotonic() + seconds)
    from rulesrun.interpreter.native.lean_games import search as search_natively

    ready = {id(one.table) for one in compiled}
    others = [table for table in tables if id(table) not in ready]
    share = seconds * len(compiled) / len(tables)
    found = search_natively(compiled, seed, monotonic() + share)
    if others:
        found = joined(found, search(others, seed, monotonic() + seconds - share))
    return found


def compiled_in_time(tables: Sequence[Table], seconds: float) -> list[LeanGames]:
    """The tables as machine code; those that cannot be, or for which there is no time, are left out."""
    from rulesrun.interpreter.native.form import CannotCompile
    from rulesrun.interpreter.native.lean_games import lean_games_for

    found, until = [], monotonic() + seconds
    for table in tables:
        if monotonic() > until:
            break
        try:
            found.append(lean_games_for(table, CodeCache(folder())))
        except CannotCompile:
            continue
    return found


def joined(one: Search, other: Search) -> Search:
    """What two searches found, as if it were one."""
    for kind, game in other.found.items():
        if kind not in one.found or rank(game, kind) < rank(one.found[kind], kind):
            one.found[kind] = game
    one.games, one.decisions = one.games + other.games, one.decisions + other.decisions
    one.happened += other.happened
    one.endless = one.endless or other.endless
    return one
