"""What one player knows of the places that are hidden from that player. Follows a game question by question.

What was seen going into a hidden place is known to lie there, until something unseen leaves that place.
"""

from __future__ import annotations

from collections import Counter

from attrs import define, field

from rulesrun.interpreter.places import flat
from rulesrun.interpreter.searching.changes import zone_slots
from rulesrun.interpreter.table import Table
from rulesrun.interpreter.values import SHOWN, Slots
from rulesrun.interpreter.visibility import sees
from rulesrun.interpreter.workbench import ZoneRoom

Amounts = Counter[int]


def unseen_slots(table: Table, player: int) -> dict[int, ZoneRoom]:
    """The places of which the player sees no more than how many lie there; below a public top nobody looks either."""
    return {
        slot: room
        for slot, (room, _) in zone_slots(table).items()
        if room.declaration.visibility != "public top" and not sees(room, slot - room.base, player)
    }


@define(eq=False)
class Knowledge:
    table: Table
    player: int
    unseen: dict[int, ZoneRoom] = field(init=False)
    known: dict[int, Amounts] = field(init=False, factory=dict)  # by slot
    _before: dict[int, Amounts] = field(init=False, factory=dict)

    def __attrs_post_init__(self) -> None:
        self.unseen = unseen_slots(self.table, self.player)

    def look(self, S: Slots) -> None:
        """One more question of the game, in its order."""
        now = {slot: Counter(flat(S[slot])) for slot in zone_slots(self.table)}
        if self._before:
            for kinds in self.table.bench.kinds.values():
                slots = [slot for slot, (room, _) in zone_slots(self.table).items() if room.kinds is kinds]
                self.follow(now, slots)
        for to, slot, content in S[SHOWN]:
            if to in {0, self.player} and slot in self.unseen:
                self.known[slot] = Counter(flat(content)) & now[slot]
        self._before = now

    def follow(self, now: dict[int, Amounts], slots: list[int]) -> None:
        gone_from_sight: Amounts = Counter()
        come_to_sight: Amounts = Counter()
        for slot in slots:
            if slot not in self.unseen:
                gone_from_sight += self._before[slot] - now[slot]
                come_to_sight += now[slot] - self._before[slot]
        for slot in slots:
            if slot not in self.unseen:
                continue
            known = self.known.setdefault(slot, Counter())
            left = self._before[slot] - now[slot]
            if left - come_to_sight:
                known.clear()
            known += (now[slot] - self._before[slot]) & gone_from_sight
            self.known[slot] = known & now[slot]
