"""Brings a table to the moment with which an example begins. Takes a moment, plays to it at random, gives the position.

What an example does not say is as the game first comes to its moment: several games at random, each with a
chance of its own, so that nothing holds by luck. They are kept for all examples of a table.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext, suppress
from typing import Any

from attrs import define, field, frozen

from rulesrun.interpreter.model.random import Streams
from rulesrun.interpreter.model.values import OPTIONS, PC, PHASE, PLAYER, ROUND, STARTER, Fault, Jump, Run, Slots, State
from rulesrun.interpreter.reference.chance import ChanceWait, OrderWait, ValueWait
from rulesrun.interpreter.reference.decisions import DecisionWait, TogetherWait
from rulesrun.interpreter.reference.flow_graph import Wait
from rulesrun.interpreter.reference.table import Table

MOST_ANSWERS = 2_000  # in one game that is played to the moment
MOST_OPTIONS = 50_000  # listed on the way to it
ATTEMPTS = 3


class OperationReached(Exception):
    """The flow has come to the operation that it was to stop at."""


@frozen
class ExampleMoment:
    """What an example names: a round, a phase, whose turn begins. Nothing of it: the first decision."""

    round: int | None = None
    phase: int | None = None
    seat: int | None = None

    @property
    def is_named(self) -> bool:
        return self != ExampleMoment()


@frozen
class Beginning:
    """A position at the moment; `phase`: the one that begins, where a phase or a turn does."""

    state: State
    phase: int | None = None


@define(eq=False)
class Luck:
    """The chance of one of several tables: they go through all outcomes of the first throw or lot, side by side."""

    streams: Streams
    number: int
    _is_first: bool = field(init=False, default=True)

    def pick_outcome(self, wait: ChanceWait, S: Slots) -> Any:
        if self._is_first and isinstance(wait, ValueWait) and not isinstance(wait, OrderWait):
            self._is_first = False
            outcomes = wait.outcomes(S)
            return outcomes[self.number % len(outcomes)][0]
        return wait.outcome_at(S, self.streams.random_below(wait.total_weight(S), wait.stream_name(S)))

    def pick_option(self, S: Slots) -> Any:
        options = S[OPTIONS]
        return options[self.streams.random_below(len(options), "choices")]


def make_luck(number: int, game: int) -> Luck:
    return Luck(Streams(number, game), number)


def make_stop_step(pc: int) -> Jump:
    def step(S: Slots) -> int:
        S[PC] = pc
        raise OperationReached

    return step


def run_to_operation(table: Table, S: Slots, pc: int) -> bool:
    """Whether the flow comes to this operation before anybody, or chance, is asked."""
    steps = list(table.steps)
    steps[pc] = make_stop_step(pc)
    try:
        table.run_to_question(S, steps)
    except OperationReached:
        return True
    return False


@define(eq=False)
class Beginnings:
    """`aside`: around games that are played to a moment by nobody's choice, where what is reached is noted."""

    table: Table
    aside: Callable[[], AbstractContextManager[None]] = nullcontext
    _kept: dict[tuple[ExampleMoment, bool, int], Beginning] = field(init=False, factory=dict)
    _missed: set[ExampleMoment] = field(init=False, factory=set)  # no game came to these

    def beginning_at(self, moment: ExampleMoment, is_changed: bool, number: int) -> Beginning:
        """The position of the `number`-th table; `is_changed`: the example gives something, so it is not the start."""
        key = (moment, is_changed, number)
        if key not in self._kept:
            self._kept[key] = self.find_beginning(moment, is_changed, number)
        return self._kept[key]

    def find_beginning(self, moment: ExampleMoment, is_changed: bool, number: int) -> Beginning:
        if not moment.is_named:
            return self.find_first_decision(is_changed, number)
        if self.aside is not nullcontext:
            with suppress(Fault):
                self.find_first_decision(is_changed, number)
        with self.aside():
            return self.find_moment(moment, number)

    def find_moment(self, moment: ExampleMoment, number: int) -> Beginning:
        for attempt in range(0 if moment in self._missed else ATTEMPTS):
            try:
                found = self.play_to_moment(moment, make_luck(number, attempt))
            except Fault:
                continue
            if found is not None:
                return found
        self._missed.add(moment)
        return self.jump_to_moment(moment, number)

    # ---- nothing is named

    def find_first_decision(self, is_changed: bool, number: int) -> Beginning:
        """Where nobody ever decides: the first phase, when something is given; else the start of the game."""
        S, chance = self.table.new_slots(), make_luck(number, 0)
        try:
            wait = self.table.run_to_question(S)
            while isinstance(wait, ChanceWait):
                wait.apply_answer(S, chance.pick_outcome(wait, S))
                wait = self.table.run_to_question(S)
        except Fault as problem:
            if problem.diagnostic.code != "empty-choice":
                raise
            wait = next(one for one in self.table.waits.values() if one.node.span == problem.diagnostic.span)
        if isinstance(wait, DecisionWait):
            ask_again(S, wait)
            return Beginning(self.table.to_state(S))
        if not is_changed:
            return Beginning(self.table.to_state(self.table.new_slots()))
        found = self.play_to_stop(self.phase_stops(lambda phase, S: True), make_luck(number, 0))
        return found or Beginning(self.table.to_state(self.table.new_slots()))

    # ---- a moment is named

    def play_to_moment(self, moment: ExampleMoment, chance: Luck) -> Beginning | None:
        if moment.phase is not None:
            wanted = moment.phase
            return self.play_to_stop(
                self.phase_stops(lambda phase, S: phase == wanted and moment.round in {None, S[ROUND]}), chance
            )
        if moment.seat is not None:
            return self.find_phase_of_decision(moment, chance)
        return self.play_to_stop(self.round_stop(moment.round), chance)

    def play_to_stop(self, stops: dict[int, Callable[[Slots], Beginning | None]], chance: Luck) -> Beginning | None:
        """Plays until one of the operations gives a beginning."""
        table, S = self.table, self.table.new_slots()
        steps, found = list(table.steps), []

        def watched(pc: int) -> Jump:
            plain, stop = table.steps[pc], stops[pc]

            def step(S: Slots) -> int:
                beginning = stop(S)
                if beginning is not None:
                    found.append(beginning)
                    raise OperationReached
                return plain(S)

            return step

        for pc in stops:
            steps[pc] = watched(pc)
        try:
            self.play_to_decision(S, chance, lambda S: table.run_to_question(S, steps), lambda S: False)
        except OperationReached:
            return found[0]
        return None

    def play_to_decision(
        self, S: Slots, chance: Luck, run: Callable[[Slots], Wait], is_enough: Callable[[Slots], bool]
    ) -> Wait | None:
        """To the first decision at which it is enough; None: not so far."""
        listed = 0
        for _ in range(MOST_ANSWERS):
            wait = run(S)
            if isinstance(wait, ChanceWait):
                wait.apply_answer(S, chance.pick_outcome(wait, S))
                continue
            if not isinstance(wait, DecisionWait):
                return None
            if is_enough(S):
                return wait
            listed += len(S[OPTIONS])
            if listed > MOST_OPTIONS:
                return None
            wait.apply_answer(S, chance.pick_option(S))
        return None

    def phase_stops(self, is_wanted: Callable[[int, Slots], bool]) -> dict[int, Callable[[Slots], Beginning | None]]:
        """At the beginning of every phase."""

        def stop_of(phase: int, pc: int) -> Callable[[Slots], Beginning | None]:
            def stop(S: Slots) -> Beginning | None:
                if not is_wanted(phase, S):
                    return None
                S[PC] = pc
                return Beginning(self.table.to_state(S), phase)

            return stop

        return {start.entry: stop_of(phase, start.entry) for phase, start in self.table.phases.items()}

    def find_phase_of_decision(self, moment: ExampleMoment, chance: Luck) -> Beginning | None:
        """The first phase with turns in which somebody decides."""
        table, last = self.table, list[Beginning]()

        def noted(S: Slots, found: Beginning | None) -> None:
            if found is not None:
                last[:] = [found]

        stops = self.phase_stops(lambda phase, S: moment.round in {None, S[ROUND]})
        steps = list(table.steps)
        for pc, stop in stops.items():
            steps[pc] = make_noting_step(table.steps[pc], stop, noted)

        def is_enough(S: Slots) -> bool:
            return bool(last) and table.phases[last[0].phase or 0].turn is not None

        wait = self.play_to_decision(table.new_slots(), chance, lambda S: table.run_to_question(S, steps), is_enough)
        return last[0] if wait is not None else None

    def round_stop(self, number: int | None) -> dict[int, Callable[[Slots], Beginning | None]]:
        """Behind what is set back, and the starter's moving on: `setup round` comes next."""
        pc = self.round_operation()
        after = self.table.steps[pc]

        def stop(S: Slots) -> Beginning | None:
            kept = list(S)
            S[PC] = after(S)
            if S[ROUND] == number:
                return Beginning(self.table.to_state(S))
            S[:] = kept
            return None

        return {pc: stop}

    def round_operation(self) -> int:
        return next(pc for pc, one in enumerate(self.table.operations) if one.kind == "round-begins")

    # ---- where play does not come to the moment

    def jump_to_moment(self, moment: ExampleMoment, number: int) -> Beginning:
        """From the first decision, or the end of a game without one."""
        table, S, chance = self.table, self.table.new_slots(), make_luck(number, 0)
        with suppress(Fault):
            self.play_to_decision(S, chance, table.run_to_question, lambda S: True)
        S[OPTIONS] = None
        if moment.phase is None and moment.seat is None:
            pc = self.round_operation()
            S[ROUND] = (moment.round or 1) - 1
            S[PC] = table.steps[pc](S)
            return Beginning(table.to_state(S))
        S[ROUND] = moment.round if moment.round is not None else max(S[ROUND], 1)
        phase = moment.phase if moment.phase is not None else self.phase_with_turns(S)
        S[PHASE], S[PLAYER], S[PC] = phase, S[STARTER], table.phases[phase].entry
        return Beginning(table.to_state(S), phase)

    def phase_with_turns(self, S: Slots) -> int:
        with_turns = [phase for phase, start in self.table.phases.items() if start.turn is not None]
        return with_turns[0] if with_turns and S[PHASE] not in with_turns else int(S[PHASE])


