"""A server in a process of its own, as a person begins it; spoken to over the loopback alone."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from attrs import define

Json = dict[str, Any]


@define
class ServerProcess:
    process: subprocess.Popen[str]
    base: str

    def post(self, path: str, told: Json) -> Json:
        asked = urllib.request.Request(
            self.base + path, json.dumps(told).encode(), {"content-type": "application/json"}, method="POST"
        )
        with urllib.request.urlopen(asked, timeout=30) as answer:
            found: Json = json.load(answer)
        return found

    def make_table(self, rules: str, players: int, **wishes: Any) -> Json:
        return self.post("api/tables", {"rules": rules, "players": players, "seed": 1, **wishes})

    def kill(self) -> None:
        """As `kill -9` does."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(10)
        if self.process.stdout is not None:
            self.process.stdout.close()


def begin_server(*words: str, port: int = 0) -> ServerProcess:
    process = subprocess.Popen(
        [sys.executable, "-m", "rulesrun", "serve", "--port", str(port), *words],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=os.environ | {"PYTHONUNBUFFERED": "1"},
    )  # fmt: skip
    assert process.stdout is not None
    line = process.stdout.readline()
    found = re.search(r"http://\S+", line)
    assert found, line + process.stdout.read()
    return ServerProcess(process, found[0])


@contextmanager
def running(store: Path | str, *words: str) -> Iterator[ServerProcess]:
    server = begin_server("--store", str(store), *words)
    try:
        yield server
    finally:
        server.process.terminate()
        server.process.wait(10)
        if server.process.stdout is not None:
            server.process.stdout.close()
