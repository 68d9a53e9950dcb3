"""What belongs to a position and what does not; positions as short keys. Takes a table, changes nothing.

Not part of a position: what was shown, what registers hold that nobody will read, the number of the
round when nothing asks for it, single countings when only their sum is asked for, or that and the latest.
"""

from __future__ import annotations

from array import array
from typing import Any

from attrs import define, field

from rulesrun.interpreter.model.compile_context import VariableRoom, ZoneRoom
from rulesrun.interpreter.model.relevance import find_memories_asked, find_words_asked
from rulesrun.interpreter.model.values import FIRST_FREE, PC, ROUND, SHEETS, SHOWN, Slots, simplify_number
from rulesrun.interpreter.reference.decisions import TogetherWait
from rulesrun.interpreter.reference.table import Table

Key = bytes
WIDTH = "I"  # of a number in a key


class ValueNumbers(dict[Any, int]):
    """The values that a slot has held, numbered as they came."""

    def __missing__(self, value: Any) -> int:
        number = self[value] = len(self)
        return number


@define(eq=False)
class PositionKeys:
    """Positions of one table as keys, there and back."""

    table: Table
    numbers: list[ValueNumbers] = field(init=False)
    values: list[list[Any]] = field(init=False)
    dead: dict[int, tuple[int, ...]] = field(init=False)  # by where an answer is needed: slots nobody will read
    keeps_rounds: bool = field(init=False)
    keeps_sheets: bool = field(init=False)

    def __attrs_post_init__(self) -> None:
        size = len(self.table.blank)
        self.numbers = [ValueNumbers() for _ in range(size)]
        self.values = [[] for _ in range(size)]
        unasked = set(self.table.bench.memories.values()) - find_memories_asked(self.table.bench, properties=False)
        self.dead = {pc: (*dead_slots(self.table, pc), *unasked) for pc in self.table.waits}
        asked, rounds = find_words_asked(self.table.bench, "round", "latest"), self.table.bench.rounds
        self.keeps_rounds = "round" in asked or (rounds is not None and rounds.count is not None)
        self.keeps_sheets = "latest" in asked

    def normalize_position(self, S: Slots) -> Slots:
        """Only what belongs to the position is left in it; it can be played on all the same."""
        blank = self.table.blank
        S[SHOWN] = ()
        for slot in self.dead[S[PC]]:
            S[slot] = blank[slot]
        if not self.keeps_rounds and S[ROUND] > 1:
            S[ROUND] = 1
        if S[SHEETS]:
            S[SHEETS] = sum_sheets_but_latest(S[SHEETS]) if self.keeps_sheets else sum_sheets(S[SHEETS])
        return S

    def key_of(self, S: Slots) -> Key:
        """The same for positions that are the same; their values must be settled."""
        return array(WIDTH, [known[value] for known, value in zip(self.numbers, S, strict=False)]).tobytes()

    def slots_of_key(self, key: Key) -> Slots:
        """The position again, with room to work."""
        return [*self.decode_row(array(WIDTH, key)), *self.table.scratch_slots()]

    def decode_row(self, row: array[int]) -> list[Any]:
        values = self.values
        try:
            return [known[number] for known, number in zip(values, row, strict=True)]
        except IndexError:
            self.update_values()
            return [known[number] for known, number in zip(values, row, strict=True)]

    def update_values(self) -> None:
        for numbers, values in zip(self.numbers, self.values, strict=True):
            if len(values) < len(numbers):
                values[:] = numbers


def dead_slots(table: Table, pc: int) -> tuple[int, ...]:
    """The registers that do not matter where an answer is needed at this operation."""
    bench = table.bench
    kept = {*range(FIRST_FREE), *bench.boxes.values(), *bench.memories.values()}
    rooms: list[ZoneRoom | VariableRoom] = [*bench.zones.values(), *bench.variables.values()]
    for room in rooms:
        kept.update(range(room.base, room.base + room.amount))
    for variable, first in bench.marked.items():
        kept.update(range(first, first + bench.variables[variable].amount))
    wait = table.waits[pc]
    if isinstance(wait, TogetherWait):
        kept.update((wait.seats, wait.chosen, wait.done, wait.before))
    return tuple(
        slot
        for slot in range(len(table.blank))
        if slot not in kept and not any(first <= pc < last for first, last in table.lives.get(slot, []))
    )


def sum_sheets(sheets: tuple[Any, ...]) -> tuple[Any, ...]:
    """One sheet for each `score` that brought any points, with the sums of all its countings."""
    sums: dict[int, list[list[Any]]] = {}
    for number, _, values in sheets:
        known = sums.setdefault(number, [[0] * len(own) for own in values])
        for total, own in zip(known, values, strict=True):
            total[:] = [simplify_number(one + more) for one, more in zip(total, own, strict=True)]
    return tuple(
        (number, 0, tuple(map(tuple, sums[number]))) for number in sorted(sums) if any(map(any, sums[number]))
    )


def sum_sheets_but_latest(sheets: tuple[Any, ...]) -> tuple[Any, ...]:
    """The sums of all countings before the latest of each `score`, then these; nothing where no points were given."""
    places = sorted({number: place for place, (number, _, _) in enumerate(sheets)}.values())
    earlier = sum_sheets(tuple(sheet for place, sheet in enumerate(sheets) if place not in places))
    found = (*earlier, *((sheets[place][0], 0, sheets[place][2]) for place in places))
    return found if any(any(map(any, values)) for _, _, values in found) else ()
