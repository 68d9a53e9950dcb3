"""What chance decides, answered at random: a component drawn, a die rolled, a lot, a random order."""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate

from attrs import frozen

from rulesrun.dsl import ast
from rulesrun.interpreter.form.form import (
    NUMBER,
    YES,
    CannotCompile,
    X,
    as_number,
    bit,
    both,
    compare,
    how_many,
    inverted,
    is_empty,
    known,
    number,
    set_constant,
)
from rulesrun.interpreter.model.compile_context import VariableRoom, ZoneRoom
from rulesrun.interpreter.model.domains import domain
from rulesrun.interpreter.model.places import zone_meant
from rulesrun.interpreter.model.random import SMALL
from rulesrun.interpreter.native.expressions import locations, places
from rulesrun.interpreter.native.flow import effects, questions
from rulesrun.interpreter.native.layout import containers
from rulesrun.interpreter.native.layout.machine import Machine
from rulesrun.interpreter.native.layout.plan import Plan, Scope, Store, ask

MOST_WEIGHT = 4096


def below(scope: Scope, limit: X, stream: X) -> X:
    """A random number below the limit, from the stream of who or what asks."""
    if scope.plan.luck is not None:
        answer: X = scope.plan.luck.below(scope, limit, stream)
        return answer
    high = limit.high - 1 if limit.high is not None else None
    source = number(0) if scope.plan.has_one_stream else stream
    found = X("below", NUMBER, (source, limit), scope.plan.fields["streams"], 0, high)
    return scope.lines.kept(found, "r")


def below_many(scope: Scope, limit: int, stream: X) -> X:
    """Below a large limit, for which chance gives two words."""
    if limit >> 62 or scope.plan.luck is not None:
        raise CannotCompile("the chances are too fine")
    found = X("below many", NUMBER, (stream, number(limit)), scope.plan.fields["streams"], 0, limit - 1)
    return scope.lines.kept(found, "r")


def first_stream(plan: Plan, room: ZoneRoom | VariableRoom) -> int:
    """The streams of all instances of a place stand side by side."""
    streams = [plan.stream(name) for name in room.names]
    return streams[0]


# ---- draw, deal


def deal(machine: Machine, node: ast.Deal) -> None:
    plan, lines = machine.plan, machine.lines
    room = zone_meant(plan.bench, node.origin)
    origin = places.store_of(machine.scope(), node.origin)
    at_bottom, zone = places.end_and_zone(machine.scope(), node.target)
    target = places.store_of(machine.scope(), zone)
    if room is None or origin is None or target is None or at_bottom:
        raise CannotCompile("a draw of this form is not compiled")
    if id(node) not in plan.fixed_names:
        plan.fixed_names[id(node)] = plan.value_field("drawn")
    if machine.asks_chance:
        asking_for_draws(machine, node, origin, target, zone)
        return
    to_room = zone_meant(plan.bench, zone)
    assert to_room is not None
    drawing = Drawing(machine, node, origin, target, first_stream(plan, room), to_room)
    if not node.each:
        scope = machine.scope()
        count = scope.needed(node.count)
        drawing.write(count, lambda inner: places.index_of(inner, zone))
        return
    first, amount = every_target(machine, zone)
    machine.charge(machine.plan.costs.of_loop(node, ()) * amount)
    seat = lines.variable(number(0), "seat")
    with lines.loop() as done:
        lines.leave(done, compare(">=", seat, number(amount)))
        index = known(both("add", first, known(seat, 0, amount - 1)), 0, target.amount - 1)
        drawing.write(machine.scope().needed(node.count), lambda inner: index)
        lines.add_to(seat, number(1))


def asking_for_draws(machine: Machine, node: ast.Deal, origin: Store, target: Store, zone: ast.Expr) -> None:
    """One question for each component."""
    lines, left, seat = machine.lines, machine.register("left to draw"), machine.register("seat")
    next_seat, again, over = machine.label("next seat"), machine.label("draw"), machine.label("drawn")

    def target_index(scope: Scope) -> X:
        if not node.each:
            return places.index_of(scope, zone)
        first, amount = every_target_of(scope, zone)
        return known(both("add", first, known(scope.lines.load(seat), 0, amount - 1)), 0, target.amount - 1)

    lines.store(seat, number(0))
    machine.place(next_seat)
    lines.store(left, as_number(machine.scope().needed(node.count)))
    machine.place(again)
    done = machine.label("enough drawn")
    machine.go_when(compare("<=", lines.load(left), number(0)), done)
    question = questions.draw(machine, node, origin, target, left, target_index)
    scope = machine.scope()
    none = lines.kept(compare("=", ask(question.amount, scope), number(0)))
    with lines.when(none):
        if not node.up_to:
            scope.fault("empty-zone", node)
            machine.go("stuck")
        machine.go(done)
    questions.stop(machine, question, machine.label("after draw"))
    machine.go_when(compare("is not", machine.load("fault"), number(0)), "stuck")
    machine.go(again)
    machine.place(done)
    if node.each:
        _, amount = every_target_of(machine.scope(), zone)
        machine.charge(machine.plan.costs.of_loop(node, ()))
        lines.store(seat, both("add", lines.load(seat), number(1)))
        machine.go_when(compare("<", lines.load(seat), number(amount)), next_seat)
    machine.place(over)
    machine.forget(left, seat)


