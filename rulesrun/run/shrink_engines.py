"""Who plays what is tried to make a failing game small: the reference, and machine code when that pays.

Both say the same of every candidate and count the same effort, so nothing but the clock tells when they change over.
"""

from __future__ import annotations

from time import process_time
from typing import TYPE_CHECKING

from attrs import define, field

from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.search.answered_games import LEAK, FailureKind
from rulesrun.interpreter.search.candidates import Candidate, CandidateJudge, ReferenceJudge, TriedCandidate
from rulesrun.interpreter.search.effort import EffortShare
from rulesrun.run.compiled_tables import CompiledTables, table_key

if TYPE_CHECKING:
    from rulesrun.interpreter.native.search.candidates import NativeJudge

LOOK_AT = 0.05  # seconds of the reference after which the compiler may pay
COMPILING = 0.3  # seconds that the rest must take for it to pay


@define(eq=False)
class ReferencePace:
    """What the reference has tried at one table."""

    seconds: float = 0.0
    answers: int = 0

    def is_worth_compiling(self, left: int) -> bool:
        """Would so many answers more take longer than compiling?"""
        return self.seconds > LOOK_AT and self.seconds / self.answers * left > COMPILING


@define(eq=False)
class AllJudges:
    """The judges of one rulebook's tables."""

    code: CompiledTables
    _work: dict[tuple[int, str], ReferencePace] = field(init=False, factory=dict)

    def make_judge(self, table: Table, kind: FailureKind, effort: EffortShare) -> CandidateJudge:
        """What leaks is a question of what everybody sees, which the reference alone asks."""
        reference = ReferenceJudge(table, kind)
        if kind.name == LEAK or not self.code.is_possible:
            return reference
        return ChangeoverJudge(self.code, reference, effort, self._work.setdefault(table_key(table), ReferencePace()))


@define(eq=False)
class ChangeoverJudge:
    """Begins with the reference."""

    code: CompiledTables
    reference: ReferenceJudge
    effort: EffortShare
    work: ReferencePace
    _natively: NativeJudge | None = field(init=False, default=None)
    _may_compile: bool = field(init=False, default=True)

    def reset_bias(self) -> None:
        (self._natively or self.reference).reset_bias()

    def try_candidate(self, candidate: Candidate, limit: int, most: int) -> TriedCandidate:
        if self._may_compile and self.should_change():
            self.change_engine()
        if self._natively is not None:
            return self._natively.try_candidate(candidate, limit, most)
        began = process_time()
        found = self.reference.try_candidate(candidate, limit, most)
        self.work.seconds += process_time() - began
        self.work.answers += found.spent
        return found

    def should_change(self) -> bool:
        is_ready = self.code.engine == "native" or self.code.is_known(self.reference.table)
        return is_ready or self.work.is_worth_compiling(self.effort.left)

    def change_engine(self) -> None:
        self._may_compile = False
        games = self.code.compile_table(self.reference.table, 0)
        if games is not None:
            from rulesrun.interpreter.native.search.candidates import NativeJudge

            self._natively = NativeJudge(games.with_own_memory(), self.reference)
