"""The core: what an expression means at a table, once its names are resolved. Each kind of operation is one class.

The rules are written in names: `hand` may be a zone, an option, a definition; `x of y` an attribute, a zone of
somebody, a question asked of somebody else. `core_lowering` decides that once for each expression. The reference makes
closures of operations, machine code its small form, and whoever else asks what an expression means matches on them.

An operation keeps its `node`, the place in the file that it came from. Operands are expressions of the rules, each with
an operation of its own. Expressions without names keep their written form (`Form`): there is one meaning to each.

Statements become effects: several words of the language may come to the same kind, and who reads effects need not know
the words. What leads from one statement to another keeps its written form (`FlowForm`); `flow_lowering` lowers it with
the whole flow.
"""

from __future__ import annotations

from typing import Any, Literal

from attrs import frozen

from rulesrun.dsl import ast
from rulesrun.dsl.typing.program import AttributeMeaning
from rulesrun.interpreter.model.compile_context import VariableRoom, ZoneRoom
from rulesrun.interpreter.model.components import Kinds

Binder = ast.Each | ast.Filter | ast.Deal
Room = ZoneRoom | VariableRoom


@frozen(eq=False)
class Constant:
    """Known before the game: a number, a word, an option, a component by its name, all values of a type."""

    node: ast.Expr
    value: Any


@frozen(eq=False)
class Register:
    """What a name holds: a parameter, a choice, an element of a loop, what was drawn."""

    node: ast.Expr
    binder: ast.Parameter | ast.Choice | ast.Each | ast.Deal


@frozen(eq=False)
class Element:
    """`it`. `binder` None: the innermost."""

    node: ast.Expr
    binder: Binder | None


@frozen(eq=False)
class Contents:
    """What lies in an instance of a zone, what a variable holds. `owner` None: of `player`, where each has one."""

    node: ast.Expr
    room: Room
    keys: tuple[ast.Expr, ...]
    owner: ast.Expr | None


@frozen(eq=False)
class Attribute:
    """`rank of c`, `rank` alone; of a `rule` column what the rule says."""

    node: ast.Expr
    meaning: AttributeMeaning
    owner: Element | ast.Expr
    is_rule: bool


@frozen(eq=False)
class Definition:
    """A definition with its arguments, a line of the score."""

    node: ast.Expr
    meaning: ast.Define | ast.ScoreLine
    arguments: tuple[ast.Expr, ...]

    @property
    def body(self) -> ast.Expr:
        return self.meaning.body if isinstance(self.meaning, ast.Define) else self.meaning.value

    @property
    def parameters(self) -> tuple[ast.Parameter, ...]:
        return self.meaning.parameters if isinstance(self.meaning, ast.Define) else ()


def define_line(line: ast.ScoreLine) -> Definition:
    """What a line of the score gives."""
    return Definition(line.value, line, ())


@frozen(eq=False)
class CaseLookup:
    """A table asked with its arguments."""

    node: ast.Call
    table: ast.Table
    arguments: tuple[ast.Expr, ...]


@frozen(eq=False)
class ForPlayer:
    """The same question asked of somebody else: inside, `player` is `owner`."""

    node: ast.Of
    subject: ast.Expr
    owner: ast.Expr


@frozen(eq=False)
class Current:
    """What the position says of this moment."""

    node: ast.Expr
    what: Literal["player", "starter", "round", "phase"]


@frozen(eq=False)
class Opponents:
    """All seats but that of `player`, in their order."""

    node: ast.Expr


@frozen(eq=False)
class Points:
    """What has been counted, in all countings or the latest. `line`: number of the `score`, column; None: their sum."""

    node: ast.Expr
    is_latest: bool
    line: tuple[int, int] | None


@frozen(eq=False)
class Standing:
    """`place`: once the game is over."""

    node: ast.Expr


@frozen(eq=False)
class Count:
    node: ast.Of
    collection: ast.Expr


@frozen(eq=False)
class Fold:
    """One value of several, or all of them as a list, in their order or sorted."""

    node: ast.Of
    word: Literal["sum", "highest", "lowest", "list", "sorted"]
    collection: ast.Expr


@frozen(eq=False)
class EndOf:
    """The `top`, `last`, `bottom` or `first` of a place or list."""

    node: ast.Of
    word: str
    collection: ast.Expr

    @property
    def index(self) -> int:
        return -1 if self.word in {"top", "last"} else 0


@frozen(eq=False)
class ItemAt:
    """The k-th of several, from 1."""

    node: ast.Item | ast.Index
    position: ast.Expr
    collection: ast.Expr


@frozen(eq=False)
class Neighbour:
    """Clockwise is to the left."""

    node: ast.Of
    is_left: bool
    player: ast.Expr


@frozen(eq=False)
class Extreme:
    """`smallest(a, b)`, `largest(a, b)`."""

    node: ast.Call
    is_smallest: bool
    arguments: tuple[ast.Expr, ...]


@frozen(eq=False)
class SeatsFrom:
    """How many seats `player` is to the left of `start`."""

    node: ast.Call
    start: ast.Expr
    player: ast.Expr


@frozen(eq=False)
class PositionOf:
    """Where the first that is like it stands, from 1; 0 where none is."""

    node: ast.Call
    item: ast.Expr
    collection: ast.Expr


@frozen(eq=False)
class Times:
    """How often the position recorded last has been recorded."""

    node: ast.Call
    memory: ast.Memory


@frozen(eq=False)
class PlacesNear:
    """The neighbours of a place, what lies so many steps from it on a straight line, or all on a straight line with it;
    in declared order.
    """

    node: ast.Call
    board: Kinds
    what: Literal["neighbours", "rays"]
    place: ast.Expr
    steps: int = 1  # of neighbours: how far away


