"""Rows with rules (goal cards and the like): which lie open when points are counted, and for how many they hold."""

from __future__ import annotations

from collections import Counter
from typing import Any

from attrs import define, field

from rulesrun.dsl.contents.causes import find_zones_that_count
from rulesrun.interpreter.model.compile_context import ZoneRoom
from rulesrun.interpreter.model.components import Kinds
from rulesrun.interpreter.model.places import flatten_content
from rulesrun.interpreter.model.values import PLAYER, WORK, Fault, Run, Slots
from rulesrun.interpreter.reference.table import Table

OpenRow = tuple[str, int, int]  # its components, its number among them, of how many players the rule holds


@define(eq=False)
class RuleRowCounter:
    table: Table
    _open: list[tuple[str, list[int], dict[int, Run]]] = field(init=False, factory=list)

    def __attrs_post_init__(self) -> None:
        named = find_scoring_zones(self.table)
        for kinds in self.table.bench.kinds.values():
            ready = rules_by_kind(self.table, kinds)
            rooms = [room for room in named if room.kinds is kinds]
            slots = [slot for room in rooms for slot in range(room.base, room.base + room.amount)]
            if ready and slots:
                self._open.append((kinds.declaration.name.text, slots, ready))

    def count_rows(self, S: Slots, rows: Counter[OpenRow]) -> None:
        for name, slots, ready in self._open:
            for kind in (kind for slot in slots for kind in flatten_content(S[slot])):
                rows[name, kind, self._count_met(S, ready[kind])] += 1

    def _count_met(self, S: Slots, run: Run) -> int:
        kept: tuple[Any, ...] = (S[PLAYER], S[WORK])
        met = 0
        try:
            for player in range(1, self.table.players + 1):
                S[PLAYER] = player
                met += bool(run(S))
        except (Fault, TypeError, RecursionError, OverflowError):
            pass
        S[PLAYER], S[WORK] = kept
        return met


def find_scoring_zones(table: Table) -> list[ZoneRoom]:
    """Those that score lines or definitions speak of: what lies elsewhere is out of play."""
    meant = find_zones_that_count(table.program)
    return [room for key, room in table.bench.zones.items() if key in meant]


def rules_by_kind(table: Table, kinds: Kinds) -> dict[int, Run]:
    """The rule of every kind that has one."""
    bench = table.bench
    found: dict[int, Run] = {}
    for row, rule in kinds.list_rules():
        kind = kinds.names.index(row)
        if kind not in found:
            kept, bench.elements = bench.elements, []
            try:
                found[kind] = bench.compile(rule).run
            finally:
                bench.elements = kept
    return found


def has_rules(kinds: Kinds) -> bool:
    return next(kinds.list_rules(), None) is not None
