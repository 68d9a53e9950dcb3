"""Boards: places by their names, and what the language asks of places. Takes expressions, gives their types."""

from __future__ import annotations

from itertools import pairwise

from rulesrun.dsl import ast
from rulesrun.dsl.ast.boards import is_grid
from rulesrun.dsl.diagnostics.diagnostic import Edit
from rulesrun.dsl.format.format import text_of_expression
from rulesrun.dsl.text.keywords import place_name, read_place_name
from rulesrun.dsl.text.messages import Message, message
from rulesrun.dsl.typing.names import Scope
from rulesrun.dsl.typing.notebook import UNKNOWN, Notebook, describe_type, item_of
from rulesrun.dsl.typing.program import AllOf, RowMeaning
from rulesrun.dsl.typing.types import CollectionOf, ComponentOf, NumberOf, Type, Unknown


def find_place(book: Notebook, name: ast.Name, hint: Type | None) -> RowMeaning | None:
    """The place that is called so: on the board that is expected here, or on the first grid that has a `b2`."""
    wanted = book.find_board(hint)
    for row in wanted.rows if wanted is not None else ():
        if row.name.text == name.text:
            return RowMeaning(wanted, row) if wanted is not None else None
    position = read_place_name(name.text)
    if position is None:
        return None
    boards = [wanted] if wanted is not None else [one for one in book.names.components() if one.board is not None]
    for board in boards:
        if is_grid(board) and all(1 <= at <= most for at, most in zip(position, board_size(book, board), strict=True)):
            key = board.name.text, name.text
            if key not in book.names.places:
                row = ast.RowDecl(ast.Name(name.text, span=board.name.span), (), None, span=board.name.span)
                book.names.places[key] = RowMeaning(board, row)
            return book.names.places[key]
    return None


def board_size(book: Notebook, board: ast.Components) -> tuple[int, int]:
    """The most rows and columns that a grid has at any table; none while its size is being read: `a1 by 3`."""
    if board.name.text in book.boards_read:
        return 0, 0
    book.boards_read.add(board.name.text)
    highs = [book.require_number(one.type.high, Scope()).high for one in board.attributes
             if isinstance(one.type, ast.RangeType)]  # fmt: skip
    book.boards_read.discard(board.name.text)
    return highs[0], highs[1]


def report_unknown_place(book: Notebook, part: ast.Expr, board: ast.Components) -> Type:
    rows, columns = board_size(book, board)
    sentence = message("there is no {board} of that name", board=board.name.text)
    last = place_name(min(rows, 99), min(columns, 99))
    hint = message("a place has the name of its column and row, from `a1` to `{last}`", last=last)
    return book.report("unknown-component", sentence, part, hint)


def infer_board_call(book: Notebook, node: ast.Call, scope: Scope) -> Type:
    """`neighbours(s)`, `between(a, b)`, `distance(a, b)`, `lines(Square, 3)`, `connected(…, …)`."""
    first, *others = node.arguments
    match node.name.text:
        case "lines":
            place = _infer_board(book, first)
            book.require_number(others[0], scope)
            return CollectionOf(CollectionOf(place))
        case "lines_through":
            place = _infer_place(book, first, scope)
            book.require_number(others[0], scope)
            return CollectionOf(CollectionOf(place))
        case "connected":
            places = _infer_places(book, first, scope)
            book.require_type(others[0], scope, CollectionOf(places))
            return CollectionOf(places)
        case "distance":
            place = _infer_place(book, first, scope)
            book.require_type(others[0], scope, place)
            return NumberOf(0, _count_places(book, place))
        case "neighbours" | "ahead":
            place = _infer_place(book, first, scope)
            for steps in others:
                if book.require_number(steps, scope).high < 1:
                    sentence = message("`{name}` goes one step at least", name=node.name.text)
                    book.report("leaves-range", sentence, steps)
            return CollectionOf(place)
        case _:
            place = _infer_place(book, first, scope)
            for other in others:
                book.require_type(other, scope, place)
            return CollectionOf(place)


