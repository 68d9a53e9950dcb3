"""Random games in machine code, with the same findings as the reference's. Takes a table, adds to what was found.

A game in which something is to be told — a fault of the rules, a property broken for the first time, or
anything the machine code does not say itself — is played again by the reference, from the same seed.
"""

from __future__ import annotations

import ctypes
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from time import perf_counter

from attrs import define, field

from rulesrun.dsl.text.source import Located
from rulesrun.interpreter.form.form import Field
from rulesrun.interpreter.form.llvm import ModuleText
from rulesrun.interpreter.form.machine_code import Cache, MachineCode, compile_text, has_pdep
from rulesrun.interpreter.model.random import Streams
from rulesrun.interpreter.native.expressions import scales
from rulesrun.interpreter.native.flow.random_games import MOST_NOTED, RandomGamesForm, lower_random_games, to_signed
from rulesrun.interpreter.native.layout.lowering import lower_table
from rulesrun.interpreter.native.layout.machine import MOST_PROPERTIES, bit_of_several, by_bit
from rulesrun.interpreter.native.layout.plan import LEFT
from rulesrun.interpreter.play.game_loop import MOST_DECISIONS
from rulesrun.interpreter.play.properties import PropertyGuard
from rulesrun.interpreter.play.random_games import SimulationResult, simulate_game
from rulesrun.interpreter.reference.scoring import Places
from rulesrun.interpreter.reference.table import Table

FIRST_CHUNK = 64
CHUNK_SECONDS = 0.02
MOST_CHUNK = 1 << 20
TOO_LONG = "too-long"
MOST_AT_ONCE = 1 << 20  # games after which points are added up outside: a word holds so many large ones

SeedOf = Callable[[int], Streams]


