"""Thinking in machine code: the same looks, games and choices as `bots.tree_search`. Takes a table, gives a `Mind`.

What is given to it is an observation, and what it puts into a deal comes from there alone.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import Any

from attrs import define, field

from rulesrun.dsl.text.messages import message
from rulesrun.interpreter.bots.consistent_deals import (
    count_thrown,
    find_weighed_marks,
    is_remembered,
    possible_values,
)
from rulesrun.interpreter.bots.deliberation import NO_WORTH, Manner, Thought, has_few_holdings
from rulesrun.interpreter.bots.evaluation import Judge
from rulesrun.interpreter.bots.observation import NEUTRAL, UNKNOWN, Observation
from rulesrun.interpreter.bots.tree_search import MOST_TRIED, UNKNOWN_SPREAD, think_by_reference
from rulesrun.interpreter.form.form import NUMBER, CannotCompile, Constants, Field, Function
from rulesrun.interpreter.form.llvm import ModuleText
from rulesrun.interpreter.form.machine_code import Cache, MachineCode, compile_text, has_pdep
from rulesrun.interpreter.model import core
from rulesrun.interpreter.model.random import MASK, mix_word
from rulesrun.interpreter.model.values import PC
from rulesrun.interpreter.native.expressions import combinations, scales
from rulesrun.interpreter.native.flow import bodies
from rulesrun.interpreter.native.flow.asked_games import machine_function, plan_asked_games
from rulesrun.interpreter.native.flow.flow import lower_flow
from rulesrun.interpreter.native.flow.questions import dispatch_function
from rulesrun.interpreter.native.flow.random_games import start_bytes, to_signed
from rulesrun.interpreter.native.layout.lowering import lower_table
from rulesrun.interpreter.native.layout.machine import Machine
from rulesrun.interpreter.native.layout.memory_access import add_raw_fields
from rulesrun.interpreter.native.layout.plan import Plan
from rulesrun.interpreter.native.positions.block_writer import BlockDraft, BlockWriter, CannotWrite
from rulesrun.interpreter.native.positions.dealing import MOST_ROWS, MOST_VALUES, count_kinds
from rulesrun.interpreter.native.think.rollouts import MOST_ROOT, make_functions, make_steps
from rulesrun.interpreter.native.think.tree_search import ENTRY, ROOT, add_search_functions
from rulesrun.interpreter.native.views.view_hashes import combine_hash_values, hash_option
from rulesrun.interpreter.reference.decisions import DecisionWait, OptionKey, TogetherWait
from rulesrun.interpreter.reference.table import Table

LEAST_TREE = 1 << 12
MOST_KEYS = 1 << 17
KINDS: dict[int, Any] = {8: ctypes.c_int8, 16: ctypes.c_int16, 32: ctypes.c_int32, 64: ctypes.c_int64}


@define(eq=False)
class Mind:
    """A table in machine code, with the memory to think in. One thought at a time."""

    table: Table
    plan: Plan
    writer: BlockWriter
    code: MachineCode
    judge: Judge
    actions: dict[int, list[int]]  # by the reference's question: the numbers of the actions that may be chosen
    limits: dict[int, tuple[int | None, ...]]  # by action: of each choice of several, how many there is room for
    _memory: Any = field(init=False, default=None)
    _at: int = field(init=False, default=0)
    _tree: int = field(init=False, default=0)  # entries that there is room for
    _numbers: dict[str, Any] = field(init=False, factory=dict)  # where the fields lie in the memory
    _keys: dict[tuple[int, OptionKey], int] = field(init=False, factory=dict)  # of options that were there before
    look: Callable[..., None] = field(init=False)
    search: Callable[..., None] = field(init=False)
    note: Callable[..., int] = field(init=False)
    option_at: Callable[..., int] = field(init=False)

    def __attrs_post_init__(self) -> None:
        pointer, number = ctypes.c_void_p, ctypes.c_int64
        self.look = self.code.function("look", None, pointer, number, number)
        self.search = self.code.function("search", None, pointer, number)
        self.note = self.code.function("note", number, pointer, number)
        self.option_at = self.code.function("option at", number, pointer, number, number)
        self.reset_tree(LEAST_TREE)

    @property
    def address(self) -> int:
        return self._at

    def reset_tree(self, entries: int) -> None:
        """An empty tree for at least so many."""
        tree = self.plan.fields["tree"].at
        if entries > self._tree:
            memory = ctypes.create_string_buffer(tree + entries * ENTRY * 8 + 128)
            at = (ctypes.addressof(memory) + 63) // 64 * 64
            if self._memory is not None:
                ctypes.memmove(at, self._at, tree)
            self._memory, self._at, self._tree = memory, at, entries
            self._numbers.clear()
        else:
            ctypes.memset(self._at + tree, 0, entries * ENTRY * 8)
        self.put_numbers("tree mask", entries - 1)
        self.put_numbers("tree most", min(MOST_TRIED, entries // 2))
        self.put_numbers("tree used", 0)

    def field_numbers(self, name: str) -> Any:
        found = self._numbers.get(name)
        if found is None:
            place: Field = self.plan.fields[name]
            found = self._numbers[name] = (KINDS[place.bits] * place.amount).from_address(self._at + place.at)
        return found

    def put_numbers(self, name: str, *values: int) -> None:
        self.field_numbers(name)[: len(values)] = values

    def option_keys(self, pc: int, options: Sequence[OptionKey]) -> list[int]:
        """As machine code hashes them: the place of the action at this question, and what is chosen."""
        numbers = {action: number for number, action in enumerate(self.actions[pc])}
        if len(self._keys) > MOST_KEYS:
            self._keys.clear()
        return [self.find_key(numbers[option[0]], option) for option in options]

    def find_key(self, number: int, option: OptionKey) -> int:
        found = self._keys.get((number, option))
        if found is None:
            values = written_values(option[1:], self.limits[option[0]])
            found = self._keys[number, option] = to_signed(hash_option(number, values))
        return found

    def tree_entry(self, at: int) -> Any:
        place = self.plan.fields["tree"]
        return (ctypes.c_int64 * ENTRY).from_address(self._at + place.at + at * ENTRY * 8)

    def start_thought(self, seen: Observation, manner: Manner) -> Thought:
        """What cannot be written down here is thought about by the reference."""
        try:
            return NativeThought(self, seen, manner)
        except CannotWrite:
            return think_by_reference(seen, manner)


@define(eq=False)
class NativeThought:
    """One choice; as long as it is thought about, its mind thinks of nothing else."""

    mind: Mind
    seen: Observation
    manner: Manner
    keys: list[int] = field(init=False)

    def __attrs_post_init__(self) -> None:
        seen, mind = self.seen, self.mind
        if len(seen.options) > MOST_ROOT or any(map(is_remembered, seen.slots)):
            raise CannotWrite("this is more than can be thought about")
        page = mind.writer.write_block(seen.slots, UNKNOWN)
        self.keys = mind.option_keys(seen.slots[PC], seen.options)
        ctypes.memmove(mind.address + mind.plan.fields["prepared"].at, bytes(page.memory), len(page.memory))
        self.put_groups(page)
        self.put_values(page)
        question, (ahead, soon) = mind.writer.asked[seen.slots[PC]], self.manner.evaluation_depths(mind.judge.is_common)
        for name, value in (
            ("seed mixed", to_signed(mix_word(seen.seed & MASK))), ("chance", 0), ("root options", len(seen.options)),
            ("root pc", question.number), ("seat", seen.seat), ("tries", 1),
            ("curiosity", self.manner.curiosity), ("is split", has_few_holdings(seen)),
            ("ahead", ahead), ("soon", soon), ("farthest", 0), ("width", UNKNOWN_SPREAD),
            ("games", 0), ("sum", 0), ("squares", 0), ("shown", 0), ("scale", mind.judge.scale),
        ):
            mind.put_numbers(name, value)
        mind.put_numbers("root keys", *self.keys)

    def put_groups(self, page: BlockDraft) -> None:
        mind, groups = self.mind, self.seen.groups
        first = 0
        for at, group in enumerate(groups):
            mind.field_numbers("group first")[at], mind.field_numbers("group size")[at] = first, len(group)
            first += len(group)
        mind.put_numbers("group kinds", *[kind for group in groups for kind in group])
        mind.put_numbers("group thrown", *count_thrown(self.seen))
        mind.put_numbers("groups", len(groups))
        mind.put_numbers("fill group", *[gap.group for gap in page.gaps])
        mind.put_numbers("fill what", *[gap.what for gap in page.gaps])
        mind.put_numbers("fill at", *[gap.at for gap in page.gaps])
        mind.put_numbers("fills", len(page.gaps))
        self.put_weights()

    def put_weights(self) -> None:
        """What is told of the places where others look; row 0 is for all other places."""
        mind, seen, marks = self.mind, self.seen, find_weighed_marks(self.seen)
        mind.put_numbers("weighed", len(marks))
        if not marks:
            return
        if len(seen.weights) >= MOST_ROWS:
            raise CannotWrite("more is told than there is room for")
        firsts, many = mind.field_numbers("group first"), count_kinds(mind.plan)
        rows = {slot: row for row, (slot, _) in enumerate(seen.weights, start=1)}
        table = [NEUTRAL] * (many * (len(rows) + 1))
        for slot, own in seen.weights:
            for kind, weight in own:
                table[rows[slot] * many + kind] = weight
        mind.put_numbers("weights", *table)
        mind.put_numbers("weight row", *[0] * sum(map(len, seen.groups)))
        for one in marks:
            mind.field_numbers("weight row")[firsts[one.group] + one.at] = rows[one.slot]
        mind.put_numbers("weighed group", *[one.group for one in marks])
        mind.put_numbers("weighed at", *[firsts[one.group] + one.at for one in marks])

    def put_values(self, page: BlockDraft) -> None:
        """Hidden values: any of their type."""
        mind, table, all_values, many = self.mind, self.mind.table, list[int](), 0
        for room in table.bench.variables.values():
            for slot in range(room.base, room.base + room.amount):
                values = possible_values(table, room) if slot in page.hidden else None
                if values is None:
                    continue
                place, index = mind.writer.variables[slot]
                if len(all_values) + len(values) > MOST_VALUES or not all(isinstance(value, int) for value in values):
                    raise CannotWrite("hidden values of this kind")
                at = place.at * 8 // place.bits + index
                where = {"width": place.bits, "at": at, "first": len(all_values), "many": len(values)}
                for name, value in where.items():
                    mind.field_numbers(f"value {name}")[many] = value
                all_values += [int(value) for value in values]
                many += 1
        mind.put_numbers("values", *all_values)
        mind.put_numbers("hidden values", many)

    # ---- thinking

    def evaluate_options(self, deals: int, ahead: int, wanted: Sequence[bool]) -> list[int]:
        mind, many = self.mind, len(self.keys)
        mind.put_numbers("root wanted", *map(int, wanted))
        mind.put_numbers("root sum", *[0] * many)
        mind.put_numbers("root count", *[0] * many)
        mind.look(mind.address, deals, ahead)
        sums, counts = mind.field_numbers("root sum")[:many], mind.field_numbers("root count")[:many]
        return [one // count if count else NO_WORTH for one, count in zip(sums, counts, strict=True)]

    def begin_search(self, worths: Sequence[int], wanted: Sequence[bool], games: int) -> None:
        mind, hint = self.mind, self.manner.hint
        entries = 3 * games * self.count_who_choose() + len(self.keys) + 1
        mind.reset_tree(1 << min(entries, MOST_TRIED).bit_length() + 1)
        mind.put_numbers("root wanted", *map(int, wanted))
        for key, worth, is_wanted in zip(self.keys, worths, wanted, strict=True):
            if is_wanted:
                entry = mind.tree_entry(self.find_or_add_entry(key))
                entry[2], entry[3] = hint, hint * worth

    def count_who_choose(self) -> int:
        """At this moment, at most: for each of them a game of the search may add to the tree."""
        is_joint = isinstance(self.mind.table.waits[self.seen.slots[PC]], TogetherWait)
        return self.mind.table.players if is_joint else 1

    def find_or_add_entry(self, key: int) -> int:
        """The place of an option of the root in the tree."""
        own = to_signed(combine_hash_values(ROOT, key) | 1)
        return self.mind.note(self.mind.address, own)

    def search_games(self, games: int) -> None:
        mind, manner = self.mind, self.manner
        mind.put_numbers("tries", manner.count_tries(mind.judge.is_common))
        mind.put_numbers("farthest", manner.farthest)
        mind.search(mind.address, games)
        mind.put_numbers("tries", 1)
        mind.put_numbers("farthest", 0)

    def option_visits(self) -> list[tuple[int, int]]:
        wanted = self.mind.field_numbers("root wanted")
        found = []
        for at, key in enumerate(self.keys):
            entry = self.mind.tree_entry(self.find_or_add_entry(key)) if wanted[at] else (0, 0, 0, 0)
            found.append((int(entry[2]), int(entry[3])))
        return found


def lower_thinking(table: Table) -> tuple[BlockWriter, Judge, tuple[Function, ...]]:
    """All that is needed to think, in the small form."""
    plan = plan_asked_games(table)
    plan.has_one_stream = True
    plan.add_scratch("streams", 64, 8)
    add_raw_fields(plan)
    machine = Machine(plan, True, bodies.lower_instruction, draws=True)
    lower_flow(machine)
    run = machine_function(machine)
    if scales.scale_of_total(plan) != 1:
        raise CannotCompile(message("thinking about points in fractions needs the reference engine"))
    asked = tuple(machine.waits)
    amount, settle = (dispatch_function(plan, list(asked), name, given, gives) for name, given, gives in (
        ("amount", (), NUMBER), ("settle", ("which",), None),
    ))
    judge = Judge(table)
    writer = BlockWriter(table, plan, Constants("start", 8, start_bytes(plan)), machine)
    steps = make_steps(plan, asked, run, amount, settle, judge)
    add_search_functions(steps, make_functions(steps))
    if plan.size > steps.size:
        raise CannotCompile(message("a position grew while it was thought about"))
    return writer, judge, (run, amount, settle, *plan.functions)


def compile_mind(table: Table, cache: Cache | None = None, care: int = 2) -> Mind:
    """Compiles a table; raises `CannotCompile` with the reason when it cannot be. `care`: see `compiled`."""
    writer, judge, functions = lower_table(table, lower_thinking)
    module = ModuleText(has_pdep())
    text = module.format_module(functions)
    asked = [wait for wait in table.waits.values() if isinstance(wait, DecisionWait)]
    actions = {wait.pc: list(wait.offers) for wait in asked}
    limits = {
        entry: tuple(selection_limit(writer.plan, one.choice) for one in offer.action.choices)
        for wait in asked for entry, offer in wait.offers.items()
    }  # fmt: skip
    return Mind(table, writer.plan, writer, compile_text(text, cache, care), judge, actions, limits)


def selection_limit(plan: Plan, choice: core.Choice) -> int | None:
    return None if choice.count is None else combinations.selection_fields(plan, choice).limit


def written_values(values: Sequence[Any], limits: Sequence[int | None]) -> tuple[int | None, ...]:
    """What is chosen as registers hold it: of several at once as many as there is room for, and how many they are."""
    found: list[int | None] = []
    for value, limit in zip(values, limits, strict=True):
        if limit is not None:
            found += [*value, *[0] * (limit - len(value)), len(value)]
        elif isinstance(value, tuple):
            raise CannotWrite("a list is chosen")
        else:
            found.append(value)
    return tuple(found)
