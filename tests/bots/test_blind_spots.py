"""What players that think leave out: told from the rules alone."""

from __future__ import annotations

import pytest

from rulesrun.interpreter.bots.blind_spots import (
    AT_ONCE,
    HIDDEN_COMPONENTS,
    HIDDEN_NUMBERS,
    find_blind_spots,
    shows_lead,
)
from rulesrun.report.ladder_text import NO_LEAD, blind_spot_sentences, short_sight_sentences
from tests.bots.tables import table_of


@pytest.mark.parametrize(("name", "spots"), [
    ("classics/leduc", (HIDDEN_COMPONENTS,)),
    ("classics/goofspiel", (HIDDEN_COMPONENTS, AT_ONCE)),
    ("classics/rock_paper_scissors", (AT_ONCE,)),
    ("gallery/battleship", (HIDDEN_NUMBERS,)),
    ("classics/tic_tac_toe", ()),
    ("gallery/blackjack", ()), ("gallery/backgammon", ()), ("gallery/hex", ()), ("gallery/othello", ()),
    ("gallery/blotto", (AT_ONCE,)), ("gallery/cribbage", (HIDDEN_COMPONENTS, AT_ONCE)),
    ("tokens", ()),  # a pile into which nobody sees is chance, not what somebody holds
])  # fmt: skip
def test_what_they_leave_out(name: str, spots: tuple[str, ...]) -> None:
    assert find_blind_spots(table_of(name)) == spots


def test_of_a_hidden_pile_nobody_is_told_that_nothing_is_hidden() -> None:
    """Of blackjack a card lies face down, of tokens a reserve: chance, and the same for all."""
    for name in ("gallery/blackjack", "tokens"):
        (said,) = blind_spot_sentences(table_of(name))
        assert "hidden" not in str(said)
        assert "luck" in str(said)


@pytest.mark.parametrize("name", ["gallery/hex", "gallery/othello", "classics/tic_tac_toe"])
def test_where_nothing_is_drawn_or_thrown_luck_decides_nothing(name: str) -> None:
    (said,) = blind_spot_sentences(table_of(name))
    assert "luck" not in str(said)


@pytest.mark.parametrize(("name", "shown"), [
    ("gallery/hex", False), ("classics/tic_tac_toe", False),
    ("gallery/backgammon", False),  # both have lost, as long as nobody has won
    ("gallery/othello", True), ("gallery/battleship", True), ("tokens", True), ("the_game", True),
])  # fmt: skip
def test_whether_a_lead_is_seen_before_the_end(name: str, shown: bool) -> None:
    made = table_of(name)
    assert shows_lead(made) is shown
    assert (NO_LEAD in short_sight_sentences(made)) is not shown
