"""What an operation of the core gives: a zone, a number, an attribute, a definition, a word of the language, what is
asked of the places of a board.

Takes operations, gives `Code`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, assert_never

from rulesrun.dsl.text.messages import message
from rulesrun.dsl.text.source import Located
from rulesrun.dsl.typing.program import AttributeMeaning
from rulesrun.dsl.typing.types import OptionalOf
from rulesrun.interpreter.model import boards, core, locations, places
from rulesrun.interpreter.model.compile_context import Workbench
from rulesrun.interpreter.model.core import Operand
from rulesrun.interpreter.model.core_lowering import lower_expression
from rulesrun.interpreter.model.domains import list_values
from rulesrun.interpreter.model.located_names import has_equals
from rulesrun.interpreter.model.locations import compile_told
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
    look_up_slot,
    read_slot,
)
from rulesrun.interpreter.reference import collections, score_lookups

# ---- case tables
# `table`: a function by cases. Takes a call of one, gives `Code`.


def compile_case_lookup(bench: Workbench, asked: core.CaseLookup) -> Code:
    table = asked.table
    cases, otherwise = compile_cases(bench, table)
    width = max([len(key) for key in cases], default=0)  # cases may look at the first arguments alone
    arguments = [bench.compile(argument) for argument in asked.arguments]
    runs = [compile_told(bench, *pair) for pair in zip(table.parameters, asked.arguments, strict=True)]
    slots = [bench.registers[id(parameter)] for parameter in table.parameters]

    def run(S: Slots) -> Any:
        values = [argument(S) for argument in runs]
        key = tuple(values[:width])
        found = cases.get(key, otherwise)
        if found is None:
            shown = ", ".join(str(value) for value in key)
            raise fault(
                "no-entry",
                message("the table `{table}` has no entry for {shown}", table=table.name.text, shown=shown),
                asked.node.span,
            )
        for slot, value in zip(slots, values, strict=True):
            S[slot] = value
        return found.run(S)

    if all(argument.is_constant for argument in arguments):
        entry = cases.get(tuple(argument.value for argument in arguments[:width]), otherwise)
        return entry if entry is not None and entry.is_constant else Code(run)
    return Code(run)


def compile_cases(bench: Workbench, table: core.Table) -> tuple[dict[tuple[Any, ...], Code], Code | None]:
    """The cases by their keys; the first entry that fits counts."""
    cases: dict[tuple[Any, ...], Code] = {}
    otherwise: Code | None = None
    for parameter in table.parameters:
        bench.registers.setdefault(id(parameter), bench.new_scratch_slot())
    bare = (
        iter(list_values(bench, table.parameters[0].type)) if any(one.keys is None for one in table.entries) else None
    )
    for entry in table.entries:
        value = bench.compile(entry.value)
        if entry.is_otherwise:
            otherwise = value
        elif entry.keys is None:
            key = next(bare, None) if bare is not None else None
            cases.setdefault((key,), value)
        else:
            for keys in key_combinations(bench, entry.keys):
                cases.setdefault(keys, value)
    return cases, otherwise


def key_combinations(bench: Workbench, keys: tuple[Operand, ...]) -> list[tuple[Any, ...]]:
    """`3..5` stands for each of its values."""
    found: list[tuple[Any, ...]] = [()]
    for key in keys:
        value = bench.constant_value(key)
        values = tuple(value) if isinstance(lower_expression(bench, key), core.Range | core.SetOf) else (value,)
        found = [(*so_far, one) for so_far in found for one in values]
    return found


# ---- operations


CURRENT = {"player": PLAYER, "starter": STARTER, "round": ROUND, "phase": PHASE}
BoardQuestion = core.PlacesNear | core.PlacesBetween | core.Distance | core.Lines | core.Connected


def compile_operation(bench: Workbench, operation: core.Operation) -> Code:
    if isinstance(operation, core.WordOperation):
        return compile_word(bench, operation)
    match operation:
        case core.Constant(_, value):
            return constant(value)
        case core.Register(_, binder):
            return read_slot(bench.registers[id(binder)])
        case core.Element(_, binder):
            return read_slot(bench.element_slot(binder))
        case core.Contents():
            return places.compile_contents(bench, operation)
        case core.Attribute():
            return compile_attribute(bench, operation)
        case core.Definition():
            return compile_definition_call(bench, operation)
        case core.CaseLookup():
            return compile_case_lookup(bench, operation)
        case core.ForPlayer():
            return compile_for_player(bench, operation)
        case core.ItemAt():
            return collections.compile_item(bench, operation)
        case core.Points():
            return score_lookups.compile_points(operation)
        case core.Standing(node):
            return score_lookups.compile_place(node, bench.team_size)
        case core.Fold(node, word, collection):
            return Code(collections.aggregate_collection(word, bench.compile(collection).run, node))
        case core.PlacesNear() | core.PlacesBetween() | core.Distance() | core.Lines() | core.Connected():
            return compile_board_question(bench, operation)
        case _:
            assert_never(operation)


def compile_definition(bench: Workbench, called: core.Definition) -> Code:
    """A definition is made ready once; its parameters have slots of their own, for nothing calls itself."""
    key = id(called.meaning)
    if key not in bench.calls:
        for parameter in called.parameters:
            bench.registers[id(parameter)] = bench.new_scratch_slot()
            if id(parameter) in bench.located:
                locations.reserve_place_register(bench, bench.registers[id(parameter)])
        kept, bench.elements = bench.elements, []
        try:
            bench.calls[key] = bench.compile(called.body)
        finally:
            bench.elements = kept
    return bench.calls[key]


def compile_attribute(bench: Workbench, asked: core.Attribute) -> Code:
    meaning, of = asked.meaning, asked.owner
    owner = compile_operation(bench, of) if isinstance(of, core.Element) else compile_owner(bench, of)
    if asked.is_rule:
        return compile_rule_column(bench, meaning, owner, asked.node)
    values = bench.kinds_of(meaning.components).attributes[id(meaning.attribute)]
    run, slot = owner.run, owner.slot
    if owner.is_constant:
        return constant(values[owner.value])
    return look_up_slot(values, slot) if slot is not None else Code(lambda S: values[run(S)])


def compile_rule_column(bench: Workbench, meaning: AttributeMeaning, owner: Code, node: Located) -> Code:
    """A rule is worked out each time it is asked; the rules of all rows are made ready at the first asking."""
    components, run = meaning.components, owner.run
    column = components.attributes.index(meaning.attribute)
    ready: dict[int, Run] = {}
    kinds = bench.kinds_of(components)
    for row in components.rows:
        key = id(row.cells[column])
        if key not in bench.calls:
            bench.calls[key] = constant(False)
            kept, bench.elements = bench.elements, []
            try:
                bench.calls[key] = bench.compile(row.cells[column])
            finally:
                bench.elements = kept
        ready[kinds.names.index(row.name.text)] = bench.calls[key].run

    def asked(S: Slots) -> Any:
        kind = run(S)
        if kind is None:
            raise fault("nothing-used", message("a component is needed here, but there is nothing"), node.span)
        return ready[kind](S)

    return Code(asked)


def compile_definition_call(bench: Workbench, called: core.Definition) -> Code:
    body = compile_definition(bench, called)
    arguments = [locations.compile_told(bench, *pair) for pair in zip(called.parameters, called.arguments, strict=True)]
    slots = [bench.registers[id(parameter)] for parameter in called.parameters]
    inner = body.run
    if body.is_constant or not slots:
        return body
    if any(slot in bench.wheres for slot in slots):
        return Code(locations.compile_with_arguments(bench, called, inner))
    return Code(compile_parameters(slots, arguments, inner))


def compile_parameters(slots: list[int], arguments: list[Run], inner: Run) -> Run:
    """All arguments are worked out, then given to the parameters; without a loop where they are few."""
    match slots, arguments:
        case [slot], [argument]:

            def one(S: Slots) -> Any:
                S[slot] = argument(S)
                return inner(S)

            return one
        case [first, second], [a, b]:

            def two(S: Slots) -> Any:
                S[first], S[second] = a(S), b(S)
                return inner(S)

            return two
        case [first, second, third], [a, b, c]:

            def three(S: Slots) -> Any:
                S[first], S[second], S[third] = a(S), b(S), c(S)
                return inner(S)

            return three
        case [first, second, third, fourth], [a, b, c, d]:

            def four(S: Slots) -> Any:
                S[first], S[second], S[third], S[fourth] = a(S), b(S), c(S), d(S)
                return inner(S)

            return four
    return compile_many_parameters(slots, arguments, inner)


def compile_many_parameters(slots: list[int], arguments: list[Run], inner: Run) -> Run:
    def run(S: Slots) -> Any:
        values = [argument(S) for argument in arguments]
        for slot, value in zip(slots, values, strict=True):
            S[slot] = value
        return inner(S)

    return run


def compile_owner(bench: Workbench, node: core.Operand) -> Code:
    """Whose it is; `nothing` is a fault."""
    code = bench.compile(node)
    if code.is_constant or not isinstance(bench.type_of(node), OptionalOf):
        return code
    run = code.run

    def checked(S: Slots) -> Any:
        value = run(S)
        if value is None:
            raise fault("nothing-used", message("a value is needed here, but there is nothing"), node.span)
        return value

    return Code(checked)


def compile_for_player(bench: Workbench, asked: core.ForPlayer) -> Code:
    """The same expression, asked of somebody else: inside, `player` is that player."""
    owner = compile_owner(bench, asked.owner)
    if owner.is_constant and owner.value not in range(1, bench.players + 1):
        return places.compile_missing_player(owner.value, asked.node)
    code = bench.compile(asked.subject)
    if code.is_constant:
        return code
    inner, whose, slot = code.run, owner.run, owner.slot
    if slot is not None:

        def read(S: Slots) -> Any:
            kept = S[PLAYER]
            S[PLAYER] = S[slot]
            value = inner(S)
            S[PLAYER] = kept
            return value

        return Code(read)

    def run(S: Slots) -> Any:
        kept = S[PLAYER]
        S[PLAYER] = whose(S)
        value = inner(S)
        S[PLAYER] = kept
        return value

    return Code(run)


# ---- words of the language



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


# ---- places of a board


def compile_board_question(bench: Workbench, asked: BoardQuestion) -> Code:
    match asked:
        case core.PlacesNear(_, board, what, place, how_far):
            return look_up(bench, boards.list_near(board, what, how_far), place)
        case core.PlacesBetween(_, board, one, other):
            return compile_between(bench, boards.list_between(board), one, other)
        case core.Distance(_, board, start, end):
            steps, first, last = boards.list_distances(board), place_of(bench, start), place_of(bench, end)
            return Code(lambda S: steps[first(S)][last(S)])
        case core.Lines(_, board, through, length):
            if through is None:
                return constant(boards.list_lines(board, length))
            return look_up(bench, boards.list_lines_through(board, length), through)
        case core.Connected(_, board, start, among):
            begin, free = bench.compile(start).run, bench.compile(among).run
            return Code(bench.compile_charged(lambda S: boards.find_connected(board, begin(S), free(S)), asked.node))
        case _:
            assert_never(asked)


def look_up(bench: Workbench, known: tuple[Any, ...], place: core.Operand) -> Code:
    at = place_of(bench, place)
    return Code(lambda S: known[at(S)])


def compile_between(
    bench: Workbench, known: dict[tuple[int, int], tuple[int, ...]], one: core.Operand, other: core.Operand
) -> Code:
    first, last = place_of(bench, one), place_of(bench, other)
    return Code(lambda S: known.get((first(S), last(S)), ()))


def place_of(bench: Workbench, node: core.Operand) -> Run:
    """A place; `nothing` is a fault."""
    run = bench.compile(node).run

    def find_place(S: Slots) -> Any:
        place = run(S)
        if place is None:
            raise fault("nothing-used", message("a place is needed here, but there is nothing"), node.span)
        return place

    return find_place
