"""Games of the tool in which chance and choices lean towards what random play hardly ever meets."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

from rulesrun.files.loading import Reading, read_rules
from rulesrun.interpreter.reference.table import set_up_table
from rulesrun.records.traces import record_game, start_event
from tests.referees.common import Action, Line
from tests.referees.the_game import fits

GAMES = Path(__file__).resolve().parent.parent.parent / "games"


class Steer:
    """How likely an outcome is made, and how much a choice is wanted; here: everything alike."""

    actions: ClassVar[Mapping[str, float]] = {}

    def outcome(self, value: Any, seat: int | None) -> float:
        return 1.0

    def choice(self, action: Action, player: int) -> float:
        return self.actions.get(action["action"], 1.0)

    def chosen(self, action: Action) -> None:
        """Take note of what was chosen."""


class Zero(Steer):
    """Everyone collects one colour and one number."""

    actions: ClassVar = {"pass": 0.02, "zero": 3.0}

    def wanted(self, card: str, player: int) -> bool:
        colour, number = card.split("-")
        return colour == ("red", "blue", "pink", "green", "yellow")[player - 1] or int(number) == player + 2

    def outcome(self, value: Any, seat: int | None) -> float:
        return 40.0 if seat and self.wanted(str(value), seat) else 1.0

    def choice(self, action: Action, player: int) -> float:
        if action["action"] != "exchange":
            return super().choice(action, player)
        return 1.0 if self.wanted(action["take"], player) > self.wanted(action["give"], player) else 0.001


class TheGame(Steer):
    """Low cards first, laid as close as they go; a turn is ended when the next step is a long one."""

    def __init__(self) -> None:
        self.tops = {"up1": 1, "up2": 1, "down1": 100, "down2": 100}

    def outcome(self, value: Any, seat: int | None) -> float:
        return float(0.8 ** int(value))

    def choice(self, action: Action, player: int) -> float:
        if action["action"] != "play":
            return float(0.5**5)
        card, row, top = int(action["card"]), action["row"], self.tops[action["row"]]
        assert fits(card, row, top)
        return float(0.5 ** (card - top if row.startswith("up") else top - card))

    def chosen(self, action: Action) -> None:
        if action["action"] == "play":
            self.tops[action["row"]] = int(action["card"])


class Tokens(Steer):
    actions: ClassVar = {"take": 8.0, "alternative": 0.05}


class Hourglass(Steer):
    actions: ClassVar = {"capture": 20.0}


STEERS: dict[str, Callable[[], Steer]] = {
    "zero": Zero, "the_game": TheGame, "tokens": Tokens, "hourglass": Hourglass, "collection": Steer
}  # fmt: skip


@cache
def rules_of(game: str) -> Reading:
    return read_rules(str(GAMES / f"{game}.rules"))


def steered(game: str, players: int, options: Mapping[str, Any], seed: int) -> list[Line]:
    """One game of the tool as the lines of its trace."""
    reading, steer, chance = rules_of(game), STEERS[game](), random.Random(seed)
    assert reading.program is not None

    def pick(question: Any) -> int:
        if hasattr(question, "outcome"):
            return pick_outcome(question, steer, chance)
        legal: list[Action] = [{"action": option.action, **dict(option.arguments)} for option in question.options]
        at = pick_weighted([steer.choice(action, question.player) for action in legal], chance)
        steer.chosen(legal[at])
        return at

    table = set_up_table(reading.program, players, dict(options))
    events = [start_event(reading, table, None), *record_game(table, pick)]
    return [json.loads(json.dumps(event)) for event in events]


def pick_outcome(question: Any, steer: Steer, chance: random.Random) -> int:
    if question.what != "draw":
        return chance.randrange(question.size)
    target = str(question.target)
    seat = int(target[target.index("[") + 1 : -1]) if target.endswith("]") else None
    return pick_weighted(
        [question.weight(at) * steer.outcome(question.outcome(at)[0], seat) for at in range(question.size)], chance
    )


def pick_weighted(weights: Sequence[float], chance: random.Random) -> int:
    return chance.choices(range(len(weights)), weights)[0]
