"""The tree of a rules file: frozen data, one class for each construct. No behaviour.

Nodes are compared by identity, so that findings can live in tables keyed by node; the `repr`
leaves the span out, so that comparing two `repr`s compares two trees.
"""

from __future__ import annotations

from attrs import field, frozen

from rulesrun.dsl.source import Span


@frozen(kw_only=True, eq=False)
class Node:
    span: Span = field(repr=False)


# ---------------------------------------------------------------- expressions


@frozen(eq=False)
class Number(Node):
    value: int


@frozen(eq=False)
class Text(Node):
    value: str


@frozen(eq=False)
class Truth(Node):
    """`yes`, `no`."""

    value: bool


@frozen(eq=False)
class Nothing(Node):
    """`nothing`: an empty marker."""


@frozen(eq=False)
class Name(Node):
    """Any name: zone, variable, definition, parameter, option, value, attribute, built-in."""

    text: str


@frozen(eq=False)
class Index(Node):
    """`column[k]`, `owner[row, column]`."""

    name: Name
    keys: tuple[Expr, ...]


@frozen(eq=False)
class Call(Node):
    """`of_colour(red)`: a definition, a table, a built-in."""

    name: Name
    arguments: tuple[Expr, ...]


@frozen(eq=False)
class Of(Node):
    """`X of Y`: `count of hand`, `hand of p`, `rank of c`, `points of 1`, `left of player`."""

    subject: Expr
    owner: Expr


@frozen(eq=False)
class Item(Node):
    """`item k of row`: the k-th, from 1."""

    position: Expr
    collection: Expr


@frozen(eq=False)
class Filter(Node):
    """`hand where colour = red`. Inside, `it` is the element, its attributes stand alone."""

    collection: Expr
    condition: Expr


@frozen(eq=False)
class Range(Node):
    low: Expr
    high: Expr


@frozen(eq=False)
class Literal(Node):
    """`red 7`: a component by its attributes (or by its name), an element of a set or list."""

    parts: tuple[Expr, ...]


@frozen(eq=False)
class SetOf(Node):
    """`{1, 3}`, `{red 7, blue 7}`."""

    items: tuple[Literal, ...]


@frozen(eq=False)
class Each(Node):
    """`c in hand where …`; without a name the element is `it`."""

    name: Name | None
    collection: Expr


@frozen(eq=False)
class Quantified(Node):
    """`some c in hand has …`, `every …`, `no …`."""

    word: str  # some | every | no
    each: Each
    body: Expr


@frozen(eq=False)
class Aggregate(Node):
    """`sum of [distinct] E over c in S`. `list` keeps order and doubles, `sorted` puts the lowest first."""

    word: str  # sum | highest | lowest | list | sorted | count
    distinct: bool
    body: Expr
    each: Each


@frozen(eq=False)
class Best(Node):
    """`the c in hand with highest rank of c`, `those c in hand with lowest …`."""

    word: str  # the | those
    each: Each
    direction: str  # highest | lowest
    key: Expr


@frozen(eq=False)
class Compare(Node):
    operator: str  # = | is not | < | <= | > | >=
    left: Expr
    right: Expr


@frozen(eq=False)
class In(Node):
    item: Expr
    collection: Expr
    negated: bool


@frozen(eq=False)
class IsEmpty(Node):
    collection: Expr
    negated: bool


@frozen(eq=False)
class Arithmetic(Node):
    operator: str  # + | - | * | div | mod | /
    left: Expr
    right: Expr


@frozen(eq=False)
class Negate(Node):
    value: Expr


@frozen(eq=False)
class Not(Node):
    value: Expr


@frozen(eq=False)
class And(Node):
    parts: tuple[Expr, ...]


@frozen(eq=False)
class Or(Node):
    parts: tuple[Expr, ...]


@frozen(eq=False)
class IfElse(Node):
    condition: Expr
    then: Expr
    otherwise: Expr


@frozen(eq=False)
class Can(Node):
    """`can exchange`: the player has a legal way to do the action now."""

    action: Name


