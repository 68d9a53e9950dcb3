"""Types, as written: of options, attributes, variables, keys and parameters."""

from __future__ import annotations

from attrs import frozen

from rulesrun.dsl.ast.expressions import Expr, Name, Node


@frozen(eq=False)
class RangeType(Node):
    """`1..3`; of an option also `1, 3 or 5`: then only what is `listed`, from the lowest to the highest."""

    low: Expr
    high: Expr
    listed: tuple[int, ...] = ()


@frozen(eq=False)
class NamedType(Node):
    """A declared `values` or component kind."""

    name: Name


@frozen(eq=False)
class EitherType(Node):
    """`Card or Coin`: components of several kinds."""

    names: tuple[Name, ...]


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
class SetType(Node):
    """`set of Card`, of a parameter: several of them, without an order."""

    item: TypeExpr


@frozen(eq=False)
class Optional(Node):
    """`player or nothing`."""

    item: TypeExpr


TypeExpr = (
    RangeType | NamedType | EitherType | WordsType | TruthType | PlayerType | OrderType | RowType | SetType | Optional
)
