"""Worked examples as canonical lines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from rulesrun.dsl import ast
from rulesrun.dsl.format.expressions import format_condition, format_expression, format_literals, format_operand
from rulesrun.dsl.format.statements import FormattedLine, format_plain_value


def format_example(example: ast.Example) -> Iterator[FormattedLine]:
    return (FormattedLine(1, format_example_line(line), line) for line in example.lines)


def format_example_line(line: ast.ExampleLine) -> str:
    match line:
        case ast.ForPlayers(count):
            return f"players {format_plain_value(count)}"
        case ast.Set(name, value):
            return f"set {name.text} = {format_expression(value)}"
        case ast.GivenCards(zone, items):
            return f"given {format_plain_value(zone)}: {format_literals(items)}".rstrip()
        case ast.GivenValue(target, value):
            return f"given {format_operand(target)} = {format_expression(value)}"
        case ast.GivenTurn(player):
            return f"given turn of {format_plain_value(player)}"
        case ast.GivenPhase(phase):
            return f"given phase {phase.text}"
        case ast.NextChance(items):
            return f"next: {format_literals(items)}"
        case ast.When() | ast.ThenCan():
            return format_action_line(line)
        case ast.Then(condition):
            return f"then {format_condition(condition)}"
        case ast.ThenStill(title):
            return f'then still "{title}"'
        case ast.ThenOver(is_over):
            return f"then the game {'is over' if is_over else 'goes on'}"
        case ast.Todo():
            return "todo"
        case _:
            assert_never(line)


def format_action_line(line: ast.When | ast.ThenCan) -> str:
    match line:
        case ast.When(player, action, arguments, if_possible):
            values = f"({format_literals(arguments)})" if arguments else ""
            return f"when {format_player(player)}: {action.text}{values}" + (" if possible" if if_possible else "")
        case ast.ThenCan(player, can, action, arguments):
            how = f"({format_literals(arguments)})" if arguments is not None else ""
            return f"then {format_player(player)} {'can' if can else 'cannot'} {action.text}{how}"
        case _:
            assert_never(line)


def format_player(player: ast.Expr | None) -> str:
    return format_plain_value(player) if player is not None else "team"
