"""The pieces that say what lies on the table before anybody moves: components, zones, variables, definitions."""

from __future__ import annotations

from attrs import frozen

from rulesrun.dsl.ast.expressions import Expr, Name, Node, Text
from rulesrun.dsl.ast.written_types import (
    EitherType,
    NamedType,
    Optional,
    OrderType,
    RangeType,
    RowType,
    SetType,
    TypeExpr,
)
from rulesrun.dsl.text.keywords import ASIDE, BOX


@frozen(kw_only=True, eq=False)
class Declaration(Node):
    """A piece. `notes`: the `##` lines above it."""

    notes: tuple[str, ...] = ()


@frozen(eq=False)
class Edition(Declaration):
    number: int


@frozen(eq=False)
class Title(Declaration):
    title: str


@frozen(eq=False)
class VariantOf(Declaration):
    title: str
    base: Text


@frozen(eq=False)
class Players(Declaration):
    low: Expr
    high: Expr


@frozen(eq=False)
class Teams(Declaration):
    """`teams: 1 and 3, 2 and 4`, `teams for 6: …`: who wins together. `number`: of players; None: as are named."""

    number: int | None
    teams: tuple[tuple[int, ...], ...]

    @property
    def players(self) -> int:
        return self.number if self.number is not None else max(seat for team in self.teams for seat in team)


@frozen(eq=False)
class Rounds(Declaration):
    """`rounds 3`, `rounds until …`; `starter moves left`."""

    count: Expr | None
    until: Expr | None
    moves: str | None  # left | right


@frozen(eq=False)
class Enumerator(Node):
    name: Name
    label: str | None  # how it is written outside: `plus "+"`


@frozen(eq=False)
class Values(Declaration):
    """`values Colour: red, blue`, `values Stand: 1..3`."""

    name: Name
    items: tuple[Enumerator, ...]
    range: RangeType | None


@frozen(eq=False)
class AttributeDecl(Node):
    """`colour Colour`. Computed: `colour Colour = …` on a line of its own. `rule met = …` is `rule`."""

    name: Name
    type: TypeExpr | None  # None: a rule column (truth, asked of a player)
    value: Expr | None

    @property
    def is_step(self) -> bool:
        """`step effect`: a column of steps."""
        return isinstance(self.type, NamedType) and self.type.name.text == "step"


@frozen(eq=False)
class RowDecl(Node):
    """`orange_1_or_3: A, 3, amount(orange) in {1, 3}`: one value a column, rules included."""

    name: Name
    cells: tuple[Expr, ...]
    copies: Expr | None  # `3 of` at its end: `guard: 1, 5 of each`


@frozen(eq=False)
class PlaceLine(Node):
    """`line a1, d1, g1`: places of a board, each beside the next."""

    names: tuple[Name, ...]


@frozen(eq=False)
class Board(Node):
    """How the places of a board hang together: rows and columns, shifted by half a place where it is `hexagonal`; or
    the `lines` that are written out; or so many `rings`, one inside the other, joined in the middle of their sides."""

    is_hexagonal: bool
    lines: tuple[PlaceLine, ...]
    rings: Expr | None = None


@frozen(eq=False)
class Components(Declaration):
    """Cards and their like; with a `board` the places of one, which lie where they are."""

    noun: str  # card | token | tile | piece | board
    name: Name
    attributes: tuple[AttributeDecl, ...]
    computed: tuple[AttributeDecl, ...]
    rows: tuple[RowDecl, ...]
    copies: Expr | None
    condition: Expr | None = None  # `where low <= high`: which combinations exist
    board: Board | None = None


@frozen(eq=False)
class Option(Declaration):
    """`option` and `reading` (`is_reading`, with the `sentence` in doubt)."""

    name: Name
    type: TypeExpr
    default: Expr
    is_reading: bool
    sentence: str | None


@frozen(eq=False)
class Require(Declaration):
    condition: Expr
    because: str | None


@frozen(eq=False)
class SeenBy(Node):
    """`seen by left of player and 2`, `public except player`: who sees it, for each `player` who has one."""

    is_except: bool
    seats: tuple[Expr, ...]


@frozen(eq=False)
class Zone(Declaration):
    name: Name
    keys: tuple[TypeExpr, ...]
    per_player: bool
    kind: str  # pile | row | set | place
    component: Name
    visibility: str | None  # hidden | private | public | public top | seen by
    capacity: Expr | None
    sort_key: Expr | None  # `sorted by rank`
    seen_by: SeenBy | None = None  # for `seen by`
    others: EitherType | None = None  # `pile of Card or Coin`: what may lie there besides

    @property
    def kinds(self) -> tuple[Name, ...]:
        return (self.component, *(self.others.names if self.others is not None else ()))

    @property
    def is_box(self) -> bool:
        """Where faces of dice lie that are not shown: no author writes it."""
        return self.name.text.startswith(BOX)

    @property
    def is_aside(self) -> bool:
        """Where what somebody looks at lies for a moment: no author writes it, and no table has it."""
        return self.name.text.startswith(ASIDE)


@frozen(eq=False)
class Variable(Declaration):
    """`number` (a range) and `marker` (anything else)."""

    word: str  # number | marker
    name: Name
    keys: tuple[TypeExpr, ...]
    per_player: bool
    type: TypeExpr
    start: Expr | None
    reset: str | None  # game (None) | round | turn
    visibility: str  # public | private | hidden | seen by
    clamped: bool
    seen_by: SeenBy | None = None  # for `seen by`
    of_kind: bool = False  # `told of Card`: its one key is that component


@frozen(eq=False)
class Memory(Declaration):
    name: Name
    reset: str | None


@frozen(eq=False)
class Parameter(Node):
    name: Name
    type: TypeExpr

    @property
    def is_set(self) -> bool:
        """Whether it is told several components or values without an order."""
        return isinstance(self.type, SetType)

    @property
    def is_optional(self) -> bool:
        return isinstance(self.type, Optional)

    @property
    def is_order(self) -> bool:
        """Always one, never nothing."""
        return isinstance(self.type, OrderType)

    @property
    def is_list(self) -> bool:
        """Whether it is told several values in their order, or nothing in their place."""
        return isinstance(self.held_type, OrderType | RowType)

    @property
    def held_type(self) -> TypeExpr:
        """Of what it is told when it is not nothing."""
        return self.type.item if isinstance(self.type, Optional) else self.type


@frozen(eq=False)
class Entry(Node):
    """`2: 9`, `3..5: 6`, `otherwise: 5`, or a bare value (keys None: in the order of the first parameter)."""

    keys: tuple[Expr, ...] | None
    is_otherwise: bool
    value: Expr


@frozen(eq=False)
class Table(Declaration):
    name: Name
    parameters: tuple[Parameter, ...]
    entries: tuple[Entry, ...]


@frozen(eq=False)
class Define(Declaration):
    name: Name
    parameters: tuple[Parameter, ...]
    body: Expr

    @property
    def is_written(self) -> bool:
        """Not so where it is what a word of the language comes to."""
        return self.body.span != self.name.span
