"""What a file says of itself before any rule: its title, what it builds on, who may play. Read off one file alone."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import frozen

from rulesrun.dsl import ast
from rulesrun.dsl.parsing.parse import ParsedFile
from rulesrun.dsl.text.source import Span


@frozen
class BaseName:
    """The rulebook on which a variant builds, as it names it."""

    name: str
    span: Span


@frozen
class FrontMatter:
    """`titles`: by language; `players`: how many may play, where plain numbers say it."""

    title: str | None
    is_variant: bool
    base: BaseName | None
    titles: Mapping[str, str]
    players: range | None


def read_front_matter(parsed: ParsedFile) -> FrontMatter:
    game = ast.Game("", "", None, parsed.declarations, span=Span("", 0, 0))
    named = next((one for one in parsed.declarations if isinstance(one, ast.Title | ast.VariantOf)), None)
    titles = {code: labels["game"] for code in game.languages if "game" in (labels := game.list_labels(code))}
    title = named.title if named is not None else None
    return FrontMatter(title, isinstance(named, ast.VariantOf), find_base(parsed), titles, game.player_counts)


def find_base(parsed: ParsedFile) -> BaseName | None:
    base = next((piece.base for piece in parsed.declarations if isinstance(piece, ast.VariantOf)), None)
    return BaseName(base.value, base.span) if base is not None else None
