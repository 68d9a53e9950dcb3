"""Worked examples: takes a program, plays each of its examples several times, gives what came of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import define, field, frozen

from rulesrun.dsl import ast
from rulesrun.dsl.diagnostics import Diagnostic
from rulesrun.dsl.program import Program
from rulesrun.dsl.walk import walk
from rulesrun.interpreter.acting import Acting, Failure
from rulesrun.interpreter.arranging import Arranging
from rulesrun.interpreter.decisions import DecisionWait
from rulesrun.interpreter.domains import inside, outside
from rulesrun.interpreter.explain import Explained, explain
from rulesrun.interpreter.random import Streams
from rulesrun.interpreter.rounds import EndWait
from rulesrun.interpreter.table import Table, set_up, written_value
from rulesrun.interpreter.values import EVENTS, PHASE, PLAYER, Fault, RefusedTable, Slots, State

VARIATIONS = 5


@frozen
class ExampleResult:
    """`verdict`: passed, failed (something does not hold), broken (the example cannot be played), todo."""

    example: ast.Example
    verdict: str
    diagnostic: Diagnostic | None = None
    values: tuple[Explained, ...] = ()
    table: Table | None = None
    state: State | None = None
    variation: int = 0


@define(eq=False)
class ExampleRunner:
    """Runs the examples of one program; a table is set up once for all that need the same."""

    program: Program
    players: int | None = None  # where an example does not say; else the smallest number
    options: Mapping[str, object] = field(factory=dict)
    _tables: dict[tuple[Any, ...], Table] = field(init=False, factory=dict)

    def all(self) -> tuple[ExampleResult, ...]:
        examples = [one for one in self.program.game.declarations if isinstance(one, ast.Example)]
        return tuple(self.run(example) for example in examples)

    def run(self, example: ast.Example) -> ExampleResult:
        if any(isinstance(line, ast.Todo) for line in example.lines):
            return ExampleResult(example, "todo")
        try:
            table = self.table_of(example)
        except RefusedTable as refused:
            return ExampleResult(example, "broken", refused.diagnostics[0])
        for variation in range(VARIATIONS):
            result = OneRun(table, example, variation).result()
            if result.verdict != "passed":
                return result
        return ExampleResult(example, "passed")

    def table_of(self, example: ast.Example) -> Table:
        players = max(smallest_table(self.program), *named_players(example))
        players = players if self.players is None else self.players
        options = dict(self.options)
        for line in example.lines:
            if isinstance(line, ast.ForPlayers) and isinstance(line.count, ast.Number):
                players = line.count.value
        plain = self.table(players, {})
        for line in example.lines:
            if isinstance(line, ast.Set):
                options[line.name.text] = said_option(plain, line)
        return self.table(players, options)

    def table(self, players: int, options: Mapping[str, object]) -> Table:
        key = (players, *sorted((name, str(value)) for name, value in options.items()))
        if key not in self._tables:
            self._tables[key] = set_up(self.program, players, options)
        return self._tables[key]


def smallest_table(program: Program) -> int:
    for one in program.game.declarations:
        if isinstance(one, ast.Players) and isinstance(one.low, ast.Number):
            return one.low.value
    return 2


def named_players(example: ast.Example) -> tuple[int, ...]:
    """The seats that an example speaks of: its table has them all."""
    seats = [0]
    for line in example.lines:
        owners = [node.owner for node in walk(line) if isinstance(node, ast.Of)]
        if isinstance(line, (ast.GivenTurn, ast.When, ast.ThenCan)) and line.player is not None:
            owners.append(line.player)
        seats += [owner.value for owner in owners if isinstance(owner, ast.Number)]
    return tuple(seats)


def said_option(plain: Table, line: ast.Set) -> object:
    """The value of an option as it is written outside."""
    option = next(one for one in plain.bench.of_class(ast.Option) if one.name.text == line.name.text)
    value = written_value(plain.bench, option, line.value)
    said = outside(plain.bench, option.type, value)
    inside(plain.bench, option.type, said) if not isinstance(option.type, ast.RangeType) else None
    return said


@define(eq=False)
class OneRun:
    """An example played once. Chance and what is not said come from the variation's streams."""

    table: Table
    example: ast.Example
    variation: int
    S: Slots = field(init=False)
    acting: Acting = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.prepare()
        self.S = self.table.fresh()
        watched = any(isinstance(line, ast.ThenStill) for line in self.example.lines)
        self.S[EVENTS] = [] if watched else None
        self.acting = Acting(self.table, self.S, Streams(self.variation))

    def prepare(self) -> None:
        """Makes the questions ready before the position is made, so that they have their room in it."""
        for line in self.example.lines:
            if isinstance(line, ast.Then):
                self.table.bench.expression(line.condition)
            elif isinstance(line, ast.GivenValue):
                self.table.bench.expression(line.value)
                self.table.bench.expression(line.target)

    def result(self) -> ExampleResult:
        try:
            self.begin()
            self.arrange()
            self.acting.look_for_options()
            if self.S[EVENTS]:
                self.S[EVENTS].clear()
            for line in self.example.lines:
                if isinstance(line, ast.When) and line.if_possible and not self.is_possible(line):
                    break
                self.line(line)
        except Failure as failure:
            if failure.diagnostic.code == "cannot-come" and self.may_end_early:
                return ExampleResult(self.example, "passed")
            return self.ended("failed", failure.diagnostic, failure.condition)
        except Fault as problem:
            broken = problem.diagnostic.code == "impossible-given"
            return self.ended("broken" if broken else "failed", problem.diagnostic, None)
        except RefusedTable as refused:
            return self.ended("broken", refused.diagnostics[0], None)
        return ExampleResult(self.example, "passed")

    def ended(self, verdict: str, diagnostic: Diagnostic, condition: ast.Expr | None) -> ExampleResult:
        state = self.table.closed(self.S)
        values = explain(self.table, state, condition) if condition is not None else ()
        return ExampleResult(self.example, verdict, diagnostic, values, self.table, state, self.variation)

    # ---- the position

    def begin(self) -> None:
        """To the first decision; that there is nothing to choose from may change with what is given."""
        try:
            self.acting.to_decision()
        except Fault as problem:
            if problem.diagnostic.code != "empty-choice" or not self.acting.stay_at(problem.diagnostic.span):
                raise

    def arrange(self) -> None:
        phase = next((one.phase for one in self.example.lines if isinstance(one, ast.GivenPhase)), None)
        turn = next((one.player for one in self.example.lines if isinstance(one, ast.GivenTurn)), None)
        self.give()
        if phase is None and turn is None:
            return
        arranging = Arranging(self.table, self.S)
        player = self.table.bench.expression(turn).run(self.S) if turn is not None else None
        arranging.turn(self.phase_number(phase), player)
        self.acting.to_decision()
        if player is not None and self.S[PLAYER] != player and not self.acting.is_together():
            raise Failure("not-the-turn", f"it cannot be the turn of player {player} here", self.example.span)
        self.give()

    def phase_number(self, name: ast.Name | None) -> int:
        for number, phase in enumerate(self.table.bench.of_class(ast.Phase)):
            if name is not None and phase.name.text == name.text:
                return number
        return int(self.S[PHASE])

    def give(self) -> None:
        """Cards and values as given; the question is asked again in the changed position."""
        arranging = Arranging(self.table, self.S)
        arranging.cards([line for line in self.example.lines if isinstance(line, ast.GivenCards)])
        self.acting.fixed = set(arranging.wanted)
        for line in self.example.lines:
            if isinstance(line, ast.GivenValue):
                arranging.value(line)
        wait = self.table.waits[self.S[0]]
        if not isinstance(wait, EndWait) and isinstance(wait, DecisionWait):
            self.acting.refresh(wait)

    # ---- its lines

    def line(self, line: ast.ExampleLine) -> None:
        match line:
            case ast.NextChance(items):
                self.acting.expect(items)
            case ast.When(player, action, arguments, _):
                self.acting.act(line, self.seat(player), action, arguments)
            case ast.ThenCan():
                self.can(line)
            case ast.Then(condition):
                if not self.table.asked(self.table.bench.expression(condition).run, self.S, line):
                    raise Failure("failed-example", "this does not hold", line.span, condition)
            case ast.ThenStill(title):
                self.still(line, title)
            case _:
                pass

    @property
    def may_end_early(self) -> bool:
        return any(isinstance(line, ast.When) and line.if_possible for line in self.example.lines)

    def is_possible(self, line: ast.When) -> bool:
        return self.acting.can(self.seat(line.player), line.action, line.arguments)

    def still(self, line: ast.ThenStill, title: str) -> None:
        """At its moments since the first `when`; what holds always, here."""
        for judged in self.table.watches.properties:
            one = judged.declaration
            if one.title != title:
                continue
            if one.word in {"always", "never"}:
                holds = bool(self.table.asked(judged.code.run, self.S, line)) is (one.word == "always")
            else:
                holds = not any(event[0] == "broken" and event[1] is judged for event in self.S[EVENTS])
            if not holds:
                raise Failure("failed-example", "this property does not hold", line.span, one.condition)

    def seat(self, player: ast.Expr | None) -> int:
        return 0 if player is None else int(self.table.bench.expression(player).run(self.S))

    def can(self, line: ast.ThenCan) -> None:
        possible = self.acting.can(self.seat(line.player), line.action, line.arguments)
        if possible is not line.can:
            message = "this can be done" if possible else self.acting.reason(line)
            raise Failure("failed-example", message, line.span)


def run_examples(program: Program, options: Mapping[str, object] | None = None) -> tuple[ExampleResult, ...]:
    return ExampleRunner(program, options=options or {}).all()
