"""Who chooses at the same moment as others thinks alike at every seat: to be asked first is no advantage.

The expectations are worked out by hand.
"""

from __future__ import annotations

import pytest

from rulesrun.interpreter.bots.bot import Bot
from rulesrun.interpreter.bots.deliberation import Think
from rulesrun.interpreter.bots.greedy import GreedyBot
from rulesrun.interpreter.bots.match import play_match
from rulesrun.interpreter.bots.mcts import MctsBot
from rulesrun.interpreter.bots.observation import Observation
from rulesrun.interpreter.bots.observer import Observer
from rulesrun.interpreter.bots.tree_search import think_by_reference
from rulesrun.interpreter.model.random import Streams
from rulesrun.interpreter.model.values import Slots
from rulesrun.interpreter.reference.table import Table
from tests.assessing.known_games import PLAIN_SKILL
from tests.bots.tables import table_of, watch
from tests.interpreter.made import table

# Who takes 3 loses to everybody: ten points to who takes 2, a point to who takes 1. And 1 wins a point from 2. Against
# somebody who takes anything, 2 is best: it wins ten points one time of three, and loses one. Nobody who thinks takes
# 3, and so 1 is best.
BAIT = """
number taken of player: 0..3 = 0
phase play
  all choose take
action take(amount in 1..3)
  taken becomes amount
score at end
  caught = if taken = 2 then 10 * (sum of 1 over o in opponents where taken of o = 3) else 0
  spared = if taken = 1 then (sum of 1 over o in opponents where taken of o > 1) else 0
  lost = if taken = 3 then 0 - 10 * (sum of 1 over o in opponents where taken of o = 2) else 0
  paid = if taken > 1 then 0 - (sum of 1 over o in opponents where taken of o = 1) else 0
"""


def engines(made: Table) -> list[Think]:
    found: list[Think] = [think_by_reference]
    try:
        from rulesrun.interpreter.native.think.thinking import compile_mind
    except ImportError:
        return found
    return [*found, compile_mind(made).start_thought]


def choices(made: Table, bot: Bot, seeds: int) -> dict[int, list[int]]:
    """By seat, what is chosen at the first moment."""
    found: dict[int, list[int]] = {}

    def visit(observer: Observer, S: Slots, player: int) -> None:
        if player not in found:
            for seed in range(seeds):
                seen: Observation = observer.make_observation(S, player, seed)
                found.setdefault(player, []).append(seen.options[bot.choose(seen)][1])

    watch(made, 1, visit, made.players)
    return found


@pytest.mark.parametrize("players", [2, 3])
def test_every_seat_sees_at_once_what_is_best_whatever_others_do(players: int) -> None:
    """The highest number wins, or shares the win. A lower one looks as good on deals where others take a low one, so
    it must be compared on the same deals."""
    made = table(PLAIN_SKILL.split("players 2\n")[1].split("ranking")[0], players=players)
    for think in engines(made):
        found = choices(made, GreedyBot(think=think), 300 if think is not think_by_reference else 30)
        assert {seat: set(values) for seat, values in found.items()} == {seat: {3} for seat in range(1, players + 1)}


def test_every_seat_takes_others_at_the_same_moment_for_players_who_think() -> None:
    made = table(BAIT, players=2)
    for think in engines(made):
        found = choices(made, MctsBot(400, think=think), 12)
        assert {seat: set(values) for seat, values in found.items()} == {1: {1}, 2: {1}}


@pytest.mark.long
@pytest.mark.parametrize(("games", "players"), [(200, 2), (50, 3)])
def test_no_seat_is_better_where_all_choose_at_once(games: int, players: int) -> None:
    """Goofspiel; four standard errors of so many games."""
    made = table_of("classics/goofspiel", players)
    bot = MctsBot(games, think=engines(made)[-1])
    deals = 1200
    won = [play_match(made, [bot] * players, Streams(5, number)).win_share(1) for number in range(deals)]
    mean = sum(won) / deals
    spread = (sum((one - mean) ** 2 for one in won) / deals) ** 0.5
    assert abs(mean - 1 / players) < 4 * spread / deals**0.5
