"""Random search in machine code: the games of `searching.search`, number for number, and the same findings.

Takes tables that were compiled for it. Where a game has something new to tell, the reference plays it.
"""

from __future__ import annotations

import ctypes
from collections import Counter
from collections.abc import Sequence
from typing import Any

from attrs import define, field

from rulesrun.interpreter.form.llvm import ModuleText
from rulesrun.interpreter.form.machine_code import Cache, MachineCode, compiled, has_pdep
from rulesrun.interpreter.model.random import Streams
from rulesrun.interpreter.native.flow.asked_games import AskedForm
from rulesrun.interpreter.native.flow.random_games import signed
from rulesrun.interpreter.native.layout.lowering import lowered
from rulesrun.interpreter.native.layout.property_bits import bit_of_several, by_bit
from rulesrun.interpreter.native.search.biased_games import leaning_games
from rulesrun.interpreter.reference.chance import ChanceWait
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.search.answered_games import Game, Kind, Player
from rulesrun.interpreter.search.biased_search import MOST_DECISIONS, Leaning, Search
from rulesrun.interpreter.search.effort import Effort

NEVER, ALWAYS = 0, 1 << 62
FIRST_CHUNK, MOST_CHUNK = 16, 1 << 16
LONG = 50_000  # decisions in a round of games
FASTER = 150  # decisions in machine code for an answer of the reference


@define(eq=False)
class LeanGames:
    """One table, compiled for random search."""

    table: Table
    form: AskedForm
    code: MachineCode
    player: Player = field(init=False)
    _memory: Any = field(init=False)
    _address: int = field(init=False)
    _run: Any = field(init=False)
    _places: list[tuple[int, tuple[int, int]]] = field(init=False)  # in `used`, and what the reference calls it

    def __attrs_post_init__(self) -> None:
        self._memory = ctypes.create_string_buffer(self.form.plan.scratch_end + 128)
        self._address = (ctypes.addressof(self._memory) + 63) // 64 * 64
        number = ctypes.c_int64
        self._run = self.code.function("games", number, ctypes.c_void_p, number, number, number)
        self.player = Player(self.table, MOST_DECISIONS)
        waits = [wait for _, wait in sorted(self.table.waits.items())][:-1]
        wide = self.form.plan.fields["weights"].amount
        self._places = [
            (question.number * wide + entry, (wait.pc, self.table.actions.of(action).number))
            for question, wait in zip(self.form.questions, waits, strict=True) if not isinstance(wait, ChanceWait)
            for entry, action in enumerate(question.actions)
        ]

    @property
    def address(self) -> int:
        return self._address

    def apart(self) -> LeanGames:
        """The same machine code with a memory of its own."""
        return LeanGames(self.table, self.form, self.code)

    def numbers(self, name: str) -> Any:
        place = self.form.plan.fields[name]
        return (ctypes.c_int64 * place.amount).from_address(self._address + place.at)

    def begin(self, seed: int) -> None:
        ctypes.memset(self._address, 0, self.form.plan.scratch_end)
        self.numbers("seed")[0] = signed(seed)
        self.numbers("watching")[0] = 1
        self.numbers("limit")[0] = MOST_DECISIONS

    def run(self, first: int, amount: int, stride: int) -> int:
        return int(self._run(self._address, first, amount, stride))

    def by_reference(self, seed: int, number: int) -> Game:
        """The game that was stopped at, with the same leanings; what was done in it counts from now on."""
        used = self.used_before()
        game = self.player.play(Leaning(Streams(seed, number), used))
        self.set_used(used)
        return game

    def used_before(self) -> Counter[tuple[int, int]]:
        """How often everything had been done before the last game."""
        before = self.numbers("used before")
        return Counter({key: before[at] for at, key in self._places if before[at]})

    def set_used(self, used: Counter[tuple[int, int]]) -> None:
        now = self.numbers("used")
        for at, key in self._places:
            now[at] = used[key]

    def know(self, found: Search) -> None:
        """After how few choices a property must be broken to be told again."""
        least = self.numbers("least")
        for at in range(len(least)):
            least[at] = ALWAYS
        for at, judged in by_bit(self.table):
            if 1 << at & bit_of_several(self.table):
                continue
            span = judged.declaration.span
            known = found.found.get(kind := Kind(judged.declaration.title, span.file, span.start))
            if known is None:
                continue
            failure = known.failure(kind)
            assert failure is not None
            if known.table.players != self.table.players:
                least[at] = NEVER if known.table.players < self.table.players else ALWAYS
            else:
                least[at] = failure.decisions
        self.numbers("cuts")[0] = int(found.endless is not None)

    def collect(self, found: Search) -> None:
        for name in ("games", "decisions"):
            numbers = self.numbers(f"all {name}")
            setattr(found, name, getattr(found, name) + numbers[0])
            numbers[0] = 0
        happened = self.numbers("all happened")
        for at, judged in by_bit(self.table):
            if happened[at]:
                found.happened[judged.declaration.title] += happened[at]
                happened[at] = 0


