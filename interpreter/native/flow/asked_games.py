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
from rulesrun.interpreter.native.layout.plan import Plan, plan_layout
from rulesrun.interpreter.reference.table import Table

MOST_TOLD = 1 << 14
OVER, STUCK = 0, -1  # what the machine gives when it asks nothing


@frozen(eq=False)
class AskedGamesForm:
    plan: Plan
    functions: tuple[Function, ...]
    questions: tuple[Question, ...]
    start: Constants
    lists: tuple[tuple[Field, ...], ...]  # of every `each`: the values, how far it has come, how many


def lower_asked_games(table: Table) -> AskedGamesForm:
    machine = Machine(plan_asked_games(table), True, bodies.lower_instruction)
    flow.lower_flow(machine)
    return finish_form(machine)


def finish_form(machine: Machine, first: Sequence[Line] = ()) -> AskedGamesForm:
    """The machine whose flow is written. `first`: what it does before it goes on."""
    plan, run, asked = machine.plan, machine_function(machine), tuple(machine.waits)
    run.body[:0] = first
    start = Constants("start", 8, start_bytes(plan))
    answers = *answer_functions(plan, asked), questions.grid_function(plan, list(asked))
    return AskedGamesForm(plan, (*plan.functions, run, *answers), asked, start, each_registers(machine))


def each_registers(machine: Machine) -> tuple[tuple[Field, ...], ...]:
    own = tuple(fields for fields in machine.registers.values() if len(fields) == 3)
    return (*own, *locations.lists_followed(machine.plan))


def plan_asked_games(table: Table) -> Plan:
    """All that belongs to a position, and room to tell what is asked, before the flow is written."""
    plan = plan_layout(table, lay_out_position)
    for name, amount in (
        ("watching", 1), ("limit", 1), ("told", 1), ("telling", telling_size(plan)), ("sheets told", MOST_TOLD),
    ):
        plan.add_scratch(name, 64, amount)
    return plan


def lay_out_position(plan: Plan) -> None:
    plan.expression, plan.collection, plan.fraction = (
        numbers.lower_value,
        gathering.lower_collection,
        fractions.lower_exact,
    )
    stores.lay_out_position(plan)
    scores.lay_out_scores(plan)
    memories.lay_out_memories(plan)
    plan.add_number_field("entry", 0, 1 << 20)


def telling_size(plan: Plan) -> int:
    """Room for every kind that may be drawn, with its weight."""
    return max([MOST_TOLD, *(2 * len(kinds) + 2 for kinds in plan.bench.kinds.values())])


def answer_functions(plan: Plan, asked: tuple[Question, ...]) -> tuple[Function, ...]:
    """How many answers there are, what one of them does, which instances are spoken of: of whatever is asked."""
    return (
        questions.dispatch_function(plan, list(asked), "amount", (), NUMBER),
        questions.dispatch_function(plan, list(asked), "settle", ("which",), None),
        questions.dispatch_function(plan, list(asked), "where", (), None),
    )


def machine_function(machine: Machine) -> Function:
    """Goes on from the question that was answered last; gives the number of the next one."""
    lines = machine.lines
    machine.place_label("end")
    lines.emit("do", call(questions.tidy_function(machine.plan), machine.load("player")))
    machine.restart_work_count()
    machine.store("pc", number(0))
    lines.emit("return", number(OVER))
    machine.place_label("stuck")
    lines.emit("return", number(STUCK))
    head = Lines()
    head.names = lines.names
    here = head.load(machine.plan.fields["pc"])
    head.emit("switch", here, extra=machine.resumes)
    return Function("run", (), NUMBER, [*head.lines, *lines.lines], is_inner=False)
