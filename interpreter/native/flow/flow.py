"""The instructions of the flow as lines with labels: rounds, phases, turns, loops; one function for each kind, named as
in the reference. What waits for an answer is written by `chance` and `decisions`, in the form that the machine is for:
random games, or one answer at a time.
"""

from __future__ import annotations

from typing import assert_never

from rulesrun.dsl.text.messages import message
from rulesrun.interpreter.form.form import (
    NOTHING,
    NUMBER,
    YES,
    CannotCompile,
    Field,
    Value,
    as_number,
    binary,
    compare,
    constant_of,
    invert,
    local,
    narrow,
    number,
)
from rulesrun.interpreter.model.core import Each, Operand, Order
from rulesrun.interpreter.model.instructions import (
    BeginGame,
    BeginRound,
    BeginTurn,
    BeginTurns,
    CountDown,
    EachStep,
    EndEach,
    EndTurns,
    EnterPhase,
    FindTurn,
    GameStep,
    GatherElements,
    GatherSeats,
    MoveOn,
    NextElement,
    NextRound,
    Over,
    Rank,
    RepeatStep,
    SetTimes,
    Slot,
    TurnSlots,
    TurnStep,
    Until,
)
from rulesrun.interpreter.native.expressions import kept_lists, lists, locations, scales
from rulesrun.interpreter.native.expressions.builtin_words import next_seat
from rulesrun.interpreter.native.expressions.collections import ValueList
from rulesrun.interpreter.native.expressions.gathering import listed_where_they_lie, lower_binder
from rulesrun.interpreter.native.expressions.lists import collect_values, list_scratch, sort_list
from rulesrun.interpreter.native.flow import moments, scores
from rulesrun.interpreter.native.layout.machine import Machine
from rulesrun.interpreter.native.layout.plan import LEFT, Scope

MOST_GONE_THROUGH = 1 << 15


def lower_flow(machine: Machine) -> None:
    """Every instruction that can be reached, in their order."""
    flow = machine.plan.table.flow
    for at, instruction in enumerate(flow.instructions):
        machine.asked_before.append(len(machine.waits))
        machine.come_to(flow.labels.get(at, ()))
        machine.instruction, machine.scope = instruction, flow.scopes[at]
        if machine.is_reached:
            machine.lower(machine, instruction)
    machine.asked_before.append(len(machine.waits))


# ---- rounds and phases


def lower_game(machine: Machine, one: GameStep) -> None:
    match one:
        case BeginGame(_, variables):
            for variable in variables:
                moments.reset_variable(machine, variable)
        case BeginRound():
            lower_begin_round(machine, one)
        case NextRound():
            lower_next_round(machine, one)
        case EnterPhase(_, number_):
            machine.store("phase", number(number_))
            machine.store("player", machine.load("starter"))
            machine.notes.on_phase_begin(machine, number_)
        case Rank():
            scores.finish_scoring(machine)
        case Over():
            machine.notes.on_game_end(machine)
            machine.go_to("end")
        case _:
            assert_never(one)


def lower_begin_round(machine: Machine, one: BeginRound) -> None:
    lines, n = machine.lines, machine.plan.bench.players
    moments.lower_reset(machine, one)
    now = lines.bind(binary("add", machine.load("round"), number(1)))
    machine.store("round", now)
    if one.step:
        with lines.when(compare(">", now, number(1))):
            starter = narrow(machine.load("starter"), 1, n)
            step = number((one.step - 1) % n)
            following = binary("add", binary("mod", binary("add", starter, step), number(n)), number(1))
            machine.store("starter", lines.bind(following))
    machine.store("player", machine.load("starter"))
    machine.store("phase", number(0))


def lower_next_round(machine: Machine, one: NextRound) -> None:
    goes_on = invert(lower_is_over(machine, one))
    if constant_of(goes_on) != 0:
        with machine.lines.when(goes_on):
            machine.loop_back(one.again, machine.plan.costs.round_cost(one))


def lower_is_over(machine: Machine, one: NextRound) -> Value:
    if one.until is not None:
        return machine.new_scope().lower_condition(one.until)
    if one.count is None:
        return YES
    scope = machine.new_scope()
    return compare(">=", machine.load("round"), scope.lower_needed(one.count))


# ---- turns


def lower_turns(machine: Machine, one: TurnStep) -> None:
    match one:
        case BeginTurns():
            lower_begin_turns(machine, one)
        case FindTurn():
            lower_find_turn(machine, one)
        case BeginTurn(_, is_of_game):
            if is_of_game:
                machine.notes.on_turn_begin(machine)
        case MoveOn():
            lower_move_on(machine, one)
        case EndTurns():
            seat, looked, excluded, kept = turn_fields(machine, one.slots)
            machine.store("player", machine.lines.load(kept))
            machine.forget_fields(seat, looked, excluded, kept)
        case _:
            assert_never(one)


