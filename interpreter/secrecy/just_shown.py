"""Which zones have just been shown to all where a condition is looked at. Takes a table, gives them by condition."""

from __future__ import annotations

from attrs import define, field

from rulesrun.dsl import ast
from rulesrun.interpreter.model.compile_context import ZoneRoom
from rulesrun.interpreter.model.core import Adjust, Assign, Contents, End, Record, Show
from rulesrun.interpreter.model.core_lowering import lower_statement
from rulesrun.interpreter.reference.table import Table

Shown = frozenset[int]  # the zones that the player has just shown to all, by identity


@define(eq=False)
class ShownTracker:
    """Goes through the statements of every piece; at each condition notes what has just been shown to all."""

    table: Table
    shown: dict[int, Shown] = field(factory=dict)
    _inside: list[int] = field(factory=list)  # the steps that are being gone through

    def track_piece(self, body: tuple[ast.Statement, ...]) -> None:
        self.shown_after(body, frozenset())

    def shown_after(self, body: tuple[ast.Statement, ...], shown: Shown) -> Shown:
        for statement in body:
            shown = self.shown_after_statement(statement, shown)
        return shown

    def shown_after_statement(self, statement: ast.Statement, shown: Shown) -> Shown:
        match lower_statement(self.table.bench, statement):
            case Show(what=ast.Name(), zone=Contents(room=ZoneRoom(zone)), to=None):
                return shown | {id(zone)}
            case ast.If(branches=branches):
                return self.shown_after_if(branches, shown)
            case ast.Do(step=name):
                step = self.table.bench.meaning(name)
                if not isinstance(step, ast.Step) or id(step) in self._inside:
                    return frozenset()
                self._inside.append(id(step))
                shown = self.shown_after(step.body, shown)
                self._inside.pop()
                return shown
            case Assign() | Adjust() | Show() | Record() | End():
                return shown
            case ast.ForEach(word="let" | "do", body=body):
                return self.shown_after(body, shown)
            case ast.ForEach(body=body) | ast.EachPlayer(body=body) | ast.Turns(body=body) | ast.Repeat(body=body):
                self.shown_after(body, frozenset())
                return frozenset()
            case _:
                return frozenset()

    def shown_after_if(self, branches: tuple[ast.Branch, ...], shown: Shown) -> Shown:
        left = shown
        for branch in branches:
            if branch.condition is not None:
                known = self.shown.get(id(branch.condition), shown)
                self.shown[id(branch.condition)] = known & shown
            left &= self.shown_after(branch.body, shown)
        return left


def find_just_shown(table: Table) -> dict[int, Shown]:
    """By condition what has just been shown to all, whichever way the game came there."""
    showing = ShownTracker(table)
    for piece in table.program.game.declarations:
        if isinstance(piece, ast.Action | ast.Setup | ast.Phase):
            showing.track_piece(piece.body)
    return showing.shown
