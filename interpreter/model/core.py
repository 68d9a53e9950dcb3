"""The core: what an expression means at a table, once its names are resolved. Each kind of operation is one class.

The rules are written in names: `hand` may be a zone, an option, a definition; `x of y` an attribute, a zone of
somebody, a question asked of somebody else. `core_lowering` decides that once for each expression. The reference makes
closures of operations, machine code its small form, and whoever else asks what an expression means matches on them.

An operation keeps its `node`, the place in the file that it came from, and its operands. An `Operand` is an expression
of which nobody here sees how it is written. It has a place, a type (`bench.type_of`) and, at each table, an operation
(`lower_expression`), which is not made before somebody asks for it. Part of a rulebook may have no meaning at a
table: a square that its board has not, behind a condition that is never true there. A name may be asked for while the
table is being set up, too early for its zone. So a table is refused for what it plays, and for nothing else. Operands
belong to the rules and are the same at all tables; operations belong to one table.

Statements become effects: several words of the language may come to the same kind, and who reads effects need not know
the words. What leads from one statement to another is a `FlowForm`: it holds other statements, each a `Line` of which
nobody here sees how it is written (`lower_statement`). `flow_lowering` makes the whole flow of them.
"""

from __future__ import annotations

import typing
from typing import Any, TypeAlias

import attrs
from attrs import frozen

from rulesrun.dsl import ast
from rulesrun.dsl.typing.program import AttributeMeaning, Meaning
from rulesrun.interpreter.model.compile_context import VariableRoom, ZoneRoom
from rulesrun.interpreter.model.components import Kinds

Node: TypeAlias = ast.Node  # a place in the file: stories, coverage and `why` point at it, nobody looks into it
Operand: TypeAlias = ast.Expression
Line: TypeAlias = ast.Statement
WrittenType: TypeAlias = ast.TypeExpr  # `declared_type` says what it means
# What operations name, as it is declared: who reads an operation needs no tree for it.
Action: TypeAlias = ast.Action
Branch: TypeAlias = ast.Branch  # lines, and under which condition they are done
Choice: TypeAlias = ast.Choice
Components: TypeAlias = ast.Components
Criterion: TypeAlias = ast.Criterion
Deal: TypeAlias = ast.Deal  # a name for what was drawn
Define: TypeAlias = ast.Define
Each: TypeAlias = ast.Each  # the name of an element, if it has one, and what it is an element of
Entry: TypeAlias = ast.Entry
Figure: TypeAlias = ast.Figure
Memory: TypeAlias = ast.Memory
Needs: TypeAlias = ast.Needs
Option: TypeAlias = ast.Option
Order: TypeAlias = ast.Order
Parameter: TypeAlias = ast.Parameter
Phase: TypeAlias = ast.Phase
Property: TypeAlias = ast.Property
Ranking: TypeAlias = ast.Ranking
Result: TypeAlias = ast.Result
Rounds: TypeAlias = ast.Rounds
Score: TypeAlias = ast.Score
ScoreLine: TypeAlias = ast.ScoreLine
Setup: TypeAlias = ast.Setup
Step: TypeAlias = ast.Step
Table: TypeAlias = ast.Table
Values: TypeAlias = ast.Values
Variable: TypeAlias = ast.Variable
Zone: TypeAlias = ast.Zone
Declared = Rounds | Components | Zone | Variable | Memory | Score | Ranking | Result | Property
Piece = Setup | Phase | Step | Action | Define | Table | Declared
"""What of the rules is played: what is settled before a game, and what tells of games, is none."""
FilterBinder: TypeAlias = ast.Filter  # what stands for the element of a filter, which has no name
Binder: TypeAlias = Each | FilterBinder | Deal
Room: TypeAlias = ZoneRoom | VariableRoom


@frozen(eq=False)
class Constant:
    """Known before the game: a number, a word, an option, a component by its name, all values of a type.
    `meaning`: what is named; None where the value is written as it is.
    """

    node: Operand
    value: Any
    meaning: Meaning | None = None

    @property
    def is_row(self) -> bool:
        """Several values in an order that means something, as an option gives them."""
        return isinstance(self.meaning, ast.Option) and isinstance(self.meaning.type, ast.RowType)


