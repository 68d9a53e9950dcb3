"""Actions that nobody can ever do: no `choose` names them, a need never holds, a choice is among nothing."""

from __future__ import annotations

from collections.abc import Iterator

from rulesrun.dsl import ast
from rulesrun.dsl.ast.footprint import footprint_of
from rulesrun.dsl.diagnostics.diagnostic import Diagnostic
from rulesrun.dsl.flow.checked_game import CheckedGame
from rulesrun.dsl.text.messages import message
from rulesrun.dsl.typing.types import NumberOf


def check_never_offered(reading: CheckedGame) -> Iterator[Diagnostic]:
    offered = {
        reading.meaning(name) for node in reading.nodes if isinstance(node, ast.Choose) for name in node.actions
    }
    for name, action in reading.names.actions.items():
        if action not in offered:
            yield Diagnostic(
                "action-never-offered", message("no line offers the action `{name}`", name=name), action.name.span,
                message("write `choose {name}` in a phase or a step", name=name), "warning",
            )


def check_never_legal(reading: CheckedGame) -> Iterator[Diagnostic]:
    for action in reading.pieces(ast.Action):
        facts = reading.facts
        for needs in action.needs:
            if facts.truth(needs.condition) is False:
                yield _never_legal_diagnostic(action, needs.condition, message("this is never true"))
                break
            facts = facts.assume_condition(needs.condition, True)
        for choice in action.choices:
            if choice.count is not None and _is_asking_too_many(reading, choice):
                yield _never_legal_diagnostic(action, choice, message("there are never so many"))


def check_never_filled(reading: CheckedGame) -> Iterator[Diagnostic]:
    filled = {
        zone for node in reading.nodes if isinstance(node, ast.Statement) for zone in _filled_zones(reading, node)
    }
    for action in reading.pieces(ast.Action):
        for choice in action.choices:
            zone = reading.find_zone(choice.domain) if choice.word == "from" else None
            if zone is not None and zone not in filled:
                yield _never_legal_diagnostic(
                    action, choice.domain, message("nothing is ever put into `{zone}`", zone=zone.name.text)
                )


def _filled_zones(reading: CheckedGame, statement: ast.Statement) -> list[ast.Zone]:
    zones = (reading.find_zone(target) for target in footprint_of(statement).puts)
    return [zone for zone in zones if zone is not None]


def _is_asking_too_many(reading: CheckedGame, choice: ast.Choice) -> bool:
    low = reading.inferred.types.get(choice.count.low) if choice.count is not None else None
    kind = reading.inferred.types.get(choice)
    most = reading.inferred.kinds.get(getattr(kind, "kind", ""), None)
    return isinstance(low, NumberOf) and most is not None and low.low > most.high


def _never_legal_diagnostic(action: ast.Action, node: ast.Node, why: str) -> Diagnostic:
    return Diagnostic(
        "never-legal", message("`{action}` can never be chosen: {why}", action=action.name.text, why=why), node.span,
        message("change the condition, or remove the action"), "warning",
    )
