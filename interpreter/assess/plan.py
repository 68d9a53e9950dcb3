"""How much is played: what a game is worth in work, and the work there is, in; who judges and how many games, out.

Work is counted in microseconds. `expect_prices` gives those of a usual machine, as choices and games of a search take
on average: the same everywhere, and right for an average game. `measure_prices` takes what the first games took here.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from rulesrun.interpreter.assess.played_games import PlayedGame

SEARCHES = (50, 100, 200, 400, 800, 1600, 3200)
ENOUGH = 800  # games that a judge should be able to play in all
PILOT = 6  # games of greedy players that count for nothing else
MOST, FEWEST = 2500, 12  # games of each player's own


@frozen
class Prices:
    """Of one decision, one that is thought about, and one game of a search."""

    decision: float
    thought: float
    search: float


NATIVE = Prices(150.0, 500.0, 3.5)
REFERENCE = Prices(150.0, 30_000.0, 700.0)


REFERENCE_STEP = 60.0  # to apply an option and look at what has come of it
DEALS, FEW = 6, 6  # that one step of thought looks at, and how many options it follows further


@frozen
class GamePrices:
    """What a game costs by players who look one step ahead, and by players who search, by games of their searches."""

    greedy: float
    beginning: float
    search: float

    def price_of(self, search: int) -> float:
        return self.beginning + search * self.search


@frozen
class GamesPlan:
    """`judge`: who plays; how many games of each kind."""

    judge: str
    games: int  # of judges alone
    again: int  # of these, how many are played again from each quarter
    deals: int  # around the table, against weaker players
    work_without: float  # for games in which somebody does without something
    price: float  # of a game of judges
    random_games: int


def price_of_game(pilot: Sequence[PlayedGame], prices: Prices, search: int) -> float:
    """Of a game of greedy players where `search` is 0."""
    games = max(len(pilot), 1)
    decisions = sum(one.decisions for one in pilot) / games
    thinking = sum(one.thinking for one in pilot) / games
    return 500 + decisions * prices.decision + thinking * (prices.thought + search * prices.search)


def expect_prices(pilot: Sequence[PlayedGame], prices: Prices) -> GamePrices:
    greedy, one = price_of_game(pilot, prices, 0), price_of_game(pilot, prices, 1)
    return GamePrices(greedy, greedy, one - greedy)


def measure_prices(expected: GamePrices, near: tuple[int, float], far: tuple[int, float] | None) -> GamePrices:
    """`near`, `far`: with how many games a choice was searched, and what a game took then. Where nobody searched
    further, a search that is twice as far takes twice as long: that is the most it can be."""
    search, price = near
    slope = price / search
    if far is not None and far[0] > search:
        slope = min(max((far[1] - price) / (far[0] - search), slope / search), slope)
    greedy = price * expected.greedy / expected.price_of(search)
    return GamePrices(greedy, max(price - slope * search, 0.0), slope)


def price_of_choices(options: Sequence[int], search: int) -> float:
    """Of choices with so many options each, on the reference: `search` games for each, or one step of thought."""
    near, far = REFERENCE_STEP * DEALS, 6 * REFERENCE_STEP * DEALS * 2 // 3
    if search:
        return sum(near * count + search * REFERENCE.search for count in options)
    return sum(near * count + far * min(count, FEW) for count in options)


def make_plan(
    prices: GamePrices, decision: float, random_pilot: Sequence[PlayedGame], work: float, players: int,
    searches: Sequence[int],
) -> GamesPlan:  # fmt: skip
    """The furthest of the searches that the work allows judges; who looks one step ahead, where it allows none.
    `decision`: the price of one at random."""
    fitting = [one for one in searches if prices.price_of(one) * ENOUGH <= work]
    judge = f"mcts:{fitting[-1]}" if fitting else "greedy"
    price = prices.price_of(fitting[-1]) if fitting else prices.greedy
    random_decisions = sum(one.decisions for one in random_pilot) / max(len(random_pilot), 1)
    random_price = 500 + random_decisions * decision
    whole = work / price
    return GamesPlan(
        judge,
        games=limit_games(0.42 * whole),
        again=limit_games(0.15 * whole / 2.5),
        deals=limit_games(0.2 * whole / players, MOST // players),
        work_without=0.2 * work,
        price=price,
        random_games=limit_games(0.08 * work / random_price),
    )


def limit_games(games: float, most: int = MOST) -> int:
    return max(min(int(games), most), FEWEST)
