"""What a place of a board is called: its column by a letter, its row by a number. Numbers in, names out, and back."""

from __future__ import annotations

import re
from string import ascii_lowercase

PLACE = re.compile(r"([a-z]{1,2})([1-9][0-9]?)")


def place_name(row: int, column: int) -> str:
    """As players say it: the column by its letter, then the row. `z` is followed by `aa`."""
    return column_name(column) + str(row)


def column_name(column: int) -> str:
    first, last = divmod(column - 1, len(ascii_lowercase))
    return (ascii_lowercase[first - 1] if first else "") + ascii_lowercase[last]


def read_place_name(text: str) -> tuple[int, int] | None:
    """Row and column of what is called like a place; None for other names."""
    found = PLACE.fullmatch(text)
    if found is None:
        return None
    column = 0
    for letter in found[1]:
        column = column * len(ascii_lowercase) + ascii_lowercase.index(letter) + 1
    return int(found[2]), column
