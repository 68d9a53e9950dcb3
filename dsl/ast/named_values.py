"""Names in trees: the name of a place; one value under a name, as the collection of it alone: `let`, and what a step
is told. Trees in, trees out.
"""

from __future__ import annotations

from rulesrun.dsl import ast
from rulesrun.dsl.text.source import Span


def wrap_single_value(value: ast.Expr) -> ast.SetOf:
    return ast.SetOf((ast.Literal((value,), span=value.span),), span=value.span)


def single_value(statement: ast.ForEach) -> ast.Expr:
    """What `let` gives a name to, and what a parameter stands for; of a set not that it is put in order."""
    value = single_literal(statement).parts[0]
    match value:
        case ast.Aggregate("sorted", False, ast.Name("it"), ast.Each(None, several)) if statement.word == "do":
            return several
        case _:
            return value


def is_told_set(statement: ast.ForEach) -> bool:
    """Whether a step is told several here, as a set."""
    return statement.word == "do" and single_value(statement) is not single_literal(statement).parts[0]


def sort_set(told: ast.Expr) -> ast.Expr:
    """A set that a step is told stands in declared order, however it lay."""
    each = ast.Each(None, told, span=told.span)
    return ast.Aggregate("sorted", False, ast.Name("it", span=told.span), each, span=told.span)


def single_literal(statement: ast.ForEach) -> ast.Literal:
    collection = statement.each.collection
    assert isinstance(collection, ast.SetOf)
    return collection.items[0]


def name_of(node: ast.Node | None) -> ast.Name | None:
    """The declared name behind `x`, `x[k]`, `x of p`."""
    if isinstance(node, ast.Of):
        node = node.subject
    if isinstance(node, ast.Index):
        return node.name
    return node if isinstance(node, ast.Name) else None


# ---- turn order
# `to the right`, as the player whose turn comes next: `right of player`. Trees in, trees out.


def make_right_of_player(span: Span) -> ast.Of:
    return ast.Of(ast.Name("right", span=span), ast.Name("player", span=span), span=span)


def is_to_the_right(following: ast.Expr | None) -> bool:
    match following:
        case ast.Of(ast.Name("right"), ast.Name("player")):
            return True
        case _:
            return False
