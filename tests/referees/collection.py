"""The referee of `collection.rules`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.referees.common import Block, GameCard, Line, Pool, Table, place_index, places_of

CARD = GameCard(
    "collection.rules",
    range(2, 7),
    {
        "goals": ("none", "round", "fixed"),
        "goal_count": (1, 2, 3, 4, 5),
        "bonus_tiebreak": ("net", "positive"),
        "fixed_letters": ("free", "different"),
        "most_when_none": ("met", "needs_one"),
    },
)
COLOURS = ("orange", "blue", "green", "violet", "pink")
BONUSES = (0, 1, 0, -1, 0, 2, 0, -1, 0, 1, 0, -2)
LINES = ("collection", "bonus", "goals", "total")


def colour_of(number: int) -> str:
    return COLOURS[(number - 1) % 5]


def bonus_of(number: int) -> int:
    return BONUSES[((number - 1) // 5 + 3 * ((number - 1) % 5)) % 12]


@dataclass
class Seat:
    """One player: the hand, and the piles of the collection from left to right, each of one colour."""

    hand: set[int] = field(default_factory=set)
    piles: list[list[int]] = field(default_factory=list)
    rounds: list[int] = field(default_factory=list)
    bonuses: list[int] = field(default_factory=list)

    def gain(self, number: int) -> None:
        pile = self.pile(colour_of(number))
        if pile:
            pile.append(number)
        else:
            self.piles.append([number])

    def pile(self, colour: str) -> list[int]:
        return next((pile for pile in self.piles if colour_of(pile[0]) == colour), [])

    def count(self, colour: str) -> int:
        return len(self.pile(colour))

    def slot(self, colour: str) -> int:
        """Where the colour lies, counted from the left; −1 when it is not there."""
        return next((at for at, pile in enumerate(self.piles) if colour_of(pile[0]) == colour), -1)


@dataclass(frozen=True)
class View:
    """What a goal looks at: one collection, those of the others, the values under the piles, a reading."""

    own: Seat
    others: list[Seat]
    layout: list[int]
    needs_one: bool

    def count(self, colour: str) -> int:
        return self.own.count(colour)

    def most(self, colour: str) -> bool:
        own = self.count(colour)
        return all(own >= other.count(colour) for other in self.others) and (own > 0 or not self.needs_one)

    def lies_on(self, colour: str, values: tuple[int, ...]) -> bool:
        return self.count(colour) > 0 and self.layout[self.own.slot(colour)] in values

    def sizes(self) -> list[int]:
        return [len(pile) for pile in self.own.piles]


Test = Callable[[View], bool]
GOALS: dict[str, tuple[str, int, Test]] = {
    "orange_1_or_3": ("A", 3, lambda view: view.count("orange") in (1, 3)),
    "blue_2_or_4": ("B", 3, lambda view: view.count("blue") in (2, 4)),
    "green_last": ("C", 4, lambda view: view.count("green") > 0 and view.own.slot("green") == len(view.own.piles) - 1),
    "violet_at_least_orange": ("D", 3, lambda view: view.count("violet") >= max(1, view.count("orange"))),
    "fewest_pink": ("E", 4, lambda view: all(view.count("pink") <= other.count("pink") for other in view.others)),
    "orange_on_value": ("A", 4, lambda view: view.lies_on("orange", (4, 5))),
    "green_on_value": ("C", 4, lambda view: view.lies_on("green", (1, 2))),
    "five_colours": ("F", 4, lambda view: len(view.own.piles) == 5),
    "blue_most": ("B", 3, lambda view: view.count("blue") == max(view.sizes())),
    "most_pink": ("E", -3, lambda view: view.most("pink")),
    "most_violet": ("D", 4, lambda view: view.most("violet")),
    "three_colours": ("F", 5, lambda view: len(view.own.piles) == 3),
    "pile_of_three": ("G", 2, lambda view: 3 in view.sizes()),
    "pile_of_four": ("G", 5, lambda view: 4 in view.sizes()),
}


def letter(goal: str) -> str:
    return GOALS[goal][0]


class Game:
    def __init__(self, table: Table) -> None:
        self.table = table
        self.players, self.options = table.start(CARD)
        self.seats = {seat: Seat() for seat in range(1, self.players + 1)}
        self.stock = Pool.of(str(number) for number in range(1, 61))
        self.goal_pile = Pool.of(GOALS)
        self.row: list[int] = []
        self.layout: list[int] = []
        self.goals: list[str] = []
        self.check_options()

    def check_options(self) -> None:
        fixed, count = self.options["goals"] == "fixed", self.options["goal_count"]
        self.table.demand(not fixed or count >= 3, "3 to 5 goals for the whole game", count)

    def play(self) -> None:
        for number in (1, 2, 3):
            self.prepare(number)
            for _ in range(5 + number):
                self.turn()
            self.close(number)
        self.finish()

    def prepare(self, number: int) -> None:
        blocks: list[Block] = [
            ("the order of the collection cards", lambda line: len(outcome(line)) == 5, self.lay_out),
            ("number cards dealt", lambda line: is_number(line, to_a_seat=True), self.dealer(number)),
        ]
        if number == 1:
            blocks.insert(0, ("the centre row", lambda line: is_number(line, to_a_seat=False), self.open_row))
        if self.options["goals"] == "round" or (self.options["goals"] == "fixed" and number == 1):
            blocks.append(("goal cards", lambda line: str(outcome(line)[0]) in GOALS, self.open_goals))
        self.table.blocks(blocks)

    def lay_out(self) -> None:
        self.layout = self.table.order((1, 2, 3, 4, 5))

    def open_row(self) -> None:
        self.row = sorted(int(self.table.draw(self.stock)) for _ in self.seats)

    def dealer(self, number: int) -> Callable[[], None]:
        def deal() -> None:
            for seat, own in self.seats.items():
                own.hand |= {int(self.table.draw(self.stock, seat)) for _ in range(7 if number == 1 else 1)}

        return deal

    def open_goals(self) -> None:
        """New goals in place of the old ones, which stay out until the others run short of letters."""
        count, each_round = self.options["goal_count"], self.options["goals"] == "round"
        different = each_round or self.options["fixed_letters"] == "different"
        if each_round and len({letter(goal) for goal in self.goal_pile.odds()}) < count:
            self.goal_pile = Pool.of(GOALS)
        self.goals = []
        for _ in range(count):
            used = {letter(goal) for goal in self.goals} if different else set()
            self.goals.append(self.table.draw(self.goal_pile, fits=another_letter(used)))

    def turn(self) -> None:
        legal = {seat: [{"action": "play", "card": str(card)} for card in own.hand] for seat, own in self.seats.items()}
        chosen = {int(action["card"]): seat for seat, action in self.table.together(legal).items()}
        for taken, played in zip(self.row, sorted(chosen), strict=True):
            self.seats[chosen[played]].hand.remove(played)
            self.seats[chosen[played]].gain(taken)
        self.row = sorted(chosen)

    def close(self, number: int) -> None:
        """The last card is laid by itself, the collections are counted and become the new hands."""
        for own in self.seats.values():
            own.gain(own.hand.pop())
        sheets = {seat: self.count(seat) for seat in self.seats}
        self.table.score([number], sheets, LINES)
        for own in self.seats.values():
            own.hand = {card for pile in own.piles for card in pile}
            own.piles = []

    def count(self, seat: int) -> dict[str, int]:
        own = self.seats[seat]
        others = [other for one, other in self.seats.items() if one != seat]
        view = View(own, others, self.layout, self.options["most_when_none"] == "needs_one")
        bonuses = [bonus_of(card) for pile in own.piles for card in pile]
        goals = [GOALS[goal][1] for goal in self.goals if GOALS[goal][2](view)]
        collection = sum(value * size for value, size in zip(self.layout, view.sizes(), strict=False))
        total = collection + sum(bonuses) + sum(goals)
        own.rounds.append(total)
        own.bonuses += bonuses + goals
        return {"collection": collection, "bonus": sum(bonuses), "goals": sum(goals), "total": total}

    def finish(self) -> None:
        positive = self.options["bonus_tiebreak"] == "positive"
        keys: dict[int, Any] = {
            seat: (sum(own.rounds), own.rounds[2], sum(one for one in own.bonuses if one > 0 or not positive))
            for seat, own in self.seats.items()
        }
        self.table.end({seat: key[0] for seat, key in keys.items()}, places_of(keys))


def another_letter(used: set[str]) -> Callable[[str], bool]:
    return lambda goal: letter(goal) not in used


def outcome(line: Line) -> list[Any]:
    return list(line["outcome"]) if isinstance(line.get("outcome"), list) and line["outcome"] else [None]


def is_number(line: Line, to_a_seat: bool) -> bool:
    number = len(outcome(line)) == 1 and str(outcome(line)[0]).isdigit()
    return number and (place_index(line) is not None) == to_a_seat


def referee(lines: list[Line]) -> None:
    """Raise AssertionError at the first line that the rules do not allow."""
    Game(Table(lines)).play()
