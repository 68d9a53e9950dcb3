"""The server as an ASGI application: the page and its modules, the lobby's few requests, a WebSocket for each seat.

No request of ours goes to another host, and no page of another host gets an answer. Texts of rules are data: JSON here,
text nodes on the page.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

from attrs import define, field
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket

from rulesrun.dsl.text.messages import template
from rulesrun.interpreter.bots.bot_names import NoSuchBot
from rulesrun.interpreter.model.values import RefusedTable
from rulesrun.locale.catalogue import list_languages
from rulesrun.server.connections import Connection
from rulesrun.server.guards import LARGEST_BODY, LARGEST_TEXT, MOST_LINKS, Guard, Rates, can_be_written
from rulesrun.server.live_tables import LiveTables, find_seat
from rulesrun.server.page_words import list_page_words, page_language, say_on_page, speak
from rulesrun.server.playground_pages import PlaygroundPages
from rulesrun.server.stores import Json
from rulesrun.terminal.trouble import Trouble

PAGE = Path(__file__).resolve().parent / "page"
TYPES = {
    ".js": "text/javascript", ".css": "text/css", ".html": "text/html", ".LICENSE": "text/plain",
    ".svg": "image/svg+xml",
}  # fmt: skip
HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr "
    "'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "referrer-policy": "no-referrer", "x-content-type-options": "nosniff", "cache-control": "no-cache",
}  # fmt: skip
PROBLEMS = {
    "unreadable": template("the server does not understand this request"),
    "too-often": template("too many new tables at once; wait a minute"),
    "no-rules": template("these rules are not available here"),
    "no-table": template("There is no such table here."),
    "wrong-players": template("the rules are not for {players} players"),
    "not-over": template("the game is not over yet"),
}
MOST_SEED, MOST_AWAY = 1 << 53, 86_400
TABLES_AT_ONCE, TABLES_A_SECOND = 60, 0.5  # of one address


class Refusal(Exception):
    """A request that cannot be done; a page says why."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status, self.sentence = status, sentence


@define(eq=False)
class Server:
    """What the requests share. `is_debug`: every seat is shown to everybody."""

    tables: LiveTables
    guard: Guard
    language: str = "en"
    is_debug: bool = False
    playground: PlaygroundPages | None = None
    rates: Rates = field(factory=lambda: Rates(TABLES_AT_ONCE, TABLES_A_SECOND))
    links: int = 0

    def make_app(self) -> Starlette:
        routes = [
            Route("/", self.show_page), Route("/t/{table}", self.show_page), Route("/healthz", self.tell_health),
            Route("/page/{name}", self.show_module), Route("/words/{language}", self.show_words),
            Route("/api/rulebooks", self.list_rulebooks), Route("/api/rulebooks/{name:path}", self.show_rulebook),
            Route("/api/tables", self.make_table, methods=["POST"]),
            Route("/api/tables/{table}/again", self.play_again, methods=["POST"]),
            Route("/api/qr", self.draw_qr, methods=["POST"]),
            WebSocketRoute("/api/tables/{table}", self.connect),
        ]  # fmt: skip
        if self.playground is not None:
            routes += [Route(path, self.playground.show) for path in ("/playground", "/playground/{path:path}")]
        if self.is_debug:
            from rulesrun.server.debugging import debug_routes

            routes += debug_routes(self)
        middleware = [Middleware(GuardedApp, server=self), Middleware(GZipMiddleware, minimum_size=800)]
        return Starlette(routes=routes, middleware=middleware, lifespan=self._run)

    @asynccontextmanager
    async def _run(self, app: Starlette) -> AsyncIterator[None]:
        await self.tables.start()
        try:
            yield
        finally:
            await self.tables.stop()

    async def tell_health(self, request: Request) -> Response:
        """For who watches over the server: it answers, and its store does."""
        try:
            await self.tables.store.head("")
        except Exception:  # whatever keeps the store from answering
            return Response("the store does not answer\n", 503, HEADERS, "text/plain")
        return Response("ok\n", 200, HEADERS, "text/plain")

    # ---- the page

    async def show_page(self, request: Request) -> Response:
        return read_page("index.html", request)

    async def show_module(self, request: Request) -> Response:
        return read_page(request.path_params["name"], request)

    async def show_words(self, request: Request) -> Response:
        code = page_language(request.path_params["language"])
        told = {"language": code, "languages": ["en", *list_languages()], "words": list_page_words(code)}
        return JSONResponse(told, headers=HEADERS)

    # ---- the lobby

    async def list_rulebooks(self, request: Request) -> Response:
        found = await asyncio.to_thread(self.tables.shelf.list_titles, self._language_of(request))
        told = {"rulebooks": found, "debug": self.is_debug, "playground": self.playground is not None}
        return JSONResponse(told, headers=HEADERS)

    async def show_rulebook(self, request: Request) -> Response:
        written = request.query_params.get("players", "")
        players = int(written) if written.isascii() and written.isdigit() and len(written) < 4 else None
        return await self.answer(request, lambda: asyncio.to_thread(
            self.tables.shelf.describe, request.path_params["name"], players, self._language_of(request)
        ))  # fmt: skip

    async def make_table(self, request: Request) -> Response:
        async def make() -> Json:
            told = await read_body(request)
            if not self.rates.take(request.client.host if request.client else ""):
                raise Refusal(429, PROBLEMS["too-often"])
            return await self._make_table(told)

        return await self.answer(request, make)

    async def _make_table(self, told: Json) -> Json:
        rules, players, seats, options, seed, away = read_wishes(told)
        reading = await asyncio.to_thread(self.tables.shelf.read, rules)
        table = await self.tables.make(
            rules, reading, players, seats, options, secrets.randbits(40) if seed is None else seed, away
        )
        tokens = {str(seat): token for token, seat in table.session.tokens.items()}
        return {"table": table.head.id, "tokens": tokens}

    async def play_again(self, request: Request) -> Response:
        async def again() -> Json:
            told = await read_body(request)
            table = await self.tables.find_table(request.path_params["table"])
            if table is None or not find_seat(table, told.get("token")):
                raise Refusal(404, PROBLEMS["no-table"])
            if not table.session.is_over:
                raise Refusal(409, PROBLEMS["not-over"])
            return {"table": (await self.tables.play_again(table)).head.id}

        return await self.answer(request, again)

    async def draw_qr(self, request: Request) -> Response:
        async def draw() -> Json:
            import segno

            told = await read_body(request)
            text = told.get("text")
            if not isinstance(text, str) or not 0 < len(text) <= LARGEST_TEXT:
                raise Refusal(400, PROBLEMS["unreadable"])
            code = segno.make(text, error="m", micro=False)
            return {"rows": ["".join(map(str, row)) for row in code.matrix]}

        return await self.answer(request, draw)

    def _language_of(self, request: Request) -> str:
        return page_language(request.query_params.get("language", self.language))

    async def answer(self, request: Request, work: Callable[[], Awaitable[Json]]) -> Response:
        """What went well as JSON; what did not as a sentence, in the language of the page."""
        language = self._language_of(request)
        try:
            return JSONResponse(await work(), headers=HEADERS)
        except Refusal as refusal:
            return tell_problem(refusal.status, say_on_page(language, refusal.sentence))
        except KeyError:
            return tell_problem(404, say_on_page(language, PROBLEMS["no-rules"]))
        except RefusedTable as refusal:
            said = "; ".join(speak(language).translate(found.message) for found in refusal.diagnostics)
            return tell_problem(422, said)
        except (Trouble, NoSuchBot) as problem:
            return tell_problem(422, speak(language).translate(problem.args[0]))
        except ClientDisconnect:
            return Response(status_code=400)

    # ---- seats

    async def connect(self, socket: WebSocket) -> None:
        table = await self.tables.find_table(socket.path_params["table"]) if self.links < MOST_LINKS else None
        await socket.accept()
        if table is None:
            code = page_language(socket.query_params.get("language", self.language))
            await socket.send_text(json.dumps({"refused": say_on_page(code, PROBLEMS["no-table"])}))
            await socket.close(1008)
            return
        self.links += 1
        try:
            await Connection(socket, table, self.is_debug).serve()
        finally:
            self.links -= 1


