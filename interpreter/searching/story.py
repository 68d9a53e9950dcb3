"""A failing game as a story: the deal that matters, the moves, what each changed, which rule did it.

Takes a game and its failure, gives data; how it looks is for others.
"""

from __future__ import annotations

from typing import Any

from attrs import define, field, frozen

from rulesrun.dsl import ast
from rulesrun.dsl.source import Span
from rulesrun.dsl.walk import walk
from rulesrun.interpreter.chance import ChanceWait
from rulesrun.interpreter.decisions import DecisionWait, TogetherWait
from rulesrun.interpreter.explain import Explained, explain
from rulesrun.interpreter.graph import Wait
from rulesrun.interpreter.places import flat
from rulesrun.interpreter.searching.changes import MOST_NAMES, changed_zones, changes, some, zone_slots
from rulesrun.interpreter.searching.games import Failure, Game, Listed, outcome_at
from rulesrun.interpreter.step import Option, option_of
from rulesrun.interpreter.table import Table
from rulesrun.interpreter.values import EVENTS, PC, STARTER, Fault, Run, Slots, State

WHOLE = 14  # a place with more components is told by those that matter
MOST_STEPS = 50_000


@frozen(eq=False)
class Move:
    """One choice and what it changed. `brought`: what chance brought afterwards, as it is written in a trace."""

    player: int
    option: Option
    changes: tuple[str, ...]
    together: bool
    brought: tuple[tuple[ast.Node, Any], ...] = ()


@frozen(eq=False)
class Story:
    """`first`: the position at the first choice. `fault_lines`: the rules that did it, the closest first."""

    game: Game
    failure: Failure
    first: State
    deal: tuple[str, ...]
    moves: tuple[Move, ...]
    values: tuple[Explained, ...]
    fault_lines: tuple[Span, ...]
    dealt: tuple[tuple[ast.Node, Any], ...] = ()  # what chance brought before the first choice
    trapped: int | None = None  # how many positions can still follow, none of them the end
    circles: int | None = None  # the last position is the one after so many moves: so it can go on for ever


