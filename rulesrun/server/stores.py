"""Where tables are kept: for each its head, and its events, which are only ever added to. SQLite is at hand always.

`append` compares and adds in one: it takes events only where as many are there as the caller knows. So of two
processes that answer at the same moment one adds, and the other reads first what has happened.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

from attrs import define, field, frozen

from rulesrun.dsl.text.messages import message
from rulesrun.files.user_folders import find_data_folder
from rulesrun.terminal.trouble import Trouble

Json = dict[str, Any]
BUSY_SECONDS = 10.0
SCHEMA = """
create table if not exists tables (id text primary key, head text not null, made real not null);
create table if not exists events (
  id text not null, n integer not null, event text not null, primary key (id, n)
) without rowid;
"""


@frozen
class TableHead:
    """What a table was made with. `texts`: its rules, the base first, each with its name, so that it can be played on
    when a file has changed since; `asked`: the name of the one that was asked for."""

    id: str
    rules: str
    asked: str
    texts: tuple[tuple[str, str], ...]
    away: float | None = None  # seconds after which a bot plays for who is not there; None: everybody waits
    made: float = 0.0

    def to_json(self) -> str:
        return json.dumps(
            {"rules": self.rules, "asked": self.asked, "texts": self.texts, "away": self.away}, ensure_ascii=False
        )

    @staticmethod
    def from_json(table: str, text: str, made: float) -> TableHead:
        told = json.loads(text)
        texts = tuple((name, one) for name, one in told["texts"])
        return TableHead(table, told["rules"], told["asked"], texts, told["away"], made)


class Store(Protocol):
    """What is asked of a store. `news` is called with a table's number when another process has added to it."""

    is_shared: bool

    async def start(self, news: Callable[[str, Json], None]) -> None: ...
    async def make(self, head: TableHead, events: Sequence[Json]) -> None: ...
    async def head(self, table: str) -> TableHead | None: ...
    async def events(self, table: str, since: int = 0) -> list[Json]: ...
    async def append(self, table: str, since: int, events: Sequence[Json]) -> bool: ...
    async def publish_news(self, table: str, news: Json) -> None: ...
    async def lead(self, table: str) -> bool: ...
    async def leave(self, table: str) -> None: ...
    async def stop(self) -> None: ...


@define(eq=False)
class SqliteStore:
    """One file, one process. What was appended is there after the process was killed."""

    path: str
    is_shared: bool = field(init=False, default=False)
    _link: sqlite3.Connection = field(init=False)

    async def start(self, news: Callable[[str, Json], None]) -> None:
        try:
            if self.path != ":memory:":
                Path(self.path).parent.mkdir(parents=True, exist_ok=True)
            self._link = sqlite3.connect(self.path, timeout=BUSY_SECONDS, isolation_level=None)
            self._link.execute("pragma journal_mode = wal")
            self._link.execute("pragma synchronous = normal")
            self._link.executescript(SCHEMA)
        except (OSError, sqlite3.Error) as reason:
            raise Trouble(
                message("the tables cannot be kept in {path}: {reason}", path=self.path, reason=str(reason))
            ) from None

    async def make(self, head: TableHead, events: Sequence[Json]) -> None:
        self._link.execute("begin immediate")
        try:
            self._link.execute("insert into tables values (?, ?, ?)", (head.id, head.to_json(), head.made))
            self._insert(head.id, 0, events)
        except BaseException:
            self._link.execute("rollback")
            raise
        self._link.execute("commit")

    async def head(self, table: str) -> TableHead | None:
        row = self._link.execute("select head, made from tables where id = ?", (table,)).fetchone()
        return None if row is None else TableHead.from_json(table, row[0], row[1])

    async def events(self, table: str, since: int = 0) -> list[Json]:
        rows = self._link.execute("select event from events where id = ? and n >= ? order by n", (table, since))
        return [json.loads(row[0]) for row in rows]

    async def append(self, table: str, since: int, events: Sequence[Json]) -> bool:
        self._link.execute("begin immediate")
        try:
            last = self._link.execute("select max(n) from events where id = ?", (table,)).fetchone()[0]
            count = 0 if last is None else last + 1
            if count == since:
                self._insert(table, since, events)
        except BaseException:
            self._link.execute("rollback")
            raise
        self._link.execute("commit")
        return bool(count == since)

    def _insert(self, table: str, since: int, events: Sequence[Json]) -> None:
        self._link.executemany(
            "insert into events values (?, ?, ?)",
            [(table, since + at, json.dumps(event, ensure_ascii=False)) for at, event in enumerate(events)],
        )

    async def publish_news(self, table: str, news: Json) -> None:
        """Nobody else is there."""

    async def lead(self, table: str) -> bool:
        return True

    async def leave(self, table: str) -> None:
        pass

    async def stop(self) -> None:
        self._link.close()


def default_store_path() -> str:
    folder = find_data_folder()
    return ":memory:" if folder is None else str(folder / "tables.sqlite")


def open_store(written: str | None) -> Store:
    """A file, or `postgresql://…`."""
    where = written or default_store_path()
    if where.startswith(("postgresql://", "postgres://")):
        if find_spec("psycopg") is None:
            raise Trouble(message("a store in PostgreSQL needs an extra: `pip install 'rulesrun[play,postgres]'`"))
        from rulesrun.server.postgres_store import PostgresStore

        return PostgresStore(where)
    return SqliteStore(where)
