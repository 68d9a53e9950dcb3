"""Bots at tables of the server: they stand in for who is away, give way, and a bot that fails stops no game."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.server.tables import Json, Seat, make_table, seated, serving


def wait_for(seat: Seat, fits: Callable[[Json], bool]) -> Json:
    """The first message of the seat that fits."""
    while True:
        found = next((one for one in seat.messages if fits(one)), None)
        if found is not None:
            return found
        seat.read()


def bots_of(seat: Seat) -> list[str | None]:
    seats: list[Json] = next(one["seats"] for one in reversed(seat.messages) if one["kind"] == "seats")
    return [one["bot"] for one in seats]


def is_back(one: Json) -> bool:
    """Player 2 has the seat again."""
    return one["kind"] == "seats" and "changed" in one and one["seats"][1]["bot"] is None


def test_a_bot_plays_for_who_is_away_for_long_and_gives_way() -> None:
    """The person was there and leaves: after the delay the bot chooses."""
    with serving() as client:
        table = make_table(client, "classics/nim", away=1)
        with seated(client, table, 1) as seat:
            question = seat.wait_for_question()
            assert question is not None
            with seated(client, table, 2) as other:
                other.ask(do="why", action="take", arguments={})
            assert seat.answer(question, 0)["accepted"]
            wait_for(seat, lambda one: one["kind"] == "seats" and one.get("changed") == 2)
            assert bots_of(seat) == [None, "greedy"]
            wait_for(seat, lambda one: one["kind"] == "heard" and one["player"] == 2)
            with seated(client, table, 2) as back:
                wait_for(back, is_back)
                assert bots_of(back) == [None, None]
                asked = seat.wait_for_question()
                assert asked is not None
                assert seat.answer(asked, 0)["accepted"]
                assert back.wait_for_question() is not None, "the person is asked again"


def test_nobody_plays_for_who_is_away_where_all_want_to_wait() -> None:
    with serving() as client:
        table = make_table(client, "classics/nim")
        live = client.app_state["server"].tables.tables[table["table"]]
        with seated(client, table, 2) as other:
            other.ask(do="why", action="take", arguments={})
        live.left_at = dict.fromkeys((1, 2), -1e9)
        assert client.portal is not None
        client.portal.call(live.mind_absent)
        assert live.session.bot_of(1) is None


def test_after_a_restart_a_seat_goes_back_to_its_person_too(tmp_path: Path) -> None:
    path = str(tmp_path / "tables.sqlite")
    with serving(path) as client:
        table = make_table(client, "classics/nim", seats={}, players=2)
        with seated(client, table, 1) as seat:
            assert seat.ask(do="seat", seat=2, bot="greedy")["accepted"]
    with serving(path) as client:
        with seated(client, table, 2) as back:
            wait_for(back, is_back)
        live = client.app_state["server"].tables.tables[table["table"]]
        assert set(live.left_at) == {1, 2}, "who does not come back is away from now on"


def test_a_bot_that_was_sat_down_stays() -> None:
    with serving() as client:
        table = make_table(client, "classics/nim", seats={"2": "greedy"})
        with seated(client, table, 2) as stranger:
            wait_for(stranger, lambda one: one["kind"] == "seats")
            assert bots_of(stranger) == [None, "greedy"]


@pytest.mark.parametrize("where", ["choosing", "observing"])
def test_a_bot_that_fails_stops_no_game(
    where: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*given: Any, **more: Any) -> int:
        raise ZeroDivisionError("a fault in a bot")

    target = {"choosing": "rulesrun.interpreter.bots.greedy.GreedyBot.choose",
              "observing": "rulesrun.table.seated_bots.make_observation"}[where]  # fmt: skip
    monkeypatch.setattr(target, fail)
    with serving() as client, caplog.at_level(logging.ERROR, "rulesrun.server"):
        table = make_table(client, "classics/nim", seats={"2": "greedy"})
        with seated(client, table, 1, language="ru") as seat:
            for _ in range(60):
                question = seat.wait_for_question()
                if question is None:
                    break
                assert seat.answer(question, 0)["accepted"]
            told = [one["trouble"] for one in seat.notices if "trouble" in one]
            assert told == ["greedy не может играть за игрока 2; теперь за него играет random."]
            assert bots_of(seat) == [None, "random"]
    assert "a fault in a bot" in caplog.text


def test_a_store_that_fails_for_a_moment_only_delays_a_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    from rulesrun.server.stores import SqliteStore

    lead, failures = SqliteStore.lead, [OSError("gone"), OSError("gone")]

    async def lead_or_fail(self: SqliteStore, table: str) -> bool:
        if failures:
            raise failures.pop()
        return await lead(self, table)

    monkeypatch.setattr("rulesrun.server.live_tables.MOST_PATIENCE", 0.05)
    monkeypatch.setattr(SqliteStore, "lead", lead_or_fail)
    with serving() as client:
        table = make_table(client, "classics/nim", seats={"1": "random"})
        with seated(client, table, 2) as seat:
            assert seat.wait_for_question() is not None