@frozen(eq=False)
class Before(Node):
    """`before (count of hand)`: its value before the action, in `after` properties only."""

    value: Expr


Expr = (
    Number | Text | Truth | Nothing | Name | Index | Call | Of | Item | Filter | Range | SetOf | Literal
    | Quantified | Aggregate | Best | Compare | In | IsEmpty | Arithmetic | Negate | Not | And | Or
    | IfElse | Can | Before
)

# ---------------------------------------------------------------- types as written


@frozen(eq=False)
class RangeType(Node):
    low: Expr
    high: Expr


@frozen(eq=False)
class NamedType(Node):
    """A declared `values` or component kind."""

    name: Name


@frozen(eq=False)
class WordsType(Node):
    """`lot, seat`: the values of an option, written in place. `lot or player`: a word or any seat."""

    words: tuple[Name, ...]
    or_player: bool = False


@frozen(eq=False)
class TruthType(Node):
    """`yes or no`."""


@frozen(eq=False)
class PlayerType(Node):
    pass


@frozen(eq=False)
class OrderType(Node):
    """`order of 1..5`: a permutation."""

    item: TypeExpr


@frozen(eq=False)
class RowType(Node):
    """`row of 0..9 up to 5`: a short list."""

    item: TypeExpr
    capacity: Expr


@frozen(eq=False)
class Optional(Node):
    """`player or nothing`."""

    item: TypeExpr


TypeExpr = RangeType | NamedType | WordsType | TruthType | PlayerType | OrderType | RowType | Optional

# ---------------------------------------------------------------- statements


@frozen(eq=False)
class Shuffle(Node):
    """`shuffle stock`, `shuffle all Card into stock`, `shuffle (3 of hand) into stock`, `shuffle layout`."""

    what: Expr
    all: bool
    into: Expr | None


@frozen(eq=False)
class Deal(Node):
    """`deal 9 from stock to each hand`, `draw up to 2 from stock where … to hand as new`."""

    word: str  # deal | draw
    up_to: bool
    count: Expr
    origin: Expr
    condition: Expr | None
    each: bool
    target: Expr
    alias: Name | None


@frozen(eq=False)
class Move(Node):
    """`move give to supply`, `move all hand to bottom of stock in order of rank`.

    `what` is a component, or `Of(amount, collection)` for some that are alike; `all`: a whole collection.
    `target` may be `Of(Name("top"|"bottom"), zone)`.
    """

    all: bool
    what: Expr
    target: Expr
    order: Order | None


@frozen(eq=False)
class Order(Node):
    """`in order of rank`, `in reverse order of rank`."""

    reverse: bool
    key: Expr


@frozen(eq=False)
class Becomes(Node):
    target: Expr
    value: Expr


@frozen(eq=False)
class Increases(Node):
    """`passes increases by 1`, `decreases by 1`."""

    target: Expr
    sign: int
    amount: Expr


@frozen(eq=False)
class Roll(Node):
    """`roll face`, `roll coin with chances 2, 1`."""

    target: Expr
    chances: tuple[Expr, ...]


@frozen(eq=False)
class Lots(Node):
    """`draw lots for starter`."""

    target: Expr


@frozen(eq=False)
class Choose(Node):
    """`choose a, b or c`, `all choose bid where …`, `team chooses begin`, `bettor chooses fold or call`."""

    who: str  # player | all | team | named
    chooser: Expr | None  # for `named`
    condition: Expr | None  # for `all … where`
    actions: tuple[Name, ...]
    if_possible: bool
    otherwise: Statement | None  # `, else end game`


@frozen(eq=False)
class Branch(Node):
    """One `if` / `otherwise if` / `otherwise` line with its body."""

    condition: Expr | None
    body: tuple[Statement, ...]


@frozen(eq=False)
class If(Node):
    branches: tuple[Branch, ...]


@frozen(eq=False)
class ForEach(Node):
    """`each c in hand where … in order of rank`."""

    each: Each
    order: Order | None
    body: tuple[Statement, ...]


@frozen(eq=False)
class EachPlayer(Node):
    """`each player from starter where … in order of …`: inside, `player` is that player."""

    start: Expr | None
    condition: Expr | None
    order: Order | None
    body: tuple[Statement, ...]


