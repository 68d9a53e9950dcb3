"""A game as events: a table and a picker in, the objects of the trace format out. Prints nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any, Protocol

from attrs import frozen

from rulesrun.dsl.text.messages import Message, Names, join_and, join_messages, message, message_in
from rulesrun.files.loading import Reading
from rulesrun.interpreter.measure.first_difference import Parting, has_same_components
from rulesrun.interpreter.model.random import Streams
from rulesrun.interpreter.model.values import EVENTS, PC, SHEETS, Fault, State, fault
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
    decode_sheet,
    next_step,
    outcome_name,
    pending_decision,
)
from rulesrun.interpreter.reference.chance import ChanceWait
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


# ---- trace differences
# What differs first between two records of the same deal, in words: two positions in, two lines out.


MOST_TOLD = 3
NOT_COUNTED = message("points are not counted yet")
Question = PlayerDecision | ChanceDecision | GameOver


def describe_parting(tables: tuple[Table, Table], parting: Parting) -> tuple[str, str]:
    """One line for each game."""
    left, right = tables
    if not has_same_components(left, right):
        return message("other components"), message("other components")
    stuck = [moment[1] if moment is not None and moment[0] == "stuck" else None for moment in parting.moments]
    if any(stuck):
        told = [
            message("the game is stuck: {reason}", reason=reason) if reason is not None else message("the game goes on")
            for reason in stuck
        ]
        return told[0], told[1]
    counted = _describe_scores(tables, parting.states)
    if counted is not None:
        return counted
    questions = pending_decision(left, parting.states[0]), pending_decision(right, parting.states[1])
    if isinstance(questions[0], PlayerDecision) and isinstance(questions[1], PlayerDecision):
        return _describe_decisions(questions[0], questions[1])
    if isinstance(questions[0], ChanceDecision) and isinstance(questions[1], ChanceDecision):
        return _describe_chance(left, parting, 0, questions[0]), _describe_chance(right, parting, 1, questions[1])
    return _describe_question(questions[0]), _describe_question(questions[1])


def _describe_chance(table: Table, parting: Parting, side: int, question: ChanceDecision) -> str:
    """What came, with its odds: one of the two is other in the other game."""
    state, moment = parting.states[side], parting.moments[side]
    wait = table.waits[state.slots[PC]]
    if moment is None or not isinstance(wait, ChanceWait):
        return _describe_question(question)
    value, weight, total = moment[3:6]
    brought = message("an order") if wait.what == "order" else Names(outcome_name(table, wait, value))
    return message(
        "{question} brings {outcome}, {weight} in {total}", question=_describe_question(question), outcome=brought,
        weight=weight, total=total,
    )  # fmt: skip


def option_words(option: Option) -> str:
    """`exchange(red-7, blue-1)`."""
    values = ", ".join(_value_text(value) for _, value in option.arguments)
    return f"{option.action}({values})" if values else option.action


def _value_text(value: object) -> str:
    found = value_to_json(value)
    return "{" + ", ".join(str(one) for one in found) + "}" if isinstance(found, list) else str(found)


def _describe_decisions(left: PlayerDecision, right: PlayerDecision) -> tuple[str, str]:
    """Who chooses, or what one of them may choose that the other may not."""
    if left.player != right.player or left.together != right.together:
        return _describe_question(left), _describe_question(right)
    only_left = [option_words(one) for one in left.options if one not in right.options]
    only_right = [option_words(one) for one in right.options if one not in left.options]
    return _permission_text(left.player, only_left), _permission_text(right.player, only_right)


def _permission_text(player: int, options: list[str]) -> str:
    who = _chooser(player)
    if not options:
        return message("{who} may not", who=who)
    shown = list(map(Names, options[:MOST_TOLD]))
    if len(options) > MOST_TOLD:
        return message(
            "{who} may {options} and {amount} more", who=who, options=shown, amount=len(options) - MOST_TOLD
        )
    return message("{who} may {options}", who=who, options=shown)


def _chooser(player: int) -> Message:
    return message("player {player}", player=player) if player else message("the team")


def _describe_question(question: Question) -> str:
    match question:
        case PlayerDecision(player, _, options):
            actions = Names(" or ".join(dict.fromkeys(option.action for option in options)))
            return message("{who} chooses {actions}", who=_chooser(player), actions=actions)
        case ChanceDecision(what, _, origin, target):
            return _describe_chance_question(CHANCES[what], origin, target)
        case GameOver():
            return _describe_end(question)


CHANCES = {
    "draw": message_in("chance", "draw"), "roll": message_in("chance", "roll"), "lot": message_in("chance", "lot"),
    "order": message_in("chance", "order"),
}  # fmt: skip


def _describe_chance_question(what: Message, origin: str | None, target: str | None) -> Message:
    if origin and target:
        return message(
            "chance: {what} from {origin} to {target}", what=what, origin=Names(origin), target=Names(target)
        )
    if origin:
        return message("chance: {what} from {origin}", what=what, origin=Names(origin))
    if target:
        return message("chance: {what} to {target}", what=what, target=Names(target))
    return message("chance: {what}", what=what)


def _describe_end(over: GameOver) -> str:
    scores = ", ".join(str(value_to_json(score)) for score in over.scores.values())
    first = join_and([str(player) for player in over.places[0]])
    if over.result is None:
        return message("the game is over: scores {scores}; first {first}", scores=scores, first=first)
    return message(
        "the game is over: scores {scores}; first {first}, {result}", scores=scores, first=first,
        result=Names(over.result),
    )  # fmt: skip


def _describe_scores(tables: tuple[Table, Table], states: tuple[State, State]) -> tuple[str, str] | None:
    """Points were counted in one game only, or otherwise."""
    sheets = states[0].slots[SHEETS], states[1].slots[SHEETS]
    shared = min(len(sheets[0]), len(sheets[1]))
    for at in range(shared):
        if sheets[0][at] != sheets[1][at]:
            return _sheet_text(decode_sheet(tables[0], sheets[0][at])), _sheet_text(
                decode_sheet(tables[1], sheets[1][at])
            )
    if len(sheets[0]) == len(sheets[1]):
        return None
    words = [
        _sheet_text(decode_sheet(table, own[shared])) if len(own) > shared else NOT_COUNTED
        for table, own in zip(tables, sheets, strict=True)
    ]
    return words[0], words[1]


def _sheet_text(sheet: Sheet) -> str:
    told = [
        message(
            "player {player}: {points}", player=player,
            points=[Names(f"{line} {value_to_json(value)}") for line, value in lines.items()],
        )
        for player, lines in sheet.lines.items()
    ]  # fmt: skip
    return message("points of round {round}: {points}", round=sheet.round, points=join_messages(told, "; "))
