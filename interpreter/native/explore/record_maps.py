"""What a symmetry does to the values that a memory keeps, as one map for each kind of value: what each becomes."""

from __future__ import annotations

from collections.abc import Iterator

from rulesrun.interpreter.form.form import CannotCompile
from rulesrun.interpreter.native.explore import records
from rulesrun.interpreter.native.expressions.record_shapes import Shape
from rulesrun.interpreter.symmetry.value_maps import Change, Each, Ordered, Remembered, Renamed, Then, Unordered

Map = tuple[int, ...]


def maps_of_records(memory: records.Remembered, change: Change | None) -> tuple[Map | None, ...]:
    """For each shape that holds values, from the first column on."""
    found: list[Map | None] = []
    if change is None:
        return ()
    if not memory.is_written_once:
        raise CannotCompile("symmetries of a memory that is written in several places")
    (shapes,) = memory.shapes.values()
    for shape, columns in zip(shapes, columns_of(change, len(shapes)), strict=True):
        found.append(map_of(shape, columns))
    return tuple(found)


def columns_of(change: Change, many: int) -> Iterator[list[Change]]:
    """For each column what is done to it, one after the other."""
    steps = steps_of(change)
    if not all(isinstance(one, Remembered) for one in steps):
        raise CannotCompile("symmetries that change more than the values of a memory")
    for at in range(many):
        columns = [one.columns[at] for one in steps if isinstance(one, Remembered)]
        yield [step for column in columns if column is not None for step in steps_of(column)]


def steps_of(change: Change) -> list[Change]:
    return [*steps_of(change.first), *steps_of(change.second)] if isinstance(change, Then) else [change]


def map_of(shape: Shape, steps: list[Change]) -> Map | None:
    if not steps:
        return None
    maps = [map_of_step(shape, one) for one in steps]
    found = maps[0]
    for one in maps[1:]:
        found = tuple(one[value] for value in found)
    return found


def map_of_step(shape: Shape, change: Change) -> Map:
    if shape.of is not None or shape.kind == "row":
        if isinstance(change, Each):
            steps = steps_of(change.change)
            inner = map_of(shape.of or Shape("single"), steps)
            assert inner is not None
            return inner
        if isinstance(change, Ordered) and shape.of is None:
            return change.becomes
    if isinstance(change, Renamed) and shape.kind == "single":
        return change.becomes
    if isinstance(change, Unordered) and change.keys is None and shape.kind in {"set", "counts"}:
        return change.becomes
    raise CannotCompile("symmetries that put what a memory keeps in an order of its own")
