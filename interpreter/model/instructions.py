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

from rulesrun.interpreter.model.core import (
    Action,
    Choice,
    Draw,
    Each,
    Effect,
    Memory,
    Node,
    Operand,
    Order,
    Phase,
    Variable,
)
from rulesrun.interpreter.model.moments import JudgedProperty, MeasuredFigure

MOST_INSTRUCTIONS = 400_000
EVERYWHERE = (0, MOST_INSTRUCTIONS)
Slot = int
Moment = Literal["game", "round", "turn"]
Ending = Literal["turn", "phase", "round", "game"]  # what `end …` ends


@define(eq=False)
class Label:
    """A place in the list: that of the instruction with this number, once it is put down."""

    name: str
    at: int = -1


# ---- the game, its rounds and phases


@frozen(eq=False)
class BeginGame:
    """Every variable gets its start."""

    node: Node
    variables: tuple[Variable, ...]


@frozen(eq=False)
class BeginRound:
    """What begins anew with each round, then the round; `step`: by how many seats the starter moves to the left."""

    node: Node
    variables: tuple[Variable, ...]
    memories: tuple[Memory, ...]
    step: int


@frozen(eq=False)
class NextRound:
    """Another round, unless so many have been played, or `until` holds. Where neither is said there is one."""

    node: Node
    again: Label
    count: Operand | None
    until: Operand | None


@frozen(eq=False)
class EnterPhase:
    """The phase has come, whatever its lines do; `player` is the starter."""

    node: Phase
    number: int


@frozen(eq=False)
class Rank:
    """Final places and the result."""

    node: Node


@frozen(eq=False)
class Over:
    node: Node


# ---- what leads on


@frozen(eq=False)
class Reach:
    """This statement, action or phase is reached: for who counts that. `has_effect`: it is a statement that does
    something by itself.
    """

    node: Node
    has_effect: bool = False


@frozen(eq=False)
class Unless:
    """To the label, unless the condition holds."""

    node: Node
    condition: Operand
    label: Label

    @property
    def is_of_phase(self) -> bool:
        return isinstance(self.node, Phase)


@frozen(eq=False)
class Until:
    """A loop is over when this holds; it is looked at before each time."""

    node: Node
    condition: Operand
    done: Label


@frozen(eq=False)
class Jump:
    """`ends`: it is the rules that say so."""

    node: Node
    label: Label
    ends: Ending | None = None


@frozen(eq=False)
class LoopBack:
    """Back to the label: once more through all that lies between."""

    node: Node
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
    """With whom they begin, and who has none."""

    node: Node
    slots: TurnSlots
    start: Operand
    excluded: Operand | None


@frozen(eq=False)
class FindTurn:
    """Whose turn it is; `done` when there is nobody (left). `is_once`: one turn each, but for who is left out;
    `following`: to whom it goes on from who is skipped, None: to the left.
    """

    node: Node
    slots: TurnSlots
    done: Label
    is_once: bool
    leaves_out: bool
    skipping: Operand | None
    following: Operand | None


@frozen(eq=False)
class BeginTurn:
    """A turn of the game begins. Lines that hold turns of the game are none themselves."""

    node: Node
    is_of_game: bool = True


@frozen(eq=False)
class ResetForTurn:
    """What begins anew with each turn."""

    node: Node
    variables: tuple[Variable, ...]
    memories: tuple[Memory, ...]


@frozen(eq=False)
class MoveOn:
    """To the seat whose turn comes next: asked of who has had one, None: to the left."""

    node: Node
    slots: TurnSlots
    is_once: bool
    following: Operand | None


@frozen(eq=False)
class EndTurns:
    """`player` is who it was before."""

    node: Node
    slots: TurnSlots


# ---- repetition, and one after the other


@frozen(eq=False)
class SetTimes:
    """How often it is repeated."""

    node: Node
    times: Operand
    left: Slot


@frozen(eq=False)
class CountDown:
    """One time less; `done` when none is left."""

    node: Node
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
    """What there is at the beginning is gone through, whatever the body moves. `is_single`: one value gets a name, and
    the body is done once; `several`: what it is, where it is several components that are followed.
    """

    node: Node
    slots: EachSlots
    each: Each
    order: Order | None
    is_single: bool
    several: Operand | None


@frozen(eq=False)
class GatherSeats:
    """The seats that fit are found first, from `start` on, None: from 1; who is `player` is kept."""

    node: Node
    slots: EachSlots
    start: Operand | None
    condition: Operand | None
    order: Order | None


@frozen(eq=False)
class NextElement:
    """The next one is at hand; `done` when all have been. `binder`: what it is called; None of seats."""

    node: Node
    slots: EachSlots
    done: Label
    binder: Each | None


