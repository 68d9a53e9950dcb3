"""The words of the language in expressions: `player`, `count of`, `top of`, `left of`, `smallest(…)`, `total of`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, assert_never

from rulesrun.dsl.text.messages import message
from rulesrun.interpreter.model import core, locations, places
from rulesrun.interpreter.model.compile_context import Workbench
from rulesrun.interpreter.model.core_lowering import lower_expression
from rulesrun.interpreter.model.located_names import has_equals
from rulesrun.interpreter.model.values import (
    PHASE,
    PLAYER,
    ROUND,
    STARTER,
    Code,
    Run,
    Slots,
    constant,
    fault,
    read_slot,
)
from rulesrun.interpreter.reference import collections

CURRENT = {"player": PLAYER, "starter": STARTER, "round": ROUND, "phase": PHASE}


def compile_word(bench: Workbench, word: core.WordOperation) -> Code:
    match word:
        case core.Current(_, what):
            return read_slot(CURRENT[what])
        case core.Opponents():
            everyone = range(1, bench.players + 1)
            others = {one: tuple(other for other in everyone if other != one) for one in everyone}
            return Code(lambda S: others[S[PLAYER]])
        case core.Count(_, collection):
            return compile_count(bench, collection)
        case core.EndOf():
            return compile_end_of(bench, word)
        case core.Neighbour(_, is_left, player):
            return compile_neighbour(bench, is_left, player)
        case core.SeatsFrom(_, start, player):
            n, first, seat = bench.players, bench.compile_player(start), bench.compile_player(player)
            return Code(lambda S: (seat(S) - first(S)) % n)
        case core.Extreme(_, is_smallest, arguments):
            runs = [bench.compile(argument).run for argument in arguments]
            choose: Callable[..., Any] = min if is_smallest else max
            return Code(lambda S: choose([run(S) for run in runs]))
        case core.PositionOf(_, item):
            by_place = has_equals(bench, item)
            return locations.compile_position(bench, word) if by_place else known_position(bench, word)
        case core.Times(_, memory):
            return compile_times(bench, memory)
        case _:
            assert_never(word)


def compile_count(bench: Workbench, owner: core.Operand) -> Code:
    several = lower_expression(bench, owner)
    if isinstance(several, core.Filter):
        return collections.compile_filter_count(bench, several)
    room = places.find_zone(bench, owner)
    if room is not None and room.is_shuffled:
        at = places.compile_slot(bench, owner).run
        return Code(lambda S: places.count_components(S[at(S)]))
    collection = bench.compile(owner)
    if collection.is_constant:
        return constant(len(collection.value))
    run, slot = collection.run, collection.slot
    return Code((lambda S: len(S[slot])) if slot is not None else (lambda S: len(run(S))))


def compile_neighbour(bench: Workbench, is_left: bool, owner: core.Operand) -> Code:
    """Clockwise is to the left: seat 2 is to the left of seat 1."""
    n, seat = bench.players, bench.compile_player(owner)
    if is_left:
        return Code(lambda S: seat(S) % n + 1)
    return Code(lambda S: (seat(S) - 2) % n + 1)


def compile_end_of(bench: Workbench, asked: core.EndOf) -> Code:
    node, collection, word, end = asked.node, asked.collection, asked.word, asked.index
    room = places.find_zone(bench, collection)
    if room is not None and room.is_shuffled:
        at = places.compile_slot(bench, collection).run
        several: Run = lambda S: S[at(S)]  # noqa: E731
        check = None
    else:
        several, check = bench.compile(collection).run, locations.item_known(bench, collection, node, f"the {word}")

    def run(S: Slots) -> Any:
        elements = several(S)
        if not elements:
            raise fault("of-nothing", message("there is no {word} of an empty place", word=word), node.span)
        if check is not None:
            check(S, end)
        element = elements[end]
        if room is not None and isinstance(element, tuple):
            raise fault("not-known-yet", message("nobody knows the order of this shuffled pile"), node.span)
        return element

    return Code(run)


def known_position(bench: Workbench, asked: core.PositionOf) -> Code:
    one, several = bench.compile(asked.item).run, bench.compile(asked.collection).run
    check = locations.place_known(bench, asked)
    if check is None:
        return Code(lambda S: find_position(one(S), several(S)))

    def run(S: Slots) -> int:
        found = find_position(one(S), several(S))
        if found:
            check(S, found - 1)
        return found

    return Code(run)


def find_position(element: Any, several: Any) -> int:
    found = tuple(several)
    return found.index(element) + 1 if element in found else 0


def compile_times(bench: Workbench, memory: core.Memory) -> Code:
    """A memory is the positions recorded with their numbers, and the last of them."""
    slot = bench.memories[id(memory)]

    def run(S: Slots) -> int:
        recorded = S[slot]
        return recorded[1].get(recorded[0], 0) if recorded else 0

    return Code(run)
