"""Intervals that hold at every look: however a run is stopped, by its figures, its clock, or its precision.

The games of good players are played once. They are the whole population, of which all is known: runs draw from them.
"""

from __future__ import annotations

from bisect import bisect
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from itertools import accumulate
from random import Random

import pytest

from benchmarks.sequential import sequential_interval
from rulesrun.interpreter.assess.intervals import estimate_share_of_wins
from rulesrun.interpreter.bots.bot import Bot, RandomBot
from rulesrun.interpreter.bots.deliberation import Think
from rulesrun.interpreter.bots.greedy import GreedyBot
from rulesrun.interpreter.bots.match import play_match
from rulesrun.interpreter.bots.mcts import MctsBot
from rulesrun.interpreter.model.random import Streams
from rulesrun.interpreter.play.properties import wilson_interval
from rulesrun.run.bot_engines import make_think
from tests.bots.tables import table_of

Deal = tuple[float, int]  # what one player among others won, going round the table; how many decisions that took
RUNS = 2000


def make_greedy(think: Think) -> Bot:
    return GreedyBot(think=think)


def make_search(think: Think) -> Bot:
    return MctsBot(30, think=think)


def make_random(think: Think) -> Bot:
    return RandomBot()


FAIR = (0.935, 0.965)
GAMES: dict[str, tuple[str, Callable[[Think], Bot], Callable[[Think], Bot]]] = {
    "greedy among random players in Kuhn poker": ("classics/kuhn", make_greedy, make_random),
    "search among greedy players in pig": ("classics/pig", make_search, make_greedy),
    "greedy among random players in tic-tac-toe": ("classics/tic_tac_toe", make_greedy, make_random),
}


@cache
def all_deals(name: str, deals: int) -> list[Deal]:
    rules, player, against = GAMES[name]
    table, found = table_of(rules), list[Deal]()
    think = make_think(table)
    one, others = player(think), against(think)
    for deal in range(deals):
        games = [
            play_match(table, [one if at == seat else others for at in range(2)], Streams(9, deal))
            for seat in range(2)
        ]
        won = sum(game.win_share(seat + 1) for seat, game in enumerate(games)) / 2
        found.append((won, sum(game.decisions for game in games)))
    return found


def draw(deals: Sequence[Deal], chance: Random, most: int) -> list[Deal]:
    return chance.choices(deals, k=most)


def stop_by_clock(played: Sequence[Deal], decisions: int) -> list[float]:
    """What is over when so many decisions have been made; the deal at hand is left out."""
    times = list(accumulate(length for _, length in played))
    return [won for won, _ in played[: bisect(times, decisions)]]


def test_an_interval_of_few_deals() -> None:
    """Twenty wins of twenty are clear of an even share; it is wider than one for a number fixed before."""
    low, high = sequential_interval({1.0: 20})
    assert low > 0.5
    assert high == pytest.approx(1.0, abs=1e-5)
    low, high = sequential_interval({1.0: 50, 0.0: 50})
    fixed = wilson_interval(50, 100)
    assert low < fixed[0] < 0.5 < fixed[1] < high
    assert low + high == pytest.approx(1.0, abs=1e-5)


def test_nothing_is_known_of_nothing() -> None:
    low, high = sequential_interval({})
    assert (low, high) == pytest.approx((0.0, 1.0), abs=1e-5)


def ever_wrong(share: float, runs: int, most: int) -> float:
    """In which part of the runs the share lay outside at any deal at all: what no rule of stopping can exceed."""
    chance, wrong = Random(3), 0
    for _ in range(runs):
        deals: Counter[float] = Counter()
        for _ in range(most):
            deals[float(chance.random() < share)] += 1
            low, high = sequential_interval(deals)
            if not low <= share <= high:
                wrong += 1
                break
    return wrong / runs


def test_whoever_stops_where_it_suits_them_is_seldom_wrong() -> None:
    """Fixed intervals, looked at after every deal, would be wrong in some three runs of ten."""
    assert ever_wrong(0.5, 40, 40) <= 0.15


@pytest.mark.long
@pytest.mark.parametrize("share", [0.25, 0.5, 0.8])
def test_whoever_stops_where_it_suits_them_is_seldom_wrong_long(share: float) -> None:
    assert ever_wrong(share, 200, 100) <= 0.09


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
def test_stopping_as_soon_as_it_is_clear_keeps_the_coverage(name: str) -> None:
    """At least 95 of 100 hold the truth, for they hold at every look."""
    deals, chance, hits = all_deals(name, 400), Random(5), 0
    truth = sum(won for won, _ in deals) / len(deals)
    for _ in range(RUNS // 4):
        played: Counter[float] = Counter()
        for at, (won, _) in enumerate(draw(deals, chance, 200)):
            played[won] += 1
            low, high = sequential_interval(played) if at % 10 == 9 else (0.0, 1.0)
            if low > 0.5 or high < 0.5:
                break
        low, high = sequential_interval(played)
        hits += low <= truth <= high
    assert hits / (RUNS // 4) >= FAIR[0]


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
def test_the_clock_keeps_the_coverage(name: str) -> None:
    """Games of one who wins may be shorter; all the same the interval of what is over holds the truth as it says."""
    deals, chance, hits = all_deals(name, 400), Random(7), 0
    truth = sum(won for won, _ in deals) / len(deals)
    time = 100 * sum(length for _, length in deals) // len(deals)
    for _ in range(RUNS):
        found = estimate_share_of_wins(stop_by_clock(draw(deals, chance, 200), time))
        assert found.low is not None
        assert found.high is not None
        hits += found.low <= truth <= found.high
    assert FAIR[0] <= hits / RUNS <= FAIR[1]


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
def test_a_precision_keeps_the_coverage(name: str) -> None:
    """Looked at after 60 deals, then after an eighth more each time, until the interval is narrow enough."""
    deals, chance, hits, ends = all_deals(name, 400), Random(11), 0, Counter[int]()
    truth = sum(won for won, _ in deals) / len(deals)
    usual = estimate_share_of_wins([won for won, _ in deals[:120]])
    for _ in range(RUNS):
        played, many = draw(deals, chance, 600), 60
        while True:
            found = estimate_share_of_wins([won for won, _ in played[:many]])
            assert found.low is not None
            assert found.high is not None
            if found.half_width <= usual.half_width or many >= 500:
                break
            many += many // 8
        ends[many] += 1
        hits += found.low <= truth <= found.high
    assert len(ends) > 1
    assert FAIR[0] <= hits / RUNS <= FAIR[1]