def turn_fields(machine: Machine, slots: TurnSlots) -> tuple[Field, Field, Field, Field]:
    """Whose turn may be next, how many have been looked at, who is left out, who was `player` before."""
    (seat,), (looked,), (excluded,), (before,) = (
        machine.registers[slot] for slot in (slots.seat, slots.looked, slots.excluded, slots.before)
    )
    return seat, looked, excluded, before


def lower_begin_turns(machine: Machine, one: BeginTurns) -> None:
    lines, slots = machine.lines, one.slots
    seat, kept = machine.keep(slots.seat, "seat"), machine.keep(slots.before, "player before")
    looked, excluded = machine.keep(slots.looked, "looked at"), machine.keep(slots.excluded, "left out", NOTHING)
    scope = machine.new_scope()
    lines.store(kept, scope.player)
    lines.store(looked, number(0))
    out = as_number(scope.lower_value(one.excluded)) if one.excluded is not None else number(NOTHING)
    lines.store(excluded, out)
    start = lines.bind(scope.lower_needed(one.start))
    lines.store(seat, start)
    machine.store("player", start)


def lower_find_turn(machine: Machine, one: FindTurn) -> None:
    """Whose turn it is; to `done` when there is nobody (left)."""
    lines, n = machine.lines, machine.plan.bench.players
    seat, looked, excluded, _ = turn_fields(machine, one.slots)
    if one.skipping is None and not one.is_once:
        machine.store("player", lines.load(seat))
        return
    count = lines.variable(number(0), "n") if not one.is_once else lines.variable(lines.load(looked), "n")
    found = machine.new_label("found")
    with lines.loop() as over:
        lines.leave(over, compare(">=", count, number(n)))
        here = lines.bind(narrow(lines.load(seat), 1, n))
        machine.store("player", here)
        fits = YES
        if one.is_once and one.leaves_out:
            fits = compare("is not", here, lines.load(excluded))
        if one.skipping is not None:
            outer, skipping = lines.variable(fits, "f"), one.skipping
            with lines.when(outer):
                lines.set(outer, invert(machine.new_scope().lower_condition(skipping)))
            fits = outer
        machine.go_if(fits, found)
        go_on(machine, one.following, seat, here)
        lines.add_to(count, number(1))
        if one.is_once:
            lines.store(looked, count)
    machine.go_to(one.done)
    machine.place_label(found)


def go_on(machine: Machine, following: Operand | None, seat: Field, here: Value) -> None:
    """To whose turn comes next, asked of the one whose seat it is."""
    lines = machine.lines
    if following is None:
        lines.store(seat, lines.bind(next_seat(machine.new_scope(), here)))
        return
    machine.store("player", here)
    lines.store(seat, lines.bind(machine.new_scope().lower_needed(following)))


def lower_move_on(machine: Machine, one: MoveOn) -> None:
    lines, (seat, looked, _, _) = machine.lines, turn_fields(machine, one.slots)
    go_on(machine, one.following, seat, narrow(lines.load(seat), 1, machine.plan.bench.players))
    if one.is_once:
        lines.store(looked, binary("add", lines.load(looked), number(1)))


# ---- repetition


def lower_repeat(machine: Machine, one: RepeatStep) -> None:
    lines = machine.lines
    match one:
        case SetTimes(_, times, slot):
            lines.store(machine.keep(slot, "times left"), machine.new_scope().lower_needed(times))
        case CountDown(_, slot, done):
            (left,) = machine.registers[slot]
            now = lines.bind(lines.load(left))
            with lines.when(compare("<=", now, number(0))):
                lines.store(left, number(0))
                machine.go_to(done)
            lines.store(left, binary("sub", now, number(1)))
        case Until(_, until, done):
            machine.go_if(machine.new_scope().lower_condition(until), done)
        case _:
            assert_never(one)


# ---- each


def lower_each(machine: Machine, one: EachStep) -> None:
    match one:
        case GatherElements():
            lower_gather_elements(machine, one)
        case GatherSeats():
            lower_gather_seats(machine, one)
        case NextElement():
            lower_next_element(machine, one)
        case EndEach():
            lower_end_each(machine, one)
        case _:
            assert_never(one)


