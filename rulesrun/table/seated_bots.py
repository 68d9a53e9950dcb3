"""Bots at a table: each is given its observation and a seed, and takes as long as it likes beside the game.

A bot's own chance comes from the table's seed, as in `rulesrun trace --seats`: the same seed and the same answers of
people give the same game.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import define, field, frozen

from rulesrun.interpreter.bots.bot import Bot, RandomBot
from rulesrun.interpreter.bots.bot_names import NoSuchBot, find_bot, known_names
from rulesrun.interpreter.bots.deliberation import Think
from rulesrun.interpreter.bots.match import make_observation
from rulesrun.interpreter.bots.observation import Observation
from rulesrun.interpreter.bots.observer import Observer, seats_that_choose
from rulesrun.interpreter.model.random import MASK, Streams
from rulesrun.interpreter.model.values import OPTIONS, PC, PLAYER, Slots
from rulesrun.interpreter.play.game_loop import player_stream_name
from rulesrun.interpreter.reference.chance import ChanceWait
from rulesrun.interpreter.reference.decisions import DecisionWait
from rulesrun.interpreter.reference.table import Table

__all__ = ["NoSuchBot", "SeatedBots", "Thought", "known_names"]


@frozen(eq=False)
class Thought:
    """A bot before its choice. `choose` may take long, in any thread or process; it changes nothing."""

    seat: int
    question: int
    name: str
    bot: Bot
    observation: Observation | None  # None: any option alike
    drawn: int

    def choose(self) -> int:
        return self.drawn if self.observation is None else self.bot.choose(self.observation)


@define(eq=False)
class SeatedBots:
    """Follows one game for the bots of a table, by the answers that were given."""

    table: Table
    think: Think
    _bots: dict[str, Bot] = field(init=False, factory=dict)
    _observer: Observer | None = field(init=False, default=None)
    _slots: Slots = field(init=False, factory=list)
    _followed: list[int] = field(init=False, factory=list)

    def bot(self, name: str) -> Bot:
        """Raises NoSuchBot."""
        if name not in self._bots:
            self._bots[name] = find_bot(self.table, name, self.think)
        return self._bots[name]

    def draw(self, streams: Streams, name: str, player: int, options: int) -> int:
        """What chance gives a bot before it thinks: a choice where all are alike, else a seed."""
        is_random = isinstance(self.bot(name), RandomBot)
        return streams.random_below(options if is_random else MASK, player_stream_name(player))

    def begin_thought(
        self, name: str, seat: int, player: int, question: int, options: int, streams: Streams, answers: Sequence[int]
    ) -> Thought:
        """`player` is who is asked: 0 for the team; `options`: among how many. `answers`: all that was answered and
        thrown so far."""
        bot = self.bot(name)
        drawn = self.draw(streams.resume_at(streams.stream_states()), name, player, options)
        if isinstance(bot, RandomBot):
            return Thought(seat, question, name, bot, None, drawn)
        S = self._follow(answers)
        S = self._ask(S, player)
        assert self._observer is not None
        seen = make_observation(self.table, self._observer, S, player, bot, drawn)
        return Thought(seat, question, name, bot, seen, drawn)

    def _ask(self, S: Slots, player: int) -> Slots:
        """Where several choose at once, each is asked before anybody has answered."""
        wait = self.table.waits[S[PC]]
        assert isinstance(wait, DecisionWait)
        if wait.chooser(S) == player:
            return S
        asked = S.copy()
        asked[PLAYER] = player
        asked[OPTIONS] = wait.list_options(asked)
        return asked

    def _follow(self, answers: Sequence[int]) -> Slots:
        """The game as far as it has come; from its beginning where something was taken back."""
        if self._observer is None or list(answers[: len(self._followed)]) != self._followed:
            self._observer = Observer(self.table, tuple(seats_that_choose(self.table)), listens=True)
            self._slots, self._followed = self.table.new_slots(), []
            self._observer.run_to_question(self._slots)
        S, observer = self._slots, self._observer
        for number in answers[len(self._followed) :]:
            wait = self.table.waits[S[PC]]
            if isinstance(wait, ChanceWait):
                observer.apply_answer(S, wait, wait.outcome_at(S, number))
            else:
                observer.apply_answer(S, wait, S[OPTIONS][number])
            self._followed.append(number)
            observer.run_to_question(S)
        return S
