"""The steps of the reference: what each operation does to a position, and where it goes on.

An instruction of the flow comes to one operation or more. A step takes a position and gives the number of the next
operation; `~number` of a wait when an answer is needed there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import define, field, frozen

from rulesrun.dsl.text.messages import message
from rulesrun.dsl.text.source import Located
from rulesrun.interpreter.model.compile_context import Workbench
from rulesrun.interpreter.model.instructions import Flow, Instruction, Label, TurnSlots
from rulesrun.interpreter.model.values import Jump, Run, Slots

MOST_OPERATIONS = 100_000


@define(eq=False)
class Place:
    """Where a label stands among the operations, known once all are there."""

    at: int = -1


@define(eq=False)
class Wait:
    """A place where the game needs an answer: from a player, or from chance."""

    node: Located
    pc: int = -1
    next: int = -1

    def step(self, S: Slots) -> int:
        raise NotImplementedError


@frozen(eq=False)
class Operation:
    kind: str
    node: Located
    make: Callable[[int], Jump]
    instruction: Instruction
    wait: Wait | None = None


@define(eq=False)
class PhaseStart:
    """Where a phase begins and where its lines begin; when it is made of turns, where a turn begins and whose it is."""

    entry: int
    body: int
    turn: int | None = None
    slots: TurnSlots | None = None
    first: Run | None = None  # with whom the turns begin
    left_out: Run | None = None
    is_once: bool = False  # one turn each
    is_to_the_left: bool = True


@define(eq=False)
class FlowGraph:
    bench: Workbench
    flow: Flow
    operations: list[Operation] = field(factory=list)
    starts: list[int] = field(factory=list)  # by instruction: its first operation
    places: dict[int, tuple[Label, Place]] = field(factory=dict)
    jumps: dict[int, Place] = field(factory=dict)  # by the number of the operation
    loops: dict[int, int] = field(factory=dict)  # by id of the instruction that ends it: how many operations it has
    written: Instruction | None = None

    def begin_instruction(self, instruction: Instruction) -> None:
        self.starts.append(len(self.operations))
        self.written = instruction

    def place_of(self, label: Label) -> Place:
        return self.places.setdefault(id(label), (label, Place()))[1]

    def emit(self, kind: str, node: Located, make: Callable[[int], Jump], wait: Wait | None = None) -> None:
        if len(self.operations) >= MOST_OPERATIONS:
            raise self.bench.refusal(
                "too-large", message("the rules are too large with all their steps written out"), node
            )
        assert self.written is not None
        self.operations.append(Operation(kind, node, make, self.written, wait))

    def emit_effect(self, kind: str, node: Located, change: Callable[[Slots], Any]) -> None:
        """Changes the position and goes on to the next operation."""

        def make(following: int) -> Jump:
            def step(S: Slots) -> int:
                change(S)
                return following

            return step

        self.emit(kind, node, make)

    def emit_jump(self, node: Located, label: Label) -> None:
        place = self.place_of(label)

        def make(following: int) -> Jump:
            target = place.at
            return lambda S: target

        self.jumps[len(self.operations)] = place
        self.emit("jump", node, make)

    def emit_jump_unless(self, node: Located, test: Callable[[Slots], Any], label: Label) -> None:
        """Goes on when the test holds, to the label when it does not."""
        self.emit_branch(node, test, self.place_of(label))

    def emit_branch(self, node: Located, test: Callable[[Slots], Any], place: Place) -> None:
        def make(following: int) -> Jump:
            target = place.at
            return lambda S: following if test(S) else target

        self.emit("unless", node, make)

    def note_loop(self, first: int) -> None:
        """Notes a loop that ends here. What is done between two questions is at most every operation once, and
        for each time through a loop what that loop has; nobody ever arrives at a jump."""
        done = sum(number not in self.jumps for number in range(first, len(self.operations)))
        self.loops[id(self.written)] = max(done, 1)

    def emit_wait(self, kind: str, wait: Wait) -> None:
        wait.pc = len(self.operations)
        self.emit(kind, wait.node, lambda following: self._link_wait(wait, following), wait)

    def _link_wait(self, wait: Wait, following: int) -> Jump:
        wait.next = following
        return wait.step

    # ---- once all are there

    def link_steps(self) -> list[Jump]:
        """Every step; what leads to a jump leads to where the jump leads."""
        self.starts.append(len(self.operations))
        for label, place in self.places.values():
            place.at = self.starts[label.at]
        for _, place in self.places.values():
            place.at = self.final_destination(place.at)
        return [operation.make(self.final_destination(number + 1)) for number, operation in enumerate(self.operations)]

    def final_destination(self, number: int) -> int:
        """Where one arrives in the end; a circle of jumps is left to the limit on steps."""
        for _ in range(len(self.jumps)):
            if number not in self.jumps:
                break
            number = self.jumps[number].at
        return number

    def list_lives(self) -> dict[int, list[tuple[int, int]]]:
        """By slot: between which operations it is used."""
        last = len(self.starts) - 1
        return {
            slot: [(self.starts[min(first, last)], self.starts[min(after, last)]) for first, after in several]
            for slot, several in self.flow.lives.items()
        }
