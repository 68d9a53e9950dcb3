"""The flow of a game as a flat list of instructions: what is done, one after the other, and where it goes on.

`flow_lowering` writes it, once for each table. An instruction is data: the place in the file that it came from, the
labels it may lead to, the slots of the position in which it keeps what must be known at the next question. The
reference makes steps of instructions, machine code its small form, one function for each kind on both sides, of the
same name.

Expressions and effects in it are those of the core. A condition that the options settle leads nowhere else: what it
shuts out is not in the list.
"""

from __future__ import annotations

from typing import Literal

from attrs import define, field, frozen

from rulesrun.dsl import ast
from rulesrun.dsl.ast.footprint import footprint_of
from rulesrun.interpreter.model.core import Draw, Effect, Operand
from rulesrun.interpreter.model.moments import JudgedProperty, MeasuredFigure

MOST_INSTRUCTIONS = 400_000
EVERYWHERE = (0, MOST_INSTRUCTIONS)
Slot = int
Moment = Literal["game", "round", "turn"]


@define(eq=False)
class Label:
    """A place in the list: that of the instruction with this number, once it is put down."""

    name: str
    at: int = -1


# ---- the game, its rounds and phases


@frozen(eq=False)
class BeginGame:
    """Every variable gets its start."""

    node: ast.Game
    variables: tuple[ast.Variable, ...]


@frozen(eq=False)
class BeginRound:
    """What begins anew with each round, then the round; `step`: by how many seats the starter moves to the left."""

    node: ast.Game
    variables: tuple[ast.Variable, ...]
    memories: tuple[ast.Memory, ...]
    step: int


@frozen(eq=False)
class NextRound:
    """Another round, unless the last one has been played. Without `rounds` there is one."""

    node: ast.Game
    rounds: ast.Rounds | None
    again: Label


@frozen(eq=False)
class EnterPhase:
    """The phase has come, whatever its lines do; `player` is the starter."""

    node: ast.Phase
    number: int


@frozen(eq=False)
class Rank:
    """Final places and the result."""

    node: ast.Game


@frozen(eq=False)
class Over:
    node: ast.Game


# ---- what leads on


@frozen(eq=False)
class Reach:
    """This statement, action or phase is reached: for who counts that."""

    node: ast.Statement | ast.Action | ast.Phase

    @property
    def has_effect(self) -> bool:
        """Whether it is a statement that changes something, not only what stands in it."""
        return isinstance(self.node, ast.Statement) and footprint_of(self.node).has_effect


@frozen(eq=False)
class Unless:
    """To the label, unless the condition holds."""

    node: ast.Branch | ast.Phase
    condition: Operand
    label: Label

    @property
    def is_of_phase(self) -> bool:
        return isinstance(self.node, ast.Phase)


@frozen(eq=False)
class Until:
    """A loop is over when this holds; it is looked at before each time."""

    node: ast.Turns | ast.Repeat
    condition: Operand
    done: Label


@frozen(eq=False)
class Jump:
    node: ast.Node
    label: Label


@frozen(eq=False)
class LoopBack:
    """Back to the label: once more through all that lies between."""

    node: ast.Node
    label: Label


# ---- turns


@frozen
class TurnSlots:
    """Whose turn may be next, how many have been looked at, who is left out, who was `player` before."""

    seat: Slot
    looked: Slot
    excluded: Slot
    before: Slot


@frozen(eq=False)
class BeginTurns:
    node: ast.Turns
    slots: TurnSlots


@frozen(eq=False)
class FindTurn:
    """Whose turn it is; `done` when there is nobody (left)."""

    node: ast.Turns
    slots: TurnSlots
    done: Label


@frozen(eq=False)
class BeginTurn:
    """A turn of the game begins. Lines that hold turns of the game are none themselves."""

    node: ast.Turns | ast.Repeat | ast.Phase
    is_of_game: bool = True


@frozen(eq=False)
class ResetForTurn:
    """What begins anew with each turn."""

    node: ast.Node
    variables: tuple[ast.Variable, ...]
    memories: tuple[ast.Memory, ...]


@frozen(eq=False)
class MoveOn:
    """To the seat whose turn comes next."""

    node: ast.Turns
    slots: TurnSlots


@frozen(eq=False)
class EndTurns:
    """`player` is who it was before."""

    node: ast.Turns
    slots: TurnSlots


# ---- repetition, and one after the other


@frozen(eq=False)
class SetTimes:
    """How often it is repeated."""

    node: ast.Repeat
    times: Operand
    left: Slot


@frozen(eq=False)
class CountDown:
    """One time less; `done` when none is left."""

    node: ast.Repeat
    left: Slot
    done: Label


@frozen
class EachSlots:
    """What is still to come, and the element at hand; where equal components lie in an order, where each lies."""

    left: Slot
    element: Slot
    wheres: Slot | None = None
    where: Slot | None = None
    before: Slot | None = None  # of seats: who was `player`


@frozen(eq=False)
class GatherElements:
    """What there is at the beginning is gone through, whatever the body moves."""

    node: ast.ForEach
    slots: EachSlots


@frozen(eq=False)
class GatherSeats:
    """The seats that fit are found first; who is `player` is kept."""

    node: ast.EachPlayer
    slots: EachSlots


@frozen(eq=False)
class NextElement:
    """The next one is at hand; `done` when all have been."""

    node: ast.ForEach | ast.EachPlayer
    slots: EachSlots
    done: Label


