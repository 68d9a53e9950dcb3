"""The whole tree of a small table with exact odds and the names of everything, for other people's tools.

Takes a table of any number of players and any scores; its information sets are memories, so every player has perfect
recall. A team that decides has none, and is refused.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm
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
from rulesrun.interpreter.solve.game_tree import CHANCE, END, GameTree, GameTreeBuilder, PendingNode
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


# ---- exact value
# The exact value of a small game with hidden information: takes its tree, gives a fraction.
#
# The linear program over sequences of own choices (von Stengel, 1996), with payoffs lifted above zero, so that all of
# its equations may be inequalities and the simplex method begins at nought. It is worked out in whole numbers: every
# division comes out even (Edmonds, 1967).


MOST_SEQUENCES = 100  # of both players together; a larger game keeps its bounds
MOST_PIVOTS = 2_000
MOST_EVEN_PIVOTS = 50  # without gain, one after the other; then the first that may enter does, which cannot go in rings


@define(eq=False)
class SequenceForm:
    """`sequences`: of each player the numbers of information set and choice, the empty one first. `parents`: of each
    information set the sequence that leads to it. `payoffs`: of pairs of sequences, with chance weighed in."""

    tree: GameTree
    sequences: tuple[dict[tuple[int, int], int], dict[tuple[int, int], int]] = field(init=False)
    parents: dict[int, int] = field(init=False, factory=dict)
    payoffs: dict[tuple[int, int], Fraction] = field(init=False, factory=dict)
    reaches: dict[tuple[int, int], Fraction] = field(init=False, factory=dict)

    def __attrs_post_init__(self) -> None:
        self.sequences = ({(-1, 0): 0}, {(-1, 0): 0})
        for one in self.tree.information_sets:
            own = self.sequences[one.player - 1]
            for at in range(len(one.options)):
                own[one.number, at] = len(own)
        left = [(0, 0, 0, Fraction(1))]
        while left:
            node, first, second, chance = left.pop()
            self.add_node(node, first, second, chance, left)

    def add_node(
        self, node: int, first: int, second: int, chance: Fraction, left: list[tuple[int, int, int, Fraction]]
    ) -> None:
        tree, whose = self.tree, self.tree.whose[node]
        if whose == END:
            gain = Fraction(tree.payoffs[node][0] - tree.payoffs[node][1]) / 2
            pair = first, second
            self.payoffs[pair] = self.payoffs.get(pair, Fraction(0)) + chance * gain
            self.reaches[pair] = self.reaches.get(pair, Fraction(0)) + chance
        elif whose == CHANCE:
            weights = tree.weights[node]
            total = sum(weights)
            for child, weight in zip(tree.children[node], weights, strict=True):
                left.append((child, first, second, chance * weight / total))
        else:
            number = tree.sets[node]
            self.parents[number] = first if whose == 1 else second
            for at, child in enumerate(tree.children[node]):
                own = self.sequences[whose - 1][number, at]
                left.append((child, own, second, chance) if whose == 1 else (child, first, own, chance))


def find_exact_value(tree: GameTree, most: int = MOST_SEQUENCES) -> Fraction | None:
    """What the first player gets more than half of what there is, when both play well. None: too large."""
    if sum(len(one.options) for one in tree.information_sets) > most:
        return None
    form = SequenceForm(tree)
    lifted = 1 - min(value / form.reaches[pair] for pair, value in form.payoffs.items())
    worth = maximize(*write_program(form, lifted))
    return None if worth is None else worth - lifted


def write_program(form: SequenceForm, lifted: Fraction) -> tuple[list[list[int]], list[int], list[int], int]:
    """Rows, right sides, what is to be as large as possible; and by what payoffs were multiplied.

    Variables: how likely each sequence of the first player is, and what each information set of the second is worth.
    """
    sets = [[one for one in form.tree.information_sets if one.player == player] for player in (1, 2)]
    first, second = form.sequences
    values = {one.number: len(first) + 1 + at for at, one in enumerate(sets[1])}
    width = len(first) + 1 + len(values)
    scale = lcm(*(value.denominator for value in form.payoffs.values()), lifted.denominator,
                *(value.denominator for value in form.reaches.values()))
    rows, sides = [[0] * width for _ in range(1 + len(sets[0]) + len(second))], [0] * (1 + len(sets[0]) + len(second))
    rows[0][0], sides[0] = 1, 1
    for row, one in zip(rows[1:], sets[0], strict=False):
        row[form.parents[one.number]] = -1
        for at in range(len(one.options)):
            row[first[one.number, at]] = 1
    paid = rows[1 + len(sets[0]) :]
    for (number, _), at in second.items():
        paid[at][values.get(number, len(first))] = 1
    for number, at in values.items():
        paid[form.parents[number]][at] -= 1
    for (own, other), value in form.payoffs.items():
        paid[other][own] = -int((value + lifted * form.reaches[own, other]) * scale)
    goal = [0] * width
    goal[len(first)] = 1
    return rows, sides, goal, scale


def maximize(rows: list[list[int]], sides: list[int], goal: list[int], scale: int) -> Fraction | None:
    """The simplex method from nought. The last row holds what each variable would gain; all numbers are over `over`."""
    width = len(goal)
    table = [[*row, side] for row, side in zip(rows, sides, strict=True)] + [[*(-one for one in goal), 0]]
    basis, outside, over, even = [width + at for at in range(len(rows))], list(range(width)), 1, 0
    for _ in range(MOST_PIVOTS):
        gains = table[-1]
        entering = [at for at in range(width) if gains[at] < 0]
        if not entering:
            return Fraction(table[-1][-1], over * scale)
        if even < MOST_EVEN_PIVOTS:
            column = min(entering, key=lambda at: (gains[at], outside[at]))
        else:
            column = min(entering, key=lambda at: outside[at])
        leaving = [at for at in range(len(rows)) if table[at][column] > 0]
        row = min(leaving, key=lambda at: (Fraction(table[at][-1], table[at][column]), basis[at]))
        even = even + 1 if table[row][-1] == 0 else 0
        over = exchange(table, row, column, over)
        basis[row], outside[column] = outside[column], basis[row]
    return None


def exchange(table: list[list[int]], row: int, column: int, over: int) -> int:
    """Variable `column` takes the place of that of `row`; gives by what all numbers are divided from now on."""
    own, pivot = table[row], table[row][column]
    for at, other in enumerate(table):
        if at == row:
            continue
        factor = other[column]
        if factor:
            table[at] = [(pivot * value - factor * mine) // over for value, mine in zip(other, own, strict=True)]
        elif pivot != over:
            table[at] = [pivot * value // over for value in other]
        table[at][column] = -factor
    own[column] = over
    return pivot
