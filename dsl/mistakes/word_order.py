"""Slips of order: what the language knows, said at another place of the line. Takes places, gives mistakes."""

from __future__ import annotations

from rulesrun.dsl.mistakes.components import COMPONENTS
from rulesrun.dsl.mistakes.stopping_place import Place
from rulesrun.dsl.mistakes.wrong_signs import Mistake


def start_behind_a_comma(place: Place) -> Mistake | None:
    """`number coins of player: 0..18, private = 18`."""
    texts = [word.text for word in place.words[: place.at]]
    if place.first not in ("number", "marker") or place.text != "=" or "," not in texts or "EQUAL" in place.expected:
        return None
    hint = f"write it before the first comma: `… = …, {place.before()}`"
    return place.mistake("unexpected-word", "the start stands behind what can be", hint)


def condition_behind_copies(place: Place) -> Mistake | None:
    """`card Card: rank 0..15, 2 of each where rank is not 1`."""
    if place.first not in COMPONENTS or place.text != "where" or (place.before(2), place.before()) != ("of", "each"):
        return None
    hint = f"write it before the comma: `… where …, {place.before(3)} of each`"
    return place.mistake("unexpected-word", "which components there are stands before how many of each", hint)


def step_with_choices(place: Place) -> Mistake | None:
    """`step take_cards(n 1..3)`."""
    if place.first != "step" or place.text != "(" or place.at != 2:
        return None
    hint = "leave the brackets out; what is chosen belongs to an `action`, what is worked out to a `define`"
    return place.mistake("unexpected-word", "a step takes nothing", hint)


OF_ORDER = (start_behind_a_comma, condition_behind_copies, step_with_choices)
