"""Every zone says who sees what lies in it; nothing is assumed."""

from __future__ import annotations

from collections.abc import Iterator

from rulesrun.dsl import ast
from rulesrun.dsl.diagnostics.diagnostic import Diagnostic, Edit
from rulesrun.dsl.flow.checked_game import CheckedGame
from rulesrun.dsl.text.messages import message


def check_visibility(reading: CheckedGame) -> Iterator[Diagnostic]:
    for zone in reading.pieces(ast.Zone):
        if zone.visibility is None:
            yield Diagnostic(
                "visibility-not-said",
                message("the rules do not say who sees what is in `{zone}`", zone=zone.name.text),
                zone.name.span,
                message("add `, hidden` (nobody), `, private` (its owner), `, public` or `, public top`"),
            ).with_edits(
                Edit(zone.span.end, zone.span.end, ", private" if zone.per_player else ", public")
            )
        elif zone.visibility == "private" and not zone.per_player:
            yield Diagnostic(
                "nobody-owns-it",
                message("`{zone}` is private, but belongs to nobody", zone=zone.name.text),
                zone.name.span,
                message("write `zone {zone} of player`, or `hidden`", zone=zone.name.text),
                edits=_own_by_edit(zone),
            )
    for variable in reading.pieces(ast.Variable):
        if variable.visibility == "private" and not variable.per_player:
            yield Diagnostic(
                "nobody-owns-it",
                message("`{variable}` is private, but belongs to nobody", variable=variable.name.text),
                variable.name.span,
                message(
                    "write `{word} {variable} of player`, or `hidden`", word=variable.word, variable=variable.name.text
                ),
                edits=_own_by_edit(variable),
            )


def _own_by_edit(thing: ast.Zone | ast.Variable) -> tuple[Edit, ...]:
    end = thing.name.span.end
    return () if thing.keys else (Edit(end, end, " of player"),)
