"""Games that do not end. Takes a game that went on too long, tells whether it must go on for ever or only may.

It only may where somebody who plays on from there comes to the end. It must where every position that can follow was
looked at, and none of them is the end: that is a proof. Else nothing is known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from attrs import frozen

from rulesrun.interpreter.model.random import Streams
from rulesrun.interpreter.model.values import EVENTS, OPTIONS, Fault, State
from rulesrun.interpreter.reference.chance import ChanceWait
from rulesrun.interpreter.reference.decisions import DecisionWait
from rulesrun.interpreter.reference.rounds import EndWait
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.search.answered_games import (
    AnsweredGame,
    AnswerSource,
    GameChecker,
    ListedAnswers,
    count_outcomes,
    outcome_at,
)
from rulesrun.interpreter.search.biased_search import BiasedAnswers
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

    game: AnsweredGame
    state: State
    positions: int


def next_positions(table: Table, state: State) -> Iterator[State] | None:
    """The positions after each answer; None at the end of the game."""
    S = table.to_slots(state)
    S[EVENTS] = None
    wait = table.waits[S[0]]
    if isinstance(wait, EndWait):
        return None
    if isinstance(wait, DecisionWait):
        return positions_after_choices(table, state, wait)
    assert isinstance(wait, ChanceWait)
    return positions_after_chance(table, state, wait, count_outcomes(S, wait))


def positions_after_choices(table: Table, state: State, wait: DecisionWait) -> Iterator[State]:
    for option in wait.list_options(table.to_slots(state)):
        S = table.to_slots(state)
        S[EVENTS] = None
        wait.apply_answer(S, option)
        table.run_to_question(S)
        yield table.to_state(S)


def positions_after_chance(table: Table, state: State, wait: ChanceWait, amount: int) -> Iterator[State]:
    if amount > MOST_OUTCOMES:
        raise OverflowError("these are too many outcomes")
    for index in range(amount):
        S = table.to_slots(state)
        S[EVENTS] = None
        wait.apply_answer(S, outcome_at(S, wait, index))
        table.run_to_question(S)
        yield table.to_state(S)


def count_closed_positions(table: Table, state: State, effort: Effort) -> int | None:
    """How many positions can follow when none of them is the end; None when there is an end, or too many."""
    seen, waiting = {state}, [state]
    while waiting:
        try:
            after = next_positions(table, waiting.pop())
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


def find_trap(game: AnsweredGame, effort: Effort) -> Trap | None:
    """The first decision of this game after which no end can be reached."""
    low, high = 0, min(FIRST_LOOK, len(game.choices))
    states = list_states(cut_game(game, high))
    found = find_trap_after(game, states, high, effort)
    if found is None and len(game.choices) > FIRST_LOOK:
        low, high = high + 1, len(game.choices)
        states = list_states(game)
        found = find_trap_after(game, states, high, effort)
    while found is not None and low < high:
        middle = (low + high) // 2
        earlier = find_trap_after(game, states, middle, effort)
        if earlier is None:
            low = middle + 1
        else:
            high, found = middle, earlier
    return found


@frozen(eq=False)
class GameCircle:
    """A game whose last position is the one it had after `until` choices."""

    game: AnsweredGame
    until: int
    state: State


def find_game_circle(table: Table) -> GameCircle | None:
    """The shortest game that comes back to where it was, when everybody sticks to one action and to first options."""
    found = [
        one
        for number in range(len(table.bench.actions))
        if (one := find_circle_with_action(table, number))
    ]
    return min(found, key=lambda one: len(one.game.choices), default=None)


def find_chosen_circle(table: Table) -> GameCircle | None:
    """The same, by choices that could have been others, without any luck: players may go on like this for ever."""
    found = find_game_circle(table)
    if found is None:
        return None
    S = table.new_slots()
    S[EVENTS] = None
    listed, is_free, turns = ListedAnswers(found.game.answers), False, 0
    while isinstance(wait := table.run_to_question(S), DecisionWait | ChanceWait) and turns < len(found.game.choices):
        if isinstance(wait, ChanceWait):
            if turns > found.until and count_outcomes(S, wait) > 1:
                return None
            wait.apply_answer(S, outcome_at(S, wait, listed.pick_outcome(S, wait)))
            continue
        options = S[OPTIONS]
        is_free = is_free or (turns >= found.until and len(options) > 1)
        wait.apply_answer(S, options[listed.pick_option(S, wait, options)])
        turns += 1
    return found if is_free else None


def count_games_to_the_end(table: Table, state: State) -> int:
    """Of some games that go on from here, at random or leaning: how many come to the end."""
    used: Counter[tuple[int, int]] = Counter()
    return sum(reaches_end(table, state, BiasedAnswers(Streams(number), used)) for number in range(TRIES))


def judge_long_game(table: Table, state: State) -> GoingOn:
    """Of the position at which a game was stopped: whether it may go on for ever, or must."""
    ends = count_games_to_the_end(table, state)
    return GoingOn(ends, None if ends else count_closed_positions(table, state, Effort(PROVING, PROVING_SECONDS)))


def can_reach_end(table: Table, state: State) -> bool:
    """Whether one of a few such games does; none proves nothing."""
    used: Counter[tuple[int, int]] = Counter()
    return any(reaches_end(table, state, BiasedAnswers(Streams(number), used)) for number in range(FEW_TRIES))


def reaches_end(table: Table, state: State, answering: AnswerSource) -> bool:
    S = table.to_slots(state)
    S[EVENTS] = None
    try:
        for _ in range(LONGEST_TRY):
            wait = table.run_to_question(S)
            if isinstance(wait, DecisionWait):
                options = S[OPTIONS]
                wait.apply_answer(S, options[answering.pick_option(S, wait, options)])
            elif isinstance(wait, ChanceWait):
                wait.apply_answer(S, outcome_at(S, wait, answering.pick_outcome(S, wait)))
            else:
                return True
    except Fault:
        return False
    return False


def find_circle_with_action(table: Table, action: int) -> GameCircle | None:
    S = table.new_slots()
    S[EVENTS] = None
    answers: list[int] = []
    choices: list[int] = []
    seen: dict[State, int] = {}
    try:
        while isinstance(wait := table.run_to_question(S), DecisionWait | ChanceWait):
            if isinstance(wait, ChanceWait):
                if len(answers) >= MOST_BY_CHANCE:
                    return None
                answers.append(0)
                wait.apply_answer(S, outcome_at(S, wait, 0))
                continue
            here = table.to_state(S)
            if here in seen:
                return GameCircle(AnsweredGame(table, tuple(answers), tuple(choices), ()), seen[here], here)
            if len(choices) >= LONGEST_CIRCLE:
                return None
            seen[here] = len(choices)
            options = S[OPTIONS]
            index = next((number for number, option in enumerate(options) if option[0] == action), 0)
            choices.append(len(answers))
            answers.append(index)
            wait.apply_answer(S, options[index])
    except Fault:
        return None
    return None


def cut_game(game: AnsweredGame, decisions: int) -> AnsweredGame:
    """The game up to this decision, which is not made any more."""
    whole = len(game.answers) if decisions >= len(game.choices) else game.choices[decisions]
    return AnsweredGame(game.table, game.answers[:whole], game.choices[:decisions], game.failures)


def find_trap_after(game: AnsweredGame, states: list[State], decisions: int, effort: Effort) -> Trap | None:
    """`states`: at each of its decisions; there are fewer where something went wrong."""
    if decisions >= len(states):
        return None
    positions = count_closed_positions(game.table, states[decisions], effort)
    return None if positions is None else Trap(cut_game(game, decisions), states[decisions], positions)


def list_states(game: AnsweredGame) -> list[State]:
    """The position at each decision of the game, and the one at which the answer after its last is needed."""
    table, choices, listed = game.table, set(game.choices), ListedAnswers(game.answers)
    S = table.new_slots()
    S[EVENTS] = None
    found: list[State] = []
    try:
        for at in range(len(game.answers)):
            wait = table.run_to_question(S)
            if at in choices:
                found.append(table.to_state(S))
            if isinstance(wait, DecisionWait):
                options = S[OPTIONS]
                wait.apply_answer(S, options[listed.pick_option(S, wait, options)])
            elif isinstance(wait, ChanceWait):
                wait.apply_answer(S, outcome_at(S, wait, listed.pick_outcome(S, wait)))
        table.run_to_question(S)
        found.append(table.to_state(S))
    except Fault:
        return found
    return found


def shrink_trap(found: Trap, effort: Effort) -> Trap:
    """Choices left out one after another, as long as there is a trap at the end."""
    at = len(found.game.choices) - 1
    while at >= 0 and not effort.is_over:
        bounds = [*found.game.choices, len(found.game.answers)]
        answers = found.game.answers[: bounds[at]] + found.game.answers[bounds[at + 1] :]
        again = GameChecker(found.game.table, len(found.game.choices) + 1).play_game(
            ListedAnswers(answers), len(found.game.choices) - 1
        )
        other = find_trap(again, effort)
        if other is not None and len(other.game.choices) < len(found.game.choices):
            found = other
            at = len(found.game.choices)
        at -= 1
    return found
