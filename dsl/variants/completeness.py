"""Whether a rulebook has what it needs, and has it once. Takes all its pieces, gives findings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulesrun.dsl import ast
from rulesrun.dsl.ast.pieces import PieceKey, key_of
from rulesrun.dsl.diagnostics.diagnostic import Diagnostic, Edit, Related
from rulesrun.dsl.text.articles import with_article
from rulesrun.dsl.text.messages import message
from rulesrun.dsl.text.source import Span

# These have names in name spaces of their own, which are looked through with all other names.
NAMED_ELSEWHERE = (
    ast.Values | ast.Components | ast.Option | ast.Zone | ast.Variable | ast.Memory | ast.Table | ast.Define
    | ast.Phase | ast.Step | ast.Action
)


def check_completeness(declarations: Sequence[ast.AnyDeclaration], whole: Span) -> Iterator[Diagnostic]:
    """That players are needed is found with their types."""
    yield from check_said_twice(declarations)
    if not any(isinstance(piece, ast.Title) for piece in declarations):
        found = Diagnostic(
            "missing-title", message("the game has no title"), whole, message('write `game "…"` below the first line')
        )
        edition = next((piece for piece in declarations if isinstance(piece, ast.Edition)), None)
        end = edition.span.end if edition is not None else 0
        yield found.with_edits(Edit(end, end, "\ngame \"My game\"")) if edition is not None else found


def _join(key: PieceKey, piece: ast.AnyDeclaration, declarations: Sequence[ast.AnyDeclaration]) -> Iterator[Edit]:
    """Without its first line it goes on with the piece above, where that is the other one."""
    above = declarations[declarations.index(piece) - 1]
    if key_of(above) == key and not key.name and not getattr(piece, "notes", ()):
        yield Edit(piece.span.start, piece.span.start + len(key.kind), "")


def check_said_twice(declarations: Sequence[ast.AnyDeclaration]) -> Iterator[Diagnostic]:
    """Of most pieces there can be one; properties and examples are told apart by their titles."""
    first: dict[PieceKey, ast.AnyDeclaration] = {}
    for piece in declarations:
        key = key_of(piece)
        if key is None or isinstance(piece, NAMED_ELSEWHERE) or first.setdefault(key, piece) is piece:
            continue
        related = (Related(message("the first one is here"), first[key].span),)
        if isinstance(piece, ast.Property | ast.Example | ast.Small):
            sentence, hint = (
                message("there is {with_article} already", with_article=with_article(str(key))),
                message("give one of them another title"),
            )
            yield Diagnostic("duplicate-name", sentence, piece.span, hint, related=related)
        elif isinstance(piece, ast.Figure):
            sentence, hint = (
                message("there is {with_article} already", with_article=with_article(str(key))),
                message("give one of them another name"),
            )
            yield Diagnostic("duplicate-name", sentence, piece.name.span, hint, related=related)
        else:
            sentence = message("{key} is written twice", key=key)
            has_lines = isinstance(piece, ast.Setup | ast.Score | ast.Words)
            hint = message("join the two") if has_lines else message("keep one of the two")
            found = Diagnostic("said-twice", sentence, piece.span, hint, related=related)
            yield found.with_edits(*_join(key, piece, declarations)) if has_lines else found.with_replacement("")
