"""Expressions, as written: what has a value. The node that all others are made of stands here too."""

from __future__ import annotations

from attrs import field, frozen

from rulesrun.dsl.text.source import Span


@frozen(kw_only=True, eq=False)
class Node:
    span: Span = field(repr=False)


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
    """`column[k]`, `owner[row, column]`; spelled out from `told of c` (`of`)."""

    name: Name
    keys: tuple[Expr, ...]
    of: bool = False


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
class Joined(Node):
    """`hand or won`: what lies in several zones, as that from which somebody chooses."""

    parts: tuple[Expr, ...]


@frozen(eq=False)
class Combinations(Node):
    """`combinations of 3..5 from hand`: each way to take so many of them, as a set."""

    low: Expr
    high: Expr  # the very same, where it is one number
    collection: Expr


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
    """`c in hand`. `taken is a Card` (`of_kind`): whether it is one of that kind."""

    item: Expr
    collection: Expr
    negated: bool
    of_kind: bool = False


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
    Number | Text | Truth | Nothing | Name | Index | Call | Of | Item | Filter | Joined | Combinations | Range | SetOf
    | Literal | Quantified | Aggregate | Best | Compare | In | IsEmpty | Arithmetic | Negate | Not | And | Or
    | IfElse | Can | Before
)
