"""Random search, in machine code where tables can be compiled. Takes tables, gives what was found.

Machine code plays hundreds of the reference's games in the time of one, the same ones; so it goes on for longer.
What is compiled lies in the cache for the next time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from attrs import evolve, frozen

from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.search.answered_games import AnsweredGame, FailureKind, GameChecker, ListedAnswers
from rulesrun.interpreter.search.biased_search import MOST_DECISIONS, SearchResult, rank_failing_game, search_failures
from rulesrun.interpreter.search.effort import Effort
from rulesrun.run.compiled_tables import CompiledTables
from rulesrun.run.engine_choice import BRIEFLY

if TYPE_CHECKING:
    from rulesrun.interpreter.native.search.biased_search import BiasedGames

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
