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
from rulesrun.run.engine_choice import QUICKLY, EngineChoice

if TYPE_CHECKING:
    from rulesrun.interpreter.native.search.candidates import NativeJudge

@define(eq=False)
class AllJudges:
    """The judges of one rulebook's tables."""

    code: CompiledTables
    _choices: dict[tuple[int, str], EngineChoice] = field(init=False, factory=dict)

    def make_judge(self, table: Table, kind: FailureKind, effort: EffortShare) -> CandidateJudge:
        """What leaks is a question of what everybody sees, which the reference alone asks."""
        reference = ReferenceJudge(table, kind)
        if kind.name == LEAK or not self.code.is_possible:
            return reference
        choice = self._choices.setdefault(table_key(table), EngineChoice("failures", self.code.engine))
        return ChangeoverJudge(self.code, reference, effort, choice)


@define(eq=False)
class ChangeoverJudge:
    """Begins with the reference."""

    code: CompiledTables
    reference: ReferenceJudge
    effort: EffortShare
    choice: EngineChoice
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
        self.choice.add_work(found.spent, process_time() - began)
        return found

    def should_change(self) -> bool:
        if self.code.is_known(self.reference.table):
            return True
        return self.choice.next_care(self.choice.pace * self.effort.left) is not None

    def change_engine(self) -> None:
        self._may_compile = False
        games = self.code.compile_table(self.reference.table, QUICKLY)
        if games is not None:
            from rulesrun.interpreter.native.search.candidates import NativeJudge

            self._natively = NativeJudge(games.with_own_memory(), self.reference)
