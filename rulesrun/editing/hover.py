"""What a name means, in words: its declaration, its type, who may see it, the author's note."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from rulesrun.dsl.symbols.descriptions import describe_node, describe_sight, describe_value, list_label_lines
from rulesrun.dsl.symbols.uses import Symbol, Use, Uses, uses_at
from rulesrun.dsl.typing.names import BUILTINS
from rulesrun.editing.games import describe_action, find_played_games
from rulesrun.editing.positions import Position, Range
from rulesrun.editing.workspace import Analysis

BUILTIN_WORDS = {builtin.name: builtin for builtin in BUILTINS}


@frozen
class Hover:
    """`text` is Markdown: the declaration in a block of rules, then sentences."""

    range: Range
    text: str


def hover(analysis: Analysis, position: Position) -> Hover | None:
    offset = analysis.lines.find_offset(position)
    uses = uses_at(analysis.rules, offset)
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
    yield describe_sight(node)
    yield from _describe_labels(analysis, symbol)
    yield _describe_games(analysis, symbol) if node is not None else ""
    yield " ".join(getattr(node, "notes", ()) or ())


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


def _describe_games(analysis: Analysis, symbol: Symbol) -> str:
    """How often an action was chosen, where games have been played already."""
    played = find_played_games(analysis)
    if played is None or symbol.kind != "action":
        return ""
    text = str(describe_action(symbol.name, played))
    return f"{text[0].upper()}{text[1:]}."


def _describe_labels(analysis: Analysis, symbol: Symbol) -> Iterator[str]:
    """What it is called in other languages."""
    if symbol.kind in ("local", "label"):
        return
    for language, label in list_label_lines(analysis.rules.game, symbol.name):
        yield f"{language}: {label}"
