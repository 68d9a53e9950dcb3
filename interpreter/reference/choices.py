"""`choose`: takes the statement, adds the wait for a decision and the effects of every action that may be chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesrun.dsl import ast
from rulesrun.interpreter.model.flow_graph import Label
from rulesrun.interpreter.model.values import PLAYER, Run, Slots
from rulesrun.interpreter.reference.decisions import DecisionWait, Offer, TogetherWait
from rulesrun.interpreter.reference.options import CompiledAction

if TYPE_CHECKING:
    from rulesrun.interpreter.reference.bodies import FlowCompiler


def compile_choose(writer: FlowCompiler, node: ast.Choose) -> None:
    if node.who == "named":
        compile_choose_by_named(writer, node)
    else:
        compile_decision(writer, node)


def compile_choose_by_named(writer: FlowCompiler, node: ast.Choose) -> None:
    """`bettor chooses …`: inside, `player` is that player."""
    bench, graph = writer.bench, writer.graph
    assert node.chooser is not None
    chooser, kept = bench.compile_player(node.chooser), bench.new_slot(None)
    graph.record_registers(node, "player before", kept)

    def enter(S: Slots) -> None:
        S[kept], S[PLAYER] = S[PLAYER], chooser(S)

    def leave(S: Slots) -> None:
        S[PLAYER], S[kept] = S[kept], None

    graph.emit_effect("keep-player", node, enter)
    compile_decision(writer, node)
    graph.emit_effect("player-again", node, leave)


def compile_decision(writer: FlowCompiler, node: ast.Choose) -> None:
    graph = writer.graph
    done, otherwise = Label(), Label() if node.otherwise is not None else None
    offers = compile_offers(writer, node)
    if node.who == "all":
        wait: DecisionWait = compile_together(writer, node, offers, otherwise)
        if isinstance(wait, TogetherWait):
            graph.record_registers(node, "together", wait.seats, wait.before, wait.done)
        graph.emit_effect(
            "nobody-asked-yet", node, compile_forget([wait.seats] if isinstance(wait, TogetherWait) else [])
        )
    else:
        wait = DecisionWait(
            node, offers=offers, is_team=node.who == "team", if_possible=node.if_possible, otherwise=otherwise
        )
    graph.emit_wait("choose", wait)
    graph.emit_jump(node, done)
    back = Label(wait.pc) if node.who == "all" else done
    for offer in offers.values():
        graph.place_label(offer.entry)
        compile_effects(writer, offer.action)
        graph.emit_jump(node, back)
    if node.otherwise is not None and otherwise is not None:
        graph.place_label(otherwise)
        writer.compile_statement(node.otherwise)
    graph.place_label(done)


def compile_offers(writer: FlowCompiler, node: ast.Choose) -> dict[int, Offer]:
    """In the order of the file, whatever the order in the `choose`."""
    found = {}
    for name in node.actions:
        meaning = writer.bench.meaning(name)
        assert isinstance(meaning, ast.Action)
        ready = writer.actions.compiled_action(meaning)
        found[ready.number] = Offer(ready, writer.actions.option_lister(meaning), Label())
    return dict(sorted(found.items()))


def compile_together(
    writer: FlowCompiler, node: ast.Choose, offers: dict[int, Offer], otherwise: Label | None
) -> TogetherWait:
    bench = writer.bench
    n = bench.players
    condition = bench.compile(node.condition).run if node.condition is not None else None

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

    return TogetherWait(
        node, offers=offers, is_team=False, if_possible=node.if_possible, otherwise=otherwise, who=who,
        seats=bench.new_slot(None), chosen=bench.new_slot(()), done=bench.new_slot(0), before=bench.new_slot(None),
    )


def compile_effects(writer: FlowCompiler, ready: CompiledAction) -> None:
    """What the action does; its choices are forgotten afterwards."""
    graph, action = writer.graph, ready.action
    first = len(graph.operations)
    graph.emit_note(action)
    kept = compile_player_rebinding(writer, ready) if ready.rebinds_player else None
    writer.watches.emit_before_action(graph, action)
    writer.compile_body(action.body)
    writer.watches.emit_after_action(graph, action)
    wheres = [writer.bench.wheres[choice.slot] for choice in ready.choices if choice.locate is not None]
    slots = [*(choice.slot for choice in ready.choices), *wheres]
    if kept is not None:
        player_before = kept
        graph.emit_effect("player-again", action, lambda S: S.__setitem__(PLAYER, S[player_before]))
        slots.append(kept)
    if slots:
        graph.emit_effect("forget", action, compile_forget(slots))
    for slot in [*slots, *(slot for judged in writer.watches.properties_after(action) for slot, _ in judged.befores)]:
        graph.mark_live(slot, first)


def compile_player_rebinding(writer: FlowCompiler, ready: CompiledAction) -> int:
    """`begin(player in players)`: inside, `player` is the chosen one."""
    kept = writer.bench.new_slot(None)
    writer.graph.record_registers(ready.action, "player before", kept)
    slot = next(choice.slot for choice in ready.choices if choice.is_player)

    def enter(S: Slots) -> None:
        S[kept] = S[PLAYER]
        S[PLAYER] = S[slot]

    writer.graph.emit_effect("keep-player", ready.action, enter)
    return kept


def compile_forget(slots: list[int]) -> Run:
    if len(slots) == 1:
        slot = slots[0]
        return lambda S: S.__setitem__(slot, None)

    def forget(S: Slots) -> None:
        for slot in slots:
            S[slot] = None

    return forget
