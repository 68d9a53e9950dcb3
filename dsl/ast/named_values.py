"""One value under a name, as the collection of it alone: `let`, and what a step is told. Trees in, trees out."""

from __future__ import annotations

from rulesrun.dsl import ast


def wrap_single_value(value: ast.Expr) -> ast.SetOf:
    return ast.SetOf((ast.Literal((value,), span=value.span),), span=value.span)


def single_value(statement: ast.ForEach) -> ast.Expr:
    """What `let` gives a name to, and what a parameter stands for."""
    return single_literal(statement).parts[0]


def single_literal(statement: ast.ForEach) -> ast.Literal:
    collection = statement.each.collection
    assert isinstance(collection, ast.SetOf)
    return collection.items[0]
