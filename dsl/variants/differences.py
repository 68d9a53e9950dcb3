"""What one rulebook says otherwise than another: two games in, differences piece by piece out.

Pieces are compared as they are meant, laid out alike; where names alone were changed, that is said once, as a renaming.
Notes, comments and labels are no rules and are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher

from attrs import define, evolve, field, frozen

from rulesrun.dsl import ast
from rulesrun.dsl.ast.pieces import kind_of
from rulesrun.dsl.ast.walk import walk
from rulesrun.dsl.format.pieces import format_piece

TOKEN = re.compile(r'"[^"\n]*"|[^\W\d]\w*|\d+|\S')
NAME = re.compile(r"[^\W\d]\w*\Z")
SILENT = (ast.Edition, ast.Title, ast.VariantOf, ast.Words, ast.Small)


@frozen
class Difference:
    """`what`: `phase exchanges`. Lines that only one of the two has. `lines`: the same in their order, each with `-`
    or `+`, and with a blank those of both that they stand under."""

    word: str  # added | removed | changed
    what: str
    old: tuple[str, ...]
    new: tuple[str, ...]
    lines: tuple[tuple[str, str], ...] = ()

    @property
    def is_rule(self) -> bool:
        """Examples and properties speak of rules, they are none."""
        return self.what.split()[0] not in {"example", "property"}


@frozen
class Differences:
    pieces: tuple[Difference, ...]
    renamed: Mapping[str, str]  # the name in the base → the name in the other


@define
class PieceText:
    kind: str
    name: str
    lines: tuple[str, ...]

    @property
    def key(self) -> tuple[str, str]:
        return self.kind, self.name

    @property
    def tokens(self) -> list[str]:
        return TOKEN.findall("\n".join(self.lines))

    @property
    def title(self) -> str:
        return f"{self.kind} {self.name}".strip()


def find_differences(base: ast.Game, other: ast.Game) -> Differences:
    olds, news = list_pieces(base), list_pieces(other)
    renaming = Renaming(names_in(olds), names_in(news), declared_names(base), declared_names(other))
    for old, new in pair_candidates(olds, news):
        renaming.learn_names(old, new)
    told = renaming.mapping
    renamed = [rename_piece(piece, told) for piece in olds]
    return Differences(tuple(compare_pieces(renamed, news)), told)


def list_pieces(game: ast.Game) -> list[PieceText]:
    found: list[PieceText] = []
    for number, piece in enumerate(one for one in game.declarations if not isinstance(one, SILENT)):
        lines = tuple("  " * row.depth + row.text for row in format_piece(piece) if not row.text.startswith("#"))
        found.append(PieceText(kind_of(piece), name_of_piece(piece, number), lines))
    return found


def name_of_piece(piece: ast.AnyDeclaration, number: int) -> str:
    if isinstance(piece, (ast.Property, ast.Example)):
        return f'"{piece.title}"'
    name = getattr(piece, "name", None)
    if isinstance(name, ast.Name):
        return name.text
    return f"at {number}" if isinstance(piece, ast.Require) else ""


def names_in(pieces: Sequence[PieceText]) -> set[str]:
    return {token for piece in pieces for token in piece.tokens if NAME.match(token)}


def declared_names(game: ast.Game) -> set[str]:
    """The names that its author gave: all others are words of the language, and no two of those mean the same."""
    return {name.text for piece in game.declarations for node in walk(piece) for name in list_given_names(node)}


def list_given_names(node: ast.Node) -> Iterator[ast.Name]:
    match node:
        case (
            ast.Values() | ast.Enumerator() | ast.Components() | ast.AttributeDecl() | ast.RowDecl() | ast.Option()
            | ast.Zone() | ast.Variable() | ast.Memory() | ast.Parameter() | ast.Table() | ast.Define() | ast.Phase()
            | ast.Step() | ast.Action() | ast.Choice() | ast.ScoreLine() | ast.Figure() | ast.Persona()
        ):
            yield node.name
        case ast.Each(name=ast.Name() as name) | ast.Deal(alias=ast.Name() as name) | ast.Outcome(word=name):
            yield name
        case ast.Result(otherwise=name):
            yield name
        case ast.PlaceLine(names=names) | ast.WordsType(words=names):
            yield from names
        case _:
            pass


def pair_candidates(olds: Sequence[PieceText], news: Sequence[PieceText]) -> Iterator[tuple[PieceText, PieceText]]:
    """What may be the same piece: of one name; then, of one kind, those that are left, in their order."""
    by_key = {piece.key: piece for piece in news}
    yield from ((old, by_key[old.key]) for old in olds if old.key in by_key)
    own = {piece.key for piece in olds}
    for kind in dict.fromkeys(piece.kind for piece in olds):
        lost = [piece for piece in olds if piece.kind == kind and piece.key not in by_key]
        found = [piece for piece in news if piece.kind == kind and piece.key not in own]
        yield from ((old, new) for old in lost for new in found)


@define
class Renaming:
    """A name may stand for another only if an author gave both, and neither stands in the other rulebook at all."""

    olds: set[str]
    news: set[str]
    given_by_old: set[str]
    given_by_new: set[str]
    mapping: dict[str, str] = field(factory=dict)

    def learn_names(self, old: PieceText, new: PieceText) -> None:
        """When the two differ in such names alone."""
        left, right = old.tokens, new.tokens
        if len(left) != len(right):
            return
        tried, back = dict(self.mapping), {new: old for old, new in self.mapping.items()}
        for one, other in zip(left, right, strict=True):
            if one == other or (one.startswith('"') and other.startswith('"')):
                continue
            is_given = one in self.given_by_old and other in self.given_by_new
            is_free = is_given and one not in self.news and other not in self.olds
            if not is_free or tried.setdefault(one, other) != other or back.setdefault(other, one) != one:
                return
        self.mapping = tried


def rename_piece(piece: PieceText, names: Mapping[str, str]) -> PieceText:
    if not names:
        return piece

    def other(found: re.Match[str]) -> str:
        return names.get(found[0], found[0])

    lines = tuple(TOKEN.sub(other, line) for line in piece.lines)
    return PieceText(piece.kind, names.get(piece.name, piece.name), lines)


def compare_pieces(olds: Sequence[PieceText], news: Sequence[PieceText]) -> Iterator[Difference]:
    by_key = {piece.key: piece for piece in news}
    own = {piece.key: piece for piece in olds}
    texts = {rule_tokens(piece) for piece in news}, {rule_tokens(piece) for piece in olds}
    for old in olds:
        new = by_key.get(old.key)
        if new is None and rule_tokens(old) not in texts[0]:
            yield Difference("removed", old.title, old.lines, ())
        elif new is not None and rule_tokens(new) != rule_tokens(old):
            yield Difference(
                "changed", old.title, subtract_lines(old.lines, new.lines), subtract_lines(new.lines, old.lines),
                tuple(mark_lines(old.lines, new.lines)),
            )
    for new in news:
        if new.key not in own and rule_tokens(new) not in texts[1]:
            yield Difference("added", new.title, (), new.lines)


def rule_tokens(piece: PieceText) -> tuple[str, ...]:
    """Reasons and titles in quotes change nothing."""
    return tuple('""' if token.startswith('"') else token for token in piece.tokens)


def subtract_lines(lines: Sequence[str], others: Sequence[str]) -> tuple[str, ...]:
    kept = list(others)
    found = []
    for line in lines:
        if line in kept:
            kept.remove(line)
        else:
            found.append(line)
    return tuple(found)


def mark_lines(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[str, str]]:
    """What was taken out, what was put in, and before it the lines it stands under: an `if`, a loop. The first line,
    which the title says, is left out."""
    said: set[tuple[int, str]] = set()

    def around(lines: Sequence[str], at: int) -> Iterator[tuple[str, str]]:
        outer = []
        depth = depth_of(lines[at])
        for number in range(at - 1, 0, -1):
            if depth_of(lines[number]) < depth:
                depth = depth_of(lines[number])
                outer.append((number, lines[number]))
        for number, line in reversed(outer):
            if (number, line) not in said:
                said.add((number, line))
                yield " ", line

    for word, first, last, start, end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if word == "equal":
            continue
        for at in range(first, last):
            yield from around(old, at)
            said.add((at, old[at]))
            yield "-", old[at]
        for at in range(start, end):
            yield from around(new, at)
            said.add((at, new[at]))
            yield "+", new[at]


def depth_of(line: str) -> int:
    return len(line) - len(line.lstrip())


def changes_knowledge_only(base: ast.Game, other: ast.Game) -> bool:
    """Whether the two differ in what players see, and in nothing else: then players who look at nothing play alike."""
    pieces = find_differences(base, other)
    if pieces.renamed or not any(one.is_rule for one in pieces.pieces):
        return False
    shown = [evolve(game, declarations=tuple(map(show_all, game.declarations))) for game in (base, other)]
    return not any(one.is_rule for one in find_differences(shown[0], shown[1]).pieces)


def show_all(piece: ast.AnyDeclaration) -> ast.AnyDeclaration:
    """The piece as if everybody saw what it is about."""
    match piece:
        case ast.Zone():
            return evolve(piece, visibility="public")
        case ast.Variable():
            return evolve(piece, visibility="public")
        case ast.Action():
            return evolve(piece, secret=False)
        case _:
            return piece


def changed_pieces(base: ast.Game, other: ast.Game) -> tuple[ast.AnyDeclaration, ...]:
    """The pieces of the other game that the base does not have, or says otherwise; where only names differ, none."""
    changed = {one.what for one in find_differences(base, other).pieces if one.word != "removed"}
    spoken = [piece for piece in other.declarations if not isinstance(piece, SILENT)]
    titles = [f"{kind_of(piece)} {name_of_piece(piece, number)}".strip() for number, piece in enumerate(spoken)]
    return tuple(piece for piece, title in zip(spoken, titles, strict=True) if title in changed)
