"""Positions to count a tree with: takes a table, gives positions that stop at every moment, and note which of the
properties that speak of some games have been true by then.
"""

from __future__ import annotations

from attrs import define

from rulesrun.interpreter.form.machine_code import Cache, compiled
from rulesrun.interpreter.native.flow import moments
from rulesrun.interpreter.native.flow.asked_games import AskedForm
from rulesrun.interpreter.native.flow.questions import Question
from rulesrun.interpreter.native.layout.lowering import lowered
from rulesrun.interpreter.native.layout.machine import Machine
from rulesrun.interpreter.native.layout.plan import ask
from rulesrun.interpreter.native.positions.positions import text_of
from rulesrun.interpreter.native.views.pausing import Pausing, PausingPositions, pausing_games
from rulesrun.interpreter.play.game_tree import properties_of_some_games
from rulesrun.interpreter.reference.table import Table


@define(eq=False)
class Looking(Pausing):
    """Looks at properties where somebody chooses, and at the end."""

    def stops(self, machine: Machine, question: Question) -> None:
        Pausing.stops(self, machine, question)
        if question.actions:
            look(machine)

    def ends(self, machine: Machine) -> None:
        look(machine)
        if properties_of_some_games(machine.plan.table):
            machine.lines.add("do", ask(moments.looking_at_the_end(machine.plan), machine.scope()))


def look(machine: Machine) -> None:
    if properties_of_some_games(machine.plan.table):
        machine.lines.add("do", ask(moments.looking_for_what_can_happen(machine.plan), machine.scope()))


class TreePositions(PausingPositions):
    """They alone know what has been true."""


def tree_positions(table: Table, cache: Cache | None = None, care: int = 2) -> TreePositions:
    """Compiles a table; raises `CannotCompile` with the reason when it cannot be."""
    form = lowered(table, looking_games)
    return TreePositions(table, form, compiled(text_of(form), cache, care))


def looking_games(table: Table) -> AskedForm:
    return pausing_games(table, Looking())
