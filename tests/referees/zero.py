"""The referee of `zero.rules`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import product

from tests.referees.common import Action, GameCard, Line, Pool, Table, place_index, places_of, seats_from

CARD = GameCard(
    "zero.rules",
    range(2, 6),
    {
        "first": ("lot", "seat", 1, 2, 3, 4, 5),
        "first_game": ("no", "yes"),
        "wrong_calls": ("no", "yes"),
        "zero_when": ("turn_or_exchange", "turn"),
    },
)
COLOURS = ("red", "orange", "yellow", "green", "blue", "violet", "pink")
ALL = [f"{colour}-{number}" for colour in COLOURS for number in range(1, 9)]
ZERO: Action = {"action": "zero"}


def groups(hand: Iterable[str]) -> tuple[Counter[str], Counter[str]]:
    pairs = [card.split("-") for card in hand]
    return Counter(colour for colour, _ in pairs), Counter(number for _, number in pairs)


def points(hand: Iterable[str]) -> int:
    """Cards of a group of five or more are worth nothing; of the others each number counts once."""
    cards = list(hand)
    colours, numbers = groups(cards)
    pairs = [card.split("-") for card in cards]
    return sum({int(number) for colour, number in pairs if colours[colour] < 5 and numbers[number] < 5})


def is_zero(hand: Iterable[str]) -> bool:
    """Five of one colour and five of one number, one card being both: nine cards."""
    cards = list(hand)
    colours, numbers = groups(cards)
    return any(colours[colour] >= 5 and numbers[number] >= 5 for colour, number in (card.split("-") for card in cards))


class Game:
    def __init__(self, table: Table) -> None:
        self.table = table
        self.players, self.options = table.start(CARD)
        self.wrong_calls = self.options["wrong_calls"] == "yes"
        self.after_exchange = self.options["zero_when"] == "turn_or_exchange"
        self.first = table.first_seat(self.players, self.options["first"])
        self.total = dict.fromkeys(range(1, self.players + 1), 0)

    def play(self) -> None:
        for number, starter in enumerate(seats_from(self.first, self.players), 1):
            self.prepare()
            self.round(starter)
            scores = {seat: points(hand) for seat, hand in self.hands.items()}
            for seat, score in scores.items():
                self.total[seat] += score
            self.table.score([number], {seat: {"total": score} for seat, score in scores.items()})
        self.table.end(self.total, places_of({seat: -total for seat, total in self.total.items()}))

    def prepare(self) -> None:
        self.stock = Pool.of(ALL)
        self.hands: dict[int, list[str]] = {seat: [] for seat in self.total}
        self.supply: list[str] = []
        self.passes = 0
        self.table.blocks(
            [
                ("cards dealt", lambda line: place_index(line) is not None, self.deal),
                ("the supply", lambda line: place_index(line) is None, self.lay_out),
            ]
        )

    def deal(self) -> None:
        for seat, _ in product(self.hands, range(9)):
            self.hands[seat].append(self.table.draw(self.stock, seat))

    def lay_out(self) -> None:
        many = 9 if self.players == 2 else 7 if self.options["first_game"] == "yes" else 5
        self.supply += [self.table.draw(self.stock) for _ in range(many)]

    def round(self, starter: int) -> None:
        """Turns until the second pass, then one more for everyone else, unless a combination ends the round."""
        seat = starter
        while not self.turn(seat):
            if self.passes == 2:
                break
            seat = seat % self.players + 1
        else:
            return
        for other in seats_from(seat, self.players)[1:]:
            if self.turn(other):
                return

    def turn(self, seat: int) -> bool:
        """One turn; True when it ended the round."""
        hand, called = self.hands[seat], False
        while True:
            legal = [*self.exchanges(hand), {"action": "pass"}]
            if not called and (self.wrong_calls or is_zero(hand)):
                legal.append(ZERO)
            chosen = self.table.decide(seat, legal)
            if chosen["action"] != "zero":
                break
            if is_zero(hand):
                return True
            called = True
        if chosen["action"] == "pass":
            self.passes += 1
            return False
        self.exchange(hand, chosen)
        return self.call_after_exchange(seat, called)

    def exchanges(self, hand: list[str]) -> list[Action]:
        return [{"action": "exchange", "give": give, "take": take} for give in hand for take in self.supply]

    def exchange(self, hand: list[str], chosen: Action) -> None:
        hand[hand.index(chosen["give"])] = chosen["take"]
        self.supply[self.supply.index(chosen["take"])] = chosen["give"]

    def call_after_exchange(self, seat: int, called: bool) -> bool:
        if not self.after_exchange or called or not (self.wrong_calls or is_zero(self.hands[seat])):
            return False
        chosen = self.table.decide(seat, [ZERO, {"action": "decline"}])
        return chosen["action"] == "zero" and is_zero(self.hands[seat])


def referee(lines: list[Line]) -> None:
    """Raise AssertionError at the first line that the rules do not allow."""
    Game(Table(lines)).play()
