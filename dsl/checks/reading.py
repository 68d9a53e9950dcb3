"""What the checks read: a game, its names and types, the flow of its statements. Built once, never changed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from attrs import frozen

from rulesrun.dsl import ast
from rulesrun.dsl.facts import Facts
from rulesrun.dsl.flow import Flow, flow_of
from rulesrun.dsl.infer import Inferred
from rulesrun.dsl.names import Names
from rulesrun.dsl.program import Meaning
from rulesrun.dsl.walk import walk

Piece = TypeVar("Piece", bound=ast.Declaration)


@frozen(eq=False)
class Reading:
    game: ast.Game
    names: Names
    inferred: Inferred
    flow: Flow
    facts: Facts
    nodes: tuple[ast.Node, ...]

    def pieces(self, kind: type[Piece]) -> Iterator[Piece]:
        return (piece for piece in self.game.declarations if isinstance(piece, kind))

    def meaning(self, name: ast.Name) -> Meaning | None:
        return self.inferred.meanings.get(name)


def read(game: ast.Game, names: Names, inferred: Inferred) -> Reading:
    return Reading(game, names, inferred, flow_of(game, inferred), Facts(inferred), tuple(walk(game)))
