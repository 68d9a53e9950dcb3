"""The values of a type as it is written, in their order; how a value is written outside, and in rules."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import islice, permutations
from typing import Any, Literal, assert_never

from attrs import evolve, frozen

from rulesrun.dsl import ast
from rulesrun.dsl.text.messages import message
from rulesrun.dsl.typing.types import (
    CollectionOf,
    ComponentOf,
    NumberOf,
    OptionalOf,
    OrderOf,
    PlayerOf,
    TruthOf,
    Type,
    Unknown,
    WordOf,
    component_of_kinds,
)
from rulesrun.interpreter.model.compile_context import VariableRoom, Workbench
from rulesrun.interpreter.model.components import Kinds

MOST_VALUES = 100_000
MOST_DIGITS = 20  # of a number from outside
MOST_LISTED = 12  # of the possible values, when another one was given
ANY_NUMBER = NumberOf(-MOST_VALUES, MOST_VALUES)


def list_values(bench: Workbench, written: ast.TypeExpr) -> tuple[Any, ...]:
    """All values of a type, in their order."""
    match written:
        case ast.RangeType(listed=(_, *_) as listed):
            return listed
        case ast.RangeType(low, high):
            first, last = bench.constant_number(low), bench.constant_number(high)
            if last - first >= MOST_VALUES:
                raise bench.refusal("too-many-values", message("this range is too long"), written)
            return tuple(range(first, last + 1))
        case ast.NamedType(name):
            return list_declared_values(bench, find_type_declaration(bench, name))
        case ast.EitherType(names):
            return tuple(value for name in names for value in list_values(bench, ast.NamedType(name, span=name.span)))
        case ast.WordsType(words, or_player):
            return tuple(range(len(words) + (bench.players if or_player else 0)))
        case ast.TruthType():
            return (False, True)
        case ast.PlayerType():
            return tuple(range(1, bench.players + 1))
        case ast.Optional(item):
            return (None, *list_values(bench, item))
        case ast.OrderType(item):
            items = list_values(bench, item)
            if len(items) > 8:
                raise bench.refusal("too-many-values", message("there are too many orders of so many values"), written)
            return tuple(permutations(items))
        case ast.RowType():
            raise bench.refusal("too-many-values", message("a row has too many values to go through"), written)
        case ast.SetType():
            raise bench.refusal("too-many-values", message("there are too many sets to go through"), written)
        case _:
            assert_never(written)


def find_type_declaration(bench: Workbench, name: ast.Name) -> ast.Values | ast.Components:
    """The declaration of a type's name."""
    for declaration in bench.program.game.declarations:
        if isinstance(declaration, (ast.Values, ast.Components)) and declaration.name.text == name.text:
            return declaration
    raise bench.refusal("unknown-type", message("there is no type `{name}`", name=name.text), name)


def declared_type(bench: Workbench, written: ast.TypeExpr) -> Type:
    """What values of a type as it is written are: of numbers without the bounds, of words without their list. What
    stands one behind the other, in a row as well, is an order. Unknown: a word or a seat.
    """
    match written:
        case ast.RangeType():
            return ANY_NUMBER
        case ast.NamedType(name):
            declaration = find_type_declaration(bench, name)
            if isinstance(declaration, ast.Components):
                return ComponentOf(name.text)
            return WordOf(name.text, ()) if declaration.range is None else ANY_NUMBER
        case ast.EitherType(names):
            return component_of_kinds(name.text for name in names)
        case ast.WordsType(or_player=or_player):
            return Unknown() if or_player else WordOf("", ())
        case ast.TruthType():
            return TruthOf()
        case ast.PlayerType():
            return PlayerOf()
        case ast.OrderType(item) | ast.RowType(item):
            return OrderOf(declared_type(bench, item))
        case ast.SetType(item):
            return CollectionOf(declared_type(bench, item))
        case ast.Optional(item):
            return OptionalOf(declared_type(bench, item))
        case _:
            assert_never(written)


