"""The positions of small games, gone through in plain Python, written from the rules and not from their files."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import permutations
from pathlib import Path
from typing import Any

Position = Any


Following = Callable[[Any], list[Position]]


def reachable(starts: Iterable[Position], following: Following) -> dict[Position, list[Position]]:
    """Each position that can be reached, with what follows it (doubles kept)."""
    found: dict[Position, list[Position]] = {}
    waiting = list(starts)
    while waiting:
        one = waiting.pop()
        if one not in found:
            found[one] = following(one)
            waiting.extend(found[one])
    return found


# ---- tic-tac-toe: the board alone is the position

GAMES = Path(__file__).resolve().parents[2] / "games"
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def after_mark(board: tuple[int, ...]) -> list[Position]:
    if any(board[a] and board[a] == board[b] == board[c] for a, b, c in LINES):
        return []
    turn = 1 if board.count(1) == board.count(2) else 2
    return [(*board[:at], turn, *board[at + 1 :]) for at in range(9) if not board[at]]


def tic_tac_toe() -> dict[Position, list[Position]]:
    return reachable([(0,) * 9], after_mark)


def images_of_board(board: tuple[int, ...]) -> set[tuple[int, ...]]:
    """Turned and mirrored in all eight ways."""
    found, one = set(), board
    for _ in range(4):
        one = tuple(one[3 * (2 - at % 3) + at // 3] for at in range(9))
        found |= {one, tuple(one[3 * (at // 3) + 2 - at % 3] for at in range(9))}
    return found


# ---- Nim: the heaps, whose turn it is, who took last


def nim(heaps: tuple[int, ...]) -> dict[Position, list[Position]]:
    def after_take(position: tuple[tuple[int, ...], int]) -> list[Position]:
        left, player = position
        return [
            ((*left[:at], heap - amount, *left[at + 1 :]), 3 - player)
            for at, heap in enumerate(left)
            for amount in range(1, heap + 1)
        ]

    return reachable([(heaps, 1)], after_take)


# ---- Kuhn poker: cards, what has been done; a position while the cards are dealt, too


def kuhn() -> dict[Position, list[Position]]:
    over = {"pp", "pbf", "pbc", "bf", "bc"}

    def after(position: tuple[tuple[int, ...], str]) -> list[Position]:
        cards, done = position
        if len(cards) < 2:
            return [((*cards, card), "") for card in (1, 2, 3) if card not in cards]
        if done in over:
            return []
        return [(cards, done + one) for one in ("fc" if done.endswith("b") else "pb")]

    return reachable([((), "")], after)


# ---- Leduc: what is paid and who is to move is all that the past leaves behind


def leduc() -> dict[Position, list[Position]]:
    ranks = (11, 11, 12, 12, 13, 13)

    def left(cards: tuple[int, ...]) -> list[int]:
        pool = list(ranks)
        for card in cards:
            pool.remove(card)
        return sorted(set(pool))

    # cards dealt (two hands, then the board), round, paid by each, to move, raises, agreed, folded
    def after(position: Position) -> list[Position]:
        cards, number, paid, turn, raises, agreed, folded = position
        if number == 0:
            more = [(*cards, card) for card in left(cards)]
            return [(one, 1 if len(one) == 2 else 0, paid, turn, raises, agreed, folded) for one in more]
        if number == 2 and len(cards) == 2:
            return [((*cards, card), 2, paid, turn, raises, agreed, folded) for card in left(cards)]
        if folded or number == 3:
            return []
        return list(betting(position))

    def betting(position: Position) -> Iterable[Position]:
        cards, number, paid, turn, raises, agreed, _ = position
        stake = max(paid)
        at = turn - 1
        other = 3 - turn

        def pays(amount: int) -> tuple[int, int]:
            return (amount, paid[1]) if at == 0 else (paid[0], amount)

        if paid[at] < stake:
            yield (cards, number, paid, turn, raises, agreed, turn)
        if agreed + 1 == 2:
            raised = (raises, 2) if number == 2 else (0, 0)
            yield (cards, number + 1, pays(stake), 1, *raised, 0)
        else:
            yield (cards, number, pays(stake), other, raises, agreed + 1, 0)
        if raises < 2:
            yield (cards, number, pays(stake + 2 * number), other, raises + 1, 1, 0)

    return reachable([((), 0, (1, 1), 1, 0, 0, 0)], after)


# ---- Goofspiel with prizes in random order, the last cards played by themselves


def goofspiel(cards: int) -> dict[Position, list[Position]]:
    """A prize lies open or not; both hands, who won which prizes, which were lost; played cards are the rest."""
    every = frozenset(range(1, cards + 1))
    Taken = tuple[frozenset[int], frozenset[int], frozenset[int]]

    def award(prize: int, one: int, other: int, taken: Taken) -> Taken:
        found = list(taken)
        at = 2 if one == other else 0 if one > other else 1
        found[at] = found[at] | {prize}
        return (found[0], found[1], found[2])

    def open_prize(hands: tuple[frozenset[int], frozenset[int]], taken: Taken) -> list[Position]:
        left = sorted(every - taken[0] - taken[1] - taken[2])
        found: list[Position] = []
        for prize in left:
            if len(left) == 1:
                ((one,), (other,)) = hands
                found.append((None, (frozenset(), frozenset()), award(prize, one, other, taken)))
            else:
                found.append((prize, hands, taken))
        return found

    def after(position: Position) -> list[Position]:
        prize, hands, taken = position
        if prize is None:
            return open_prize(hands, taken) if hands[0] else []
        found: list[Position] = []
        for one in hands[0]:
            for other in hands[1]:
                left = (hands[0] - {one}, hands[1] - {other})
                now = award(prize, one, other, taken)
                certain = open_prize(left, now) if len(left[0]) == 1 else []
                found.append(certain[0] if certain else (None, left, now))
        return found

    nothing: Taken = (frozenset(), frozenset(), frozenset())
    return reachable([(None, (every, every), nothing)], after)


# ---- a small game of exchanging, see EXCHANGES in made.py


def exchanges(colours: int, ranks: int, hand: int, supply: int) -> dict[Position, list[Position]]:
    """Cards dealt one by one to player 1, player 2, the supply; then exchanges until two passes in all."""
    every = frozenset((colour, rank) for colour in range(colours) for rank in range(ranks))
    sizes = (hand, hand, supply)

    def after(position: Position) -> list[Position]:
        places, turn, passes = position
        missing = next((at for at in range(3) if len(places[at]) < sizes[at]), None)
        if missing is not None:
            return [
                (tuple(one | {card} if at == missing else one for at, one in enumerate(places)), turn, passes)
                for card in every.difference(*places)
            ]
        if passes == 2:
            return []
        found: list[Position] = [(places, 1 if passes else 3 - turn, passes + 1)]
        for give in places[turn - 1]:
            for take in places[2]:
                now = list(places)
                now[turn - 1] = now[turn - 1] - {give} | {take}
                now[2] = now[2] - {take} | {give}
                found.append((tuple(now), 3 - turn, passes))
        return found

    return reachable([((frozenset(), frozenset(), frozenset()), 1, 0)], after)


def up_to_colours(positions: Iterable[Position], colours: int) -> int:
    """How many are left when positions that an exchange of colours makes of each other are one."""
    left = set(positions)
    found = 0
    while left:
        places, turn, passes = left.pop()
        found += 1
        for order in permutations(range(colours)):
            image = tuple(frozenset((order[colour], rank) for colour, rank in place) for place in places)
            left.discard((image, turn, passes))
    return found


# ---- a small Zero: one round of two players


def zero(colours: int, ranks: int, *, wrong_calls: bool, notes_deals: bool) -> dict[Position, list[Position]]:
    """Hands of three, two cards in the supply; two of a colour and two of a number are a Zero.

    A position: where the turn stands, the two hands and the supply, whose turn, passes and who passed last, whether
    an exchange was made and a call in this turn, whether these are the last turns, whether a Zero was dealt.
    """
    every = frozenset((colour, rank) for colour in range(colours) for rank in range(ranks))
    sizes = (3, 3, 2)

    def complete(hand: frozenset[tuple[int, int]]) -> bool:
        return all(len({card[at] for card in hand}) < len(hand) for at in (0, 1))

    def after(position: Position) -> list[Position]:
        stands, places = position[0], position[1]
        if stands == "deal":
            return dealing(places)
        if stands == "over":
            return []
        hand = places[position[2] - 1]
        found: list[Position] = []
        if stands != "offer":
            found += [exchange(position, give, take) for give in hand for take in places[2]]
            found.append(pass_on(position))
        else:
            found.append(turn_over(position))
        if stands == "offer" or (stands == "turn" and (complete(hand) or wrong_calls)):
            found.append(call(position, complete(hand)))
        return found

    def dealing(places: tuple[frozenset[tuple[int, int]], ...]) -> list[Position]:
        missing = next(at for at in range(3) if len(places[at]) < sizes[at])
        left = every.difference(*places)
        found: list[Position] = []
        for card in left:
            now = tuple(one | {card} if at == missing else one for at, one in enumerate(places))
            if len(now[2]) < sizes[2]:
                only_one = len(left) == 2
                found += dealing(now) if only_one else [("deal", now)]
            else:
                noted = notes_deals and (complete(now[0]) or complete(now[1]))
                found.append(("turn", now, 1, 0, None, False, False, False, noted))
        return found

    def exchange(position: Position, give: tuple[int, int], take: tuple[int, int]) -> Position:
        _, places, turn, passes, passer, _, called, last, noted = position
        hands = list(places)
        hands[turn - 1] = hands[turn - 1] - {give} | {take}
        hands[2] = hands[2] - {take} | {give}
        now = ("offer", tuple(hands), turn, passes, passer, True, called, last, noted)
        is_offered = not called and (complete(hands[turn - 1]) or wrong_calls)
        return now if is_offered else turn_over(now)

    def pass_on(position: Position) -> Position:
        stands, places, turn, passes, passer, exchanged, called, last, noted = position
        if not last:
            passes, passer = passes + 1, turn
        return turn_over((stands, places, turn, passes, passer, exchanged, called, last, noted))

    def call(position: Position, is_right: bool) -> Position:
        stands, places, turn, passes, passer, exchanged, _, last, noted = position
        now = (stands, places, turn, passes, passer, exchanged, True, last, noted)
        if is_right:
            return ("over", *now[1:])
        return turn_over(now) if stands == "offer" else ("called", *now[1:])

    def turn_over(position: Position) -> Position:
        _, places, turn, passes, passer, _, _, last, noted = position
        if last:  # the turns are over: `player` is whoever it was before them, player 1
            return ("over", places, 1, *position[3:])
        following = 3 - passer if passes == 2 else 3 - turn
        return ("turn", places, following, passes, passer, False, False, passes == 2, noted)

    return reachable([("deal", (frozenset(), frozenset(), frozenset()))], after)


def zero_up_to_colours(positions: Iterable[Position], colours: int) -> int:
    left = set(positions)
    found = 0
    while left:
        stands, places, *others = left.pop()
        found += 1
        for order in permutations(range(colours)):
            image = tuple(frozenset((order[colour], rank) for colour, rank in place) for place in places)
            left.discard((stands, image, *others))
    return found
