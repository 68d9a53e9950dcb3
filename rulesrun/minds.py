"""How the players at a table think: in machine code where it can be had, else on the reference. The same choices."""

from __future__ import annotations

from attrs import define, field

from rulesrun.code_cache import CodeCache, folder
from rulesrun.engines import is_installed
from rulesrun.interpreter.bots.observation import Observation
from rulesrun.interpreter.bots.search import by_reference
from rulesrun.interpreter.bots.thought import Manner, Think, Thought
from rulesrun.interpreter.table import Table


def think_at(table: Table, engine: str = "auto") -> Think:
    return by_reference if engine == "reference" or not is_installed() else CompiledWhenNeeded(table)


@define(eq=False)
class CompiledWhenNeeded:
    """Compiles with the first thought."""

    table: Table
    _think: Think | None = field(init=False, default=None)

    @property
    def is_native(self) -> bool:
        return self._think is not None and self._think is not by_reference

    def __call__(self, seen: Observation, manner: Manner) -> Thought:
        return self.ready()(seen, manner)

    def ready(self) -> Think:
        if self._think is None:
            self._think = compiled_think(self.table)
        return self._think


def compiled_think(table: Table) -> Think:
    from rulesrun.interpreter.native.form import CannotCompile
    from rulesrun.interpreter.native.thinking import mind_for

    try:
        return mind_for(table, CodeCache(folder())).think
    except CannotCompile:
        return by_reference


def make_ready(think: Think) -> None:
    """Compiles now, so that no thought is timed with it."""
    if isinstance(think, CompiledWhenNeeded):
        think.ready()


def is_native(think: Think) -> bool:
    """Whether machine code has thought, as far as it could."""
    return isinstance(think, CompiledWhenNeeded) and think.is_native
