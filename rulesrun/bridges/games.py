"""Games of one table, many at a time, as learners want them: fixed numbers in, what movers see out, chance in between.

Each row is a game with a stream of chance of its own, which follows from the seed alone. The first seat answers for the
team.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy
from attrs import define, field

from rulesrun.api import Position, Rulebook, TooManyActions, load
from rulesrun.api.actions import NO_LIMIT, option_keys
from rulesrun.api.batches import EVERYBODY, Many
from rulesrun.api.errors import RulesFault
from rulesrun.interpreter.native.positions.action_rows import FEW_OPTIONS, move_marks
from rulesrun.interpreter.native.positions.batches import Batch
from rulesrun.interpreter.native.views.number_views import LayoutPart, NumberView
from rulesrun.interpreter.reference.decisions import OptionKey
from rulesrun.interpreter.spaces.action_numbers import ActionSteps, Way, number_actions
from rulesrun.interpreter.spaces.rewards import KINDS_OF_REWARD, default_reward, team_sign

OVER, STUCK, ILLEGAL = 0, -1, -2
MOST_STEPS = 9_000  # decisions of a game; the engine itself goes a little further
MOST_DEALS = 1_000  # one after the other in which nobody has to choose: then the game has no decisions
MOST_SEEN_STEPS = 256  # of a longer answer, the last that were said
RAISE, LOSE, FIRST = "raise", "lose", "first"  # what an action means that is not allowed
REWARDS_BY_SCORE = ("score", "team")
MASK64 = (1 << 64) - 1
ALL = slice(None)  # games


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
    _batch: Batch = field(init=False)
    _first: Any = field(init=False)
    _marked: tuple[Any, Any] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._first = self.many.start(1)[0]
        self.rows = self.many.start(self.amount)
        self.streams = numpy.zeros(self.amount, dtype=numpy.uint64)
        self.mask = numpy.zeros((self.amount, len(self.actions)), dtype=numpy.int8)
        self._marked = numpy.zeros((self.amount, 1), dtype=numpy.int32), numpy.zeros(self.amount, dtype=numpy.int64)
        self.view = self.many._number_view(EVERYBODY, True)
        self._batch = self.many._batch

    @staticmethod
    def of_table(
        rules: Rulebook | str, players: int | None, options: dict[str, object], amount: int, reward: str | None,
        in_steps: bool = False,
    ) -> Games:
        """Rules, or where they are. Answers are given in steps where there are too many, or where it is asked for.
        Raises what `Rulebook.many` raises."""
        many, reward = set_up(rules, players, options, reward)
        if in_steps or has_too_many_actions(many):
            return SteppedGames(many, amount, reward)
        return Games(many, amount, reward)

    @staticmethod
    def of_one(
        rules: Rulebook | str, players: int | None, options: dict[str, object], reward: str | None,
        in_steps: bool = False,
    ) -> Games:
        """The same for a single game."""
        many, reward = set_up(rules, players, options, reward)
        if in_steps or has_too_many_actions(many):
            return SteppedGames(many, 1, reward)
        return OneGame(many, 1, reward) if many._numbered().is_in_machine_code else Games(many, 1, reward)

    @property
    def actions(self) -> Sequence[Any]:
        """What the numbers of answers mean: choices in words; of answers in steps, the words of a step."""
        return self.many.actions

    @property
    def layout(self) -> tuple[LayoutPart, ...]:
        """What the columns of an observation are."""
        return self.view.layout

    @property
    def width(self) -> int:
        return self.view.width

    @property
    def players(self) -> int:
        return self.many.players

    def seed(self, seed: int) -> None:
        """From here on all chance follows from this."""
        chance = numpy.random.default_rng(seed & MASK64)
        self.streams[:] = chance.integers(0, 1 << 64, self.amount, dtype=numpy.uint64)

    def begin_all(self) -> None:
        self.begin_again(numpy.arange(self.amount))
        self.list_answers()

    def begin_again(self, which: Any) -> None:
        """The games with these numbers; `list_answers` is left to the caller. Where a deal is over before anybody has
        to choose, cards are dealt anew: a game for learners has a decision."""
        for _ in range(MOST_DEALS):
            self.rows[which] = self._first
            which = which[self._play_chance(which) == OVER]
            if not len(which):
                return

    def answer(self, numbers: Any) -> Any:
        """Answers every game by the fixed number of an action, and plays on to the next decision. Gives for each what
        `Many.apply` gives; a game with no such answer stays as it was. `list_answers` is left to the caller."""
        answers = self.many._numbered().find_answers(self.ids, self.counts, numbers)
        found = self._batch.play_on(self.rows, numpy.where(answers < 0, 1 << 62, answers), self.streams)
        if (found == STUCK).any():
            raise fault_of_the_rules()
        return found

    def list_answers(self) -> None:
        """What may be answered now, and by whom."""
        self.ids, self.counts = self.many._numbered().number_options(self.rows)
        self.find_movers()

    def find_movers(self) -> None:
        deciding = self._batch.deciding(self.rows)
        self.movers = numpy.where(deciding >= 0, numpy.maximum(deciding - 1, 0), -1)

    def legal_at(self, position: Position) -> tuple[int, ...]:
        """The numbers of what may be answered at a position of the library."""
        return self.many.actions.legal(position)

    def apply_at(self, position: Position, number: int) -> Position:
        """The position after one of `legal_at`."""
        return position.apply(self.legal_at(position).index(number))

    def mark_legal(self) -> Any:
        """The mask of all actions in each game: an array that changes with the next call."""
        now = self.ids, self.counts
        move_marks(self._batch, self._marked, now, self.mask)
        self._marked = now
        return self.mask

    def observe_movers(self) -> Any:
        """What each who is to choose sees, seen from that seat; the first seat where nobody is."""
        found = numpy.empty((self.amount, self.view.width), dtype=numpy.int32)
        self.view.observe_into(self.rows, numpy.maximum(self.movers, 0), found)
        return found

    def observe_seat(self, seat: int, which: Any = ALL) -> Any:
        """What one seat, from 0, sees in these games."""
        rows = numpy.ascontiguousarray(self.rows[which])
        found = numpy.empty((len(rows), self.view.width), dtype=numpy.int32)
        self.view.observe_into(rows, numpy.full(len(rows), seat, dtype=numpy.int64), found)
        return found

    def rewards(self, which: Any) -> Any:
        """Of these games, which are over: what each seat gets."""
        rows = numpy.ascontiguousarray(self.rows[which])
        sign = team_sign(self._batch.positions.table.bench)
        counted = self._batch.scores(rows) if self.reward in REWARDS_BY_SCORE else self._batch.places(rows)
        return reward_rows(self.reward, sign, counted)

    def _play_chance(self, which: Any) -> Any:
        rows, streams = numpy.ascontiguousarray(self.rows[which]), self.streams[which].copy()
        found = self._batch.play_on(rows, numpy.full(len(which), -1, dtype=numpy.int64), streams)
        if (found == STUCK).any():
            raise fault_of_the_rules()
        self.rows[which], self.streams[which] = rows, streams
        return found


@define(eq=False)
class OneGame(Games):
    """The same for a single game: its arrays stay where they are, so that a step is a few calls of machine code. What
    `answer` gives, `ids`, `counts` and `movers` change with the next step."""

    _answer: Any = field(init=False)
    _found: Any = field(init=False)
    _wanted: Any = field(init=False)
    _whose: Any = field(init=False)
    _seen: Any = field(init=False)
    _asked: tuple[Any, Any, list[int]] = field(init=False)  # the question, its player, who chooses by question
    _play: Callable[[], None] = field(init=False)
    _look: Callable[[], None] = field(init=False)
    _number: Callable[[], None] = field(init=False)
    _find: Callable[[], None] = field(init=False)

    def __attrs_post_init__(self) -> None:
        super().__attrs_post_init__()
        batch = self._batch
        self._answer, self._found, self._wanted, self._whose = numpy.zeros((4, 1), numpy.int64)
        self.counts, self.movers = numpy.zeros((2, 1), numpy.int64)
        self._seen = numpy.empty((1, self.view.width), numpy.int32)
        pc, player = batch.read_named_field(self.rows, "pc"), batch.read_named_field(self.rows, "player")
        self._asked = pc, player[:, :1], batch._choosers.tolist()
        self._play = batch.bind_play(self.rows, self._answer, self.streams, self._found)
        self._look = self.view.bind_copies(self.rows, self._whose, self._seen)
        self.make_room(FEW_OPTIONS)

    def make_room(self, options: int) -> None:
        self.ids, numbered = numpy.empty((1, options), numpy.int32), self.many._numbered()
        self._number = numbered.bind_numbers(self.rows, self.ids, self.counts)
        self._find = numbered.bind_answers(self.ids, self.counts, self._wanted, self._answer)

    def begin_all(self) -> None:
        for _ in range(MOST_DEALS):
            self.rows[:] = self._first
            self._answer[0] = -1
            if self.play() != OVER:
                break
        self.list_answers()

    def answer(self, numbers: Any) -> Any:
        self._wanted[:] = numbers
        self._find()
        if self._answer.item() < 0:
            return numpy.array([ILLEGAL])
        self.play()
        return self._found

    def play(self) -> int:
        self._play()
        found: int = self._found.item()
        if found == STUCK:
            raise fault_of_the_rules()
        return found

    def list_answers(self) -> None:
        self._number()
        if self.counts.item() > self.ids.shape[1]:
            self.make_room(1 << (self.counts.item() - 1).bit_length())
            self._number()
        self.find_movers()

    def find_movers(self) -> None:
        pc, player, choosers = self._asked
        seat = choosers[pc.item()]
        seat = player.item() if seat == 1 else seat
        self.movers[0] = max(seat - 1, 0) if seat >= 0 else -1

    def observe_seat(self, seat: int, which: Any = ALL) -> Any:
        if not self.view.is_in_machine_code or which is not ALL:
            return super().observe_seat(seat, which)
        self._whose[0] = seat
        self._look()
        return self._seen.copy()


@define(eq=False)
class SteppedGames(Games):
    """The same where answers are given in steps: the action, then each of its values. A step leaves the position as it
    is until the answer is complete. What has been said so far stands at the end of what its player sees."""

    steps: ActionSteps = field(init=False)
    taken: list[Way] = field(init=False)
    _keys: list[list[OptionKey]] = field(init=False)
    _most_seen: int = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.steps = ActionSteps.of_table(number_actions(self.many._batch.positions.table, NO_LIMIT))
        self._most_seen = min(self.steps.longest - 1, MOST_SEEN_STEPS)
        self.taken, self._keys = [()] * self.amount, [[]] * self.amount
        super().__attrs_post_init__()

    @property
    def actions(self) -> Sequence[Any]:
        return tuple(self.steps.word_at(step) for step in range(len(self.steps)))

    @property
    def layout(self) -> tuple[LayoutPart, ...]:
        said = LayoutPart("said so far", self.view.width, self._most_seen, -1, len(self.steps) - 1, "word")
        return (*self.view.layout, said)

    @property
    def width(self) -> int:
        return self.view.width + self._most_seen

    def begin_again(self, which: Any) -> None:
        for game in which:
            self.taken[game] = ()
        super().begin_again(which)

    def answer(self, numbers: Any) -> Any:
        answers = numpy.full(self.amount, 1 << 62, dtype=numpy.int64)
        went_on = numpy.zeros(self.amount, dtype=bool)
        for game, number in enumerate(numbers):
            if number in self.ids[game, : self.counts[game]]:
                self.taken[game] = (*self.taken[game], int(number))
                key = self.steps.finished_key(self._keys[game], self.taken[game])
                went_on[game] = key is None
                if key is not None:
                    answers[game], self.taken[game] = self._keys[game].index(key), ()
        found = self._batch.play_on(self.rows, answers, self.streams)
        if (found == STUCK).any():
            raise RulesFault("the rules come to a fault here; play the game on the reference to be told", ())
        found[went_on] = 1
        return found

    def list_answers(self) -> None:
        for game, taken in enumerate(self.taken):
            if not taken:
                self._keys[game] = self._batch.list_keys(self.rows[game])
        ways = [
            self.steps.legal_steps(keys, taken) if keys else ()
            for keys, taken in zip(self._keys, self.taken, strict=True)
        ]
        self.counts = numpy.array([len(way) for way in ways], dtype=numpy.int64)
        self.ids = numpy.zeros((self.amount, max(int(self.counts.max(initial=0)), 1)), dtype=numpy.int32)
        for way, to in zip(ways, self.ids, strict=True):
            to[: len(way)] = way
        self.find_movers()

    def legal_at(self, position: Position) -> tuple[int, ...]:
        keys = option_keys(position, position._game.identity)
        return self.steps.legal_steps(keys, self.taken[0]) if keys else ()

    def apply_at(self, position: Position, number: int) -> Position:
        """The same position as long as the answer is not complete."""
        keys = option_keys(position, position._game.identity)
        self.taken[0] = (*self.taken[0], number)
        key = self.steps.finished_key(keys, self.taken[0])
        if key is None:
            return position
        self.taken[0] = ()
        return position.apply(keys.index(key))

    def observe_movers(self) -> Any:
        return self.add_said(super().observe_movers(), range(self.amount))

    def observe_seat(self, seat: int, which: Any = ALL) -> Any:
        games, movers = numpy.arange(self.amount)[which].tolist(), self.movers.tolist()
        own = [game if movers[game] == seat else None for game in games]
        return self.add_said(super().observe_seat(seat, which), own)

    def add_said(self, seen: Any, games: Iterable[int | None]) -> Any:
        """`games`: the game of each row; None where somebody else is answering."""
        said = numpy.full((len(seen), self._most_seen), -1, dtype=numpy.int32)
        for row, game in enumerate(games):
            if game is not None and self._most_seen:
                way = self.taken[game][-self._most_seen :]
                said[row, : len(way)] = way
        return numpy.hstack([seen, said])


def set_up(
    rules: Rulebook | str, players: int | None, options: dict[str, object], reward: str | None
) -> tuple[Many, str]:
    rules = load(rules) if isinstance(rules, str) else rules
    many = rules.many(players, options)
    reward = reward or default_reward(many._batch.positions.table.bench)
    if reward not in KINDS_OF_REWARD:
        raise ValueError(f"there is no reward `{reward}`; there are: {', '.join(KINDS_OF_REWARD)}")
    return many, reward


def fault_of_the_rules() -> RulesFault:
    return RulesFault("the rules come to a fault here; play the game on the reference to be told", ())


def has_too_many_actions(many: Many) -> bool:
    try:
        return len(many.actions) < 0
    except TooManyActions:
        return True


def reward_rows(kind: str, sign: int, counted: Any) -> Any:
    """As `rewards_at_end` says it, of many games at once. `counted`: their scores, or places, by the kind."""
    if kind == "score":
        return counted.astype(numpy.float64)
    if kind == "team":
        return numpy.repeat(sign * counted.sum(axis=1, dtype=numpy.float64)[:, None], counted.shape[1], axis=1)
    if kind == "win":
        first = counted == 1
        return first / first.sum(axis=1)[:, None]
    ahead = (counted[:, None, :] < counted[:, :, None]).sum(axis=2)
    behind = (counted[:, None, :] > counted[:, :, None]).sum(axis=2)
    return (behind - ahead) / max(counted.shape[1] - 1, 1)


def check_illegal(illegal: str) -> None:
    if illegal not in (RAISE, LOSE, FIRST):
        raise ValueError(f"`illegal` is `{RAISE}`, `{LOSE}` or `{FIRST}`")
