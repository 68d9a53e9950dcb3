"""The playground beside the tables: a folder that is written once, at the first visit, and served as plain files.

Writing it may take a while (Python for the browser is fetched once): until then the page says so and asks again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from html import escape
from pathlib import Path

from attrs import define, field
from starlette.requests import Request
from starlette.responses import FileResponse, RedirectResponse, Response

from rulesrun.dsl.text.messages import Message, message
from rulesrun.server.page_words import page_language, speak
from rulesrun.terminal.trouble import Trouble

TYPES = {
    ".html": "text/html", ".js": "text/javascript", ".mjs": "text/javascript", ".css": "text/css",
    ".json": "application/json", ".wasm": "application/wasm", ".zip": "application/zip",
}  # fmt: skip
HEADERS = {
    "content-security-policy": "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' "
    "'unsafe-inline'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "referrer-policy": "no-referrer", "x-content-type-options": "nosniff", "cache-control": "no-cache",
}  # fmt: skip
SECONDS_BETWEEN = 2  # until a page that waits asks again
PATIENCE = 1.0  # seconds that a request waits for the folder


@define(eq=False)
class PlaygroundPages:
    """`make` gives the folder, written where it was not yet; raises Trouble where something is missing for it."""

    make: Callable[[], Path]
    _making: asyncio.Task[None] | None = field(init=False, default=None)
    _files: dict[str, Path] = field(init=False, factory=dict)  # by what stands behind `/playground/`
    _problem: Message | None = field(init=False, default=None)

    async def show(self, request: Request) -> Response:
        if not request.url.path.startswith("/playground/"):
            return RedirectResponse("/playground/")
        name = request.path_params.get("path") or "index.html"
        if not self._files and name == "index.html":
            await self._begin()
        if not self._files:
            return self._tell_state(page_language(request.query_params.get("lang")))
        path = self._files.get(name)
        if path is None:
            return Response("not found\n", 404, HEADERS, "text/plain")
        return FileResponse(path, headers=HEADERS, media_type=TYPES[path.suffix])

    async def _begin(self) -> None:
        """Whoever opens the page begins the work, or waits for it a moment."""
        if self._making is None or self._making.done():
            self._problem = None
            self._making = asyncio.get_running_loop().create_task(self._make())
        await asyncio.wait([self._making], timeout=PATIENCE)

    async def _make(self) -> None:
        try:
            folder = await asyncio.to_thread(self.make)
            found = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*")}
            self._files = {name: path for name, path in found.items() if path.suffix in TYPES and path.is_file()}
        except Trouble as problem:
            self._problem = problem.args[0]

    def _tell_state(self, code: str) -> Response:
        told = self._problem or message("Preparing the playground. One moment …")
        text = escape(speak(code).translate(told))
        again = {} if self._problem is not None else {"refresh": str(SECONDS_BETWEEN)}
        head = f'<!doctype html><html lang="{code}"><meta charset="utf-8"><title>rulesrun</title>'
        page = f"{head}<main><p>{text}</p></main>"
        return Response(page, 503, {**HEADERS, **again}, "text/html")
