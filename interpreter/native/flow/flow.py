"""The flow of a game as lines with labels: setup, rounds, phases, turns, loops. Takes a plan, writes the machine.

It follows the reference's operations one by one; what waits for an answer is written by the rooms
`chances` and `decisions`, in the form that the machine is for: random games, or one answer at a time.
"""

from __future__ import annotations

from rulesrun.dsl import ast
from rulesrun.interpreter.form.form import (
    NOTHING,
    NUMBER,
    CannotCompile,
    Field,
    X,
    as_number,
    both,
    compare,
    inverted,
    known,
    local,
    number,
)
from rulesrun.interpreter.native.expressions import kept_lists, list_values, locations, scales
from rulesrun.interpreter.native.expressions.builtin_words import after
from rulesrun.interpreter.native.expressions.collections import Listed
from rulesrun.interpreter.native.expressions.gathering import bound
from rulesrun.interpreter.native.expressions.lists import listed, room_for, sort_listed
from rulesrun.interpreter.native.flow import moments, scores
from rulesrun.interpreter.native.layout.machine import Machine
from rulesrun.interpreter.native.layout.plan import LEFT, Scope

MOST_GONE_THROUGH = 1 << 15


def whole_game(machine: Machine) -> None:
    bench = machine.plan.bench
    machine.ends.game = "game over"
    for variable in bench.of_class(ast.Variable):
        moments.set_back(machine, variable)
    machine.notes.happened(machine)
    for setup in bench.of_class(ast.Setup):
        if not setup.each_round:
            machine.body(setup.body)
    machine.place("again")
    round_begins(machine)
    machine.ends.round = "round over"
    for setup in bench.of_class(ast.Setup):
        if setup.each_round:
            machine.body(setup.body)
    for number_, one in enumerate(bench.of_class(ast.Phase)):
        phase(machine, one, number_)
    machine.ends.round = None
    machine.place("round over")
    moments.judged(machine, "round")
    scores.count(machine, "round")
    machine.go_when(inverted(is_over(machine)), "next round")
    machine.place("game over")
    scores.count(machine, "end")
    scores.finish(machine)
    moments.judged(machine, "game")
    machine.notes.ends(machine)
    machine.go("end")
    machine.place("next round")
    machine.back("again", machine.plan.costs.of_round())


def round_begins(machine: Machine) -> None:
    bench, lines = machine.plan.bench, machine.lines
    rounds, n = bench.of_class(ast.Rounds), bench.players
    moves = rounds[0].moves if rounds else None
    machine.notes.happens(machine)
    moments.reset(machine, "round")
    now = lines.kept(both("add", machine.load("round"), number(1)))
    machine.store("round", now)
    if moves in {"left", "right"}:
        with lines.when(compare(">", now, number(1))):
            starter = known(machine.load("starter"), 1, n)
            step = number(0 if moves == "left" else n - 2)
            following = both("add", both("mod", both("add", starter, step), number(n)), number(1))
            machine.store("starter", lines.kept(following))
    machine.store("player", machine.load("starter"))
    machine.store("phase", number(0))
    machine.notes.happened(machine)


def is_over(machine: Machine) -> X:
    rounds = machine.plan.bench.of_class(ast.Rounds)
    if not rounds:
        return compare("=", number(0), number(0))
    scope = machine.scope()
    if rounds[0].until is not None:
        return scope.condition(rounds[0].until)
    return compare(">=", machine.load("round"), scope.needed(rounds[0].count))


def phase(machine: Machine, node: ast.Phase, number_: int) -> None:
    over = machine.label("after phase")
    if node.when is not None:
        machine.go_when(inverted(machine.scope().condition(node.when)), over)
    machine.notes.happens(machine)
    machine.store("phase", number(number_))
    machine.notes.happened(machine)
    machine.store("player", machine.load("starter"))
    machine.notes.phase_begins(machine, number_)
    machine.ends.phase = over
    match node.loop:
        case ast.Turns():
            inside = machine.label("phase over")
            machine.ends.phase = inside
            turns(machine, node.loop, node.body, inside)
        case ast.Repeat():
            repeat(machine, node.loop, node.body, of_phase=True)
        case None:
            lines_of_phase(machine, node, node.body)
    machine.ends.phase = None
    machine.place(over)


