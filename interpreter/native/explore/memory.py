"""The memory of a search through all positions: what every thread needs for itself, and what was found so far."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy
from attrs import define, field

from rulesrun.interpreter.explore.breadth_first import length_units
from rulesrun.interpreter.native.explore.arrays import Control
from rulesrun.interpreter.native.explore.machine import ExploredForm
from rulesrun.interpreter.native.explore.records import MOST_BYTES
from rulesrun.interpreter.native.explore.rows import BLOCK_BITS, block_size
from rulesrun.interpreter.native.explore.successors import EVENT, STACK
from rulesrun.interpreter.native.explore.visited_set import PARTS

Numbers = numpy.ndarray[Any, Any]
BLOCK = 1 << BLOCK_BITS
FIRST_TABLE = 1 << 14
FIRST_BLOCK, LARGE_BLOCK = 1 << 16, 1 << 24  # bytes of what is recorded
MANY_WORDS = 64  # of one record; where there are more, fewer ways are followed at a time


def zero_array(amount: int, kind: Any) -> Numbers:
    return numpy.zeros(amount, dtype=kind)


def uninitialized_array(amount: int, kind: Any) -> Numbers:
    """For what is written before anybody reads it: whatever was there."""
    return numpy.empty(amount, dtype=kind)


@define(eq=False)
class GrowingArray:
    """Numbers side by side, with room for more; all are 0 only where it is said."""

    kind: Any
    new: Callable[[int, Any], Numbers] = uninitialized_array
    array: Numbers = field(init=False)
    address: int = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.set_array(self.new(1 << 12, self.kind))

    def set_array(self, array: Numbers) -> None:
        self.array, self.address = array, int(array.ctypes.data)

    def reserve_entries(self, amount: int) -> None:
        if amount > len(self.array):
            larger = self.new(max(amount, 2 * len(self.array)), self.kind)
            larger[: len(self.array)] = self.array
            self.set_array(larger)


# ---- of one thread

@define(eq=False)
class RecordPool:
    """Where one thread keeps the records of new positions: blocks that stay where they are."""

    blocks: list[Numbers] = field(factory=list)
    next: int = 0
    end: int = 0
    kept: int = 0  # bytes

    def reserve_bytes(self, amount: int) -> None:
        """Room for so many bytes, side by side."""
        if self.next + amount > self.end:
            larger = min(2 * int(self.blocks[-1].nbytes), LARGE_BLOCK) if self.blocks else FIRST_BLOCK
            self.blocks.append(zero_array((max(amount, larger) + 7) // 8, numpy.uint64))
            self.next = int(self.blocks[-1].ctypes.data)
            self.end = self.next + int(self.blocks[-1].nbytes)

    def mark_filled(self, place: int) -> None:
        self.kept += place - self.next
        self.next = place


@define(eq=False)
class ExplorationWorker:
    """A position to work on, and a buffer of what follows: one entry for each way.

    `threads`: how many there are. `results` are of the children of all buffers whose hashes are this thread's to look
    up, so that no two threads write side by side.
    """

    form: ExploredForm
    threads: int = 1
    room: int = field(init=False, default=0)  # for so many ways
    control: Control = field(factory=Control)
    arrays: dict[str, Numbers] = field(factory=dict)
    pool: RecordPool = field(factory=RecordPool)
    tables: list[Numbers] = field(factory=list)  # what the symmetries do, kept as long as they are used
    memory: Any = field(init=False)
    address: int = field(init=False)

    def __attrs_post_init__(self) -> None:
        plan = self.form.plan
        self.memory = ctypes.create_string_buffer(plan.scratch_end + 128)
        self.address = (ctypes.addressof(self.memory) + 63) // 64 * 64
        size = block_size(self.form)
        start = numpy.frombuffer(bytes(self.form.start.values), dtype=numpy.uint8)[:size]
        blocks = zero_array(size * (STACK + 1), numpy.uint8).reshape(STACK + 1, size)
        blocks[:, : len(start)] = start
        self.keep_array("stacks", blocks)
        self.control["image"] = self.control["stacks"] + STACK * size
        self.keep_array("work", zero_array(2 * STACK + 2, numpy.int64))
        for name in ("news", "share counts"):
            self.keep_array(name, zero_array(self.threads, numpy.int64))
        self.field_array("watching")[0] = 1

    def keep_array(self, name: str, array: Numbers) -> None:
        self.arrays[name] = array
        self.control[name] = int(array.ctypes.data)

    def make_room(self, room: int) -> None:
        self.room = self.control["room"] = self.control["event room"] = room
        for name, kind, amount in (
            ("rows", numpy.uint64, room * len(self.form.words)), ("hashes", numpy.uint64, room),
            ("ways", numpy.uint32, room), ("images", numpy.uint16, room), ("sizes", numpy.uint32, room),
            ("results", numpy.uint32, room * self.threads), ("numbered", numpy.uint32, room),
            ("shares", numpy.uint32, room * self.threads), ("events", numpy.int64, room * EVENT),
            ("fresh slots", numpy.uint32, room * self.threads), ("fresh children", numpy.uint32, room * self.threads),
            ("ends", numpy.int64, room),
        ):
            self.keep_array(name, uninitialized_array(amount, kind))
        for unit in length_units(self.form.table):
            self.keep_array(f"added {unit}", zero_array(room, numpy.uint32))  # the first position adds nothing
        if self.form.memories:
            self.make_record_room(room)

    def make_record_room(self, room: int) -> None:
        """For what ways record, until it is known which of them lead to new positions."""
        memories = self.form.memories
        words = room * sum(min(one.max_words, MANY_WORDS) for one in memories) + MOST_BYTES // 8
        self.keep_array("records", zero_array(room * len(memories), numpy.int64))
        self.arrays["nodes"] = zero_array(words + 8, numpy.uint64)
        first = int(self.arrays["nodes"].ctypes.data)
        self.field_array("records first")[0] = self.field_array("records next")[0] = first
        self.field_array("records end")[0] = first + 8 * words - MOST_BYTES

    def reserve_records(self) -> None:
        """As many as the ways have made stay at most."""
        self.pool.reserve_bytes(int(self.field_array("records next")[0] - self.field_array("records first")[0]))
        self.control["record pool"] = self.pool.next

    def field_array(self, name: str) -> Numbers:
        """A field of the thread's own memory."""
        place = self.form.plan.fields[name]
        kind = {8: numpy.int8, 16: numpy.int16, 32: numpy.int32, 64: numpy.int64}[place.bits]
        offset = self.address - ctypes.addressof(self.memory) + place.at
        return numpy.frombuffer(self.memory, dtype=kind, count=place.amount, offset=offset)

    def read_events(self, width: int) -> list[list[int]]:
        many = self.control["event count"]
        found: list[list[int]] = self.arrays["events"][: many * width].reshape(many, width).tolist()
        return found