@frozen(eq=False)
class Turns(Node):
    """`turns from X [skipping C] [until C]`; `one turn each from X [except P] [skipping C] [until C]`."""

    once: bool
    start: Expr
    excluded: Expr | None
    skipping: Expr | None
    until: Expr | None
    body: tuple[Statement, ...]


@frozen(eq=False)
class Repeat(Node):
    """`repeat 3 times`, `repeat until stopped`: looks before each time."""

    times: Expr | None
    until: Expr | None
    body: tuple[Statement, ...]


@frozen(eq=False)
class Do(Node):
    step: Name


@frozen(eq=False)
class End(Node):
    what: str  # turn | phase | round | game


@frozen(eq=False)
class Show(Node):
    """`show hand [to p]`."""

    what: Expr
    to: Expr | None


@frozen(eq=False)
class CountPoints(Node):
    """`count points`: the score sheet is filled in now."""


@frozen(eq=False)
class Record(Node):
    """`record centre, player in positions`."""

    values: tuple[Expr, ...]
    memory: Name


Statement = (
    Shuffle | Deal | Move | Becomes | Increases | Roll | Lots | Choose | If | ForEach | EachPlayer
    | Turns | Repeat | Do | End | Show | CountPoints | Record
)

# ---------------------------------------------------------------- declarations


@frozen(kw_only=True, eq=False)
class Declaration(Node):
    """`notes`: the `##` lines above it. `comments`: the `#` lines above it."""

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


@frozen(eq=False)
class RowDecl(Node):
    """`orange_1_or_3: A, 3, amount(orange) in {1, 3}`: one value a column, rules included."""

    name: Name
    cells: tuple[Expr, ...]
    copies: Expr | None  # `3 of` at its end: `guard: 1, 5 of each`


@frozen(eq=False)
class Components(Declaration):
    noun: str  # card | token | tile | piece
    name: Name
    attributes: tuple[AttributeDecl, ...]
    computed: tuple[AttributeDecl, ...]
    rows: tuple[RowDecl, ...]
    copies: Expr | None
    condition: Expr | None = None  # `where low <= high`: which combinations exist


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
class Zone(Declaration):
    name: Name
    keys: tuple[TypeExpr, ...]
    per_player: bool
    kind: str  # pile | row | set | place
    component: Name
    visibility: str | None  # hidden | private | public | public top
    capacity: Expr | None
    sort_key: Expr | None  # `sorted by rank`


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
    visibility: str  # public | private | hidden
    clamped: bool


@frozen(eq=False)
class Memory(Declaration):
    name: Name
    reset: str | None


@frozen(eq=False)
class Parameter(Node):
    name: Name
    type: TypeExpr


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


@frozen(eq=False)
class Setup(Declaration):
    each_round: bool
    body: tuple[Statement, ...]


@frozen(eq=False)
class Phase(Declaration):
    name: Name
    when: Expr | None
    loop: Turns | Repeat | None  # its body is empty here: the phase's body is the loop's
    body: tuple[Statement, ...]


@frozen(eq=False)
class Step(Declaration):
    name: Name
    body: tuple[Statement, ...]


@frozen(eq=False)
class Choice(Node):
    """`give from hand`, `row in 1..3`, `2..4 cards from hand`."""

    name: Name
    word: str  # from | in
    count: RangeType | None  # several at once
    domain: Expr


@frozen(eq=False)
class Needs(Node):
    condition: Expr
    because: str | None


@frozen(eq=False)
class Action(Declaration):
    name: Name
    choices: tuple[Choice, ...]
    needs: tuple[Needs, ...]
    secret: bool
    body: tuple[Statement, ...]


@frozen(eq=False)
class ScoreLine(Node):
    name: Name
    value: Expr
    notes: tuple[str, ...] = ()


@frozen(eq=False)
class Score(Declaration):
    when: str  # round | end | told
    lines: tuple[ScoreLine, ...]


@frozen(eq=False)
class Criterion(Node):
    direction: str  # highest | lowest
    value: Expr
    when: Expr | None


