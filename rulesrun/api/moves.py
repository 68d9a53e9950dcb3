"""What is asked and answered in the Python API: plain frozen values."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from attrs import field, frozen

from rulesrun.interpreter.play.step import ChanceDecision, GameOver, Option, PlayerDecision
from rulesrun.interpreter.reference.scoring import Places
from rulesrun.interpreter.spaces.choice_values import freeze_words

Asked = PlayerDecision | ChanceDecision | GameOver
FEW = 20


def _to_pairs(arguments: Mapping[str, Any] | tuple[tuple[str, Any], ...]) -> tuple[tuple[str, Any], ...]:
    pairs = arguments.items() if isinstance(arguments, Mapping) else arguments
    return tuple((name, freeze_words(value)) for name, value in pairs)


@frozen
class Choice:
    """An action and the values of its choices, in order: as pairs, or as a mapping."""

    action: str
    arguments: tuple[tuple[str, Any], ...] = field(default=(), converter=_to_pairs)

    @staticmethod
    def from_option(option: Option) -> Choice:
        return Choice(option.action, option.arguments)


@frozen
class Outcome:
    """Something that chance may bring, with its exact odds. `values` holds one value, or a whole order."""

    values: tuple[Any, ...]
    odds: Fraction

    @staticmethod
    def from_question(question: ChanceDecision, index: int) -> Outcome:
        return Outcome(tuple(question.outcome(index)), Fraction(question.weight(index), question.total))


class LegalAnswers(Sequence[Any]):
    """Everything that may be answered, in the order of the rules: `Choice`s, or `Outcome`s. Counted at once, put into
    words when one is looked at."""

    __slots__ = ("_amount", "_ask", "_question")

    def __init__(self, amount: int, ask: Callable[[], Asked]) -> None:
        self._amount, self._ask = amount, ask
        self._question: Asked | None = None

    def __len__(self) -> int:
        return self._amount

    def __getitem__(self, at: Any) -> Any:
        if isinstance(at, slice):
            return tuple(self[one] for one in range(*at.indices(self._amount)))
        number = range(self._amount)[at]
        if self._question is None:
            self._question = self._ask()
        if isinstance(self._question, PlayerDecision):
            return Choice.from_option(self._question.options[number])
        assert isinstance(self._question, ChanceDecision)
        return Outcome.from_question(self._question, number)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, (LegalAnswers, tuple)):
            return NotImplemented
        return len(self) == len(other) and all(one == two for one, two in zip(self, other, strict=True))

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self)) if self._amount <= FEW else f"<{self._amount} answers>"


@frozen
class Decision:
    """`player` is to choose; 0 means the team. `together`: all who choose at this moment, if there are several."""

    player: int
    together: tuple[int, ...] = ()


@frozen
class Chance:
    """Chance decides. `what` is draw, roll, lot or order; `origin` and `target` say from where and to where."""

    what: str
    origin: str | None
    target: str | None


@frozen
class End:
    """The game is over."""


@frozen
class Result:
    """The final scores by player, the players by place (ties share one), and the rules' word for the result, if any."""

    scores: Mapping[int, Any]
    places: Places
    word: str | None
