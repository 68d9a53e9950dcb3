"""Games that were not over after very long: what is known of them, in words and as JSON."""

from __future__ import annotations

from rulesrun.dsl.text.messages import Message, message
from rulesrun.interpreter.search.endless import MAY_GO_ON, NOT_OVER, TRIES, GoingOn


def going_on_word(found: GoingOn | None) -> str:
    return NOT_OVER if found is None else found.word


def is_fault(found: GoingOn | None) -> bool:
    """Players who go on because they want to have found no fault of the rules."""
    return going_on_word(found) != MAY_GO_ON


def going_on_text(found: GoingOn | None) -> Message:
    """Whether anybody must go on, and how that is known."""
    if found is None or found.word == NOT_OVER:
        return message("it is not known whether the game can still end")
    if found.word == MAY_GO_ON:
        return message(
            "nobody has to: from there, {ends} of {tries} games ended", ends=found.ends, tries=TRIES
        )
    return message(
        "nobody can stop it: {positions:,} positions can follow, and none is the end "
        "(proved)", positions=found.positions
    )


def going_on_json(found: GoingOn | None, games: int) -> dict[str, object] | None:
    """`verdict`: `may go on`, `endless`, or `too long`: nothing is known."""
    if not games:
        return None
    known = found if found is not None else GoingOn(0)
    return {
        "games": games, "verdict": known.word, "ends": known.ends, "tries": 0 if found is None else TRIES,
        "positions": known.positions,
    }  # fmt: skip
