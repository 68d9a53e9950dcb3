"""The types of declared things: as they are written, or found in their body; each worked out once, when asked for."""

from __future__ import annotations

from rulesrun.dsl import ast
from rulesrun.dsl.diagnostics.diagnostic import Edit
from rulesrun.dsl.text.articles import with_article
from rulesrun.dsl.text.messages import Message, message
from rulesrun.dsl.typing import types
from rulesrun.dsl.typing.names import Scope, unknown_diagnostic
from rulesrun.dsl.typing.notebook import (
    COUNT,
    PLAYER,
    TOP,
    TRUTH,
    UNKNOWN,
    Notebook,
    calculate_bounds,
    describe_type,
    join_types,
)
from rulesrun.dsl.typing.types import CollectionOf, ComponentOf, NumberOf, OptionalOf, OrderOf, Type, Unknown

DEEPEST_CHAIN = 40


def resolve_written_type(book: Notebook, node: ast.TypeExpr, owner: str = "") -> types.Type:
    """The type that an author wrote. `owner`: the option whose words stand in place."""
    if node not in book.declared:
        book.declared[node] = _compute_written_type(book, node, owner)
    return book.declared[node]


def _compute_written_type(book: Notebook, node: ast.TypeExpr, owner: str) -> types.Type:
    match node:
        case ast.RangeType(low=low, high=high):
            return _make_range_type(book, node, book.require_number(low, TOP), book.require_number(high, TOP))
        case ast.NamedType(name=name):
            return _resolve_named_type(book, name)
        case ast.EitherType(names=names):
            return resolve_kinds(book, names)
        case ast.WordsType(words=words):
            return types.WordOf(owner, tuple(word.text for word in words))
        case ast.TruthType():
            return TRUTH
        case ast.PlayerType():
            return PLAYER
        case ast.OrderType(item=item):
            return types.OrderOf(resolve_written_type(book, item))
        case ast.RowType(item=item, capacity=capacity):
            book.require_number(capacity, TOP)
            return types.CollectionOf(resolve_written_type(book, item))
        case ast.SetType(item=item):
            return types.CollectionOf(resolve_written_type(book, item))
        case ast.Optional(item=item):
            return types.OptionalOf(resolve_written_type(book, item))


def _make_range_type(book: Notebook, node: ast.Node, low: types.NumberOf, high: types.NumberOf) -> types.Type:
    if low.low > high.high:
        return report_empty_range(book, node, low.low, high.high)
    return types.NumberOf(low.low, high.high)


def report_empty_range(book: Notebook, node: ast.Node, low: int, high: int) -> types.Type:
    sentence = message("no number is at least {low} and at most {high}", low=low, high=high)
    edits: tuple[Edit, ...] = ()
    if isinstance(node, ast.RangeType | ast.Range):
        bounds = node.low, node.high
        if all(isinstance(one, ast.Number) for one in bounds):
            edits = tuple(Edit(one.span.start, one.span.end, str(said))
                          for one, said in zip(bounds, (high, low), strict=True))  # fmt: skip
    return book.report("empty-range", sentence, node, message("the lower bound comes first"), edits=edits)


def _resolve_named_type(book: Notebook, name: ast.Name) -> types.Type:
    thing = book.names.things.get(name.text)
    if isinstance(thing, ast.Values):
        book.meanings[name] = thing
        return values_type(book, thing)
    if isinstance(thing, ast.Components):
        book.meanings[name] = thing
        return types.ComponentOf(thing.name.text)
    book.add_diagnostic(unknown_diagnostic("unknown-type", "type", name, book.names.type_names()))
    return UNKNOWN