@frozen(eq=False)
class Register:
    """What a name holds: a parameter, a choice, an element of a loop, what was drawn."""

    node: Operand
    binder: Parameter | Choice | Each | Deal

    @property
    def is_drawn(self) -> bool:
        return isinstance(self.binder, ast.Deal)


@frozen(eq=False)
class Element:
    """`it`. `binder` None: the innermost."""

    node: Operand
    binder: Binder | None


@frozen(eq=False)
class Contents:
    """What lies in an instance of a zone, what a variable holds. `owner` None: of `player`, where each has one."""

    node: Operand
    room: Room
    keys: tuple[Operand, ...]
    owner: Operand | None


@frozen(eq=False)
class Attribute:
    """`rank of c`, `rank` alone; of a `rule` column what the rule says."""

    node: Operand
    meaning: AttributeMeaning
    owner: Element | Operand
    is_rule: bool


@frozen(eq=False)
class Definition:
    """A definition with its arguments, a line of the score."""

    node: Operand
    meaning: ast.Define | ScoreLine
    arguments: tuple[Operand, ...]

    @property
    def is_written(self) -> bool:
        """Not so where it is what a word of the language comes to."""
        return not isinstance(self.meaning, ast.Define) or self.meaning.is_written

    @property
    def line(self) -> ScoreLine | None:
        return self.meaning if isinstance(self.meaning, ScoreLine) else None

    @property
    def body(self) -> Operand:
        return self.meaning.body if isinstance(self.meaning, ast.Define) else self.meaning.value

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        return self.meaning.parameters if isinstance(self.meaning, ast.Define) else ()


def define_line(line: ScoreLine) -> Definition:
    """What a line of the score gives."""
    return Definition(line.value, line, ())


@frozen(eq=False)
class CaseLookup:
    """A table asked with its arguments."""

    node: Operand
    table: Table
    arguments: tuple[Operand, ...]


@frozen(eq=False)
class ForPlayer:
    """The same question asked of somebody else: inside, `player` is `owner`."""

    node: Operand
    subject: Operand
    owner: Operand


@frozen(eq=False)
class Current:
    """What the position says of this moment."""

    node: Operand
    what: typing.Literal["player", "starter", "round", "phase"]


@frozen(eq=False)
class Opponents:
    """All seats but that of `player`, in their order."""

    node: Operand


@frozen(eq=False)
class Points:
    """What has been counted, in all countings or the latest. `line`: number of the `score`, column; None: their sum."""

    node: Operand
    is_latest: bool
    line: tuple[int, int] | None


@frozen(eq=False)
class Standing:
    """`place`: once the game is over."""

    node: Operand


@frozen(eq=False)
class Count:
    node: Operand
    collection: Operand


@frozen(eq=False)
class Fold:
    """One value of several, or all of them as a list, in their order or sorted."""

    node: Operand
    word: typing.Literal["sum", "highest", "lowest", "list", "sorted"]
    collection: Operand


@frozen(eq=False)
class EndOf:
    """The `top`, `last`, `bottom` or `first` of a place or list."""

    node: Operand
    word: str
    collection: Operand

    @property
    def index(self) -> int:
        return -1 if self.word in {"top", "last"} else 0


@frozen(eq=False)
class ItemAt:
    """The k-th of several, from 1."""

    node: Operand
    position: Operand
    collection: Operand
    is_index: bool  # `x[k]`, not `item k of x`


@frozen(eq=False)
class Neighbour:
    """Clockwise is to the left."""

    node: Operand
    is_left: bool
    player: Operand


@frozen(eq=False)
class Extreme:
    """`smallest(a, b)`, `largest(a, b)`."""

    node: Operand
    is_smallest: bool
    arguments: tuple[Operand, ...]


@frozen(eq=False)
class SeatsFrom:
    """How many seats `player` is to the left of `start`."""

    node: Operand
    start: Operand
    player: Operand


@frozen(eq=False)
class PositionOf:
    """Where the first that is like it stands, from 1; 0 where none is."""

    node: Operand
    item: Operand
    collection: Operand


@frozen(eq=False)
class Times:
    """How often the position recorded last has been recorded."""

    node: Operand
    memory: Memory


@frozen(eq=False)
class PlacesNear:
    """The neighbours of a place, what lies so many steps from it on a straight line, or all on a straight line with it;
    in declared order.
    """

    node: Operand
    board: Kinds
    what: typing.Literal["neighbours", "rays"]
    place: Operand
    steps: int = 1  # of neighbours: how far away


