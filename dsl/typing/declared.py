"""The types of declared things: as they are written, or found in their body; each worked out once, when asked for."""

from __future__ import annotations

from rulesrun.dsl import ast
from rulesrun.dsl.typing.names import Scope, unknown
from rulesrun.dsl.typing.notebook import TOP, Book
from rulesrun.dsl.typing.relations import PLAYER, TRUTH, UNKNOWN, describe, join
from rulesrun.dsl.typing.types import CollectionOf, ComponentOf, NumberOf, OptionalOf, OrderOf, Type, Unknown, WordOf

DEEPEST_CHAIN = 40


def written_type(book: Book, node: ast.TypeExpr, owner: str = "") -> Type:
    """The type that an author wrote. `owner`: the option whose words stand in place."""
    if node not in book.declared:
        book.declared[node] = _written_type(book, node, owner)
    return book.declared[node]


def _written_type(book: Book, node: ast.TypeExpr, owner: str) -> Type:
    match node:
        case ast.RangeType(low=low, high=high):
            return _range(book, node, book.number(low, TOP), book.number(high, TOP))
        case ast.NamedType(name=name):
            return _named(book, name)
        case ast.WordsType(words=words):
            return WordOf(owner, tuple(word.text for word in words))
        case ast.TruthType():
            return TRUTH
        case ast.PlayerType():
            return PLAYER
        case ast.OrderType(item=item):
            return OrderOf(written_type(book, item))
        case ast.RowType(item=item, capacity=capacity):
            book.number(capacity, TOP)
            return CollectionOf(written_type(book, item))
        case ast.Optional(item=item):
            return OptionalOf(written_type(book, item))


def _range(book: Book, node: ast.Node, low: NumberOf, high: NumberOf) -> Type:
    if low.low > high.high:
        return empty_range(book, node, low.low, high.high)
    return NumberOf(low.low, high.high)


def empty_range(book: Book, node: ast.Node, low: int, high: int) -> Type:
    message = f"no number is at least {low} and at most {high}"
    return book.report("empty-range", message, node, "the lower bound comes first")


def _named(book: Book, name: ast.Name) -> Type:
    thing = book.names.things.get(name.text)
    if isinstance(thing, ast.Values):
        book.meanings[name] = thing
        return values_type(book, thing)
    if isinstance(thing, ast.Components):
        book.meanings[name] = thing
        return ComponentOf(thing.name.text)
    book.complain(unknown("unknown-type", "type", name, book.names.types()))
    return UNKNOWN


def values_type(book: Book, values: ast.Values) -> Type:
    if values.range is not None:
        return written_type(book, values.range)
    return WordOf(values.name.text, tuple(dict.fromkeys(item.name.text for item in values.items)))


def key_size(book: Book, node: ast.TypeExpr) -> int:
    """How many keys such a type has at most."""
    match written_type(book, node):
        case NumberOf(low=low, high=high):
            return high - low + 1
        case WordOf(words=words):
            return len(words)
        case Unknown():
            return 1
        case _ as found:
            return book.players.high if found == PLAYER else 2 if found == TRUTH else 1


def type_of(book: Book, thing: ast.Node, name: ast.Node) -> Type:
    """The type of a declared thing that `name` stands for; complains when a definition needs itself."""
    if thing in book.declared:
        return book.declared[thing]
    if thing in book.busy:
        book.declared[thing] = UNKNOWN
        return book.report("recursive-definition", f"`{_called(thing)}` is defined by itself", name)
    if len(book.busy) > DEEPEST_CHAIN:
        return book.report("too-deep", "the definitions rest on each other more than 40 deep", name)
    book.busy.append(thing)
    found = _found_type(book, thing)
    book.busy.pop()
    return book.declared.setdefault(thing, found)


def _called(thing: ast.Node) -> str:
    name = getattr(thing, "name", None)
    return name.text if isinstance(name, ast.Name) else "this"


def _found_type(book: Book, thing: ast.Node) -> Type:
    match thing:
        case ast.Option():
            return written_type(book, thing.type, thing.name.text)
        case ast.Variable():
            return written_type(book, thing.type)
        case ast.Define():
            return _not_a_place(book.infer(thing.body, parameter_scope(book, thing.parameters)))
        case ast.Table():
            return _table(book, thing)
        case ast.ScoreLine():
            return book.number(thing.value, TOP)
        case ast.AttributeDecl():
            return TRUTH if thing.type is None else written_type(book, thing.type)
        case ast.Parameter():
            return written_type(book, thing.type)
        case _:
            return UNKNOWN


def _not_a_place(type: Type) -> Type:
    """What a definition gives are components, not the zone where they lie."""
    return CollectionOf(type.item) if isinstance(type, CollectionOf) else type


def parameter_scope(book: Book, parameters: tuple[ast.Parameter, ...]) -> Scope:
    scope = TOP
    for parameter in parameters:
        scope = scope.with_name(parameter.name.text, parameter, type_of(book, parameter, parameter))
    return scope


def _table(book: Book, table: ast.Table) -> Type:
    """The type of a table's values; its keys are looked at on the way."""
    keys = [type_of(book, parameter, parameter) for parameter in table.parameters]
    found: Type | None = None
    for entry in table.entries:
        for key, expected in zip(entry.keys or (), keys, strict=False):
            _key(book, key, expected)
        if entry.keys is not None and not entry.is_otherwise and len(entry.keys) > len(keys):
            message = f"a case of `{table.name.text}` has at most {_many(len(keys), 'key')}"
            book.report("wrong-number-of-arguments", message, entry)
        value = book.infer(entry.value, parameter_scope(book, table.parameters), found)
        joined = value if found is None else join(found, value)
        if joined is None and found is not None:
            book.report("wrong-type", f"expected {describe(found)}, found {describe(value)}", entry.value)
        found = joined if joined is not None else found
    _enough_cases(book, table)
    return found if found is not None else UNKNOWN


def _key(book: Book, key: ast.Expr, expected: Type) -> None:
    if isinstance(key, ast.Range):
        book.types[key] = CollectionOf(expected)
        book.require(key.low, TOP, expected)
        book.require(key.high, TOP, expected)
    else:
        book.require(key, TOP, expected)


def _enough_cases(book: Book, table: ast.Table) -> None:
    bare_values = [entry for entry in table.entries if entry.keys is None and not entry.is_otherwise]
    if not table.entries:
        book.report("empty-table", f"the table `{table.name.text}` has no cases", table.name)
    elif bare_values and table.parameters:
        wanted = key_size(book, table.parameters[0].type)
        if len(bare_values) != wanted and len(bare_values) == len(table.entries):
            book.report(
                "wrong-number-of-cases",
                f"`{table.name.text}` needs {_many(wanted, 'value')}, one for each key, and has {len(bare_values)}",
                table.name,
            )


def _many(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def infer_option_value(book: Book, option: ast.Option, value: ast.Expr) -> None:
    """A default, or what an example or a variant sets. For `… or player` a number is a seat."""
    is_seat = isinstance(value, ast.Number) and isinstance(option.type, ast.WordsType) and option.type.or_player
    book.require(value, TOP, PLAYER if is_seat else type_of(book, option, option.name))