def report_zone_of_places(book: Notebook, name: ast.Name) -> None:
    sentence = message("`{name}` is a board: its places are in no zone", name=name.text)
    hint = message("keep what is on them in a marker: `marker piece[{name}]: player or nothing`", name=name.text)
    book.report("not-a-board", sentence, name, hint)


def infer_board_lines(book: Notebook, piece: ast.Components) -> None:
    """Lines that are written out are needed, and lead from each place to another one."""
    board = piece.board
    if board is None or not piece.rows:
        if board is not None and not is_grid(piece):
            hint = message("write its size, `board {name}: 8 by 8`, or its lines below it, as in `line a1, a2, a3`",
                           name=piece.name.text)  # fmt: skip
            book.report("empty-body", message("this board has no places"), piece.name, hint)
        return
    for line in board.lines:
        for name in line.names:
            place = find_place(book, name, ComponentOf(piece.name.text))
            if place is not None:
                book.record_meaning(name, place, ComponentOf(piece.name.text))
        for one, other in pairwise(line.names):
            if one.text == other.text:
                book.report("duplicate-name", message("`{name}` is next to itself here", name=one.text), other)


def _count_places(book: Notebook, place: Type) -> int:
    return book.copies_of_kind(place.kind).high if isinstance(place, ComponentOf) else 0


def _infer_board(book: Notebook, node: ast.Expr) -> Type:
    thing = book.names.things.get(node.text) if isinstance(node, ast.Name) else None
    if isinstance(node, ast.Name) and isinstance(thing, ast.Components) and thing.board is not None:
        place = ComponentOf(thing.name.text)
        book.record_meaning(node, AllOf(thing), CollectionOf(place))
        return place
    book.types[node] = UNKNOWN
    boards = [one.name.text for one in book.names.components() if one.board is not None]
    return _report_no_board(book, node, message("expected a board"), boards)


def _report_no_board(book: Notebook, node: ast.Expr, sentence: str, boards: list[str]) -> Type:
    if not boards:
        declare = message("declare one, as in `board Square: 8 by 8` with `marker stone[Square]: player or nothing`")
        return book.report("not-a-board", sentence, node, declare)
    edits = (Edit(node.span.start, node.span.end, boards[0]),) if len(boards) == 1 else ()
    hint: Message | None = message("write `{board}`", board=boards[0]) if len(boards) == 1 else None
    return book.report("not-a-board", sentence, node, hint, edits=edits)


def _infer_place(book: Notebook, node: ast.Expr, scope: Scope) -> Type:
    boards = [one for one in book.names.components() if one.board is not None]
    alone = ComponentOf(boards[0].name.text) if len(boards) == 1 else None
    found = book.infer_type(node, scope, alone)
    if isinstance(found, Unknown) or book.find_board(found) is not None:
        return found
    sentence = message("expected a place of a board, found {found_type}", found_type=describe_type(found))
    item = item_of(found)
    if item is not None and book.find_board(item) is not None:
        several = text_of_expression(node)
        hint = message("for each of several, write `some s in {several} has …`", several=several)
        return book.report("not-a-board", sentence, node, hint)
    return _report_no_board(book, node, sentence, [] if not boards else ["", ""])


def _infer_places(book: Notebook, node: ast.Expr, scope: Scope) -> Type:
    found = book.infer_type(node, scope)
    item = item_of(found)
    if isinstance(found, Unknown) or (item is not None and book.find_board(item) is not None):
        return item or UNKNOWN
    sentence = message("expected several places of a board, found {found_type}", found_type=describe_type(found))
    is_one = book.find_board(found) is not None
    alone = message("write a single place in braces: `{{{place}}}`", place=text_of_expression(node))
    return book.report("not-a-board", sentence, node, alone if is_one else None)