def every_target(machine: Machine, target: ast.Expr) -> tuple[X, int]:
    """The first instance and how many: seat by seat, key by key."""
    return every_target_of(machine.scope(), target)


def every_target_of(scope: Scope, target: ast.Expr) -> tuple[X, int]:
    room = zone_meant(scope.bench, target)
    assert room is not None
    if isinstance(target, ast.Of):
        owner = places.player_value(scope, target.owner)
        first = scope.lines.kept(both("mul", both("sub", owner, number(1)), number(room.per_player)))
        return first, room.per_player
    return number(0), room.amount


@frozen(eq=False)
class Way:
    """From whose chance to which place a component goes."""

    stream: X
    room: ZoneRoom
    index: Callable[[], X]


class Drawing:
    """One statement that draws: so many, one at a time."""

    def __init__(
        self, machine: Machine, node: ast.Deal, origin: Store, target: Store, stream: int, to_room: ZoneRoom
    ) -> None:
        self.machine, self.node, self.origin, self.target, self.stream = machine, node, origin, target, stream
        self.to_room = to_room

    def write(self, count: X, target_index: Callable[[Scope], X]) -> None:
        machine, lines, node = self.machine, self.machine.lines, self.node
        wanted = lines.kept(as_number(count))
        left = lines.variable(wanted, "n")
        with lines.loop() as done:
            lines.leave(done, compare("<=", left, number(0)))
            scope = machine.scope()
            index = lines.kept(places.index_of(scope, node.origin))
            kind = self.one(scope, index, lambda: target_index(scope), done)
            to = lines.kept(target_index(scope))
            locations.put_drawn(scope, self.target, to, kind, node)
            lines.add_to(left, number(-1))
        drawn = lines.kept(both("sub", wanted, left))
        with lines.when(compare(">", drawn, number(0))):
            machine.chance_came(drawn)

    def one(self, scope: Scope, index: X, to: Callable[[], X], done: str) -> X:
        """One component at random, taken out."""
        stream = both("add", number(self.stream), index)
        kind = scope.lines.variable(number(-1), "k")
        with scope.lines.block() as found:
            for part in containers.parts_of(self.origin):
                if scope.plan.luck is not None:
                    way = Way(stream, self.to_room, to)
                    scope.plan.luck.draw(scope, part, index, self.fits, way, kind, found)
                elif self.node.condition is None:
                    from_part(scope, part, index, stream, kind, found)
                else:
                    self.fitting_from(scope, part, index, stream, kind, found)
            if not self.node.up_to:
                scope.fault("empty-zone", self.node)
            scope.lines.leave(done)
        return known(kind, 0, len(self.origin.kinds) - 1)

    def fits(self, scope: Scope, kind: X) -> X:
        inner = scope.inner()
        if self.node.condition is None:
            return YES
        with inner.element(self.node, kind):
            return inner.condition(self.node.condition)

    def fitting_from(self, scope: Scope, part: Store, index: X, stream: X, kind: X, found: str) -> None:
        lines = scope.lines
        if part.shape == "row":
            self.fitting_from_row(scope, part, index, stream, kind, found)
            return
        if part.shape == "counts":
            self.fitting_from_counts(scope, part, index, stream, kind, found)
            return
        mask = lines.variable(set_constant(part.set, 0), "m")

        def look(one: X) -> None:
            with lines.when(self.fits(scope, one)):
                lines.set(mask, X("or", part.set, (mask, bit(part.set, one))))

        containers.each_member(scope, part, index, look)
        with lines.when(inverted(is_empty(mask))):
            which = below(scope, how_many(mask), stream)
            lines.set(kind, X("kth", NUMBER, (mask, which)))
            locations.take_drawn(scope, part, index, known(kind, 0, len(part.kinds) - 1))
            lines.leave(found)

    def fitting_from_row(self, scope: Scope, part: Store, index: X, stream: X, kind: X, found: str) -> None:
        lines = scope.lines
        at = lines.variable(both("sub", containers.length_of(scope, part, index), number(1)), "i")
        with lines.loop() as over:
            lines.leave(over, compare("<", at, number(0)))
            one = lines.kept(containers.item_at(scope, part, index, at), "k")
            with lines.when(self.fits(scope, one)):
                below(scope, number(1), stream)
                lines.set(kind, one)
                locations.take_one(scope, part, index, at, one, number(0), locations.follows_draws(scope, part))
                lines.leave(found)
            lines.add_to(at, number(-1))

    def fitting_from_counts(self, scope: Scope, part: Store, index: X, stream: X, kind: X, found: str) -> None:
        lines = scope.lines
        total = lines.variable(number(0), "n")

        def add(one: X) -> None:
            with lines.when(self.fits(scope, one)):
                lines.add_to(total, containers.amount_of(scope, part, index, one))

        lines.count_through(number(0), number(len(part.kinds) - 1), add)
        with lines.when(compare(">", total, number(0))):
            left = lines.variable(below(scope, total, stream), "n")

            def look(one: X) -> None:
                with lines.when(self.fits(scope, one)):
                    lines.set(left, both("sub", left, containers.amount_of(scope, part, index, one)))
                    with lines.when(compare("<", left, number(0))):
                        lines.set(kind, one)
                        locations.take_drawn(scope, part, index, one)
                        lines.leave(found)

            lines.count_through(number(0), number(len(part.kinds) - 1), look)


