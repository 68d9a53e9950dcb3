"""The steps of counting a tree: takes histories side by side, counts them, gives those that come after, in their order.

What a player remembers is one number of 64 bits, mixed from everything seen and chosen so far; that two memories
share one has odds of one in many millions.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from threading import Lock
from typing import Any

import numpy
from attrs import define, field

from rulesrun.dsl.text.messages import message
from rulesrun.interpreter.form.form import CannotCompile, Field
from rulesrun.interpreter.form.machine_code import Cache, compile_text
from rulesrun.interpreter.model.moments import ALWAYS_THERE, TIE, WIN, MeasuredFigure, compile_term, parts_of_a_win
from rulesrun.interpreter.native.flow import moments
from rulesrun.interpreter.native.flow.asked_games import AskedGamesForm
from rulesrun.interpreter.native.flow.questions import Question
from rulesrun.interpreter.native.layout.lowering import lower_table
from rulesrun.interpreter.native.layout.machine import Machine, by_bit
from rulesrun.interpreter.native.layout.plan import Plan, call_for_player
from rulesrun.interpreter.native.positions.batches import Batch, Numbers, Rows
from rulesrun.interpreter.native.positions.positions import NativePositions, format_positions
from rulesrun.interpreter.native.views.pausing import FIRST_PAUSE, PauseHooks, PausingPositions, lower_pausing_games
from rulesrun.interpreter.native.views.views import Views, mix_words
from rulesrun.interpreter.play.game_tree import MOST_DEPTH, TreeCount, properties_of_some_games
from rulesrun.interpreter.play.player_memory import is_seen_at_once
from rulesrun.interpreter.reference.chance import ChanceWait, DrawWait, OrderWait, ValueWait
from rulesrun.interpreter.reference.decisions import DecisionWait, TogetherWait
from rulesrun.interpreter.reference.flow_graph import Wait
from rulesrun.interpreter.reference.table import Table

# ---- exact odds
# Odds of any fineness for many histories, in whole numbers: weight over total, times an exact odd that has a number.
#
# While all fits into words, that number is 0, which stands for 1. What would outgrow a word becomes an odd of its own,
# once for all histories that share it. Sums by these are exact.


MOST_DENOMINATOR = 1 << 60
MOST_SUM = 1 << 62
MOST_DIFFERENT = 1 << 20
MANY_SUMS = 1 << 16  # sums by different odds; then they are put together

Odds = tuple[Numbers, Numbers, Numbers]  # of every history the number of an exact odd, times weight over total


@define(eq=False)
class FineOdds:
    """Those that two words do not hold, by number; all threads share them."""

    values: list[Fraction] = field(init=False, factory=lambda: [Fraction(1)])
    _numbers: dict[Fraction, int] = field(init=False, factory=lambda: {Fraction(1): 0})
    _lock: Lock = field(init=False, factory=Lock)

    def make_divisible(self, odds: Odds, finest: int) -> Odds:
        """The same odds, so that each may still be divided by the finest."""
        if finest > MOST_DENOMINATOR:
            raise CannotCompile(message("chance has weights that are too large"))
        if int(odds[2].max(initial=1)) <= MOST_DENOMINATOR // finest:
            return odds
        order, starts = find_runs(odds)
        firsts = order[starts]
        with self._lock:
            numbers = [self.odds_number(*(int(one[at]) for one in odds)) for at in firsts.tolist()]
        found = numpy.empty(len(order), dtype=numpy.int64)
        found[order] = numpy.repeat(numpy.array(numbers, dtype=numpy.int64), numpy.diff(starts, append=len(order)))
        ones = numpy.ones(len(order), dtype=numpy.int64)
        return found, ones, ones.copy()

    def odds_number(self, fine: int, weight: int, total: int) -> int:
        value = self.values[fine] * Fraction(weight, total)
        found = self._numbers.setdefault(value, len(self.values))
        if found == len(self.values):
            if found > MOST_DIFFERENT:
                raise CannotCompile(message("there are too many different odds"))
            self.values.append(value)
        return found


@define(eq=False)
class WeightedSums:
    """Values times their odds, added up column by column; each thread has one of its own."""

    fine: FineOdds
    columns: int
    _by_odds: dict[tuple[int, int], list[int]] = field(init=False, factory=dict)  # number and total: sums by column
    _settled: list[Fraction] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._settled = [Fraction(0)] * self.columns

    def add_values(self, values: Any, odds: Odds) -> None:
        """Values by history and column."""
        fine, weights, totals = odds
        order, starts = find_runs((fine, totals))
        weighed = exact_products(values[order], weights[order])
        sums, firsts = numpy.add.reduceat(weighed, starts, axis=0), order[starts]
        for one, number, total in zip(sums.tolist(), fine[firsts].tolist(), totals[firsts].tolist(), strict=True):
            before = self._by_odds.get((number, total))
            self._by_odds[number, total] = one if before is None else [x + y for x, y in zip(before, one, strict=True)]
        if len(self._by_odds) > MANY_SUMS:
            self.combine_sums()

    def combine_sums(self) -> None:
        """First all that share an odd that words do not hold, then times that."""
        parts: dict[int, list[Fraction]] = {}
        for (number, total), sums in self._by_odds.items():
            before = parts.get(number, [Fraction(0)] * self.columns)
            parts[number] = [x + Fraction(one, total) for x, one in zip(before, sums, strict=True)]
        self._by_odds.clear()
        for number, sums_there in parts.items():
            value = self.fine.values[number]
            self._settled = [x + value * one for x, one in zip(self._settled, sums_there, strict=True)]

    def column_sums(self) -> list[Fraction]:
        self.combine_sums()
        return list(self._settled)


def divide_odds(odds: Odds, weights: Numbers, totals: Numbers) -> Odds:
    """The odds of answers: those of the history before times weight over total."""
    fine, weight, total = odds[0], odds[1] * weights, odds[2] * totals
    if int(weight.max(initial=1)) == 1:
        return fine, weight, total
    common = numpy.gcd(weight, total)
    return fine, weight // common, total // common


def even_weights(counts: Numbers) -> tuple[Numbers, Numbers]:
    """Weight and total of every answer, where there are so many that are all alike."""
    totals = numpy.repeat(counts, counts)
    return numpy.ones(len(totals), dtype=numpy.int64), totals


def exact_products(points: Any, weights: Numbers) -> Any:
    """Each row times its weight; where the sum of all might outgrow a word, Python's own numbers."""
    most = max(int(numpy.abs(points).max(initial=0)), 1) * int(weights.max(initial=1)) * len(points)
    kind = numpy.int64 if most < MOST_SUM else object
    return points.astype(kind) * weights.astype(kind)[:, None]


