"""Games in plain Python in which it is written down who sees what; all ways through them, information sets counted.

Nothing here knows the engines. A game is a function that asks a `Way` for chance and choices and tells it what is seen;
`every_way` goes through all of them. `Sketch` is a rulebook of few words: as text for the engines, and played here by
what docs/language.md says of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from attrs import define, field, frozen
from hypothesis import strategies as st


class Unanswered(Exception):
    def __init__(self, answers: int) -> None:
        self.answers = answers


@define
class Way:
    """One way through a game. Each player's memory is a list of what was seen, one thing after the other."""

    players: int
    answers: tuple[int, ...]
    memories: dict[int, list[Any]] = field(init=False)
    own: dict[int, tuple[Any, ...]] = field(init=False)
    met: list[tuple[int, Any, tuple[Any, ...]]] = field(factory=list)  # who chose, by which memory, what before
    _at: int = 0

    def __attrs_post_init__(self) -> None:
        self.memories = {player: [] for player in range(1, self.players + 1)}
        self.own = dict.fromkeys(self.memories, ())

    def chance(self, outcomes: Sequence[Any]) -> Any:
        """One of several; nobody sees it by itself."""
        return outcomes[0] if len(outcomes) == 1 else self._answer(outcomes)

    def _answer(self, several: Sequence[Any]) -> Any:
        if self._at == len(self.answers):
            raise Unanswered(len(several))
        self._at += 1
        return several[self.answers[self._at - 1]]

    def see(self, what: Any, *players: int) -> None:
        """Seen by these; by all when nobody is named."""
        for player in players or self.memories:
            self.memories[player].append(what)

    def choose(self, player: int, options: Sequence[Any], heard: Callable[[Any], Any] | None = None) -> Any:
        """`heard`: what the others are told of the choice."""
        self.met.append((player, (*self.memories[player], ("offered", *options)), self.own[player]))
        chosen = self._answer(options)
        self.remember_choice(player, options, chosen)
        for other in self.memories:
            if other != player and heard is not None and heard(chosen) is not None:
                self.memories[other].append(("heard", heard(chosen)))
        return chosen

    def choose_together(self, options: dict[int, Sequence[Any]]) -> dict[int, Any]:
        """Nobody knows of the others'."""
        before = {player: tuple(self.memories[player]) for player in options}
        chosen = {}
        for player, own in options.items():
            self.met.append((player, (*before[player], ("offered", *own)), self.own[player]))
            chosen[player] = self._answer(own)
        for player, own in options.items():
            self.remember_choice(player, own, chosen[player])
        return chosen

    def remember_choice(self, player: int, options: Sequence[Any], chosen: Any) -> None:
        self.memories[player] += [("offered", *options), ("chose", chosen)]
        self.own[player] += (chosen,)


Game = Callable[[Way], None]


def every_way(game: Game, players: int) -> Iterator[Way]:
    waiting: list[tuple[int, ...]] = [()]
    while waiting:
        way = Way(players, waiting.pop())
        try:
            game(way)
        except Unanswered as more:
            waiting += [(*way.answers, answer) for answer in range(more.answers)]
        yield way


def information_sets(game: Game, players: int) -> dict[int, int]:
    """How many different memories each player may choose with. With perfect recall each has one own history."""
    found: dict[int, dict[Any, tuple[Any, ...]]] = {player: {} for player in range(1, players + 1)}
    for way in every_way(game, players):
        for player, memory, own in way.met:
            assert found[player].setdefault(memory, own) == own
    return {player: len(memories) for player, memories in found.items()}


# ---- rulebooks of few words

HEAD = """
card Card: rank 1..{ranks}, {copies} of each
zone deck: pile of Card, hidden
zone cellar: set of Card, hidden
zone table: set of Card, public
zone line: row of Card, public
zone sorted_line: row of Card, public, sorted by rank
zone tray: pile of Card, public top
zone hand of player: set of Card, private
zone rack of player: row of Card, private
number open: 0..3 = 0
number secret: 0..2 = 0, hidden
number own of player: 0..2 = 0, private
marker one: player = 1
marker two: player = 2
setup
  shuffle all Card into deck
phase play
"""
ACTIONS = """
action say(n in 1..2)
  open becomes n
action whisper(n in 1..2), secret
  own becomes n
action lay(c from hand)
  move c to table
action bury(c from hand), secret
  move c to cellar
action bid(n in 1..2)
  own becomes n
action raise(n in 1..2)
  open becomes n
score at end
  points = 0
ranking: highest total, ties share
"""
OWN = ("hand", "rack")
ZONES = ("cellar", "table", "line", "sorted_line", "tray", "hand of 1", "hand of 2", "rack of 1", "rack of 2")
EXCEPT_TRAY = tuple(zone for zone in ZONES if zone != "tray")

