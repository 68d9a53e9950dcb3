"""Lines between dots as text: those of the first value of the first key run along a row, the others down a column."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rulesrun.play.rows import Row

Json = Mapping[str, Any]


def edge_rows(label: str, room: Json, view: Json) -> Iterator[Row]:
    """`+--+  +` and, between two of them, `|  |   `; the numbers of columns above, those of rows in front."""
    across, down = list(dict.fromkeys(place["keys"][0] for place in room["places"]))[:2]
    there = {tuple(place["keys"]) for place in room["places"] if view["variables"].get(place["name"]) == "yes"}
    rows = list(dict.fromkeys(place["keys"][1] for place in room["places"]))
    columns = list(dict.fromkeys(place["keys"][2] for place in room["places"]))
    yield Row(label, ("".join(f"{column:<4}" for column in columns),))
    for row in rows:
        dots = "".join("+---" if (across, row, column) in there else "+   " for column in columns[:-1]) + "+"
        yield Row(f"{row:>{len(label)}}", (dots,))
        if row != rows[-1]:
            yield Row("", ("".join("|   " if (down, row, column) in there else "    " for column in columns),))
