"""Tables in PostgreSQL, shared by several server processes: who adds tells the others by NOTIFY.

A process leads a table while it holds its lock; the lock goes with the process, so another one takes over.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Any

import psycopg
from attrs import define, field

from rulesrun.dsl.text.messages import message
from rulesrun.server.stores import Json, TableHead
from rulesrun.terminal.trouble import Trouble

CHANNEL = "rulesrun_tables"
LONGEST_NEWS = 7_900  # bytes that NOTIFY takes
RETRY_SECONDS = 1.0
SCHEMA = """
create table if not exists rulesrun_tables (id text primary key, head text not null, made double precision not null);
create table if not exists rulesrun_events (
  id text not null, n integer not null, event text not null, primary key (id, n)
);
"""
SCHEMA_LOCK = 0x72756C6573  # two processes that begin at once must not make the tables both


@define(eq=False)
class PostgresStore:
    address: str
    is_shared: bool = field(init=False, default=True)
    process: str = field(init=False, factory=lambda: secrets.token_hex(6))
    _link: psycopg.AsyncConnection[Any] = field(init=False)
    _turn: asyncio.Lock = field(init=False, factory=asyncio.Lock)
    _led: set[str] = field(init=False, factory=set)
    _listener: asyncio.Task[None] | None = field(init=False, default=None)
    _news: Callable[[str, Json], None] = field(init=False)

    async def start(self, news: Callable[[str, Json], None]) -> None:
        self._news = news
        try:
            self._link = await self._connect()
            async with self._link.transaction():
                await self._link.execute("select pg_advisory_xact_lock(%s)", (SCHEMA_LOCK,))
                await self._link.execute(SCHEMA)
        except psycopg.Error as reason:
            raise Trouble(message("the tables cannot be kept in PostgreSQL: {reason}", reason=str(reason))) from None
        self._listener = asyncio.get_running_loop().create_task(self._listen_on())

    async def _connect(self) -> psycopg.AsyncConnection[Any]:
        return await psycopg.AsyncConnection.connect(self.address, autocommit=True)

    async def _listen_on(self) -> None:
        """A connection of its own, that comes back when it is lost."""
        while True:
            try:
                link = await self._connect()
                await link.execute(f"listen {CHANNEL}")
                async for heard in link.notifies():
                    table, _, told = heard.payload.partition(" ")
                    news = json.loads(told)
                    if news.get("process") != self.process:
                        self._news(table, news)
            except psycopg.Error:
                await asyncio.sleep(RETRY_SECONDS)

    async def _rows(self, asked: Any, values: Sequence[Any]) -> list[Any]:
        """One statement after another; a connection that was lost is made anew."""
        async with self._turn:
            if self._link.closed:
                self._led.clear()
                try:
                    self._link = await self._connect()
                except psycopg.Error as reason:
                    raise OSError(str(reason)) from None
            try:
                return await (await self._link.execute(asked, values)).fetchall()
            except psycopg.OperationalError as reason:
                await self._link.close()
                raise OSError(str(reason)) from None

    async def make(self, head: TableHead, events: Sequence[Json]) -> None:
        await self._rows(
            "insert into rulesrun_tables values (%s, %s, %s) returning 1", (head.id, head.to_json(), head.made)
        )
        await self.append(head.id, 0, events)

    async def head(self, table: str) -> TableHead | None:
        rows = await self._rows("select head, made from rulesrun_tables where id = %s", (table,))
        return TableHead.from_json(table, rows[0][0], rows[0][1]) if rows else None

    async def events(self, table: str, since: int = 0) -> list[Json]:
        rows = await self._rows(
            "select event from rulesrun_events where id = %s and n >= %s order by n", (table, since)
        )
        return [json.loads(row[0]) for row in rows]

    async def append(self, table: str, since: int, events: Sequence[Json]) -> bool:
        """All in one statement: the numbers are taken, or they are not, then nothing is added."""
        numbers = list(range(since, since + len(events)))
        texts = [json.dumps(event, ensure_ascii=False) for event in events]
        try:
            rows = await self._rows(
                "insert into rulesrun_events select %s, n, event from unnest(%s::int[], %s::text[]) as e (n, event) "
                "where (select coalesce(max(n) + 1, 0) from rulesrun_events where id = %s) = %s returning n",
                (table, numbers, texts, table, since),
            )
        except psycopg.errors.UniqueViolation:
            return False
        if rows:
            await self.publish_news(table, {"events": since + len(events)})
        return bool(rows)

    async def publish_news(self, table: str, news: Json) -> None:
        told = f"{table} {json.dumps(news | {'process': self.process})}"
        if len(told) <= LONGEST_NEWS:
            await self._rows("select pg_notify(%s, %s)", (CHANNEL, told))

    async def lead(self, table: str) -> bool:
        if table not in self._led:
            rows = await self._rows("select pg_try_advisory_lock(%s)", (lock_number(table),))
            if rows[0][0]:
                self._led.add(table)
        return table in self._led

    async def leave(self, table: str) -> None:
        if table in self._led:
            self._led.discard(table)
            await self._rows("select pg_advisory_unlock(%s)", (lock_number(table),))

    async def stop(self) -> None:
        if self._listener is not None:
            self._listener.cancel()
        await self._link.close()


def lock_number(table: str) -> int:
    return int.from_bytes(sha256(table.encode()).digest()[:8], "big", signed=True)
