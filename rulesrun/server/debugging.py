"""What `--debug` adds: how many events there are, a new table from any of them, the position as an example.

Everybody who reaches the server sees everything: for who writes rules, on a machine of one's own.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from rulesrun.dsl import ast
from rulesrun.interpreter.model.places import flatten_content
from rulesrun.interpreter.model.values import PLAYER, ROUND
from rulesrun.interpreter.play.position_changes import zone_slots
from rulesrun.interpreter.play.written_values import write_component, write_value
from rulesrun.interpreter.stories.example import format_place
from rulesrun.server.live_tables import LiveTable
from rulesrun.server.web import PROBLEMS, Refusal, Server, is_number, read_body
from rulesrun.table.session import Session


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
            return {"text": "\n".join(format_current((await find_debugged(request)).session)) + "\n"}

        return await server.answer(request, show)

    return [
        Route("/api/debug/{table}/events", count_events), Route("/api/debug/{table}/example", show_example),
        Route("/api/debug/{table}/back", go_back, methods=["POST"]),
    ]  # fmt: skip


def format_current(session: Session) -> Iterator[str]:
    """`given …` lines of the position as it is: for an example to be written on."""
    table, S = session.table, session.state.slots
    yield 'example "from the table"'
    yield f"  players {table.players}"
    for option in table.bench.declarations(ast.Option):
        value = table.bench.option_values[id(option)]
        if value != table.bench.constant_value(option.default):
            yield f"  set {option.name.text} = {write_value(table, option.type, value)}"
    if table.bench.declarations(ast.Rounds):
        yield f"  given round = {S[ROUND]}"
    if S[PLAYER]:
        yield f"  given turn of {S[PLAYER]}"
    for slot, (zone, _) in zone_slots(table).items():
        content = flatten_content(S[slot])
        if content and zone.declaration.visibility != "hidden":
            place = format_place(table, zone.declaration, zone.keys, slot - zone.base, zone.per_player)
            yield f"  given {place}: {', '.join(write_component(table, zone.kinds, kind) for kind in content)}"
    for room in table.bench.variables.values():
        for number in range(room.amount):
            if S[room.base + number] != table.blank[room.base + number]:
                place = format_place(table, room.declaration, room.keys, number, room.per_player)
                yield f"  given {place} = {write_value(table, room.declaration.type, S[room.base + number])}"
