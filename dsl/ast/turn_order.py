"""`to the right`, as the player whose turn comes next: `right of player`. Trees in, trees out."""

from __future__ import annotations

from rulesrun.dsl import ast
from rulesrun.dsl.text.source import Span


def make_right_of_player(span: Span) -> ast.Of:
    return ast.Of(ast.Name("right", span=span), ast.Name("player", span=span), span=span)


def is_to_the_right(following: ast.Expr | None) -> bool:
    match following:
        case ast.Of(ast.Name("right"), ast.Name("player")):
            return True
        case _:
            return False
