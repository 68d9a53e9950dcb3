"""The flow of a game as lines with labels: setup, rounds, phases, turns, loops. Takes a plan, writes the machine.

It follows the reference's operations one by one; what waits for an answer is written by
`chance` and `decisions`, in the form that the machine is for: random games, or one answer at a time.
"""

from __future__ import annotations

from rulesrun.dsl import ast
from rulesrun.dsl.text.messages import message
from rulesrun.interpreter.form.form import (
    NOTHING,
    NUMBER,
    CannotCompile,
    Field,
    Value,
    as_number,
    binary,
    compare,
    invert,
    local,
    narrow,
    number,
)
from rulesrun.interpreter.native.expressions import kept_lists, list_values, locations, scales
from rulesrun.interpreter.native.expressions.builtin_words import next_seat
from rulesrun.interpreter.native.expressions.collections import ValueList
from rulesrun.interpreter.native.expressions.gathering import lower_binder
from rulesrun.interpreter.native.expressions.lists import collect_values, list_scratch, sort_list
from rulesrun.interpreter.native.flow import moments, scores
from rulesrun.interpreter.native.layout.machine import Machine
from rulesrun.interpreter.native.layout.plan import LEFT, Scope

MOST_GONE_THROUGH = 1 << 15


def lower_game(machine: Machine) -> None:
    bench = machine.plan.bench
    machine.ends.game = "game over"
    for variable in bench.declarations(ast.Variable):
        moments.reset_variable(machine, variable)
    machine.notes.after_event(machine)
    for setup in bench.declarations(ast.Setup):
        if not setup.each_round:
            machine.lower_body(setup.body)
    machine.place_label("again")
    lower_round_start(machine)
    machine.ends.round = "round over"
    for setup in bench.declarations(ast.Setup):
        if setup.each_round:
            machine.lower_body(setup.body)
    for number_, one in enumerate(bench.declarations(ast.Phase)):
        lower_phase(machine, one, number_)
    machine.ends.round = None
    machine.place_label("round over")
    moments.judge_at_moment(machine, "round")
    scores.count_points(machine, "round")
    machine.go_if(invert(lower_is_over(machine)), "next round")
    machine.place_label("game over")
    scores.count_points(machine, "end")
    scores.finish_scoring(machine)
    moments.judge_at_moment(machine, "game")
    machine.notes.on_game_end(machine)
    machine.go_to("end")
    machine.place_label("next round")
    machine.loop_back("again", machine.plan.costs.round_cost())


def lower_round_start(machine: Machine) -> None:
    bench, lines = machine.plan.bench, machine.lines
    rounds, n = bench.declarations(ast.Rounds), bench.players
    moves = rounds[0].moves if rounds else None
    machine.notes.before_event(machine)
    moments.reset_at_moment(machine, "round")
    now = lines.bind(binary("add", machine.load("round"), number(1)))
    machine.store("round", now)
    if moves in {"left", "right"}:
        with lines.when(compare(">", now, number(1))):
            starter = narrow(machine.load("starter"), 1, n)
            step = number(0 if moves == "left" else n - 2)
            following = binary("add", binary("mod", binary("add", starter, step), number(n)), number(1))
            machine.store("starter", lines.bind(following))
    machine.store("player", machine.load("starter"))
    machine.store("phase", number(0))
    machine.notes.after_event(machine)


def lower_is_over(machine: Machine) -> Value:
    rounds = machine.plan.bench.declarations(ast.Rounds)
    if not rounds:
        return compare("=", number(0), number(0))
    scope = machine.new_scope()
    if rounds[0].until is not None:
        return scope.lower_condition(rounds[0].until)
    return compare(">=", machine.load("round"), scope.lower_needed(rounds[0].count))


def lower_phase(machine: Machine, node: ast.Phase, number_: int) -> None:
    over = machine.new_label("after phase")
    if node.when is not None:
        machine.go_if(invert(machine.new_scope().lower_condition(node.when)), over)
    machine.notes.before_event(machine)
    machine.store("phase", number(number_))
    machine.notes.after_event(machine)
    machine.store("player", machine.load("starter"))
    machine.notes.on_phase_begin(machine, number_)
    machine.ends.phase = over
    match node.loop:
        case ast.Turns():
            inside = machine.new_label("phase over")
            machine.ends.phase = inside
            lower_turns(machine, node.loop, node.body, inside)
        case ast.Repeat():
            lower_repeat(machine, node.loop, node.body, of_phase=True)
        case None:
            lower_phase_body(machine, node, node.body)
    machine.ends.phase = None
    machine.place_label(over)


