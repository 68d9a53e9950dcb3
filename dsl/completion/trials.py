"""What the checker says of a piece with one word or another at the cursor. Takes a half-written line, gives trials."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import attrs
from attrs import define, evolve, field, frozen

from rulesrun.dsl import ast
from rulesrun.dsl.ast.pieces import PieceKey, key_of
from rulesrun.dsl.ast.walk import children, walk
from rulesrun.dsl.completion.cursor import HOLE, CursorLine
from rulesrun.dsl.diagnostics.diagnostic import Diagnostic
from rulesrun.dsl.expansion.boards import BoardMoveSpeller
from rulesrun.dsl.expansion.step_calls import find_values, spell_piece
from rulesrun.dsl.expansion.teams import TeamSpeller, find_troubles
from rulesrun.dsl.expansion.winning import OPPONENT, WinningSpeller, declares_opponent, is_for_two, left_of
from rulesrun.dsl.parsing.beginnings import end_line, is_whole_line
from rulesrun.dsl.parsing.parse import parse_source
from rulesrun.dsl.symbols.rules_text import RulesText
from rulesrun.dsl.text.lexer import Word
from rulesrun.dsl.text.source import Source
from rulesrun.dsl.typing.declared import infer_option_value, type_of
from rulesrun.dsl.typing.expressions import infer_expression
from rulesrun.dsl.typing.inference import infer_declared_types, infer_piece
from rulesrun.dsl.typing.names import DeclaredNames, Scope, collect_names
from rulesrun.dsl.typing.notebook import Notebook, TooManyComplaints
from rulesrun.dsl.typing.types import Type
from rulesrun.dsl.variants.extend import Lined

CONDITIONS = (ast.And, ast.Or, ast.Not, ast.IfElse, ast.Needs, ast.Branch, ast.Filter, ast.Quantified, ast.Property)


@frozen(eq=False)
class Hole:
    """The place that a name takes: its node, and what it is a part of, the nearest first."""

    name: ast.Name
    parents: tuple[ast.Node, ...]
    is_line_whole: bool  # the rest of the line is the author's own
    is_ending_made_up: bool = False

    @property
    def parent(self) -> ast.Node:
        return self.parents[0]

    @property
    def is_condition(self) -> bool:
        """Whether it is asked there whether something is so."""
        return isinstance(self.parent, CONDITIONS)

    @property
    def field_name(self) -> str:
        """What the name is to its parent: `subject`, `actions`, `component` …"""
        parent = self.parent
        for one in attrs.fields(type(parent)):
            value = getattr(parent, one.name, None)
            if value is self.name or (isinstance(value, tuple) and any(item is self.name for item in value)):
                return str(one.name)
        return ""


@define(eq=False)
class Trial:
    """A game whose piece at the cursor has a hole: how that piece is judged with a word in it."""

    hole: Hole
    game: ast.Game
    names: DeclaredNames
    pieces: tuple[ast.AnyDeclaration, ...]
    scope: Scope = field(factory=Scope)
    expected: Type | None = None
    _known: Notebook = field(init=False)

    def __attrs_post_init__(self) -> None:
        """Finds out what is declared, what is expected in the hole, and which names are known there."""
        self._known = Notebook(self.game, self.names, self._note_expression)
        try:
            infer_declared_types(self._known)
            for piece in self.pieces:
                _infer_again(self._known, piece)
        except TooManyComplaints:
            pass
        for piece in self.pieces:
            for node in walk(piece):
                self._known.declared.pop(node, None)
                self._known.types.pop(node, None)

    def list_unknown_names(self) -> tuple[str, ...]:
        """What the piece speaks of and nothing is called, once each."""
        own = self.hole.name.span.file
        starts = {one.span.start for one in self._known.diagnostics
                  if one.code.startswith("unknown-") and one.span.file == own}  # fmt: skip
        names = (node for piece in self.pieces for node in walk(piece) if isinstance(node, ast.Name))
        return tuple(dict.fromkeys(one.text for one in names if one.span.start in starts and one.text != HOLE))

    def judge(self, text: str) -> tuple[Diagnostic, ...]:
        """What is complained of in the piece when this name stands in the hole."""
        book = self.open_book()
        object.__setattr__(self.hole.name, "text", text)  # nobody else has this piece
        try:
            for piece in self.pieces:
                _infer_again(book, piece)
        except TooManyComplaints:
            pass
        finally:
            object.__setattr__(self.hole.name, "text", HOLE)
        return tuple(book.diagnostics)

    def open_book(self) -> Notebook:
        """A notebook that knows what is declared, and nothing of the piece at the cursor."""
        known = self._known
        book = Notebook(
            self.game, self.names, infer_expression,
            declared=dict(known.declared), types=dict(known.types), meanings=dict(known.meanings),
        )  # fmt: skip
        book.players, book.rounds, book.kind_counts = known.players, known.rounds, known.kind_counts
        return book

    def infer_name(self, text: str) -> Type | None:
        """The type of a name alone, where the cursor stands; None where nothing is called so there."""
        book = self.open_book()
        name = ast.Name(text, span=self.hole.name.span)
        try:
            found = book.infer_type(name, self.scope, self.expected)
        except TooManyComplaints:
            return None
        return None if book.diagnostics else found

    def _note_expression(self, book: Notebook, node: ast.Expr, scope: Scope, hint: Type | None) -> Type:
        if node is self.hole.name or node is self.hole.parent:
            self.scope = scope
            if node is self.hole.name or isinstance(node, ast.Literal):
                self.expected = hint
        return infer_expression(book, node, scope, hint)


def _infer_again(book: Notebook, piece: ast.AnyDeclaration) -> None:
    match piece:
        case ast.Define() | ast.Table():
            type_of(book, piece, piece.name)
        case ast.Score(lines=lines):
            for line in lines:
                type_of(book, line, line.name)
        case ast.ChangeLine(line=line):
            type_of(book, line, line.name)
        case ast.ChangeRow(row=row, of=of):
            components = book.names.things.get(of.text)
            if isinstance(components, ast.Components):
                infer_piece(book, evolve(components, rows=(row,), computed=()))
        case ast.Fix(name=name, value=value):
            option = book.names.things.get(name.text)
            if isinstance(option, ast.Option):
                infer_option_value(book, option, value)
        case _:
            infer_piece(book, piece)


# ---- the piece with a hole


def make_trial(rules: RulesText, cursor: CursorLine) -> Trial | None:
    """None where no name can be read at the cursor, whatever is written behind it."""
    for text, is_whole in _written_lines(cursor):
        read = _read_piece(cursor, text)
        piece = spell_piece(read, find_values(rules.game)) if read is not None else None
        hole = _find_hole(piece, is_whole) if piece is not None else None
        if piece is not None and hole is not None:
            is_made_up = not is_whole and text != cursor.patched
            return _trial_in_game(rules, cursor, piece, evolve(hole, is_ending_made_up=is_made_up))
    return None


def _written_lines(cursor: CursorLine) -> Iterator[tuple[str, bool]]:
    """The whole text with the line as it is, where that can be read; else with the shortest ending."""
    line, hole = cursor.line, Word("word", HOLE, cursor.start, cursor.start + len(HOLE))
    words = (*cursor.before, hole, *cursor.after)
    if cursor.after and is_whole_line(words, cursor.kind):
        yield cursor.patched, True
    ending = end_line((*cursor.before, hole), cursor.kind)
    if ending is not None:
        made_up = "".join(f" {word}" for word in ending)
        yield f"{cursor.patched[: hole.end]}{made_up}{cursor.patched[line.end :]}", False


def _read_piece(cursor: CursorLine, text: str) -> ast.AnyDeclaration | None:
    """The piece around the cursor alone, read."""
    start = cursor.piece.start
    behind = next((block.start for block in cursor.blocks.top if block.start > start), None)
    end = len(text) if behind is None else len(text) - (len(cursor.patched) - behind)
    parsed = parse_source(Source("", text[start:end]))
    return parsed.declarations[0] if parsed.declarations else None


def _find_hole(piece: ast.AnyDeclaration, is_whole: bool) -> Hole | None:
    parents: dict[int, ast.Node] = {}
    for node in walk(piece):
        for child in children(node):
            parents[id(child)] = node
        if isinstance(node, ast.Name) and node.text == HOLE:
            around: list[ast.Node] = []
            while id(node if not around else around[-1]) in parents:
                around.append(parents[id(node if not around else around[-1])])
            return Hole(node, tuple(around), is_whole) if around else None
    return None


def _trial_in_game(rules: RulesText, cursor: CursorLine, piece: ast.AnyDeclaration, hole: Hole) -> Trial:
    """The piece takes the place of what stood there."""
    key = key_of(piece)
    kept = []
    for own in rules.known_pieces:
        is_there = own.span.start <= cursor.start <= own.span.end and own.span.file == rules.name
        if not is_there and (key is None or key_of(own) != key or _is_small(piece)):
            kept.append(own)
    inner = _inner_pieces(piece, rules.game)
    game = rules.assemble((*kept, *((piece,) if inner == (piece,) else ())))
    if inner != (piece,):
        keys = {key_of(one) for one in inner}
        game = evolve(game, declarations=(*(old for old in game.declarations if key_of(old) not in keys), *inner))
    game = _declare_what_is_brought_along(game)
    names = collect_names(game)
    judged = tuple(one for one in game.declarations if any(one is own for own in inner))
    return Trial(hole, game, names, _spell_moves(game, [_narrow_piece(one, hole) for one in judged or inner]))


def _spell_moves(game: ast.Game, pieces: Iterable[ast.AnyDeclaration]) -> tuple[ast.AnyDeclaration, ...]:
    """What moves on a board, as it is checked. Where there are no zones, all that moves is there."""
    boards = {one.name.text for one in game.components if one.board is not None}
    speller = BoardMoveSpeller(game, boards)
    if len(boards) == 1 and not game.zones:
        speller.names.lying[HOLE] = min(boards)
    return tuple(speller.rewrite_named_piece(one) if boards else one for one in pieces)


def _declare_what_is_brought_along(game: ast.Game) -> ast.Game:
    """With what the checker declares for `teams`, for `wins` and `loses`, and at a table of two."""
    found: list[ast.AnyDeclaration] = []
    teams = game.pieces(ast.Teams)
    if teams and not any(find_troubles(game, one) for one in teams):
        found += TeamSpeller(teams[0].span, teams).declare({"partner"})
    won = next((node for piece in game.declarations for node in walk(piece) if isinstance(node, ast.Wins)), None)
    if won is not None:
        found += WinningSpeller(won.span, is_for_two(game), bool(teams)).declare()
    if is_for_two(game):
        found += _declare_opponent(game)
    found = [one for one in found if isinstance(one, ast.Define | ast.Variable | ast.Score)]
    return evolve(game, declarations=(*game.declarations, *found)) if found else game


def _declare_opponent(game: ast.Game) -> Iterator[ast.AnyDeclaration]:
    if not any(declares_opponent(one) for one in game.declarations):
        name, player = (ast.Name(text, span=game.span) for text in (OPPONENT, "player"))
        yield ast.Define(name, (), left_of(player, game.span), span=game.span)


def _narrow_piece(piece: ast.AnyDeclaration, hole: Hole) -> ast.AnyDeclaration:
    """Lines of an example, rows of components and statements stand for themselves: what is judged is the one with the
    hole, with the names that others give.
    """
    match piece:
        case ast.Example(lines=lines):
            return evolve(piece, lines=tuple(line for line in lines if _is_around(line, hole)))
        case ast.Components(rows=rows):
            return evolve(piece, rows=tuple(row for row in rows if _is_around(row, hole)))
        case ast.Setup(body=body) | ast.Step(body=body) | ast.Action(body=body) if (
            any(_is_around(one, hole) for one in body)
        ):
            return evolve(piece, body=tuple(one for one in body if isinstance(one, ast.Deal) or _is_around(one, hole)))
        case _:
            return piece


def _is_around(node: ast.Node, hole: Hole) -> bool:
    return any(parent is node for parent in hole.parents)


def _is_small(piece: ast.AnyDeclaration) -> bool:
    return isinstance(piece, ast.Small)


def _inner_pieces(piece: ast.AnyDeclaration, game: ast.Game) -> tuple[ast.AnyDeclaration, ...]:
    """What stands in a small table, or behind `change`, as pieces of their own; lines that change, in their piece."""
    match piece:
        case ast.Small(pieces=pieces):
            return tuple(inner for one in pieces for inner in _inner_pieces(one, game))
        case ast.ChangePiece(declaration=declaration):
            return (declaration,)
        case ast.ChangeLines():
            return (_put_lines_in_piece(piece, game),)
        case _:
            return (piece,)


def _put_lines_in_piece(change: ast.ChangeLines, game: ast.Game) -> ast.AnyDeclaration:
    """The piece whose lines change, with these lines alone."""
    key = PieceKey(change.kind, change.name.text if change.name is not None else "")
    base = next((one for one in game.declarations if key_of(one) == key), None)
    line = ast.If((change.line,), span=change.span) if isinstance(change.line, ast.Branch) else change.line
    needs, body = ((line, *change.needs), change.body) if isinstance(line, ast.Needs) else (
        change.needs, (line, *change.body)
    )
    if isinstance(base, ast.Action):
        return evolve(base, needs=needs, body=body)
    return evolve(base, body=body) if isinstance(base, Lined) else change
