"""What chance decides, answered at random: a component drawn, a die rolled, a lot, a random order."""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate
from math import factorial
from typing import Any

from attrs import frozen

from rulesrun.dsl.text.messages import message
from rulesrun.interpreter.form.form import (
    NUMBER,
    CannotCompile,
    Field,
    Value,
    as_number,
    binary,
    compare,
    constant_set,
    count_bits,
    invert,
    is_empty,
    narrow,
    number,
    set_difference,
    set_type,
    singleton,
)
from rulesrun.interpreter.model.compile_context import VariableRoom, ZoneRoom
from rulesrun.interpreter.model.core import Assigned, Contents, Current, Draw, DrawOrder, DrawValue
from rulesrun.interpreter.model.core_lowering import list_chances
from rulesrun.interpreter.model.domains import list_values
from rulesrun.interpreter.model.instructions import DrawComponents
from rulesrun.interpreter.model.random import SMALL
from rulesrun.interpreter.native.expressions import locations, places
from rulesrun.interpreter.native.flow import effects, questions
from rulesrun.interpreter.native.layout import containers
from rulesrun.interpreter.native.layout.machine import Machine
from rulesrun.interpreter.native.layout.plan import Plan, Scope, Store, call_for_player
from rulesrun.interpreter.reference.chance import count_hidden_faces

MOST_WEIGHT = 4096
MOST_ORDER = 256
MOST_NUMBERED = 20  # of so many values the orders can be numbered by a word


def random_below(scope: Scope, limit: Value, stream: Value) -> Value:
    """A random number below the limit, from the stream of who or what asks."""
    if scope.plan.luck is not None:
        answer: Value = scope.plan.luck.below(scope, limit, stream)
        return answer
    high = limit.high - 1 if limit.high is not None else None
    source = number(0) if scope.plan.has_one_stream else stream
    found = Value("below", NUMBER, (source, limit), scope.plan.fields["streams"], 0, high)
    return scope.lines.bind(found, "r")


def random_below_large(scope: Scope, limit: int, stream: Value) -> Value:
    """Below a large limit, for which chance gives two words."""
    if limit >> 62 or scope.plan.luck is not None:
        raise CannotCompile(message("the chances are too fine"))
    found = Value("below many", NUMBER, (stream, number(limit)), scope.plan.fields["streams"], 0, limit - 1)
    return scope.lines.bind(found, "r")


def first_stream(plan: Plan, room: ZoneRoom | VariableRoom) -> int:
    """The streams of all instances of a place stand side by side."""
    streams = [plan.stream_number(name) for name in room.names]
    return streams[0]


# ---- draw, deal


def lower_draw(machine: Machine, one: DrawComponents) -> None:
    plan, lines, node, drawn, zone = machine.plan, machine.lines, one.node, one.effect, one.effect.target.place
    origin, target = plan.stores[id(drawn.room.declaration)], plan.stores[id(drawn.target.room.declaration)]
    if id(node) not in plan.fixed_names:
        plan.fixed_names[id(node)] = plan.add_value_field("drawn")
    if machine.asks_chance:
        lower_draw_questions(machine, one, origin, target)
        return
    drawing = DrawWriter(machine, drawn, origin, target, first_stream(plan, drawn.room))
    if not drawn.is_each:
        scope = machine.new_scope()
        count = scope.lower_needed(drawn.count)
        drawing.draw_components(count, lambda inner: places.place_index(inner, zone))
        return
    first, amount = target_instances(machine.new_scope(), zone)
    machine.charge_work(machine.plan.costs.loop_cost(one) * amount)
    seat = lines.variable(number(0), "seat")
    with lines.loop() as done:
        lines.leave(done, compare(">=", seat, number(amount)))
        index = narrow(binary("add", first, narrow(seat, 0, amount - 1)), 0, target.amount - 1)
        drawing.draw_components(machine.new_scope().lower_needed(drawn.count), lambda inner: index)
        lines.add_to(seat, number(1))


