"""What is asked and answered in the Python API: plain frozen values."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from attrs import field, frozen

from rulesrun.interpreter.scoring import Places
from rulesrun.interpreter.step import ChanceDecision, Option


def _pairs(arguments: Mapping[str, Any] | tuple[tuple[str, Any], ...]) -> tuple[tuple[str, Any], ...]:
    pairs = arguments.items() if isinstance(arguments, Mapping) else arguments
    return tuple((name, tuple(value) if isinstance(value, list) else value) for name, value in pairs)


@frozen
class Choice:
    """An action and the values of its choices, in their order: pairs, or a mapping."""

    action: str
    arguments: tuple[tuple[str, Any], ...] = field(default=(), converter=_pairs)

    @staticmethod
    def of_option(option: Option) -> Choice:
        return Choice(option.action, option.arguments)


@frozen
class Outcome:
    """What chance may bring, with its exact odds. `values`: one value, or a whole order."""

    values: tuple[Any, ...]
    odds: Fraction

    @staticmethod
    def of(question: ChanceDecision, index: int) -> Outcome:
        return Outcome(tuple(question.outcome(index)), Fraction(question.weight(index), question.total))


@frozen
class Decision:
    """`player` chooses (0: the team). `together`: everyone who chooses at this moment, if several do."""

    player: int
    together: tuple[int, ...] = ()


@frozen
class Chance:
    """Chance decides: `what` is draw, roll, lot or order; `origin` and `target` say where from and where to."""

    what: str
    origin: str | None
    target: str | None


@frozen
class End:
    """The game is over."""


@frozen
class Result:
    """Final scores by player, players by place (ties together), and the word that the rules have for it."""

    scores: Mapping[int, Any]
    places: Places
    word: str | None
