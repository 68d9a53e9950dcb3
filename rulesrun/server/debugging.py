"""What `--debug` adds: how many events there are, a new table from any of them, the position as an example.

Everybody who reaches the server sees everything: for who writes rules, on a machine of one's own.
"""

from __future__ import annotations

import asyncio
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from rulesrun.play.copied_examples import leave_out_unused, position_lines
from rulesrun.server.live_tables import LiveTable
from rulesrun.server.web import PROBLEMS, Refusal, Server, is_number, read_body


def debug_routes(server: Server) -> list[BaseRoute]:
    async def find_debugged(request: Request) -> LiveTable:
        table = await server.tables.find_table(request.path_params["table"])
        if table is None:
            raise Refusal(404, PROBLEMS["no-table"])
        return table

    async def count_events(request: Request) -> Response:
        async def count() -> dict[str, Any]:
            return {"count": len((await find_debugged(request)).session.events())}

        return await server.answer(request, count)

    async def go_back(request: Request) -> Response:
        async def begin() -> dict[str, Any]:
            table = await find_debugged(request)
            events = table.session.events()
            wanted = (await read_body(request)).get("events")
            if not is_number(wanted, 1, len(events)):
                raise Refusal(400, PROBLEMS["unreadable"])
            return {"table": (await server.tables.make_from(table, events[:wanted])).head.id}

        return await server.answer(request, begin)

    async def show_example(request: Request) -> Response:
        async def show() -> dict[str, Any]:
            session = (await find_debugged(request)).session
            lines = await asyncio.to_thread(leave_out_unused, session.reading, list(position_lines(session)))
            return {"text": "\n".join(lines) + "\n"}

        return await server.answer(request, show)

    return [
        Route("/api/debug/{table}/events", count_events), Route("/api/debug/{table}/example", show_example),
        Route("/api/debug/{table}/back", go_back, methods=["POST"]),
    ]  # fmt: skip