def lower_draw_questions(machine: Machine, one: DrawComponents, origin: Store, target: Store) -> None:
    """One question for each component."""
    node, drawn, zone = one.node, one.effect, one.effect.target.place
    lines, left, seat = machine.lines, machine.new_register("left to draw"), machine.new_register("seat")
    next_seat, again, over = machine.new_label("next seat"), machine.new_label("draw"), machine.new_label("drawn")

    def target_index(scope: Scope) -> Value:
        if not drawn.is_each:
            return places.place_index(scope, zone)
        first, amount = target_instances(scope, zone)
        return narrow(binary("add", first, narrow(scope.lines.load(seat), 0, amount - 1)), 0, target.amount - 1)

    lines.store(seat, number(0))
    machine.place_label(next_seat)
    lines.store(left, as_number(machine.new_scope().lower_needed(drawn.count)))
    machine.place_label(again)
    done = machine.new_label("enough drawn")
    machine.go_if(compare("<=", lines.load(left), number(0)), done)
    if drawn.is_thrown:
        stop_without_dice(machine, drawn, origin)
    question = questions.draw_question(machine, drawn, origin, target, left, target_index)
    scope = machine.new_scope()
    none = lines.bind(compare("=", call_for_player(question.amount, scope), number(0)))
    with lines.when(none):
        if not drawn.is_up_to:
            scope.emit_fault("empty-zone", node)
            machine.go_to("stuck")
        machine.go_to(done)
    questions.stop_for_question(machine, question, machine.new_label("after draw"))
    machine.go_if(compare("is not", machine.load("fault"), number(0)), "stuck")
    machine.go_to(again)
    machine.place_label(done)
    if drawn.is_each:
        _, amount = target_instances(machine.new_scope(), zone)
        machine.charge_work(machine.plan.costs.loop_cost(one))
        lines.store(seat, binary("add", lines.load(seat), number(1)))
        machine.go_if(compare("<", lines.load(seat), number(amount)), next_seat)
    machine.place_label(over)
    machine.forget_fields(left, seat)


def stop_without_dice(machine: Machine, drawn: Draw, box: Store) -> None:
    scope = machine.new_scope()
    with machine.lines.when(machine.lines.bind(has_no_dice_left(scope, box))):
        scope.emit_fault("too-few", drawn.node)
        machine.go_to("stuck")


def target_instances(scope: Scope, target: Contents) -> tuple[Value, int]:
    """The first instance and how many: seat by seat, key by key."""
    room = target.room
    if target.owner is not None:
        owner = places.lower_player(scope, target.owner)
        first = scope.lines.bind(binary("mul", binary("sub", owner, number(1)), number(room.per_player)))
        return first, room.per_player
    return number(0), room.amount


@frozen(eq=False)
class DrawRoute:
    """From whose chance to which place a component goes."""

    stream: Value
    room: ZoneRoom
    index: Callable[[], Value]


