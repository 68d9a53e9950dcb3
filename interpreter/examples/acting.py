"""Plays an example's moves: chance as expected, else at random; players as the lines say."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from typing import Any

from attrs import define, field

from rulesrun.dsl.diagnostics.diagnostic import Diagnostic
from rulesrun.dsl.text.messages import message
from rulesrun.dsl.text.source import Located, Span
from rulesrun.dsl.typing.types import ComponentOf
from rulesrun.interpreter.examples.beginnings import Luck
from rulesrun.interpreter.model.core import Operand
from rulesrun.interpreter.model.domains import argument_to_external, write_argument
from rulesrun.interpreter.model.places import flatten_content
from rulesrun.interpreter.model.values import OPTIONS, PC, PLAYER, TEAM, Slots
from rulesrun.interpreter.play.explanation import ExplainedValue, explain_expression
from rulesrun.interpreter.play.refusals import find_failed_need, find_refused_choice, text_at
from rulesrun.interpreter.play.step import outcome_name
from rulesrun.interpreter.reference.chance import ChanceWait, DrawWait, OrderWait
from rulesrun.interpreter.reference.collections import compile_literal
from rulesrun.interpreter.reference.decisions import DecisionWait, OptionKey, TogetherWait
from rulesrun.interpreter.reference.options import CompiledAction
from rulesrun.interpreter.reference.table import Table

MOST_NAMES = 8
OVER = "the game is over: nobody chooses any more"
HIDDEN = {"hidden", "private", "seen by"}


Arguments = Sequence[Operand] | None  # what is said of each choice; None: in any way


class ExampleFailure(Exception):
    """A line of an example that does not hold; `values`: what the parts of it, or of the rules, are worth."""

    def __init__(
        self, code: str, sentence: str, span: Span, condition: Operand | None = None,
        values: tuple[ExplainedValue, ...] = (), hint: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__(sentence)
        self.diagnostic = Diagnostic(code, sentence, span, hint)
        self.condition = condition
        self.values = values


@define(eq=False)
class ExampleActor:
    table: Table
    S: Slots
    luck: Luck
    expected: deque[Operand] = field(factory=deque)
    fixed: set[int] = field(factory=set)  # the slots that the example speaks of
    joint: dict[int, OptionKey] = field(factory=dict)  # choices made at the same moment, by seat
    joint_lines: dict[int, Located] = field(factory=dict)  # the last such line of each seat
    brought: list[str] = field(factory=list)  # what chance has brought, in words

    # ---- chance

    def expect_outcomes(self, items: Iterable[Operand]) -> None:
        self.expected.extend(items)

    def play_to_decision(self) -> None:
        """Goes on to the next decision, or to the end."""
        while isinstance(wait := self.table.run_to_question(self.S), ChanceWait):
            value = self.pick_outcome(wait)
            self.brought.append(self.format_outcome(wait, value))
            wait.apply_answer(self.S, value)

    def pick_outcome(self, wait: ChanceWait) -> Any:
        """What chance brings: the next expected, where there is one; a certain outcome needs none."""
        S = self.S
        if not self.expected:
            return self.luck.pick_outcome(wait, S)
        value = compile_literal(self.table.bench, self.expected[0]).run(S)
        if isinstance(wait, OrderWait):
            is_possible, is_certain = is_order_of(wait, value), len(wait.values) < 2
        else:
            outcomes = [one for one, _ in wait.outcomes(S)]
            is_possible, is_certain = value in outcomes or self.steer_draw(wait, value), len(outcomes) == 1
        if is_possible:
            self.expected.popleft()
            return value
        if not is_certain:
            raise ExampleFailure("cannot-come", self.explain_cannot_come(wait, value), self.expected[0].span)
        return self.luck.pick_outcome(wait, S)

    def steer_draw(self, wait: ChanceWait, kind: Any) -> bool:
        """What is expected may lie where nothing is said of: then it changes places with something in the pile."""
        if not isinstance(wait, DrawWait) or not self.is_drawn_type(wait, self.expected[0]):
            return False
        S, origin = self.S, wait.origin_slot(self.S)
        for room in self.table.bench.zones.values():
            for slot in range(room.base, room.base + room.amount):
                is_free = room.kinds is wait.origin.kinds and room.declaration.visibility in HIDDEN
                if is_free and slot != origin and slot not in self.fixed and kind in flatten_content(S[slot]):
                    exchange_components(S, slot, kind, origin, wait.candidates(S)[1][0])
                    return True
        return False

    def is_drawn_type(self, wait: DrawWait, item: Operand) -> bool:
        found = self.table.bench.type_of(item)
        return isinstance(found, ComponentOf) and self.table.bench.kinds_called(found.kind) is wait.origin.kinds

    def format_outcome(self, wait: ChanceWait, value: Any) -> str:
        """`5 from stock to hand[1]`, `face 4`."""
        origin, target = wait.place_names(self.S)
        if isinstance(wait, OrderWait):
            names = [str(outcome_name(self.table, wait, one)) for one in value]
            return f"{target} {', '.join(names)}"
        name = outcome_name(self.table, wait, value)
        return f"{name} from {origin} to {target}" if origin is not None else f"{target} {name}"

    def explain_cannot_come(self, wait: ChanceWait, value: Any) -> str:
        where = self.format_whereabouts(value, self.expected[0])
        if isinstance(wait, OrderWait):
            return "this is no order of what is mixed here"
        outcomes = [outcome for outcome, _ in wait.outcomes(self.S)]
        shown = format_list([str(outcome_name(self.table, wait, one)) for one in outcomes])
        if where and isinstance(wait, DrawWait) and self.is_drawn_type(wait, self.expected[0]):
            return f"chance cannot bring this here: {where}; it may bring {shown}"
        return f"chance cannot bring this here; it may bring {shown}"

    def explain_never_came(self, item: Operand) -> str:
        """Why chance has not brought what it was to bring: where it lies for all to see, or who is asked instead."""
        value = compile_literal(self.table.bench, item).run(self.S)
        found = self.table.bench.type_of(item)
        name = text_at(self.table, item.span)
        if not isinstance(found, ComponentOf):
            return f"{name} never came: {self.format_whose_choice()}"
        kinds = self.table.bench.kinds_called(found.kind)
        rooms = [room for room in self.table.bench.zones.values() if room.kinds is kinds]
        slots = [(room, slot) for room in rooms for slot in range(room.base, room.base + room.amount)]
        holding = [(room, slot) for room, slot in slots if value in flatten_content(self.S[slot])]
        if holding and all(room.declaration.visibility not in HIDDEN or slot in self.fixed for room, slot in holding):
            return f"{name} was never drawn: {self.format_whereabouts(value, item)}"
        return f"{name} was never drawn: {self.format_whose_choice()}"

    def format_whereabouts(self, value: Any, item: Operand) -> str:
        """`hearts-8 lies in discard`; empty when it is no component, or lies nowhere."""
        found = self.table.bench.type_of(item)
        if not isinstance(found, ComponentOf):
            return ""
        kinds = self.table.bench.kinds_called(found.kind)
        rooms = [room for room in self.table.bench.zones.values() if room.kinds is kinds]
        names = [
            room.names[slot - room.base]
            for room in rooms
            for slot in range(room.base, room.base + room.amount)
            if value in flatten_content(self.S[slot])
        ]
        return f"{kinds.names[value]} lies in {format_list([f'`{name}`' for name in names])}" if names else ""

    # ---- decisions

    def current_decision(self) -> DecisionWait | None:
        found = self.table.waits[self.S[PC]]
        return found if isinstance(found, DecisionWait) else None

    @property
    def is_asked(self) -> bool:
        """Whether the flow stands at a question, or the end; not so where the rules came to a fault."""
        found = self.table.waits.get(self.S[PC])
        return found is not None and not isinstance(found, ChanceWait) and self.S[OPTIONS] != []

    def play_choice(self, line: Located, seat: int, action: str, arguments: Arguments) -> None:
        wait = self.current_decision()
        if wait is None or seat not in self.choosers(wait):
            raise ExampleFailure("not-the-turn", self.format_not_theirs(), line.span)
        key = self.find_option(wait, seat, action, arguments)
        if key is None:
            reason, values = self.explain_refusal(wait, seat, action, arguments)
            raise ExampleFailure(
                "illegal-move", message("this cannot be done: {reason}", reason=reason), line.span, None, values
            )
        if isinstance(wait, TogetherWait):
            self.joint[seat], self.joint_lines[seat] = key, line
            self.choose_together(wait)
        else:
            wait.apply_answer(self.S, key)
            self.play_to_decision()

    def choose_together(self, wait: TogetherWait) -> None:
        """Seat by seat, as far as their choices have been said."""
        while self.current_decision() is wait and self.S[PLAYER] in self.joint:
            wait.apply_answer(self.S, self.joint.pop(self.S[PLAYER]))
            self.play_to_decision()

    def choosers(self, wait: DecisionWait) -> tuple[int, ...]:
        if isinstance(wait, TogetherWait):
            seats: tuple[int, ...] = self.S[wait.seats][len(self.S[wait.chosen]) :]
            return tuple(seat for seat in seats if seat not in self.joint)
        return (wait.chooser(self.S),)

    def find_unfinished_choice(self) -> Located | None:
        """A choice of which nothing has come, for others have not made theirs."""
        wait = self.current_decision()
        if not isinstance(wait, TogetherWait):
            return None
        made = [*self.S[wait.seats][: len(self.S[wait.chosen])], *self.joint]
        return next((self.joint_lines[seat] for seat in made if seat in self.joint_lines), None)

    def format_whose_choice(self) -> str:
        """`it is player 2's choice: lay or pass`."""
        wait = self.current_decision()
        if wait is None:
            return OVER
        asked = self.choosers(wait)
        seats = format_list([f"{seat}'s" for seat in asked], "and")
        who = "the team's" if asked == (TEAM,) else f"player {seats}"
        names = [offer.action.action.name.text for offer in wait.offers.values()]
        return f"it is {who} choice: {format_list(names, 'or')}"

    def format_not_theirs(self) -> str:
        whose = self.format_whose_choice()
        return whose if whose == OVER else f"it is not this player's choice; {whose}"

    def options_for(self, wait: DecisionWait, seat: int) -> list[OptionKey]:
        kept = self.S[PLAYER]
        if seat in {TEAM, kept}:
            known: list[OptionKey] = self.S[OPTIONS]
            return known
        self.S[PLAYER] = seat
        found = wait.list_options(self.S)
        self.S[PLAYER] = kept
        return found

    def find_option(self, wait: DecisionWait, seat: int, action: str, arguments: Arguments) -> OptionKey | None:
        """The option meant; the first way to do the action when no values are said."""
        ready = self.find_action(action)
        values = self.argument_values(ready, arguments) if arguments is not None else None
        for option in self.options_for(wait, seat):
            if option[0] == ready.number and (values is None or option[1:] == values):
                return option
        return None

    def find_action(self, action: str) -> CompiledAction:
        declared = next(one for one in self.table.bench.actions if one.name.text == action)
        return self.table.actions.compiled_action(declared)

    def argument_values(self, ready: CompiledAction, arguments: Sequence[Operand]) -> tuple[Any, ...]:
        found: list[Any] = []
        groups = ready.action.group_arguments(arguments) or ()
        for choice, group in zip(ready.action.choices, groups, strict=False):
            values = [compile_literal(self.table.bench, argument).run(self.S) for argument in group]
            if choice.count is None:
                found.append(values[0])
            else:
                several = values[0] if len(values) == 1 and isinstance(values[0], tuple) else values
                found.append(tuple(sorted(several)))
        return tuple(found)

    def find_possible_option(self, seat: int, action: str, arguments: Arguments) -> OptionKey | None:
        """The option, when it is this player's choice now and it is offered."""
        wait = self.current_decision()
        if wait is None or seat not in self.choosers(wait):
            return None
        return self.find_option(wait, seat, action, arguments)

    # ---- why, why not

    def explain_can(self, seat: int, key: OptionKey) -> tuple[str, tuple[ExplainedValue, ...]]:
        """The way in which it can be done, and what its `needs` are worth."""
        wait = self.current_decision()
        assert wait is not None
        S = self.position_for(seat)
        ready = wait.offers[key[0]].action
        said = [
            write_argument(self.table.bench, one.choice, value)
            for one, value in zip(ready.choices, key[1:], strict=True)
        ]
        for choice, value in zip(ready.choices, key[1:], strict=True):
            S[choice.slot] = value
            if choice.is_player:
                S[PLAYER] = value
        state = self.table.to_state(S)
        values = tuple(
            part for _, need, _ in ready.needs for part in explain_expression(self.table, state, need.condition)
        )
        return f"this can be done: {ready.action.name.text}" + (f"({', '.join(said)})" if said else ""), values

    def explain_cannot(
        self, seat: int, action: str, arguments: Arguments
    ) -> tuple[str, tuple[ExplainedValue, ...]]:
        wait = self.current_decision()
        if wait is None or seat not in self.choosers(wait):
            return f"this cannot be done: {self.format_not_theirs()}", ()
        reason, values = self.explain_refusal(wait, seat, action, arguments)
        return f"this cannot be done: {reason}", values

    def explain_refusal(
        self, wait: DecisionWait, seat: int, action: str, arguments: Arguments
    ) -> tuple[str, tuple[ExplainedValue, ...]]:
        """The first that is against it: it is not offered, a choice is not possible, a `needs` does not hold."""
        ready = self.find_action(action)
        if ready.number not in wait.offers:
            return f"`{action}` is not offered; {self.format_whose_choice()}", ()
        if len(arguments or ()) < len(ready.choices):
            return self.explain_no_way(ready), ()
        given = {
            choice.name.text: argument_to_external(self.table.bench, choice, value)
            for choice, value in zip(ready.action.choices, self.argument_values(ready, arguments or ()), strict=True)
        }
        S = self.position_for(seat)
        refusal = find_refused_choice(self.table, S, ready, given) or find_failed_need(self.table, S, ready)
        if refusal is None:
            return "it is not among the options", ()
        values: tuple[ExplainedValue, ...] = ()
        if refusal.condition is not None and refusal.state is not None:
            values = explain_expression(self.table, refusal.state, refusal.condition)
        return refusal.reason, values

    def explain_no_way(self, ready: CompiledAction) -> str:
        conditions = [text_at(self.table, choice.span) for choice in ready.action.choices]
        conditions += [text_at(self.table, need.condition.span) for need in ready.action.needs]
        told = " and ".join(f"`{one}`" for one in conditions)
        return f"there is no legal way with {told}" if told else "there is no legal way"

    def position_for(self, seat: int) -> Slots:
        """The position as this player sees the question, to be worked on."""
        S = self.table.to_slots(self.table.to_state(self.S))
        S[OPTIONS] = self.S[OPTIONS]
        if seat != TEAM:
            S[PLAYER] = seat
        return S


