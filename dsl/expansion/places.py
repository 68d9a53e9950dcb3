"""Where a thing with a name was taken from, as far as the text says it: choices, `each`, what was drawn, markers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from attrs import define, field

from rulesrun.dsl import ast
from rulesrun.dsl.ast.walk import walk


def name_of_place(place: ast.Expr) -> str | None:
    """`cup`, `cup[2]`, `cup of p`, `cup where …`: the name in front."""
    match place:
        case ast.Name(text):
            return text
        case ast.Index(name):
            return name.text
        case ast.Of(ast.Name() | ast.Index() as subject, _):
            return name_of_place(subject)
        case ast.Filter(collection):
            return name_of_place(collection)
        case _:
            return None


@define
class PlaceNames:
    """`lying`: by name of a zone or marker, the kind that it holds. `named`: what a name here was taken from."""

    lying: dict[str, str]
    named: dict[str, ast.Expr] = field(factory=dict)

    @staticmethod
    def of_game(game: ast.Game) -> PlaceNames:
        lying: dict[str, str] = {}
        for piece in game.declarations:
            match piece:
                case ast.Zone(name=name, component=component):
                    lying[name.text] = component.text
                case ast.Variable(name=name, type=ast.NamedType(kind) | ast.Optional(item=ast.NamedType(kind))):
                    lying[name.text] = kind.text
                case _:
                    pass
        return PlaceNames(lying)

    def enter_piece(self, piece: ast.AnyDeclaration) -> None:
        self.named = {}
        if isinstance(piece, ast.Action):
            self.named.update((one.name.text, one.domain) for one in piece.choices)
        if isinstance(piece, ast.Step):
            self.named.update((one.name.text, one.type.name) for one in piece.parameters
                              if isinstance(one.type, ast.NamedType))  # fmt: skip
        for node in walk(piece):
            if isinstance(node, ast.Deal) and node.alias is not None:
                self.named[node.alias.text] = node.target

    @contextmanager
    def inside(self, line: ast.Statement) -> Iterator[None]:
        before = self.named
        if isinstance(line, ast.ForEach) and line.each.name is not None:
            self.named = {**before, line.each.name.text: line.each.collection}
        yield
        self.named = before

    def find_kind(self, what: ast.Expr | None, depth: int = 0) -> str | None:
        """The kind of what is named."""
        match what:
            case ast.SetOf((ast.Literal((only,)),)):
                return self.find_kind(only, depth)
            case ast.Of(ast.Name("top" | "bottom" | "first" | "last"), owner):
                return self.find_kind(owner, depth)
            case ast.Best(each=ast.Each(collection=collection)) | ast.Item(collection=collection):
                return self.find_kind(collection, depth)
            case None:
                return None
            case _:
                name = name_of_place(what) or ""
                if name in self.lying:
                    return self.lying[name]
                return self.find_kind(self.named.get(name), depth + 1) if depth < 9 and name in self.named else name
