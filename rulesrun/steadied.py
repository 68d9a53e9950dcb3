"""Comparisons with steadied figures: a duel in, the same duel with weights out; weights are found once, then kept.

They come from games that are told nowhere, always as many; whichever engine plays these, the weights are the same.
"""

from __future__ import annotations

from rulesrun.arguments import Request
from rulesrun.code_cache import CodeCache, folder
from rulesrun.engines import MISSING, is_installed
from rulesrun.interpreter.measuring.duel import Duel
from rulesrun.interpreter.measuring.steady_duel import SteadyDuel, weights_by_reference
from rulesrun.interpreter.measuring.steadying import Weights, weights_from_plain, weights_to_plain
from rulesrun.interpreter.measuring.work import has_fractions
from rulesrun.kept_sums import KeptSums, Plain
from rulesrun.trouble import Trouble

Both = tuple[Weights, Weights]


def steadied(duel: Duel, request: Request, kept: KeptSums, name: str) -> SteadyDuel:
    """`name`: under which the sums of the duel are kept."""
    if any(bots is not None for bots in duel.bots):
        raise Trouble("`--steady` knows the chances of players at random alone: leave out `--seats`")
    if has_fractions(duel.left) or has_fractions(duel.right):
        raise Trouble("`--steady` weighs whole points alone; these rules divide")
    weights = kept.known(f"{name}, weights", from_plain)
    if weights is None:
        weights = found_weights(duel, request.text("engine") or "auto")
        kept.note(f"{name}, weights", lambda: to_plain(weights), now=True)
    return SteadyDuel(duel.left, duel.right, duel.seed, duel.back, weights=weights)


def found_weights(duel: Duel, engine: str) -> Both:
    """In machine code where that can be."""
    if engine == "reference":
        return weights_by_reference(duel)
    if not is_installed():
        return instead(duel, engine, MISSING)
    from rulesrun.interpreter.native.form import CannotCompile
    from rulesrun.interpreter.native.statistics_steady import weights_natively

    try:
        return weights_natively(duel, CodeCache(folder()))
    except CannotCompile as reason:
        return instead(duel, engine, str(reason))


def instead(duel: Duel, engine: str, reason: str) -> Both:
    if engine == "native":
        raise Trouble(f"`--engine native` cannot play this: {reason}")
    return weights_by_reference(duel)


def to_plain(weights: Both) -> list[Plain]:
    return [weights_to_plain(one) for one in weights]


def from_plain(document: list[Plain]) -> Both:
    left, right = (weights_from_plain(one) for one in document)
    return left, right
