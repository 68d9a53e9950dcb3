"""What a name stands for: a zone, a number, an attribute, a definition, an option, a word of the language.

Takes `Name`, `x[k]`, `f(x)` and `X of Y`, gives `Code`.
"""

from __future__ import annotations

from typing import Any

from rulesrun.dsl import ast
from rulesrun.dsl.typing.program import (
    AllOf,
    AttributeMeaning,
    BuiltinMeaning,
    ItMeaning,
    Meaning,
    RowMeaning,
    WordMeaning,
)
from rulesrun.dsl.typing.types import CollectionOf, OptionalOf
from rulesrun.interpreter.model import locations, places
from rulesrun.interpreter.model.compile_context import Workbench
from rulesrun.interpreter.model.domains import list_declared_values
from rulesrun.interpreter.model.values import PLAYER, Code, Run, Slots, constant, fault, read_slot
from rulesrun.interpreter.reference import builtin_words, case_tables


def compile_name(bench: Workbench, node: ast.Name) -> Code:
    meaning = bench.meaning(node)
    match meaning:
        case ast.Zone() | ast.Variable():
            return places.compile_contents(bench, node)
        case ast.Option():
            if id(meaning) not in bench.option_values:
                places.refuse_too_early(bench, node)
            return constant(bench.option_values[id(meaning)])
        case ast.Define() | ast.ScoreLine():
            return compile_definition(bench, meaning)
        case ast.Parameter() | ast.Choice() | ast.Each() | ast.Deal():
            return read_slot(bench.registers[id(meaning)])
        case ast.Values() | ast.Components():
            return constant(list_declared_values(bench, meaning))
        case AllOf(declaration):
            return constant(list_declared_values(bench, declaration))
        case WordMeaning():
            return constant(meaning.index)
        case AttributeMeaning():
            return compile_attribute(bench, meaning, read_slot(bench.element_slot(meaning.element)), node)
        case ItMeaning():
            return read_slot(bench.element_slot(meaning.element))
        case RowMeaning(components, row):
            kinds = bench.kinds_of(components)
            return constant(kinds.names.index(row.name.text))
        case ast.Phase():
            return constant(bench.declarations(ast.Phase).index(meaning))
        case BuiltinMeaning(word):
            return builtin_words.compile_word(bench, word, isinstance(bench.type_of(node), CollectionOf), node)
        case _:
            raise bench.refusal("no-value", f"`{node.text}` is not a value", node)


def compile_definition(bench: Workbench, meaning: ast.Define | ast.ScoreLine) -> Code:
    """A definition is made ready once; its parameters have slots of their own, for nothing calls itself."""
    if id(meaning) not in bench.calls:
        if isinstance(meaning, ast.Define):
            for parameter in meaning.parameters:
                bench.registers[id(parameter)] = bench.new_scratch_slot()
                if id(parameter) in bench.located:
                    locations.reserve_place_register(bench, bench.registers[id(parameter)])
        body = meaning.body if isinstance(meaning, ast.Define) else meaning.value
        kept, bench.elements = bench.elements, []
        try:
            bench.calls[id(meaning)] = bench.compile(body)
        finally:
            bench.elements = kept
    return bench.calls[id(meaning)]


def compile_attribute(bench: Workbench, meaning: AttributeMeaning, owner: Code, node: ast.Node) -> Code:
    kinds = bench.kinds_of(meaning.components)
    if id(meaning.attribute) not in kinds.attributes:
        return compile_rule_column(bench, meaning, owner, node)
    values, run, slot = kinds.attributes[id(meaning.attribute)], owner.run, owner.slot
    if owner.is_constant:
        return constant(values[owner.value])
    if slot is not None:
        return Code(lambda S: values[S[slot]])
    return Code(lambda S: values[run(S)])


def compile_rule_column(bench: Workbench, meaning: AttributeMeaning, owner: Code, node: ast.Node) -> Code:
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
            raise fault("nothing-used", "there is nothing here, where a component is needed", node.span)
        return ready[kind](S)

    return Code(asked)


