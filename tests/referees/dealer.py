"""Games that no tool has played: the rules of the referees themselves, with random choices, written down as a trace."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction
from math import factorial
from typing import Any

from tests.referees.common import Action, Block, GameCard, Pool, Sheet, Table, fixed_seat, options_allowed

Choose = Callable[[random.Random, list[Action]], Action]


def any_action(chance: random.Random, legal: list[Action]) -> Action:
    return chance.choice(legal)


class TooLong(Exception):
    """The game went on for more events than asked for."""


class Dealer(Table):
    """Where `Table` reads an event, this one makes it up."""

    def __init__(self, players: int, options: Mapping[str, Any], seed: int, choose: Choose = any_action) -> None:
        super().__init__([])
        self.players, self.options = players, options
        self.chance_of = random.Random(seed)
        self.choose = choose
        self.most = 5000
        self.joint = 0

    def write(self, event: str, **words: Any) -> None:
        if len(self.lines) > self.most:
            raise TooLong
        self.lines.append({"i": len(self.lines) - 1, "event": event, **words})

    def start(self, card: GameCard) -> tuple[int, dict[str, Any]]:
        options = {name: values[0] for name, values in options_allowed(card, self.players).items()}
        options.update(self.options)
        self.lines.append({
            "event": "start", "trace": 1, "game": "A game", "file": card.file, "rules": "sha256:" + "0" * 64,
            "players": self.players, "options": options, "seed": None,
        })  # fmt: skip
        return self.players, options

    def chance(self, whats: Collection[str], odds: Fraction, outcome: list[Any], seat: int | None = None) -> None:
        self.write(
            "chance", what=min(whats), **{"from": "stock", "to": f"hand[{seat}]" if seat else "table"},
            outcome=outcome, odds=f"{odds.numerator}/{odds.denominator}",
        )  # fmt: skip

    def first_seat(self, players: int, option: Any) -> int:
        if option != "lot":
            return fixed_seat(option)
        seat = self.chance_of.randint(1, players)
        self.chance(("lot",), Fraction(1, players), [seat])
        return seat

    def draw(self, pool: Pool, seat: int | None = None, fits: Callable[[str], bool] | None = None) -> str:
        odds = pool.odds(fits)
        name = self.chance_of.choices(list(odds), [float(one) for one in odds.values()])[0]
        self.chance(("draw",), odds[name], [name], seat)
        pool.remove(name)
        return name

    def order(self, things: Sequence[int]) -> list[int]:
        mixed = self.chance_of.sample(things, len(things))
        self.chance(("order",), Fraction(1, factorial(len(things))), mixed)
        return mixed

    def blocks(self, blocks: list[Block]) -> None:
        for _, _, run in blocks:
            run()

    def decide(self, player: int, legal: list[Action]) -> Action:
        chosen = self.choose(self.chance_of, legal)
        self.write("decision", player=player, legal=legal, chosen=chosen)
        return chosen

    def together(self, legal: Mapping[int, list[Action]]) -> dict[int, Action]:
        self.joint += 1
        chosen = {player: self.choose(self.chance_of, actions) for player, actions in legal.items()}
        for player, actions in legal.items():
            self.write("decision", together=self.joint, player=player, legal=actions, chosen=chosen[player])
        return chosen

    def score(self, rounds: Collection[int], sheets: Mapping[int, Sheet], lines: Collection[str] = ()) -> None:
        self.write("score", round=max(rounds), sheet={str(seat): sheet for seat, sheet in sheets.items()})

    def end(self, scores: Mapping[int, int], places: list[list[int]], result: str | None = None) -> None:
        self.write(
            "end", scores={str(seat): score for seat, score in scores.items()}, places=places, result=result
        )  # fmt: skip
