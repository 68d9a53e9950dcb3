"""What players that think leave out: told from the rules alone."""

from __future__ import annotations

import pytest

from rulesrun.interpreter.bots.blind_spots import AT_ONCE, HIDDEN_COMPONENTS, HIDDEN_NUMBERS, find_blind_spots
from tests.bots.tables import table_of


@pytest.mark.parametrize(("name", "spots"), [
    ("classics/leduc", (HIDDEN_COMPONENTS,)),
    ("classics/goofspiel", (HIDDEN_COMPONENTS, AT_ONCE)),
    ("classics/rock_paper_scissors", (AT_ONCE,)),
    ("gallery/battleship", (HIDDEN_NUMBERS,)),
    ("classics/tic_tac_toe", ()),
    ("tokens", ()),  # a pile into which nobody sees is chance, not what somebody holds
])  # fmt: skip
def test_what_they_leave_out(name: str, spots: tuple[str, ...]) -> None:
    assert find_blind_spots(table_of(name)) == spots
