"""No byte that a seat is sent depends on what the seat cannot know."""

from __future__ import annotations

from functools import cache

import pytest

from rulesrun.files.loading import Reading, read_rules, read_text
from rulesrun.interpreter.reference.table import set_up_table
from tests.bots.test_leaks import SECRET
from tests.table.alike import SeatLedger, play_alike, play_until_compared
from tests.table.games import all_tables, hides_something
from tests.table.planted import PLANTS


@cache
def rules(name: str) -> Reading:
    return read_text(f'rules 1\ngame "Secrets"\nplayers 2\n{SECRET}') if name == "secrets" else read_rules(name)


def ledger_of(name: str, players: int, **options: object) -> SeatLedger:
    reading = rules(name)
    assert reading.program is not None, reading.diagnostics
    return SeatLedger(reading, set_up_table(reading.program, players, options), options)


@pytest.mark.parametrize(("name", "players", "games", "swaps", "limit"), [
    ("classics/kuhn", 2, 12, 3, 99), ("classics/kuhn", 3, 8, 3, 99), ("classics/leduc", 2, 8, 3, 99),
    ("secrets", 2, 12, 3, 99), ("classics/rock_paper_scissors", 2, 12, 0, 99), ("classics/goofspiel", 2, 30, 0, 9),
    ("zero", 2, 1, 5, 36), ("collection", 2, 1, 6, 45), ("hourglass", 2, 1, 5, 50), ("the_game", 2, 1, 4, 40),
    ("tokens", 2, 1, 1, 60),
])  # fmt: skip
def test_what_a_seat_cannot_know_is_in_no_byte(name: str, players: int, games: int, swaps: int, limit: int) -> None:
    ledger = ledger_of(name, players, **({"cards": 4} if name.endswith("goofspiel") else {}))
    for seed in range(games):
        play_alike(ledger, seed, swaps, limit)
    assert not ledger.differences, ledger.differences[0]
    assert ledger.ambiguous() > 0 or name == "tokens"


@pytest.mark.long
@pytest.mark.parametrize(("name", "players"), all_tables())
def test_a_thousand_positions_of_every_table(name: str, players: int) -> None:
    ledger = ledger_of(name, players)
    play_until_compared(ledger, 1000, 60 if hides_something(name) else 3, 8, 120)
    assert not ledger.differences, ledger.differences[0]


# What is enough to find a leak in: games, exchanges, answers of a game.
ENOUGH = {"classics/goofspiel": (12, 0, 9), "zero": (1, 4, 42), "the_game": (1, 6, 45), "secrets": (20, 3, 99)}


@pytest.mark.parametrize("name", PLANTS)
def test_a_planted_leak_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    spoil, game = PLANTS[name]
    spoil(monkeypatch)
    ledger = ledger_of(game, 2, **({"cards": 4} if game.endswith("goofspiel") else {}))
    games, swaps, limit = ENOUGH.get(game, (12, 3, 99))
    for seed in range(games):
        play_alike(ledger, seed, swaps, limit)
        if ledger.differences:
            return
    pytest.fail("nobody has noticed")


def test_there_are_forty_of_them() -> None:
    assert len(PLANTS) >= 40