# ---- turns


def lower_turns(machine: Machine, node: ast.Turns, body: tuple[ast.Statement, ...], done: str) -> None:
    lines, again = machine.lines, machine.new_label("turn")
    seat, kept = machine.new_register("seat", 0), machine.new_register("player before", 0)
    looked, excluded = machine.new_register("looked at"), machine.new_register("left out", NOTHING)
    machine.record_registers(node, "turns", seat, looked, excluded, kept)
    scope = machine.new_scope()
    lines.store(kept, scope.player)
    lines.store(looked, number(0))
    out = as_number(scope.lower_value(node.excluded)) if node.excluded is not None else number(NOTHING)
    lines.store(excluded, out)
    start = lines.bind(scope.lower_needed(node.start))
    lines.store(seat, start)
    machine.store("player", start)
    machine.place_label(again)
    if node.until is not None:
        machine.go_if(machine.new_scope().lower_condition(node.until), done)
    find_next_turn(machine, node, seat, looked, excluded, done)
    is_turn = not machine.in_turn
    if is_turn:
        machine.notes.on_turn_begin(machine)
        reset_for_turn(machine)
    machine.in_turn = True
    lower_turn_body(machine, body)
    machine.in_turn = not is_turn
    if is_turn:
        moments.judge_at_moment(machine, "turn")
    move_on(machine, node, seat, narrow(lines.load(seat), 1, machine.plan.bench.players))
    if node.once:
        lines.store(looked, binary("add", lines.load(looked), number(1)))
    machine.loop_back(again, machine.plan.costs.loop_cost(node, body))
    machine.place_label(done)
    machine.store("player", lines.load(kept))
    machine.forget_fields(seat, looked, excluded, kept)


def find_next_turn(machine: Machine, node: ast.Turns, seat: Field, looked: Field, excluded: Field, done: str) -> None:
    """Whose turn it is; to `done` when there is nobody (left)."""
    lines, n = machine.lines, machine.plan.bench.players
    if node.skipping is None and not node.once:
        machine.store("player", lines.load(seat))
        return
    count = lines.variable(number(0), "n") if not node.once else lines.variable(lines.load(looked), "n")
    found = machine.new_label("found")
    with lines.loop() as over:
        lines.leave(over, compare(">=", count, number(n)))
        here = lines.bind(narrow(lines.load(seat), 1, n))
        machine.store("player", here)
        fits: Value = compare("=", number(0), number(0))
        if node.once and node.excluded is not None:
            fits = compare("is not", here, lines.load(excluded))
        if node.skipping is not None:
            outer, skipping = lines.variable(fits, "f"), node.skipping
            with lines.when(outer):
                lines.set(outer, invert(machine.new_scope().lower_condition(skipping)))
            fits = outer
        machine.go_if(fits, found)
        move_on(machine, node, seat, here)
        lines.add_to(count, number(1))
        if node.once:
            lines.store(looked, count)
    machine.go_to(done)
    machine.place_label(found)


def move_on(machine: Machine, node: ast.Turns, seat: Field, here: Value) -> None:
    """To whose turn comes next, asked of the one whose seat it is."""
    lines = machine.lines
    if node.following is None:
        lines.store(seat, lines.bind(next_seat(machine.new_scope(), here)))
        return
    machine.store("player", here)
    lines.store(seat, lines.bind(machine.new_scope().lower_needed(node.following)))


def reset_for_turn(machine: Machine) -> None:
    is_seen = any(one.reset == "turn" for one in machine.plan.bench.declarations(ast.Variable))
    if is_seen:
        machine.notes.before_event(machine)
    moments.reset_at_moment(machine, "turn")
    if is_seen:
        machine.notes.after_event(machine)


def lower_turn_body(machine: Machine, body: tuple[ast.Statement, ...]) -> None:
    turn_over = machine.new_label("turn over")
    outer, machine.ends.turn = machine.ends.turn, turn_over
    machine.lower_body(body)
    machine.ends.turn = outer
    machine.place_label(turn_over)


