"""Hands out the slots: a box for every kind of component, zones, variables, memories; works out the kinds first."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import Any

from rulesrun.dsl import ast
from rulesrun.dsl.ast.footprint import footprint
from rulesrun.dsl.ast.walk import walk
from rulesrun.interpreter.model.compile_context import VariableRoom, Workbench, ZoneRoom
from rulesrun.interpreter.model.components import Gathering, Kinds
from rulesrun.interpreter.model.domains import domain, first_value, outside
from rulesrun.interpreter.model.located_names import find_located, kinds_with_equals

MOST_KINDS = 20_000
MOST_COMPONENTS = 200_000
MOST_INSTANCES = 10_000


def lay_out(bench: Workbench) -> None:
    bench.kinds = {id(one): bench.kinds_of(one) for one in bench.of_class(ast.Components)}
    for kinds in bench.kinds.values():
        bench.boxes[id(kinds.declaration)] = bench.real(kinds.all())
    bench.equals = kinds_with_equals(bench)
    bench.located = find_located(bench)
    shuffled = shuffled_zones(bench)
    for zone in bench.of_class(ast.Zone):
        bench.zones[id(zone)] = zone_room(bench, zone, id(zone) in shuffled)
    for variable in bench.of_class(ast.Variable):
        bench.variables[id(variable)] = variable_room(bench, variable)
    for variable in bench.of_class(ast.Variable):
        if id(variable) in bench.located:
            remember_places(bench, variable)
    for memory in bench.of_class(ast.Memory):
        bench.memories[id(memory)] = bench.real(None)


# ---- components


def lay_out_kinds(bench: Workbench, declaration: ast.Components) -> None:
    bench.kinds[id(declaration)] = kinds = gathered(bench, declaration)
    add_computed(bench, kinds)


def gathered(bench: Workbench, declaration: ast.Components) -> Kinds:
    found = Gathering(declaration)
    if declaration.rows:
        add_rows(bench, declaration, found)
    else:
        add_combinations(bench, declaration, found)
    found.copies = [
        0 if (id(declaration), name) in bench.left_out else copies
        for name, copies in zip(found.names, found.copies, strict=True)
    ]
    kinds = found.kinds()
    if len(kinds) > MOST_KINDS or sum(kinds.copies) > MOST_COMPONENTS:
        raise bench.refused("too-many-components", "these are too many components", declaration)
    return kinds


def add_rows(bench: Workbench, declaration: ast.Components, found: Gathering) -> None:
    for row in declaration.rows:
        written = tuple(
            bench.fixed(cell)
            for attribute, cell in zip(declaration.attributes, row.cells, strict=False)
            if attribute.type is not None
        )
        copies = bench.fixed_number(row.copies) if row.copies else 1
        found.add(row.name.text, written, copies, row.name.text)


def add_combinations(bench: Workbench, declaration: ast.Components, found: Gathering) -> None:
    written = [attribute.type for attribute in declaration.attributes if attribute.type is not None]
    domains = [domain(bench, one) for one in written]
    amount = 1
    for values in domains:
        amount *= len(values)
    if amount > MOST_KINDS:
        raise bench.refused("too-many-components", "these are too many components", declaration)
    for values in product(*domains):
        found.add(values, values, 1, name_of(bench, written, values))
    if declaration.condition is not None:
        keep_existing(bench, declaration, declaration.condition, found)
    if declaration.copies is not None:
        add_copies(bench, declaration, declaration.copies, found)


def name_of(bench: Workbench, written: list[ast.TypeExpr], values: tuple[Any, ...]) -> str:
    return "-".join(str(outside(bench, one, value)) for one, value in zip(written, values, strict=True))


def keep_existing(bench: Workbench, declaration: ast.Components, condition: ast.Expr, found: Gathering) -> None:
    """`where low <= high`: those for which it does not hold do not exist."""
    exists = asked_of_each(bench, declaration, condition, found)
    everything = list(zip(found.written, found.copies, found.names, strict=True))
    found.written, found.copies, found.names, found.seen = [], [], [], {}
    for is_there, (values, copies, name) in zip(exists, everything, strict=True):
        if is_there:
            found.add(values, values, copies, name)


def add_copies(bench: Workbench, declaration: ast.Components, copies: ast.Expr, found: Gathering) -> None:
    """`5 of each`, `(how_many(kind)) of each`."""
    found.copies = asked_of_each(bench, declaration, copies, found)
    if not all(isinstance(one, int) for one in found.copies):
        raise bench.refused("not-fixed", "this must be a whole number known before the game", copies)


def asked_of_each(bench: Workbench, declaration: ast.Components, expression: ast.Expr, found: Gathering) -> list[Any]:
    """What depends on the attributes, of every combination so far."""
    slot = bench.spare()
    bench.kinds[id(declaration)] = found.kinds()
    with bench.element(declaration, slot):
        code = bench.make_ready(bench, expression)
    position = bench.position()
    values = []
    for number in range(len(found.written)):
        position[slot] = number
        values.append(code.run(position))
    bench.ready.clear()
    bench.calls.clear()
    return values


def add_computed(bench: Workbench, kinds: Kinds) -> None:
    """Computed attributes, in the order they are written: one may use those above it."""
    for attribute in kinds.declaration.computed:
        if attribute.value is None:
            continue
        slot = bench.spare()
        with bench.element(attribute, slot):
            code = bench.expression(attribute.value)
        position = bench.position()
        values = []
        for kind in range(len(kinds)):
            position[slot] = kind
            values.append(code.run(position))
        kinds.attributes[id(attribute)] = tuple(values)


# ---- zones


def shuffled_zones(bench: Workbench) -> set[int]:
    """The piles that may hold an unordered part: shuffled themselves, or filled from one that is, and not sorted."""
    found: set[int] = set()
    moves: list[tuple[int, int]] = []
    for declaration in bench.program.game.declarations:
        for node in walk(declaration):
            if not isinstance(node, ast.Statement):
                continue
            done = footprint(node)
            found.update(zone for place in done.mixes for zone in names_of_zones(bench, place))
            if not done.draws:  # what is drawn arrives one after the other
                moves += product(names_of_all(bench, done.takes), names_of_all(bench, done.puts))
    for _ in range(len(moves)):
        found.update(target for source, target in moves if source in found)
    return found & {id(zone) for zone in bench.of_class(ast.Zone) if zone.kind == "pile" and zone.sort_key is None}


def names_of_all(bench: Workbench, places: Iterable[ast.Node]) -> list[int]:
    return [zone for place in places for zone in names_of_zones(bench, place)]


def names_of_zones(bench: Workbench, node: ast.Node) -> list[int]:
    named = (bench.meaning(part) for part in walk(node) if isinstance(part, ast.Name))
    return [id(meaning) for meaning in named if isinstance(meaning, ast.Zone)]


def zone_room(bench: Workbench, zone: ast.Zone, is_shuffled: bool) -> ZoneRoom:
    kinds = next(one for one in bench.kinds.values() if one.declaration.name.text == zone.component.text)
    names, keys, per_player = instances(bench, zone)
    capacity = 1 if zone.kind == "place" else bench.fixed_number(zone.capacity) if zone.capacity else None
    base = len(bench.blank)
    for name in names:
        bench.real((), name)
    sort_key = sort_keys(bench, zone, kinds) if zone.sort_key is not None else None
    return ZoneRoom(zone, kinds, base, keys, len(names), per_player, names, capacity, is_shuffled, sort_key)


def instances(
    bench: Workbench, declaration: ast.Zone | ast.Variable
) -> tuple[tuple[str, ...], tuple[tuple[Any, ...], ...], int]:
    """The names of all instances in order, the values of the keys, how many instances a player has."""
    keys = tuple(domain(bench, key) for key in declaration.keys)
    per_player = 1
    for values in keys:
        per_player *= len(values)
    if per_player * bench.players > MOST_INSTANCES:
        raise bench.refused("too-large", "there are too many places of this name", declaration)
    owners: list[int | None] = list(range(1, bench.players + 1)) if declaration.per_player else [None]
    names = []
    for owner in owners:
        for combination in product(*keys):
            written = [
                str(outside(bench, key, value)) for key, value in zip(declaration.keys, combination, strict=True)
            ]
            inner = [str(owner), *written] if owner is not None else written
            names.append(declaration.name.text + (f"[{','.join(inner)}]" if inner else ""))
    return tuple(names), keys, per_player


def sort_keys(bench: Workbench, zone: ast.Zone, kinds: Kinds) -> tuple[Any, ...]:
    """For every kind the value the zone is sorted by; equal ones stand in declared order."""
    assert zone.sort_key is not None
    slot = bench.spare()
    with bench.element(zone, slot):
        code = bench.expression(zone.sort_key)
    position = bench.position()
    found = []
    for kind in range(len(kinds)):
        position[slot] = kind
        found.append((code.run(position), kind))
    return tuple(found)


# ---- variables


def variable_room(bench: Workbench, variable: ast.Variable) -> VariableRoom:
    names, keys, per_player = instances(bench, variable)
    low: int | None = None
    high: int | None = None
    if isinstance(variable.type, ast.RangeType):
        low, high = bench.fixed_number(variable.type.low), bench.fixed_number(variable.type.high)
    initial = low if low is not None else first_value(bench, variable.type)
    base = len(bench.blank)
    for name in names:
        bench.real(initial, name)
    return VariableRoom(variable, base, keys, len(names), per_player, names, low, high)


def remember_places(bench: Workbench, variable: ast.Variable) -> None:
    """Beside every instance of a marker that stands on a component: where that one lies."""
    room = bench.variables[id(variable)]
    bench.marked[id(variable)] = len(bench.blank)
    for number in range(room.amount):
        bench.following.follow(room.base + number, bench.real(None))


def all_zone_slots(bench: Workbench, kinds: Kinds) -> list[int]:
    """Every place where a component of this declaration may be, the box last."""
    slots: list[int] = []
    for room in bench.zones.values():
        if room.kinds is kinds:
            slots.extend(range(room.base, room.base + room.amount))
    return [*slots, bench.boxes[id(kinds.declaration)]]


