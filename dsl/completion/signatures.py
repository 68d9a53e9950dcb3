"""A declared thing in one line, and the author's note of it."""

from __future__ import annotations

from rulesrun.dsl import ast
from rulesrun.dsl.format.format import text_of_first_line


def describe_thing(thing: ast.AnyDeclaration) -> str:
    """Its first line in the canonical layout, shortened."""
    text = text_of_first_line(thing)
    return text if len(text) <= 100 else text[:99] + "…"


def note_of(thing: ast.AnyDeclaration) -> str:
    return " ".join(thing.notes)
