"""What a house rule says otherwise than its base, and what would have to happen at a table that says anything of it.

Takes the base and the game; gives the pieces that were changed, and for the rules of a table what each of them asks of
the games played there: a definition that is asked for, an entry that is looked up, a range whose new end is come to.
A kind of piece that is not named here is never met.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from attrs import evolve, frozen

from rulesrun.dsl import ast
from rulesrun.dsl.ast.pieces import PieceKey, key_of, kind_of
from rulesrun.dsl.ast.walk import walk
from rulesrun.dsl.contents.changed_expressions import Comparison, compare_in, list_compared
from rulesrun.dsl.contents.removed_rules import (
    Pieces,
    RemovedRule,
    SmallBase,
    list_removed_rules,
    make_small_base,
    pieces_by_key,
)
from rulesrun.dsl.contents.rule_parts import CONDITION, FIXED, VALUE, find_helpers_in_use, parts_of_piece
from rulesrun.dsl.expansion.rewriting import replace_nodes
from rulesrun.dsl.text.source import Span
from rulesrun.dsl.typing.program import Program
from rulesrun.dsl.variants.differences import changed_pieces, find_differences

COMPARED = (
    ast.Setup | ast.Phase | ast.Step | ast.Action | ast.Define | ast.Table | ast.Score | ast.Components | ast.Rounds
    | ast.Ranking | ast.Result
)  # what happens in a game; of other pieces it is enough that they are met
SAYS_NO_RULE = (
    ast.Edition | ast.Title | ast.VariantOf | ast.Property | ast.Figure | ast.Example | ast.Persona
    | ast.Small | ast.Words | ast.Players | ast.Teams | ast.Require
)  # also not what says which tables there are
ASKED_INSIDE = ast.Setup | ast.Phase | ast.Step | ast.Action | ast.Score | ast.Values | ast.Memory


@frozen(eq=False)
class Demand:
    """What games of a table must show before it says anything of a changed piece. Told by `kind`, `name`, `span` where
    they do not. `is_possible`: no game can show it here. `parts`: the identities of rule parts that must be reached."""

    kind: str
    name: str
    span: Span
    is_possible: bool = True
    parts: tuple[int, ...] = ()
    needs_end: bool = False  # a game must come to its end
    used_zone: int | None = None  # the identity of a zone in which something must lie
    variable: NewRange | None = None


@frozen(eq=False)
class NewRange:
    """A variable, by its identity, that must come to the ends of its range that are new; without a range, to every
    value."""

    variable: int
    is_low_new: bool = True
    is_high_new: bool = True


@frozen(eq=False)
class ChangedPiece:
    """`changes`: where the expressions stand that are worded otherwise."""

    piece: ast.AnyDeclaration
    key: PieceKey
    changes: tuple[Span, ...]

    @property
    def title(self) -> str:
        return f"{kind_of(self.piece)} {self.key.name}".strip()

    @property
    def span(self) -> Span:
        return self.piece.span

    @property
    def is_definition(self) -> bool:
        return isinstance(self.piece, ast.Define)


@frozen(eq=False)
class RuleChanges:
    """`renamed`: the base in the words of the game. `before`: its pieces."""

    renamed: ast.Game
    game: ast.Game
    before: Pieces
    changed: tuple[ast.AnyDeclaration, ...]
    removed: tuple[RemovedRule, ...]

    def list_demands(self, here: Program) -> list[Demand]:
        """Of the rules of a table."""
        own = pieces_by_key(here.written)
        demands = DemandFinder(here, self.before)
        pieces = [(piece, own.get(key)) for piece in self.changed if (key := key_of(piece)) is not None]
        return [one for piece, there in pieces for one in demands.list_for(piece, there)]

    def list_roles(self, here: Program) -> dict[int, str]:
        """Of the changed pieces in these rules, by the identity of each part how it is noticed that it is reached."""
        meant = {key_of(piece) for piece in self.changed} - {None}
        there = [piece for key, piece in pieces_by_key(here.game).items() if key in meant]
        parts = [part for piece in there for part in parts_of_piece(here, piece)]
        return {id(part.node): part.role for part in parts if part.role in {VALUE, CONDITION, FIXED}}

    def list_worded_otherwise(self) -> Iterator[ChangedPiece]:
        """The changed pieces that the base has, too, and that say what happens in a game."""
        for piece in self.changed:
            key = key_of(piece)
            old = self.before.get(key) if key is not None else None
            if key is not None and old is not None and isinstance(piece, COMPARED):
                yield ChangedPiece(piece, key, tuple(one.new.span for one in list_compared(old, piece)))

    def compare_at(self, here: Program, changed: ChangedPiece) -> list[Comparison] | None:
        """The changes of a piece that these rules have; None where they do not have the piece as it is written. What
        properties alone ask for is no rule."""
        own = pieces_by_key(here.game).get(changed.key)
        if own is None or own is not pieces_by_key(here.written).get(changed.key):
            return None
        if changed.is_definition and id(own) not in find_helpers_in_use(here):
            return None
        return list(compare_in(here, self.before[changed.key], changed.piece, own))

    def make_small_base(self, here: Program) -> SmallBase | None:
        """The base at the sizes of a table; None where it is no rules there."""
        return make_small_base(here, self.renamed, self.game)


def find_rule_changes(base: ast.Game, game: ast.Game) -> RuleChanges:
    renamed = rename_all(base, find_differences(base, game).renamed)
    removed = tuple(list_removed_rules(renamed, game))
    return RuleChanges(renamed, game, pieces_by_key(renamed), changed_pieces(base, game), removed)


def rename_all(base: ast.Game, names: Mapping[str, str]) -> ast.Game:
    """The base in the words of the game, where it has other names for the same."""

    def rename(node: ast.Node) -> ast.Node:
        return evolve(node, text=names[node.text]) if isinstance(node, ast.Name) and node.text in names else node

    renamed: ast.Game = replace_nodes(base, rename) if names else base
    return renamed


# ---- what must be met


@frozen(eq=False)
class DemandFinder:
    program: Program
    before: Pieces

    def list_for(self, piece: ast.AnyDeclaration, own: ast.AnyDeclaration | None) -> Iterator[Demand]:
        """`own`: the piece that stands for it at this table."""
        plain = demand_of(piece)
        match piece:
            case _ if isinstance(piece, SAYS_NO_RULE):
                return
            case _ if own is None or not stands(piece, own):
                yield evolve(plain, is_possible=False)
            case _ if isinstance(piece, ASKED_INSIDE):
                return  # their statements, lines and conditions are asked for on their own
            case ast.Define():
                if id(own) in find_helpers_in_use(self.program):  # what properties alone ask for is no rule
                    yield evolve(plain, parts=self.list_parts(own))
            case ast.Table():
                yield from self.list_entries(piece, own)
            case ast.Components():
                yield from self.list_rows(piece, own)
            case ast.Rounds() | ast.Ranking() | ast.Result():
                yield evolve(plain, parts=self.list_parts(own), needs_end=True)
            case ast.Variable():
                yield from self.list_ranges(piece, own)
            case ast.Zone():
                yield evolve(plain, used_zone=id(own))
            case ast.Option():
                yield from self.list_options(piece)
            case _:
                yield evolve(plain, is_possible=False)

    def list_parts(self, own: ast.AnyDeclaration) -> tuple[int, ...]:
        """All of it that can be met; a condition that the options decide is no longer asked."""
        return tuple(id(part.node) for part in parts_of_piece(self.program, own))

    def find_old(self, piece: ast.AnyDeclaration) -> ast.AnyDeclaration | None:
        key = key_of(piece)
        return self.before.get(key) if key is not None else None

    def list_entries(self, piece: ast.Table, own: ast.AnyDeclaration) -> Iterator[Demand]:
        old = self.find_old(piece)
        known = {repr(entry) for entry in old.entries} if isinstance(old, ast.Table) else set()
        for number, part in enumerate(self.list_parts(own)):
            entry = piece.entries[number]
            if repr(entry) not in known:
                yield Demand("entry", f"{number + 1} of {piece.name.text}", entry.span, parts=(part,))

    def list_rows(self, piece: ast.Components, own: ast.AnyDeclaration) -> Iterator[Demand]:
        """Rules that stand in rows; the components themselves are there where the kind is."""
        old = self.find_old(piece)
        known = {repr(row) for row in old.rows} if isinstance(old, ast.Components) else set()
        assert isinstance(own, ast.Components)
        rules = set(self.list_parts(own))
        for row in own.rows:
            if repr(row) not in known:
                parts = tuple(id(node) for node in walk(row) if id(node) in rules)
                yield Demand("row", row.name.text, row.span, parts=parts)

    def list_ranges(self, piece: ast.Variable, own: ast.AnyDeclaration) -> Iterator[Demand]:
        """Every value that a new range begins or ends with; of other values, all."""
        old = self.find_old(piece)
        was, now = old.type if isinstance(old, ast.Variable) else None, piece.type
        if was is not None and said_alike(was, now):
            return
        new = NewRange(id(own))
        if isinstance(was, ast.RangeType) and isinstance(now, ast.RangeType):
            new = NewRange(id(own), not said_alike(was.low, now.low), not said_alike(was.high, now.high))
        yield evolve(demand_of(piece), variable=new)

    def list_options(self, piece: ast.Option) -> Iterator[Demand]:
        """An option that is new is told by what asks for it; of one that was there, a value that was none or a default
        that was another."""
        old = self.find_old(piece)
        if isinstance(old, ast.Option) and not said_alike(old.type, piece.type):
            yield evolve(demand_of(piece), is_possible=False)


def demand_of(piece: ast.AnyDeclaration) -> Demand:
    key = key_of(piece)
    return Demand(kind_of(piece), key.name if key is not None else "", piece.span)


def said_alike(one: ast.Node | None, other: ast.Node | None) -> bool:
    """Apart from where it stands."""
    return repr(one) == repr(other)


def stands(piece: ast.AnyDeclaration, own: ast.AnyDeclaration) -> bool:
    """Whether it is said at a small table as in the game; of a phase, what happens in it, not how often."""
    if isinstance(piece, ast.Phase) and isinstance(own, ast.Phase):
        return repr(piece.body) == repr(own.body)
    return said_alike(piece, own)