def from_part(scope: Scope, part: Store, index: X, stream: X, kind: X, found: str) -> None:
    lines = scope.lines
    size = lines.kept(containers.size(scope, part, index))
    with lines.when(compare(">", size, number(0))):
        if part.shape == "row":
            assert part.length is not None
            below(scope, number(1), stream)
            last = lines.kept(both("sub", size, number(1)))
            lines.set(kind, containers.item_at(scope, part, index, last))
            lines.store(part.length, last, index)
            if locations.follows_draws(scope, part):
                locations.tell_taken(scope, part, index, last, kind, number(0))
        elif part.shape == "bits":
            which = below(scope, size, stream)
            lines.set(kind, X("kth", NUMBER, (containers.set_of(scope, part, index), which)))
            locations.take_drawn(scope, part, index, known(kind, 0, len(part.kinds) - 1))
        else:
            left = lines.variable(below(scope, size, stream), "n")
            with lines.block() as chosen:
                def look(one: X) -> None:
                    lines.set(left, both("sub", left, containers.amount_of(scope, part, index, one)))
                    with lines.when(compare("<", left, number(0))):
                        lines.set(kind, one)
                        lines.leave(chosen)

                lines.count_through(number(0), number(len(part.kinds) - 1), look)
            locations.take_drawn(scope, part, index, known(kind, 0, len(part.kinds) - 1))
        lines.leave(found)


# ---- roll, lots, orders


def roll(machine: Machine, node: ast.Roll) -> None:
    plan, scope = machine.plan, machine.scope()
    room = places.room_of(scope, node.target)
    assert isinstance(room, VariableRoom)
    written = room.declaration.type
    values = domain(plan.bench, written.item if isinstance(written, ast.Optional) else written)  # never `nothing`
    if not all(isinstance(one, int) for one in values):
        raise CannotCompile("what is rolled is no plain value")
    weights = tuple(plan.bench.fixed_number(one) for one in node.chances) or (1,) * len(values)
    settle_value(machine, node, stream_of(scope, node.target), values, weights)


def lots(machine: Machine, node: ast.Lots) -> None:
    values = tuple(range(1, machine.plan.bench.players + 1))
    settle_value(machine, node, stream_of(machine.scope(), node.target), values, (1,) * len(values))


def stream_of(scope: Scope, target: ast.Expr) -> X:
    room = places.room_of(scope, target)
    if room is None:
        return number(scope.plan.stream("starter"))
    return both("add", number(first_stream(scope.plan, room)), scope.lines.kept(places.index_of(scope, target)))


def settle_value(
    machine: Machine, node: ast.Roll | ast.Lots, stream: X, values: tuple[int, ...], weights: tuple[int, ...]
) -> None:
    """The value that lies at a random number below the sum of the weights."""
    scope, target = machine.scope(), node.target
    if machine.asks_chance:
        possible = tuple(value for value, weight in zip(values, weights, strict=True) if weight)
        questions.stop(machine, questions.value(machine, target, node, possible), machine.label("after roll"))
        machine.go_when(compare("is not", machine.load("fault"), number(0)), "stuck")
        return
    total = sum(weights)
    machine.chance_came(number(1))
    at = below(scope, number(total), stream) if total < SMALL else below_many(scope, total, stream)
    if set(weights) == {1} and values == tuple(range(values[0], values[0] + total)):
        effects.assign(scope, target, both("add", at, number(values[0])))
        return
    if total > MOST_WEIGHT:
        effects.assign(scope, target, found_by_sums(scope, at, values, weights))
        return
    spread = tuple(value for value, weight in zip(values, weights, strict=True) for _ in range(weight))
    effects.assign(scope, target, scope.lines.look_up(scope.plan.table_of("faces", spread), at))


def found_by_sums(scope: Scope, at: X, values: tuple[int, ...], weights: tuple[int, ...]) -> X:
    """Fine chances: the first value whose sum of weights lies above the number."""
    lines, plan = scope.lines, scope.plan
    sums = plan.table_of("sums of chances", tuple(accumulate(weights)))
    which = lines.variable(number(0), "i")
    with lines.loop() as done:
        lines.leave(done, compare("<", at, lines.look_up(sums, which)))
        lines.add_to(which, number(1))
    return lines.look_up(plan.table_of("faces", values), known(which, 0, len(values) - 1))
