"""The referee of `hourglass.rules`."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

from tests.referees.common import Action, GameCard, Line, Pool, Table, places_of, seats_from

CARD = GameCard(
    "hourglass.rules",
    range(2, 6),
    {
        "first": ("lot", "seat", 1, 2, 3, 4, 5),
        "two_decks": ("no", "yes"),
        "discard_when": ("all_three", "all_started"),
        "second_deck_start": ("next", "first"),
    },
)
ALL = [f"{colour}-{number}" for colour in ("red", "violet") for number in range(1, 26)]
ALL += [f"joker-{number}" for number in range(1, 26, 2)]


def parts(card: str) -> tuple[str, int]:
    colour, number = card.split("-")
    return colour, int(number)


def hourglasses(card: str) -> int:
    colour, number = parts(card)
    return {"red": number % 4, "violet": (number + 2) % 4, "joker": number // 2 % 4}[colour]


@dataclass
class Stand:
    """A set that has been started: whose it is, which way it goes, from the bottom card to the last one."""

    owner: int
    sign: str
    cards: list[str]

    def takes(self, card: str) -> bool:
        (colour, number), (last_colour, last) = parts(card), parts(self.cards[-1])
        jokers = (colour, last_colour).count("joker")
        if colour != last_colour and not jokers:
            return False
        if number == last:
            return jokers == 1
        return (number > last) == (self.sign == "+")


class Game:
    def __init__(self, table: Table) -> None:
        self.table = table
        self.players, self.options = table.start(CARD)
        two = self.options["two_decks"] == "yes"
        table.demand(not two or self.players == 5, "two decks with five players only", self.players)
        self.decks = 2 if two else 1
        self.refill = 5 if self.players == 2 else 4
        self.starter = table.first_seat(self.players, self.options["first"])
        self.first = self.starter
        self.rounds = 0
        self.total = dict.fromkeys(range(1, self.players + 1), 0)

    def play(self) -> None:
        for deck in range(1, self.decks + 1):
            if deck == 2 and self.options["second_deck_start"] == "first":
                self.starter = self.first
            self.play_deck(deck)
        self.table.end(self.total, places_of(self.total))

    def play_deck(self, deck: int) -> None:
        """Until the pile is used up; its points are told with the number of the counting or of the round."""
        self.pile = Pool.of(ALL)
        self.hands: dict[int, list[str]] = {seat: [] for seat in self.total}
        self.won = dict.fromkeys(self.total, 0)
        self.deal(2 + self.refill)
        while True:
            self.round()
            if len(self.pile) < self.players * self.refill:
                break
            self.deal(self.refill)
        for seat, won in self.won.items():
            self.total[seat] += won
        self.table.score({deck, self.rounds}, {seat: {"total": won} for seat, won in self.won.items()})

    def deal(self, many: int) -> None:
        for seat, _ in product(self.hands, range(many)):
            self.hands[seat].append(self.table.draw(self.pile, seat))

    def round(self) -> None:
        """Everyone lays all cards but two; then the sets are won and the start moves on."""
        self.stands: list[Stand] = []
        self.rounds += 1
        for _, seat in product(range(self.refill), seats_from(self.starter, self.players)):
            self.act(seat, self.table.decide(seat, self.legal(seat)))
        for stand in self.stands:
            self.won[stand.owner] += sum(map(hourglasses, stand.cards))
        self.starter = self.starter % self.players + 1

    def legal(self, seat: int) -> list[Action]:
        hand = self.hands[seat]
        all_own = bool(self.stands) and all(stand.owner == seat for stand in self.stands)
        if all_own and (len(self.stands) == 3 or self.options["discard_when"] == "all_started"):
            return [{"action": "discard", "card": card} for card in hand]
        actions: list[Action] = []
        if len(self.stands) < 3:
            actions += [{"action": "start", "sign": sign, "card": card} for sign in "+-" for card in hand]
        for number, stand in enumerate(self.stands, 1):
            if stand.owner != seat:
                actions += [{"action": "tuck", "set": number, "card": card} for card in hand]
                actions += [{"action": "capture", "set": number, "card": card} for card in hand if stand.takes(card)]
        return actions

    def act(self, seat: int, chosen: Action) -> None:
        card = chosen["card"]
        self.hands[seat].remove(card)
        match chosen["action"]:
            case "start":
                self.stands.append(Stand(seat, chosen["sign"], [card]))
            case "capture":
                stand = self.stands[chosen["set"] - 1]
                stand.cards.append(card)
                stand.owner = seat
            case "tuck":
                self.stands[chosen["set"] - 1].cards.insert(0, card)
            case "discard":
                self.pile.known.append(card)


def referee(lines: list[Line]) -> None:
    """Raise AssertionError at the first line that the rules do not allow."""
    Game(Table(lines)).play()
