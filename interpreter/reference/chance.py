"""What chance decides: a component drawn, a die rolled, a lot among the players, a random order.

Each wait says what may come and with which weights, and carries out what came. Outcomes can be
found by a number below the total weight, so that nobody has to list them to draw one.
"""

from __future__ import annotations

from collections.abc import Callable
from math import factorial
from typing import Any

from attrs import define, field

from rulesrun.dsl.text.messages import message
from rulesrun.interpreter.model.compile_context import Workbench, ZoneRoom
from rulesrun.interpreter.model.components import Kinds
from rulesrun.interpreter.model.core import Contents, Draw
from rulesrun.interpreter.model.instructions import DrawComponents
from rulesrun.interpreter.model.location_updates import FollowedPlaces
from rulesrun.interpreter.model.places import compile_place, find_drawable, put_component, remove_component_at
from rulesrun.interpreter.model.values import PC, SHOWN, Run, Slots, constant, fault
from rulesrun.interpreter.reference.flow_graph import FlowGraph, Place, Wait


@define(eq=False)
class ChanceWait(Wait):
    what: str = ""

    def total_weight(self, S: Slots) -> int:
        """The sum of all weights."""
        raise NotImplementedError

    def outcome_at(self, S: Slots, number: int) -> Any:
        """The outcome that lies at a number below the total."""
        raise NotImplementedError

    def outcomes(self, S: Slots) -> list[tuple[Any, int]]:
        """Every different outcome with its weight, in declared order."""
        raise NotImplementedError

    def apply_answer(self, S: Slots, value: Any) -> None:
        """What came, happens; the game can go on."""
        raise NotImplementedError

    def place_names(self, S: Slots) -> tuple[str | None, str | None]:
        """The names of where from and where to."""
        return None, None

    def stream_name(self, S: Slots) -> str:
        """Whose chance it is: what is drawn from a pile is the pile's, a die has its own."""
        origin, target = self.place_names(S)
        return origin or target or ""


@define(eq=False)
class DrawWait(ChanceWait):
    """`draw`, `deal`: one component at a time; two registers say how many are still to come, and to whom."""

    origin: ZoneRoom = field(kw_only=True)
    origin_slot: Run = field(kw_only=True)
    target: ZoneRoom = field(kw_only=True)
    target_slot: Run = field(kw_only=True)
    left: int = field(kw_only=True)  # the register of how many are still to be drawn
    remember: int | None = field(kw_only=True)  # the register of `as`
    where: int | None = field(kw_only=True)  # the register of where that one lies
    following: FollowedPlaces = field(kw_only=True)
    up_to: bool = field(kw_only=True)
    condition: tuple[int, Run] | None = field(kw_only=True)  # the register of the element, the test
    is_set: bool = field(kw_only=True)
    is_thrown: bool = field(kw_only=True)  # dice: each face is as likely, however many of it the box still has

    def step(self, S: Slots) -> int:
        if S[self.left] <= 0:
            return self.next
        if self.is_thrown and len(S[self.origin_slot(S)]) <= count_hidden_faces(self.origin.kinds):
            raise fault("too-few", message("all of these dice are already on the table"), self.node.span)
        if self.condition is None and S[self.origin_slot(S)]:
            return ~self.pc
        return ~self.pc if self.candidates(S)[1] else self.skip_or_refuse_draw(S)

    def skip_or_refuse_draw(self, S: Slots) -> int:
        if self.up_to:
            return self.next
        name = self.origin.names[self.origin_slot(S) - self.origin.base]
        if self.condition is not None and S[self.origin_slot(S)]:
            raise fault(
                "nothing-to-draw", message("nothing in `{name}` satisfies the condition", name=name), self.node.span
            )
        raise fault("empty-zone", message("`{name}` is empty: there is nothing to draw", name=name), self.node.span)

    def candidates(self, S: Slots) -> tuple[int, tuple[int, ...]]:
        content = S[self.origin_slot(S)]
        if self.is_thrown:
            return -1, tuple(sorted(set(content)))
        if self.condition is None:
            return find_drawable(content, self.is_set)
        while True:
            at, kinds = find_drawable(content, self.is_set)
            fitting = self.fitting_kinds(S, kinds)
            if fitting or at <= 0:
                return at, fitting
            content = content[:at]

    def fitting_kinds(self, S: Slots, kinds: tuple[int, ...]) -> tuple[int, ...]:
        assert self.condition is not None
        slot, test = self.condition
        found = []
        for kind in kinds:
            S[slot] = kind
            if test(S):
                found.append(kind)
        return tuple(found)

    def total_weight(self, S: Slots) -> int:
        return len(self.candidates(S)[1])

    def outcome_at(self, S: Slots, number: int) -> Any:
        return self.candidates(S)[1][number]

    def outcomes(self, S: Slots) -> list[tuple[Any, int]]:
        weights: dict[int, int] = {}
        for kind in self.candidates(S)[1]:
            weights[kind] = weights.get(kind, 0) + 1
        return sorted(weights.items())

    def apply_answer(self, S: Slots, value: Any) -> None:
        slot, target = self.origin_slot(S), self.target_slot(S)
        at = (-1 if self.is_set else len(S[slot]) - 1) if self.condition is None else self.candidates(S)[0]
        place = S[slot].index(value) if at < 0 else at
        whole = not isinstance(S[slot][place], tuple)
        S[slot] = remove_component_at(S[slot], place, value)
        self.following.update_after_take(S, slot, place, value, 0, whole)
        place = put_component(S, self.target, target, value, self.node)
        self.following.update_after_put(S, target, place, 0)
        S[self.left] -= 1
        if self.remember is not None:
            S[self.remember] = value
            if self.where is not None:
                S[self.where] = (target, place)
        S[SHOWN] = ()
        S[PC] = self.pc

    def stream_name(self, S: Slots) -> str:
        slot: int = self.origin_slot(S)
        return self.origin.names[slot - self.origin.base]

    def place_names(self, S: Slots) -> tuple[str | None, str | None]:
        origin, target = self.origin_slot(S), self.target_slot(S)
        from_where = None if self.is_thrown else self.origin.names[origin - self.origin.base]
        return from_where, self.target.names[target - self.target.base]


