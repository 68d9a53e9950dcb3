"""`choose`: the wait for a decision, and what surrounds the effects of an action that may be chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from rulesrun.interpreter.model.core import Choice, Operand
from rulesrun.interpreter.model.instructions import (
    ActionStep,
    Ask,
    AskTogether,
    BeginAction,
    BeginTogether,
    ChoiceStep,
    EndAction,
    EndTogether,
    KeepPlayer,
    RestorePlayer,
)
from rulesrun.interpreter.model.values import PLAYER, Run, Slots
from rulesrun.interpreter.reference.decisions import DecisionWait, Offer, TogetherWait
from rulesrun.interpreter.reference.flow_graph import FlowGraph

if TYPE_CHECKING:
    from rulesrun.interpreter.reference.bodies import FlowCompiler


def compile_choice(writer: FlowCompiler, one: ChoiceStep) -> None:
    match one:
        case Ask():
            compile_ask(writer, one)
        case BeginTogether(node, slots):
            writer.graph.emit_effect("nobody-asked-yet", node, compile_forget([slots.seats]))
        case AskTogether():
            compile_ask_together(writer, one)
        case EndTogether():
            pass  # the wait itself has done that
        case _:
            assert_never(one)


def compile_ask(writer: FlowCompiler, one: Ask) -> None:
    graph = writer.graph
    graph.emit_wait("choose", DecisionWait(
        one.node, offers=compile_offers(writer, one), is_team=one.who == "team", if_possible=one.if_possible,
        is_promised=one.is_promised, otherwise=graph.place_of(one.otherwise) if one.otherwise is not None else None,
    ))


def compile_offers(writer: FlowCompiler, one: Ask | AskTogether) -> dict[int, Offer]:
    """By the number of the action."""
    found = {}
    for offer in one.offers:
        ready = writer.actions.compiled_action(offer.action)
        entry = writer.graph.place_of(offer.entry)
        found[ready.number] = Offer(ready, writer.actions.option_lister(offer.action), entry)
    return found


def compile_ask_together(writer: FlowCompiler, one: AskTogether) -> None:
    slots, graph = one.slots, writer.graph
    wait = TogetherWait(
        one.node, offers=compile_offers(writer, one), is_team=False, if_possible=one.if_possible,
        is_promised=one.is_promised, otherwise=graph.place_of(one.otherwise) if one.otherwise is not None else None,
        who=compile_participants(writer, one.condition),
        seats=slots.seats, chosen=slots.chosen, done=slots.done, before=slots.before,
    )
    graph.emit_wait("choose", wait)


def compile_participants(writer: FlowCompiler, asked: Operand | None) -> Run:
    """The seats of whom this holds."""
    n = writer.bench.players
    condition = writer.bench.compile(asked).run if asked is not None else None

    def who(S: Slots) -> tuple[int, ...]:
        if condition is None:
            return tuple(range(1, n + 1))
        kept, found = S[PLAYER], []
        for seat in range(1, n + 1):
            S[PLAYER] = seat
            if condition(S):
                found.append(seat)
        S[PLAYER] = kept
        return tuple(found)

    return who


# ---- around actions, and who is meant by `player`


def compile_action(graph: FlowGraph, one: ActionStep) -> None:
    match one:
        case KeepPlayer():
            compile_keep_player(graph, one)
        case RestorePlayer(node, kept):
            graph.emit_effect("player-again", node, compile_restore_player(kept))
        case BeginAction():
            pass  # its choices have their values
        case EndAction(node, slots):
            if slots:
                graph.emit_effect("forget", node, compile_forget(list(slots)))
        case _:
            assert_never(one)


def compile_keep_player(graph: FlowGraph, one: KeepPlayer) -> None:
    bench, kept, chosen = graph.bench, one.before, one.chosen
    chooser = compile_chosen(graph, chosen) if isinstance(chosen, Choice) else bench.compile_player(chosen)

    def enter(S: Slots) -> None:
        S[kept], S[PLAYER] = S[PLAYER], chooser(S)

    graph.emit_effect("keep-player", one.node, enter)


def compile_chosen(graph: FlowGraph, choice: Choice) -> Run:
    slot = graph.bench.registers[id(choice)]
    return lambda S: S[slot]


def compile_restore_player(kept: int) -> Run:
    def leave(S: Slots) -> None:
        S[PLAYER], S[kept] = S[kept], None

    return leave


def compile_forget(slots: list[int]) -> Run:
    if len(slots) == 1:
        slot = slots[0]
        return lambda S: S.__setitem__(slot, None)

    def forget(S: Slots) -> None:
        for slot in slots:
            S[slot] = None

    return forget