@frozen(eq=False)
class EndEach:
    """None is at hand any longer; `player` is who it was before. `is_several`: several components had one name."""

    node: Node
    slots: EachSlots
    binder: Each | None
    is_several: bool


# ---- choices


@frozen(eq=False)
class KeepPlayer:
    """Who is `player` is kept; then it is whoever was chosen, or is named."""

    node: Node
    before: Slot
    chosen: Operand | Choice


@frozen(eq=False)
class RestorePlayer:
    node: Node
    before: Slot


@frozen(eq=False)
class Offer:
    """One action of a `choose`, and where its effects begin."""

    action: Action
    entry: Label


@frozen(eq=False)
class Ask:
    """One player, or the team, chooses: on to the effects of what was chosen; where nothing can be, to `otherwise`, or
    with `if possible` to `done`. `who`: the player whose turn it is, one who is named, or the team. `is_promised`: the
    rules say that something can always be chosen.
    """

    node: Node
    offers: tuple[Offer, ...]
    otherwise: Label | None
    done: Label
    who: Literal["player", "named", "team"]
    if_possible: bool
    is_promised: bool


@frozen
class TogetherSlots:
    """Who takes part, what has been chosen so far, how many effects are done, who was `player` before."""

    seats: Slot
    chosen: Slot
    done: Slot
    before: Slot


@frozen(eq=False)
class BeginTogether:
    """Nobody has been asked yet. `condition`: who takes part; None: all."""

    node: Node
    slots: TogetherSlots
    condition: Operand | None


@frozen(eq=False)
class AskTogether:
    """Everyone is asked on the same position, then the effects happen seat by seat: each leads to `next_effect`, and
    after the last it goes on at `over`."""

    node: Node
    slots: TogetherSlots
    offers: tuple[Offer, ...]
    otherwise: Label | None
    done: Label
    next_effect: Label
    over: Label
    condition: Operand | None  # who takes part
    if_possible: bool
    is_promised: bool


@frozen(eq=False)
class EndTogether:
    """All effects are over; where nobody could choose, `otherwise` is done, if there is one."""

    node: Node
    slots: TogetherSlots
    done: Label
    has_otherwise: bool


@frozen(eq=False)
class BeginAction:
    """It has been chosen; its choices have their values."""

    node: Action


@frozen(eq=False)
class EndAction:
    """What was chosen is forgotten."""

    node: Action
    slots: tuple[Slot, ...]


# ---- effects, points, properties


@frozen(eq=False)
class Do:
    """An effect of the core that leads nowhere else."""

    node: Node
    effect: Effect


@frozen(eq=False)
class DrawComponents:
    """One component after the other: `left` are still to come, to the target of this number."""

    node: Node
    effect: Draw
    left: Slot
    seat: Slot | None


@frozen(eq=False)
class FillSheets:
    """Points are counted: these of the declared scores, by their numbers. `is_told`: a statement says so."""

    node: Node
    scores: tuple[int, ...]
    is_told: bool


@frozen(eq=False)
class Judge:
    """A moment is over: properties `at end of` it are looked at. `counts_turn`: there is a limit on turns."""

    node: Node
    moment: Moment
    properties: tuple[JudgedProperty, ...]
    counts_turn: bool


@frozen(eq=False)
class KeepBefore:
    """What `before` speaks of is kept, ahead of an action."""

    node: Action
    properties: tuple[JudgedProperty, ...]


@frozen(eq=False)
class JudgeAfter:
    """The action is over: properties `after` it are looked at, and what was kept for them is forgotten."""

    node: Action
    properties: tuple[JudgedProperty, ...]


@frozen(eq=False)
class NoteFigures:
    """Figures of the rules are looked at, where somebody measures."""

    node: Node
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

    statement: Node | None
    first: int
    last: int = -1


@frozen(eq=False)
class TurnLabels:
    """Where a turn begins, with whom the first, and who has the next."""

    turn: Label
    begin: BeginTurns
    move_on: MoveOn


@define(eq=False)
class PhaseLabels:
    """Where a phase begins and where its lines begin; when it is made of turns, where these are."""

    entry: Label
    body: Label = field(factory=lambda: Label("body"))  # once the turn's things are set back
    turns: TurnLabels | None = None


@define(eq=False)
class Flow:
    instructions: list[Instruction] = field(factory=list)
    scopes: list[Scope | None] = field(factory=list)  # by instruction: the innermost one around it
    of_statements: dict[int, list[Scope]] = field(factory=dict)  # by id of the statement: wherever it is done
    labels: dict[int, list[Label]] = field(factory=dict)  # by the number of the instruction they stand at
    phases: dict[int, PhaseLabels] = field(factory=dict)
    lives: dict[Slot, list[tuple[int, int]]] = field(factory=dict)  # between which instructions a slot is used
    registers: list[tuple[Node, str, tuple[Slot, ...]]] = field(factory=list)  # what is kept in which slots
