"""Where a machine that asks stops: a draw, a roll, a decision. What may be answered, and what an answer does."""

from __future__ import annotations

from collections.abc import Callable

from attrs import define

from rulesrun.dsl import ast
from rulesrun.interpreter.form.form import (
    NUMBER,
    YES,
    CannotCompile,
    Field,
    Function,
    X,
    as_number,
    both,
    compare,
    known,
    number,
)
from rulesrun.interpreter.form.lines import Lines, call
from rulesrun.interpreter.native.expressions import locations, options, places
from rulesrun.interpreter.native.flow import effects
from rulesrun.interpreter.native.layout import containers
from rulesrun.interpreter.native.layout.machine import Machine
from rulesrun.interpreter.native.layout.plan import Plan, Scope, Store, ask, position_function


@define(eq=False)
class Question:
    """One place where the machine stops, with what is asked of a position there."""

    number: int
    node: ast.Node
    amount: Function  # how many answers there are; for chance, they are told with their weights
    settle: Function  # the k-th answer happens
    where: Function  # tells which instances are spoken of
    actions: tuple[ast.Action, ...] = ()
    seats: Field | None = None  # of `all choose`: who is asked
    seats_asked: Field | None = None
    at: Field | None = None  # how many of them have chosen


def stop(machine: Machine, question: Question, resume: str) -> None:
    """The machine gives the number of the question, and goes on from here when it has been answered."""
    machine.notes.stops(machine, question)
    machine.waits.append(question)
    machine.resumes.append((question.number, resume))
    if machine.asks_chance:  # who draws himself does not compare positions
        machine.lines.add("do", call(tidying(machine.plan), machine.load("player")))
    machine.store("pc", number(question.number))
    machine.begin_anew()
    machine.lines.add("return", number(question.number))
    machine.place(resume)


def tidying(plan: Plan) -> Function:
    """Where components lay that are gone, nothing is left."""
    def write(scope: Scope, given: list[X]) -> None:
        for store in plan.stores.values():
            for part in (store, store.bottom, store.top):
                if part is not None and part.shape == "row":
                    for index in range(part.amount):
                        clean(scope, part, number(index))

    return position_function(plan, "tidy", "tidy", (), None, write)


def clean(scope: Scope, store: Store, index: X) -> None:
    items, lines = store.items, scope.lines
    assert items is not None
    length = lines.kept(containers.length_of(scope, store, index))
    lines.count_through(
        length, number(store.capacity - 1),
        lambda at: lines.store(items, number(0), containers.at_item(store, index, at)),
    )


def written(plan: Plan, name: str, at: int, parameters: tuple[str, ...], gives: str | None,
            write: Callable[[Scope, list[X]], X | None]) -> Function:
    return position_function(plan, (name, at), f"{name} {at}", parameters, gives, write)


def tell(scope: Scope, at: X, *values: X) -> None:
    """Puts values where who asks can read them."""
    place = scope.plan.fields["telling"]
    for step, value in enumerate(values):
        scope.lines.store(place, value, both("add", at, number(step)))


# ---- what is drawn


def draw(machine: Machine, node: ast.Deal, origin: Store, target: Store, left: Field,
         target_index: Callable[[Scope], X]) -> Question:
    plan, at = machine.plan, len(machine.waits) + 1
    if 2 * len(origin.kinds) + 2 > plan.fields["telling"].amount:
        raise CannotCompile("too many different components may be drawn")

    def amount(scope: Scope, given: list[X]) -> X:
        return outcomes(scope, node, origin)

    def settle(scope: Scope, given: list[X]) -> None:
        lines = scope.lines
        outcomes(scope, node, origin)
        kind = lines.kept(known(lines.load(plan.fields["telling"], both("mul", given[0], number(2))), 0,
                                len(origin.kinds) - 1))
        index = lines.kept(places.index_of(scope, node.origin))
        with lines.block() as done:
            for part in containers.parts_of(origin):
                lines.leave(done, locations.take_drawn(scope, part, index, kind))
        locations.put_drawn(scope, target, lines.kept(target_index(scope)), kind, node)
        lines.store(left, both("sub", lines.load(left), number(1)))

    def where(scope: Scope, given: list[X]) -> None:
        tell(scope, number(0), places.index_of(scope, node.origin), target_index(scope))

    return Question(at, node, written(plan, "ways of", at, (), NUMBER, amount),
                    written(plan, "settle", at, ("which",), None, settle),
                    written(plan, "where", at, (), None, where))


