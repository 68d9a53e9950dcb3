"""What the checker looks for beyond names and types: one rule a module, each a function over a read game."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from rulesrun.dsl import ast
from rulesrun.dsl.diagnostics import Diagnostic
from rulesrun.dsl.infer import Inferred
from rulesrun.dsl.names import Names

Check = Callable[[ast.Game, Names, Inferred], Iterable[Diagnostic]]

CHECKS: tuple[Check, ...] = ()


def run_checks(game: ast.Game, names: Names, inferred: Inferred) -> Iterable[Diagnostic]:
    for check in CHECKS:
        yield from check(game, names, inferred)
