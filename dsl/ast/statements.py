"""Statements, as written: what happens, line by line."""

from __future__ import annotations

from attrs import frozen

from rulesrun.dsl.ast.expressions import Call, Each, Expr, Name, Node


@frozen(eq=False)
class Shuffle(Node):
    """`shuffle stock`, `shuffle all Card into stock`, `shuffle (3 of hand) into stock`, `shuffle layout`."""

    what: Expr
    all: bool
    into: Expr | None


@frozen(eq=False)
class Deal(Node):
    """`deal 9 from stock to each hand`, `draw up to 2 from stock where … to hand as new`."""

    word: str  # deal | draw | roll: dice, each of whose faces is as likely
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
class Clear(Node):
    """`clear there`, `clear all between(here, there)`: nothing stands there any more. Spelled out before anybody plays
    it, as is `move here to there` of places.
    """

    all: bool
    what: Expr


@frozen(eq=False)
class Swap(Node):
    """`swap hand with hand of p`: all that lies in one zone, and all that lies in the other, change places."""

    one: Expr
    other: Expr


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
class Throw(Node):
    """`roll all cup`, `roll all dice into cup`, `roll 2 of Die into cup`: dice are thrown. Spelled out before anybody
    plays it: they go back, and chance draws as many faces, each as likely as any other.
    """

    all: bool
    what: Expr  # `Of(amount, collection)` for so many
    into: Expr | None


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
    is_promised: bool = False  # `, always possible`: one of the actions is legal whenever the choice is reached


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
    """`each c in hand where … in order of rank`.

    `let best = …` is the same for one value, which has its name in the lines that follow: these are the body. So is
    a parameter of a step that is done: `do put_down(guard)`.
    """

    each: Each
    order: Order | None
    body: tuple[Statement, ...]
    word: str = "each"  # each | let | do | roll | effect | ask | look | wins | moved
    called: Spelled | None = None  # as written; the others of `do` inside


@frozen(eq=False)
class EachPlayer(Node):
    """`each player from starter where … in order of …`: inside, `player` is that player."""

    start: Expr | None
    condition: Expr | None
    order: Order | None
    body: tuple[Statement, ...]


@frozen(eq=False)
class Turns(Node):
    """`turns from X [, to the right | , next Y] [skipping C] [until C]`; `one turn each from X … [except P] …`.

    `following`: whose turn comes after that of `player`; to the right it is `right of player`, to the left nothing.
    `limit`: how many there are at most, in a row without any of some actions where these are named.
    """

    once: bool
    start: Expr
    excluded: Expr | None
    skipping: Expr | None
    until: Expr | None
    body: tuple[Statement, ...]
    following: Expr | None = None
    limit: Expr | None = None
    without: tuple[Name, ...] = ()


@frozen(eq=False)
class Repeat(Node):
    """`repeat 3 times`, `repeat until stopped`: looks before each time."""

    times: Expr | None
    until: Expr | None
    body: tuple[Statement, ...]


@frozen(eq=False)
class Do(Node):
    """`do take_a_card`, `do put_down(guard)`: with arguments it is spelled out before anybody plays it."""

    step: Name
    arguments: tuple[Expr, ...] = ()


@frozen(eq=False)
class DoEffect(Node):
    """`do effect of card`: the step that the card's row names. Spelled out before anybody plays it."""

    column: Name
    owner: Expr


@frozen(eq=False)
class Ask(Node):
    """`ask each opponent from left: challenge or allow, until challenged`: one after the other, within a turn; spelled
    out before anybody plays it.
    """

    who: str  # player | opponent
    start: Expr | None  # the left neighbour of who asks, where nothing is said
    condition: Expr | None  # `where`: who is asked, looked at when it is their time
    actions: tuple[Name, ...]
    until: Expr | None


@frozen(eq=False)
class End(Node):
    what: str  # turn | phase | round | game


@frozen(eq=False)
class Wins(Node):
    """`player wins`, `left of player loses`, `nobody wins`: the game is over. Spelled out before anybody plays it."""

    who: Expr | None
    is_loss: bool


@frozen(eq=False)
class Show(Node):
    """`show hand [to p]`, `show bid of p`."""

    what: Expr
    to: Expr | None


@frozen(eq=False)
class LookAt(Node):
    """`look at hand of target`, `look at [up to] 3 of stock`: `player` alone sees it. Spelled out before anybody plays
    it.
    """

    is_up_to: bool
    what: Expr


@frozen(eq=False)
class CountPoints(Node):
    """`count points`: the score sheet is filled in now."""


@frozen(eq=False)
class Record(Node):
    """`record centre, player in positions`."""

    values: tuple[Expr, ...]
    memory: Name


Spelled = Call | Throw | DoEffect | Ask | LookAt | Wins | Move | Clear  # by other statements
Statement = (
    Shuffle | Deal | Move | Clear | Swap | Becomes | Increases | Roll | Throw | Lots | Choose | If | ForEach
    | EachPlayer
    | Turns | Repeat | Do | DoEffect | Ask | End | Wins | Show | LookAt | CountPoints | Record
)
