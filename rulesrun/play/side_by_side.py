"""Blocks of lines beside each other."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from rulesrun.play.table_picture import shown_width


def join_columns(columns: Sequence[Sequence[str]], width: int) -> list[str]:
    """Each as wide as it is said; the last lines of shorter ones are empty."""
    return [
        "│".join(line + " " * max(0, width - shown_width(line)) for line in row).rstrip()
        for row in zip_longest(*columns, fillvalue="")
    ]
