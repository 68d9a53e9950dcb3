"""Plays an example's moves: chance as expected, else at random; players as the lines say."""

from __future__ import annotations

from collections import deque
from typing import Any

from attrs import define, field

from rulesrun.dsl import ast
from rulesrun.dsl.ast.pieces import arguments_by_choice
from rulesrun.dsl.diagnostics.diagnostic import Diagnostic
from rulesrun.dsl.text.source import Span
from rulesrun.dsl.typing.types import ComponentOf
from rulesrun.interpreter.examples.beginnings import Luck
from rulesrun.interpreter.model.places import flat
from rulesrun.interpreter.model.values import OPTIONS, PC, PLAYER, TEAM, Slots
from rulesrun.interpreter.play.explanation import Explained, explain
from rulesrun.interpreter.play.refusals import refused_choice, refused_need, text_of
from rulesrun.interpreter.play.step import argument_outside, outcome_name
from rulesrun.interpreter.play.written_values import argument
from rulesrun.interpreter.reference.chance import ChanceWait, DrawWait, OrderWait
from rulesrun.interpreter.reference.collections import literal
from rulesrun.interpreter.reference.decisions import DecisionWait, OptionKey, TogetherWait
from rulesrun.interpreter.reference.table import Table

MOST_NAMES = 8
OVER = "the game is over: nobody chooses any more"
HIDDEN = {"hidden", "private"}


class Failure(Exception):
    """A line of an example that does not hold; `values`: what the parts of it, or of the rules, are worth."""

    def __init__(
        self, code: str, message: str, span: Span, condition: ast.Expr | None = None,
        values: tuple[Explained, ...] = (),
    ) -> None:  # fmt: skip
        super().__init__(message)
        self.diagnostic = Diagnostic(code, message, span)
        self.condition = condition
        self.values = values


