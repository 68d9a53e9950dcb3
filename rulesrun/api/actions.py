"""The fixed numbering of all answers at a table: numbers for choices, choices for numbers; steps where there are too
many."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from attrs import define

from rulesrun.api.moves import Choice
from rulesrun.api.position import Position
from rulesrun.interpreter.play.step import PlayerDecision
from rulesrun.interpreter.reference.decisions import OptionKey
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.spaces.action_numbers import ActionNumbers, ActionSteps, number_actions
from rulesrun.interpreter.spaces.choice_values import CannotNumber


class TooManyActions(ValueError):
    """The answers at this table cannot be numbered; the message says why."""


@define(eq=False, repr=False)
class Actions(Sequence[Any]):
    """All answers that the declared domains allow: `Choice`s, numbered from 0. Made by `Rulebook.actions`."""

    _numbers: ActionNumbers
    _identity: tuple[object, ...]

    @staticmethod
    def of_table(table: Table, identity: tuple[object, ...], most: int) -> Actions:
        try:
            return Actions(number_actions(table, most), identity)
        except CannotNumber as reason:
            raise TooManyActions(str(reason)) from None

    def __repr__(self) -> str:
        return f"<{len(self)} actions>"

    def __len__(self) -> int:
        return len(self._numbers)

    def __getitem__(self, at: Any) -> Any:
        if isinstance(at, slice):
            return tuple(self[one] for one in range(*at.indices(len(self))))
        return self._choice(self._numbers.key_at(range(len(self))[at]))

    def number(self, choice: Choice) -> int:
        """The number of a choice. Raises ValueError if no domain allows it."""
        return self._numbers.number_of(self._numbers.key_from_words(choice.action, dict(choice.arguments)))

    def index(self, value: Any, start: int = 0, stop: int | None = None) -> int:
        """The same, as every sequence has it."""
        found = self.number(value)
        if not start <= found < (len(self) if stop is None else stop):
            raise ValueError(f"{value} is not there")
        return found

    def __contains__(self, choice: object) -> bool:
        try:
            return isinstance(choice, Choice) and self.number(choice) >= 0
        except ValueError:
            return False

    def legal(self, position: Position) -> tuple[int, ...]:
        """The numbers of `position.legal()`, in the same order. Empty where chance decides and when the game is
        over."""
        return tuple(self._numbers.number_of(key) for key in self._keys(position))

    def apply(self, position: Position, number: int) -> Position:
        """The position after this answer. Raises IllegalChoice."""
        legal = self.legal(position)
        if number in legal:
            return position.apply(legal.index(number))
        return position.apply(self[number])  # says why not

    def _keys(self, position: Position) -> tuple[OptionKey, ...]:
        return option_keys(position, self._identity)

    def _choice(self, key: OptionKey) -> Choice:
        return choice_of(self._numbers, key)


@define(eq=False, repr=False)
class Steps:
    """Answers given in steps: first the action, then each of its values. Few numbers do for very many answers. Made by
    `Rulebook.action_steps`."""

    _steps: ActionSteps
    _identity: tuple[object, ...]

    @staticmethod
    def of_table(table: Table, identity: tuple[object, ...]) -> Steps:
        try:
            return Steps(ActionSteps.of_table(number_actions(table, NO_LIMIT)), identity)
        except CannotNumber as reason:
            raise TooManyActions(str(reason)) from None

    def __repr__(self) -> str:
        return f"<{len(self)} steps>"

    def __len__(self) -> int:
        return len(self._steps)

    def legal(self, position: Position, taken: Iterable[int] = ()) -> tuple[int, ...]:
        """The steps that may come next. Empty once the answer is complete."""
        keys = option_keys(position, self._identity)
        return self._steps.legal_steps(keys, tuple(taken)) if keys else ()

    def finish(self, position: Position, taken: Iterable[int]) -> Choice | None:
        """The answer that these steps make; None while it is not complete."""
        key = self._steps.finished_key(option_keys(position, self._identity), tuple(taken))
        return None if key is None else choice_of(self._steps.numbers, key)

    def word(self, step: int) -> object:
        """What a step means: the name of an action, a value, or `enough`."""
        return self._steps.word_at(step)


def option_keys(position: Position, identity: tuple[object, ...]) -> tuple[OptionKey, ...]:
    if position._game.identity != identity:
        raise ValueError("this is a position of another table")
    question = position._pending_question()
    return tuple(option.key for option in question.options) if isinstance(question, PlayerDecision) else ()


def choice_of(numbers: ActionNumbers, key: OptionKey) -> Choice:
    return Choice(numbers.by_number[key[0]].ready.action.name.text, numbers.arguments_at(key))


NO_LIMIT = 1 << 200
