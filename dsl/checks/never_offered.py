"""Actions that no `choose` names: nobody will ever be asked."""

from __future__ import annotations

from collections.abc import Iterator

from rulesrun.dsl import ast
from rulesrun.dsl.diagnostics.diagnostic import Diagnostic
from rulesrun.dsl.flow.checked_game import CheckedGame


def check_never_offered(reading: CheckedGame) -> Iterator[Diagnostic]:
    offered = {
        reading.meaning(name) for node in reading.nodes if isinstance(node, ast.Choose) for name in node.actions
    }
    for name, action in reading.names.actions.items():
        if action not in offered:
            yield Diagnostic(
                "action-never-offered", f"nobody is ever asked to choose `{name}`", action.name.span,
                f"write `choose {name}` in a phase or a step", "warning",
            )
