"""Plays an example's moves: chance as expected, else at random; players as the lines say."""

from __future__ import annotations

from collections import deque
from typing import Any

from attrs import define, field

from rulesrun.dsl import ast
from rulesrun.dsl.diagnostics import Diagnostic
from rulesrun.dsl.source import Span
from rulesrun.dsl.types import ComponentOf
from rulesrun.interpreter.chance import ChanceWait, DrawWait
from rulesrun.interpreter.collections_of import literal
from rulesrun.interpreter.decisions import DecisionWait, OptionKey, TogetherWait
from rulesrun.interpreter.places import flat
from rulesrun.interpreter.random import Streams
from rulesrun.interpreter.refusals import why_not
from rulesrun.interpreter.step import argument_outside, outcome_name
from rulesrun.interpreter.table import Table
from rulesrun.interpreter.values import OPTIONS, PC, PLAYER, TEAM, Slots


class Failure(Exception):
    """A line of an example that does not hold."""

    def __init__(self, code: str, message: str, span: Span, condition: ast.Expr | None = None) -> None:
        super().__init__(message)
        self.diagnostic = Diagnostic(code, message, span)
        self.condition = condition


@define(eq=False)
class Acting:
    table: Table
    S: Slots
    streams: Streams
    expected: deque[ast.Literal] = field(factory=deque)
    fixed: set[int] = field(factory=set)  # the slots that the example speaks of
    joint: dict[int, OptionKey] = field(factory=dict)  # choices made at the same moment, by seat

    # ---- chance

    def expect(self, items: tuple[ast.Literal, ...]) -> None:
        self.expected.extend(items)

    def to_decision(self) -> None:
        """Goes on to the next decision, or to the end."""
        while isinstance(wait := self.table.run(self.S), ChanceWait):
            wait.settle(self.S, self.brought(wait))

    def brought(self, wait: ChanceWait) -> Any:
        """What chance brings: the next expected, where there is one; a certain outcome needs none."""
        S = self.S
        outcomes = [value for value, _ in wait.outcomes(S)] if wait.what != "order" else None
        if self.expected:
            value = literal(self.table.bench, self.expected[0]).run(S)
            if outcomes is None or value in outcomes or self.steered(wait, value):
                self.expected.popleft()
                return value
            if len(outcomes) > 1:
                raise Failure("cannot-come", self.cannot_come(wait), self.expected[0].span)
        return wait.pick(S, self.streams.below(wait.total(S), wait.source(S)))

    def steered(self, wait: ChanceWait, kind: Any) -> bool:
        """What is expected may lie where nothing is said of: then it changes places with something in the pile."""
        if not isinstance(wait, DrawWait) or not self.is_of(wait, self.expected[0]):
            return False
        S, origin = self.S, wait.origin_slot(self.S)
        for room in self.table.bench.zones.values():
            for slot in range(room.base, room.base + room.amount):
                is_free = room.kinds is wait.origin.kinds and room.declaration.visibility in {"hidden", "private"}
                if is_free and slot != origin and slot not in self.fixed and kind in flat(S[slot]):
                    exchange(S, slot, kind, origin, wait.candidates(S)[1][0])
                    return True
        return False

    def is_of(self, wait: DrawWait, item: ast.Literal) -> bool:
        found = self.table.bench.type_of(item)
        return isinstance(found, ComponentOf) and found.kind == wait.origin.kinds.declaration.name.text

    def cannot_come(self, wait: ChanceWait) -> str:
        names = [str(outcome_name(self.table, wait, value)) for value, _ in wait.outcomes(self.S)]
        shown = ", ".join(names[:12]) + (", …" if len(names) > 12 else "")
        return f"chance cannot bring this here; it may bring {shown}"

    # ---- decisions

    def refresh(self, wait: DecisionWait) -> None:
        """The position has been changed at a decision: its options are those of the new position."""
        self.S[OPTIONS] = wait.options(self.S)

    def stay_at(self, choice: Span) -> bool:
        """At a choice among nothing, to be asked again in a changed position."""
        found = next((one for one in self.table.waits.values() if one.node.span == choice), None)
        if not isinstance(found, DecisionWait):
            return False
        self.S[PC], self.S[OPTIONS] = found.pc, []
        return True

    def look_for_options(self) -> None:
        """A choice among nothing is a fault in the changed position, too."""
        wait = self.wait()
        if wait is not None and not self.S[OPTIONS] and not wait.if_possible and wait.otherwise is None:
            wait.without_options()

    def wait(self) -> DecisionWait | None:
        found = self.table.waits[self.S[PC]]
        return found if isinstance(found, DecisionWait) else None

    def is_together(self) -> bool:
        return isinstance(self.wait(), TogetherWait)

    def act(self, line: ast.When, seat: int, action: ast.Name, arguments: tuple[ast.Literal, ...]) -> None:
        wait = self.wait()
        if wait is None:
            raise Failure("not-the-turn", "the game is over: nobody chooses any more", line.span)
        self.check_turn(line, wait, seat)
        key = self.found(wait, seat, action, arguments)
        if key is None:
            raise Failure("illegal-move", self.why(seat, action, arguments), line.span)
        if isinstance(wait, TogetherWait):
            self.joint[seat] = key
            self.choose_together(wait)
        else:
            wait.settle(self.S, key)
            self.to_decision()

    def choose_together(self, wait: TogetherWait) -> None:
        """Seat by seat, as far as their choices have been said."""
        while self.wait() is wait and self.S[PLAYER] in self.joint:
            wait.settle(self.S, self.joint.pop(self.S[PLAYER]))
            self.to_decision()

    def check_turn(self, line: ast.When, wait: DecisionWait, seat: int) -> None:
        asked = self.choosers(wait)
        if seat not in asked:
            who = "the team" if asked == (TEAM,) else " and ".join(f"player {one}" for one in asked)
            raise Failure("not-the-turn", f"it is not this player's choice here: {who} chooses", line.span)

    def choosers(self, wait: DecisionWait) -> tuple[int, ...]:
        if isinstance(wait, TogetherWait):
            seats: tuple[int, ...] = self.S[wait.seats][len(self.S[wait.chosen]) :]
            return tuple(seat for seat in seats if seat not in self.joint)
        return (wait.chooser(self.S),)

    def options(self, wait: DecisionWait, seat: int) -> list[OptionKey]:
        kept = self.S[PLAYER]
        if seat != TEAM:
            self.S[PLAYER] = seat
        found = wait.options(self.S)
        self.S[PLAYER] = kept
        return found

    def found(
        self, wait: DecisionWait, seat: int, action: ast.Name, arguments: tuple[ast.Literal, ...] | None
    ) -> OptionKey | None:
        """The option meant; the first way to do the action when no values are said."""
        declared = next(one for one in self.table.bench.of_class(ast.Action) if one.name.text == action.text)
        number = self.table.actions.of(declared).number
        values = self.values(declared, arguments) if arguments is not None else None
        for option in self.options(wait, seat):
            if option[0] == number and (values is None or option[1:] == values):
                return option
        return None

    def values(self, action: ast.Action, arguments: tuple[ast.Literal, ...]) -> tuple[Any, ...]:
        found = []
        for choice, argument in zip(action.choices, arguments, strict=False):
            value = literal(self.table.bench, argument).run(self.S)
            if choice.count is not None:
                value = tuple(sorted(value)) if isinstance(value, tuple) else (value,)
            found.append(value)
        return tuple(found)

    def can(self, seat: int, action: ast.Name, arguments: tuple[ast.Literal, ...] | None) -> bool:
        """Whether it is this player's choice now and this is among the options."""
        wait = self.wait()
        if wait is None or seat not in self.choosers(wait):
            return False
        return self.found(wait, seat, action, arguments) is not None

    # ---- why not

    def reason(self, line: ast.ThenCan) -> str:
        wait = self.wait()
        seat = 0 if line.player is None else int(self.table.bench.expression(line.player).run(self.S))
        if wait is None or seat not in self.choosers(wait):
            return "this cannot be done: it is not this player's choice now"
        return self.why(seat, line.action, line.arguments or ())

    def why(self, seat: int, action: ast.Name, arguments: tuple[ast.Literal, ...]) -> str:
        declared = next(one for one in self.table.bench.of_class(ast.Action) if one.name.text == action.text)
        if len(arguments) != len(declared.choices):
            return "this cannot be done: there is no legal way"
        given = {
            choice.name.text: argument_outside(self.table, choice, value)
            for choice, value in zip(declared.choices, self.values(declared, arguments), strict=True)
        }
        kept = self.S[PLAYER]
        if seat != TEAM:
            self.S[PLAYER] = seat
        refusal = why_not(self.table, self.table.closed(self.S), action.text, given)
        self.S[PLAYER] = kept
        return f"this cannot be done: {refusal.reason}" if refusal is not None else "this cannot be done"


def exchange(S: Slots, here: int, one: int, there: int, other: int) -> None:
    """Two components change places, wherever in their zones they lie."""
    S[here], S[there] = replaced(S[here], one, other), replaced(S[there], other, one)


def replaced(content: tuple[Any, ...], old: int, new: int) -> tuple[Any, ...]:
    """The last such component becomes the other; a part without order stays one."""
    for at in range(len(content) - 1, -1, -1):
        part = content[at]
        if part == old:
            return (*content[:at], new, *content[at + 1 :])
        if isinstance(part, tuple) and old in part:
            return (*content[:at], tuple(sorted(replaced(part, old, new))), *content[at + 1 :])
    return content
