"""What the rules themselves tell of things that not everybody sees. Takes a table, gives the lines that do so.

These are no leaks: somebody wrote them. Whether they were meant, and for these players, is for the author to say.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from rulesrun.dsl import ast
from rulesrun.dsl.program import Meaning
from rulesrun.dsl.source import Span
from rulesrun.dsl.walk import children
from rulesrun.interpreter.exploring.relevance import living
from rulesrun.interpreter.searching.open_flow import told_by
from rulesrun.interpreter.searching.secrets import is_secret, things_read
from rulesrun.interpreter.table import Table


@frozen
class LaidOpen:
    """`things`: the places and values that are told of; none for what is shown whole."""

    span: Span
    things: tuple[str, ...]


def laid_open(table: Table) -> Iterator[LaidOpen]:
    """What is shown, values that all see and that are made of secrets, points counted before the end of the game."""
    for node in living(table, properties=False):
        match node:
            case ast.Show():
                yield LaidOpen(node.span, ())
            case ast.Becomes(target=target) | ast.Increases(target=target) if is_seen_by_all(table, target):
                yield from told(table, node.span, [*told_by(node)])
            case ast.Score(when="round" | "told", lines=lines):
                for line in lines:
                    yield from told(table, line.span, [line.value])
            case _:
                pass


def told(table: Table, span: Span, parts: list[ast.Node]) -> Iterator[LaidOpen]:
    found = [thing for part in parts for thing, _ in things_read(table, part, False)]
    secrets = dict.fromkeys(name_of(thing) for thing in found if is_secret(table, thing, False, False))
    if secrets:
        yield LaidOpen(span, tuple(secrets))


def name_of(thing: Meaning) -> str:
    match thing:
        case ast.Zone(name=name) | ast.Variable(name=name) | ast.Memory(name=name):
            return name.text
        case ast.Deal(alias=ast.Name(text=text)):
            return text
        case _:
            return "what is hidden"


def is_seen_by_all(table: Table, target: ast.Expr) -> bool:
    names = [target, *children(target)]
    meanings = [table.bench.meaning(name) for name in names if isinstance(name, ast.Name)]
    return any(isinstance(one, ast.Variable) and one.visibility in {None, "public"} for one in meanings)