class DrawWriter:
    """One statement that draws: so many, one at a time."""

    def __init__(self, machine: Machine, drawn: Draw, origin: Store, target: Store, stream: int) -> None:
        self.machine, self.drawn, self.origin, self.target, self.stream = machine, drawn, origin, target, stream

    def draw_components(self, count: Value, target_index: Callable[[Scope], Value]) -> None:
        machine, lines, drawn = self.machine, self.machine.lines, self.drawn
        wanted = lines.bind(as_number(count))
        left = lines.variable(wanted, "n")
        with lines.loop() as done:
            lines.leave(done, compare("<=", left, number(0)))
            scope = machine.new_scope()
            index = lines.bind(places.place_index(scope, drawn.origin))
            kind = self.draw_one(scope, index, lambda: target_index(scope), done)
            to = lines.bind(target_index(scope))
            locations.put_drawn(scope, self.target, to, kind, drawn)
            lines.add_to(left, number(-1))
        came = lines.bind(binary("sub", wanted, left))
        with lines.when(compare(">", came, number(0))):
            machine.note_chance(came)

    def draw_one(self, scope: Scope, index: Value, to: Callable[[], Value], done: str) -> Value:
        """One component at random, taken out."""
        stream = binary("add", number(self.stream), index)
        kind = scope.lines.variable(number(-1), "k")
        if self.drawn.is_thrown:
            with scope.lines.when(has_no_dice_left(scope, self.origin)):
                scope.emit_fault("too-few", self.drawn.node)
                scope.lines.leave(done)
        with scope.lines.block() as found:
            for part in containers.parts_of(self.origin):
                if scope.plan.luck is not None:
                    way = DrawRoute(stream, self.drawn.target.room, to)
                    fits, is_thrown = self.fits_condition, self.drawn.is_thrown
                    scope.plan.luck.draw(scope, part, index, fits, way, kind, found, is_thrown)
                elif self.drawn.is_thrown:
                    throw_from_box(scope, part, index, stream, kind, found)
                elif self.drawn.condition is None:
                    draw_from_part(scope, part, index, stream, kind, found)
                else:
                    self.draw_fitting(scope, part, index, stream, kind, found)
            if not self.drawn.is_up_to:
                scope.emit_fault("empty-zone", self.drawn.node)
            scope.lines.leave(done)
        return narrow(kind, 0, len(self.origin.kinds) - 1)

    def fits_condition(self, scope: Scope, kind: Value) -> Value:
        return questions.fits_condition(scope, self.drawn, kind)

    def draw_fitting(self, scope: Scope, part: Store, index: Value, stream: Value, kind: Value, found: str) -> None:
        lines = scope.lines
        if part.shape == "row":
            self.draw_fitting_from_row(scope, part, index, stream, kind, found)
            return
        if part.shape == "counts":
            self.draw_fitting_from_counts(scope, part, index, stream, kind, found)
            return
        mask = lines.variable(constant_set(part.set_type, 0), "m")

        def visit(one: Value) -> None:
            with lines.when(self.fits_condition(scope, one)):
                lines.set(mask, Value("or", part.set_type, (mask, singleton(part.set_type, one))))

        containers.for_each_member(scope, part, index, visit)
        with lines.when(invert(is_empty(mask))):
            which = random_below(scope, count_bits(mask), stream)
            lines.set(kind, Value("kth", NUMBER, (mask, which)))
            locations.take_drawn(scope, part, index, narrow(kind, 0, len(part.kinds) - 1))
            lines.leave(found)

    def draw_fitting_from_row(
        self, scope: Scope, part: Store, index: Value, stream: Value, kind: Value, found: str
    ) -> None:
        lines = scope.lines
        at = lines.variable(binary("sub", containers.length_of(scope, part, index), number(1)), "i")
        with lines.loop() as over:
            lines.leave(over, compare("<", at, number(0)))
            one = lines.bind(containers.item_at(scope, part, index, at), "k")
            with lines.when(self.fits_condition(scope, one)):
                random_below(scope, number(1), stream)
                lines.set(kind, one)
                locations.take_at_place(scope, part, index, at, one, number(0), locations.follows_draws(scope, part))
                lines.leave(found)
            lines.add_to(at, number(-1))

    def draw_fitting_from_counts(
        self, scope: Scope, part: Store, index: Value, stream: Value, kind: Value, found: str
    ) -> None:
        lines = scope.lines
        total = lines.variable(number(0), "n")

        def add(one: Value) -> None:
            with lines.when(self.fits_condition(scope, one)):
                lines.add_to(total, containers.amount_of(scope, part, index, one))

        lines.for_range(number(0), number(len(part.kinds) - 1), add)
        with lines.when(compare(">", total, number(0))):
            left = lines.variable(random_below(scope, total, stream), "n")

            def visit(one: Value) -> None:
                with lines.when(self.fits_condition(scope, one)):
                    lines.set(left, binary("sub", left, containers.amount_of(scope, part, index, one)))
                    with lines.when(compare("<", left, number(0))):
                        lines.set(kind, one)
                        locations.take_drawn(scope, part, index, one)
                        lines.leave(found)

            lines.for_range(number(0), number(len(part.kinds) - 1), visit)


def has_no_dice_left(scope: Scope, box: Store) -> Value:
    return compare("<=", containers.size_of(scope, box, number(0)), number(count_hidden_faces(box.kinds)))


def throw_from_box(scope: Scope, box: Store, index: Value, stream: Value, kind: Value, found: str) -> None:
    """A die: while one is left, the box has every face."""
    lines = scope.lines
    lines.set(kind, random_below(scope, number(len(box.kinds)), stream))
    locations.take_drawn(scope, box, index, narrow(kind, 0, len(box.kinds) - 1))
    lines.leave(found)


