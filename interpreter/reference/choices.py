"""`choose`: takes the statement, adds the wait for a decision and the effects of every action that may be chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesrun.dsl import ast
from rulesrun.interpreter.model.flow_graph import Label
from rulesrun.interpreter.model.values import PLAYER, Run, Slots
from rulesrun.interpreter.reference.decisions import DecisionWait, Offer, TogetherWait
from rulesrun.interpreter.reference.options import ReadyAction

if TYPE_CHECKING:
    from rulesrun.interpreter.reference.bodies import Writer


def choose(writer: Writer, node: ast.Choose) -> None:
    if node.who == "named":
        named(writer, node)
    else:
        decision(writer, node)


def named(writer: Writer, node: ast.Choose) -> None:
    """`bettor chooses …`: inside, `player` is that player."""
    bench, graph = writer.bench, writer.graph
    assert node.chooser is not None
    chooser, kept = bench.somebody(node.chooser), bench.real(None)
    graph.registered(node, "player before", kept)

    def enter(S: Slots) -> None:
        S[kept], S[PLAYER] = S[PLAYER], chooser(S)

    def leave(S: Slots) -> None:
        S[PLAYER], S[kept] = S[kept], None

    graph.effect("keep-player", node, enter)
    decision(writer, node)
    graph.effect("player-again", node, leave)


def decision(writer: Writer, node: ast.Choose) -> None:
    graph = writer.graph
    done, otherwise = Label(), Label() if node.otherwise is not None else None
    offers = offers_of(writer, node)
    if node.who == "all":
        wait: DecisionWait = together(writer, node, offers, otherwise)
        if isinstance(wait, TogetherWait):
            graph.registered(node, "together", wait.seats, wait.before, wait.done)
        graph.effect("nobody-asked-yet", node, forgetting([wait.seats] if isinstance(wait, TogetherWait) else []))
    else:
        wait = DecisionWait(
            node, offers=offers, is_team=node.who == "team", if_possible=node.if_possible, otherwise=otherwise
        )
    graph.wait("choose", wait)
    graph.jump(node, done)
    back = Label(wait.pc) if node.who == "all" else done
    for offer in offers.values():
        graph.place(offer.entry)
        effects(writer, offer.action)
        graph.jump(node, back)
    if node.otherwise is not None and otherwise is not None:
        graph.place(otherwise)
        writer.statement(node.otherwise)
    graph.place(done)


def offers_of(writer: Writer, node: ast.Choose) -> dict[int, Offer]:
    """In the order of the file, whatever the order in the `choose`."""
    found = {}
    for name in node.actions:
        meaning = writer.bench.meaning(name)
        assert isinstance(meaning, ast.Action)
        ready = writer.actions.of(meaning)
        found[ready.number] = Offer(ready, writer.actions.lister(meaning), Label())
    return dict(sorted(found.items()))


def together(writer: Writer, node: ast.Choose, offers: dict[int, Offer], otherwise: Label | None) -> TogetherWait:
    bench = writer.bench
    n = bench.players
    condition = bench.expression(node.condition).run if node.condition is not None else None

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
        seats=bench.real(None), chosen=bench.real(()), done=bench.real(0), before=bench.real(None),
    )


def effects(writer: Writer, ready: ReadyAction) -> None:
    """What the action does; its choices are forgotten afterwards."""
    graph, action = writer.graph, ready.action
    first = len(graph.operations)
    graph.noted(action)
    kept = rebinding(writer, ready) if ready.rebinds_player else None
    writer.watches.before_action(graph, action)
    writer.body(action.body)
    writer.watches.after_action(graph, action)
    wheres = [writer.bench.wheres[choice.slot] for choice in ready.choices if choice.locate is not None]
    slots = [*(choice.slot for choice in ready.choices), *wheres]
    if kept is not None:
        player_before = kept
        graph.effect("player-again", action, lambda S: S.__setitem__(PLAYER, S[player_before]))
        slots.append(kept)
    if slots:
        graph.effect("forget", action, forgetting(slots))
    for slot in [*slots, *(slot for judged in writer.watches.after(action) for slot, _ in judged.befores)]:
        graph.keeps(slot, first)


def rebinding(writer: Writer, ready: ReadyAction) -> int:
    """`begin(player in players)`: inside, `player` is the chosen one."""
    kept = writer.bench.real(None)
    writer.graph.registered(ready.action, "player before", kept)
    slot = next(choice.slot for choice in ready.choices if choice.is_player)

    def enter(S: Slots) -> None:
        S[kept] = S[PLAYER]
        S[PLAYER] = S[slot]

    writer.graph.effect("keep-player", ready.action, enter)
    return kept


def forgetting(slots: list[int]) -> Run:
    if len(slots) == 1:
        slot = slots[0]
        return lambda S: S.__setitem__(slot, None)

    def forget(S: Slots) -> None:
        for slot in slots:
            S[slot] = None

    return forget
