"""What a player remembers: everything seen since the beginning, moment by moment, and every choice made or heard.

A moment is over when a statement is done, when a phase, a turn or a round begins, or points are counted. Everybody
looks then, and remembers what has become different. What one statement draws into a zone without order is seen at
once; into a row or a pile, card by card. What is shown is a moment of its own. Where somebody is asked to choose, it is
seen whose turn it is and what still lies shown; who is asked remembers what was offered and chosen, the others what was
announced of it.

Takes positions as they come; two histories give a player the same number exactly when that player
has seen the same, in the same order, and has made the same choices.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, assert_never

from attrs import define, field

from rulesrun.interpreter.model import core
from rulesrun.interpreter.model.compile_context import ZoneRoom
from rulesrun.interpreter.model.instructions import (
    BeginGame,
    BeginRound,
    Do,
    DrawComponents,
    EnterPhase,
    FillSheets,
    Instruction,
    ResetForTurn,
)
from rulesrun.interpreter.model.values import PC, SHOWN, Jump, Slots
from rulesrun.interpreter.play.visibility import PlayerViews, shown_to
from rulesrun.interpreter.reference.chance import ChanceWait, DrawWait
from rulesrun.interpreter.reference.decisions import DecisionWait, OptionKey, TogetherWait
from rulesrun.interpreter.reference.flow_graph import Wait
from rulesrun.interpreter.reference.table import Table

# ---- moments

def shows_order(room: ZoneRoom) -> bool:
    """Whether it shows, in such a zone, which component came before which."""
    return room.declaration.kind in {"pile", "row"} and room.sort_key is None


def is_seen_at_once(wait: Wait) -> bool:
    """A draw of which everybody sees what it has brought when it is done, not card by card."""
    return isinstance(wait, DrawWait) and not shows_order(wait.target)


@define(eq=False)
class MomentWatcher:
    """Plays on from one question to the next; `look` is called whenever a moment is over."""

    table: Table
    look: Callable[[Slots], None]
    _steps: list[Jump] = field(init=False)
    _resumed: frozenset[int] = field(init=False)  # where the game goes on when chance has done something to be seen

    def __attrs_post_init__(self) -> None:
        table = self.table
        last = {id(one.instruction): pc for pc, one in enumerate(table.operations)}
        over = {pc for pc in last.values() if table.operations[pc].wait is None}
        self._steps = [
            self.watch_step(step) if pc in over and is_moment(one.instruction) else step
            for pc, (one, step) in enumerate(zip(table.operations, table.steps, strict=True))
        ]
        self._resumed = frozenset(
            pc if isinstance(wait, DrawWait) else wait.next for pc, wait in table.waits.items()
            if isinstance(wait, ChanceWait) and not is_seen_at_once(wait)
        )

    def watch_step(self, step: Jump) -> Jump:
        look = self.look

        def watch(S: Slots) -> int:
            following = step(S)
            look(S)
            return following

        return watch

    def run_to_question(self, S: Slots) -> Wait:
        if S[PC] in self._resumed:
            self.look(S)
        return self.table.run_to_question(S, self._steps)


def is_moment(one: Instruction) -> bool:
    """Whether it is seen what lies open when this is done. What begins with the game, or anew with a turn or round, is
    seen together, and so are all lines of a counting."""
    if isinstance(one, BeginGame | BeginRound | EnterPhase | FillSheets | DrawComponents):
        return True
    if isinstance(one, Do):
        return is_visible_effect(one.effect)
    return isinstance(one, ResetForTurn) and bool(one.variables)


def is_visible_effect(done: core.Effect) -> bool:
    """Whether somebody may see what it does by itself."""
    match done:
        case core.Mix() | core.Draw() | core.Move() | core.DrawOrder() | core.Show():
            return True
        case core.Assign(place=place) | core.Adjust(place=place) | core.DrawValue(place=place):
            return not isinstance(place, core.Contents) or place.room.declaration.visibility != "hidden"
        case core.Record() | core.CountPoints() | core.End():
            return False
        case _:
            assert_never(done)


def is_asked_after_others(wait: Wait, S: Slots) -> bool:
    """Asked when others have chosen at the same moment: nothing is to be seen before all have."""
    return isinstance(wait, TogetherWait) and bool(S[wait.chosen])


# ---- memories

Known = tuple[int, ...]  # by player, the number of the memory
NOTHING_SEEN = (0, 0)

SPREAD = 1 << 32


@define(eq=False)
class PlayerMemories:
    table: Table
    viewers: PlayerViews = field(init=False)
    moments: MomentWatcher = field(init=False)
    _things: dict[Any, int] = field(init=False, factory=dict)  # views, choices: each has its number
    _chains: dict[int, int] = field(init=False, factory=dict)  # memory and thing: the memory after it
    _last: list[tuple[int, int]] = field(init=False)  # by memory: what lay open last, what was seen when asked last
    _known: Known = field(init=False, default=())
    _shown: int = field(init=False, default=0)  # so much was shown since the last question

    def __attrs_post_init__(self) -> None:
        self.viewers, self.moments = PlayerViews(self.table), MomentWatcher(self.table, self.see_position)
        self._last = [NOTHING_SEEN]

    def empty_memories(self) -> Known:
        return (0,) * self.table.players

    def number_thing(self, one: Any) -> int:
        return self._things.setdefault(one, len(self._things) + 1)

    def remember_thing(self, memory: int, thing: int) -> int:
        return self.memory_after(memory, thing, self._last[memory])

    def memory_after(self, memory: int, thing: int, last: tuple[int, int]) -> int:
        found = self._chains.setdefault(memory * SPREAD + thing, len(self._last))
        if found == len(self._last):
            self._last.append(last)
        return found

    # ---- what is seen

    def run_to_question(self, S: Slots, known: Known) -> tuple[Wait, Known]:
        """On to the next question; what everybody remembers there."""
        self._known, self._shown = known, 0
        wait = self.moments.run_to_question(S)
        if isinstance(wait, DecisionWait) and not is_asked_after_others(wait, S):
            self.see_question(S)
        return wait, self._known

    def see_position(self, S: Slots) -> None:
        """What lies open now, and what was shown; seeing the same again adds nothing, unless it is shown."""
        looks = self.viewers.looks
        if self.viewers.sees_alike:
            thing = self.number_thing(looks[1](S))
            self._known = tuple([self.memory_after_seeing(memory, thing) for memory in self._known])
        else:
            self._known = tuple(
                [
                    self.memory_after_seeing(memory, self.number_thing(looks[player](S)))
                    for player, memory in enumerate(self._known, start=1)
                ]
            )
        for one in S[SHOWN][self._shown :]:
            self._shown += 1
            if one[0] is not None:
                self._known = tuple([
                    self.remember_thing(memory, self.number_thing(("shown", shown_to((one,), player))))
                    for player, memory in enumerate(self._known, start=1)
                ])

    def memory_after_seeing(self, memory: int, thing: int) -> int:
        open_before, asked = self._last[memory]
        return memory if open_before == thing else self.memory_after(memory, thing, (thing, asked))

    def see_question(self, S: Slots) -> None:
        """Whose turn it is, and what lies shown, is seen by everybody."""
        whose, found = self.viewers.whose_turn(S), []
        for player, memory in enumerate(self._known, start=1):
            thing, (open_now, before) = (
                self.number_thing(("asks", whose, shown_to(S[SHOWN], player))),
                self._last[memory],
            )
            found.append(memory if before == thing else self.memory_after(memory, thing, (open_now, thing)))
        self._known = tuple(found)

    # ---- what is chosen

    def remember_options(self, known: Known, options: list[OptionKey]) -> Known:
        """What is known by who is asked to choose among these."""
        thing = self.number_thing(("options", *options))
        return tuple([self.remember_thing(memory, thing) for memory in known])

    def remember_own_choice(self, known: Known, asked: Known, player: int, option: OptionKey) -> Known:
        """The player remembers the choice; nobody else knows of it."""
        thing = self.number_thing(("own", option))
        after = self.remember_thing(asked[player - 1], thing)
        return tuple([after if seat == player else memory for seat, memory in enumerate(known, start=1)])

    def remember_choice(
        self, known: Known, asked: Known, choosers: tuple[int, ...], wait: DecisionWait, option: OptionKey
    ) -> Known:
        """The chooser remembers the choice, the others what was announced of it."""
        own, heard = self.number_thing(("own", option)), self.number_announcement(wait, option)
        found = []
        for player, memory in enumerate(known, start=1):
            if player in choosers:
                found.append(self.remember_thing(asked[player - 1], own))
            else:
                found.append(self.remember_thing(memory, heard) if heard else memory)
        return tuple(found)

    # ---- what was remembered

    def recall_histories(self, memories: Iterable[int]) -> dict[int, tuple[Any, ...]]:
        """All that was seen, offered, chosen and heard, in its order, by the number of the memory."""
        things = {number: thing for thing, number in self._things.items()}
        before = {after: divmod(key, SPREAD) for key, after in self._chains.items()}
        found = {}
        for memory in memories:
            history, at = [], memory
            while at:
                at, number = before[at]
                history.append(things[number])
            found[memory] = tuple(reversed(history))
        return found

    def number_announcement(self, wait: DecisionWait, option: OptionKey) -> int:
        """The action and those of its values that are no components; nothing of a secret one."""
        heard = announcement(wait, option)
        return self.number_thing(heard) if heard is not None else 0


def announcement(wait: DecisionWait, option: OptionKey) -> tuple[Any, ...] | None:
    ready = wait.offers[option[0]].action
    if ready.action.secret:
        return None
    shown = [
        value for choice, value in zip(ready.choices, option[1:], strict=True) if not choice.is_component
    ]
    return ("heard", option[0], *shown)