def draw_from_part(scope: Scope, part: Store, index: Value, stream: Value, kind: Value, found: str) -> None:
    lines = scope.lines
    size = lines.bind(containers.size_of(scope, part, index))
    with lines.when(compare(">", size, number(0))):
        if part.shape == "row":
            assert part.length is not None
            random_below(scope, number(1), stream)
            last = lines.bind(binary("sub", size, number(1)))
            lines.set(kind, containers.item_at(scope, part, index, last))
            lines.store(part.length, last, index)
            if locations.follows_draws(scope, part):
                locations.update_after_take(scope, part, index, last, kind, number(0))
        elif part.shape == "bits":
            which = random_below(scope, size, stream)
            lines.set(kind, Value("kth", NUMBER, (containers.members_of(scope, part, index), which)))
            locations.take_drawn(scope, part, index, narrow(kind, 0, len(part.kinds) - 1))
        else:
            left = lines.variable(random_below(scope, size, stream), "n")
            with lines.block() as chosen:
                def visit(one: Value) -> None:
                    lines.set(left, binary("sub", left, containers.amount_of(scope, part, index, one)))
                    with lines.when(compare("<", left, number(0))):
                        lines.set(kind, one)
                        lines.leave(chosen)

                lines.for_range(number(0), number(len(part.kinds) - 1), visit)
            locations.take_drawn(scope, part, index, narrow(kind, 0, len(part.kinds) - 1))
        lines.leave(found)


# ---- roll, lots, orders


def stream_of(scope: Scope, place: Assigned) -> Value:
    if isinstance(place, Current):
        return number(scope.plan.stream_number("starter"))
    first = number(first_stream(scope.plan, place.room))
    return binary("add", first, scope.lines.bind(places.place_index(scope, place)))


def lower_draw_value(machine: Machine, drawn: DrawValue) -> None:
    """The value that lies at a random number below the sum of the weights."""
    scope, target = machine.new_scope(), drawn.place
    values, weights = list_chances(scope.bench, drawn)
    if not all(isinstance(one, int) for one in values):
        raise CannotCompile(message("what is rolled is not a single value"))
    stream = stream_of(scope, target)
    if machine.asks_chance:
        possible = tuple(value for value, weight in zip(values, weights, strict=True) if weight)
        questions.stop_for_question(
            machine, questions.value_question(machine, target, drawn.node, possible), machine.new_label("after roll")
        )
        machine.go_if(compare("is not", machine.load("fault"), number(0)), "stuck")
        return
    total = sum(weights)
    machine.note_chance(number(1))
    at = random_below(scope, number(total), stream) if total < SMALL else random_below_large(scope, total, stream)
    if set(weights) == {1} and values == tuple(range(values[0], values[0] + total)):
        effects.assign_value(scope, target, binary("add", at, number(values[0])))
        return
    if total > MOST_WEIGHT:
        effects.assign_value(scope, target, look_up_by_weight(scope, at, values, weights))
        return
    spread = tuple(value for value, weight in zip(values, weights, strict=True) for _ in range(weight))
    effects.assign_value(scope, target, scope.lines.look_up(scope.plan.add_constants("faces", spread), at))


def look_up_by_weight(scope: Scope, at: Value, values: tuple[int, ...], weights: tuple[int, ...]) -> Value:
    """Fine chances: the first value whose sum of weights lies above the number."""
    lines, plan = scope.lines, scope.plan
    sums = plan.add_constants("sums of chances", tuple(accumulate(weights)))
    which = lines.variable(number(0), "i")
    with lines.loop() as done:
        lines.leave(done, compare("<", at, lines.look_up(sums, which)))
        lines.add_to(which, number(1))
    return lines.look_up(plan.add_constants("faces", values), narrow(which, 0, len(values) - 1))


# ---- a random order of all values: one question, whatever it is that is put in order