Statement = tuple[Any, ...]

SIMPLE = st.one_of(
    st.tuples(st.just("draw"), st.integers(1, 2), st.sampled_from(ZONES)),
    st.tuples(st.just("deal"), st.just(1), st.sampled_from(OWN)),
    st.tuples(st.just("move all"), st.sampled_from(EXCEPT_TRAY), st.sampled_from(ZONES)),
    st.tuples(st.just("shuffle"), st.sampled_from(("cellar", "table", "hand of 1", "hand of 2"))),
    st.tuples(st.just("show"), st.sampled_from(EXCEPT_TRAY), st.sampled_from((0, 1, 2))),
    st.tuples(st.just("becomes"), st.sampled_from(("open", "secret", "own of 1", "own of 2")), st.integers(0, 2)),
    st.tuples(st.just("roll"), st.sampled_from(("secret", "own of 1", "own of 2", "open"))),
)
CHOICE = st.one_of(
    st.tuples(
        st.just("choose"), st.sampled_from((1, 2)),
        st.lists(st.sampled_from(("say", "whisper", "lay", "bury")), min_size=1, max_size=2, unique=True).map(tuple),
    ),
    st.tuples(st.just("all choose"), st.sampled_from(("bid", "raise"))),
)
CONDITION = st.tuples(st.just("if"), st.integers(0, 2), st.lists(SIMPLE | CHOICE, min_size=1, max_size=2).map(tuple))
LAST: tuple[Statement, ...] = (("choose", 1, ("say",)), ("choose", 2, ("say",)))  # what has been seen by then counts


@frozen
class Sketch:
    ranks: int
    copies: int
    statements: tuple[Statement, ...]

    def text(self) -> str:
        return HEAD.format(ranks=self.ranks, copies=self.copies) + "".join(lines(self.statements, 1)) + ACTIONS


SKETCHES = st.builds(
    Sketch, st.integers(2, 3), st.integers(1, 2),
    st.lists(SIMPLE | SIMPLE | CHOICE | CONDITION, min_size=2, max_size=6).map(lambda found: (*found, *LAST)),
)


def lines(statements: tuple[Statement, ...], level: int) -> Iterator[str]:
    indent = "  " * level
    for statement in statements:
        match statement:
            case ("draw", amount, zone):
                yield f"{indent}draw up to {amount} from deck to {zone} as new\n"
            case ("deal", amount, zone):
                yield f"{indent}deal up to {amount} from deck to each {zone}\n"
            case ("move all", source, target):
                yield f"{indent}move all {source} to {target}\n" if source != target else f"{indent}open becomes 0\n"
            case ("shuffle", zone):
                yield f"{indent}shuffle {zone} into deck\n"
            case ("show", zone, to):
                yield f"{indent}show {zone}" + (f" to {('one', 'two')[to - 1]}" if to else "") + "\n"
            case ("becomes", number, value):
                yield f"{indent}{number} becomes {value}\n"
            case ("roll", number):
                yield f"{indent}roll {number}\n"
            case ("choose", player, actions):
                yield f"{indent}{('one', 'two')[player - 1]} chooses {' or '.join(actions)} if possible\n"
            case ("all choose", action):
                yield f"{indent}all choose {action}\n"
            case ("if", value, inside):
                yield f"{indent}if secret = {value}\n"
                yield from lines(inside, level + 1)


