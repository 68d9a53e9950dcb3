"""The pieces that say how a game goes and what it is worth: phases, actions, scoring, properties."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from attrs import frozen

from rulesrun.dsl.ast.expressions import Expr, Name, Node
from rulesrun.dsl.ast.statements import Repeat, Statement, Turns
from rulesrun.dsl.ast.table_pieces import Declaration, Parameter
from rulesrun.dsl.ast.written_types import RangeType

_Said = TypeVar("_Said")


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
    parameters: tuple[Parameter, ...] = ()


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

    def group_arguments(self, arguments: Sequence[_Said]) -> tuple[tuple[_Said, ...], ...] | None:
        """What is said of each choice; of several at once, `keep(1, 2, 3)`, what the others leave over.

        None: so many cannot be said.
        """
        single = [(argument,) for argument in arguments]
        several = [number for number, choice in enumerate(self.choices) if choice.count is not None]
        left_over = len(arguments) - len(self.choices)
        if left_over == 0:
            return tuple(single)
        if left_over < 0 or len(several) != 1:
            return None
        at, after = several[0], several[0] + left_over + 1
        return (*single[:at], tuple(arguments[at:after]), *single[after:])


@frozen(eq=False)
class ScoreLine(Node):
    name: Name
    value: Expr
    notes: tuple[str, ...] = ()

    @property
    def is_written(self) -> bool:
        """Not so where it is what a word of the language comes to: it stands where that stands, with all its parts."""
        return self.name.span != self.span


@frozen(eq=False)
class Score(Declaration):
    when: str  # round | end | told
    lines: tuple[ScoreLine, ...]


@frozen(eq=False)
class Criterion(Node):
    direction: str  # highest | lowest
    value: Expr
    when: Expr | None

    @property
    def is_total(self) -> bool:
        return isinstance(self.value, Name) and self.value.text == "total"


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
class Figure(Declaration):
    """`figure longest: highest count of chain, at end of turn`, `how often reshuffle`, `sum n, at bid`: what is
    counted in a game for those who measure it. Of `how often reshuffle` the value is `yes`.
    """

    name: Name
    word: str | None  # how often | sum | mean | highest | lowest; None: the value as it is
    value: Expr
    moment: str | None  # turn | round | game, for `at end of`; the checker asks for one of the two
    begins: Name | None  # the action that is chosen, or the step that is done


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
