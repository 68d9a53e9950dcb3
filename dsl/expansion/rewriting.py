"""Statements and expressions replaced wherever they stand: what has nothing to replace stays the very node."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs
from attrs import evolve

from rulesrun.dsl import ast

Body = tuple[ast.Statement, ...]
AS_WRITTEN = ("span", "called")


def change_parts(value: Any, change: Callable[[Any], Any]) -> Any:
    """What a node or a tuple is made of, each part changed. Small tables are games of their own."""
    if isinstance(value, tuple):
        parts = tuple(change(part) if isinstance(part, ast.Node | tuple) else part for part in value)
        return parts if any(new is not old for new, old in zip(parts, value, strict=True)) else value
    if not isinstance(value, ast.Node) or isinstance(value, ast.Small):
        return value
    changed = {}
    for one in attrs.fields(type(value)):
        if one.name not in AS_WRITTEN and isinstance(part := getattr(value, one.name), ast.Node | tuple):
            new = change(part)
            if new is not part:
                changed[one.name] = new
    return evolve(value, **changed) if changed else value


def replace_nodes(node: Any, change: Callable[[ast.Node], ast.Node]) -> Any:
    """The tree with some of its nodes exchanged, from the leaves on."""
    if isinstance(node, ast.Small):
        return node
    changed = change_parts(node, lambda part: replace_nodes(part, change))
    return change(changed) if isinstance(changed, ast.Node) else changed


class StatementRewriter:
    """`rewrite_line` says what a line without lines of its own becomes. What does not change stays the very node."""

    def rewrite_line(self, line: ast.Statement) -> ast.Statement:
        return line

    def rewrite_piece(self, piece: ast.AnyDeclaration) -> ast.AnyDeclaration:
        match piece:
            case ast.Setup() | ast.Phase() | ast.Step() | ast.Action():
                body = self.rewrite_body(piece.body)
                return evolve(piece, body=body) if body is not piece.body else piece
            case _:
                return piece

    def rewrite_body(self, body: Body) -> Body:
        new = tuple(self.rewrite_statement(line) for line in body)
        return new if any(one is not old for one, old in zip(new, body, strict=True)) else body

    def rewrite_statement(self, line: ast.Statement) -> ast.Statement:
        match line:
            case ast.If(branches):
                bodies = [self.rewrite_body(branch.body) for branch in branches]
                if all(new is old.body for new, old in zip(bodies, branches, strict=True)):
                    return line
                new = tuple(evolve(old, body=body) for old, body in zip(branches, bodies, strict=True))
                return evolve(line, branches=new)
            case ast.ForEach() | ast.EachPlayer() | ast.Turns() | ast.Repeat():
                body = self.rewrite_body(line.body)
                return evolve(line, body=body) if body is not line.body else line
            case ast.Choose(otherwise=otherwise) if otherwise is not None:
                instead = self.rewrite_statement(otherwise)
                return evolve(line, otherwise=instead) if instead is not otherwise else line
            case _:
                return self.rewrite_line(line)
