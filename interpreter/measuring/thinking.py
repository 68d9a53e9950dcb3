"""Bots at the seats of a measured game: a table, a bot a seat and streams of chance in, choices out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import define, field

from rulesrun.interpreter.bots.bot import Bot, RandomBot
from rulesrun.interpreter.bots.match import asked, bot_of
from rulesrun.interpreter.bots.observer import Observer
from rulesrun.interpreter.play import player_source
from rulesrun.interpreter.random import MASK, Streams
from rulesrun.interpreter.table import Table
from rulesrun.interpreter.values import OPTIONS, Jump, Slots


@define(eq=False)
class Thinking:
    """Of one game. A random player picks as in games where all do."""

    table: Table
    bots: Sequence[Bot]
    streams: Streams
    observer: Observer = field(init=False)

    def __attrs_post_init__(self) -> None:
        watched = [seat for seat in range(self.table.players + 1) if bot_of(self.bots, seat).looks]
        self.observer = Observer(self.table, tuple(watched))

    @property
    def steps(self) -> Sequence[Jump]:
        return self.observer.steps

    def choice(self, S: Slots, player: int) -> int:
        bot, source = bot_of(self.bots, player), player_source(player)
        if isinstance(bot, RandomBot):
            return self.streams.below(len(S[OPTIONS]), source)
        seed = self.streams.below(MASK, source)
        return bot.choose(asked(self.table, self.observer, S, player, bot, seed))

    def settle(self, S: Slots, wait: Any, value: Any) -> None:
        self.observer.settle(S, wait, value)
