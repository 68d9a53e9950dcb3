"""Lowers an expression of a checked program to the core: what its names mean at this table, decided once."""

from __future__ import annotations

from typing import assert_never

from rulesrun.dsl import ast
from rulesrun.dsl.text.messages import message
from rulesrun.dsl.typing.program import (
    AllOf,
    AttributeMeaning,
    BuiltinMeaning,
    ItMeaning,
    RowMeaning,
    WordMeaning,
)
from rulesrun.dsl.typing.types import CollectionOf, OrderOf
from rulesrun.interpreter.model.compile_context import Workbench, ZoneRoom
from rulesrun.interpreter.model.components import Kinds
from rulesrun.interpreter.model.core import (
    Attribute,
    CaseLookup,
    Constant,
    Core,
    Count,
    Current,
    Definition,
    Element,
    EndOf,
    Extreme,
    Fold,
    ForPlayer,
    ItemAt,
    Neighbour,
    Operation,
    Opponents,
    Points,
    PositionOf,
    Register,
    SeatsFrom,
    Standing,
    TakeEverywhere,
    TakeFrom,
    TakeListed,
    Taken,
    TakeOne,
    TakeSome,
    Target,
    Times,
)
from rulesrun.interpreter.model.domains import list_declared_values
from rulesrun.interpreter.model.places import find_place, refuse_too_early, require_place


def lower_expression(bench: Workbench, node: ast.Expr) -> Core:
    known = bench.core.get(id(node))
    if known is None:
        known = bench.core[id(node)] = (node, lower_new_expression(bench, node))
    return known[1]


def lower_new_expression(bench: Workbench, node: ast.Expr) -> Core:
    match node:
        case ast.Number(value) | ast.Text(value) | ast.Truth(value):
            return Constant(node, value)
        case ast.Nothing():
            return Constant(node, None)
        case ast.Name():
            return lower_name(bench, node)
        case ast.Index(name, keys):
            meaning = bench.meaning(name)
            is_place = isinstance(meaning, ast.Zone | ast.Variable) and bool(meaning.keys)
            return require_place(bench, node) if is_place else ItemAt(node, keys[-1], name)
        case ast.Item(position, collection):
            return ItemAt(node, position, collection)
        case ast.Call():
            return lower_call(bench, node)
        case ast.Of():
            return lower_of(bench, node)
        case (
            ast.Filter() | ast.Range() | ast.SetOf() | ast.Literal() | ast.Quantified() | ast.Aggregate() | ast.Best()
            | ast.Compare() | ast.In() | ast.IsEmpty() | ast.Arithmetic() | ast.Negate() | ast.Not() | ast.And()
            | ast.Or() | ast.IfElse() | ast.Can() | ast.Before()
        ):
            return node
        case _:
            assert_never(node)


def lower_name(bench: Workbench, node: ast.Name) -> Operation:
    meaning = bench.meaning(node)
    match meaning:
        case ast.Zone() | ast.Variable():
            return require_place(bench, node)
        case ast.Option():
            if id(meaning) not in bench.option_values:
                refuse_too_early(bench, node)
            return Constant(node, bench.option_values[id(meaning)])
        case ast.Define() | ast.ScoreLine():
            return Definition(node, meaning, ())
        case ast.Parameter() | ast.Choice() | ast.Each() | ast.Deal():
            return Register(node, meaning)
        case ast.Values() | ast.Components():
            return Constant(node, list_declared_values(bench, meaning))
        case AllOf(declaration):
            return Constant(node, list_declared_values(bench, declaration))
        case WordMeaning(index=index):
            return Constant(node, index)
        case AttributeMeaning():
            return lower_attribute(bench, node, meaning, Element(node, meaning.element))
        case ItMeaning(element):
            return Element(node, element)
        case RowMeaning(components, row):
            return Constant(node, bench.kinds_of(components).names.index(row.name.text))
        case ast.Phase():
            return Constant(node, bench.declarations(ast.Phase).index(meaning))
        case BuiltinMeaning(word):
            return lower_word(bench, node, word)
        case ast.Table() | ast.Memory() | ast.Step() | ast.Action() | None:
            raise bench.refusal("no-value", message("`{text}` is not a value", text=node.text), node)
        case _:
            assert_never(meaning)


def lower_attribute(
    bench: Workbench, node: ast.Expr, meaning: AttributeMeaning, owner: Element | ast.Expr
) -> Attribute:
    is_rule = id(meaning.attribute) not in bench.kinds_of(meaning.components).attributes
    return Attribute(node, meaning, owner, is_rule)


def lower_word(bench: Workbench, node: ast.Name, word: str) -> Operation:
    match word:
        case "player" | "starter" | "round" | "phase":
            return Current(node, word)
        case "players":
            everyone = tuple(range(1, bench.players + 1))
            return Constant(node, everyone if isinstance(bench.type_of(node), CollectionOf) else bench.players)
        case "opponents":
            return Opponents(node)
        case "it":
            return Element(node, None)
        case "total":
            return Points(node, False, None)
        case "place":
            return Standing(node)
        case _:
            raise bench.refusal("no-value", message("`{word}` is not a value", word=word), node)


def lower_of(bench: Workbench, node: ast.Of) -> Operation:
    subject, owner = node.subject, node.owner
    meaning = bench.meaning(subject) if isinstance(subject, ast.Name) else None
    if isinstance(meaning, BuiltinMeaning):
        found = lower_word_of(node, meaning.name)
        if found is not None:
            return found
    if isinstance(meaning, AttributeMeaning):
        return lower_attribute(bench, node, meaning, owner)
    name = subject.name if isinstance(subject, ast.Index) else subject
    named = bench.meaning(name) if isinstance(name, ast.Name) else None
    if isinstance(named, ast.Zone | ast.Variable) and named.per_player:
        return require_place(bench, node)
    return ForPlayer(node, subject, owner)


