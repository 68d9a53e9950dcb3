"""The values of a type as it is written, in their order; how a value is written outside and read again."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import islice, permutations
from typing import Any, assert_never

from rulesrun.dsl import ast
from rulesrun.dsl.typing.types import CollectionOf, ComponentOf, OptionalOf, OrderOf, TruthOf, Type, WordOf
from rulesrun.interpreter.model.compile_context import Workbench

MOST_VALUES = 100_000
MOST_DIGITS = 20  # of a number from outside
MOST_LISTED = 12  # of the possible values, when another one was given


def domain(bench: Workbench, written: ast.TypeExpr) -> tuple[Any, ...]:
    """All values of a type, in their order."""
    match written:
        case ast.RangeType(low, high):
            first, last = bench.fixed_number(low), bench.fixed_number(high)
            if last - first >= MOST_VALUES:
                raise bench.refused("too-many-values", "this range is too long", written)
            return tuple(range(first, last + 1))
        case ast.NamedType(name):
            return named_domain(bench, named(bench, name))
        case ast.WordsType(words, or_player):
            return tuple(range(len(words) + (bench.players if or_player else 0)))
        case ast.TruthType():
            return (False, True)
        case ast.PlayerType():
            return tuple(range(1, bench.players + 1))
        case ast.Optional(item):
            return (None, *domain(bench, item))
        case ast.OrderType(item):
            items = domain(bench, item)
            if len(items) > 8:
                raise bench.refused("too-many-values", "there are too many orders of so many values", written)
            return tuple(permutations(items))
        case ast.RowType():
            raise bench.refused("too-many-values", "a row has too many values to go through", written)
        case _:
            assert_never(written)


def named(bench: Workbench, name: ast.Name) -> ast.Values | ast.Components:
    """The declaration of a type's name."""
    for declaration in bench.program.game.declarations:
        if isinstance(declaration, (ast.Values, ast.Components)) and declaration.name.text == name.text:
            return declaration
    raise bench.refused("unknown-type", f"there is no type `{name.text}`", name)


def named_domain(bench: Workbench, declaration: ast.Values | ast.Components) -> tuple[Any, ...]:
    if isinstance(declaration, ast.Components):
        return tuple(range(len(bench.kinds_of(declaration))))
    if declaration.range is not None:
        return domain(bench, declaration.range)
    return tuple(range(len(declaration.items)))


def first_value(bench: Workbench, written: ast.TypeExpr) -> Any:
    """What a variable holds when no start is written."""
    match written:
        case ast.Optional():
            return None
        case ast.OrderType(item):
            return domain(bench, item)
        case ast.RowType():
            return ()
        case _:
            values = domain(bench, written)
            if not values:
                raise bench.refused("no-values", "this type has no values at this table", written)
            return values[0]


def outside(bench: Workbench, written: ast.TypeExpr, value: Any) -> Any:
    """How a value is written in traces and options: numbers stay, words and components are text."""
    match written:
        case ast.NamedType(name):
            declaration = named(bench, name)
            if isinstance(declaration, ast.Components):
                return bench.kinds_of(declaration).names[value]
            return value if declaration.range is not None else words_of(declaration)[value]
        case ast.WordsType(words):
            return word_or_seat(tuple(word.text for word in words), value)
        case ast.TruthType():
            return "yes" if value else "no"
        case ast.Optional(item):
            return None if value is None else outside(bench, item, value)
        case ast.OrderType(item) | ast.RowType(item):
            return [outside(bench, item, one) for one in value]
        case ast.RangeType() | ast.PlayerType():
            return value
        case _:
            assert_never(written)


def word_or_seat(words: tuple[str, ...], value: int) -> str | int:
    """The seats of a `… or player` option come after its words."""
    return words[value] if value < len(words) else value - len(words) + 1


def words_of(declaration: ast.Values) -> tuple[str, ...]:
    """The words of a type as they are written outside."""
    return tuple(item.label or item.name.text for item in declaration.items)


def inside(bench: Workbench, written: ast.TypeExpr, value: object) -> Any:
    """A value from outside; raises ValueError with a sentence when it does not fit."""
    match written:
        case ast.OrderType() | ast.RowType():
            return inside_list(bench, written, value)
        case ast.Optional(item):
            return None if value is None or value == "nothing" else inside(bench, item, value)
        case ast.RangeType(low, high):
            first, last = bench.fixed_number(low), bench.fixed_number(high)
            found = whole_number(value)
            if found is not None and first <= found <= last:
                return found
            raise ValueError(f"`{value}` is none of {listed(range(first, last + 1))}")
        case _:
            for candidate in domain(bench, written):
                if is_written(outside(bench, written, candidate), candidate, value):
                    return candidate
            possible = (outside(bench, written, one) for one in domain(bench, written))
            raise ValueError(f"`{value}` is none of {listed(possible)}")


def listed(values: Iterable[object]) -> str:
    """The first of them, and a sign when there are more."""
    shown = [str(one) for one in islice(values, MOST_LISTED + 1)]
    return ", ".join([*shown[:MOST_LISTED], "…"] if len(shown) > MOST_LISTED else shown)


def whole_number(value: object) -> int | None:
    """A number as it is written outside: without zeros in front."""
    text = "" if isinstance(value, bool) else str(value)
    if len(text) > MOST_DIGITS or not (text.isascii() and text.removeprefix("-").isdecimal()):
        return None
    return int(text) if str(int(text)) == text else None


def is_written(name: Any, candidate: Any, value: object) -> bool:
    """Whether `value` means this candidate: by its text, or by itself."""
    if isinstance(value, bool) or isinstance(candidate, bool):
        return candidate is value or str(value) == name
    return str(value) == str(name)


def inside_list(bench: Workbench, written: ast.OrderType | ast.RowType, value: object) -> tuple[Any, ...]:
    if isinstance(value, str):
        value = [part.strip() for part in value.strip("{}[] ").split(",") if part.strip()]
    if not isinstance(value, (list, tuple)):
        raise ValueError(f"`{value}` is not a list")
    items = tuple(inside(bench, written.item, one) for one in value)
    if isinstance(written, ast.OrderType) and sorted(items) != sorted(domain(bench, written.item)):
        raise ValueError("an order holds every value once")
    if isinstance(written, ast.RowType) and len(items) > bench.fixed_number(written.capacity):
        raise ValueError(f"at most {bench.fixed_number(written.capacity)} values fit")
    return items


def spoken(bench: Workbench, of_type: Type | None, value: Any) -> Any:
    """How a value of a type is written outside; as `outside`, for types that the checker found."""
    match of_type:
        case WordOf(name, words):
            declared = next((one for one in bench.of_class(ast.Values) if one.name.text == name), None)
            return None if value is None else word_or_seat(words_of(declared) if declared else words, value)
        case ComponentOf(kind):
            kinds = next(one for one in bench.kinds.values() if one.declaration.name.text == kind)
            return None if value is None else kinds.names[value]
        case OptionalOf(item):
            return None if value is None else spoken(bench, item, value)
        case CollectionOf(item) | OrderOf(item):
            return [spoken(bench, item, one) for one in value]
        case TruthOf():
            return "yes" if value else "no"
        case _:
            return plain_number(value)


def plain_number(value: Any) -> Any:
    """A fraction is written as text."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (tuple, range, list)):
        return [plain_number(one) for one in value]
    return str(value) if isinstance(value, Fraction) else value
