"""What all referees share: reading a trace event by event, exact odds, and the shape of every kind of event."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import factorial
from typing import Any, NoReturn

Line = dict[str, Any]
Action = dict[str, Any]
Sheet = dict[str, int]
Block = tuple[str, Callable[[Line], bool], Callable[[], None]]

START_KEYS = {"event", "trace", "game", "file", "rules", "players", "options", "seed"}
CHANCE_KEYS = {"i", "event", "what", "from", "to", "outcome", "odds"}
ORDERS = ("order", "shuffle")


@dataclass(frozen=True)
class GameCard:
    """What the first line of a trace must say; the first value of an option is its default."""

    file: str
    players: range
    options: Mapping[str, Sequence[Any]]


@dataclass
class Pool:
    """A pile: components in an order that nobody knows, above those whose order is known."""

    unknown: Counter[str]
    known: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, names: Iterable[str]) -> Pool:
        return cls(Counter(iter(names)))

    def __len__(self) -> int:
        return self.unknown.total() + len(self.known)

    def odds(self, fits: Callable[[str], bool] | None = None) -> dict[str, Fraction]:
        """Every component that can come next, with its exact odds."""
        copies = {name: many for name, many in self.unknown.items() if many and (fits is None or fits(name))}
        if not copies:
            return {self.known[0]: Fraction(1)} if self.known else {}
        return {name: Fraction(many, sum(copies.values())) for name, many in copies.items()}

    def remove(self, name: str) -> None:
        if self.unknown[name]:
            self.unknown[name] -= 1
        else:
            self.known.remove(name)


def text_of(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def same(first: Any, second: Any) -> bool:
    """Equal as JSON: 1, 1.0 and true are three different things."""
    return text_of(first) == text_of(second)


def place_index(line: Line) -> int | None:
    """The seat in `hand[2]`; nothing for a common zone."""
    found = re.search(r"\[(\d+)\]$", str(line.get("to")))
    return int(found[1]) if found else None


def places_of(keys: Mapping[int, Any]) -> list[list[int]]:
    """Players by their keys, the highest first, equal ones together."""
    return [sorted(seat for seat in keys if keys[seat] == key) for key in sorted(set(keys.values()), reverse=True)]


def options_allowed(card: GameCard, players: int) -> dict[str, list[Any]]:
    """The values of each option; of the seats only those that are taken."""
    return {
        name: [value for value in values if name != "first" or isinstance(value, str) or value <= players]
        for name, values in card.options.items()
    }


def fixed_seat(option: Any) -> int:
    """Who begins where no lot is drawn: the seat that the option names, or simply the first."""
    return 1 if option == "seat" else int(option)


def seats_from(first: int, players: int) -> list[int]:
    return [(first - 1 + step) % players + 1 for step in range(players)]


class Table:
    """A trace that is read event by event; each method expects one event, checks it and gives what it says."""

    def __init__(self, lines: list[Line]) -> None:
        self.lines = lines
        self.at = 0
        self.used: set[int] = set()

    def refuse(self, expected: str, found: Any, line: int | None = None) -> NoReturn:
        words = found if isinstance(found, str) else text_of(found)
        raise AssertionError(f"line {line or self.at}: expected {expected}, found {words}")

    def demand(self, holds: bool, expected: str, found: Any) -> None:
        if not holds:
            self.refuse(expected, found)

    def peek(self) -> Line:
        if self.at >= len(self.lines):
            self.refuse("another event", "the end of the trace", self.at + 1)
        return self.lines[self.at]

    def next(self, event: str, keys: Collection[str], optional: Collection[str] = ()) -> Line:
        """The next line, of this kind and with these keys."""
        line = self.peek()
        self.at += 1
        self.demand(line.get("event") == event, f"the event {event}", line)
        self.demand(set(keys) <= set(line) <= {*keys, *optional}, f"the keys {sorted(keys)}", sorted(line))
        if event != "start":
            self.demand(same(line["i"], self.at - 2), f"event number {self.at - 2}", line["i"])
        return line

    def start(self, card: GameCard) -> tuple[int, dict[str, Any]]:
        line = self.next("start", START_KEYS)
        self.demand(same(line["trace"], 1), "format 1", line["trace"])
        self.demand(line["file"] == card.file, card.file, line["file"])
        self.demand(bool(re.fullmatch(r"sha256:[0-9a-f]{64}", str(line["rules"]))), "a digest", line["rules"])
        players, options = line["players"], line["options"]
        self.demand(isinstance(players, int) and players in card.players, f"players in {card.players}", players)
        self.demand(set(options) == set(card.options), f"the options {sorted(card.options)}", sorted(options))
        for name, values in options_allowed(card, players).items():
            self.demand(any(same(options[name], value) for value in values), f"{name} in {values}", options[name])
        return players, options

    def chance(self, whats: Collection[str], odds: Fraction, outcome: list[Any]) -> None:
        """One chance event with this outcome and these odds."""
        line = self.next("chance", CHANCE_KEYS - {"from", "to"}, {"from", "to"})
        self.demand(line["what"] in whats, f"what: {sorted(whats)}", line["what"])
        self.demand(same(line["outcome"], outcome), text_of(outcome), line["outcome"])
        exact = f"{odds.numerator}/{odds.denominator}"
        self.demand(line["odds"] == exact, f"odds {exact}", line["odds"])

    def outcome(self) -> list[Any]:
        """What the coming chance event says; it is still to be checked."""
        line = self.peek()
        if line.get("event") != "chance" or not isinstance(line.get("outcome"), list):
            self.refuse("a chance event", line, self.at + 1)
        return list(line["outcome"])

    def first_seat(self, players: int, option: Any) -> int:
        """The first player: named by the option, or by lot."""
        if option != "lot":
            return fixed_seat(option)
        found = self.outcome()
        legal = [[seat] for seat in range(1, players + 1)]
        if not any(same(found, one) for one in legal):
            self.refuse(f"a seat from 1 to {players}", found, self.at + 1)
        self.chance(("lot",), Fraction(1, players), found)
        return int(found[0])

    def draw(self, pool: Pool, seat: int | None = None, fits: Callable[[str], bool] | None = None) -> str:
        """One component out of a pool; with a seat: to that player."""
        line, found, odds = self.peek(), self.outcome(), pool.odds(fits)
        if len(found) != 1 or not isinstance(found[0], str) or found[0] not in odds:
            self.refuse(f"one of {sorted(odds)}", found, self.at + 1)
        self.chance(("draw",), odds[found[0]], found)
        self.demand({"from", "to"} <= set(line), "from and to", sorted(line))
        if seat is not None:
            self.demand(place_index(line) == seat, f"a zone of player {seat}", line["to"])
        pool.remove(found[0])
        return str(found[0])

    def order(self, things: Sequence[int]) -> list[int]:
        """All of these things, in a random order."""
        found = self.outcome()
        if not same(sorted(found, key=text_of), sorted(things, key=text_of)):
            self.refuse(f"{list(things)} in some order", found, self.at + 1)
        self.chance(ORDERS, Fraction(1, factorial(len(things))), found)
        return found

    def blocks(self, blocks: list[Block]) -> None:
        """Blocks of chance events that do not depend on one another: whole, in any order."""
        left = list(blocks)
        while left:
            line = self.peek()
            fitting = [block for block in left if line.get("event") == "chance" and block[1](line)]
            if not fitting:
                self.refuse(" or ".join(name for name, _, _ in left), line, self.at + 1)
            left.remove(fitting[0])
            fitting[0][2]()

    def legal(self, line: Line, player: int, legal: list[Action]) -> Action:
        self.demand(same(line["player"], player), f"player {player}", line["player"])
        found = [text_of(action) for action in line["legal"]]
        wanted = {text_of(action) for action in legal}
        twice = [one for one, many in Counter(found).items() if many > 1]
        self.demand(not twice, "no action twice", ", ".join(twice))
        missing, extra = sorted(wanted - set(found)), sorted(set(found) - wanted)
        self.demand(not missing, f"also {', '.join(missing)} among the legal actions", line["legal"])
        self.demand(not extra, "no other legal actions", f"{', '.join(extra)}")
        self.demand(text_of(line["chosen"]) in wanted, "a legal choice", line["chosen"])
        return dict(line["chosen"])

    def decide(self, player: int, legal: list[Action]) -> Action:
        return self.legal(self.next("decision", ("i", "event", "player", "legal", "chosen")), player, legal)

    def together(self, legal: Mapping[int, list[Action]]) -> dict[int, Action]:
        """A joint choice: one event for each player, all with the same fresh number."""
        chosen, numbers = {}, []
        for player, actions in legal.items():
            line = self.next("decision", ("i", "event", "together", "player", "legal", "chosen"))
            chosen[player] = self.legal(line, player, actions)
            numbers.append(line["together"])
            self.demand(isinstance(numbers[0], int) and same(numbers[0], numbers[-1]), f"{numbers[0]}", numbers[-1])
        self.demand(numbers[0] not in self.used, "a fresh number in together", numbers[0])
        self.used.add(numbers[0])
        return chosen

    def score(self, rounds: Collection[int], sheets: Mapping[int, Sheet], lines: Collection[str] = ()) -> None:
        """The points of one counting: the named lines and the total; `lines` says that there are no others."""
        event = self.next("score", ("i", "event", "round", "sheet"))
        self.demand(any(same(event["round"], one) for one in rounds), f"a round of {sorted(rounds)}", event["round"])
        found = event["sheet"]
        self.demand(list(found) == [str(seat) for seat in sheets], f"the players {list(sheets)}", list(found))
        for seat, sheet in sheets.items():
            told = found[str(seat)]
            self.demand(set(sheet) <= set(told), f"the lines {sorted(sheet)}", sorted(told))
            self.demand(not lines or set(told) == set(lines), f"the lines {sorted(lines)}", sorted(told))
            parts = sum(value for name, value in told.items() if name != "total")
            self.demand(len(told) == 1 or parts == told["total"], f"lines that make {told['total']}", told)
            for name, value in sheet.items():
                self.demand(same(told[name], value), f"{name} {value} for player {seat}", told[name])

    def end(self, scores: Mapping[int, int], places: list[list[int]], result: str | None = None) -> None:
        line = self.next("end", ("i", "event", "scores", "places", "result"))
        wanted = {str(seat): score for seat, score in scores.items()}
        self.demand(same(line["scores"], wanted), f"scores {text_of(wanted)}", line["scores"])
        self.demand(same(line["places"], places), f"places {places}", line["places"])
        self.demand(same(line["result"], result), f"result {result}", line["result"])
        self.demand(self.at == len(self.lines), "the end of the trace", "more lines")
