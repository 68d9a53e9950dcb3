"""How the players at a table think: in machine code where it can be had, else on the reference. The same choices."""

from __future__ import annotations

from time import monotonic

from attrs import define, field

from rulesrun.interpreter.bots.deliberation import Manner, Think, Thought
from rulesrun.interpreter.bots.observation import Observation
from rulesrun.interpreter.bots.tree_search import think_by_reference
from rulesrun.interpreter.reference.table import Table
from rulesrun.run.code_cache import CodeCache, cache_folder
from rulesrun.run.engines import CAREFULLY, QUICKLY, is_compiler_installed
from rulesrun.run.reference_notes import note_reason

SECONDS_QUICKLY = 2.0  # after which careful code is worth its compiling


def make_think(table: Table, engine: str = "auto") -> Think:
    return think_by_reference if engine == "reference" or not is_compiler_installed() else CompiledWhenNeeded(table)


@define(eq=False)
class CompiledWhenNeeded:
    """Compiles with the first thought: quickly, and with care when it is still thought some seconds later."""

    table: Table
    _think: Think | None = field(init=False, default=None)
    _careful_from: float = field(init=False, default=0.0)

    @property
    def is_native(self) -> bool:
        return self._think is not None and self._think is not think_by_reference

    def __call__(self, seen: Observation, manner: Manner) -> Thought:
        if self._think is None:
            self._think = compile_think(self.table, QUICKLY)
            self._careful_from = monotonic() + SECONDS_QUICKLY
        elif monotonic() > self._careful_from:
            self.compile_now()
        return self._think(seen, manner)

    def compile_now(self) -> None:
        """With care, at once."""
        if self._careful_from < float("inf"):
            self._think, self._careful_from = compile_think(self.table, CAREFULLY), float("inf")


def compile_think(table: Table, care: int) -> Think:
    from rulesrun.interpreter.form.form import CannotCompile
    from rulesrun.interpreter.native.think.thinking import compile_mind

    try:
        return compile_mind(table, CodeCache(cache_folder()), care).start_thought
    except CannotCompile as reason:
        note_reason(table, reason)
        return think_by_reference


def compile_think_now(think: Think) -> None:
    """Compiles now, so that no thought is timed with it."""
    if isinstance(think, CompiledWhenNeeded):
        think.compile_now()


def has_thought_natively(think: Think) -> bool:
    """Whether machine code has thought, as far as it could."""
    return isinstance(think, CompiledWhenNeeded) and think.is_native
