"""Bots at the seats of a measured game: a table, a bot a seat and luck in, choices out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import define, field

from rulesrun.interpreter.bots.bot import Bot, RandomBot
from rulesrun.interpreter.bots.match import bot_of, make_observation, make_observer
from rulesrun.interpreter.bots.observer import Observer
from rulesrun.interpreter.measure.common_random_numbers import LuckSource
from rulesrun.interpreter.model.values import OPTIONS, Jump, Slots
from rulesrun.interpreter.reference.decisions import OptionKey
from rulesrun.interpreter.reference.table import Table


@define(eq=False)
class SeatedBots:
    """Of one game. A random player picks as in games where all do."""

    table: Table
    bots: Sequence[Bot]
    luck: LuckSource
    observer: Observer = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.observer = make_observer(self.table, self.bots)

    @property
    def steps(self) -> Sequence[Jump]:
        return self.observer.steps

    def choose_option(self, S: Slots, player: int, turn: int) -> OptionKey:
        bot = bot_of(self.bots, player)
        options: list[OptionKey] = S[OPTIONS]
        if isinstance(bot, RandomBot):
            return self.luck.pick_option(S, options, player, turn)
        return options[
            bot.choose(
                make_observation(self.table, self.observer, S, player, bot, self.luck.seed_for_bot(S, player, turn))
            )
        ]

    def apply_answer(self, S: Slots, wait: Any, value: Any) -> None:
        self.observer.apply_answer(S, wait, value)