def lower_repeat(machine: Machine, node: ast.Repeat, body: tuple[ast.Statement, ...], of_phase: bool = False) -> None:
    lines, again, done = machine.lines, machine.new_label("once more"), machine.new_label("enough")
    left = machine.new_register("times left") if node.times is not None else None
    if node.times is not None and left is not None:
        machine.record_registers(node, "repeat", left)
        lines.store(left, machine.new_scope().lower_needed(node.times))
    machine.place_label(again)
    if left is not None:
        now = lines.bind(lines.load(left))
        with lines.when(compare("<=", now, number(0))):
            lines.store(left, number(0))
            machine.go_to(done)
        lines.store(left, binary("sub", now, number(1)))
    if node.until is not None:
        machine.go_if(machine.new_scope().lower_condition(node.until), done)
    if of_phase:
        lower_phase_body(machine, node, body)
    else:
        machine.lower_body(body)
    machine.loop_back(again, machine.plan.costs.loop_cost(node, body))
    machine.place_label(done)


def lower_phase_body(machine: Machine, node: ast.Node, body: tuple[ast.Statement, ...]) -> None:
    """Of a phase whose header has no turns: a turn, unless they hold turns."""
    is_turn = node in machine.plan.table.turns_begun.values()
    if is_turn:
        machine.notes.on_turn_begin(machine)
    reset_for_turn(machine)
    lower_turn_body(machine, body)
    if is_turn:
        moments.judge_at_moment(machine, "turn")


# ---- each


def lower_each_player(machine: Machine, node: ast.EachPlayer) -> None:
    """The seats that fit are found first, then the body once for each."""

    lines, n = machine.lines, machine.plan.bench.players
    scope = machine.new_scope()
    kept, seats = machine.new_register("player before"), machine.plan.add_field("seats", 64, n + 1)
    machine.record_registers(node, "player before", kept)
    lines.store(kept, scope.player)
    amount, at = lines.variable(number(0), "n"), lines.variable(number(0), "i")
    first = lines.bind(scope.lower_needed(node.start)) if node.start is not None else number(1)
    with lines.loop() as over:
        lines.leave(over, compare(">=", at, number(n)))
        place = binary("sub", binary("add", first, local(at.extra, NUMBER, 0, n - 1)), number(1))
        one = lines.bind(narrow(binary("add", binary("mod", place, number(n)), number(1)), 1, n))
        fits = compare("=", number(0), number(0))
        if node.condition is not None:
            fits = scope.for_player(one).lower_condition(node.condition)
        with lines.when(fits):
            lines.store(seats, one, amount)
            lines.add_to(amount, number(1))
        lines.add_to(at, number(1))
    found = ValueList(seats, amount, 1, n, limit=n)
    if node.order is not None:
        keys, levels = (
            collect_keys(scope, node.order, found, is_player=True),
            list_values.list_depth_of(scope, node.order.key),
        )
        sort_list(scope, found, keys, node.order.reverse, levels)
    lower_each_loop(machine, node, (seats, amount), machine.plan.fields["player"], node.body)
    machine.store("player", lines.load(kept))
    machine.forget_fields(kept)


def collect_keys(scope: Scope, order: ast.Order, found: ValueList, is_player: bool) -> ValueList:

    def key(one: Value) -> Value:
        inner = scope.for_player(one).inner_scope() if is_player else scope.inner_scope()
        with inner.element(order, one):
            return inner.lower_exact(order.key)

    return collect_values(scope, found, key)


def lower_for_each(machine: Machine, node: ast.ForEach) -> None:
    """What there is at the beginning is gone through, whatever the body moves."""

    plan, lines = machine.plan, machine.lines
    scope = machine.new_scope()
    name = f"each {node.each.name.text if node.each.name is not None else 'it'}"
    if list_values.list_depth_of(scope, node.each.collection) > 1:
        for_each_list(machine, node, name)
        return
    if id(node.each) not in plan.fixed_names:
        is_whole = scales.scale_of(plan, node.each.collection) == 1
        plan.fixed_names[id(node.each)] = (
            plan.add_value_field(name) if is_whole else plan.add_field(name, 64, 1, NOTHING)
        )
    collection = lower_binder(scope, node.each)
    if collection.limit > MOST_GONE_THROUGH:
        raise CannotCompile(message("`each` goes through too many values"))
    place, amount = plan.add_field("each", 64, collection.limit + 1), lines.variable(number(0), "n")
    followed = locations.followed_places_of(plan, node.each) if id(node.each) in plan.bench.located else None
    ahead = followed.several if followed is not None else None

    def note(one: Value, where: Value | None = None) -> None:
        lines.store(place, as_number(one), amount)
        if ahead is not None and where is not None:
            lines.store(ahead.places, where, amount)
        lines.add_to(amount, number(1))

    if ahead is not None:
        collection.for_each_located(scope, note)
        lines.store(ahead.amount, amount)
        lines.store(ahead.gone, number(0))
    else:
        collection.for_each(scope, note)
    if node.order is not None:
        sort_elements(scope, node, node.order, ValueList(place, amount, limit=collection.limit), ahead)
    lower_each_loop(machine, node, (place, amount), plan.fixed_names[id(node.each)], node.body, followed)
    machine.forget_fields(plan.fixed_names[id(node.each)], *(followed.fields if followed is not None else ()))


