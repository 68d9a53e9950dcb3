"""Who plays what is tried to make a failing game small: the reference, and machine code when that pays.

Both say the same of every candidate and count the same effort, so nothing but the clock tells when they change over.
"""

from __future__ import annotations

from time import process_time
from typing import TYPE_CHECKING

from attrs import define, field

from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.search.answered_games import LEAK, Kind
from rulesrun.interpreter.search.candidates import ByReference, Candidate, Judge, Tried
from rulesrun.interpreter.search.effort import Part
from rulesrun.run.compiled_tables import LeanCode, key_of

if TYPE_CHECKING:
    from rulesrun.interpreter.native.search.candidates import NativeJudge

LOOK_AT = 0.05  # seconds of the reference after which the compiler may pay
COMPILING = 0.3  # seconds that the rest must take for it to pay


@define(eq=False)
class Work:
    """What the reference has tried at one table."""

    seconds: float = 0.0
    answers: int = 0

    def pays(self, left: int) -> bool:
        """Would so many answers more take longer than compiling?"""
        return self.seconds > LOOK_AT and self.seconds / self.answers * left > COMPILING


@define(eq=False)
class AllJudges:
    """The judges of one rulebook's tables."""

    code: LeanCode
    _work: dict[tuple[int, str], Work] = field(init=False, factory=dict)

    def judge(self, table: Table, kind: Kind, effort: Part) -> Judge:
        """What leaks is a question of what everybody sees, which the reference alone asks."""
        reference = ByReference(table, kind)
        if kind.name == LEAK or not self.code.is_possible:
            return reference
        return ChangingOver(self.code, reference, effort, self._work.setdefault(key_of(table), Work()))


@define(eq=False)
class ChangingOver:
    """Begins with the reference."""

    code: LeanCode
    reference: ByReference
    effort: Part
    work: Work
    _natively: NativeJudge | None = field(init=False, default=None)
    _may_compile: bool = field(init=False, default=True)

    def begin_leaning(self) -> None:
        (self._natively or self.reference).begin_leaning()

    def tried(self, candidate: Candidate, limit: int, most: int) -> Tried:
        if self._may_compile and self.is_time():
            self.change_over()
        if self._natively is not None:
            return self._natively.tried(candidate, limit, most)
        began = process_time()
        found = self.reference.tried(candidate, limit, most)
        self.work.seconds += process_time() - began
        self.work.answers += found.spent
        return found

    def is_time(self) -> bool:
        is_ready = self.code.engine == "native" or self.code.is_known(self.reference.table)
        return is_ready or self.work.pays(self.effort.left)

    def change_over(self) -> None:
        self._may_compile = False
        games = self.code.of(self.reference.table, 0)
        if games is not None:
            from rulesrun.interpreter.native.search.candidates import NativeJudge

            self._natively = NativeJudge(games.apart(), self.reference)
