"""Where a machine that asks stops: a draw, a roll, a decision. What may be answered, and what an answer does."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from attrs import define

from rulesrun.dsl.text.messages import message
from rulesrun.interpreter.form.form import (
    NUMBER,
    YES,
    CannotCompile,
    Field,
    Function,
    Value,
    as_number,
    binary,
    compare,
    logic,
    narrow,
    number,
)
from rulesrun.interpreter.form.lines import Lines, call
from rulesrun.interpreter.model.core import Action, Assigned, Contents, Draw, Node
from rulesrun.interpreter.model.instructions import Ask, AskTogether, Instruction
from rulesrun.interpreter.native.expressions import locations, options, places
from rulesrun.interpreter.native.flow import effects
from rulesrun.interpreter.native.layout import containers
from rulesrun.interpreter.native.layout.machine import Machine
from rulesrun.interpreter.native.layout.plan import Plan, Scope, Store, call_for_player, position_function
from rulesrun.interpreter.reference.flow_graph import Wait
from rulesrun.interpreter.reference.table import Table


@define(eq=False)
class Question:
    """One place where the machine stops, with what is asked of a position there."""

    number: int
    node: Node
    amount: Function  # how many answers there are; for chance, they are told with their weights
    settle: Function  # the k-th answer happens
    where: Function  # tells which instances are spoken of
    actions: tuple[Action, ...] = ()
    seats: Field | None = None  # of `all choose`: who is asked
    seats_asked: Field | None = None
    at: Field | None = None  # how many of them have chosen
    instruction: Instruction | None = None  # of the flow

    @property
    def is_choice(self) -> bool:
        """Whether somebody chooses; else chance is asked."""
        return isinstance(self.instruction, Ask | AskTogether)

    @property
    def is_team_choice(self) -> bool:
        return isinstance(self.instruction, Ask) and self.instruction.who == "team"


def list_waits(table: Table, asked: Iterable[Question]) -> list[Wait]:
    """The reference's for the same questions."""
    return [table.wait_at(question.instruction) for question in asked if question.instruction is not None]


def stop_for_question(machine: Machine, question: Question, resume: str) -> None:
    """The machine gives the number of the question, and goes on from here when it has been answered."""
    question.instruction = machine.instruction
    machine.notes.before_question(machine, question)
    machine.waits.append(question)
    machine.resumes.append((question.number, resume))
    if machine.asks_chance:  # who draws himself does not compare positions
        machine.lines.emit("do", call(tidy_function(machine.plan), machine.load("player")))
    machine.store("pc", number(question.number))
    machine.restart_work_count()
    machine.lines.emit("return", number(question.number))
    machine.place_label(resume)


def tidy_function(plan: Plan) -> Function:
    """Where components lay that are gone, nothing is left."""
    def write(scope: Scope, given: list[Value]) -> None:
        for store in plan.stores.values():
            for part in (store, store.bottom, store.top):
                if part is not None and part.shape == "row":
                    for index in range(part.amount):
                        clear_row_rest(scope, part, number(index))

    return position_function(plan, "tidy", "tidy", (), None, write)


def clear_row_rest(scope: Scope, store: Store, index: Value) -> None:
    items, lines = store.items, scope.lines
    assert items is not None
    length = lines.bind(containers.length_of(scope, store, index))
    lines.for_range(
        length, number(store.capacity - 1),
        lambda at: lines.store(items, number(0), containers.item_index(store, index, at)),
    )


def question_function(plan: Plan, name: str, at: int, parameters: tuple[str, ...], gives: str | None,
            write: Callable[[Scope, list[Value]], Value | None]) -> Function:
    return position_function(plan, (name, at), f"{name} {at}", parameters, gives, write)


def tell_values(scope: Scope, at: Value, *values: Value) -> None:
    """Puts values where who asks can read them."""
    place = scope.plan.fields["telling"]
    for step, value in enumerate(values):
        scope.lines.store(place, value, binary("add", at, number(step)))


