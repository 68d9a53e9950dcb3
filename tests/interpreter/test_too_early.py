"""What is asked before the table is there is refused, not looked up."""

from __future__ import annotations

import pytest

from rulesrun.interpreter.values import RefusedTable
from tests.interpreter.made import FLOW, table


def test_components_cannot_depend_on_what_lies_on_the_table() -> None:
    cards = "number heat: 1..3 = 2\ncard Card: rank 1..5 where rank > heat\nzone deck: pile of Card, hidden\n"
    with pytest.raises(RefusedTable) as refused:
        table(cards + FLOW)
    assert refused.value.diagnostics[0].code == "not-known-yet"
