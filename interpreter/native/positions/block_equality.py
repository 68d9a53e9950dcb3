"""What tells blocks of positions apart and does not belong to the position: taken out before two are compared.

The order in which a memory came to hold what it holds; what `before` kept in an action that is over; what an `each` has
gone through already.
"""

from __future__ import annotations

from struct import Struct

from attrs import define, field

from rulesrun.interpreter.form.form import Field
from rulesrun.interpreter.model.moments import JudgedProperty
from rulesrun.interpreter.native.positions.positions import NativePositions


@define(eq=False)
class BlockCanonicalizer:
    positions: NativePositions
    _recorded: list[tuple[Field, Field, Field]] = field(init=False)  # by memory: how many, and they in two numbers
    _kept: list[tuple[slice, frozenset[int]]] = field(init=False, factory=list)  # and at which questions it counts

    def __attrs_post_init__(self) -> None:
        table, fields = self.positions.table, self.positions.form.plan.fields
        names = [memory.name.text for memory in table.bench.declared_memories]
        self._recorded = [
            (fields[f"records in {name}"], fields[f"first of {name}"], fields[f"second of {name}"]) for name in names
        ]
        for judged in table.watches.properties:
            if judged.befores:
                counts = self.live_questions(judged)
                self._kept += [(slice(one.at, one.at + one.amount * one.bits // 8), counts)
                               for one in self.before_fields(judged)]

    def live_questions(self, judged: JudgedProperty) -> frozenset[int]:
        table = self.positions.table
        return frozenset(
            number
            for number, (_, wait) in self.positions.questions_by_number.items()
            if not judged.is_idle_at(table.lives, wait.pc)
        )

    def before_fields(self, judged: JudgedProperty) -> list[Field]:
        plan = self.positions.form.plan
        found: list[Field] = []
        for node in judged.values_before:
            kept = plan.made.get(("before", id(node.value)))
            if kept is not None:
                found += [kept] if isinstance(kept, Field) else kept[:2]
        return found

    @property
    def is_needed(self) -> bool:
        """Whether there is anything to take out at this table."""
        return bool(self._recorded or self._kept or self.positions.form.lists)

    def canonical_block(self, memory: bytes) -> bytes:
        """The same of all blocks of one position."""
        if not self.is_needed:
            return memory
        lists = self.positions.form.lists
        found = bytearray(memory)
        here = self.read_number(memory, self.positions.form.plan.fields["pc"])
        for place, counts in self._kept:
            if here not in counts:
                found[place] = bytes(place.stop - place.start)
        for values, at, end in lists:
            self.normalize_each_list(found, memory, (values, at, end))
        for amount, first, second in self._recorded:
            earlier = self.read_number(memory, amount) - 1  # the last one counts as the last
            if earlier > 1:
                words = Struct(f"<{earlier}q")
                ones, others = (words.unpack_from(memory, place.at) for place in (first, second))
                pairs = sorted(zip(ones, others, strict=True))
                words.pack_into(found, first.at, *[one for one, _ in pairs])
                words.pack_into(found, second.at, *[other for _, other in pairs])
        return bytes(found)

    def normalize_each_list(self, found: bytearray, memory: bytes, own: tuple[Field, Field, Field]) -> None:
        values, at, end = own
        first, last = self.read_number(memory, at), self.read_number(memory, end)
        each = values.bits // 8
        left = memory[values.at + first * each : values.at + last * each]
        found[values.at : values.at + values.amount * each] = left.ljust(values.amount * each, b"\0")
        for place, number in ((at, 0), (end, last - first)):
            found[place.at : place.at + place.bits // 8] = number.to_bytes(place.bits // 8, "little", signed=True)

    @staticmethod
    def read_number(memory: bytes, place: Field) -> int:
        return int.from_bytes(memory[place.at : place.at + place.bits // 8], "little", signed=True)
