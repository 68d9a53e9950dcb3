"""A rulebook about equal cards played by an engine, beside plain lists: after every event they must hold the same."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random
from typing import Any, Protocol

from attrs import define

from rulesrun.interpreter.model.values import State
from rulesrun.interpreter.play.step import (
    ChanceDecision,
    Option,
    PlayerDecision,
    next_state,
    pending_decision,
    start_state,
)
from rulesrun.interpreter.reference.table import Table
from tests.interpreter.made import table
from tests.orders.labelled import MARKERS, ZONES, Draw, Lists, Rulebook


class Player(Protocol):
    """An engine: positions of its own kind, and each of them as a state of the reference."""

    def begin(self) -> Any: ...

    def follow(self, position: Any, index: int) -> Any: ...

    def state(self, position: Any) -> State: ...


class Reference:
    def __init__(self, made: Table) -> None:
        self.made = made

    def begin(self) -> State:
        return start_state(self.made)

    def follow(self, position: State, index: int) -> State:
        return next_state(self.made, position, index)

    def state(self, position: State) -> State:
        return position


class Native:
    def __init__(self, made: Table) -> None:
        from tests.native.both import quick_positions

        self.positions = quick_positions(made, 0)

    def begin(self) -> Any:
        return self.positions.begin_game().state

    def follow(self, position: Any, index: int) -> Any:
        return self.positions.next_step(position, index).state

    def state(self, position: Any) -> State:
        found: State = self.positions.state_of(position)
        return found


def made(book: Rulebook) -> Table:
    return table(book.text, 1)


def play(book: Rulebook, made: Table, engine: Player, seed: int) -> int:
    """Plays one game; gives how many cards were moved."""
    chance, lists = Random(seed), book.lists()
    position = engine.begin()
    position = carried_out(made, engine, position, book.setup(lists), lists, chance)
    while True:
        question = pending_decision(made, engine.state(position))
        if not isinstance(question, PlayerDecision):
            return lists.moved
        compare(made, engine.state(position), lists)
        options = [chosen_in(option) for option in question.options]
        assert len(options) == len(set(options))
        assert set(options) == book.options(lists)
        index = chance.randrange(len(question))
        number, ranks = options[index]
        position = engine.follow(position, index)
        position = carried_out(made, engine, position, book.action(number, list(ranks), lists), lists, chance)


def chosen_in(option: Option) -> tuple[int, tuple[int, ...]]:
    """The number of the action, and the ranks that were chosen."""
    values = [value for _, value in option.arguments]
    several = values[0] if values and isinstance(values[0], list) else values
    return int(option.action.removeprefix("do")), tuple(int(value) for value in several)


def carried_out(made: Table, engine: Player, position: Any, steps: Draw, lists: Lists, chance: Random) -> Any:
    """Every card that the lists draw is asked for by the engine, from the same place, of the same cards."""
    try:
        origin, target, ranks = next(steps)
        while True:
            question = pending_decision(made, engine.state(position))
            assert isinstance(question, ChanceDecision), (question, origin)
            compare(made, engine.state(position), lists)
            assert (question.origin, question.target) == (origin, target)
            assert dict(zip(question.names, question.weights, strict=True)) == {
                str(rank): ranks.count(rank) for rank in ranks
            }
            index = chance.randrange(len(question))
            position = engine.follow(position, index)
            origin, target, ranks = steps.send(int(question.names[index]))
    except StopIteration:
        return position


def compare(made: Table, state: State, lists: Lists) -> None:
    S = made.to_slots(state)
    rooms: dict[str, Any] = {room.declaration.name.text: room for room in made.bench.zones.values()}
    for zone in ZONES:
        content = S[rooms[zone].base]
        found = [[one + 1 for one in part] if isinstance(part, tuple) else part + 1 for part in content]
        expected = lists.deck() if zone == "deck" else [card.rank for card in lists.zones[zone]]
        assert found == expected, (zone, found, expected)
    for room in made.bench.variables.values():
        name = room.declaration.name.text
        if name in MARKERS:
            card = lists.markers[name]
            assert S[room.base] == (None if card is None else card.rank - 1), name
        elif name == "asked":
            assert S[room.base] == lists.asked[0], ("position", S[room.base], lists.asked)


# ---- every game, by brute force


@define
class Counted:
    """A tree as its definition says: a question with one outcome of chance is no node."""

    decisions: int = 0
    chance: int = 0
    terminals: int = 0


def brute_force(book: Rulebook) -> tuple[Counted, Fraction]:
    """The nodes of all games, and what player 1 has at the end, when all options are equally likely."""
    counted = Counted()
    return counted, below(book, counted, [])


def below(book: Rulebook, counted: Counted, answers: list[Any]) -> Fraction:
    question, lists = after(book, answers)
    if question is None:
        counted.terminals += 1
        return Fraction(book.points(lists))
    if isinstance(question, Counter):
        counted.chance += len(question) > 1
        total = sum(question.values())
        return sum(
            (Fraction(many, total) * below(book, counted, [*answers, rank]) for rank, many in question.items()),
            start=Fraction(0),
        )
    counted.decisions += 1
    several = [below(book, counted, [*answers, option]) for option in question]
    return sum(several, start=Fraction(0)) / len(several)


def after(book: Rulebook, answers: list[Any]) -> tuple[Counter[int] | list[Any] | None, Lists]:
    """What is asked after these answers: ranks with their numbers, options, or nothing more."""
    lists, left = book.lists(), list(answers)
    steps = book.setup(lists)
    for _ in range(book.decisions + 1):
        question = drawn(steps, left)
        if question is not None:
            return question, lists
        if lists.decided == book.decisions:
            return None, lists
        if not left:
            return sorted(book.options(lists)), lists
        number, ranks = left.pop(0)
        lists.decided += 1
        steps = book.action(number, list(ranks), lists)
    raise AssertionError("there are not so many decisions")


def drawn(steps: Draw, left: list[Any]) -> Counter[int] | None:
    """Goes on as far as the answers reach."""
    try:
        _, _, ranks = next(steps)
        while left:
            _, _, ranks = steps.send(left.pop(0))
    except StopIteration:
        return None
    return Counter(ranks)


def positions(book: Rulebook) -> int:
    """How many different positions there are, where nothing is drawn after the setup; the end of the game counts."""
    seen: set[object] = set()
    waiting: list[list[Any]] = [[]]
    while waiting:
        answers = waiting.pop()
        question, lists = after(book, answers)
        contents = [tuple(card.rank for card in lists.zones[zone]) for zone in ZONES if zone != "deck"]
        deck = repr(lists.deck())
        key = (len(answers), question is None, tuple(contents), deck, lists.asked[0])
        if key in seen:
            continue
        seen.add(key)
        waiting += [[*answers, one] for one in question or ()]
    return len(seen)
