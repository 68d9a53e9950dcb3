"""What an operation of the core gives: a zone, a number, an attribute, a definition, a word of the language.

Takes operations, gives `Code`.
"""

from __future__ import annotations

from typing import Any, assert_never

from rulesrun.dsl.text.messages import message
from rulesrun.dsl.text.source import Located
from rulesrun.dsl.typing.program import AttributeMeaning
from rulesrun.dsl.typing.types import OptionalOf
from rulesrun.interpreter.model import core, locations, places
from rulesrun.interpreter.model.compile_context import Workbench
from rulesrun.interpreter.model.values import PLAYER, Code, Run, Slots, constant, fault, look_up_slot, read_slot
from rulesrun.interpreter.reference import boards, builtin_words, case_tables, collections, score_lookups


def compile_operation(bench: Workbench, operation: core.Operation) -> Code:
    if isinstance(operation, core.WordOperation):
        return builtin_words.compile_word(bench, operation)
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
            return case_tables.compile_case_lookup(bench, operation)
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
            return boards.compile_board_question(bench, operation)
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
