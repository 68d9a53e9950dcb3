"""Bundled rulebooks as an editor opens them, and places in them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from rulesrun.dsl.completion.cursor import all_lines
from rulesrun.dsl.parsing.blocks import Block, read_blocks
from rulesrun.dsl.text.lexer import Word
from rulesrun.dsl.text.source import Source
from rulesrun.editing import Analysis, Position, Workspace
from rulesrun.files.sources import bundled_names, open_rules

SMALL = ("classics/kuhn", "classics/tic_tac_toe", "variants/the_game_six_rows")


@cache
def bundled_text(name: str) -> tuple[str, str]:
    """A path beside its base, and the text."""
    file = open_rules(name)
    return f"{file.folder}/{file.short_name}", file.text


def all_bundled() -> list[str]:
    return bundled_names()


def open_bundled(name: str) -> tuple[Workspace, Analysis]:
    path, text = bundled_text(name)
    workspace = Workspace()
    workspace.open_document(path, text, 1)
    return workspace, workspace.analyse(path)


def open_text(text: str, name: str = "game.rules") -> tuple[Workspace, Analysis]:
    workspace = Workspace()
    workspace.open_document(name, text, 1)
    return workspace, workspace.analyse(name)


def place_of(analysis: Analysis, marked: str) -> Position:
    """The place of `|` in a stretch of the text that stands there once."""
    before, behind = marked.split("|")
    assert analysis.text.count(before + behind) == 1
    return analysis.lines.find_position(analysis.text.index(before + behind) + len(before))


def words_of(text: str) -> Iterator[tuple[Word, Block]]:
    """Every word of a text, with its line."""
    for line in all_lines(read_blocks(Source("", text)).top):
        for word in line.words:
            if word.kind == "word":
                yield word, line
