"""What a house rule says otherwise than its base, and whether a small table has anything of it.

A small table of which every position was looked at proves nothing of a definition that it never asks for, of an entry
that it never looks up, of a range whose new end it never comes to, of a kind that it replaces by a smaller one, of a
condition that comes to the same there as the one of the base. What is reached is what some random games there have met;
of the rest nothing is known. A kind of piece that is not named here is never reached.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from random import Random
from typing import Any

from attrs import define, evolve, field

from rulesrun.dsl import ast
from rulesrun.dsl.ast.pieces import PieceKey, key_of, kind_of
from rulesrun.dsl.ast.walk import walk
from rulesrun.dsl.contents.rule_parts import CONDITION, FIXED, VALUE, RulePart, find_helpers_in_use, parts_of_piece
from rulesrun.dsl.expansion.rewriting import replace_nodes
from rulesrun.dsl.text.source import Span
from rulesrun.dsl.variants.differences import changed_pieces, find_differences
from rulesrun.interpreter.coverage.coverage import CoverageNotes
from rulesrun.interpreter.explore.changed_expressions import find_untold_changes
from rulesrun.interpreter.explore.never_happened import NeverHappened
from rulesrun.interpreter.explore.random_play import play_at_random
from rulesrun.interpreter.explore.removed_rules import find_unreached_removals, pieces_by_key
from rulesrun.interpreter.model.domains import list_values
from rulesrun.interpreter.model.places import flatten_content
from rulesrun.interpreter.model.values import Slots
from rulesrun.interpreter.play.successors import Successors
from rulesrun.interpreter.reference.table import Table

GAMES = 200
MOST_DECISIONS = 6_000  # of all these games together

COMPARED = (
    ast.Setup | ast.Phase | ast.Step | ast.Action | ast.Define | ast.Table | ast.Score | ast.Components | ast.Rounds
    | ast.Ranking | ast.Result
)  # what happens in a game; of other pieces it is enough that they are met

Pieces = Mapping[PieceKey, ast.AnyDeclaration]


def changed_and_not_reached(base: ast.Game, game: ast.Game, tables: Collection[Table]) -> tuple[NeverHappened, ...]:
    """What the game says otherwise than its base, and none of these tables has met or tells from what the base says."""
    renamed = rename_all(base, find_differences(base, game).renamed)
    before = pieces_by_key(renamed)
    changed = changed_pieces(base, game)
    missing: dict[tuple[str, str], NeverHappened] | None = None
    for table in tables:
        here = {(one.kind, one.name): one for one in Meeting(table, before).missing(changed)}
        missing = here if missing is None else {key: one for key, one in missing.items() if key in here}
    unmet = tuple((missing or {}).values())
    met = [piece for piece in changed if not any(contains(piece.span, one.span) for one in unmet)]
    untold = (one for piece in met for one in untold_changes(before, piece, tables))
    return (*unmet, *untold, *find_unreached_removals(renamed, game, tables))


def untold_changes(before: Pieces, piece: ast.AnyDeclaration, tables: Iterable[Table]) -> Iterator[NeverHappened]:
    """Where it is worded otherwise, and comes to the same at all these tables."""
    key = key_of(piece)
    old = before.get(key) if key is not None else None
    if key is None or old is None or not isinstance(piece, COMPARED):
        return
    there = [
        (table, own) for table in tables
        if (own := pieces_by_key(table.program.game).get(key)) is not None
        and own is pieces_by_key(table.program.written).get(key)
    ]  # fmt: skip
    if isinstance(piece, ast.Define):
        there = [(table, own) for table, own in there if id(own) in find_helpers_in_use(table.program)]
        if not there:
            return  # what properties alone ask for is no rule
    for expression in find_untold_changes(old, piece, there):
        yield NeverHappened("change", f"{kind_of(piece)} {key.name}".strip(), expression.span)


def contains(whole: Span, part: Span) -> bool:
    return whole.file == part.file and whole.start <= part.start and part.end <= whole.end


def rename_all(base: ast.Game, names: Mapping[str, str]) -> ast.Game:
    """The base in the words of the game, where it has other names for the same."""

    def rename(node: ast.Node) -> ast.Node:
        return evolve(node, text=names[node.text]) if isinstance(node, ast.Name) and node.text in names else node

    renamed: ast.Game = replace_nodes(base, rename) if names else base
    return renamed


def said_alike(one: ast.Node | None, other: ast.Node | None) -> bool:
    """Apart from where it stands."""
    return repr(one) == repr(other)


def never(piece: ast.AnyDeclaration) -> NeverHappened:
    key = key_of(piece)
    return NeverHappened(kind_of(piece), key.name if key is not None else "", piece.span)


@define(eq=False)
class Meeting:
    """Random games at one table, and what they meet."""

    table: Table
    before: Pieces
    notes: CoverageNotes = field(init=False)
    own: Pieces = field(init=False)
    values: dict[int, set[Any]] = field(init=False, factory=dict)  # by slot
    ends: int = field(init=False, default=0)

    def missing(self, changed: Iterable[ast.AnyDeclaration]) -> list[NeverHappened]:
        self.own, played = (pieces_by_key(game) for game in (self.table.program.written, self.table.program.game))
        pieces = [(piece, self.own.get(key)) for piece in changed if (key := key_of(piece)) is not None]
        meant = {key_of(piece) for piece, _ in pieces}
        there = [own for key, own in played.items() if key in meant]
        self.play([part for own in there for part in parts_of_piece(self.table.program, own)])
        return [one for piece, own in pieces for one in self.missing_of(piece, own)]

    def play(self, parts: Iterable[RulePart]) -> None:
        self.notes = CoverageNotes(
            {id(part.node): part.role for part in parts if part.role in {VALUE, CONDITION, FIXED}}
        )
        table = self.notes.set_up_table(self.table.program, self.table.players, self.table.options)
        ways, chance, left = Successors(table), Random(0), MOST_DECISIONS
        self.values = {slot: set() for slot in range(len(table.blank))}
        for _ in range(GAMES):
            game = play_at_random(ways, chance, left, self.note_values)
            left -= game.decisions + (game.is_over is None)
            if left <= 0:
                break

    def note_values(self, S: Slots, is_over: bool) -> None:
        self.ends += is_over
        for slot, seen in self.values.items():
            seen.add(S[slot])

    # ---- piece by piece

    def missing_of(self, piece: ast.AnyDeclaration, own: ast.AnyDeclaration | None) -> Iterator[NeverHappened]:
        """`own`: the piece that stands for it at this table."""
        match piece:
            case (
                ast.Edition() | ast.Title() | ast.VariantOf() | ast.Property() | ast.Figure() | ast.Example()
                | ast.Persona()
            ):
                return
            case ast.Small() | ast.Words() | ast.Players() | ast.Teams() | ast.Require():
                return  # they say which tables there are, not what happens at one
            case _ if own is None or not stands(piece, own):
                yield never(piece)
            case ast.Setup() | ast.Phase() | ast.Step() | ast.Action() | ast.Score() | ast.Values() | ast.Memory():
                return  # their statements, lines and conditions are asked for on their own
            case ast.Define():
                is_rule = id(own) in find_helpers_in_use(self.table.program)  # what properties alone ask for is none
                yield from () if self.has_met(own) or not is_rule else (never(piece),)
            case ast.Table():
                yield from self.missing_entries(piece, own)
            case ast.Components():
                yield from self.missing_rows(piece, own)
            case ast.Rounds() | ast.Ranking() | ast.Result():
                yield from () if self.ends and self.has_met(own) else (never(piece),)
            case ast.Variable():
                yield from () if self.comes_to_new_ends(piece) else (never(piece),)
            case ast.Zone():
                yield from () if self.is_used(piece) else (never(piece),)
            case ast.Option():
                yield from () if self.has_new_value(piece) else (never(piece),)
            case _:
                yield never(piece)

    def met(self, part: RulePart) -> bool:
        return id(part.node) in self.notes.done | self.notes.true | self.notes.false

    def has_met(self, own: ast.AnyDeclaration) -> bool:
        """All of it that can be met; a condition that the options decide is no longer asked."""
        return all(self.met(part) for part in parts_of_piece(self.table.program, own))

    def missing_entries(self, piece: ast.Table, own: ast.AnyDeclaration) -> Iterator[NeverHappened]:
        old = self.before.get(PieceKey(kind_of(piece), piece.name.text))
        known = {repr(entry) for entry in old.entries} if isinstance(old, ast.Table) else set()
        for number, part in enumerate(parts_of_piece(self.table.program, own)):
            entry = piece.entries[number]
            if repr(entry) not in known and not self.met(part):
                yield NeverHappened("entry", f"{number + 1} of {piece.name.text}", entry.span)

    def missing_rows(self, piece: ast.Components, own: ast.AnyDeclaration) -> Iterator[NeverHappened]:
        """Rules that stand in rows; the components themselves are there where the kind is."""
        old = self.before.get(PieceKey(kind_of(piece), piece.name.text))
        known = {repr(row) for row in old.rows} if isinstance(old, ast.Components) else set()
        assert isinstance(own, ast.Components)
        rules = {id(part.node): part for part in parts_of_piece(self.table.program, own)}
        for row in own.rows:
            parts = [rules[id(node)] for node in walk(row) if id(node) in rules]
            if repr(row) not in known and not all(map(self.met, parts)):
                yield NeverHappened("row", row.name.text, row.span)

    def comes_to_new_ends(self, piece: ast.Variable) -> bool:
        """Every value that a new range begins or ends with; of other values, all."""
        key = PieceKey(kind_of(piece), piece.name.text)
        old, room = self.before.get(key), self.table.bench.variables[id(self.own[key])]
        if isinstance(old, ast.Variable) and said_alike(old.type, piece.type):
            return True
        seen = set().union(*(self.values[room.base + number] for number in range(room.amount)))
        if room.low is None or room.high is None:
            return set(list_values(self.table.bench, piece.type)) <= seen
        ends = {room.low, room.high}
        was, now = old.type if isinstance(old, ast.Variable) else None, piece.type
        if isinstance(was, ast.RangeType) and isinstance(now, ast.RangeType):
            ends -= {room.low} if said_alike(was.low, now.low) else set()
            ends -= {room.high} if said_alike(was.high, now.high) else set()
        return ends <= seen

    def is_used(self, piece: ast.Zone) -> bool:
        """Whether anything has ever lain there."""
        room = self.table.bench.zones[id(self.own[PieceKey(kind_of(piece), piece.name.text)])]
        slots = range(room.base, room.base + room.amount)
        return any(flatten_content(content) for slot in slots for content in self.values[slot])

    def has_new_value(self, piece: ast.Option) -> bool:
        """An option that is new is told by what asks for it; of one that was there, a value that was none or a default
        that was another."""
        old = self.before.get(PieceKey(kind_of(piece), piece.name.text))
        return not isinstance(old, ast.Option) or said_alike(old.type, piece.type)


def stands(piece: ast.AnyDeclaration, own: ast.AnyDeclaration) -> bool:
    """Whether it is said at a small table as in the game; of a phase, what happens in it, not how often."""
    if isinstance(piece, ast.Phase) and isinstance(own, ast.Phase):
        return repr(piece.body) == repr(own.body)
    return said_alike(piece, own)
