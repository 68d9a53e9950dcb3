"""A table in the small form for going through all its positions: it stops at every question, and notes on the way
which statements are reached. Takes a table, gives functions, and which bytes of a position tell it from others.

What belongs to a position is what the reference's `play.position_keys` says, slot by slot.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from attrs import define, field, frozen

from rulesrun.dsl.text.messages import message
from rulesrun.dsl.text.source import Located
from rulesrun.interpreter.form.form import CannotCompile, Constants, Field, Function, compare, number
from rulesrun.interpreter.model.core import Record
from rulesrun.interpreter.model.instructions import Do, Instruction, Reach, Scope
from rulesrun.interpreter.native.explore.records import (
    RecordedMemory,
    RememberingMachine,
    idle_fields,
    lay_out_memories,
    lower_record,
)
from rulesrun.interpreter.native.expressions import locations
from rulesrun.interpreter.native.flow import asked_games, bodies, flow, questions
from rulesrun.interpreter.native.flow.questions import Question
from rulesrun.interpreter.native.flow.random_games import start_bytes
from rulesrun.interpreter.native.layout.machine import FlowHooks, Machine
from rulesrun.interpreter.native.layout.plan import Plan
from rulesrun.interpreter.play.position_keys import PositionKeys
from rulesrun.interpreter.reference.chance import OrderWait
from rulesrun.interpreter.reference.flow_graph import Wait
from rulesrun.interpreter.reference.table import Table

MOST_NOTED = 4096
LARGEST_ORDER = 8  # as in the reference
NOT_OF_IT = ("fault", "steps", "turns", "decisions", "broken", "happened", "entry", "over")
MOST_SEATS, MOST_ACTIONS = 15, 64  # of those who choose at once; of one question
BIG = 256  # bytes that are not copied when they tell nothing


@frozen(eq=False)
class RowWord:
    """Eight bytes of a position; for every question which bits count, and what stands for the others."""

    at: int
    masks: tuple[int, ...]
    rests: tuple[int, ...]


@frozen(eq=False)
class ExploredForm:
    table: Table
    plan: Plan
    functions: tuple[Function, ...]
    run: Function
    questions: tuple[Question, ...]
    waits: tuple[Wait, ...]  # the reference's, in the same order; the last is the end
    start: Constants
    nodes: tuple[Located, ...]  # what is noted when it is reached
    words: tuple[RowWord, ...]
    copied: tuple[tuple[int, int], ...]  # stretches of a position: where from, how long
    registers: dict[int, tuple[str, tuple[Field, ...]]]  # by slot of the reference: what it is, and where it lies here
    lists: tuple[tuple[Field, Field, Field], ...]  # of every `each`: the values, how far it has come, how many
    keeps_rounds: bool
    memories: tuple[RecordedMemory, ...]  # that `times` is asked of


@define(eq=False)
class NotingHooks(FlowHooks):
    """Writes instructions, with a note for each statement; keeps between which questions its registers are in use."""

    measures = True
    memories: tuple[RecordedMemory, ...]
    nodes: list[Located] = field(factory=list)
    lives: dict[str, tuple[int, int]] = field(factory=dict)
    own: dict[str, Scope] = field(factory=dict)  # by the name of a field: the statement that needed it first
    began: tuple[int, int] | None = None  # of a phase: how many fields, how many questions there were

    def lower_instruction(self, machine: Machine, one: Instruction) -> None:
        began = len(machine.plan.fields)
        if isinstance(one, Reach):
            if one.has_effect:
                self.note_node(machine, one.node)
        elif isinstance(one, Do) and isinstance(one.effect, Record) and (memory := self.find_memory(one.effect)):
            lower_record(machine, one.effect, memory)
        else:
            bodies.lower_instruction(machine, one)
        if machine.scope is not None and machine.scope.statement is not None:
            self.own.update((place.name, machine.scope) for place in list(machine.plan.fields.values())[began:])

    def find_memory(self, done: Record) -> RecordedMemory | None:
        """Into which one it records that is asked."""
        return next((one for one in self.memories if one.memory is done.memory), None)

    def note_node(self, machine: Machine, node: Located) -> None:
        if len(self.nodes) >= MOST_NOTED:
            raise CannotCompile(message("there are too many statements"))
        with machine.lines.when(compare("=", machine.load("fault"), number(0))):
            machine.lines.store(machine.plan.fields["noted"], number(1), number(len(self.nodes)))
        self.nodes.append(node)

    def on_phase_begin(self, machine: Machine, number_: int) -> None:
        self.end_phase(machine)
        self.began = (len(machine.plan.fields), len(machine.waits))
        self.note_node(machine, machine.plan.bench.phases[number_])

    def end_phase(self, machine: Machine) -> None:
        """What a phase needed for itself is in use inside it alone."""
        if self.began is not None:
            for place in list(machine.plan.fields.values())[self.began[0] :]:
                self.lives.setdefault(place.name, (self.began[1], len(machine.waits)))

    def end_game(self, machine: Machine) -> None:
        """What a statement needed for itself is in use inside it alone."""
        self.end_phase(machine)
        for name, scope in self.own.items():
            self.lives[name] = machine.asked_before[scope.first], machine.asked_before[scope.last]


def lower_exploration(table: Table) -> ExploredForm:
    refuse_unsupported(table)
    plan = asked_games.plan_asked_games(table)
    plan.add_scratch("noted", 8, MOST_NOTED)
    memories = lay_out_memories(plan)
    noting = NotingHooks(memories)
    machine = RememberingMachine(plan, True, noting.lower_instruction, notes=noting, idle=idle_fields(memories))
    flow.lower_flow(machine)
    noting.end_game(machine)
    run = asked_games.machine_function(machine)
    asked = tuple(machine.waits)
    waits = (*questions.list_waits(table, asked), table.waits[max(table.waits)])
    start = Constants("start", 8, start_bytes(plan))
    registers = match_registers(machine)
    positions = PositionKeys(table)
    members = LiveFields(plan, positions, waits, noting.lives, registers)
    words = members.row_words(start.values)
    return ExploredForm(
        table, plan, (*plan.functions, run, *asked_games.answer_functions(plan, asked)), run, asked, waits, start,
        tuple(noting.nodes), words, copied(plan, words), registers,
        (*lists_of(registers.values()), *locations.lists_followed(plan)), positions.keeps_rounds, memories,
    )


def lists_of(registers: Iterable[tuple[str, tuple[Field, ...]]]) -> Iterator[tuple[Field, Field, Field]]:
    """Of every `each`."""
    for what, own in registers:
        if what == "each":
            yield own[0], own[1], own[2]


def refuse_unsupported(table: Table) -> None:
    """What the reference goes through alone."""
    if len(table.bench.scores) > 1 and PositionKeys(table).keeps_sheets:
        raise CannotCompile(message("the rules ask for the latest points of several sheets"))
    if table.players > MOST_SEATS:
        raise CannotCompile(message("more than {most_seats} players", most_seats=MOST_SEATS))
    if len(table.bench.actions) > MOST_ACTIONS:
        raise CannotCompile(message("more than {most_actions} actions", most_actions=MOST_ACTIONS))
    if any(isinstance(wait, OrderWait) and len(wait.values) > LARGEST_ORDER for wait in table.waits.values()):
        raise CannotCompile(message("an order of so many values cannot be enumerated"))


def match_registers(machine: Machine) -> dict[int, tuple[str, tuple[Field, ...]]]:
    """What the flow keeps in both engines; but of those who choose together, known by the statement they belong to."""
    plan, bench = machine.plan, machine.plan.bench
    found: dict[int, tuple[str, tuple[Field, ...]]] = {}
    for _, what, slots in plan.table.flow.registers:
        for slot in slots if what != "together" else ():
            if slot in machine.registers:  # else it belongs to what is never done
                found[slot] = what, machine.registers[slot]
    for key, place in plan.fixed_names.items():
        if key in bench.registers:
            found[bench.registers[key]] = ("value", (place,))
    return found


@define(eq=False)
class LiveFields:
    """Which fields belong to a position at each question."""

    plan: Plan
    positions: PositionKeys
    waits: tuple[Wait, ...]
    lives: dict[str, tuple[int, int]]
    registers: dict[int, tuple[str, tuple[Field, ...]]]
    followed: dict[str, tuple[int, ...]] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.followed = locations.slots_followed(self.plan)

    def row_words(self, start: Sequence[int]) -> tuple[RowWord, ...]:
        """Question 0 is the end."""
        size = (self.plan.size + 7) // 8 * 8
        many = len(self.waits)
        rows = [bytearray(size) for _ in range(many)]
        for place in list(self.plan.fields.values()):
            if place.at < self.plan.size:
                for asked in self.questions_where_live(place):
                    rows[asked][place.at : place.at + place.amount * place.bits // 8] = (
                        b"\xff" * (place.amount * place.bits // 8)
                    )
        first = bytes(start).ljust(size, b"\0")
        found = []
        for at in range(0, size, 8):
            masks = tuple(int.from_bytes(row[at : at + 8], "little") for row in rows)
            if any(masks):
                value = int.from_bytes(first[at : at + 8], "little")
                found.append(RowWord(at, masks, tuple(value & ~mask for mask in masks)))
        return tuple(found)

    def questions_where_live(self, place: Field) -> list[int]:
        """The questions at which a field counts."""
        every = list(range(len(self.waits)))
        if place.name in NOT_OF_IT or place.name in self.unasked_fields():
            return []
        if place.name in self.followed:
            return self.asked_with(self.followed[place.name])
        slots = self.slots_of_field(place)
        if slots:
            return self.asked_with(slots)
        if place.name in self.lives:
            first, last = self.lives[place.name]
            return [at for at in every if first < at <= last]
        return every

    def asked_with(self, slots: Sequence[int]) -> list[int]:
        """The questions at which one of these slots of the reference counts."""
        ends = (self.waits[-1], *self.waits[:-1])
        return [at for at, wait in enumerate(ends) if any(one not in self.positions.dead[wait.pc] for one in slots)]

    def unasked_fields(self) -> set[str]:
        memories = self.plan.bench.declared_memories
        words = ("records in", "times in", "first of", "second of", "chain of")
        found = {f"{word} {memory.name.text}" for memory in memories for word in words}
        return found if self.positions.keeps_sheets else found | {"latest", "latest total"}

    def slots_of_field(self, place: Field) -> list[int]:
        found = [slot for slot, (_, places) in self.registers.items() if place in places]
        for judged in self.plan.table.watches.properties:
            for node in judged.values_before:
                kept = self.plan.made.get(("before", id(node.value)))
                if kept is place or (isinstance(kept, tuple) and place in kept):
                    found.extend(slot for slot, _ in judged.befores)
        return found


def copied(plan: Plan, words: tuple[RowWord, ...]) -> tuple[tuple[int, int], ...]:
    """All of a position, but for long stretches that tell nothing."""
    size = (plan.size + 7) // 8 * 8
    counting = {word.at for word in words}
    idle = []
    for place in plan.fields.values():
        long = place.amount * place.bits // 8
        first, last = (place.at + 7) // 8 * 8, (place.at + long) // 8 * 8
        if place.at < plan.size and long >= BIG and not counting & set(range(first, last, 8)):
            idle.append((first, last))
    found, at = [], 0
    for first, last in sorted(idle):
        if first > at:
            found.append((at, first - at))
        at = max(at, last)
    return (*found, (at, size - at)) if at < size else tuple(found)
