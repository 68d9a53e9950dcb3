"""A table in the small form for going through all its positions: it stops at every question, and notes on the way
which statements are reached. Takes a table, gives functions, and which bytes of a position tell it from others.

What belongs to a position is what the reference's `exploring.positions` says, slot by slot.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from attrs import define, field, frozen

from rulesrun.dsl import ast
from rulesrun.dsl.ast.footprint import footprint
from rulesrun.dsl.ast.walk import walk
from rulesrun.interpreter.form.form import CannotCompile, Constants, Field, Function, compare, number
from rulesrun.interpreter.model.flow_graph import Wait
from rulesrun.interpreter.native.explore.records import Remembered, RememberingMachine, idle_fields, record, remembered
from rulesrun.interpreter.native.expressions import locations
from rulesrun.interpreter.native.flow import asked_games, bodies, flow
from rulesrun.interpreter.native.flow.questions import Question
from rulesrun.interpreter.native.flow.random_games import start_bytes
from rulesrun.interpreter.native.layout.machine import Machine, Notes
from rulesrun.interpreter.native.layout.plan import Plan
from rulesrun.interpreter.play.position_keys import Positions
from rulesrun.interpreter.reference.chance import OrderWait
from rulesrun.interpreter.reference.table import Table

MOST_NOTED = 4096
LARGEST_ORDER = 8  # as in the reference
NOT_OF_IT = ("fault", "steps", "turns", "decisions", "broken", "happened", "entry", "over")
MOST_SEATS, MOST_ACTIONS = 15, 64  # of those who choose at once; of one question
BIG = 256  # bytes that are not copied when they tell nothing


@frozen(eq=False)
class Word:
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
    nodes: tuple[ast.Node, ...]  # what is noted when it is reached
    words: tuple[Word, ...]
    copied: tuple[tuple[int, int], ...]  # stretches of a position: where from, how long
    registers: dict[int, tuple[str, tuple[Field, ...]]]  # by slot of the reference: what it is, and where it lies here
    lists: tuple[tuple[Field, Field, Field], ...]  # of every `each`: the values, how far it has come, how many
    keeps_rounds: bool
    memories: tuple[Remembered, ...]  # that `times` is asked of


@define(eq=False)
class Noting(Notes):
    """Writes statements, with a note for each; keeps between which questions the registers of each are in use."""

    measures = True
    memories: tuple[Remembered, ...]
    nodes: list[ast.Node] = field(factory=list)
    lives: dict[str, tuple[int, int]] = field(factory=dict)
    began: tuple[int, int] | None = None  # of a phase: how many fields, how many questions there were

    def statement(self, machine: Machine, node: ast.Statement) -> None:
        began = (len(machine.plan.fields), len(machine.waits))
        if footprint(node).has_effect:
            self.note(machine, node)
        memory = self.memory_of(machine, node)
        if memory is not None and isinstance(node, ast.Record):
            record(machine, node, memory)
        else:
            bodies.statement(machine, node)
        self.over(machine, began)

    def memory_of(self, machine: Machine, node: ast.Statement) -> Remembered | None:
        """Into which one it records that is asked."""
        if not isinstance(node, ast.Record) or id(node) in machine.plan.bench.left_out:
            return None
        meaning = machine.plan.bench.meaning(node.memory)
        return next((one for one in self.memories if one.memory is meaning), None)

    def note(self, machine: Machine, node: ast.Node) -> None:
        if len(self.nodes) >= MOST_NOTED:
            raise CannotCompile("there are too many statements")
        with machine.lines.when(compare("=", machine.load("fault"), number(0))):
            machine.lines.store(machine.plan.fields["noted"], number(1), number(len(self.nodes)))
        self.nodes.append(node)

    def over(self, machine: Machine, began: tuple[int, int]) -> None:
        """What a statement or phase needed for itself is in use inside it alone."""
        for place in list(machine.plan.fields.values())[began[0] :]:
            self.lives.setdefault(place.name, (began[1], len(machine.waits)))

    def phase_begins(self, machine: Machine, number_: int) -> None:
        self.phase_over(machine)
        self.began = (len(machine.plan.fields), len(machine.waits))
        self.note(machine, machine.plan.bench.of_class(ast.Phase)[number_])

    def phase_over(self, machine: Machine) -> None:
        if self.began is not None:
            self.over(machine, self.began)


def explored_form(table: Table) -> ExploredForm:
    refuse(table)
    plan = asked_games.laid_out(table)
    plan.scratch("noted", 8, MOST_NOTED)
    memories = remembered(plan)
    noting = Noting(memories)
    machine = RememberingMachine(plan, True, noting.statement, notes=noting, idle=idle_fields(memories))
    flow.whole_game(machine)
    noting.phase_over(machine)
    run = asked_games.machine_function(machine)
    asked = tuple(machine.waits)
    waits = (*waits_of(table, asked), table.waits[max(table.waits)])
    start = Constants("start", 8, start_bytes(plan))
    registers = shared_registers(machine, waits)
    positions = Positions(table)
    members = Membership(plan, positions, waits, noting.lives, registers)
    words = members.words(start.values)
    return ExploredForm(
        table, plan, (*plan.functions, run, *asked_games.answers(plan, asked)), run, asked, waits, start,
        tuple(noting.nodes), words, copied(plan, words), registers,
        (*lists_of(registers.values()), *locations.lists_followed(plan)), positions.keeps_rounds, memories,
    )


def lists_of(registers: Iterable[tuple[str, tuple[Field, ...]]]) -> Iterator[tuple[Field, Field, Field]]:
    """Of every `each`."""
    for what, own in registers:
        if what == "each":
            yield own[0], own[1], own[2]


def refuse(table: Table) -> None:
    """What the reference goes through alone."""
    if len(table.bench.of_class(ast.Score)) > 1 and Positions(table).keeps_sheets:
        raise CannotCompile("the rules ask for the latest points of several sheets")
    if table.players > MOST_SEATS:
        raise CannotCompile(f"more than {MOST_SEATS} players")
    if len(table.bench.of_class(ast.Action)) > MOST_ACTIONS:
        raise CannotCompile(f"more than {MOST_ACTIONS} actions")
    if any(isinstance(wait, OrderWait) and len(wait.values) > LARGEST_ORDER for wait in table.waits.values()):
        raise CannotCompile("an order of so many is not gone through")


def waits_of(table: Table, asked: Sequence[Question]) -> Iterator[Wait]:
    """The reference's for the same questions; those behind a condition that never holds are not asked."""
    waiting = iter([wait for _, wait in sorted(table.waits.items())])
    for question in asked:
        wait = next((one for one in waiting if one.node is question.node), None)
        if wait is None:
            raise CannotCompile("the questions are not those of the reference")
        yield wait


