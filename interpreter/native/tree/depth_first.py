"""A tree that is too large or too deep, or in which the game gets stuck: as many of its histories as are wanted, depth
first. Takes threads that count, gives the reference's counts, or its fault.

Groups of histories that follow from one lie in their order, the first on top. How large the subtrees are is learnt from
those that were counted: as many as will fit are counted side by side, as a whole; else the first is followed alone.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import define, field

from rulesrun.dsl.text.messages import message
from rulesrun.interpreter.form.form import CannotCompile
from rulesrun.interpreter.model.values import EVENTS, OPTIONS
from rulesrun.interpreter.native.positions.batches import OVER
from rulesrun.interpreter.native.positions.positions import NativePositions
from rulesrun.interpreter.native.tree.breadth_first import count_whole_tree, make_counters, sum_counters
from rulesrun.interpreter.native.tree.levels import Level, LevelCounter
from rulesrun.interpreter.play.game_tree import MOST_DEPTH, HistoryOdds, TreeCount, TreeCounter
from rulesrun.interpreter.reference.chance import ChanceWait
from rulesrun.interpreter.reference.decisions import DecisionWait, TogetherWait
from rulesrun.interpreter.reference.table import Table

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
