"""A kernel that copies what seats see of many positions into rows of numbers, part by part. Of each row it is
said whose eyes it is seen with, and of each seat where its parts begin.

A part is twelve numbers: what is done, where the numbers go, how many, where they are read, how far apart, how far
shifted, what stands for nothing, where the gate is read (so many are there), how far it is shifted, whether there is
one, by how many seats a seat is turned, and how many seats there are.
"""

from __future__ import annotations

from attrs import define

from rulesrun.interpreter.form.form import NOTHING, Function, Value, binary, local, number, select
from rulesrun.interpreter.form.lines import Lines
from rulesrun.interpreter.form.memory import MemoryArray, clear_bytes, load_shifted, local_array

COPY, BITS, ADD, COUNT_BITS, TALLY, TURN = range(6)
NAMES = ("what", "to", "amount", "at", "apart", "shift", "none", "gate at", "gate shift", "has gate", "by", "seats")
WIDTH = len(NAMES)
LARGEST = (1 << 31) - 1  # that is told, and below zero
NO_GATE = (1 << 63) - 1
Record = tuple[int, ...]


def join_copies(records: list[Record]) -> list[Record]:
    """Copies of which one goes on where the one before it ends are one: a loop over numbers, not over parts."""
    found: list[Record] = []
    for record in records:
        if found and goes_on(found[-1], record):
            what, to, amount, *rest = found[-1]
            found[-1] = (what, to, amount + record[2], *rest)
        else:
            found.append(record)
    return found


def goes_on(one: Record, other: Record) -> bool:
    what, to, amount, at, apart, *rest = one
    has_gate = rest[4]
    is_next = other[1] == to + amount and other[3] == at + amount * apart
    return what == other[0] == COPY and not has_gate and is_next and list(other[4:]) == [apart, *rest]


@define(eq=False)
class PartWriter:
    """One part of one row: numbers of the position are put into the row of what is seen, or added to what is there."""

    lines: Lines
    row: Value  # where the position lies
    part: dict[str, Value]
    target: MemoryArray
    gate: Value  # so many are there

    def number_at(self, which: Value | int = 0) -> Value:
        place = self.row + self.part["at"] + self.part["apart"] * which
        return self.lines.bind(load_shifted(place, self.part["shift"]))

    def bit_at(self, which: Value) -> Value:
        return (MemoryArray(self.row + self.part["at"], 8).load(which >> 3) >> (which & 7)) & 1

    def turned(self, value: Value) -> Value:
        """A seat, as it is called by who looks."""
        less, seats = self.lines.bind(value - self.part["by"]), self.part["seats"]
        return select((value > 0) & (seats > 0), select(less < 0, less + seats, less) + 1, value)

    def copy(self) -> None:
        with self.lines.repeat(self.part["amount"]) as which:
            value = self.number_at(which)
            told = select(value.differs(NOTHING) & (which < self.gate), self.turned(value), self.part["none"])
            told = self.lines.bind(binary("min", self.lines.bind(told), number(LARGEST)))
            self.target.store(self.lines, which, binary("max", told, number(-LARGEST)))

    def bits(self) -> None:
        with self.lines.repeat(self.part["amount"]) as which:
            self.target.add_to(self.lines, which, self.bit_at(which))

    def add(self) -> None:
        with self.lines.repeat(self.part["amount"]) as which:
            self.target.add_to(self.lines, which, self.number_at(which))

    def count_bits(self) -> None:
        total = self.lines.variable(number(0), "total")
        with self.lines.repeat(self.part["amount"]) as which:
            self.lines.add_to(total, self.bit_at(which))
        self.target.add_to(self.lines, 0, total)

    def tally(self) -> None:
        with self.lines.repeat(binary("min", self.part["amount"], self.gate)) as which:
            self.target.add_to(self.lines, self.number_at(which), 1)

    def turn(self) -> None:
        """Whose turn it is; nobody's, where all choose together."""
        asked = load_shifted(self.row + local("pc at"), local("pc shift"))
        is_hidden = local_array("together").load(asked).differs(0)
        self.target.store(self.lines, 0, select(is_hidden, number(0), self.turned(self.number_at())))


def copy_parts_function() -> Function:
    """Row by row, all parts that the seat sees. `whose`: the seat of each row; `starts`: where its parts begin."""
    lines = Lines()
    with lines.repeat(local("n")) as which:
        row = local_array("rows", 8).part(lines, local("size") * which).at
        out = local_array("found", 32).part(lines, local("wide") * which)
        clear_bytes(lines, out.at, local("wide") * 4)
        own = local_array("starts").part(lines, local_array("whose").load(which))
        with lines.repeat(own.load(1), first=own.load(0)) as at:
            write_part(lines, row, out, local_array("parts").part(lines, at * WIDTH))
    given = ("rows", "size", "n", "whose", "starts", "parts", "pc at", "pc shift", "together", "found", "wide")
    return Function("copy parts", given, None, lines.lines, is_inner=False, has_position=False)


def write_part(lines: Lines, row: Value, out: MemoryArray, numbers: MemoryArray) -> None:
    part = {name: lines.bind(numbers.load(at), name) for at, name in enumerate(NAMES)}
    gate = load_shifted(row + part["gate at"], part["gate shift"])
    gate = lines.bind(select(part["has gate"].differs(0), gate, number(NO_GATE)))
    writer = PartWriter(lines, row, part, out.part(lines, part["to"]), gate)
    for kind, write in (
        (COPY, writer.copy), (BITS, writer.bits), (ADD, writer.add), (COUNT_BITS, writer.count_bits),
        (TALLY, writer.tally), (TURN, writer.turn),
    ):  # fmt: skip
        with lines.when(part["what"].equals(kind)):
            write()
