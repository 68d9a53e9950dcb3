"""Boards as other languages and people say them. Takes places, gives mistakes."""

from __future__ import annotations

import re

from rulesrun.dsl.diagnostics.diagnostic import Edit
from rulesrun.dsl.mistakes.stopping_place import StoppingPlace
from rulesrun.dsl.mistakes.wrong_signs import Mistake
from rulesrun.dsl.text.messages import message

SIZE = re.compile(r"(\d+|\w+(?=[×*,-]))(?:x|[×*,-])(\w*)|(\d+)")
TIMES = ("x", "X")
SIX_SIDED = ("hex", "hexagon", "hexagons", "hexes", "hexagonally", "honeycomb")
LINES = ("row", "rows", "lines", "column", "columns", "diagonal", "diagonals", "run", "chain")


def _diagnose_board_size(place: StoppingPlace) -> Mistake | None:
    """`board Square: 8x8`, `board Square: 8 * 8`, `board 8 by 8`, `board Square: 8`."""
    if place.kind != "declaration" or place.first_word != "board":
        return None
    words = [word.text for word in place.words]
    if place.at == 1 and words[1:2] and words[1].isdigit():
        hint = message("name its places: `board Square: {size}`", size=" ".join(words[1:]))
        found = place.make_mistake("unfinished-line", message("the board has no name"), hint)
        return found.with_edits(place.insert_before("Square:"))
    if words[2:3] != [":"] or "BY" not in place.expected:
        return None
    texts = ["*" if word in TIMES else word for word in words[3:]]
    ends = (end for end in (3, 2, 1) if end <= len(texts) and texts[end - 1] != ",")
    last = next((end for end in ends if SIZE.fullmatch("".join(texts[:end]))), 0)
    said = SIZE.fullmatch("".join(texts[:last]))
    if said is None or place.at < 3:
        return None
    rows = said[1] or said[3]
    whole = f"{rows} by {said[2] or rows}"
    hint = message("write `{size}`: so many rows by so many columns", size=whole)
    found = place.make_mistake("unfinished-line", message("write the size of a board with `by`"), hint)
    return found.with_edits(Edit(place.words[3].start, place.words[2 + last].end, whole))


def _diagnose_hexagons(place: StoppingPlace) -> Mistake | None:
    """`board Cell: 5 by 5, hex`, `board Cell: hexagonal 5 by 5`."""
    if place.kind != "declaration" or place.first_word != "board":
        return None
    if place.text in SIX_SIDED and "HEXAGONAL" in place.expected:
        found = place.make_mistake(
            "wrong-word", message("`{place}` cannot stand here", place=place.text), message("write `hexagonal`")
        )
        return found.with_replacement("hexagonal")
    if place.at == 4 and place.text_before() in (*SIX_SIDED, "hexagonal"):
        size = " ".join(word.text for word in place.words[4:])
        hint = message("write `{size}, hexagonal`", size=size)
        found = place.make_mistake("unexpected-word", message("the size comes first"), hint)
        return found.with_edits(Edit(place.words[3].start, place.words[-1].end, f"{size}, hexagonal"))
    return None


def _diagnose_places_without_line(place: StoppingPlace) -> Mistake | None:
    """Below a board: `a1, a2, a3`; `a1 - a2`."""
    if place.kind != "board_line" or place.first_word == "line" or place.text not in (",", "-", "") or place.at != 1:
        return None
    names = ", ".join(word.text for word in place.words if word.kind == "word")
    hint = message("write `line {names}`", names=names)
    found = place.make_mistake("unexpected-word", message("a line of places starts with `line`"), hint)
    return found.with_edits(Edit(place.words[0].start, place.words[-1].end, f"line {names}"))


def _diagnose_lines(place: StoppingPlace) -> Mistake | None:
    """`some row of 3 in Square has`, `some line in Square of 3`, Ludii's `line 3`."""
    if place.text == "of" and place.text_before() in LINES and place.text_before(2) in ("some", "no", "every"):
        word = place.words[place.at - 1]
        sentence = message("places in a straight line are a `line`")
        hint = message("write `{word} line of …`", word=place.text_before(2))
        return Mistake("wrong-word", sentence, word.start, word.end, hint).with_replacement("line")
    if place.text_before() in ("line", "lines") and place.text.isdigit():
        hint = message("write `some line of {length} in … has …`", length=place.text)
        return place.make_mistake("unexpected-word", message("look for a line with `some`"), hint)
    return None


def _diagnose_rings(place: StoppingPlace) -> Mistake | None:
    """`board Point: rings 3`, `board Point: 3 concentric rings`, `board Point: rings`."""
    words = [word.text for word in place.words]
    if place.kind != "declaration" or words[:1] != ["board"] or words[2:3] != [":"] or "rings" not in words[3:]:
        return None
    many = next((text for text in words[3:] if text.isdigit()), "3")
    hint = message("write `{many} rings`: squares one inside the other", many=many)
    found = place.make_mistake("unexpected-word", message("how many rings there are comes first, and no more"), hint)
    return found.with_edits(Edit(place.words[3].start, place.words[-1].end, f"{many} rings"))


OF_BOARDS = (_diagnose_rings, _diagnose_hexagons, _diagnose_board_size, _diagnose_places_without_line, _diagnose_lines)
