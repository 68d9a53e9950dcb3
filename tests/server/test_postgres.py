"""A real PostgreSQL, two server processes: a table is played on both, and goes on when one of them is killed."""

from __future__ import annotations

import glob
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from rulesrun.files.loading import read_rules
from rulesrun.table.session import Session
from tests.server.processes import begin_server
from tests.server.test_endurance import Window

pytest.importorskip("psycopg", reason="needs the extra `postgres`")
FOLDERS = sorted(glob.glob("/usr/lib/postgresql/*/bin"))[-1:]
INITDB = shutil.which("initdb", path=os.pathsep.join((*FOLDERS, os.environ["PATH"])))


def run_as_owner(words: list[str], folder: Path) -> None:
    """A database refuses to be run by root."""
    before = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
    subprocess.run([*before, *words], check=True, capture_output=True, timeout=60, cwd=folder)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    if INITDB is None:
        pytest.skip("needs PostgreSQL: .ci/tools")
    import tempfile

    folder = Path(tempfile.mkdtemp(prefix="rulesrun-postgres-", dir="/tmp"))
    if os.geteuid() == 0:
        shutil.chown(folder, "postgres")
    control = str(Path(INITDB).with_name("pg_ctl"))
    data = folder / "data"
    run_as_owner([INITDB, "-D", str(data), "-A", "trust", "-U", "rulesrun", "--no-sync"], folder)
    options = f"-c listen_addresses= -c unix_socket_directories={folder} -c fsync=off"
    run_as_owner([control, "-D", str(data), "-w", "-l", str(folder / "log"), "-o", options, "start"], folder)
    try:
        yield f"postgresql://rulesrun@/postgres?host={folder}"
    finally:
        run_as_owner([control, "-D", str(data), "-m", "immediate", "stop"], folder)
        shutil.rmtree(folder, ignore_errors=True)


def test_two_processes_share_a_table_and_one_is_killed(address: str) -> None:
    one, other = begin_server("--store", address), begin_server("--store", address)
    try:
        table = one.make_table("classics/goofspiel", 3, seats={"3": "random"}, options={"cards": "6"})
        windows = [Window(one, table, 1), Window(other, table, 2), Window(other, table, 1)]
        made: dict[tuple[int, int], int] = {}
        for step in range(2_000):
            window = windows[step % 3]
            while window.hear(0.05):
                pass
            asked = window.question()
            if asked is not None:
                option = made.setdefault((window.seat, asked["question"]), (step * 7) % len(asked["options"]))
                window.answer(asked["question"], option)
            if len(made) == 5 and windows[0].server is one:
                one.kill()
                windows[0].lose()
                windows[0].server = other
            if all(window.is_over for window in windows):
                break
        assert all(window.is_over for window in windows)
        assert windows[0].server is other, "one was killed in the middle of the game"
        check_events(address, table["table"], made)
        for window in windows:
            window.lose()
    finally:
        for server in (one, other):
            if server.process.poll() is None:
                server.process.terminate()
                server.process.wait(10)
            if server.process.stdout is not None:
                server.process.stdout.close()


def check_events(address: str, table: str, made: dict[tuple[int, int], int]) -> None:
    """Every choice once; what the bot has chosen besides; together a game to its end."""
    import json

    import psycopg

    with psycopg.connect(address) as link:
        asked = "select event from rulesrun_events where id = %s order by n"
        events = [json.loads(row[0]) for row in link.execute(asked, (table,)).fetchall()]
    answers = [(e["seat"], e["question"], e["option"]) for e in events if e["event"] == "answer" and not e.get("bot")]
    assert sorted(answers) == sorted((*key, option) for key, option in made.items())
    assert Session.restore(read_rules("classics/goofspiel"), events).is_over
