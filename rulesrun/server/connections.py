"""One WebSocket: what comes in is read as hostile, what goes out is the seat's own feed, and replies to its requests.

In: `{"hello": {"token", "since", "language"}}` first; then `{"id": k, "do": …}`. Out: `{"messages": […]}`, `{"id": k,
"reply": …}`, and notices: `absent`, `next`, `refused`.
"""

from __future__ import annotations

import asyncio
import json
from typing import Any

from attrs import define, field
from starlette.websockets import WebSocket, WebSocketDisconnect

from rulesrun.dsl.text.messages import template
from rulesrun.interpreter.bots.bot_names import NoSuchBot
from rulesrun.locale.catalogue import list_languages
from rulesrun.play.debugging import reason_lines
from rulesrun.server.guards import LARGEST_MESSAGE, LARGEST_TEXT, Bucket, can_be_written
from rulesrun.server.live_tables import Link, LiveTable, find_seat
from rulesrun.server.page_words import say_on_page
from rulesrun.server.stores import Json
from rulesrun.table.messages import Reply
from rulesrun.table.session import BrokenEvents

REFUSALS = {
    "unreadable": template("the server does not understand this message"),
    "unknown-token": template("this link is not for this table"),
    "only-watching": template("you are only watching, so you cannot choose"),
    "not-your-seat": template("only the person at this seat can give it to a bot"),
    "busy": template("the table is busy; try again"),
}
BURST, A_SECOND = 60, 20  # messages of one connection
HELLO_SECONDS = 20.0
LARGEST_NUMBER = 1 << 31
SOME_MESSAGES = 200  # in one piece


ENCODE = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


class Unreadable(Exception):
    """A message that the page never sends."""


