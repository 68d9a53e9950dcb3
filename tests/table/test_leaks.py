"""No byte that a seat is sent depends on what the seat cannot know."""

from __future__ import annotations

from functools import cache

import pytest

from rulesrun.files.loading import Reading, read_rules, read_text
from rulesrun.interpreter.reference.table import set_up_table
from tests.bots.test_leaks import SECRET
from tests.table.alike import SeatLedger, play_alike


@cache
def rules(name: str) -> Reading:
    return read_text(f'rules 1\ngame "Secrets"\nplayers 2\n{SECRET}') if name == "secrets" else read_rules(name)


def ledger_of(name: str, players: int, **options: object) -> SeatLedger:
    reading = rules(name)
    assert reading.program is not None, reading.diagnostics
    return SeatLedger(reading, set_up_table(reading.program, players, options), options)


@pytest.mark.parametrize(("name", "players", "games", "swaps", "limit"), [
    ("classics/kuhn", 2, 30, 3, 99), ("classics/kuhn", 3, 20, 3, 99), ("classics/leduc", 2, 15, 3, 99),
    ("secrets", 2, 25, 3, 99), ("classics/rock_paper_scissors", 2, 20, 0, 99), ("classics/goofspiel", 2, 40, 0, 9),
    ("zero", 2, 1, 8, 42), ("collection", 2, 1, 8, 60),
    ("hourglass", 2, 1, 6, 50), ("the_game", 2, 1, 6, 45), ("tokens", 2, 1, 4, 80),
])  # fmt: skip
def test_what_a_seat_cannot_know_is_in_no_byte(name: str, players: int, games: int, swaps: int, limit: int) -> None:
    ledger = ledger_of(name, players, **({"cards": 4} if name.endswith("goofspiel") else {}))
    for seed in range(games):
        play_alike(ledger, seed, swaps, limit)
    assert not ledger.differences, ledger.differences[0]
    assert ledger.ambiguous() > 0 or name == "tokens"
