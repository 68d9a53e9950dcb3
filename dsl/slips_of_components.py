"""Slips of who says how many there are: copies of a component, ranges of numbers. Takes places, gives mistakes."""

from __future__ import annotations

from rulesrun.dsl.place import Place
from rulesrun.dsl.wrong_signs import Mistake

COMPONENTS = ("card", "token", "tile", "piece")
COPIES = ("copies", "copy", "times", "each", "x", "pieces", "cards", "tokens", "tiles")


def _copies(place: Place) -> Mistake | None:
    """`card Card: rank 1..10, copies 4`, `…, 4 copies`, `… x4`."""
    if place.first not in COMPONENTS or place.kind != "declaration":
        return None
    first = last = min(place.at, len(place.words) - 1)
    said = place.words[last].text
    if said in COPIES and place.before().isdigit():
        first, amount = last - 1, place.before()
    elif place.word is None and said.isdigit() and place.before(2) in COPIES:
        first, amount = last - 1, said
    elif place.word and said[:1] in "xX" and said[1:].isdigit():
        amount = said[1:]
    else:
        return None
    comma = "" if place.words[first - 1].text == "," else ", "
    message = "how many there are of each is said at the end"
    hint = f"write `{comma}{amount} of each`"
    return Mistake("unexpected-word", message, place.words[first].start, place.words[last].end, hint)


def _amount_first(place: Place) -> Mistake | None:
    """`4 card Card: rank 1..10`."""
    if place.at == 0 and place.kind == "declaration" and place.first.isdigit() and place.after() in COMPONENTS:
        hint = f"how many there are of each stands at the end of the line: `, {place.first} of each`"
        return place.at_first_word("unknown-piece", "no piece of a rulebook starts with a number", hint)
    return None


def _range_with_dash(place: Place) -> Mistake | None:
    """`rank 1-10`."""
    if place.before(2) != "-" or not place.could_be(".."):
        return None
    low, high = place.before(3), place.before()
    if not (low.isdigit() and high.isdigit()):
        return None
    words = place.words[place.at - 3 : place.at]
    hint = f"write `{low}..{high}`"
    return Mistake("wrong-sign", "a range is written with two dots", words[0].start, words[-1].end, hint)


def _alike(place: Place) -> Mistake | None:
    """`token Pawn: 4 of each player`, `card Card: 52`."""
    is_list = place.first in COMPONENTS and place.kind == "declaration" and place.before() == ":"
    if not is_list or not place.text.isdigit():
        return None
    name = place.before(2)
    hint = f"as in `{place.first} {name}: number 1..{place.text}`; of every player: `{place.first} {name} of player: …`"
    return place.mistake("unexpected-word", "components have something by which they are told apart", hint)


OF_COMPONENTS = (_alike, _copies, _amount_first, _range_with_dash)
