"""`record`: positions are known again by two numbers mixed from all their values, in the order they are recorded."""

from __future__ import annotations

from collections.abc import Callable

from rulesrun.dsl import ast
from rulesrun.interpreter.form.form import NUMBER, X, as_number, both, compare, logic, number
from rulesrun.interpreter.native.expressions import fractions, gathering, list_values, names, scales
from rulesrun.interpreter.native.expressions.collections import Lying, Several
from rulesrun.interpreter.native.expressions.record_shapes import Shape, shapes_of
from rulesrun.interpreter.native.layout import containers
from rulesrun.interpreter.native.layout.machine import Machine
from rulesrun.interpreter.native.layout.plan import LEFT, Plan, Scope, freed
from rulesrun.interpreter.native.layout.stores import MOST_RECORDS

GOLDEN = 0x9E3779B97F4A7C15 - (1 << 64)
OTHER = 0xC2B2AE3D27D4EB4F - (1 << 64)


def lay_out(plan: Plan) -> None:
    for memory in plan.bench.of_class(ast.Memory):
        name = memory.name.text
        plan.number_field(f"records in {name}", 0, MOST_RECORDS)
        plan.number_field(f"times in {name}", 0, MOST_RECORDS)
        plan.field(f"first of {name}", 64, MOST_RECORDS)
        plan.field(f"second of {name}", 64, MOST_RECORDS)


def record(machine: Machine, node: ast.Record) -> None:
    plan, lines, scope = machine.plan, machine.lines, machine.scope()
    meaning = plan.bench.meaning(node.memory)
    assert isinstance(meaning, ast.Memory)
    for value in node.values:
        if list_values.depth_of(scope, value):
            scales.refuse_fractions(plan, value, "a memory of lists")
    mixed, shapes = Mixed(scope), shapes_of(plan, meaning)
    if len(shapes) == 1:
        for value in node.values:
            mixed.expression(scope, value)
    else:
        mixed.add(number(len(node.values)))
        for value, shape in zip(node.values, shapes[id(node)], strict=True):
            mixed.shaped(scope, value, shape)
    one, other = lines.kept(mixed.first), lines.kept(mixed.second)
    name = meaning.name.text
    used = lines.kept(machine.load(f"records in {name}"))
    with lines.when(compare(">=", used, number(MOST_RECORDS))):
        scope.fault(LEFT, node)
        machine.go("stuck")
    times = lines.variable(number(1), "n")

    def look(at: X) -> None:
        same = logic(
            "and", compare("=", lines.load(plan.fields[f"first of {name}"], at), one),
            compare("=", lines.load(plan.fields[f"second of {name}"], at), other),
        )
        lines.add_to(times, as_number(same))

    lines.count_through(number(0), both("sub", used, number(1)), look)
    lines.store(plan.fields[f"first of {name}"], one, used)
    lines.store(plan.fields[f"second of {name}"], other, used)
    machine.store(f"records in {name}", both("add", used, number(1)))
    machine.store(f"times in {name}", times)


def is_made_of_lists(scope: Scope, node: ast.Aggregate) -> bool:
    """A list that can be gone through without making it, although each of its values is one."""
    return node.word == "list" and not node.distinct and names.is_several(scope, node.body)


class Mixed:
    """Two numbers that everything recorded is mixed into."""

    def __init__(self, scope: Scope) -> None:
        self.lines = scope.lines
        self.first = scope.lines.variable(number(1), "h")
        self.second = scope.lines.variable(number(2), "h")

    def add(self, value: X) -> None:
        value = self.lines.kept(as_number(value))
        for target, constant in ((self.first, GOLDEN), (self.second, OTHER)):
            moved = X("add", NUMBER, (X("mul", NUMBER, (target, number(constant))), value))
            self.lines.set(target, X("mix", NUMBER, (moved,)))

    def expression(self, scope: Scope, node: ast.Expr) -> None:
        if not names.is_several(scope, node):
            self.add(fractions.comparable(scope, node))
            return
        if isinstance(node, ast.Aggregate) and is_made_of_lists(scope, node):
            self.list(scope, node, self.expression)
            return
        self.written(scope, node)

    def list(self, scope: Scope, node: ast.Aggregate, one: Callable[[Scope, ast.Expr], None]) -> None:
        collection = gathering.bound(scope, node.each)
        self.add(collection.size(scope))
        collection.each(scope, lambda value: one(gathering.within(scope, node.each, value), node.body))

    def shaped(self, scope: Scope, node: ast.Expr, shape: Shape) -> None:
        """In the way in which other statements write the same values."""
        if shape.is_told:
            self.add(number(int(shape.kind != "single")))
        if shape.kind == "single":
            self.add(fractions.comparable(scope, node) if shape.scale == 1
                     else fractions.at_scale(scope, node, shape.scale))
        elif shape.of is not None and isinstance(node, ast.Aggregate) and is_made_of_lists(scope, node):
            inner = shape.of
            self.list(scope, node, lambda within, body: self.shaped(within, body, inner))
        elif shape.kind == "counts":
            self.several(scope, scope.several(node))
        else:
            self.written(scope, node, counts=False)

    def written(self, scope: Scope, node: ast.Expr, counts: bool = True) -> None:
        """Several values, which may be lists again. `counts`: of a zone with equal components, how many of each."""
        levels = list_values.depth_of(scope, node) - 1
        if levels:
            freed(scope, lambda: self.each(scope, scope.several(node), levels))
        elif counts:
            self.several(scope, scope.several(node))
        else:
            self.each(scope, scope.several(node))

    def several(self, scope: Scope, collection: Several) -> None:
        if isinstance(collection, Lying) and collection.store.shape == "counts":
            store, index = collection.store, collection.index
            self.lines.count_through(
                number(0), number(len(store.kinds) - 1),
                lambda kind: self.add(containers.amount_of(scope, store, index, kind)),
            )
            return
        self.each(scope, collection)

    def each(self, scope: Scope, collection: Several, levels: int = 0) -> None:
        self.add(collection.size(scope))
        if not levels:
            collection.each(scope, self.add)
            return
        collection.each(scope, lambda one: self.each(scope, list_values.kept_list(scope, one), levels - 1))