def lower_draw_order(machine: Machine, drawn: DrawOrder) -> None:
    """The n-th order, as words stand in a dictionary."""
    plan, scope, values = machine.plan, machine.new_scope(), values_in_order(machine.plan, drawn)
    length, most = len(values), MOST_NUMBERED if machine.asks_chance else MOST_ORDER
    if length > most or not all(isinstance(one, int) for one in values):
        raise CannotCompile(
            message(
                "`{declaration}` is an order of {length} values", declaration=drawn.room.declaration.name.text,
                length=length,
            ),
            drawn.node,
            message(
                "fewer values, {most} at most; or components with these numbers in a shuffled pile, drawn one by one",
                most=most,
            ),
        )
    if machine.asks_chance:
        questions.stop_for_question(machine, order_question(machine, drawn), machine.new_label("after order"))
        return
    machine.note_chance(number(1))
    stream = stream_of(scope, drawn.place)
    if factorial(length) >= SMALL and plan.luck is not None:
        raise CannotCompile(message("an order of so many values needs the reference engine when tables are compared"))
    if factorial(length) >= SMALL:
        assign_order(scope, drawn, draw_words(scope, stream, factorial(length), length))
        return
    assign_order(scope, drawn, NumberedOrder(random_below(scope, number(factorial(length)), stream), length))


def values_in_order(plan: Plan, drawn: DrawOrder) -> tuple[Any, ...]:
    return list_values(plan.bench, drawn.room.item_type)


def order_question(machine: Machine, drawn: DrawOrder) -> questions.Question:
    plan, at = machine.plan, len(machine.waits) + 1
    length = len(values_in_order(plan, drawn))
    amount = factorial(length)

    def settle(scope: Scope, given: list[Value]) -> None:
        assign_order(scope, drawn, NumberedOrder(narrow(given[0], 0, amount - 1), length))

    return questions.Question(
        at, drawn.node, questions.question_function(plan, "ways of", at, (), NUMBER, lambda scope, _: number(amount)),
        questions.question_function(plan, "settle", at, ("which",), None, settle),
        questions.where_function(plan, at, drawn.place),
    )


class NumberedOrder:
    """The number of an order: which of those left comes next is a division away."""

    def __init__(self, number_: Value, length: int) -> None:
        self.number, self.length = number_, length

    def start_order(self, scope: Scope) -> None:
        self.left = scope.lines.variable(self.number, "n")

    def next_index(self, scope: Scope, done: int) -> Value:
        lines, step = scope.lines, number(factorial(self.length - 1 - done))
        now = lines.bind(narrow(self.left, 0, factorial(self.length)))
        lines.set(self.left, binary("mod", now, step))
        return binary("div", now, step)


class DrawnOrder:
    """The same number as chance gives it where it is too large for a word: some words, a fraction of all orders."""

    def __init__(self, words: Field, amount: int, length: int) -> None:
        self.words, self.amount, self.length = words, amount, length

    def start_order(self, scope: Scope) -> None: ...

    def next_index(self, scope: Scope, done: int) -> Value:
        found = Value("order digit", NUMBER, (number(self.amount), number(self.length - done)), self.words)
        return scope.lines.bind(found)


def draw_words(scope: Scope, stream: Value, orders: int, length: int) -> DrawnOrder:
    """As many words as the reference takes for so large a limit; the first weighs most."""
    bits = 64
    while orders >> (bits - 32):
        bits += 64
    plan, lines, amount = scope.plan, scope.lines, bits // 64
    plan.names += 1
    words = plan.add_scratch(f"words {plan.names}", 64, amount)
    for at in range(amount):
        word = Value("next word", NUMBER, (stream,), plan.fields["streams"])
        lines.store(words, lines.bind(word), number(amount - 1 - at))
    return DrawnOrder(words, amount, length)


def assign_order(scope: Scope, drawn: DrawOrder, order: NumberedOrder | DrawnOrder) -> None:
    """One after another of those that are left."""
    plan, lines, values = scope.plan, scope.lines, values_in_order(scope.plan, drawn)
    length, kind = len(values), set_type(len(values))
    index = lines.bind(binary("mul", places.place_index(scope, drawn.place), number(length)))
    order.start_order(scope)
    left = lines.variable(constant_set(kind, (1 << length) - 1), "m")
    place = plan.variables[id(drawn.room.declaration)]
    table = plan.add_constants("values", tuple(int(one) for one in values))
    for done in range(length):
        at = lines.bind(narrow(Value("kth", NUMBER, (left, order.next_index(scope, done))), 0, length - 1))
        lines.set(left, set_difference(left, singleton(kind, at)))
        lines.store(place, lines.look_up(table, at), binary("add", index, number(done)))