def shared_registers(machine: Machine, waits: tuple[Wait, ...]) -> dict[int, tuple[str, tuple[Field, ...]]]:
    """What the flow keeps in both engines."""
    plan, bench = machine.plan, machine.plan.bench
    found: dict[int, tuple[str, tuple[Field, ...]]] = {}
    own: dict[tuple[int, str], list[tuple[Field, ...]]] = {}
    for node, what, places in machine.registers:
        own.setdefault((id(node), what), []).append(places)
    for node, what, slots in plan.table.registers:
        if what == "together":
            continue  # known by the statement that they belong to
        several = own.get((id(node), what))
        if not several:
            used = [between for slot in slots for between in plan.table.lives.get(slot, ())]
            if any(first <= wait.pc < last for first, last in used for wait in waits):
                raise CannotCompile("the flow keeps other things than the reference")
            continue  # it belongs to what is never done
        places = several.pop(0)
        if what == "each":
            found[slots[0]] = (what, places)
            continue
        for slot, place in zip(slots, places, strict=True):
            found[slot] = (what, (place,))
    for key, place in plan.fixed_names.items():
        if key in bench.registers:
            found[bench.registers[key]] = ("value", (place,))
    return found


@define(eq=False)
class Membership:
    """Which fields belong to a position at each question."""

    plan: Plan
    positions: Positions
    waits: tuple[Wait, ...]
    lives: dict[str, tuple[int, int]]
    registers: dict[int, tuple[str, tuple[Field, ...]]]
    followed: dict[str, tuple[int, ...]] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.followed = locations.slots_followed(self.plan)

    def words(self, start: Sequence[int]) -> tuple[Word, ...]:
        """Question 0 is the end."""
        size = (self.plan.size + 7) // 8 * 8
        many = len(self.waits)
        rows = [bytearray(size) for _ in range(many)]
        for place in list(self.plan.fields.values()):
            if place.at < self.plan.size:
                for asked in self.living(place):
                    rows[asked][place.at : place.at + place.amount * place.bits // 8] = (
                        b"\xff" * (place.amount * place.bits // 8)
                    )
        first = bytes(start).ljust(size, b"\0")
        found = []
        for at in range(0, size, 8):
            masks = tuple(int.from_bytes(row[at : at + 8], "little") for row in rows)
            if any(masks):
                value = int.from_bytes(first[at : at + 8], "little")
                found.append(Word(at, masks, tuple(value & ~mask for mask in masks)))
        return tuple(found)

    def living(self, place: Field) -> list[int]:
        """The questions at which a field counts."""
        every = list(range(len(self.waits)))
        if place.name in NOT_OF_IT or place.name in self.unasked():
            return []
        if place.name in self.followed:
            return self.asked_with(self.followed[place.name])
        slots = self.slots_of(place)
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

    def unasked(self) -> set[str]:
        memories = self.plan.bench.of_class(ast.Memory)
        words = ("records in", "times in", "first of", "second of", "chain of")
        found = {f"{word} {memory.name.text}" for memory in memories for word in words}
        return found if self.positions.keeps_sheets else found | {"latest", "latest total"}

    def slots_of(self, place: Field) -> list[int]:
        found = [slot for slot, (_, places) in self.registers.items() if place in places]
        for judged in self.plan.table.watches.properties:
            for node in walk(judged.declaration.condition):
                kept = self.plan.made.get(("before", id(node.value))) if isinstance(node, ast.Before) else None
                if kept is place or (isinstance(kept, tuple) and place in kept):
                    found.extend(slot for slot, _ in judged.befores)
        return found


def copied(plan: Plan, words: tuple[Word, ...]) -> tuple[tuple[int, int], ...]:
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
