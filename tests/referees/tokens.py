"""The referee of `tokens.rules`."""

from __future__ import annotations

from collections import Counter

from tests.referees.common import Action, GameCard, Line, Pool, Table, places_of, seats_from

CARD = GameCard(
    "tokens.rules",
    range(2, 5),
    {
        "first": ("lot", "seat", 1, 2, 3, 4),
        "matches": range(1, 1000),
        "excess_back": ("turn_end", "each_bonus"),
        "endless": ("third_time", "plays_on"),
    },
)
COLOURS = ("blue", "green", "orange", "red", "violet", "yellow")
Counts = tuple[int, ...]


def counts(tokens: Counter[str]) -> Counts:
    return tuple(tokens[colour] for colour in COLOURS)


class Match:
    """One match, from the full reserve to the comparison of the collections."""

    def __init__(self, table: Table, players: int, each_bonus: bool, plays_on: bool) -> None:
        self.table = table
        self.players = players
        self.line = 5 if players == 4 else 7
        self.each_bonus, self.plays_on = each_bonus, plays_on
        self.reserve = Pool.of(colour for colour in COLOURS for _ in range(21))
        self.centre: Counter[str] = Counter()
        self.collections: dict[int, Counter[str]] = {seat: Counter() for seat in range(1, players + 1)}
        self.bonuses: dict[int, set[str]] = {seat: set() for seat in range(1, players + 1)}
        self.seen: Counter[tuple[Counts, ...]] = Counter()
        self.passed: set[int] = set()
        self.over = False

    def play(self, seat: int) -> dict[int, Counts]:
        """The match; for each player the sizes of the lines, the shortest first."""
        while not self.over:
            self.whole_turn(seat)
            seat = seat % self.players + 1
        return {one: self.comparison(one) for one in self.collections}

    def comparison(self, seat: int) -> Counts:
        return tuple(sorted(min(self.collections[seat][colour], self.line) for colour in COLOURS))

    def whole_turn(self, seat: int) -> None:
        """An ordinary turn and the bonus turns that it brings."""
        self.fill()
        if not self.plays_on and self.third_time(seat):
            self.over = True
            return
        owed = self.one_turn(seat)
        while owed and not self.over:
            if self.each_bonus:
                self.give_back(seat)
            self.fill()
            owed += self.one_turn(seat) - 1
        if not self.over:
            self.give_back(seat)

    def third_time(self, seat: int) -> bool:
        position = (
            counts(self.reserve.unknown),
            counts(self.centre),
            *(counts(tokens) for tokens in self.collections.values()),
            (seat,),
        )
        self.seen[position] += 1
        return self.seen[position] == 3

    def fill(self) -> None:
        while self.centre.total() < 3 and len(self.reserve):
            self.centre[self.table.draw(self.reserve)] += 1

    def give_back(self, seat: int) -> None:
        own = self.collections[seat]
        for colour in COLOURS:
            above = max(0, own[colour] - self.line)
            own[colour] -= above
            self.reserve.unknown[colour] += above

    def one_turn(self, seat: int) -> int:
        """A turn after the centre has been filled; how many bonus turns it earned."""
        legal: list[Action] = [{"action": "reveal"}] if len(self.reserve) else []
        own = counts(self.collections[seat])
        fewest = [colour for colour, many in zip(COLOURS, own, strict=True) if many == min(own)]
        if len(fewest) == 1 and self.centre[fewest[0]]:
            legal.append({"action": "alternative", "colour": fewest[0]})
        chosen = self.table.decide(seat, legal or [{"action": "pass"}])
        if chosen["action"] == "pass":
            self.pass_by(seat)
            return 0
        self.passed.clear()
        if chosen["action"] == "alternative":
            self.centre[fewest[0]] -= 1
            return self.collect(seat, Counter(fewest))
        return self.reveal_on(seat)

    def pass_by(self, seat: int) -> None:
        self.give_back(seat)
        self.passed.add(seat)
        self.over = len(self.passed) == self.players and not len(self.reserve)

    def reveal_on(self, seat: int) -> int:
        """Reveal until the player takes, or until a token matches nothing or clashes."""
        zone: Counter[str] = Counter()
        while True:
            token = self.table.draw(self.reserve)
            success = self.centre[token] > 0 and not zone[token]
            zone[token] += 1
            if not success:
                self.centre += zone
                return 0
            legal: list[Action] = [{"action": "reveal"}] if len(self.reserve) else []
            if self.table.decide(seat, [*legal, {"action": "take"}])["action"] == "take":
                break
        for colour in list(zone):
            zone[colour] += self.centre.pop(colour)
        return self.collect(seat, zone)

    def collect(self, seat: int, tokens: Counter[str]) -> int:
        own, earned = self.collections[seat], self.bonuses[seat]
        own += tokens
        full = {colour for colour in COLOURS if own[colour] >= self.line}
        new = full - earned
        earned |= new
        self.over = len(full) == len(COLOURS)
        return len(new)


class Game:
    def __init__(self, table: Table) -> None:
        self.table = table
        self.players, self.options = table.start(CARD)
        self.first = table.first_seat(self.players, self.options["first"])

    def play(self) -> None:
        total = dict.fromkeys(range(1, self.players + 1), 0)
        comparisons: dict[int, Counts] = {}
        order = seats_from(self.first, self.players)
        for number in range(self.options["matches"]):
            each_bonus, plays_on = self.options["excess_back"] == "each_bonus", self.options["endless"] == "plays_on"
            match = Match(self.table, self.players, each_bonus, plays_on)
            comparisons = match.play(order[number % self.players])
            for seat, sizes in comparisons.items():
                total[seat] += sizes[0]
            self.table.score([number + 1], {seat: {"total": sizes[0]} for seat, sizes in comparisons.items()})
        self.table.end(total, places_of(comparisons if self.options["matches"] == 1 else total))


def referee(lines: list[Line]) -> None:
    """Raise AssertionError at the first line that the rules do not allow."""
    Game(Table(lines)).play()
