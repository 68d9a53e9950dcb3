"""Playing on from a position, a little or to the end. Takes a position to be changed, gives its worth.

Who plays on chooses at random, or the best of a few options taken at random, judged right behind them.
"""

from __future__ import annotations

from attrs import define

from rulesrun.interpreter.bots.bot import Below
from rulesrun.interpreter.bots.evaluation import Judge
from rulesrun.interpreter.model.values import OPTIONS, Slots
from rulesrun.interpreter.play.game_loop import MOST_BY_CHANCE, endless_chance_fault
from rulesrun.interpreter.reference.chance import ChanceWait
from rulesrun.interpreter.reference.decisions import DecisionWait, OptionKey, TogetherWait
from rulesrun.interpreter.reference.flow_graph import Wait
from rulesrun.interpreter.reference.table import Table

STRETCH = 8  # decisions between two looks at who is ahead


def run_to_decision(table: Table, S: Slots, below: Below) -> Wait:
    """Through everything that chance decides."""
    wait, by_chance = table.run_to_question(S), 0
    while isinstance(wait, ChanceWait):
        by_chance += 1
        if by_chance > MOST_BY_CHANCE:
            raise endless_chance_fault(wait.node.span)
        wait.apply_answer(S, wait.outcome_at(S, below(wait.total_weight(S))))
        wait = table.run_to_question(S)
    return wait


@define(eq=False)
class Rollout:
    """`tries`: how many options are looked at for each choice; one: chosen blindly. `farthest`: after how many
    decisions it is over though nobody is ahead."""

    table: Table
    judge: Judge
    below: Below
    tries: int = 1
    farthest: int = 0

    def play_on(self, S: Slots, wait: Wait, decisions: int, soon: int = -1) -> list[int]:
        """The worth for everyone after so many more decisions, or at the end; the mean with what it was `soon`."""
        early: list[int] | None = None
        for done in range(decisions + 1):
            if not isinstance(wait, DecisionWait):
                break
            if done == soon:
                early = self.judge.worth_now(S)
            if done < decisions:
                wait = self.play_decision(S, wait, self.choose_option(S, wait))
        late = self.play_until_ahead(S, wait, decisions)
        return late if early is None else [(one + other) // 2 for one, other in zip(early, late, strict=True)]

    def play_until_ahead(self, S: Slots, wait: Wait, done: int) -> list[int]:
        """Where everybody is as well off, the position tells nothing yet."""
        worths = self.evaluate_position(S, wait)
        while isinstance(wait, DecisionWait) and done < self.farthest and self.is_even(worths):
            for _ in range(STRETCH):
                if isinstance(wait, DecisionWait):
                    wait = self.play_decision(S, wait, self.choose_blindly(S))
            done, worths = done + STRETCH, self.evaluate_position(S, wait)
        return worths

    def is_even(self, worths: list[int]) -> bool:
        return not self.judge.is_common and worths.count(worths[0]) == len(worths)

    def play_decision(self, S: Slots, wait: DecisionWait, option: OptionKey) -> Wait:
        wait.apply_answer(S, option)
        return run_to_decision(self.table, S, self.below)

    def evaluate_position(self, S: Slots, wait: Wait) -> list[int]:
        return self.judge.worth_now(S) if isinstance(wait, DecisionWait) else self.judge.worth_at_end(S)

    def choose_option(self, S: Slots, wait: DecisionWait) -> OptionKey:
        """Blindly where several choose at the same moment: whoever is asked last would know what the others chose."""
        options: list[OptionKey] = S[OPTIONS]
        if self.tries == 1 or len(options) == 1 or isinstance(wait, TogetherWait):
            return self.choose_blindly(S)
        chooser, best, highest = wait.chooser(S), 0, None
        for _ in range(self.tries):
            number = self.below(len(options))
            branch = S.copy()
            wait.apply_answer(branch, options[number])
            worths = self.evaluate_position(branch, run_to_decision(self.table, branch, self.below))
            if highest is None or worth_to(chooser, worths) > highest:
                best, highest = number, worth_to(chooser, worths)
        return options[best]

    def choose_blindly(self, S: Slots) -> OptionKey:
        options: list[OptionKey] = S[OPTIONS]
        return options[self.below(len(options))]


def worth_to(chooser: int, worths: list[int]) -> int:
    """The team takes what is good for all."""
    return worths[chooser - 1] if chooser else sum(worths) // len(worths)
