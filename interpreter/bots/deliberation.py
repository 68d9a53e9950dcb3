"""One choice being thought about: looks a step ahead, searches. Takes an observation, gives what its options are worth.

This is the definition; machine code thinks the same, to the last choice. All is reckoned in whole numbers. Every deal
has a stretch of chance of its own, and one more for what follows: the same for all options that are compared on it, so
that of two options the better one is not mistaken because chance, or who chooses at the same moment, did otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from attrs import define, field, frozen

from rulesrun.interpreter.bots.bot import Below, BotChance
from rulesrun.interpreter.bots.consistent_deals import Dealer
from rulesrun.interpreter.bots.evaluation import Judge
from rulesrun.interpreter.bots.observation import Observation
from rulesrun.interpreter.bots.observer import count_holdings
from rulesrun.interpreter.bots.rollouts import Rollout, run_to_decision, worth_to
from rulesrun.interpreter.model.values import OPTIONS, PC, PLAYER, Fault, Slots
from rulesrun.interpreter.reference.decisions import DecisionWait, OptionKey, TogetherWait

MOST_TRIES = 8
MOST_HOLDINGS = 20
NO_WORTH = -(1 << 40)  # of what could not be looked at


@frozen
class Manner:
    """How is searched. `ahead`: decisions behind the tree; `soon`: after how many of them what has come of it is first
    looked at; `tries`: options looked at for each of them. Where all win together, it is looked at once, and farther
    on: what is bad for all is often seen late. `farthest`: where nobody is ahead then, it is played on blindly until
    somebody is, so many decisions at most. `curiosity`, in sixteenths: how much is tried that looks worse;
    `hint`: how many games a first look at few deals is worth."""

    ahead: int = 6
    soon: int = 0
    tries: int = 4
    ahead_together: int = 24
    tries_together: int = 1
    farthest: int = 200
    curiosity: int = 20
    hint: int = 4

    def evaluation_depths(self, is_common: bool) -> tuple[int, int]:
        """After how many decisions it is looked at last, and first; -1: only once."""
        return (self.ahead_together, -1) if is_common else (self.ahead, self.soon)

    def count_tries(self, is_common: bool) -> int:
        return self.tries_together if is_common else self.tries


class Thought(Protocol):
    def evaluate_options(self, deals: int, ahead: int, wanted: Sequence[bool]) -> list[int]:
        """The mean worth of every wanted option to who chooses; `NO_WORTH` of the others."""
        ...

    def begin_search(self, worths: Sequence[int], wanted: Sequence[bool], games: int) -> None:
        """A search of about so many games among the wanted options, of which this is thought at first."""
        ...

    def search_games(self, games: int) -> None: ...

    def option_visits(self) -> list[tuple[int, int]]:
        """How often every option has been tried, and the sum of what came of it."""
        ...


Think = Callable[[Observation, Manner], Thought]
ChooseAtOnce = Callable[[Slots, TogetherWait, Below], OptionKey]


@define(eq=False)
class DealtThought:
    """What thinking on deals needs, whatever is thought."""

    seen: Observation
    manner: Manner
    chance: BotChance = field(init=False)
    judge: Judge = field(init=False)
    dealer: Dealer = field(init=False)
    is_split: bool = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.chance, self.judge, self.dealer = (
            BotChance.from_observation(self.seen),
            Judge(self.seen.table),
            Dealer(self.seen),
        )
        self.is_split = has_few_holdings(self.seen)

    def evaluate_options(self, deals: int, ahead: int, wanted: Sequence[bool]) -> list[int]:
        seen = self.seen
        sums, counts = [0] * len(seen.options), [0] * len(seen.options)
        numbers = {option: number for number, option in enumerate(seen.options)}
        for _ in range(deals):
            S = deal_fitting(self.dealer, self.chance)
            if S is None:
                continue
            begin_stretch = self.chance.reserve_stretch()
            for option in S[OPTIONS]:
                number = numbers.get(option)
                if number is None or not wanted[number]:
                    continue
                try:
                    sums[number] += self.evaluate_step(S, option, ahead, begin_stretch())
                except Fault:
                    continue
                counts[number] += 1
        return [one // count if count else NO_WORTH for one, count in zip(sums, counts, strict=True)]

    def evaluate_step(self, S: Slots, option: OptionKey, ahead: int, below: Below) -> int:
        """What a step is worth, when others who choose at the same moment do so at random."""
        table, branch = self.seen.table, S.copy()
        walk = Rollout(table, self.judge, below)
        wait = table.waits[branch[PC]]
        assert isinstance(wait, DecisionWait)
        wait.apply_answer(branch, option)
        ahead += count_still_to_choose(wait, branch)
        return worth_to(self.seen.seat, walk.play_on(branch, run_to_decision(table, branch, walk.below), ahead))


def has_few_holdings(seen: Observation) -> bool:
    """Whether what others may hold are so few things that each can be searched for itself."""
    return count_holdings(seen) <= MOST_HOLDINGS


def count_still_to_choose(wait: DecisionWait, S: Slots) -> int:
    """How many others choose at the same moment."""
    return len(S[wait.seats]) - len(S[wait.chosen]) if isinstance(wait, TogetherWait) else 0


def choose_blindly(S: Slots, wait: TogetherWait, below: Below) -> OptionKey:
    options: list[OptionKey] = S[OPTIONS]
    return options[below(len(options))]


def deal_fitting(dealer: Dealer, chance: BotChance, choose: ChooseAtOnce = choose_blindly) -> Slots | None:
    """A position that fits, at the question the seat has; `choose`: for who is asked before, at the same moment.

    A deal on which the seat would have other options does not fit: another one is made, and after
    some the last must do, as long as it leads to the question at all.
    """
    for attempt in range(MOST_TRIES):
        try:
            S = deal_once(dealer, chance, choose)
        except Fault:
            continue
        if S is not None and (tuple(S[OPTIONS]) == dealer.seen.options or attempt + 1 == MOST_TRIES):
            return S
    return None


def deal_once(dealer: Dealer, chance: BotChance, choose: ChooseAtOnce) -> Slots | None:
    seen, below = dealer.seen, chance.next_stretch()
    S = dealer.deal(below)
    wait = seen.table.run_to_question(S)
    while isinstance(wait, TogetherWait) and S[PLAYER] != seen.seat and S[PC] == seen.slots[PC]:
        wait.apply_answer(S, choose(S, wait, below))
        wait = run_to_decision(seen.table, S, below)
    return S if isinstance(wait, DecisionWait) and S[PC] == seen.slots[PC] else None


def pick_best(worths: Sequence[int], chance: BotChance) -> int:
    """The highest; one of several alike by chance."""
    highest = max(worths)
    best = [number for number, worth in enumerate(worths) if worth == highest]
    return best[chance.random_below(len(best))] if len(best) > 1 else best[0]