def is_order_of(wait: OrderWait, value: Any) -> bool:
    return isinstance(value, tuple) and len(value) == len(wait.values) and set(value) == set(wait.values)


def format_list(names: list[str], word: str = "or") -> str:
    """`a, b or c`; what is too much is left out."""
    if len(names) > MOST_NAMES:
        return ", ".join(names[:MOST_NAMES]) + ", …"
    return f" {word} ".join(part for part in (", ".join(names[:-1]), names[-1]) if part) if names else ""


def format_value(value: Any) -> str:
    return ", ".join(str(one) for one in value) if isinstance(value, list | tuple) else str(value)


def exchange_components(S: Slots, here: int, one: int, there: int, other: int) -> None:
    """Two components change places, wherever in their zones they lie."""
    S[here], S[there] = replace_component(S[here], one, other), replace_component(S[there], other, one)


def replace_component(content: tuple[Any, ...], old: int, new: int) -> tuple[Any, ...]:
    """The last such component becomes the other; a part without order stays one."""
    for at in range(len(content) - 1, -1, -1):
        part = content[at]
        if part == old:
            return (*content[:at], new, *content[at + 1 :])
        if isinstance(part, tuple) and old in part:
            return (*content[:at], tuple(sorted(replace_component(part, old, new))), *content[at + 1 :])
    return content
