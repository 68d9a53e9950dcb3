"""Piles of which nothing is known, so that it does not matter who is dealt to first. Takes the lines of one body, one
after the other; says of a deal whether it is from such a pile, to places that were all empty before.
"""

from __future__ import annotations

from attrs import define, field

from rulesrun.interpreter.model import core
from rulesrun.interpreter.model.compile_context import ZoneRoom
from rulesrun.interpreter.reference.table import Table


@define(eq=False)
class MixedPiles:
    """`mixed`: by pile, the zones that something was dealt to since all was shuffled into it."""

    table: Table
    mixed: dict[int, set[int]] = field(factory=dict)

    def note_line(self, done: core.Statement) -> None:
        match done:
            case core.Mix(room=pile, added=core.TakeEverywhere(kinds=kinds, is_filtered=False)):
                self.mixed.clear()  # all of them, wherever they were
                if pile.kinds is kinds and pile.amount == 1:
                    self.mixed[id(pile.declaration)] = set()
            case core.Draw(target=core.Target(room=room)):
                if id(room.declaration) in self.mixed:
                    self.mixed.clear()
                else:
                    for dealt in self.mixed.values():
                        dealt.add(id(room.declaration))
            case core.Assign() | core.Adjust() | core.DrawValue() | core.Show() | core.Record():
                pass  # no component is moved
            case _:
                self.mixed.clear()

    def are_mixed_for(self, deal: core.Draw, target: ZoneRoom) -> bool:
        """To each place as many, from a pile that was shuffled with all that lay in these places."""
        pile = deal.room
        if pile.kinds is not target.kinds or deal.is_up_to or deal.alias is not None:
            return False
        known = self.table.bench.ready.get(id(deal.count))
        dealt = self.mixed.get(id(pile.declaration))
        is_sure = known is not None and known[1].is_constant
        return is_sure and dealt is not None and id(target.declaration) not in dealt
