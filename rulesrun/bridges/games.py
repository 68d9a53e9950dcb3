"""Games of one table, many at a time, as learners want them: fixed numbers in, what movers see out, chance in between.

Each row is a game with a stream of chance of its own, which follows from the seed alone. The first seat answers for the
team.
"""

from __future__ import annotations

from typing import Any

import numpy
from attrs import define, field

from rulesrun.api import Rulebook, load
from rulesrun.api.batches import EVERYBODY, Many
from rulesrun.api.errors import RulesFault
from rulesrun.interpreter.native.positions.action_rows import ActionRows
from rulesrun.interpreter.native.positions.batches import Batch
from rulesrun.interpreter.native.views.number_views import NumberView
from rulesrun.interpreter.spaces.rewards import KINDS_OF_REWARD, default_reward, team_sign

OVER, STUCK, ILLEGAL = 0, -1, -2
MOST_STEPS = 9_000  # decisions of a game; the engine itself goes a little further
RAISE, LOSE, FIRST = "raise", "lose", "first"  # what an action means that is not allowed
MASK64 = (1 << 64) - 1


@define(eq=False)
class Games:
    """`amount` games of a table. `ids` and `counts`: the numbers of what may be answered in each."""

    many: Many
    amount: int
    reward: str
    rows: Any = field(init=False)
    streams: Any = field(init=False)
    ids: Any = field(init=False)
    counts: Any = field(init=False)
    movers: Any = field(init=False)  # seats from 0; -1 where nobody is to choose
    mask: Any = field(init=False)
    view: NumberView = field(init=False)
    _numbered: ActionRows = field(init=False)
    _batch: Batch = field(init=False)
    _first: Any = field(init=False)
    _marked: tuple[Any, Any] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._first = self.many.start(1)[0]
        self.rows = self.many.start(self.amount)
        self.streams = numpy.zeros(self.amount, dtype=numpy.uint64)
        self.mask = numpy.zeros((self.amount, len(self.many.actions)), dtype=numpy.int8)
        self._marked = numpy.zeros((self.amount, 1), dtype=numpy.int32), numpy.zeros(self.amount, dtype=numpy.int64)
        self.view = self.many._number_view(EVERYBODY, True)
        self._numbered, self._batch = self.many._numbered(), self.many._batch

    @staticmethod
    def of_table(
        rules: Rulebook | str, players: int | None, options: dict[str, object], amount: int, reward: str | None
    ) -> Games:
        """Rules, or where they are. Raises what `Rulebook.many` and `Rulebook.actions` raise."""
        rules = load(rules) if isinstance(rules, str) else rules
        many = rules.many(players, options)
        reward = reward or default_reward(many._batch.positions.table.bench)
        if reward not in KINDS_OF_REWARD:
            raise ValueError(f"there is no reward `{reward}`; there are: {', '.join(KINDS_OF_REWARD)}")
        return Games(many, amount, reward)

    @property
    def players(self) -> int:
        return self.many.players

    def seed(self, seed: int) -> None:
        """From here on all chance follows from this."""
        chance = numpy.random.default_rng(seed & MASK64)
        self.streams = chance.integers(0, 1 << 64, self.amount, dtype=numpy.uint64)

    def begin_all(self) -> None:
        self.rows[:] = self._first
        self._advance(slice(None), numpy.full(self.amount, -1, dtype=numpy.int64))
        self.look()

    def begin_again(self, which: Any) -> None:
        """The games with these numbers; `look` is left to the caller."""
        self.rows[which] = self._first
        self._advance(which, numpy.full(len(which), -1, dtype=numpy.int64))

    def answer(self, numbers: Any) -> Any:
        """Answers every game by the fixed number of an action, and plays on to the next decision. Gives for each what
        `Many.apply` gives; a game with no such answer stays as it was. `look` is left to the caller."""
        answers = self._numbered.find_answers(self.ids, self.counts, numbers)
        found = self._batch.play_on(self.rows, numpy.where(answers < 0, 1 << 62, answers), self.streams)
        if (found == STUCK).any():
            raise RulesFault("the rules come to a fault here; play the game on the reference to be told", ())
        return found

    def look(self) -> None:
        """Finds out what may be answered now, and by whom."""
        self.ids, self.counts = self._numbered.number_options(self.rows)
        deciding = self._batch.deciding(self.rows)
        self.movers = numpy.where(deciding >= 0, numpy.maximum(deciding - 1, 0), -1)

    def mark_legal(self) -> Any:
        """The mask of all actions in each game: an array that changes with the next call."""
        now = self.ids, self.counts
        self._numbered.move_marks(self._marked, now, self.mask)
        self._marked = now
        return self.mask

    def observe_movers(self) -> Any:
        """What each who is to choose sees, seen from that seat; the first seat where nobody is."""
        found = numpy.empty((self.amount, self.view.width), dtype=numpy.int32)
        self.view.observe_into(self.rows, numpy.maximum(self.movers, 0), found)
        return found

    def observe_seat(self, seat: int) -> Any:
        """What one seat, from 0, sees in all games."""
        found = numpy.empty((self.amount, self.view.width), dtype=numpy.int32)
        self.view.observe_into(self.rows, numpy.full(self.amount, seat, dtype=numpy.int64), found)
        return found

    def rewards(self, which: Any) -> Any:
        """Of these games, which are over: what each seat gets."""
        rows = numpy.ascontiguousarray(self.rows[which])
        sign = team_sign(self._batch.positions.table.bench)
        return reward_rows(self.reward, sign, self._batch.scores(rows), self._batch.places(rows))

    def _advance(self, which: Any, answers: Any) -> None:
        rows, streams = numpy.ascontiguousarray(self.rows[which]), self.streams[which].copy()
        if (self._batch.play_on(rows, answers, streams) == STUCK).any():
            raise RulesFault("the rules come to a fault here; play the game on the reference to be told", ())
        self.rows[which], self.streams[which] = rows, streams


def reward_rows(kind: str, sign: int, scores: Any, places: Any) -> Any:
    """As `rewards_at_end` says it, of many games at once."""
    if kind == "score":
        return scores.astype(numpy.float64)
    if kind == "team":
        return numpy.repeat(sign * scores.sum(axis=1, dtype=numpy.float64)[:, None], scores.shape[1], axis=1)
    if kind == "win":
        first = places == 1
        return first / first.sum(axis=1)[:, None]
    ahead = (places[:, None, :] < places[:, :, None]).sum(axis=2)
    behind = (places[:, None, :] > places[:, :, None]).sum(axis=2)
    return (behind - ahead) / max(scores.shape[1] - 1, 1)


def check_illegal(illegal: str) -> None:
    if illegal not in (RAISE, LOSE, FIRST):
        raise ValueError(f"`illegal` is `{RAISE}`, `{LOSE}` or `{FIRST}`")
