"""Small tables: those that a rulebook declares, each checked as a rulebook of its own, and smaller ones for rules that
declare none. Takes a game and the size of each of its dimensions, gives it changed.

A dimension is what may be smaller: a list of words, the range of an attribute, copies, a number of cards dealt, an
option, rounds, a number that a definition compares with. Which sizes make sense, whoever plays such tables finds out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from attrs import evolve, frozen

from rulesrun.dsl import ast
from rulesrun.dsl.ast.walk import walk
from rulesrun.dsl.check import check_game
from rulesrun.dsl.expansion.rewriting import replace_nodes
from rulesrun.dsl.flow.checked_game import walk_mentions
from rulesrun.dsl.text.messages import Message, join_messages, message
from rulesrun.dsl.text.source import Span
from rulesrun.dsl.typing.program import BuiltinMeaning, Program, WordMeaning
from rulesrun.dsl.variants.small_tables import build_changed_game, build_small_game

SMALLEST = 2

SizeOf = Callable[[str, int, int], int]
"""For a dimension, its least size and its size in the rules: the size it is to have."""
ShrunkPiece = tuple[
    str, ast.AnyDeclaration
]  # what is different, nearly as one would write it below `small`; the new piece


@frozen
class Dimension:
    name: str
    least: int
    whole: int


@frozen(eq=False)
class Proposal:
    sizes: Mapping[str, int]
    program: Program
    shrunk: tuple[str, ...]
    pieces: tuple[ast.AnyDeclaration, ...]


def find_dimensions(program: Program) -> tuple[Dimension, ...]:
    """All that may be smaller than it is."""
    found: dict[str, Dimension] = {}

    def noted(name: str, least: int, whole: int) -> int:
        if least < whole:
            found.setdefault(name, Dimension(name, least, whole))
        return whole

    for _ in shrink_pieces(program, noted):
        pass
    return tuple(found.values())


def make_proposal(program: Program, players: int, sizes: Mapping[str, int]) -> Proposal | None:
    """The table with these sizes; None when it is the same, or no rules any more."""
    pieces = dict(shrink_pieces(program, lambda name, _, whole: min(sizes.get(name, whole), whole)))
    if not pieces:
        return None
    pieces |= dict(fix_players(program, players))
    changed = change_program(program, tuple(pieces.values()))
    return Proposal(dict(sizes), changed, tuple(pieces), tuple(pieces.values())) if changed is not None else None


def change_program(program: Program, pieces: tuple[ast.AnyDeclaration, ...]) -> Program | None:
    assembled = build_changed_game(program.written, pieces, program.written.span)
    checked = check_game(assembled.game, program.sources) if not assembled.diagnostics else None
    return checked if isinstance(checked, Program) else None


def leave_out_properties(program: Program, made: Proposal, titles: Iterable[str]) -> Proposal | None:
    """Without properties that speak of the size of the whole table."""
    removed = tuple(ast.RemovePiece("property", title, None, span=program.written.span) for title in titles)
    changed = change_program(program, (*made.pieces, *removed))
    said = tuple(message(
        'without the property "{title}", which does not hold at this size',
        title=one.name) for one in removed)
    return Proposal(made.sizes, changed, (*made.shrunk, *said), made.pieces) if changed else None


def shrink_pieces(program: Program, size_of: SizeOf) -> Iterator[ShrunkPiece]:
    """Each piece that becomes smaller."""
    named, dealt, hands = find_words_named(program), find_tables_for_deals(program), find_hand_sizes(program)
    for piece in program.written.declarations:
        match piece:
            case ast.Values(range=None):
                yield from shrink_words(piece, named.get(piece.name.text, set()), size_of)
            case ast.Values(range=ast.RangeType() as within):
                if (shorter := shrink_range(within, f"values {piece.name.text}", size_of)) is not within:
                    yield f"values {piece.name.text}: {format_range(shorter)}", evolve(piece, range=shorter)
            case ast.Components() if not piece.rows:
                yield from shrink_components(piece, size_of)
            case ast.Option(type=ast.RangeType(low=ast.Number(low)), default=ast.Number(default)):
                size = size_of(f"option {piece.name.text}", 0, default - low)
                if size < default - low:
                    yield f"set {piece.name.text} = {low + size}", fix_option(piece, low + size)
            case ast.Setup():
                yield from shrink_deals(piece, size_of)
            case ast.Phase() | ast.Step():
                for whole, name in find_hand_sizes_used(piece, hands):
                    if (size := size_of(name, 1, whole)) < whole:
                        yield say_fewer_times(piece.name.text, size, whole), change_loop_length(piece, whole, size)
            case ast.Table(name=name) if name.text in dealt or is_by_players(piece):
                yield from shrink_entries(piece, size_of)
            case ast.Define(name=name, parameters=(), body=body) if name.text in dealt:
                most = size_of(f"define {name.text}", 1, largest_number(body))
                if (smaller := limit_numbers(body, most)) is not body:
                    yield say_at_most(f"define {name.text}", most), evolve(piece, body=smaller)
            case ast.Define():
                yield from shrink_bounds(piece, size_of)
            case ast.Rounds(count=ast.Number(count)):
                if (size := size_of("rounds", 1, count)) < count:
                    yield f"rounds {size}", evolve(piece, count=ast.Number(size, span=piece.span))
            case ast.Rounds(count=ast.Name() as count) if isinstance(program.names.get(count), BuiltinMeaning):
                if size_of("rounds", 1, 2) < 2:
                    yield "rounds 1", evolve(piece, count=ast.Number(1, span=piece.span))
            case _:
                pass


def say_fewer_times(piece: str, size: int, whole: int) -> Message:
    return message("{piece}: {size} instead of {whole} times", piece=piece, size=size, whole=whole)


def say_at_most(piece: str, most: int) -> Message:
    return message("{piece}: {most} at most", piece=piece, most=most)


def fix_players(program: Program, players: int) -> Iterator[ShrunkPiece]:
    for piece in program.written.declarations:
        if isinstance(piece, ast.Players) and repr(piece.low) != repr(piece.high):
            exactly = ast.Number(players, span=piece.span)
            yield f"players {players}", evolve(piece, low=exactly, high=exactly)


# ---- words and components


def find_words_named(program: Program) -> dict[str, set[str]]:
    """By type, the words that the rules speak of; what examples say does not count."""
    found: dict[str, set[str]] = {}
    for piece in program.written.declarations:
        if isinstance(piece, ast.Example | ast.Words):
            continue
        for node in walk(piece):
            meaning = program.names.get(node)
            if isinstance(meaning, WordMeaning):
                found.setdefault(meaning.type_name, set()).add(meaning.word)
    return found


def shrink_words(piece: ast.Values, named: set[str], size_of: SizeOf) -> Iterator[ShrunkPiece]:
    whole = len(piece.items)
    room = size_of(f"values {piece.name.text}", min(max(SMALLEST, len(named)), whole), whole) - len(named)
    free = [item for item in piece.items if item.name.text not in named][: max(room, 0)]
    kept = tuple(item for item in piece.items if item in free or item.name.text in named)
    if len(kept) < len(piece.items):
        yield f"values {piece.name.text}: {', '.join(item.name.text for item in kept)}", evolve(piece, items=kept)


def shrink_components(piece: ast.Components, size_of: SizeOf) -> Iterator[ShrunkPiece]:
    """Shorter ranges and fewer copies; components that are listed row by row stay as they are."""
    kind, attributes = piece.name.text, []
    told: list[str] = []
    for attribute in piece.attributes:
        within = attribute.type
        if isinstance(within, ast.RangeType):
            shorter = shrink_range(within, f"{attribute.name.text} of {kind}", size_of)
            if shorter is not within:
                told.append(f"{attribute.name.text} {format_range(shorter)}")
                attribute = evolve(attribute, type=shorter)
        attributes.append(attribute)
    copies = piece.copies
    if isinstance(copies, ast.Number) and (size := size_of(f"copies of {kind}", 1, copies.value)) < copies.value:
        copies = ast.Number(size, span=copies.span)
        told.append(message("{size} of each", size=size))
    if told:
        changed = evolve(piece, attributes=tuple(attributes), copies=copies)
        yield join_messages([f"{piece.noun} {kind}", join_messages(told)], ": "), changed


def shrink_range(within: ast.RangeType, name: str, size_of: SizeOf) -> ast.RangeType:
    match within:
        case ast.RangeType(low=ast.Number(low), high=ast.Number(high)) if high - low + 1 > SMALLEST:
            size = size_of(name, SMALLEST, high - low + 1)
            if size < high - low + 1:
                return evolve(within, high=ast.Number(low + size - 1, span=within.high.span))
        case _:
            pass
    return within


def format_range(within: ast.RangeType) -> str:
    low, high = within.low, within.high
    return f"{low.value}..{high.value}" if isinstance(low, ast.Number) and isinstance(high, ast.Number) else ""


# ---- how many are dealt


def find_tables_for_deals(program: Program) -> set[str]:
    """The tables and definitions that say how many are dealt, also by way of others."""
    counts = [
        node.count
        for piece in program.written.declarations
        if isinstance(piece, ast.Setup | ast.Step | ast.Phase)
        for node in walk(piece)
        if isinstance(node, ast.Deal)
    ]
    named = walk_mentions(program.names.get, *counts)
    return {one.name.text for one in named if isinstance(one, ast.Table | ast.Define)}


def shrink_deals(piece: ast.Setup, size_of: SizeOf) -> Iterator[ShrunkPiece]:
    counts, word = deal_counts(piece), format_setup(piece)
    if counts and (most := size_of(f"deals of the {word}", 1, max(counts))) < max(counts):
        fewer = replace_nodes(piece, lambda node: limit_deal(node, most))
        yield message("deals in the {setup}: {most} at most", setup=word, most=most), fewer


def limit_deal(node: ast.Node, most: int) -> ast.Node:
    match node:
        case ast.Deal(count=ast.Number(count)) if count > most:
            return evolve(node, count=ast.Number(most, span=node.count.span))
        case _:
            return node


def shrink_entries(piece: ast.Table, size_of: SizeOf) -> Iterator[ShrunkPiece]:
    whole = max((largest_number(entry.value) for entry in piece.entries), default=1)
    most = size_of(f"table {piece.name.text}", 1, whole)
    fewer = tuple(evolve(entry, value=limit_numbers(entry.value, most)) for entry in piece.entries)
    if any(new.value is not old.value for new, old in zip(fewer, piece.entries, strict=True)):
        yield say_at_most(f"table {piece.name.text}", most), evolve(piece, entries=fewer)


def is_by_players(piece: ast.Table) -> bool:
    """How much there is of something, for each number of players."""
    is_by = len(piece.parameters) == 1 and piece.parameters[0].name.text == "players"
    return is_by and all(isinstance(entry.value, ast.Number) for entry in piece.entries)


def largest_number(value: ast.Expr) -> int:
    """The largest number that an expression may come to by its cases."""
    if isinstance(value, ast.IfElse):
        return max(largest_number(value.then), largest_number(value.otherwise))
    return value.value if isinstance(value, ast.Number) else 1


def limit_numbers(value: ast.Expr, most: int) -> ast.Expr:
    """The same expression, when nothing in it is larger."""
    if isinstance(value, ast.IfElse):
        then, otherwise = limit_numbers(value.then, most), limit_numbers(value.otherwise, most)
        is_same = then is value.then and otherwise is value.otherwise
        return value if is_same else evolve(value, then=then, otherwise=otherwise)
    is_more = isinstance(value, ast.Number) and value.value > most
    return ast.Number(most, span=value.span) if is_more else value


# ---- what is compared


def shrink_bounds(piece: ast.Define, size_of: SizeOf) -> Iterator[ShrunkPiece]:
    """`of_colour(c) >= 5`: as many are not needed where there are fewer."""
    for bound in sorted({bound for node in walk(piece.body) if (bound := compared_bound(node)) is not None}):
        size = size_of(f"{bound} in {piece.name.text}", SMALLEST, bound)
        if size < bound:
            less = replace_nodes(piece, make_bound_change(bound, size))
            yield message(
                "define {name}: {size} instead of {bound}", name=piece.name.text, size=size, bound=bound
            ), less
            return


def compared_bound(node: ast.Node) -> int | None:
    match node:
        case ast.Compare(">=" | ">", _, ast.Number(bound)):
            return bound
        case _:
            return None


def make_bound_change(was: int, now: int) -> Callable[[ast.Node], ast.Node]:
    def lowered(node: ast.Node) -> ast.Node:
        if isinstance(node, ast.Compare) and compared_bound(node) == was:
            return evolve(node, right=ast.Number(now, span=node.right.span))
        return node

    return lowered


def fix_option(piece: ast.Option, value: int) -> ast.Fix:
    return ast.Fix(piece.name, ast.Number(value, span=piece.default.span), span=piece.span)


# ---- how many components each is dealt, and what is done as often: every trick takes one of each hand


def deal_counts(piece: ast.Setup) -> list[int]:
    deals = [node for line in piece.body for node in walk(line) if isinstance(node, ast.Deal)]
    return [deal.count.value for deal in deals if isinstance(deal.count, ast.Number)]


def format_setup(piece: ast.Setup) -> str:
    return "setup round" if piece.each_round else "setup"


def find_hand_sizes(program: Program) -> dict[int, str]:
    """How many each is dealt at most, with the dimension that it belongs to."""
    setups = [piece for piece in program.written.declarations if isinstance(piece, ast.Setup) and deal_counts(piece)]
    return {max(deal_counts(piece)): f"deals of the {format_setup(piece)}" for piece in setups}


def find_hand_sizes_used(piece: ast.Phase | ast.Step, hands: Mapping[int, str]) -> Iterator[tuple[int, str]]:
    """Those of which a loop in the piece lasts as long."""
    for whole, name in hands.items():
        if whole > 1 and any(has_loop_length(node, whole) for node in walk(piece)):
            yield whole, name


def has_loop_length(node: ast.Node, whole: int) -> bool:
    if isinstance(node, ast.Repeat) and node.times is not None:
        return is_number(node.times, whole)
    until = node.until if isinstance(node, ast.Repeat | ast.Turns) else None
    return until is not None and any(is_number(part, whole) for part in walk(until))


def is_number(node: ast.Node, value: int) -> bool:
    return isinstance(node, ast.Number) and node.value == value


def change_loop_length(piece: ast.Phase | ast.Step, whole: int, size: int) -> ast.AnyDeclaration:
    """The piece with loops that last so long instead."""

    def number(node: ast.Node) -> ast.Node:
        return ast.Number(size, span=node.span) if is_number(node, whole) else node

    def loop(node: ast.Node) -> ast.Node:
        if not isinstance(node, ast.Repeat | ast.Turns) or not has_loop_length(node, whole):
            return node
        if isinstance(node, ast.Repeat) and node.times is not None:
            return evolve(node, times=ast.Number(size, span=node.times.span))
        return evolve(node, until=replace_nodes(node.until, number))

    changed: ast.AnyDeclaration = replace_nodes(piece, loop)
    return changed


# ---- declared ones


@frozen(eq=False)
class SmallTable:
    """`changes`: where each piece stands that it says anew."""

    title: str
    span: Span
    program: Program
    changes: tuple[Span, ...]


def check_small_table(program: Program, title: str) -> SmallTable:
    """What is wrong with one was told of the rules that declare it."""
    small = next(one for one in program.game.smalls if one.title == title)
    checked = check_game(build_small_game(program.written, small).game, program.sources)
    assert isinstance(checked, Program)
    return SmallTable(title, small.span, checked, tuple(piece.span for piece in small.pieces))
