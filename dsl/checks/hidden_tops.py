"""Looking at a certain place of a pile that is hidden, or whose order nobody can know: it has none until it is drawn
from.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulesrun.dsl import ast
from rulesrun.dsl.ast.footprint import footprint_of
from rulesrun.dsl.ast.walk import walk
from rulesrun.dsl.diagnostics.diagnostic import Diagnostic
from rulesrun.dsl.flow.checked_game import CheckedGame
from rulesrun.dsl.text.messages import message

PLACES = {
    "top": message("top"), "bottom": message("bottom"), "first": message("first"), "last": message("last"),
}  # fmt: skip


def check_hidden_tops(reading: CheckedGame) -> Iterator[Diagnostic]:
    moved = {place for node in reading.nodes if isinstance(node, ast.Statement) for place in _moved_places(node)}
    for node in reading.nodes:
        match node:
            case ast.Of(subject=ast.Name(text=word), owner=owner) if word in PLACES and node not in moved:
                pass
            case ast.Item(collection=owner) if node not in moved:
                word = "item"
            case _:
                continue
        zone = reading.meaning_of_place(owner)
        if isinstance(zone, ast.Zone) and zone.kind == "pile" and zone.visibility == "hidden":
            yield Diagnostic(
                "top-of-hidden",
                message("nobody can know the {word} of `{zone}`: it is hidden", word=PLACES[word], zone=zone.name.text),
                node.span,
                message("draw it first: `draw 1 from … to … as card`"),
            )


def unknown_places(reading: CheckedGame) -> Iterator[Diagnostic]:
    """Places of a pile that is filled by shuffling alone: while several components lie there, none has a place."""
    shuffled = _only_shuffled(reading)
    if not shuffled:
        return
    given = {node for example in reading.pieces(ast.Example) for node in walk(example)}
    moved = {place for node in reading.nodes if isinstance(node, ast.Statement) for place in _moved_places(node)}
    for node in reading.nodes:
        match node:
            case ast.Item(collection=pile):
                asked = message("an item")
            case ast.Call(name=ast.Name(text="position"), arguments=(_, pile)):
                asked = message("a position")
            case ast.Of(subject=ast.Name(text=word), owner=pile) if word in PLACES:
                asked = message("the {place}", place=PLACES[word])
            case _:
                continue
        zone = reading.find_zone(pile)
        is_said = not isinstance(node, ast.Call) and zone is not None and zone.visibility == "hidden"
        if zone is not None and zone in shuffled and node not in moved and node not in given and not is_said:
            called = zone.name.text
            yield Diagnostic(
                "not-known-yet",
                message(
                    "`{called}` is shuffled and nothing is put on it, so nobody knows {asked} of it",
                    called=called,
                    asked=asked,
                ),
                node.span,
                message("draw from `{called}` first, then use the component where it lies", called=called),
                "warning",
            )


def _only_shuffled(reading: CheckedGame) -> set[ast.Zone]:
    """The piles into which everything comes by being shuffled in, and that nobody counts before looking."""
    mixed: set[ast.Zone | None] = set()
    others: set[ast.Zone | None] = set()
    for node in reading.nodes:
        if isinstance(node, ast.Shuffle):
            mixed.add(reading.find_zone(node.into or node.what))
        elif isinstance(node, ast.Statement):
            others.update(reading.find_zone(place) for place in footprint_of(node).puts)
        elif isinstance(node, ast.Of) and isinstance(node.subject, ast.Name) and node.subject.text == "count":
            others.add(reading.find_zone(node.owner))
    return {zone for zone in mixed - others if zone is not None and zone.kind == "pile"}


def _moved_places(statement: ast.Statement) -> tuple[ast.Expr, ...]:
    """What is moved or shown, and where it goes, is not looked at."""
    done = footprint_of(statement)
    return (*done.takes, *done.puts, *done.mixes, *done.shows)