# ---- what is drawn


def draw_question(
    machine: Machine, drawn: Draw, origin: Store, target: Store, left: Field, target_index: Callable[[Scope], Value]
) -> Question:
    plan, at = machine.plan, len(machine.waits) + 1
    if 2 * len(origin.kinds) + 2 > plan.fields["telling"].amount:
        raise CannotCompile(message("too many different components may be drawn"))

    def amount(scope: Scope, given: list[Value]) -> Value:
        return tell_outcomes(scope, drawn, origin)

    def settle(scope: Scope, given: list[Value]) -> None:
        lines = scope.lines
        tell_outcomes(scope, drawn, origin)
        kind = lines.bind(narrow(lines.load(plan.fields["telling"], binary("mul", given[0], number(2))), 0,
                                len(origin.kinds) - 1))
        index = lines.bind(places.place_index(scope, drawn.origin))
        with lines.block() as done:
            for part in containers.parts_of(origin):
                lines.leave(done, locations.take_drawn(scope, part, index, kind))
        locations.put_drawn(scope, target, lines.bind(target_index(scope)), kind, drawn)
        lines.store(left, binary("sub", lines.load(left), number(1)))

    def where(scope: Scope, given: list[Value]) -> None:
        tell_values(scope, number(0), places.place_index(scope, drawn.origin), target_index(scope))

    return Question(at, drawn.node, question_function(plan, "ways of", at, (), NUMBER, amount),
                    question_function(plan, "settle", at, ("which",), None, settle),
                    question_function(plan, "where", at, (), None, where))


def tell_outcomes(scope: Scope, drawn: Draw, origin: Store) -> Value:
    """Tells every different component that may come, with its weight; gives how many there are."""
    lines = scope.lines
    index, total = lines.bind(places.place_index(scope, drawn.origin)), lines.variable(number(0), "n")
    with lines.block() as done:
        for part in containers.parts_of(origin):
            def visit(kind: Value, weight: Value) -> None:
                fits = fits_condition(scope, drawn, kind)
                with lines.when(fits):
                    counted = number(1) if drawn.is_thrown else weight
                    tell_values(scope, binary("mul", total, number(2)), kind, counted)
                    lines.add_to(total, number(1))

            for_each_candidate(scope, part, index, visit, total)
            lines.leave(done, compare(">", total, number(0)))
    return total


def for_each_candidate(
    scope: Scope, part: Store, index: Value, look: Callable[[Value, Value], None], total: Value
) -> None:
    lines = scope.lines
    if part.shape == "counts":
        def of_kind(kind: Value) -> None:
            amount = lines.bind(containers.amount_of(scope, part, index, kind))
            with lines.when(compare(">", amount, number(0))):
                look(kind, amount)

        lines.for_range(number(0), number(len(part.kinds) - 1), of_kind)
    elif part.shape == "row":
        at = lines.variable(binary("sub", containers.length_of(scope, part, index), number(1)), "i")
        with lines.loop() as done:
            lines.leave(done, compare("<", at, number(0)))
            lines.leave(done, compare(">", total, number(0)))
            look(lines.bind(containers.item_at(scope, part, index, at), "k"), number(1))
            lines.add_to(at, number(-1))
    else:
        containers.for_each_member(scope, part, index, lambda kind: look(kind, number(1)))


def fits_condition(scope: Scope, drawn: Draw, kind: Value) -> Value:
    if drawn.condition is None:
        return YES
    inner = scope.inner_scope()
    with inner.element(drawn.node, kind):
        return inner.lower_condition(drawn.condition)


# ---- what is rolled


