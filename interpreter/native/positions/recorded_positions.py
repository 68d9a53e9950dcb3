"""What a memory of the reference holds, as the machine keeps it: two numbers for every position that was recorded.

Takes the same values in the same order as `memories` mixes them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulesrun.dsl.text.messages import message
from rulesrun.interpreter.form.form import CannotCompile, number
from rulesrun.interpreter.form.lines import Lines
from rulesrun.interpreter.model import core
from rulesrun.interpreter.model.core import Operand, Record
from rulesrun.interpreter.model.core_lowering import lower_statements
from rulesrun.interpreter.model.places import flatten_content
from rulesrun.interpreter.model.random import MASK, mix_word
from rulesrun.interpreter.native.expressions import gathering, lists, names
from rulesrun.interpreter.native.expressions.collections import ZoneContents
from rulesrun.interpreter.native.flow.memories import GOLDEN, OTHER, list_of_lists
from rulesrun.interpreter.native.layout.plan import Plan, Scope
from rulesrun.interpreter.native.layout.stores import MOST_RECORDS

Shape = tuple[Any, ...]  # how a recorded value is mixed in


def memory_writer(plan: Plan, memory: core.Memory) -> Callable[[Any, Any], None]:
    """Writes what is remembered: the last position recorded, and how often each has been."""
    shapes, known = record_shapes(plan, memory), {}
    fields, name = plan.fields, memory.name.text

    def write(page: Any, remembered: Any) -> None:
        last, counts = remembered
        used = 0
        for key, times in counts.items():
            if key not in known:
                known[key] = hash_record(shapes, key)
            for at in range(used, min(used + times, MOST_RECORDS)):
                page.put(fields[f"first of {name}"], at, known[key][0])
                page.put(fields[f"second of {name}"], at, known[key][1])
            used += times
        page.put(fields[f"records in {name}"], 0, min(used, MOST_RECORDS))
        page.put(fields[f"times in {name}"], 0, counts[last])

    return write


def record_shapes(plan: Plan, memory: core.Memory) -> tuple[Shape, ...]:
    """Wherever something is recorded in it, it must be the same kind of thing."""
    scope = Scope(plan, Lines(), number(1))
    found = {
        tuple(value_shape(scope, value) for value in done.values)
        for done in lower_statements(plan.bench)
        if isinstance(done, Record) and done.memory is memory
    }
    if len(found) > 1:
        raise CannotCompile(message("different things are recorded in `{memory}`", memory=memory.name.text))
    return next(iter(found), ())


def value_shape(scope: Scope, node: Operand) -> Shape:
    if not names.is_collection(scope, node):
        return ("one",)
    made = list_of_lists(scope, node)
    if made is not None:
        gathering.lower_binder(scope, made.each)
        return ("each", value_shape(gathering.element_scope(scope, made.each, number(1)), made.body))
    levels = lists.list_depth_of(scope, node) - 1
    if levels:
        return nested(levels)
    several = scope.lower_collection(node)
    if isinstance(several, ZoneContents) and several.store.shape == "counts":
        return ("counts", len(several.store.kinds))
    return ("several",)


def nested(levels: int) -> Shape:
    return ("each", nested(levels - 1)) if levels else ("several",)


def hash_record(shapes: tuple[Shape, ...], key: tuple[Any, ...]) -> tuple[int, int]:
    values = [value for shape, part in zip(shapes, key, strict=True) for value in flatten_value(shape, part)]
    first, second = 1, 2
    for value in values:
        first = mix_word((first * GOLDEN + value) & MASK)
        second = mix_word((second * OTHER + value) & MASK)
    return first, second


def flatten_value(shape: Shape, part: Any) -> list[int]:
    match shape[0]:
        case "one":
            return [int(part)]
        case "counts":
            kinds = flatten_content(part)
            return [kinds.count(kind) for kind in range(shape[1])]
        case "each":
            return [len(part), *(value for one in part for value in flatten_value(shape[1], one))]
        case _:
            kinds = flatten_content(part)
            return [len(kinds), *(int(one) for one in kinds)]
