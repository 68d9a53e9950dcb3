"""What tells blocks of positions apart and does not belong to the position: taken out before two are compared.

The order in which a memory came to hold what it holds; what `before` kept in an action that is over; what an `each` has
gone through already.
"""

from __future__ import annotations

from struct import Struct

from attrs import define, field

from rulesrun.dsl import ast
from rulesrun.dsl.ast.walk import walk
from rulesrun.interpreter.form.form import Field
from rulesrun.interpreter.model.moments import Judged
from rulesrun.interpreter.native.positions.positions import Positions


@define(eq=False)
class Sameness:
    positions: Positions
    _recorded: list[tuple[Field, Field, Field]] = field(init=False)  # by memory: how many, and they in two numbers
    _kept: list[tuple[slice, frozenset[int]]] = field(init=False, factory=list)  # and at which questions it counts

    def __attrs_post_init__(self) -> None:
        table, fields = self.positions.table, self.positions.form.plan.fields
        names = [memory.name.text for memory in table.bench.of_class(ast.Memory)]
        self._recorded = [
            (fields[f"records in {name}"], fields[f"first of {name}"], fields[f"second of {name}"]) for name in names
        ]
        for judged in table.watches.properties:
            if judged.befores:
                counts = self.questions(judged)
                self._kept += [(slice(one.at, one.at + one.amount * one.bits // 8), counts)
                               for one in self.fields_of(judged)]

    def questions(self, judged: Judged) -> frozenset[int]:
        table = self.positions.table
        return frozenset(
            number for number, (_, wait) in self.positions.asked.items() if not judged.is_over(table.lives, wait.pc)
        )

    def fields_of(self, judged: Judged) -> list[Field]:
        plan = self.positions.form.plan
        found: list[Field] = []
        for node in walk(judged.declaration.condition):
            kept = plan.made.get(("before", id(node.value))) if isinstance(node, ast.Before) else None
            if kept is not None:
                found += [kept] if isinstance(kept, Field) else kept[:2]
        return found

    @property
    def is_needed(self) -> bool:
        """Whether there is anything to take out at this table."""
        return bool(self._recorded or self._kept or self.positions.form.lists)

    def of(self, memory: bytes) -> bytes:
        """The same of all blocks of one position."""
        if not self.is_needed:
            return memory
        lists = self.positions.form.lists
        found = bytearray(memory)
        here = self.number(memory, self.positions.form.plan.fields["pc"])
        for place, counts in self._kept:
            if here not in counts:
                found[place] = bytes(place.stop - place.start)
        for values, at, end in lists:
            self.left_to_go(found, memory, (values, at, end))
        for amount, first, second in self._recorded:
            earlier = self.number(memory, amount) - 1  # the last one counts as the last
            if earlier > 1:
                words = Struct(f"<{earlier}q")
                ones, others = (words.unpack_from(memory, place.at) for place in (first, second))
                pairs = sorted(zip(ones, others, strict=True))
                words.pack_into(found, first.at, *[one for one, _ in pairs])
                words.pack_into(found, second.at, *[other for _, other in pairs])
        return bytes(found)

    def left_to_go(self, found: bytearray, memory: bytes, own: tuple[Field, Field, Field]) -> None:
        values, at, end = own
        first, last = self.number(memory, at), self.number(memory, end)
        each = values.bits // 8
        left = memory[values.at + first * each : values.at + last * each]
        found[values.at : values.at + values.amount * each] = left.ljust(values.amount * each, b"\0")
        for place, number in ((at, 0), (end, last - first)):
            found[place.at : place.at + place.bits // 8] = number.to_bytes(place.bits // 8, "little", signed=True)

    @staticmethod
    def number(memory: bytes, place: Field) -> int:
        return int.from_bytes(memory[place.at : place.at + place.bits // 8], "little", signed=True)