@define
class Played:
    """A sketch played on one way, by the page on the language; players look when a statement is done."""

    sketch: Sketch
    way: Way
    deck: Counter[int] = field(init=False)
    zones: dict[str, list[int]] = field(init=False, factory=lambda: {zone: [] for zone in ZONES})
    numbers: dict[str, int] = field(init=False)
    shown: list[tuple[int, str, tuple[int, ...]]] = field(factory=list)  # since the last answer
    saw: dict[int, Any] = field(factory=dict)
    asked: dict[int, Any] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        self.deck = Counter(dict.fromkeys(range(1, self.sketch.ranks + 1), self.sketch.copies))
        self.numbers = dict.fromkeys(("open", "secret", "own of 1", "own of 2"), 0)

    # ---- what is seen

    def look(self) -> None:
        for player in (1, 2):
            seen = self.seen_by(player)
            if self.saw.get(player) != seen:
                self.saw[player] = seen
                self.way.see(seen, player)

    def seen_by(self, player: int) -> Any:
        found: list[Any] = [self.deck.total()]
        for zone, lying in self.zones.items():
            is_own = zone in ("table", "line", "sorted_line", f"hand of {player}", f"rack of {player}")
            has_order = zone.startswith(("line", "rack"))
            if zone == "tray":
                found.append((len(lying), tuple(lying[-1:])))
            else:
                found.append((tuple(lying) if has_order else tuple(sorted(lying))) if is_own else len(lying))
        return (*found, self.numbers["open"], self.numbers[f"own of {player}"])

    def ask(self, whose: int) -> None:
        """Whose turn it is, and what still lies shown."""
        for player in (1, 2):
            seen = ("asks", whose, tuple(one for one in self.shown if one[0] in (0, player)))
            if self.asked.get(player) != seen:
                self.asked[player] = seen
                self.way.see(seen, player)

    # ---- what happens

    def play(self) -> None:
        self.look()
        self.do(self.sketch.statements)

    def do(self, statements: tuple[Statement, ...]) -> None:
        for statement in statements:
            match statement:
                case ("draw", amount, zone):
                    self.draw([(zone, amount)])
                case ("deal", amount, zone):
                    self.draw([(f"{zone} of {player}", amount) for player in (1, 2)])
                case ("move all", source, target):
                    self.move_all(source, target)
                case ("shuffle", zone):
                    self.deck.update(self.zones[zone])
                    self.zones[zone] = []
                case ("show", zone, to):
                    self.show(zone, to)
                case ("becomes", number, value):
                    self.numbers[number] = value
                case ("roll", number):
                    self.shown = []
                    self.numbers[number] = self.way.chance(range(4 if number == "open" else 3))
                case ("choose", player, actions):
                    self.choose(player, actions)
                case ("all choose", action):
                    self.choose_together(action)
                case ("if", value, inside) if self.numbers["secret"] == value:
                    self.do(inside)
            self.look()

    def draw(self, targets: list[tuple[str, int]]) -> None:
        """Into a set all is seen when all is there, into a row or a pile card by card."""
        for zone, amount in targets:
            for _ in range(min(amount, self.deck.total())):
                self.shown = []
                rank = self.way.chance(sorted(+self.deck))
                self.deck[rank] -= 1
                self.put(zone, rank)
                if zone.startswith(("line", "rack", "tray")):
                    self.look()

    def put(self, zone: str, rank: int) -> None:
        self.zones[zone].append(rank)
        if not zone.startswith(("line", "rack", "tray")):
            self.zones[zone].sort()

    def move_all(self, source: str, target: str) -> None:
        if source == target:  # written as another statement
            self.numbers["open"] = 0
            return
        moved, self.zones[source] = self.zones[source], []
        for rank in moved:
            self.put(target, rank)

    def show(self, zone: str, to: int) -> None:
        """Everybody sees that something is shown, who is shown it sees what."""
        what = (to, zone, tuple(self.zones[zone]))
        if what not in self.shown:
            self.shown.append(what)
            for player in (1, 2):
                self.way.see(("shown", what[1:]) if to in (0, player) else ("something is shown",), player)

    # ---- choices

    def choose(self, player: int, actions: tuple[str, ...]) -> None:
        options: list[tuple[str, int]] = []
        for action in sorted(actions, key=("say", "whisper", "lay", "bury").index):
            values = sorted(set(self.zones[f"hand of {player}"])) if action in ("lay", "bury") else [1, 2]
            options += [(action, value) for value in values]
        if not options:
            return
        self.ask(player)
        action, value = self.way.choose(player, options, heard)
        self.shown = []
        match action:
            case "say":
                self.numbers["open"] = value
            case "whisper":
                self.numbers[f"own of {player}"] = value
            case "lay" | "bury":
                self.zones[f"hand of {player}"].remove(value)
                self.put("table" if action == "lay" else "cellar", value)

    def choose_together(self, action: str) -> None:
        self.ask(0)
        chosen = self.way.choose_together({player: [(action, 1), (action, 2)] for player in (1, 2)})
        self.shown = []
        for player, (_, value) in chosen.items():
            self.numbers["open" if action == "raise" else f"own of {player}"] = value
            self.look()


def heard(option: tuple[str, int]) -> Any:
    """The action and its values; of components only that it was done; of a secret one nothing."""
    return {"say": option, "lay": ("lay",)}.get(option[0])


def played(sketch: Sketch) -> Game:
    return lambda way: Played(sketch, way).play()
