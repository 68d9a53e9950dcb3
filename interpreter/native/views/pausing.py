"""A machine that stops at every moment of the game, not only where something is asked: for what players remember.

Takes a table, gives positions. It stops before something else happens when there is something to be seen
(`interpreter.player_memory` says what a moment is); the number it gives then is that of no question.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import define

from rulesrun.dsl import ast
from rulesrun.interpreter.form.form import Line, compare, number
from rulesrun.interpreter.form.lines import Lines
from rulesrun.interpreter.form.machine_code import Cache, compiled
from rulesrun.interpreter.model.compile_context import VariableRoom
from rulesrun.interpreter.model.places import room_meant
from rulesrun.interpreter.native.flow import asked_games, bodies, flow
from rulesrun.interpreter.native.flow.asked_games import AskedForm
from rulesrun.interpreter.native.flow.questions import Question
from rulesrun.interpreter.native.layout.lowering import lowered
from rulesrun.interpreter.native.layout.machine import Machine, Notes
from rulesrun.interpreter.native.layout.plan import Plan
from rulesrun.interpreter.native.positions.positions import Positions, RawSheet, text_of
from rulesrun.interpreter.native.views import shown_components
from rulesrun.interpreter.play.step import Step
from rulesrun.interpreter.play.visibility import has_show_to
from rulesrun.interpreter.reference.table import Table

FIRST_PAUSE = 1 << 16  # numbers of questions are lower
UNSEEN = "unseen"  # the field that says whether something has happened since somebody could look

ACTS = ast.Shuffle | ast.Deal | ast.Move | ast.Becomes | ast.Increases | ast.Roll | ast.Lots | ast.Show


@define(eq=False)
class Pausing(Notes):
    """Writes the stops."""

    pauses: int = 0

    def happens(self, machine: Machine) -> None:
        here, number_ = machine.label("seen"), FIRST_PAUSE + self.pauses
        machine.go_when(compare("=", machine.load(UNSEEN), number(0)), here)
        machine.store(UNSEEN, number(0))
        machine.store("pc", number(number_))
        machine.lines.add("return", number(number_))
        resume = machine.label("goes on")
        self.pauses += 1
        machine.resumes.append((number_, resume))
        machine.place(resume)
        machine.place(here)

    def happened(self, machine: Machine) -> None:
        machine.store(UNSEEN, number(1))

    def stops(self, machine: Machine, question: Question) -> None:
        machine.store(UNSEEN, number(0))


def statement(machine: Machine, node: ast.Statement) -> None:
    write = shown_components.statement if has_show_to(machine.plan.table) else bodies.statement
    is_act = isinstance(node, ACTS) and id(node) not in machine.plan.bench.left_out and not is_hidden(machine, node)
    if is_act:
        machine.notes.happens(machine)
    write(machine, node)
    if is_act:
        machine.notes.happened(machine)


def is_hidden(machine: Machine, node: ast.Statement) -> bool:
    """A value that nobody sees."""
    if not isinstance(node, ast.Becomes | ast.Increases | ast.Roll | ast.Lots):
        return False
    room = room_meant(machine.plan.bench, node.target)
    return isinstance(room, VariableRoom) and room.declaration.visibility == "hidden"


def positions_with_moments(table: Table, cache: Cache | None = None, care: int = 2) -> Positions:
    """Compiles a table; raises `CannotCompile` with the reason when it cannot be."""
    form = lowered(table, pausing_games)
    return PausingPositions(table, form, compiled(text_of(form), cache, care))


def pausing_games(table: Table, notes: Pausing | None = None) -> AskedForm:
    shows = has_show_to(table)
    plan = shown_components.laid_out(table) if shows else asked_games.laid_out(table)
    plan.number_field(UNSEEN, 0, 1)
    plan.keeps_places = True
    machine = Machine(plan, True, statement, notes=notes or Pausing())
    flow.whole_game(machine)
    return asked_games.finished(machine, forgetting(plan) if shows else ())


def forgetting(plan: Plan) -> list[Line]:
    """What was shown is forgotten when a question has been answered, not after a pause."""
    lines = Lines()
    with lines.when(compare("<", lines.load(plan.fields["pc"]), number(FIRST_PAUSE))):
        lines.lines.extend(shown_components.forgetting(plan))
    return lines.lines


@define(eq=False)
class PausingPositions(Positions):
    """Going on leads past the pauses, as everywhere else."""

    def going_on(self, memory: bytes, sheets: tuple[RawSheet, ...]) -> Step:
        step = Positions.going_on(self, memory, sheets)
        events = step.events
        while self.number("pc") >= FIRST_PAUSE:
            found: Any = step.state
            step = Positions.going_on(self, found.memory, found.sheets)
            events = (*events, *step.events)
        return Step(step.state, events)


def stops(positions: Positions, memory: bytes) -> Iterator[tuple[int, bytes]]:
    """Every pause on the way to the next question, and that: its number, and the position there. Points counted since
    the last stop are told there."""
    positions.enter(memory)
    number_ = FIRST_PAUSE
    while number_ >= FIRST_PAUSE:
        positions.forget_told()
        number_ = positions.run()
        yield number_, positions.leave()
