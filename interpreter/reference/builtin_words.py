"""The words of the language in expressions: `player`, `count of`, `top of`, `left of`, `smallest(…)`, `total of`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulesrun.dsl import ast
from rulesrun.interpreter.model import locations, places
from rulesrun.interpreter.model.compile_context import Workbench
from rulesrun.interpreter.model.located_names import asks_for_position
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
from rulesrun.interpreter.reference import collections, score_lookups

OF = {"count", "sum", "highest", "lowest", "list", "sorted", "top", "bottom", "first", "last", "left", "right"}


def compile_word(bench: Workbench, word: str, as_collection: bool, node: ast.Node) -> Code:
    everyone = tuple(range(1, bench.players + 1))
    match word:
        case "player":
            return read_slot(PLAYER)
        case "players":
            return constant(everyone if as_collection else bench.players)
        case "opponents":
            others = {one: tuple(other for other in everyone if other != one) for one in everyone}
            return Code(lambda S: others[S[PLAYER]])
        case "starter":
            return read_slot(STARTER)
        case "round":
            return read_slot(ROUND)
        case "phase":
            return read_slot(PHASE)
        case "it":
            return read_slot(bench.element_slot(None))
        case "total":
            return score_lookups.compile_total()
        case "place":
            return score_lookups.compile_place(node)
        case _:
            raise bench.refusal("no-value", f"`{word}` is not a value", node)


def compile_word_of(bench: Workbench, word: str, node: ast.Of) -> Code:
    match word:
        case "count":
            return compile_count(bench, node.owner)
        case "left" | "right":
            return compile_neighbour(bench, word, node.owner)
        case "top" | "last":
            return compile_end_of(bench, node, -1, word)
        case "bottom" | "first":
            return compile_end_of(bench, node, 0, word)
        case _:
            run = bench.compile(node.owner).run
            return Code(collections.aggregate_collection(word, run, node))


def compile_count(bench: Workbench, owner: ast.Expr) -> Code:
    if isinstance(owner, ast.Filter):
        return collections.compile_filter_count(bench, owner)
    room = places.find_zone(bench, owner)
    if room is not None and room.is_shuffled:
        at = places.compile_slot(bench, owner).run
        return Code(lambda S: places.count_components(S[at(S)]))
    collection = bench.compile(owner)
    if collection.is_constant:
        return constant(len(collection.value))
    run, slot = collection.run, collection.slot
    return Code((lambda S: len(S[slot])) if slot is not None else (lambda S: len(run(S))))


def compile_neighbour(bench: Workbench, word: str, owner: ast.Expr) -> Code:
    """Clockwise is to the left: seat 2 is to the left of seat 1."""
    n, seat = bench.players, bench.compile_player(owner)
    if word == "left":
        return Code(lambda S: seat(S) % n + 1)
    return Code(lambda S: (seat(S) - 2) % n + 1)


def compile_end_of(bench: Workbench, node: ast.Of, end: int, word: str) -> Code:
    room = places.find_zone(bench, node.owner)
    if room is not None and room.is_shuffled:
        at = places.compile_slot(bench, node.owner).run
        several: Run = lambda S: S[at(S)]  # noqa: E731
        check = None
    else:
        several, check = bench.compile(node.owner).run, locations.item_known(bench, node.owner, node, f"the {word}")

    def run(S: Slots) -> Any:
        elements = several(S)
        if not elements:
            raise fault("of-nothing", f"there is no {word} of an empty place", node.span)
        if check is not None:
            check(S, end)
        element = elements[end]
        if room is not None and isinstance(element, tuple):
            raise fault("not-known-yet", "nobody has drawn from this shuffled pile yet", node.span)
        return element

    return Code(run)


def compile_word_call(bench: Workbench, word: str, node: ast.Call) -> Code:
    if word in {"counted", "latest"}:
        return score_lookups.compile_score_line(bench, word, node)
    if word == "times":
        return compile_times(bench, node)
    if word == "position" and asks_for_position(bench, node):
        return locations.compile_position(bench, node)
    runs = [bench.compile(argument).run for argument in node.arguments]
    match word:
        case "smallest" | "largest":
            choose: Callable[..., Any] = min if word == "smallest" else max
            return Code(lambda S: choose([run(S) for run in runs]))
        case "seat":
            return compile_option_seat(bench, node.arguments[0])
        case "position":
            return known_position(bench, node)
        case _:
            raise bench.refusal("no-value", f"`{word}` cannot be asked like this", node)


def compile_option_seat(bench: Workbench, node: ast.Expr) -> Code:
    """The player of a `… or player` option: its seats come after its words; a word leaves seat 1."""
    option = bench.meaning(node) if isinstance(node, ast.Name) else None
    if not isinstance(option, ast.Option) or not isinstance(option.type, ast.WordsType):
        raise bench.refusal("no-value", "`seat` asks for an option", node)
    value: int = bench.option_values[id(option)]
    return constant(max(1, value - len(option.type.words) + 1))


def known_position(bench: Workbench, node: ast.Call) -> Code:
    one, several = (bench.compile(argument).run for argument in node.arguments)
    check = locations.place_known(bench, node)
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


def compile_times(bench: Workbench, node: ast.Call) -> Code:
    """A memory is the positions recorded with their numbers, and the last of them."""
    name = node.arguments[0]
    meaning = bench.meaning(name) if isinstance(name, ast.Name) else None
    if not isinstance(meaning, ast.Memory):
        raise bench.refusal("no-value", "`times` asks for a memory", node)
    if id(meaning) not in bench.memories:
        places.refuse_too_early(bench, node)
    slot = bench.memories[id(meaning)]

    def run(S: Slots) -> int:
        memory = S[slot]
        return memory[1].get(memory[0], 0) if memory else 0

    return Code(run)
