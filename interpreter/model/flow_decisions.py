"""What each instruction works out to know where the game goes on, and whom it asks; said once for each kind.

Proofs about who is asked read this. A new kind of instruction is reported here by the type checker.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import assert_never

from rulesrun.dsl import ast
from rulesrun.dsl.ast.footprint import Decision, decisions, order_key
from rulesrun.interpreter.model.compile_context import Workbench
from rulesrun.interpreter.model.core import (
    Action,
    Adjust,
    Assign,
    Choice,
    CountPoints,
    End,
    Mix,
    Move,
    Node,
    Record,
    Show,
)
from rulesrun.interpreter.model.instructions import (
    ActionStep,
    Ask,
    AskTogether,
    BeginAction,
    BeginGame,
    BeginRound,
    BeginTogether,
    BeginTurn,
    BeginTurns,
    CountDown,
    Do,
    DrawComponents,
    EachStep,
    EndAction,
    EndEach,
    EndTogether,
    EndTurns,
    EnterPhase,
    FillSheets,
    FindTurn,
    Flow,
    GameStep,
    GatherElements,
    GatherSeats,
    Instruction,
    Judge,
    JudgeAfter,
    Jump,
    KeepBefore,
    KeepPlayer,
    Label,
    LoopBack,
    MomentStep,
    MoveOn,
    NextElement,
    NextRound,
    NoteFigures,
    Over,
    Rank,
    Reach,
    RepeatStep,
    ResetForTurn,
    RestorePlayer,
    Scope,
    SetTimes,
    TurnStep,
    Unless,
    Until,
)


def decisions_of(instruction: Instruction) -> tuple[Decision, ...]:
    match instruction:
        case Unless(condition=condition):
            return (Decision("if", condition),)
        case Until(condition=condition):
            return (Decision("until", condition),)
        case SetTimes(times=times):
            return (Decision("times", times),)
        case NextRound(count=count, until=until):
            return decisions(("times", count), ("until", until))
        case KeepPlayer(chosen=chosen):
            return () if isinstance(chosen, Choice) else (Decision("chooser", chosen),)
        case BeginTurns(start=start, excluded=excluded):
            return decisions(("start", start), ("except", excluded))
        case FindTurn(skipping=skipping):
            return decisions(("skipping", skipping))
        case MoveOn(following=following):
            return decisions(("next", following))
        case GatherElements(each=each, order=order):
            return decisions(("collection", each.collection), ("order", order_key(order)))
        case GatherSeats(start=start, condition=condition, order=order):
            return decisions(("start", start), ("where", condition), ("order", order_key(order)))
        case BeginTogether(condition=condition):
            return decisions(("where", condition))
        case Ask() | AskTogether() | EndTogether() | BeginAction() | EndAction() | RestorePlayer():
            return ()
        case BeginGame() | BeginRound() | EnterPhase() | Rank() | Over() | BeginTurn() | EndTurns() | ResetForTurn():
            return ()
        case CountDown() | NextElement() | EndEach() | Reach() | Jump() | LoopBack():
            return ()
        case Do() | DrawComponents() | FillSheets() | Judge() | KeepBefore() | JudgeAfter() | NoteFigures():
            return ()
        case _:
            assert_never(instruction)


def may_ask(instruction: Instruction) -> bool:
    """Whether players or chance may be asked there; a pile is shuffled without being looked at."""
    match instruction:
        case Ask() | BeginTogether() | AskTogether() | DrawComponents():
            return True
        case Do(effect=Assign() | Adjust() | Move() | Mix() | Show() | Record() | CountPoints() | End()):
            return False
        case Do():
            return True  # chance is, or it is not known
        case _:
            return asks_between(instruction)


def asks_between(
    instruction: GameStep | TurnStep | RepeatStep | EachStep | EndTogether | ActionStep | MomentStep | Reach | Unless
    | Jump | LoopBack,
) -> bool:
    """They only lead on."""
    return False


def may_ask_inside(flow: Flow, lines: Iterable[Node]) -> bool:
    """Whether players or chance may be asked while these are done, wherever that is."""
    return any(map(may_ask, instructions_of(flow, lines)))


def is_over_before_questions(flow: Flow, body: Iterable[Node]) -> bool:
    """Whether these lines, done once at the beginning, are done before anybody, or chance, is asked anything."""
    first = next((at for at, one in enumerate(flow.instructions) if may_ask(one)), len(flow.instructions))
    return all(scope.last <= first for line in body for scope in flow.of_statements.get(id(line), ()))


def is_anything_asked_in(flow: Flow, action: Action) -> bool:
    """Wherever it is offered."""
    depth = 0
    for one in flow.instructions:
        if isinstance(one, BeginAction | EndAction) and one.node is action:
            depth += 1 if isinstance(one, BeginAction) else -1
        elif depth and may_ask(one):
            return True
    return False


def naming_word(instruction: Instruction) -> str | None:
    """Of a value that gets a name for the lines below, which are done once, by the same player: the word for it."""
    node = instruction.node
    return node.word if isinstance(node, ast.ForEach) and node.word != "each" else None


def can_exit_early(bench: Workbench, flow: Flow, action: Action) -> bool:
    """Whether an action may be left before it is over, by `end turn`, `end phase` or `end round`, and be offered again:
    after the last round nothing is. What it keeps for itself is then set back where it is offered."""
    ends, depth = {"turn", "phase", "round"} if has_more_rounds(bench, flow) else {"turn", "phase"}, 0
    for one in flow.instructions:
        if isinstance(one, BeginAction | EndAction) and one.node is action:
            depth += 1 if isinstance(one, BeginAction) else -1
        elif depth and isinstance(one, Jump) and one.ends in ends:
            return True
    return False


def has_more_rounds(bench: Workbench, flow: Flow) -> bool:
    following = next(one for one in flow.instructions if isinstance(one, NextRound))
    if following.count is None:
        return following.until is not None
    amount = bench.compile(following.count)
    return not (amount.is_constant and amount.value <= 1)


def labels_of(instruction: Instruction) -> Iterator[Label]:
    """Where it may lead to, apart from the next instruction."""
    match instruction:
        case Unless(label=label) | Jump(label=label) | LoopBack(label=label):
            yield label
        case Until(done=done) | FindTurn(done=done) | CountDown(done=done) | NextElement(done=done):
            yield done
        case EndTogether(done=done):
            yield done
        case NextRound(again=again):
            yield again
        case Ask(offers=offers, otherwise=otherwise, done=done):
            yield from (done, *(one.entry for one in offers), *([otherwise] if otherwise is not None else []))
        case AskTogether(offers=offers, otherwise=otherwise, done=done, next_effect=effect, over=over):
            entries = (one.entry for one in offers)
            yield from (done, effect, over, *entries, *([otherwise] if otherwise is not None else []))
        case BeginGame() | BeginRound() | EnterPhase() | Rank() | Over() | BeginTurns() | BeginTurn() | MoveOn():
            pass
        case EndTurns() | SetTimes() | GatherElements() | GatherSeats() | EndEach() | BeginTogether() | KeepPlayer():
            pass
        case RestorePlayer() | BeginAction() | EndAction() | ResetForTurn() | FillSheets() | Judge() | KeepBefore():
            pass
        case JudgeAfter() | NoteFigures() | Reach() | Do() | DrawComponents():
            pass
        case _:
            assert_never(instruction)


def instructions_of(flow: Flow, lines: Iterable[Node]) -> Iterator[Instruction]:
    """Those of these statements, wherever they are done."""
    scopes = (scope for line in lines for scope in flow.of_statements.get(id(line), ()))
    return (one for scope in scopes for one in instructions_inside(flow, scope))


def instructions_inside(flow: Flow, scope: Scope) -> list[Instruction]:
    """Those of a statement, with all that is done from there."""
    return flow.instructions[scope.first : scope.last]


def instructions_before_choices(flow: Flow, scope: Scope) -> Iterator[Instruction]:
    """Those of a statement and of the steps that it does, but for what comes of the actions chosen there."""
    actions = 0
    for one in instructions_inside(flow, scope):
        actions += isinstance(one, BeginAction)
        if not actions:
            yield one
        actions -= isinstance(one, EndAction)
