"""Tables of one rulebook in machine code, each compiled once: for random search, and to make small what it finds.

With some care for the former; for the latter, what the search has not left is made quickly, in a tenth of the time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import define, field

from rulesrun.interpreter.reference.table import Table
from rulesrun.run.code_cache import CodeCache, cache_folder
from rulesrun.run.engine_choice import CAREFULLY, is_compiler_installed

if TYPE_CHECKING:
    from rulesrun.interpreter.native.search.biased_search import BiasedGames


@define(eq=False)
class CompiledTables:
    """`engine`: as it is asked for; on the reference nothing is compiled."""

    engine: str = "auto"
    _known: dict[tuple[int, str], BiasedGames | None] = field(init=False, factory=dict)

    @property
    def is_possible(self) -> bool:
        return self.engine != "reference" and is_compiler_installed()

    def is_known(self, table: Table) -> bool:
        return table_key(table) in self._known

    def compile_table(self, table: Table, care: int = CAREFULLY) -> BiasedGames | None:
        """None where it cannot be compiled."""
        key = table_key(table)
        if key not in self._known:
            self._known[key] = try_compile_lean_games(table, care) if self.is_possible else None
        return self._known[key]


def table_key(table: Table) -> tuple[int, str]:
    return table.players, repr(table.options)


def try_compile_lean_games(table: Table, care: int) -> BiasedGames | None:
    from rulesrun.interpreter.form.form import CannotCompile
    from rulesrun.interpreter.native.search.biased_search import compile_biased_games

    try:
        return compile_biased_games(table, CodeCache(cache_folder()), care)
    except CannotCompile:
        return None