@frozen(eq=False)
class PlacesBetween:
    """What lies between two places of a straight line."""

    node: Operand
    board: Kinds
    one: Operand
    other: Operand


@frozen(eq=False)
class Distance:
    """How many steps it is from neighbour to neighbour."""

    node: Operand
    board: Kinds
    start: Operand
    end: Operand


@frozen(eq=False)
class Lines:
    """All straight lines of so many places. `through` None: of the whole board."""

    node: Operand
    board: Kinds
    through: Operand | None
    length: int


@frozen(eq=False)
class Connected:
    """Those among some places that hang together with the first."""

    node: Operand
    board: Kinds
    start: Operand
    among: Operand


# ---- what is written without a name


@frozen(eq=False)
class Filter:
    """Those for which the condition holds. `binder`: what stands for the element in it."""

    node: FilterBinder
    collection: Operand
    condition: Operand

    @property
    def binder(self) -> Binder:
        return self.node


@frozen(eq=False)
class Joined:
    """What lies in several places."""

    node: Operand
    parts: tuple[Operand, ...]


@frozen(eq=False)
class Combinations:
    """Each way to take so many of several."""

    node: Operand
    low: Operand
    high: Operand
    collection: Operand


@frozen(eq=False)
class Range:
    """All whole numbers from one to another."""

    node: Operand
    low: Operand
    high: Operand


@frozen(eq=False)
class Literal:
    """A component by its attributes, or any single value."""

    node: Operand
    parts: tuple[Operand, ...]


@frozen(eq=False)
class SetOf:
    """Values in braces."""

    node: Operand
    items: tuple[Literal, ...]


@frozen(eq=False)
class Quantified:
    node: Operand
    word: typing.Literal["some", "every", "no"]
    each: Each
    body: Operand


@frozen(eq=False)
class Aggregate:
    """One value of what the body gives for each element, or all of them as a list."""

    node: Operand
    word: str  # sum | highest | lowest | list | sorted | count
    distinct: bool
    body: Operand
    each: Each


@frozen(eq=False)
class Best:
    """The first element with the best key, all of them, or the only one for which the key holds."""

    node: Operand
    word: str  # the | those
    each: Each
    direction: str  # highest | lowest | only
    key: Operand


@frozen(eq=False)
class Compare:
    node: Operand
    operator: str  # = | is not | < | <= | > | >=
    left: Operand
    right: Operand


@frozen(eq=False)
class In:
    node: Operand
    item: Operand
    collection: Operand
    negated: bool


@frozen(eq=False)
class IsEmpty:
    node: Operand
    collection: Operand
    negated: bool


@frozen(eq=False)
class Arithmetic:
    node: Operand
    operator: str  # + | - | * | div | mod | /
    left: Operand
    right: Operand


@frozen(eq=False)
class Negate:
    node: Operand
    value: Operand


@frozen(eq=False)
class Not:
    node: Operand
    value: Operand


@frozen(eq=False)
class Logic:
    """A later part is only looked at when the earlier ones have not decided."""

    node: Operand
    word: typing.Literal["and", "or"]
    parts: tuple[Operand, ...]


@frozen(eq=False)
class IfElse:
    node: Operand
    condition: Operand
    then: Operand
    otherwise: Operand


@frozen(eq=False)
class Can:
    """Whether the player has a legal way to do the action now."""

    node: Operand
    action: Action


@frozen(eq=False)
class Before:
    """The value before the action."""

    node: Operand
    value: Operand


WordOperation = Current | Opponents | Count | EndOf | Neighbour | SeatsFrom | Extreme | PositionOf | Times
Operation = (
    Constant | Register | Element | Contents | Attribute | Definition | CaseLookup | ForPlayer | Current | Opponents
    | Points | Standing | Count | Fold | EndOf | ItemAt | Neighbour | SeatsFrom | Extreme | PositionOf | Times
    | PlacesNear | PlacesBetween | Distance | Lines | Connected
)
FormOfSeveral = Filter | Joined | Combinations | Range | SetOf | Literal | Quantified | Aggregate | Best
Form = FormOfSeveral | Compare | In | IsEmpty | Arithmetic | Negate | Not | Logic | IfElse | Can | Before
Core = Operation | Form


