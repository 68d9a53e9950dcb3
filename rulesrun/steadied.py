"""Comparisons with steadied figures: a duel in, the same duel with weights out; weights are found once, then kept.

They come from games that are told nowhere, always as many; whichever engine plays these, the weights are the same.
"""

from __future__ import annotations

from time import monotonic

from attrs import define

from rulesrun.arguments import Request
from rulesrun.code_cache import CodeCache, folder
from rulesrun.engines import MISSING, is_installed
from rulesrun.interpreter.measuring.duel import Duel
from rulesrun.interpreter.measuring.steady_duel import SteadyDuel, weights_by_reference
from rulesrun.interpreter.measuring.steadying import Weights, weights_from_plain, weights_to_plain
from rulesrun.interpreter.measuring.work import has_fractions
from rulesrun.kept_sums import KeptSums, Plain
from rulesrun.left_to_reference import keep_reason
from rulesrun.progress import Progress
from rulesrun.trouble import Trouble

Both = tuple[Weights, Weights]

PATIENCE = 60.0  # seconds for finding weights, where no number of games was asked for


@define(eq=False)
class Finding:
    """Tells how far the games are for the weights of a duel, and ends them when they take too long."""

    progress: Progress
    until: float
    games: int = 0

    def tell(self) -> None:
        self.games += 1
        self.progress.tell(self.games)
        if monotonic() > self.until:
            raise Trouble(
                "what luck is worth takes too long to find for these rules without machine code; "
                "`--steady --games N` takes the time it needs"
            )


def steadied(duel: Duel, request: Request, kept: KeptSums, name: str, progress: Progress) -> SteadyDuel:
    """`name`: under which the sums of the duel are kept."""
    if any(bots is not None for bots in duel.bots):
        raise Trouble("`--steady` knows the chances of players at random alone: leave out `--seats`")
    if has_fractions(duel.left) or has_fractions(duel.right):
        raise Trouble("`--steady` weighs whole points alone; these rules divide")
    weights = kept.known(f"{name}, weights", from_plain)
    if weights is None:
        until = monotonic() + PATIENCE if request.number("games") is None else float("inf")
        weights = found_weights(duel, request.text("engine") or "auto", Finding(progress, until))
        kept.note(f"{name}, weights", lambda: to_plain(weights), now=True)
    return SteadyDuel(duel.left, duel.right, duel.seed, duel.back, weights=weights)


def found_weights(duel: Duel, engine: str, finding: Finding) -> Both:
    """In machine code where that can be."""
    if engine == "reference":
        return weights_by_reference(duel, finding.tell)
    reason = MISSING
    if is_installed():
        from rulesrun.interpreter.native.form import CannotCompile
        from rulesrun.interpreter.native.statistics_steady import weights_natively

        try:
            return weights_natively(duel, CodeCache(folder()), finding.tell)
        except CannotCompile as problem:
            reason = keep_reason(duel.right, problem)
    if engine == "native":
        raise Trouble(f"`--engine native` cannot play this: {reason}")
    return weights_by_reference(duel, finding.tell)


def to_plain(weights: Both) -> list[Plain]:
    return [weights_to_plain(one) for one in weights]


def from_plain(document: list[Plain]) -> Both:
    left, right = (weights_from_plain(one) for one in document)
    return left, right
