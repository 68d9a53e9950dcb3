"""Who looks at deals that are played at two tables: the reference, and machine code when that pays.

Both say the same of every deal: machine code whether and where the records part, the reference also what parts them.
"""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING

from attrs import define, field

from rulesrun.interpreter.measure.first_difference import Contrast, contrast
from rulesrun.interpreter.reference.table import Table
from rulesrun.run.code_cache import CodeCache, folder
from rulesrun.run.engines import MISSING, QUICKLY, is_installed
from rulesrun.run.reference_notes import keep_reason
from rulesrun.terminal.trouble import Trouble

if TYPE_CHECKING:
    from rulesrun.interpreter.native.measure.first_difference import Pair, Pairs, Seen

LOOK_AT = 0.05  # seconds of the reference after which the compiler may pay
COMPILING = 0.2  # seconds that the rest must take for it to pay


@define(eq=False)
class Looking:
    """For all tables of a rulebook. `engine`: as it is asked for; then which one it was."""

    asked: str = "auto"
    engine: str = "reference"
    _pairs: Pairs | None = field(init=False, default=None)

    def __attrs_post_init__(self) -> None:
        if self.asked == "native" and not is_installed():
            raise Trouble(f"`--engine native` cannot play this: {MISSING}")

    def pair(self, tables: tuple[Table, Table]) -> Pair | None:
        """None where it cannot be compiled."""
        from rulesrun.interpreter.form.form import CannotCompile
        from rulesrun.interpreter.native.measure.first_difference import Pairs

        if self._pairs is None:
            self._pairs = Pairs(CodeCache(folder()), QUICKLY)
        try:
            found = self._pairs.of(*tables)
        except CannotCompile as reason:
            keep_reason(tables[1], reason)
            return None
        self.engine = "native"
        return found


@define(eq=False)
class Deals:
    """Of two tables."""

    tables: tuple[Table, Table]
    looking: Looking
    _pair: Pair | None = field(init=False, default=None)
    _may_compile: bool = field(init=False)
    _seconds: float = field(init=False, default=0.0)
    _played: int = field(init=False, default=0)

    def __attrs_post_init__(self) -> None:
        self._may_compile = self.looking.asked != "reference" and is_installed()

    @property
    def average(self) -> float:
        """Seconds that the reference took for a deal."""
        return self._seconds / self._played if self._played else 0.0

    def seen(self, seed: int, left: float) -> Seen | None:
        """None: the reference must look. `left`: the seconds that it would take for all deals to come."""
        pays = self._seconds > LOOK_AT and left > COMPILING
        if self._may_compile and (pays or self.looking.asked == "native"):
            self._may_compile = False
            self._pair = self.looking.pair(self.tables)
        return self._pair.seen(seed) if self._pair is not None else None

    def by_reference(self, seed: int, until: float) -> Contrast:
        """Raises OutOfTime."""
        began = monotonic()
        found = contrast(*self.tables, seed, until)
        self._seconds, self._played = self._seconds + monotonic() - began, self._played + 1
        return found
