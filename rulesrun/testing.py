"""Hypothesis strategies for the games of a rules file, and a state machine that plays it. For tests of one's own.

What is drawn are the answers of players and of chance, so a failing test shrinks to few players, few
decisions, the first options. The only module that knows Hypothesis.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

from attrs import define, field, frozen
from hypothesis import assume, note
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from rulesrun.api import Position, Rulebook, RulesError, RulesFault, load
from rulesrun.api.moves import Choice, Result
from rulesrun.dsl.diagnostics.report import diagnostic_to_json
from rulesrun.files.excerpts import values_text
from rulesrun.interpreter.model.random import Streams
from rulesrun.interpreter.model.values import Fault, State
from rulesrun.interpreter.play.game_loop import Question, random_picker
from rulesrun.interpreter.play.properties import PropertyGuard
from rulesrun.interpreter.play.step import (
    BrokenMoment,
    ChanceDecision,
    GameOver,
    PlayerDecision,
    Step,
    begin_game,
    next_step,
    pending_decision,
)
from rulesrun.interpreter.reference.table import Table, list_option_values
from rulesrun.records.traces import option_words, record_game, start_event
from rulesrun.terminal.output import one_line_json

__all__ = ["Game", "RulesMachine", "games", "machine_of", "positions", "starts", "traces"]

MOST = 50  # decisions that are drawn in one game
PATIENCE = 100  # first answers in a row
LONGEST = 10_000
Draw = Callable[[st.SearchStrategy[Any]], Any]
Rules = Rulebook | str
Options = Mapping[str, object]


class PropertyBroken(AssertionError):
    """A property of the rules does not hold; the message has the values of its parts."""


@define(eq=False)
class GameWalk:
    """A game while it is played, with all answers so far."""

    rulebook: Rulebook
    table: Table
    step: Step
    answers: list[int] = field(factory=list)

    @property
    def state(self) -> State:
        return self.step.state

    def pending_question(self) -> Question | GameOver:
        return pending_decision(self.table, self.state)

    def apply_answer(self, index: int) -> None:
        try:
            self.step = next_step(self.table, self.state, index)
        except Fault as problem:
            found = diagnostic_to_json(problem.diagnostic, self.rulebook._reading.sources)
            raise RulesFault(problem.diagnostic.message, [found]) from None
        self.answers.append(index)

    def draw_answer(self, draw: Draw) -> None:
        """One answer, drawn by what it is called, so that a failing example can be read."""
        question = self.pending_question()
        if isinstance(question, PlayerDecision):
            number = draw(st.integers(0, len(question) - 1))
            note(f"player {question.player}: {option_words(question.options[number])}")
            self.apply_answer(number)
        elif isinstance(question, ChanceDecision):
            number = draw(st.integers(0, question.size - 1))
            note(f"chance: {chance_words(question, number)}")
            self.apply_answer(number)

    def draw_chance(self, draw: Draw) -> None:
        """On to the next decision, or to the end."""
        while isinstance(self.pending_question(), ChanceDecision):
            self.draw_answer(draw)

    def play_to_end(self) -> None:
        """To the end without drawing any more: the first answer each time; when that leads nowhere, one fixed way."""
        pick = random_picker(Streams(0))
        for number in range(LONGEST):
            question = self.pending_question()
            if isinstance(question, GameOver):
                return
            self.apply_answer(0 if number < PATIENCE else pick(question))
        raise AssertionError(f"the game is not over after {LONGEST} more answers")


def chance_words(question: ChanceDecision, number: int) -> str:
    """`draw 7 from deck to hand[1]`, `roll 3`."""
    outcome = ", ".join(str(one) for one in question.outcome(number))
    return f"{question.what} {outcome}" + (f" from {question.origin} to {question.target}" if question.origin else "")


def _load_rulebook(rules: Rules) -> Rulebook:
    return load(rules) if isinstance(rules, str) else rules


def _draw_walk(draw: Draw, rulebook: Rulebook, players: int | None, options: Options | None) -> GameWalk:
    """A table that the rules allow; fewer players and the defaults are simpler.

    Drawn options that do not go together give way to the defaults.
    """
    count = draw(st.sampled_from(rulebook.players)) if players is None else players
    chosen = dict(options) if options is not None else _draw_options(draw, rulebook, count)
    try:
        table = rulebook._set_up_table(count, chosen)
    except RulesError:
        if options is not None:
            raise
        table = rulebook._set_up_table(count, {})
    return GameWalk(rulebook, table, _begin_game(rulebook, table))


def _begin_game(rulebook: Rulebook, table: Table) -> Step:
    try:
        return begin_game(table)
    except Fault as problem:
        found = diagnostic_to_json(problem.diagnostic, rulebook._reading.sources)
        raise RulesFault(problem.diagnostic.message, [found]) from None


def _draw_options(draw: Draw, rulebook: Rulebook, players: int) -> dict[str, object]:
    try:
        table = rulebook._set_up_table(players, {})
    except RulesError:
        assume(False)
        raise
    found: dict[str, object] = {}
    for option in rulebook._program.game.options:
        name = option.name.text
        values = sorted(list_option_values(table, option.name.text), key=lambda value: value != table.options[name])
        found[name] = draw(st.sampled_from(values))
    return found


# ---------------------------------------------------------------- strategies


@frozen(eq=False)
class Game:
    """A whole game. `answers`: the number of every answer of players and of chance, from 0."""

    rulebook: Rulebook = field(repr=False)
    players: int
    options: Options
    answers: tuple[int, ...]
    drawn: int  # how many of the answers were drawn; the others follow from nothing but the rules
    result: Result

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(repr(self))

    def positions(self) -> Iterator[Position]:
        """Every position, the first and the last included."""
        position = self.rulebook.start(self.players, self.options)
        yield position
        for answer in self.answers:
            position = position.apply(answer)
            yield position

    def choices(self) -> list[Choice]:
        """What the players did, in order."""
        found = []
        position = self.rulebook.start(self.players, self.options)
        for answer in self.answers:
            choice = position.legal()[answer]
            if isinstance(choice, Choice):
                found.append(choice)
            position = position.apply(answer)
        return found


def starts(rules: Rules, players: int | None = None, options: Options | None = None) -> st.SearchStrategy[Position]:
    """First positions, before any event of chance. `players`, `options`: drawn from all that the rules allow, unless
    told."""
    rulebook = _load_rulebook(rules)

    @st.composite
    def start(draw: Draw) -> Position:
        walk = _draw_walk(draw, rulebook, players, options)
        return rulebook.start(walk.table.players, walk.table.options)

    return start()


def positions(
    rules: Rules, players: int | None = None, options: Options | None = None, most: int = MOST
) -> st.SearchStrategy[Position]:
    """Positions at which somebody is to choose or the game is over, after at most `most` decisions."""
    rulebook = _load_rulebook(rules)

    @st.composite
    def position(draw: Draw) -> Position:
        walk = _draw_walk(draw, rulebook, players, options)
        _draw_decisions(draw, walk, most)
        found = rulebook.start(walk.table.players, walk.table.options)
        for answer in walk.answers:
            found = found.apply(answer)
        return found

    return position()


def games(
    rules: Rules, players: int | None = None, options: Options | None = None, most: int = MOST
) -> st.SearchStrategy[Game]:
    """Whole games. After at most `most` decisions that are drawn, a game goes on to its end in one fixed way."""
    rulebook = _load_rulebook(rules)

    @st.composite
    def game(draw: Draw) -> Game:
        walk = _draw_walk(draw, rulebook, players, options)
        _draw_decisions(draw, walk, most)
        drawn = len(walk.answers)
        walk.play_to_end()
        over = walk.pending_question()
        assert isinstance(over, GameOver)
        result = Result(dict(over.scores), over.places, over.result)
        table = walk.table
        return Game(rulebook, table.players, dict(table.options), tuple(walk.answers), drawn, result)

    return game()


def traces(
    rules: Rules, players: int | None = None, options: Options | None = None, most: int = MOST
) -> st.SearchStrategy[list[dict[str, Any]]]:
    """Recorded games, event by event, as `rulesrun trace` writes them. `rulesrun replay --rules-only` accepts each."""
    rulebook = _load_rulebook(rules)

    def recorded(game: Game) -> list[dict[str, Any]]:
        table, answers = rulebook._set_up_table(game.players, game.options), iter(game.answers)
        events = [start_event(rulebook._reading, table, None), *record_game(table, lambda question: next(answers))]
        return [json.loads(one_line_json(event)) for event in events]

    return games(rulebook, players, options, most).map(recorded)


def _draw_decisions(draw: Draw, walk: GameWalk, most: int) -> None:
    walk.draw_chance(draw)
    for _ in range(draw(st.integers(0, most))):
        if isinstance(walk.pending_question(), GameOver):
            return
        walk.draw_answer(draw)
        walk.draw_chance(draw)


# ---------------------------------------------------------------- the state machine

Machine = TypeVar("Machine", bound="RulesMachine")


class RulesMachine(RuleBasedStateMachine):
    """Plays the rules and holds every property of theirs against each position. Made by `machine_of`.

    Add rules and invariants of your own in a subclass: `self.position` is the position, as in the Python API.
    """

    rulebook: Rulebook
    players: int | None = None
    options: Options | None = None

    def __init__(self) -> None:
        super().__init__()
        self.walk: GameWalk | None = None
        self.guard: PropertyGuard | None = None
        self._position: Position | None = None
        self._applied = 0

    @property
    def position(self) -> Position:
        assert self.walk is not None
        table = self.walk.table
        if self._position is None:
            self._position, self._applied = self.rulebook.start(table.players, table.options), 0
        for answer in self.walk.answers[self._applied :]:
            self._position = self._position.apply(answer)
        self._applied = len(self.walk.answers)
        return self._position

    @property
    def is_over(self) -> bool:
        return self.walk is not None and isinstance(self.walk.pending_question(), GameOver)

    @initialize(data=st.data())
    def begins(self, data: st.DataObject) -> None:
        """A table is set up and everything happens that comes before the first decision."""
        self._set_up(data)

    def _set_up(self, data: st.DataObject) -> None:
        self.walk = _draw_walk(data.draw, self.rulebook, self.players, self.options)
        self.guard = PropertyGuard(self.walk.table)
        self._position = None
        note(f"{self.walk.table.players} players, {self.walk.table.options}")
        self._draw_watched_chance(data)

    @precondition(lambda self: self.walk is not None and not self.is_over)
    @rule(data=st.data())
    def answers(self, data: st.DataObject) -> None:
        """Somebody chooses, then chance answers whatever it is asked."""
        assert self.walk is not None
        self.walk.draw_answer(data.draw)
        self._check_moments()
        self._draw_watched_chance(data)

    @precondition(lambda self: self.is_over)
    @rule(data=st.data())
    def begins_again(self, data: st.DataObject) -> None:
        self._set_up(data)

    @invariant()
    def properties_hold(self) -> None:
        """`always`, `never`, and that no component appears or vanishes."""
        if self.walk is None or self.guard is None:
            return
        self.guard.check_position(self.walk.table.to_slots(self.walk.state), at_end=self.is_over)
        for broken in self.guard.broken.values():
            values = values_text(broken.values, self.rulebook._reading.sources)
            raise PropertyBroken("\n  ".join([f"the property {broken.title!r} does not hold", *values]))

    def _draw_watched_chance(self, data: st.DataObject) -> None:
        assert self.walk is not None
        while isinstance(self.walk.pending_question(), ChanceDecision):
            self.walk.draw_answer(data.draw)
            self._check_moments()

    def _check_moments(self) -> None:
        """`at end of …` and `after …`."""
        assert self.walk is not None
        for event in self.walk.step.events:
            if isinstance(event, BrokenMoment):
                raise PropertyBroken(f"the property {event.judged.declaration.title!r} does not hold")


def machine_of(rules: Rules, players: int | None = None, options: Options | None = None) -> type[RulesMachine]:
    """A state machine that plays one rules file; its `TestCase` is a test."""
    rulebook = _load_rulebook(rules)
    name = "".join(part.capitalize() for part in rulebook.title.split() if part.isidentifier()) or "Rules"
    return type(name + "Machine", (RulesMachine,), {"rulebook": rulebook, "players": players, "options": options})
