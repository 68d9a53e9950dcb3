"""Whose the elements of loops are, what was drawn and what was chosen. Takes a table; gives by statement those that
belong to the one who is `player` there.

Inside `each player`, inside turns, in an action that says who is `player`, somebody else is spoken of: what was one's
own outside is another's there.
"""

from __future__ import annotations

from collections.abc import Mapping
from weakref import WeakKeyDictionary

from attrs import define, field

from rulesrun.dsl import ast
from rulesrun.dsl.ast.footprint import footprint_of
from rulesrun.interpreter.reference.table import Table

Names = frozenset[int]  # of loops, draws and choices, by identity
NOBODYS: Names = frozenset()

_names: WeakKeyDictionary[Table, Mapping[int, Names]] = WeakKeyDictionary()


def own_names(table: Table) -> Mapping[int, Names]:
    """Worked out once for a table. What a statement is not known to own it does not own."""
    found = _names.get(table)
    if found is None:
        scopes = Scopes()
        for piece in table.program.game.declarations:
            if isinstance(piece, ast.Action):
                scopes.body(piece.body, chosen(piece))
            elif isinstance(piece, ast.Setup | ast.Phase | ast.Step):
                scopes.body(piece.body, NOBODYS)
        found = _names[table] = scopes.by_statement
    return found


def chosen(action: ast.Action) -> Names:
    """Whoever is made `player` by a choice has not made it."""
    if any(one.name.text == "player" for one in action.choices):
        return NOBODYS
    return frozenset(id(one) for one in action.choices)


@define(eq=False)
class Scopes:
    by_statement: dict[int, Names] = field(factory=dict)

    def body(self, lines: tuple[ast.Statement, ...], mine: Names) -> Names:
        """What is the player's own after the last line."""
        for line in lines:
            mine = self.after(line, mine)
        return mine

    def after(self, line: ast.Statement, mine: Names) -> Names:
        self.by_statement[id(line)] = mine
        if isinstance(line, ast.Deal) and line.alias is not None:
            return mine | {id(line)}
        done = footprint_of(line)
        inside = NOBODYS if done.for_others else mine
        if isinstance(line, ast.ForEach):
            inside |= {id(line.each)}
        drawn = [self.body(body.lines, inside) for body in done.bodies]
        return mine if done.for_others else mine.union(*drawn)