def find_runs(keys: Iterable[Numbers]) -> tuple[Numbers, Numbers]:
    """An order in which equal ones stand together, and where in it each run begins."""
    columns = [one for one in keys if len(one) and one.min() != one.max()]
    length = len(next(iter(keys)))
    if not columns:
        return numpy.arange(length), numpy.zeros(1, dtype=numpy.int64)
    order = numpy.lexsort(columns) if len(columns) > 1 else numpy.argsort(columns[0], kind="stable")
    is_new = numpy.zeros(length, dtype=bool)
    is_new[0] = True
    for one in columns:
        is_new[1:] |= numpy.diff(one[order]) != 0
    return order, numpy.flatnonzero(is_new)


# ---- positions
# Positions to count a tree with: takes a table, gives positions that stop at every moment, and note which of the
# properties that speak of some games have been true by then.


@define(eq=False)
class PropertyHooks(PauseHooks):
    """Looks at properties where somebody chooses, and at the end."""

    def before_question(self, machine: Machine, question: Question) -> None:
        PauseHooks.before_question(self, machine, question)
        if question.actions:
            check_properties(machine)

    def on_figure(self, machine: Machine, figure: MeasuredFigure) -> None:
        places = figure_fields(machine.plan, figure)
        known = [machine.lines.bind(machine.lines.load(place)) for place in places]
        for place, value in zip(places, moments.combine_value(machine, figure, *known), strict=True):
            machine.lines.store(place, value)

    def on_game_end(self, machine: Machine) -> None:
        for figure in machine.plan.table.watches.figures:
            figure_fields(machine.plan, figure)  # it is asked for, though its moment never comes
        check_properties(machine)
        if properties_of_some_games(machine.plan.table):
            machine.lines.emit("do", call_for_player(moments.share_check_function(machine.plan), machine.new_scope()))


