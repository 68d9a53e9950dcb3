"""Statements without a body: takes one, adds its operations to the graph."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulesrun.dsl import ast
from rulesrun.dsl.typing.program import BuiltinMeaning
from rulesrun.dsl.typing.types import CollectionOf, OptionalOf
from rulesrun.interpreter.model import locations
from rulesrun.interpreter.model.compile_context import VariableRoom, Workbench
from rulesrun.interpreter.model.domains import domain
from rulesrun.interpreter.model.flow_graph import Graph, Label
from rulesrun.interpreter.model.places import room_meant, slot_of, zone_meant
from rulesrun.interpreter.model.values import SHOWN, STARTER, Code, Run, Slots, constant, fault
from rulesrun.interpreter.reference.chance import OrderWait, ValueWait

Assign = Callable[[Slots, Any], None]


def assignment(bench: Workbench, target: ast.Expr) -> Assign:
    """How a value is put where `target` says, kept within its range."""
    if isinstance(target, ast.Name) and isinstance(bench.meaning(target), BuiltinMeaning):
        return lambda S, value: S.__setitem__(STARTER, value)
    room = room_meant(bench, target)
    assert isinstance(room, VariableRoom)
    at = slot_of(bench, target)
    if id(room.declaration) in bench.marked:
        return only_named(bench, room, at)
    if room.low is None or room.high is None:
        find = at.run
        return lambda S, value: S.__setitem__(find(S), value)
    return bounded(room, at, target)


def only_named(bench: Workbench, room: VariableRoom, at: Code) -> Assign:
    """A component of which nobody said where it lies."""
    find, offset = at.run, bench.marked[id(room.declaration)] - room.base

    def assign(S: Slots, value: Any) -> None:
        slot = find(S)
        S[slot], S[slot + offset] = value, None

    return assign


def marking(bench: Workbench, node: ast.Becomes, room: VariableRoom) -> Run:
    """The marker remembers the very component, wherever it goes."""
    find, spot_of = slot_of(bench, node.target).run, locations.find_one(bench, node.value)
    offset = bench.marked[id(room.declaration)] - room.base

    def change(S: Slots) -> None:
        spot, slot = spot_of(S), find(S)
        S[slot], S[slot + offset] = None if spot is None else spot[0], locations.where_kept(spot)

    return change


def bounded(room: VariableRoom, at: Code, target: ast.Expr) -> Assign:
    low, high, find = room.low or 0, room.high or 0, at.run
    is_clamped = room.declaration.clamped

    def assign(S: Slots, value: Any) -> None:
        slot = find(S)
        if value is None:
            raise fault("nothing-used", "there is nothing here, where a number is needed", target.span)
        if not low <= value <= high:
            if not is_clamped:
                name = room.names[slot - room.base]
                raise fault("leaves-range", f"`{name}` would become {value}, outside {low}..{high}", target.span)
            value = low if value < low else high
        if not isinstance(value, int):
            raise fault("not-whole", f"{value} is not a whole number", target.span)
        S[slot] = value

    return assign


def becomes(graph: Graph, node: ast.Becomes) -> None:
    bench = graph.bench
    value, assign = bench.expression(node.value).run, assignment(bench, node.target)
    room = room_meant(bench, node.target)
    if isinstance(room, VariableRoom) and id(room.declaration) in bench.marked:
        graph.effect("becomes", node, marking(bench, node, room))
    elif isinstance(room, VariableRoom) and room.low is None and slot_of(bench, node.target).is_constant:
        slot = slot_of(bench, node.target).value
        graph.effect("becomes", node, lambda S: S.__setitem__(slot, value(S)))
    else:
        graph.effect("becomes", node, lambda S: assign(S, value(S)))


def increases(graph: Graph, node: ast.Increases) -> None:
    bench, sign = graph.bench, node.sign
    amount, assign, now = (
        bench.expression(node.amount).run, assignment(bench, node.target), bench.expression(node.target).run,
    )
    graph.effect("increases", node, lambda S: assign(S, now(S) + sign * amount(S)))


# ---- chance


def target_name(bench: Workbench, target: ast.Expr) -> Callable[[Slots], str]:
    room = room_meant(bench, target)
    if room is None:
        return lambda S: "starter"
    find, names, base = slot_of(bench, target).run, room.names, room.base
    return lambda S: names[find(S) - base]


def roll(graph: Graph, node: ast.Roll) -> None:
    bench = graph.bench
    room = room_meant(bench, node.target)
    assert isinstance(room, VariableRoom)
    written = room.declaration.type
    values = domain(bench, written.item if isinstance(written, ast.Optional) else written)  # never `nothing`
    weights = tuple(bench.fixed_number(one) for one in node.chances) or (1,) * len(values)
    if not values:
        raise bench.refused("no-values", "there is no value to roll at this table", node)
    if len(weights) != len(values) or min(weights) < 0 or sum(weights) == 0:
        raise bench.refused("wrong-chances", f"there must be one chance for each of the {len(values)} values", node)
    assign, name = assignment(bench, node.target), target_name(bench, node.target)
    graph.wait("roll", ValueWait(node, what="roll", values=values, weights=weights, target=assign, target_name=name))


def lots(graph: Graph, node: ast.Lots) -> None:
    bench = graph.bench
    values = tuple(range(1, bench.players + 1))
    assign, name = assignment(bench, node.target), target_name(bench, node.target)
    ones = (1,) * len(values)
    graph.wait("lot", ValueWait(node, what="lot", values=values, weights=ones, target=assign, target_name=name))


def random_order(graph: Graph, node: ast.Shuffle, room: VariableRoom) -> None:
    bench = graph.bench
    if not isinstance(room.declaration.type, ast.OrderType):
        raise bench.refused("wrong-type", "only a pile or an `order` can be shuffled", node)
    values = domain(bench, room.declaration.type.item)
    assign, name = assignment(bench, node.what), target_name(bench, node.what)
    graph.wait("order", OrderWait(node, what="order", values=values, weights=(), target=assign, target_name=name))


# ---- ends, shows, records


def end(graph: Graph, node: ast.End) -> None:
    targets: dict[str, Label | None] = {
        "turn": graph.ends.turn, "phase": graph.ends.phase, "round": graph.ends.round, "game": graph.ends.game,
    }
    label = targets[node.what]
    if label is None:
        raise graph.bench.refused("nothing-to-end", f"there is no {node.what} to end here", node)
    graph.jump(node, label)


def show(graph: Graph, node: ast.Show) -> None:
    """What is shown is seen until the next decision or chance event.

    Of what is no whole zone it is kept which kind of component it is, as a number below zero.
    """
    bench = graph.bench
    content = bench.expression(node.what).run
    to: Run = bench.expression(node.to).run if node.to else constant(0).run
    is_zone = zone_meant(bench, node.what) is not None
    find: Run = slot_of(bench, node.what).run if is_zone else constant(~kind_shown(bench, node.what)).run

    def change(S: Slots) -> None:
        seen = content(S)
        shown = (to(S), find(S), tuple(seen) if isinstance(seen, range) else seen)
        if shown not in S[SHOWN]:
            S[SHOWN] = (*S[SHOWN], shown)

    graph.effect("show", node, change)


def kind_shown(bench: Workbench, what: ast.Expr) -> int:
    """Which of the declarations of components it is one of."""
    found = bench.type_of(what)
    while isinstance(found, (CollectionOf, OptionalOf)):
        found = found.item
    names = [kinds.declaration.name.text for kinds in bench.kinds.values()]
    return names.index(getattr(found, "kind", names[0]))


class Counts(dict[Any, int]):
    """How often each position has been recorded; never changed once it lies in a position."""

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))


def record(graph: Graph, node: ast.Record) -> None:
    bench = graph.bench
    meaning = bench.meaning(node.memory)
    assert isinstance(meaning, ast.Memory)
    slot, runs = bench.memories[id(meaning)], [bench.expression(value).run for value in node.values]

    def change(S: Slots) -> None:
        key = tuple([run(S) for run in runs])
        known = Counts(S[slot][1] if S[slot] else {})
        known[key] = known.get(key, 0) + 1
        S[slot] = (key, known)

    graph.effect("record", node, change)
