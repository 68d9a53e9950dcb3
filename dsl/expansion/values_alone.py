"""`Square where stone = player`: a marker or a number of places, or of cards, stands alone where one of them is looked
at, as an attribute does. Takes a game, gives a game in which it has its key: `stone[it]`.
"""

from __future__ import annotations

from typing import Any

from attrs import evolve, frozen

from rulesrun.dsl import ast
from rulesrun.dsl.ast.walk import walk
from rulesrun.dsl.expansion.rewriting import change_parts


def spell_out_values_alone(game: ast.Game) -> ast.Game:
    """The very game where none stands alone."""
    values = find_values(game)
    if not values:
        return game
    return evolve(game, declarations=tuple(spell_piece(piece, values) for piece in game.declarations))


def find_values(game: ast.Game) -> dict[str, ast.Variable]:
    """Of one key, a place or a card; without those that are called like an attribute or a word."""
    kinds = {one.name.text for one in game.components}
    taken = {name.text for piece in game.declarations for name in list_other_names(piece)}
    return {
        one.name.text: one for one in game.declarations
        if isinstance(one, ast.Variable) and one.name.text not in taken and len(one.keys) == 1
        and isinstance(key := one.keys[0], ast.NamedType) and key.name.text in kinds
    }  # fmt: skip


def list_other_names(piece: ast.AnyDeclaration) -> list[ast.Name]:
    match piece:
        case ast.Components(attributes=attributes, computed=computed, rows=rows):
            return [*(one.name for one in (*attributes, *computed)), *(row.name for row in rows)]
        case ast.Values(name=own) | ast.Option(name=own):
            return [node for node in walk(piece) if isinstance(node, ast.Name) and node is not own]
        case _:
            return []


def spell_piece(piece: ast.AnyDeclaration, values: dict[str, ast.Variable]) -> ast.AnyDeclaration:
    """What has a name of its own in the piece is that."""
    if isinstance(piece, ast.Words | ast.Variable):
        return piece
    local = {name.text for node in walk(piece) if (name := name_given_by(node)) is not None}
    known = {name: one for name, one in values.items() if name not in local}
    spelled: ast.AnyDeclaration = ElementSpeller(known, None).spell(piece) if known else piece
    return spelled


def name_given_by(node: ast.Node) -> ast.Name | None:
    match node:
        case ast.Parameter(name=name) | ast.Choice(name=name) | ast.Each(name=name) | ast.Deal(alias=name):
            return name
        case _:
            return None


@frozen
class ElementSpeller:
    """`element`: what is looked at here, the innermost one."""

    values: dict[str, ast.Variable]
    element: str | None

    def inside(self, name: ast.Name | None) -> ElementSpeller:
        return evolve(self, element=name.text if name is not None else "it")

    def spell(self, value: Any) -> Any:
        match value:
            case ast.Name(text) if self.element is not None and text in self.values:
                key = ast.Name(self.element, span=value.span)
                return ast.Index(value, (key,), of=self.values[text].of_kind, span=value.span)
            case ast.Index(_, keys):
                spelled = self.spell(keys)
                return evolve(value, keys=spelled) if spelled is not keys else value
            case ast.Call(_, arguments):
                spelled = self.spell(arguments)
                return evolve(value, arguments=spelled) if spelled is not arguments else value
            case ast.Can():
                return value
            case ast.Of(ast.Name(text), owner) if text in self.values and not self.values[text].per_player:
                spelled = self.spell(owner)
                return evolve(value, owner=spelled) if spelled is not owner else value
            case ast.Filter() | ast.Quantified() | ast.Aggregate() | ast.Best() | ast.Deal():
                return self.spell_elements(value)
            case _:
                return change_parts(value, self.spell)

    def spell_elements(self, node: ast.Filter | ast.Quantified | ast.Aggregate | ast.Best | ast.Deal) -> ast.Node:
        """The collection is looked at from outside, what is asked of each element from inside."""
        match node:
            case ast.Filter(collection, condition):
                parts: dict[str, Any] = {"collection": self.spell(collection)}
                parts["condition"] = self.inside(None).spell(condition)
            case ast.Deal(condition=condition):
                parts = {"condition": self.inside(None).spell(condition) if condition is not None else None}
                parts |= {"count": self.spell(node.count), "origin": self.spell(node.origin)}
            case ast.Best(each=each, key=key):
                parts = {"each": self.spell(each), "key": self.inside(each.name).spell(key)}
            case ast.Quantified(each=each, body=body) | ast.Aggregate(each=each, body=body):
                parts = {"each": self.spell(each), "body": self.inside(each.name).spell(body)}
        is_same = all(new is getattr(node, name) for name, new in parts.items())
        return node if is_same else evolve(node, **parts)
