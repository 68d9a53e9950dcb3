"""Every zone says who sees what lies in it; nothing is assumed."""

from __future__ import annotations

from collections.abc import Iterator

from rulesrun.dsl import ast
from rulesrun.dsl.ast.walk import walk
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
        elif not zone.per_player and (name := _find_owner(zone)) is not None:
            yield _nobody_is_meant(zone, name)
    for variable in reading.pieces(ast.Variable):
        if not variable.per_player and (name := _find_owner(variable)) is not None:
            yield _nobody_is_meant(variable, name)
        if variable.visibility == "private" and not variable.per_player:
            yield Diagnostic(
                "nobody-owns-it",
                message("`{variable}` is private, but belongs to nobody", variable=variable.name.text),
                variable.name.span,
                _suggest_owner(variable),
                edits=_own_by_edit(variable),
            )


def _suggest_owner(variable: ast.Variable) -> str:
    if variable.of_kind:
        return message("leave `private` out: everybody sees it; or write `hidden`")
    return message("write `{word} {variable} of player`, or `hidden`", word=variable.word, variable=variable.name.text)


def _find_owner(thing: ast.Zone | ast.Variable) -> ast.Name | None:
    """`player`, in what says who sees it."""
    parts = walk(thing.seen_by) if thing.seen_by is not None else ()
    return next((part for part in parts if isinstance(part, ast.Name) and part.text == "player"), None)


def _nobody_is_meant(thing: ast.Zone | ast.Variable, name: ast.Name) -> Diagnostic:
    text, word = thing.name.text, "zone" if isinstance(thing, ast.Zone) else thing.word
    hint = message("write `{word} {text} of player`, or the numbers of seats", word=word, text=text)
    if isinstance(thing, ast.Variable) and thing.of_kind:
        hint = message("write the numbers of seats")
    sentence = message("`{text}` belongs to nobody: whose seat is meant?", text=text)
    return Diagnostic("nobody-owns-it", sentence, name.span, hint, edits=_own_by_edit(thing))


def _own_by_edit(thing: ast.Zone | ast.Variable) -> tuple[Edit, ...]:
    end = thing.name.span.end
    return () if thing.keys else (Edit(end, end, " of player"),)
