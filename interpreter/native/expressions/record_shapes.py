"""How the values that a memory keeps lie side by side: takes the statements that record them, gives shapes.

Every value is some cells of one width. Several values are their number, then one after the other; what lies in a set of
components with copies is a number for each kind, where every statement that writes into the memory records such a set.
"""

from __future__ import annotations

from functools import partial
from math import lcm

from attrs import evolve, frozen

from rulesrun.dsl.text.messages import message
from rulesrun.dsl.typing.types import CollectionOf, OptionalOf, OrderOf, Type
from rulesrun.interpreter.form.form import CannotCompile, number
from rulesrun.interpreter.form.lines import Lines
from rulesrun.interpreter.model import core
from rulesrun.interpreter.model.core import Operand, Record
from rulesrun.interpreter.model.core_lowering import lower_expression
from rulesrun.interpreter.model.instructions import Do
from rulesrun.interpreter.model.places import find_zone
from rulesrun.interpreter.native.expressions import lists, names, scales
from rulesrun.interpreter.native.layout.plan import Plan, Scope, type_bounds

MOST_CELLS = 1 << 11  # of one record
WIDTHS = (16, 32, 64)


@frozen
class RecordShape:
    """`single`; `counts`: a number for each of so many kinds; `row`, `set`: several values, of a set in declared order;
    `list`: several of another shape. `scale`: so many times as large is a single value kept, see `fractions`.

    `is_told`: where other statements record several values instead of one, or one, a cell says which.
    """

    kind: str
    kinds: int = 0
    of: RecordShape | None = None
    scale: int = 1
    is_told: bool = False


A_MEMORY_EACH = "a memory of its own for each of them"
ROW = RecordShape("row")
Shapes = tuple[RecordShape, ...]
"""By column."""


def common_shape(shape: RecordShape) -> RecordShape:
    """As another statement can write the same values."""
    if shape.kind in {"counts", "set"}:
        return ROW
    return RecordShape("list", of=common_shape(shape.of)) if shape.of is not None else shape


def record_statements(plan: Plan, memory: core.Memory) -> list[Record]:
    """The statements that write into it."""
    done = {id(one.node): one.effect for one in plan.table.flow.instructions if isinstance(one, Do)}
    return [effect for effect in done.values() if isinstance(effect, Record) and effect.memory is memory]


def shapes_by_statement(plan: Plan, memory: core.Memory) -> dict[int, Shapes]:
    """By statement. What is the same lies there in the same way, whichever of them has recorded it."""
    records = record_statements(plan, memory)
    found: dict[int, Shapes] = {}
    for long in {len(one.values) for one in records}:
        several = [one for one in records if len(one.values) == long]
        columns = [unify_shapes(plan, column) for column in zip(*(one.values for one in several), strict=True)]
        found.update((id(one.node), shapes) for one, shapes in zip(several, zip(*columns, strict=True), strict=True))
    return found


def unify_shapes(plan: Plan, column: tuple[Operand, ...]) -> Shapes:
    """Of what several statements record at the same place."""
    shapes = [shape_of(plan, value) for value in column]
    if len(set(shapes)) > 1:
        shapes = [common_shape(one) for one in shapes]
    scale = lcm(*(one.scale for one in shapes))
    if scale > scales.MOST_SCALE or (len(column) > 1 and scale > 1 and any(map(partial(is_optional, plan), column))):
        raise CannotCompile(
            message("a memory keeps fractions of several kinds in one place"), column[-1], A_MEMORY_EACH
        )
    if len({one for one in shapes if one.kind != "single"}) > 1:
        raise CannotCompile(message("a memory keeps lists of several kinds in one place"), column[-1], A_MEMORY_EACH)
    is_told = len({one.kind for one in shapes}) > 1
    return tuple(evolve(one, is_told=is_told, scale=scale if one.kind == "single" else 1) for one in shapes)


def is_optional(plan: Plan, value: Operand) -> bool:
    return isinstance(plan.bench.type_of(value), OptionalOf)


def typing_scope(plan: Plan) -> Scope:
    """To ask what an expression is, not what it comes to."""
    return Scope(plan, Lines(), number(1))


def list_of(levels: int) -> RecordShape:
    """Lists among lists, however they are made."""
    return RecordShape("list", of=list_of(levels - 1)) if levels else ROW


def shape_of(plan: Plan, value: Operand) -> RecordShape:
    if not names.is_collection(typing_scope(plan), value):
        return RecordShape("single", scale=scales.scale_of(plan, value))
    asked = lower_expression(plan.bench, value)
    if isinstance(asked, core.Aggregate) and asked.word == "list" and not asked.distinct:
        is_of_lists = names.is_collection(typing_scope(plan), asked.body)
        return RecordShape("list", of=shape_of(plan, asked.body)) if is_of_lists else ROW
    levels = lists.list_depth_of(typing_scope(plan), value)
    if levels > 1:
        return list_of(levels - 1)
    zone = find_zone(plan.bench, value)
    store = plan.stores[id(zone.declaration)] if zone is not None else None
    if store is not None and store.shape == "counts":
        return RecordShape("counts", len(store.kinds))
    return RecordShape("set") if store is not None and store.shape == "bits" else ROW


# ---- how wide a cell is


def cell_bits(plan: Plan, memory: core.Memory) -> int:
    found = [value_bits(plan, value) for one in record_statements(plan, memory) for value in one.values]
    return max(found, default=WIDTHS[0])


def value_bits(plan: Plan, value: Operand) -> int:
    if not names.is_collection(typing_scope(plan), value) and scales.scale_of(plan, value) != 1:
        return WIDTHS[-1]
    return type_bits(plan, plan.bench.type_of(value))


def type_bits(plan: Plan, found: Type | None) -> int:
    match found:
        case CollectionOf(item) | OrderOf(item):
            return type_bits(plan, item)
        case OptionalOf(item):
            return max(32, type_bits(plan, item))
        case _:
            low, high = type_bounds(plan, found)
    if low is None or high is None:
        return WIDTHS[-1]
    return next(bits for bits in WIDTHS if -(1 << (bits - 1)) <= low and high < 1 << (bits - 1))