def count_words(bench: Workbench, of: WordOf) -> int:
    """Of a `… or player` option the seats come after its words."""
    own = next((one.type for one in bench.options if one.name.text == of.name), None)
    return len(of.words) + (bench.players if isinstance(own, ast.WordsType) and own.or_player else 0)


def list_order_values(bench: Workbench, room: VariableRoom | ast.Parameter) -> tuple[Any, ...]:
    """What stands in the order that a variable holds, or a parameter is told."""
    assert isinstance(room.held_type, ast.OrderType)
    return list_values(bench, room.held_type.item)


def find_marked_kinds(bench: Workbench, room: VariableRoom) -> Kinds:
    """The components that a marker may stand on."""
    written = room.held_type
    assert isinstance(written, ast.NamedType | ast.EitherType)
    return bench.kinds_called((written.name if isinstance(written, ast.NamedType) else written.names[0]).text)


def find_set_kind(bench: Workbench, parameter: ast.Parameter) -> str | None:
    """Of a parameter that is told a set of components, what they are called; of several declarations, the first."""
    item = parameter.type.item if isinstance(parameter.type, ast.SetType) else None
    match item:
        case ast.NamedType(name) | ast.EitherType((name, *_)) if isinstance(bench.meaning(name), ast.Components):
            return name.text
        case _:
            return None


Sort = Literal["number", "truth", "seat", "word", "component", "list"]


@frozen
class ValueSpan:
    """Of what sort the values of a type are, and between which numbers they lie: `sort` is `list` where each of them is
    several. `is_optional`: or nothing.
    """

    sort: Sort
    low: int = 0
    high: int = 0
    is_optional: bool = False


def find_value_span(bench: Workbench, written: ast.TypeExpr) -> ValueSpan:
    match written:
        case ast.RangeType(low, high):
            return ValueSpan("number", bench.constant_number(low), bench.constant_number(high))
        case ast.TruthType():
            return ValueSpan("truth", 0, 1)
        case ast.PlayerType():
            return ValueSpan("seat", 1, bench.players)
        case ast.WordsType(words, or_player):
            return ValueSpan("word", 0, len(words) + (bench.players if or_player else 0) - 1)
        case ast.NamedType(name):
            declaration = find_type_declaration(bench, name)
            values = list_declared_values(bench, declaration)
            return ValueSpan(sort_of_values(declaration), min(values, default=0), max(values, default=0))
        case ast.EitherType(names):
            return ValueSpan("component", 0, len(bench.kinds_called(names[0].text)) - 1)
        case ast.Optional(item):
            return evolve(find_value_span(bench, item), is_optional=True)
        case ast.OrderType() | ast.RowType() | ast.SetType():
            return ValueSpan("list")
        case _:
            assert_never(written)


def sort_of_values(declaration: ast.Values | ast.Components) -> Sort:
    if isinstance(declaration, ast.Components):
        return "component"
    return "word" if declaration.range is None else "number"


def find_range(bench: Workbench, written: ast.TypeExpr) -> range | None:
    """The numbers from its lowest to its highest; None of what is not written as a range."""
    if not isinstance(written, ast.RangeType):
        return None
    return range(bench.constant_number(written.low), bench.constant_number(written.high) + 1)


def list_declared_values(bench: Workbench, declaration: ast.Values | ast.Components) -> tuple[Any, ...]:
    if isinstance(declaration, ast.Components):
        return tuple(bench.kinds_of(declaration).part_of(declaration).numbers)
    if declaration.range is not None:
        return list_values(bench, declaration.range)
    return tuple(range(len(declaration.items)))


def default_start(bench: Workbench, written: ast.TypeExpr) -> Any:
    """What a variable holds when no start is written."""
    match written:
        case ast.Optional():
            return None
        case ast.OrderType(item):
            return list_values(bench, item)
        case ast.RowType():
            return ()
        case _:
            values = list_values(bench, written)
            if not values:
                raise bench.refusal("no-values", message("this type has no values at this table"), written)
            return values[0]


