"""Random search in machine code: the games of `search.biased_search`, number for number, and the same findings.

Takes tables that were compiled for it. Where a game has something new to tell, the reference plays it.
"""

from __future__ import annotations

import ctypes
from collections import Counter
from collections.abc import Sequence
from typing import Any

from attrs import define, field

from rulesrun.interpreter.form.llvm import ModuleText
from rulesrun.interpreter.form.machine_code import Cache, MachineCode, compile_text, has_pdep
from rulesrun.interpreter.model.random import Streams
from rulesrun.interpreter.native.flow.asked_games import AskedGamesForm
from rulesrun.interpreter.native.flow.questions import list_waits
from rulesrun.interpreter.native.flow.random_games import to_signed
from rulesrun.interpreter.native.layout.lowering import lower_table
from rulesrun.interpreter.native.layout.machine import bit_of_several, by_bit
from rulesrun.interpreter.native.search.biased_games import lower_biased_games
from rulesrun.interpreter.reference.chance import ChanceWait
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.search.answered_games import AnsweredGame, FailureKind, GameChecker
from rulesrun.interpreter.search.biased_search import MOST_DECISIONS, BiasedAnswers, SearchResult
from rulesrun.interpreter.search.effort import Effort

NEVER, ALWAYS = 0, 1 << 62
FIRST_CHUNK, MOST_CHUNK = 16, 1 << 16
LONG = 50_000  # decisions in a round of games
FASTER = 150  # decisions in machine code for an answer of the reference


@define(eq=False)
class BiasedGames:
    """One table, compiled for random search."""

    table: Table
    form: AskedGamesForm
    code: MachineCode
    player: GameChecker = field(init=False)
    _memory: Any = field(init=False)
    _address: int = field(init=False)
    _run: Any = field(init=False)
    _places: list[tuple[int, tuple[int, int]]] = field(init=False)  # in `used`, and what the reference calls it

    def __attrs_post_init__(self) -> None:
        self._memory = ctypes.create_string_buffer(self.form.plan.scratch_end + 128)
        self._address = (ctypes.addressof(self._memory) + 63) // 64 * 64
        number = ctypes.c_int64
        self._run = self.code.function("games", number, ctypes.c_void_p, number, number, number)
        self.player = GameChecker(self.table, MOST_DECISIONS)
        waits = list_waits(self.table, self.form.questions)
        wide = self.form.plan.fields["weights"].amount
        self._places = [
            (question.number * wide + entry, (wait.pc, self.table.actions.compiled_action(action).number))
            for question, wait in zip(self.form.questions, waits, strict=True) if not isinstance(wait, ChanceWait)
            for entry, action in enumerate(question.actions)
        ]

    @property
    def address(self) -> int:
        return self._address

    def with_own_memory(self) -> BiasedGames:
        """The same machine code with a memory of its own."""
        return BiasedGames(self.table, self.form, self.code)

    def field_numbers(self, name: str) -> Any:
        place = self.form.plan.fields[name]
        return (ctypes.c_int64 * place.amount).from_address(self._address + place.at)

    def begin_search(self, seed: int) -> None:
        ctypes.memset(self._address, 0, self.form.plan.scratch_end)
        self.field_numbers("seed")[0] = to_signed(seed)
        self.field_numbers("watching")[0] = 1
        self.field_numbers("limit")[0] = MOST_DECISIONS

    def run_games(self, first: int, amount: int, stride: int) -> int:
        return int(self._run(self._address, first, amount, stride))

    def play_by_reference(self, seed: int, number: int) -> AnsweredGame:
        """The game that was stopped at, with the same leanings; what was done in it counts from now on."""
        used = self.uses_before_game()
        game = self.player.play_game(BiasedAnswers(Streams(seed, number), used))
        self.set_uses(used)
        return game

    def uses_before_game(self) -> Counter[tuple[int, int]]:
        """How often everything had been done before the last game."""
        before = self.field_numbers("used before")
        return Counter({key: before[at] for at, key in self._places if before[at]})

    def set_uses(self, used: Counter[tuple[int, int]]) -> None:
        now = self.field_numbers("used")
        for at, key in self._places:
            now[at] = used[key]

    def set_known_findings(self, found: SearchResult) -> None:
        """After how few choices a property must be broken to be told again."""
        least = self.field_numbers("least")
        for at in range(len(least)):
            least[at] = ALWAYS
        for at, judged in by_bit(self.table):
            if 1 << at & bit_of_several(self.table):
                continue
            span = judged.declaration.span
            known = found.found.get(kind := FailureKind(judged.declaration.title, span.file, span.start))
            if known is None:
                continue
            failure = known.find_failure(kind)
            assert failure is not None
            if known.table.players != self.table.players:
                least[at] = NEVER if known.table.players < self.table.players else ALWAYS
            else:
                least[at] = failure.decisions
        self.field_numbers("cuts")[0] = int(found.endless is not None)

    def collect_counts(self, found: SearchResult) -> None:
        for name in ("games", "decisions"):
            numbers = self.field_numbers(f"all {name}")
            setattr(found, name, getattr(found, name) + numbers[0])
            numbers[0] = 0
        happened = self.field_numbers("all happened")
        for at, judged in by_bit(self.table):
            if happened[at]:
                found.happened[judged.declaration.title] += happened[at]
                happened[at] = 0


