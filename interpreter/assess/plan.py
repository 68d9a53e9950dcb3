"""How much is played: what a game is worth in work, and the work there is, in; who judges and how many games, out.

Work is counted in microseconds of a usual machine, as choices and games of a search take on average; never measured.
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


def price_of_choices(options: Sequence[int], search: int) -> float:
    """Of choices with so many options each, on the reference: `search` games for each, or one step of thought."""
    near, far = REFERENCE_STEP * DEALS, 6 * REFERENCE_STEP * DEALS * 2 // 3
    if search:
        return sum(near * count + search * REFERENCE.search for count in options)
    return sum(near * count + far * min(count, FEW) for count in options)


def make_plan(
    pilot: Sequence[PlayedGame], random_pilot: Sequence[PlayedGame], prices: Prices, work: float, players: int,
    solution: bool,
) -> GamesPlan:  # fmt: skip
    greedy = price_of_game(pilot, prices, 0)
    if solution:
        judge, price = "solution", 3 * price_of_game(pilot, prices, 0)
    else:
        fitting = [one for one in SEARCHES if price_of_game(pilot, prices, one) * ENOUGH <= work]
        judge = f"mcts:{fitting[-1]}" if fitting else "greedy"
        price = price_of_game(pilot, prices, fitting[-1]) if fitting else greedy
    random_decisions = sum(one.decisions for one in random_pilot) / max(len(random_pilot), 1)
    random_price = 500 + random_decisions * prices.decision
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