# ---- turns


def turns(machine: Machine, node: ast.Turns, body: tuple[ast.Statement, ...], done: str) -> None:
    lines, again = machine.lines, machine.label("turn")
    seat, kept = machine.register("seat", 0), machine.register("player before", 0)
    looked, excluded = machine.register("looked at"), machine.register("left out", NOTHING)
    machine.registered(node, "turns", seat, looked, excluded, kept)
    scope = machine.scope()
    lines.store(kept, scope.player)
    lines.store(looked, number(0))
    out = as_number(scope.value(node.excluded)) if node.excluded is not None else number(NOTHING)
    lines.store(excluded, out)
    start = lines.kept(scope.needed(node.start))
    lines.store(seat, start)
    machine.store("player", start)
    machine.place(again)
    if node.until is not None:
        machine.go_when(machine.scope().condition(node.until), done)
    find_turn(machine, node, seat, looked, excluded, done)
    is_turn = not machine.in_turn
    if is_turn:
        machine.notes.turn_begins(machine)
        set_back_for_turn(machine)
    machine.in_turn = True
    until_end_of_turn(machine, body)
    machine.in_turn = not is_turn
    if is_turn:
        moments.judged(machine, "turn")
    lines.store(seat, lines.kept(after(machine.scope(), known(lines.load(seat), 1, machine.plan.bench.players))))
    if node.once:
        lines.store(looked, both("add", lines.load(looked), number(1)))
    machine.back(again, machine.plan.costs.of_loop(node, body))
    machine.place(done)
    machine.store("player", lines.load(kept))
    machine.forget(seat, looked, excluded, kept)


def find_turn(machine: Machine, node: ast.Turns, seat: Field, looked: Field, excluded: Field, done: str) -> None:
    """Whose turn it is; to `done` when there is nobody (left)."""
    lines, n = machine.lines, machine.plan.bench.players
    if node.skipping is None and not node.once:
        machine.store("player", lines.load(seat))
        return
    count = lines.variable(number(0), "n") if not node.once else lines.variable(lines.load(looked), "n")
    found = machine.label("found")
    with lines.loop() as over:
        lines.leave(over, compare(">=", count, number(n)))
        here = lines.kept(known(lines.load(seat), 1, n))
        machine.store("player", here)
        fits: X = compare("=", number(0), number(0))
        if node.once and node.excluded is not None:
            fits = compare("is not", here, lines.load(excluded))
        if node.skipping is not None:
            outer, skipping = lines.variable(fits, "f"), node.skipping
            with lines.when(outer):
                lines.set(outer, inverted(machine.scope().condition(skipping)))
            fits = outer
        machine.go_when(fits, found)
        lines.store(seat, lines.kept(after(machine.scope(), here)))
        lines.add_to(count, number(1))
        if node.once:
            lines.store(looked, count)
    machine.go(done)
    machine.place(found)


def set_back_for_turn(machine: Machine) -> None:
    is_seen = any(one.reset == "turn" for one in machine.plan.bench.of_class(ast.Variable))
    if is_seen:
        machine.notes.happens(machine)
    moments.reset(machine, "turn")
    if is_seen:
        machine.notes.happened(machine)


def until_end_of_turn(machine: Machine, body: tuple[ast.Statement, ...]) -> None:
    turn_over = machine.label("turn over")
    outer, machine.ends.turn = machine.ends.turn, turn_over
    machine.body(body)
    machine.ends.turn = outer
    machine.place(turn_over)


