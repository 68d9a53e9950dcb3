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
from rulesrun.run.engines import MISSING, QUICKLY, is_compiler_installed
from rulesrun.run.reference_notes import note_reason
from rulesrun.terminal.trouble import Trouble

if TYPE_CHECKING:
    from rulesrun.interpreter.native.measure.first_difference import SeenDifference, TablePair, TablePairs

LOOK_AT = 0.05  # seconds of the reference after which the compiler may pay
COMPILING = 0.2  # seconds that the rest must take for it to pay


@define(eq=False)
class ContrastEngines:
    """For all tables of a rulebook. `engine`: as it is asked for; then which one it was."""

    asked: str = "auto"
    engine: str = "reference"
    _pairs: TablePairs | None = field(init=False, default=None)

    def __attrs_post_init__(self) -> None:
        if self.asked == "native" and not is_compiler_installed():
            raise Trouble(f"`--engine native` cannot play this: {MISSING}")

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
    _pair: TablePair | None = field(init=False, default=None)
    _may_compile: bool = field(init=False)
    _seconds: float = field(init=False, default=0.0)
    _played: int = field(init=False, default=0)

    def __attrs_post_init__(self) -> None:
        self._may_compile = self.looking.asked != "reference" and is_compiler_installed()

    @property
    def mean_seconds(self) -> float:
        """Seconds that the reference took for a deal."""
        return self._seconds / self._played if self._played else 0.0

    def look_at_deal(self, seed: int, left: float) -> SeenDifference | None:
        """None: the reference must look. `left`: the seconds that it would take for all deals to come."""
        pays = self._seconds > LOOK_AT and left > COMPILING
        if self._may_compile and (pays or self.looking.asked == "native"):
            self._may_compile = False
            self._pair = self.looking.compile_pair(self.tables)
        return self._pair.compare_deal(seed) if self._pair is not None else None

    def contrast_by_reference(self, seed: int, until: float) -> Contrast:
        """Raises OutOfTime."""
        began = monotonic()
        found = compare_games(*self.tables, seed, until)
        self._seconds, self._played = self._seconds + monotonic() - began, self._played + 1
        return found
