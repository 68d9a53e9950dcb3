"""A machine that stops at every moment of the game, not only where something is asked: for what players remember.

Takes a table, gives positions. It stops before something else happens when there is something to be seen
(`interpreter.play.player_memory` says what a moment is); the number it gives then is that of no question.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import define

from rulesrun.interpreter.form.form import Line, compare, number
from rulesrun.interpreter.form.lines import Lines
from rulesrun.interpreter.form.machine_code import Cache, compile_text
from rulesrun.interpreter.model.instructions import Instruction
from rulesrun.interpreter.native.flow import asked_games, bodies, flow
from rulesrun.interpreter.native.flow.asked_games import AskedGamesForm
from rulesrun.interpreter.native.flow.questions import Question
from rulesrun.interpreter.native.layout.lowering import lower_table
from rulesrun.interpreter.native.layout.machine import FlowHooks, Machine
from rulesrun.interpreter.native.layout.plan import Plan
from rulesrun.interpreter.native.positions.positions import NativePositions, RawSheet, format_positions
from rulesrun.interpreter.native.views import shown_components
from rulesrun.interpreter.play.player_memory import is_moment
from rulesrun.interpreter.play.step import Step
from rulesrun.interpreter.play.visibility import has_show_statement
from rulesrun.interpreter.reference.table import Table

FIRST_PAUSE = 1 << 16  # numbers of questions are lower
UNSEEN = "unseen"  # the field that says whether something has happened since somebody could look



@define(eq=False)
class PauseHooks(FlowHooks):
    """Writes the stops."""

    pauses: int = 0

    def before_event(self, machine: Machine) -> None:
        here, number_ = machine.new_label("seen"), FIRST_PAUSE + self.pauses
        machine.go_if(compare("=", machine.load(UNSEEN), number(0)), here)
        machine.store(UNSEEN, number(0))
        machine.store("pc", number(number_))
        machine.lines.emit("return", number(number_))
        resume = machine.new_label("goes on")
        self.pauses += 1
        machine.resumes.append((number_, resume))
        machine.place_label(resume)
        machine.place_label(here)

    def before_question(self, machine: Machine, question: Question) -> None:
        machine.store(UNSEEN, number(0))


def lower_instruction(machine: Machine, one: Instruction) -> None:
    write = shown_components.lower_instruction if has_show_statement(machine.plan.table) else bodies.lower_instruction
    if not is_moment(one):
        write(machine, one)
        return
    assert isinstance(machine.notes, PauseHooks)
    machine.notes.before_event(machine)
    write(machine, one)
    machine.store(UNSEEN, number(1))


def compile_moment_positions(table: Table, cache: Cache | None = None, care: int = 2) -> NativePositions:
    """Compiles a table; raises `CannotCompile` with the reason when it cannot be."""
    form = lower_table(table, lower_pausing_games)
    return PausingPositions(table, form, compile_text(format_positions(form), cache, care))


def lower_pausing_games(table: Table, notes: PauseHooks | None = None) -> AskedGamesForm:
    shows = has_show_statement(table)
    plan = shown_components.plan_showing_games(table) if shows else asked_games.plan_asked_games(table)
    plan.add_number_field(UNSEEN, 0, 1)
    plan.keeps_places = True
    machine = Machine(plan, True, lower_instruction, notes=notes or PauseHooks())
    flow.lower_flow(machine)
    return asked_games.finish_form(machine, forget_shown_lines(plan) if shows else ())


def forget_shown_lines(plan: Plan) -> list[Line]:
    """What was shown is forgotten when a question has been answered, not after a pause."""
    lines = Lines()
    with lines.when(compare("<", lines.load(plan.fields["pc"]), number(FIRST_PAUSE))):
        lines.lines.extend(shown_components.forget_shown_lines(plan))
    return lines.lines


@define(eq=False)
class PausingPositions(NativePositions):
    """Going on leads past the pauses, as everywhere else."""

    def run_to_step(self, memory: bytes, sheets: tuple[RawSheet, ...]) -> Step:
        step = NativePositions.run_to_step(self, memory, sheets)
        events = step.events
        while self.read_number("pc") >= FIRST_PAUSE:
            found: Any = step.state
            step = NativePositions.run_to_step(self, found.memory, found.sheets)
            events = (*events, *step.events)
        return Step(step.state, events)


def iterate_pauses(positions: NativePositions, memory: bytes) -> Iterator[tuple[int, bytes]]:
    """Every pause on the way to the next question, and that: its number, and the position there. Points counted since
    the last stop are told there."""
    positions.load_block(memory)
    number_ = FIRST_PAUSE
    while number_ >= FIRST_PAUSE:
        positions.reset_told_sheets()
        number_ = positions.run_to_question()
        yield number_, positions.copy_block()
