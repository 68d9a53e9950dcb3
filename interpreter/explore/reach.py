"""Which rules a table reaches: its actions, phases and score lines, and the statements of a house rule.

A small table of which every position was looked at proves what holds there, and nothing about rules that no position of
it reaches. So what random games reach at the whole table, and what a house rule words anew, is asked of small tables.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from random import Random

from rulesrun.dsl.contents.rule_parts import list_effect_lines
from rulesrun.dsl.text.source import Span
from rulesrun.interpreter.explore.breadth_first import Explored
from rulesrun.interpreter.explore.never_happened import (
    NeverHappened,
    actions_never_chosen,
    find_never_happened,
    phases_never_entered,
    score_lines_never_counted,
)
from rulesrun.interpreter.explore.random_play import play_at_random
from rulesrun.interpreter.model.instructions import BeginAction, EnterPhase, Unless
from rulesrun.interpreter.model.relevance import constant_truth, live_nodes
from rulesrun.interpreter.play.successors import Successors
from rulesrun.interpreter.reference.table import Table

GAMES = 60
MOST_DECISIONS = 1_500  # of all these games together

Rule = tuple[str, str | Span]  # its kind and its name; a statement has its place instead


def find_rules_reached(table: Table) -> frozenset[Rule]:
    """What some random games reach, of actions, phases and score lines."""
    ways, chance, left = Successors(table), Random(0), MOST_DECISIONS
    for _ in range(GAMES):
        game = play_at_random(ways, chance, left)
        left -= game.decisions + (game.is_over is None)
        if left <= 0:
            break
    return list_rules(ways.table) - find_missing_rules(ways)


def rules_possible(table: Table) -> frozenset[Rule]:
    """The actions that are offered somewhere, and the phases, but for what the options leave out."""
    found, over = set[Rule](), 0
    for at, one in enumerate(table.flow.instructions):
        match one:
            case _ if at < over:
                pass
            case Unless(is_of_phase=True, condition=when) if constant_truth(table.bench, when) is False:
                over = one.label.at
            case EnterPhase(node=phase):
                found.add(("phase", phase.name.text))
            case BeginAction(node=action):
                found.add(("action", action.name.text))
    return frozenset(found)


def list_rules(table: Table) -> frozenset[Rule]:
    return find_missing_rules(Successors(table))


def find_missing_rules(ways: Successors) -> frozenset[Rule]:
    nevers = [*actions_never_chosen(ways), *phases_never_entered(ways), *score_lines_never_counted(ways)]
    return frozenset((never.kind, never.name) for never in nevers)


def find_unreached_rules(
    wanted: Collection[Rule], changed_in: Collection[str], looked_at: Iterable[Explored]
) -> tuple[NeverHappened, ...]:
    """The rules that no position of these tables reaches: wanted ones, and statements of the files named."""
    missing: dict[Rule, NeverHappened] | None = None
    for found in looked_at:
        here = {rule_key(never): never for never in (*find_never_happened(found), *lines_left_out(found, changed_in))}
        missing = here if missing is None else {rule: never for rule, never in missing.items() if rule in here}
    return tuple(
        never for rule, never in (missing or {}).items()
        if rule in wanted or (never.span.file in changed_in and never.kind in {"action", "phase", "score line", "line"})
    )  # fmt: skip


def lines_left_out(found: Explored, files: Collection[str]) -> Iterator[NeverHappened]:
    """Statements of these files that are none at a table with such options and so many players."""
    table = found.table
    alive = {id(node) for node in live_nodes(table.bench)}
    for line in list_effect_lines(table.program.game):
        if line.piece.file in files and id(line.node) not in alive:
            yield NeverHappened("line", line.word, line.span)


def rule_key(never: NeverHappened) -> Rule:
    return (never.kind, never.span if never.kind == "line" else never.name)