def for_each_list(machine: Machine, node: ast.ForEach, name: str) -> None:
    """The same, where each is a list of its own: all lie side by side, in as many cells."""
    plan, lines, scope, written = machine.plan, machine.lines, machine.new_scope(), node.each.collection
    levels = list_values.list_depth_of(scope, written)
    register = kept_lists.register_of(plan, node.each, name, written, levels - 1)
    most = max(min(kept_lists.lengths(plan, written, levels)[0], kept_lists.MOST_CELLS // register.wide), 1)
    place, found = (
        plan.add_field("each", 64, most * register.wide),
        collect_values(scope, lower_binder(scope, node.each)),
    )
    if node.order is not None:
        sort_elements(scope, node, node.order, found, None)
    too_many = lines.bind(compare(">", found.amount, number(most)))
    scope.emit_fault_if(too_many, LEFT, node)
    with lines.when(too_many):
        lines.set(found.amount, number(0))
    lines.for_range(number(0), binary("sub", found.amount, number(1)), lambda at: kept_lists.keep_list(
        scope, lines.bind(found.item_at(scope, at)), register, node, place, binary("mul", at, number(register.wide))
    ))
    lower_each_loop(
        machine, node, (place, binary("mul", found.amount, number(register.wide))), register.cells, node.body
    )
    machine.forget_fields(register.cells)


def sort_elements(
    scope: Scope, node: ast.ForEach, order: ast.Order, found: ValueList, ahead: locations.Ahead | None
) -> None:
    where = ValueList(ahead.places, found.amount, limit=found.limit) if ahead is not None else None

    def key(one: Value, place: Value | None = None) -> Value:
        inner = scope.inner_scope()
        inner.names[id(node.each)] = one
        if place is not None:
            inner.spots[id(node.each)] = place
        with inner.element(order, one):
            return inner.lower_exact(order.key)

    if where is None:
        sort_list(
            scope, found, collect_values(scope, found, key), order.reverse, list_values.list_depth_of(scope, order.key)
        )
        return
    lines, keys = scope.lines, list_scratch(scope, found.limit)
    lines.for_range(number(0), binary("sub", found.amount, number(1)), lambda at: lines.store(
        keys, key(lines.bind(found.item_at(scope, at)), lines.bind(where.item_at(scope, at))), at
    ))
    levels, by = list_values.list_depth_of(scope, order.key), ValueList(keys, found.amount, limit=found.limit)
    sort_list(scope, found, by, order.reverse, levels, (where,))


def lower_each_loop(
    machine: Machine, node: ast.Node, several: tuple[Field, Value], register: Field, body: tuple[ast.Statement, ...],
    followed: locations.FollowedPlaces | None = None,
) -> None:
    values, amount = several
    lines, again, done = machine.lines, machine.new_label("each"), machine.new_label("all done")
    at, end = machine.new_register("at"), machine.new_register("how many")
    machine.record_registers(node, "each", values, at, end)
    lines.store(at, number(0))
    lines.store(end, amount)
    machine.place_label(again)
    now = lines.bind(lines.load(at))
    machine.go_if(compare(">=", now, lines.load(end)), done)
    if register.amount == 1:
        lines.store(register, lines.load(values, now))
    else:
        lines.for_range(number(0), number(register.amount - 1), lambda step: lines.store(
            register, lines.load(values, binary("add", now, step)), step
        ))
    lines.store(at, binary("add", now, number(register.amount)))
    if followed is not None and followed.several is not None:
        ahead = followed.several
        lines.store(followed.now, lines.load(ahead.places, now))
        lines.store(ahead.places, number(0), now)
        lines.store(ahead.gone, binary("add", now, number(1)))
    machine.lower_body(body)
    machine.loop_back(again, machine.plan.costs.loop_cost(node, body))
    machine.place_label(done)
    machine.forget_fields(at, end, values)
