"""Looking at a certain place of a hidden pile: a shuffled pile has no order until it is drawn from."""

from __future__ import annotations

from collections.abc import Iterator

from rulesrun.dsl import ast
from rulesrun.dsl.checks.reading import Reading
from rulesrun.dsl.diagnostics import Diagnostic
from rulesrun.dsl.footprint import footprint
from rulesrun.dsl.infer_targets import name_of

PLACES = {"top", "bottom", "first", "last"}


def hidden_tops(reading: Reading) -> Iterator[Diagnostic]:
    moved = {place for node in reading.nodes if isinstance(node, ast.Statement) for place in _moved(node)}
    for node in reading.nodes:
        match node:
            case ast.Of(subject=ast.Name(text=word), owner=owner) if word in PLACES and node not in moved:
                pass
            case ast.Item(collection=owner) if node not in moved:
                word = "item"
            case _:
                continue
        name = name_of(owner)
        zone = reading.meaning(name) if name is not None else None
        if isinstance(zone, ast.Zone) and zone.kind == "pile" and zone.visibility == "hidden":
            yield Diagnostic(
                "top-of-hidden", f"nobody can know the {word} of `{zone.name.text}`: it is hidden", node.span,
                "draw it first: `draw 1 from … to … as card`",
            )


def _moved(statement: ast.Statement) -> tuple[ast.Expr, ...]:
    """What is moved or shown, and where it goes, is not looked at."""
    done = footprint(statement)
    return (*done.takes, *done.puts, *done.mixes, *done.shows)
