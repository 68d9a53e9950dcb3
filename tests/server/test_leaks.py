"""No byte on a socket depends on what its seat cannot know: the law of sessions, asked of the server's own lines."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from types import SimpleNamespace
from typing import Any
from zlib import crc32

import pytest
from attrs import define, field

from rulesrun.files.loading import Reading
from rulesrun.interpreter.reference.table import Table, set_up_table
from rulesrun.server.connections import Connection
from rulesrun.server.live_tables import PACE, LiveTable, texts_of
from rulesrun.server.stores import TableHead
from rulesrun.table.session import Session
from tests.server.tables import serving
from tests.table.alike import Numbers, SeatLedger, attempts, play_alike, play_until_compared
from tests.table.games import RULEBOOKS, hides_something, players_of
from tests.table.planted import PLANTS
from tests.table.test_leaks import ENOUGH, rules

pytest.importorskip("starlette", reason="needs the extra `play`")


WISHES = 3  # that a seat is refused at each position: asking for all of them took nine tenths of the time


@define(eq=False)
class SocketLedger(SeatLedger):
    """Compares what comes over a socket for each seat, watchers included, as text."""

    client: Any = field(kw_only=True)
    live: Any = field(init=False, default=None)
    sockets: list[Any] = field(init=False, factory=list)
    lines: ExitStack = field(init=False, factory=ExitStack)

    def follow(self, numbers: Numbers) -> None:
        with ExitStack() as self.lines:
            super().follow(numbers)

    def open_session(self, numbers: Numbers) -> Session:
        session = super().open_session(numbers)
        session.tokens = {f"token-{seat}": seat for seat in range(1, session.players + 1)}
        server = self.client.app_state["server"]
        head = TableHead("table", self.reading.name, self.reading.name, texts_of(self.reading))
        self.live = LiveTable(head, session, server.tables.store, server.tables.workers, 0, len(session.events()))
        server.tables.tables["table"] = self.live
        self.sockets = []
        for seat in range(session.players + 1):
            socket = self.lines.enter_context(self.client.websocket_connect("ws://localhost/api/tables/table"))
            socket.send_json({"hello": {"token": f"token-{seat}" if seat else None, "since": 0}})
            self.sockets.append(socket)
        return session

    def note_all(self, session: Session, told: tuple[Any, ...], sent: list[str], since: list[int]) -> None:
        self.live.kept = len(session.events())  # else the table waits for its store, and refuses everything
        self.client.portal.call(self.live.wake_all)
        for seat, socket in enumerate(self.sockets):
            while since[seat] < session.last_number(seat):
                text = socket.receive_text()
                heard = json.loads(text)
                if "messages" in heard:
                    since[seat] += len(heard["messages"])
                    sent[seat] += text
            if seat:
                self.note(seat, told[seat - 1], sent[seat] + self.refused(socket, sent[seat]), session)
                self.note(0, (seat, told[seat - 1]), sent[0], session)

    def refused(self, socket: Any, sent: str) -> str:
        """What is said to it when it asks for what it may not, or why not: a few of many wishes, in turn; which ones
        follows from what it was sent."""
        wishes: list[dict[str, Any]] = [
            {"do": "answer", "question": 10_000, "option": 0}, {"do": "words", "words": "fly"}, {"do": "x"},
            {"do": "agree", "yes": True},
            *({"do": "why", "action": action, "arguments": values} for action, values in attempts(self.table)),
        ]  # fmt: skip
        first = crc32(sent.encode())
        some = [wishes[(first + at * 5) % len(wishes)] for at in range(WISHES)]
        for what in some:
            socket.send_json({"id": 1, **what})
        said = ""
        for _ in some:
            while "reply" not in (heard := json.loads(text := socket.receive_text())):
                assert "messages" not in heard, "nothing happened"
            assert "busy" not in text
            said += text
        return said


@contextmanager
def ledger_of(name: str, players: int, **options: object) -> Iterator[SocketLedger]:
    reading: Reading = rules(name)
    assert reading.program is not None
    table: Table = set_up_table(reading.program, players, options)
    with serving() as client, pytest.MonkeyPatch.context() as patch:
        patch.setattr("rulesrun.server.connections.BURST", 10**6)
        yield SocketLedger(reading, table, options, client=client)


@pytest.mark.parametrize(("name", "players", "games", "swaps", "limit"), [
    ("classics/kuhn", 2, 5, 3, 99), ("classics/leduc", 2, 3, 2, 99), ("zero", 2, 1, 3, 20),
])  # fmt: skip
def test_what_a_seat_cannot_know_is_in_no_byte(name: str, players: int, games: int, swaps: int, limit: int) -> None:
    with ledger_of(name, players) as ledger:
        for seed in range(games):
            play_alike(ledger, seed, swaps, limit)
        assert not ledger.differences, ledger.differences[0]
        assert ledger.ambiguous() > 0


# Games with fewer positions that a seat cannot tell apart, and how many games are enough: small ones, and Tokens, where
# nothing is hidden but what chance has not brought yet: there positions count that went on otherwise.
FEW = {"classics/rock_paper_scissors": 10, "classics/kuhn": 80, "gallery/blotto": 25, "tokens": 25}
ANSWERS = {"gallery/battleship": 40}  # of a game; 80 else: two hundred squares take long to write down


@pytest.mark.long
@pytest.mark.parametrize("name", [name for name in RULEBOOKS if hides_something(name)])
def test_a_thousand_positions_of_every_rulebook(name: str) -> None:
    """At all numbers of players together: so many positions with what a seat cannot know exchanged."""
    found, foretold, players = 0, 0, players_of(name)
    for number in players:
        with ledger_of(name, number) as ledger:
            play_until_compared(ledger, -(-1000 // len(players)), FEW.get(name, 400), 8, ANSWERS.get(name, 80))
            assert not ledger.differences, ledger.differences[0]
            found += ledger.compared
            foretold += ledger.foretold
    assert found >= 1000 or name in FEW, found
    assert foretold >= 1000 or name != "tokens", foretold


@pytest.mark.long
@pytest.mark.parametrize("name", PLANTS)
def test_a_leak_planted_in_a_session_is_found_at_the_socket(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    spoil, game = PLANTS[name]
    spoil(monkeypatch)
    games, swaps, limit = (60, 8, 80) if game == "the_game" else ENOUGH.get(game, (12, 3, 99))
    with ledger_of(game, 2, **({"cards": 4} if game.endswith("goofspiel") else {})) as ledger:
        play_until_compared(ledger, 10**6, games, swaps, limit)
        assert ledger.differences


# ---- when a bot answers


@define(eq=False)
class PretendedLoop:
    """A clock that goes on only while a bot thinks or the table waits."""

    thinks: float
    now: float = 0.0

    def time(self) -> float:
        return self.now

    async def run_in_executor(self, workers: object, work: object) -> int:
        self.now += self.thinks
        return 0

    async def sleep(self, seconds: float) -> None:
        self.now += seconds


def answers_after(thinks: float, monkeypatch: pytest.MonkeyPatch) -> float:
    """Seconds between a question to a bot and its answer."""
    loop = PretendedLoop(thinks)
    with monkeypatch.context() as patch:
        patch.setattr("rulesrun.server.live_tables.asyncio.get_running_loop", lambda: loop)
        patch.setattr("rulesrun.server.live_tables.asyncio.sleep", loop.sleep)
        table: Any = SimpleNamespace(workers=None, pace=PACE)
        bot: Any = SimpleNamespace(choose=None)
        coroutine = LiveTable._think_in_time(table, bot)
        with pytest.raises(StopIteration):
            coroutine.send(None)
    return round(loop.now, 6)


THOUGHTS = (0.0, 0.001, 0.05, 0.31, 0.59)  # seconds, of bots that look at what lies hidden from others


def test_when_a_bot_answers_tells_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert {answers_after(thinks, monkeypatch) for thinks in THOUGHTS} == {PACE}
    assert {answers_after(PACE + thinks, monkeypatch) for thinks in THOUGHTS} == {2 * PACE}


def test_a_bot_that_answers_when_it_is_ready_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    async def at_once(self: LiveTable, thought: Any) -> int:
        loop: Any = asyncio.get_running_loop()
        option: int = await loop.run_in_executor(self.workers, thought.choose)
        return option

    monkeypatch.setattr(LiveTable, "_think_in_time", at_once)
    assert len({answers_after(thinks, monkeypatch) for thinks in THOUGHTS}) == len(THOUGHTS)


def of_hidden(table: LiveTable) -> int:
    """Something that follows from the whole position."""
    return crc32(str(table.session.state.slots).encode()) % 7


LEAKS: dict[str, Callable[[Connection, dict[str, Any]], dict[str, Any]]] = {
    "a number beside the messages": lambda own, told: told | {"mark": of_hidden(own.table)},
    "how long a piece is": lambda own, told: told | {"fill": "x" * of_hidden(own.table)},
    "the order of parts": lambda own, told: dict(sorted(told.items(), reverse=of_hidden(own.table) % 2 > 0)),
    "the number of messages": lambda own, told: told if of_hidden(own.table) % 2 else told | {"messages": []},
    "words of a refusal": lambda own, told: told | {"reply": str(of_hidden(own.table))} if "reply" in told else told,
    "the length of a refusal": lambda own, told: told | {"x": " " * of_hidden(own.table)} if "reply" in told else told,
    "what chance has brought": lambda own, told: told | {"next": own.table.session._course.answers},
    "the whole position": lambda own, told: told | {"state": str(own.table.session.state)},
}


@pytest.mark.parametrize("name", LEAKS)
def test_a_leak_that_was_planted_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    send = Connection._send

    async def leak(self: Connection, told: dict[str, Any]) -> None:
        changed = LEAKS[name](self, told) if "messages" in told or "reply" in told else told
        if "messages" in told and not changed["messages"]:
            changed = told | {"messages": [*told["messages"], told["messages"][-1]]}
        await send(self, changed)

    monkeypatch.setattr(Connection, "_send", leak)
    with ledger_of("classics/kuhn", 2) as ledger:
        for seed in range(6):
            play_alike(ledger, seed, 3, 99)
        assert ledger.differences
