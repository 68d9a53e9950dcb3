"""When to stop: takes totals and the precision asked for, says whether it is reached and when to look next.

The looks come at fixed numbers of games, so that the answer depends on the seed alone, not on the clock
or on how many processes work. Stopping looks at the widths of intervals only, never at where they lie.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulesrun.interpreter.measure.catalogue import TableFigures
from rulesrun.interpreter.measure.declared_figures import DECISIONS
from rulesrun.interpreter.measure.figures import estimate_per_game
from rulesrun.interpreter.measure.totals import Totals
from rulesrun.interpreter.reference.table import Table

FIRST_LOOK = 400
GROWTH = 8  # the next look comes after an eighth more games
LONGEST = 5000  # but not after more games than these


def game_counts_to_check() -> Iterator[int]:
    """Numbers of games: 400, 450, 507, …"""
    games = FIRST_LOOK
    while True:
        yield games
        games += min(games // GROWTH, LONGEST)


def is_precise(totals: Totals, table: Table, within: float) -> bool:
    """Shares of wins, ties and results within so much; the mean length within such a part of itself."""
    if totals.finished < FIRST_LOOK // 2:
        return False
    figures = TableFigures(table)
    shares = [*figures.list_keys("win"), ("tie",), *figures.list_keys("result")]
    if any(estimate_per_game(totals, key, table.players).half_width > within for key in shares):
        return False
    length = estimate_per_game(totals, DECISIONS, table.players)
    return length.half_width <= within * length.value
