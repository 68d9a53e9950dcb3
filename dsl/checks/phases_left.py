"""Phases that are never reached, and loops that are never left."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from rulesrun.dsl import ast
from rulesrun.dsl.ast.footprint import footprint_of
from rulesrun.dsl.diagnostics.diagnostic import Diagnostic
from rulesrun.dsl.flow.checked_game import CheckedGame, StatementPlace
from rulesrun.dsl.text.messages import message
from rulesrun.dsl.typing.program import (
    AllOf,
    AttributeMeaning,
    BuiltinMeaning,
    ItMeaning,
    Meaning,
    RowMeaning,
    WordMeaning,
)


def check_never_reached(reading: CheckedGame) -> Iterator[Diagnostic]:
    ended_by: ast.Phase | None = None
    for phase in reading.pieces(ast.Phase):
        if phase.when is not None and reading.facts.truth(phase.when) is False:
            yield _unreached_diagnostic(phase, phase.when, message("its condition never holds"))
        elif ended_by is not None:
            yield _unreached_diagnostic(
                phase, phase.name, message("`{ended_by}` always ends the round before it", ended_by=ended_by.name.text)
            )
        if ended_by is None and phase.when is None and phase.loop is None and _has_certain_end(phase.body):
            ended_by = phase


def _has_certain_end(body: tuple[ast.Statement, ...]) -> bool:
    return any(isinstance(statement, ast.End) and statement.what in {"round", "game"} for statement in body)


def _unreached_diagnostic(phase: ast.Phase, node: ast.Node, why: str) -> Diagnostic:
    return Diagnostic(
        "phase-never-reached",
        message("the phase `{phase}` is never reached: {why}", phase=phase.name.text, why=why),
        node.span,
        severity="warning",
    )


def check_never_left(reading: CheckedGame) -> Iterator[Diagnostic]:
    for phase in reading.pieces(ast.Phase):
        if phase.loop is not None:
            inside = reading.flow.of_piece.get(phase, [])
            yield from _check_loop(reading, phase.loop, phase, inside, phase.name)
    for place in reading.flow.places:
        loop = place.statement
        if isinstance(loop, ast.Turns | ast.Repeat):
            reading.flow.patience.spend(len(reading.flow.of_piece[place.piece]))
            inside = [other for other in reading.flow.of_piece[place.piece] if loop in other.loops]
            yield from _check_loop(reading, loop, place.piece, inside, loop)


def _check_loop(
    reading: CheckedGame, loop: ast.Turns | ast.Repeat, piece: ast.Node, inside: list[StatementPlace], at: ast.Node
) -> Iterator[Diagnostic]:
    """A loop without an end of its own needs a statement that ends it, or a condition that can change."""
    if (isinstance(loop, ast.Turns) and loop.once) or (isinstance(loop, ast.Repeat) and loop.times is not None):
        return
    reached = list(reading.flow.walk_reachable(inside))
    if any(_is_loop_exit(place.statement) for place in reached):
        return
    ways_out = [each for each in (loop.until, getattr(loop, "skipping", None)) if each is not None]
    called = (
        message("the phase `{name}`", name=piece.name.text)
        if at is not loop and isinstance(piece, ast.Phase)
        else "this"
    )
    if not ways_out:
        yield Diagnostic(
            "phase-never-left",
            message("{called} goes on for ever: it has no `until`, and nothing inside ends it", called=called),
            at.span,
            message("write `until …` after it, or `end phase` inside it"),
        )
    elif not any(_can_change(reading, way_out, reached, loop) for way_out in ways_out):
        yield Diagnostic(
            "phase-never-left",
            message("{called} may go on for ever: nothing in it changes what it waits for", called=called),
            ways_out[0].span,
            severity="warning",
        )


def _is_loop_exit(statement: ast.Statement) -> bool:
    return isinstance(statement, ast.End) and statement.what != "turn"


def _can_change(
    reading: CheckedGame, condition: ast.Expr, reached: list[StatementPlace], loop: ast.Turns | ast.Repeat
) -> bool:
    """Whether something that the condition speaks of is changed on the way."""
    if isinstance(condition, ast.Truth):
        return condition.value
    spoken_of = reading.flow.collect_mentions(condition)
    changed: set[Meaning] = {
        place_changes for place in reached for place_changes in _changed_meanings(reading, place.statement)
    }
    moves = any(footprint_of(place.statement).moves_components for place in reached)
    return any(_is_changed(reading, meaning, changed, moves, loop) for meaning in spoken_of)


def _is_changed(
    reading: CheckedGame, meaning: Meaning, changed: set[Meaning], moves: bool, loop: ast.Turns | ast.Repeat
) -> bool:
    match meaning:
        case ast.Zone():
            return moves
        case ast.Variable(reset="turn", per_player=per_player):
            return True
        case ast.Variable(per_player=per_player):
            return meaning in changed or (per_player and isinstance(loop, ast.Turns))
        case ast.Memory():
            return meaning in changed
        case BuiltinMeaning(name="player"):
            return isinstance(loop, ast.Turns)
        case BuiltinMeaning(name="starter"):
            return any(isinstance(each, BuiltinMeaning) and each.name == "starter" for each in changed)
        case BuiltinMeaning(name="counted" | "latest" | "total" | "times" | "place"):
            return True
        case BuiltinMeaning() | AllOf() | WordMeaning() | AttributeMeaning() | ItMeaning() | RowMeaning():
            return False
        case ast.Option() | ast.Parameter() | ast.Values() | ast.Components() | ast.Phase() | ast.Step():
            return False
        case ast.Choice() | ast.Each() | ast.Deal():
            return False  # bound in the condition itself, or around the loop
        case ast.Define() | ast.Table() | ast.ScoreLine() | ast.Action():
            return False  # what stands behind it is among what is spoken of
        case _:
            assert_never(meaning)


def _changed_meanings(reading: CheckedGame, statement: ast.Statement) -> Iterator[Meaning]:
    done = footprint_of(statement)
    for meaning in map(reading.meaning_of_place, done.changed):
        if meaning is not None:
            yield meaning
