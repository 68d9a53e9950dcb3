"""Boards as components: a grid has a row and a column for each place, written-out lines a row of the table for each.

Takes what stands in a file, gives declarations.
"""

from __future__ import annotations

from attrs import evolve

from rulesrun.dsl.ast.expressions import And, Arithmetic, Compare, Expr, Name, Not, Number, Or
from rulesrun.dsl.ast.moving import copy_node
from rulesrun.dsl.ast.table_pieces import AttributeDecl, Board, Components, PlaceLine, RowDecl
from rulesrun.dsl.ast.written_types import RangeType
from rulesrun.dsl.text.keywords import read_place_name
from rulesrun.dsl.text.source import Span


def make_grid(
    span: Span, name: Name, rows: Expr, columns: Expr, condition: Expr | None, *, is_hexagonal: bool
) -> Components:
    attributes = tuple(
        AttributeDecl(
            Name(word, span=many.span), RangeType(Number(1, span=many.span), many, span=many.span), None, span=many.span
        )
        for word, many in (("row", rows), ("column", columns))
    )
    board = Board(is_hexagonal, (), span=span)
    return Components("board", name, attributes, (), (), None, condition, board, span=span)


def make_rings(span: Span, name: Name, rings: Expr) -> Components:
    """Eight places a ring, on its corners and in the middle of its sides: `3 rings` lie on 7 rows and 7 columns."""
    at = rings.span

    def number(value: int) -> Number:
        return Number(value, span=at)

    def middle() -> Expr:
        return Arithmetic("+", copy_node(rings), number(1), span=at)

    def is_on(left: Expr, right: Expr) -> Compare:
        return Compare("=", left, right, span=at)

    row, column = Name("row", span=at), Name("column", span=at)
    size = Arithmetic("+", Arithmetic("*", number(2), rings, span=at), number(1), span=at)
    across = Arithmetic("+", copy_node(row), copy_node(column), span=at)
    ways = (
        is_on(row, middle()), is_on(column, middle()), is_on(copy_node(row), copy_node(column)),
        is_on(across, Arithmetic("*", number(2), middle(), span=at)),
    )  # fmt: skip
    centre = And((is_on(copy_node(row), middle()), is_on(copy_node(column), middle())), span=at)
    condition = And((Not(centre, span=at), Or(ways, span=at)), span=at)
    grid = make_grid(span, name, size, copy_node(size), condition, is_hexagonal=False)
    return evolve(grid, board=Board(False, (), copy_node(rings), span=span))


def make_lined_board(
    piece: Components, lines: tuple[PlaceLine, ...], computed: tuple[AttributeDecl, ...]
) -> Components:
    """With the places that its lines name; where all are called by a letter and a number they have rows and columns."""
    names: dict[str, Name] = {}
    for line in lines:
        for name in line.names:
            names.setdefault(name.text, name)
    where = {text: read_place_name(text) for text in names}
    known = {text: found for text, found in where.items() if found is not None}
    is_placed = bool(known) and len(known) == len(names)
    attributes = tuple(
        make_position(piece.name, word, [place[at] for place in known.values()])
        for at, word in enumerate(("row", "column"))
        if is_placed
    )
    rows = tuple(
        RowDecl(name, tuple(Number(one, span=name.span) for one in known[text]) if is_placed else (), None,
                span=name.span)
        for text, name in names.items()
    )  # fmt: skip
    board = Board(False, lines, span=piece.span)
    return evolve(piece, attributes=attributes, computed=computed, rows=rows, board=board)


def make_position(name: Name, word: str, values: list[int]) -> AttributeDecl:
    low, high = Number(min(values), span=name.span), Number(max(values), span=name.span)
    return AttributeDecl(Name(word, span=name.span), RangeType(low, high, span=name.span), None, span=name.span)


def is_grid(piece: Components) -> bool:
    """Whether it has a size: rows and columns."""
    return piece.board is not None and bool(piece.attributes) and not piece.rows
