"""The answer for a small game: takes a table, gives its value and how to play, or why there is no answer."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from attrs import frozen

from rulesrun.dsl.text.messages import message
from rulesrun.interpreter.bots.solution import Book
from rulesrun.interpreter.model.values import PC, State
from rulesrun.interpreter.play.step import Option, make_option
from rulesrun.interpreter.reference.decisions import DecisionWait, OptionKey
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.solve.backward_induction import (
    MOST_POSITIONS,
    BackwardInduction,
    Forbids,
    HiddenInformation,
)
from rulesrun.interpreter.solve.book import PositionBook, StrategyBook
from rulesrun.interpreter.solve.bounds import SECONDS, NoAnswer, SolvingBounds
from rulesrun.interpreter.solve.equilibrium import MOST_ROUNDS, CfrSolver
from rulesrun.interpreter.solve.exact_tree import MOST_SEQUENCES, find_exact_value
from rulesrun.interpreter.solve.game_tree import MOST_NODES, GameTreeBuilder, InformationSet
from rulesrun.interpreter.solve.seen_moments import Moment, find_telling_moments, name_choice

TARGET = 1e-3


@frozen
class LocalStrategy:
    """How to choose at one place: the share of each option. `heard`: what was chosen before, as far as is known."""

    player: int
    state: State  # one of the positions it may be
    heard: tuple[tuple[int, str], ...]
    shares: tuple[tuple[Option, float], ...]
    seen: tuple[Moment, ...] = ()  # what tells it from others at which the same lies open and the same was heard


@frozen
class StarterValue:
    """`chance`: how likely this player has the first choice; `values`: what the game is worth then, by player."""

    starter: int
    chance: float
    values: tuple[Fraction | float, ...]


@frozen
class SolvingWork:
    """How far a game may be solved, counted, so that the answer does not hang on the clock."""

    positions: int = MOST_POSITIONS
    nodes: int = MOST_NODES
    rounds: int = MOST_ROUNDS
    sequences: int = MOST_SEQUENCES  # up to which the value is worked out exactly where something is hidden


FULL_WORK = SolvingWork()


@frozen
class Solution:
    """`values`: by player, fractions where they are exact. `between`: bounds on what player 1 gets when both play well,
    as best responses to the strategies found give them. `is_exact`: the strategies are, too."""

    values: tuple[Fraction | float, ...]
    between: tuple[float, float]
    is_exact: bool
    size: int  # positions, or nodes of the tree
    information_sets: tuple[int, ...]
    rounds: int
    plays: tuple[LocalStrategy, ...]
    is_cut: bool = False  # interrupted: nearer was possible
    book: Book | None = None  # to play by
    by_starter: tuple[StarterValue, ...] = ()

    @property
    def exact_value(self) -> Fraction | None:
        """To player 1."""
        return self.values[0] if isinstance(self.values[0], Fraction) else None

    @property
    def exploitability(self) -> float:
        return (self.between[1] - self.between[0]) / 2


def solve_game(
    table: Table, target: float = TARGET, seconds: float = SECONDS, tell: Callable[[int, float], None] | None = None,
    work: SolvingWork = FULL_WORK, forbids: Forbids | None = None,
) -> Solution:  # fmt: skip
    """`forbids`: what a player does without, and everybody knows it."""
    if table.players != 2:
        raise NoAnswer(message("`solve` needs a game for two players; here there are {players}", players=table.players))
    try:
        return solve_by_backward_induction(table, seconds, work, forbids)
    except HiddenInformation:
        return solve_by_cfr(table, target, seconds, tell, work, forbids)


def solve_by_backward_induction(
    table: Table, seconds: float, work: SolvingWork, forbids: Forbids | None = None
) -> Solution:
    ahead = BackwardInduction(table, SolvingBounds(work.positions, seconds), forbids=forbids)
    values = ahead.compute_worths()
    plays = []
    first = ahead.first
    if first is not None:
        worths = [worth[first.whose - 1] for worth in first.worths]
        ways = worths.count(max(worths))
        pairs = [(option, (worth == max(worths)) / ways) for option, worth in zip(first.options, worths, strict=True)]
        state = State(first.key)
        plays.append(LocalStrategy(first.whose, state, (), name_options(table, state, pairs)))
    value = float(values[0])
    return Solution(
        values, (value, value), True, len(ahead.worth), (), 0, tuple(plays), book=PositionBook(ahead),
        by_starter=tuple(StarterValue(who, float(chance), worths) for who, chance, worths in ahead.values_by_starter()),
    )


def solve_by_cfr(
    table: Table, target: float, seconds: float, tell: Callable[[int, float], None] | None, work: SolvingWork,
    forbids: Forbids | None = None,
) -> Solution:  # fmt: skip
    bounds = SolvingBounds(work.nodes, seconds)
    builder = GameTreeBuilder(table, bounds, forbids)
    tree = builder.build_tree()
    solving, is_cut = CfrSolver(tree), False
    try:
        solving.find_equilibrium(target, seconds, work.rounds, tell)
    except KeyboardInterrupt:
        is_cut = True
    middle = sum(bounds.sums, Fraction(0)) / 2
    exact = None if is_cut else find_exact_value(tree, work.sequences)
    half, value = (middle, exact) if exact is not None else (float(middle), solving.average_value())
    low, high = (float(middle) + bound for bound in solving.value_bounds())
    counts = tuple(sum(one.player == player for one in tree.information_sets) for player in (1, 2))
    seen = find_telling_moments(table, builder.memories, tree.information_sets)
    strategies = solving.average_strategies()
    plays = tuple(
        make_local_strategy(table, one, shares, seen.get(one.number, ()))
        for one, shares in zip(tree.information_sets, strategies, strict=True)
    )
    return Solution(
        (half + value, half - value), (low, high), False, len(tree), counts, solving.rounds, plays,
        is_cut, StrategyBook(builder, strategies),
        tuple(StarterValue(who, chance, (float(middle) + worth, float(middle) - worth))
              for who, chance, worth in solving.values_by_starter()),
    )


def make_local_strategy(
    table: Table, one: InformationSet, shares: list[float], seen: tuple[Moment, ...]
) -> LocalStrategy:
    heard = tuple((choice[1], name_choice(table, choice)) for choice in one.heard)
    pairs = list(zip(one.options, shares, strict=True))
    return LocalStrategy(one.player, one.state, heard, name_options(table, one.state, pairs), seen)


def name_options(
    table: Table, state: State, pairs: list[tuple[OptionKey, float]]
) -> tuple[tuple[Option, float], ...]:
    wait = table.waits[state.slots[PC]]
    assert isinstance(wait, DecisionWait)
    return tuple((make_option(table, wait, option), share) for option, share in pairs)