def to_external(bench: Workbench, written: ast.TypeExpr, value: Any) -> Any:
    """How a value is written in traces and options: numbers stay, words and components are text."""
    match written:
        case ast.NamedType(name):
            declaration = find_type_declaration(bench, name)
            if isinstance(declaration, ast.Components):
                return bench.kinds_of(declaration).names[value]
            return value if declaration.range is not None else external_words(declaration)[value]
        case ast.EitherType(names):
            return bench.kinds_called(names[0].text).names[value]
        case ast.WordsType(words):
            return word_or_seat_to_external(tuple(word.text for word in words), value)
        case ast.TruthType():
            return "yes" if value else "no"
        case ast.Optional(item):
            return None if value is None else to_external(bench, item, value)
        case ast.OrderType(item) | ast.RowType(item) | ast.SetType(item):
            return [to_external(bench, item, one) for one in value]
        case ast.RangeType() | ast.PlayerType():
            return value
        case _:
            assert_never(written)


def word_or_seat_to_external(words: tuple[str, ...], value: int) -> str | int:
    """The seats of a `… or player` option come after its words."""
    return words[value] if value < len(words) else value - len(words) + 1


def external_words(declaration: ast.Values) -> tuple[str, ...]:
    """The words of a type as they are written outside."""
    return tuple(item.label or item.name.text for item in declaration.items)


def from_external(bench: Workbench, written: ast.TypeExpr, value: object) -> Any:
    """A value from outside; raises ValueError with a sentence when it does not fit."""
    match written:
        case ast.OrderType() | ast.RowType():
            return list_from_external(bench, written, value)
        case ast.Optional(item):
            return None if value is None or value == "nothing" else from_external(bench, item, value)
        case ast.RangeType(low, high):
            first, last = bench.constant_number(low), bench.constant_number(high)
            found, allowed = parse_whole_number(value), written.listed or range(first, last + 1)
            if found is not None and found in allowed:
                return found
            raise ValueError(f"`{value}` is none of {format_first_values(allowed)}")
        case _:
            for candidate in list_values(bench, written):
                if is_value_meant(to_external(bench, written, candidate), candidate, value):
                    return candidate
            possible = (to_external(bench, written, one) for one in list_values(bench, written))
            raise ValueError(f"`{value}` is none of {format_first_values(possible)}")


def format_first_values(values: Iterable[object]) -> str:
    """The first of them, and a sign when there are more."""
    shown = [str(one) for one in islice(values, MOST_LISTED + 1)]
    return ", ".join([*shown[:MOST_LISTED], "…"] if len(shown) > MOST_LISTED else shown)


def parse_whole_number(value: object) -> int | None:
    """A number as it is written outside: without zeros in front."""
    text = "" if isinstance(value, bool) else str(value)
    if len(text) > MOST_DIGITS or not (text.isascii() and text.removeprefix("-").isdecimal()):
        return None
    return int(text) if str(int(text)) == text else None


def is_value_meant(name: Any, candidate: Any, value: object) -> bool:
    """Whether `value` means this candidate: by its text, or by itself."""
    if isinstance(value, bool) or isinstance(candidate, bool):
        return candidate is value or str(value) == name
    return str(value) == str(name)


def list_from_external(bench: Workbench, written: ast.OrderType | ast.RowType, value: object) -> tuple[Any, ...]:
    if isinstance(value, str):
        value = [part.strip() for part in value.strip("{}[] ").split(",") if part.strip()]
    if not isinstance(value, (list, tuple)):
        raise ValueError(f"`{value}` is not a list")
    items = tuple(from_external(bench, written.item, one) for one in value)
    if isinstance(written, ast.OrderType) and sorted(items) != sorted(list_values(bench, written.item)):
        raise ValueError("an order holds every value once")
    if isinstance(written, ast.RowType) and len(items) > bench.constant_number(written.capacity):
        raise ValueError(f"at most {bench.constant_number(written.capacity)} values fit")
    return items


