"""What stands beside the rules (personas, labels, small tables, the changes of a variant), and whole files."""

from __future__ import annotations

from typing import TypeVar

from attrs import frozen

from rulesrun.dsl.ast.examples import Example
from rulesrun.dsl.ast.expressions import Each, Expr, Name, Node, Number
from rulesrun.dsl.ast.flow_pieces import (
    Action,
    Choice,
    Criterion,
    Figure,
    Needs,
    Outcome,
    Phase,
    Property,
    Ranking,
    Result,
    Score,
    ScoreLine,
    Setup,
    Step,
)
from rulesrun.dsl.ast.statements import Branch, Order, Statement
from rulesrun.dsl.ast.table_pieces import (
    AttributeDecl,
    Components,
    Declaration,
    Define,
    Edition,
    Entry,
    Enumerator,
    Memory,
    Option,
    Parameter,
    Players,
    Require,
    Rounds,
    RowDecl,
    SeenBy,
    Table,
    Teams,
    Title,
    Values,
    Variable,
    VariantOf,
    Zone,
)
from rulesrun.dsl.text.looks import ASPECTS, fits_aspect

_Piece = TypeVar("_Piece", bound=Declaration)


@frozen(eq=False)
class Preference(Node):
    """`prefer exchange when rank of give > 5`, `avoid pass`: what a persona likes to do."""

    word: str  # prefer | avoid
    action: Name
    when: Expr | None


@frozen(eq=False)
class Persona(Declaration):
    """`persona cautious`: a way to play, to be seated at the table."""

    name: Name
    lines: tuple[Preference, ...]


@frozen(eq=False)
class Word(Node):
    name: Name
    text: str


@frozen(eq=False)
class Words(Declaration):
    """`words ru`: names of things in a language."""

    language: Name
    items: tuple[Word, ...]


@frozen(eq=False)
class Look(Words):
    """`look colours`, `look symbols`, `look layout`: how things are drawn. As `words`, it is for people alone: nothing
    of a game follows from it."""


@frozen(eq=False)
class Small(Declaration):
    """`small "two colours"`: a table small enough to be looked at whole. Its pieces replace those of the same name."""

    title: str
    pieces: tuple[AnyDeclaration, ...]


@frozen(eq=False)
class ChangePiece(Declaration):
    """`change phase exchanges: turns …`. Without indented lines the old body stays (`header_only`)."""

    declaration: AnyDeclaration
    header_only: bool


@frozen(eq=False)
class RemovePiece(Declaration):
    """`remove action pass`, `remove always "…"`, `remove row most_pink of Goal`, `remove line bonus of score`."""

    piece: str
    name: str
    of: Name | None


@frozen(eq=False)
class ChangeRow(Declaration):
    """`change row x of Goal: …`, `add row x of Goal: …`."""

    is_new: bool
    row: RowDecl
    of: Name


@frozen(eq=False)
class ChangeLine(Declaration):
    """`change line bonus: …`, `add line bonus: …`: a line of the score."""

    is_new: bool
    line: ScoreLine


@frozen(eq=False)
class ChangeLines(Declaration):
    """`change action ask, after move wanted to books`, and lines below: one line of a piece is changed."""

    kind: str  # action | step | phase | setup | setup round
    name: Name | None
    place: str  # after | before | in place of | without
    line: Statement | Needs | Branch  # as it stands there, without what stands below it
    needs: tuple[Needs, ...] = ()
    body: tuple[Statement, ...] = ()


@frozen(eq=False)
class Fix(Declaration):
    """`set first_game = yes`: another default for an option of the base."""

    name: Name
    value: Expr


AnyDeclaration = (
    Edition | Title | VariantOf | Players | Teams | Rounds | Values | Components | Option | Require | Zone | Variable
    | Memory | Table | Define | Setup | Phase | Step | Action | Score | Ranking | Result | Figure | Property | Example
    | Small | Persona | Words | Look | ChangePiece | RemovePiece | ChangeRow | ChangeLine
    | ChangeLines | Fix
)


Part = (
    Each | Branch | Order | Choice | Needs | ScoreLine | Criterion | Outcome | Enumerator | AttributeDecl | RowDecl
    | Parameter | Entry | Preference | Word | SeenBy
)
"""What stands only inside of pieces, statements and expressions."""



@frozen(eq=False)
class File(Node):
    """One file as read."""

    declarations: tuple[AnyDeclaration, ...]


@frozen(eq=False)
class Game(Node):
    """A whole rulebook: one file, or a base with its variants applied."""

    title: str
    file: str  # the name of the file that was asked for
    base: str | None
    declarations: tuple[AnyDeclaration, ...]
    smalls: tuple[Small, ...] = ()

    def pieces(self, kind: type[_Piece]) -> list[_Piece]:
        """What it declares of this kind, in the order of the file."""
        return [one for one in self.declarations if isinstance(one, kind)]

    @property
    def player_counts(self) -> range | None:
        """How many may play; None where that is not said in numbers."""
        for one in self.pieces(Players):
            if isinstance(one.low, Number) and isinstance(one.high, Number):
                return range(one.low.value, one.high.value + 1)
        return None

    @property
    def actions(self) -> list[Action]:
        return self.pieces(Action)

    @property
    def components(self) -> list[Components]:
        return self.pieces(Components)

    @property
    def examples(self) -> list[Example]:
        return self.pieces(Example)

    @property
    def options(self) -> list[Option]:
        return self.pieces(Option)

    @property
    def personas(self) -> list[Persona]:
        return self.pieces(Persona)

    @property
    def phases(self) -> list[Phase]:
        return self.pieces(Phase)

    @property
    def properties(self) -> list[Property]:
        return self.pieces(Property)

    @property
    def scores(self) -> list[Score]:
        return self.pieces(Score)

    @property
    def setups(self) -> list[Setup]:
        return self.pieces(Setup)

    @property
    def steps(self) -> list[Step]:
        return self.pieces(Step)

    @property
    def variables(self) -> list[Variable]:
        return self.pieces(Variable)

    @property
    def words(self) -> list[Words]:
        """Its labels, language by language; not what it says of how things are drawn."""
        return [one for one in self.pieces(Words) if type(one) is Words]

    @property
    def zones(self) -> list[Zone]:
        return self.pieces(Zone)

    @property
    def languages(self) -> frozenset[str]:
        """Those that it has words for."""
        return frozenset(one.language.text for one in self.words)

    def list_labels(self, language: str) -> dict[str, str]:
        """What its names are called there; a variant's own come after those of its base, and win."""
        return {word.name.text: word.text for one in self.words if one.language.text == language for word in one.items}

    def list_looks(self) -> dict[str, dict[str, str]]:
        """By aspect and name, what can be drawn; a later hint for a name wins."""
        found: dict[str, dict[str, str]] = {}
        for look in self.pieces(Look):
            aspect = look.language.text
            if aspect in ASPECTS:
                hints = {word.name.text: word.text for word in look.items if fits_aspect(aspect, word.text)}
                found.setdefault(aspect, {}).update(hints)
        return found