@frozen(eq=False)
class PlacesBetween:
    """What lies between two places of a straight line."""

    node: ast.Call
    board: Kinds
    one: ast.Expr
    other: ast.Expr


@frozen(eq=False)
class Distance:
    """How many steps it is from neighbour to neighbour."""

    node: ast.Call
    board: Kinds
    start: ast.Expr
    end: ast.Expr


@frozen(eq=False)
class Lines:
    """All straight lines of so many places. `through` None: of the whole board."""

    node: ast.Call
    board: Kinds
    through: ast.Expr | None
    length: int


@frozen(eq=False)
class Connected:
    """Those among some places that hang together with the first."""

    node: ast.Call
    board: Kinds
    start: ast.Expr
    among: ast.Expr


WordOperation = Current | Opponents | Count | EndOf | Neighbour | SeatsFrom | Extreme | PositionOf | Times
Operation = (
    Constant | Register | Element | Contents | Attribute | Definition | CaseLookup | ForPlayer | Current | Opponents
    | Points | Standing | Count | Fold | EndOf | ItemAt | Neighbour | SeatsFrom | Extreme | PositionOf | Times
    | PlacesNear | PlacesBetween | Distance | Lines | Connected
)
Form = (
    ast.Filter | ast.Joined | ast.Combinations | ast.Range | ast.SetOf | ast.Literal | ast.Quantified | ast.Aggregate
    | ast.Best | ast.Compare | ast.In | ast.IsEmpty | ast.Arithmetic | ast.Negate | ast.Not | ast.And | ast.Or
    | ast.IfElse | ast.Can | ast.Before
)
Core = Operation | Form


# ---- what statements move


@frozen(eq=False)
class TakeEverywhere:
    """Every component of a declaration, or every one that fits, wherever it lies."""

    what: ast.Expr
    kinds: Kinds

    @property
    def is_filtered(self) -> bool:
        return isinstance(self.what, ast.Filter) or bool(self.kinds.joined)


@frozen(eq=False)
class TakeFrom:
    """All that lies in an instance of a zone, or all of it that fits."""

    what: ast.Expr
    place: Contents

    @property
    def is_filtered(self) -> bool:
        return isinstance(self.what, ast.Filter)


@frozen(eq=False)
class TakeListed:
    """Several components, each from where it lies."""

    what: ast.Expr


@frozen(eq=False)
class TakeSome:
    """`3 of (hand where …)`: so many that nothing tells apart."""

    what: ast.Of
    amount: ast.Expr
    collection: ast.Expr


@frozen(eq=False)
class TakeOne:
    what: ast.Expr


Taken = TakeEverywhere | TakeFrom | TakeListed | TakeSome | TakeOne


@frozen(eq=False)
class Target:
    """Where components are put: on top, or under what lies there."""

    place: Contents
    room: ZoneRoom
    is_bottom: bool


# ---- statements


@frozen(eq=False)
class Transfer:
    """What goes where, and in which order it is put down: that in which it lay, or by a key."""

    taken: Taken
    target: Target
    order: ast.Order | None


@frozen(eq=False)
class Move:
    """First all is taken out, one transfer after the other; then all is put down in the same order."""

    node: ast.Statement
    transfers: tuple[Transfer, ...]


@frozen(eq=False)
class Mix:
    """What lies in a place, with what is added to it, comes to lie there without an order."""

    node: ast.Statement
    place: Contents
    room: ZoneRoom
    added: Taken | None


@frozen(eq=False)
class Draw:
    """Chance takes components out, one at a time. `is_each`: so many for each instance of the target."""

    node: ast.Deal
    count: ast.Expr
    is_up_to: bool
    origin: Contents
    room: ZoneRoom
    condition: ast.Expr | None
    target: Target
    is_each: bool
    alias: ast.Name | None
    is_thrown: bool = False  # dice: each face is as likely as any other, however many of it there are


@frozen(eq=False)
class Assign:
    """A value is put into a variable, or a seat becomes `starter`."""

    node: ast.Statement
    place: Assigned
    value: ast.Expr


@frozen(eq=False)
class Adjust:
    """A number becomes greater or, with the sign -1, less."""

    node: ast.Statement
    place: Assigned
    sign: int
    amount: ast.Expr


@frozen(eq=False)
class DrawValue:
    """Chance gives a variable one of its values, or one of the seats. No chances: all are equal."""

    node: ast.Statement
    place: Assigned
    what: Literal["roll", "lot"]
    chances: tuple[ast.Expr, ...]


@frozen(eq=False)
class DrawOrder:
    """Chance puts all values of an order into an order."""

    node: ast.Statement
    place: Contents
    room: VariableRoom


@frozen(eq=False)
class Show:
    """Seen until the next decision or chance event. `zone`: where the whole of one is shown; `to` None: to all.
    `value`: the number or marker whose value is told.
    """

    node: ast.Statement
    what: ast.Expr
    zone: Contents | None
    to: ast.Expr | None
    value: Contents | None = None


@frozen(eq=False)
class Record:
    node: ast.Statement
    values: tuple[ast.Expr, ...]
    memory: ast.Memory


@frozen(eq=False)
class CountPoints:
    node: ast.Statement


@frozen(eq=False)
class End:
    node: ast.Statement
    what: Literal["turn", "phase", "round", "game"]


Assigned = Contents | Current
Effect = Move | Mix | Draw | Assign | Adjust | DrawValue | DrawOrder | Show | Record | CountPoints | End
FlowForm = ast.Choose | ast.If | ast.ForEach | ast.EachPlayer | ast.Turns | ast.Repeat | ast.Do
Statement = Effect | FlowForm
