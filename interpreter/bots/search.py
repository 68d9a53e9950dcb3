"""Monte-Carlo tree search over information sets: takes an observation, gives the option it tried most.

Every game of the search is played on another deal that fits to what the seat has seen. A node is what the seat
sees there, so that deals it cannot tell apart share their nodes, and so do ways that lead to the same; an option
that is not there on every deal is measured against the games in which it was (Cowling, Powley and Whitehouse, 2012).
"""

from __future__ import annotations

from math import log, sqrt
from time import monotonic
from typing import Any

from attrs import define, field

from rulesrun.interpreter.bots.deals import Dealer
from rulesrun.interpreter.bots.greedy import dealt, looked_ahead
from rulesrun.interpreter.bots.observation import Observation
from rulesrun.interpreter.bots.walking import Below, to_decision, walked
from rulesrun.interpreter.bots.worth import Judge
from rulesrun.interpreter.decisions import DecisionWait, OptionKey
from rulesrun.interpreter.table import Table
from rulesrun.interpreter.values import OPTIONS, PC, Fault, Slots
from rulesrun.interpreter.visibility import Look, looking

MOST_DEPTH = 200
DEALS, FURTHER = 6, 6  # of the first look: on how many deals, and how many random decisions further
MANY = 400  # games in a budget of time, as far as is guessed


@define
class Tried:
    """An option at a node: how often it could be chosen, how often it was, the sum of its worths to who chose it."""

    available: int = 0
    visits: float = 0.0
    total: float = 0.0


@define
class Spread:
    """How far the worths of games lie apart: what is tried follows from it."""

    games: int = 0
    mean: float = 0.5
    squares: float = 0.0

    def note(self, worth: float) -> None:
        self.games += 1
        before = worth - self.mean
        self.mean += before / self.games
        self.squares += before * (worth - self.mean)

    @property
    def width(self) -> float:
        return max(sqrt(self.squares / self.games), 0.02) if self.games > 4 else 0.5


@define(eq=False)
class Node:
    options: dict[OptionKey, Tried] = field(factory=dict)


@define(eq=False)
class Search:
    """`ahead`: random decisions after the tree, where no difference is seen at once; `curiosity`: how
    much is tried that looks worse.

    `hint`: how many visits a first look at an option is worth; `patience`: how many games an option should get, so
    that of many options those are left out that look worst at first.
    """

    seen: Observation
    below: Below
    ahead: int = 24
    curiosity: float = 1.4
    hint: float = 4.0
    patience: int = 12
    root: Node = field(init=False, factory=Node)
    nodes: dict[Any, Node] = field(init=False, factory=dict)
    judge: Judge = field(init=False)
    dealer: Dealer = field(init=False)
    look: Look = field(init=False)
    games: int = field(init=False, default=0)
    options: list[OptionKey] = field(init=False)  # those that are tried
    spread: Spread = field(init=False, factory=Spread)

    def __attrs_post_init__(self) -> None:
        self.judge = Judge(self.seen.table)
        self.dealer = Dealer(self.seen)
        self.look = looking(self.seen.table, self.seen.seat)
        self.options = list(self.seen.options)

    def run(self, games: int | None, seconds: float | None) -> None:
        """Until so many games have been played, or so much time is over."""
        until = None if seconds is None else monotonic() + seconds
        if self.hint:
            self.look_first(games)
        while (games is None or self.games < games) and (until is None or monotonic() < until):
            self.games += 1
            try:
                self.one_game()
            except Fault:
                continue  # a game that gets stuck teaches nothing

    def look_first(self, games: int | None) -> None:
        """What a step is worth at once, as a first opinion."""
        worths = looked_ahead(self.seen, DEALS, 0, self.below, self.judge)
        for option, worth in zip(self.seen.options, worths, strict=True):
            self.root.options[option] = Tried(0, self.hint, self.hint * worth)
        if max(worths) - min(worths) > 1e-9:  # what is near tells something: no need to look far
            self.ahead = min(self.ahead, 2 * self.seen.table.players)
        most = max((games or MANY) // self.patience, 4)
        least = sorted(worths, reverse=True)[:most][-1]
        self.options = [option for option, worth in zip(self.seen.options, worths, strict=True) if worth >= least]
        further = looked_ahead(self.seen, DEALS, FURTHER, self.below, self.judge, tuple(self.options))
        for option, worth in zip(self.seen.options, further, strict=True):
            if option in self.options:
                self.root.options[option].visits += self.hint
                self.root.options[option].total += self.hint * worth

    def one_game(self) -> None:
        table, S = self.seen.table, dealt(self.dealer, self.below)
        wait, node = table.run(S), self.root
        path: list[tuple[int, Tried]] = []
        there = set(S[OPTIONS])
        options = [option for option in self.options if option in there]
        is_new = False
        while isinstance(wait, DecisionWait) and not is_new and len(path) < MOST_DEPTH:
            chooser = wait.chooser(S)
            option, tried = self.chosen(node, options or S[OPTIONS])
            is_new = tried.visits == 0
            path.append((chooser, tried))
            wait.settle(S, option)
            wait = to_decision(table, S, self.below)
            options = S[OPTIONS] if isinstance(wait, DecisionWait) else []
            if not is_new:
                node = self.node_at(S)
        self.learn(path, self.value(table, S, wait))

    def value(self, table: Table, S: Slots, wait: object) -> list[float]:
        if isinstance(wait, DecisionWait):
            return walked(table, self.judge, S, self.below, self.ahead)
        return self.judge.at_end(S)

    def node_at(self, S: Slots) -> Node:
        key = S[PC], self.look(S)
        found = self.nodes.get(key)
        if found is None:
            found = self.nodes[key] = Node()
        return found

    def chosen(self, node: Node, options: list[OptionKey]) -> tuple[OptionKey, Tried]:
        """The option with the highest upper bound among those that are there."""
        best: list[OptionKey] = []
        highest = -1.0
        for option in options:
            tried = node.options.get(option)
            if tried is None:
                tried = node.options[option] = Tried()
            tried.available += 1
            bound = self.bound(tried)
            if bound > highest:
                best, highest = [option], bound
            elif bound == highest:
                best.append(option)
        option = best[self.below(len(best))] if len(best) > 1 else best[0]
        return option, node.options[option]

    def bound(self, tried: Tried) -> float:
        if not tried.visits:
            return 1e9
        doubt = sqrt(log(tried.available + 1) / tried.visits)
        return tried.total / tried.visits + self.curiosity * self.spread.width * doubt

    def learn(self, path: list[tuple[int, Tried]], worths: list[float]) -> None:
        self.spread.note(worths[self.seen.seat - 1])
        for chooser, tried in path:
            tried.visits += 1
            tried.total += worths[chooser - 1] if chooser else sum(worths) / len(worths)

    def best(self) -> int:
        """The option tried most often; of several alike the one that is worth most."""
        ranked = [self.root.options.get(option, Tried()) for option in self.seen.options]
        return max(range(len(ranked)), key=lambda number: (ranked[number].visits, ranked[number].total))
