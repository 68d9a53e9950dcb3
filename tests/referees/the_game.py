"""The referee of `the_game.rules`."""

from __future__ import annotations

from tests.referees.common import Action, GameCard, Line, Pool, Table, fixed_seat, seats_from

CARD = GameCard(
    "the_game.rules",
    range(1, 6),
    {
        "first": ("team", "seat", 1, 2, 3, 4, 5),
        "fire": ("no", "yes"),
        "expert": ("no", "yes"),
        "expert_hand": ("no", "yes"),
        "fire_deadline": ("next_turn", "next_card"),
        "stuck_when": ("card", "minimum"),
    },
)
BURNING = {22, 33, 44, 55, 66, 77}
Rows = dict[str, int]


def fits(card: int, row: str, top: int) -> bool:
    """Further the way the row goes, or back by exactly ten."""
    return card > top or card == top - 10 if row.startswith("up") else card < top or card == top + 10


def can_lay(hand: set[int], rows: Rows, many: int) -> bool:
    """Whether so many cards can be laid one after the other."""
    return many == 0 or any(
        fits(card, row, top) and can_lay(hand - {card}, rows | {row: card}, many - 1)
        for card in hand
        for row, top in rows.items()
    )


class Game:
    def __init__(self, table: Table) -> None:
        self.table = table
        self.players, self.options = table.start(CARD)
        self.stock = Pool.of(str(number) for number in range(2, 100))
        self.rows: Rows = {"up1": 1, "up2": 1, "down1": 100, "down2": 100}
        self.burning: dict[str, int] = {}
        self.turns = 0
        size = {1: 8, 2: 7}.get(self.players, 6) - (self.options["expert_hand"] == "yes")
        self.hands = {
            seat: {int(table.draw(self.stock, seat)) for _ in range(size)} for seat in range(1, self.players + 1)
        }

    def play(self) -> None:
        seat, result = self.first(), None
        while result is None:
            result = self.turn(seat)
            seat = next((one for one in seats_from(seat, self.players)[1:] if self.hands[one]), seat)
        left = self.left()
        self.table.score([1], {seat: {"total": left} for seat in self.hands})
        self.table.end(dict.fromkeys(self.hands, left), [sorted(self.hands)], result)

    def first(self) -> int:
        if self.options["first"] != "team":
            return fixed_seat(self.options["first"])
        if self.players == 1:
            return 1
        legal = [{"action": "begin", "player": seat} for seat in self.hands]
        return int(self.table.decide(0, legal)["player"])

    def left(self) -> int:
        return len(self.stock) + sum(len(hand) for hand in self.hands.values())

    def minimum(self) -> int:
        if not len(self.stock):
            return 1
        return 3 if self.options["expert"] == "yes" else 2

    def turn(self, seat: int) -> str | None:
        """One turn; what the game came to when it ended in it."""
        hand, minimum, laid = self.hands[seat], self.minimum(), 0
        self.turns += 1
        if self.options["stuck_when"] == "minimum" and not can_lay(hand, self.rows, minimum):
            return self.ended()
        while True:
            legal = self.plays(hand) + ([{"action": "stop"}] if laid >= minimum else [])
            if not legal:
                return self.ended()
            chosen = self.table.decide(seat, legal)
            if chosen["action"] == "stop":
                return self.stop(seat, laid)
            laid += 1
            if not self.lay(hand, int(chosen["card"]), chosen["row"]):
                return "burnt"
            if not self.left():
                return "beaten"

    def plays(self, hand: set[int]) -> list[Action]:
        return [
            {"action": "play", "card": str(card), "row": row}
            for card in hand
            for row, top in self.rows.items()
            if fits(card, row, top)
        ]

    def lay(self, hand: set[int], card: int, row: str) -> bool:
        """Lay a card; False when a fire had to be covered by it and was not."""
        at_once = self.players == 1 or self.options["fire_deadline"] == "next_card"
        if at_once and any(one != row for one in self.burning):
            hand.remove(card)
            return False
        hand.remove(card)
        self.rows[row] = card
        self.burning.pop(row, None)
        if self.options["fire"] == "yes" and card in BURNING:
            self.burning[row] = self.turns
        return True

    def stop(self, seat: int, laid: int) -> str | None:
        """The end of a turn: fires of earlier turns must be out; then the hand is filled again."""
        at_once = self.players == 1 or self.options["fire_deadline"] == "next_card"
        if not at_once and any(turn < self.turns for turn in self.burning.values()):
            return "burnt"
        for _ in range(min(laid, len(self.stock))):
            self.hands[seat].add(int(self.table.draw(self.stock, seat)))
        return None

    def ended(self) -> str:
        return "excellent" if self.left() < 10 else "ended"


def referee(lines: list[Line]) -> None:
    """Raise AssertionError at the first line that the rules do not allow."""
    Game(Table(lines)).play()