def count_hidden_faces(kinds: Kinds) -> int:
    """Of dice: how many faces lie in the box when all dice are on the table."""
    return sum(kinds.copies) - max(kinds.copies, default=0)


@define(eq=False)
class ValueWait(ChanceWait):
    """`roll`, `draw lots`: one of several values, each with its weight, goes to a variable."""

    values: tuple[Any, ...] = field(kw_only=True)
    weights: tuple[int, ...] = field(kw_only=True)
    target: Callable[[Slots, Any], None] = field(kw_only=True)
    target_name: Callable[[Slots], str] = field(kw_only=True)

    def step(self, S: Slots) -> int:
        return ~self.pc

    def total_weight(self, S: Slots) -> int:
        return sum(self.weights)

    def outcome_at(self, S: Slots, number: int) -> Any:
        for value, weight in zip(self.values, self.weights, strict=True):
            number -= weight
            if number < 0:
                return value
        raise AssertionError("the number lies below the total")

    def outcomes(self, S: Slots) -> list[tuple[Any, int]]:
        return [(value, weight) for value, weight in zip(self.values, self.weights, strict=True) if weight]

    def apply_answer(self, S: Slots, value: Any) -> None:
        self.target(S, value)
        S[SHOWN] = ()
        S[PC] = self.next

    def place_names(self, S: Slots) -> tuple[str | None, str | None]:
        return None, self.target_name(S)


@define(eq=False)
class OrderWait(ValueWait):
    """`shuffle layout`: one order of all values; the n-th order is the n-th in the order of words in a dictionary."""

    def total_weight(self, S: Slots) -> int:
        return factorial(len(self.values))

    def outcome_at(self, S: Slots, number: int) -> Any:
        left, found = list(self.values), []
        while left:
            step = factorial(len(left) - 1)
            found.append(left.pop(number // step))
            number %= step
        return tuple(found)

    def outcomes(self, S: Slots) -> list[tuple[Any, int]]:
        if len(self.values) > 8:
            raise fault("too-many-orders", message("there are too many orders to list"), self.node.span)
        return [(self.outcome_at(S, number), 1) for number in range(self.total_weight(S))]


# ---- drawing, one component after the other: what leads from one to the next


def compile_draw(graph: FlowGraph, one: DrawComponents) -> None:
    bench, node, done, left, seat = graph.bench, one.node, one.effect, one.left, one.seat
    count, wait = bench.compile(done.count).run, compile_draw_wait(bench, one)
    if seat is not None:
        graph.emit_effect("first-seat", node, lambda S: S.__setitem__(seat, 0))
    first = len(graph.operations)
    graph.emit_effect("how-many", node, lambda S: S.__setitem__(left, count(S)))
    graph.emit_wait("draw", wait)
    if seat is not None:
        amount, _ = target_instances(bench, done.target.place)
        graph.emit_branch(node, compile_is_last_seat(seat, amount), Place(first))
        graph.note_loop(first)
    graph.emit_effect("drawn", node, lambda S: S.__setitem__(left, 0))


def compile_is_last_seat(seat: int, amount: int) -> Run:
    def run(S: Slots) -> bool:
        S[seat] += 1
        if S[seat] < amount:
            return False
        S[seat] = 0
        return True

    return run


def compile_draw_wait(bench: Workbench, one: DrawComponents) -> DrawWait:
    done, register = one.effect, bench.registers[id(one.node)]
    remember = register if done.alias is not None else None
    return DrawWait(
        one.node, what="roll" if done.is_thrown else "draw", is_thrown=done.is_thrown, origin=done.room,
        origin_slot=compile_place(bench, done.origin).run, target=done.target.room,
        target_slot=compile_target_slot(bench, done.target.place, one.seat), left=one.left, remember=remember,
        up_to=done.is_up_to, condition=compile_condition(bench, done), is_set=done.room.declaration.kind == "set",
        where=bench.wheres.get(remember) if remember is not None else None, following=bench.following,
    )


def compile_condition(bench: Workbench, done: Draw) -> tuple[int, Run] | None:
    """The register of the element, the test; once for all uses of the statement."""
    node = done.node
    if done.condition is None:
        return None
    if id(node) not in bench.draws:
        register, slot = bench.registers[id(node)], bench.new_scratch_slot()
        with bench.element_scope(node, slot):
            bench.draws[id(node)] = slot, bench.compile(done.condition).run
        bench.registers[id(node)] = register  # of what is drawn; `it` was the one that is looked at
    return bench.draws[id(node)]


def compile_target_slot(bench: Workbench, target: Contents, seat: int | None) -> Run:
    if seat is None:
        return compile_place(bench, target).run
    _, first = target_instances(bench, target)
    return lambda S: first(S) + S[seat]


def target_instances(bench: Workbench, target: Contents) -> tuple[int, Run]:
    """`each hand`: how many places, and the slot of the first; seat by seat, key by key."""
    room = target.room
    if target.owner is not None:
        owner, base, each = bench.compile(target.owner).run, room.base - room.per_player, room.per_player
        return each, lambda S: base + each * owner(S)
    return room.amount, constant(room.base).run