def name_text(node: Operand) -> str | None:
    """The name, where it stands alone."""
    return node.text if isinstance(node, ast.Name) else None


def list_operands(operation: Core) -> list[Operand]:
    """All of them, in their order."""
    kind = type(operation)
    if kind not in _OPERANDS:
        _OPERANDS[kind] = tuple(one.name for one in attrs.fields(kind) if one.name != "node" and holds_operands(one))
    found: list[Operand] = []
    for name in _OPERANDS[kind]:
        part = getattr(operation, name)
        for one in part if isinstance(part, tuple) else (part,):
            inner = one.collection if isinstance(one, Each) else one.node if isinstance(one, Literal) else one
            found.extend([inner] if isinstance(inner, Operand) else [])
    return found


def holds_operands(field: attrs.Attribute[Any]) -> bool:
    return "Operand" in str(field.type) or str(field.type) in {"Each", "tuple[Literal, ...]"}


_OPERANDS: dict[type[Core], tuple[str, ...]] = {}


# ---- what statements move


@frozen(eq=False)
class TakeEverywhere:
    """Every component of a declaration, or every one that fits, wherever it lies."""

    what: Operand
    kinds: Kinds
    is_filtered: bool


@frozen(eq=False)
class TakeFrom:
    """All that lies in an instance of a zone, or all of it that fits."""

    what: Operand
    place: Contents
    is_filtered: bool


@frozen(eq=False)
class TakeListed:
    """Several components, each from where it lies."""

    what: Operand


@frozen(eq=False)
class TakeSome:
    """`3 of (hand where …)`: so many that nothing tells apart."""

    what: Operand
    amount: Operand
    collection: Operand


@frozen(eq=False)
class TakeOne:
    what: Operand


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
    order: Order | None


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

    node: Deal
    count: Operand
    is_up_to: bool
    origin: Contents
    room: ZoneRoom
    condition: Operand | None
    target: Target
    is_each: bool
    alias: ast.Name | None
    is_thrown: bool = False  # dice: each face is as likely as any other, however many of it there are


@frozen(eq=False)
class Assign:
    """A value is put into a variable, or a seat becomes `starter`."""

    node: ast.Statement
    place: Assigned
    value: Operand


@frozen(eq=False)
class Adjust:
    """A number becomes greater or, with the sign -1, less."""

    node: ast.Statement
    place: Assigned
    sign: int
    amount: Operand


@frozen(eq=False)
class DrawValue:
    """Chance gives a variable one of its values, or one of the seats. No chances: all are equal."""

    node: ast.Statement
    place: Assigned
    what: typing.Literal["roll", "lot"]
    chances: tuple[Operand, ...]


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
    what: Operand
    zone: Contents | None
    to: Operand | None
    value: Contents | None = None


@frozen(eq=False)
class Record:
    node: ast.Statement
    values: tuple[Operand, ...]
    memory: Memory


@frozen(eq=False)
class CountPoints:
    node: ast.Statement


@frozen(eq=False)
class End:
    node: ast.Statement
    what: typing.Literal["turn", "phase", "round", "game"]


# ---- what leads from one statement to another


@frozen(eq=False)
class Choose:
    """Somebody chooses one of several actions. `chooser`: who is `named`; `condition`: of `all`, who takes part."""

    node: Line
    who: str  # player | all | team | named
    chooser: Operand | None
    condition: Operand | None
    actions: tuple[Action, ...]
    is_if_possible: bool
    otherwise: Line | None
    is_promised: bool  # that something can always be chosen


@frozen(eq=False)
class If:
    node: Line
    branches: tuple[Branch, ...]


@frozen(eq=False)
class ForEach:
    """Lines done for one element after the other. `named`: the one value that gets a name for these lines, which are
    done once; what a step is told is one. `ordered`: where that is a set, the same set as it is put in order for the
    step.
    """

    node: Line
    each: Each
    order: Order | None
    body: tuple[Line, ...]
    word: str
    named: Operand | None
    ordered: Operand | None
    called: str | None  # the step that is told something here


@frozen(eq=False)
class EachPlayer:
    node: Line
    start: Operand | None
    condition: Operand | None
    order: Order | None
    body: tuple[Line, ...]


