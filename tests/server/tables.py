"""A server in this process: requests and sockets without a network."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

pytest.importorskip("starlette", reason="needs the extra `play`")
pytest.importorskip("httpx2", reason="needs httpx2")

from starlette.testclient import TestClient, WebSocketTestSession

from rulesrun.server.guards import Guard, Rates
from rulesrun.server.live_tables import LiveTables, Shelf
from rulesrun.server.stores import SqliteStore
from rulesrun.server.web import Server

Json = dict[str, Any]


@contextmanager
def serving(path: str = ":memory:", names: tuple[str, ...] = (), is_debug: bool = False) -> Iterator[TestClient]:
    tables = LiveTables(Shelf(names), SqliteStore(path), "reference", pace=0)
    server = Server(tables, Guard(), is_debug=is_debug, rates=Rates(1_000, 1_000))
    with TestClient(server.make_app(), base_url="http://localhost") as client:
        client.app_state["server"] = server
        yield client


def make_table(client: TestClient, rules: str, players: int = 2, **wishes: Any) -> Json:
    made = client.post("/api/tables", json={"rules": rules, "players": players, "seed": 1, **wishes})
    assert made.status_code == 200, made.text
    told: Json = made.json()
    return told


class Seat:
    """One connection: sends, and reads until the answer to what it sent is there."""

    def __init__(self, socket: WebSocketTestSession, token: str | None, since: int = 0, **hello: Any) -> None:
        self.socket, self.messages, self.notices, self.sent = socket, list[Json](), list[Json](), 0
        self.replies: dict[int, Json] = {}
        socket.send_json({"hello": {"token": token, "since": since, **hello}})

    def read(self) -> Json:
        told: Json = self.socket.receive_json()
        if "messages" in told:
            self.messages += told["messages"]
        elif "reply" in told:
            self.replies[told["id"]] = told["reply"]
        else:
            self.notices.append(told)
        return told

    def ask(self, **what: Any) -> Json:
        self.sent += 1
        self.socket.send_json({"id": self.sent, **what})
        while self.sent not in self.replies:
            self.read()
        return self.replies[self.sent]

    def wait_for_question(self) -> Json | None:
        """The open question; None where the game is over first."""
        while True:
            for message in reversed(self.messages):
                if message["kind"] == "end":
                    return None
                if message["kind"] == "question" and message["open"]:
                    return message
                if message["kind"] in {"chose", "held", "view", "heard"} and message is self.messages[-1]:
                    break
            self.read()

    def answer(self, question: Json, option: int) -> Json:
        reply = self.ask(do="answer", question=question["question"], option=option)
        question["open"] = False
        return reply


@contextmanager
def seated(client: TestClient, table: Json, seat: int, **hello: Any) -> Iterator[Seat]:
    token = table["tokens"].get(str(seat)) if seat else None
    with client.websocket_connect(f"ws://localhost/api/tables/{table['table']}") as socket:
        yield Seat(socket, token, **hello)
