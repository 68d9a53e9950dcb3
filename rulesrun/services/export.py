"""A small table as other people's tools read it: a reading and a request in, its exact tree out."""

from __future__ import annotations

from attrs import frozen

from rulesrun.files.loading import Reading
from rulesrun.interpreter.solve.exact_tree import ExactTree, build_exact_tree
from rulesrun.services.tables import seat_one
from rulesrun.terminal.requests import ExportRequest


@frozen(eq=False)
class ExportedGame:
    reading: Reading
    tree: ExactTree


def export_rules(reading: Reading, request: ExportRequest) -> ExportedGame:
    """Raises NoAnswer where the tree is too large, or a team decides."""
    table = seat_one(reading, request)
    found = build_exact_tree(table, request.limit) if request.limit is not None else build_exact_tree(table)
    return ExportedGame(reading, found)