def compile_biased_games(table: Table, cache: Cache | None = None, care: int = 2) -> BiasedGames:
    """Compiles a table for random search; raises `CannotCompile`. `care`: see `compiled`."""
    form = lower_table(table, lower_biased_games)
    return BiasedGames(table, form, compile_text(ModuleText(has_pdep()).format_module(form.functions), cache, care))


@define(eq=False)
class BiasedSearch:
    """Rounds of games at all tables: every table plays as many as the others."""

    tables: Sequence[BiasedGames]
    seed: int
    found: SearchResult = field(factory=SearchResult)
    first_seen: dict[FailureKind, int] = field(factory=dict)  # the number of the game that found it
    endless: int | None = None  # the number of the game

    def play_round(self, first: int, amount: int, effort: Effort) -> None:
        """So many games at every table, numbered on from `first`, a table's being every so many-th."""
        for at, games in enumerate(self.tables):
            self.play_at_table(games, first + at, amount, effort)

    def play_at_table(self, games: BiasedGames, first: int, amount: int, effort: Effort) -> None:
        stride = len(self.tables)
        games.set_known_findings(self.found)
        while amount > 0 and not effort.is_over:
            part = self.until_endless(games, first, amount, stride)
            played = games.run_games(first, part, stride)
            first, amount = first + played * stride, amount - played
            if played < part:
                game = games.play_by_reference(self.seed, first)
                effort.spent += 1 + len(game.answers)
                self.add_game(game, first)
                games.set_known_findings(self.found)
                first, amount = first + stride, amount - 1
        games.collect_counts(self.found)

    def until_endless(self, games: BiasedGames, first: int, amount: int, stride: int) -> int:
        """How many games come before the one that is known to go on and on: one of those would be told instead."""
        is_before = self.endless is not None and first < self.endless
        games.field_numbers("cuts")[0] = int(self.endless is not None and not is_before)
        if self.endless is None or not is_before:
            return amount
        return min(amount, (self.endless - first + stride - 1) // stride)

    def add_game(self, game: AnsweredGame, number: int) -> None:
        found = self.found
        found.games += 1
        found.decisions += len(game.choices)
        if game.is_cut and (self.endless is None or number < self.endless):
            self.endless, found.endless = number, None
        found.add_game(game)
        for failure in game.failures:
            self.first_seen[failure.kind] = min(number, self.first_seen.get(failure.kind, number))

    def sort_findings(self) -> SearchResult:
        """What was found first comes first."""
        order = sorted(self.found.found.items(), key=lambda one: self.first_seen[one[0]])
        self.found.found = dict(order)
        return self.found


def search_failures(tables: Sequence[BiasedGames], seed: int, effort: Effort, games: int | None = None) -> SearchResult:
    """As the reference's, without leaks: until the effort is spent, or until so many games have been played."""
    searching, done, chunk = BiasedSearch(tables, seed), 0, FIRST_CHUNK
    for one in tables:
        one.begin_search(seed)
    try:
        while (games is None or done < games) and not effort.is_over:
            before = searching.found.decisions
            each = chunk if games is None else max(min(chunk, (games - done) // len(tables)), 1)
            searching.play_round(done, each, effort)
            done += each * len(tables)
            came = searching.found.decisions - before
            effort.spent += came // FASTER
            if came < LONG:
                chunk = min(chunk * 2, MOST_CHUNK)
    except KeyboardInterrupt:
        searching.found.is_interrupted = True
    searching.found.seconds, searching.found.is_late = effort.worked, effort.is_late
    return searching.sort_findings()
