"""Piles of which nothing is known, so that it does not matter who is dealt to first. Takes the lines of one body, one
after the other; says of a deal whether it is from such a pile, to places that were all empty before.
"""

from __future__ import annotations

from attrs import define, field

from rulesrun.dsl import ast
from rulesrun.interpreter.model.compile_context import ZoneRoom
from rulesrun.interpreter.model.core_lowering import find_kinds
from rulesrun.interpreter.model.places import find_zone
from rulesrun.interpreter.reference.table import Table

QUIET = ast.Becomes | ast.Increases | ast.Roll | ast.Lots | ast.Show | ast.Record  # no component is moved


@define(eq=False)
class MixedPiles:
    """`mixed`: by pile, the zones that something was dealt to since all was shuffled into it."""

    table: Table
    mixed: dict[int, set[int]] = field(factory=dict)

    def note_line(self, line: ast.Statement) -> None:
        match line:
            case ast.Shuffle(ast.Name(), True, into) if into is not None:
                self.note_shuffle(line, into)
            case ast.Deal():
                target = find_zone(self.table.bench, line.target)
                if target is None or id(target.declaration) in self.mixed:
                    self.mixed.clear()
                else:
                    for dealt in self.mixed.values():
                        dealt.add(id(target.declaration))
            case _ if not isinstance(line, QUIET):
                self.mixed.clear()

    def note_shuffle(self, line: ast.Shuffle, into: ast.Expr) -> None:
        """`shuffle all Card into stock`: all of them, wherever they were."""
        self.mixed.clear()
        pile, kinds = find_zone(self.table.bench, into), find_kinds(self.table.bench, line.what)
        if pile is not None and pile.kinds is kinds and pile.amount == 1:
            self.mixed[id(pile.declaration)] = set()

    def are_mixed_for(self, deal: ast.Deal, target: ZoneRoom) -> bool:
        """To each place as many, from a pile that was shuffled with all that lay in these places."""
        pile = find_zone(self.table.bench, deal.origin)
        if pile is None or pile.kinds is not target.kinds or deal.up_to or deal.alias is not None:
            return False
        known = self.table.bench.ready.get(id(deal.count))
        dealt = self.mixed.get(id(pile.declaration))
        is_sure = known is not None and known[1].is_constant
        return is_sure and dealt is not None and id(target.declaration) not in dealt
