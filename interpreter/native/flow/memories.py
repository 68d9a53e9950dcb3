"""`record`: positions are known again by two numbers mixed from all their values, in the order they are recorded."""

from __future__ import annotations

from collections.abc import Callable

from rulesrun.interpreter.form.form import NUMBER, Value, as_number, binary, compare, logic, number
from rulesrun.interpreter.model import core
from rulesrun.interpreter.model.core import Operand, Record
from rulesrun.interpreter.model.core_lowering import lower_expression
from rulesrun.interpreter.native.expressions import fractions, gathering, lists, names, scales
from rulesrun.interpreter.native.expressions.collections import Collection, ZoneContents
from rulesrun.interpreter.native.expressions.record_shapes import RecordShape, shapes_by_statement
from rulesrun.interpreter.native.layout import containers
from rulesrun.interpreter.native.layout.machine import Machine
from rulesrun.interpreter.native.layout.plan import LEFT, Plan, Scope, free_lists_after
from rulesrun.interpreter.native.layout.stores import MOST_RECORDS

GOLDEN = 0x9E3779B97F4A7C15 - (1 << 64)
OTHER = 0xC2B2AE3D27D4EB4F - (1 << 64)


def lay_out_memories(plan: Plan) -> None:
    for memory in plan.bench.declared_memories:
        name = memory.name.text
        plan.add_number_field(f"records in {name}", 0, MOST_RECORDS)
        plan.add_number_field(f"times in {name}", 0, MOST_RECORDS)
        plan.add_field(f"first of {name}", 64, MOST_RECORDS)
        plan.add_field(f"second of {name}", 64, MOST_RECORDS)


def lower_record(machine: Machine, done: Record) -> None:
    plan, lines, scope, meaning = machine.plan, machine.lines, machine.new_scope(), done.memory
    for value in done.values:
        if lists.list_depth_of(scope, value):
            scales.refuse_fractions(plan, value, "a memory of lists")
    mixed, shapes = RecordHash(scope), shapes_by_statement(plan, meaning)
    if len(shapes) == 1:
        for value in done.values:
            mixed.mix_expression(scope, value)
    else:
        mixed.mix_value(number(len(done.values)))
        for value, shape in zip(done.values, shapes[id(done.node)], strict=True):
            mixed.mix_shaped(scope, value, shape)
    one, other = lines.bind(mixed.first), lines.bind(mixed.second)
    name = meaning.name.text
    used = lines.bind(machine.load(f"records in {name}"))
    with lines.when(compare(">=", used, number(MOST_RECORDS))):
        scope.emit_fault(LEFT, done.node)
        machine.go_to("stuck")
    times = lines.variable(number(1), "n")

    def visit(at: Value) -> None:
        same = logic(
            "and", compare("=", lines.load(plan.fields[f"first of {name}"], at), one),
            compare("=", lines.load(plan.fields[f"second of {name}"], at), other),
        )
        lines.add_to(times, as_number(same))

    lines.for_range(number(0), binary("sub", used, number(1)), visit)
    lines.store(plan.fields[f"first of {name}"], one, used)
    lines.store(plan.fields[f"second of {name}"], other, used)
    machine.store(f"records in {name}", binary("add", used, number(1)))
    machine.store(f"times in {name}", times)


def list_of_lists(scope: Scope, node: Operand) -> core.Aggregate | None:
    """A list that can be gone through without making it, although each of its values is one."""
    asked = lower_expression(scope.bench, node)
    if not isinstance(asked, core.Aggregate) or asked.word != "list" or asked.distinct:
        return None
    return asked if names.is_collection(scope, asked.body) else None


class RecordHash:
    """Two numbers that everything recorded is mixed into."""

    def __init__(self, scope: Scope) -> None:
        self.lines = scope.lines
        self.first = scope.lines.variable(number(1), "h")
        self.second = scope.lines.variable(number(2), "h")

    def mix_value(self, value: Value) -> None:
        value = self.lines.bind(as_number(value))
        for target, constant in ((self.first, GOLDEN), (self.second, OTHER)):
            moved = Value("add", NUMBER, (Value("mul", NUMBER, (target, number(constant))), value))
            self.lines.set(target, Value("mix", NUMBER, (moved,)))

    def mix_expression(self, scope: Scope, node: Operand) -> None:
        if not names.is_collection(scope, node):
            self.mix_value(fractions.lower_comparable(scope, node))
            return
        made = list_of_lists(scope, node)
        if made is not None:
            self.mix_list(scope, made, self.mix_expression)
            return
        self.written(scope, node)

    def mix_list(self, scope: Scope, made: core.Aggregate, one: Callable[[Scope, Operand], None]) -> None:
        collection = gathering.lower_binder(scope, made.each)
        self.mix_value(collection.size(scope))
        collection.for_each(scope, lambda value: one(gathering.element_scope(scope, made.each, value), made.body))

    def mix_shaped(self, scope: Scope, node: Operand, shape: RecordShape) -> None:
        """In the way in which other statements write the same values."""
        if shape.is_told:
            self.mix_value(number(int(shape.kind != "single")))
        if shape.kind == "single":
            self.mix_value(fractions.lower_comparable(scope, node) if shape.scale == 1
                     else fractions.lower_at_scale(scope, node, shape.scale))
        elif shape.of is not None and (made := list_of_lists(scope, node)) is not None:
            inner = shape.of
            self.mix_list(scope, made, lambda within, body: self.mix_shaped(within, body, inner))
        elif shape.kind == "counts":
            self.mix_collection(scope, scope.lower_collection(node))
        else:
            self.written(scope, node, counts=False)

    def written(self, scope: Scope, node: Operand, counts: bool = True) -> None:
        """Several values, which may be lists again. `counts`: of a zone with equal components, how many of each."""
        levels = lists.list_depth_of(scope, node) - 1
        if levels:
            free_lists_after(scope, lambda: self.mix_each(scope, scope.lower_collection(node), levels))
        elif counts:
            self.mix_collection(scope, scope.lower_collection(node))
        else:
            self.mix_each(scope, scope.lower_collection(node))

    def mix_collection(self, scope: Scope, collection: Collection) -> None:
        if isinstance(collection, ZoneContents) and collection.store.shape == "counts":
            store, index = collection.store, collection.index
            self.lines.for_range(
                number(0), number(len(store.kinds) - 1),
                lambda kind: self.mix_value(containers.amount_of(scope, store, index, kind)),
            )
            return
        self.mix_each(scope, collection)

    def mix_each(self, scope: Scope, collection: Collection, levels: int = 0) -> None:
        self.mix_value(collection.size(scope))
        if not levels:
            collection.for_each(scope, self.mix_value)
            return
        collection.for_each(scope, lambda one: self.mix_each(scope, lists.heap_list(scope, one), levels - 1))