@define(eq=False)
class Connection:
    socket: WebSocket
    table: LiveTable
    is_debug: bool = False
    link: Link = field(init=False)
    _bucket: Bucket = field(init=False, factory=lambda: Bucket(BURST, A_SECOND))

    async def serve(self) -> None:
        """Until one of both goes away."""
        if not await self._greet():
            return
        await self.table.add_link(self.link)
        sender = asyncio.create_task(self._send_on())
        try:
            await self._listen()
        except (WebSocketDisconnect, RuntimeError):
            pass
        finally:
            sender.cancel()
            await self.table.remove_link(self.link)

    async def _greet(self) -> bool:
        try:
            hello = read_message(await asyncio.wait_for(self.socket.receive_text(), HELLO_SECONDS)).get("hello")
            if not isinstance(hello, dict):
                raise Unreadable
            since, language = read_number(hello.get("since", 0)), hello.get("language", "en")
            if language not in {"en", *list_languages()}:
                language = "en"
            seat = self._find_seat(hello)
        except (Unreadable, TimeoutError, KeyError):
            await self._close_refused("unreadable", "en")
            return False
        except (WebSocketDisconnect, RuntimeError):
            return False
        if seat is None:
            await self._close_refused("unknown-token", language)
            return False
        self.link = Link(seat, since, language)
        return True

    def _find_seat(self, hello: Json) -> int | None:
        """With `--debug` every seat is everybody's."""
        seat = hello.get("seat")
        if self.is_debug and isinstance(seat, int) and 0 <= seat <= self.table.session.players:
            return seat
        return find_seat(self.table, hello.get("token"))

    async def _close_refused(self, key: str, language: str) -> None:
        await self._send({"refused": say_on_page(language, REFUSALS[key])})
        await self.socket.close(1008)

    async def _send(self, told: Json) -> None:
        await self.socket.send_text(ENCODE(told))

    async def _send_on(self) -> None:
        """Whenever something has happened: what this seat was not sent yet. Who is slow gets more at once."""
        link = self.link
        try:
            while True:
                await link.wake.wait()
                link.wake.clear()
                notices, link.notices = link.notices, []
                for notice in notices:
                    await self._send(notice)
                session = self.table.session
                link.since = min(link.since, session.last_number(link.seat))
                messages = session.feed(link.seat, link.since, link.language)
                for at in range(0, len(messages), SOME_MESSAGES):
                    await self._send({"messages": messages[at : at + SOME_MESSAGES]})
                link.since += len(messages)
        except (WebSocketDisconnect, RuntimeError, OSError):
            return

    async def _listen(self) -> None:
        while True:
            text = await self.socket.receive_text()
            if not self._bucket.take():
                await self.socket.close(1008)
                return
            try:
                told = read_message(text)
                number = read_number(told.get("id", 0))
                reply = await self._do(told)
            except Unreadable:
                number, reply = 0, self._refuse("unreadable")
            except (TimeoutError, BrokenEvents):
                reply = self._refuse("busy")
            await self._send({"id": number, "reply": reply})

    def _refuse(self, key: str) -> Reply:
        return {"accepted": False, "reason": say_on_page(self.link.language, REFUSALS[key])}

    async def _do(self, told: Json) -> Reply:
        link, table = self.link, self.table
        if not link.seat:
            return self._refuse("only-watching")
        match told.get("do"):
            case "answer":
                question, option = read_number(told.get("question")), read_number(told.get("option"))
                return await table.act(lambda session: session.answer(link.seat, question, option, link.language))
            case "words":
                words = read_short_text(told.get("words"))
                return await table.act(lambda session: session.answer_words(link.seat, words, link.language))
            case "why":
                action, arguments = read_short_text(told.get("action")), read_arguments(told.get("arguments"))
                return self._explain(action, arguments)
            case "undo":
                return await table.act(lambda session: session.undo(link.seat, link.language))
            case "agree":
                return await table.act(lambda session: session.agree(link.seat, told.get("yes") is True, link.language))
            case "seat":
                return await self._change_seat(told)
        raise Unreadable

    def _explain(self, action: str, arguments: Json) -> Reply:
        """With `--debug` every condition with what its parts are worth, whoever may see them."""
        session, seat = self.table.session, self.link.seat
        reply = session.why_not(seat, action, arguments, self.link.language)
        if self.is_debug and seat in session.waiting_for():
            return {**reply, "reasons": list(reason_lines(session, seat, action, arguments))}
        return reply

    async def _change_seat(self, told: Json) -> Reply:
        """One's own seat, or one whose person is not there."""
        seat, bot = read_number(told.get("seat")), told.get("bot")
        is_theirs = seat == self.link.seat or (seat in self.table.absent_seats() and bot is not None)
        if not is_theirs:
            return self._refuse("not-your-seat")
        if bot is not None:
            bot = read_short_text(bot)
        try:
            return await self.table.stand_in(seat, bot)
        except NoSuchBot as problem:
            return {"accepted": False, "reason": str(problem)}


# ---- reading what comes in


def read_message(text: str) -> Json:
    if len(text) > LARGEST_MESSAGE:
        raise Unreadable
    try:
        told = json.loads(text)
    except (ValueError, RecursionError):
        raise Unreadable from None
    if not isinstance(told, dict) or not can_be_written(told):
        raise Unreadable
    return told


def read_number(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < LARGEST_NUMBER:
        raise Unreadable
    return value


def read_short_text(value: Any) -> str:
    if not isinstance(value, str) or len(value) > LARGEST_TEXT:
        raise Unreadable
    return value


def read_arguments(value: Any) -> Json:
    """Plain values by name, and lists of them."""
    if not isinstance(value, dict) or len(value) > 16:
        raise Unreadable
    for one in value.values():
        parts: list[Any] = one if isinstance(one, list) else [one]
        if len(parts) > 64 or not all(check_plain(part) for part in parts):
            raise Unreadable
    return value


def check_plain(value: Any) -> bool:
    if isinstance(value, str):
        return len(value) <= LARGEST_TEXT
    return value is None or (isinstance(value, int) and abs(value) < LARGEST_NUMBER)