@define(eq=False)
class GuardedApp:
    """Stands before everything: names and origins that are not ours get nothing."""

    app: ASGIApp
    server: Server

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        host, origin = headers.get("host"), headers.get("origin")
        guard = self.server.guard
        if guard.allows_host(host) and guard.allows_origin(origin, host):
            await self.app(scope, receive, send)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008})
        else:
            await Response("refused: another site\n", 403, media_type="text/plain")(scope, receive, send)


def read_page(name: str, request: Request) -> Response:
    """A file of the page; a browser that has it already is told so."""
    path = PAGE / name
    if path.parent != PAGE or path.suffix not in TYPES or not path.is_file():
        return tell_problem(404, "not found")
    content = path.read_bytes()
    tag = f'"{sha256(content).hexdigest()[:20]}"'
    headers = {**HEADERS, "etag": tag}
    if request.headers.get("if-none-match", "").removeprefix("W/") == tag:
        return Response(status_code=304, headers=headers)
    return Response(content, headers=headers, media_type=TYPES[path.suffix])


async def read_body(request: Request) -> Json:
    """A small JSON object; a form of another site cannot send one."""
    if request.headers.get("content-type", "").partition(";")[0] != "application/json":
        raise Refusal(415, PROBLEMS["unreadable"])
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > LARGEST_BODY:
            raise Refusal(413, PROBLEMS["unreadable"])
    try:
        told = json.loads(body)
    except (ValueError, RecursionError):
        raise Refusal(400, PROBLEMS["unreadable"]) from None
    if not isinstance(told, dict) or not can_be_written(told):
        raise Refusal(400, PROBLEMS["unreadable"])
    return told


def read_wishes(told: Json) -> tuple[str, int, dict[int, str], dict[str, str], int | None, int | None]:
    """What a table is to be made with; whether the rules allow it is for them to say."""
    rules: Any = told.get("rules")
    players: Any = told.get("players")
    seed: Any = told.get("seed")
    away: Any = told.get("away")
    seats, options = told.get("seats") or {}, told.get("options") or {}
    is_read = isinstance(rules, str) and len(rules) <= LARGEST_TEXT and is_texts(seats) and is_texts(options)
    if not is_read or not is_number(players, 1, 64) or not all(seat.isascii() and seat.isdigit() for seat in seats):
        raise Refusal(400, PROBLEMS["unreadable"])
    chosen = {int(seat): bot for seat, bot in seats.items() if len(seat) < 3}
    is_seated = len(chosen) == len(seats) and all(1 <= seat <= players for seat in chosen)
    if not is_seated or not (seed is None or is_number(seed, -MOST_SEED, MOST_SEED)):
        raise Refusal(400, PROBLEMS["unreadable"])
    if not (away is None or is_number(away, 1, MOST_AWAY)):
        raise Refusal(400, PROBLEMS["unreadable"])
    return rules, players, chosen, options, seed, away


def is_number(value: Any, low: int, high: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def is_texts(value: Any) -> bool:
    return isinstance(value, dict) and len(value) <= 100 and all(
        isinstance(one, str) and len(one) <= LARGEST_TEXT for one in (*value, *value.values())
    )


def tell_problem(status: int, sentence: str) -> Response:
    return JSONResponse({"problem": sentence}, status, headers=HEADERS)
