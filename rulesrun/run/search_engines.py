"""Random search, in machine code where tables can be compiled. Takes tables, gives what was found.

Machine code plays hundreds of the reference's games in the time of one, the same ones; so it goes on for longer.
What is compiled lies in the cache for the next time.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import process_time
from typing import TYPE_CHECKING

from attrs import define, evolve, field, frozen

from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.search.answered_games import LEAK, AnsweredGame, FailureKind, GameChecker, ListedAnswers
from rulesrun.interpreter.search.biased_search import MOST_DECISIONS, SearchResult, rank_failing_game, search_failures
from rulesrun.interpreter.search.candidates import Candidate, CandidateJudge, ReferenceJudge, TriedCandidate
from rulesrun.interpreter.search.effort import Effort, EffortShare
from rulesrun.run.compiled import CompiledTables, table_key
from rulesrun.run.engine_choice import BRIEFLY, QUICKLY, EngineChoice

if TYPE_CHECKING:
    from rulesrun.interpreter.native.search.biased_search import BiasedGames
    from rulesrun.interpreter.native.search.candidates import NativeJudge

EFFORT = 5_000  # answers
SECONDS = 2.0  # of work, whatever was played by then
MOST_COMPILED = 8


def search_tables(
    tables: Sequence[Table], seed: int, patience: float, code: CompiledTables | None = None
) -> SearchResult:
    """Games that lean towards what is rare, at all tables in turn."""
    code = code or CompiledTables()
    compiled = compile_tables(tables, code) if code.is_possible else []
    effort = Effort(int(EFFORT * patience), SECONDS * max(patience, 1))
    if not compiled:
        return search_failures(tables, seed, effort)
    from rulesrun.interpreter.native.search.biased_search import search_failures as search_natively

    ready = {id(one.table) for one in compiled}
    others = [table for table in tables if id(table) not in ready]
    found = search_natively(compiled, seed, effort)
    if others and not found.is_interrupted:
        found = join_results(found, search_failures(others, seed, Effort(effort.most, effort.seconds)))
    return found


def compile_tables(tables: Sequence[Table], code: CompiledTables) -> list[BiasedGames]:
    """The tables as machine code; those that cannot be are left out."""
    return [games for table in tables[:MOST_COMPILED] if (games := code.compile_table(table, BRIEFLY)) is not None]


def join_results(one: SearchResult, other: SearchResult) -> SearchResult:
    """What two searches found, as if it were one."""
    for kind, game in other.found.items():
        if kind not in one.found or rank_failing_game(game, kind) < rank_failing_game(one.found[kind], kind):
            one.found[kind] = game
    one.games, one.decisions = one.games + other.games, one.decisions + other.decisions
    one.seconds += other.seconds
    one.happened += other.happened
    one.endless = one.endless or other.endless
    one.is_late, one.is_interrupted = one.is_late or other.is_late, one.is_interrupted or other.is_interrupted
    return one


# ---- what crosses over from another process

Answers = tuple[int, tuple[int, ...]]  # at the table with this number


@frozen
class PlainSearch:
    """A search without its tables: of each game the answers. `counted`: all that is not a game."""

    found: tuple[tuple[FailureKind, Answers], ...]
    endless: Answers | None
    counted: SearchResult


def as_plain(found: SearchResult, tables: Sequence[Table]) -> PlainSearch:
    games = tuple((kind, answers_of(game, tables)) for kind, game in found.found.items())
    endless = answers_of(found.endless, tables) if found.endless is not None else None
    return PlainSearch(games, endless, evolve(found, found={}, endless=None))


def answers_of(game: AnsweredGame, tables: Sequence[Table]) -> Answers:
    return next(at for at, table in enumerate(tables) if table is game.table), game.answers


def played_again(plain: PlainSearch, tables: Sequence[Table]) -> SearchResult:
    """The same games at these tables."""
    found = evolve(plain.counted, found={}, endless=None)
    for kind, answers in plain.found:
        found.found[kind] = game_again(answers, tables)
    if plain.endless is not None:
        found.endless = game_again(plain.endless, tables)
    return found


def game_again(answers: Answers, tables: Sequence[Table]) -> AnsweredGame:
    at, listed = answers
    return GameChecker(tables[at], MOST_DECISIONS).play_game(ListedAnswers(listed))


# ---- shrink engines
# Who plays what is tried to make a failing game small: the reference, and machine code when that pays.
#
# Both say the same of every candidate and count the same effort, so nothing but the clock tells when they change over.


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
