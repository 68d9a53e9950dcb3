"""A game as events: a table and a picker in, the objects of the trace format out. Prints nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any, Protocol

from attrs import frozen

from rulesrun.dsl.text.messages import message
from rulesrun.files.loading import Reading
from rulesrun.interpreter.model.random import Streams
from rulesrun.interpreter.model.values import EVENTS, Fault, State, fault
from rulesrun.interpreter.play.game_loop import MOST_DECISIONS, Picker, random_picker
from rulesrun.interpreter.play.saved_positions import state_to_json
from rulesrun.interpreter.play.step import (
    ChanceDecision,
    Decision,
    GameOver,
    Option,
    PlayerDecision,
    Sheet,
    Step,
    apply_answer,
    begin_game,
    next_step,
    pending_decision,
)
from rulesrun.interpreter.reference.table import Table
from rulesrun.terminal.output import one_line_json

VERSION = 1
WORDS = ("labels", "text")  # what `--lang` adds to events
MOST_EVENTS = 8 * MOST_DECISIONS
Event = dict[str, Any]


def start_event(reading: Reading, table: Table, seed: int | None) -> Event:
    """The first line. A variant also names its base, variants laid over with `--with` stand in `with`."""
    event: Event = {"event": "start", "trace": VERSION, "game": reading.title, "file": reading.file_name}
    base = reading.chain[0].file
    if base.name != reading.name:
        event["base"] = base.short_name
    if reading.laid_over:
        event["with"] = list(reading.laid_over)
    return event | {
        "rules": f"sha256:{reading.digest}",
        "players": table.players,
        "options": dict(table.options),
        "seed": seed,
    }


class StepEngine(Protocol):
    """Who plays the game: an engine, one question at a time. A position may be anything that it understands."""

    def begin_game(self) -> Step: ...

    def pending_decision(self, position: Any) -> Decision: ...

    def next_step(self, position: Any, index: int) -> Step: ...

    def state_of(self, position: Any) -> State: ...


@frozen(eq=False)
class ReferenceEngine:
    """The reference engine: its positions are states."""

    table: Table

    def begin_game(self) -> Step:
        return begin_game(self.table)

    def pending_decision(self, position: Any) -> Decision:
        return pending_decision(self.table, position)

    def next_step(self, position: Any, index: int) -> Step:
        return next_step(self.table, position, index)

    def state_of(self, position: Any) -> State:
        found: State = position
        return found


def trace_random_game(
    reading: Reading, table: Table, seed: int, with_states: bool = False, engine: StepEngine | None = None
) -> Iterator[str]:
    """A whole trace of one random game, line by line."""
    yield one_line_json(start_event(reading, table, seed))
    for event in record_game(table, random_picker(Streams(seed)), with_states, engine):
        yield one_line_json(event)


def record_game(
    table: Table, pick: Picker, with_states: bool = False, engine: StepEngine | None = None
) -> Iterator[Event]:
    """Every event after the first line. The picker decides what chance brings and what is chosen."""
    engine = engine or ReferenceEngine(table)
    recorder = _Recorder(table, engine)
    if with_states:
        yield state_event(table, engine.state_of(recorder.step.state))
    for event in recorder.record_events(pick):
        yield event
        if with_states:
            yield state_event(table, engine.state_of(recorder.step.state))


def find_position_before(
    table: Table, pick: Callable[[PlayerDecision | ChanceDecision], int | None], at: int | None
) -> tuple[State, Fault | None]:
    """The position before the event of this number; the last one when there is none, or nothing is picked.

    Where nobody can choose anything: that position, and the fault; of other faults the position before them.
    """
    S, number = table.new_slots(), 0
    state: State | None = None
    while True:
        S[EVENTS] = []
        try:
            table.run_to_question(S)
        except Fault as problem:
            is_stuck = problem.diagnostic.code == "empty-choice"
            return (table.to_state(S), problem) if is_stuck or state is None else (state, None)
        number += sum(event[0] == "score" for event in S[EVENTS])
        S[EVENTS] = None
        state = table.to_state(S)
        question = pending_decision(table, state)
        if isinstance(question, GameOver) or (at is not None and number >= at):
            return state, None
        index = pick(question)
        if index is None:
            return state, None
        number += 1
        S = table.to_slots(state)
        apply_answer(table, S, index)


def strip_words(event: Event) -> Event:
    """The event alone, where a trace was told in a language."""
    return {key: value for key, value in event.items() if key not in WORDS}


class _Recorder:
    """`step` is what the event that was given last led to. An event is given before the points it brings are told."""

    def __init__(self, table: Table, engine: StepEngine) -> None:
        self.table, self.engine = table, engine
        self.step: Step = engine.begin_game()
        self.number = 0
        self.together = 0

    def record_events(self, pick: Picker) -> Iterator[Event]:
        while self.number < MOST_EVENTS:
            for found in self.step.events:
                if isinstance(found, Sheet):
                    yield self._number_event(score_event(found))
            question = self.engine.pending_decision(self.step.state)
            if isinstance(question, GameOver):
                yield self._number_event(end_event(question))
                return
            index = pick(question)
            event = self._question_event(question, index)
            try:
                self.step = self.engine.next_step(self.step.state, index)
            except Fault:
                yield self._number_event(event)
                raise
            yield self._number_event(event)
        raise fault(
            "too-long",
            message("the game has not ended after {most} events", most=MOST_EVENTS),
            self.table.program.game.span,
        )

    def _number_event(self, event: Event) -> Event:
        self.number += 1
        return {"i": self.number - 1, **event}

    def _question_event(self, question: PlayerDecision | ChanceDecision, index: int) -> Event:
        if isinstance(question, ChanceDecision):
            return chance_event(question, index)
        event: Event = {"event": "decision"}
        if question.together is not None:
            self.together += question.player == question.together[0]
            event["together"] = self.together
        legal = legal_json(question)
        return event | {"player": question.player, "legal": legal, "chosen": legal[index]}


def chance_event(question: ChanceDecision, index: int) -> Event:
    """`from` and `to` name zones: only what is drawn has them. Of several dice `of` says which, or whose."""
    event: Event = {"event": "chance", "what": question.what}
    if question.origin is not None:
        event |= {"from": question.origin, "to": question.target}
    elif question.target is not None and question.target.endswith("]"):
        event["of"] = question.target
    odds = Fraction(question.weight(index), question.total)
    return event | {"outcome": question.outcome(index), "odds": f"{odds.numerator}/{odds.denominator}"}


def legal_json(question: PlayerDecision) -> list[Event]:
    return [option_json(option) for option in question.options]


def option_json(option: Option) -> Event:
    return {"action": option.action} | {name: value_to_json(value) for name, value in option.arguments}


def score_event(sheet: Sheet) -> Event:
    lines = {
        str(player): {line: value_to_json(value) for line, value in own.items()} for player, own in sheet.lines.items()
    }
    return {"event": "score", "round": sheet.round, "sheet": lines}


def end_event(over: GameOver) -> Event:
    scores = {str(player): value_to_json(score) for player, score in over.scores.items()}
    return {"event": "end", "scores": scores, "places": [list(place) for place in over.places], "result": over.result}


def state_event(table: Table, state: State) -> Event:
    """Every zone, every variable, whose turn it is."""
    shown = state_to_json(table, state)
    return {"event": "state"} | {name: value_to_json(value) for name, value in shown.items() if name != "position"}


def value_to_json(value: object) -> object:
    """A fraction is text, `1/3`; several values are a list."""
    if isinstance(value, Fraction):
        return value.numerator if value.denominator == 1 else f"{value.numerator}/{value.denominator}"
    if isinstance(value, tuple | list):
        return [value_to_json(one) for one in value]
    if isinstance(value, dict):
        return {name: value_to_json(one) for name, one in value.items()}
    return value
