"""Worked examples as canonical lines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from rulesrun.dsl import ast
from rulesrun.dsl.format.expressions import full, inside, literals, truth
from rulesrun.dsl.format.statements import Row, plain


def example_rows(example: ast.Example) -> Iterator[Row]:
    return (Row(1, line_text(line), line) for line in example.lines)


def line_text(line: ast.ExampleLine) -> str:
    match line:
        case ast.ForPlayers(count):
            return f"players {plain(count)}"
        case ast.Set(name, value):
            return f"set {name.text} = {full(value)}"
        case ast.GivenCards(zone, items):
            return f"given {plain(zone)}: {literals(items)}".rstrip()
        case ast.GivenValue(target, value):
            return f"given {inside(target)} = {full(value)}"
        case ast.GivenTurn(player):
            return f"given turn of {plain(player)}"
        case ast.GivenPhase(phase):
            return f"given phase {phase.text}"
        case ast.NextChance(items):
            return f"next: {literals(items)}"
        case ast.When() | ast.ThenCan():
            return doing_text(line)
        case ast.Then(condition):
            return f"then {truth(condition)}"
        case ast.ThenStill(title):
            return f'then still "{title}"'
        case ast.ThenOver(is_over):
            return f"then the game {'is over' if is_over else 'goes on'}"
        case ast.Todo():
            return "todo"
        case _:
            assert_never(line)


def doing_text(line: ast.When | ast.ThenCan) -> str:
    match line:
        case ast.When(player, action, arguments, if_possible):
            values = f"({literals(arguments)})" if arguments else ""
            return f"when {who(player)}: {action.text}{values}" + (" if possible" if if_possible else "")
        case ast.ThenCan(player, can, action, arguments):
            how = f"({literals(arguments)})" if arguments is not None else ""
            return f"then {who(player)} {'can' if can else 'cannot'} {action.text}{how}"
        case _:
            assert_never(line)


def who(player: ast.Expr | None) -> str:
    return plain(player) if player is not None else "team"
