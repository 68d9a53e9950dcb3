"""Whether the rules allow a number of players and a choice of options; the value of every option at the table.

Takes a table that is being set up, refuses what the rules do not allow.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rulesrun.dsl import ast
from rulesrun.dsl.ast.walk import walk
from rulesrun.dsl.diagnostics.diagnostic import Diagnostic
from rulesrun.dsl.format.format import text_of_expression, text_of_type
from rulesrun.dsl.text.messages import message
from rulesrun.interpreter.model.compile_context import Workbench
from rulesrun.interpreter.model.core import Operand
from rulesrun.interpreter.model.domains import from_external, list_values, to_external
from rulesrun.interpreter.model.values import RefusedTable


def check_players(bench: Workbench) -> None:
    for players in bench.declarations(ast.Players):
        low, high = bench.constant_number(players.low), bench.constant_number(players.high)
        if not low <= bench.players <= high:
            raise bench.refusal(
                "wrong-players",
                message(
                    "the rules are for {low} to {high} players, not "
                    "{players}", low=low, high=high, players=bench.players
                ),
                players,
            )


def choose_options(bench: Workbench, given: Mapping[str, object]) -> dict[str, object]:
    """Every option with its value: as given, else its default; as they are written outside."""
    declared: dict[str, ast.Option] = {one.name.text: one for one in bench.options}
    for name in given:
        if name not in declared:
            known = ", ".join(declared) or "none"
            raise bench.refusal(
                "unknown-option", message("there is no option `{name}`; there are: {known}", name=name, known=known)
            )
    shown: dict[str, object] = {}
    for name, option in declared.items():
        value = usual_option_value(bench, option)
        if name in given:
            value = parse_option_value(bench, option, given[name])
        bench.option_values[id(option)] = value
        shown[name] = to_external(bench, option.type, value)
        check_option_value(bench, option, value)
    return shown


def usual_option_value(bench: Workbench, option: ast.Option) -> Any:
    """Its default, or what a variant sets in its place."""
    fixes = {one.name.text: one.value for one in bench.declarations(ast.Fix)}
    return option_value_in_rules(bench, option, fixes.get(option.name.text, option.default))


def option_value_in_rules(bench: Workbench, option: ast.Option, value: Operand) -> Any:
    """A value as the rules write it: for `… or player` a number is a seat."""
    if isinstance(value, ast.Number) and isinstance(option.type, ast.WordsType):
        return parse_option_value(bench, option, value.value)
    return bench.constant_value(value)


def parse_option_value(bench: Workbench, option: ast.Option, value: object) -> Any:
    try:
        return from_external(bench, option.type, value)
    except ValueError as problem:
        sentence = f"the option `{option.name.text}` cannot be this: {problem}"
        raise RefusedTable((Diagnostic("wrong-option", sentence, option.span),)) from problem


def check_option_value(bench: Workbench, option: ast.Option, value: Any) -> None:
    """A default may depend on players and options, and leave the range for some of them."""
    if isinstance(option.type, ast.RangeType):
        low, high = bench.constant_number(option.type.low), bench.constant_number(option.type.high)
        if not low <= value <= high:
            sentence = f"the option `{option.name.text}` would be {value}, outside {low}..{high}"
            raise RefusedTable((Diagnostic("wrong-option", sentence, option.span),))
        if option.type.listed and value not in option.type.listed:
            sentence = f"the option `{option.name.text}` would be {value}, none of {text_of_type(option.type)}"
            raise RefusedTable((Diagnostic("wrong-option", sentence, option.span),))


def format_options_in(bench: Workbench, one: ast.Require) -> str:
    """`hands = 3, 5 players, against …`."""
    named = dict.fromkeys(part.text for part in walk(one.condition) if isinstance(part, ast.Name))
    options = [option for option in bench.options if option.name.text in named]
    known = bench.option_values
    values = [f"{option.name.text} = {to_external(bench, option.type, known[id(option)])}" for option in options]
    if "players" in named:
        values.append(f"{bench.players} players")
    return f"{', '.join(values)}, against `require {text_of_expression(one.condition)}`"


def check_requirements(bench: Workbench) -> None:
    found = []
    for one in bench.declarations(ast.Require):
        if not bench.constant_value(one.condition):
            sentence = f"{one.because or 'these options do not go together'}: {format_options_in(bench, one)}"
            found.append(Diagnostic("not-allowed-together", sentence, one.span))
    if found:
        raise RefusedTable(tuple(found))


# ---- as they are written outside


def list_written_values(bench: Workbench, name: str) -> tuple[object, ...]:
    """Of an option all values; none where there are too many to list."""
    written = next(one.type for one in bench.options if one.name.text == name)
    try:
        return tuple(to_external(bench, written, value) for value in list_values(bench, written))
    except RefusedTable:
        return ()


def write_usual_value(bench: Workbench, name: str) -> object:
    option = next(one for one in bench.options if one.name.text == name)
    return to_external(bench, option.type, usual_option_value(bench, option))
