"""A source → its pieces, its comments, and what is wrong with it.

Each line is read on its own: a mistake in one leaves the others sound.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from itertools import pairwise
from types import MappingProxyType
from typing import Any

from attrs import define, evolve, field, frozen

from rulesrun.dsl import ast
from rulesrun.dsl.ast.boards import make_lined_board
from rulesrun.dsl.ast.moving import move_node
from rulesrun.dsl.diagnostics.diagnostic import Diagnostic, Edit
from rulesrun.dsl.mistakes.stopping_place import Mistake
from rulesrun.dsl.parsing.blocks import (
    Block,
    Comment,
    KnownBlock,
    LineMemory,
    LineReader,
    StatementReader,
    Stretch,
    move_comment,
    read_blocks,
)
from rulesrun.dsl.text.messages import message
from rulesrun.dsl.text.source import Source, Span

MOST_DIAGNOSTICS = 100
MOST_OLD_PIECES = 300
NOTHING_NEW: Mapping[int, tuple[str, Stretch]] = MappingProxyType({})
EDITION = 1
NOT_IN_SMALL = ("rules", "game", "variant", "small", "words", "look", "example")


@frozen
class ParsedFile:
    """`comments`: every `#` comment but the `##` notes that belong to a piece or a score line."""

    declarations: tuple[ast.AnyDeclaration, ...]
    comments: tuple[Comment, ...]
    diagnostics: tuple[Diagnostic, ...]


@frozen(eq=False)
class RememberedPiece:
    """A piece without mistakes, and the comments between its lines that belong to no piece."""

    stretch: Stretch
    piece: ast.AnyDeclaration
    loose_notes: tuple[Comment, ...]


@define(eq=False)
class PieceMemory:
    """The pieces and lines of earlier texts of the same file, by what is written: what an editor did not touch is not
    read again. Only what had no mistakes is remembered, the latest of it.
    """

    pieces: OrderedDict[str, RememberedPiece] = field(factory=OrderedDict)
    moved: dict[str, tuple[int, ast.AnyDeclaration]] = field(factory=dict)  # how far, and the piece there
    lines: LineMemory = field(factory=LineMemory)

    def find_stretch(self, text: str) -> Stretch | None:
        found = self.pieces.get(text)
        return None if found is None else found.stretch

    def take_piece(self, block: KnownBlock, distance: int) -> tuple[ast.AnyDeclaration, RememberedPiece]:
        found = self.pieces[block.text]
        self.pieces.move_to_end(block.text)
        if distance == 0:
            return found.piece, found
        known = self.moved.get(block.text)
        if known is None or known[0] != distance:
            known = self.moved[block.text] = distance, move_node(found.piece, distance)
        return known[1], found

    def keep_piece(self, text: str, piece: RememberedPiece) -> None:
        self.pieces[text] = piece
        self.moved.pop(text, None)

    def forget_oldest(self, pieces: int) -> None:
        """So many pieces stand in the text now."""
        while len(self.pieces) > pieces + MOST_OLD_PIECES:
            forgotten, _ = self.pieces.popitem(last=False)
            self.moved.pop(forgotten, None)


def parse_source(source: Source, memory: PieceMemory | None = None) -> ParsedFile:
    blocks = read_blocks(source, memory.find_stretch if memory is not None else None)
    if blocks.is_refused:
        return ParsedFile((), (), blocks.diagnostics)
    reader = PieceReader(source, memory, {id(stretch.block): (text, stretch) for text, stretch in blocks.new})
    pieces = []
    for block in blocks.top:
        if len(reader.lines.diagnostics) + len(blocks.diagnostics) >= MOST_DIAGNOSTICS:
            break
        piece = reader.read_piece(block)
        if piece is not None:
            pieces.append(piece)
    if memory is not None:
        memory.forget_oldest(len(blocks.top))
    comments = (*blocks.comments, *reader.loose_notes)
    found = (*_check_edition(source, blocks.top, pieces), *blocks.diagnostics, *reader.lines.diagnostics)
    return ParsedFile(
        tuple(pieces),
        tuple(sorted(comments, key=lambda comment: comment.span.start)),
        _limit_diagnostics(_remove_echoes(source, found)),
    )


def _check_edition(source: Source, top: tuple[Block, ...], pieces: list[Any]) -> tuple[Diagnostic, ...]:
    """The first line says which edition of the language the file is written in."""
    hint = message("the first line of a file is `rules {edition}`", edition=EDITION)
    if not top or top[0].words[0].text.lower() != "rules":
        span = Span(source.file, top[0].start, top[0].end) if top else Span(source.file, 0, 0)
        start = int(source.text.startswith("\ufeff"))
        found = Diagnostic("missing-edition", message(
            "the file does not say which edition of the language it uses"
        ), span, hint)
        return (found.with_edits(Edit(start, start, f"rules {EDITION}\n")),)
    editions = [piece for piece in pieces if isinstance(piece, ast.Edition)]
    wrong = [piece for piece in editions[:1] if piece.number != EDITION]
    again = editions[1:]
    return (
        *(
            Diagnostic(
                "unknown-edition", message("there is no edition {number}", number=piece.number), piece.span, hint
            ).with_replacement(f"rules {EDITION}")
            for piece in wrong
        ),
        *(
            Diagnostic("said-twice", message("the edition is written twice"), piece.span, hint).with_replacement("")
            for piece in again
        ),
    )


def _remove_echoes(source: Source, found: tuple[Diagnostic, ...]) -> list[Diagnostic]:
    """In order. Where the next line is indented wrongly, it is no second mistake that nothing stands below this one."""
    ordered = sorted(found, key=lambda diagnostic: diagnostic.span.start)
    echoes = {
        one
        for one, other in pairwise(ordered)
        if one.code == "empty-body"
        and other.code in ("misplaced-statement", "uneven-indentation")
        and not source.text[one.span.end : other.span.start].strip()
    }
    return [one for one in ordered if one not in echoes]


def _limit_diagnostics(ordered: list[Diagnostic]) -> tuple[Diagnostic, ...]:
    if len(ordered) < MOST_DIAGNOSTICS:
        return tuple(ordered)
    last = ordered[MOST_DIAGNOSTICS - 1]
    sentence = message(
        "there are more than {most_diagnostics} mistakes; fix these first", most_diagnostics=MOST_DIAGNOSTICS
    )
    return (*ordered[: MOST_DIAGNOSTICS - 1], Diagnostic("too-many-errors", sentence, last.span))


class PieceReader:
    """Reads the first line of a piece, then what stands below it."""

    def __init__(
        self, source: Source, memory: PieceMemory | None = None, new: Mapping[int, tuple[str, Stretch]] = NOTHING_NEW
    ) -> None:
        """`new`: the stretches to be remembered, by their blocks."""
        self.source = source
        self.memory = memory
        self.new = new
        self.lines = LineReader(source, memory.lines if memory is not None else None)
        self.statements = StatementReader(self.lines)
        self.loose_notes: list[Comment] = []

    def read_piece(self, block: Block) -> ast.AnyDeclaration | None:
        """A piece that stands by itself, with all that belongs to it."""
        known = self._recall(block) if isinstance(block, KnownBlock) else None
        piece = known if known is not None else self._read_and_remember(block)
        return evolve(piece, notes=block.notes) if piece is not None and piece.notes != block.notes else piece

    def _recall(self, block: KnownBlock) -> ast.AnyDeclaration | None:
        assert self.memory is not None
        assert block.stretch is not None
        distance, lines = block.start - block.stretch.start, block.stretch.line
        piece, found = self.memory.take_piece(block, distance)
        number = self.source.line_and_column(block.start)[0]
        self.loose_notes += (move_comment(one, distance, number - lines) for one in found.loose_notes)
        self.lines.above = found.stretch.block
        return piece

    def _read_and_remember(self, block: Block) -> ast.AnyDeclaration | None:
        mistakes, notes = len(self.lines.diagnostics), len(self.loose_notes)
        self._keep_notes_below(block, is_piece=True)
        piece = self._read_whole(block)
        self.lines.above = block
        new = self.new.get(id(block))
        if self.memory is not None and new is not None and piece is not None:
            text, stretch = new
            if len(self.lines.diagnostics) == mistakes:
                self.memory.keep_piece(text, RememberedPiece(stretch, piece, tuple(self.loose_notes[notes:])))
        return piece

    def _read_whole(self, block: Block, *, is_change: bool = False) -> ast.AnyDeclaration | None:
        piece = self.lines.read_line(block, "declaration")
        if piece is None:
            return None
        self.lines.above = block
        whole = evolve(piece, span=self._span_of_block(block))
        if isinstance(whole, ast.ChangePiece):
            inner = self._read_body(evolve(whole.declaration, span=whole.span), block, is_change=True)
            return evolve(whole, declaration=inner, header_only=not block.children)
        return self._read_body(whole, block, is_change=is_change)

    def _keep_notes_below(self, block: Block, *, is_piece: bool) -> None:
        """`##` lines that stand above anything but a piece or a line of a sheet are ordinary comments."""
        words = [word.text for word in block.words[:2]]
        first = words[-1] if words[0] == "change" else words[0]
        for child in block.children:
            if not (is_piece and first == "score"):
                self.loose_notes += child.note_comments
            self._keep_notes_below(child, is_piece=is_piece and first == "small")

    def _span_of_block(self, block: Block) -> Span:
        last = block
        while last.children:
            last = last.children[-1]
        return Span(self.source.file, block.start, max(block.end, last.end))

    def _read_body(self, piece: ast.AnyDeclaration, block: Block, *, is_change: bool) -> ast.AnyDeclaration:
        below = block.children
        match piece:
            case ast.Components(board=ast.Board()):
                return self._read_board(piece, below)
            case ast.Components(rows=(_,)):  # without attributes
                self.lines.require_nothing_below(block)
                return piece
            case ast.Components():
                read = self._read_each_line(below, "component_line")
                rows = tuple(node for node in read if isinstance(node, ast.RowDecl))
                computed = tuple(node for node in read if isinstance(node, ast.AttributeDecl))
                return evolve(piece, rows=rows, computed=computed)
            case ast.Option():
                sentences = self._read_each_line(below, "sentence")
                return evolve(piece, sentence=" ".join(sentences) if sentences else None)
            case ast.Table():
                entries = [entry for line in self._read_each_line(below, "entries") for entry in line]
                return evolve(piece, entries=(*piece.entries, *entries))
            case ast.Setup() | ast.Phase() | ast.Step():
                self._require_body(block, is_change)
                return evolve(piece, body=self.statements.read_body(below))
            case ast.Action():
                needs, body = self.statements.read_action_body(below)
                return evolve(piece, needs=needs, body=body)
            case ast.ChangeLines(place="without"):
                self.lines.require_nothing_below(block)
                return piece
            case ast.ChangeLines():
                self._require_body(block, is_change)
                needs, body = self.statements.read_action_body(below)
                return evolve(piece, needs=needs, body=body)
            case ast.Score():
                self._require_body(block, is_change)
                return evolve(piece, lines=self._read_score_lines(below))
            case ast.Example():
                return evolve(piece, lines=tuple(self._read_each_line(below, "example_line")))
            case ast.Small():
                self._require_body(block, is_change)
                return evolve(piece, pieces=self._read_small_pieces(below))
            case ast.Persona():
                self._require_body(block, is_change)
                return evolve(piece, lines=tuple(self._read_each_line(below, "persona_line")))
            case ast.Words():
                return evolve(piece, items=tuple(self._read_each_line(below, "words_line")))
            case _:
                self.lines.require_nothing_below(block)
                return piece

    def _read_board(self, piece: ast.Components, below: list[Block]) -> ast.Components:
        read = self._read_each_line(below, "board_line")
        lines = tuple(node for node in read if isinstance(node, ast.PlaceLine))
        computed = tuple(node for node in read if isinstance(node, ast.AttributeDecl))
        if lines and piece.attributes:
            sentence = message("a board with a size has all its lines")
            hint = message("remove the size, or the lines that are written out")
            self.lines.report(Mistake("unexpected-word", sentence, lines[0].span.start, lines[0].span.end, hint))
            return piece
        return make_lined_board(piece, lines, computed) if lines else evolve(piece, computed=computed)

    def _require_body(self, block: Block, is_change: bool) -> None:
        if not block.children and not is_change:
            hint = message("write its lines below it, indented by two spaces")
            self.lines.report(
                Mistake("empty-body", message("nothing follows below this line"), block.start, block.end, hint)
            )

    def _read_small_pieces(self, blocks: list[Block]) -> tuple[ast.AnyDeclaration, ...]:
        pieces = []
        for block in blocks:
            if block.words[0].text in NOT_IN_SMALL:
                sentence = message("`{words}` cannot stand below `small`", words=block.words[0].text)
                hint = message("a small table says which pieces are different there")
                self.lines.report(Mistake("misplaced-piece", sentence, block.start, block.end, hint))
                continue
            piece = self._read_whole(block, is_change=True)
            if piece is not None:
                pieces.append(piece)
        return tuple(pieces)

    def _read_score_lines(self, blocks: list[Block]) -> tuple[ast.ScoreLine, ...]:
        lines = []
        for block in blocks:
            line = self.lines.read_line(block, "score_line")
            self.lines.require_nothing_below(block)
            if line is not None:
                lines.append(evolve(line, notes=block.notes))
        return tuple(lines)

    def _read_each_line(self, blocks: list[Block], kind: str) -> list[Any]:
        nodes = []
        for block in blocks:
            node = self.lines.read_line(block, kind)
            self.lines.require_nothing_below(block)
            if node is not None:
                nodes.append(node)
        return nodes
