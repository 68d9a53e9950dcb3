"""Worked examples as data: at which table they are played, what is given, what is done, what must be so.

Takes an example as it is written, gives its lines in their order, with places, and operands of the core. Whoever plays
an example reads these lines and no others.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias

from attrs import frozen

from rulesrun.dsl import ast
from rulesrun.dsl.ast.walk import walk
from rulesrun.dsl.text.source import Span
from rulesrun.dsl.typing.program import BuiltinMeaning, Program
from rulesrun.interpreter.model.core import Operand

Example: TypeAlias = ast.Example  # as it is declared: who plays it needs no tree for it
Seat = Operand | None  # None: the team


# ---- what is given


@frozen(eq=False)
class GivenContents:
    """What lies in an instance of a zone; `items`: literals, none where nothing lies there."""

    span: Span
    place: ast.Expr
    items: tuple[Operand, ...]


@frozen(eq=False)
class GivenValue:
    """What the number of the round, the `total` of `owner`, or a variable is. `is_short`: a number or name alone, which
    may stand for the component that has it."""

    span: Span
    what: Literal["round", "total", "variable"]
    target: ast.Expr
    value: Operand
    owner: Operand | None
    is_short: bool


@frozen(eq=False)
class GivenTurn:
    span: Span
    seat: Operand


@frozen(eq=False)
class GivenPhase:
    span: Span
    phase: str


@frozen(eq=False)
class NextChance:
    """What chance brings, in order: literals."""

    span: Span
    items: tuple[Operand, ...]


# ---- what is done, what must be so


@frozen(eq=False)
class Chosen:
    """`if_possible`: else the example ends here."""

    span: Span
    seat: Seat
    action: str
    arguments: tuple[Operand, ...]
    if_possible: bool


@frozen(eq=False)
class Holds:
    """`asks_total`: the condition speaks of points that have been counted."""

    span: Span
    condition: Operand
    asks_total: bool


@frozen(eq=False)
class StillHolds:
    """The property of this title has held since the first choice."""

    span: Span
    title: str


@frozen(eq=False)
class IsOver:
    span: Span
    is_over: bool


@frozen(eq=False)
class CanChoose:
    """`arguments` None: in any way."""

    span: Span
    seat: Seat
    can: bool
    action: str
    arguments: tuple[Operand, ...] | None


Given = GivenContents | GivenValue | GivenTurn | GivenPhase
Acted = Chosen | Holds | StillHolds | IsOver | CanChoose
Line = Given | NextChance | Acted


@frozen(eq=False)
class PlayedExample:
    """`players`: how many play, where it says so; else at least `least_players`, the last seat that it speaks of.
    `options`: their names and values. `is_todo`: there is nothing to play yet."""

    declared: Example
    lines: tuple[Line, ...]
    players: int | None
    least_players: int
    options: tuple[tuple[str, Operand], ...]
    is_todo: bool


def lower_example(program: Program, example: Example) -> PlayedExample:
    written = example.lines
    counts = [one.count for one in written if isinstance(one, ast.ForPlayers)]
    players = [count.value for count in counts if isinstance(count, ast.Number)]
    return PlayedExample(
        example,
        tuple(lowered for one in written if (lowered := lower_line(program, one)) is not None),
        players[-1] if players else None,
        max(list_named_seats(example), default=0),
        tuple((one.name.text, one.value) for one in written if isinstance(one, ast.Set)),
        any(isinstance(one, ast.Todo) for one in written),
    )


def lower_line(program: Program, line: ast.ExampleLine) -> Line | None:
    """None of what says at which table it is played."""
    match line:
        case ast.GivenCards(zone, items):
            return GivenContents(line.span, zone, tuple(item for item in items if not is_nothing(item)))
        case ast.GivenValue():
            return lower_given_value(program, line)
        case ast.GivenTurn(player):
            return GivenTurn(line.span, player)
        case ast.GivenPhase(phase):
            return GivenPhase(line.span, phase.text)
        case ast.NextChance(items):
            return NextChance(line.span, items)
        case ast.When(player, action, arguments, if_possible):
            return Chosen(line.span, player, action.text, arguments, if_possible)
        case ast.Then(condition):
            asks_total = any(isinstance(node, ast.Name) and node.text == "total" for node in walk(condition))
            return Holds(line.span, condition, asks_total)
        case ast.ThenStill(title):
            return StillHolds(line.span, title)
        case ast.ThenOver(is_over):
            return IsOver(line.span, is_over)
        case ast.ThenCan(player, can, action, arguments):
            return CanChoose(line.span, player, can, action.text, arguments)
        case ast.ForPlayers() | ast.Set() | ast.Todo():
            return None


def lower_given_value(program: Program, line: ast.GivenValue) -> GivenValue:
    is_short = isinstance(line.value, ast.Number | ast.Name)
    match line.target:
        case ast.Name(text="round") as target:
            return GivenValue(line.span, "round", target, line.value, None, is_short)
        case ast.Of(ast.Name() as subject, owner) as target if isinstance(program.names.get(subject), BuiltinMeaning):
            return GivenValue(line.span, "total", target, line.value, owner, is_short)
        case target:
            return GivenValue(line.span, "variable", target, line.value, None, is_short)


def is_nothing(item: ast.Literal) -> bool:
    return len(item.parts) == 1 and isinstance(item.parts[0], ast.Nothing)


def list_named_seats(example: Example) -> Iterator[int]:
    """The seats that an example speaks of: its table has them all."""
    for line in example.lines:
        owners = [node.owner for node in walk(line) if isinstance(node, ast.Of)]
        if isinstance(line, ast.GivenTurn | ast.When | ast.ThenCan) and line.player is not None:
            owners.append(line.player)
        yield from (owner.value for owner in owners if isinstance(owner, ast.Number))


# ---- the phase with which an example begins


@frozen(eq=False)
class PhaseTurns:
    """The turns in the first line of a phase: whom they leave out, when they are over, whose comes next."""

    excluded: Operand | None
    skipping: Operand | None
    until: Operand | None
    following: Operand | None


def find_phase_turns(phase: ast.Phase) -> PhaseTurns | None:
    loop = phase.loop
    if not isinstance(loop, ast.Turns):
        return None
    return PhaseTurns(loop.excluded, loop.skipping, loop.until, loop.following)
