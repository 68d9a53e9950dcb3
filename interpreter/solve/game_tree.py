"""The whole tree of a small game as flat lists: takes a table, gives every history with what its players remember.

Nodes stand in the order in which they are met, a node before what follows it. Choices made at the same moment are
asked one after the other, of players who do not know of each other's.
"""

from __future__ import annotations

from array import array
from fractions import Fraction
from typing import Any

from attrs import define, field

from rulesrun.dsl.text.messages import message
from rulesrun.interpreter.model.values import EVENTS, OPTIONS, PLAYER, Slots, State
from rulesrun.interpreter.play.player_memory import Known, PlayerMemories, announcement, is_asked_after_others
from rulesrun.interpreter.reference.chance import ChanceWait
from rulesrun.interpreter.reference.decisions import DecisionWait, OptionKey, TogetherWait
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.solve.backward_induction import Forbids, allowed_options
from rulesrun.interpreter.solve.bounds import NoAnswer, SolvingBounds

END, CHANCE = -1, 0
MOST_NODES = 400_000
MOST_DEPTH = 300

Heard = tuple[int, int, tuple[Any, ...]]


@define
class InformationSet:
    """What a player remembers when asked; `own` is how many choices of their own came before."""

    number: int
    player: int
    options: tuple[OptionKey, ...]
    own: int
    state: State  # one of the positions it may be
    heard: tuple[Heard, ...]  # what has been chosen before, as far as the player knows
    memory: int  # its number among the memories
    nodes: list[int] = field(factory=list)


@define(eq=False)
class GameTree:
    """`whose`: the player of each node, 0 for chance, -1 at the end."""

    players: int
    whose: array[int] = field(factory=lambda: array("b"))
    sets: list[int] = field(factory=list)  # the number of the information set, or -1
    children: list[tuple[int, ...]] = field(factory=list)
    odds: list[tuple[float, ...]] = field(factory=list)  # of the children of chance
    weights: dict[int, tuple[int, ...]] = field(factory=dict)  # of the same, in whole numbers, by node
    payoffs: list[tuple[Any, ...]] = field(factory=list)  # at the end, by player
    own: list[tuple[int, ...]] = field(factory=list)  # how many own choices each player has made
    information_sets: list[InformationSet] = field(factory=list)
    terminals: int = 0

    def __len__(self) -> int:
        return len(self.whose)


@define(eq=False)
class PendingNode:
    """A position to be gone into: what is remembered, and by whom; `joint`: what was known before a joint choice."""

    S: Slots
    known: Known
    joint: Known | None
    heard: tuple[tuple[int, int, OptionKey], ...]  # where and by whom what has been chosen
    own: tuple[int, ...]
    depth: int
    parent: int
    slot: int


def build_game_tree(table: Table, most: int = MOST_NODES) -> GameTree:
    return GameTreeBuilder(table, SolvingBounds(most)).build_tree()


