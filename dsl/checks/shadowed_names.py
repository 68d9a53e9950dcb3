"""A local name that hides something declared under the same name; a name that hides the total of the score."""

from __future__ import annotations

from collections.abc import Iterator

from rulesrun.dsl import ast
from rulesrun.dsl.diagnostics.diagnostic import Diagnostic, Edit, Related
from rulesrun.dsl.flow.checked_game import CheckedGame
from rulesrun.dsl.text.messages import message

PREFIXES: dict[type, str] = {ast.Parameter: "given", ast.Choice: "chosen", ast.Each: "this", ast.Deal: "drawn"}


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
            other = f"{PREFIXES[type(node)]}_{name.text}"
            is_free = other not in set(reading.names.visible_names())
            yield Diagnostic(
                "shadowed-name",
                message("`{name}` hides something else declared under the same name", name=name.text),
                name.span,
                message("call it `{other}`", other=other) if is_free else message("choose another name"),
                "warning",
                (Related(message("declared here"), thing.name.span),),
                _rename(reading, node, name, other) if is_free else (),
            )


def _rename(reading: CheckedGame, node: ast.Node, name: ast.Name, other: str) -> tuple[Edit, ...]:
    """Wherever it is said, where that is in one file."""
    meanings = reading.inferred.meanings.items()
    meant = (one.span for one, meaning in meanings
             if meaning is node and isinstance(one, ast.Name) and one.text == name.text)  # fmt: skip
    spans = {(one.file, one.start, one.end) for one in (name.span, *meant)}
    if len({file for file, _, _ in spans}) > 1:
        return ()
    return tuple(Edit(start, end, other) for _, start, end in sorted(spans))


def _local_name(node: ast.Node) -> ast.Name | None:
    match node:
        case ast.Parameter(name=name) | ast.Choice(name=name) | ast.Each(name=name) | ast.Deal(alias=name):
            return name
        case _:
            return None
