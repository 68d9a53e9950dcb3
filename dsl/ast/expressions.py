"""Expressions, as written: what has a value. The node that all others are made of stands here too."""

from __future__ import annotations

from attrs import field, frozen

from rulesrun.dsl.text.source import Span


@frozen(kw_only=True, eq=False)
class Node:
    span: Span = field(repr=False)


@frozen(kw_only=True, eq=False)
class Expression(Node):
    """What has a value. Who is told no more than that must ask elsewhere what it means."""


@frozen(eq=False)
class Number(Expression):
    value: int


@frozen(eq=False)
class Text(Expression):
    value: str


@frozen(eq=False)
class Truth(Expression):
    """`yes`, `no`."""

    value: bool


@frozen(eq=False)
class Nothing(Expression):
    """`nothing`: an empty marker."""


@frozen(eq=False)
class Name(Expression):
    """Any name: zone, variable, definition, parameter, option, value, attribute, built-in."""

    text: str


@frozen(eq=False)
class Index(Expression):
    """`column[k]`, `owner[row, column]`; spelled out from `told of c` (`of`)."""

    name: Name
    keys: tuple[Expr, ...]
    of: bool = False


@frozen(eq=False)
class Call(Expression):
    """`of_colour(red)`: a definition, a table, a built-in."""

    name: Name
    arguments: tuple[Expr, ...]


@frozen(eq=False)
class Of(Expression):
    """`X of Y`: `count of hand`, `hand of p`, `rank of c`, `points of 1`, `left of player`."""

    subject: Expr
    owner: Expr


@frozen(eq=False)
class Item(Expression):
    """`item k of row`: the k-th, from 1."""

    position: Expr
    collection: Expr


@frozen(eq=False)
class Filter(Expression):
    """`hand where colour = red`. Inside, `it` is the element, its attributes stand alone."""

    collection: Expr
    condition: Expr


@frozen(eq=False)
class Joined(Expression):
    """`hand or won`: what lies in several zones, as that from which somebody chooses."""

    parts: tuple[Expr, ...]


@frozen(eq=False)
class Combinations(Expression):
    """`combinations of 3..5 from hand`: each way to take so many of them, as a set."""

    low: Expr
    high: Expr  # the very same, where it is one number
    collection: Expr


@frozen(eq=False)
class Range(Expression):
    low: Expr
    high: Expr


@frozen(eq=False)
class Literal(Expression):
    """`red 7`: a component by its attributes (or by its name), an element of a set or list."""

    parts: tuple[Expr, ...]


@frozen(eq=False)
class SetOf(Expression):
    """`{1, 3}`, `{red 7, blue 7}`."""

    items: tuple[Literal, ...]


@frozen(eq=False)
class Each(Node):
    """`c in hand where …`; without a name the element is `it`."""

    name: Name | None
    collection: Expr


@frozen(eq=False)
class Quantified(Expression):
    """`some c in hand has …`, `every …`, `no …`."""

    word: str  # some | every | no
    each: Each
    body: Expr


@frozen(eq=False)
class Aggregate(Expression):
    """`sum of [distinct] E over c in S`. `list` keeps order and doubles, `sorted` puts the lowest first."""

    word: str  # sum | highest | lowest | list | sorted | count
    distinct: bool
    body: Expr
    each: Each


@frozen(eq=False)
class Best(Expression):
    """`the c in hand with highest rank of c`, `those c in hand with lowest …`."""

    word: str  # the | those
    each: Each
    direction: str  # highest | lowest
    key: Expr


@frozen(eq=False)
class Compare(Expression):
    operator: str  # = | is not | < | <= | > | >=
    left: Expr
    right: Expr


@frozen(eq=False)
class In(Expression):
    """`c in hand`. `taken is a Card` (`of_kind`): whether it is one of that kind."""

    item: Expr
    collection: Expr
    negated: bool
    of_kind: bool = False


@frozen(eq=False)
class IsEmpty(Expression):
    collection: Expr
    negated: bool


@frozen(eq=False)
class Arithmetic(Expression):
    operator: str  # + | - | * | div | mod | /
    left: Expr
    right: Expr


@frozen(eq=False)
class Negate(Expression):
    value: Expr


@frozen(eq=False)
class Not(Expression):
    value: Expr


@frozen(eq=False)
class And(Expression):
    parts: tuple[Expr, ...]


@frozen(eq=False)
class Or(Expression):
    parts: tuple[Expr, ...]


@frozen(eq=False)
class IfElse(Expression):
    condition: Expr
    then: Expr
    otherwise: Expr


@frozen(eq=False)
class Can(Expression):
    """`can exchange`: the player has a legal way to do the action now."""

    action: Name


@frozen(eq=False)
class Before(Expression):
    """`before (count of hand)`: its value before the action, in `after` properties only."""

    value: Expr


Expr = (
    Number | Text | Truth | Nothing | Name | Index | Call | Of | Item | Filter | Joined | Combinations | Range | SetOf
    | Literal | Quantified | Aggregate | Best | Compare | In | IsEmpty | Arithmetic | Negate | Not | And | Or
    | IfElse | Can | Before
)
