"""What a declaration says, in a line of the rules or a sentence: what it gives, who may look at it, its labels."""

from __future__ import annotations

from collections.abc import Iterator

from rulesrun.dsl import ast
from rulesrun.dsl.format.format import text_of_expression, text_of_first_line, text_of_seen_by, text_of_type
from rulesrun.dsl.symbols.uses import Symbol
from rulesrun.dsl.typing.notebook import describe_type
from rulesrun.dsl.typing.types import CollectionOf, NumberOf, Type, Unknown, WordOf

SEEN = {
    "hidden": "Hidden: nobody may look.",
    "public": "Public: everybody sees it.",
    "public top": "Everybody sees its top, and how many lie below.",
}


def describe_node(node: ast.Node, symbol: Symbol) -> str:
    match node:
        case ast.AttributeDecl(name=name, type=type, value=value):
            written = f"{name.text} {text_of_type(type)}" if type is not None else f"rule {name.text}"
            return f"{written} = {text_of_expression(value)}" if value is not None else written
        case ast.Enumerator():
            return f"values {symbol.owner}: … {symbol.name} …"
        case ast.RowDecl(name=name, cells=cells):
            return f"{name.text}: {', '.join(text_of_expression(cell) for cell in cells)}"
        case ast.ScoreLine(name=name, value=value):
            return f"{name.text} = {text_of_expression(value)}"
        case ast.Parameter(name=name, type=type):
            return f"{name.text} {text_of_type(type)}"
        case ast.Choice(name=name, word=word, domain=domain):
            return f"{name.text} {word} {text_of_expression(domain)}"
        case ast.Each(name=ast.Name(text=name), collection=ast.SetOf((ast.Literal((value,)),))):
            return f"{name} = {text_of_expression(value)}"
        case ast.Each(name=name, collection=collection):
            return f"{name.text if name else 'it'} in {text_of_expression(collection)}"
        case ast.Word(name=name, text=text):
            return f'{name.text}: "{text}"'
        case ast.Deal(alias=alias):
            return f"… as {alias.text}" if alias is not None else ""
        case ast.Outcome(word=word, when=when):
            return f"{word.text} when {text_of_expression(when)}"
        case _:
            return _first_line(node) or symbol.name


def _first_line(node: ast.Node) -> str:
    match node:
        case (
            ast.Define() | ast.Table() | ast.Zone() | ast.Variable() | ast.Option() | ast.Memory() | ast.Values()
            | ast.Components() | ast.Action() | ast.Step() | ast.Phase() | ast.Persona() | ast.Result()
            | ast.Figure()
        ):
            return text_of_first_line(node)
        case _:
            return ""


def describe_value(type: Type) -> str:
    """What it gives, with the range of a number and the words of a type."""
    match type:
        case Unknown():
            return ""
        case NumberOf(low=low, high=high):
            return f"A number, {low}..{high}." if high < 1_000_000 else "A number."
        case WordOf(words=words) if len(words) <= 12:
            return f"One of {', '.join(f'`{word}`' for word in words)}."
        case CollectionOf(item=NumberOf(low=low, high=high)):
            return f"Several numbers, {low}..{high}."
        case _:
            text = describe_type(type)
            return f"{text[0].upper()}{text[1:]}."


def describe_sight(node: ast.Node | None) -> str:
    """Who may look at it."""
    match node:
        case ast.Zone(visibility="private") | ast.Variable(visibility="private"):
            return "Private: only its player sees it."
        case ast.Zone(seen_by=ast.SeenBy() as said) | ast.Variable(seen_by=ast.SeenBy() as said):
            return f"{text_of_seen_by(said).capitalize()}."
        case ast.Zone(visibility=visibility) | ast.Variable(visibility=visibility):
            return SEEN.get(visibility or "", "")
        case ast.Action(secret=True):
            return "Secret: the others do not see what is chosen."
        case _:
            return ""


def list_label_lines(game: ast.Game, name: str) -> Iterator[tuple[str, str]]:
    """Each language, or aspect of how it is drawn, with what is said there."""
    for piece in game.pieces(ast.Words):
        yield from ((piece.language.text, word.text) for word in piece.items if word.name.text == name)


def name_thing_kind(node: ast.Node | None) -> str:
    """function, type or variable: what the thing is to who colours it."""
    match node:
        case ast.Define() | ast.Table():
            return "function"
        case ast.Values() | ast.Components():
            return "type"
        case _:
            return "variable"
