"""Positions to count a tree with: takes a table, gives positions that stop at every moment, and note which of the
properties that speak of some games have been true by then.
"""

from __future__ import annotations

from attrs import define

from rulesrun.interpreter.form.form import Field
from rulesrun.interpreter.form.machine_code import Cache, compile_text
from rulesrun.interpreter.model.figure_terms import ALWAYS_THERE
from rulesrun.interpreter.model.moments import MeasuredFigure
from rulesrun.interpreter.native.flow import moments
from rulesrun.interpreter.native.flow.asked_games import AskedGamesForm
from rulesrun.interpreter.native.flow.questions import Question
from rulesrun.interpreter.native.layout.lowering import lower_table
from rulesrun.interpreter.native.layout.machine import Machine
from rulesrun.interpreter.native.layout.plan import Plan, call_for_player
from rulesrun.interpreter.native.positions.positions import format_positions
from rulesrun.interpreter.native.views.pausing import PauseHooks, PausingPositions, lower_pausing_games
from rulesrun.interpreter.play.game_tree import properties_of_some_games
from rulesrun.interpreter.reference.table import Table


@define(eq=False)
class PropertyHooks(PauseHooks):
    """Looks at properties where somebody chooses, and at the end."""

    def before_question(self, machine: Machine, question: Question) -> None:
        PauseHooks.before_question(self, machine, question)
        if question.actions:
            check_properties(machine)

    def on_figure(self, machine: Machine, figure: MeasuredFigure) -> None:
        places = figure_fields(machine.plan, figure)
        known = [machine.lines.bind(machine.lines.load(place)) for place in places]
        for place, value in zip(places, moments.combine_value(machine, figure, *known), strict=True):
            machine.lines.store(place, value)

    def on_game_end(self, machine: Machine) -> None:
        for figure in machine.plan.table.watches.figures:
            figure_fields(machine.plan, figure)  # it is asked for, though its moment never comes
        check_properties(machine)
        if properties_of_some_games(machine.plan.table):
            machine.lines.emit("do", call_for_player(moments.share_check_function(machine.plan), machine.new_scope()))


def figure_fields(plan: Plan, figure: MeasuredFigure) -> list[Field]:
    """What is known of a figure of the rules: its values together, and how many they are."""
    names = [f"{word} {figure.declaration.name.text}" for word in ("figure", "moments")]
    is_counted = figure.declaration.word in ALWAYS_THERE
    return [
        plan.fields[name] if name in plan.fields else plan.add_field(name, 64, 1, int(is_counted and at == 1))
        for at, name in enumerate(names)
    ]


def check_properties(machine: Machine) -> None:
    if properties_of_some_games(machine.plan.table):
        machine.lines.emit("do", call_for_player(moments.can_happen_function(machine.plan), machine.new_scope()))


class TreePositions(PausingPositions):
    """They alone know what has been true."""


def compile_tree_positions(table: Table, cache: Cache | None = None, care: int = 2) -> TreePositions:
    """Compiles a table; raises `CannotCompile` with the reason when it cannot be."""
    form = lower_table(table, lower_tree_games)
    return TreePositions(table, form, compile_text(format_positions(form), cache, care))


def lower_tree_games(table: Table) -> AskedGamesForm:
    return lower_pausing_games(table, PropertyHooks())