@define(eq=False)
class Acting:
    table: Table
    S: Slots
    luck: Luck
    expected: deque[ast.Literal] = field(factory=deque)
    fixed: set[int] = field(factory=set)  # the slots that the example speaks of
    joint: dict[int, OptionKey] = field(factory=dict)  # choices made at the same moment, by seat
    joint_lines: dict[int, ast.When] = field(factory=dict)  # the last such line of each seat
    brought: list[str] = field(factory=list)  # what chance has brought, in words

    # ---- chance

    def expect(self, items: tuple[ast.Literal, ...]) -> None:
        self.expected.extend(items)

    def to_decision(self) -> None:
        """Goes on to the next decision, or to the end."""
        while isinstance(wait := self.table.run(self.S), ChanceWait):
            value = self.outcome(wait)
            self.brought.append(self.chance_words(wait, value))
            wait.settle(self.S, value)

    def outcome(self, wait: ChanceWait) -> Any:
        """What chance brings: the next expected, where there is one; a certain outcome needs none."""
        S = self.S
        if not self.expected:
            return self.luck.outcome(wait, S)
        value = literal(self.table.bench, self.expected[0]).run(S)
        if isinstance(wait, OrderWait):
            is_possible, is_certain = is_order(wait, value), len(wait.values) < 2
        else:
            outcomes = [one for one, _ in wait.outcomes(S)]
            is_possible, is_certain = value in outcomes or self.steered(wait, value), len(outcomes) == 1
        if is_possible:
            self.expected.popleft()
            return value
        if not is_certain:
            raise Failure("cannot-come", self.cannot_come(wait, value), self.expected[0].span)
        return self.luck.outcome(wait, S)

    def steered(self, wait: ChanceWait, kind: Any) -> bool:
        """What is expected may lie where nothing is said of: then it changes places with something in the pile."""
        if not isinstance(wait, DrawWait) or not self.is_of(wait, self.expected[0]):
            return False
        S, origin = self.S, wait.origin_slot(self.S)
        for room in self.table.bench.zones.values():
            for slot in range(room.base, room.base + room.amount):
                is_free = room.kinds is wait.origin.kinds and room.declaration.visibility in HIDDEN
                if is_free and slot != origin and slot not in self.fixed and kind in flat(S[slot]):
                    exchange(S, slot, kind, origin, wait.candidates(S)[1][0])
                    return True
        return False

    def is_of(self, wait: DrawWait, item: ast.Literal) -> bool:
        found = self.table.bench.type_of(item)
        return isinstance(found, ComponentOf) and found.kind == wait.origin.kinds.declaration.name.text

    def chance_words(self, wait: ChanceWait, value: Any) -> str:
        """`5 from stock to hand[1]`, `face 4`."""
        origin, target = wait.places(self.S)
        if isinstance(wait, OrderWait):
            names = [str(outcome_name(self.table, wait, one)) for one in value]
            return f"{target} {', '.join(names)}"
        name = outcome_name(self.table, wait, value)
        return f"{name} from {origin} to {target}" if origin is not None else f"{target} {name}"

    def cannot_come(self, wait: ChanceWait, value: Any) -> str:
        where = self.whereabouts(value, self.expected[0])
        if isinstance(wait, OrderWait):
            return "this is no order of what is mixed here"
        outcomes = [outcome for outcome, _ in wait.outcomes(self.S)]
        shown = listed([str(outcome_name(self.table, wait, one)) for one in outcomes])
        if where and isinstance(wait, DrawWait) and self.is_of(wait, self.expected[0]):
            return f"chance cannot bring this here: {where}; it may bring {shown}"
        return f"chance cannot bring this here; it may bring {shown}"

    def never_came(self, item: ast.Literal) -> str:
        """Why chance has not brought what it was to bring: where it lies for all to see, or who is asked instead."""
        value = literal(self.table.bench, item).run(self.S)
        found = self.table.bench.type_of(item)
        name = text_of(self.table, item.span)
        if not isinstance(found, ComponentOf):
            return f"{name} never came: {self.whose_choice()}"
        rooms = [room for room in self.table.bench.zones.values() if room.kinds.declaration.name.text == found.kind]
        slots = [(room, slot) for room in rooms for slot in range(room.base, room.base + room.amount)]
        holding = [(room, slot) for room, slot in slots if value in flat(self.S[slot])]
        if holding and all(room.declaration.visibility not in HIDDEN or slot in self.fixed for room, slot in holding):
            return f"{name} was never drawn: {self.whereabouts(value, item)}"
        return f"{name} was never drawn: {self.whose_choice()}"

    def whereabouts(self, value: Any, item: ast.Literal) -> str:
        """`hearts-8 lies in discard`; empty when it is no component, or lies nowhere."""
        found = self.table.bench.type_of(item)
        if not isinstance(found, ComponentOf):
            return ""
        rooms = [
            room for room in self.table.bench.zones.values() if room.kinds.declaration.name.text == found.kind
        ]
        names = [
            room.names[slot - room.base]
            for room in rooms
            for slot in range(room.base, room.base + room.amount)
            if value in flat(self.S[slot])
        ]
        kinds = next((one for one in self.table.bench.kinds.values() if one.declaration.name.text == found.kind), None)
        if kinds is None:
            return ""
        return f"{kinds.names[value]} lies in {listed([f'`{name}`' for name in names])}" if names else ""

    # ---- decisions

    def wait(self) -> DecisionWait | None:
        found = self.table.waits[self.S[PC]]
        return found if isinstance(found, DecisionWait) else None

    @property
    def is_asked(self) -> bool:
        """Whether the flow stands at a question, or the end; not so where the rules came to a fault."""
        return self.S[PC] in self.table.waits and self.S[OPTIONS] != []

    def act(self, line: ast.When, seat: int) -> None:
        wait = self.wait()
        if wait is None or seat not in self.choosers(wait):
            raise Failure("not-the-turn", self.not_theirs(), line.span)
        key = self.found(wait, seat, line.action, line.arguments)
        if key is None:
            reason, values = self.why_not(wait, seat, line.action, line.arguments)
            raise Failure("illegal-move", f"this cannot be done: {reason}", line.span, None, values)
        if isinstance(wait, TogetherWait):
            self.joint[seat], self.joint_lines[seat] = key, line
            self.choose_together(wait)
        else:
            wait.settle(self.S, key)
            self.to_decision()

    def choose_together(self, wait: TogetherWait) -> None:
        """Seat by seat, as far as their choices have been said."""
        while self.wait() is wait and self.S[PLAYER] in self.joint:
            wait.settle(self.S, self.joint.pop(self.S[PLAYER]))
            self.to_decision()

    def choosers(self, wait: DecisionWait) -> tuple[int, ...]:
        if isinstance(wait, TogetherWait):
            seats: tuple[int, ...] = self.S[wait.seats][len(self.S[wait.chosen]) :]
            return tuple(seat for seat in seats if seat not in self.joint)
        return (wait.chooser(self.S),)

    def waiting(self) -> ast.When | None:
        """A choice of which nothing has come, for others have not made theirs."""
        wait = self.wait()
        if not isinstance(wait, TogetherWait):
            return None
        made = [*self.S[wait.seats][: len(self.S[wait.chosen])], *self.joint]
        return next((self.joint_lines[seat] for seat in made if seat in self.joint_lines), None)

    def whose_choice(self) -> str:
        """`it is player 2's choice: lay or pass`."""
        wait = self.wait()
        if wait is None:
            return OVER
        asked = self.choosers(wait)
        seats = listed([f"{seat}'s" for seat in asked], "and")
        who = "the team's" if asked == (TEAM,) else f"player {seats}"
        names = [offer.action.action.name.text for offer in wait.offers.values()]
        return f"it is {who} choice: {listed(names, 'or')}"

    def not_theirs(self) -> str:
        whose = self.whose_choice()
        return whose if whose == OVER else f"it is not this player's choice; {whose}"

    def options(self, wait: DecisionWait, seat: int) -> list[OptionKey]:
        kept = self.S[PLAYER]
        if seat in {TEAM, kept}:
            known: list[OptionKey] = self.S[OPTIONS]
            return known
        self.S[PLAYER] = seat
        found = wait.options(self.S)
        self.S[PLAYER] = kept
        return found

    def found(
        self, wait: DecisionWait, seat: int, action: ast.Name, arguments: tuple[ast.Literal, ...] | None
    ) -> OptionKey | None:
        """The option meant; the first way to do the action when no values are said."""
        declared = self.declared(action)
        number = self.table.actions.of(declared).number
        values = self.values(declared, arguments) if arguments is not None else None
        for option in self.options(wait, seat):
            if option[0] == number and (values is None or option[1:] == values):
                return option
        return None

    def declared(self, action: ast.Name) -> ast.Action:
        actions: list[ast.Action] = self.table.bench.of_class(ast.Action)
        return next(one for one in actions if one.name.text == action.text)

    def values(self, action: ast.Action, arguments: tuple[ast.Literal, ...]) -> tuple[Any, ...]:
        found: list[Any] = []
        groups = arguments_by_choice(action, arguments) or ()
        for choice, group in zip(action.choices, groups, strict=False):
            values = [literal(self.table.bench, argument).run(self.S) for argument in group]
            if choice.count is None:
                found.append(values[0])
            else:
                several = values[0] if len(values) == 1 and isinstance(values[0], tuple) else values
                found.append(tuple(sorted(several)))
        return tuple(found)

    def can(self, seat: int, action: ast.Name, arguments: tuple[ast.Literal, ...] | None) -> OptionKey | None:
        """The option, when it is this player's choice now and it is offered."""
        wait = self.wait()
        if wait is None or seat not in self.choosers(wait):
            return None
        return self.found(wait, seat, action, arguments)

    # ---- why, why not

    def why_can(self, seat: int, key: OptionKey) -> tuple[str, tuple[Explained, ...]]:
        """The way in which it can be done, and what its `needs` are worth."""
        wait = self.wait()
        assert wait is not None
        S = self.asking(seat)
        ready = wait.offers[key[0]].action
        said = [argument(self.table, one.choice, value) for one, value in zip(ready.choices, key[1:], strict=True)]
        for choice, value in zip(ready.choices, key[1:], strict=True):
            S[choice.slot] = value
            if choice.is_player:
                S[PLAYER] = value
        state = self.table.closed(S)
        values = tuple(part for _, need, _ in ready.needs for part in explain(self.table, state, need.condition))
        return f"this can be done: {ready.action.name.text}" + (f"({', '.join(said)})" if said else ""), values

    def why_cannot(self, seat: int, line: ast.ThenCan) -> tuple[str, tuple[Explained, ...]]:
        wait = self.wait()
        if wait is None or seat not in self.choosers(wait):
            return f"this cannot be done: {self.not_theirs()}", ()
        reason, values = self.why_not(wait, seat, line.action, line.arguments)
        return f"this cannot be done: {reason}", values

    def why_not(
        self, wait: DecisionWait, seat: int, action: ast.Name, arguments: tuple[ast.Literal, ...] | None
    ) -> tuple[str, tuple[Explained, ...]]:
        """The first that is against it: it is not offered, a choice is not possible, a `needs` does not hold."""
        declared = self.declared(action)
        ready = self.table.actions.of(declared)
        if ready.number not in wait.offers:
            return f"`{action.text}` is not offered; {self.whose_choice()}", ()
        if len(arguments or ()) < len(declared.choices):
            return self.no_way(declared), ()
        given = {
            choice.name.text: argument_outside(self.table, choice, value)
            for choice, value in zip(declared.choices, self.values(declared, arguments or ()), strict=True)
        }
        S = self.asking(seat)
        refusal = refused_choice(self.table, S, ready, given) or refused_need(self.table, S, ready)
        if refusal is None:
            return "it is not among the options", ()
        values: tuple[Explained, ...] = ()
        if refusal.condition is not None and refusal.state is not None:
            values = explain(self.table, refusal.state, refusal.condition)
        return refusal.reason, values

    def no_way(self, declared: ast.Action) -> str:
        conditions = [text_of(self.table, choice.span) for choice in declared.choices]
        conditions += [text_of(self.table, need.condition.span) for need in declared.needs]
        told = " and ".join(f"`{one}`" for one in conditions)
        return f"there is no legal way with {told}" if told else "there is no legal way"

    def asking(self, seat: int) -> Slots:
        """The position as this player sees the question, to be worked on."""
        S = self.table.opened(self.table.closed(self.S))
        S[OPTIONS] = self.S[OPTIONS]
        if seat != TEAM:
            S[PLAYER] = seat
        return S


def is_order(wait: OrderWait, value: Any) -> bool:
    return isinstance(value, tuple) and len(value) == len(wait.values) and set(value) == set(wait.values)


def listed(names: list[str], word: str = "or") -> str:
    """`a, b or c`; what is too much is left out."""
    if len(names) > MOST_NAMES:
        return ", ".join(names[:MOST_NAMES]) + ", …"
    return f" {word} ".join(part for part in (", ".join(names[:-1]), names[-1]) if part) if names else ""


def spoken(value: Any) -> str:
    return ", ".join(str(one) for one in value) if isinstance(value, list | tuple) else str(value)


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
