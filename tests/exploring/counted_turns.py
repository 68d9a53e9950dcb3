"""Small games of turns in plain Python, written from the rules and not from their files: all their positions, and what
they become when everybody moves on by as many seats. Seats count from 0 here.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

from tests.exploring.counted import Position, reachable

Hands = tuple[frozenset[Any], ...]


def moved_on(values: Sequence[Any], by: int) -> tuple[Any, ...]:
    """What belonged to a seat belongs to the one `by` seats further on."""
    return tuple(values[(seat - by) % len(values)] for seat in range(len(values)))


def dealt(hands: Hands, cards: Sequence[Any], size: int, others: frozenset[Any] = frozenset()) -> list[Hands]:
    """One more card, to the first seat that has not enough."""
    seat = next(at for at, hand in enumerate(hands) if len(hand) < size)
    left = [card for card in cards if card not in others and not any(card in hand for hand in hands)]
    return [(*hands[:seat], hands[seat] | {card}, *hands[seat + 1 :]) for card in left]


def without(hands: Hands, seat: int, card: Any) -> Hands:
    return (*hands[:seat], hands[seat] - {card}, *hands[seat + 1 :])


def is_dealt(hands: Hands, size: int) -> bool:
    return all(len(hand) == size for hand in hands)


# ---- Climb: one card each, from a beginner who is drawn; higher cards are laid, until two have passed


def climb(players: int, ranks: int, from_seat: int | None = None) -> dict[Position, list[Position]]:
    """What is asked, who began, the hands, the heap, how many have passed, whose turn it is."""
    cards = range(1, ranks + 1)
    nobody: Hands = (frozenset(),) * players

    def after(position: Position) -> list[Position]:
        stands, starter, hands, heap, passes, turn = position
        if stands == "lot":
            return [("deal", seat, hands, heap, passes, None) for seat in range(players)]
        if stands == "deal":
            several = dealt(hands, cards, 1)
            return [
                ("turn", starter, one, heap, passes, starter) if is_dealt(one, 1)
                else ("deal", starter, one, heap, passes, None) for one in several
            ]
        if stands == "over":
            return []
        following = (turn + 1) % players
        found: list[Position] = [
            ("turn", starter, without(hands, turn, card), (*heap, card), passes, following)
            for card in sorted(hands[turn]) if not heap or card > heap[-1]
        ]
        if passes == 1:
            return [*found, ("over", starter, hands, heap, 2, None)]
        return [*found, ("turn", starter, hands, heap, passes + 1, following)]

    first: Position = ("lot", None, nobody, (), 0, None)
    return reachable([first if from_seat is None else ("deal", from_seat, nobody, (), 0, None)], after)


def climb_alike_once_begun(position: Position, players: int) -> Position:
    """The least of what it becomes when all move on; who began is not asked for any more, and a deal is no turn."""
    stands, _, hands, heap, passes, turn = position
    if stands == "deal":
        return climb_moved_on(position, 0, players)
    return min(climb_moved_on((stands, None, hands, heap, passes, turn), by, players) for by in range(players))


def climb_moved_on(position: Position, by: int, players: int) -> Position:
    """As something that can be put in order. In the middle of a deal the cards stay where they are."""
    stands, starter, hands, heap, passes, turn = position
    rows = tuple(tuple(sorted(hand)) for hand in hands)
    begins, goes_on = (-1 if seat is None else (seat + by) % players for seat in (starter, turn))
    return stands, begins, rows if stands == "deal" else moved_on(rows, by), heap, passes, goes_on


# ---- Boasts: two rounds, the beginner moves on; one of them may boast, and wins with the highest card


def boasts(players: int, ranks: int) -> dict[Position, list[Position]]:
    """What is asked, the round, who begins it, the hands, how many had a turn, who has boasted, what each has won."""
    cards = range(1, ranks + 1)
    nobody: Hands = (frozenset(),) * players
    none: tuple[int, ...] = (0,) * players

    def after(position: Position) -> list[Position]:
        stands, number, starter, hands, had, boasted, wins = position
        if stands == "lot":
            return [("deal", 1, seat, nobody, 0, None, none) for seat in range(players)]
        if stands == "deal":
            several = dealt(hands, cards, 1)
            if len(several) == 1 and not is_dealt(several[0], 1):
                raise AssertionError("there is always one card left")
            found = [
                ("turn" if is_dealt(one, 1) else "deal", number, starter, one, 0, None, wins) for one in several
            ]
            sure: list[Position] = []
            for one in found:
                left = ranks - sum(len(hand) for hand in one[3])
                sure += after(one) if one[0] == "deal" and left == 1 else [one]
            return sure
        if stands == "over":
            return []
        turn = (starter + had) % players
        ways = [next_turn((number, starter, hands, had + 1, boasted, wins))]
        if boasted is None:
            ways.append(next_turn((number, starter, hands, had + 1, turn, wins)))
        return [one for several in ways for one in several]

    def next_turn(position: Position) -> list[Position]:
        number, starter, hands, had, boasted, wins = position
        if had < players:
            return [("turn", *position)]
        now = tuple(won + (boasted == seat and hands[seat] == {3}) for seat, won in enumerate(wins))
        if number == 2:
            return [("over", 2, starter, hands, 0, boasted, now)]
        return [("deal", 2, (starter + 1) % players, nobody, 0, None, now)]

    return reachable([("lot", 0, None, nobody, 0, None, none)], after)


def boasts_moved_on(position: Position, by: int, players: int) -> Position:
    stands, number, starter, hands, had, boasted, wins = position
    rows = tuple(tuple(sorted(hand)) for hand in hands)
    begins, speaks = (-1 if seat is None else (seat + by) % players for seat in (starter, boasted))
    return stands, number, begins, rows if stands == "deal" else moved_on(rows, by), had, speaks, moved_on(wins, by)


# ---- Bets: whoever is drawn bets or does not, until somebody has two chips


def bets(players: int) -> dict[Position, list[Position]]:
    """What is asked, who began, who was drawn last, the chips."""

    def after(position: Position) -> list[Position]:
        stands, starter, bettor, chips = position
        if stands == "begin":
            return [("lot", seat, bettor, chips) for seat in range(players)]
        if stands == "lot":
            return [("bet", starter, seat, chips) for seat in range(players)]
        if stands == "over":
            return []
        more = tuple(many + (seat == bettor) for seat, many in enumerate(chips))
        return [("over" if 2 in more else "lot", starter, bettor, more), ("lot", starter, None, chips)]

    return reachable([("begin", None, None, (1,) * players)], after)


def bets_reseated(position: Position, order: Sequence[int]) -> Position:
    stands, starter, bettor, chips = position
    found = [0] * len(chips)
    for seat, many in enumerate(chips):
        found[order[seat]] = many
    return stands, *(-1 if seat is None else order[seat] for seat in (starter, bettor)), tuple(found)


# ---- the small game of exchanging, see EXCHANGES in made.py, with a beginner who is drawn


def drawn_exchanges(players: int, colours: int, ranks: int) -> dict[Position, list[Position]]:
    """What is asked, who began, the hands of one card, the single card to exchange for, whose turn, passes."""
    cards = tuple(product(range(colours), range(1, ranks + 1)))
    nobody: Hands = (frozenset(),) * players

    def after(position: Position) -> list[Position]:
        stands, starter, hands, supply, turn, passes = position
        if stands == "lot":
            return [("deal", seat, hands, supply, None, 0) for seat in range(players)]
        if stands == "deal":
            if is_dealt(hands, 1):
                left = [card for card in cards if not any(card in hand for hand in hands)]
                return [("turn", starter, hands, frozenset((card,)), starter, 0) for card in left]
            return [("deal", starter, one, supply, None, 0) for one in dealt(hands, cards, 1)]
        if stands == "over":
            return []
        following = (turn + 1) % players
        changed = (*hands[:turn], supply, *hands[turn + 1 :])
        passed = (
            ("over", starter, hands, supply, None, 2) if passes == 1
            else ("turn", starter, hands, supply, following, 1)
        )
        return [("turn", starter, changed, hands[turn], following, passes), passed]

    return reachable([("lot", None, nobody, frozenset(), None, 0)], after)


def recoloured(position: Position, is_swapped: bool) -> Position:
    if not is_swapped:
        return position
    stands, starter, hands, supply, turn, passes = position
    cards = [frozenset((1 - colour, rank) for colour, rank in several) for several in (*hands, supply)]
    return stands, starter, tuple(cards[:-1]), cards[-1], turn, passes


def exchanges_moved_on(position: Position, by: int, players: int) -> Position:
    """In the middle of a deal to the seats the cards stay where they are; the deal to the table comes after it."""
    stands, starter, hands, supply, turn, passes = position
    begins, goes_on = (None if seat is None else (seat + by) % players for seat in (starter, turn))
    is_going_on = stands == "deal" and not is_dealt(hands, 1)
    return stands, begins, hands if is_going_on else moved_on(hands, by), supply, goes_on, passes
