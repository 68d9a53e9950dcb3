"""A parameter, choice or binder that hides something declared under the same name."""

from __future__ import annotations

from collections.abc import Iterator

from rulesrun.dsl import ast
from rulesrun.dsl.diagnostics.diagnostic import Diagnostic, Related
from rulesrun.dsl.flow.checked_game import CheckedGame
from rulesrun.dsl.text.messages import message


def check_shadowed_names(reading: CheckedGame) -> Iterator[Diagnostic]:
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
