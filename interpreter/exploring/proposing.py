"""A smaller table for rules that declare none. Takes a game, gives it with fewer words, numbers, copies, rounds.

How small, is one number: at size 2 every list of words has two words and every range two numbers, as far
as the rules do not name more. Whether such a table makes sense is for others to find out.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve, frozen

from rulesrun.dsl import ast
from rulesrun.dsl.check import check
from rulesrun.dsl.program import BuiltinMeaning, Program, WordMeaning
from rulesrun.dsl.small import changed_game
from rulesrun.dsl.walk import walk

SMALLEST, LARGEST = 2, 12


@frozen(eq=False)
class Proposal:
    """`shrunk`: what is different, as one would write it below `small`."""

    size: int
    program: Program
    shrunk: tuple[str, ...]


def proposals(program: Program) -> Iterator[Proposal]:
    """From the smallest on, those that are rules without errors; until nothing is smaller than in the rules."""
    for size in range(SMALLEST, LARGEST + 1):
        pieces = dict(shrunk_pieces(program, size))
        if not pieces:
            return
        assembled = changed_game(program.game, pieces.values(), program.game.span)
        checked = check(assembled.game, program.sources) if not assembled.diagnostics else None
        if isinstance(checked, Program):
            yield Proposal(size, checked, tuple(pieces))


def shrunk_pieces(program: Program, size: int) -> Iterator[tuple[str, ast.AnyDeclaration]]:
    """Each piece that becomes smaller, with its text."""
    named = words_named(program)
    for piece in program.game.declarations:
        match piece:
            case ast.Values(items=items) if len(items) > size:
                yield from fewer_words(piece, named.get(piece.name.text, set()), size)
            case ast.Components():
                yield from fewer_components(piece, size)
            case ast.Option(type=ast.RangeType(low=ast.Number(low)), default=ast.Number(default)):
                least = low + size - SMALLEST
                if default > least:
                    yield f"set {piece.name.text} = {least}", fixed(piece, least)
            case ast.Rounds(count=ast.Number(count)) if count > size - 1:
                less = ast.Number(size - 1, span=piece.span)
                yield f"rounds {size - 1}", evolve(piece, count=less)
            case ast.Rounds(count=ast.Name() as count) if isinstance(program.names.get(count), BuiltinMeaning):
                yield "rounds 1", evolve(piece, count=ast.Number(1, span=piece.span))
            case _:
                pass


def words_named(program: Program) -> dict[str, set[str]]:
    """By type, the words that the rules speak of; what examples say does not count."""
    found: dict[str, set[str]] = {}
    for piece in program.game.declarations:
        if isinstance(piece, ast.Example | ast.Words):
            continue
        for node in walk(piece):
            meaning = program.names.get(node) if isinstance(node, ast.Name) else None
            if isinstance(meaning, WordMeaning):
                found.setdefault(meaning.type_name, set()).add(meaning.word)
    return found


def fewer_words(piece: ast.Values, named: set[str], size: int) -> Iterator[tuple[str, ast.AnyDeclaration]]:
    room = max(size - len(named), 0)
    free = [item for item in piece.items if item.name.text not in named][:room]
    kept = tuple(item for item in piece.items if item in free or item.name.text in named)
    if len(kept) < len(piece.items):
        yield f"values {piece.name.text}: {', '.join(item.name.text for item in kept)}", evolve(piece, items=kept)


def fewer_components(piece: ast.Components, size: int) -> Iterator[tuple[str, ast.AnyDeclaration]]:
    """Shorter ranges and fewer copies; components that are listed row by row stay as they are."""
    if piece.rows or piece.computed:
        return
    told, attributes = [], []
    for attribute in piece.attributes:
        match attribute.type:
            case ast.RangeType(low=ast.Number(low), high=ast.Number(high)) if high - low + 1 > size:
                shorter = evolve(attribute.type, high=ast.Number(low + size - 1, span=attribute.span))
                attributes.append(evolve(attribute, type=shorter))
                told.append(f"{attribute.name.text} {low}..{low + size - 1}")
            case _:
                attributes.append(attribute)
    copies = piece.copies
    if isinstance(copies, ast.Number) and copies.value > size:
        copies = ast.Number(size, span=copies.span)
        told.append(f"{size} of each")
    if told:
        changed = evolve(piece, attributes=tuple(attributes), copies=copies)
        yield f"{piece.noun} {piece.name.text}: {', '.join(told)}", changed


def fixed(piece: ast.Option, value: int) -> ast.Fix:
    return ast.Fix(piece.name, ast.Number(value, span=piece.default.span), span=piece.span)
