"""Two actions of one choice that do the same: the player cannot tell them apart."""

from __future__ import annotations

from collections.abc import Iterator

from rulesrun.dsl import ast
from rulesrun.dsl.diagnostics.diagnostic import Diagnostic, Related
from rulesrun.dsl.flow.checked_game import CheckedGame


def check_identical_actions(reading: CheckedGame) -> Iterator[Diagnostic]:
    reported: set[ast.Action] = set()
    looks = {action: _action_signature(action) for action in reading.pieces(ast.Action)}
    for node in reading.nodes:
        if not isinstance(node, ast.Choose):
            continue
        seen: dict[str, tuple[ast.Action, ast.Name]] = {}
        for name in node.actions:
            action = reading.meaning(name)
            if not isinstance(action, ast.Action):
                continue
            first, first_name = seen.setdefault(looks[action], (action, name))
            if first is action and first_name is not name:
                yield Diagnostic("identical-actions", f"`{name.text}` is offered twice", name.span, severity="warning")
            elif first is not action and action not in reported:
                reported.add(action)
                yield Diagnostic(
                    "identical-actions", f"`{action.name.text}` does the same as `{first.name.text}`",
                    action.name.span, "leave one of them out, or let them differ", "warning",
                    (Related(f"`{first.name.text}` is here", first.name.span),),
                )


def _action_signature(action: ast.Action) -> str:
    """All but the name and the reasons given."""
    needs = [needs.condition for needs in action.needs]
    return repr((action.choices, needs, action.secret, action.body))