def typed_to_external(bench: Workbench, of_type: Type | None, value: Any) -> Any:
    """How a value of a type is written outside; as `to_external`, for types that the checker found."""
    match of_type:
        case WordOf(name, words):
            declared = next((one for one in bench.enumerations if one.name.text == name), None)
            return (
                None
                if value is None
                else word_or_seat_to_external(external_words(declared) if declared else words, value)
            )
        case ComponentOf(kind):
            kinds = bench.kinds_called(kind)
            return None if value is None else kinds.names[value]
        case OptionalOf(item):
            return None if value is None else typed_to_external(bench, item, value)
        case CollectionOf(item) | OrderOf(item):
            return [typed_to_external(bench, item, one) for one in value]
        case TruthOf():
            return "yes" if value else "no"
        case _:
            return number_to_external(value)


def number_to_external(value: Any) -> Any:
    """A fraction is written as text."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (tuple, range, list)):
        return [number_to_external(one) for one in value]
    return str(value) if isinstance(value, Fraction) else value


# ---- as a rules file writes them


def write_component(bench: Workbench, kinds: Kinds, kind: int) -> str:
    """`red 7`: the attributes side by side; a row and a place of a board by its name."""
    part = kinds.part_with(kind)
    if part.declaration.rows or part.declaration.board is not None:
        return kinds.names[kind]
    types = [one.type for one in part.declaration.attributes if one.type is not None]
    written = part.written[kind - part.numbers.start]
    return " ".join(write_value(bench, of, one) for of, one in zip(types, written, strict=True))


def write_value(bench: Workbench, written: ast.TypeExpr, one: Any) -> str:
    match written:
        case ast.NamedType(name):
            declaration = find_type_declaration(bench, name)
            if isinstance(declaration, ast.Components):
                return write_component(bench, bench.kinds_of(declaration), one)
            return str(one) if declaration.range is not None else str(declaration.items[one].name.text)
        case ast.EitherType(names):
            return write_component(bench, bench.kinds_called(names[0].text), one)
        case ast.WordsType(words):
            return str(words[one].text)
        case ast.Optional(item):
            return "nothing" if one is None else write_value(bench, item, one)
        case ast.OrderType(item) | ast.RowType(item):
            return "{" + ", ".join(write_value(bench, item, part) for part in one) + "}"
        case _:
            return str(number_to_external(one))


def write_typed_value(bench: Workbench, of_type: Type | None, one: Any) -> str:
    """As `value`, for types that the checker found."""
    match of_type:
        case WordOf(name, words):
            declared = next((each for each in bench.enumerations if each.name.text == name), None)
            return str(declared.items[one].name.text if declared is not None else words[one])
        case ComponentOf(name):
            kinds = bench.kinds_called(name)
            return write_component(bench, kinds, one)
        case OptionalOf(item):
            return "nothing" if one is None else write_typed_value(bench, item, one)
        case CollectionOf(item) | OrderOf(item):
            return "{" + ", ".join(write_typed_value(bench, item, part) for part in one) + "}"
        case _:
            return str(number_to_external(one))


def write_argument(bench: Workbench, choice: ast.Choice, one: Any) -> str:
    return write_typed_value(bench, type_chosen(bench, choice), one)


def argument_to_external(bench: Workbench, choice: ast.Choice, value: Any) -> Any:
    return typed_to_external(bench, type_chosen(bench, choice), value)


def type_chosen(bench: Workbench, choice: ast.Choice) -> Type | None:
    """Of one thing; of several at once, of all of them."""
    found = bench.type_of(choice.domain)
    return found.item if isinstance(found, (CollectionOf, OrderOf)) and choice.count is None else found
