"""The same games written by hand as plain Python loops: what the interpreter is measured against.

Each takes a number of games and a random generator, lists the legal choices at every decision as the
interpreter must, and gives the number of decisions.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def tic_tac_toe(games: int, chance: Random) -> int:
    decisions = 0
    for _ in range(games):
        board = [0] * 9
        player = 1
        while free := [square for square in range(9) if not board[square]]:
            board[chance.choice(free)] = player
            decisions += 1
            if any(board[a] == board[b] == board[c] == player for a, b, c in LINES):
                break
            player = 3 - player
    return decisions


def kuhn(games: int, chance: Random) -> int:
    decisions = 0
    for _ in range(games):
        hands = chance.sample(range(1, 4), 2)
        paid, bettor = [1, 1], -1
        for player in (0, 1):
            decisions += 1
            if chance.choice(("pass", "bet")) == "bet":
                paid[player], bettor = 2, player
                break
        if bettor >= 0:
            decisions += 1
            other = 1 - bettor
            if chance.choice(("fold", "call")) == "call":
                paid[other] = 2
                _ = sum(paid) if hands[0] > hands[1] else -paid[0]
    return decisions


def goofspiel(games: int, chance: Random, cards: int = 13) -> int:
    decisions = 0
    for _ in range(games):
        hands = [list(range(1, cards + 1)), list(range(1, cards + 1))]
        prizes = chance.sample(range(1, cards + 1), cards)
        points = [0, 0]
        for prize in prizes[:-1]:
            bids = [chance.choice(hand) for hand in hands]
            decisions += 2
            for hand, bid in zip(hands, bids, strict=True):
                hand.remove(bid)
            if bids[0] != bids[1]:
                points[bids[1] > bids[0]] += prize
    return decisions


def zero(games: int, chance: Random, players: int = 4) -> int:
    return sum(_zero_round(chance, players, starter % players) for _ in range(games) for starter in range(players))


def _zero_round(chance: Random, players: int, player: int) -> int:
    stock = chance.sample([(colour, rank) for colour in range(7) for rank in range(1, 9)], 56)
    hands = [sorted(stock[9 * seat : 9 * seat + 9]) for seat in range(players)]
    supply = sorted(stock[9 * players : 9 * players + 5])
    decisions = passes = 0
    last_turns = -1
    while last_turns != 0:
        hand = hands[player]
        options: list[tuple[tuple[int, int], tuple[int, int]] | None] = [
            (give, take) for give in hand for take in supply
        ]
        options.append(None)
        decisions += 1
        chosen = chance.choice(options)
        if chosen is None:
            passes += 1
        else:
            give, take = chosen
            hand.remove(give)
            supply.remove(take)
            hand.append(take)
            supply.append(give)
            hand.sort()
            supply.sort()
        if last_turns > 0:
            last_turns -= 1
        elif passes == 2:
            last_turns = players - 1
        player = (player + 1) % players
    return decisions


LOOPS: dict[str, Callable[[int, Random], int]] = {
    "classics/tic_tac_toe": tic_tac_toe,
    "classics/kuhn": kuhn,
    "classics/goofspiel": goofspiel,
    "zero": zero,
}
