"""Who looks at deals that are played at two tables: the reference, and machine code when that pays.

Both say the same of every deal: machine code whether and where the records part, the reference also what parts them.
"""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING

from attrs import define, field

from rulesrun.interpreter.measure.first_difference import Contrast, compare_games
from rulesrun.interpreter.reference.table import Table
from rulesrun.run.code_cache import CodeCache, cache_folder
from rulesrun.run.engine_choice import MISSING, QUICKLY, EngineChoice, is_compiler_installed, require_compiled
from rulesrun.run.reference_notes import note_reason

if TYPE_CHECKING:
    from rulesrun.interpreter.native.measure.first_difference import SeenDifference, TablePair, TablePairs


@define(eq=False)
class ContrastEngines:
    """For all tables of a rulebook. `engine`: as it is asked for; then which one it was."""

    asked: str = "auto"
    engine: str = "reference"
    _pairs: TablePairs | None = field(init=False, default=None)

    def __attrs_post_init__(self) -> None:
        if self.asked == "native" and not is_compiler_installed():
            require_compiled(MISSING)

    def compile_pair(self, tables: tuple[Table, Table]) -> TablePair | None:
        """None where it cannot be compiled."""
        from rulesrun.interpreter.form.form import CannotCompile
        from rulesrun.interpreter.native.measure.first_difference import TablePairs

        if self._pairs is None:
            self._pairs = TablePairs(CodeCache(cache_folder()), QUICKLY)
        try:
            found = self._pairs.make_pair(*tables)
        except CannotCompile as reason:
            note_reason(tables[1], reason)
            return None
        self.engine = "native"
        return found


@define(eq=False)
class DealContrasts:
    """Of two tables."""

    tables: tuple[Table, Table]
    looking: ContrastEngines
    choice: EngineChoice = field(init=False)
    _pair: TablePair | None = field(init=False, default=None)

    def __attrs_post_init__(self) -> None:
        self.choice = EngineChoice("contrasts", self.looking.asked)

    def look_at_deal(self, seed: int, left: float) -> SeenDifference | None:
        """None: the reference must look. `left`: the seconds that it would take for all deals to come."""
        if self.choice.next_care(left) is not None:
            self._pair = self.looking.compile_pair(self.tables)
        return self._pair.compare_deal(seed) if self._pair is not None else None

    def contrast_by_reference(self, seed: int, until: float) -> Contrast:
        """Raises OutOfTime."""
        began = monotonic()
        found = compare_games(*self.tables, seed, until)
        self.choice.add_work(1, monotonic() - began)
        return found
