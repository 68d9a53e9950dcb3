"""`move here to there`, `clear there`: what stands on the places of a board. Takes a game, gives a game in which each
marker of the board is told so. Numbers stay: they are written on the place itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from attrs import define, evolve, field

from rulesrun.dsl import ast
from rulesrun.dsl.ast.moving import copy_node
from rulesrun.dsl.ast.named_values import wrap_single_value
from rulesrun.dsl.ast.walk import walk
from rulesrun.dsl.diagnostics.diagnostic import Diagnostic, Edit
from rulesrun.dsl.expansion.rewriting import StatementRewriter, change_parts
from rulesrun.dsl.expansion.winning import is_for_two
from rulesrun.dsl.format.format import text_of_expression, text_of_first_line
from rulesrun.dsl.text.keywords import read_place_name
from rulesrun.dsl.text.messages import Message, message
from rulesrun.dsl.text.source import Span

# ---- places
# Where a thing with a name was taken from, as far as the text says it: choices, `each`, what was drawn, markers.


def name_of_place(place: ast.Expr) -> str | None:
    """`cup`, `cup[2]`, `cup of p`, `cup where …`: the name in front."""
    match place:
        case ast.Name(text):
            return text
        case ast.Index(name):
            return name.text
        case ast.Of(ast.Name() | ast.Index() as subject, _):
            return name_of_place(subject)
        case ast.Filter(collection):
            return name_of_place(collection)
        case _:
            return None


@define
class PlaceNames:
    """`lying`: by name of a zone or marker, the kind that it holds. `named`: what a name here was taken from."""

    lying: dict[str, str]
    named: dict[str, ast.Expr] = field(factory=dict)

    @staticmethod
    def of_game(game: ast.Game) -> PlaceNames:
        lying: dict[str, str] = {}
        for piece in game.declarations:
            match piece:
                case ast.Zone(name=name, component=component):
                    lying[name.text] = component.text
                case ast.Variable(name=name, type=ast.NamedType(kind) | ast.Optional(item=ast.NamedType(kind))):
                    lying[name.text] = kind.text
                case _:
                    pass
        return PlaceNames(lying)

    def enter_piece(self, piece: ast.AnyDeclaration) -> None:
        self.named = {}
        if isinstance(piece, ast.Action):
            self.named.update((one.name.text, one.domain) for one in piece.choices)
        if isinstance(piece, ast.Step):
            self.named.update((one.name.text, one.type.name) for one in piece.parameters
                              if isinstance(one.type, ast.NamedType))  # fmt: skip
        for node in walk(piece):
            if isinstance(node, ast.Deal) and node.alias is not None:
                self.named[node.alias.text] = node.target

    @contextmanager
    def inside(self, line: ast.Statement) -> Iterator[None]:
        before = self.named
        if isinstance(line, ast.ForEach) and line.each.name is not None:
            self.named = {**before, line.each.name.text: line.each.collection}
        yield
        self.named = before

    def find_kind(self, what: ast.Expr | None, depth: int = 0) -> str | None:
        """The kind of what is named."""
        match what:
            case ast.SetOf((ast.Literal((only,)),)):
                return self.find_kind(only, depth)
            case ast.Of(ast.Name("top" | "bottom" | "first" | "last"), owner):
                return self.find_kind(owner, depth)
            case ast.Best(each=ast.Each(collection=collection)) | ast.Item(collection=collection):
                return self.find_kind(collection, depth)
            case None:
                return None
            case _:
                name = name_of_place(what) or ""
                if name in self.lying:
                    return self.lying[name]
                return self.find_kind(self.named.get(name), depth + 1) if depth < 9 and name in self.named else name


# ---- moves on boards


HERE, THERE, STOOD = "where it stood", "where it comes to", "what stood there"  # no names that an author writes
OF_PLACES = ("neighbours", "rays", "between", "connected", "ahead")


def spell_out_board_moves(game: ast.Game) -> tuple[ast.Game, list[Diagnostic]]:
    """The very game where there is no board."""
    boards = {one.name.text for one in game.components if one.board is not None}
    if not boards:
        return game, []
    speller = BoardMoveSpeller(game, boards)
    pieces = tuple(speller.rewrite_named_piece(piece) for piece in game.declarations)
    return evolve(game, declarations=pieces), speller.found


def list_markers(game: ast.Game, board: str) -> list[ast.Variable]:
    """Those that stand on a place, whosever they are."""
    return [
        one for one in game.declarations
        if isinstance(one, ast.Variable) and one.word == "marker" and not one.per_player and len(one.keys) == 1
        and isinstance(key := one.keys[0], ast.NamedType) and key.name.text == board
    ]  # fmt: skip


@define
class BoardMoveSpeller(StatementRewriter):
    game: ast.Game
    boards: set[str]
    names: PlaceNames = field(init=False)
    found: list[Diagnostic] = field(factory=list)

    def __attrs_post_init__(self) -> None:
        self.names = PlaceNames.of_game(self.game)

    def rewrite_named_piece(self, piece: ast.AnyDeclaration) -> ast.AnyDeclaration:
        """With the names that it gives to places."""
        self.names.enter_piece(piece)
        each = [node for node in walk(piece) if isinstance(node, ast.Each) and node.name is not None]
        self.names.named.update((one.name.text, one.collection) for one in each if one.name is not None)
        return self.rewrite_piece(piece)

    def rewrite_line(self, line: ast.Statement) -> ast.Statement:
        match line:
            case ast.Clear(False, ast.Filter() | ast.Call(ast.Name("neighbours" | "rays" | "between")) as what):
                instead = f"clear all {text_of_expression(what)}"
                self.report(line, message("these are several places"), message("write `{instead}`", instead=instead))
                return ast.End("turn", span=line.span)
            case ast.Move(False, ast.Index(ast.Name(text), (here,)), ast.Index(_, (there,))) if self.stands(text):
                instead = f"move {text_of_expression(here)} to {text_of_expression(there)}"
                sentence = message("what stands on a place moves from place to place")
                self.report(line, sentence, message("write `{instead}`", instead=instead))
                return ast.End("turn", span=line.span)
            case ast.Move(False, ast.Name(text), target, None) if self.is_moved_marker(text, target):
                return self.refuse_moved_marker(line, text, target)
            case ast.Clear(everything, what):
                board = self.find_board(what) or (min(self.boards) if len(self.boards) == 1 else None)
                if board is None:
                    return self.refuse_unknown_board(line, what)
                return self.spell_clear(line, what if everything else wrap_single_value(what), board)
            case ast.Move(False, what, target, None):
                board = self.find_board(what) or self.find_board(target)
                return line if board is None else self.spell_move(line, board)
            case _:
                return line

    def stands(self, name: str) -> bool:
        return any(one.name.text == name for board in self.boards for one in list_markers(self.game, board))

    def is_moved_marker(self, name: str, target: ast.Expr) -> bool:
        return self.stands(name) and name not in self.names.named and self.find_board(target) is not None

    def refuse_moved_marker(self, line: ast.Move, name: str, target: ast.Expr) -> ast.Statement:
        """`move pawn to there`: a place is named on both sides."""
        to, board = text_of_expression(target), self.find_board(target)
        here = [one for one, where in self.names.named.items() if one != to and self.find_board(where) == board]
        sentence = message("say from which place `{name}` moves", name=name)
        hint = message("write `move {here} to {to}`", here=here[0] if here else "…", to=to)
        edits = (Edit(line.what.span.start, line.what.span.end, here[0]),) if here else ()
        self.found.append(Diagnostic("not-a-board", sentence, line.what.span, hint, edits=edits))
        return ast.End("turn", span=line.span)

    def find_board(self, place: ast.Expr, depth: int = 0) -> str | None:
        """The board on which it lies, as far as the text says it."""
        match place:
            case ast.Name(text) if text in self.boards:
                return text
            case ast.Name(text) if depth < 9 and (known := self.names.named.get(text)) is not None:
                return self.find_board(known, depth + 1)
            case ast.Name(text) if depth < 9 and (meant := self.find_definition(text)) is not None:
                return self.find_board(meant, depth + 1)
            case ast.Name(text) | ast.Index(ast.Name(text)) if text in self.names.lying:
                return self.names.lying[text] if self.names.lying[text] in self.boards else None
            case ast.Name(text) if read_place_name(text) is not None and len(self.boards) == 1:
                return min(self.boards)
            case ast.Filter(collection) | ast.Best(each=ast.Each(collection=collection)) | ast.Item(_, collection):
                return self.find_board(collection, depth)
            case ast.SetOf((ast.Literal((only,)), *_)):
                return self.find_board(only, depth)
            case ast.Call(ast.Name(text), (first, *_)) if text in OF_PLACES:
                return self.find_board(first, depth)
            case ast.Call(ast.Name(text)) if depth < 9 and (meant := self.find_definition(text)) is not None:
                return self.find_board(meant, depth + 1)
            case ast.IfElse(_, then, otherwise):
                return self.find_board(then, depth) or self.find_board(otherwise, depth)
            case ast.Of(subject, _):
                return self.find_board(subject, depth)
            case _:
                return None

    def refuse_unknown_board(self, line: ast.Clear, what: ast.Expr) -> ast.Statement:
        board, told = min(self.boards), text_of_expression(what)
        sign = "in" if line.all else "="
        instead = f"clear all ({board} where it {sign} {told})"
        hint = message("name the board: `{instead}`", instead=instead)
        self.report(line, message("it is not known on which board this lies"), hint)
        return ast.End("turn", span=line.span)

    def find_definition(self, name: str) -> ast.Expr | None:
        return next((one.body for one in self.game.declarations
                     if isinstance(one, ast.Define) and one.name.text == name), None)  # fmt: skip

    def spell_clear(self, line: ast.Clear, places: ast.Expr, board: str) -> ast.Statement:
        markers = self.require_markers(line, board)
        if not markers:
            return ast.End("turn", span=line.span)
        body = tuple(self.empty(marker, HERE, line.span) for marker in markers)
        each = ast.Each(ast.Name(HERE, span=line.span), places, span=line.span)
        return ast.ForEach(each, None, body, "each", called=line, span=line.span)

    def spell_move(self, line: ast.Move, board: str) -> ast.Statement:
        """Where it goes from and to is settled before anything moves."""
        markers = self.require_markers(line, board)
        if not markers:
            return ast.End("turn", span=line.span)
        body = tuple(self.carry(marker, line.span) for marker in markers)
        there = self.name_value(THERE, line.target, body, line.span)
        return evolve(self.name_value(HERE, line.what, (there,), line.span), called=line)

    def carry(self, marker: ast.Variable, span: Span) -> ast.Statement:
        stood = ast.Name(STOOD, span=span)
        put = ast.Becomes(index(marker, THERE, span), stood, span=span)
        body = (self.empty(marker, HERE, span), put)
        return self.name_value(STOOD, index(marker, HERE, span), body, span)

    def name_value(self, name: str, value: ast.Expr, body: tuple[ast.Statement, ...], span: Span) -> ast.ForEach:
        each = ast.Each(ast.Name(name, span=span), wrap_single_value(value), span=value.span)
        return ast.ForEach(each, None, body, "moved", span=span)

    def empty(self, marker: ast.Variable, place: str, span: Span) -> ast.Becomes:
        value = self.start_of(marker, span) or index(marker, place, span)
        return ast.Becomes(index(marker, place, span), value, span=span)

    def start_of(self, marker: ast.Variable, span: Span) -> ast.Expr | None:
        """What it is at the beginning of the game, as it is declared; None: it is told that nobody knows."""
        if marker.start is not None:
            return copy_node(marker.start)
        match marker.type:
            case ast.Optional():
                return ast.Nothing(span=span)
            case ast.TruthType():
                return ast.Truth(False, span=span)
            case ast.PlayerType():
                return ast.Number(1, span=span)
            case ast.RangeType(low):
                return copy_node(low)
            case ast.NamedType(name):
                return self.first_of_type(name, span)
            case _:
                self.refuse_start(marker)
                return None

    def first_of_type(self, name: ast.Name, span: Span) -> ast.Expr | None:
        """The first word, the lowest value, the first place or component."""
        for one in self.game.declarations:
            match one:
                case ast.Values(name=own, items=(first, *_)) if own.text == name.text:
                    return ast.Name(first.name.text, span=span)
                case ast.Values(name=own, range=ast.RangeType(low)) if own.text == name.text:
                    return copy_node(low)
                case ast.Components(name=own) if own.text == name.text:
                    return ast.Item(ast.Number(1, span=span), ast.Name(own.text, span=span), span=span)
                case _:
                    pass
        return None

    def refuse_start(self, marker: ast.Variable) -> None:
        """Told once, where it is declared."""
        instead = text_of_first_line(evolve(marker, type=ast.Optional(marker.type, span=marker.type.span)))
        if all(one.span != marker.span for one in self.found):
            sentence = message("it is not known what `{name}` says of a place where nothing stands",
                               name=marker.name.text)  # fmt: skip
            self.report(marker, sentence, message("let it say `nothing`: `{instead}`", instead=instead))

    def require_markers(self, line: ast.Statement, board: str) -> list[ast.Variable]:
        markers = list_markers(self.game, board)
        if not markers:
            hint = message("declare a marker: `marker piece[{board}]: player or nothing`", board=board)
            self.report(line, message("nothing stands on a `{board}`", board=board), hint)
        return markers

    def report(self, line: ast.Statement | ast.Variable, sentence: Message, hint: Message) -> None:
        self.found.append(Diagnostic("not-a-board", sentence, line.span, hint))


def index(marker: ast.Variable, place: str, span: Span) -> ast.Index:
    return ast.Index(ast.Name(marker.name.text, span=span), (ast.Name(place, span=span),), span=span)


# ---- ahead
# `ahead(s)`: the neighbours of a place in the next row, as player 1 sees a board from row 1, and player 2 from the
# other side; `ahead(s, 2)` two rows on, in a straight line. Takes a game, gives a game in which each is a definition.


AHEAD = "ahead"


def spell_out_ahead(game: ast.Game) -> tuple[ast.Game, list[Diagnostic]]:
    """The very game where nobody asks so, or where the rules call something else so."""
    if any(getattr(getattr(piece, "name", None), "text", None) == AHEAD for piece in game.declarations):
        return game, []
    calls = [node for piece in game.declarations for node in walk(piece)
             if isinstance(node, ast.Call) and node.name.text == AHEAD]  # fmt: skip
    boards = [one for one in game.components if one.board is not None]
    if not calls or not boards:
        return game, []
    span = calls[0].name.span
    if not is_for_two(game) or len(boards) > 1:
        sentence = message("`ahead` is for two players on one board, who sit at its two ends")
        hint = message("define it: `define ahead(s {board}) = neighbours(s) where row = row of s + 1`",
                       board=boards[0].name.text)  # fmt: skip
        return game, [Diagnostic("not-a-board", sentence, span, hint)]
    farther = [node.arguments[1] for node in calls if len(node.arguments) == 2]
    if any(isinstance(one, ast.Number) and one.value < 1 for one in farther):
        return game, []  # refused with its types
    unfit = next((one for one in farther if not isinstance(one, ast.Number)), None)
    if unfit is not None:
        sentence = message("`ahead` needs the number of steps as a number")
        return game, [Diagnostic("asked-too-early", sentence, unfit.span, message("write it out: `ahead(s, 2)`"))]
    steps = {one.value for one in farther if isinstance(one, ast.Number)}
    if len(farther) < len(calls):
        steps.add(1)
    defined = [declare_ahead(boards[0].name.text, span, one) for one in sorted(steps)]
    pieces = tuple(name_farther_calls(piece) for piece in game.declarations) if farther else game.declarations
    return evolve(game, declarations=(*pieces, *defined)), []


def name_definition(steps: int) -> str:
    return AHEAD if steps == 1 else f"{AHEAD} {steps}"  # no name that an author writes


def name_farther_calls(value: Any) -> Any:
    """With `ahead(s, 2)` as a call of the definition for two steps."""
    if isinstance(value, ast.Call) and value.name.text == AHEAD and len(value.arguments) == 2:
        place, steps = value.arguments
        assert isinstance(steps, ast.Number)
        name = evolve(value.name, text=name_definition(steps.value))
        return evolve(value, name=name, arguments=(change_parts(place, name_farther_calls),))
    return change_parts(value, name_farther_calls)


def declare_ahead(board: str, span: Span, steps: int = 1) -> ast.Define:
    def name(text: str) -> ast.Name:
        return ast.Name(text, span=span)

    def number(value: int) -> ast.Number:
        return ast.Number(value, span=span)

    upwards = ast.Compare("=", name("player"), number(1), span=span)
    step = ast.IfElse(upwards, number(steps), ast.Negate(number(steps), span=span), span=span)
    following = ast.Arithmetic("+", ast.Of(name("row"), name("place"), span=span), step, span=span)
    how_far = (number(steps),) if steps > 1 else ()
    beside = ast.Call(name("neighbours"), (name("place"), *how_far), span=span)
    value = ast.Filter(beside, ast.Compare("=", name("row"), following, span=span), span=span)
    parameter = ast.Parameter(name("place"), ast.NamedType(name(board), span=span), span=span)
    return ast.Define(name(name_definition(steps)), (parameter,), value, span=span)