def make_noting_step(
    plain: Jump, stop: Callable[[Slots], Beginning | None], note: Callable[[Slots, Beginning | None], None]
) -> Jump:
    def step(S: Slots) -> int:
        note(S, stop(S))
        return plain(S)

    return step


def ask_again(S: Slots, wait: DecisionWait) -> None:
    """The choice is asked anew when the flow goes on: of those, and with the options, that the position then has."""
    S[PC], S[OPTIONS] = wait.pc, None
    if isinstance(wait, TogetherWait) and S[wait.seats] is not None:
        S[PLAYER] = S[wait.before]
        S[wait.seats], S[wait.chosen], S[wait.done], S[wait.before] = None, (), 0, None


def begin_turn(table: Table, S: Slots, phase: int, seat: int) -> None:
    """The turns of the phase begin, with this player's; of `one turn each`, those before have had theirs."""
    start = table.phases[phase]
    slots = start.slots
    assert slots is not None
    assert start.turn is not None
    S[PHASE], S[PLAYER] = phase, S[STARTER]
    S[slots.before], S[slots.looked] = S[STARTER], 0
    S[slots.excluded] = evaluate_or_none(start.left_out, S)
    first = evaluate_or_none(start.first, S)
    if start.is_once and first is not None:
        S[slots.looked] = (seat - first if start.is_to_the_left else first - seat) % table.players
    S[PLAYER], S[slots.seat] = seat, seat
    S[PC] = start.turn


def evaluate_or_none(run: Run | None, S: Slots) -> Any:
    """Nobody, where the position does not say it."""
    try:
        return run(S) if run is not None else None
    except Fault:
        return None