def value_question(machine: Machine, target: Assigned, node: Node, values: tuple[int, ...]) -> Question:
    """One of several values, for a variable."""
    plan, at = machine.plan, len(machine.waits) + 1

    def settle(scope: Scope, given: list[Value]) -> None:
        which = narrow(given[0], 0, len(values) - 1)
        effects.assign_value(scope, target, scope.lines.look_up(plan.add_constants("faces", values), which))

    return Question(at, node, question_function(plan, "ways of", at, (), NUMBER, lambda scope, _: number(len(values))),
                    question_function(plan, "settle", at, ("which",), None, settle), where_function(plan, at, target))


def where_function(plan: Plan, at: int, target: Assigned) -> Function:
    def where(scope: Scope, given: list[Value]) -> None:
        if isinstance(target, Contents):
            tell_values(scope, number(0), number(0), places.place_index(scope, target))

    return question_function(plan, "where", at, (), None, where)


# ---- what is chosen


def choice_question(machine: Machine, node: Node, actions: list[Action]) -> Question:
    plan, at = machine.plan, len(machine.waits) + 1

    def amount(scope: Scope, given: list[Value]) -> Value:
        total: Value = number(0)
        for action in actions:
            total = binary("add", total, count_ways(scope, action))
        return total

    def settle(scope: Scope, given: list[Value]) -> None:
        lines = scope.lines
        left = lines.variable(given[0], "w")
        with lines.block() as done:
            for entry, action in enumerate(actions):
                here = count_ways(scope, action)
                with lines.when(compare("<", left, here)):
                    if action.choices:
                        lines.emit("do", call(options.option_taking_function(plan, action), scope.player, left))
                    lines.store(plan.fields["entry"], number(entry))
                    lines.leave(done)
                lines.set(left, binary("sub", left, here))

    return Question(at, node, question_function(plan, "ways of", at, (), NUMBER, amount),
                    question_function(plan, "settle", at, ("which",), None, settle),
                    question_function(plan, "where", at, (), None, lambda scope, _: None), tuple(actions))


def count_ways(scope: Scope, action: Action) -> Value:
    if not action.choices and not action.needs:
        return number(1)
    return scope.lines.bind(call_for_player(options.option_count_function(scope.plan, action), scope), "n")


def grid_function(plan: Plan, asked: list[Question]) -> Function:
    """Of an action by its entry among those offered: how many ways each value of its first choice has, where they are
    the same for all; else 0. Tells how many values of the first choice there are."""
    lines = Lines()
    scope = Scope(plan, lines, lines.bind(narrow(lines.load(plan.fields["player"]), 1, plan.bench.players)))
    here, entry = lines.bind(lines.load(plan.fields["pc"])), Value("local", NUMBER, extra="entry")
    for question in asked:
        for at, action in enumerate(question.actions):
            if len(action.choices) == 2 and not options.is_left_out(plan, action):
                is_here = logic("and", compare("=", here, number(question.number)), compare("=", entry, number(at)))
                with lines.when(is_here):
                    lines.emit("return", call_for_player(options.option_grid_function(plan, action), scope))
    lines.emit("return", number(0))
    return Function("grid", ("entry",), NUMBER, lines.lines, is_inner=False)


# ---- one function for all


def dispatch_function(
    plan: Plan, questions: list[Question], name: str, parameters: tuple[str, ...], gives: str | None
) -> Function:
    """Asks the function of the question at which the position stands."""
    lines = Lines()
    scope = Scope(plan, lines, lines.bind(narrow(lines.load(plan.fields["player"]), 1, plan.bench.players)))
    here = lines.bind(lines.load(plan.fields["pc"]))
    given = [Value("local", NUMBER, extra=one) for one in parameters]
    if plan.work is not None:
        lines.store(plan.work, number(0))
    for question in questions:
        function: Function = getattr(question, name)
        with lines.when(compare("=", here, number(question.number))):
            found = call(function, scope.player, *given)
            if gives is None:
                lines.emit("do", found)
                lines.emit("return")
            else:
                lines.emit("return", as_number(found))
    lines.emit("return", *([number(0)] if gives is not None else []))
    return Function(name, parameters, gives, lines.lines, is_inner=False)
