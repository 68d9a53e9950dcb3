"""An equilibrium of a two-player zero-sum game by CFR+: takes its tree, gives strategies, their value and how far off.

Counterfactual regret minimisation with regrets that never fall below zero, the players in turn, later strategies
weighing more (Tammelin, 2014). What a best response wins against them is worked out exactly on the tree.
"""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

from attrs import define, field

from rulesrun.interpreter.solve.game_tree import CHANCE, END, GameTree

MOST_ROUNDS = 100_000
Strategy = list[list[float]]  # by information set, the share of each option


@define(eq=False)
class CfrSolver:
    tree: GameTree
    payoffs: list[float] = field(init=False)  # by node, what player 1 gets there more than the middle
    regrets: Strategy = field(init=False)
    sums: Strategy = field(init=False)
    current: Strategy = field(init=False)
    rounds: int = field(init=False, default=0)
    weights: list[list[float]] = field(init=False)

    def __attrs_post_init__(self) -> None:
        tree = self.tree
        self.payoffs = [zero_sum_payoff(payoff) if payoff else 0.0 for payoff in tree.payoffs]
        sizes = [len(one.options) for one in tree.information_sets]
        self.regrets = [[0.0] * size for size in sizes]
        self.sums = [[0.0] * size for size in sizes]
        self.current = [[1.0 / size] * size for size in sizes]
        self.weights = [[0.0] * len(tree), [0.0] * len(tree)]

    def find_equilibrium(
        self, target: float, seconds: float, most: int = MOST_ROUNDS, tell: Callable[[int, float], None] | None = None
    ) -> float:
        """Until a best response wins less than `target`, or the time is over; gives the exploitability."""
        began, look_at, gap = monotonic(), 16, float("inf")
        while self.rounds < most:
            self.rounds += 1
            for player in (1, 2):
                self.update_player(player)
            is_late = monotonic() - began > seconds
            if self.rounds >= look_at or is_late:
                look_at = self.rounds + max(self.rounds // 4, 16)
                gap = self.exploitability()
                if tell is not None:
                    tell(self.rounds, gap)
                if gap < target or is_late:
                    break
        return self.exploitability()

    def exploitability(self) -> float:
        """The exploitability of the average strategies: what best responses to both win on average."""
        low, high = self.value_bounds()
        return (high - low) / 2

    def value_bounds(self) -> tuple[float, float]:
        """The value of the game to player 1 lies between what best responses to the strategies leave and win."""
        average = self.average_strategies()
        return (
            -best_response_value(self.tree, self.payoffs, average, 2),
            best_response_value(self.tree, self.payoffs, average, 1),
        )

    def update_player(self, player: int) -> None:
        """One pass for one player: reaches downwards, values upwards, regrets and the average on the way."""
        tree = self.tree
        own, others = self.weights
        compute_reaches(tree, self.current, player, own, others)
        values = compute_values(tree, self.payoffs, self.current)
        sign = 1.0 if player == 1 else -1.0
        for one in tree.information_sets:
            if one.player != player:
                continue
            gains = [0.0] * len(one.options)
            for node in one.nodes:
                weight, base = sign * others[node], values[node]
                if weight:
                    for number, child in enumerate(tree.children[node]):
                        gains[number] += weight * (values[child] - base)
            self.update_regrets(one.number, gains, own[one.nodes[0]])

    def update_regrets(self, number: int, gains: list[float], reach: float) -> None:
        weight = reach * self.rounds
        sums, current = self.sums[number], self.current[number]
        for at, share in enumerate(current):
            sums[at] += weight * share
        regrets = [max(regret + gain, 0.0) for regret, gain in zip(self.regrets[number], gains, strict=True)]
        self.regrets[number] = regrets
        total = sum(regrets)
        size = len(regrets)
        self.current[number] = [regret / total for regret in regrets] if total > 0 else [1.0 / size] * size

    def average_strategies(self) -> Strategy:
        found = []
        for sums in self.sums:
            total = sum(sums)
            found.append([one / total for one in sums] if total > 0 else [1.0 / len(sums)] * len(sums))
        return found

    def average_value(self) -> float:
        """Of the average strategies, to player 1."""
        return compute_values(self.tree, self.payoffs, self.average_strategies())[0]

    def values_by_starter(self) -> list[tuple[int, float, float]]:
        """For each player who may have the first choice of all: how likely that is, and what the game is worth to
        player 1 then."""
        tree, values = self.tree, compute_values(self.tree, self.payoffs, self.average_strategies())
        found: dict[int, tuple[float, float]] = {}
        left = [(0, 1.0)]
        while left:
            node, chance = left.pop()
            if tree.whose[node] == CHANCE:
                left += [(child, chance * odds) for child, odds in
                         zip(tree.children[node], tree.odds[node], strict=True)]
            elif tree.whose[node] != END:
                likely, worth = found.get(tree.whose[node], (0.0, 0.0))
                found[tree.whose[node]] = likely + chance, worth + chance * values[node]
        return [(who, likely, worth / likely) for who, (likely, worth) in sorted(found.items())]


def zero_sum_payoff(payoff: tuple[float, ...]) -> float:
    """What player 1 has more than half of what there is."""
    return float(payoff[0] - payoff[1]) / 2


def compute_reaches(tree: GameTree, strategy: Strategy, player: int, own: list[float], others: list[float]) -> None:
    """How likely each node is, as far as it lies with the player, and with everything else."""
    own[0] = others[0] = 1.0
    for node, (whose, children) in enumerate(zip(tree.whose, tree.children, strict=True)):
        if whose == END:
            continue
        mine, theirs = own[node], others[node]
        shares = tree.odds[node] if whose == CHANCE else strategy[tree.sets[node]]
        if whose == player:
            for child, share in zip(children, shares, strict=True):
                own[child], others[child] = mine * share, theirs
        else:
            for child, share in zip(children, shares, strict=True):
                own[child], others[child] = mine, theirs * share


def compute_values(tree: GameTree, payoffs: list[float], strategy: Strategy) -> list[float]:
    """What every node is worth to player 1."""
    values = payoffs.copy()
    whose, sets, all_children, odds = tree.whose, tree.sets, tree.children, tree.odds
    for node in range(len(tree) - 1, -1, -1):
        if whose[node] != END:
            shares = odds[node] if whose[node] == CHANCE else strategy[sets[node]]
            value = 0.0
            for child, share in zip(all_children[node], shares, strict=True):
                value += share * values[child]
            values[node] = value
    return values


def best_response_value(tree: GameTree, payoffs: list[float], strategy: Strategy, player: int) -> float:
    """What the player can win at most against the other's strategy."""
    return respond_best(tree, payoffs, strategy, player)[0]


def compute_best_response(tree: GameTree, payoffs: list[float], strategy: Strategy, player: int) -> dict[int, int]:
    """By the number of the information set, the option that wins most against the other's strategy."""
    return respond_best(tree, payoffs, strategy, player)[1]


def respond_best(
    tree: GameTree, payoffs: list[float], strategy: Strategy, player: int
) -> tuple[float, dict[int, int]]:
    """What a best response wins, and what it chooses.

    Nodes are gone through by how many own choices came before, the most first: an information set is decided
    when everything behind all of its nodes is known.
    """
    sign = 1.0 if player == 1 else -1.0
    own, others = [0.0] * len(tree), [0.0] * len(tree)
    compute_reaches(tree, strategy, player, own, others)
    values = [sign * payoff for payoff in payoffs]
    levels: dict[int, list[int]] = {}
    for node in range(len(tree) - 1, -1, -1):
        levels.setdefault(tree.own[node][player - 1], []).append(node)
    sets: dict[int, list[int]] = {}
    for one in tree.information_sets:
        if one.player == player:
            sets.setdefault(one.own, []).append(one.number)
    picks: dict[int, int] = {}
    for level in sorted(levels, reverse=True):
        for number in sets.get(level, ()):
            picks[number] = choose_best_option(tree, number, others, values)
        for node in levels[level]:
            whose = tree.whose[node]
            if whose not in (END, player):
                shares = tree.odds[node] if whose == CHANCE else strategy[tree.sets[node]]
                values[node] = sum(
                    share * values[child] for child, share in zip(tree.children[node], shares, strict=True)
                )
    return values[0], picks


def choose_best_option(tree: GameTree, number: int, others: list[float], values: list[float]) -> int:
    """The best option of an information set, the same at all of its nodes."""
    one = tree.information_sets[number]
    worths = [
        sum(others[node] * values[tree.children[node][at]] for node in one.nodes) for at in range(len(one.options))
    ]
    best = worths.index(max(worths))
    for node in one.nodes:
        values[node] = values[tree.children[node][best]]
    return best
