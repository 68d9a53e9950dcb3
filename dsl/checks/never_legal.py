"""Actions that can never be legal: a need that never holds, a choice among nothing."""

from __future__ import annotations

from collections.abc import Iterator

from rulesrun.dsl import ast
from rulesrun.dsl.ast.footprint import footprint
from rulesrun.dsl.diagnostics.diagnostic import Diagnostic
from rulesrun.dsl.flow.checked_game import Reading
from rulesrun.dsl.typing.types import NumberOf


def never_legal(reading: Reading) -> Iterator[Diagnostic]:
    for action in reading.pieces(ast.Action):
        facts = reading.facts
        for needs in action.needs:
            if facts.truth(needs.condition) is False:
                yield _never(action, needs.condition, "this never holds")
                break
            facts = facts.assuming(needs.condition, True)
        for choice in action.choices:
            if choice.count is not None and _asks_for_too_many(reading, choice):
                yield _never(action, choice, "there are never so many")


def never_filled(reading: Reading) -> Iterator[Diagnostic]:
    filled = {zone for node in reading.nodes if isinstance(node, ast.Statement) for zone in _filled_by(reading, node)}
    for action in reading.pieces(ast.Action):
        for choice in action.choices:
            zone = reading.zone_behind(choice.domain) if choice.word == "from" else None
            if zone is not None and zone not in filled:
                yield _never(action, choice.domain, f"nothing is ever put into `{zone.name.text}`")


def _filled_by(reading: Reading, statement: ast.Statement) -> list[ast.Zone]:
    zones = (reading.zone_behind(target) for target in footprint(statement).puts)
    return [zone for zone in zones if zone is not None]


def _asks_for_too_many(reading: Reading, choice: ast.Choice) -> bool:
    low = reading.inferred.types.get(choice.count.low) if choice.count is not None else None
    kind = reading.inferred.types.get(choice)
    most = reading.inferred.kinds.get(getattr(kind, "kind", ""), None)
    return isinstance(low, NumberOf) and most is not None and low.low > most.high


def _never(action: ast.Action, node: ast.Node, why: str) -> Diagnostic:
    return Diagnostic(
        "never-legal", f"`{action.name.text}` can never be chosen: {why}", node.span,
        "change the condition, or leave the action out", "warning",
    )
