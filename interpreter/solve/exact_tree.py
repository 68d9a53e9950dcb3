"""The whole tree of a small table with exact odds and the names of everything, for other people's tools.

Takes a table of any number of players and any scores; its information sets are memories, so every player has perfect
recall. A team that decides has none, and is refused.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from attrs import define, field, frozen

from rulesrun.dsl.text.messages import message
from rulesrun.interpreter.model.values import PC, State
from rulesrun.interpreter.play.player_memory import Known
from rulesrun.interpreter.play.step import Option, make_option, outcome_name
from rulesrun.interpreter.reference.chance import ChanceWait
from rulesrun.interpreter.reference.decisions import DecisionWait
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.solve.bounds import NoAnswer, SolvingBounds
from rulesrun.interpreter.solve.game_tree import GameTree, GameTreeBuilder, PendingNode
from rulesrun.interpreter.solve.seen_moments import Moment, find_telling_moments, name_choice

MOST_EXPORTED = 200_000


@frozen
class ChanceNode:
    """What happens, where from and where to, and each outcome with its exact odds."""

    what: str
    places: tuple[str | None, str | None]
    outcomes: tuple[str, ...]
    odds: tuple[Fraction, ...]


@frozen(eq=False)
class NamedSet:
    """An information set: whose, one of the positions it may be, what may be chosen, and what tells it from others."""

    player: int
    state: State
    options: tuple[Option, ...]
    heard: tuple[tuple[int, str], ...]
    seen: tuple[Moment, ...]


@frozen(eq=False)
class ExactTree:
    """`chances`: by node. `sets`: by number, as the tree has them."""

    table: Table
    tree: GameTree
    chances: dict[int, ChanceNode]
    sets: tuple[NamedSet, ...]


class SizeBounds(SolvingBounds):
    """Scores may come to anything."""

    def check_constant_sum(self, total: Any) -> None:
        self.sums.add(Fraction(total))


@define(eq=False)
class ExactTreeBuilder(GameTreeBuilder):
    chances: dict[int, ChanceNode] = field(init=False, factory=dict)

    def expand_chance(
        self, asked: PendingNode, wait: ChanceWait, outcomes: list[tuple[Any, int]], known: Known
    ) -> None:
        total = sum(weight for _, weight in outcomes)
        places = wait.place_names(asked.S)
        names = tuple(format_outcome(outcome_name(self.table, wait, value)) for value, _ in outcomes)
        odds = tuple(Fraction(weight, total) for _, weight in outcomes)
        self.chances[len(self.tree)] = ChanceNode(wait.what, places, names, odds)
        super().expand_chance(asked, wait, outcomes, known)

    def expand_decision(self, asked: PendingNode, wait: DecisionWait, known: Known) -> None:
        if wait.is_team:
            raise NoAnswer(message("here the team decides together; a tree only has room for single players"))
        super().expand_decision(asked, wait, known)


def format_outcome(value: Any) -> str:
    return " ".join(str(one) for one in value) if isinstance(value, (list, tuple)) else str(value)


def build_exact_tree(table: Table, most: int = MOST_EXPORTED, seconds: float = 600.0) -> ExactTree:
    """Raises NoAnswer where it is too large."""
    builder = ExactTreeBuilder(table, SizeBounds(most, seconds))
    tree = builder.build_tree()
    moments = find_telling_moments(table, builder.memories, tree.information_sets)
    sets = []
    for one in tree.information_sets:
        wait = table.waits[one.state.slots[PC]]
        assert isinstance(wait, DecisionWait)
        options = tuple(make_option(table, wait, key) for key in one.options)
        heard = tuple((choice[1], name_choice(table, choice)) for choice in one.heard)
        sets.append(NamedSet(one.player, one.state, options, heard, moments.get(one.number, ())))
    return ExactTree(table, tree, builder.chances, tuple(sets))
