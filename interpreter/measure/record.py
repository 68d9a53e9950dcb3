"""What one game showed: a number for every figure that `declared_figures` knows, by its key."""

from __future__ import annotations

from attrs import define, field

from rulesrun.interpreter.measure.declared_figures import Key
from rulesrun.interpreter.measure.estimates import Exact

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
