"""Where somebody chooses: one player, the team, or several at once. Lists the options, carries out the chosen one.

An option is a tuple: the number of its action in the file, then the values of its choices.
"""

from __future__ import annotations

from typing import Any

from attrs import define, field, frozen

from rulesrun.dsl.text.messages import message
from rulesrun.interpreter.model.core import Action
from rulesrun.interpreter.model.values import OPTIONS, PC, PLAYER, SHOWN, TEAM, Run, Slots, fault
from rulesrun.interpreter.reference.flow_graph import Place, Wait
from rulesrun.interpreter.reference.options import CompiledAction

OptionKey = tuple[Any, ...]


@frozen(eq=False)
class Offer:
    """One action of a `choose`, and where its effects begin in the list of operations."""

    action: CompiledAction
    options: Run
    entry: Place


@define(eq=False)
class DecisionWait(Wait):
    offers: dict[int, Offer] = field(kw_only=True)  # by the number of the action, in the order of the file
    is_team: bool = field(kw_only=True)
    if_possible: bool = field(kw_only=True)
    is_promised: bool = field(kw_only=True)
    otherwise: Place | None = field(kw_only=True)

    def step(self, S: Slots) -> int:
        found = S[OPTIONS] = self.list_options(S)
        if found:
            return ~self.pc
        return self.step_without_options()

    def step_without_options(self) -> int:
        if self.otherwise is not None:
            return self.otherwise.at
        if self.if_possible:
            return self.next
        names = " or ".join(f"`{offer.action.action.name.text}`" for offer in self.offers.values())
        what = f"{names} should always be possible here" if self.is_promised else f"somebody must choose {names}"
        raise fault(
            "empty-choice", message("{what}, but nothing is legal", what=what), self.node.span,
            message("the rules so far left nothing to choose: look for what is missing before this line; where nothing "
                    "may be legal, write `if possible` in place of `, always possible`")
            if self.is_promised else message("say what happens then: add `if possible`, or `, else …`"),
        )

    def list_options(self, S: Slots) -> list[OptionKey]:
        """All legal options of `player`, in the order of the file."""
        found: list[OptionKey] = []
        for offer in self.offers.values():
            found += offer.options(S)
        return found

    def chooser(self, S: Slots) -> int:
        return TEAM if self.is_team else int(S[PLAYER])

    def together_seats(self, S: Slots) -> tuple[int, ...] | None:
        return None

    def apply_answer(self, S: Slots, option: OptionKey) -> None:
        """The option is taken: its effects begin."""
        S[SHOWN] = ()
        S[OPTIONS] = None
        self.begin_effects(S, option)

    def begin_effects(self, S: Slots, option: OptionKey) -> None:
        offer, asked = self.offers[option[0]], S[PLAYER]
        for choice, value in zip(offer.action.choices, option[1:], strict=True):
            S[choice.slot] = value
            if choice.locate is not None:
                choice.locate(S, value)
            if choice.is_player:
                S[PLAYER] = value
        S[PLAYER] = asked
        S[PC] = offer.entry.at


@define(eq=False)
class TogetherWait(DecisionWait):
    """`all choose`: everyone is asked on the same position, then the effects happen seat by seat.

    Registers: who takes part, what has been chosen so far, how many effects are done, who was `player` before.
    """

    who: Run = field(kw_only=True)  # gives the seats
    seats: int = field(kw_only=True)
    chosen: int = field(kw_only=True)
    done: int = field(kw_only=True)
    before: int = field(kw_only=True)

    def step(self, S: Slots) -> int:
        if S[self.seats] is None:
            self.begin_decision(S)
        while len(S[self.chosen]) < len(S[self.seats]):
            S[PLAYER] = S[self.seats][len(S[self.chosen])]
            found = S[OPTIONS] = self.list_options(S)
            if found:
                return ~self.pc
            if not self.if_possible and self.otherwise is None:
                self.step_without_options()
            at = len(S[self.chosen])
            S[self.seats] = S[self.seats][:at] + S[self.seats][at + 1 :]
        return self.carry_out_effects(S)

    def begin_decision(self, S: Slots) -> None:
        S[self.seats], S[self.chosen], S[self.done] = self.who(S), (), 0
        S[self.before] = S[PLAYER]

    def carry_out_effects(self, S: Slots) -> int:
        """The next effect, or the end of the choice."""
        seats, done = S[self.seats], S[self.done]
        if done < len(seats):
            S[self.done] = done + 1
            S[PLAYER] = seats[done]
            self.begin_effects(S, S[self.chosen][done])
            return int(S[PC])
        S[PLAYER] = S[self.before]
        S[self.seats], S[self.chosen], S[self.done], S[self.before] = None, (), 0, None
        return self.step_without_options() if not seats and self.otherwise is not None else self.next

    def together_seats(self, S: Slots) -> tuple[int, ...] | None:
        seats: tuple[int, ...] = S[self.seats]
        return seats

    def apply_answer(self, S: Slots, option: OptionKey) -> None:
        S[SHOWN] = ()
        S[OPTIONS] = None
        S[self.chosen] = (*S[self.chosen], option)
        S[PC] = self.pc


def action_of(wait: DecisionWait, option: OptionKey) -> Action:
    return wait.offers[option[0]].action.action