@frozen(eq=False)
class EndEach:
    """None is at hand any longer; `player` is who it was before."""

    node: ast.ForEach | ast.EachPlayer
    slots: EachSlots


# ---- choices


@frozen(eq=False)
class KeepPlayer:
    """Who is `player` is kept; then it is whoever was chosen, or is named."""

    node: ast.Choose | ast.Action
    before: Slot
    chosen: Operand | ast.Choice


@frozen(eq=False)
class RestorePlayer:
    node: ast.Choose | ast.Action
    before: Slot


@frozen(eq=False)
class Offer:
    """One action of a `choose`, and where its effects begin."""

    action: ast.Action
    entry: Label


@frozen(eq=False)
class Ask:
    """One player, or the team, chooses: on to the effects of what was chosen; where nothing can be, to `otherwise`, or
    with `if possible` to `done`."""

    node: ast.Choose
    offers: tuple[Offer, ...]
    otherwise: Label | None
    done: Label


@frozen
class TogetherSlots:
    """Who takes part, what has been chosen so far, how many effects are done, who was `player` before."""

    seats: Slot
    chosen: Slot
    done: Slot
    before: Slot


@frozen(eq=False)
class BeginTogether:
    """Nobody has been asked yet."""

    node: ast.Choose
    slots: TogetherSlots


@frozen(eq=False)
class AskTogether:
    """Everyone is asked on the same position, then the effects happen seat by seat: each leads to `next_effect`, and
    after the last it goes on at `over`."""

    node: ast.Choose
    slots: TogetherSlots
    offers: tuple[Offer, ...]
    otherwise: Label | None
    done: Label
    next_effect: Label
    over: Label


@frozen(eq=False)
class EndTogether:
    """All effects are over; where nobody could choose, `otherwise` is done."""

    node: ast.Choose
    slots: TogetherSlots
    done: Label


@frozen(eq=False)
class BeginAction:
    """It has been chosen; its choices have their values."""

    node: ast.Action


@frozen(eq=False)
class EndAction:
    """What was chosen is forgotten."""

    node: ast.Action
    slots: tuple[Slot, ...]


# ---- effects, points, properties


@frozen(eq=False)
class Do:
    """An effect of the core that leads nowhere else."""

    node: ast.Statement
    effect: Effect


@frozen(eq=False)
class DrawComponents:
    """One component after the other: `left` are still to come, to the target of this number."""

    node: ast.Statement
    effect: Draw
    left: Slot
    seat: Slot | None


@frozen(eq=False)
class FillSheets:
    """Points are counted: these of the declared scores, by their numbers."""

    node: ast.Statement | ast.Game
    scores: tuple[int, ...]


@frozen(eq=False)
class Judge:
    """A moment is over: properties `at end of` it are looked at. `counts_turn`: there is a limit on turns."""

    node: ast.Node
    moment: Moment
    properties: tuple[JudgedProperty, ...]
    counts_turn: bool


@frozen(eq=False)
class KeepBefore:
    """What `before` speaks of is kept, ahead of an action."""

    node: ast.Action
    properties: tuple[JudgedProperty, ...]


@frozen(eq=False)
class JudgeAfter:
    """The action is over: properties `after` it are looked at, and what was kept for them is forgotten."""

    node: ast.Action
    properties: tuple[JudgedProperty, ...]


@frozen(eq=False)
class NoteFigures:
    """Figures of the rules are looked at, where somebody measures."""

    node: ast.Node
    figures: tuple[MeasuredFigure, ...]


GameStep = BeginGame | BeginRound | NextRound | EnterPhase | Rank | Over
TurnStep = BeginTurns | FindTurn | BeginTurn | MoveOn | EndTurns
RepeatStep = Until | SetTimes | CountDown
EachStep = GatherElements | GatherSeats | NextElement | EndEach
ChoiceStep = Ask | BeginTogether | AskTogether | EndTogether
ActionStep = KeepPlayer | RestorePlayer | BeginAction | EndAction
MomentStep = ResetForTurn | FillSheets | Judge | KeepBefore | JudgeAfter | NoteFigures
Instruction = (
    GameStep | TurnStep | RepeatStep | EachStep | ChoiceStep | ActionStep | MomentStep
    | Reach | Unless | Jump | LoopBack | Do | DrawComponents
)  # fmt: skip


# ---- the whole


@define(eq=False)
class Scope:
    """A stretch of instructions: one statement, or a phase. What is kept for it alone is kept there alone."""

    statement: ast.Statement | None
    first: int
    last: int = -1


@define(eq=False)
class PhaseLabels:
    """Where a phase begins and where its lines begin; when it is made of turns, where a turn begins and whose it is."""

    entry: Label
    body: Label = field(factory=lambda: Label("body"))  # once the turn's things are set back
    turn: Label | None = None
    slots: TurnSlots | None = None


@define(eq=False)
class Flow:
    instructions: list[Instruction] = field(factory=list)
    scopes: list[Scope | None] = field(factory=list)  # by instruction: the innermost one around it
    of_statements: dict[int, list[Scope]] = field(factory=dict)  # by id of the statement: wherever it is done
    labels: dict[int, list[Label]] = field(factory=dict)  # by the number of the instruction they stand at
    phases: dict[int, PhaseLabels] = field(factory=dict)
    lives: dict[Slot, list[tuple[int, int]]] = field(factory=dict)  # between which instructions a slot is used
    registers: list[tuple[ast.Node, str, tuple[Slot, ...]]] = field(factory=list)  # what is kept in which slots
