"""The flow of a game as a flat list of operations: what each does, and where it goes on.

An operation is data: its kind, the node it came from, and how its step is made once all labels
have their places. A step takes a position and gives the number of the next operation; `~number`
of a wait when an answer is needed there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Generic, Literal, TypeVar

from attrs import define, field, frozen

from rulesrun.dsl import ast
from rulesrun.dsl.text.messages import message
from rulesrun.interpreter.model.compile_context import Workbench
from rulesrun.interpreter.model.values import Jump, Run, Slots

MOST_OPERATIONS = 100_000
Place = TypeVar("Place")  # in the flow, as an engine names it


@define(eq=False)
class Label:
    """A place in the list, known once it is put down."""

    at: int = -1


@define(eq=False)
class Wait:
    """A place where the game needs an answer: from a player, or from chance."""

    node: ast.Node
    pc: int = -1
    next: int = -1

    def step(self, S: Slots) -> int:
        raise NotImplementedError


@frozen(eq=False)
class Operation:
    kind: str
    node: ast.Node
    make: Callable[[int], Jump]
    wait: Wait | None = None


@define(eq=False)
class EndLabels(Generic[Place]):
    """Where `end turn`, `end phase`, `end round` and `end game` lead to from here."""

    turn: Place | None = None
    phase: Place | None = None
    round: Place | None = None
    game: Place | None = None

    def find_end(self, what: Literal["turn", "phase", "round", "game"]) -> Place | None:
        return {"turn": self.turn, "phase": self.phase, "round": self.round, "game": self.game}[what]


@define(eq=False)
class PhaseStart:
    """Where a phase begins and where its lines begin; when it is made of turns, where a turn begins and whose it is."""

    entry: Label
    body: Label = field(factory=Label)  # once the turn's things are set back
    turn: Label | None = None
    seat: int = 0
    looked: int = 0
    excluded: int = 0
    before: int = 0
    first: Run | None = None  # with whom the turns begin
    left_out: Run | None = None


@define(eq=False)
class FlowGraph:
    bench: Workbench
    phases: dict[int, PhaseStart] = field(factory=dict)
    operations: list[Operation] = field(factory=list)
    labels: list[Label] = field(factory=list)
    jumps: dict[int, Label] = field(factory=dict)  # by the number of the operation
    loops: dict[int, int] = field(factory=dict)  # by id of the node: how many operations once through it are at most
    ends: EndLabels[Label] = field(factory=EndLabels)
    lives: dict[int, list[tuple[int, int]]] = field(factory=dict)
    registers: list[tuple[ast.Node, str, tuple[int, ...]]] = field(factory=list)
    turns_begun: dict[int, ast.Node] = field(factory=dict)  # by the operation behind which a turn of the game begins

    @contextmanager
    def new_scope(self) -> Iterator[None]:
        """What gets a slot inside is used inside alone; `lives` says for a slot between which operations."""
        first_slot, first = len(self.bench.blank), len(self.operations)
        yield
        for slot in range(first_slot, len(self.bench.blank)):
            self.lives.setdefault(slot, [(first, len(self.operations))])

    def mark_live(self, slot: int, first: int | None) -> None:
        """A slot that several places share is used from this operation to here, too; None: everywhere."""
        here = (0, MOST_OPERATIONS) if first is None else (first, len(self.operations))
        self.lives.setdefault(slot, []).append(here)

    def emit(self, kind: str, node: ast.Node, make: Callable[[int], Jump]) -> None:
        if len(self.operations) >= MOST_OPERATIONS:
            raise self.bench.refusal(
                "too-large", message("the rules grow too large when their steps are written out"), node
            )
        self.operations.append(Operation(kind, node, make))

    def emit_effect(self, kind: str, node: ast.Node, change: Callable[[Slots], Any]) -> None:
        """Changes the position and goes on to the next operation."""

        def make(following: int) -> Jump:
            def step(S: Slots) -> int:
                change(S)
                return following

            return step

        self.emit(kind, node, make)

    def record_registers(self, node: ast.Node, what: str, *slots: int) -> None:
        """What the flow keeps in which slots: for who must find the same in another form of these rules."""
        self.registers.append((node, what, slots))

    def emit_note(self, node: ast.Node) -> None:
        """Told to who watches what is reached; without one there is no operation at all."""
        if self.bench.watcher is not None:
            self.emit_effect("noted", node, self.bench.watcher.note_effect(node))

    def mark_dead(self, slot: int, first: int) -> None:
        """What the slot held does not matter between this operation and here: it is about to be overwritten."""
        here = (first, len(self.operations))
        self.lives[slot] = [one for one in self.lives.get(slot, []) if one != here]

    def place_label(self, label: Label) -> None:
        label.at = len(self.operations)
        self.labels.append(label)

    def emit_jump(self, node: ast.Node, label: Label) -> None:
        def make(following: int) -> Jump:
            target = label.at
            return lambda S: target

        self.jumps[len(self.operations)] = label
        self.emit("jump", node, make)
        self.note_loop(node, label)

    def emit_jump_unless(self, node: ast.Node, test: Callable[[Slots], Any], label: Label) -> None:
        """Goes on when the test holds, to the label when it does not."""

        def make(following: int) -> Jump:
            target = label.at
            return lambda S: following if test(S) else target

        self.emit("unless", node, make)
        self.note_loop(node, label)

    def note_loop(self, node: ast.Node, label: Label) -> None:
        """Notes a loop that ends here. What is done between two questions is at most every operation once, and
        for each time through a loop what that loop has; nobody ever arrives at a jump."""
        if label.at >= 0:
            done = sum(number not in self.jumps for number in range(label.at, len(self.operations)))
            self.loops[id(node)] = max(self.loops.get(id(node), 1), done)

    def emit_wait(self, kind: str, wait: Wait) -> None:
        wait.pc = len(self.operations)
        self.emit(kind, wait.node, lambda following: self._link_wait(wait, following))
        self.operations[-1] = Operation(kind, wait.node, self.operations[-1].make, wait)

    def _link_wait(self, wait: Wait, following: int) -> Jump:
        wait.next = following
        return wait.step

    def link_steps(self) -> list[Jump]:
        """Every step; what leads to a jump leads to where the jump leads."""
        for label in self.labels:
            label.at = self.final_destination(label.at)
        return [operation.make(self.final_destination(number + 1)) for number, operation in enumerate(self.operations)]

    def final_destination(self, number: int) -> int:
        """Where one arrives in the end; a circle of jumps is left to the limit on steps."""
        for _ in range(len(self.jumps)):
            if number not in self.jumps:
                break
            number = self.jumps[number].at
        return number