def resolve_kinds(book: Notebook, names: tuple[ast.Name, ...]) -> types.Type:
    """`Card or Coin`: what is one of them. Dice, and the places of a board, keep to themselves."""
    found = []
    for name in names:
        kind = book.names.things.get(name.text)
        if not isinstance(kind, ast.Components):
            kinds = [components.name.text for components in book.names.components()]
            book.add_diagnostic(unknown_diagnostic("unknown-component", "component", name, kinds))
            return UNKNOWN
        book.meanings[name] = kind
        if len(names) > 1 and (kind.board is not None or kind.noun == "die"):
            sentence = message("a die lies only among dice")
            if kind.board is not None:
                sentence = message("`{kind}` is a board: its places lie where they are", kind=name.text)
            return book.report("wrong-type", sentence, name)
        rule = next((one for one in kind.attributes if one.type is None), None)
        if len(names) > 1 and rule is not None:
            sentence = message("`{kind}` carries a `rule`: it lies only among its own", kind=name.text)
            hint = message("give it a `step` column, or a number that a definition asks for")
            return book.report("wrong-type", sentence, name, hint)
        if name.text in found:
            start = max(one.span.end for one in names if one.span.end < name.span.start)
            edits = (Edit(start, name.span.end, ""),)
            book.report("said-twice", message("`{kind}` is written twice", kind=name.text), name, edits=edits)
        found.append(name.text)
    return types.component_of_kinds(found)


def values_type(book: Notebook, values: ast.Values) -> types.Type:
    if values.range is not None:
        return resolve_written_type(book, values.range)
    return types.WordOf(values.name.text, tuple(dict.fromkeys(item.name.text for item in values.items)))


def count_keys(book: Notebook, node: ast.TypeExpr) -> int:
    """How many keys such a type has at most."""
    match resolve_written_type(book, node):
        case types.NumberOf(low=low, high=high):
            return high - low + 1
        case types.WordOf(words=words):
            return len(words)
        case types.Unknown():
            return 1
        case types.ComponentOf(kind=kind):
            return book.copies_of_kind(kind).high
        case _ as found:
            return book.players.high if found == PLAYER else 2 if found == TRUTH else 1


def type_of(book: Notebook, thing: ast.Node, name: ast.Node) -> types.Type:
    """The type of a declared thing that `name` stands for; complains when a definition needs itself."""
    if thing in book.declared:
        return book.declared[thing]
    if thing in book.busy:
        book.declared[thing] = UNKNOWN
        return book.report(
            "recursive-definition",
            message("`{name_or_this}` is defined by itself", name_or_this=_name_or_this(thing)),
            name,
        )
    if len(book.busy) > DEEPEST_CHAIN:
        return book.report("too-deep", message("definitions use each other more than 40 levels deep"), name)
    book.busy.append(thing)
    found = _infer_declared_type(book, thing)
    book.busy.pop()
    return book.declared.setdefault(thing, found)


def _name_or_this(thing: ast.Node) -> str:
    name = getattr(thing, "name", None)
    return name.text if isinstance(name, ast.Name) else "this"


def _infer_declared_type(book: Notebook, thing: ast.Node) -> types.Type:
    match thing:
        case ast.Option():
            return resolve_written_type(book, thing.type, thing.name.text)
        case ast.Variable():
            return resolve_written_type(book, thing.type)
        case ast.Define():
            return _without_place(book.infer_type(thing.body, parameter_scope(book, thing.parameters)))
        case ast.Table():
            return _infer_table(book, thing)
        case ast.ScoreLine():
            return book.require_number(thing.value, TOP)
        case ast.AttributeDecl():
            return TRUTH if thing.type is None else resolve_written_type(book, thing.type)
        case ast.Parameter():
            return resolve_written_type(book, thing.type)
        case _:
            return UNKNOWN


def _without_place(type: types.Type) -> types.Type:
    """What a definition gives are components, not the zone where they lie."""
    return types.CollectionOf(type.item) if isinstance(type, types.CollectionOf) else type


def parameter_scope(book: Notebook, parameters: tuple[ast.Parameter, ...]) -> Scope:
    scope = TOP
    for parameter in parameters:
        scope = scope.with_name(parameter.name.text, parameter, type_of(book, parameter, parameter))
    return scope


