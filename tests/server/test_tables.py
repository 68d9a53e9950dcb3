"""Tables over HTTP and WebSocket: made, played to the end, found again, given to bots, played again."""

from __future__ import annotations

from pathlib import Path

from rulesrun.files.loading import read_rules
from rulesrun.table.session import Session
from tests.server.tables import Seat, make_table, seated, serving


def play_on(seat: Seat, most: int = 500) -> None:
    for _ in range(most):
        question = seat.wait_for_question()
        if question is None:
            return
        assert seat.answer(question, len(question["options"]) // 2)["accepted"]
    raise AssertionError("the game does not end")


def test_a_game_against_a_bot_to_the_end() -> None:
    with serving() as client:
        table = make_table(client, "classics/leduc", seats={"2": "greedy"})
        with seated(client, table, 1) as seat:
            play_on(seat)
            end = next(one for one in seat.messages if one["kind"] == "end")
            assert sum(end["scores"].values()) == 0, "what one wins the other loses"
        numbers = [one["n"] for one in seat.messages]
        assert numbers == list(range(1, len(numbers) + 1))


def test_the_feed_of_a_socket_is_that_of_a_session_with_the_same_answers() -> None:
    with serving() as client:
        table = make_table(client, "classics/kuhn", seats={"2": "first"}, seed=7)
        with seated(client, table, 1, language="ru") as seat:
            play_on(seat)
    session = Session.open(
        read_rules("classics/kuhn"), 2, {2: "first"}, {}, 7, {t: int(s) for s, t in table["tokens"].items()},
        "reference",
    )  # fmt: skip
    while not session.is_over:
        session.play_bots()
        if 1 in session.waiting_for():
            asked = [one for one in session.feed(1) if one["kind"] == "question"][-1]
            session.answer(1, asked["question"], len(asked["options"]) // 2)
    expected = session.feed(1, language="ru")
    got = [one | ({"open": False} if one["kind"] == "question" else {}) for one in seat.messages]
    assert [{k: v for k, v in one.items() if k != "options" or one["kind"] == "table"} for one in got] == expected


def test_who_comes_back_gets_what_is_missing_and_nothing_twice() -> None:
    with serving() as client:
        table = make_table(client, "classics/kuhn", seats={"2": "first"})
        with seated(client, table, 1) as first:
            question = first.wait_for_question()
            assert question is not None
            assert first.answer(question, 0)["accepted"]
        with seated(client, table, 1, since=question["n"]) as again:
            assert again.ask(do="answer", question=question["question"], option=0)["accepted"], "the same is one answer"
            again.wait_for_question()
            assert again.messages[0]["n"] == question["n"] + 1
            assert [one["kind"] for one in again.messages].count("chose") == 1


def test_tables_come_back_from_the_file(tmp_path: Path) -> None:
    path = str(tmp_path / "tables.sqlite")
    with serving(path) as client:
        table = make_table(client, "classics/goofspiel", options={"cards": "4"})
        with seated(client, table, 1) as seat:
            question = seat.wait_for_question()
            assert question is not None
            seat.answer(question, 1)
            before = seat.messages
    with serving(path) as client, seated(client, table, 1) as seat:
        assert seat.ask(do="undo")["accepted"], "the other has not chosen yet"
        assert seat.wait_for_question() is not None
        assert [one["kind"] for one in seat.messages[: len(before)]] == [one["kind"] for one in before]


def test_rules_may_change_while_a_table_is_kept(tmp_path: Path) -> None:
    path, rules = str(tmp_path / "tables.sqlite"), tmp_path / "own.rules"
    rules.write_text(read_rules("classics/nim").chain[0].file.text, "utf-8")
    with serving(path, (str(rules),)) as client:
        table = make_table(client, str(rules), seats={"2": "first"})
    rules.write_text("nothing that can be read", "utf-8")
    with serving(path, (str(rules),)) as client, seated(client, table, 1) as seat:
        assert seat.wait_for_question() is not None


def test_who_only_watches_sees_what_is_open_and_chooses_nothing() -> None:
    with serving() as client:
        table = make_table(client, "classics/leduc", seats={"2": "greedy"})
        with seated(client, table, 0) as watcher:
            assert not watcher.ask(do="answer", question=1, option=0)["accepted"]
            while not watcher.messages:
                watcher.read()
            assert watcher.messages[0]["you"] == 0
            seen = [one["view"] for one in watcher.messages if one["kind"] == "view"]
            assert all(isinstance(one["zones"]["hand[1]"], dict) for one in seen), "a count, no cards"


def test_a_bot_plays_for_who_is_away_and_gives_the_seat_back() -> None:
    with serving() as client:
        table = make_table(client, "classics/leduc")
        with seated(client, table, 1) as seat:
            question = seat.wait_for_question()
            assert question is not None
            assert seat.ask(do="seat", seat=2, bot="greedy")["accepted"], "nobody sits there"
            with seated(client, table, 2) as back:
                while not any(one["kind"] == "seats" and one.get("changed") for one in back.messages):
                    back.read()
                seats = [one for one in back.messages if one["kind"] == "seats"][-1]["seats"]
                assert seats[1]["bot"] is None, "the person is back"
                refused = seat.ask(do="seat", seat=2, bot="greedy")
                assert not refused["accepted"]
                assert not seat.ask(do="seat", seat=2, bot=None)["accepted"]


def test_the_next_game_has_the_same_links() -> None:
    with serving() as client:
        table = make_table(client, "classics/kuhn", seats={"2": "first"})
        early = client.post(f"/api/tables/{table['table']}/again", json={"token": table["tokens"]["1"]})
        assert early.status_code == 409
        with seated(client, table, 1) as seat:
            play_on(seat)
            ask = {"token": table["tokens"]["1"]}
            again = client.post(f"/api/tables/{table['table']}/again", json=ask).json()
            twice = client.post(f"/api/tables/{table['table']}/again", json=ask).json()
            assert again == twice
            assert again["table"] != table["table"]
        with seated(client, table | again, 1) as seat:
            assert seat.wait_for_question() is not None


def test_the_lobby_knows_options_readings_and_bots() -> None:
    with serving() as client:
        names = {one["name"] for one in client.get("/api/rulebooks").json()["rulebooks"]}
        assert {"zero", "tokens", "classics/kuhn"} <= names
        told = client.get("/api/rulebooks/zero?players=5&language=ru").json()
        assert told["title"] == "Зеро"
        assert told["players"] == [2, 3, 4, 5]
        reading = next(one for one in told["options"] if one["is_reading"])
        assert reading["notes"], "the sentence in doubt"
        first = next(one for one in told["options"] if one["name"] == "first")
        assert [one["value"] for one in first["values"]] == ["lot", "seat", "1", "2", "3", "4", "5"]
        refused = client.post("/api/tables", json={"rules": "zero", "players": 9})
        assert refused.status_code == 422
        assert refused.json()["problem"]


def test_debug_shows_the_position_as_an_example_and_goes_back() -> None:
    with serving(is_debug=True) as client:
        table = make_table(client, "classics/leduc", seats={"2": "greedy"})
        with client.websocket_connect(f"ws://localhost/api/tables/{table['table']}") as socket:
            seat = Seat(socket, None, seat=1)
            question = seat.wait_for_question()
            assert question is not None
            chosen = question["options"][0]
            why = seat.ask(do="why", action=chosen["action"], arguments=chosen["arguments"])
            assert why == {"accepted": True, "reasons": ["It is legal here."]}
            wrong = seat.ask(do="why", action="fly", arguments={"x": [1]})
            assert wrong["reasons"][0].startswith("It is not legal here")
            play_on(seat)
        number = table["table"]
        assert client.get(f"/api/debug/{number}/events").json()["count"] > 1
        example = client.get(f"/api/debug/{number}/example").json()["text"]
        assert "\nexample " in f"\n{example}"
        back = client.post(f"/api/debug/{number}/back", json={"events": 1}).json()
        with client.websocket_connect(f"ws://localhost/api/tables/{back['table']}") as socket:
            assert Seat(socket, None, seat=1).wait_for_question() is not None
    with serving() as client:
        assert client.get("/api/debug/x/events").status_code == 404
