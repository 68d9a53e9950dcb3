"""`table`: a function by cases. Takes a call of one, gives `Code`."""

from __future__ import annotations

from typing import Any

from rulesrun.dsl.text.messages import message
from rulesrun.interpreter.model import core
from rulesrun.interpreter.model.compile_context import Workbench
from rulesrun.interpreter.model.core import Operand
from rulesrun.interpreter.model.core_lowering import lower_expression
from rulesrun.interpreter.model.domains import list_values
from rulesrun.interpreter.model.locations import compile_told
from rulesrun.interpreter.model.values import Code, Slots, fault


def compile_case_lookup(bench: Workbench, asked: core.CaseLookup) -> Code:
    table = asked.table
    cases, otherwise = compile_cases(bench, table)
    width = max([len(key) for key in cases], default=0)  # cases may look at the first arguments alone
    arguments = [bench.compile(argument) for argument in asked.arguments]
    runs = [compile_told(bench, *pair) for pair in zip(table.parameters, asked.arguments, strict=True)]
    slots = [bench.registers[id(parameter)] for parameter in table.parameters]

    def run(S: Slots) -> Any:
        values = [argument(S) for argument in runs]
        key = tuple(values[:width])
        found = cases.get(key, otherwise)
        if found is None:
            shown = ", ".join(str(value) for value in key)
            raise fault(
                "no-entry",
                message("the table `{table}` has no entry for {shown}", table=table.name.text, shown=shown),
                asked.node.span,
            )
        for slot, value in zip(slots, values, strict=True):
            S[slot] = value
        return found.run(S)

    if all(argument.is_constant for argument in arguments):
        entry = cases.get(tuple(argument.value for argument in arguments[:width]), otherwise)
        return entry if entry is not None and entry.is_constant else Code(run)
    return Code(run)


def compile_cases(bench: Workbench, table: core.Table) -> tuple[dict[tuple[Any, ...], Code], Code | None]:
    """The cases by their keys; the first entry that fits counts."""
    cases: dict[tuple[Any, ...], Code] = {}
    otherwise: Code | None = None
    for parameter in table.parameters:
        bench.registers.setdefault(id(parameter), bench.new_scratch_slot())
    bare = (
        iter(list_values(bench, table.parameters[0].type)) if any(one.keys is None for one in table.entries) else None
    )
    for entry in table.entries:
        value = bench.compile(entry.value)
        if entry.is_otherwise:
            otherwise = value
        elif entry.keys is None:
            key = next(bare, None) if bare is not None else None
            cases.setdefault((key,), value)
        else:
            for keys in key_combinations(bench, entry.keys):
                cases.setdefault(keys, value)
    return cases, otherwise


def key_combinations(bench: Workbench, keys: tuple[Operand, ...]) -> list[tuple[Any, ...]]:
    """`3..5` stands for each of its values."""
    found: list[tuple[Any, ...]] = [()]
    for key in keys:
        value = bench.constant_value(key)
        values = tuple(value) if isinstance(lower_expression(bench, key), core.Range | core.SetOf) else (value,)
        found = [(*so_far, one) for so_far in found for one in values]
    return found