def lower_gather_seats(machine: Machine, one: GatherSeats) -> None:
    """The seats that fit are found first, then the body once for each."""
    lines, n = machine.lines, machine.plan.bench.players
    assert one.slots.before is not None
    scope = machine.new_scope()
    kept, seats = machine.keep(one.slots.before, "player before"), machine.plan.add_field("seats", 64, n + 1)
    lines.store(kept, scope.player)
    amount, at = lines.variable(number(0), "n"), lines.variable(number(0), "i")
    first = lines.bind(scope.lower_needed(one.start)) if one.start is not None else number(1)
    with lines.loop() as over:
        lines.leave(over, compare(">=", at, number(n)))
        place = binary("sub", binary("add", first, local(at.extra, NUMBER, 0, n - 1)), number(1))
        seat = lines.bind(narrow(binary("add", binary("mod", place, number(n)), number(1)), 1, n))
        fits = compare("=", number(0), number(0))
        if one.condition is not None:
            fits = scope.for_player(seat).lower_condition(one.condition)
        with lines.when(fits):
            lines.store(seats, seat, amount)
            lines.add_to(amount, number(1))
        lines.add_to(at, number(1))
    found = ValueList(seats, amount, 1, n, limit=n)
    if one.order is not None:
        keys, levels = (
            collect_keys(scope, one.order, found, is_player=True),
            lists.list_depth_of(scope, one.order.key),
        )
        sort_list(scope, found, keys, one.order.reverse, levels)
    keep_elements(machine, one.slots.left, seats, amount)


def collect_keys(scope: Scope, order: Order, found: ValueList, is_player: bool) -> ValueList:

    def key(one: Value) -> Value:
        inner = scope.for_player(one).inner_scope() if is_player else scope.inner_scope()
        with inner.element(order, one):
            return inner.lower_exact(order.key)

    return collect_values(scope, found, key)


def lower_gather_elements(machine: Machine, one: GatherElements) -> None:
    """What there is at the beginning is gone through, whatever the body moves."""
    plan, lines, each = machine.plan, machine.lines, one.each
    scope = machine.new_scope()
    name = f"each {each.name.text if each.name is not None else 'it'}"
    if lists.list_depth_of(scope, each.collection) > 1:
        gather_lists(machine, one, name)
        return
    if id(each) not in plan.fixed_names:
        is_whole = scales.scale_of(plan, each.collection) == 1
        plan.fixed_names[id(each)] = (
            plan.add_value_field(name) if is_whole else plan.add_field(name, 64, 1, NOTHING)
        )
    collection = lower_binder(scope, each)
    if collection.limit > MOST_GONE_THROUGH:
        raise CannotCompile(message("`each` goes through too many values"))
    place, amount = plan.add_field("each", 64, collection.limit + 1), lines.variable(number(0), "n")
    ahead = places_ahead(machine, each)

    def note(value: Value, where: Value | None = None) -> None:
        lines.store(place, as_number(value), amount)
        if ahead is not None and where is not None:
            lines.store(ahead.places, where, amount)
        lines.add_to(amount, number(1))

    if ahead is not None:
        collection.for_each_located(scope, note)
        lines.store(ahead.amount, amount)
        lines.store(ahead.gone, number(0))
    else:
        collection.for_each(scope, note)
    if one.order is not None:
        sort_elements(scope, each, one.order, ValueList(place, amount, limit=collection.limit), ahead)
    keep_elements(machine, one.slots.left, place, amount)


