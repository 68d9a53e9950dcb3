"""`opponent`, at a table of two: the other one. Takes a game, gives a game in which it is `left of player`."""

from __future__ import annotations

from typing import Any

from attrs import evolve

from rulesrun.dsl import ast
from rulesrun.dsl.ast.walk import walk
from rulesrun.dsl.expansion.rewriting import change_parts
from rulesrun.dsl.text.source import Span

OPPONENT = "opponent"


def spell_out_opponent(game: ast.Game) -> ast.Game:
    """The very game where nobody is called so, the rules call something else so, or others may play, too."""
    nodes = [node for piece in game.declarations for node in walk(piece)]
    is_said = any(isinstance(node, ast.Name) and node.text == OPPONENT for node in nodes)
    if not is_said or not is_for_two(game) or any(map(declares_opponent, nodes)):
        return game
    return evolve(game, declarations=tuple(spell(piece) for piece in game.declarations))


def is_for_two(game: ast.Game) -> bool:
    players = next(iter(game.pieces(ast.Players)), None)
    both = (players.low, players.high) if players is not None else ()
    return bool(both) and all(isinstance(one, ast.Number) and one.value == 2 for one in both)


def declares_opponent(node: ast.Node) -> bool:
    """Its own `opponent`: a definition, a marker, a choice, whatever has a name."""
    name = node.alias if isinstance(node, ast.Deal) else getattr(node, "name", None)
    return isinstance(name, ast.Name) and name.text == OPPONENT and not isinstance(node, ast.Word)


def spell(value: Any) -> Any:
    match value:
        case ast.Name(text) if text == OPPONENT:
            return left_of(ast.Name("player", span=value.span), value.span)
        case ast.Of(ast.Name(text), owner) if text == OPPONENT:
            return left_of(spell(owner), value.span)
        case ast.Words():
            return value
        case _:
            return change_parts(value, spell)


def left_of(player: ast.Expr, span: Span) -> ast.Of:
    return ast.Of(ast.Name("left", span=span), player, span=span)
