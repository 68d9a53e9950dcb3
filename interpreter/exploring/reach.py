"""Which rules a table reaches: its actions, phases and score lines, and the statements of a house rule.

A small table of which every position was looked at proves what holds there, and nothing about rules that no position of
it reaches. So what random games reach at the whole table, and what a house rule words anew, is asked of small tables.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from random import Random

from rulesrun.dsl.source import Span
from rulesrun.interpreter.chance import ChanceWait
from rulesrun.interpreter.decisions import DecisionWait
from rulesrun.interpreter.exploring.breadth import Explored
from rulesrun.interpreter.exploring.never import (
    Never,
    actions_never_chosen,
    never_happened,
    phases_never_entered,
    score_lines_never_counted,
)
from rulesrun.interpreter.exploring.ways import Ways
from rulesrun.interpreter.table import Table
from rulesrun.interpreter.values import EVENTS, Fault

GAMES = 60
MOST_DECISIONS = 1_500  # of all these games together

Rule = tuple[str, str | Span]  # its kind and its name; a statement has its place instead


def rules_reached(table: Table) -> frozenset[Rule]:
    """What some random games reach, of actions, phases and score lines."""
    ways, chance, left = Ways(table), Random(0), MOST_DECISIONS
    for _ in range(GAMES):
        left = play_one_game(ways, chance, left)
        if left <= 0:
            break
    return rules_of(ways.table) - missing_in(ways)


def rules_of(table: Table) -> frozenset[Rule]:
    return missing_in(Ways(table))


def missing_in(ways: Ways) -> frozenset[Rule]:
    nevers = [*actions_never_chosen(ways), *phases_never_entered(ways), *score_lines_never_counted(ways)]
    return frozenset((never.kind, never.name) for never in nevers)


def play_one_game(ways: Ways, chance: Random, left: int) -> int:
    """Notes what happens in it; gives how many decisions are left."""
    S = ways.table.fresh()
    try:
        while left > 0:
            S[EVENTS] = []
            wait = ways.table.run(S)
            ways.broken_in(S)
            S[EVENTS] = None
            if isinstance(wait, DecisionWait):
                left -= 1
                option = chance.choice(wait.options(S))
                ways.chosen.add(option[0])
                wait.settle(S, option)
            elif isinstance(wait, ChanceWait):
                wait.settle(S, wait.pick(S, chance.randrange(wait.total(S))))
            else:
                break
    except Fault:
        return left - 1
    return left


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
