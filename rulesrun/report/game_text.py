"""One game for people to read: who chose what, what it changed, what was counted, and what the rulebook says of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

from attrs import define, field

from rulesrun.dsl.text.messages import Message, Names, join_messages, message
from rulesrun.files.loading import Reading
from rulesrun.interpreter.model.places import flatten_content
from rulesrun.interpreter.model.random import Streams
from rulesrun.interpreter.model.values import PHASE, ROUND, STARTER
from rulesrun.interpreter.play.game_loop import Picker, random_picker
from rulesrun.interpreter.play.position_changes import (
    component_changes,
    format_components,
    variable_changes,
    zone_slots,
)
from rulesrun.interpreter.play.step import (
    ChanceDecision,
    GameOver,
    PlayerDecision,
    Sheet,
    Step,
    begin_game,
    next_step,
    pending_decision,
)
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.stories.story import WHOLE, describe_amount
from rulesrun.locale.language import label_words, say_title, spoken_language, translate, use_words
from rulesrun.records.traces import Event, end_event, record_game, score_event, start_event, value_to_json
from rulesrun.services.stories import option_text, player_text
from rulesrun.terminal.output import one_line_json
from rulesrun.terminal.plurals import count_players

# ---- trace text
# A trace with words: events in, the same events with a sentence each. Identifiers and formats stay as they are.


def trace_with_words(reading: Reading, table: Table, seed: int, with_states: bool) -> Iterator[str]:
    """A whole trace of one random game; the first line has every label, the others a sentence."""
    use_words(reading.game)
    labels = label_words() | dict(spoken_language().labels)
    yield one_line_json(start_event(reading, table, seed) | {"labels": labels})
    for event in record_game(table, random_picker(Streams(seed)), with_states):
        sentence = describe_event(event)
        yield one_line_json(event | ({"text": translate(sentence)} if sentence else {}))


def describe_event(event: Event) -> Message | None:
    match event["event"]:
        case "chance":
            return _chance_words(event)
        case "decision":
            option = Names(_option_words(event["chosen"]))
            if event["player"]:
                return message("player {player}: {option}", player=event["player"], option=option)
            return message("the team: {option}", option=option)
        case "score":
            return _score_words(event)
        case "end":
            return _end_words(event)
        case _:
            return None


def _score_words(event: Event) -> Message:
    told = [
        message(
            "player {player}: {points}", player=player,
            points=[Names(f"{line} {value}") for line, value in sheet.items()],
        )
        for player, sheet in event["sheet"].items()
    ]  # fmt: skip
    return message("points of round {round}; {points}", round=event["round"], points=join_messages(told, "; "))


def _chance_words(event: Event) -> Message:
    brought = Names(" ".join(_value_words(one) for one in event["outcome"]))
    if event["what"] == "lot":
        return message("the lot falls on player {player}", player=brought)
    if "from" in event:
        return message(
            "from {origin} to {target}: {components}", origin=Names(event["from"]), target=Names(event["to"]),
            components=brought,
        )  # fmt: skip
    if event["what"] == "roll":
        return message("roll: {outcome}", outcome=brought)
    return message("order: {outcome}", outcome=brought)


def _option_words(chosen: dict[str, Any]) -> str:
    values = ", ".join(f"{name} {_value_words(value)}" for name, value in chosen.items() if name != "action")
    return f"{chosen['action']} ({values})" if values else str(chosen["action"])


def _value_words(value: object) -> str:
    return " ".join(str(one) for one in value) if isinstance(value, list) else str(value)


def _end_words(event: Event) -> Message:
    scores = ", ".join(f"{player} – {score}" for player, score in event["scores"].items())
    first = ", ".join(str(player) for player in event["places"][0])
    if event["result"] is None:
        return message("the game is over; scores: {scores}; first place: {first}", scores=scores, first=first)
    return message(
        "the game is over; scores: {scores}; first place: {first}; result: {result}", scores=scores, first=first,
        result=Names(event["result"]),
    )  # fmt: skip


# ---- game text


NOTE, CHANGE = "  ", "      "


def tell_game(reading: Reading, table: Table, pick: Picker) -> Iterator[str]:
    """Line by line, in the language that is spoken now. The picker decides what chance brings and what is chosen."""
    use_words(reading.game)
    title = say_title(reading.game)
    yield f"{title}, {translate(count_players(table.players))}"
    settings = [Names(f"{name}={translate(Names(str(value)))}") for name, value in table.options.items()]
    if settings:
        yield translate(settings)
    yield from GameTeller(table).tell_moves(pick)


class Noted(Protocol):
    """A piece of the rules with what its author says of it."""

    @property
    def notes(self) -> tuple[str, ...]: ...


@define(eq=False)
class GameTeller:
    """`told`: the pieces of the rules whose sentences stand above already."""

    table: Table
    moves: int = 0
    told: set[int] = field(init=False, factory=set)
    now: tuple[Any, ...] = field(init=False)  # the position that was told last
    brought: list[Message] = field(init=False, factory=list)  # by chance, not told yet
    rolled: set[str] = field(init=False, factory=set)  # the names of what was rolled
    is_dealt: bool = field(init=False, default=False)

    def tell_moves(self, pick: Picker) -> Iterator[str]:
        table = self.table
        step = begin_game(table)
        self.now = tuple(table.new_slots())
        while True:
            yield from self.tell_sheets(step)
            question = pending_decision(table, step.state)
            if not isinstance(question, ChanceDecision):
                yield from self.tell_changes(step.state.slots)
            if isinstance(question, GameOver):
                yield ""
                ending = describe_event(end_event(question))
                yield from self.tell_notes(table.bench.rankings, "")
                assert ending is not None
                yield translate(ending)
                return
            index = pick(question)
            if isinstance(question, PlayerDecision):
                yield from self.tell_choice(question, index)
            else:
                self.note_chance(question, index)
            step = next_step(table, step.state, index)

    def tell_choice(self, question: PlayerDecision, index: int) -> Iterator[str]:
        self.moves += 1
        option = question.options[index]
        what = Names(option_text(option.action, dict(option.arguments)))
        yield f"{self.moves:>4}. {translate(player_text(question.player))}: {translate(what)}"
        named = [one for one in self.table.bench.actions if one.name.text == option.action]
        yield from self.tell_notes(named, CHANGE)

    def note_chance(self, question: ChanceDecision, index: int) -> None:
        """What is drawn is seen by where it goes."""
        brought = Names(" ".join(str(value_to_json(one)) for one in question.outcome(index)))
        match question.what:
            case "roll" if question.target is not None:
                self.rolled.add(question.target)
                name = Names(question.target)
                self.brought.append(message("{name} is rolled: {outcome}", name=name, outcome=brought))
            case "roll":
                self.brought.append(message("roll: {outcome}", outcome=brought))
            case "lot" if len(question.names) == self.table.players:
                self.brought.append(message("the lot falls on player {player}", player=brought))
            case "lot":
                self.brought.append(message("the lot falls on {what}", what=brought))
            case _:
                pass

    def tell_sheets(self, step: Step) -> Iterator[str]:
        for found in step.events:
            if isinstance(found, Sheet):
                yield from self.tell_changes(step.state.slots, is_heading=False)
                counted = describe_event(score_event(found))
                assert counted is not None
                for score in self.table.bench.scores:
                    yield from self.tell_notes([score, *score.lines], CHANGE)
                yield CHANGE + translate(counted)

    def tell_changes(self, after: Sequence[Any], is_heading: bool = True) -> Iterator[str]:
        """Since the position that was told last; before the first choice the table as it lies."""
        before, self.now = self.now, tuple(after)
        yield from (CHANGE + translate(line) for line in self.brought)
        self.brought.clear()
        if self.is_dealt:
            yield from (CHANGE + translate(line) for line in self.list_changes(before, after))
        else:
            self.is_dealt = True
            yield ""
            yield from (CHANGE + translate(line) for line in self.describe_deal(before, after))
            before = (*before[:ROUND], None, *before[ROUND + 1 :])
        if is_heading:
            yield from self.tell_heading(before, after)
        else:
            self.now = tuple(before[at] if at in (ROUND, PHASE) else value for at, value in enumerate(self.now))

    def list_changes(self, before: Sequence[Any], after: Sequence[Any]) -> list[Message]:
        """What a roll has set was told with the roll."""
        every = frozenset(name for kinds in self.table.bench.kinds.values() for name in kinds.names)
        found = component_changes(self.table, tuple(before), tuple(after), every)
        found += variable_changes(self.table, tuple(before), tuple(after), self.rolled)
        self.rolled.clear()
        return found

    def describe_deal(self, before: Sequence[Any], after: Sequence[Any]) -> Iterator[Message]:
        if self.table.players > 1:
            yield message("player {player} starts", player=after[STARTER])
        for slot, (room, name) in zone_slots(self.table).items():
            content = flatten_content(after[slot])
            if 0 < len(content) <= WHOLE:
                names = room.kinds.names
                yield join_messages([Names(name), format_components(names, content, frozenset(names))], ": ")
            elif content:
                yield describe_amount(name, len(content))
        yield from variable_changes(self.table, tuple(before), tuple(after))

    def tell_heading(self, before: Sequence[Any], after: Sequence[Any]) -> Iterator[str]:
        """The round, where there are several; the phase, with what the rulebook says of it."""
        if before[ROUND] == after[ROUND] and before[PHASE] == after[PHASE]:
            return
        yield ""
        if before[ROUND] != after[ROUND] and self.table.bench.rounds is not None:
            yield translate(message("Round {round}", round=after[ROUND]))
        phases = self.table.bench.phases
        if phases:
            phase = phases[after[PHASE]]
            yield translate(message("Phase {phase}", phase=Names(phase.name.text)))
            yield from self.tell_notes([phase], NOTE)

    def tell_notes(self, pieces: Sequence[Noted], indent: str) -> Iterator[str]:
        """The `##` lines of pieces that were not told of before."""
        for piece in pieces:
            if piece.notes and id(piece) not in self.told:
                self.told.add(id(piece))
                yield f"{indent}| " + " ".join(piece.notes)
