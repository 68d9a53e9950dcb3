"""A failing game as a story: the deal that matters, the moves, what each changed, which rule did it.

Takes a game and its failure, gives data; how it looks is for others.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from typing import Any

from attrs import define, field, frozen

from rulesrun.dsl.contents.causes import (
    find_cause,
    find_definitions_within,
    find_named_zones,
    find_skipping_conditions,
)
from rulesrun.dsl.text.messages import Message, Names, join_messages, message
from rulesrun.dsl.text.source import Located, Span
from rulesrun.interpreter.model.places import flatten_content
from rulesrun.interpreter.model.values import EVENTS, PC, ROUND, STARTER, Fault, Run, Slots, State
from rulesrun.interpreter.play.explanation import ExplainedValue, explain_expression
from rulesrun.interpreter.play.position_changes import MOST_NAMES, changed_zones, changes, format_components, zone_slots
from rulesrun.interpreter.play.step import Option, make_option
from rulesrun.interpreter.reference.chance import ChanceWait, DrawWait
from rulesrun.interpreter.reference.decisions import DecisionWait, TogetherWait
from rulesrun.interpreter.reference.flow_graph import Wait
from rulesrun.interpreter.reference.rounds import EndWait
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.search.answered_games import AnsweredGame, Failure, ListedAnswers, outcome_at
from rulesrun.interpreter.stories.no_legal_option import Lack, find_lacks

WHOLE = 14  # a place with more components is told by those that matter
MOST_STEPS = 50_000
LONG = 24  # moves: a story with more of them is summed up, but for the last ones
LAST_MOVES = 8
MOST_RULES = 4  # that are told as what did it
WORD = re.compile(r"[^\s,{}()]+")


@frozen
class StatementDraws:
    """A statement that took components out of a place, and how many in all."""

    span: Span
    components: int


@frozen(eq=False)
class StoryMove:
    """One choice and what it changed. `brought`: what chance brought afterwards, as it is written in a trace."""

    player: int
    option: Option
    changes: tuple[str, ...]
    together: bool
    brought: tuple[tuple[Located, Any], ...] = ()


@frozen
class RoundSummary:
    """Some moves of one round, told as a sum: how many, and how full the places were before and after."""

    round: int
    moves: int
    sizes: tuple[tuple[str, int, int], ...]


@frozen(eq=False)
class Story:
    """`first`: the position at the first choice. `fault_lines`: the rules that did it, the closest first.

    Of a long story `courses` sum up all moves but the last few, before which the table was like `later`.
    """

    game: AnsweredGame
    failure: Failure
    first: State
    deal: tuple[str, ...]
    moves: tuple[StoryMove, ...]
    values: tuple[ExplainedValue, ...]
    fault_lines: tuple[Span, ...]
    dealt: tuple[tuple[Located, Any], ...] = ()  # what chance brought before the first choice
    trapped: int | None = None  # how many positions can still follow, none of them the end
    circles: int | None = None  # the last position is the one after so many moves: so it can go on for ever
    lacks: tuple[Lack, ...] = ()  # of a choice among nothing, what each action lacks
    courses: tuple[RoundSummary, ...] = ()
    later: tuple[str, ...] = ()
    drawn: tuple[StatementDraws, ...] = ()  # of a pile that has run out, where its components went


@define(eq=False)
class StoryTeller:
    """Plays the game once more, operation by operation, and looks when the property stopped to hold."""

    game: AnsweredGame
    failure: Failure
    S: Slots = field(init=False)
    moves: list[StoryMove] = field(init=False, factory=list)
    first: tuple[Any, ...] | None = field(init=False, default=None)
    dealt: tuple[tuple[Located, Any], ...] = field(init=False, default=())
    culprit: Located | None = field(init=False, default=None)
    _holds: bool = field(init=False, default=True)
    _open: tuple[Option, int, bool, tuple[Any, ...]] | None = field(init=False, default=None)
    _brought: list[tuple[Located, Any]] = field(init=False, factory=list)
    _mattering: set[int] = field(init=False, factory=set)
    _before: list[tuple[Any, ...]] = field(init=False, factory=list)  # the position before each move
    _draws: list[tuple[Span, int]] = field(init=False, factory=list)  # statements, and the slot they draw from
    _deciding: frozenset[str] = field(init=False, default=frozenset())

    @property
    def table(self) -> Table:
        return self.game.table

    def make_story(self) -> Story:
        self.S = self.table.new_slots()
        self.S[EVENTS] = None
        judged, state = self.failure.judged, self.failure.state
        values = explain_expression(self.table, state, judged.declaration.condition) if judged is not None else ()
        lacks = self.find_lacks()
        said = (*values, *(value for lack in lacks for value in lack.values))
        self._deciding = frozenset(word for value in said for word in WORD.findall(f"{value.text} {value.of}"))
        listed = ListedAnswers(self.game.answers)
        try:
            wait = self.run_to_question()
            while listed.at < len(self.game.answers) and not isinstance(wait, EndWait):
                self.apply_next_answer(wait, listed)
                wait = self.run_to_question()
        except Fault:
            pass
        self.finish_move(self.failure.state.slots)
        first = self.first or self.failure.state.slots
        is_long = len(self.moves) > LONG
        return Story(
            self.game,
            self.failure,
            State(tuple(first)),
            self.describe_deal(first),
            tuple(self.moves),
            values,
            self.find_fault_lines(lacks),
            self.dealt,
            lacks=lacks,
            courses=self.summarize_rounds() if is_long else (),
            later=self.describe_deal(self._before[-LAST_MOVES], is_first=False) if is_long else (),
            drawn=self.count_draws(),
        )

    def find_lacks(self) -> tuple[Lack, ...]:
        diagnostic = self.failure.diagnostic
        if diagnostic is None or diagnostic.code != "empty-choice":
            return ()
        return find_lacks(self.table, self.failure.state, diagnostic.span)

    def summarize_rounds(self) -> tuple[RoundSummary, ...]:
        """All moves but the last few, round by round."""
        cut = len(self.moves) - LAST_MOVES
        starts = [at for at in range(cut) if at == 0 or self._before[at][ROUND] != self._before[at - 1][ROUND]]
        found = []
        for start, end in pairwise([*starts, cut]):
            before, after = self._before[start], self._before[end]
            sizes = tuple(
                (name, len(flatten_content(before[slot])), len(flatten_content(after[slot])))
                for slot, (_, name) in zone_slots(self.table).items()
                if len(flatten_content(before[slot])) != len(flatten_content(after[slot]))
            )
            found.append(RoundSummary(before[ROUND], end - start, sizes))
        return tuple(found)

    def count_draws(self) -> tuple[StatementDraws, ...]:
        """Where the components of the pile went that has run out, statement by statement."""
        diagnostic = self.failure.diagnostic
        if diagnostic is None or diagnostic.code != "empty-zone" or not self._draws:
            return ()
        emptied = next((slot for span, slot in reversed(self._draws) if span == diagnostic.span), None)
        drawn = Counter(span for span, slot in self._draws if slot == emptied)
        return tuple(StatementDraws(span, components) for span, components in drawn.items())

    # ---- playing

    def run_to_question(self) -> Wait:
        steps, pc, S = self.table.steps, self.S[PC], self.S
        test = make_property_test(self.failure)
        for _ in range(MOST_STEPS):
            here, pc = pc, steps[pc](S)
            if test is not None:
                self.check_property(test, here)
            if pc < 0:
                S[PC] = ~pc
                return self.table.waits[~pc]
        assert self.failure.diagnostic is not None
        raise Fault(self.failure.diagnostic)  # it goes on without end: that is what failed

    def check_property(self, test: Run, here: int) -> None:
        """On a copy: a test that has no meaning yet stops halfway, with another player in the place of `player`."""
        try:
            holds = bool(test(list(self.S)))
        except (Fault, TypeError, IndexError, KeyError):
            return
        if self._holds and not holds:
            self.culprit = self.table.operations[here].node
        self._holds = holds

    def apply_next_answer(self, wait: Wait, listed: ListedAnswers) -> None:
        S = self.S
        if isinstance(wait, DecisionWait):
            self.finish_move(tuple(S))
            if self.first is None:
                self.first, self.dealt = tuple(S), tuple(self._brought)
                self._brought.clear()
            options = wait.list_options(S)
            index = listed.pick_option(S, wait, options)
            option = make_option(self.table, wait, options[index])
            self._open = (option, wait.chooser(S), isinstance(wait, TogetherWait), tuple(S))
            self._before.append(tuple(S))
            wait.apply_answer(S, options[index])
        elif isinstance(wait, ChanceWait):
            self.note_draw(wait)
            value = outcome_at(S, wait, listed.pick_outcome(S, wait))
            self._brought.append((wait.node, value))
            wait.apply_answer(S, value)

    def note_draw(self, wait: ChanceWait) -> None:
        if isinstance(wait, DrawWait):
            self._draws.append((wait.node.span, wait.origin_slot(self.S)))

    def finish_move(self, after: tuple[Any, ...]) -> None:
        """The move before is over: what it changed is known."""
        if self._open is not None:
            option, player, together, before = self._open
            self._mattering |= changed_zones(self.table, before, after)
            told = changes(self.table, before, after, self._deciding)
            self.moves.append(StoryMove(player, option, told, together, tuple(self._brought)))
            self._brought.clear()
        self._open = None

    # ---- what matters

    def describe_deal(self, first: tuple[Any, ...], is_first: bool = True) -> tuple[str, ...]:
        """What lies then in the places that the moves or the property speak of."""
        named = find_zones_told(self.table, self.failure)
        leak = self.failure.leak
        unseen = {place for _, place in leak.swapped} if leak is not None else set()
        found = (
            [message("player {player} starts", player=first[STARTER])] if self.table.players > 1 and is_first else []
        )
        last = self.failure.state.slots
        for slot, (room, name) in zone_slots(self.table).items():
            content = flatten_content(first[slot])
            is_told = slot in self._mattering or name in unseen or (id(room.declaration) in named and content)
            if not is_told:
                continue
            if name in unseen and len(content) > MOST_NAMES:
                told = [Names(one) for one, place in leak.swapped if place == name] if leak is not None else []
                found.append(describe_part(name, len(content), join_messages(told)))
            elif len(content) <= WHOLE:
                there = format_components(room.kinds.names, content, self._deciding) or message("empty")
                found.append(join_messages([Names(name), there], ": "))
            else:
                gone = [kind for kind in set(content) if flatten_content(last[slot]).count(kind) < content.count(kind)]
                there = format_components(room.kinds.names, sorted(gone), self._deciding)
                found.append(describe_part(name, len(content), there) if there else describe_amount(name, len(content)))
        return tuple(found)

    def find_fault_lines(self, lacks: tuple[Lack, ...]) -> tuple[Span, ...]:
        """The rule that is the cause first: a condition that refuses, whom a loop asks, then the statement itself."""
        found = [find_cause(self.culprit)] if self.culprit is not None else []
        if self.failure.diagnostic is not None:
            found.insert(0, self.failure.diagnostic.span)
        elif self.moves and not found:
            name = self.moves[-1].option.action
            found += [one.span for one in self.table.bench.actions if one.name.text == name]
        causes = [lack.span for lack in lacks if not lack.is_empty]
        causes += [body for span in causes for body in find_definitions_within(self.table.program, span)]
        if self.failure.diagnostic is not None and self.failure.diagnostic.code == "empty-choice":
            causes += find_skipping_conditions(self.table.program.game, self.failure.diagnostic.span)
        return tuple(dict.fromkeys((*causes[: MOST_RULES - len(found)], *found)))


def describe_part(name: str, amount: int, there: Message) -> Message:
    """Of a place with many components: how many, and which of them matter."""
    return message("{zone}: {amount} components, among them {some}", zone=Names(name), amount=amount, some=there)


def describe_amount(name: str, amount: int) -> Message:
    return message("{zone}: {amount} components", zone=Names(name), amount=amount)


def make_property_test(failure: Failure) -> Run | None:
    """Whether the property holds; None for what is no written property, or speaks of the position before."""
    judged = failure.judged
    if judged is None or judged.values_before:
        return None
    return negate_run(judged.code.run) if judged.declaration.word == "never" else judged.code.run


def negate_run(run: Run) -> Run:
    return lambda S: not run(S)


def find_zones_told(table: Table, failure: Failure) -> set[int]:
    """The zones that what failed speaks of: a property, points, what was asked for of a choice among nothing, of one
    that gives something away."""
    program, found = table.program, set[int]()
    if failure.judged is not None:
        found |= find_named_zones(program, [failure.judged.declaration.condition])
    if failure.kind.name == "undecided-tie":
        found |= find_named_zones(program, [*table.bench.scores, *table.bench.rankings])
    if failure.leak is not None:
        needs = [need for one in table.bench.actions for need in one.needs]
        return found | find_named_zones(program, [need for need in needs if need.span == failure.span])
    waits = [one for one in table.waits.values() if isinstance(one, DecisionWait) and one.node.span == failure.span]
    for offer in (offer for wait in waits for offer in wait.offers.values() if failure.kind.name == "empty-choice"):
        found |= find_named_zones(program, [*offer.action.action.choices, *offer.action.action.needs])
    return found


def tell_story(game: AnsweredGame, failure: Failure) -> Story:
    return StoryTeller(game, failure).make_story()