def compile_index(bench: Workbench, node: ast.Index) -> Code:
    meaning = bench.meaning(node.name)
    if isinstance(meaning, (ast.Zone, ast.Variable)) and meaning.keys:
        return places.compile_contents(bench, node)
    key, collection = bench.compile(node.keys[-1]), bench.compile(node.name)
    a, b, check = key.run, collection.run, locations.item_known(bench, node.name, node, "this item")

    def run(S: Slots) -> Any:
        k, several = a(S), b(S)
        if k is None or not 1 <= k <= len(several):
            raise fault("no-such-item", f"there is no item {k} among {len(several)}", node.span)
        if check is not None:
            check(S, k - 1)
        return several[k - 1]

    return constant(run([])) if key.is_constant and collection.is_constant else Code(run)


def compile_call(bench: Workbench, node: ast.Call) -> Code:
    meaning = bench.meaning(node.name)
    match meaning:
        case ast.Define():
            return compile_definition_call(bench, node, meaning)
        case ast.Table():
            return case_tables.compile_case_lookup(bench, node, meaning)
        case BuiltinMeaning(word):
            return builtin_words.compile_word_call(bench, word, node)
        case _:
            raise bench.refusal("no-value", f"`{node.name.text}` cannot be asked like this", node)


def compile_definition_call(bench: Workbench, node: ast.Call, meaning: ast.Define) -> Code:
    body = compile_definition(bench, meaning)
    arguments = [bench.compile(argument).run for argument in node.arguments]
    slots = [bench.registers[id(parameter)] for parameter in meaning.parameters]
    inner = body.run
    if body.is_constant or not slots:
        return body
    if any(slot in bench.wheres for slot in slots):
        return Code(locations.compile_with_arguments(bench, node, meaning, inner))
    if len(slots) == 1:
        slot, argument = slots[0], arguments[0]

        def one(S: Slots) -> Any:
            S[slot] = argument(S)
            return inner(S)

        return Code(one)

    def run(S: Slots) -> Any:
        values = [argument(S) for argument in arguments]
        for slot, value in zip(slots, values, strict=True):
            S[slot] = value
        return inner(S)

    return Code(run)


def compile_of(bench: Workbench, node: ast.Of) -> Code:
    subject = node.subject
    if isinstance(subject, ast.Name):
        meaning: Meaning | None = bench.meaning(subject)
        match meaning:
            case BuiltinMeaning(word) if word in builtin_words.OF:
                return builtin_words.compile_word_of(bench, word, node)
            case AttributeMeaning():
                return compile_attribute(bench, meaning, compile_owner(bench, node), node)
            case ast.Zone(per_player=True) | ast.Variable(per_player=True):
                return places.compile_contents(bench, node)
            case _:
                pass
    if isinstance(subject, ast.Index):
        meaning = bench.meaning(subject.name)
        if isinstance(meaning, (ast.Zone, ast.Variable)) and meaning.per_player:
            return places.compile_contents(bench, node)
    owner = compile_owner(bench, node)
    if owner.is_constant and owner.value not in range(1, bench.players + 1):
        return places.compile_missing_player(owner.value, node)
    return compile_for_player(bench.compile(subject), owner)


def compile_owner(bench: Workbench, node: ast.Of) -> Code:
    """Whose it is; `nothing` is a fault."""
    code = bench.compile(node.owner)
    if code.is_constant or not isinstance(bench.type_of(node.owner), OptionalOf):
        return code
    run = code.run

    def checked(S: Slots) -> Any:
        value = run(S)
        if value is None:
            raise fault("nothing-used", "there is nothing here, where a value is needed", node.owner.span)
        return value

    return Code(checked)


def compile_for_player(code: Code, owner: Code) -> Code:
    """The same expression, asked of somebody else: inside, `player` is that player."""
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
