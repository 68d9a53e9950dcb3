"""Games on a Dask cluster on loopback: the same totals, also when a worker or the whole cluster is lost."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rulesrun.files.loading import read_rules
from rulesrun.interpreter.measure.totals import Totals, merge_totals
from rulesrun.run.cluster import ClusterCrew
from rulesrun.run.ranges import Crew, make_order, make_worker
from rulesrun.services.measure import LOST, measure_rules
from rulesrun.services.tables import seat_one
from rulesrun.terminal.requests import SimulateRequest
from rulesrun.terminal.trouble import Trouble
from tests.command_line import run_here

pytest.importorskip("distributed")

PATIENCE = 90


class Cluster:
    """A scheduler and two workers, each a process of its own."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.folder, self.address = folder, f"tcp://127.0.0.1:{port}"
        self.scheduler = self.started("scheduler", "--host", "127.0.0.1", "--port", str(port))
        self.workers = [
            self.started("worker", self.address, "--nthreads", "1", "--no-nanny", "--death-timeout", "60")
            for _ in range(2)
        ]

    def started(self, what: str, *words: str) -> subprocess.Popen[bytes]:
        quiet = subprocess.DEVNULL
        command = [sys.executable, "-m", "distributed.cli.dask_" + what, *words, "--no-dashboard"]
        return subprocess.Popen(command, cwd=self.folder, stdout=quiet, stderr=quiet)

    def end(self) -> None:
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait(20)


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    made = Cluster(tmp_path)
    try:
        yield made
    finally:
        made.end()


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "rulesrun", "simulate", *words, "--json"]


def simulated(*words: str) -> dict[str, Any]:
    done = subprocess.run(command(*words), capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    return figures(done.stdout)


def figures(output: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(output)
    del document["seconds"], document["engine"]  # the workers may use another
    return document


def test_a_cluster_gives_the_same_figures_to_the_last_digit(cluster: Cluster) -> None:
    words = ["classics/kuhn", "--players", "2-3", "--games", "330", "--seed", "3"]
    assert simulated(*words, "--cluster", cluster.address) == simulated(*words)


def with_and_without(cluster: Cluster, *words: str) -> list[dict[str, Any]]:
    documents = []
    for more in ([], ["--cluster", cluster.address]):
        command = [sys.executable, "-m", "rulesrun", *words, "--players", "2", "--seed", "3", "--json", *more]
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
        assert done.returncode == 0, done.stderr
        documents.append(figures(done.stdout))
    return documents


@pytest.mark.long
def test_a_cluster_compares_and_weighs_to_the_last_digit_too(cluster: Cluster) -> None:
    here, there = with_and_without(cluster, "compare", "classics/pig", "classics/pig", "--games", "24")
    for document in (here, there):
        document["comparisons"][0].pop("seconds")
    assert here == there
    assert here["comparisons"][0]["tables"][0]["deals"] == 24
    here, there = with_and_without(cluster, "deadweight", "classics/kuhn", "--games", "16")
    assert here == there
    assert max(rule["deals"] for rule in here["rules"]) == 16


def asked(**chosen: Any) -> SimulateRequest:
    return SimulateRequest(
        **{"files": ("classics/pig",), "json": True, "players": "2", "games": 600, "seed": 3, **chosen}
    )


@pytest.mark.filterwarnings("ignore")
def test_games_of_a_lost_worker_are_played_again(cluster: Cluster) -> None:
    reading = read_rules("classics/pig")
    table = seat_one(reading, asked())
    order = make_order(reading, table, 3, None, ())
    worker, found, alone = make_worker(order, table), Totals(), Totals()
    with ClusterCrew(cluster.address) as crew:
        for part in crew.play_parts(order, worker, 0, 600):
            found.merge(part.totals)
            if part.first == 0:
                cluster.workers[0].kill()
    with Crew(1) as crew_here:
        for part in crew_here.play_parts(order, worker, 0, 600):
            alone.merge(part.totals)
    assert found == alone


@pytest.mark.filterwarnings("ignore")
def test_a_cluster_that_goes_away_leaves_what_is_known(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def sum_and_end(one: Totals, other: Totals) -> Totals:
        cluster.end()
        return merge_totals(one, other)

    reading = read_rules("classics/pig")
    monkeypatch.setattr("rulesrun.services.measure.merge_totals", sum_and_end)
    found = measure_rules(reading, asked(cluster=cluster.address, games=100_000))
    table = found.tables[0]
    assert found.is_partial
    assert table.stopped == LOST
    assert 0 < table.totals.games < 100_000
    assert "the cluster at" in capsys.readouterr().err
    monkeypatch.undo()
    again = measure_rules(reading, asked(games=table.totals.games))
    assert again.tables[0].totals == table.totals


def test_an_address_where_nobody_is_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulesrun.run.cluster.PATIENCE", 1)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    done = run_here("simulate", "classics/kuhn", "--cluster", f"tcp://127.0.0.1:{port}", folder=tmp_path)
    assert done.returncode == 2
    assert "no answer" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("address", ["x", "tcp://x", "tcp://127.0.0.1", "127.0.0.1:port", ""])
def test_an_address_without_a_port_is_refused_at_once(address: str) -> None:
    with pytest.raises(Trouble, match="with a port"), ClusterCrew(address):
        pass


def test_two_commands_of_the_page_start_a_cluster() -> None:
    page = (Path(__file__).resolve().parent.parent.parent / "docs" / "scale.md").read_text("utf-8")
    started = [line.split("$ ", 1)[-1] for line in page.splitlines() if line.strip().startswith(("dask ", "$ dask "))]
    assert [line.split()[1] for line in started] == ["scheduler", "worker"]
    assert shutil.which("dask", path=str(Path(sys.executable).parent))