def figure_fields(plan: Plan, figure: MeasuredFigure) -> list[Field]:
    """What is known of a figure of the rules: its values together, and how many they are."""
    names = [f"{word} {figure.declaration.name.text}" for word in ("figure", "moments")]
    is_counted = figure.declaration.word in ALWAYS_THERE
    return [
        plan.fields[name] if name in plan.fields else plan.add_field(name, 64, 1, int(is_counted and at == 1))
        for at, name in enumerate(names)
    ]


def check_properties(machine: Machine) -> None:
    if properties_of_some_games(machine.plan.table):
        machine.lines.emit("do", call_for_player(moments.can_happen_function(machine.plan), machine.new_scope()))


class TreePositions(PausingPositions):
    """They alone know what has been true."""


def compile_tree_positions(table: Table, cache: Cache | None = None, care: int = 2) -> TreePositions:
    """Compiles a table; raises `CannotCompile` with the reason when it cannot be."""
    form = lower_table(table, lower_tree_games)
    return TreePositions(table, form, compile_text(format_positions(form), cache, care))


def lower_tree_games(table: Table) -> AskedGamesForm:
    return lower_pausing_games(table, PropertyHooks())


# ---- levels


LARGE = 1 << 14  # histories at once, and what comes right after them
BYTES = 1 << 21  # of their positions: they stay in the processor's own memory
MOST_BYTES = 1 << 30  # of the positions after one history
MOST_CERTAIN = 2_000  # events without a choice in a row; of more the reference tells
OPTIONS, SHOWN_TO_OTHERS = 11, 23

Words = numpy.ndarray[Any, numpy.dtype[numpy.uint64]]


class NotWhole(Exception):
    """Something stands in the way of counting the whole tree: it is too deep, or the game gets stuck."""


@define(eq=False)
class Level:
    """Histories side by side: position, what each player remembers, what lay open last and what was seen when somebody
    was asked last, the odds so far, how many have chosen, the depth."""

    rows: Rows
    known: Words
    last: Words
    asked: Words
    odds: Odds
    decisions: Numbers  # how many were made
    depth: Numbers
    certain: Numbers  # events without a choice in a row, up to here
    counts: Numbers  # how many answers there are

    def select_histories(self, which: Any) -> Level:
        """Some of them: a slice, or their places."""
        def picked(one: Any) -> Any:
            return one[which] if isinstance(which, slice) else one.take(which, axis=0)

        fine, weight, total = self.odds
        return Level(picked(self.rows), picked(self.known), picked(self.last), picked(self.asked),
                     (picked(fine), picked(weight), picked(total)),
                     picked(self.decisions), picked(self.depth), picked(self.certain), picked(self.counts))

    def __len__(self) -> int:
        return len(self.rows)


def sort_unique(parts: Sequence[Words]) -> Words:
    """Sorting words is many times as fast as `numpy.unique`, which hashes them."""
    found = numpy.sort(numpy.concatenate(parts))
    is_new = numpy.ones(len(found), dtype=bool)
    numpy.not_equal(found[1:], found[:-1], out=is_new[1:])
    return found[is_new]


