"""The table on the whole terminal: a game played by keys, hands hidden between people."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from rulesrun.cli import main
from rulesrun.locale.language import ENGLISH
from rulesrun.table.session import Session
from tests.table.games import reading_of

textual = pytest.importorskip("textual")


def app_of(name: str, people: list[int], **seats: str) -> Any:
    from rulesrun.play.screen_table import TableApp

    bots = {int(seat[1:]): bot for seat, bot in seats.items()}
    session = Session.open(reading_of(name), 2, bots, {}, 4, engine="reference")
    return TableApp(session, people, ENGLISH)


def shown(app: Any, name: str) -> str:
    return str(app.query_one(name).render())


def test_a_game_by_keys() -> None:
    async def play() -> None:
        app = app_of("classics/tic_tac_toe", [1], s2="first")
        async with app.run_test(size=(80, 40)) as pilot:
            assert "Tic-tac-toe" in shown(app, "#table")
            await pilot.press(*"mark b2", "enter")
            assert "You: mark b2." in shown(app, "#log")
            await pilot.press(*"mark b2", "enter")
            assert app.session.decisions == 2
            app.query_one("#words").value = ""
            await pilot.press("ctrl+z")
            assert app.session.decisions == 0
            await pilot.press("5", "enter", "1", "enter", *"mark b3", "enter")
            await pilot.pause()
            assert app.session.is_over
            assert "1.  player 1 (you)" in shown(app, "#table")

    asyncio.run(play())


def test_the_keyboard_is_passed_on() -> None:
    async def play() -> None:
        app = app_of("classics/kuhn", [1, 2])
        async with app.run_test(size=(80, 40)) as pilot:
            assert "hand" not in shown(app, "#table")
            await pilot.press("enter")
            await pilot.pause()
            assert "player 1 (you)" in shown(app, "#table")
            await pilot.press("1", "enter")
            await pilot.pause()
            assert shown(app, "#table") == ""
            await pilot.press("enter")
            await pilot.pause()
            assert "player 2 (you)" in shown(app, "#table")

    asyncio.run(play())


def test_without_the_extra_it_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "textual", None)
    monkeypatch.setitem(__import__("sys").modules, "textual.app", None)
    monkeypatch.delitem(__import__("sys").modules, "rulesrun.play.screen_table", raising=False)
    assert main(["play", "classics/kuhn", "--tui"]) == 2
    assert "pip install 'rulesrun[tui]'" in capsys.readouterr().err