def _infer_table(book: Notebook, table: ast.Table) -> types.Type:
    """The type of a table's values; its keys are looked at on the way."""
    keys = [type_of(book, parameter, parameter) for parameter in table.parameters]
    for parameter in table.parameters:
        if isinstance(parameter.type, ast.SetType):
            sentence = message("a table cannot list a case for every set")
            hint = message("write a definition: `define {table}(…) = if … then … else …`", table=table.name.text)
            book.report("wrong-type", sentence, parameter.type, hint)
    found: types.Type | None = None
    for entry in table.entries:
        for key, expected in zip(entry.keys or (), keys, strict=False):
            _infer_table_key(book, key, expected)
        if entry.keys is not None and not entry.is_otherwise and len(entry.keys) > len(keys):
            sentence = message(
                "a case of `{table}` has at most {amount}",
                table=table.name.text,
                amount=_format_count(len(keys), "key"),
            )
            book.report("wrong-number-of-arguments", sentence, entry)
        value = book.infer_type(entry.value, parameter_scope(book, table.parameters), found)
        joined = value if found is None else join_types(found, value)
        if joined is None and found is not None:
            book.report(
                "wrong-type",
                message(
                    "expected {found_type}, found {value_type}",
                    found_type=describe_type(found),
                    value_type=describe_type(value),
                ),
                entry.value,
            )
        found = joined if joined is not None else found
    _check_enough_cases(book, table)
    return found if found is not None else UNKNOWN


def _infer_table_key(book: Notebook, key: ast.Expr, expected: types.Type) -> None:
    if isinstance(key, ast.Range):
        book.types[key] = types.CollectionOf(expected)
        book.require_type(key.low, TOP, expected)
        book.require_type(key.high, TOP, expected)
    else:
        book.require_type(key, TOP, expected)


def _check_enough_cases(book: Notebook, table: ast.Table) -> None:
    bare_values = [entry for entry in table.entries if entry.keys is None and not entry.is_otherwise]
    if not table.entries:
        book.report("empty-table", message("the table `{table}` has no cases", table=table.name.text), table.name)
    elif bare_values and table.parameters:
        wanted = count_keys(book, table.parameters[0].type)
        if len(bare_values) != wanted and len(bare_values) == len(table.entries):
            book.report(
                "wrong-number-of-cases",
                message(
                    "`{table}` needs {amount}, one for each key, and has {bare_values}",
                    table=table.name.text,
                    amount=_format_count(wanted, "value"),
                    bare_values=len(bare_values),
                ),
                table.name,
            )