@define(eq=False)
class LevelCounter:
    """Counts what comes after histories, some thousand of them at once. Each thread has one of its own."""

    positions: NativePositions
    fine: FineOdds | None  # without it, expected scores are not asked for
    is_patient: bool = False  # whether what comes after may be too deep, or a position where the game is stuck
    batch: Batch = field(init=False)
    views: Views = field(init=False)
    _settle: Callable[..., None] = field(init=False)
    _run: Callable[..., int] = field(init=False)
    found: TreeCount = field(init=False)
    sets: dict[int, list[Words]] = field(init=False)
    sums: WeightedSums = field(init=False)
    parts_of_a_win: int = field(init=False)
    _judged: list[int] = field(init=False)  # properties that speak of some games, by their bits
    _counted: list[str] = field(init=False)  # the fields of the figures of the rules
    _at_once: list[int] = field(init=False)  # questions within a statement that is seen when it is done
    _choices: list[int] = field(init=False)
    _among_others: list[tuple[int, str]] = field(init=False)  # joint choices, and the field of how many have chosen

    def __attrs_post_init__(self) -> None:
        if not isinstance(self.positions, TreePositions):
            raise CannotCompile(message("these positions do not stop at every moment, or know not what was true"))
        table = self.positions.table
        bits = {one.declaration: at for at, one in by_bit(table)}
        self._judged = [bits[one.declaration] for one in properties_of_some_games(table)]
        self._counted = [
            f"{word} {one.declaration.name.text}" for one in table.watches.figures for word in ("figure", "moments")
        ]
        self.parts_of_a_win = parts_of_a_win(table.players)
        self.batch = Batch(self.positions)
        self.views = Views(self.batch)
        pointer, number = ctypes.c_void_p, ctypes.c_int64
        self._settle = self.positions.code.function("settle many", None, pointer, pointer, number, pointer)
        self._run = self.positions.code.function("run many", number, pointer, pointer, number)
        asked = self.positions.questions_by_number.items()
        self._at_once = [number for number, (_, wait) in asked if is_seen_at_once(wait)]
        self._choices = [number for number, (_, wait) in asked if isinstance(wait, DecisionWait)]
        self._among_others = [(number, one.at.name) for number, (one, _) in asked if one.at is not None]
        self.reset_counts()

    def reset_counts(self) -> None:
        """Nothing has been counted."""
        seats = self.positions.table.players
        self.found, self.sets = TreeCount(), {seat: [] for seat in range(1, seats + 1)}
        self.sums = WeightedSums(self.fine or FineOdds(), 2 * seats + 2 + len(self._judged) + len(self._counted))

    def first_level(self) -> Level:
        n = self.positions.table.players
        start = numpy.frombuffer(bytes(self.positions.form.start.values), dtype=numpy.uint8)
        rows = start[None, : self.batch.size].copy()
        zeroes = numpy.zeros((1, n), dtype=numpy.uint64)
        ones = numpy.ones(1, dtype=numpy.int64)
        level = Level(rows, zeroes, zeroes.copy(), zeroes.copy(), (ones - 1, ones, ones.copy()), ones - 1, ones - 1,
                      ones - 1, ones)
        self.run_to_questions(level)
        level.counts = self.batch.options(level.rows)
        return level

    def sort_information_sets(self) -> None:
        """What was remembered, once each and in order."""
        for seat, parts in self.sets.items():
            if len(parts) > 1:
                self.sets[seat] = [sort_unique(parts)]

    def split_batch(self, level: Level) -> tuple[Level, Level | None]:
        """As many of the first as are followed at once, and the others."""
        most = max(min(LARGE, BYTES // self.batch.size), 1)
        if len(level) <= LARGE and int(level.counts.sum()) <= most:
            return level, None
        fitting = int(numpy.searchsorted(numpy.cumsum(level.counts[:LARGE]), most, side="right"))
        if fitting >= len(level):
            return level, None
        return level.select_histories(slice(max(fitting, 1))), level.select_histories(slice(max(fitting, 1), None))

    def expand_level(self, level: Level) -> list[Level]:
        """The next histories, question by question."""
        asked, found = self.views.read_named_field(level.rows, "pc")[:, 0], []
        several = numpy.flatnonzero(numpy.bincount(asked)).tolist()
        for number in several:
            if number == 0:
                self.count_endings(level, asked == 0)
                continue
            part = level.select_histories(numpy.flatnonzero(asked == number)) if len(several) > 1 else level
            if int(part.counts.max()) * self.batch.size > MOST_BYTES:
                raise CannotCompile(message("there are too many answers to one question"))
            question, wait = self.positions.questions_by_number[number]
            following = self.expand_chance(part, wait) if isinstance(wait, ChanceWait) else self.expand_choices(
                part, question, wait)
            following.counts = self.batch.options(following.rows)
            if not self.is_patient and int(following.depth.max()) > MOST_DEPTH:
                raise NotWhole("the tree is too deep")
            found.append(following)
        return [one for one in found if len(one)]

    def count_endings(self, level: Level, over: Any) -> None:
        self.found.terminals += int(over.sum())
        self.note_depth(level.depth[over])
        if self.fine is not None:
            fine, weight, total = level.odds
            self.sums.add_values(
                self.ending_values(level.select_histories(numpy.flatnonzero(over))),
                (fine[over], weight[over], total[over]),
            )

    def ending_values(self, ended: Level) -> Any:
        """By history: scores in scale, wins in parts, whether one is shared, decisions, what was true, figures."""
        rows = ended.rows
        wins = self.views.read_named_field(rows, "place") == 1
        winners, size = wins.sum(axis=1, keepdims=True), self.views.positions.table.bench.team_size
        known = {"won": wins, "winners": winners, "parts": self.parts_of_a_win * size, "team": size}
        happened = self.views.read_named_field(rows, "happened")[:, :1].astype(numpy.int64)
        return numpy.concatenate((
            self.views.read_named_field(rows, "total"), compile_term(WIN)(known), compile_term(TIE)(known),
            ended.decisions[:, None], happened >> numpy.array(self._judged, dtype=numpy.int64)[None, :] & 1,
            *(self.views.read_named_field(rows, name) for name in self._counted),
        ), axis=1)  # fmt: skip

    def note_depth(self, depths: Numbers) -> None:
        self.found.max_depth = max(self.found.max_depth, int(depths.max()))

    # ---- one step

    def repeat_for_answers(self, level: Level, weighing: tuple[Numbers, Numbers] | None) -> tuple[Level, Numbers]:
        """Every history once for each answer, with its odds, and the number of the answer."""
        counts = level.counts
        if self.fine is not None and weighing is not None:
            level.odds = self.fine.make_divisible(level.odds, int(weighing[1].max()))
        children = level.select_histories(numpy.repeat(numpy.arange(len(level)), counts))
        starts = numpy.repeat(numpy.cumsum(counts) - counts, counts)
        if weighing is not None:
            children.odds = divide_odds(children.odds, *weighing)
        return children, numpy.arange(len(children)) - starts

    def apply_answers(self, rows: Rows, answers: Numbers) -> None:
        answers = numpy.ascontiguousarray(answers, dtype=numpy.int64)
        self._settle(self.positions.address, rows.ctypes.data, len(rows), answers.ctypes.data)

    def run_to_moment(self, rows: Rows) -> None:
        stuck = self._run(self.positions.address, rows.ctypes.data, len(rows))
        if (stuck or self.batch.read_named_field(rows, "fault").any()) and not self.is_patient:
            raise NotWhole("the game gets stuck")

    def run_to_questions(self, level: Level) -> None:
        """To the next question, moment by moment; what everybody sees on the way, and there."""
        part, which = level, numpy.arange(len(level))
        shown = numpy.zeros(len(level), dtype=numpy.int64)
        while len(part):
            self.run_to_moment(part.rows)
            asked = self.views.read_named_field(part.rows, "pc")[:, 0]
            self.note_views(part, ~numpy.isin(asked, self._at_once), shown)
            if part is not level:
                level.rows[which], level.known[which], level.last[which] = part.rows, part.known, part.last
            is_stuck = self.batch.read_named_field(part.rows, "fault")[:, 0] != 0
            pausing = numpy.flatnonzero((asked >= FIRST_PAUSE) & ~is_stuck)
            if not len(pausing):
                break
            part, which, shown = part.select_histories(pausing), which[pausing], shown[pausing]
        self.note_question_views(level)

    def note_views(self, level: Level, which: Any, shown: Numbers) -> None:
        """What lies open to everybody now, and what was shown since the last look; only what is shown is seen again."""
        view = self.views.hash_views(level.rows, 1)
        amount = self.views.count_shown(level.rows)
        for seat in range(level.known.shape[1]):
            if seat and not self.views.sees_alike:
                view = self.views.hash_views(level.rows, seat + 1)
            is_new = which & (view != level.last[:, seat])
            level.known[is_new, seat] = mix_words(level.known[is_new, seat], view[is_new])
            level.last[is_new, seat] = view[is_new]
            for at in range(int(amount.max(initial=0))):
                is_seen, is_there, what = self.views.shown_note(level.rows, seat + 1, at)
                is_there = is_there & (at >= shown)
                what = numpy.where(is_seen, what | numpy.uint64(1), numpy.uint64(SHOWN_TO_OTHERS))
                level.known[is_there, seat] = mix_words(level.known[is_there, seat], what[is_there])
        shown[:] = amount

    def note_question_views(self, level: Level) -> None:
        """Whose turn it is and what still lies shown is seen where somebody is to choose."""
        which = numpy.isin(self.views.read_named_field(level.rows, "pc")[:, 0], self._choices)
        for number, at in self._among_others:
            which &= (self.views.read_named_field(level.rows, "pc")[:, 0] != number) | (
                self.views.read_named_field(level.rows, at)[:, 0] == 0)
        whose = self.views.whose_turn(level.rows)
        for seat in range(level.known.shape[1]):
            seen = self.views.hash_question_views(level.rows, seat + 1, whose)
            is_new = which & (seen != level.asked[:, seat])
            level.known[is_new, seat] = mix_words(level.known[is_new, seat], seen[is_new])
            level.asked[is_new, seat] = seen[is_new]

    # ---- chance

    def expand_chance(self, level: Level, wait: ChanceWait) -> Level:
        counts = level.counts
        self.found.chance += int((counts > 1).sum())
        children, answers = self.repeat_for_answers(
            level, self.outcome_weights(level.rows, wait, counts) if self.fine else None
        )
        children.depth = children.depth + numpy.repeat(counts > 1, counts)
        children.certain = numpy.repeat(numpy.where(counts > 1, 0, level.certain + 1), counts)
        if int(children.certain.max(initial=0)) > MOST_CERTAIN:
            raise CannotCompile(message("chance goes on for ever without asking anybody"))
        self.apply_answers(children.rows, answers)
        self.run_to_questions(children)
        return children

    def outcome_weights(self, rows: Rows, wait: Wait, counts: Numbers) -> tuple[Numbers, Numbers]:
        """Of every outcome of every position: its weight, and the sum of all."""
        if isinstance(wait, OrderWait):
            own = numpy.ones(int(counts.sum()), dtype=numpy.int64)
        elif isinstance(wait, ValueWait):
            if sum(wait.weights) > MOST_DENOMINATOR:
                raise CannotCompile(message("chance has weights that are too large"))
            own = numpy.tile(numpy.array([one for one in wait.weights if one], dtype=numpy.int64), len(rows))
        else:
            assert isinstance(wait, DrawWait)
            own = self.draw_weights(rows, wait, counts)
        return own, numpy.repeat(numpy.add.reduceat(own, numpy.cumsum(counts) - counts), counts)

    def draw_weights(self, rows: Rows, wait: DrawWait, counts: Numbers) -> Numbers:
        if all(copies == 1 for copies in wait.origin.kinds.copies):
            return numpy.ones(int(counts.sum()), dtype=numpy.int64)
        found: list[int] = []
        for row in rows:
            self.positions.load_block(row.tobytes())
            found.extend(self.positions.outcome_weights())
        return numpy.array(found, dtype=numpy.int64)

    # ---- choices

    def expand_choices(self, level: Level, question: Question, wait: Wait) -> Level:
        assert isinstance(wait, DecisionWait)
        is_together = isinstance(wait, TogetherWait)
        first = (
            self.views.read_named_field(level.rows, question.at.name)[:, 0] == 0
            if is_together and question.at
            else None
        )
        is_first = numpy.ones(len(level), dtype=bool) if first is None else first
        if is_together:
            self.found.together += int(is_first.sum())
        else:
            self.found.decisions += len(level)
        if is_first.any():
            self.note_depth(level.depth[is_first])
        players = self.views.read_named_field(level.rows, "player")[:, 0].astype(numpy.int64)
        counts = level.counts
        children, answers = self.repeat_for_answers(level, even_weights(counts) if self.fine else None)
        children.decisions = children.decisions + 1
        children.depth = children.depth + numpy.repeat(is_first, counts)
        children.certain = numpy.zeros_like(children.depth)
        self.apply_answers(children.rows, answers)
        own, heard = self.views.hash_choices(children.rows, question, wait)
        offered = mix_words(own, answers.astype(numpy.uint64) + numpy.uint64(OPTIONS))
        options = numpy.add.reduceat(offered, numpy.cumsum(counts) - counts)
        self.remember_choices(level, children, players, counts, options, own, heard, wait)
        self.run_to_questions(children)
        return children

    def remember_choices(  # the memories of one node and of what comes after each choice
        self, level: Level, children: Level, players: Numbers, counts: Numbers, options: Words, own: Words,
        heard: Words, wait: DecisionWait,
    ) -> None:
        whose, none = numpy.repeat(players, counts), numpy.uint64(0)
        for seat in self.sets:
            asked = mix_words(level.known[:, seat - 1], options)
            asks = numpy.ones(len(level), dtype=bool) if wait.is_team else players == seat
            self.sets[seat].append(asked[asks])
            chose = numpy.repeat(asks, counts) if wait.is_team else whose == seat
            after = mix_words(numpy.repeat(asked, counts), own)
            children.known[chose, seat - 1] = after[chose]
            if not isinstance(wait, TogetherWait):
                listens = ~chose & (heard != none)
                known = children.known[:, seat - 1]
                children.known[listens, seat - 1] = mix_words(known[listens], heard[listens])
