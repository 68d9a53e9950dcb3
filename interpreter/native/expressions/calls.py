"""Definitions, tables, attributes, and the same expression asked of somebody else. Gives a value."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

from rulesrun.dsl import ast
from rulesrun.dsl.typing.program import AttributeMeaning, BuiltinMeaning
from rulesrun.dsl.typing.types import ComponentOf, TruthOf
from rulesrun.interpreter.form.form import (
    NOTHING,
    NUMBER,
    TRUTH,
    CannotCompile,
    Function,
    X,
    as_number,
    as_truth,
    both,
    compare,
    constant_of,
    known,
    logic,
    number,
    truth,
)
from rulesrun.interpreter.model.domains import domain
from rulesrun.interpreter.model.located_names import asks_for_position
from rulesrun.interpreter.native.expressions import (
    builtin_words,
    fractions,
    list_values,
    locations,
    names,
    options,
    places,
    scales,
)
from rulesrun.interpreter.native.layout.plan import LEFT, Scope, ask, bounds, position_function
from rulesrun.interpreter.reference.case_tables import key_combinations

MOST_ENTRIES = 200_000


def ask_named(scope: Scope, meaning: ast.Define | ast.ScoreLine, given: Sequence[X] = ()) -> X:
    """A definition is a function of its own, asked of the player of this moment."""
    function = function_of(scope, meaning)
    body = meaning.body if isinstance(meaning, ast.Define) else meaning.value
    low, high = bounds(scope.plan, scope.bench.type_of(body))
    scale = scales.scale_of(scope.plan, body if isinstance(meaning, ast.Define) else meaning)
    if scale != 1:
        low, high = None if low is None else low * scale, None if high is None else high * scale
    return scope.lines.kept(ask(function, scope, *given, low=low, high=high))


def function_of(scope: Scope, meaning: ast.Define | ast.ScoreLine) -> Function:
    parameters = meaning.parameters if isinstance(meaning, ast.Define) else ()
    body = meaning.body if isinstance(meaning, ast.Define) else meaning.value
    gives = TRUTH if isinstance(scope.bench.type_of(body), TruthOf) else NUMBER
    of_points = scales.scale_of_points(scope.plan) if isinstance(meaning, ast.ScoreLine) else None

    def write(inner: Scope, given: list[X]) -> X:
        for parameter, one in zip(parameters, given, strict=True):
            inner.names[id(parameter)] = known(one, *parameter_bounds(inner, parameter))
        if of_points is not None:
            return fractions.changed_to(inner, body, of_points)
        is_fraction = scales.scale_of(scope.plan, body) != 1
        found = inner.exact(body) if is_fraction else inner.value(body)
        return as_truth(found) if gives == TRUTH else as_number(found)

    names = tuple(parameter.name.text for parameter in parameters)
    return position_function(scope.plan, ("define", id(meaning)), meaning.name.text, names, gives, write)


def parameter_bounds(scope: Scope, parameter: ast.Parameter) -> tuple[int | None, int | None]:
    if isinstance(parameter.type, (ast.Optional, ast.OrderType, ast.RowType)):
        return None, None
    values = domain(scope.bench, parameter.type)
    return (min(values), max(values)) if values else (None, None)


def call(scope: Scope, node: ast.Call) -> X:
    meaning = scope.bench.meaning(node.name)
    match meaning:
        case ast.Define():
            return defined(scope, node, meaning)
        case ast.Table():
            return lookup(scope, node, meaning)
        case BuiltinMeaning("position"):
            if asks_for_position(scope.bench, node):
                return locations.position(scope, node)
            return builtin_words.position(scope, node, *fractions.of_one_scale(scope, *node.arguments))
        case BuiltinMeaning(word):
            return builtin_words.function(scope, word, node)
        case _:
            raise CannotCompile(f"`{node.name.text}` is not compiled")


def defined(scope: Scope, node: ast.Call, meaning: ast.Define) -> X:
    if any(id(parameter) in scope.bench.located for parameter in meaning.parameters):
        inner, body = locations.with_arguments(scope, node, meaning), meaning.body
        return inner.value(body) if scales.scale_of(scope.plan, body) == 1 else inner.exact(body)
    given = [scope.lines.kept(checked(scope, parameter, argument))
             for parameter, argument in zip(meaning.parameters, node.arguments, strict=True)]
    return ask_named(scope, meaning, given)


def checked(scope: Scope, parameter: ast.Parameter, argument: ast.Expr) -> X:
    """An argument; one that leaves what its parameter promises is left to the reference."""
    if list_values.depth_of(scope, argument) and scales.scale_of(scope.plan, argument) != 1:
        return fractions.whole_list(scope, argument)
    found = as_number(scope.value(argument))
    if isinstance(parameter.type, ast.Optional):
        return checked_or_nothing(scope, parameter.type, found, argument)
    low, high = parameter_bounds(scope, parameter)
    if low is None or high is None:
        return found
    if found.low is not None and found.high is not None and low <= found.low and found.high <= high:
        return found
    found = scope.lines.kept(found)
    wrong = logic("or", compare("<", found, number(low)), compare(">", found, number(high)))
    scope.fault_when(wrong, LEFT, argument)
    return known(X("select", NUMBER, (wrong, number(low), found)), low, high)


def is_list(written: ast.TypeExpr) -> bool:
    """Whether a parameter is told by several values, or by nothing."""
    plain = written.item if isinstance(written, ast.Optional) else written
    return isinstance(plain, (ast.OrderType, ast.RowType))


def checked_or_nothing(scope: Scope, written: ast.Optional, found: X, argument: ast.Expr) -> X:
    if isinstance(written.item, (ast.OrderType, ast.RowType)):
        return found
    values = domain(scope.bench, written.item)
    found = scope.lines.kept(found)
    outside = logic("or", compare("<", found, number(min(values))), compare(">", found, number(max(values))))
    wrong = logic("and", compare("is not", found, number(NOTHING)), outside)
    scope.fault_when(wrong, LEFT, argument)
    return scope.lines.kept(X("select", NUMBER, (wrong, number(NOTHING), found)))


# ---- tables


def lookup(scope: Scope, node: ast.Call, table: ast.Table, scale: int = 1) -> X:
    given = [scope.lines.kept(checked(scope, parameter, argument))
             for parameter, argument in zip(table.parameters, node.arguments, strict=True)]
    asked = [one.keys for one in table.entries if not one.is_otherwise]
    wide = max([len(keys) if keys is not None else 1 for keys in asked], default=0)
    of_keys = [at for at, one in enumerate(table.parameters) if at < wide or not is_list(one.type)]
    if any(is_list(one.type) for one in table.parameters[:wide]):
        raise CannotCompile(f"the table `{table.name.text}` tells orders apart", node,
                            "a definition that looks at the items of the order")
    domains = [domain(scope.bench, table.parameters[at].type) for at in of_keys]
    entries = entries_by_key(scope, table, domains)
    fixed = [fixed_entry(scope, entry, scale) for entry in entries]
    if all(one is not None for one in fixed):
        return by_number(scope, table, domains, [given[at] for at in of_keys], [one or 0 for one in fixed])
    return by_cases(scope, node, table, (domains, of_keys), given, entries, scale)


def entries_by_key(
    scope: Scope, table: ast.Table, domains: list[tuple[Any, ...]]
) -> list[ast.Entry | None]:
    """For every combination of arguments, in order, the entry that counts."""
    amount = 1
    for values in domains:
        amount *= len(values)
    if amount > MOST_ENTRIES:
        raise CannotCompile(f"the table `{table.name.text}` is too large")
    cases: dict[tuple[int, ...], ast.Entry] = {}
    otherwise: ast.Entry | None = None
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


def fixed_entry(scope: Scope, entry: ast.Entry | None, scale: int) -> int | None:
    if entry is None:
        return None
    if scale != 1:
        fraction = scales.constant(scope.plan, entry.value)
        return int(fraction * scale) if fraction is not None else None
    found = names.before_the_game(scope, entry.value)
    if found is None and isinstance(entry.value, ast.Number):
        return entry.value.value
    return constant_of(found) if found is not None else None


def offset_of(domains: list[tuple[Any, ...]], given: list[X]) -> X:
    at = number(0)
    for values, one in zip(domains, given, strict=True):
        at = both("add", both("mul", at, number(len(values))), step_of(values, one))
    return at


def step_of(values: tuple[Any, ...], one: X) -> X:
    """How many values come before this one; `nothing` is the first, where it may be asked."""
    plain = values[1:] if values[0] is None else values
    first = int(plain[0])
    if list(plain) != list(range(first, first + len(plain))):
        raise CannotCompile("a table is asked with what is no stretch of numbers")
    if values[0] is not None:
        return both("sub", one, number(first))
    after = both("sub", one, number(first - 1))
    return known(X("select", NUMBER, (compare("=", one, number(NOTHING)), number(0), after)), 0, len(plain))


def by_number(
    scope: Scope, table: ast.Table, domains: list[tuple[Any, ...]], given: list[X], values: list[int]
) -> X:
    places_ = scope.plan.table_of(table.name.text, tuple(values))
    found = scope.lines.look_up(places_, offset_of(domains, given))
    is_truth = all(isinstance(scope.bench.type_of(entry.value), TruthOf) for entry in table.entries)
    return as_truth(found) if is_truth else found


def by_cases(
    scope: Scope, node: ast.Call, table: ast.Table, keys: tuple[list[tuple[Any, ...]], list[int]], given: list[X],
    entries: list[ast.Entry | None], scale: int,
) -> X:
    lines, (domains, of_keys) = scope.lines, keys
    inner = scope.inner()
    for parameter, one in zip(table.parameters, given, strict=True):
        inner.names[id(parameter)] = one
    different = list({id(entry): entry for entry in entries if entry is not None}.values())
    which = {id(entry): number_ for number_, entry in enumerate(different)}
    numbers = tuple(which[id(entry)] if entry is not None else len(different) for entry in entries)
    places_ = scope.plan.table_of(f"entries of {table.name.text}", numbers)
    at = lines.kept(lines.look_up(places_, offset_of(domains, [given[at] for at in of_keys])))
    found = lines.variable(number(0), "c")
    with lines.block() as done:
        for number_, entry in enumerate(different):
            with lines.when(compare("=", at, number(number_))):
                lines.set(found, case_value(inner, node, entry.value, scale))
                lines.leave(done)
        scope.fault("no-entry", node)
    return found


def case_value(scope: Scope, node: ast.Call, value: ast.Expr, scale: int) -> X:
    if list_values.depth_of(scope, value):
        return fractions.list_at_scale(scope, value, scales.scale_of(scope.plan, node))
    return fractions.at_scale(scope, value, scale) if scale != 1 else as_number(scope.value(value))


# ---- attributes, owners


def attribute(scope: Scope, meaning: AttributeMeaning, owner: X, scale: int = 1) -> X:
    kinds = scope.bench.kinds[id(meaning.components)]
    values = kinds.attributes.get(id(meaning.attribute))
    if values is None:
        return rule_column(scope, meaning, owner)
    values = tuple(NOTHING if one is None else one for one in values)
    if scale != 1:
        values = tuple(int(one * scale) for one in values)
    fixed = constant_of(owner)
    if fixed is not None:
        return truth(values[fixed]) if isinstance(values[fixed], bool) else number(values[fixed])
    if not all(isinstance(one, int) for one in values):
        raise CannotCompile(f"the attribute `{meaning.attribute.name.text}` is no plain value")
    table = scope.plan.table_of(meaning.attribute.name.text, tuple(int(one) for one in values))
    found = scope.lines.look_up(table, owner)
    return as_truth(found) if values and isinstance(values[0], bool) else found


def rule_column(scope: Scope, meaning: AttributeMeaning, owner: X) -> X:
    """A rule of its own for each row: a function that finds the row first."""
    components = meaning.components
    column, kinds = components.attributes.index(meaning.attribute), scope.bench.kinds[id(meaning.components)]

    def write(inner: Scope, given: list[X]) -> X:
        lines = inner.lines
        found = lines.variable(truth(False), "f")
        with lines.block() as done:
            for row in components.rows:
                with lines.when(compare("=", given[0], number(kinds.names.index(row.name.text)))):
                    lines.set(found, inner.condition(row.cells[column]))
                    lines.leave(done)
        return found

    function = position_function(
        scope.plan, ("rules", id(meaning.attribute)), meaning.attribute.name.text, ("row",), TRUTH, write
    )
    return scope.lines.kept(ask(function, scope, owner))


def of(scope: Scope, node: ast.Of) -> X:
    subject = node.subject
    if isinstance(subject, ast.Name):
        meaning = scope.bench.meaning(subject)
        match meaning:
            case BuiltinMeaning(word) if word in builtin_words.OF:
                return builtin_words.of(scope, word, node)
            case AttributeMeaning():
                return attribute(scope, meaning, scope.lines.kept(component(scope, node.owner)))
            case ast.Variable(per_player=True):
                return places.read_variable(scope, node, scope.bench.variables[id(meaning)])
            case _:
                pass
    if isinstance(subject, ast.Index):
        meaning = scope.bench.meaning(subject.name)
        if isinstance(meaning, ast.Variable) and meaning.per_player:
            return places.read_variable(scope, node, scope.bench.variables[id(meaning)])
    owner = scope.lines.kept(places.player_value(scope, node.owner))
    return scope.asked_of(owner).value(subject)


def component(scope: Scope, node: ast.Expr) -> X:
    """A component whose attribute is asked; `nothing` is a fault."""
    found = places.player_value(scope, node)
    kind = scope.bench.type_of(node)
    if isinstance(kind, ComponentOf):
        return known(found, *bounds(scope.plan, kind))
    return found


# ---- looking ahead and back


def can(scope: Scope, action: ast.Name) -> X:
    meaning = scope.bench.meaning(action)
    assert isinstance(meaning, ast.Action)
    function = options.counting(scope.plan, meaning)
    return compare(">", ask(function, scope), number(0))


def before(scope: Scope, inner: ast.Expr) -> X:
    place = scope.plan.made.get(("before", id(inner)))
    if place is None:
        raise CannotCompile("`before` is not compiled here")
    return scope.lines.load(place)

