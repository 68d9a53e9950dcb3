"""Games that do not end. Takes a game that went on too long, tells whether it must go on for ever or only may.

It only may where somebody who plays on from there comes to the end. It must where every position that can follow was
looked at, and none of them is the end: that is a proof. Else nothing is known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from attrs import frozen

from rulesrun.dsl import ast
from rulesrun.interpreter.model.random import Streams
from rulesrun.interpreter.model.values import EVENTS, Fault, State
from rulesrun.interpreter.reference.chance import ChanceWait
from rulesrun.interpreter.reference.decisions import DecisionWait
from rulesrun.interpreter.reference.rounds import EndWait
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.search.answered_games import Answering, Game, Listed, Player, amount_of, outcome_at
from rulesrun.interpreter.search.biased_search import Leaning
from rulesrun.interpreter.search.effort import Effort

MOST_POSITIONS = 2_000
MOST_OUTCOMES = 500
LONGEST_CIRCLE = 60
MOST_BY_CHANCE = 2_000  # answers of a circle
FIRST_LOOK = 200  # choices: most games that cannot end cannot so early
TRIES, LONGEST_TRY = 12, 1_000  # games played on from where a long one was stopped, and how many answers each may have
FEW_TRIES = 3  # of them, where a proof decides
PROVING, PROVING_SECONDS = 20_000, 2.0  # answers that the proof of one position may take
MAY_GO_ON, ENDLESS, NOT_OVER = "may go on", "endless", "too long"


@frozen
class GoingOn:
    """What is known of a game that was stopped because it was so long. From there `ends` of `TRIES` games came to the
    end; or `positions` positions can follow and none of them is the end, which is a proof; or nothing is known."""

    ends: int
    positions: int | None = None

    @property
    def word(self) -> str:
        if self.ends:
            return MAY_GO_ON
        return ENDLESS if self.positions is not None else NOT_OVER


@frozen(eq=False)
class Trap:
    """A game up to the position from which the end cannot be reached, and how many positions can follow it."""

    game: Game
    state: State
    positions: int


def following(table: Table, state: State) -> Iterator[State] | None:
    """The positions after each answer; None at the end of the game."""
    S = table.opened(state)
    S[EVENTS] = None
    wait = table.waits[S[0]]
    if isinstance(wait, EndWait):
        return None
    if isinstance(wait, DecisionWait):
        return after_choices(table, state, wait)
    assert isinstance(wait, ChanceWait)
    return after_chance(table, state, wait, amount_of(S, wait))


def after_choices(table: Table, state: State, wait: DecisionWait) -> Iterator[State]:
    for option in wait.options(table.opened(state)):
        S = table.opened(state)
        S[EVENTS] = None
        wait.settle(S, option)
        table.run(S)
        yield table.closed(S)


def after_chance(table: Table, state: State, wait: ChanceWait, amount: int) -> Iterator[State]:
    if amount > MOST_OUTCOMES:
        raise OverflowError("these are too many outcomes")
    for index in range(amount):
        S = table.opened(state)
        S[EVENTS] = None
        wait.settle(S, outcome_at(S, wait, index))
        table.run(S)
        yield table.closed(S)


def closed_in(table: Table, state: State, effort: Effort) -> int | None:
    """How many positions can follow when none of them is the end; None when there is an end, or too many."""
    seen, waiting = {state}, [state]
    while waiting:
        try:
            after = following(table, waiting.pop())
            if after is None:
                return None
            for one in after:
                effort.spent += 1
                if one not in seen:
                    seen.add(one)
                    waiting.append(one)
        except (Fault, OverflowError):
            return None
        if len(seen) > MOST_POSITIONS or effort.is_over:
            return None
    return len(seen)


def trap(game: Game, effort: Effort) -> Trap | None:
    """The first decision of this game after which no end can be reached."""
    low, high = 0, min(FIRST_LOOK, len(game.choices))
    found = trapped_after(game, high, effort)
    if found is None and len(game.choices) > FIRST_LOOK:
        low, high = high + 1, len(game.choices)
        found = trapped_after(game, high, effort)
    while found is not None and low < high:
        middle = (low + high) // 2
        earlier = trapped_after(game, middle, effort)
        if earlier is None:
            low = middle + 1
        else:
            high, found = middle, earlier
    return found


@frozen(eq=False)
class Circle:
    """A game whose last position is the one it had after `until` choices."""

    game: Game
    until: int
    state: State


def circle(table: Table) -> Circle | None:
    """The shortest game that comes back to where it was, when everybody sticks to one action and to first options."""
    found = [one for number in range(len(table.bench.of_class(ast.Action))) if (one := circle_with(table, number))]
    return min(found, key=lambda one: len(one.game.choices), default=None)


def chosen_circle(table: Table) -> Circle | None:
    """The same, by choices that could have been others, without any luck: players may go on like this for ever."""
    found = circle(table)
    if found is None:
        return None
    S = table.fresh()
    S[EVENTS] = None
    listed, is_free, turns = Listed(found.game.answers), False, 0
    while isinstance(wait := table.run(S), DecisionWait | ChanceWait) and turns < len(found.game.choices):
        if isinstance(wait, ChanceWait):
            if turns > found.until and amount_of(S, wait) > 1:
                return None
            wait.settle(S, outcome_at(S, wait, listed.outcome(S, wait)))
            continue
        options = wait.options(S)
        is_free = is_free or (turns >= found.until and len(options) > 1)
        wait.settle(S, options[listed.option(S, wait, options)])
        turns += 1
    return found if is_free else None


def ways_to_the_end(table: Table, state: State) -> int:
    """Of some games that go on from here, at random or leaning: how many come to the end."""
    used: Counter[tuple[int, int]] = Counter()
    return sum(comes_to_the_end(table, state, Leaning(Streams(number), used)) for number in range(TRIES))


def judge_long_game(table: Table, state: State) -> GoingOn:
    """Of the position at which a game was stopped: whether it may go on for ever, or must."""
    ends = ways_to_the_end(table, state)
    return GoingOn(ends, None if ends else closed_in(table, state, Effort(PROVING, PROVING_SECONDS)))


def can_come_to_the_end(table: Table, state: State) -> bool:
    """Whether one of a few such games does; none proves nothing."""
    used: Counter[tuple[int, int]] = Counter()
    return any(comes_to_the_end(table, state, Leaning(Streams(number), used)) for number in range(FEW_TRIES))


def comes_to_the_end(table: Table, state: State, answering: Answering) -> bool:
    S = table.opened(state)
    S[EVENTS] = None
    try:
        for _ in range(LONGEST_TRY):
            wait = table.run(S)
            if isinstance(wait, DecisionWait):
                options = wait.options(S)
                wait.settle(S, options[answering.option(S, wait, options)])
            elif isinstance(wait, ChanceWait):
                wait.settle(S, outcome_at(S, wait, answering.outcome(S, wait)))
            else:
                return True
    except Fault:
        return False
    return False


def circle_with(table: Table, action: int) -> Circle | None:
    S = table.fresh()
    S[EVENTS] = None
    answers: list[int] = []
    choices: list[int] = []
    seen: dict[State, int] = {}
    try:
        while isinstance(wait := table.run(S), DecisionWait | ChanceWait):
            if isinstance(wait, ChanceWait):
                if len(answers) >= MOST_BY_CHANCE:
                    return None
                answers.append(0)
                wait.settle(S, outcome_at(S, wait, 0))
                continue
            here = table.closed(S)
            if here in seen:
                return Circle(Game(table, tuple(answers), tuple(choices), ()), seen[here], here)
            if len(choices) >= LONGEST_CIRCLE:
                return None
            seen[here] = len(choices)
            options = wait.options(S)
            index = next((number for number, option in enumerate(options) if option[0] == action), 0)
            choices.append(len(answers))
            answers.append(index)
            wait.settle(S, options[index])
    except Fault:
        return None
    return None


def prefix(game: Game, decisions: int) -> Game:
    """The game up to this decision, which is not made any more."""
    whole = len(game.answers) if decisions >= len(game.choices) else game.choices[decisions]
    return Game(game.table, game.answers[:whole], game.choices[:decisions], game.failures)


def trapped_after(game: Game, decisions: int, effort: Effort) -> Trap | None:
    cut = prefix(game, decisions)
    state = position_after(game.table, cut.answers)
    positions = None if state is None else closed_in(game.table, state, effort)
    return None if state is None or positions is None else Trap(cut, state, positions)


def position_after(table: Table, answers: tuple[int, ...]) -> State | None:
    """The position at which the next answer is needed."""
    S = table.fresh()
    S[EVENTS] = None
    listed = Listed(answers)
    try:
        for _ in answers:
            wait = table.run(S)
            if isinstance(wait, DecisionWait):
                options = wait.options(S)
                wait.settle(S, options[listed.option(S, wait, options)])
            elif isinstance(wait, ChanceWait):
                wait.settle(S, outcome_at(S, wait, listed.outcome(S, wait)))
        table.run(S)
    except Fault:
        return None
    return table.closed(S)


def smaller_trap(found: Trap, effort: Effort) -> Trap:
    """Choices left out one after another, as long as there is a trap at the end."""
    at = len(found.game.choices) - 1
    while at >= 0 and not effort.is_over:
        bounds = [*found.game.choices, len(found.game.answers)]
        answers = found.game.answers[: bounds[at]] + found.game.answers[bounds[at + 1] :]
        again = Player(found.game.table, len(found.game.choices) + 1).play(Listed(answers), len(found.game.choices) - 1)
        other = trap(again, effort)
        if other is not None and len(other.game.choices) < len(found.game.choices):
            found = other
            at = len(found.game.choices)
        at -= 1
    return found
