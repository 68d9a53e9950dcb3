"""Component sets: their attributes and rows, and how many there are. Counted by arithmetic, never by listing."""

from __future__ import annotations

from rulesrun.dsl import ast
from rulesrun.dsl.diagnostics.diagnostic import Edit
from rulesrun.dsl.text.articles import with_article
from rulesrun.dsl.text.messages import Message, message
from rulesrun.dsl.typing.declared import count_keys, resolve_written_type, type_of
from rulesrun.dsl.typing.intervals import COUNT, calculate_bounds
from rulesrun.dsl.typing.names import Scope
from rulesrun.dsl.typing.notebook import TOP, Notebook
from rulesrun.dsl.typing.relations import TRUTH, describe_type
from rulesrun.dsl.typing.types import CollectionOf, ComponentOf, NumberOf, OptionalOf, OrderOf, Type, Unknown

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