# ---- what was found

@define(eq=False)
class VisitedPositions:
    """Positions by number: rows in blocks that stay where they are, and a table of their hashes."""

    form: ExploredForm
    blocks: list[Numbers] = field(factory=list)
    pointers: GrowingArray = field(factory=lambda: GrowingArray(numpy.int64))
    table: Numbers = field(init=False)
    table_at: int = field(init=False)
    parents: GrowingArray = field(factory=lambda: GrowingArray(numpy.uint32))
    came: GrowingArray = field(factory=lambda: GrowingArray(numpy.uint32))
    hashes: GrowingArray = field(factory=lambda: GrowingArray(numpy.uint64))
    sizes: GrowingArray = field(factory=lambda: GrowingArray(numpy.uint32))
    members: GrowingArray = field(factory=lambda: GrowingArray(numpy.uint16))
    marks: GrowingArray = field(factory=lambda: GrowingArray(numpy.uint8, zero_array))
    edges: GrowingArray = field(factory=lambda: GrowingArray(numpy.uint32))
    offsets: GrowingArray = field(factory=lambda: GrowingArray(numpy.uint32))
    records: GrowingArray = field(
        factory=lambda: GrowingArray(numpy.int64)
    )  # by position and memory: where the last one lies
    record_bytes: int = 0
    images: GrowingArray = field(
        factory=lambda: GrowingArray(numpy.uint16)
    )  # by edge: what makes of what stands for it that
    lengths: dict[str, GrowingArray] = field(init=False)  # as long as the edges
    size: int = 0
    edge_count: int = 0

    def __attrs_post_init__(self) -> None:
        self.lengths = {unit: GrowingArray(numpy.uint32) for unit in length_units(self.form.table)}
        self.set_table(zero_array(FIRST_TABLE, numpy.uint64))

    def set_table(self, table: Numbers) -> None:
        self.table, self.table_at = table, int(table.ctypes.data)

    @property
    def table_mask(self) -> int:
        return len(self.table) // PARTS - 1

    @property
    def bytes_used(self) -> int:
        grown = (self.parents, self.came, self.hashes, self.sizes, self.members, self.marks, self.edges, self.offsets,
                 self.records, *self.lengths.values())
        rows = len(self.blocks) * BLOCK * len(self.form.words) * 8
        return rows + self.record_bytes + int(self.table.nbytes) + sum(int(one.array.nbytes) for one in grown)

    def reserve_positions(self, more: int, edges: int) -> None:
        """Room for so many more positions and edges."""
        amount = self.size + more
        while len(self.blocks) * BLOCK < amount:
            self.blocks.append(uninitialized_array(BLOCK * len(self.form.words), numpy.uint64))
            self.pointers.reserve_entries(len(self.blocks))
            self.pointers.array[len(self.blocks) - 1] = int(self.blocks[-1].ctypes.data)
        for one in (self.parents, self.came, self.hashes, self.sizes, self.members, self.marks):
            one.reserve_entries(amount)
        self.offsets.reserve_entries(amount + 1)
        self.records.reserve_entries(amount * len(self.form.memories))
        for one in (self.edges, *self.lengths.values()):
            one.reserve_entries(self.edge_count + edges)

    def keep_lengths(self, worker: ExplorationWorker) -> None:
        """Beside the edges that this worker has just been given."""
        first, many = worker.control["edge count"], worker.control["children"]
        for unit, known in self.lengths.items():
            known.array[first : first + many] = worker.arrays[f"added {unit}"][:many]

    def count_records(self, workers: list[ExplorationWorker]) -> None:
        """What belongs to new positions has been put where it stays."""
        for worker in workers:
            worker.pool.mark_filled(worker.control["record pool"])
        self.record_bytes = sum(worker.pool.kept for worker in workers)

    def note_images(self, workers: list[ExplorationWorker]) -> None:
        """Of what was just linked, thread after thread."""
        at = self.edge_count
        for worker in workers:
            many = worker.control["children"]
            self.images.reserve_entries(at + many)
            self.images.array[at : at + many] = worker.arrays["images"][:many]
            at += many

    def positions_waiting_from(self, pc: int) -> Numbers:
        """Which positions wait for an answer at this operation of the reference or a later one."""
        place, (end, *asked) = self.form.plan.fields["pc"], (self.form.waits[-1], *self.form.waits[:-1])
        late = numpy.array([wait.pc >= pc for wait in (end, *asked)])
        word = next(number for number, one in enumerate(self.form.words) if one.at == place.at // 8 * 8)
        rows = numpy.concatenate([block.reshape(BLOCK, -1)[:, word] for block in self.blocks])[: self.size]
        questions = rows >> numpy.uint64(place.at % 8 * 8) & numpy.uint64((1 << place.bits) - 1)
        found: Numbers = late[questions.astype(numpy.int64)]
        return found

    def has_to_grow(self, more: int) -> bool:
        return 2 * (self.size + more) > len(self.table)

    def fill_control(self, control: Control) -> None:
        """Tells a kernel where everything is."""
        for name, one in (
            ("blocks", self.pointers), ("parents", self.parents), ("came", self.came), ("found sizes", self.sizes),
            ("found hashes", self.hashes),
            ("members", self.members), ("found members", self.members), ("marks", self.marks), ("edges", self.edges),
            ("offsets", self.offsets), ("found records", self.records),
        ):
            control[name] = one.address
        control["table"], control["mask"] = self.table_at, self.table_mask
        control["shift"] = 65 - len(self.table).bit_length()
