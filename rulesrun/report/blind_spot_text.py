"""Why thinking may win nothing, in words: what these players leave out, or cannot see."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulesrun.dsl.text.messages import Message, message
from rulesrun.interpreter.bots.blind_spots import (
    AT_ONCE,
    HIDDEN_COMPONENTS,
    HIDDEN_NUMBERS,
    find_blind_spots,
    has_chance,
    shows_lead,
)
from rulesrun.interpreter.reference.table import Table

SENTENCES: Mapping[str, Message] = {
    HIDDEN_NUMBERS: message(
        "One reason may be that these players guess hidden numbers blindly, without working out what fits what they "
        "have seen."
    ),
    HIDDEN_COMPONENTS: message(
        "One reason may be that these players weigh others' choices card by card, and do not work out which hands "
        "would fit as a whole."
    ),
    AT_ONCE: message(
        "One reason may be that these players choose what looks best when all choose at the same moment, and do not "
        "vary it so that nobody can foresee it."
    ),
}
OPEN = message(
    "Nobody knows here what others do not know: luck may decide most of it, or plans may have to reach further."
)
WITHOUT_CHANCE = message("All lies open here, and there is no chance: plans may have to reach further.")
NO_LEAD = message("One reason may be that nothing in these rules tells who is ahead before the game ends.")


def blind_spot_sentences(table: Table) -> Iterator[Message]:
    """Why search may win nothing: the first that applies, for that weighs most."""
    found = find_blind_spots(table)
    if found:
        yield SENTENCES[found[0]]
    elif not shows_lead(table):
        yield NO_LEAD
    else:
        yield OPEN if has_chance(table) else WITHOUT_CHANCE


def short_sight_sentences(table: Table) -> Iterator[Message]:
    """Why looking one step ahead may win nothing."""
    if shows_lead(table):
        yield from blind_spot_sentences(table)
    else:
        yield NO_LEAD
