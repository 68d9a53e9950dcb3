"""Short ways to parse a piece of text in a test, and to see its tree."""

from __future__ import annotations

from attrs import fields, has

from rulesrun.dsl import ast
from rulesrun.dsl.diagnostics.diagnostic import Diagnostic
from rulesrun.dsl.parsing.parse import parse_source
from rulesrun.dsl.text.source import Source

SELDOM = {"arguments", "parameters", "word", "called", "following", "of", "of_kind"}  # left out where there are none


def found_in(text: str) -> list[Diagnostic]:
    """What is wrong with these pieces; the edition is written here."""
    return list(parse_source(Source("t.rules", f"rules 1\n{text}\n")).diagnostics)


def codes_in(text: str) -> list[str]:
    return [diagnostic.code for diagnostic in found_in(text)]


def pieces_of(text: str) -> tuple[ast.AnyDeclaration, ...]:
    parsed = parse_source(Source("t.rules", f"rules 1\n{text}\n"))
    assert parsed.diagnostics == ()
    return parsed.declarations[1:]


def piece_of(text: str) -> ast.AnyDeclaration:
    (piece,) = pieces_of(text)
    return piece


def expression_of(text: str) -> ast.Expr:
    piece = piece_of(f"define x = {text}")
    assert isinstance(piece, ast.Define)
    return piece.body


def statement_of(text: str) -> ast.Statement:
    lines = text.replace("\n", "\n  ")
    piece = piece_of(f"setup\n  {lines}")
    assert isinstance(piece, ast.Setup)
    (statement,) = piece.body
    return statement


def example_line_of(text: str) -> ast.ExampleLine:
    piece = piece_of(f'example "e"\n  {text}')
    assert isinstance(piece, ast.Example)
    (line,) = piece.lines
    return line


def short(node: object) -> str:
    """A tree in round brackets: the class, then its parts; a name or number is only itself."""
    kind = type(node)
    match node:
        case ast.Name(text=text):
            return text
        case ast.Number(value=value):
            return str(value)
        case ast.Literal(parts=parts):
            return "<" + " ".join(short(part) for part in parts) + ">"
        case tuple():
            return "[" + " ".join(short(part) for part in node) + "]"
        case None:
            return "-"
        case _ if has(kind):
            skipped = ("span", "notes")
            named = [(part, getattr(node, part.name)) for part in fields(kind) if part.name not in skipped]
            values = [value for part, value in named if part.name not in SELDOM or value != part.default]
            return "(" + " ".join([kind.__name__, *(short(value) for value in values)]) + ")"
        case _:
            return str(node)