def lower_word_of(node: ast.Of, word: str) -> Operation | None:
    match word:
        case "count":
            return Count(node, node.owner)
        case "sum" | "highest" | "lowest" | "list" | "sorted":
            return Fold(node, word, node.owner)
        case "top" | "last" | "bottom" | "first":
            return EndOf(node, word, node.owner)
        case "left" | "right":
            return Neighbour(node, word == "left", node.owner)
        case _:
            return None  # something of somebody: `total of p`


def lower_call(bench: Workbench, node: ast.Call) -> Operation:
    meaning, arguments = bench.meaning(node.name), node.arguments
    match meaning:
        case ast.Define():
            return Definition(node, meaning, arguments)
        case ast.Table():
            return CaseLookup(node, meaning, arguments)
        case BuiltinMeaning("counted" | "latest" as word):
            return lower_points(bench, node, word == "latest")
        case BuiltinMeaning("times"):
            return lower_times(bench, node)
        case BuiltinMeaning("seat"):
            return lower_option_seat(bench, node)
        case BuiltinMeaning("seats_from"):
            return SeatsFrom(node, *arguments)
        case BuiltinMeaning("position"):
            return PositionOf(node, arguments[0], arguments[1])
        case BuiltinMeaning("smallest" | "largest" as word):
            return Extreme(node, word == "smallest", arguments)
        case _:
            raise bench.refusal("no-value", message("`{name}` cannot be asked like this", name=node.name.text), node)


def argument_meaning(bench: Workbench, node: ast.Call) -> object:
    name = node.arguments[0]
    return bench.meaning(name) if isinstance(name, ast.Name) else None


def lower_points(bench: Workbench, node: ast.Call, is_latest: bool) -> Points:
    """`counted(points)`: in all countings together; `latest(points)`: in the last one alone."""
    meaning = argument_meaning(bench, node)
    if isinstance(meaning, BuiltinMeaning):
        return Points(node, is_latest, None)
    for number, score in enumerate(bench.declarations(ast.Score)):
        for column, one in enumerate(score.lines):
            if one is meaning:
                return Points(node, is_latest, (number, column))
    raise bench.refusal("no-value", message("this asks for a line of the score"), node)


def lower_times(bench: Workbench, node: ast.Call) -> Times:
    meaning = argument_meaning(bench, node)
    if not isinstance(meaning, ast.Memory):
        raise bench.refusal("no-value", message("`times` asks for a memory"), node)
    if id(meaning) not in bench.memories:
        refuse_too_early(bench, node)
    return Times(node, meaning)


def lower_option_seat(bench: Workbench, node: ast.Call) -> Constant:
    """The player of a `… or player` option: its seats come after its words; a word leaves seat 1."""
    option = argument_meaning(bench, node)
    if not isinstance(option, ast.Option) or not isinstance(option.type, ast.WordsType):
        raise bench.refusal("no-value", message("`seat` asks for an option"), node)
    value: int = bench.option_values[id(option)]
    return Constant(node, max(1, value - len(option.type.words) + 1))


# ---- what statements move


def lower_taken(bench: Workbench, what: ast.Expr, is_all: bool) -> Taken:
    """What `move` takes out of its places."""
    if is_all:
        inner = strip_filters(what)
        kinds, place = find_kinds(bench, inner), find_place(bench, inner)
        if kinds is not None:
            return TakeEverywhere(what, kinds)
        if place is not None and isinstance(place.room, ZoneRoom):
            return TakeFrom(what, place)
        return TakeListed(what)
    if isinstance(what, ast.Of) and is_amount(bench, what):
        return TakeSome(what, what.subject, what.owner)
    return TakeListed(what) if isinstance(bench.type_of(what), CollectionOf | OrderOf) else TakeOne(what)


def lower_mixed_in(bench: Workbench, node: ast.Shuffle) -> Taken:
    """What `shuffle` takes: all of a place without being told so."""
    found = lower_taken(bench, node.what, True)
    return lower_taken(bench, node.what, node.all) if isinstance(found, TakeListed) else found


def lower_target(bench: Workbench, node: ast.Expr) -> Target:
    """`bottom of stock`, `top of stock`, `stock`."""
    core = lower_expression(bench, node)
    end = core.word if isinstance(core, EndOf) else ""
    place = find_place(bench, core.collection if isinstance(core, EndOf) and end in {"top", "bottom"} else node)
    if place is None or not isinstance(place.room, ZoneRoom):
        raise bench.refusal("not-a-place", "this is not a place for components", node)
    return Target(place, place.room, end == "bottom")


def is_amount(bench: Workbench, what: ast.Of) -> bool:
    """`3 of hand`: a number stands before `of`."""
    if isinstance(what.subject, (ast.Number, ast.Arithmetic)):
        return True
    return bench.bounds_of(what.subject) is not None


def strip_filters(node: ast.Expr) -> ast.Expr:
    while isinstance(node, ast.Filter):
        node = node.collection
    return node


def find_kinds(bench: Workbench, node: ast.Expr) -> Kinds | None:
    """`Card` as a collection: every Card."""
    meaning = bench.meaning(node) if isinstance(node, ast.Name) else None
    declaration = meaning.declaration if isinstance(meaning, AllOf) else meaning
    return bench.kinds[id(declaration)] if isinstance(declaration, ast.Components) else None
