"""Random search, in machine code where tables can be compiled. Takes tables, gives what was found.

Machine code plays hundreds of the reference's games in the time of one, the same ones; so it goes on for longer.
What is compiled lies in the cache for the next time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from attrs import define, field

from rulesrun.engines import BRIEFLY
from rulesrun.interpreter.searching.effort import Effort
from rulesrun.interpreter.searching.search import Search, rank, search
from rulesrun.interpreter.table import Table
from rulesrun.lean_code import LeanCode

if TYPE_CHECKING:
    from rulesrun.interpreter.native.lean_games import LeanGames

EFFORT = 5_000  # answers
SECONDS = 6.0  # of work, whatever was played by then
MOST_COMPILED = 8


@define(eq=False)
class Stop:
    """Said by somebody in another thread."""

    is_asked: bool = False


@define(eq=False)
class StoppedEffort(Effort):
    """An effort that is over, too, when somebody says so."""

    stop: Stop = field(kw_only=True)

    @property
    def is_over(self) -> bool:
        return self.stop.is_asked or self.spent >= self.most or self.is_late


def searched(
    tables: Sequence[Table], seed: int, patience: float, code: LeanCode | None = None, stop: Stop | None = None
) -> Search:
    """Games that lean towards what is rare, at all tables in turn."""
    code, stop = code or LeanCode(), stop or Stop()
    compiled = compiled_tables(tables, code) if code.is_possible else []
    effort = StoppedEffort(int(EFFORT * patience), SECONDS * max(patience, 1), stop=stop)
    if not compiled:
        return search(tables, seed, effort)
    from rulesrun.interpreter.native.lean_games import search as search_natively

    ready = {id(one.table) for one in compiled}
    others = [table for table in tables if id(table) not in ready]
    found = search_natively(compiled, seed, effort)
    if others and not found.is_interrupted:
        found = joined(found, search(others, seed, StoppedEffort(effort.most, effort.seconds, stop=stop)))
    return found


def compiled_tables(tables: Sequence[Table], code: LeanCode) -> list[LeanGames]:
    """The tables as machine code; those that cannot be are left out."""
    return [games for table in tables[:MOST_COMPILED] if (games := code.of(table, BRIEFLY)) is not None]


def joined(one: Search, other: Search) -> Search:
    """What two searches found, as if it were one."""
    for kind, game in other.found.items():
        if kind not in one.found or rank(game, kind) < rank(one.found[kind], kind):
            one.found[kind] = game
    one.games, one.decisions = one.games + other.games, one.decisions + other.decisions
    one.happened += other.happened
    one.endless = one.endless or other.endless
    one.is_late, one.is_interrupted = one.is_late or other.is_late, one.is_interrupted or other.is_interrupted
    return one
