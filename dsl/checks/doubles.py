"""Components and cases that are there twice without the author saying so."""

from __future__ import annotations

from collections.abc import Iterator

from rulesrun.dsl import ast
from rulesrun.dsl.diagnostics.diagnostic import Diagnostic
from rulesrun.dsl.flow.checked_game import CheckedGame
from rulesrun.dsl.text.messages import message


def check_doubles(reading: CheckedGame) -> Iterator[Diagnostic]:
    for piece in reading.pieces(ast.Components):
        if piece.rows and piece.copies is not None:
            yield Diagnostic(
                "double-component",
                message("rows give one {name} each; these copies contradict that", name=piece.name.text),
                piece.copies.span,
                message("write the number of copies at the end of each row"),
                "warning",
            )
    for values in reading.pieces(ast.Values):
        yield from _check_labels(values)
    for table in reading.pieces(ast.Table):
        yield from _check_table_cases(table)


def _check_labels(values: ast.Values) -> Iterator[Diagnostic]:
    seen: dict[str, ast.Enumerator] = {}
    for item in values.items:
        first = seen.setdefault(item.label if item.label is not None else item.name.text, item)
        if first is not item and first.name.text != item.name.text:
            yield Diagnostic(
                "double-label",
                message("`{item}` is written like `{first}`", item=item.name.text, first=first.name.text),
                item.span,
                message("give it a label of its own"),
                "warning",
            )


def _check_table_cases(table: ast.Table) -> Iterator[Diagnostic]:
    """A case after `otherwise`, or with keys that were there before, never counts."""
    seen: set[str] = set()
    is_over = False
    for entry in table.entries:
        keys = repr(entry.keys)
        if is_over or (entry.keys is not None and keys in seen):
            yield Diagnostic(
                "unreachable",
                message("this case of `{table}` is never used: an earlier one always applies", table=table.name.text),
                entry.span,
                message("the first case that fits is used"),
                "warning",
            )
        seen.add(keys)
        is_over = is_over or entry.is_otherwise
