"""What decides where a game goes on is worked out by an instruction: all that statements decide, and nothing else."""

from __future__ import annotations

import pytest
from attrs import fields

from rulesrun.dsl import ast
from rulesrun.dsl.ast.footprint import footprint_of
from rulesrun.interpreter.model.flow_decisions import decisions_of, labels_of
from rulesrun.interpreter.model.instructions import Instruction, Label, Offer
from rulesrun.interpreter.reference.table import Table, set_up_table
from tests.interpreter.made import program
from tests.native.made_up import made_up
from tests.native.test_declared_figures import FILES, smallest_table


def decided_by_instructions(made: Table) -> set[tuple[str, int]]:
    return {(found.role, id(found.asked)) for one in made.flow.instructions for found in decisions_of(one)}


def decided_by_statements(made: Table) -> set[tuple[str, int]]:
    """As the rules write it, of all that is reached; what the options settle decides nothing."""
    statements = [scope.statement for scope in made.flow.scopes if scope is not None]
    reached = {id(one): one for one in statements if isinstance(one, ast.Statement)}
    phases = [phase for phase in made.bench.phases if id(phase) not in made.bench.left_out]
    loops: list[ast.Statement] = [phase.loop for phase in phases if phase.loop is not None]
    found = [one for statement in (*reached.values(), *loops) for one in footprint_of(statement).decides]
    return {(one.role, id(one.asked)) for one in found if one.role != "if" or not is_settled(made, one.asked)}


def is_settled(made: Table, asked: ast.Expression) -> bool:
    return made.bench.compile(asked).is_constant


@pytest.mark.parametrize("name", FILES)
def test_instructions_decide_what_statements_decide(name: str) -> None:
    made = smallest_table(name)
    ours, theirs = decided_by_instructions(made), decided_by_statements(made)
    assert theirs <= ours
    headers = {id(one) for piece in made.bench.declarations(ast.Rounds) for one in (piece.count, piece.until)}
    headers |= {id(phase.when) for phase in made.bench.phases}
    assert {asked for _, asked in ours - theirs} <= headers


def list_labels(instruction: Instruction) -> list[Label]:
    """Whatever labels stand in its fields."""
    values = [getattr(instruction, one.name) for one in fields(type(instruction))]
    offers = [offer for value in values if isinstance(value, tuple) for offer in value if isinstance(offer, Offer)]
    return [value for value in (*values, *(offer.entry for offer in offers)) if isinstance(value, Label)]


@pytest.mark.parametrize("number", range(4))
def test_labels_are_all_that_is_led_to(number: int) -> None:
    """Every label of the list is named by an instruction, and lies in the list."""
    made = set_up_table(program(made_up(number), "2..3"), 2, {})
    led_to = [label for one in made.flow.instructions for label in labels_of(one)]
    assert led_to
    assert all(0 <= label.at <= len(made.flow.instructions) for label in led_to)
    held = {id(found) for one in made.flow.instructions for found in list_labels(one)}
    assert held == {id(label) for label in led_to}
