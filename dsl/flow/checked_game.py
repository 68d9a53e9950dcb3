"""What the checks read: a game, its names and types, the flow of its statements. Built once, never changed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from attrs import frozen

from rulesrun.dsl import ast
from rulesrun.dsl.ast.named_values import name_of
from rulesrun.dsl.ast.walk import walk
from rulesrun.dsl.flow.control_flow import ControlFlow, build_control_flow
from rulesrun.dsl.flow.facts import Facts
from rulesrun.dsl.flow.mentions import zone_of
from rulesrun.dsl.typing.inference import InferredTypes
from rulesrun.dsl.typing.names import DeclaredNames
from rulesrun.dsl.typing.program import Meaning

Piece = TypeVar("Piece", bound=ast.Declaration)


@frozen(eq=False)
class CheckedGame:
    game: ast.Game
    names: DeclaredNames
    inferred: InferredTypes
    flow: ControlFlow
    facts: Facts
    nodes: tuple[ast.Node, ...]

    def pieces(self, kind: type[Piece]) -> Iterator[Piece]:
        return iter(self.game.pieces(kind))

    def meaning(self, node: ast.Node) -> Meaning | None:
        return self.inferred.meanings.get(node)

    def meaning_of_place(self, node: ast.Node | None) -> Meaning | None:
        """Of the name behind `x`, `x[k]`, `x of p`."""
        name = name_of(node)
        return self.meaning(name) if name is not None else None

    def find_zone(self, node: ast.Expr) -> ast.Zone | None:
        """The zone of `hand where …`, `bottom of stock`, `row[k] of p`."""
        while isinstance(node, ast.Filter):
            node = node.collection
        return zone_of(self, node)


def build_checked_game(game: ast.Game, names: DeclaredNames, inferred: InferredTypes) -> CheckedGame:
    return CheckedGame(game, names, inferred, build_control_flow(game, inferred), Facts(inferred), tuple(walk(game)))
