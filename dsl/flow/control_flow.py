"""Where each statement stands: in which piece, under which conditions, in which loops; and who brings whom about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import assert_never

from attrs import define, field, frozen

from rulesrun.dsl import ast
from rulesrun.dsl.ast.footprint import footprint_of
from rulesrun.dsl.flow.mentions import walk_mentions
from rulesrun.dsl.typing.inference import InferredTypes
from rulesrun.dsl.typing.program import Meaning

Piece = ast.Setup | ast.Phase | ast.Step | ast.Action
Loop = ast.Turns | ast.Repeat | ast.EachPlayer | ast.ForEach
Condition = tuple[ast.Expr, bool]
MOST_CONDITIONS = 50


class OutOfPatience(Exception):
    """A rulebook too big for a check that looks far; the check is left out."""


@define(eq=False)
class Patience:
    """How many steps the checks may still take together, so that no file can keep them busy for long."""

    left: int = 2_000_000

    def spend(self, steps: int = 1) -> None:
        self.left -= steps
        if self.left < 0:
            raise OutOfPatience


@frozen(eq=False)
class StatementPlace:
    """A statement, what must hold for it to be reached (condition, and whether it holds), and the loops around it."""

    statement: ast.Statement
    piece: Piece
    conditions: tuple[Condition, ...] = ()
    loops: tuple[Loop, ...] = ()


@frozen(eq=False)
class ControlFlow:
    """All statements of a game. `callers`: where a step or an action is brought about."""

    places: tuple[StatementPlace, ...]
    of_piece: Mapping[Piece, list[StatementPlace]]
    callers: Mapping[ast.Step | ast.Action, list[StatementPlace]]
    inferred: InferredTypes
    patience: Patience = field(factory=Patience)

    def find_surroundings(self, place: StatementPlace) -> tuple[list[ast.Expr], list[Loop]]:
        """All conditions and loops around a statement, those of its callers included."""
        conditions: list[ast.Expr] = []
        loops: list[Loop] = []
        waiting, seen = [place], {place.piece}
        while waiting:
            here = waiting.pop()
            self.patience.spend()
            conditions.extend(condition for condition, _ in here.conditions)
            loops.extend(here.loops)
            if isinstance(here.piece, ast.Step | ast.Action):
                fresh = [caller for caller in self.callers.get(here.piece, ()) if caller.piece not in seen]
                waiting.extend(fresh)
                seen.update(caller.piece for caller in fresh)
        return conditions, loops

    def walk_reachable(self, places: list[StatementPlace]) -> Iterator[StatementPlace]:
        """These statements and all that they bring about."""
        waiting, seen = list(places), set()
        while waiting:
            place = waiting.pop()
            self.patience.spend()
            yield place
            for called in list_called(place.statement, self.inferred):
                if called not in seen:
                    seen.add(called)
                    waiting.extend(self.of_piece.get(called, []))

    def collect_mentions(self, node: ast.Node) -> set[Meaning]:
        """What an expression depends on, through definitions and actions."""
        return set(walk_mentions(self.charged_meaning, node))

    def charged_meaning(self, node: ast.Node) -> Meaning | None:
        self.patience.spend()
        return self.inferred.meanings.get(node)


def list_called(statement: ast.Statement, inferred: InferredTypes) -> Iterator[ast.Step | ast.Action]:
    for name in footprint_of(statement).calls:
        meaning = inferred.meanings.get(name)
        if isinstance(meaning, ast.Step | ast.Action):
            yield meaning


def build_control_flow(game: ast.Game, inferred: InferredTypes) -> ControlFlow:
    places = tuple(place for piece in game.declarations for place in _list_piece_places(piece))
    of_piece: dict[Piece, list[StatementPlace]] = {}
    callers: dict[ast.Step | ast.Action, list[StatementPlace]] = {}
    for place in places:
        of_piece.setdefault(place.piece, []).append(place)
        for called in list_called(place.statement, inferred):
            callers.setdefault(called, []).append(place)
    return ControlFlow(places, of_piece, callers, inferred)


def _list_piece_places(piece: ast.AnyDeclaration) -> Iterator[StatementPlace]:
    match piece:
        case ast.Setup(body=body) | ast.Step(body=body):
            yield from _list_body_places(body, piece, (), ())
        case ast.Phase(body=body, when=when, loop=loop):
            conditions: tuple[Condition, ...] = ((when, True),) if when is not None else ()
            loops = (loop,) if loop is not None else ()
            yield from _list_body_places(body, piece, (*conditions, *_loop_conditions(loop)), loops)
        case ast.Action(body=body, needs=needs):
            yield from _list_body_places(body, piece, tuple((each.condition, True) for each in needs), ())
        case _:
            pass


def _loop_conditions(loop: Loop | None) -> tuple[Condition, ...]:
    match loop:
        case ast.Turns(skipping=skipping, until=until):
            return tuple((each, False) for each in (skipping, until) if each is not None)
        case ast.Repeat(until=until):
            return ((until, False),) if until is not None else ()
        case ast.EachPlayer(condition=condition):
            return ((condition, True),) if condition is not None else ()
        case ast.ForEach() | None:
            return ()
        case _:
            assert_never(loop)


def _list_body_places(
    body: tuple[ast.Statement, ...], piece: Piece, conditions: tuple[Condition, ...], loops: tuple[Loop, ...]
) -> Iterator[StatementPlace]:
    """The statements and those below them, in the order of the file; depth is bounded by the checker's limit."""
    for statement in body:
        yield StatementPlace(statement, piece, conditions, loops)
        inside, around = conditions, loops
        if isinstance(statement, ast.Turns | ast.Repeat | ast.EachPlayer | ast.ForEach):
            inside, around = (*conditions, *_loop_conditions(statement)), (*loops, statement)
        for inner in footprint_of(statement).bodies:
            yield from _list_body_places(inner.lines, piece, _add_condition(inside, inner.condition, True), around)
            inside = _add_condition(inside, inner.condition, False)


def _add_condition(conditions: tuple[Condition, ...], condition: ast.Expr | None, holds: bool) -> tuple[Condition, ...]:
    """One condition more; of very many the nearest are enough."""
    return conditions if condition is None else (*conditions, (condition, holds))[-MOST_CONDITIONS:]
