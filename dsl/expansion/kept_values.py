"""`marker told of Card`: what stays with a component wherever it goes. Takes a game, gives a game in which it is
spelled out: a marker with a key, the component. `told of c` is the one of c.
"""

from __future__ import annotations

from typing import Any

import attrs
from attrs import define, evolve, field

from rulesrun.dsl import ast
from rulesrun.dsl.diagnostics.diagnostic import Diagnostic, Edit
from rulesrun.dsl.format.format import text_of_expression
from rulesrun.dsl.text.messages import message


def spell_out_kept_values(game: ast.Game) -> tuple[ast.Game, list[Diagnostic]]:
    """The very game where nothing stays with a component."""
    kept = {one.name.text for one in game.variables if one.of_kind}
    if not kept:
        return game, []
    double = find_double_names(game, kept)
    boards = {one.name.text for one in game.components if one.board is not None}
    misplaced = {
        one.name.text for one in game.variables if one.of_kind
        for key in one.keys if isinstance(key, ast.NamedType) and key.name.text in boards
    }  # fmt: skip
    speller = KeptValueSpeller(kept - {name for name, _ in double}, misplaced)
    pieces = tuple(speller.spell(piece) for piece in game.declarations)
    return evolve(game, declarations=pieces), [*speller.found, *(one for _, one in double)]


def find_double_names(game: ast.Game, kept: set[str]) -> list[tuple[str, Diagnostic]]:
    """`rank of c` cannot be an attribute and a marker: what is wrong, by name."""
    attributes = [
        one.name for piece in game.declarations if isinstance(piece, ast.Components)
        for one in (*piece.attributes, *piece.computed) if one.name.text in kept
    ]  # fmt: skip
    return [(one.text, describe_double_name(one)) for one in attributes]


def describe_double_name(name: ast.Name) -> Diagnostic:
    sentence = message("`{name}` is an attribute here, and also a value that stays with components", name=name.text)
    return Diagnostic("duplicate-name", sentence, name.span, message("choose another name for one of them"))


@define
class KeptValueSpeller:
    kept: set[str]
    misplaced: set[str]  # declared with `of` where brackets are meant: that is said there
    found: list[Diagnostic] = field(factory=list)

    def spell(self, value: Any) -> Any:
        """The very node where nothing in it changes."""
        if isinstance(value, tuple):
            parts = tuple(self.spell(part) for part in value)
            return parts if any(new is not old for new, old in zip(parts, value, strict=True)) else value
        if not isinstance(value, ast.Node) or isinstance(value, ast.Small):
            return value
        changed = {}
        for one in attrs.fields(type(value)):
            if one.name != "span" and isinstance(part := getattr(value, one.name), ast.Node | tuple):
                new = self.spell(part)
                if new is not part:
                    changed[one.name] = new
        return self.spell_node(evolve(value, **changed) if changed else value)

    def spell_node(self, node: ast.Node) -> ast.Node:
        match node:
            case ast.Of(ast.Name(text) as name, owner) if text in self.kept:
                return ast.Index(name, (owner,), of=True, span=node.span)
            case ast.Index(ast.Name(text), keys, of=False) if text in self.kept:
                self.refuse_brackets(node, text, keys)
                return evolve(node, of=True)
            case _:
                return node

    def refuse_brackets(self, node: ast.Index, name: str, keys: tuple[ast.Expr, ...]) -> None:
        if name in self.misplaced:
            return
        instead = text_of_expression(evolve(node, keys=keys[:1], of=True))
        sentence = message("`{name}` stays with a component: it has no brackets", name=name)
        edit = Edit(node.span.start, node.span.end, instead)
        hint = message("write `{instead}`", instead=instead)
        self.found.append(Diagnostic("wrong-type", sentence, node.span, hint, edits=(edit,)))
