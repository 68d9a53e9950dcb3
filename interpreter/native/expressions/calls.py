"""Definitions, tables, attributes, and the same expression asked of somebody else. Gives a value."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

from rulesrun.dsl.text.messages import message
from rulesrun.dsl.typing.program import AttributeMeaning
from rulesrun.dsl.typing.types import ComponentOf, TruthOf
from rulesrun.interpreter.form.form import (
    NOTHING,
    NUMBER,
    TRUTH,
    CannotCompile,
    Function,
    Value,
    as_number,
    as_truth,
    binary,
    compare,
    constant_of,
    logic,
    narrow,
    number,
    truth,
)
from rulesrun.interpreter.model.core import (
    Action,
    Attribute,
    CaseLookup,
    Constant,
    Definition,
    Element,
    Entry,
    Operand,
    Parameter,
    Table,
)
from rulesrun.interpreter.model.core_lowering import lower_expression
from rulesrun.interpreter.model.domains import list_values as domain
from rulesrun.interpreter.native.expressions import (
    fractions,
    lists,
    locations,
    names,
    options,
    places,
    scales,
    told_sets,
)
from rulesrun.interpreter.native.layout.plan import LEFT, Scope, call_for_player, position_function, type_bounds
from rulesrun.interpreter.reference.operations import key_combinations

MOST_ENTRIES = 200_000


def call_definition(scope: Scope, called: Definition, given: Sequence[Value] = ()) -> Value:
    """A definition is a function of its own, asked of the player of this moment."""
    function, body = definition_function(scope, called), called.body
    low, high = type_bounds(scope.plan, scope.bench.type_of(body))
    scale = scales.scale_of(scope.plan, called.line or body)
    if scale != 1:
        low, high = None if low is None else low * scale, None if high is None else high * scale
    return scope.lines.bind(call_for_player(function, scope, *given, low=low, high=high))


def definition_function(scope: Scope, called: Definition) -> Function:
    meaning, parameters, body = called.meaning, called.parameters, called.body
    gives = TRUTH if isinstance(scope.bench.type_of(body), TruthOf) else NUMBER
    of_points = scales.scale_of_points(scope.plan) if called.line is not None else None

    def write(inner: Scope, given: list[Value]) -> Value:
        for parameter, one in zip(parameters, given, strict=True):
            if parameter.is_set:
                told_sets.bind_told(inner, parameter, one)
            else:
                inner.names[id(parameter)] = narrow(one, *parameter_bounds(inner, parameter))
        if of_points is not None:
            return fractions.changed_to(inner, body, of_points)
        is_fraction = scales.scale_of(scope.plan, body) != 1
        found = inner.lower_exact(body) if is_fraction else inner.lower_value(body)
        return as_truth(found) if gives == TRUTH else as_number(found)

    names = tuple(parameter.name.text for parameter in parameters)
    return position_function(scope.plan, ("define", id(meaning)), meaning.name.text, names, gives, write)


def parameter_bounds(scope: Scope, parameter: Parameter) -> tuple[int | None, int | None]:
    if parameter.is_optional or parameter.is_list:
        return None, None
    values = domain(scope.bench, parameter.type)
    return (min(values), max(values)) if values else (None, None)


def lower_definition(scope: Scope, called: Definition) -> Value:
    if any(id(parameter) in scope.bench.located for parameter in called.parameters):
        inner, body = locations.definition_scope(scope, called), called.body
        return inner.lower_value(body) if scales.scale_of(scope.plan, body) == 1 else inner.lower_exact(body)
    given = [scope.lines.bind(lower_argument(scope, parameter, argument))
             for parameter, argument in zip(called.parameters, called.arguments, strict=True)]
    return call_definition(scope, called, given)


def lower_argument(scope: Scope, parameter: Parameter, argument: Operand) -> Value:
    """An argument; one that leaves what its parameter promises is left to the reference."""
    if parameter.is_set:
        return told_sets.told_value(scope, parameter, argument)
    if lists.list_depth_of(scope, argument) and scales.scale_of(scope.plan, argument) != 1:
        return fractions.whole_list(scope, argument)
    found = as_number(scope.lower_value(argument))
    if parameter.is_optional:
        return check_optional_argument(scope, parameter, found, argument)
    low, high = parameter_bounds(scope, parameter)
    if low is None or high is None:
        return found
    if found.low is not None and found.high is not None and low <= found.low and found.high <= high:
        return found
    found = scope.lines.bind(found)
    wrong = logic("or", compare("<", found, number(low)), compare(">", found, number(high)))
    scope.emit_fault_if(wrong, LEFT, argument)
    return narrow(Value("select", NUMBER, (wrong, number(low), found)), low, high)


def check_optional_argument(scope: Scope, parameter: Parameter, found: Value, argument: Operand) -> Value:
    if parameter.is_list:
        return found
    values = domain(scope.bench, parameter.held_type)
    found = scope.lines.bind(found)
    outside = logic("or", compare("<", found, number(min(values))), compare(">", found, number(max(values))))
    wrong = logic("and", compare("is not", found, number(NOTHING)), outside)
    scope.emit_fault_if(wrong, LEFT, argument)
    return scope.lines.bind(Value("select", NUMBER, (wrong, number(NOTHING), found)))


# ---- tables


def lower_case_lookup(scope: Scope, asked: CaseLookup, scale: int = 1) -> Value:
    table = asked.table
    given = [scope.lines.bind(lower_argument(scope, parameter, argument))
             for parameter, argument in zip(table.parameters, asked.arguments, strict=True)]
    written = [one.keys for one in table.entries if not one.is_otherwise]
    wide = max([len(keys) if keys is not None else 1 for keys in written], default=0)
    of_keys = [at for at, one in enumerate(table.parameters) if at < wide or not one.is_list]
    if any(one.is_list for one in table.parameters[:wide]):
        raise CannotCompile(message("the table `{table}` tells orders apart", table=table.name.text), asked.node,
                            message("a definition that looks at the items of the order"))
    domains = [domain(scope.bench, table.parameters[at].type) for at in of_keys]
    entries = entries_by_key(scope, table, domains)
    fixed = [constant_entry(scope, entry, scale) for entry in entries]
    if all(one is not None for one in fixed):
        return look_up_constants(scope, table, domains, [given[at] for at in of_keys], [one or 0 for one in fixed])
    return look_up_by_cases(scope, asked.node, table, (domains, of_keys), given, entries, scale)


def entries_by_key(
    scope: Scope, table: Table, domains: list[tuple[Any, ...]]
) -> list[Entry | None]:
    """For every combination of arguments, in order, the entry that counts."""
    amount = 1
    for values in domains:
        amount *= len(values)
    if amount > MOST_ENTRIES:
        raise CannotCompile(message("the table `{table}` is too large", table=table.name.text))
    cases: dict[tuple[int, ...], Entry] = {}
    otherwise: Entry | None = None
    bare = iter(domains[0] if domains else ())
    for entry in table.entries:
        if entry.is_otherwise:
            otherwise = entry
        elif entry.keys is None:
            cases.setdefault((next(bare, -1),), entry)
        else:
            for keys in key_combinations(scope.bench, entry.keys):
                cases.setdefault(keys, entry)
    wide = max((len(key) for key in cases), default=0)
    return [cases.get(key[:wide], otherwise) for key in product(*domains)]


def constant_entry(scope: Scope, entry: Entry | None, scale: int) -> int | None:
    if entry is None:
        return None
    if scale != 1:
        fraction = scales.constant_number(scope.plan, entry.value)
        return int(fraction * scale) if fraction is not None else None
    found = names.constant_value(scope, entry.value)
    if found is not None:
        return constant_of(found)
    value = lower_expression(scope.bench, entry.value)
    return value.value if isinstance(value, Constant) and type(value.value) is int else None


def key_offset(domains: list[tuple[Any, ...]], given: list[Value]) -> Value:
    at = number(0)
    for values, one in zip(domains, given, strict=True):
        at = binary("add", binary("mul", at, number(len(values))), key_index(values, one))
    return at


def key_index(values: tuple[Any, ...], one: Value) -> Value:
    """How many values come before this one; `nothing` is the first, where it may be asked."""
    plain = values[1:] if values[0] is None else values
    first = int(plain[0])
    if list(plain) != list(range(first, first + len(plain))):
        raise CannotCompile(message("the key of a table is not a range of numbers"))
    if values[0] is not None:
        return binary("sub", one, number(first))
    after = binary("sub", one, number(first - 1))
    return narrow(Value("select", NUMBER, (compare("=", one, number(NOTHING)), number(0), after)), 0, len(plain))


def look_up_constants(
    scope: Scope, table: Table, domains: list[tuple[Any, ...]], given: list[Value], values: list[int]
) -> Value:
    places_ = scope.plan.add_constants(table.name.text, tuple(values))
    found = scope.lines.look_up(places_, key_offset(domains, given))
    is_truth = all(isinstance(scope.bench.type_of(entry.value), TruthOf) for entry in table.entries)
    return as_truth(found) if is_truth else found


def look_up_by_cases(
    scope: Scope, node: Operand, table: Table, keys: tuple[list[tuple[Any, ...]], list[int]], given: list[Value],
    entries: list[Entry | None], scale: int,
) -> Value:
    lines, (domains, of_keys) = scope.lines, keys
    inner = scope.inner_scope()
    for parameter, one in zip(table.parameters, given, strict=True):
        inner.names[id(parameter)] = one
    different = list({id(entry): entry for entry in entries if entry is not None}.values())
    which = {id(entry): number_ for number_, entry in enumerate(different)}
    numbers = tuple(which[id(entry)] if entry is not None else len(different) for entry in entries)
    places_ = scope.plan.add_constants(f"entries of {table.name.text}", numbers)
    at = lines.bind(lines.look_up(places_, key_offset(domains, [given[at] for at in of_keys])))
    found = lines.variable(number(0), "c")
    with lines.block() as done:
        for number_, entry in enumerate(different):
            with lines.when(compare("=", at, number(number_))):
                lines.set(found, case_value(inner, node, entry.value, scale))
                lines.leave(done)
        scope.emit_fault("no-entry", node)
    return found


def case_value(scope: Scope, node: Operand, value: Operand, scale: int) -> Value:
    if lists.list_depth_of(scope, value):
        return fractions.list_at_scale(scope, value, scales.scale_of(scope.plan, node))
    return fractions.lower_at_scale(scope, value, scale) if scale != 1 else as_number(scope.lower_value(value))


# ---- attributes, owners


def lower_attribute(scope: Scope, asked: Attribute, scale: int = 1) -> Value:
    meaning, of = asked.meaning, asked.owner
    if isinstance(of, Element):
        owner = names.load_element(scope, of.binder)
    else:
        owner = scope.lines.bind(lower_component(scope, of))
    if asked.is_rule:
        return lower_rule_column(scope, meaning, owner)
    values = scope.bench.kinds_of(meaning.components).attributes[id(meaning.attribute)]
    values = tuple(NOTHING if one is None else one for one in values)
    if scale != 1:
        values = tuple(int(one * scale) for one in values)
    fixed = constant_of(owner)
    if fixed is not None:
        return truth(values[fixed]) if isinstance(values[fixed], bool) else number(values[fixed])
    if not all(isinstance(one, int) for one in values):
        raise CannotCompile(
            message("the attribute `{attribute}` is not a single value", attribute=meaning.attribute.name.text)
        )
    table = scope.plan.add_constants(meaning.attribute.name.text, tuple(int(one) for one in values))
    found = scope.lines.look_up(table, owner)
    return as_truth(found) if values and isinstance(values[0], bool) else found


def lower_rule_column(scope: Scope, meaning: AttributeMeaning, owner: Value) -> Value:
    """A rule of its own for each row: a function that finds the row first."""
    components = meaning.components
    column, kinds = components.attributes.index(meaning.attribute), scope.bench.kinds_of(meaning.components)

    def write(inner: Scope, given: list[Value]) -> Value:
        lines = inner.lines
        found = lines.variable(truth(False), "f")
        with lines.block() as done:
            for row in components.rows:
                with lines.when(compare("=", given[0], number(kinds.names.index(row.name.text)))):
                    lines.set(found, inner.lower_condition(row.cells[column]))
                    lines.leave(done)
        return found

    function = position_function(
        scope.plan, ("rules", id(meaning.attribute)), meaning.attribute.name.text, ("row",), TRUTH, write
    )
    return scope.lines.bind(call_for_player(function, scope, owner))


def lower_component(scope: Scope, node: Operand) -> Value:
    """A component whose attribute is asked; `nothing` is a fault."""
    found = places.lower_player(scope, node)
    kind = scope.bench.type_of(node)
    if isinstance(kind, ComponentOf):
        return narrow(found, *type_bounds(scope.plan, kind))
    return found


# ---- looking ahead and back


def lower_can(scope: Scope, action: Action) -> Value:
    function = options.option_count_function(scope.plan, action)
    return compare(">", call_for_player(function, scope), number(0))


def lower_before(scope: Scope, inner: Operand) -> Value:
    place = scope.plan.made.get(("before", id(inner)))
    if place is None:
        raise CannotCompile(message("`before` is not compiled here"))
    return scope.lines.load(place)

