"""A line of the table as text, before it is fitted into the width."""

from __future__ import annotations

from attrs import frozen


@frozen
class Row:
    """One line before it is fitted: a label and parts that stay whole."""

    label: str
    parts: tuple[str, ...]
    between: str = " · "
