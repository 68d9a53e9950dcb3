"""Worked examples, line by line."""

from __future__ import annotations

from attrs import frozen

from rulesrun.dsl.ast.expressions import Expr, Literal, Name, Node
from rulesrun.dsl.ast.table_pieces import Declaration


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
class ThenOver(Node):
    """`then the game is over`, `then the game goes on`: whether anybody will still be asked."""

    is_over: bool


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
    | ThenOver | ThenCan | Todo
)


@frozen(eq=False)
class Example(Declaration):
    title: str
    lines: tuple[ExampleLine, ...]

    @property
    def options_set(self) -> frozenset[str]:
        return frozenset(line.name.text for line in self.lines if isinstance(line, Set))
