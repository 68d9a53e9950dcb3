"""A smaller table for rules that declare none. Takes a game, gives it with fewer words, numbers, copies, rounds.

How small, is one number: at size 2 every list of words has two words and every range two numbers, as far
as the rules do not name more. Whether such a table makes sense is for others to find out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import evolve, frozen

from rulesrun.dsl import ast
from rulesrun.dsl.check import check
from rulesrun.dsl.program import BuiltinMeaning, Program, WordMeaning
from rulesrun.dsl.small import changed_game
from rulesrun.dsl.walk import walk

SMALLEST, LARGEST = 2, 12


@frozen(eq=False)
class Proposal:
    """`shrunk`: what is different, nearly as one would write it below `small`."""

    size: int
    program: Program
    shrunk: tuple[str, ...]
    pieces: tuple[ast.AnyDeclaration, ...]


def proposals(program: Program, players: int) -> Iterator[Proposal]:
    """From the smallest on, those that are rules without errors; until nothing is smaller than in the rules."""
    for size in range(SMALLEST, LARGEST + 1):
        pieces = dict(shrunk_pieces(program, size))
        pieces |= dict(so_many(program, players)) if pieces else {}
        if not pieces:
            return
        changed = changed_program(program, tuple(pieces.values()))
        if changed is not None:
            yield Proposal(size, changed, tuple(pieces), tuple(pieces.values()))


def changed_program(program: Program, pieces: tuple[ast.AnyDeclaration, ...]) -> Program | None:
    assembled = changed_game(program.game, pieces, program.game.span)
    checked = check(assembled.game, program.sources) if not assembled.diagnostics else None
    return checked if isinstance(checked, Program) else None


def leaving_out(program: Program, proposal: Proposal, titles: Iterable[str]) -> Proposal | None:
    """Without properties that speak of the size of the whole table."""
    removed = tuple(ast.RemovePiece("property", title, None, span=program.game.span) for title in titles)
    changed = changed_program(program, (*proposal.pieces, *removed))
    said = tuple(f'without "{one.name}", which does not hold at this size' for one in removed)
    return Proposal(proposal.size, changed, (*proposal.shrunk, *said), proposal.pieces) if changed else None


def shrunk_pieces(program: Program, size: int) -> Iterator[tuple[str, ast.AnyDeclaration]]:
    """Each piece that becomes smaller, with its text."""
    named, dealt = words_named(program), tables_dealt(program)
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
            case ast.Setup(body=body):
                fewer = tuple(fewer_dealt(line, size - 1) for line in body)
                if any(new is not old for new, old in zip(fewer, body, strict=True)):
                    yield f"deals in the setup: {size - 1} at most", evolve(piece, body=fewer)
            case ast.Table(name=name, entries=entries) if name.text in dealt:
                yield from smaller_entries(piece, entries, size - 1)
            case ast.Define(name=name, parameters=(), body=body) if name.text in dealt:
                if (smaller := at_most(body, size - 1)) is not body:
                    yield f"define {name.text}: {size - 1} at most", evolve(piece, body=smaller)
            case ast.Rounds(count=ast.Number(count)) if count > size - 1:
                less = ast.Number(size - 1, span=piece.span)
                yield f"rounds {size - 1}", evolve(piece, count=less)
            case ast.Rounds(count=ast.Name() as count) if isinstance(program.names.get(count), BuiltinMeaning):
                yield "rounds 1", evolve(piece, count=ast.Number(1, span=piece.span))
            case _:
                pass


def so_many(program: Program, players: int) -> Iterator[tuple[str, ast.AnyDeclaration]]:
    for piece in program.game.declarations:
        if isinstance(piece, ast.Players) and repr(piece.low) != repr(piece.high):
            exactly = ast.Number(players, span=piece.span)
            yield f"players {players}", evolve(piece, low=exactly, high=exactly)


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


def tables_dealt(program: Program) -> set[str]:
    """The tables and definitions that say how many are dealt, also by way of others."""
    waiting: list[ast.Node] = [
        node.count
        for piece in program.game.declarations
        if isinstance(piece, ast.Setup | ast.Step)
        for node in walk(piece)
        if isinstance(node, ast.Deal)
    ]
    found: dict[str, None] = {}
    while waiting:
        for part in walk(waiting.pop()):
            meaning = program.names.get(part) if isinstance(part, ast.Name) else None
            if isinstance(meaning, ast.Table | ast.Define) and meaning.name.text not in found:
                found[meaning.name.text] = None
                waiting.append(meaning)
    return set(found)


def fewer_dealt(line: ast.Statement, most: int) -> ast.Statement:
    match line:
        case ast.Deal(count=ast.Number(count)) if count > most:
            return evolve(line, count=ast.Number(most, span=line.count.span))
        case _:
            return line


def smaller_entries(
    piece: ast.Table, entries: tuple[ast.Entry, ...], most: int
) -> Iterator[tuple[str, ast.AnyDeclaration]]:
    fewer = tuple(evolve(entry, value=at_most(entry.value, most)) for entry in entries)
    if any(new.value is not old.value for new, old in zip(fewer, entries, strict=True)):
        yield f"table {piece.name.text}: {most} at most", evolve(piece, entries=fewer)


def at_most(value: ast.Expr, most: int) -> ast.Expr:
    """The same expression, when nothing in it is larger."""
    if isinstance(value, ast.IfElse):
        then, otherwise = at_most(value.then, most), at_most(value.otherwise, most)
        is_same = then is value.then and otherwise is value.otherwise
        return value if is_same else evolve(value, then=then, otherwise=otherwise)
    is_more = isinstance(value, ast.Number) and value.value > most
    return ast.Number(most, span=value.span) if is_more else value


def fixed(piece: ast.Option, value: int) -> ast.Fix:
    return ast.Fix(piece.name, ast.Number(value, span=piece.default.span), span=piece.span)
