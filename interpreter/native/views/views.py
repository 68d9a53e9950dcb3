"""What each player sees of many positions, and what a choice says: rows of bytes in, numbers of 64 bits out.

Positions that note what is shown are asked for it too; others of rules with `show` are refused.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy
from attrs import define, field

from rulesrun.dsl.text.messages import message
from rulesrun.interpreter.form.form import NOTHING, CannotCompile, Field
from rulesrun.interpreter.model import core
from rulesrun.interpreter.native.flow.questions import Question
from rulesrun.interpreter.native.layout.plan import Store
from rulesrun.interpreter.native.positions.batches import Batch, Rows
from rulesrun.interpreter.native.positions.positions import NativePositions
from rulesrun.interpreter.native.views.observations import BatchObserver
from rulesrun.interpreter.play.visibility import can_see, has_show_statement, visible_slots
from rulesrun.interpreter.reference.decisions import DecisionWait, TogetherWait

Words = numpy.ndarray[Any, numpy.dtype[numpy.uint64]]
Look = Callable[[Rows, Store, int], Any]
SPREAD, SEED = numpy.uint64(0x9E3779B97F4A7C15), numpy.uint64(0xD6E8FEB86659FD93)
ALWAYS = ("round", "starter", "phase", "counted", "latest", "total", "latest total")


def mix_words(one: Any, other: Any) -> Words:
    """Two numbers as one; which comes first matters."""
    found: Words = numpy.asarray(one, dtype=numpy.uint64) * SPREAD
    found = found ^ (numpy.asarray(other, dtype=numpy.uint64) + SEED)
    for shift, spread in ((32, SEED), (29, SPREAD)):
        found ^= found >> numpy.uint64(shift)
        found *= spread
    found ^= found >> numpy.uint64(32)
    return found


@define(eq=False)
class Views:
    batch: Batch
    positions: NativePositions = field(init=False)
    shows: bool = field(init=False)
    _columns: dict[int, Any] = field(init=False, factory=dict)  # by seat: the bytes that are seen
    _places: dict[int, list[tuple[Look, Store, int]]] = field(init=False, factory=dict)  # what must be worked out
    _observed: BatchObserver = field(init=False)
    _together: list[int] = field(init=False)
    _look: Any = field(init=False)
    sees_alike: bool = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.positions = self.batch.positions
        table = self.positions.table
        self.shows, self._observed = has_show_statement(table), BatchObserver(self.batch, 1)
        if self.shows and "shown" not in self.positions.form.plan.fields:
            raise CannotCompile(message("these positions do not say what was shown"))
        self._together = [number for number, (_, wait) in self.positions.questions_by_number.items()
                          if isinstance(wait, TogetherWait)]
        for seat in range(1, table.players + 1):
            self.prepare_seat(seat)
        slots = [visible_slots(table, seat) for seat in range(1, table.players + 1)]
        self.sees_alike = all(one == slots[0] for one in slots)
        pointer, number = ctypes.c_void_p, ctypes.c_int64
        self._look = self.positions.code.function(
            "view many", None, pointer, number, pointer, pointer, number, pointer
        )

    def prepare_seat(self, seat: int) -> None:
        table, plan = self.positions.table, self.positions.form.plan
        seen = numpy.zeros(plan.size, dtype=bool)
        sizes, piles, tops = self._observed.count_components, self.hash_pile, self._observed.known_top
        found: list[tuple[Look, Store, int]] = []
        for name in ALWAYS:
            mark_field(seen, plan.fields[name], 0, plan.fields[name].amount)
        for room in table.bench.zones_at_table:
            store = plan.stores[id(room.declaration)]
            for number in range(room.amount):
                if room.declaration.visibility == "public top":
                    found.extend([(sizes, store, number), (tops, store, number)])
                elif not can_see(room, number, seat):
                    found.append((sizes, store, number))
                elif store.shape == "bag":
                    found.append((piles, store, number))
                else:
                    mark_store(seen, store, number)
        for variable in table.bench.variables.values():
            place = plan.variables[id(variable.declaration)]
            each = place.amount // variable.amount
            for number in range(variable.amount):
                if can_see(variable, number, seat):
                    mark_field(seen, place, number * each, each)
        self._columns[seat], self._places[seat] = seen_words(seen), found

    def read_named_field(self, rows: Rows, name: str) -> Any:
        return self.batch.read_named_field(rows, name)

    def hash_views(self, rows: Rows, seat: int) -> Words:
        """What lies open to a seat in every position; never 0."""
        offsets, masks = self._columns[seat]
        found: Words = numpy.empty(len(rows), dtype=numpy.uint64)
        rows = numpy.ascontiguousarray(rows)
        self._look(rows.ctypes.data, len(rows), offsets.ctypes.data, masks.ctypes.data, len(offsets), found.ctypes.data)
        for look, store, number in self._places[seat]:
            found = mix_words(found, look(rows, store, number).astype(numpy.int64).astype(numpy.uint64))
        return found | numpy.uint64(1)

    def whose_turn(self, rows: Rows) -> Words:
        """While several choose at once, whose answer is being taken is nobody's knowledge."""
        player: Words = self.read_named_field(rows, "player")[:, 0].astype(numpy.uint64)
        if self._together:
            player[numpy.isin(self.read_named_field(rows, "pc")[:, 0], self._together)] = 0
        return player

    def hash_question_views(self, rows: Rows, seat: int, whose: Words) -> Words:
        """What a seat sees where somebody is asked: whose turn it is, and what still lies shown; never 0."""
        found = mix_words(numpy.full(len(rows), 19, dtype=numpy.uint64), whose)
        if self.shows:
            found = mix_words(found, self.hash_shown(rows, seat))
        return found | numpy.uint64(1)

    def hash_pile(self, rows: Rows, store: Store, number: int) -> Words:
        """All of a pile that was shuffled: one by one what is known to lie under and on the rest, of that no order."""
        found: Words = numpy.zeros(len(rows), dtype=numpy.uint64)
        for part in (store.bottom, store.inner, store.top):
            if part is None:
                continue
            size = self._observed.count_components(rows, part, number)
            if part.shape == "row":
                items = self._observed.read_row_items(rows, part, number)
                for at in range(int(size.max(initial=0))):
                    found[at < size] = mix_words(found[at < size], items[at < size, at])
                continue
            amounts, mixture = (
                self._observed.count_kinds(rows, part, number),
                numpy.zeros(len(rows), dtype=numpy.uint64),
            )
            for kind in range(amounts.shape[1]):
                mixture = mix_words(mixture, amounts[:, kind])
            mixture[size == 1] = amounts[size == 1].argmax(axis=1)
            found[size > 0] = mix_words(found[size > 0], mixture[size > 0])
        return found

    # ---- what is shown

    def count_shown(self, rows: Rows) -> Any:
        """To anybody."""
        if not self.shows:
            return numpy.zeros(len(rows), dtype=numpy.int64)
        return self.read_named_field(rows, "shown")[:, 0].astype(numpy.int64)

    def hash_shown(self, rows: Rows, seat: int) -> Words:
        """What is shown to a seat, in its order."""
        found: Words = numpy.zeros(len(rows), dtype=numpy.uint64)
        for at in range(int(self.count_shown(rows).max(initial=0))):
            is_seen, _, what = self.shown_note(rows, seat, at)
            found[is_seen] = mix_words(found[is_seen], what[is_seen])
        return found

    def shown_note(self, rows: Rows, seat: int, at: int) -> tuple[Any, Any, Words]:
        """One of the things shown: where the seat sees it, where anybody does, and what it is, as a number."""
        to, what = self.read_named_field(rows, "shown to")[:, at], self.read_named_field(rows, "shown what")[:, at]
        is_there = (at < self.count_shown(rows)) & (to != NOTHING)
        return is_there & ((to == 0) | (to == seat)), is_there, what.astype(numpy.uint64)

    # ---- what is chosen

    def hash_choices(self, rows: Rows, question: Question, wait: DecisionWait) -> tuple[Words, Words]:
        """Of choices that were just made: what the chooser remembers, and what the others hear (0: nothing)."""
        entry = self.read_named_field(rows, "entry")[:, 0]
        own, heard = numpy.zeros(len(rows), dtype=numpy.uint64), numpy.zeros(len(rows), dtype=numpy.uint64)
        for at, action in enumerate(question.actions):
            which = numpy.flatnonzero(entry == at)
            if not len(which):
                continue
            ready = self.positions.table.actions.compiled_action(action)
            mine = mix_words(numpy.full(len(which), 13, dtype=numpy.uint64), ready.number)
            theirs = mix_words(numpy.full(len(which), 17, dtype=numpy.uint64), ready.number)
            for choice in ready.choices:
                values = self.hash_choice(rows, which, choice.choice)
                mine = mix_words(mine, values)
                if not choice.is_component:
                    theirs = mix_words(theirs, values)
            own[which] = mine
            heard[which] = 0 if action.secret else theirs | numpy.uint64(1)
        return own, heard

    def hash_choice(self, rows: Rows, which: Any, choice: core.Choice) -> Words:
        """The value of a choice in some of the positions; of several at once how many there are, and all of them."""
        first, *items = [
            self.batch.read_field(rows, place)[which, 0].astype(numpy.int64).astype(numpy.uint64)
            for place in self.positions.options.choice_fields(choice)
        ]
        found: Words = first.copy()
        for at, values in enumerate(items):
            longer = first > at
            found[longer] = mix_words(found[longer], values[longer])
        return found


def seen_words(seen: Any) -> tuple[Any, Any]:
    """The words of a position that hold anything seen: where they begin, and which of their bits count."""
    offsets, masks = [], []
    for start in range(0, len(seen), 8):
        at = min(start, len(seen) - 8)
        mask = sum(0xFF << 8 * (byte - at) for byte in range(start, min(start + 8, len(seen))) if seen[byte])
        if mask:
            offsets.append(at)
            masks.append(mask)
    return numpy.array(offsets, dtype=numpy.int64), numpy.array(masks, dtype=numpy.uint64)


def mark_field(seen: Any, place: Field, first: int, amount: int) -> None:
    step = place.bits // 8
    seen[place.at + first * step : place.at + (first + amount) * step] = True


def mark_store(seen: Any, store: Store, number: int) -> None:
    if store.shape == "row":
        assert store.items is not None
        assert store.length is not None
        each = max(store.capacity, 1)
        mark_field(seen, store.items, number * each, each)
        mark_field(seen, store.length, number, 1)
        return
    assert store.members is not None
    each = len(store.kinds) if store.shape == "counts" else 1
    mark_field(seen, store.members, number * each, each)
