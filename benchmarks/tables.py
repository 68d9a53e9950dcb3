"""How long a table of people waits: a server in a process of its own, clients on the same machine, loopback only.

`python benchmarks/tables.py [TABLES [SECONDS]]`: tables of three play Zero; an answer is measured until its seat is
sent what came of it. The load of the machine is printed: it decides more than anything but the processor time.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import Any

from rulesrun.terminal.output import print_text

Json = dict[str, Any]
PLAYERS = 3
THINKS = 0.35  # seconds that a person thinks, on the average; people are faster than this only in tests


async def begin_server(folder: str) -> tuple[asyncio.subprocess.Process, str]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-u", "-m", "rulesrun", "serve", "zero", "--port", "0", "--store", f"{folder}/tables.sqlite",
        stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    assert process.stdout is not None
    line = (await process.stdout.readline()).decode()
    return process, next(word for word in line.split() if word.startswith("http"))


def make_table(base: str, number: int) -> Json:
    told = {"rules": "zero", "players": PLAYERS, "seed": number}
    asked = urllib.request.Request(
        f"{base}api/tables", json.dumps(told).encode(), {"content-type": "application/json"}, method="POST"
    )
    with urllib.request.urlopen(asked, timeout=60) as answer:
        found: Json = json.load(answer)
    return found


async def play_seat(base: str, table: Json, seat: int, until: float, waits: list[float], joins: list[float]) -> None:
    """Reads all, answers at random; notes how long each answer took to come back as something new."""
    from websockets.asyncio.client import connect

    chance, began = random.Random(seat), time.perf_counter()
    async with connect(base.replace("http", "ws") + f"api/tables/{table['table']}") as link:
        await link.send(json.dumps({"hello": {"token": table["tokens"][str(seat)], "since": 0}}))
        asked_at = 0.0
        while time.monotonic() < until:
            try:
                told = json.loads(await asyncio.wait_for(link.recv(), 1.0))
            except TimeoutError:
                continue
            if "messages" not in told:
                continue
            if asked_at:
                waits.append(time.perf_counter() - asked_at)
                asked_at = 0.0
            elif began:
                joins.append(time.perf_counter() - began)
                began = 0.0
            last = next((one for one in reversed(told["messages"]) if one["kind"] == "question"), None)
            if last is not None and last["open"]:
                await asyncio.sleep(chance.expovariate(1 / THINKS))
                options = last["options"]
                asked_at = time.perf_counter()
                option = chance.randrange(len(options))
                await link.send(json.dumps({"id": 1, "do": "answer", "question": last["question"], "option": option}))


def share(values: list[float], part: float) -> float:
    return sorted(values)[int(len(values) * part)] * 1000 if values else float("nan")


def read_memory(process: int) -> float:
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024
    return float("nan")


def read_work(process: int) -> float:
    """Processor seconds so far."""
    parts = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(parts[11]) + int(parts[12])) / os.sysconf("SC_CLK_TCK")


async def measure(amount: int, seconds: float) -> None:
    with tempfile.TemporaryDirectory() as folder:
        server, base = await begin_server(folder)
        try:
            tables = [await asyncio.to_thread(make_table, base, number) for number in range(amount)]
            waits: list[float] = []
            joins: list[float] = []
            until, work = time.monotonic() + seconds, read_work(server.pid)
            await asyncio.gather(*[
                play_seat(base, table, seat, until, waits, joins) for table in tables for seat in range(1, PLAYERS + 1)
            ])
            spent = (read_work(server.pid) - work) / max(1, len(waits)) * 1000
            print_text(
                f"{amount} tables of {PLAYERS}, {seconds:.0f} s: {len(waits) / seconds:.0f} answers/s; answer to view "
                f"p50 {share(waits, 0.5):.1f} ms, p95 {share(waits, 0.95):.1f} ms; connect to view p95 "
                f"{share(joins, 0.95):.0f} ms; server {read_memory(server.pid):.0f} MB, {spent:.1f} ms of processor "
                f"an answer; load {os.getloadavg()[0]:.1f}"
            )
        finally:
            server.terminate()
            await server.wait()


if __name__ == "__main__":
    given = [float(word) for word in sys.argv[1:]]
    asyncio.run(measure(int(given[0]) if given else 50, given[1] if len(given) > 1 else 15.0))
