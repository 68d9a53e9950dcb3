"""Lays a position out as one block of memory: where zones, boxes, variables and registers are, and how wide."""

from __future__ import annotations

from typing import Any

from attrs import evolve

from rulesrun.dsl.text.messages import message
from rulesrun.interpreter.form.form import NOTHING, CannotCompile, Field
from rulesrun.interpreter.model.compile_context import VariableRoom, ZoneRoom
from rulesrun.interpreter.model.components import Kinds
from rulesrun.interpreter.model.domains import list_order_values
from rulesrun.interpreter.model.layout import zones_put_into
from rulesrun.interpreter.native.layout.plan import MOST_KINDS_IN_A_SET, Plan, Store
from rulesrun.interpreter.play.game_loop import MOST_DECISIONS

MOST_RECORDS = 1024

# Fields that are found by their names: nothing that the rules declare is called so here.
INNER = frozenset((
    "beaten", "better", "broken", "chosen", "counted", "counts", "cuts", "deal", "decisions", "each", "entry", "fault",
    "figures", "happened", "key", "latest", "least", "limit", "lots", "loves", "name", "noted", "over", "pc", "phase",
    "place", "player", "rank", "result", "round", "scored", "seed", "seeding", "seats", "seen", "shares", "sheet",
    "starter", "steps", "streams", "taste", "telling", "told", "total", "turns", "used", "watching", "weights",
    # of who thinks
    "ahead", "alike", "chance", "curiosity", "early", "fills", "games", "groups", "points", "prepared", "scale", "seat",
    "shown", "shuffled", "soon", "squares", "sum", "tree", "tries", "values", "width", "worth",
))


def field_name(name: str) -> str:
    """What a field of the rules is called."""
    return f"{name} of the rules" if name in INNER else name


def lay_out_position(plan: Plan) -> None:
    """All that belongs to a position before its operations ask for registers."""
    bench = plan.bench
    for name, low, high, start in (
        ("pc", 0, 1 << 20, 0), ("player", 0, bench.players, 1), ("round", 0, 1 << 30, 0),
        ("starter", 0, bench.players, 1), ("phase", 0, 1000, 0), ("fault", 0, 1 << 20, 0),
        ("steps", 0, 1 << 62, 0), ("turns", 0, 1 << 30, 0),
        ("decisions", 0, MOST_DECISIONS * 2, 0), ("broken", 0, 1 << 60, 0),
        ("happened", 0, 1 << 60, 0), ("result", 0, 1000, 0), ("over", 0, 1, 0),
    ):
        plan.add_number_field(name, low, high, 1, start)
    plan.add_number_field("place", 0, bench.players, bench.players)
    targets = zones_put_into(bench)
    for kinds in bench.kinds.values():
        plan.stores[id(kinds.declaration)] = add_box(plan, kinds)
    for room in bench.zones.values():
        plan.stores[id(room.declaration)] = add_zone(plan, room, id(room.declaration) in targets)
    for room in bench.box_rooms.values():
        plan.stores[id(room.declaration)] = plan.stores[id(room.kinds.declaration)]
    for variable in bench.variables.values():
        plan.variables[id(variable.declaration)] = add_variable_field(plan, variable)


# ---- components


def has_unique_kinds(kinds: Kinds) -> bool:
    return all(copies == 1 for copies in kinds.copies) and len(kinds) <= MOST_KINDS_IN_A_SET


def add_box(plan: Plan, kinds: Kinds) -> Store:
    name = f"box of {kinds.declaration.name.text}"
    store = add_unordered_store(plan, name, kinds, 1)
    if store.members is not None and store.shape == "bits":
        plan.set_start(store.members, 0, (1 << len(kinds)) - 1)
    elif store.members is not None and store.size is not None:
        for kind, copies in enumerate(kinds.copies):
            plan.set_start(store.members, kind, copies)
        plan.set_start(store.size, 0, sum(kinds.copies))
    return store


def add_unordered_store(plan: Plan, name: str, kinds: Kinds, amount: int, capacity: int | None = None) -> Store:
    total = sum(kinds.copies)
    holds, is_limited = (total, False) if capacity is None else (capacity, True)
    if has_unique_kinds(kinds):
        bits = max(64, (len(kinds) + 63) // 64 * 64)
        members = plan.add_field(f"set {name}", bits, amount)
        return Store("bits", name, kinds, amount, holds, is_limited, members=members)
    members = plan.add_number_field(name, 0, max(kinds.copies, default=0), amount * max(len(kinds), 1))
    size = plan.add_number_field(f"size of {name}", 0, total, amount)
    return Store("counts", name, kinds, amount, holds, is_limited, members=members, size=size)


def add_row_store(
    plan: Plan, name: str, kinds: Kinds, amount: int, capacity: int | None, sort_key: Any = None
) -> Store:
    total = sum(kinds.copies)
    holds = total if capacity is None else min(max(capacity, 0), total)
    items = plan.add_number_field(name, 0, len(kinds), amount * max(holds, 1))
    length = plan.add_number_field(f"size of {name}", 0, total, amount)
    return Store(
        "row", name, kinds, amount, holds, capacity is not None, items=items, length=length, sort_key=sort_key,
        origin="row",
    )


def add_zone(plan: Plan, room: ZoneRoom, is_put_into: bool) -> Store:
    name, kind = field_name(room.declaration.name.text), room.declaration.kind
    if kind == "set":
        return add_unordered_store(plan, name, room.kinds, room.amount, room.capacity)
    if not room.is_shuffled:
        return add_row_store(plan, name, room.kinds, room.amount, room.capacity, room.sort_key)
    inner = evolve(add_unordered_store(plan, f"{name} mixed", room.kinds, room.amount), is_mixed=True)
    bottom = add_row_store(plan, f"under {name}", room.kinds, room.amount, None) if is_put_into else None
    top = add_row_store(plan, f"on {name}", room.kinds, room.amount, None) if is_put_into else None
    return Store(
        "bag", name, room.kinds, room.amount, sum(room.kinds.copies) if room.capacity is None else room.capacity,
        room.capacity is not None, inner=inner, bottom=bottom, top=top,
        origin="pile",
    )


# ---- variables


def add_variable_field(plan: Plan, room: VariableRoom) -> Field:
    name = field_name(room.declaration.name.text)
    if room.holds_order:
        return add_order_field(plan, room)
    first = plan.bench.blank[room.base]
    if room.low is not None and room.high is not None:
        return plan.add_number_field(name, room.low, room.high, room.amount, int(first))
    if room.is_optional:
        return plan.add_value_field(name, room.amount, NOTHING if first is None else int(first))
    return plan.add_number_field(name, 0, 20_000, room.amount, int(first))


def add_order_field(plan: Plan, room: VariableRoom) -> Field:
    """An order takes as many numbers as it has values; where there is none, each of them says so."""
    values = list_order_values(plan.bench, room)
    if not values or not all(isinstance(one, int) for one in values):
        raise CannotCompile(
            message(
                "`{declaration}` is an order of something other than numbers",
                declaration=room.declaration.name.text),
            room.declaration,
        )
    if room.is_optional:
        return plan.add_value_field(field_name(room.declaration.name.text), room.amount * len(values))
    first = plan.bench.blank[room.base]
    place = plan.add_value_field(field_name(room.declaration.name.text), room.amount * len(first), 0)
    for number in range(room.amount):
        for at, value in enumerate(first):
            plan.set_start(place, number * len(first) + at, int(value))
    return place