@define(eq=False)
class GameTreeBuilder:
    table: Table
    bounds: SolvingBounds
    forbids: Forbids | None = None
    tree: GameTree = field(init=False)
    memories: PlayerMemories = field(init=False)
    found: dict[tuple[int, int], int] = field(init=False, factory=dict)
    left: list[PendingNode] = field(init=False, factory=list)
    links: list[list[int]] = field(init=False, factory=list)

    def __attrs_post_init__(self) -> None:
        self.tree = GameTree(self.table.players)
        self.memories = PlayerMemories(self.table)

    def build_tree(self) -> GameTree:
        S = self.table.new_slots()
        S[EVENTS] = None
        self.left.append(PendingNode(S, self.memories.empty_memories(), None, (), (0,) * self.table.players, 0, -1, 0))
        while self.left:
            self.bounds.check_size(len(self.tree))
            self.expand_node(self.left.pop())
        self.tree.children = [tuple(one) for one in self.links]
        return self.tree

    def expand_node(self, asked: PendingNode) -> None:
        table, S = self.table, asked.S
        if asked.depth > MOST_DEPTH:
            raise NoAnswer(
                message(
                    "the game is too long: more than {most_depth} choices and chance events in a row",
                    most_depth=MOST_DEPTH,
                )
            )
        wait, known = self.memories.run_to_question(S, asked.known)
        while isinstance(wait, ChanceWait):
            outcomes = wait.outcomes(S)
            if len(outcomes) > 1:
                self.expand_chance(asked, wait, outcomes, known)
                return
            wait.apply_answer(S, outcomes[0][0])
            wait, known = self.memories.run_to_question(S, known)
        if isinstance(wait, DecisionWait):
            self.expand_decision(asked, wait, known)
        else:
            scores = tuple(table.scoring.scores(S).values())
            self.bounds.check_constant_sum(sum(scores))
            self.add_node(asked, END, payoff=scores)
            self.tree.terminals += 1

    def add_node(
        self,
        asked: PendingNode,
        whose: int,
        number: int = -1,
        odds: tuple[float, ...] = (),
        payoff: tuple[Any, ...] = (),
    ) -> int:
        tree, at = self.tree, len(self.tree)
        tree.whose.append(whose)
        tree.sets.append(number)
        tree.odds.append(odds)
        tree.payoffs.append(payoff)
        tree.own.append(asked.own)
        self.links.append([])
        if asked.parent >= 0:
            self.links[asked.parent][asked.slot] = at
        return at

    def expand_chance(
        self, asked: PendingNode, wait: ChanceWait, outcomes: list[tuple[Any, int]], known: Known
    ) -> None:
        total = sum(weight for _, weight in outcomes)
        at = self.add_node(asked, CHANCE, odds=tuple(float(Fraction(weight, total)) for _, weight in outcomes))
        self.links[at] = [-1] * len(outcomes)
        self.tree.weights[at] = tuple(weight for _, weight in outcomes)
        for number, (value, _) in enumerate(outcomes):
            branch = asked.S.copy()
            wait.apply_answer(branch, value)
            self.left.append(PendingNode(branch, known, None, asked.heard, asked.own, asked.depth + 1, at, number))

    def expand_decision(self, asked: PendingNode, wait: DecisionWait, known: Known) -> None:
        if wait.is_team:
            raise NoAnswer(message(
                "`solve` needs a game in which one player wins what the other loses; here the team decides together"
            ))
        S, player = asked.S, wait.chooser(asked.S)
        options = allowed_options(self.forbids, player, S[OPTIONS])
        before = asked.joint if asked.joint is not None and is_asked_after_others(wait, S) else known
        remembered = self.memories.remember_options(before, S[OPTIONS])
        number = self.find_or_add_information_set(player, remembered[player - 1], asked, options)
        at = self.add_node(asked, player, number)
        self.tree.information_sets[self.tree.sets[at]].nodes.append(at)
        self.links[at] = [-1] * len(options)
        own = tuple(one + (seat == player) for seat, one in enumerate(asked.own, start=1))
        for number, option in enumerate(options):
            branch = S.copy()
            wait.apply_answer(branch, option)
            if isinstance(wait, TogetherWait):
                then, joint = self.memories.remember_own_choice(known, remembered, S[PLAYER], option), before
            else:
                then, joint = self.memories.remember_choice(known, remembered, (player,), wait, option), None
            heard = (*asked.heard, (wait.pc, player, option))
            self.left.append(PendingNode(branch, then, joint, heard, own, asked.depth + 1, at, number))

    def find_or_add_information_set(
        self, player: int, memory: int, asked: PendingNode, options: tuple[OptionKey, ...]
    ) -> int:
        key = player, memory
        if key not in self.found:
            number = self.found[key] = len(self.tree.information_sets)
            self.tree.information_sets.append(InformationSet(
                number, player, options, asked.own[player - 1], self.table.to_state(asked.S),
                self.choices_heard_by(player, asked), memory,
            ))
        return self.found[key]

    def choices_heard_by(self, player: int, asked: PendingNode) -> tuple[Heard, ...]:
        """Own choices whole, of others what was announced."""
        found: list[Heard] = []
        for pc, who, option in asked.heard:
            wait = self.table.waits[pc]
            assert isinstance(wait, DecisionWait)
            if who == player:
                found.append((pc, who, option))
            elif not isinstance(wait, TogetherWait) and (told := announcement(wait, option)) is not None:
                found.append((pc, who, told[1:]))
        return tuple(found)
