"""Games that differ only in what a seat has not seen: a recorded game again, two hidden components swapped."""

from __future__ import annotations

from typing import Any

from attrs import define, field

from rulesrun.interpreter.bots.observation import Observation
from rulesrun.interpreter.bots.observer import Observer
from rulesrun.interpreter.model.components import Kinds
from rulesrun.interpreter.model.random import Streams
from rulesrun.interpreter.model.values import OPTIONS, PLAYER, Slots, State
from rulesrun.interpreter.play.player_memory import PlayerMemories
from rulesrun.interpreter.reference.chance import ChanceWait, DrawWait
from rulesrun.interpreter.reference.decisions import DecisionWait, TogetherWait
from rulesrun.interpreter.reference.flow_graph import Wait
from rulesrun.interpreter.reference.table import Table

Record = list[tuple[Wait, Any]]


class Unlike(Exception):
    """The swapped game cannot be played."""


@define(eq=False)
class Ledger:
    """For every seat and every memory: the positions it may be, and the observation, which must be one."""

    table: Table
    memories: PlayerMemories = field(init=False)
    seen: dict[tuple[int, int], Observation] = field(init=False, factory=dict)
    states: dict[tuple[int, int], set[State]] = field(init=False, factory=dict)

    def __attrs_post_init__(self) -> None:
        self.memories = PlayerMemories(self.table)

    def note(self, observer: Observer, S: Slots, memory: int) -> None:
        seat = S[PLAYER]
        found = observer.make_observation(S, seat)
        key = seat, memory
        assert self.seen.setdefault(key, found) == found, (seat, S)
        self.states.setdefault(key, set()).add(self.table.to_state(S))

    def ambiguous(self) -> int:
        """How many memories go with more than one position."""
        return sum(len(states) > 1 for states in self.states.values())


def play(ledger: Ledger, record: Record | None, streams: Streams, swap: Swap | None, limit: int) -> Record:
    """A random game, or a recorded one with a swap; noted down at every decision."""
    table, memories = ledger.table, ledger.memories
    observer, S, known = (
        Observer(table, tuple(range(1, table.players + 1)), listens=True),
        table.new_slots(),
        memories.empty_memories(),
    )
    done: Record = []
    before, asked_then = known, known  # of a joint choice
    while len(done) < limit:
        watched = S.copy()
        wait = observer.run_to_question(S)
        _, known = memories.run_to_question(watched, known)
        if isinstance(wait, ChanceWait):
            value = answer(wait, S, record, len(done), streams, swap)
        elif isinstance(wait, DecisionWait):
            if not isinstance(wait, TogetherWait) or not S[wait.chosen]:
                before = known
            asked_then = memories.remember_options(before, S[OPTIONS])
            if not wait.is_team:
                ledger.note(observer, S, asked_then[S[PLAYER] - 1])
            value = answer(wait, S, record, len(done), streams, swap)
            if isinstance(wait, TogetherWait):
                known = memories.remember_own_choice(known, asked_then, S[PLAYER], value)
            else:
                choosers = tuple(range(1, table.players + 1)) if wait.is_team else (S[PLAYER],)
                known = memories.remember_choice(known, asked_then, choosers, wait, value)
        else:
            break
        done.append((wait, value))
        observer.apply_answer(S, wait, value)
    return done


@define
class Swap:
    kinds: Kinds
    one: int
    other: int

    def __call__(self, kind: Any) -> Any:
        if isinstance(kind, tuple):
            return tuple(sorted(map(self, kind)))
        return {self.one: self.other, self.other: self.one}.get(kind, kind)


def answer(wait: Any, S: Slots, record: Record | None, number: int, streams: Streams, swap: Swap | None) -> Any:
    if record is None:
        if isinstance(wait, ChanceWait):
            return wait.outcome_at(S, streams.random_below(wait.total_weight(S), "chance"))
        return S[OPTIONS][streams.random_below(len(S[OPTIONS]), "choice")]
    if number >= len(record) or record[number][0] is not wait:
        raise Unlike
    return swapped(wait, S, record[number][1], swap)


def swapped(wait: Any, S: Slots, value: Any, swap: Swap | None) -> Any:
    if swap is None or (isinstance(wait, ChanceWait) and not isinstance(wait, DrawWait)):
        return value
    if isinstance(wait, DrawWait):
        changed = swap(value) if wait.origin.kinds is swap.kinds else value
        if changed not in wait.candidates(S)[1]:
            raise Unlike
        return changed
    choices = wait.offers[value[0]].action.choices
    changed = (value[0], *(
        swap(one) if choice.is_component else one for choice, one in zip(choices, value[1:], strict=True)
    ))
    if changed not in S[OPTIONS]:
        raise Unlike
    return changed