def outcomes(scope: Scope, node: ast.Deal, origin: Store) -> X:
    """Tells every different component that may come, with its weight; gives how many there are."""
    lines = scope.lines
    index, total = lines.kept(places.index_of(scope, node.origin)), lines.variable(number(0), "n")
    with lines.block() as done:
        for part in containers.parts_of(origin):
            def look(kind: X, weight: X) -> None:
                fits = fitting(scope, node, kind)
                with lines.when(fits):
                    tell(scope, both("mul", total, number(2)), kind, weight)
                    lines.add_to(total, number(1))

            each_candidate(scope, part, index, look, total)
            lines.leave(done, compare(">", total, number(0)))
    return total


def each_candidate(scope: Scope, part: Store, index: X, look: Callable[[X, X], None], total: X) -> None:
    lines = scope.lines
    if part.shape == "counts":
        def of_kind(kind: X) -> None:
            amount = lines.kept(containers.amount_of(scope, part, index, kind))
            with lines.when(compare(">", amount, number(0))):
                look(kind, amount)

        lines.count_through(number(0), number(len(part.kinds) - 1), of_kind)
    elif part.shape == "row":
        at = lines.variable(both("sub", containers.length_of(scope, part, index), number(1)), "i")
        with lines.loop() as done:
            lines.leave(done, compare("<", at, number(0)))
            lines.leave(done, compare(">", total, number(0)))
            look(lines.kept(containers.item_at(scope, part, index, at), "k"), number(1))
            lines.add_to(at, number(-1))
    else:
        containers.each_member(scope, part, index, lambda kind: look(kind, number(1)))


def fitting(scope: Scope, node: ast.Deal, kind: X) -> X:
    if node.condition is None:
        return YES
    inner = scope.inner()
    with inner.element(node, kind):
        return inner.condition(node.condition)


# ---- what is rolled


def value(machine: Machine, target: ast.Expr, node: ast.Node, values: tuple[int, ...]) -> Question:
    """One of several values, for a variable."""
    plan, at = machine.plan, len(machine.waits) + 1

    def settle(scope: Scope, given: list[X]) -> None:
        which = known(given[0], 0, len(values) - 1)
        effects.assign(scope, target, scope.lines.look_up(plan.table_of("faces", values), which))

    return Question(at, node, written(plan, "ways of", at, (), NUMBER, lambda scope, _: number(len(values))),
                    written(plan, "settle", at, ("which",), None, settle), where_variable(plan, at, target))


def where_variable(plan: Plan, at: int, target: ast.Expr) -> Function:
    def where(scope: Scope, given: list[X]) -> None:
        if places.room_of(scope, target) is not None:
            tell(scope, number(0), number(0), places.index_of(scope, target))

    return written(plan, "where", at, (), None, where)


# ---- what is chosen


def choice(machine: Machine, node: ast.Choose, actions: list[ast.Action]) -> Question:
    plan, at = machine.plan, len(machine.waits) + 1

    def amount(scope: Scope, given: list[X]) -> X:
        total: X = number(0)
        for action in actions:
            total = both("add", total, ways(scope, action))
        return total

    def settle(scope: Scope, given: list[X]) -> None:
        lines = scope.lines
        left = lines.variable(given[0], "w")
        with lines.block() as done:
            for entry, action in enumerate(actions):
                here = ways(scope, action)
                with lines.when(compare("<", left, here)):
                    if action.choices:
                        lines.add("do", call(options.taking(plan, action), scope.player, left))
                    lines.store(plan.fields["entry"], number(entry))
                    lines.leave(done)
                lines.set(left, both("sub", left, here))

    return Question(at, node, written(plan, "ways of", at, (), NUMBER, amount),
                    written(plan, "settle", at, ("which",), None, settle),
                    written(plan, "where", at, (), None, lambda scope, _: None), tuple(actions))


def ways(scope: Scope, action: ast.Action) -> X:
    if not action.choices and not action.needs:
        return number(1)
    return scope.lines.kept(ask(options.counting(scope.plan, action), scope), "n")


# ---- one function for all


def dispatch(
    plan: Plan, questions: list[Question], name: str, parameters: tuple[str, ...], gives: str | None
) -> Function:
    """Asks the function of the question at which the position stands."""
    lines = Lines()
    scope = Scope(plan, lines, lines.kept(known(lines.load(plan.fields["player"]), 1, plan.bench.players)))
    here = lines.kept(lines.load(plan.fields["pc"]))
    given = [X("local", NUMBER, extra=one) for one in parameters]
    if plan.work is not None:
        lines.store(plan.work, number(0))
    for question in questions:
        function: Function = getattr(question, name)
        with lines.when(compare("=", here, number(question.number))):
            found = call(function, scope.player, *given)
            if gives is None:
                lines.add("do", found)
                lines.add("return")
            else:
                lines.add("return", as_number(found))
    lines.add("return", *([number(0)] if gives is not None else []))
    return Function(name, parameters, gives, lines.lines, is_inner=False)
