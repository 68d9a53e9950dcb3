"""Hands out the slots: a box for every kind of component, zones, variables, memories; works out the kinds first."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import Any

from rulesrun.dsl import ast
from rulesrun.dsl.ast.footprint import statements_of
from rulesrun.dsl.ast.walk import walk
from rulesrun.dsl.text.keywords import place_name
from rulesrun.dsl.text.messages import message
from rulesrun.dsl.typing.types import EITHER
from rulesrun.interpreter.model.compile_context import VariableRoom, Workbench, ZoneRoom
from rulesrun.interpreter.model.components import KindCollector, Kinds, join_kinds
from rulesrun.interpreter.model.core import Operand
from rulesrun.interpreter.model.domains import default_start, list_values, to_external
from rulesrun.interpreter.model.located_names import find_located_names, kinds_with_equals

MOST_KINDS = 20_000
MOST_COMPONENTS = 200_000
MOST_INSTANCES = 10_000


def lay_out_position(bench: Workbench) -> None:
    every = [bench.kinds_of(one) for one in bench.components]
    bench.kinds = {id(kinds.declaration): kinds for kinds in every}
    for kinds in bench.kinds.values():
        bench.boxes[id(kinds.declaration)] = bench.new_slot(kinds.all_components())
    bench.equals = kinds_with_equals(bench)
    bench.located = find_located_names(bench)
    shuffled = shuffled_zones(bench)
    for zone in bench.declarations(ast.Zone):
        if zone.is_box:
            bench.box_rooms[id(zone)] = make_box_room(bench, zone)
        else:
            bench.zones[id(zone)] = lay_out_zone(bench, zone, id(zone) in shuffled)
    for variable in bench.declarations(ast.Variable):
        bench.variables[id(variable)] = lay_out_variable(bench, variable)
    for variable in bench.declarations(ast.Variable):
        if id(variable) in bench.located:
            lay_out_marker_places(bench, variable)
    for memory in bench.declared_memories:
        bench.memories[id(memory)] = bench.new_slot(None)


# ---- components


def lay_out_kinds(bench: Workbench, declaration: ast.Components) -> None:
    if bench.is_joined(declaration):
        together = next(one for one in bench.program.united if declaration.name.text in one)
        lay_out_joined_kinds(bench, [one for one in bench.components if one.name.text in together])
        return
    bench.kinds[id(declaration)] = kinds = collect_kinds(bench, declaration)
    add_computed(bench, kinds)


def lay_out_joined_kinds(bench: Workbench, declarations: list[ast.Components]) -> None:
    """Those that may lie in the same places are numbered one after the other."""
    members: list[Kinds] = []
    if id(declarations[0]) in bench.shared:
        sentence = message("this is worked out of what is declared below")
        raise bench.refusal("asked-too-early", sentence, declarations[0])
    bench.shared[id(declarations[0])] = KindCollector(declarations[0]).build_kinds()
    for one in declarations:
        bench.shared[id(one)] = kinds = collect_kinds(bench, one, sum(len(each) - each.first for each in members))
        add_computed(bench, kinds)
        members.append(kinds)
    first = declarations[0]
    whole = ast.Components(
        first.noun, ast.Name(EITHER.join(one.name.text for one in declarations), span=first.name.span),
        tuple(part for one in declarations for part in one.attributes),
        tuple(part for one in declarations for part in one.computed), (), None, span=first.span,
    )  # fmt: skip
    joined = join_kinds(whole, members)
    bench.kinds[id(whole)] = joined
    bench.shared.update({id(one): joined for one in declarations})


def collect_kinds(bench: Workbench, declaration: ast.Components, first: int = 0) -> Kinds:
    found = KindCollector(declaration, first=first)
    if declaration.rows:
        add_rows(bench, declaration, found)
    else:
        add_combinations(bench, declaration, found)
    found.copies = [
        0 if declaration.board is not None or (id(declaration), name) in bench.left_out else copies
        for name, copies in zip(found.names, found.copies, strict=True)
    ]
    kinds = found.build_kinds()
    if len(kinds) > MOST_KINDS or sum(kinds.copies) > MOST_COMPONENTS:
        raise bench.refusal("too-many-components", message("these are too many components"), declaration)
    return kinds


def add_rows(bench: Workbench, declaration: ast.Components, found: KindCollector) -> None:
    for row in declaration.rows:
        written = tuple(
            bench.constant_value(cell)
            for attribute, cell in zip(declaration.attributes, row.cells, strict=False)
            if attribute.type is not None
        )
        copies = bench.constant_number(row.copies) if row.copies else 1
        found.add_kind(row.name.text, written, copies, row.name.text)


def add_combinations(bench: Workbench, declaration: ast.Components, found: KindCollector) -> None:
    written = [attribute.type for attribute in declaration.attributes if attribute.type is not None]
    domains = [list_values(bench, one) for one in written]
    amount = 1
    for values in domains:
        amount *= len(values)
    if amount > MOST_KINDS:
        raise bench.refusal("too-many-components", message("these are too many components"), declaration)
    for values in product(*domains):
        name = format_component_name(bench, written, values) if declaration.board is None else place_name(*values)
        found.add_kind(values, values, 1, name)
    if declaration.condition is not None:
        keep_existing(bench, declaration, declaration.condition, found)
    if declaration.copies is not None:
        add_copies(bench, declaration, declaration.copies, found)


def format_component_name(bench: Workbench, written: list[ast.TypeExpr], values: tuple[Any, ...]) -> str:
    return "-".join(str(to_external(bench, one, value)) for one, value in zip(written, values, strict=True))


def keep_existing(bench: Workbench, declaration: ast.Components, condition: Operand, found: KindCollector) -> None:
    """`where low <= high`: those for which it does not hold do not exist."""
    exists = evaluate_for_each_kind(bench, declaration, condition, found)
    everything = list(zip(found.written, found.copies, found.names, strict=True))
    found.written, found.copies, found.names, found.seen = [], [], [], {}
    for is_there, (values, copies, name) in zip(exists, everything, strict=True):
        if is_there:
            found.add_kind(values, values, copies, name)


def add_copies(bench: Workbench, declaration: ast.Components, copies: Operand, found: KindCollector) -> None:
    """`5 of each`, `(how_many(kind)) of each`."""
    found.copies = evaluate_for_each_kind(bench, declaration, copies, found)
    if not all(isinstance(one, int) for one in found.copies):
        raise bench.refusal("not-fixed", message("this must be a whole number that is known before the game"), copies)


def evaluate_for_each_kind(
    bench: Workbench, declaration: ast.Components, expression: Operand, found: KindCollector
) -> list[Any]:
    """What depends on the attributes, of every combination so far."""
    slot = bench.new_scratch_slot()
    whole = found.build_kinds()
    (bench.shared if bench.is_joined(declaration) else bench.kinds)[id(declaration)] = whole
    with bench.element_scope(declaration, slot):
        code = bench.make_ready(bench, expression)
    position = bench.setup_position()
    values = []
    for number in whole.parts[0].numbers:
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
        slot = bench.new_scratch_slot()
        with bench.element_scope(attribute, slot):
            code = bench.compile(attribute.value)
        position = bench.setup_position()
        values: list[Any] = [None] * kinds.first
        for kind in kinds.parts[0].numbers:
            position[slot] = kind
            values.append(code.run(position))
        kinds.attributes[id(attribute)] = tuple(values)


# ---- zones


def shuffled_zones(bench: Workbench) -> set[int]:
    """The piles that may hold an unordered part: shuffled themselves, or filled from one that is, and not sorted."""
    found: set[int] = set()
    moves: list[tuple[int, int]] = []
    for _, done in statements_of(bench.program.game):
        found.update(zones_named_in_all(bench, done.mixes))
        if not done.draws:  # what is drawn arrives one after the other
            moves += product(zones_named_in_all(bench, done.takes), zones_named_in_all(bench, done.puts))
    for _ in range(len(moves)):
        found.update(target for source, target in moves if source in found)
    return found & {id(zone) for zone in bench.declarations(ast.Zone) if zone.kind == "pile" and zone.sort_key is None}


def zones_put_into(bench: Workbench) -> set[int]:
    """The zones into which something is put one after the other, not mixed in."""
    done = (footprint for _, footprint in statements_of(bench.program.game) if not footprint.mixes)
    return {zone for footprint in done for zone in zones_named_in_all(bench, footprint.puts)}


def zones_named_in_all(bench: Workbench, places: Iterable[ast.Node]) -> list[int]:
    return [zone for place in places for zone in zones_named_in(bench, place)]


def zones_named_in(bench: Workbench, node: ast.Node) -> list[int]:
    named = (bench.meaning(part) for part in walk(node) if isinstance(part, ast.Name))
    return [id(meaning) for meaning in named if isinstance(meaning, ast.Zone)]


def lay_out_zone(bench: Workbench, zone: ast.Zone, is_shuffled: bool) -> ZoneRoom:
    kinds = bench.kinds_called(zone.component.text)
    names, keys, per_player = list_instances(bench, zone)
    capacity = 1 if zone.kind == "place" else bench.constant_number(zone.capacity) if zone.capacity else None
    base = len(bench.blank)
    for name in names:
        bench.new_slot((), name)
    sort_key = sort_keys(bench, zone, kinds) if zone.sort_key is not None else None
    seers = list_seers(bench, zone, len(names), per_player)
    return ZoneRoom(zone, kinds, base, keys, len(names), per_player, names, capacity, is_shuffled, sort_key, seers)


def list_seers(
    bench: Workbench, declared: ast.Zone | ast.Variable, amount: int, per_player: int
) -> tuple[frozenset[int], ...]:
    """By instance the seats that see it, where they are named."""
    said, everybody = declared.seen_by, frozenset(range(1, bench.players + 1))
    if said is None:
        return ()
    found = []
    for number in range(amount):
        owner = number // per_player + 1
        named = everybody & {find_seat(seat, owner, bench.players) for seat in said.seats}
        found.append(everybody - named if said.is_except else named)
    return tuple(found)


def find_seat(seat: Operand, owner: int, players: int) -> int:
    """`player`, `left of player`, `2`; the checker lets nothing else stand there."""
    match seat:
        case ast.Number(value):
            return int(value)
        case ast.Of(ast.Name(text="left"), inner):
            return find_seat(inner, owner, players) % players + 1
        case ast.Of(ast.Name(text="right"), inner):
            return (find_seat(inner, owner, players) - 2) % players + 1
        case _:
            return owner


def make_box_room(bench: Workbench, zone: ast.Zone) -> ZoneRoom:
    """The box of a kind, for rules that put dice back into it and draw faces from it."""
    kinds = bench.kinds_called(zone.component.text)
    slot = bench.boxes[id(kinds.declaration)]
    return ZoneRoom(zone, kinds, slot, (), 1, 1, (zone.name.text,), None, False, None)


def list_instances(
    bench: Workbench, declaration: ast.Zone | ast.Variable
) -> tuple[tuple[str, ...], tuple[tuple[Any, ...], ...], int]:
    """The names of all instances in order, the values of the keys, how many instances a player has."""
    keys = tuple(list_values(bench, key) for key in declaration.keys)
    per_player = 1
    for values in keys:
        per_player *= len(values)
    if per_player * bench.players > MOST_INSTANCES:
        raise bench.refusal("too-large", message("there are too many places of this name"), declaration)
    owners: list[int | None] = list(range(1, bench.players + 1)) if declaration.per_player else [None]
    names = []
    for owner in owners:
        for combination in product(*keys):
            written = [
                str(to_external(bench, key, value)) for key, value in zip(declaration.keys, combination, strict=True)
            ]
            inner = [str(owner), *written] if owner is not None else written
            names.append(declaration.name.text + (f"[{','.join(inner)}]" if inner else ""))
    return tuple(names), keys, per_player


def sort_keys(bench: Workbench, zone: ast.Zone, kinds: Kinds) -> tuple[Any, ...]:
    """For every kind the value the zone is sorted by; equal ones stand in declared order."""
    assert zone.sort_key is not None
    slot = bench.new_scratch_slot()
    with bench.element_scope(zone, slot):
        code = bench.compile(zone.sort_key)
    position = bench.setup_position()
    found = []
    for kind in range(len(kinds)):
        position[slot] = kind
        found.append((code.run(position), kind))
    return tuple(found)


# ---- variables


def lay_out_variable(bench: Workbench, variable: ast.Variable) -> VariableRoom:
    names, keys, per_player = list_instances(bench, variable)
    low: int | None = None
    high: int | None = None
    if isinstance(variable.type, ast.RangeType):
        low, high = bench.constant_number(variable.type.low), bench.constant_number(variable.type.high)
    initial = low if low is not None else default_start(bench, variable.type)
    base = len(bench.blank)
    for name in names:
        bench.new_slot(initial, name)
    seers = list_seers(bench, variable, len(names), per_player)
    return VariableRoom(variable, base, keys, len(names), per_player, names, low, high, seers)


def lay_out_marker_places(bench: Workbench, variable: ast.Variable) -> None:
    """Beside every instance of a marker that stands on a component: where that one lies."""
    room = bench.variables[id(variable)]
    bench.marked[id(variable)] = len(bench.blank)
    for number in range(room.amount):
        bench.following.follow(room.base + number, bench.new_slot(None))


def all_zone_slots(bench: Workbench, kinds: Kinds) -> list[int]:
    """Every place where a component of this declaration may be, the box last."""
    slots: list[int] = []
    for room in bench.zones.values():
        if room.kinds is kinds:
            slots.extend(range(room.base, room.base + room.amount))
    return [*slots, bench.boxes[id(kinds.declaration)]]


