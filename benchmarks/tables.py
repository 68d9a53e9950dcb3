"""How long a table of people waits: a server in a process of its own, clients on the same machine, loopback only.

`python benchmarks/tables.py`: 10 tables and 50 tables of three play Zero, all connections are cut and come back, a page
is opened in Chromium from the command on; each figure beside what is wanted. An answer is measured until its seat is
sent what came of it. The load of the machine is printed: it decides more than anything but the processor time.
`python benchmarks/tables.py TABLES [SECONDS]`: so many tables alone.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import shutil
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import Any

from rulesrun.terminal.output import print_text

Json = dict[str, Any]
PLAYERS = 3
WANTED = {10: 30, 50: 150}  # tables: milliseconds from answer to view, of 95 in 100
MEMORY, RECONNECT, FIRST = 200, 1_000, 3_000  # megabytes; milliseconds
BROWSER = Path(__file__).resolve().parents[1] / "editors/tests/first_option.mjs"
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


async def come_back(base: str, table: Json, seat: int, waits: list[float]) -> None:
    """A line that was lost: until the seat has what it has missed."""
    from websockets.asyncio.client import connect

    began = time.perf_counter()
    async with connect(base.replace("http", "ws") + f"api/tables/{table['table']}") as link:
        await link.send(json.dumps({"hello": {"token": table["tokens"][str(seat)], "since": 5}}))
        while "messages" not in json.loads(await link.recv()):
            pass
    waits.append(time.perf_counter() - began)


def print_figure(name: str, value: float, unit: str, wanted: float | None = None) -> None:
    verdict = "" if wanted is None else f"   wanted {wanted} {unit}: {'yes' if value <= wanted else 'NO'}"
    print_text(f"{name:<44}{value:>8.1f} {unit}{verdict}")


async def measure(amount: int, seconds: float) -> None:
    seats = range(1, PLAYERS + 1)
    with tempfile.TemporaryDirectory() as folder:
        server, base = await begin_server(folder)
        try:
            tables = [await asyncio.to_thread(make_table, base, number) for number in range(amount)]
            waits: list[float] = []
            joins: list[float] = []
            backs: list[float] = []
            until, work = time.monotonic() + seconds, read_work(server.pid)
            await asyncio.gather(*[
                play_seat(base, table, seat, until, waits, joins) for table in tables for seat in seats
            ])
            spent = (read_work(server.pid) - work) / max(1, len(waits)) * 1000
            await asyncio.gather(*[come_back(base, table, seat, backs) for table in tables for seat in seats])
            print_text(f"{amount} tables of {PLAYERS}, {seconds:.0f} s, load {os.getloadavg()[0]:.1f}")
            print_figure("  answers a second", len(waits) / seconds, "")
            print_figure("  answer to view, p50", share(waits, 0.5), "ms")
            print_figure("  answer to view, p95", share(waits, 0.95), "ms", WANTED.get(amount))
            print_figure("  all connect at once, p95", share(joins, 0.95), "ms")
            print_figure("  all come back at once, p95", share(backs, 0.95), "ms", RECONNECT)
            print_figure("  server, processor for an answer", spent, "ms")
            print_figure("  server, memory", read_memory(server.pid), "MB", MEMORY)
        finally:
            server.terminate()
            await server.wait()


async def measure_first_option() -> None:
    """From the command on: the server, a table, the page in a browser that is open already, until it shows options."""
    if shutil.which("node") is None or shutil.which("chromium") is None:
        print_text("first option on the page: needs Node.js and Chromium (.ci/tools)")
        return
    pipe = asyncio.subprocess.PIPE
    browser = await asyncio.create_subprocess_exec("node", str(BROWSER), stdin=pipe, stdout=pipe)
    assert browser.stdin is not None
    assert browser.stdout is not None
    await browser.stdout.readline()
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        server, base = await begin_server(folder)
        try:
            table = await asyncio.to_thread(make_table, base, 1)
            browser.stdin.write(f"{base}t/{table['table']}#{table['tokens']['1']}\n".encode())
            await browser.stdout.readline()
            waited = (time.perf_counter() - began) * 1000
            print_figure("first option on the page, from the command", waited, "ms", FIRST)
            browser.stdin.close()
            await browser.wait()
        finally:
            server.terminate()
            await server.wait()


async def measure_all() -> None:
    for amount in WANTED:
        await measure(amount, 15.0)
    await measure_first_option()


if __name__ == "__main__":
    given = [float(word) for word in sys.argv[1:]]
    asyncio.run(measure(int(given[0]), given[1] if len(given) > 1 else 15.0) if given else measure_all())
