"""A small table as Gambit reads it. Needs nothing: Gambit itself is whoever's who reads the text.

Numbers are exact, labels say what a player sees, and every player has perfect recall.
"""

from __future__ import annotations

from rulesrun.api import Rulebook, load
from rulesrun.api.errors import translate_faults
from rulesrun.interpreter.solve.bounds import NoAnswer
from rulesrun.interpreter.solve.exact_tree import MOST_EXPORTED, build_exact_tree
from rulesrun.report.tree_text import efg_lines, nfg_lines

WRITERS = {"efg": efg_lines, "nfg": nfg_lines}


def write_game(
    rules: Rulebook | str, players: int | None = None, form: str = "efg", *, limit: int = MOST_EXPORTED,
    **options: object,
) -> str:
    """A table as the text of a Gambit file. `form`: `efg`, the tree, or `nfg`, the table of strategies. Raises
    ValueError if the tree has more than `limit` nodes, or if a team decides."""
    if form not in WRITERS:
        raise ValueError(f"`form` is {' or '.join(f'`{one}`' for one in WRITERS)}, not `{form}`")
    rules = load(rules) if isinstance(rules, str) else rules
    game = rules._table_context(players, options)
    try:
        with translate_faults(game.reading):
            return "\n".join(WRITERS[form](build_exact_tree(game.table, limit), rules.title)) + "\n"
    except NoAnswer as reason:
        raise ValueError(str(reason)) from None
