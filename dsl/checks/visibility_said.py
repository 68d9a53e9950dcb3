"""Every zone says who sees what lies in it; nothing is assumed."""

from __future__ import annotations

from collections.abc import Iterator

from rulesrun.dsl import ast
from rulesrun.dsl.diagnostics.diagnostic import Diagnostic, Edit
from rulesrun.dsl.flow.checked_game import CheckedGame


def check_visibility(reading: CheckedGame) -> Iterator[Diagnostic]:
    for zone in reading.pieces(ast.Zone):
        if zone.visibility is None:
            yield Diagnostic(
                "visibility-not-said", f"it is not said who sees what lies in `{zone.name.text}`", zone.name.span,
                "add `, hidden` (nobody), `, private` (its owner), `, public` or `, public top`",
            ).with_edits(Edit(zone.span.end, zone.span.end, ", private" if zone.per_player else ", public"))
        elif zone.visibility == "private" and not zone.per_player:
            yield Diagnostic(
                "nobody-owns-it", f"`{zone.name.text}` is private, but belongs to nobody", zone.name.span,
                f"write `zone {zone.name.text} of player`, or `hidden`", edits=_own_by_edit(zone),
            )
    for variable in reading.pieces(ast.Variable):
        if variable.visibility == "private" and not variable.per_player:
            yield Diagnostic(
                "nobody-owns-it", f"`{variable.name.text}` is private, but belongs to nobody", variable.name.span,
                f"write `{variable.word} {variable.name.text} of player`, or `hidden`", edits=_own_by_edit(variable),
            )


def _own_by_edit(thing: ast.Zone | ast.Variable) -> tuple[Edit, ...]:
    end = thing.name.span.end
    return () if thing.keys else (Edit(end, end, " of player"),)
