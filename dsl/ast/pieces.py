"""What a piece of a rulebook is called, and what stands below its first line. Takes declarations, changes none."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve, frozen

from rulesrun.dsl import ast


@frozen
class PieceKey:
    """How a variant points at a piece. `part` is a row, a line, or `header` where what stands below is left alone."""

    kind: str
    name: str
    part: tuple[str, str] | None = None

    def overlaps(self, other: PieceKey) -> bool:
        same_piece = (self.kind, self.name) == (other.kind, other.name)
        return same_piece and (self.part is None or other.part is None or self.part == other.part)

    def __str__(self) -> str:
        piece = f"{self.kind} `{self.name}`" if self.name else f"`{self.kind}`"
        return f"{self.part[0]} `{self.part[1]}`" if self.part and self.part[0] != "header" else piece


def key_of(declaration: ast.AnyDeclaration) -> PieceKey | None:
    """None for what has no name and may stand several times."""
    match declaration:
        case ast.Edition() | ast.VariantOf() | ast.Require():
            return None
        case ast.ChangePiece() | ast.RemovePiece() | ast.ChangeRow() | ast.ChangeLine() | ast.ChangeLines() | ast.Fix():
            return None
        case ast.Title():
            return PieceKey("game", "")
        case ast.Property() | ast.Example() | ast.Small():
            return PieceKey(kind_of(declaration), declaration.title)
        case ast.Words():
            return PieceKey(kind_of(declaration), declaration.language.text)
        case ast.Teams(number=number):
            return PieceKey("teams", "" if number is None else str(number))
        case ast.Players() | ast.Rounds() | ast.Setup() | ast.Score() | ast.Ranking() | ast.Result():
            return PieceKey(kind_of(declaration), "")
        case _:
            return PieceKey(kind_of(declaration), declaration.name.text)


def kind_of(declaration: ast.AnyDeclaration) -> str:
    """The word a piece starts with; one word for what a variant may exchange for each other."""
    match declaration:
        case ast.Components():
            return "component"
        case ast.Option(is_reading=is_reading):
            return "reading" if is_reading else "option"
        case ast.Variable(word=word):
            return word
        case ast.Setup(each_round=each_round):
            return "setup round" if each_round else "setup"
        case ast.Score(when=when):
            return {"round": "score each round", "end": "score at end"}.get(when, "score")
        case ast.Edition():
            return "rules"
        case ast.Title():
            return "game"
        case _:
            return type(declaration).__name__.lower()


PROPERTY_WORDS = ("always", "never", "at end", "after", "can happen", "ends within", "at most", "at least")
COMPONENT_WORDS = ("card", "token", "tile", "piece", "die", "board", "component")


def is_piece_called(declaration: ast.AnyDeclaration, piece: str, name: str) -> bool:
    """Whether `remove PIECE NAME` speaks of this declaration."""
    key = key_of(declaration)
    if key is None or key.name != name:
        return False
    if isinstance(declaration, ast.Property):
        return piece in ("property", declaration.word, opening_words(declaration))
    if isinstance(declaration, ast.Components):
        return piece in COMPONENT_WORDS
    return key.kind == piece


def opening_words(declaration: ast.Property) -> str:
    """The words before its title: `at end of round`, `after pass`."""
    if declaration.word == "at end":
        return f"at end of {declaration.moment}"
    return f"after {declaration.action.text}" if declaration.action is not None else declaration.word


def with_body_of(new: ast.AnyDeclaration, old: ast.AnyDeclaration) -> ast.AnyDeclaration:
    """The new first line above what stood below the old one."""
    match new, old:
        case (ast.Phase() | ast.Step() | ast.Setup()), (ast.Phase() | ast.Step() | ast.Setup()):
            return evolve(new, body=old.body)
        case ast.Action(), ast.Action():
            return evolve(new, needs=old.needs, body=old.body)
        case ast.Components(board=ast.Board(), attributes=(_, *_)), ast.Components():
            return evolve(new, computed=old.computed)
        case ast.Components(board=ast.Board()), ast.Components():
            return evolve(old, span=new.span)
        case ast.Components(), ast.Components():
            return evolve(new, computed=old.computed, rows=old.rows)
        case ast.Option(), ast.Option():
            return evolve(new, sentence=old.sentence)
        case ast.Table(entries=()), ast.Table():
            return evolve(new, entries=old.entries)
        case ast.Score(), ast.Score():
            return evolve(new, lines=old.lines)
        case ast.Example(), ast.Example():
            return evolve(new, lines=old.lines)
        case ast.Small(), ast.Small():
            return evolve(new, pieces=old.pieces)
        case ast.Persona(), ast.Persona():
            return evolve(new, lines=old.lines)
        case ast.Words(), ast.Words():
            return evolve(new, items=old.items)
        case _:
            return new


def has_lines_below(declaration: ast.AnyDeclaration) -> bool:
    """Whether more than the first line belongs to the piece as it is written."""
    match declaration:
        case ast.Phase() | ast.Step() | ast.Setup():
            return bool(declaration.body)
        case ast.Action():
            return bool(declaration.body or declaration.needs)
        case ast.Components():
            return bool(declaration.rows or declaration.computed)
        case ast.Option():
            return declaration.sentence is not None
        case ast.Score() | ast.Example() | ast.Persona():
            return bool(declaration.lines)
        case ast.Small():
            return bool(declaration.pieces)
        case ast.Words():
            return bool(declaration.items)
        case ast.ChangePiece():
            return has_lines_below(declaration.declaration)
        case _:
            return False


def list_rule_cells(declaration: ast.Components) -> Iterator[tuple[ast.AttributeDecl, ast.RowDecl, ast.Expr]]:
    """The rules that stand in a table of components, row by row: their column, their row, what they say."""
    columns = [(at, one) for at, one in enumerate(declaration.attributes) if one.type is None]
    for row in declaration.rows:
        yield from ((one, row, row.cells[at]) for at, one in columns if at < len(row.cells))