@define(eq=False)
class Teller:
    """Plays the game once more, operation by operation, and looks when the property stopped to hold."""

    game: Game
    failure: Failure
    S: Slots = field(init=False)
    moves: list[Move] = field(init=False, factory=list)
    first: tuple[Any, ...] | None = field(init=False, default=None)
    dealt: tuple[tuple[ast.Node, Any], ...] = field(init=False, default=())
    culprit: ast.Node | None = field(init=False, default=None)
    _holds: bool = field(init=False, default=True)
    _open: tuple[Option, int, bool, tuple[Any, ...]] | None = field(init=False, default=None)
    _brought: list[tuple[ast.Node, Any]] = field(init=False, factory=list)
    _mattering: set[int] = field(init=False, factory=set)

    @property
    def table(self) -> Table:
        return self.game.table

    def story(self) -> Story:
        self.S = self.table.fresh()
        self.S[EVENTS] = None
        listed = Listed(self.game.answers)
        try:
            wait = self.go_on()
            while listed.at < len(self.game.answers):
                self.answer(wait, listed)
                wait = self.go_on()
        except Fault:
            pass
        self.close(self.failure.state.slots)
        first = self.first or self.failure.state.slots
        condition = self.failure.condition
        values = explain(self.table, self.failure.state, condition) if condition is not None else ()
        return Story(
            self.game, self.failure, State(tuple(first)), self.deal(first), tuple(self.moves), values,
            self.fault_lines(), self.dealt,
        )

    # ---- playing

    def go_on(self) -> Wait:
        steps, pc, S = self.table.steps, self.S[PC], self.S
        test = test_of(self.table, self.failure)
        for _ in range(MOST_STEPS):
            here, pc = pc, steps[pc](S)
            if test is not None:
                self.look(test, here)
            if pc < 0:
                S[PC] = ~pc
                return self.table.waits[~pc]
        assert self.failure.diagnostic is not None
        raise Fault(self.failure.diagnostic)  # it goes on without end: that is what failed

    def look(self, test: Run, here: int) -> None:
        try:
            holds = bool(test(self.S))
        except (Fault, TypeError, IndexError, KeyError):
            return
        if self._holds and not holds:
            self.culprit = self.table.operations[here].node
        self._holds = holds

    def answer(self, wait: Wait, listed: Listed) -> None:
        S = self.S
        if isinstance(wait, DecisionWait):
            self.close(tuple(S))
            if self.first is None:
                self.first, self.dealt = tuple(S), tuple(self._brought)
                self._brought.clear()
            options = wait.options(S)
            index = listed.option(S, wait, options)
            option = option_of(self.table, wait, options[index])
            self._open = (option, wait.chooser(S), isinstance(wait, TogetherWait), tuple(S))
            wait.settle(S, options[index])
        elif isinstance(wait, ChanceWait):
            value = outcome_at(S, wait, listed.outcome(S, wait))
            self._brought.append((wait.node, value))
            wait.settle(S, value)

    def close(self, after: tuple[Any, ...]) -> None:
        """The move before is over: what it changed is known."""
        if self._open is not None:
            option, player, together, before = self._open
            self._mattering |= changed_zones(self.table, before, after)
            told = changes(self.table, before, after)
            self.moves.append(Move(player, option, told, together, tuple(self._brought)))
            self._brought.clear()
        self._open = None

    # ---- what matters

    def deal(self, first: tuple[Any, ...]) -> tuple[str, ...]:
        """What lies at the beginning in the places that the moves or the property speak of."""
        named = named_zones(self.table, self.failure)
        leak = self.failure.leak
        unseen = {place for _, place in leak.swapped} if leak is not None else set()
        found = [f"player {first[STARTER]} starts"] if self.table.players > 1 else []
        last = self.failure.state.slots
        for slot, (room, name) in zone_slots(self.table).items():
            content = flat(first[slot])
            is_told = slot in self._mattering or name in unseen or (id(room.declaration) in named and content)
            if not is_told:
                continue
            if name in unseen and len(content) > MOST_NAMES:
                told = ", ".join(one for one, place in leak.swapped if place == name) if leak is not None else ""
                found.append(f"{name}: {len(content)} components, among them {told}")
            elif len(content) <= WHOLE:
                found.append(f"{name}: {some(room.kinds.names, content) or 'empty'}")
            else:
                gone = [kind for kind in set(content) if flat(last[slot]).count(kind) < content.count(kind)]
                there = some(room.kinds.names, sorted(gone))
                found.append(f"{name}: {len(content)} components" + (f", among them {there}" if there else ""))
        return tuple(found)

    def fault_lines(self) -> tuple[Span, ...]:
        found = [self.culprit.span] if self.culprit is not None else []
        if self.failure.diagnostic is not None:
            found.insert(0, self.failure.diagnostic.span)
        elif self.moves and not found:
            name = self.moves[-1].option.action
            found += [one.span for one in self.table.bench.of_class(ast.Action) if one.name.text == name]
        return tuple(found)


def test_of(table: Table, failure: Failure) -> Run | None:
    """Whether the property holds; None for what is no written property, or speaks of the position before."""
    if failure.condition is None or any(isinstance(one, ast.Before) for one in walk(failure.condition)):
        return None
    for judged in table.watches.properties:
        if judged.declaration.condition is failure.condition:
            return opposite(judged.code.run) if judged.declaration.word == "never" else judged.code.run
    return None


def opposite(run: Run) -> Run:
    return lambda S: not run(S)


def named_zones(table: Table, failure: Failure) -> set[int]:
    """The zones that the property speaks of, also through definitions."""
    waiting: list[ast.Node] = [failure.condition] if failure.condition is not None else []
    if failure.kind.name == "undecided-tie":
        waiting += [*table.bench.of_class(ast.Score), *table.bench.of_class(ast.Ranking)]
    waiting += asked_of(table, failure)
    found: set[int] = set()
    while waiting:
        for part in walk(waiting.pop()):
            meaning = table.bench.meaning(part) if isinstance(part, ast.Name) else None
            if isinstance(meaning, ast.Zone):
                found.add(id(meaning))
            elif isinstance(meaning, ast.Define) and id(meaning) not in found:
                found.add(id(meaning))
                waiting.append(meaning.body)
    return found


def asked_of(table: Table, failure: Failure) -> list[ast.Node]:
    """Of a choice among nothing, and of one that gives something away: what the actions ask for."""
    waits = [one for one in table.waits.values() if isinstance(one, DecisionWait)]
    if failure.leak is not None:
        return [need for one in table.bench.of_class(ast.Action) for need in one.needs if need.span == failure.span]
    if failure.kind.name != "empty-choice":
        return []
    offers = [offer.action.action for wait in waits if wait.node.span == failure.span for offer in wait.offers.values()]
    return [part for action in offers for part in (*action.choices, *action.needs)]


def tell(game: Game, failure: Failure) -> Story:
    return Teller(game, failure).story()