def gather_lists(machine: Machine, one: GatherElements, name: str) -> None:
    """The same, where each is a list of its own: all lie side by side, in as many cells."""
    plan, lines, scope, node, each = machine.plan, machine.lines, machine.new_scope(), one.node, one.each
    written = each.collection
    levels = lists.list_depth_of(scope, written)
    register = kept_lists.register_of(plan, each, name, written, levels - 1)
    most = max(min(kept_lists.lengths(plan, written, levels)[0], kept_lists.MOST_CELLS // register.wide), 1)
    place = plan.add_field("each", 64, most * register.wide)
    followed = several_followed(machine, each) if one.several is not None else None
    if followed is not None and one.several is not None:
        found = gather_several(scope, one.several, followed)
    else:
        found = collect_values(scope, lower_binder(scope, each))
    if one.order is not None:
        sort_elements(scope, each, one.order, found, None)
    too_many = lines.bind(compare(">", found.amount, number(most)))
    scope.emit_fault_if(too_many, LEFT, node)
    with lines.when(too_many):
        lines.set(found.amount, number(0))
    lines.for_range(number(0), binary("sub", found.amount, number(1)), lambda at: kept_lists.keep_list(
        scope, lines.bind(found.item_at(scope, at)), register, node, place, binary("mul", at, number(register.wide))
    ))
    keep_elements(machine, one.slots.left, place, binary("mul", found.amount, number(register.wide)))


def several_followed(machine: Machine, each: Each) -> locations.Ahead | None:
    """Of several components that have one name: where they lie."""
    followed = locations.followed_places_of(machine.plan, each)
    return followed.several if followed is not None else None


def gather_several(scope: Scope, several: Operand, followed: locations.Ahead) -> ValueList:
    """The one list of them; each is followed from here on."""
    lines = scope.lines
    named = listed_where_they_lie(scope, scope.lower_collection(several), lambda one, place: (one, place))
    where, items = named.where, list_scratch(scope, 1)
    assert where is not None
    lines.store(followed.amount, named.amount)
    lines.store(followed.gone, number(0))
    lines.for_range(number(0), binary("sub", named.amount, number(1)), lambda at: lines.store(
        followed.places, lines.load(where, at), at
    ))
    lines.store(items, lists.store_list(scope, named))
    return ValueList(items, number(1), limit=1)


def sort_elements(
    scope: Scope, each: Each, order: Order, found: ValueList, ahead: locations.Ahead | None
) -> None:
    where = ValueList(ahead.places, found.amount, limit=found.limit) if ahead is not None else None

    def key(one: Value, place: Value | None = None) -> Value:
        inner = scope.inner_scope()
        inner.names[id(each)] = one
        if place is not None:
            inner.spots[id(each)] = place
        with inner.element(order, one):
            return inner.lower_exact(order.key)

    if where is None:
        sort_list(
            scope, found, collect_values(scope, found, key), order.reverse, lists.list_depth_of(scope, order.key)
        )
        return
    lines, keys = scope.lines, list_scratch(scope, found.limit)
    lines.for_range(number(0), binary("sub", found.amount, number(1)), lambda at: lines.store(
        keys, key(lines.bind(found.item_at(scope, at)), lines.bind(where.item_at(scope, at))), at
    ))
    levels, by = lists.list_depth_of(scope, order.key), ValueList(keys, found.amount, limit=found.limit)
    sort_list(scope, found, by, order.reverse, levels, (where,))


def places_ahead(machine: Machine, each: Each) -> locations.Ahead | None:
    """Where equal components lie in an order: where those lie that are still to come."""
    followed = followed_places_of(machine, each)
    return followed.several if followed is not None else None


def followed_places_of(machine: Machine, each: Each) -> locations.FollowedPlaces | None:
    is_followed = id(each) in machine.plan.bench.located and id(each) not in machine.plan.lists
    return locations.followed_places_of(machine.plan, each) if is_followed else None


def keep_elements(machine: Machine, left: Slot, values: Field, amount: Value) -> None:
    """All of them are still to come."""
    at, end = machine.new_register("at"), machine.new_register("how many")
    machine.registers[left] = values, at, end
    machine.lines.store(at, number(0))
    machine.lines.store(end, amount)


def lower_next_element(machine: Machine, one: NextElement) -> None:
    lines, (values, at, end) = machine.lines, machine.registers[one.slots.left]
    now = lines.bind(lines.load(at))
    machine.go_if(compare(">=", now, lines.load(end)), one.done)
    register = element_field(machine, one.binder)
    if register.amount == 1:
        lines.store(register, lines.load(values, now))
    else:
        lines.for_range(number(0), number(register.amount - 1), lambda step: lines.store(
            register, lines.load(values, binary("add", now, step)), step
        ))
    lines.store(at, binary("add", now, number(register.amount)))
    followed = followed_places_of(machine, one.binder) if one.binder is not None else None
    if followed is not None and followed.several is not None:
        ahead = followed.several
        lines.store(followed.now, lines.load(ahead.places, now))
        lines.store(ahead.places, number(0), now)
        lines.store(ahead.gone, binary("add", now, number(1)))


def element_field(machine: Machine, binder: Each | None) -> Field:
    plan = machine.plan
    return plan.fixed_names[id(binder)] if binder is not None else plan.fields["player"]


def lower_end_each(machine: Machine, one: EndEach) -> None:
    values, at, end = machine.registers[one.slots.left]
    machine.forget_fields(at, end, values)
    if one.slots.before is not None:
        lower_restore_player(machine, one.slots.before)
    elif one.binder is not None:
        followed = followed_places_of(machine, one.binder)
        ahead = several_followed(machine, one.binder) if one.is_several else None
        held = followed.fields if followed is not None else [ahead.places, ahead.amount, ahead.gone] if ahead else ()
        machine.forget_fields(element_field(machine, one.binder), *held)


def lower_restore_player(machine: Machine, slot: Slot) -> None:
    (kept,) = machine.registers[slot]
    machine.store("player", machine.lines.load(kept))
    machine.forget_fields(kept)
