"""Monte-Carlo tree search over information sets: takes an observation, tries its options.

Every game of the search is played on another deal that fits to what the seat has seen. A node is what the seat
sees there and who chooses, so that deals it cannot tell apart share their nodes, and so do ways that lead to the
same; an option is measured against the games in which it was there (Cowling, Powley and Whitehouse, 2012). Where
others can hold few things only, their nodes are what they see themselves, so that they choose by it. Whoever chooses
at the same moment does so in the tree too, whether asked before or after: otherwise one seat would take others for
better players than the next seat does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby
from math import isqrt
from operator import itemgetter
from typing import Any

from attrs import define, field

from rulesrun.interpreter.bots.bot import Below
from rulesrun.interpreter.bots.deliberation import DealtThought, Manner, choose_blindly, deal_fitting
from rulesrun.interpreter.bots.evaluation import ONE
from rulesrun.interpreter.bots.observation import Observation
from rulesrun.interpreter.bots.rollouts import Rollout, run_to_decision, worth_to
from rulesrun.interpreter.model.places import count_components
from rulesrun.interpreter.model.values import OPTIONS, PC, PLAYER, SHEETS, Fault, Slots
from rulesrun.interpreter.play.visibility import known_top, visible_slots
from rulesrun.interpreter.reference.decisions import DecisionWait, OptionKey, TogetherWait
from rulesrun.interpreter.reference.flow_graph import Wait
from rulesrun.interpreter.reference.score_lookups import total_points
from rulesrun.interpreter.reference.table import Table

MOST_DEPTH = 200
MOST_OPTIONS = 4096  # more are not searched through
MOST_TRIED = 1 << 19  # options and nodes that are kept
UNKNOWN_SPREAD = ONE // 4
LEAST_SPREAD = ONE // 64
FEW = 4  # games from which no spread can be told
ROOT = ("root",)


@define
class OptionVisits:
    """An option at a node: how often it could be chosen, how often it was, the sum of its worths to who chose it. Of a
    node itself: of all its options."""

    available: int = 0
    visits: int = 0
    total: int = 0


Asked = tuple[int, int]  # at which question, and who
# Who chose; the node, the option there, and its action wherever it was chosen at this question.
Path = list[tuple[int, OptionVisits, OptionVisits, OptionVisits]]


@define
class Spread:
    """How far the worths of games lie apart: what is tried follows from it."""

    games: int = 0
    total: int = 0
    squares: int = 0
    width: int = UNKNOWN_SPREAD

    def add_worth(self, worth: int) -> None:
        rough = worth // 64
        self.games, self.total, self.squares = self.games + 1, self.total + rough, self.squares + rough * rough
        if self.games > FEW:
            mean = self.total // self.games
            self.width = max(isqrt(max(self.squares // self.games - mean * mean, 0)) * 64, LEAST_SPREAD)


@define(eq=False)
class TreeSearch(DealtThought):
    tree: dict[Any, OptionVisits] = field(init=False, factory=dict)
    wanted: set[OptionKey] = field(init=False, factory=set)
    spread: Spread = field(init=False, factory=Spread)
    sights: list[Callable[[Slots], tuple[Any, ...]]] = field(init=False)  # of the team, then of every player
    at_once: list[tuple[Any, Asked, OptionKey]] = field(init=False, factory=list)  # chosen before, at the same moment

    def __attrs_post_init__(self) -> None:
        super().__attrs_post_init__()
        table = self.seen.table
        self.sights = [sight(table, seat) for seat in range(table.players + 1)]

    def begin_search(self, worths: Sequence[int], wanted: Sequence[bool], games: int) -> None:
        hint = self.manner.hint
        for option, worth, is_wanted in zip(self.seen.options, worths, wanted, strict=True):
            if is_wanted:
                self.wanted.add(option)
                self.tree[ROOT, option] = OptionVisits(0, hint, hint * worth)

    def search_games(self, games: int) -> None:
        for _ in range(games):
            try:
                self.play_search_game()
            except Fault:
                continue  # a game that gets stuck teaches nothing

    def option_visits(self) -> list[tuple[int, int]]:
        found = [self.tree.get((ROOT, option), OptionVisits()) for option in self.seen.options]
        return [(one.visits, one.total) for one in found]

    def play_search_game(self) -> None:
        """Down the tree to an option that was never tried, a little further, and back with what came of it."""
        S = deal_fitting(self.dealer, self.chance, self.choose_at_once)
        if S is None:
            return
        table, below = self.seen.table, self.chance.next_stretch()
        wait: Wait = table.waits[S[PC]]
        path = self.begin_path(len(S[wait.chosen]) if isinstance(wait, TogetherWait) else 0)
        here: Any = ROOT
        options = [option for option in S[OPTIONS] if option in self.wanted]
        while isinstance(wait, DecisionWait) and options and len(options) <= MOST_OPTIONS and len(path) < MOST_DEPTH:
            chooser = wait.chooser(S)
            asked = (S[PC], chooser)
            option = self.select_option(here, asked, options, below)
            node, tried, kind = map(self.find_or_add_visits, (here, (here, option), (*asked, option[0])))
            wait.apply_answer(S, option)
            wait = run_to_decision(table, S, below)
            if node is None or tried is None or kind is None:
                break
            path.append((chooser, node, tried, kind))
            if not tried.visits:
                break
            options = S[OPTIONS] if isinstance(wait, DecisionWait) else []
            if isinstance(wait, DecisionWait):
                here = self.find_node(S, wait)
        manner, is_common = self.manner, self.judge.is_common
        walk = Rollout(table, self.judge, below, manner.count_tries(is_common), manner.farthest)
        self.update_path(path, walk.play_on(S, wait, *manner.evaluation_depths(is_common)))

    def find_node(self, S: Slots, wait: DecisionWait) -> Any:
        return S[PC], S[PLAYER], self.sights[wait.chooser(S) if self.is_split else self.seen.seat](S)

    def choose_at_once(self, S: Slots, wait: TogetherWait, below: Below) -> OptionKey:
        """Noted until it is known whether the deal fits."""
        is_searched = len(S[OPTIONS]) <= MOST_OPTIONS
        here, asked = self.find_node(S, wait) if is_searched else None, (S[PC], wait.chooser(S))
        option = self.select_option(here, asked, S[OPTIONS], below) if is_searched else choose_blindly(S, wait, below)
        del self.at_once[len(S[wait.chosen]) :]
        self.at_once.append((here, asked, option))
        return option

    def begin_path(self, chosen: int) -> Path:
        """With what so many have chosen before, at the same moment."""
        path: Path = []
        for here, asked, option in self.at_once[:chosen]:
            if here is not None:
                node, tried, kind = map(self.find_or_add_visits, (here, (here, option), (*asked, option[0])))
                if node is not None and tried is not None and kind is not None:
                    path.append((asked[1], node, tried, kind))
        return path

    def find_or_add_visits(self, key: Any) -> OptionVisits | None:
        """What is known there; nothing, where the tree is full."""
        found = self.tree.get(key)
        if found is None and len(self.tree) < MOST_TRIED:
            found = self.tree[key] = OptionVisits()
        return found

    def select_option(self, here: Any, asked: Asked, options: list[OptionKey], below: Below) -> OptionKey:
        """The option with the highest upper bound among those that are there; one never tried counts as the mean."""
        best: list[OptionKey] = []
        highest, node = -(1 << 62), self.tree.get(here)
        untried = self.upper_bound(ONE // 2, 1, 1)
        if node is not None and node.visits:
            untried = self.upper_bound(node.total // node.visits, node.visits, 1)
        for option in options:
            tried, bound = self.tree.get((here, option)), untried
            if tried is not None:
                tried.available += 1
                if tried.visits:
                    bound = self.upper_bound(tried.total // tried.visits, tried.available, tried.visits)
            if bound > highest:
                best, highest = [option], bound
            elif bound == highest:
                best.append(option)
        return self.pick_alike(best, asked, below)

    def pick_alike(self, alike: Sequence[OptionKey], asked: Asked, below: Below) -> OptionKey:
        """Of the action that has been worth most so far, wherever it was chosen here: else what can be done in one way
        would seldom be tried beside what can be done in twenty. Where each can be done in one way alone, any. Options
        come action by action."""
        kinds = [list(options) for _, options in groupby(alike, key=itemgetter(0))]
        kind = list(alike) if len(kinds) in {1, len(alike)} else self.pick_kind(kinds, asked)
        return kind[below(len(kind))] if len(kind) > 1 else kind[0]

    def pick_kind(self, kinds: list[list[OptionKey]], asked: Asked) -> list[OptionKey]:
        known = [self.tree.get((*asked, kind[0][0])) for kind in kinds]
        games = sum(one.visits for one in known if one is not None)
        best, highest = kinds[0], -(1 << 62)
        for kind, tried in zip(kinds, known, strict=True):
            if tried is None or not tried.visits:
                return kind
            bound = self.upper_bound(tried.total // tried.visits, games, tried.visits)
            if bound > highest:
                best, highest = kind, bound
        return best

    def upper_bound(self, mean: int, available: int, visits: int) -> int:
        doubt = isqrt((fixed_log2(available + 1) << 16) // visits)
        return mean + (self.manner.curiosity * self.spread.width // 16) * doubt // 4096

    def update_path(self, path: Path, worths: list[int]) -> None:
        self.spread.add_worth(worth_to(self.seen.seat, worths))
        for chooser, *tried in path:
            for one in tried:
                one.visits += 1
                one.total += worth_to(chooser, worths)


def fixed_log2(number: int) -> int:
    """To base 2, in parts of 256, straight between powers of two."""
    bits = number.bit_length() - 1
    return (bits << 8) + ((number << 8 >> bits) & 255)


def sight(table: Table, seat: int) -> Callable[[Slots], tuple[Any, ...]]:
    """What the seat sees of a position, points as they stand."""
    whole, sizes, tops = visible_slots(table, seat)
    see = itemgetter(*[slot for slot in whole if slot != SHEETS])
    players = range(1, table.players + 1)

    def visit(S: Slots) -> tuple[Any, ...]:
        points = tuple([total_points(S[SHEETS], player) for player in players])
        known = tuple([(count_components(S[slot]), known_top(S[slot])) for slot in tops])
        return see(S), points, tuple([count_components(S[slot]) for slot in sizes]), known

    return visit


def think_by_reference(seen: Observation, manner: Manner) -> TreeSearch:
    return TreeSearch(seen, manner)
