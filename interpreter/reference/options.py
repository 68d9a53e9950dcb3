"""What may be chosen: takes an action, gives a function that lists the values of its choices, complete and in order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from attrs import define, frozen

from rulesrun.dsl.text.messages import message
from rulesrun.dsl.typing.types import CollectionOf, ComponentOf
from rulesrun.interpreter.model import locations
from rulesrun.interpreter.model.compile_context import Workbench
from rulesrun.interpreter.model.core import Action, Choice, Needs, Operand, Range
from rulesrun.interpreter.model.core_lowering import lower_expression
from rulesrun.interpreter.model.values import PLAYER, Code, Run, Slots, fault, sort_values
from rulesrun.interpreter.reference.collections import count_selections_by_size, list_selections

MOST_OPTIONS = 200_000

Fill = Callable[[Slots, tuple[Any, ...], list[tuple[Any, ...]]], None]


@frozen(eq=False)
class CompiledChoice:
    choice: Choice
    slot: int
    values: Run  # in their order, without doubles
    is_player: bool
    is_component: bool
    locate: Callable[[Slots, Any], None] | None  # says where the chosen one lies
    is_by_place: bool


@frozen(eq=False)
class CompiledAction:
    """An action made ready: its choices, the needs with how many choices they wait for."""

    action: Action
    number: int
    choices: tuple[CompiledChoice, ...]
    needs: tuple[tuple[int, Needs, Code], ...]

    @property
    def rebinds_player(self) -> bool:
        return any(choice.is_player for choice in self.choices)


@define(eq=False)
class ActionBook:
    """Every action of the rules, made ready when it is first needed."""

    bench: Workbench
    ready: dict[int, CompiledAction]
    listers: dict[int, Callable[[Slots], list[tuple[Any, ...]]]]

    def compiled_action(self, action: Action) -> CompiledAction:
        if id(action) not in self.ready:
            self.ready[id(action)] = compile_action(self.bench, action)
        return self.ready[id(action)]

    def option_lister(self, action: Action) -> Callable[[Slots], list[tuple[Any, ...]]]:
        """The tuples of values of all legal ways to do the action."""
        if id(action) not in self.listers:
            is_left_out = id(action) in self.bench.left_out
            self.listers[id(action)] = (
                (lambda S: []) if is_left_out else compile_option_lister(self.compiled_action(action))
            )
        return self.listers[id(action)]


def compile_action(bench: Workbench, action: Action) -> CompiledAction:
    choices = []
    for choice in action.choices:
        bench.registers[id(choice)] = bench.new_slot(None)
        values = bench.compile_charged(compile_choice_values(bench, choice), choice)
        is_player = choice.name.text == "player"
        choices.append(
            CompiledChoice(
                choice, bench.registers[id(choice)], values, is_player, is_component(bench, choice),
                compile_locate_chosen(bench, choice), locations.is_chosen_by_place(bench, choice),
            )
        )
    needs, level = [], 0
    for need in action.needs:
        level = max(level, find_need_level(bench, action, need.condition))
        needs.append((level, need, bench.compile(need.condition)))
    number = bench.actions.index(action)
    return CompiledAction(action, number, tuple(choices), tuple(needs))


def compile_locate_chosen(bench: Workbench, choice: Choice) -> Callable[[Slots, Any], None] | None:
    """Says where the chosen one lies, of equal ones the first that could be chosen; where it matters."""
    if id(choice) not in bench.located:
        return None
    domain = locations.find_choice_source(bench, choice)
    if domain is None:
        return None
    slot, where, several = (
        bench.registers[id(choice)],
        bench.new_slot(None),
        locations.compile_locate_all(bench, domain),
    )
    bench.wheres[slot] = where
    if choice.count is None:
        bench.following.follow(slot, where)

        def locate(S: Slots, value: Any) -> None:
            S[where] = locations.place_of_spot(next((one for one in several(S) if one[0] == value), None))

        return locate
    bench.following.follow_all(slot, where)

    def locate_all(S: Slots, values: Any) -> None:
        S[where] = tuple([locations.place_of_spot(one) for one in locations.locate_first_of_each(several(S), values)])

    return locate_all


def is_component(bench: Workbench, choice: Choice) -> bool:
    """Places of a board are values: everybody is told which one is chosen."""
    found = bench.type_of(choice.domain)
    if not isinstance(found, CollectionOf) or not isinstance(found.item, ComponentOf):
        return False
    kind = found.item.kind
    return all(one.board is None for one in bench.components if one.name.text == kind)


def find_need_level(bench: Workbench, action: Action, condition: Operand) -> int:
    """How many choices must have been made before a need can be looked at."""
    meant = set(map(id, bench.names_in(condition)))
    level = 0
    for number, choice in enumerate(action.choices):
        if id(choice) in meant or choice.name.text == "player":
            level = number + 1
    return level


def compile_choice_values(bench: Workbench, choice: Choice) -> Run:
    """The values of a choice: several cards at once, components in declared order, values in theirs."""
    domain = bench.compile(choice.domain)
    run = domain.run
    if choice.count is not None:
        low, high = bench.compile(choice.count.low).run, bench.compile(choice.count.high).run
        return lambda S: list_chosen(choice, sorted(run(S)), low(S), high(S))
    if domain.is_constant:
        values = tuple(sort_values(set(domain.value)))
        return lambda S: values
    if isinstance(lower_expression(bench, choice.domain), Range):
        return run
    return lambda S: sort_values(set(run(S)))


def list_chosen(choice: Choice, kinds: list[int], low: int, high: int) -> list[tuple[int, ...]]:
    """All different selections, the small ones first, then element by element."""
    if isinstance(low, Fraction) or isinstance(high, Fraction):
        raise fault("not-whole", message("the number to choose must be whole, not a fraction"), choice.span)
    amounts, low, high = list(Counter(kinds).values()), max(low, 0), min(high, len(kinds))
    if sum(count_selections_by_size(amounts, high)[low:]) > MOST_OPTIONS:
        raise fault("too-many-options", message("there are too many ways to choose"), choice.span)
    return list_selections(kinds, low, high)


def compile_option_lister(ready: CompiledAction) -> Callable[[Slots], list[tuple[Any, ...]]]:
    fill = compile_walk_level(ready, 0)
    slots = [choice.slot for choice in ready.choices]
    rebinds = ready.rebinds_player

    def options(S: Slots) -> list[tuple[Any, ...]]:
        found: list[tuple[Any, ...]] = []
        player = S[PLAYER]
        fill(S, (ready.number,), found)
        for slot in slots:
            S[slot] = None
        if rebinds:
            S[PLAYER] = player
        return found

    return options


def compile_walk_level(ready: CompiledAction, level: int) -> Fill:
    """Adds all ways that begin with what has been chosen so far."""
    tests = [code.run for at, _need, code in ready.needs if at == level]
    if level == len(ready.choices):
        return lambda S, chosen, found: found.append(chosen) if all(test(S) for test in tests) else None
    inner = compile_walk_choice(ready, level)
    if not tests:
        return inner

    def checked(S: Slots, chosen: tuple[Any, ...], found: list[tuple[Any, ...]]) -> None:
        for test in tests:
            if not test(S):
                return
        inner(S, chosen, found)

    return checked


def compile_walk_choice(ready: CompiledAction, level: int) -> Fill:
    choice = ready.choices[level]
    slot, values, span = choice.slot, choice.values, choice.choice.span
    locate = choice.locate if choice.is_by_place else None
    following = compile_walk_level(ready, level + 1)
    tests = [code.run for at, _need, code in ready.needs if at == level + 1]
    is_last = level + 1 == len(ready.choices)

    def any_value(S: Slots, chosen: tuple[Any, ...], found: list[tuple[Any, ...]]) -> None:
        found.extend([(*chosen, value) for value in values(S)])

    def tested_value(S: Slots, chosen: tuple[Any, ...], found: list[tuple[Any, ...]]) -> None:
        test = tests[0]
        for value in values(S):
            S[slot] = value
            if locate is not None:
                locate(S, value)
            if test(S):
                found.append((*chosen, value))

    def each_value(S: Slots, chosen: tuple[Any, ...], found: list[tuple[Any, ...]]) -> None:
        asked = S[PLAYER]
        for value in values(S):
            S[slot] = value
            if locate is not None:
                locate(S, value)
            if choice.is_player:
                S[PLAYER] = value
            following(S, (*chosen, value), found)
            if len(found) > MOST_OPTIONS:
                raise fault("too-many-options", message("there are too many ways to choose"), span)
        S[PLAYER] = asked

    if is_last and not choice.is_player and len(tests) <= 1:
        return tested_value if tests else any_value
    return each_value
