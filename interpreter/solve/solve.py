"""The answer for a small game: takes a table, gives its value and how to play, or why there is no answer."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from attrs import frozen

from rulesrun.interpreter.model.values import PC, State
from rulesrun.interpreter.play.step import Option, argument_outside, option_of
from rulesrun.interpreter.reference.decisions import DecisionWait, OptionKey
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.solve.backward_induction import MOST_POSITIONS, LookingAhead, NotOpen
from rulesrun.interpreter.solve.bounds import SECONDS, Bounds, NoAnswer
from rulesrun.interpreter.solve.equilibrium import Solving
from rulesrun.interpreter.solve.game_tree import MOST_NODES, Growing, Heard, InformationSet

TARGET = 1e-3


@frozen
class Play:
    """How to choose at one place: the share of each option. `heard`: what was chosen before, as far as is known."""

    player: int
    state: State  # one of the positions it may be
    heard: tuple[tuple[int, str], ...]
    shares: tuple[tuple[Option, float], ...]


@frozen
class Answer:
    """`values`: by player. `between`: bounds on what player 1 gets when both play well."""

    values: tuple[Fraction | float, ...]
    between: tuple[float, float]
    is_exact: bool
    size: int  # positions, or nodes of the tree
    information_sets: tuple[int, ...]
    rounds: int
    plays: tuple[Play, ...]
    is_cut: bool = False  # interrupted: nearer was possible

    @property
    def gap(self) -> float:
        return (self.between[1] - self.between[0]) / 2


def solve(
    table: Table, target: float = TARGET, seconds: float = SECONDS, tell: Callable[[int, float], None] | None = None
) -> Answer:
    if table.players != 2:
        raise NoAnswer(f"only games of two players are solved; here {table.players} play")
    try:
        return looked_ahead(table, seconds)
    except NotOpen:
        return balanced(table, target, seconds, tell)


def looked_ahead(table: Table, seconds: float) -> Answer:
    ahead = LookingAhead(table, Bounds(MOST_POSITIONS, seconds))
    values = ahead.run()
    plays = []
    first = ahead.first
    if first is not None:
        worths = [worth[first.whose - 1] for worth in first.worths]
        ways = worths.count(max(worths))
        pairs = [(option, (worth == max(worths)) / ways) for option, worth in zip(first.options, worths, strict=True)]
        state = State(first.key)
        plays.append(Play(first.whose, state, (), in_words(table, state, pairs)))
    value = float(values[0])
    return Answer(values, (value, value), True, len(ahead.worth), (), 0, tuple(plays))


def balanced(table: Table, target: float, seconds: float, tell: Callable[[int, float], None] | None) -> Answer:
    bounds = Bounds(MOST_NODES, seconds)
    tree = Growing(table, bounds).grow()
    solving, is_cut = Solving(tree), False
    try:
        solving.run(target, seconds, tell=tell)
    except KeyboardInterrupt:
        is_cut = True
    half, value = float(sum(bounds.sums)) / 2, solving.value()
    low, high = solving.between()
    counts = tuple(sum(one.player == player for one in tree.information_sets) for player in (1, 2))
    plays = tuple(
        play_of(table, one, shares) for one, shares in zip(tree.information_sets, solving.average(), strict=True)
    )
    return Answer(
        (half + value, half - value), (half + low, half + high), False, len(tree), counts, solving.rounds, plays, is_cut
    )


def play_of(table: Table, one: InformationSet, shares: list[float]) -> Play:
    heard = tuple((choice[1], heard_text(table, choice)) for choice in one.heard)
    pairs = list(zip(one.options, shares, strict=True))
    return Play(one.player, one.state, heard, in_words(table, one.state, pairs))


def in_words(
    table: Table, state: State, pairs: list[tuple[OptionKey, float]]
) -> tuple[tuple[Option, float], ...]:
    wait = table.waits[state.slots[PC]]
    assert isinstance(wait, DecisionWait)
    return tuple((option_of(table, wait, option), share) for option, share in pairs)


def heard_text(table: Table, heard: Heard) -> str:
    """`take(2, 1)`; of what was not told only what was."""
    wait = table.waits[heard[0]]
    assert isinstance(wait, DecisionWait)
    ready = wait.offers[heard[2][0]].action
    told = [choice.choice for choice in ready.choices]
    if len(told) > len(heard[2]) - 1:
        told = [choice.choice for choice in ready.choices if not choice.is_component]
    values = [
        str(argument_outside(table, choice, value)) for choice, value in zip(told, heard[2][1:], strict=True)
    ]
    return ready.action.name.text + (f"({', '.join(values)})" if values else "")
