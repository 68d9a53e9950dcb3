"""Where the components lie that an expression means: takes the expression, gives them with their places.

A spot is a component, the slot of the zone it lies in and its place in what lies there (the place of the unordered
part, for a component in one). The slot is `NOWHERE` for a component that was only named. Of equal components that
were only named, or chosen, the one nearest the beginning of its zone is meant.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from rulesrun.dsl import ast
from rulesrun.dsl.text.messages import message
from rulesrun.dsl.text.source import Located
from rulesrun.dsl.typing.types import CollectionOf, NumberOf
from rulesrun.interpreter.model import core
from rulesrun.interpreter.model.compile_context import VariableRoom, Workbench, ZoneRoom
from rulesrun.interpreter.model.core_lowering import base_of_filters, list_filters, lower_expression
from rulesrun.interpreter.model.located_names import has_equals
from rulesrun.interpreter.model.location_updates import HELD, Where
from rulesrun.interpreter.model.places import (
    Content,
    compile_place,
    compile_slot,
    find_room,
    find_zone,
    remove_component_at,
)
from rulesrun.interpreter.model.values import PLAYER, Code, Run, Slots, fault, sort_values

NOWHERE = -1

Spot = tuple[int, int, int]
FindOne = Callable[[Slots], Spot | None]
FindAll = Callable[[Slots], list[Spot]]

Made = TypeVar("Made")


# ---- what lies in a zone


def list_spots(content: Content, slot: int) -> list[Spot]:
    """Everything that lies there, in order; an unordered part in declared order."""
    found: list[Spot] = []
    for at, part in enumerate(content):
        if isinstance(part, tuple):
            found.extend([(kind, slot, at) for kind in part])
        else:
            found.append((part, slot, at))
    return found


def locate_first_of_kind(S: Slots, slot: int, kind: int) -> Spot | None:
    """The one nearest the beginning."""
    for at, part in enumerate(S[slot]):
        if part == kind or (isinstance(part, tuple) and kind in part):
            return kind, slot, at
    return None


def locate_if_still_there(S: Slots, kind: int | None, where: Where | None) -> Spot | None:
    """The spot, where such a component still lies at that place."""
    if where is None or kind is None or where[0] < 0:
        return None
    slot, at = where
    content = S[slot]
    if at >= len(content):
        return None
    part = content[at]
    return (kind, slot, at) if part == kind or (isinstance(part, tuple) and kind in part) else None


def place_of_spot(spot: Spot | None) -> Where | None:
    """What is remembered of a spot."""
    return None if spot is None or spot[1] < 0 else spot[1:]


# ---- binders


def reserve_place_register(bench: Workbench, slot: int) -> int:
    """Beside the register of an element, where it lies; only while an expression is worked out."""
    if slot not in bench.wheres:
        bench.wheres[slot] = bench.new_scratch_slot()
    return bench.wheres[slot]


def compile_located_elements(bench: Workbench, collection: core.Operand, slot: int, node: Located) -> Run:
    """Goes through a collection; the registers say which component it is and where it lies."""
    run, where = bench.compile_charged(compile_locate_all(bench, collection), node), bench.wheres[slot]

    def go(S: Slots) -> Iterator[int]:
        for kind, place, at in run(S):
            S[slot], S[where] = kind, (place, at)
            yield kind

    return go


# ---- several


def compile_locate_all(bench: Workbench, node: core.Operand) -> FindAll:
    key = ("all", id(node))
    if key not in bench.finders:
        bench.finders[key] = (node, compile_locate_collection(bench, node))
    found: FindAll = bench.finders[key][1]
    return found


def compile_locate_collection(bench: Workbench, node: core.Operand) -> FindAll:
    lowered = lower_expression(bench, node)
    match lowered:
        case core.Contents(room=ZoneRoom()):
            return compile_locate_contents(bench, lowered)
        case core.Filter():
            return compile_locate_filter(bench, lowered)
        case core.Best() | core.Register() if (source := find_combined(bench, lowered)) is not None:
            kinds, several = bench.compile(node).run, compile_locate_all(bench, source)
            return lambda S: locate_first_of_each(several(S), kinds(S))
        case core.Best(word="those"):
            return compile_locate_best(bench, lowered)
        case core.Joined(_, zones):
            return compile_locate_joined(bench, zones)
        case core.SetOf(_, items):
            parts = [compile_locate_one(bench, item.node) for item in items]
            return lambda S: [spot for part in parts if (spot := part(S)) is not None]
        case core.Aggregate(word="list" | "sorted"):
            return compile_locate_list(bench, lowered)
        case core.IfElse(_, condition, then, otherwise):
            test = bench.compile(condition).run
            yes, no = compile_locate_all(bench, then), compile_locate_all(bench, otherwise)
            return lambda S: yes(S) if test(S) else no(S)
        case core.Fold(_, "list" | "sorted" as word, collection):
            several = compile_locate_all(bench, collection)
            return several if word == "list" else lambda S: sorted(several(S), key=lambda spot: spot[0])
        case core.Register(_, ast.Choice() as choice) if choice.count is not None:
            return compile_locate_selection(bench, node, choice)
        case core.Register(_, ast.Parameter(type=ast.SetType()) as binder) if id(binder) in bench.located:
            return compile_locate_told(bench, binder)
        case core.Register(_, core.Each() as binder) if bench.registers[id(binder)] in bench.wheres:
            return compile_locate_told(bench, binder)
        case core.Definition():
            return compile_in_definition(bench, lowered, compile_locate_all)
        case core.ForPlayer() if isinstance(lower_expression(bench, lowered.subject), core.Definition):
            return compile_for_player(bench, lowered, compile_locate_all)
        case _:
            return compile_unlocated_all(bench, node)


def compile_locate_contents(bench: Workbench, place: core.Contents) -> FindAll:
    find = compile_place(bench, place).run

    def whole(S: Slots) -> list[Spot]:
        slot = find(S)
        return list_spots(S[slot], slot)

    return whole


def compile_locate_joined(bench: Workbench, parts: tuple[core.Operand, ...]) -> FindAll:
    finds = [compile_slot(bench, part).run for part in parts]

    def run(S: Slots) -> list[Spot]:
        slots = dict.fromkeys(find(S) for find in finds)
        return [spot for slot in slots for spot in list_spots(S[slot], slot)]

    return run


def compile_unlocated_all(bench: Workbench, node: core.Operand) -> FindAll:
    run = bench.compile(node).run
    return lambda S: [(kind, NOWHERE, 0) for kind in run(S)]


def compile_locate_filter(bench: Workbench, asked: core.Filter) -> FindAll:
    several, slot = compile_locate_all(bench, asked.collection), bench.reserve_element_slot(asked.binder)
    where = reserve_place_register(bench, slot)
    with bench.element_scope(asked.binder, slot):
        test = bench.compile(asked.condition).run

    def run(S: Slots) -> list[Spot]:
        found = []
        for spot in several(S):
            S[slot], S[where] = spot[0], spot[1:]
            if test(S):
                found.append(spot)
        return found

    return run


def compile_located_binder(bench: Workbench, each: core.Each) -> tuple[FindAll, int, int]:
    """The collection of a binder, the slot of its element, and where that one lies."""
    slot = bench.reserve_element_slot(each)
    for one in list_filters(bench, each.collection):
        bench.registers[id(one.binder)] = slot
    where = reserve_place_register(bench, slot)
    return compile_locate_all(bench, each.collection), slot, where


def compile_locate_list(bench: Workbench, asked: core.Aggregate) -> FindAll:
    several, slot, where = compile_located_binder(bench, asked.each)
    with bench.element_scope(asked.each, slot):
        body = compile_locate_one(bench, asked.body)

    def run(S: Slots) -> list[Spot]:
        found = []
        for spot in several(S):
            S[slot], S[where] = spot[0], spot[1:]
            one = body(S)
            if one is not None:
                found.append(one)
        if asked.distinct:
            found = list({spot[0]: spot for spot in reversed(found)}.values())[::-1]
        return sorted(found, key=lambda spot: spot[0]) if asked.word == "sorted" else found

    return run


def compile_locate_best(bench: Workbench, asked: core.Best) -> FindAll:
    """All with the best key."""
    several, slot, where = compile_located_binder(bench, asked.each)
    with bench.element_scope(asked.each, slot):
        key = bench.compile(asked.key).run
    direction: Callable[..., Any] = max if asked.direction == "highest" else min

    def run(S: Slots) -> list[Spot]:
        spots, keys = several(S), []
        for spot in spots:
            S[slot], S[where] = spot[0], spot[1:]
            keys.append(key(S))
        wanted = direction(keys) if keys else None
        return [spot for spot, own in zip(spots, keys, strict=True) if own == wanted]

    return run


def compile_locate_selection(bench: Workbench, node: core.Operand, choice: ast.Choice) -> FindAll:
    """Several chosen at once: where they have come to; while they are looked at, the first such."""
    chosen, domain = bench.compile(node).run, find_choice_source(bench, choice)
    if domain is None:
        return compile_unlocated_all(bench, node)
    several, wheres = compile_locate_all(bench, domain), bench.wheres.get(bench.registers[id(choice)])

    def run(S: Slots) -> list[Spot]:
        kinds, kept = chosen(S), S[wheres] if wheres is not None else None
        if kept and len(kept) == len(kinds):
            return [
                locate_if_still_there(S, kind, where) or (kind, NOWHERE, 0)
                for kind, where in zip(kinds, kept, strict=True)
            ]
        return locate_first_of_each(several(S), kinds)

    return run


def find_combined(bench: Workbench, lowered: core.Core) -> core.Operand | None:
    """Of a combination, one that is gone through or the best: from where it is taken."""
    match lowered:
        case core.Best(word="the", each=each) | core.Register(_, core.Each() as each):
            several = lower_expression(bench, base_of_filters(bench, each.collection))
            return several.collection if isinstance(several, core.Combinations) else None
        case _:
            return None


def compile_locate_told(bench: Workbench, binder: ast.Parameter | core.Each) -> FindAll:
    """Several that have one name, each where it has come to."""
    slot = bench.registers[id(binder)]
    wheres = bench.wheres[slot]

    def run(S: Slots) -> list[Spot]:
        found = zip(S[slot], S[wheres], strict=True)
        return [locate_if_still_there(S, kind, where) or (kind, NOWHERE, 0) for kind, where in found]

    return run


def locate_first_of_each(spots: list[Spot], kinds: tuple[int, ...]) -> list[Spot]:
    """For every component, which may stand there several times, one of its own."""
    left, found = list(spots), []
    for kind in kinds:
        spot = next((one for one in left if one[0] == kind), (kind, NOWHERE, 0))
        found.append(spot)
        if spot in left:
            left.remove(spot)
    return found


def is_chosen_by_place(bench: Workbench, choice: ast.Choice) -> bool:
    """Whether places say which components may be chosen."""
    filters = list_filters(bench, choice.domain)
    is_located = any(id(one.binder) in bench.located for one in filters)
    return is_located or isinstance(lower_expression(bench, base_of_filters(bench, choice.domain)), core.Joined)


def find_choice_source(bench: Workbench, choice: ast.Choice) -> core.Operand | None:
    """Of equal components the first of these is the one that is chosen; None where they lie nowhere."""
    return choice.domain if is_chosen_by_place(bench, choice) else find_base_zone(bench, choice.domain)


def find_base_zone(bench: Workbench, node: core.Operand) -> core.Operand | None:
    """The zone that a collection is chosen from, as far as the text says."""
    node = base_of_filters(bench, node)
    return node if find_zone(bench, node) is not None else None


# ---- one


def compile_locate_one(bench: Workbench, node: core.Operand) -> FindOne:
    key = ("one", id(node))
    if key not in bench.finders:
        bench.finders[key] = (node, compile_locate_component(bench, node))
    found: FindOne = bench.finders[key][1]
    return found


def compile_locate_component(bench: Workbench, node: core.Operand) -> FindOne:
    lowered = lower_expression(bench, node)
    match lowered:
        case core.Literal(_, parts) if len(parts) == 1:
            return compile_locate_one(bench, parts[0])
        case core.ItemAt():
            return compile_locate_item(bench, lowered)
        case core.EndOf(_, _, collection):
            several, run, at = compile_locate_all(bench, collection), bench.compile(node).run, lowered.index
            return lambda S: (run(S), several(S)[at])[1]  # it is there, or that is a fault
        case core.Best(word="the"):
            several, run = compile_locate_best(bench, lowered), bench.compile(node).run
            return lambda S: next(iter(several(S)), None) or unlocated_spot(run(S))
        case core.IfElse(_, condition, then, otherwise):
            test = bench.compile(condition).run
            yes, no = compile_locate_one(bench, then), compile_locate_one(bench, otherwise)
            return lambda S: yes(S) if test(S) else no(S)
        case core.Contents(room=VariableRoom() as room):
            return compile_locate_variable(bench, lowered, room)
        case core.Element(_, binder) if binder is not None:
            return compile_locate_register(bench, bench.element_slot(binder), None)
        case core.Register(_, binder):
            return compile_locate_register(bench, bench.registers[id(binder)], find_origin(bench, binder))
        case core.Definition():
            return compile_in_definition(bench, lowered, compile_locate_one)
        case core.ForPlayer() if isinstance(lower_expression(bench, lowered.subject), core.Definition):
            return compile_for_player(bench, lowered, compile_locate_one)
        case _:
            return compile_unlocated(bench, node)


def unlocated_spot(kind: int | None) -> Spot | None:
    return None if kind is None else (kind, NOWHERE, 0)


def compile_unlocated(bench: Workbench, node: core.Operand) -> FindOne:
    run = bench.compile(node).run
    return lambda S: unlocated_spot(run(S))


def compile_locate_item(bench: Workbench, asked: core.ItemAt) -> FindOne:
    position, run = bench.compile(asked.position).run, bench.compile(asked.node).run
    several = compile_locate_all(bench, asked.collection)

    def find(S: Slots) -> Spot | None:
        run(S)  # it is there, or that is a fault
        at: int = position(S)
        return several(S)[at - 1]

    return find


def compile_locate_variable(bench: Workbench, place: core.Contents, room: VariableRoom) -> FindOne:
    """What a marker stands on; one that was only named lies wherever one does."""
    find, first = compile_place(bench, place).run, bench.marked.get(id(room.declaration))
    if first is None:
        return compile_unlocated(bench, place.node)
    offset = first - room.base

    def run(S: Slots) -> Spot | None:
        slot = find(S)
        return locate_if_still_there(S, S[slot], S[slot + offset]) or unlocated_spot(S[slot])

    return run


def find_origin(bench: Workbench, binder: Located) -> core.Operand | None:
    """The zone that a name was chosen from."""
    if isinstance(binder, ast.Choice | core.Each):
        return find_base_zone(bench, binder.domain if isinstance(binder, ast.Choice) else binder.collection)
    return None


def compile_locate_register(bench: Workbench, slot: int, origin: core.Operand | None) -> FindOne:
    """What a register holds: where it is known to lie, else in the zone that it was chosen from."""
    where = bench.wheres.get(slot)
    find = compile_slot(bench, origin).run if origin is not None else None

    def run(S: Slots) -> Spot | None:
        kind = S[slot]
        if kind is None:
            return None
        spot = locate_if_still_there(S, kind, S[where]) if where is not None else None
        if spot is None and find is not None:
            spot = locate_first_of_kind(S, find(S), kind)
        return spot or (kind, NOWHERE, 0)

    return run


def compile_position(bench: Workbench, asked: core.PositionOf) -> Code:
    """Its place, where the component lies there; else that of the first equal one."""
    find, several = compile_locate_one(bench, asked.item), compile_locate_all(bench, asked.collection)
    check = place_known(bench, asked)

    def run(S: Slots) -> int:
        spot, spots = find(S), several(S)
        if spot is None:
            return 0
        found = spots.index(spot) if spot in spots else next(
            (at for at, one in enumerate(spots) if one[0] == spot[0]), -1
        )
        if check is not None and found >= 0:
            check(S, found)
        return found + 1

    return Code(run)


# ---- what nobody has drawn yet


def pile_behind(bench: Workbench, node: core.Operand) -> ZoneRoom | None:
    """The shuffled pile whose order a collection has."""
    lowered = lower_expression(bench, node)
    match lowered:
        case core.Filter(_, collection):
            return pile_behind(bench, collection)
        case core.Definition():
            return pile_behind(bench, lowered.body)
        case core.ForPlayer(_, subject):
            return pile_behind(bench, subject)
        case core.Contents(room=ZoneRoom() as room) if room.is_shuffled:
            return room
        case _:
            return None


def item_known(
    bench: Workbench, collection: core.Operand, node: Located, what: str
) -> Callable[[Slots, int], None] | None:
    """Whether it is settled what stands at a place, from 0 (below 0 from the end), of a shuffled pile; else a fault."""
    if pile_behind(bench, collection) is None:
        return None
    several = compile_locate_all(bench, collection)

    def check(S: Slots, number: int) -> None:
        spots = several(S)
        if len({spot[0] for spot in beside(S, spots, spots[number])}) > 1:
            sentence = f"{what} of this shuffled pile is not known yet: nobody has drawn it"
            raise fault("not-known-yet", sentence, node.span)

    return check


def place_known(bench: Workbench, asked: core.PositionOf) -> Callable[[Slots, int], None] | None:
    """The same of the place where a component stands."""
    if pile_behind(bench, asked.collection) is None:
        return None
    several = compile_locate_all(bench, asked.collection)

    def check(S: Slots, number: int) -> None:
        spots = several(S)
        if len(beside(S, spots, spots[number])) > 1:
            sentence = "nobody has drawn this component yet: its place in the shuffled pile is not known"
            raise fault("not-known-yet", sentence, asked.node.span)

    return check


def beside(S: Slots, spots: list[Spot], spot: Spot) -> list[Spot]:
    """All that lie in the same unordered part, this one too; none where the order is known."""
    if not isinstance(S[spot[1]][spot[2]], tuple):
        return []
    return [one for one in spots if one[1:] == spot[1:]]


# ---- definitions


def compile_in_definition(
    bench: Workbench, called: core.Definition, make: Callable[[Workbench, core.Operand], Callable[[Slots], Made]]
) -> Callable[[Slots], Made]:
    """The body of a definition, where no element of the outside stands alone, with its arguments."""
    bench.compile(called.node)
    kept, bench.elements = bench.elements, []
    try:
        body = make(bench, called.body)
    finally:
        bench.elements = kept
    return compile_with_arguments(bench, called, body)


def compile_with_arguments(
    bench: Workbench, called: core.Definition, body: Callable[[Slots], Made]
) -> Callable[[Slots], Made]:
    slots = [bench.registers[id(parameter)] for parameter in called.parameters]
    arguments = [compile_argument(bench, *pair) for pair in zip(called.parameters, called.arguments, strict=True)]

    def run(S: Slots) -> Made:
        given = [argument(S) for argument in arguments]
        for slot, (value, where) in zip(slots, given, strict=True):
            S[slot] = value
            if slot in bench.wheres:
                S[bench.wheres[slot]] = where
        return body(S)

    return run if slots else body


def compile_told(bench: Workbench, parameter: ast.Parameter, argument: core.Operand) -> Run:
    """What a parameter is told; a set stands in declared order, however it lay, and a number is one of its range."""
    run = bench.compile(argument).run
    if isinstance(parameter.type, ast.SetType):
        return lambda S: tuple(sort_values(run(S)))
    written = parameter.type.item if isinstance(parameter.type, ast.Optional) else parameter.type
    return compile_in_range(bench, parameter, written, argument, run) if isinstance(written, ast.RangeType) else run


def compile_in_range(
    bench: Workbench, parameter: ast.Parameter, written: ast.RangeType, argument: core.Operand, run: Run
) -> Run:
    """The number, or the fault that it is not in the range which the parameter was given."""
    low, high = bench.constant_number(written.low), bench.constant_number(written.high)
    known = bench.type_of(argument)
    if isinstance(known, NumberOf) and low <= known.low and known.high <= high:
        return run
    is_optional, name = parameter.type is not written, parameter.name.text

    def checked(S: Slots) -> Any:
        value = run(S)
        if not (is_optional if value is None else low <= value <= high):
            sentence = message("`{name}` is told {value}, outside {low}..{high}",
                               name=name, value=value, low=low, high=high)  # fmt: skip
            raise fault("leaves-range", sentence, argument.span)
        return value

    return checked


def compile_argument(
    bench: Workbench, parameter: ast.Parameter, node: core.Operand
) -> Callable[[Slots], tuple[Any, Any]]:
    """The value given for a parameter, and where it lies; of a set where each of them does."""
    run = compile_told(bench, parameter, node)
    if not has_equals(bench, node):
        return lambda S: (run(S), None)
    if isinstance(parameter.type, ast.SetType):
        return compile_set_argument(compile_locate_all(bench, node))
    find = compile_locate_one(bench, node)

    def located(S: Slots) -> tuple[Any, Where | None]:
        spot = find(S)
        return (None, None) if spot is None else (spot[0], spot[1:])

    return located


def compile_set_argument(find: FindAll) -> Callable[[Slots], tuple[Any, Any]]:
    def located(S: Slots) -> tuple[Any, Any]:
        spots = sorted(find(S), key=lambda spot: spot[0])
        return tuple([spot[0] for spot in spots]), tuple([spot[1:] for spot in spots])

    return located


def compile_for_player(
    bench: Workbench, asked: core.ForPlayer, make: Callable[[Workbench, core.Operand], Callable[[Slots], Made]]
) -> Callable[[Slots], Made]:
    """The same, asked of somebody else: inside, `player` is that player."""
    bench.compile(asked.node)
    body, whose = make(bench, asked.subject), bench.compile_player(asked.owner)

    def run(S: Slots) -> Made:
        kept = S[PLAYER]
        S[PLAYER] = whose(S)
        found = body(S)
        S[PLAYER] = kept
        return found

    return run


# ---- taking them out


def take_located(bench: Workbench, S: Slots, spots: list[Spot], mover: int | None = None) -> tuple[int, ...]:
    """Takes them out of where they lie, and gives them in their order; `mover` is the register that meant the one."""
    order = sorted(range(len(spots)), key=lambda number: (*spots[number][1:], number), reverse=True)
    for number in order:
        kind, slot, at = spots[number]
        whole = not isinstance(S[slot][at], tuple)
        S[slot] = remove_component_at(S[slot], at, kind)
        bench.following.update_after_take(S, slot, at, kind, number, whole)
        if mover is not None:
            S[mover] = (HELD, number)
    return tuple([spot[0] for spot in spots])


def resolve_spots(S: Slots, spots: list[Spot], places: list[int], node: Located) -> list[Spot]:
    """Every spot with its place, a component once: one that was only named is the first such that is left."""
    found: list[Spot] = []
    used: dict[Spot, int] = {}
    for spot in spots:
        where = spot
        if spot[1] == NOWHERE:
            where = locate_anywhere(S, spot[0], places, used, node)
        elif used.get(spot, 0) >= count_at_spot(S, spot):
            continue  # the same one, meant twice
        used[where] = used.get(where, 0) + 1
        found.append(where)
    return found


def count_at_spot(S: Slots, spot: Spot) -> int:
    part = S[spot[1]][spot[2]]
    return part.count(spot[0]) if isinstance(part, tuple) else 1


def locate_anywhere(S: Slots, kind: int, places: list[int], used: dict[Spot, int], node: Located) -> Spot:
    for slot in places:
        for at, part in enumerate(S[slot]):
            if part == kind or (isinstance(part, tuple) and kind in part):
                spot = (kind, slot, at)
                if used.get(spot, 0) < count_at_spot(S, spot):
                    return spot
    raise fault("nowhere", message("this component is nowhere to be found"), node.span)


def compile_mover_register(bench: Workbench, node: core.Operand) -> Callable[[Slots], int | None]:
    """The register that remembers where the component lies that is moved by its name."""
    room = find_room(bench, node)
    if isinstance(room, VariableRoom):
        find, first = compile_slot(bench, node).run, bench.marked.get(id(room.declaration))
        base = room.base
        return (lambda S: None) if first is None else (lambda S: first + find(S) - base)
    meaning = bench.meaning(node)
    if isinstance(bench.type_of(node), CollectionOf):
        return lambda S: None
    where = bench.wheres.get(bench.registers.get(id(meaning), 0))
    known = where if where is not None and where > 0 else None
    return lambda S: known if known is not None and S[known] is not None else None
