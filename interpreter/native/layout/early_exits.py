"""Which actions may be left before they are over, by `end turn`, `end phase` or `end round`.

Takes the flow, changes nothing. What such an action keeps for itself is set back where it is offered again, as the
reference does.
"""

from __future__ import annotations

from rulesrun.interpreter.model.core import Action
from rulesrun.interpreter.model.instructions import BeginAction, EndAction, Jump, NextRound
from rulesrun.interpreter.reference.table import Table


def can_exit_early(table: Table, action: Action) -> bool:
    """So that it can be offered again: after the last round nothing is."""
    ends, depth = {"turn", "phase", "round"} if has_more_rounds(table) else {"turn", "phase"}, 0
    for one in table.flow.instructions:
        if isinstance(one, BeginAction | EndAction) and one.node is action:
            depth += 1 if isinstance(one, BeginAction) else -1
        elif depth and isinstance(one, Jump) and one.ends in ends:
            return True
    return False


def has_more_rounds(table: Table) -> bool:
    following = next(one for one in table.flow.instructions if isinstance(one, NextRound))
    if following.count is None:
        return following.until is not None
    amount = table.bench.compile(following.count)
    return not (amount.is_constant and amount.value <= 1)
