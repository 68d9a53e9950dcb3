"""The small tables that a rulebook declares, each checked as a rulebook of its own."""

from __future__ import annotations

from attrs import frozen

from rulesrun.dsl.check import check_game
from rulesrun.dsl.text.source import Span
from rulesrun.dsl.typing.program import Program
from rulesrun.dsl.variants.small_tables import build_small_game


@frozen(eq=False)
class SmallTable:
    """`changes`: where each piece stands that it says anew."""

    title: str
    span: Span
    program: Program
    changes: tuple[Span, ...]


def check_small_table(program: Program, title: str) -> SmallTable:
    """What is wrong with one was told of the rules that declare it."""
    small = next(one for one in program.game.smalls if one.title == title)
    checked = check_game(build_small_game(program.written, small).game, program.sources)
    assert isinstance(checked, Program)
    return SmallTable(title, small.span, checked, tuple(piece.span for piece in small.pieces))
