"""The game seen from outside: what must be answered at a position, and the position after an answer.

Takes a `Table` and a `State`; gives decisions and new states. A state is never changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import factorial
from typing import Any

from attrs import field, frozen

from rulesrun.interpreter.model.compile_context import VariableRoom
from rulesrun.interpreter.model.domains import argument_to_external, to_external
from rulesrun.interpreter.model.moments import JudgedProperty
from rulesrun.interpreter.model.places import find_changed_room
from rulesrun.interpreter.model.values import EVENTS, OPTIONS, PC, PLACES, RESULT, State
from rulesrun.interpreter.reference.chance import ChanceWait, DrawWait, OrderWait
from rulesrun.interpreter.reference.decisions import DecisionWait, OptionKey, action_of
from rulesrun.interpreter.reference.scoring import Places
from rulesrun.interpreter.reference.table import Table

MOST_NAMED = 16_384  # options of a table that are kept in words


@frozen
class Option:
    """One way to do one action. `arguments` are written as they stand in a trace; `key` is for the engine."""

    action: str
    arguments: tuple[tuple[str, Any], ...]
    key: OptionKey = field(repr=False, eq=False)


@frozen
class PlayerDecision:
    """`player` chooses (0: the team); `together`: everyone who chooses at the same moment."""

    player: int
    together: tuple[int, ...] | None
    options: tuple[Option, ...]

    def __len__(self) -> int:
        return len(self.options)


@frozen
class ChanceDecision:
    """One of `size` different outcomes; the odds of one are its weight over `total`."""

    what: str  # draw | roll | lot | order
    stream: str = field(repr=False)  # whose chance it is: that of what is drawn from; a die has its own
    origin: str | None
    target: str | None
    size: int
    total: int
    names: tuple[Any, ...] = field(repr=False)  # of the outcomes; for an order, of its elements
    weights: tuple[int, ...] = field(repr=False)
    source: int = field(repr=False)  # the operation that asks

    def __len__(self) -> int:
        return self.size

    def outcome(self, index: int) -> list[Any]:
        """The outcome as a trace writes it: one value, or a whole order."""
        if self.what == "order":
            return [self.names[number] for number in order_at(index, len(self.names))]
        return [self.names[index]]

    def weight(self, index: int) -> int:
        return 1 if self.what == "order" else self.weights[index]

    def index_at_weight(self, number: int) -> int:
        """The outcome at a number below the total weight."""
        if self.what == "order":
            return number
        for index, weight in enumerate(self.weights):
            number -= weight
            if number < 0:
                return index
        raise IndexError("the number is not below the total weight")

    def index_of(self, outcome: list[Any]) -> int | None:
        """The number of an outcome as a trace writes it; None when it cannot come."""
        if self.what == "order":
            return order_number(outcome, self.names)
        return self.names.index(outcome[0]) if len(outcome) == 1 and outcome[0] in self.names else None


@frozen
class GameOver:
    scores: dict[int, Any]
    places: Places
    result: str | None


Decision = PlayerDecision | ChanceDecision | GameOver


@frozen
class Sheet:
    """One counting of points: for every player the lines and the total."""

    round: int
    lines: dict[int, dict[str, Any]]


@frozen
class BrokenMoment:
    """A property that did not hold at its moment, and the position as it was."""

    judged: JudgedProperty
    state: State


@frozen
class Step:
    state: State
    events: tuple[Sheet | BrokenMoment, ...]


def start_state(table: Table) -> State:
    return begin_game(table).state


def begin_game(table: Table) -> Step:
    """The first position at which something must be answered, and what happened on the way."""
    return run_to_step(table, table.new_slots())


def run_to_step(table: Table, S: list[Any]) -> Step:
    S[EVENTS] = []
    table.run_to_question(S)
    return Step(table.to_state(S), tuple(decode_event(table, event) for event in S[EVENTS] if event[0] != "turn"))


def decode_event(table: Table, event: tuple[Any, ...]) -> Sheet | BrokenMoment:
    if event[0] == "score":
        return decode_sheet(table, event[1])
    return BrokenMoment(event[1], table.to_state(event[2]))


def decode_sheet(table: Table, sheet: tuple[int, int, tuple[tuple[Any, ...], ...]]) -> Sheet:
    number, round_number, values = sheet
    score = table.bench.scores[number]
    lines = {}
    for player, own in enumerate(values, start=1):
        lines[player] = {line.name.text: value for line, value in zip(score.lines, own, strict=True)}
        lines[player]["total"] = sum(own)
    return Sheet(round_number, lines)


# ---- what must be answered


def pending_decision(table: Table, state: State) -> Decision:
    wait = table.waits[state.slots[PC]]
    S = table.to_slots(state)
    if isinstance(wait, DecisionWait):
        options = tuple(make_option(table, wait, key) for key in wait.list_options(S))
        return PlayerDecision(wait.chooser(S), wait.together_seats(S), options)
    if isinstance(wait, ChanceWait):
        return make_chance_decision(table, wait, S)
    return GameOver(table.scoring.scores(S), S[PLACES], S[RESULT])


def make_option(table: Table, wait: DecisionWait, key: OptionKey) -> Option:
    """Most options come again: they are put into words once for a table."""
    found: Option | None = table.named.get(key)
    if found is None:
        action = action_of(wait, key)
        arguments = tuple(
            (choice.name.text, argument_to_external(table.bench, choice, value))
            for choice, value in zip(action.choices, key[1:], strict=True)
        )
        if len(table.named) >= MOST_NAMED:
            table.named.clear()
        found = table.named[key] = Option(action.name.text, arguments, key)
    return found


def make_chance_decision(table: Table, wait: ChanceWait, S: list[Any]) -> ChanceDecision:
    stream, (origin, target) = wait.stream_name(S), wait.place_names(S)
    if isinstance(wait, OrderWait):
        values = tuple(outcome_name(table, wait, value) for value in wait.values)
        total = wait.total_weight(S)
        return ChanceDecision(wait.what, stream, origin, target, total, total, values, (), wait.pc)
    outcomes = wait.outcomes(S)
    names = tuple(outcome_name(table, wait, value) for value, _ in outcomes)
    weights = tuple(weight for _, weight in outcomes)
    return ChanceDecision(
        wait.what, stream, origin, target, len(outcomes), sum(weights), names, weights, wait.pc
    )


def outcome_name(table: Table, wait: ChanceWait, value: Any) -> Any:
    if isinstance(wait, DrawWait):
        return wait.origin.kinds.names[value]
    room = find_changed_room(table.bench, wait.node)
    if wait.what == "lot" or not isinstance(room, VariableRoom):
        return value
    return to_external(table.bench, room.item_type, value)


# ---- answering


def next_state(table: Table, state: State, index: int) -> State:
    """The position after the option or outcome with this number (from 0)."""
    return next_step(table, state, index).state


def next_step(table: Table, state: State, index: int) -> Step:
    """The same, with the countings and broken properties on the way to the next question."""
    S = table.to_slots(state)
    apply_answer(table, S, index)
    return run_to_step(table, S)


def apply_answer(table: Table, S: list[Any], index: int) -> None:
    wait = table.waits[S[PC]]
    if index < 0:
        raise IndexError("options are numbered from 0")
    if isinstance(wait, DecisionWait):
        options = S[OPTIONS] if S[OPTIONS] is not None else wait.list_options(S)
        wait.apply_answer(S, options[index])
    elif isinstance(wait, OrderWait):
        if index >= wait.total_weight(S):
            raise IndexError("there are not so many orders")
        wait.apply_answer(S, wait.outcome_at(S, index))
    elif isinstance(wait, ChanceWait):
        wait.apply_answer(S, wait.outcomes(S)[index][0])
    else:
        raise IndexError("the game is over")


# ---- orders by their number: as words stand in a dictionary


def order_at(number: int, length: int) -> tuple[int, ...]:
    """The numbers from 0 to length - 1 in their n-th order."""
    left, found = list(range(length)), []
    for done in range(length):
        step = factorial(length - 1 - done)
        found.append(left.pop(number // step))
        number %= step
    return tuple(found)


def order_number(order: Sequence[Any], names: Sequence[Any]) -> int | None:
    """The number of an order of these names; None when it is not one."""
    left, number = list(names), 0
    if len(order) != len(left):
        return None
    for name in order:
        if name not in left:
            return None
        at = left.index(name)
        number += at * factorial(len(left) - 1)
        left.pop(at)
    return number
