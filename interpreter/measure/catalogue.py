"""Every figure that a game of a table may show: a table in, names in the order of the rules out.

So that what never happened is told, too, and two tables of different rules can be laid side by side.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulesrun.dsl import ast
from rulesrun.interpreter.measure.component_names import component_names
from rulesrun.interpreter.measure.record import Key
from rulesrun.interpreter.measure.rule_rows import has_rules
from rulesrun.interpreter.model.values import sort_values
from rulesrun.interpreter.play.step import argument_to_external
from rulesrun.interpreter.reference.table import Table

MOST_VALUES = 24  # a choice among more values is not told value by value
GENERAL: tuple[Key, ...] = (
    ("tie",), ("margin",), ("length", "decisions"), ("length", "turns"), ("length", "rounds"), ("options",),
    ("forced",), ("settled",), ("lead changes",),
)  # fmt: skip


def list_figures(table: Table) -> list[Key]:
    return [*seat_figures(table), *GENERAL, *own_figures(table), *ending_figures(table), *piece_figures(table)]


def seat_figures(table: Table) -> Iterator[Key]:
    for word in ("win", "score"):
        yield from ((word, str(seat)) for seat in range(1, table.players + 1))


def own_figures(table: Table) -> list[Key]:
    """Those that the rules declare."""
    return [("figure", piece.name.text) for piece in table.bench.declarations(ast.Figure)]


def ending_figures(table: Table) -> Iterator[Key]:
    bench = table.bench
    for result in bench.declarations(ast.Result):
        words = [*(outcome.word.text for outcome in result.outcomes), result.otherwise.text]
        yield from (("result", word) for word in dict.fromkeys(words))
    yield from (("ending", action.name.text) for action in bench.declarations(ast.Action))
    yield from (("ending", "in " + phase.name.text) for phase in bench.declarations(ast.Phase))


def piece_figures(table: Table) -> Iterator[Key]:
    bench = table.bench
    actions = bench.declarations(ast.Action)
    for score in bench.declarations(ast.Score):
        yield from (("line", line.name.text) for line in score.lines)
    yield from (("action", action.name.text) for action in actions)
    yield from (("phase", phase.name.text) for phase in bench.declarations(ast.Phase))
    for action in actions:
        yield from value_figures(table, action)
    names = component_names(bench)
    for kinds in bench.kinds.values():
        is_row = has_rules(kinds.declaration)
        for name in names[kinds.declaration.name.text]:
            yield from ((word, name) for word in (("row", "met") if is_row else ("component", "kept")))


def value_figures(table: Table, action: ast.Action) -> Iterator[Key]:
    """Of choices whose values are known before the game."""
    for choice in table.actions.compiled_action(action).choices:
        code = table.bench.compile(choice.choice.domain)
        if not choice.is_component and code.is_constant and choice.choice.count is None:
            found = sort_values(set(code.value))[: MOST_VALUES + 1]
            if len(found) <= MOST_VALUES:
                told = [str(argument_to_external(table, choice.choice, value)) for value in found]
                yield from (("value", action.name.text, choice.choice.name.text, one) for one in told)
