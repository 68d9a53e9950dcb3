"""How the players at a table think: in machine code where it can be had, else on the reference. The same choices."""

from __future__ import annotations

from time import monotonic

from attrs import define, field

from rulesrun.interpreter.bots.deliberation import Manner, Think, Thought
from rulesrun.interpreter.bots.observation import Observation
from rulesrun.interpreter.bots.tree_search import think_by_reference
from rulesrun.interpreter.reference.table import Table
from rulesrun.run.engine_choice import CAREFULLY, CodeCache, EngineChoice, is_compiler_installed, try_compile


def make_think(table: Table, engine: str = "auto") -> Think:
    return think_by_reference if engine == "reference" or not is_compiler_installed() else CompiledWhenNeeded(table)


@define(eq=False)
class CompiledWhenNeeded:
    """Compiles with the first thought: quickly, and with care after some seconds of thought. How much is still to be
    thought is not known: as much again as has been."""

    table: Table
    choice: EngineChoice = field(init=False, factory=lambda: EngineChoice("thoughts"))
    _think: Think | None = field(init=False, default=None)
    _is_careful: bool = field(init=False, default=False)
    _since: float = field(init=False, factory=monotonic)

    @property
    def is_native(self) -> bool:
        return self._think is not None and self._think is not think_by_reference

    def __call__(self, seen: Observation, manner: Manner) -> Thought:
        now = monotonic()
        self.choice.add_work(1, now - self._since)
        self._since = now
        care = None if self._is_careful else self.choice.next_care(self.choice.seconds if self._think else float("inf"))
        if care is not None:
            self.change_engine(care)
        assert self._think is not None
        return self._think(seen, manner)

    def compile_now(self) -> None:
        """With care, at once."""
        if not self._is_careful:
            self.change_engine(CAREFULLY)

    def change_engine(self, care: int) -> None:
        found = self.choice.make(lambda: try_compile_think(self.table, care))
        self._think = think_by_reference if isinstance(found, str) else found
        self._is_careful = care == CAREFULLY or isinstance(found, str)
        self._since = monotonic()


def try_compile_think(table: Table, care: int) -> Think | str:
    def compile_table(cache: CodeCache) -> Think:
        from rulesrun.interpreter.native.think.thinking import compile_mind

        return compile_mind(table, cache, care).start_thought

    return try_compile(table, compile_table)


def compile_think_now(think: Think) -> None:
    """Compiles now, so that no thought is timed with it."""
    if isinstance(think, CompiledWhenNeeded):
        think.compile_now()


def has_thought_natively(think: Think) -> bool:
    """Whether machine code has thought, as far as it could."""
    return isinstance(think, CompiledWhenNeeded) and think.is_native
