"""The exact size of a small game's tree: takes positions in machine code, gives the reference's counts, or its fault.

Whether a tree is whole is not known before it was counted; the first way through it, always by the first answer,
says whether to try.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent import futures
from fractions import Fraction
from threading import Event

import numpy
from attrs import define, field

from rulesrun.dsl.text.messages import message
from rulesrun.interpreter.form.form import CannotCompile
from rulesrun.interpreter.model.values import EVENTS, OPTIONS, Fault
from rulesrun.interpreter.native.expressions import scales
from rulesrun.interpreter.native.positions.batches import OVER, Rows
from rulesrun.interpreter.native.positions.positions import NativePositions
from rulesrun.interpreter.native.tree.levels import MOST_CERTAIN, FineOdds, Level, LevelCounter, NotWhole, Words
from rulesrun.interpreter.play.game_tree import MOST_DEPTH, HistoryOdds, TreeCount, TreeCounter, compute_expectation
from rulesrun.interpreter.reference.chance import ChanceWait
from rulesrun.interpreter.reference.decisions import DecisionWait, TogetherWait
from rulesrun.interpreter.reference.table import Table

# ---- breadth first
# The exact size of a small game's tree: takes positions in machine code, gives the reference's counts.
#
# Thousands of histories at once, shared among threads. A tree that is not whole is counted as the reference does it.


SHARE = 256  # histories to begin with, for each thread


def make_counters(positions: NativePositions, jobs: int, fine: FineOdds | None = None) -> list[LevelCounter]:
    """One for each thread; without odds nobody expects a score."""
    others = [type(positions)(positions.table, positions.form, positions.code) for _ in range(jobs - 1)]
    return [LevelCounter(one, fine) for one in (positions, *others)]


def count_whole_tree(counters: Sequence[LevelCounter], begin: Level, most: int) -> bool:
    """Whether all after these histories was counted, themselves included; false where there are more than the most."""
    jobs, stop = len(counters), Event()
    try:
        waiting = widen_frontier(counters[0], [begin], jobs)
        if jobs == 1 or not waiting:
            count_subtrees(counters[0], waiting, most, stop, counters)
        else:
            count_in_parallel(counters, waiting, most, stop)
    except NotWhole:
        return False
    return not stop.is_set() and count_histories(counters) <= most


def count_histories(counters: Sequence[LevelCounter]) -> int:
    return sum(one.found.histories for one in counters)


def widen_frontier(first: LevelCounter, waiting: list[Level], jobs: int) -> list[Level]:
    """The first goes on until there is enough for all."""
    while jobs > 1 and waiting and sum(len(level) for level in waiting) < jobs * SHARE:
        some, others = first.split_batch(waiting.pop(0))
        waiting.extend([*([] if others is None else [others]), *first.expand_level(some)])
    return waiting


def count_in_parallel(counters: Sequence[LevelCounter], waiting: list[Level], most: int, stop: Event) -> None:
    """Each its part; when one gives up, all do."""
    jobs = len(counters)
    parts = [[level.select_histories(numpy.arange(at, len(level), jobs)) for level in waiting if len(level) > at]
             for at in range(jobs)]
    with futures.ThreadPoolExecutor(jobs) as pool:
        both = zip(counters, parts, strict=True)
        tasks = [pool.submit(count_subtrees, one, part, most, stop, counters) for one, part in both]
        is_done = False
        try:
            futures.wait(tasks, return_when=futures.FIRST_EXCEPTION)
            is_done = all(task.done() for task in tasks)
        finally:
            if not is_done:
                stop.set()
        for task in tasks:
            task.result()


def count_subtrees(
    one: LevelCounter, waiting: list[Level], most: int, stop: Event, counters: Sequence[LevelCounter]
) -> None:
    """All that comes after these; stops when all together have found more histories than the most."""
    while waiting and not stop.is_set():
        level, others = one.split_batch(waiting.pop())
        waiting.extend([] if others is None else [others])
        waiting.extend(one.expand_level(level))
        if count_histories(counters) > most:
            stop.set()
    if not stop.is_set():
        one.sort_information_sets()


def sum_counters(counters: Sequence[LevelCounter]) -> TreeCount:
    found = TreeCount()
    for name in ("decisions", "chance", "together", "terminals"):
        setattr(found, name, sum(getattr(one.found, name) for one in counters))
    found.max_depth = max(one.found.max_depth for one in counters)
    for seat in counters[0].sets:
        found.information_sets[seat] = count_distinct([part for one in counters for part in one.sets[seat]])
    found.expectation = compute_expectation(counters[0].positions.table, expected_values(counters))
    return found


def expected_values(counters: Sequence[LevelCounter]) -> list[Fraction]:
    """What was added up together, each in its own unit."""
    first = counters[0]
    table, plan = first.positions.table, first.positions.form.plan
    units = [scales.scale_of_total(plan)] * table.players + [first.parts_of_a_win] * table.players
    own = [(scales.scale_of_figure(plan, one.declaration), 1) for one in table.watches.figures]
    last = [unit for both in own for unit in both]
    sums = [sum(column, Fraction(0)) for column in zip(*(one.sums.column_sums() for one in counters), strict=True)]
    between = [1] * (len(sums) - len(units) - len(last))
    return [one / unit for one, unit in zip(sums, units + between + last, strict=True)]


def count_distinct(parts: Sequence[Words]) -> int:
    """Different ones in several that are in order each, which makes sorting them together short."""
    several = [one for one in parts if len(one)]
    if not several:
        return 0
    together = numpy.sort(numpy.concatenate(several), kind="stable")
    return 1 + int(numpy.count_nonzero(together[1:] != together[:-1]))


# ---- depth first
# A tree that is too large or too deep, or in which the game gets stuck: as many of its histories as are wanted, depth
# first. Takes threads that count, gives the reference's counts, or its fault.
#
# Groups of histories that follow from one lie in their order, the first on top. How large the subtrees are is learnt
# from those that were counted: as many as will fit are counted side by side, as a whole; else the first is followed
# alone.


SURPRISE = 16  # times as many histories as were expected are counted, before that is given up
FEW = 256  # or so many
MOST_CAUTION = 10

Path = tuple[int, ...]  # the answers from the start


@define(eq=False)
class SiblingGroup:
    """What follows from one history: those that were not counted yet, and what the others had below them."""

    path: Path
    left: Level
    goes_on: bool  # whether these are no histories of their own: the same one, before its next question
    before: int  # histories counted before the first
    done: int = 0

    def mean_subtree_size(self, counted: int) -> float | None:
        """Of the subtree of one of them, on average."""
        return (counted - self.before) / self.done if self.done else None

    def drop_first(self, many: int) -> None:
        self.left, self.done = self.left.select_histories(slice(many, None)), self.done + many


@define(eq=False)
class DepthFirstCount:
    """Counts depth first, one history by itself or many subtrees at a time."""

    counters: Sequence[LevelCounter]
    most: int
    alone: LevelCounter = field(init=False)
    waiting: list[SiblingGroup] = field(init=False)
    _caution: int = field(init=False, default=0)  # how often in a row subtrees did not fit
    _pause: int = field(init=False, default=0)  # histories that are followed alone before the next try

    def __attrs_post_init__(self) -> None:
        first = self.counters[0]
        self.alone = LevelCounter(first.positions, None, is_patient=True)
        self.waiting = [SiblingGroup((), self.alone.first_level(), False, 0)]

    @property
    def count_so_far(self) -> int:
        return self.alone.found.histories

    def count_all(self) -> None:
        """Until there are as many as are wanted, or no more."""
        while self.waiting:
            group = self.waiting[-1]
            if not len(group.left):
                self.waiting.pop()
                continue
            if not group.goes_on:
                self.check_depth(group)
                if self.count_so_far >= self.most:
                    self.alone.found.is_complete = False
                    return
            many = self.count_fitting(group)
            if not many or not self.count_subtrees(group, many):
                self.follow_first(group)

    def check_depth(self, group: SiblingGroup) -> None:
        """As the reference, before it goes on to the question."""
        if int(group.left.depth[0]) > MOST_DEPTH:
            table = self.alone.positions.table
            TreeCounter(table, None).count_history(table.new_slots(), (), MOST_DEPTH + 1, HistoryOdds())

    # ---- many

    def count_fitting(self, group: SiblingGroup) -> int:
        """How many subtrees will probably fit into what is wanted; none where nothing is known about them."""
        size = group.mean_subtree_size(self.count_so_far)
        if size is None or self._pause:
            self._pause = max(self._pause - 1, 0)
            return 0
        return min(int((self.most - self.count_so_far) / max(2 * size, 1)), len(group.left))

    def count_subtrees(self, group: SiblingGroup, many: int) -> bool:
        """Whether they did fit; the more often they do not, the longer it is not tried again."""
        size = group.mean_subtree_size(self.count_so_far) or 1
        bound = min(int(max(SURPRISE * size * many, FEW)), self.most - self.count_so_far)
        for one in self.counters:
            one.reset_counts()
        level = group.left.select_histories(slice(many))
        if self.has_stuck_history(level) or not count_whole_tree(self.counters, level, bound):
            self._caution = min(self._caution + 1, MOST_CAUTION)
            self._pause = 1 << self._caution
            return False
        self._caution = 0
        self.add_counts()
        group.drop_first(many)
        return True

    def has_stuck_history(self, level: Level) -> bool:
        is_asked = self.alone.batch.read_named_field(level.rows, "pc")[:, 0] != OVER
        return bool(
            (self.alone.batch.read_named_field(level.rows, "fault")[:, 0] | (is_asked & (level.counts == 0))).any()
        )

    def add_counts(self) -> None:
        ours = self.alone.found
        for one in self.counters:
            for name in ("decisions", "chance", "together", "terminals"):
                setattr(ours, name, getattr(ours, name) + getattr(one.found, name))
            ours.max_depth = max(ours.max_depth, one.found.max_depth)
            for seat, parts in one.sets.items():
                self.alone.sets[seat].extend(parts)

    # ---- one

    def follow_first(self, group: SiblingGroup) -> None:
        """The first alone: it is counted, and what comes after it is a group."""
        first = group.left.select_histories(slice(1))
        path = (*group.path, group.done)
        if self.has_stuck_history(first):
            raise_reference_fault(self.alone.positions.table, path)
        before = self.count_so_far
        group.drop_first(1)
        number = int(self.alone.batch.read_named_field(first.rows, "pc")[0, 0])
        for following in self.alone.expand_level(first):
            self.waiting.append(SiblingGroup(path, following, self.is_same_history(number, first), before))

    def is_same_history(self, number: int, first: Level) -> bool:
        """Whether what comes after is the same history: chance without a choice, others who choose right then."""
        question, wait = self.alone.positions.questions_by_number[number]
        if isinstance(wait, ChanceWait):
            return int(first.counts[0]) == 1
        if not isinstance(wait, TogetherWait) or question.at is None or question.seats_asked is None:
            return False
        have_chosen, choosing = (
            int(self.alone.batch.read_named_field(first.rows, one.name)[0, 0])
            for one in (question.at, question.seats_asked)
        )
        return have_chosen + 1 < choosing


def raise_reference_fault(table: Table, path: Path) -> None:
    """The reference goes there and tells the fault; where it finds none, the tree is left to it."""
    S = table.new_slots()
    S[EVENTS] = None
    for answer in path[1:]:
        wait = table.run_to_question(S)
        if isinstance(wait, ChanceWait):
            wait.apply_answer(S, wait.outcomes(S)[answer][0])
        elif isinstance(wait, DecisionWait):
            wait.apply_answer(S, S[OPTIONS][answer])
    wait = table.run_to_question(S)
    if isinstance(wait, ChanceWait):
        wait.outcomes(S)
    elif not isinstance(wait, DecisionWait):
        table.scoring.scores(S)
    raise CannotCompile(message("it is unsure about one position"))


def count_in_order(positions: NativePositions, most: int, jobs: int) -> TreeCount:
    """Without expected scores."""
    counting = DepthFirstCount(make_counters(positions, jobs), most)
    try:
        counting.count_all()
    except KeyboardInterrupt:
        counting.alone.found.is_complete = False
    counting.alone.sort_information_sets()
    found = sum_counters([counting.alone])
    found.is_complete, found.expectation = counting.alone.found.is_complete, None
    return found


# ---- counting


HOPELESS = 1000  # times as many endings as histories are wanted, if all ways had as many answers as the first


def count_tree_natively(positions: NativePositions, most: int, jobs: int = 1) -> TreeCount:
    """No more histories than the most: then the first of them, as the reference goes. As many threads as jobs."""
    check_beginning(positions)
    counters, refusal = make_counters(positions, jobs, FineOdds()), None
    try:
        if can_be_counted_whole(counters[0], most):
            whole = try_whole_count(counters, most)
            if whole is not None:
                return whole
    except CannotCompile as reason:
        refusal = reason
    found = count_in_order(positions, most, jobs)
    if not found.is_complete:
        return found
    if refusal is not None:
        raise refusal
    return try_whole_count(make_counters(positions, jobs, FineOdds()), most) or found


def check_beginning(positions: NativePositions) -> None:
    """Where the game gets stuck before the first question, the reference tells."""
    try:
        positions.begin_game()
    except Fault:
        raise_reference_fault(positions.table, (0,))


def try_whole_count(counters: list[LevelCounter], most: int) -> TreeCount | None:
    """None when it is not whole; when somebody interrupts, what has been counted by then."""
    try:
        return sum_counters(counters) if count_whole_tree(counters, counters[0].first_level(), most) else None
    except KeyboardInterrupt:
        found = sum_counters(counters)
        found.is_complete, found.expectation = False, None
        return found


def can_be_counted_whole(one: LevelCounter, most: int) -> bool:
    """Not when the first way is too deep, leads to a fault, or past more answers than there may be histories."""
    level, ways, depth, certain = one.first_level(), 1, 0, 0
    rows = level.rows
    while (number := int(one.batch.read_named_field(rows, "pc")[0, 0])) != OVER:
        amount = int(one.batch.options(rows)[0])
        ways, depth = ways * amount, depth + is_history(one, rows, number, amount)
        certain = (
            certain + 1 if amount == 1 and isinstance(one.positions.questions_by_number[number][1], ChanceWait) else 0
        )
        one.apply_answers(rows, numpy.zeros(1, dtype=numpy.int64))
        try:
            one.run_to_questions(level)
        except NotWhole:
            return False
        if ways > HOPELESS * most or depth > MOST_DEPTH or certain > MOST_CERTAIN:
            return False
    return True


def is_history(one: LevelCounter, rows: Rows, number: int, amount: int) -> bool:
    """Not chance without a choice, nor the others who choose at the same moment."""
    question, wait = one.positions.questions_by_number[number]
    if isinstance(wait, TogetherWait) and question.at is not None:
        return int(one.batch.read_named_field(rows, question.at.name)[0, 0]) == 0
    return amount > 1 or not isinstance(wait, ChanceWait)
