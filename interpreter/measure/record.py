"""What one game showed: a number for every figure. A figure is named by a tuple of words.

| figure | adds in a game |
| --- | --- |
| `win 1` | the seat's share of the first place, in parts of `parts_of_a_win` |
| `score 1`, `line points` | the seat's final score; what a line of the sheet gave to all players together |
| `tie`, `margin`, `result WORD` | a shared first place; highest minus lowest score; how the table ended |
| `length decisions`, `length turns`, `length rounds` | how long it was |
| `options`, `forced` | how many options all decisions had; decisions with one option only |
| `settled` | after which part of the decisions the leader stayed the leader, in parts of 10 000 |
| `lead changes` | how often another player came to lead |
| `action A`, `offered A` | decisions in which it was chosen, was possible |
| `value A CHOICE V`, `component C`, `phase P` | how often it was chosen; how often the phase began |
| `kept C` | copies that lie with a player at the end |
| `row C`, `met C` | how often a row with a rule lay open when points were counted; players for whom it then held |
| `figure F`, `moments F` | a figure of the rules: all its values together, and how many they are |
| `ending A`, `ending in P` | the last action chosen; the last phase |
"""

from __future__ import annotations

from math import lcm

from attrs import define, field

from rulesrun.interpreter.measure.estimates import Exact

Key = tuple[str, ...]

PARTS_OF_A_GAME = 10_000
SPREAD = {"score", "length", "margin", "settled", "lead changes", "figure"}
DECISIONS: Key = ("length", "decisions")
TOO_LONG = "too-long"  # the code of a game that was stopped because it was so long


@define(eq=False)
class GameRecord:
    """A game that got stuck has the code of its fault, and no values."""

    number: int
    values: dict[Key, Exact] = field(factory=dict)
    places: tuple[tuple[int, ...], ...] = ()
    decisions: int = 0
    result: str | None = None
    stuck: str | None = None
    is_watched: bool = False
    broken: tuple[str, ...] = ()
    happened: tuple[str, ...] = ()

    @property
    def is_too_long(self) -> bool:
        return self.stuck == TOO_LONG


def parts_of_a_win(players: int) -> int:
    """So many that any shared first place is a whole number of them."""
    return lcm(*range(1, players + 1))


def denominator_of(key: Key) -> Key | None:
    """What a figure is measured against: options by decisions, a chosen action by when it was possible."""
    match key:
        case ("options",) | ("forced",):
            return DECISIONS
        case ("action", name):
            return ("offered", name)
        case ("met", name):
            return ("row", name)
        case ("figure", name):
            return ("moments", name)
    return None
