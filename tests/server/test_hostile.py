"""What strangers send: other sites, nonsense, too much. Nothing breaks, no view changes, a refusal is a sentence."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from tests.server.tables import Json, Seat, make_table, seated, serving

NONSENSE: list[Any] = [
    None, True, -1, 0, 1, 2**31, 2**70, 1.5, "", "x", "1", "\u0000", "a" * 300, [], [1], {}, {"a": 1}, [[[]]],
    "exchange red 7", "<script>alert(1)</script>", "'; drop table events; --", "../../etc/passwd", "\ud800",
]  # fmt: skip
VERBS = ["answer", "words", "why", "undo", "agree", "seat", "hello", "", None, 7]
KEYS = ["do", "id", "question", "option", "words", "action", "arguments", "seat", "bot", "yes", "hello"]


def make_message(chance: Random) -> str:
    """Nearly what the page sends, or nothing like it."""
    kind = chance.randrange(10)
    if kind == 0:
        return chance.choice(["", "{", "[]", "null", "7", '"x"', "\x00", "[" * 2000, "{" * 500 + "}" * 500, "é" * 900])
    told: Json = {"id": chance.randrange(1000), "do": chance.choice(VERBS)}
    for key in chance.sample(KEYS, chance.randrange(1, 6)):
        told[key] = chance.choice(NONSENSE)
    if kind < 4:
        told["do"] = chance.choice(VERBS[:6])
    return json.dumps(told)


def send_nonsense(amount: int, seed: int) -> None:
    """To one seat of a table, a connection after another; the other seat is sent nothing by it."""
    chance, done = Random(seed), 0
    with serving() as client:
        table = make_table(client, "classics/goofspiel", options={"cards": "4"})
        with seated(client, table, 2) as other:
            other.wait_for_question()
            before = json.dumps(other.messages)
            while done < amount:
                with seated(client, table, chance.choice([0, 1])) as stranger:
                    for _ in range(50):  # of a burst
                        stranger.socket.send_text(make_message(chance))
                        done += 1
                        wait_for_reply(stranger)
            assert other.ask(do="why", action="play", arguments={})["reason"]
            kinds = {one["kind"] for one in other.messages[len(json.loads(before)) :]}
            assert kinds <= {"thinking", "undo", "seats", "undo-asked"}, kinds
            assert json.dumps(other.messages)[: len(before) - 1] == before[:-1]


def wait_for_reply(stranger: Seat) -> None:
    while True:
        told = stranger.read()
        assert json.dumps(told, ensure_ascii=False).encode(), "it can be sent at all"
        if "reply" in told:
            assert told["reply"]["accepted"] in (True, False)
            assert told["reply"]["accepted"] or told["reply"]["reason"]
            return


def test_nonsense_over_a_socket() -> None:
    send_nonsense(300, 1)


def test_half_a_character_is_refused() -> None:
    with serving() as client:
        headers = {"content-type": "application/json"}
        answer = client.post("/api/qr", content=b'{"text": "\\ud800"}', headers=headers)
        assert answer.status_code == 400
        table = make_table(client, "classics/kuhn")
        with seated(client, table, 1) as seat:
            seat.socket.send_text('{"id": 1, "do": "words", "words": "\\ud800"}')
            wait_for_reply(seat)
            assert seat.replies[0]["reason"] == "the server does not understand this message"


@pytest.mark.long
def test_ten_thousand_hostile_messages() -> None:
    send_nonsense(10_000, 2)


@pytest.mark.parametrize(("seed", "amount"), [(1, 200), pytest.param(2, 10_000, marks=pytest.mark.long)])
def test_nonsense_over_http(seed: int, amount: int) -> None:
    chance = Random(seed)
    with serving() as client:
        known = make_table(client, "classics/kuhn")["table"]
        paths = ["api/tables", f"api/tables/{known}/again", "api/qr", "api/rulebooks/x", "t/%00", "page/..%2fweb.py"]
        keys = ["rules", "players", "seats", "options", "seed", "away", "token", "text"]
        for _ in range(amount):
            body = {key: chance.choice(NONSENSE) for key in chance.sample(keys, 5)}
            if chance.randrange(2):
                body |= {"rules": chance.choice(["zero", "classics/kuhn", "x"]), "players": chance.choice([2, -1, 65])}
            is_text = chance.randrange(5) > 0
            content = json.dumps(body).encode() if is_text else bytes(chance.randrange(256) for _ in range(40))
            path, kind = chance.choice(paths), chance.choice(["application/json", "application/json", "text/plain"])
            method = chance.choice(["GET", "POST", "PUT", "DELETE", "HEAD"])
            answer = client.request(method, f"/{path}", content=content, headers={"content-type": kind})
            assert answer.status_code < 500, (method, path, body, answer.text)
            if answer.status_code >= 400 and answer.text.startswith("{"):
                assert answer.json()["problem"]


def test_too_much_is_refused() -> None:
    with serving() as client:
        large = client.post("/api/tables", content=b"{" + b" " * 20_000, headers={"content-type": "application/json"})
        assert large.status_code == 413
        form = client.post("/api/tables", content=b"{}", headers={"content-type": "text/plain"})
        assert form.status_code == 415


@pytest.mark.parametrize(("headers", "is_let_in"), [
    ({"host": "localhost:8000"}, True), ({"host": "127.0.0.1:8000"}, True), ({"host": "[::1]:8000"}, True),
    ({"host": "192.168.1.7"}, True), ({"host": "evil.example"}, False), ({"host": ""}, False),
    ({"host": "localhost:8000", "origin": "http://localhost:8000"}, True),
    ({"host": "localhost:8000", "origin": "http://evil.example"}, False),
    ({"host": "localhost:8000", "origin": "null"}, False),
    ({"host": "localhost:8000", "origin": "http://localhost:9"}, False),
    ({"host": "evil.example", "origin": "http://evil.example"}, False),
])  # fmt: skip
def test_other_sites_get_nothing(headers: dict[str, str], is_let_in: bool) -> None:
    with serving() as client:
        answer = client.get("/api/rulebooks/classics/kuhn", headers=headers)
        assert (answer.status_code == 200) == is_let_in
        assert "access-control-allow-origin" not in answer.headers


def test_other_sites_get_no_socket() -> None:
    from starlette.websockets import WebSocketDisconnect

    with serving() as client:
        table = make_table(client, "classics/kuhn")
        with pytest.raises(WebSocketDisconnect), client.websocket_connect(
            f"ws://localhost/api/tables/{table['table']}", headers={"origin": "http://evil.example"}
        ):
            pass


def test_a_link_of_another_table_opens_no_seat() -> None:
    with serving() as client:
        one, other = make_table(client, "classics/kuhn"), make_table(client, "classics/kuhn")
        with seated(client, one | {"tokens": other["tokens"]}, 1) as seat:
            assert seat.read()["refused"]


def test_nothing_of_the_rules_becomes_a_part_of_the_page() -> None:
    """The page's policy forbids scripts that are not ours; texts come as JSON alone."""
    with serving() as client:
        page = client.get("/t/anything")
        assert "script-src 'self'" in page.headers["content-security-policy"]
        assert client.get("/page/../web.py").status_code == 404
        assert client.get("/page/..%2fweb.py").status_code == 404
