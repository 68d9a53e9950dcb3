"""Tables in machine code, for whatever is to be done with them: a table in, its code out, or the reason why not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import define, field

from rulesrun.dsl.text.messages import message
from rulesrun.interpreter.reference.table import Table
from rulesrun.run.engine_choice import (
    CAREFULLY,
    CodeCache,
    cache_folder,
    is_compiler_installed,
    require_compiled,
    try_compile,
    watch_engine,
)
from rulesrun.terminal.trouble import Trouble

if TYPE_CHECKING:
    from rulesrun.interpreter.bots.bot import Bot
    from rulesrun.interpreter.measure.duel import Measurer
    from rulesrun.interpreter.native.flow.engine import Engine
    from rulesrun.interpreter.native.positions.blocks import Blocks
    from rulesrun.interpreter.native.positions.positions import NativePositions
    from rulesrun.interpreter.native.search.biased_search import BiasedGames

def try_compile_table(table: Table, care: int = CAREFULLY) -> Engine | str:
    def compile_table(cache: CodeCache) -> Engine:
        from rulesrun.interpreter.native.flow.engine import compile_engine

        return watch_engine(compile_engine(table, cache, care))

    return try_compile(table, compile_table)


def try_compile_measurer(table: Table, care: int = CAREFULLY) -> Engine | str:
    """With all that is counted."""

    def compile_table(cache: CodeCache) -> Engine:
        from rulesrun.interpreter.native.measure.measurement import compile_measuring_engine

        return watch_engine(compile_measuring_engine(table, cache, care=care))

    return try_compile(table, compile_table)


def make_measurer(
    table: Table, seed: int, bots: tuple[Bot, ...] | None = None, engine: str = "reference", jobs: int = 1,
    care: int = CAREFULLY,
) -> Measurer:  # fmt: skip
    """Who plays ranges of games of this table with all statistics: `totals(first, games)`, `records(first, games)`.

    Either engine gives the same, to the last digit. `native` raises `Trouble` where the table cannot be compiled or
    bots play; `auto` takes the reference then. `jobs`: threads of the native engine. Compiling takes a part of a
    second, so short runs ask for the reference.
    """
    from rulesrun.interpreter.measure.duel import ReferenceMeasurer

    if engine == "reference" or (engine == "auto" and bots is not None):
        return ReferenceMeasurer(table, seed, bots)
    if bots is not None:
        raise Trouble(message("`--engine native` only plays at random; players that think need `--engine reference`"))
    found = try_compile_measurer(table, care)
    if isinstance(found, str) and engine == "auto":
        return ReferenceMeasurer(table, seed)
    from rulesrun.interpreter.native.measure.measurement import NativeMeasurer

    return NativeMeasurer(require_compiled(found), seed, jobs)


def require_native_positions(table: Table) -> NativePositions:
    """The table in machine code, one question at a time."""

    def compile_table(cache: CodeCache) -> NativePositions:
        from rulesrun.interpreter.native.positions.positions import compile_positions

        return compile_positions(table, cache)

    return require_compiled(try_compile(table, compile_table))


def require_native_blocks(table: Table) -> Blocks:
    """The same for positions that are kept, with what is shown in them."""

    def compile_table(cache: CodeCache) -> Blocks:
        from rulesrun.interpreter.native.positions.blocks import Blocks
        from rulesrun.interpreter.native.views.shown_components import compile_showing_positions

        return Blocks(compile_showing_positions(table, cache), cache)

    return require_compiled(try_compile(table, compile_table))


def compile_moment_blocks(table: Table) -> Blocks:
    """Blocks that stop at every moment, for what players remember. Raises `CannotCompile`."""
    from rulesrun.interpreter.native.positions.blocks import Blocks
    from rulesrun.interpreter.native.views.pausing import compile_moment_positions

    cache = CodeCache(cache_folder())
    return Blocks(compile_moment_positions(table, cache), cache)


# ---- compiled tables
# Tables of one rulebook in machine code, each compiled once: for random search, and to make small what it finds.
#
# With some care for the former; for the latter, what the search has not left is made quickly, in a tenth of the time.


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
