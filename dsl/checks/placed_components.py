"""Components that never get into a zone, and setups that deal more than there is."""

from __future__ import annotations

from collections.abc import Iterator

from rulesrun.dsl import ast
from rulesrun.dsl.ast.footprint import footprint_of
from rulesrun.dsl.ast.named_values import name_of
from rulesrun.dsl.diagnostics.diagnostic import Diagnostic
from rulesrun.dsl.flow.checked_game import CheckedGame, Facts
from rulesrun.dsl.text.messages import message
from rulesrun.dsl.typing.program import AllOf
from rulesrun.dsl.typing.types import NumberOf


def check_never_placed(reading: CheckedGame) -> Iterator[Diagnostic]:
    placed = {
        meaning.declaration
        for node in reading.nodes
        if isinstance(node, ast.Statement)
        for taken in footprint_of(node).takes
        for meaning in [_find_whole_kind(reading, taken)]
        if meaning is not None
    }
    placed |= set(_find_thrown_kinds(reading))
    with_zone = {reading.meaning(kind) for zone in reading.pieces(ast.Zone) for kind in zone.kinds}
    for components in reading.names.components():
        if components.noun == "die" and any(isinstance(node, ast.Throw) for node in reading.nodes):
            continue  # a throw that is not understood
        if components in with_zone and components not in placed:
            name = components.name.text
            hint = message("write `shuffle all {name} into …` or `move all {name} to …` in `setup`", name=name)
            if components.noun == "die":
                hint = message("write `roll all {name} into …`", name=name)
            yield Diagnostic(
                "never-placed",
                message("no {name} ever leaves the box", name=name),
                components.name.span,
                hint,
                "warning",
            )


def _find_thrown_kinds(reading: CheckedGame) -> Iterator[ast.Components]:
    """Dice that come to the table by `roll 2 of Die into cup`."""
    throws = [node for node in reading.nodes if isinstance(node, ast.ForEach) and node.word == "roll"]
    again = {id(line) for node in throws for line in node.body}
    for node in reading.nodes:
        if isinstance(node, ast.Deal) and node.word == "roll" and id(node) not in again:
            box = reading.meaning(node.origin)
            kind = reading.meaning(box.component) if isinstance(box, ast.Zone) else None
            if isinstance(kind, ast.Components):
                yield kind


def _find_whole_kind(reading: CheckedGame, what: ast.Expr) -> AllOf | None:
    while isinstance(what, ast.Filter | ast.Of):
        what = what.collection if isinstance(what, ast.Filter) else what.owner
    meaning = reading.meaning(what)
    return meaning if isinstance(meaning, AllOf) else None


def check_enough_components(reading: CheckedGame) -> Iterator[Diagnostic]:
    """Follows the unconditional lines of a setup, for every number of players."""
    for setup in reading.pieces(ast.Setup):
        for players in range(reading.inferred.players.low, reading.inferred.players.high + 1):
            short = _follow_setup(reading, setup, players)
            if short is not None:
                yield short
                break


def _follow_setup(reading: CheckedGame, setup: ast.Setup, players: int) -> Diagnostic | None:
    left: dict[ast.Zone, int] = {}
    count = NumberOf(players, players)
    facts = reading.facts.with_bounds(ast.Name("players", span=setup.span), count)
    for statement in setup.body:
        match statement:
            case ast.Shuffle(into=target) | ast.Move(all=True, target=target) if target is not None:
                _fill_zone(reading, left, statement, target)
            case ast.Deal(up_to=False, condition=None):
                missing = _deal_components(reading, left, statement, facts, players)
                if missing is not None:
                    return missing
            case _:
                left.clear()
    return None


def _find_shared_zone(reading: CheckedGame, node: ast.Expr) -> ast.Zone | None:
    meaning = reading.meaning(node)
    return meaning if isinstance(meaning, ast.Zone) and not meaning.per_player else None


def _fill_zone(
    reading: CheckedGame, left: dict[ast.Zone, int], statement: ast.Shuffle | ast.Move, target: ast.Expr
) -> None:
    zone, every = _find_shared_zone(reading, target), _find_whole_kind(reading, statement.what)
    if zone is None:
        left.clear()
    elif zone.others is None and every is not None and every.declaration.name.text in reading.inferred.kinds:
        left[zone] = reading.inferred.kinds[every.declaration.name.text].high
    else:
        left.pop(zone, None)


def _deal_components(
    reading: CheckedGame, left: dict[ast.Zone, int], deal: ast.Deal, facts: Facts, players: int
) -> Diagnostic | None:
    zone, target, amount = (
        _find_shared_zone(reading, deal.origin),
        _find_shared_zone(reading, deal.target),
        facts.bounds(deal.count),
    )
    if target is not None:
        left.pop(target, None)
    if zone is None or zone not in left or amount is None:
        return None
    wanted = max(0, amount.low) * (players if deal.each else 1)
    if wanted <= left[zone]:
        left[zone] -= wanted
        return None
    name = name_of(deal.origin)
    return Diagnostic(
        "not-enough-components",
        message(
            "with {players} players {wanted} are dealt, but `{name}` holds only {left}",
            players=players,
            wanted=wanted,
            left=left[zone],
            name=name.text if name else "",
        ),
        deal.span,
        message("deal fewer, or write `up to`"),
    )
