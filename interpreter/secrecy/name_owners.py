"""Whose the elements of loops are, what was drawn and what was chosen. Takes a table; gives by statement those that
belong to the one who is `player` there.

Inside `each player`, inside turns, in an action that says who is `player`, somebody else is spoken of: what was one's
own outside is another's there.
"""

from __future__ import annotations

from collections.abc import Mapping
from weakref import WeakKeyDictionary

from attrs import define, field

from rulesrun.interpreter.model import core
from rulesrun.interpreter.model.compile_context import Workbench
from rulesrun.interpreter.model.core_lowering import list_pieces, lower_statement
from rulesrun.interpreter.reference.table import Table

Names = frozenset[int]  # of loops, draws and choices, by identity
NOBODYS: Names = frozenset()

_names: WeakKeyDictionary[Table, Mapping[int, Names]] = WeakKeyDictionary()


def own_names(table: Table) -> Mapping[int, Names]:
    """Worked out once for a table. What a statement is not known to own it does not own."""
    found = _names.get(table)
    if found is None:
        scopes = Scopes(table.bench)
        for piece in list_pieces(table.bench):
            if isinstance(piece, core.Action):
                scopes.body(piece.body, chosen(piece))
            elif isinstance(piece, core.Setup | core.Phase | core.Step):
                scopes.body(piece.body, NOBODYS)
        found = _names[table] = scopes.by_statement
    return found


def chosen(action: core.Action) -> Names:
    """Whoever is made `player` by a choice has not made it."""
    if any(one.name.text == "player" for one in action.choices):
        return NOBODYS
    return frozenset(id(one) for one in action.choices)


@define(eq=False)
class Scopes:
    bench: Workbench
    by_statement: dict[int, Names] = field(factory=dict)

    def body(self, lines: tuple[core.Line, ...], mine: Names) -> Names:
        """What is the player's own after the last line."""
        for line in lines:
            mine = self.after(line, mine)
        return mine

    def after(self, line: core.Line, mine: Names) -> Names:
        self.by_statement[id(line)] = mine
        done = lower_statement(self.bench, line)
        if isinstance(done, core.Draw) and done.alias is not None:
            return mine | {id(done.node)}
        is_others = core.speaks_of_others(done)
        inside = NOBODYS if is_others else mine
        if isinstance(done, core.ForEach):
            inside |= {id(done.each)}
        drawn = [self.body(body, inside) for body in core.list_bodies(done)]
        return mine if is_others else mine.union(*drawn)
