"""Which name stands where, and what each means: of one document, its declarations, labels and small tables included."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import TypeGuard, assert_never

from attrs import define, field, frozen

from rulesrun.dsl import ast
from rulesrun.dsl.ast.boards import is_grid
from rulesrun.dsl.ast.footprint import drop_missing
from rulesrun.dsl.ast.pieces import COMPONENT_WORDS, PROPERTY_WORDS, PieceKey, key_of
from rulesrun.dsl.ast.walk import children, walk
from rulesrun.dsl.expansion.boards import AHEAD
from rulesrun.dsl.expansion.winning import OUTCOME, WINNER
from rulesrun.dsl.symbols.rules_text import RulesText
from rulesrun.dsl.text.keywords import WORDS
from rulesrun.dsl.text.source import Span
from rulesrun.dsl.typing.expressions import infer_expression
from rulesrun.dsl.typing.inference import InferredTypes, infer_declared_types, infer_piece, infer_types
from rulesrun.dsl.typing.name_uses import TEAM_WORDS
from rulesrun.dsl.typing.names import CALLS, Thing, collect_names
from rulesrun.dsl.typing.notebook import Notebook, TooManyComplaints
from rulesrun.dsl.typing.program import (
    AllOf,
    AttributeMeaning,
    BuiltinMeaning,
    ItMeaning,
    Meaning,
    RowMeaning,
    WordMeaning,
)
from rulesrun.dsl.typing.types import Type
from rulesrun.dsl.variants.extend import is_said_line, without_body
from rulesrun.dsl.variants.small_tables import build_small_game

NAME = re.compile(r"[^\W\d]\w*")


@frozen
class Symbol:
    """What a name stands for. `kind`: thing, action, step, phase, line, row, attribute, word, local, label, outcome,
    persona, figure, language, builtin. `owner` tells apart what may be called alike: the type of a word, the place of
    a local.
    """

    kind: str
    name: str
    owner: str = ""


@frozen(eq=False)
class Use:
    """A name where it stands. `declares`: it is what gives the name, with the piece or part that it names."""

    symbol: Symbol
    span: Span
    declares: ast.Node | None = None
    name: ast.Name | None = None

    @property
    def is_told(self) -> bool:
        """Whether people read of it, by its label: of what has a name inside of a piece only of choices."""
        return self.symbol.kind != "local" or isinstance(self.declares, ast.Choice)


@define(eq=False)
class Uses:
    """All names of a document, by their places; of other files of the chain what they declare."""

    own: tuple[Use, ...]
    declared: Mapping[Symbol, Use]
    types: Mapping[ast.Node, Type]
    _starts: list[int] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._starts = [use.span.start for use in self.own]

    def find_use(self, offset: int) -> Use | None:
        """The name at a place; right behind its last letter it counts, too."""
        at = bisect_right(self._starts, offset)
        for use in self.own[max(0, at - 2) : at]:
            if use.span.start <= offset <= use.span.end:
                return use
        return None

    def named(self, symbol: Symbol) -> Iterator[Use]:
        return (use for use in self.own if use.symbol == symbol)


def uses_of(rules: RulesText) -> Uses:
    """As `list_uses`; worked out once for a version."""
    if "uses" not in rules.kept:
        rules.kept["uses"] = list_uses(rules)
    uses: Uses = rules.kept["uses"]
    return uses


def uses_at(rules: RulesText, offset: int) -> Uses:
    """Enough for the name at a place: what stands in its piece, and what the others declare."""
    piece = next((one for one in rules.pieces if one.span.start <= offset <= one.span.end), None)
    if "uses" in rules.kept:
        return uses_of(rules)
    if piece is None:
        return Uses((), {}, {})
    if rules.kept.get("piece of uses") is not piece:
        rules.kept["piece of uses"] = piece
        rules.kept["uses around"] = _list_uses_around(rules, piece)
    uses: Uses = rules.kept["uses around"]
    return uses


def _list_uses_around(rules: RulesText, piece: ast.AnyDeclaration) -> Uses:
    meanings, types = _know_around(rules, piece)
    program = rules.program
    game = program.written if program is not None else rules.game
    declared: dict[Symbol, Use] = {}
    own: list[Use] = []
    for source, parsed in rules.chain:
        reader = _UseReader(rules, source.text, meanings, game)
        for one in _with_smalls_first(parsed.declarations):
            if one is piece:
                whole = _UseReader(rules, source.text, meanings, game)
                whole.read_piece(one)
                own = whole.uses
                reader.uses += own
            else:
                reader.read_head(one)
        declared.update((use.symbol, use) for use in reader.uses if use.declares is not None)
    return Uses(_order_uses(own), declared, types)


def _order_uses(uses: Iterable[Use]) -> tuple[Use, ...]:
    """By place. A name that stands twice in the tree is one: as what it declares, and as what is known."""
    best: dict[tuple[int, int], Use] = {}
    for use in uses:
        place = use.span.start, use.span.end
        other = best.get(place)
        if other is None or (other.declares is None and (use.declares is not None or other.symbol.kind == "unknown")):
            best[place] = use
    return tuple(sorted(best.values(), key=lambda use: use.span.start))


def _with_smalls_first(pieces: Iterable[ast.AnyDeclaration]) -> list[ast.AnyDeclaration]:
    """A small table says anew what the rules say: theirs comes last, and stays."""
    return sorted(pieces, key=lambda piece: not isinstance(piece, ast.Small))


def _know_around(
    rules: RulesText, piece: ast.AnyDeclaration
) -> tuple[Mapping[ast.Node, Meaning], Mapping[ast.Node, Type]]:
    """What the names in a piece mean, and the types of its expressions."""
    program = rules.program
    game = program.written if program is not None else rules.game
    if isinstance(piece, ast.Small):
        game = build_small_game(game, piece).game
        found = infer_types(game, collect_names(game))
        return found.meanings, found.types
    if program is not None:
        return program.names, program.types
    known = _infer_piece(game, piece)
    return known.meanings, known.types


def _infer_piece(game: ast.Game, piece: ast.AnyDeclaration) -> InferredTypes | Notebook:
    """All that is declared, and of the pieces this one, where the rules have it as it is written."""
    names = collect_names(game)
    if not any(one is piece for one in game.declarations):
        return infer_types(game, names)
    book = Notebook(game, names, infer_expression)
    with suppress(TooManyComplaints):
        infer_declared_types(book)
        infer_piece(book, piece)
    return book


def list_uses(rules: RulesText) -> Uses:
    """Also of what cannot be checked: then of all that can be read."""
    meanings: dict[ast.Node, Meaning] = {}
    types: dict[ast.Node, Type] = {}
    program = rules.program
    if program is not None:
        meanings, types = dict(program.names), dict(program.types)
        game = program.written
    else:
        game = rules.game
        _add_meanings(game, meanings, types)
    for small in game.smalls:
        _add_meanings(build_small_game(game, small).game, meanings, types)
    own: list[Use] = []
    declared: dict[Symbol, Use] = {}
    for source, parsed in rules.chain:
        reader = _UseReader(rules, source.text, meanings, game)
        for piece in _with_smalls_first(parsed.declarations):
            reader.read_piece(piece)
        for use in reader.uses:
            if use.declares is not None:
                declared[use.symbol] = use
        own = reader.uses if parsed is rules.own else own
    return Uses(_order_uses(own), declared, types)


def _add_meanings(game: ast.Game, meanings: dict[ast.Node, Meaning], types: dict[ast.Node, Type]) -> None:
    """What pieces of a small table say is said there alone; all else is known already."""
    found = infer_types(game, collect_names(game))
    for name, meaning in found.meanings.items():
        meanings.setdefault(name, meaning)
    for node, type in found.types.items():
        types.setdefault(node, type)


@define(eq=False)
class _UseReader:
    """Goes over one file. `named`: the names that what was met so far gives. `things`, `attributes`: what is declared,
    by name.
    """

    rules: RulesText
    text: str
    meanings: Mapping[ast.Node, Meaning]
    game: ast.Game
    uses: list[Use] = field(factory=list)
    named: dict[ast.Name, tuple[Symbol, ast.Node | None]] = field(factory=dict)
    elements: dict[ast.Node, Symbol] = field(factory=dict)
    things: Mapping[str, Thing] | None = None
    attributes: Mapping[str, Symbol] = field(factory=dict)

    def read_piece(self, piece: ast.AnyDeclaration) -> None:
        match piece:
            case ast.RemovePiece():
                self._read_removal(piece)
            case ast.ChangeRow(row=row, of=of):
                self._add(of, Symbol("thing", of.text))
                self._read_row(row, of.text, declares=row if piece.is_new else None)
            case ast.ChangeLine(line=line):
                self._add(line.name, Symbol("line", line.name.text), line if piece.is_new else None)
                self._read_value(line.value)
            case ast.ChangeLines(kind=kind, name=name):
                if name is not None:
                    self._add(name, Symbol(kind, name.text))
                    self._name_quoted_line(piece)
                self._read_node(piece)
            case ast.Fix(name=name, value=value):
                self._add(name, Symbol("thing", name.text))
                self._read_value(value)
            case ast.Small(pieces=pieces):
                for inner in pieces:
                    self.read_piece(inner)
            case ast.ChangePiece(declaration=declaration):
                self.read_piece(declaration)
            case _:
                self._read_node(piece)

    def _name_quoted_line(self, change: ast.ChangeLines) -> None:
        """The line that is quoted is not checked: its names are what is chosen for the action, or bound in it, which is
        bound in the line that is meant."""
        actions = (one for one in self.game.actions if change.name is not None and one.name.text == change.name.text)
        known = {one.name.text: symbol_of(one) for action in actions for one in action.choices}
        meant = next(self._find_quoted_line(change), change.line)
        bound = (node for node in walk(meant) if isinstance(node, ast.Each))
        quoted = (node for node in walk(change.line) if isinstance(node, ast.Each))
        for node, declared in zip(quoted, bound, strict=True):
            if node.name is not None:
                known[node.name.text] = symbol_of(declared)
        for name in walk(change.line):
            if isinstance(name, ast.Name) and name.text in known:
                self.named[name] = known[name.text], None

    def _find_quoted_line(self, change: ast.ChangeLines) -> Iterator[ast.Node]:
        """As it stands in a file of the chain."""
        key = PieceKey(change.kind, change.name.text if change.name is not None else "")
        for piece in self.rules.list_all_pieces():
            if key_of(piece) == key:
                lines = (node for node in walk(piece) if isinstance(node, ast.Statement | ast.Needs))
                yield from (without_body(line) for line in lines if is_said_line(line, change.line))

    def read_head(self, piece: ast.AnyDeclaration) -> None:
        """What it declares for others to speak of."""
        match piece:
            case ast.ChangeRow(row=row, of=of, is_new=True):
                self._add(row.name, Symbol("row", row.name.text, of.text), row)
            case ast.ChangeLine(line=line, is_new=True):
                self._add(line.name, Symbol("line", line.name.text), line)
            case ast.ChangePiece(declaration=declaration):
                self.read_head(declaration)
            case ast.Score(lines=parts) | ast.Words(items=parts) | ast.Result(outcomes=parts):
                self._read_heads((piece, *parts))
            case ast.Components(name=owner, rows=rows):
                self._read_heads((piece,))
                for row in rows:
                    if row.name is not owner:
                        self._add(row.name, Symbol("row", row.name.text, owner.text), row)
            case _:
                self._read_heads((piece,))

    def _read_heads(self, nodes: Iterable[ast.Node]) -> None:
        for node in nodes:
            for name, symbol, whole in _list_declared_names(node):
                self._add(name, symbol, whole)

    def _read_node(self, root: ast.Node) -> None:
        waiting: list[ast.Node] = [root]
        while waiting:
            node = waiting.pop()
            for name, symbol, whole in _list_declared_names(node):
                self.named.setdefault(name, (symbol, whole))
            self._note_element(node)
            if isinstance(node, ast.Components) and node.board is not None:
                waiting.extend(self._read_board(node, node.board))
                continue
            for child in children(node):
                if _is_unwritten(node) and child is node.name:
                    continue
                if isinstance(child, ast.Name):
                    self._read_name(child)
                elif isinstance(child, ast.RowDecl) and isinstance(node, ast.Components) and child.name is node.name:
                    waiting.extend(drop_missing(child.copies))  # `token Seed: 48`: the kind and its only row are one
                elif isinstance(child, ast.RowDecl) and isinstance(node, ast.Components):
                    self._read_row(child, node.name.text, declares=child)
                else:
                    waiting.append(child)

    def _read_board(self, piece: ast.Components, board: ast.Board) -> Iterator[ast.Node]:
        """Its size, its places where they are written out, what is computed of them."""
        self._read_name(piece.name)
        declared = {row.name: row for row in piece.rows}
        for name in (name for line in board.lines for name in line.names):
            self._add(name, Symbol("row", name.text, piece.name.text), declared.get(name))
        sizes = (one.type for one in piece.attributes if isinstance(one.type, ast.RangeType) and not board.lines)
        yield from (ast.SetOf((ast.Literal((size.high,), span=size.span),), span=size.span) for size in sizes)
        yield from (*piece.computed, *drop_missing(piece.condition))

    def _note_element(self, node: ast.Node) -> None:
        """`the p in players where …`: the name is known in the condition, too, as what the condition is about."""
        match node:
            case ast.Each(name=ast.Name() as name, collection=collection):
                self.elements[collection] = local_symbol(name)
            case ast.Choice(name=name, domain=domain):
                self.elements[domain] = local_symbol(name)
            case ast.Turns(without=names):
                self.named.update((name, (Symbol("action", name.text), None)) for name in names)
            case _:
                pass

    def _read_value(self, value: ast.Expr) -> None:
        if isinstance(value, ast.Name):
            self._read_name(value)
        else:
            self._read_node(value)

    def _read_name(self, name: ast.Name) -> None:
        if name in self.named:
            self._add(name, *self.named[name])
            return
        meaning = self.meanings.get(name)
        if isinstance(meaning, ItMeaning) and name.text != "it" and meaning.element in self.elements:
            self._add(name, self.elements[meaning.element])
            return
        brought = (*TEAM_WORDS, WINNER, OUTCOME, AHEAD)
        match meaning:  # `teams`, `wins` or a board brings it along: it is declared nowhere
            case ast.Define(name=own) | ast.Variable(name=own) | ast.ScoreLine(name=own):
                is_brought = own.text in brought and own.span == meaning.span
            case _:
                is_brought = False
        if is_brought:
            self._add(name, Symbol("builtin", name.text))
            return
        self._add(name, symbol_of(meaning) if meaning is not None else self._find_spelled_out(name.text))

    def _find_spelled_out(self, text: str) -> Symbol:
        """Of a statement that is checked as what it stands for (`roll all cup`) the names have no meaning of their own;
        nothing else is called like what is declared."""
        if self.things is None:
            self.things = collect_names(self.game).things
            self.attributes = {
                one.name.text: Symbol("attribute", one.name.text, thing.name.text)
                for thing in self.things.values() if isinstance(thing, ast.Components) for one in thing.attributes
            }  # fmt: skip
        thing = self.things.get(text)
        if thing is not None:
            return symbol_of(thing)
        if text in CALLS:
            return Symbol("builtin", text)
        return self.attributes.get(text) or Symbol("language" if text in WORDS else "unknown", text)

    def _read_row(self, row: ast.RowDecl, owner: str, declares: ast.Node | None) -> None:
        self._add(row.name, Symbol("row", row.name.text, owner), declares)
        for cell in (*row.cells, row.copies):
            if cell is not None:
                self._read_value(cell)

    def _read_removal(self, piece: ast.RemovePiece) -> None:
        """The name stands as a text in the tree; it is the last word before `of`."""
        words = list(NAME.finditer(self.text, piece.span.start, piece.span.end))
        symbol = _symbol_of_removed(piece)
        if symbol is not None:
            found = next((word for word in words[1:] if word[0] == symbol.name and word[0] != piece.piece), None)
            if found is not None:
                self.uses.append(Use(symbol, Span(piece.span.file, found.start(), found.end())))
        if piece.of is not None:
            self._add(piece.of, Symbol("thing", piece.of.text))

    def _add(self, name: ast.Name, symbol: Symbol, declares: ast.Node | None = None) -> None:
        if unicodedata.normalize("NFC", self.text[name.span.start : name.span.end]) != name.text:
            return  # nobody wrote it: what `line of 3` comes to, the players of `the first p from …`
        if symbol.kind == "local":
            file, _, start = symbol.owner.rpartition(":")
            symbol = Symbol("local", symbol.name, f"{self.rules.path_of(file)}:{start}")
        self.uses.append(Use(symbol, name.span, declares, name))


def _symbol_of_removed(piece: ast.RemovePiece) -> Symbol | None:
    match piece.piece:
        case "row":
            return Symbol("row", piece.name, piece.of.text if piece.of is not None else "")
        case "line" | "action" | "step" | "phase" | "persona" | "figure" as kind:
            return Symbol(kind, piece.name)
        case "words" | "look":
            return Symbol("language", piece.name)
        case kind if kind.startswith("after "):
            return Symbol("action", kind.removeprefix("after "))
        case kind if kind.startswith(PROPERTY_WORDS) or kind in ("property", "example", "small", "game", "players"):
            return None
        case kind if kind in (*COMPONENT_WORDS, "zone", "number", "marker", "memory", "table", "define", "values",
                              "option", "reading"):
            return Symbol("thing", piece.name)
        case _:
            return None


def _list_declared_names(node: ast.Node) -> Iterator[tuple[ast.Name, Symbol, ast.Node]]:
    """The names that a node gives, to itself or to its parts, and the node that each names."""
    match node:
        case (
            ast.Define() | ast.Table() | ast.Zone() | ast.Variable() | ast.Option() | ast.Memory() | ast.Values()
            | ast.Components()
        ):
            yield node.name, Symbol("thing", node.name.text), node
            yield from _list_declared_parts(node)
        case ast.Action() | ast.Step() | ast.Phase() | ast.Persona() | ast.Figure():
            yield node.name, Symbol(type(node).__name__.lower(), node.name.text), node
        case ast.ScoreLine():
            yield node.name, Symbol("line", node.name.text), node
        case ast.Parameter() | ast.Choice():
            yield node.name, local_symbol(node.name), node
        case ast.Each() if node.name is not None:
            yield node.name, local_symbol(node.name), node
        case ast.Deal() if node.alias is not None:
            yield node.alias, local_symbol(node.alias), node
        case ast.Word():
            yield node.name, Symbol("label", node.name.text), node
        case ast.Words():
            yield node.language, Symbol("language", node.language.text), node
        case ast.Outcome():
            yield node.word, Symbol("outcome", node.word.text), node
        case ast.Result():
            yield node.otherwise, Symbol("outcome", node.otherwise.text), node
        case _:
            pass


def _list_declared_parts(thing: ast.Node) -> Iterator[tuple[ast.Name, Symbol, ast.Node]]:
    """The words of a type, the attributes of components."""
    match thing:
        case ast.Option(type=ast.WordsType(words=words)):
            yield from ((word, Symbol("word", word.text, thing.name.text), thing) for word in words)
        case ast.Values(items=items):
            yield from ((item.name, Symbol("word", item.name.text, thing.name.text), item) for item in items)
        case ast.Components(board=board):
            attributes = () if board is not None else thing.attributes
            for part in (one for one in (*attributes, *thing.computed) if not _is_unwritten(one)):
                yield part.name, Symbol("attribute", part.name.text, thing.name.text), part
        case _:
            pass


def _is_unwritten(attribute: ast.Node) -> TypeGuard[ast.AttributeDecl]:
    """The `face` of dice, the `row` and `column` of boards: words of the language, where their range is written."""
    return isinstance(attribute, ast.AttributeDecl) and attribute.name.span == attribute.span


def local_symbol(name: ast.Name) -> Symbol:
    return Symbol("local", name.text, f"{name.span.file}:{name.span.start}")


def is_given_by_board(components: ast.Components, attribute: ast.AttributeDecl) -> bool:
    """The row and the column of a place: nobody wrote them down."""
    return components.board is not None and attribute in components.attributes


def symbol_of(meaning: Meaning) -> Symbol:
    match meaning:
        case ast.Action() | ast.Step() | ast.Phase():
            return Symbol(type(meaning).__name__.lower(), meaning.name.text)
        case ast.ScoreLine(name=name):
            return Symbol("line", name.text)
        case ast.Parameter(name=name) | ast.Choice(name=name):
            return local_symbol(name)
        case ast.Each(name=name):
            return local_symbol(name) if name is not None else Symbol("builtin", "it")
        case ast.Deal(alias=alias):
            return local_symbol(alias) if alias is not None else Symbol("builtin", "it")
        case AllOf(declaration=declaration):
            return Symbol("thing", declaration.name.text)
        case WordMeaning(type_name=type_name, word=word):
            return Symbol("word", word, type_name)
        case AttributeMeaning(attribute=attribute) if _is_unwritten(attribute):
            return Symbol("builtin", attribute.name.text)
        case AttributeMeaning(components=components, attribute=attribute) if is_given_by_board(components, attribute):
            return Symbol("builtin", attribute.name.text)
        case RowMeaning(components=components, row=row) if components.board is not None and not components.rows:
            return Symbol("builtin", row.name.text)
        case AttributeMeaning(components=components, attribute=attribute):
            return Symbol("attribute", attribute.name.text, components.name.text)
        case RowMeaning(components=components, row=row) if row.name.text == components.name.text:
            return Symbol("thing", row.name.text)
        case RowMeaning(components=components, row=row) if is_grid(components):
            return Symbol("builtin", row.name.text)  # a place of a board of so many rows and columns
        case RowMeaning(components=components, row=row):
            return Symbol("row", row.name.text, components.name.text)
        case ItMeaning():
            return Symbol("builtin", "it")
        case BuiltinMeaning(name=name):
            return Symbol("builtin", name)
        case (
            ast.Zone() | ast.Variable() | ast.Option() | ast.Define() | ast.Table() | ast.Memory() | ast.Values()
            | ast.Components()
        ):
            return Symbol("thing", meaning.name.text)
        case _:
            assert_never(meaning)


# ---- labels
# What names are called in other languages, and those that cannot be called otherwise. Of all files of a chain.


def list_labels(rules: RulesText) -> dict[str, dict[str, str]]:
    """By language, or aspect of how it is drawn, and name."""
    labels: dict[str, dict[str, str]] = {}
    for piece in rules.list_all_pieces():
        if isinstance(piece, ast.Words):
            labels.setdefault(piece.language.text, {}).update({word.name.text: word.text for word in piece.items})
    return labels


def list_labels_beside(rules: RulesText, label: Use) -> dict[str, str]:
    """Those of the same block, that one included."""
    blocks = (piece.items for piece in rules.pieces if isinstance(piece, ast.Words))
    return next(({word.name.text: word.text for word in items} for items in blocks if label.declares in items), {})


def is_coordinate(rules: RulesText, symbol: Symbol) -> bool:
    """A place whose name is where it lies: another name would be another place."""
    return symbol.kind == "row" and any(
        isinstance(piece, ast.Components) and piece.name.text == symbol.owner
        and piece.board is not None and bool(piece.attributes)
        for piece in rules.list_all_pieces()
    )
