"""Which actions may be left before they are over, by `end turn`, `end phase` or `end round`.

Takes the rules, changes nothing. What such an action keeps for itself is set back where it is offered again, as the
reference does.
"""

from __future__ import annotations

from collections.abc import Iterable

from rulesrun.dsl import ast
from rulesrun.dsl.ast.footprint import footprint_of
from rulesrun.dsl.ast.walk import walk
from rulesrun.interpreter.model.compile_context import Workbench


def can_exit_early(bench: Workbench, action: ast.Action) -> bool:
    """So that it can be offered again: after the last round nothing is."""
    ends = {"turn", "phase", "round"} if has_more_rounds(bench) else {"turn", "phase"}
    return any(isinstance(part, ast.End) and part.what in ends for part in reachable_nodes(bench, action.body, set()))


def has_more_rounds(bench: Workbench) -> bool:
    rounds = bench.declarations(ast.Rounds)
    if not rounds or rounds[0].count is None:
        return bool(rounds)
    amount = bench.compile(rounds[0].count)
    return not (amount.is_constant and amount.value <= 1)


def reachable_nodes(bench: Workbench, body: Iterable[ast.Node], known: set[int]) -> Iterable[ast.Node]:
    """All that the statements are made of, and the steps and actions that they come to."""
    for line in body:
        for part in walk(line):
            yield part
            for meaning in called_bodies(bench, part):
                if id(meaning) not in known:
                    known.add(id(meaning))
                    yield from reachable_nodes(bench, meaning.body, known)


def called_bodies(bench: Workbench, part: ast.Node) -> list[ast.Step | ast.Action]:
    names = footprint_of(part).calls if isinstance(part, ast.Statement) else ()
    found = [bench.meaning(name) for name in names]
    return [one for one in found if isinstance(one, (ast.Step, ast.Action))]