@frozen(eq=False)
class Turns:
    """`following`: whose turn comes after that of `player`; None: of who sits to the left."""

    node: Line
    is_once: bool
    start: Operand
    excluded: Operand | None
    following: Operand | None
    skipping: Operand | None
    until: Operand | None
    body: tuple[Line, ...]


@frozen(eq=False)
class Repeat:
    node: Line
    times: Operand | None
    until: Operand | None
    body: tuple[Line, ...]


@frozen(eq=False)
class Do:
    """What it is told has its names around it."""

    node: Line
    step: Step


Assigned = Contents | Current
Effect = Move | Mix | Draw | Assign | Adjust | DrawValue | DrawOrder | Show | Record | CountPoints | End
FlowForm = Choose | If | ForEach | EachPlayer | Turns | Repeat | Do
Statement = Effect | FlowForm


# ---- what statements are made of


def list_operands_of(done: Statement) -> list[Operand]:
    """What a statement works out itself, the places that it changes among it; not what the lines in it do."""
    match done:
        case Move(_, transfers):
            return [one for transfer in transfers for one in operands_of_transfer(transfer)]
        case Mix(_, place, _, added):
            return [place.node, *(operands_taken(added) if added is not None else [])]
        case Draw(_, count, _, origin, _, condition, target):
            return present(count, origin.node, condition, target.place.node)
        case Assign(_, place, value) | Adjust(_, place, _, value):
            return [place.node, value]
        case DrawValue(_, place, _, chances):
            return [place.node, *chances]
        case DrawOrder(_, place):
            return [place.node]
        case Show(_, what, _, to):
            return present(what, to)
        case Record(_, values):
            return [*values]
        case CountPoints() | End() | Do():
            return []
        case Choose() | If() | ForEach() | EachPlayer() | Turns() | Repeat():
            return operands_that_lead(done)
        case _:
            typing.assert_never(done)


def operands_of_transfer(transfer: Transfer) -> list[Operand]:
    return [*operands_taken(transfer.taken), transfer.target.place.node, *key_of(transfer.order)]


def operands_taken(taken: Taken) -> list[Operand]:
    return [taken.amount, taken.collection] if isinstance(taken, TakeSome) else [taken.what]


def operands_that_lead(done: Choose | If | ForEach | EachPlayer | Turns | Repeat) -> list[Operand]:
    match done:
        case Choose(_, _, chooser, condition):
            return present(chooser, condition)
        case If(_, branches):
            return present(*(one.condition for one in branches))
        case ForEach(_, each, order):
            return [each.collection, *key_of(order)]
        case EachPlayer(_, start, condition, order):
            return [*present(start, condition), *key_of(order)]
        case Turns(_, _, start, excluded, following, skipping, until):
            return present(start, excluded, following, skipping, until)
        case Repeat(_, times, until):
            return present(times, until)
        case _:
            typing.assert_never(done)


def which_place(place: Contents) -> list[Operand]:
    """What says which of several places it is."""
    return [*present(place.owner), *place.keys]


def speaks_of_others(done: Statement) -> bool:
    """Whether inside, and in what is done from there, `player` may be somebody else."""
    match done:
        case EachPlayer() | Turns():
            return True
        case Choose(who=who):
            return who != "player"
        case If() | ForEach() | Repeat() | Do():
            return False
        case Move() | Mix() | Draw() | Assign() | Adjust() | DrawValue() | DrawOrder() | Show() | Record():
            return False
        case CountPoints() | End():
            return False
        case _:
            typing.assert_never(done)


def present(*operands: Operand | None) -> list[Operand]:
    return [one for one in operands if one is not None]


def key_of(order: Order | None) -> list[Operand]:
    return [order.key] if order is not None else []


def list_bodies(done: Statement) -> list[tuple[Line, ...]]:
    """The lines that stand in a statement; not those of a step that it does, or of actions."""
    match done:
        case If(_, branches):
            return [one.body for one in branches]
        case ForEach(body=body) | EachPlayer(body=body) | Turns(body=body) | Repeat(body=body):
            return [body]
        case Choose(otherwise=otherwise):
            return [(otherwise,)] if otherwise is not None else []
        case Move() | Mix() | Draw() | Assign() | Adjust() | DrawValue() | DrawOrder() | Show() | Record():
            return []
        case CountPoints() | End() | Do():
            return []
        case _:
            typing.assert_never(done)
