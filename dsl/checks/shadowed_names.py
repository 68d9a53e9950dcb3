"""A local name that hides something declared under the same name; a name that hides the total of the score."""

from __future__ import annotations

from collections.abc import Iterator

from rulesrun.dsl import ast
from rulesrun.dsl.diagnostics.diagnostic import Diagnostic, Related
from rulesrun.dsl.flow.checked_game import CheckedGame
from rulesrun.dsl.text.messages import message


def check_shadowed_names(reading: CheckedGame) -> Iterator[Diagnostic]:
    own_total = reading.names.things.get("total")
    if own_total is not None and any(isinstance(piece, ast.Ranking) for piece in reading.game.declarations):
        yield Diagnostic(
            "shadowed-name",
            message("`total` no longer means the points of the score, in `ranking` either"),
            own_total.name.span,
            message("choose another name"),
            "warning",
        )
    for node in reading.nodes:
        name = _local_name(node)
        thing = reading.names.things.get(name.text) if name is not None else None
        if name is not None and thing is not None:
            yield Diagnostic(
                "shadowed-name",
                message("`{name}` hides something else declared under the same name", name=name.text),
                name.span,
                message("choose another name"),
                "warning",
                (Related(message("declared here"), thing.name.span),),
            )


def _local_name(node: ast.Node) -> ast.Name | None:
    match node:
        case ast.Parameter(name=name) | ast.Choice(name=name) | ast.Each(name=name) | ast.Deal(alias=name):
            return name
        case _:
            return None