def lean_games_for(table: Table, cache: Cache | None = None, care: int = 2) -> LeanGames:
    """Compiles a table for random search; raises `CannotCompile`. `care`: see `compiled`."""
    form = lowered(table, leaning_games)
    return LeanGames(table, form, compiled(ModuleText(has_pdep()).whole(form.functions), cache, care))


@define(eq=False)
class Searching:
    """Rounds of games at all tables: every table plays as many as the others."""

    tables: Sequence[LeanGames]
    seed: int
    found: Search = field(factory=Search)
    first_seen: dict[Kind, int] = field(factory=dict)  # the number of the game that found it
    endless: int | None = None  # the number of the game

    def round(self, first: int, amount: int, effort: Effort) -> None:
        """So many games at every table, numbered on from `first`, a table's being every so many-th."""
        for at, games in enumerate(self.tables):
            self.at_table(games, first + at, amount, effort)

    def at_table(self, games: LeanGames, first: int, amount: int, effort: Effort) -> None:
        stride = len(self.tables)
        games.know(self.found)
        while amount > 0 and not effort.is_over:
            part = self.until_endless(games, first, amount, stride)
            played = games.run(first, part, stride)
            first, amount = first + played * stride, amount - played
            if played < part:
                game = games.by_reference(self.seed, first)
                effort.spent += 1 + len(game.answers)
                self.note(game, first)
                games.know(self.found)
                first, amount = first + stride, amount - 1
        games.collect(self.found)

    def until_endless(self, games: LeanGames, first: int, amount: int, stride: int) -> int:
        """How many games come before the one that is known to go on and on: one of those would be told instead."""
        is_before = self.endless is not None and first < self.endless
        games.numbers("cuts")[0] = int(self.endless is not None and not is_before)
        if self.endless is None or not is_before:
            return amount
        return min(amount, (self.endless - first + stride - 1) // stride)

    def note(self, game: Game, number: int) -> None:
        found = self.found
        found.games += 1
        found.decisions += len(game.choices)
        if game.is_cut and (self.endless is None or number < self.endless):
            self.endless, found.endless = number, None
        found.note(game)
        for failure in game.failures:
            self.first_seen[failure.kind] = min(number, self.first_seen.get(failure.kind, number))

    def result(self) -> Search:
        """What was found first comes first."""
        order = sorted(self.found.found.items(), key=lambda one: self.first_seen[one[0]])
        self.found.found = dict(order)
        return self.found


def search(tables: Sequence[LeanGames], seed: int, effort: Effort, games: int | None = None) -> Search:
    """As the reference's, without leaks: until the effort is spent, or until so many games have been played."""
    searching, done, chunk = Searching(tables, seed), 0, FIRST_CHUNK
    for one in tables:
        one.begin(seed)
    try:
        while (games is None or done < games) and not effort.is_over:
            before = searching.found.decisions
            each = chunk if games is None else max(min(chunk, (games - done) // len(tables)), 1)
            searching.round(done, each, effort)
            done += each * len(tables)
            came = searching.found.decisions - before
            effort.spent += came // FASTER
            if came < LONG:
                chunk = min(chunk * 2, MOST_CHUNK)
    except KeyboardInterrupt:
        searching.found.is_interrupted = True
    searching.found.is_late = effort.is_late
    return searching.result()
