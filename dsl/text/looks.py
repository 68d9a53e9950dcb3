"""How things can be drawn: the aspects of which a `look` speaks, and what it may say of each."""

from __future__ import annotations

import re
from collections.abc import Mapping

COLOURS, SYMBOLS, LAYOUT = ASPECTS = ("colours", "symbols", "layout")
LAYOUTS: Mapping[str, str] = {
    "spread": "every component beside the other, those of a pile too",
    "stack": "one on the other, with their number",
    "line": "a line of its own",
    "large": "large",
    "small": "small",
    "checkered": "a board of dark and light squares",
    "hexagons": "a board whose rows are shifted by half a place, each against the one before",
    "nested": "rings of eight places, one inside of the other, the outermost first, each from a corner on",
    "edges": "lines between the dots of the board that is smaller by one: along its rows, then down its columns",
    "sides": "the upper and lower side of a board are player 1's, those to the left and right player 2's",
    "circuit": "places in a ring, as many for each player, in the order of seats",
    "track": "a number of two players who go against each other: one board, place 0 off it, the last the bar",
    "dice": "numbers that dice show",
    "aimed": "an action whose places are those of others",
    "unseen": "not drawn: a number or marker that only the rules need",
}
COLOUR = re.compile(r"#[0-9a-fA-F]{6}\Z")
LONGEST_SYMBOL = 8  # characters: a sign of several is still one


def is_unseen(layouts: Mapping[str, str], name: str) -> bool:
    return "unseen" in layouts.get(name, "").split()


def fits_aspect(aspect: str, text: str) -> bool:
    """Whether this is a colour, a symbol, a layout."""
    if aspect == COLOURS:
        return COLOUR.match(text) is not None
    if aspect == SYMBOLS:
        return 0 < len(text) <= LONGEST_SYMBOL and not any(one.isspace() for one in text)
    return bool(text.split()) and set(text.split()) <= set(LAYOUTS)
