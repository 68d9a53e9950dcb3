"""Where to look in the rules for why something came so: around a choice, behind a name, in the first line of a loop."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import frozen

from rulesrun.dsl import ast
from rulesrun.dsl.ast.footprint import footprint_of
from rulesrun.dsl.ast.walk import walk
from rulesrun.dsl.text.source import Located, Span
from rulesrun.dsl.typing.program import Program

Conditions = tuple[tuple[ast.Expr, bool], ...]  # and what each must be


@frozen(eq=False)
class OfferPlace:
    """A `choose` of the rules: the actions that it offers, and the conditions around it."""

    span: Span
    actions: tuple[str, ...]
    conditions: Conditions


def list_offers(game: ast.Game) -> Iterator[OfferPlace]:
    for body in (*(one.body for one in game.phases), *(one.body for one in game.steps)):
        yield from _find_offers(body)
    for action in game.actions:
        yield from _find_offers(action.body)


def _find_offers(body: tuple[ast.Statement, ...], around: Conditions = ()) -> Iterator[OfferPlace]:
    for statement in body:
        if isinstance(statement, ast.Choose):
            yield OfferPlace(statement.span, tuple(name.text for name in statement.actions), around)
        before: Conditions = ()
        for inner in footprint_of(statement).bodies:
            own: Conditions = ((inner.condition, True),) if inner.condition is not None else ()
            yield from _find_offers(inner.lines, (*around, *before, *own))
            before += tuple((one, False) for one, _ in own)


def find_cause(node: Located) -> Span:
    """Of turns that go on to the next player: whom they skip, else where they begin."""
    if not isinstance(node, ast.Turns):
        return node.span
    return (node.skipping or node.until or node.start).span


def find_definitions_within(program: Program, span: Span) -> list[Span]:
    """The definitions that an expression at this place of the rules names."""
    found: dict[ast.Define, None] = {}
    for node in walk(program.game):
        if isinstance(node, ast.Name) and node.span.file == span.file and span.start <= node.span.start < span.end:
            meaning = program.names.get(node)
            if isinstance(meaning, ast.Define):
                found[meaning] = None
    return [one.body.span for one in found]


def find_skipping_conditions(game: ast.Game, choose: Span) -> list[Span]:
    """Whom the turns around a choice leave out: that they do not leave out somebody may be what is wrong."""
    for phase in game.phases:
        loops = [phase.loop] if isinstance(phase.loop, ast.Turns) else []
        loops += [node for node in walk(phase) if isinstance(node, ast.Turns) and node is not phase.loop]
        for loop in reversed(loops):
            body = phase.body if loop is phase.loop else loop.body
            is_inside = any(node.span == choose for statement in body for node in walk(statement))
            if is_inside and loop.skipping is not None:
                return [loop.skipping.span]
    return []


def find_named_zones(program: Program, nodes: Sequence[ast.Node]) -> set[int]:
    """The zones that are spoken of there, also through definitions."""
    waiting, found = list(nodes), set[int]()
    while waiting:
        for part in walk(waiting.pop()):
            meaning = program.names.get(part)
            if isinstance(meaning, ast.Zone):
                found.add(id(meaning))
            elif isinstance(meaning, ast.Define) and id(meaning) not in found:
                found.add(id(meaning))
                waiting.append(meaning.body)
    return found


def find_zones_that_count(program: Program) -> set[int]:
    """Those that score lines or definitions speak of, by their identity: what lies elsewhere is out of play."""
    return find_named_zones(program, [*program.game.scores, *program.game.pieces(ast.Define)])
