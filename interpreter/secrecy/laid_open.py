"""What the rules themselves tell of things that not everybody sees. Takes a table, gives the lines that do so.

These are no leaks: somebody wrote them. Whether they were meant, and for these players, is for the author to say.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from rulesrun.dsl.text.source import Span
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.secrecy.information_flow import flows_of, thing_name


@frozen
class LaidOpen:
    """`things`: the places and values that are told of; none for what is shown whole. `how`: shown, chosen, value,
    points, condition, count, which. `because`: the condition by which the game comes to this line, where that tells.
    """

    span: Span
    things: tuple[str, ...]
    how: str = "shown"
    because: Span | None = None


def find_laid_open(table: Table) -> Iterator[LaidOpen]:
    """What is shown, what all see that is made of secrets or hangs on them, points counted before the end."""
    for one in flows_of(table).disclosures:
        because = one.because.span if one.because is not None else None
        yield LaidOpen(one.node.span, tuple(dict.fromkeys(map(thing_name, one.things))), one.how, because)
