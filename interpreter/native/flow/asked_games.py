"""A table in the small form that stops at every question: positions can be kept, answered, compared."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from rulesrun.interpreter.form.form import NUMBER, Constants, Field, Function, Line, number
from rulesrun.interpreter.form.lines import Lines, call
from rulesrun.interpreter.native.expressions import fractions, gathering, locations, numbers
from rulesrun.interpreter.native.flow import bodies, flow, memories, questions, scores
from rulesrun.interpreter.native.flow.questions import Question
from rulesrun.interpreter.native.flow.random_games import start_bytes
from rulesrun.interpreter.native.layout import stores
from rulesrun.interpreter.native.layout.machine import Machine
from rulesrun.interpreter.native.layout.plan import Plan, planned
from rulesrun.interpreter.reference.table import Table

MOST_TOLD = 1 << 14
OVER, STUCK = 0, -1  # what the machine gives when it asks nothing


@frozen(eq=False)
class AskedForm:
    plan: Plan
    functions: tuple[Function, ...]
    questions: tuple[Question, ...]
    start: Constants
    lists: tuple[tuple[Field, ...], ...]  # of every `each`: the values, how far it has come, how many


def asked_games(table: Table) -> AskedForm:
    machine = Machine(laid_out(table), True, bodies.statement)
    flow.whole_game(machine)
    return finished(machine)


def finished(machine: Machine, first: Sequence[Line] = ()) -> AskedForm:
    """The machine whose flow is written. `first`: what it does before it goes on."""
    plan, run, asked = machine.plan, machine_function(machine), tuple(machine.waits)
    run.body[:0] = first
    start = Constants("start", 8, start_bytes(plan))
    return AskedForm(plan, (*plan.functions, run, *answers(plan, asked)), asked, start, lists_of(machine))


def lists_of(machine: Machine) -> tuple[tuple[Field, ...], ...]:
    own = tuple(own for _, what, own in machine.registers if what == "each")
    return (*own, *locations.lists_followed(machine.plan))


def laid_out(table: Table) -> Plan:
    """All that belongs to a position, and room to tell what is asked, before the flow is written."""
    plan = planned(table, lay_out)
    for name, amount in (
        ("watching", 1), ("limit", 1), ("told", 1), ("telling", most_told(plan)), ("sheets told", MOST_TOLD),
    ):
        plan.scratch(name, 64, amount)
    return plan


def lay_out(plan: Plan) -> None:
    plan.expression, plan.collection, plan.fraction = numbers.value, gathering.several, fractions.exact
    stores.lay_out(plan)
    scores.lay_out(plan)
    memories.lay_out(plan)
    plan.number_field("entry", 0, 1 << 20)


def most_told(plan: Plan) -> int:
    """Room for every kind that may be drawn, with its weight."""
    return max([MOST_TOLD, *(2 * len(kinds) + 2 for kinds in plan.bench.kinds.values())])


def answers(plan: Plan, asked: tuple[Question, ...]) -> tuple[Function, ...]:
    """How many answers there are, what one of them does, which instances are spoken of: of whatever is asked."""
    return (
        questions.dispatch(plan, list(asked), "amount", (), NUMBER),
        questions.dispatch(plan, list(asked), "settle", ("which",), None),
        questions.dispatch(plan, list(asked), "where", (), None),
    )


def machine_function(machine: Machine) -> Function:
    """Goes on from the question that was answered last; gives the number of the next one."""
    lines = machine.lines
    machine.place("end")
    lines.add("do", call(questions.tidying(machine.plan), machine.load("player")))
    machine.begin_anew()
    machine.store("pc", number(0))
    lines.add("return", number(OVER))
    machine.place("stuck")
    lines.add("return", number(STUCK))
    head = Lines()
    head.names = lines.names
    here = head.load(machine.plan.fields["pc"])
    head.add("switch", here, extra=machine.resumes)
    return Function("run", (), NUMBER, [*head.lines, *lines.lines], is_inner=False)