@define(eq=False)
class ThreadMemory:
    """The memory of one thread: a position and all counts."""

    form: RandomGamesForm
    memory: ctypes.Array[ctypes.c_char] = field(init=False)
    address: int = field(init=False)
    scores: Counter[int] = field(init=False, factory=Counter)  # by seat, from 0
    places: Counter[bytes] = field(init=False, factory=Counter)  # of large tables: by the places of all seats

    def __attrs_post_init__(self) -> None:
        self.memory = ctypes.create_string_buffer(self.form.plan.scratch_end + 128)
        self.address = (ctypes.addressof(self.memory) + 63) // 64 * 64

    def numbers(self, name: str) -> ctypes.Array[ctypes.c_int64]:
        place: Field = self.form.plan.fields[name]
        return (ctypes.c_int64 * place.amount).from_address(self.address + place.at)

    def number(self, name: str) -> int:
        """A field of the position, however wide."""
        place: Field = self.form.plan.fields[name]
        return int.from_bytes(ctypes.string_at(self.address + place.at, place.bits // 8), "little", signed=True)

    def collect_scores(self) -> None:
        """Adds up the points of some games where they may grow beyond a word."""
        if "all scores" not in self.form.plan.fields:
            return
        scores = self.numbers("all scores")
        for seat, points in enumerate(scores):
            self.scores[seat] += points
            scores[seat] = 0

    def collect_noted_places(self) -> bool:
        """Counts the final places that were noted game by game; whether there were as many as can be noted."""
        if "noted games" not in self.form.plan.fields:
            return False
        many, place, n = (
            take_count(self, "noted games"),
            self.form.plan.fields["noted places"],
            self.form.plan.bench.players,
        )
        noted = ctypes.string_at(self.address + place.at, many * n)
        self.places.update(noted[at : at + n] for at in range(0, len(noted), n))
        return many >= MOST_NOTED


@define(eq=False)
class Engine:
    """A table as machine code."""

    table: Table
    form: RandomGamesForm
    code: MachineCode
    played: int = field(init=False, default=0)
    left: Counter[Located] = field(init=False, factory=Counter)  # games left to the reference, by what in the rules
    _run: Callable[..., int] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._run = self.code.function("games", ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)

    def new_memory(self, seed: int, checks: bool, limit: int, is_seeded_each: bool) -> ThreadMemory:
        """Memory for one thread. `is_seeded_each`: every game has a seed of its own, as in a report of many games."""
        block = ThreadMemory(self.form)
        block.numbers("seed")[0] = to_signed(seed)
        block.numbers("watching")[0] = int(checks)
        block.numbers("limit")[0] = min(limit, MOST_DECISIONS)
        block.numbers("seeding")[0] = int(is_seeded_each)
        return block

    def run_games(self, block: ThreadMemory, first: int, amount: int) -> int:
        """Games from `first` on, until one must be looked at more closely; how many were played."""
        done = 0
        while done < amount:
            share = min(amount - done, MOST_AT_ONCE)
            played = self._run(block.address, first + done, share)
            done += played
            self.played += played
            block.collect_scores()
            if not block.collect_noted_places() and played < share:
                break
        return done


def is_too_long(block: ThreadMemory) -> bool:
    """Whether it stopped at a game because of its length, not because of its rules."""
    return not block.number("fault") and block.number("decisions") > block.numbers("limit")[0]


def note_left_game(engine: Engine, block: ThreadMemory) -> None:
    """A game at which machine code stopped though the rules are right: what it does not do itself is noted."""
    which = block.number("fault")
    if which:
        code, node = engine.form.plan.faults[which - 1]
        if code in {LEFT, "endless"}:
            engine.left[node] += 1


def compile_engine(table: Table, cache: Cache | None = None, care: int = 2) -> Engine:
    """Compiles a table; raises `CannotCompile` with the reason when it cannot be. `care`: see `compiled`."""
    form = lower_table(table, lower_random_games)
    text = ModuleText(has_pdep()).format_module(form.functions)
    return Engine(table, form, compile_text(text, cache, care))


@define(eq=False)
class GameBatch:
    """Many games of one engine. `streams_of` gives the chance of a game for the reference."""

    engine: Engine
    streams_of: SeedOf
    blocks: list[ThreadMemory]
    found: SimulationResult
    guard: PropertyGuard | None
    limit: int = MOST_DECISIONS
    enough: Callable[[], bool] | None = None  # whether so many games were faulty that no other is played
    seen: int = 0

    def play_games(self, first: int, amount: int) -> int:
        """Games numbered from `first`, shared among the threads; gives how many were played."""
        shares = split_games(first, amount, len(self.blocks))
        if len(shares) == 1:
            done = [self.engine.run_games(self.blocks[0], first, amount)]
        else:
            with ThreadPoolExecutor(len(shares)) as pool:
                tasks = [pool.submit(self.engine.run_games, block, at, many)
                         for block, (at, many) in zip(self.blocks, shares, strict=False)]
                done = [task.result() for task in tasks]
        total = 0
        for block, (at, many), played in zip(self.blocks, shares, done, strict=False):
            if self.has_enough:
                add_counts(self.engine.table, block, SimulationResult())  # played for nothing
                continue
            total += many - self.play_rest(block, at + played, many - played)
        return total

    @property
    def has_enough(self) -> bool:
        return self.enough is not None and self.enough()

    def play_rest(self, block: ThreadMemory, first: int, amount: int) -> int:
        """What a thread has left, and the games it stopped at; gives how many were not played."""
        while amount > 0 and not self.has_enough:
            block.numbers("seen broken")[0] = self.seen
            played = self.engine.run_games(block, first, amount)
            first, amount = first + played, amount - played
            if amount > 0 and not played:
                if not self.count_if_known_long(block):
                    before = self.found.faulty_games.total()
                    self.replay_by_reference(first)
                    if self.found.faulty_games.total() == before:
                        note_left_game(self.engine, block)
                first, amount = first + 1, amount - 1
        return amount

    def count_if_known_long(self, block: ThreadMemory) -> bool:
        """Counts a game that is only one more that went on too long, of which there is nothing new to tell."""
        decisions, broken = block.number("decisions"), block.number("broken")
        is_long = is_too_long(block)
        if not (is_long and self.found.faulty_games[TOO_LONG]) or broken >> MOST_PROPERTIES or broken & ~self.seen:
            return False
        found, happened = self.found, block.number("happened")
        found.games += 1
        found.decisions += decisions
        found.lengths[decisions] += 1
        found.faulty_games[TOO_LONG] += 1
        for at, judged in by_bit(self.engine.table):
            if broken >> at & 1:
                found.broken_games[judged.declaration.title] += 1
            if happened >> at & 1:
                found.happened[judged.declaration.title] += 1
        return True

    def replay_by_reference(self, number: int) -> None:
        """This game again, by the reference, which tells what there is to tell."""
        simulate_game(self.engine.table, self.streams_of(number), number, self.guard, self.found, self.limit)
        for at, judged in by_bit(self.engine.table):
            if self.found.broken_games[judged.declaration.title]:
                self.seen |= 1 << at & ~bit_of_several(self.engine.table)

    def collect_counts(self) -> None:
        """Adds what the threads have counted to what was found."""
        for block in self.blocks:
            add_counts(self.engine.table, block, self.found)


def split_games(first: int, amount: int, threads: int) -> list[tuple[int, int]]:
    if threads == 1 or amount < 2 * threads:
        return [(first, amount)]
    each = (amount + threads - 1) // threads
    return [(first + at, min(each, amount - at)) for at in range(0, amount, each)]


def add_counts(table: Table, block: ThreadMemory, found: SimulationResult) -> None:
    """Reads the counts and sets them back."""
    n = table.players
    found.games += take_count(block, "all games")
    found.decisions += take_count(block, "all decisions")
    scale = scales.scale_of_total(block.form.plan)
    for seat in range(n):
        found.score_sums[seat + 1] += scales.unscale(block.scores[seat], scale)
    block.scores.clear()
    for at, games in take_counts(block, "all lengths"):
        found.lengths[at] += games
    for places, games in take_place_counts(block, n):
        found.places[places] += games
        for player in places[0]:
            found.wins[player] += games
    results = table.bench.results
    for at, games in take_counts(block, "all results"):
        if at:
            outcomes = results[0].outcomes
            word = outcomes[at - 1].word if at <= len(outcomes) else results[0].otherwise
            found.results[word.text] += games
    titles = {at: judged.declaration.title for at, judged in by_bit(table)}
    for at, games in take_counts(block, "all happened"):
        found.happened[titles[at]] += games
    for at, games in take_counts(block, "all broken"):
        found.broken_games[titles[at]] += games


def take_count(block: ThreadMemory, name: str) -> int:
    numbers = block.numbers(name)
    value, numbers[0] = numbers[0], 0
    return int(value)


def take_counts(block: ThreadMemory, name: str) -> list[tuple[int, int]]:
    """The counts that are not zero, with their places; set back."""
    numbers = block.numbers(name)
    found = [(at, value) for at, value in enumerate(numbers[:]) if value]
    for at, _ in found:
        numbers[at] = 0
    return found


def take_place_counts(block: ThreadMemory, n: int) -> list[tuple[Places, int]]:
    """The final places with the games that ended so; set back."""
    if "all places" in block.form.plan.fields:
        return [(decode_places(code, n), games) for code, games in take_counts(block, "all places")]
    found = [(group_by_place(list(places)), games) for places, games in block.places.items()]
    block.places.clear()
    return found


def decode_places(code: int, n: int) -> Places:
    """The players by final place, ties together."""
    places = []
    for _ in range(n):
        code, place = divmod(code, n + 1)
        places.append(place)
    places.reverse()
    return group_by_place(places)


def group_by_place(places: list[int]) -> Places:
    groups = sorted(set(places))
    return tuple(tuple(seat for seat, place in enumerate(places, start=1) if place == one) for one in groups)


def simulate(
    engine: Engine, seed: int, games: int, *, first: int = 0, seconds: float | None = None, checks: bool = True,
    limit: int = MOST_DECISIONS, jobs: int = 1,
) -> SimulationResult:
    """As the reference's `simulate_games`, with the same findings for the same seed."""
    found = SimulationResult()
    blocks = [engine.new_memory(seed, checks, limit, False) for _ in range(max(jobs, 1))]
    guard = PropertyGuard(engine.table) if checks else None
    all_games = GameBatch(engine, lambda number: Streams(seed, number), blocks, found, guard, limit)
    began, done, chunk = perf_counter(), 0, FIRST_CHUNK * len(blocks)
    while done < games:
        started = perf_counter()
        amount = min(chunk, games - done)
        all_games.play_games(first + done, amount)
        done += amount
        found.seconds = perf_counter() - began
        if seconds is not None and found.seconds > seconds:
            break
        if perf_counter() - started < CHUNK_SECONDS:
            chunk = min(chunk * 2, MOST_CHUNK)
    all_games.collect_counts()
    return found
