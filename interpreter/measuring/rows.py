"""Rows with rules (goal cards and the like): which lie open when points are counted, and for how many they hold."""

from __future__ import annotations

from collections import Counter
from typing import Any

from attrs import define, field

from rulesrun.dsl import ast
from rulesrun.interpreter.components import Kinds
from rulesrun.interpreter.layout import all_zone_slots
from rulesrun.interpreter.places import flat
from rulesrun.interpreter.table import Table
from rulesrun.interpreter.values import PLAYER, WORK, Fault, Run, Slots


@define(eq=False)
class RowWatch:
    """`count` adds `("row", name)` once and `("met", name)` for every player for whom the rule holds."""

    table: Table
    _open: list[tuple[Kinds, list[int], dict[int, Run]]] = field(init=False, factory=list)

    def __attrs_post_init__(self) -> None:
        bench = self.table.bench
        hidden = {
            slot for room in bench.zones.values() if room.declaration.visibility == "hidden"
            for slot in range(room.base, room.base + room.amount)
        }  # fmt: skip
        for kinds in bench.kinds.values():
            ready = rules_of(self.table, kinds)
            if ready:
                self._open.append((kinds, [slot for slot in all_zone_slots(bench, kinds) if slot not in hidden
                                           and slot not in bench.boxes.values()], ready))  # fmt: skip

    def count(self, S: Slots, rows: Counter[tuple[str, str]]) -> None:
        for kinds, slots, ready in self._open:
            for kind in (kind for slot in slots for kind in flat(S[slot])):
                rows["row", kinds.names[kind]] += 1
                rows["met", kinds.names[kind]] += self._met(S, ready[kind])

    def _met(self, S: Slots, run: Run) -> int:
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


def rules_of(table: Table, kinds: Kinds) -> dict[int, Run]:
    """The rule of every kind that has one."""
    bench, declaration = table.bench, kinds.declaration
    columns = [column for column, one in enumerate(declaration.attributes) if one.type is None]
    found: dict[int, Run] = {}
    for row in declaration.rows:
        for column in columns[:1]:
            kept, bench.elements = bench.elements, []
            try:
                found[kinds.names.index(row.name.text)] = bench.expression(row.cells[column]).run
            finally:
                bench.elements = kept
    return found


def has_rules(declaration: ast.Components) -> bool:
    return bool(declaration.rows) and any(one.type is None for one in declaration.attributes)
