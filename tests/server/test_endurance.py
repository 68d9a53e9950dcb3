"""Lost connections, the same twice, two windows, a process that is killed: no choice is lost, none counts twice."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from random import Random
from typing import Any

import pytest

from rulesrun.files.loading import read_rules
from rulesrun.table.session import Session
from tests.server.processes import ServerProcess, begin_server

pytest.importorskip("uvicorn", reason="needs the extra `play`")
pytest.importorskip("websockets", reason="needs the extra `play`")

Json = dict[str, Any]


class Window:
    """One window of a seat: may lose its connection at any moment, and begins anew where it was."""

    def __init__(self, server: ServerProcess, table: Json, seat: int) -> None:
        self.server, self.table, self.seat, self.messages, self.sent = server, table, seat, list[Json](), 0
        self.link: Any = None

    def connect(self) -> Any:
        from websockets.sync.client import connect

        if self.link is None:
            address = self.server.base.replace("http", "ws") + f"api/tables/{self.table['table']}"
            self.link = connect(address, open_timeout=20, close_timeout=0.1).__enter__()
            since = self.messages[-1]["n"] if self.messages else 0
            self.link.send(json.dumps({"hello": {"token": self.table["tokens"][str(self.seat)], "since": since}}))
        return self.link

    def lose(self) -> None:
        """Without a word."""
        if self.link is not None:
            self.link.socket.close()
            self.link = None

    def hear(self, seconds: float) -> bool:
        from websockets.exceptions import ConnectionClosed

        try:
            told = json.loads(self.connect().recv(timeout=seconds))
        except TimeoutError:
            return False
        except (ConnectionClosed, OSError):
            self.link = None
            return False
        for message in told.get("messages", ()):
            expected = self.messages[-1]["n"] + 1 if self.messages else 1
            assert message["n"] == expected, "none is missing, none comes twice"
            self.messages.append(message)
        return True

    def question(self) -> Json | None:
        """Open, as far as this window knows."""
        for message in reversed(self.messages):
            if message["kind"] == "question":
                return message if message["open"] else None
            if message["kind"] in {"chose", "held", "heard", "saw", "view", "end"}:
                return None
        return None

    def answer(self, question: int, option: int) -> None:
        from websockets.exceptions import ConnectionClosed

        self.sent += 1
        told = {"id": self.sent, "do": "answer", "question": question, "option": option}
        try:
            self.connect().send(json.dumps(told))
        except (ConnectionClosed, OSError):
            self.link = None

    @property
    def is_over(self) -> bool:
        return any(one["kind"] == "end" for one in self.messages)


def play_badly(path: Path, rules: str, games: int, kills: int, seed: int) -> int:
    """Two windows a seat; lines break, answers are sent twice and by both; in so many games the server is killed. Gives
    how many choices were made."""
    chance, choices, store = Random(seed), 0, str(path / "tables.sqlite")
    fatal = {games * kill // kills for kill in range(kills)}
    server = begin_server("--store", store)
    port = int(server.base.rsplit(":", 1)[1].strip("/"))
    try:
        for number in range(games):
            table = server.make_table(rules, 2)
            windows = [Window(server, table, seat) for seat in (1, 2) for _ in range(2)]
            made: dict[tuple[int, int], int] = {}
            killed_at = chance.randrange(12) if number in fatal else -1
            for step in range(4_000):
                window = chance.choice(windows)
                while window.hear(0.02 if step % 9 else 0.1):
                    pass
                asked = window.question()
                if asked is not None:
                    option = made.setdefault((window.seat, asked["question"]), chance.randrange(len(asked["options"])))
                    for _ in range(chance.choice((1, 1, 2))):
                        window.answer(asked["question"], option)
                    if chance.randrange(6) == 0:
                        window.lose()
                if step == killed_at:
                    server.kill()
                    server = begin_server("--store", store, port=port)
                    for one in windows:
                        one.lose()
                        one.server = server
                if all(one.is_over for one in windows):
                    break
            assert all(one.is_over for one in windows), f"game {number} does not end"
            choices += check_kept(store, rules, table, made)
            check_alike(windows)
            for one in windows:
                one.lose()
    finally:
        server.process.terminate()
        server.process.wait(10)
        assert server.process.stdout is not None
        assert "Traceback" not in server.process.stdout.read()
        server.process.stdout.close()
    return choices


def check_kept(store: str, rules: str, table: Json, made: dict[tuple[int, int], int]) -> int:
    """In the file stands what was chosen, each once; a session made of it ends alike."""
    link = sqlite3.connect(store)
    rows = link.execute("select event from events where id = ? order by n", (table["table"],)).fetchall()
    link.close()
    events = [json.loads(row[0]) for row in rows]
    answers = [(one["seat"], one["question"], one["option"]) for one in events if one["event"] == "answer"]
    assert sorted(answers) == sorted((*key, option) for key, option in made.items())
    assert Session.restore(read_rules(rules), [events[0] | {"rules": read_rules(rules).digest}, *events[1:]]).is_over
    return len(answers)


def check_alike(windows: list[Window]) -> None:
    """Both windows of a seat have heard the same."""
    for one, other in zip(windows[::2], windows[1::2], strict=True):
        assert [plain(message) for message in one.messages] == [plain(message) for message in other.messages]


def plain(message: Json) -> Json:
    """A question is sent with its options while it is open."""
    return {key: one for key, one in message.items() if key not in {"options", "open"} or message["kind"] == "table"}


def test_a_bad_line_and_a_killed_server(tmp_path: Path) -> None:
    assert play_badly(tmp_path, "classics/leduc", 1, 1, 1) >= 2


@pytest.mark.long
@pytest.mark.parametrize(("rules", "games", "seed"), [
    ("classics/goofspiel", 46, 2), ("collection", 27, 3), ("hourglass", 19, 4), ("tokens", 12, 5), ("zero", 9, 6),
    ("gallery/durak", 11, 7), ("gallery/oware", 16, 8), ("gallery/battleship", 6, 9), ("gallery/checkers", 21, 10),
    ("gallery/cribbage", 9, 11),
])  # fmt: skip
def test_ten_thousand_choices_on_bad_lines_and_ten_kills(
    tmp_path: Path, rules: str, games: int, seed: int
) -> None:
    """In ten parts: each a thousand choices, and its server is killed once in mid-game."""
    assert play_badly(tmp_path, rules, games, 1, seed) >= 1_000
