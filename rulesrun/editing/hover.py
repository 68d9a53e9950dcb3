"""What a name means, in words: its declaration, its type, who may see it, the author's note."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from rulesrun.dsl import ast
from rulesrun.dsl.format.format import text_of_expression, text_of_first_line, text_of_seen_by, text_of_type
from rulesrun.dsl.typing.builtins import BUILTINS
from rulesrun.dsl.typing.relations import describe_type
from rulesrun.dsl.typing.types import CollectionOf, NumberOf, Type, Unknown, WordOf
from rulesrun.editing.games import describe_action, find_played_games
from rulesrun.editing.positions import Position, Range
from rulesrun.editing.uses import Symbol, Use, Uses, uses_at
from rulesrun.editing.workspace import Analysis

SEEN = {
    "hidden": "Hidden: nobody may look.",
    "public": "Public: everybody sees it.",
    "public top": "Everybody sees its top, and how many lie below.",
}
BUILTIN_WORDS = {builtin.name: builtin for builtin in BUILTINS}


@frozen
class Hover:
    """`text` is Markdown: the declaration in a block of rules, then sentences."""

    range: Range
    text: str


def hover(analysis: Analysis, position: Position) -> Hover | None:
    offset = analysis.lines.find_offset(position)
    uses = uses_at(analysis, offset)
    use = uses.find_use(offset)
    if use is None:
        return None
    text = "\n\n".join(part for part in _describe_use(analysis, uses, use) if part)
    place = analysis.lines.make_range(use.span.start, use.span.end)
    return Hover(place, text) if text else None


def _describe_use(analysis: Analysis, uses: Uses, use: Use) -> Iterator[str]:
    symbol = use.symbol
    if symbol.kind == "builtin":
        builtin = BUILTIN_WORDS.get(symbol.name)
        if builtin is not None:
            yield _as_block(symbol.name)
            yield f"{builtin.says}"
        yield _describe_value(uses, use)
        return
    declared = uses.declared.get(symbol)
    node = declared.declares if declared is not None else None
    yield _as_block(describe_node(node, symbol)) if node is not None else ""
    yield _describe_owner(symbol)
    yield _describe_value(uses, use)
    yield _describe_sight(node)
    yield from _describe_labels(analysis, symbol)
    yield _describe_games(analysis, node)
    yield " ".join(getattr(node, "notes", ()) or ())


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


def _as_block(text: str) -> str:
    return f"```rules\n{text}\n```" if text else ""


def _describe_owner(symbol: Symbol) -> str:
    match symbol.kind:
        case "word":
            return f"A value of `{symbol.owner}`."
        case "attribute":
            return f"An attribute of `{symbol.owner}`."
        case "row":
            return f"A row of `{symbol.owner}`."
        case _:
            return ""


def _describe_value(uses: Uses, use: Use) -> str:
    found = uses.types.get(use.name) if use.name is not None else None
    return describe_value(found) if found is not None else ""


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


def _describe_sight(node: ast.Node | None) -> str:
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


def _describe_games(analysis: Analysis, node: ast.Node | None) -> str:
    """How often an action was chosen, where games have been played already."""
    played = find_played_games(analysis)
    if played is None or not isinstance(node, ast.Action):
        return ""
    text = str(describe_action(node.name.text, played))
    return f"{text[0].upper()}{text[1:]}."


def _describe_labels(analysis: Analysis, symbol: Symbol) -> Iterator[str]:
    """What it is called in other languages."""
    if symbol.kind in ("local", "label"):
        return
    for piece in analysis.game.declarations:
        if isinstance(piece, ast.Words):
            for word in piece.items:
                if word.name.text == symbol.name:
                    yield f"{piece.language.text}: {word.text}"