def _format_count(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def infer_option_value(book: Notebook, option: ast.Option, value: ast.Expr) -> None:
    """A default, or what an example or a variant sets. For `… or player` a number is a seat."""
    is_seat = isinstance(value, ast.Number) and isinstance(option.type, ast.WordsType) and option.type.or_player
    found = book.require_type(value, TOP, PLAYER if is_seat else type_of(book, option, option.name))
    listed = option.type.listed if isinstance(option.type, ast.RangeType) else ()
    if listed and isinstance(found, types.NumberOf) and found.low == found.high and found.low not in listed:
        told = format_first_numbers(listed)
        book.report("leaves-range", message("this is not in {numbers}", numbers=told), value)


def format_first_numbers(listed: tuple[int, ...]) -> str:
    return ", ".join(map(str, listed[:12])) + (", …" if len(listed) > 12 else "")


# ---- components
# Component sets: their attributes and rows, and how many there are. Counted by arithmetic, never by listing.


MOST_KINDS = 10_000
MOST_COPIES = 100_000
MOST_KEYS = 10_000
MOST_PLACES = 400  # of a board: what lies between two of them is looked up


def count_components(book: Notebook, piece: ast.Components) -> None:
    """The bounds of the number of components of this kind, over all tables."""
    found = _count_rows(book, piece) if piece.rows else _count_combinations(book, piece)
    if found.high > MOST_COPIES and piece not in book.oversized:
        sentence = message(
            "`{name}` makes up to {high} components; {most_copies} is the most",
            name=piece.name.text,
            high=found.high,
            most_copies=MOST_COPIES,
        )
        book.report("too-many-components", sentence, piece.name)
    book.kind_counts[piece.name.text] = NumberOf(min(found.low, MOST_COPIES), min(found.high, MOST_COPIES))


def _count_rows(book: Notebook, piece: ast.Components) -> NumberOf:
    total = NumberOf(0, 0)
    for row in piece.rows:
        copies = _count_copies(book, row.copies, TOP)
        total = calculate_bounds("+", total, copies)
    return total


def _count_combinations(book: Notebook, piece: ast.Components) -> NumberOf:
    total = NumberOf(1, 1)
    for attribute in piece.attributes:
        type = type_of(book, attribute, attribute)
        if not isinstance(type, Unknown):
            total = calculate_bounds("*", total, _count_attribute_values(book, attribute, type))
    if total.high > MOST_KINDS:
        book.oversized.add(piece)
        book.report(
            "too-many-components",
            message(
                "`{name}` has up to {high} combinations; {most_kinds} is the most",
                name=piece.name.text,
                high=total.high,
                most_kinds=MOST_KINDS,
            ),
            piece.name,
            message("fewer attributes, or a row for each component"),
        )
    if piece.board is not None and piece not in book.oversized:
        check_board_size(book, piece, total.high)
    copies = _count_copies(book, piece.copies, TOP.with_attributes(ComponentOf(piece.name.text)))
    found = calculate_bounds("*", total, copies)
    return found if piece.condition is None else NumberOf(0, found.high)


def check_board_size(book: Notebook, piece: ast.Components, places: int) -> None:
    if places > MOST_PLACES:
        book.oversized.add(piece)
        sentence = message(
            "`{name}` has up to {high} places; {most} is the most", name=piece.name.text, high=places, most=MOST_PLACES
        )
        book.report("too-many-components", sentence, piece.name, message("fewer rows, or fewer columns"))


def _count_copies(book: Notebook, node: ast.Expr | None, scope: Scope) -> NumberOf:
    """Where they cannot be known, that is said; then one."""
    found = book.require_type(node, scope, COUNT) if node is not None else None
    return found if isinstance(found, NumberOf) else NumberOf(1, 1)


def _count_attribute_values(book: Notebook, attribute: ast.AttributeDecl, type: Type) -> NumberOf:
    """How many values the attribute takes; fewer than its type has when a bound depends on the table."""
    match attribute.type:
        case None:
            return NumberOf(1, 1)
        case ast.RangeType(low=low, high=high):
            least = book.types.get(high), book.types.get(low)
            if isinstance(least[0], NumberOf) and isinstance(least[1], NumberOf):
                fewest = max(0, least[0].low - least[1].high + 1)
                return NumberOf(fewest, least[0].high - least[1].low + 1)
            return COUNT
        case ast.PlayerType():
            return book.players
        case _:
            size = count_keys(book, attribute.type)
            return NumberOf(size, size)


def infer_components(book: Notebook, piece: ast.Components) -> None:
    for attribute in piece.attributes:
        _check_finite_attribute(book, attribute)
    scope = TOP.with_attributes(ComponentOf(piece.name.text))
    if piece.condition is not None:
        book.require_type(piece.condition, scope, TRUTH)
    for attribute in piece.computed:
        if attribute.value is not None:
            book.require_type(attribute.value, scope, type_of(book, attribute, attribute))
    for row in piece.rows:
        _infer_row(book, piece, row)


def _check_finite_attribute(book: Notebook, attribute: ast.AttributeDecl) -> None:
    type = type_of(book, attribute, attribute)
    if isinstance(type, OptionalOf | CollectionOf | OrderOf | ComponentOf) and attribute.type is not None:
        book.report(
            "wrong-type", message("an attribute cannot be {type}", type=describe_type(type)), attribute.type,
            message("it is a `values` type, a range, `player`, or `yes or no`"),
        )


def hint_at_cells(row: ast.RowDecl, columns_there: int, columns: str) -> Message:
    """A number too many is often meant as the number of copies."""
    last = row.cells[-1] if row.cells else None
    if isinstance(last, ast.Number) and len(row.cells) == columns_there + 1 and row.copies is None:
        return message(
            "its columns are {columns}; for {amount} copies write `{amount} of each`",
            columns=columns, amount=last.value,
        )
    return message("its columns are {columns}", columns=columns)


def _infer_row(book: Notebook, piece: ast.Components, row: ast.RowDecl) -> None:
    if len(row.cells) != len(piece.attributes):
        columns = ", ".join(attribute.name.text for attribute in piece.attributes)
        of_all = f"{with_article(piece.name.text)} has {len(piece.attributes)}"
        book.report(
            "wrong-number-of-cells",
            message("`{row}` has {cells} values; {of_all}", row=row.name.text, cells=len(row.cells), of_all=of_all),
            row.name,
            hint_at_cells(row, len(piece.attributes), columns),
        )
    for cell, attribute in zip(row.cells, piece.attributes, strict=False):
        expected = TRUTH if attribute.type is None else type_of(book, attribute, attribute)
        found = book.require_type(cell, _rule_scope(piece, attribute), expected)
        if isinstance(expected, NumberOf) and isinstance(found, NumberOf):
            _check_cell_range(book, cell, expected, found)


def _rule_scope(piece: ast.Components, attribute: ast.AttributeDecl) -> Scope:
    """A rule may speak of the other columns of its component."""
    return TOP.with_attributes(ComponentOf(piece.name.text)) if attribute.type is None else TOP


def _check_cell_range(book: Notebook, cell: ast.Expr, expected: NumberOf, found: NumberOf) -> None:
    if found.high < expected.low or found.low > expected.high:
        book.report(
            "leaves-range",
            message(
                "this column is {low}..{high}, found {low_2}", low=expected.low, high=expected.high, low_2=found.low
            ),
            cell,
        )


def infer_keys(book: Notebook, piece: ast.Zone | ast.Variable) -> None:
    """The keys of a zone or variable; there must not be too many."""
    total = book.players.high if piece.per_player else 1
    for key in piece.keys:
        type = resolve_written_type(book, key)
        if isinstance(piece, ast.Variable) and piece.of_kind:
            _require_kind_without_equals(book, piece, key, type)
        elif isinstance(type, OptionalOf | CollectionOf | OrderOf) or (
            isinstance(type, ComponentOf) and not book.find_board(type)
        ):
            _report_wrong_key(book, piece, key, type)
        total = min(COUNT.high, total * count_keys(book, key))
    if total > MOST_KEYS:
        book.report(
            "too-many-keys",
            message(
                "there would be {total} `{name}`; {most_keys} is the most",
                total=total,
                name=piece.name.text,
                most_keys=MOST_KEYS,
            ),
            piece.name,
            message("fewer keys, or smaller ranges"),
        )


def _report_wrong_key(book: Notebook, piece: ast.Zone | ast.Variable, key: ast.TypeExpr, type: Type) -> None:
    """`marker told[Card]` is `marker told of Card`."""
    sentence = message("a key cannot be {type}", type=describe_type(type))
    is_said_otherwise = isinstance(piece, ast.Variable) and isinstance(type, ComponentOf) and not piece.per_player
    if not is_said_otherwise or not isinstance(type, ComponentOf) or len(piece.keys) > 1:
        book.report("wrong-type", sentence, key)
        return
    instead = f"{piece.name.text} of {type.kind}"
    edit = Edit(piece.name.span.start, key.span.end + 1, instead)
    book.report("wrong-type", sentence, key, message("write `{instead}`", instead=instead), edits=(edit,))


def _require_kind_without_equals(book: Notebook, piece: ast.Variable, key: ast.TypeExpr, type: Type) -> None:
    """`told of Card`: no two of these components are alike, or nobody knew of which of them it is."""
    kind = book.find_kind(type)
    if kind is None or kind.board is not None:
        sentence = message("`of` is followed by a kind of component here, found {type}", type=describe_type(type))
        instead = f"{piece.name.text}[{key.name.text if isinstance(key, ast.NamedType) else '…'}]"
        edit = Edit(piece.name.span.start, key.span.end, instead)
        if not isinstance(type, Unknown):
            book.report("wrong-type", sentence, key, message("write `{instead}`", instead=instead), edits=(edit,))
        return
    copies = [one for one in (kind.copies, *(row.copies for row in kind.rows)) if one is not None]
    if kind.noun == "die":
        sentence = message("what a die shows changes: nothing can stay with it")
        hint = message("give each die a place of its own, and keep it for the place: `marker held[1..3]: yes or no`")
        book.report("wrong-type", sentence, key, hint)
    elif not all(isinstance(one, ast.Number) and one.value == 1 for one in copies):
        sentence = message("there are equal `{kind}`: nobody can tell of which of them this is", kind=kind.name.text)
        hint = message("number them in place of `of each`: another attribute, as in `copy 1..3`")
        book.report("wrong-type", sentence, key, hint)