def repeat(machine: Machine, node: ast.Repeat, body: tuple[ast.Statement, ...], of_phase: bool = False) -> None:
    lines, again, done = machine.lines, machine.label("once more"), machine.label("enough")
    left = machine.register("times left") if node.times is not None else None
    if node.times is not None and left is not None:
        machine.registered(node, "repeat", left)
        lines.store(left, machine.scope().needed(node.times))
    machine.place(again)
    if left is not None:
        now = lines.kept(lines.load(left))
        with lines.when(compare("<=", now, number(0))):
            lines.store(left, number(0))
            machine.go(done)
        lines.store(left, both("sub", now, number(1)))
    if node.until is not None:
        machine.go_when(machine.scope().condition(node.until), done)
    if of_phase:
        lines_of_phase(machine, node, body)
    else:
        machine.body(body)
    machine.back(again, machine.plan.costs.of_loop(node, body))
    machine.place(done)


def lines_of_phase(machine: Machine, node: ast.Node, body: tuple[ast.Statement, ...]) -> None:
    """Of a phase whose header has no turns: a turn, unless they hold turns."""
    is_turn = node in machine.plan.table.turns_begun.values()
    if is_turn:
        machine.notes.turn_begins(machine)
    set_back_for_turn(machine)
    until_end_of_turn(machine, body)
    if is_turn:
        moments.judged(machine, "turn")


# ---- each


def each_player(machine: Machine, node: ast.EachPlayer) -> None:
    """The seats that fit are found first, then the body once for each."""

    lines, n = machine.lines, machine.plan.bench.players
    scope = machine.scope()
    kept, seats = machine.register("player before"), machine.plan.field("seats", 64, n + 1)
    machine.registered(node, "player before", kept)
    lines.store(kept, scope.player)
    amount, at = lines.variable(number(0), "n"), lines.variable(number(0), "i")
    first = lines.kept(scope.needed(node.start)) if node.start is not None else number(1)
    with lines.loop() as over:
        lines.leave(over, compare(">=", at, number(n)))
        place = both("sub", both("add", first, local(at.extra, NUMBER, 0, n - 1)), number(1))
        one = lines.kept(known(both("add", both("mod", place, number(n)), number(1)), 1, n))
        fits = compare("=", number(0), number(0))
        if node.condition is not None:
            fits = scope.asked_of(one).condition(node.condition)
        with lines.when(fits):
            lines.store(seats, one, amount)
            lines.add_to(amount, number(1))
        lines.add_to(at, number(1))
    found = Listed(seats, amount, 1, n, limit=n)
    if node.order is not None:
        keys, levels = keys_of(scope, node.order, found, is_player=True), list_values.depth_of(scope, node.order.key)
        sort_listed(scope, found, keys, node.order.reverse, levels)
    one_by_one(machine, node, (seats, amount), machine.plan.fields["player"], node.body)
    machine.store("player", lines.load(kept))
    machine.forget(kept)


def keys_of(scope: Scope, order: ast.Order, found: Listed, is_player: bool) -> Listed:

    def key(one: X) -> X:
        inner = scope.asked_of(one).inner() if is_player else scope.inner()
        with inner.element(order, one):
            return inner.exact(order.key)

    return listed(scope, found, key)


def for_each(machine: Machine, node: ast.ForEach) -> None:
    """What there is at the beginning is gone through, whatever the body moves."""

    plan, lines = machine.plan, machine.lines
    scope = machine.scope()
    name = f"each {node.each.name.text if node.each.name is not None else 'it'}"
    if list_values.depth_of(scope, node.each.collection) > 1:
        for_each_list(machine, node, name)
        return
    if id(node.each) not in plan.fixed_names:
        is_whole = scales.scale_of(plan, node.each.collection) == 1
        plan.fixed_names[id(node.each)] = plan.value_field(name) if is_whole else plan.field(name, 64, 1, NOTHING)
    collection = bound(scope, node.each)
    if collection.limit > MOST_GONE_THROUGH:
        raise CannotCompile("`each` goes through too many values")
    place, amount = plan.field("each", 64, collection.limit + 1), lines.variable(number(0), "n")
    followed = locations.followed_by(plan, node.each) if id(node.each) in plan.bench.located else None
    ahead = followed.several if followed is not None else None

    def note(one: X, where: X | None = None) -> None:
        lines.store(place, as_number(one), amount)
        if ahead is not None and where is not None:
            lines.store(ahead.places, where, amount)
        lines.add_to(amount, number(1))

    if ahead is not None:
        collection.each_spot(scope, note)
        lines.store(ahead.amount, amount)
        lines.store(ahead.gone, number(0))
    else:
        collection.each(scope, note)
    if node.order is not None:
        sort_gathered(scope, node, node.order, Listed(place, amount, limit=collection.limit), ahead)
    one_by_one(machine, node, (place, amount), plan.fixed_names[id(node.each)], node.body, followed)
    machine.forget(plan.fixed_names[id(node.each)], *(followed.fields if followed is not None else ()))