@frozen(eq=False)
class Ranking(Declaration):
    criteria: tuple[Criterion, ...]
    ties_share: bool


@frozen(eq=False)
class Outcome(Node):
    word: Name
    when: Expr


@frozen(eq=False)
class Result(Declaration):
    outcomes: tuple[Outcome, ...]
    otherwise: Name


@frozen(eq=False)
class Property(Declaration):
    """`always`, `never`, `at end of turn|round|game`, `after exchange`, `can happen`, `ends within 9 rounds`,
    `at most 1/10 of games`.
    """

    word: str  # always | never | at end | after | can happen | ends within | at most | at least
    moment: str | None  # turn | round | game, for `at end`; turns | rounds | decisions, for `ends within`
    action: Name | None  # for `after`
    title: str
    condition: Expr  # of `ends within`: yes
    bound: Expr | None = None  # for `ends within`
    share: tuple[int, int] | None = None  # for `at most` and `at least`: 1, 10


# ---- worked examples


@frozen(eq=False)
class ForPlayers(Node):
    count: Expr


@frozen(eq=False)
class Set(Node):
    name: Name
    value: Expr


@frozen(eq=False)
class GivenCards(Node):
    """`given hand of 1: red 7, blue 7`; no items: empty."""

    zone: Expr
    items: tuple[Literal, ...]


@frozen(eq=False)
class GivenValue(Node):
    target: Expr
    value: Expr


@frozen(eq=False)
class GivenTurn(Node):
    player: Expr


@frozen(eq=False)
class GivenPhase(Node):
    phase: Name


@frozen(eq=False)
class NextChance(Node):
    """`next: red 7, blue 1`: what chance brings, in order."""

    items: tuple[Literal, ...]


@frozen(eq=False)
class When(Node):
    """`when 1: exchange(red 7, blue 1)`; `player` None: the team. `if possible`: else the example ends here."""

    player: Expr | None
    action: Name
    arguments: tuple[Literal, ...]
    if_possible: bool = False


@frozen(eq=False)
class Then(Node):
    condition: Expr


@frozen(eq=False)
class ThenStill(Node):
    """`then still "everyone holds nine cards"`: the property of this title has held since the first `when`."""

    title: str


@frozen(eq=False)
class ThenCan(Node):
    """`then 1 can zero`, `then 1 cannot exchange(red 7, red 7)`; no argument list: in any way."""

    player: Expr | None
    can: bool
    action: Name
    arguments: tuple[Literal, ...] | None


@frozen(eq=False)
class Todo(Node):
    pass


ExampleLine = (
    ForPlayers | Set | GivenCards | GivenValue | GivenTurn | GivenPhase | NextChance | When | Then | ThenStill
    | ThenCan | Todo
)


@frozen(eq=False)
class Example(Declaration):
    title: str
    lines: tuple[ExampleLine, ...]


@frozen(eq=False)
class Small(Declaration):
    """`small "two colours"`: a table small enough to be looked at whole. Its pieces replace those of the same name."""

    title: str
    pieces: tuple[AnyDeclaration, ...]


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


# ---- variants


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
class Fix(Declaration):
    """`set first_game = yes`: another default for an option of the base."""

    name: Name
    value: Expr


AnyDeclaration = (
    Edition | Title | VariantOf | Players | Rounds | Values | Components | Option | Require | Zone | Variable
    | Memory | Table | Define | Setup | Phase | Step | Action | Score | Ranking | Result | Property | Example
    | Small | Persona | Words | ChangePiece | RemovePiece | ChangeRow | ChangeLine | Fix
)


@frozen(eq=False)
class File(Node):
    """One file as read. `comments`: every `#` line or tail, by the line it stands on, for the formatter."""

    declarations: tuple[AnyDeclaration, ...]


@frozen(eq=False)
class Game(Node):
    """A whole rulebook: one file, or a base with its variants applied."""

    title: str
    file: str  # the name of the file that was asked for
    base: str | None
    declarations: tuple[AnyDeclaration, ...]
    smalls: tuple[Small, ...] = ()
