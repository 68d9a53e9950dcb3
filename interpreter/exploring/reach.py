"""Which rules a table reaches: its actions, phases and score lines, and the statements of a house rule.

A small table of which every position was looked at proves what holds there, and nothing about rules that no position of
it reaches. So what random games reach at the whole table, and what a house rule words anew, is asked of small tables.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from random import Random

from rulesrun.dsl.source import Span
from rulesrun.interpreter.exploring.breadth import Explored
from rulesrun.interpreter.exploring.never import (
    Never,
    actions_never_chosen,
    never_happened,
    phases_never_entered,
    score_lines_never_counted,
)
from rulesrun.interpreter.exploring.random_play import play_at_random
from rulesrun.interpreter.exploring.ways import Ways
from rulesrun.interpreter.table import Table

GAMES = 60
MOST_DECISIONS = 1_500  # of all these games together

Rule = tuple[str, str | Span]  # its kind and its name; a statement has its place instead


def rules_reached(table: Table) -> frozenset[Rule]:
    """What some random games reach, of actions, phases and score lines."""
    ways, chance, left = Ways(table), Random(0), MOST_DECISIONS
    for _ in range(GAMES):
        game = play_at_random(ways, chance, left)
        left -= game.decisions + (game.is_over is None)
        if left <= 0:
            break
    return rules_of(ways.table) - missing_in(ways)


def rules_of(table: Table) -> frozenset[Rule]:
    return missing_in(Ways(table))


def missing_in(ways: Ways) -> frozenset[Rule]:
    nevers = [*actions_never_chosen(ways), *phases_never_entered(ways), *score_lines_never_counted(ways)]
    return frozenset((never.kind, never.name) for never in nevers)


def not_reached(
    wanted: Collection[Rule], changed_in: Collection[str], looked_at: Iterable[Explored]
) -> tuple[Never, ...]:
    """The rules that no position of these tables reaches: wanted ones, and statements of the files named."""
    missing: dict[Rule, Never] | None = None
    for found in looked_at:
        here = {rule_of(never): never for never in never_happened(found)}
        missing = here if missing is None else {rule: never for rule, never in missing.items() if rule in here}
    return tuple(
        never for rule, never in (missing or {}).items()
        if rule in wanted or (never.span.file in changed_in and never.kind in {"action", "phase", "score line", "line"})
    )  # fmt: skip


def rule_of(never: Never) -> Rule:
    return (never.kind, never.span if never.kind == "line" else never.name)
