"""What a symmetry does to the values that a memory keeps, as one map for each kind of value: what each becomes."""

from __future__ import annotations

from collections.abc import Iterator

from rulesrun.dsl.text.messages import message
from rulesrun.interpreter.form.form import CannotCompile
from rulesrun.interpreter.native.explore import records
from rulesrun.interpreter.native.expressions.record_shapes import RecordShape
from rulesrun.interpreter.symmetry.canonical_positions import (
    Change,
    ComposedMap,
    EachMap,
    MemoryMap,
    OrderedMap,
    UnorderedMap,
    ValueMap,
)

Map = tuple[int, ...]


def list_record_maps(memory: records.RecordedMemory, change: Change | None) -> tuple[Map | None, ...]:
    """For each shape that holds values, from the first column on."""
    found: list[Map | None] = []
    if change is None:
        return ()
    if not memory.is_written_once:
        raise CannotCompile(message("symmetries of a memory that several lines write to"))
    (shapes,) = memory.shapes.values()
    for shape, columns in zip(shapes, column_changes(change, len(shapes)), strict=True):
        found.append(compose_map(shape, columns))
    return tuple(found)


def column_changes(change: Change, many: int) -> Iterator[list[Change]]:
    """For each column what is done to it, one after the other."""
    steps = flatten_steps(change)
    if not all(isinstance(one, MemoryMap) for one in steps):
        raise CannotCompile(message("symmetries that change more than the values of a memory"))
    for at in range(many):
        columns = [one.columns[at] for one in steps if isinstance(one, MemoryMap)]
        yield [step for column in columns if column is not None for step in flatten_steps(column)]


def flatten_steps(change: Change) -> list[Change]:
    return (
        [*flatten_steps(change.first), *flatten_steps(change.second)] if isinstance(change, ComposedMap) else [change]
    )


def compose_map(shape: RecordShape, steps: list[Change]) -> Map | None:
    if not steps:
        return None
    maps = [step_map(shape, one) for one in steps]
    found = maps[0]
    for one in maps[1:]:
        found = tuple(one[value] for value in found)
    return found


def step_map(shape: RecordShape, change: Change) -> Map:
    if shape.of is not None or shape.kind == "row":
        if isinstance(change, EachMap):
            steps = flatten_steps(change.change)
            inner = compose_map(shape.of or RecordShape("single"), steps)
            assert inner is not None
            return inner
        if isinstance(change, OrderedMap) and shape.of is None:
            return change.becomes
    if isinstance(change, ValueMap) and shape.kind == "single":
        return change.becomes
    if isinstance(change, UnorderedMap) and change.keys is None and shape.kind in {"set", "counts"}:
        return change.becomes
    raise CannotCompile(message("symmetries that put what a memory keeps in an order of its own"))
