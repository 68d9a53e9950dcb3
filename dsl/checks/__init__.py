"""What the checker looks for beyond names and types: one rule a module, each a function over a read game."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from rulesrun.dsl import ast
from rulesrun.dsl.checks.certain_conditions import certain_conditions
from rulesrun.dsl.checks.ranges_left import ranges_left
from rulesrun.dsl.checks.reading import Reading, read
from rulesrun.dsl.checks.shadowed_names import shadowed_names
from rulesrun.dsl.checks.unused_names import unused_names
from rulesrun.dsl.diagnostics import Diagnostic
from rulesrun.dsl.infer import Inferred
from rulesrun.dsl.names import Names

Check = Callable[[Reading], Iterable[Diagnostic]]

ALWAYS: tuple[Check, ...] = (shadowed_names, certain_conditions, ranges_left)

# With an unknown name about, these would blame what is only misspelt.
WHEN_ALL_IS_KNOWN: tuple[Check, ...] = (unused_names,)


def run_checks(game: ast.Game, names: Names, inferred: Inferred) -> list[Diagnostic]:
    reading = read(game, names, inferred)
    is_known = not (names.diagnostics or inferred.diagnostics)
    checks = ALWAYS + WHEN_ALL_IS_KNOWN if is_known else ALWAYS
    return [found for check in checks for found in check(reading)]
