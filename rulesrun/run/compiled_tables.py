"""Tables of one rulebook in machine code, each compiled once: for random search, and to make small what it finds.

With some care for the former; for the latter, what the search has not left is made quickly, in a tenth of the time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import define, field

from rulesrun.interpreter.reference.table import Table
from rulesrun.run.code_cache import CodeCache, folder
from rulesrun.run.engines import is_installed

if TYPE_CHECKING:
    from rulesrun.interpreter.native.search.biased_search import LeanGames


@define(eq=False)
class LeanCode:
    """`engine`: as it is asked for; on the reference nothing is compiled."""

    engine: str = "auto"
    _known: dict[tuple[int, str], LeanGames | None] = field(init=False, factory=dict)

    @property
    def is_possible(self) -> bool:
        return self.engine != "reference" and is_installed()

    def is_known(self, table: Table) -> bool:
        return key_of(table) in self._known

    def of(self, table: Table, care: int = 2) -> LeanGames | None:
        """None where it cannot be compiled."""
        key = key_of(table)
        if key not in self._known:
            self._known[key] = compiled_table(table, care) if self.is_possible else None
        return self._known[key]


def key_of(table: Table) -> tuple[int, str]:
    return table.players, repr(table.options)


def compiled_table(table: Table, care: int) -> LeanGames | None:
    from rulesrun.interpreter.form.form import CannotCompile
    from rulesrun.interpreter.native.search.biased_search import lean_games_for

    try:
        return lean_games_for(table, CodeCache(folder()), care)
    except CannotCompile:
        return None