def for_each_list(machine: Machine, node: ast.ForEach, name: str) -> None:
    """The same, where each is a list of its own: all lie side by side, in as many cells."""
    plan, lines, scope, written = machine.plan, machine.lines, machine.scope(), node.each.collection
    levels = list_values.depth_of(scope, written)
    register = kept_lists.register_of(plan, node.each, name, written, levels - 1)
    most = max(min(kept_lists.lengths(plan, written, levels)[0], kept_lists.MOST_CELLS // register.wide), 1)
    place, found = plan.field("each", 64, most * register.wide), listed(scope, bound(scope, node.each))
    if node.order is not None:
        sort_gathered(scope, node, node.order, found, None)
    too_many = lines.kept(compare(">", found.amount, number(most)))
    scope.fault_when(too_many, LEFT, node)
    with lines.when(too_many):
        lines.set(found.amount, number(0))
    lines.count_through(number(0), both("sub", found.amount, number(1)), lambda at: kept_lists.keep(
        scope, lines.kept(found.at(scope, at)), register, node, place, both("mul", at, number(register.wide))
    ))
    one_by_one(machine, node, (place, both("mul", found.amount, number(register.wide))), register.cells, node.body)
    machine.forget(register.cells)


def sort_gathered(
    scope: Scope, node: ast.ForEach, order: ast.Order, found: Listed, ahead: locations.Ahead | None
) -> None:
    where = Listed(ahead.places, found.amount, limit=found.limit) if ahead is not None else None

    def key(one: X, place: X | None = None) -> X:
        inner = scope.inner()
        inner.names[id(node.each)] = one
        if place is not None:
            inner.spots[id(node.each)] = place
        with inner.element(order, one):
            return inner.exact(order.key)

    if where is None:
        sort_listed(scope, found, listed(scope, found, key), order.reverse, list_values.depth_of(scope, order.key))
        return
    lines, keys = scope.lines, room_for(scope, found.limit)
    lines.count_through(number(0), both("sub", found.amount, number(1)), lambda at: lines.store(
        keys, key(lines.kept(found.at(scope, at)), lines.kept(where.at(scope, at))), at
    ))
    levels, by = list_values.depth_of(scope, order.key), Listed(keys, found.amount, limit=found.limit)
    sort_listed(scope, found, by, order.reverse, levels, (where,))


def one_by_one(
    machine: Machine, node: ast.Node, several: tuple[Field, X], register: Field, body: tuple[ast.Statement, ...],
    followed: locations.Followed | None = None,
) -> None:
    values, amount = several
    lines, again, done = machine.lines, machine.label("each"), machine.label("all done")
    at, end = machine.register("at"), machine.register("how many")
    machine.registered(node, "each", values, at, end)
    lines.store(at, number(0))
    lines.store(end, amount)
    machine.place(again)
    now = lines.kept(lines.load(at))
    machine.go_when(compare(">=", now, lines.load(end)), done)
    if register.amount == 1:
        lines.store(register, lines.load(values, now))
    else:
        lines.count_through(number(0), number(register.amount - 1), lambda step: lines.store(
            register, lines.load(values, both("add", now, step)), step
        ))
    lines.store(at, both("add", now, number(register.amount)))
    if followed is not None and followed.several is not None:
        ahead = followed.several
        lines.store(followed.now, lines.load(ahead.places, now))
        lines.store(ahead.places, number(0), now)
        lines.store(ahead.gone, both("add", now, number(1)))
    machine.body(body)
    machine.back(again, machine.plan.costs.of_loop(node, body))
    machine.place(done)
    machine.forget(at, end, values)
