"""Two actions of one choice that do the same: the player cannot tell them apart."""

from __future__ import annotations

from collections.abc import Iterator

from rulesrun.dsl import ast
from rulesrun.dsl.diagnostics.diagnostic import Diagnostic, Related
from rulesrun.dsl.flow.checked_game import CheckedGame
from rulesrun.dsl.text.messages import message


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
                yield Diagnostic(
                    "identical-actions",
                    message("`{name}` is offered twice", name=name.text),
                    name.span,
                    severity="warning",
                )
            elif first is not action and action not in reported:
                reported.add(action)
                yield Diagnostic(
                    "identical-actions",
                    message("`{action}` does the same as `{first}`", action=action.name.text, first=first.name.text),
                    action.name.span,
                    message("remove one of them, or make them differ"),
                    "warning",
                    (Related(message("`{first}` is here", first=first.name.text), first.name.span),),
                )


def _action_signature(action: ast.Action) -> str:
    """All but the name and the reasons given."""
    needs = [needs.condition for needs in action.needs]
    return repr((action.choices, needs, action.secret, action.body))
