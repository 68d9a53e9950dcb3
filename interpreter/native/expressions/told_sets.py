"""A name that stands for several values: a parameter that is told a set, a combination that is looked at.

Components that are all different, up to one word of the machine, are a set of bits; others are listed. Takes arguments
of definitions, gives what the names in the body stand for.
"""

from __future__ import annotations

from rulesrun.dsl.typing.types import CollectionOf, ComponentOf, Type
from rulesrun.interpreter.form.form import (
    NUMBER,
    Value,
    as_number,
    combine_sets,
    constant_set,
    invert,
    is_empty,
    narrow,
    set_type,
    singleton,
)
from rulesrun.interpreter.model.components import Kinds
from rulesrun.interpreter.model.core import Element, Operand, Parameter, Register
from rulesrun.interpreter.model.core_lowering import lower_expression
from rulesrun.interpreter.model.domains import find_set_kind
from rulesrun.interpreter.native.expressions import lists
from rulesrun.interpreter.native.expressions.collections import Collection, ComponentSet
from rulesrun.interpreter.native.expressions.lists import collect_values, sort_list
from rulesrun.interpreter.native.layout.plan import LEFT, MOST_KINDS_IN_A_SET, Plan, Scope


def set_named(scope: Scope, node: Operand) -> Collection | None:
    """What the name stands for here, where it stands for several values."""
    if not scope.sets:
        return None
    match lower_expression(scope.bench, node):
        case Register(_, binder) | Element(_, binder):
            found: Collection | None = scope.sets.get(id(binder))
            return found
        case _:
            return None


def as_list(scope: Scope, told: Collection) -> Value:
    """The same as one value among others."""
    return lists.store_list(scope, collect_values(scope, told))


def kinds_of_set(plan: Plan, found: Type | None) -> Kinds | None:
    """For several components of which no two are equal: their kinds."""
    item = found.item if isinstance(found, CollectionOf) else None
    return unique_kinds(plan, item.kind) if isinstance(item, ComponentOf) else None


def unique_kinds(plan: Plan, kind: str) -> Kinds | None:
    kinds = plan.bench.kinds_called(kind)
    is_unique = all(copies == 1 for copies in kinds.copies) and len(kinds) <= MOST_KINDS_IN_A_SET
    return kinds if is_unique else None


def word_of_set(plan: Plan, parameter: Parameter) -> Kinds | None:
    """The kinds of a parameter that is told a set of bits in one number."""
    kind = find_set_kind(plan.bench, parameter)
    kinds = unique_kinds(plan, kind) if kind is not None else None
    return kinds if kinds is not None and set_type(len(kinds)) == NUMBER else None


def told_value(scope: Scope, parameter: Parameter, argument: Operand) -> Value:
    """The set as one number: its bits, or where it is listed."""
    kinds = word_of_set(scope.plan, parameter)
    if kinds is not None:
        return collect_bits(scope, scope.lower_collection(argument), kinds, argument)
    values = collect_values(scope, scope.lower_collection(argument))
    sort_list(scope, values)
    return lists.store_list(scope, values)


def bind_told(scope: Scope, parameter: Parameter, value: Value) -> None:
    """The name of the parameter means what it was told."""
    kinds = word_of_set(scope.plan, parameter)
    if kinds is None:
        scope.names[id(parameter)] = value
    else:
        scope.sets[id(parameter)] = ComponentSet(value, len(kinds), limit=len(kinds), set_type=value.type)


def collect_bits(scope: Scope, several: Collection, kinds: Kinds, node: Operand) -> Value:
    """All of them; one that is named twice is left to the reference."""
    lines, bits = scope.lines, set_type(len(kinds))
    members = several.members(scope)
    if members is not None and members.type == bits:
        return lines.bind(members, "m")
    found = lines.variable(constant_set(bits, 0), "m")

    def add(one: Value) -> None:
        bit = lines.bind(singleton(bits, narrow(as_number(one), 0, len(kinds) - 1)), "m")
        scope.emit_fault_if(invert(is_empty(combine_sets("and", found, bit))), LEFT, node)
        lines.set(found, combine_sets("or", found, bit))

    several.for_each(scope, add)
    return lines.bind(found, "m")
