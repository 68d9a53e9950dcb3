"""The same totals from one process, from several, after one of them was ended, after an interruption."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from rulesrun.files.loading import read_rules
from rulesrun.files.row_files import MANIFEST, GameRowFiles
from rulesrun.interpreter.measure.totals import Totals
from rulesrun.run.ranges import Crew, make_order, make_worker
from rulesrun.services.measure import INTERRUPTED, PRECISE, measure_rules
from rulesrun.services.tables import seat_one
from rulesrun.terminal.requests import SimulateRequest
from rulesrun.terminal.trouble import Trouble


def asked(**chosen: Any) -> SimulateRequest:
    return SimulateRequest(**{"json": True, **chosen})


def totals_with(jobs: int, games: int, *, ends_one: bool = False, seats: str | None = None) -> Totals:
    reading = read_rules("classics/kuhn")
    table = seat_one(reading, asked(players="3"))
    order = make_order(reading, table, 4, seats, ())
    found, worker = Totals(), make_worker(order, table)
    with Crew(jobs) as crew:
        for part in crew.play_parts(order, worker, 0, games):
            found.merge(part.totals)
            if ends_one and crew.pool is not None and part.first == 100:
                os.kill(next(iter(crew.pool._processes)), signal.SIGKILL)
    return found


def test_one_two_and_four_processes_give_the_same_totals() -> None:
    alone = totals_with(1, 830)
    assert alone.games == 830
    assert totals_with(2, 830) == alone
    assert totals_with(4, 830) == alone


def test_bots_play_the_same_in_any_process() -> None:
    alone = totals_with(1, 130, seats="greedy,random")
    assert totals_with(2, 130, seats="greedy,random") == alone
    assert alone != totals_with(1, 130)


def test_the_games_of_an_ended_process_are_played_again() -> None:
    assert totals_with(2, 2000, ends_one=True) == totals_with(1, 2000)


def test_it_stops_at_the_precision_asked_for() -> None:
    found = measure_rules(read_rules("classics/kuhn"), asked(players="2", within=0.04))
    (one,) = found.tables
    assert one.stopped == PRECISE
    assert 500 < one.totals.games < 1000  # 0.98 / 0.04 squared is 600; the next look is not far


def test_a_budget_of_games_comes_before_a_precision_out_of_reach() -> None:
    (one,) = measure_rules(read_rules("classics/kuhn"), asked(players="2", within=0.001, games=450)).tables
    assert (one.stopped, one.totals.games) == ("games", 450)


# ---------------------------------------------------------------- rows in files


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_file_has_a_row_a_game(here: Path) -> None:
    found = measure_rules(read_rules("classics/kuhn"), asked(games=60, out="games.jsonl"))
    rows = [json.loads(line) for line in (here / "games.jsonl").read_text().splitlines()]
    assert [row["players"] for row in rows] == [2] * 60 + [3] * 60
    assert sum(row["score_1"] for row in rows[:60]) == found.tables[0].totals.sums["score", "1"].total
    assert {row["score_3"] for row in rows[:60]} == {None}
    assert all(int(row["winners"]) in (1, 2) for row in rows[:60])
    assert not (here / "games.jsonl.parts").exists()


def test_the_seed_of_a_row_shows_its_game_in_a_trace(here: Path) -> None:
    measure_rules(read_rules("classics/kuhn"), asked(games=8, out="games.jsonl", players="2", seed=5))
    row = json.loads((here / "games.jsonl").read_text().splitlines()[7])
    done = subprocess.run(
        [sys.executable, "-m", "rulesrun", "trace", "classics/kuhn", "--players", "2", "--seed", str(row["seed"])],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    end = json.loads(done.stdout.splitlines()[-1])
    assert end["scores"] == {"1": row["score_1"], "2": row["score_2"]}


@pytest.mark.parametrize("suffix", ["csv", "jsonl", "parquet"])
def test_polars_and_duckdb_read_it(suffix: str, here: Path) -> None:
    polars, duckdb = pytest.importorskip("polars"), pytest.importorskip("duckdb")
    if suffix == "parquet":
        pytest.importorskip("pyarrow")
    found = measure_rules(read_rules("classics/kuhn"), asked(games=50, out=f"games.{suffix}"))
    expected = found.tables[1].totals.sums["length", "decisions"].total
    read = {"csv": polars.read_csv, "jsonl": polars.read_ndjson, "parquet": polars.read_parquet}[suffix]
    frame = read(here / f"games.{suffix}")
    assert frame.height == 100
    assert frame.filter(polars.col("players") == 3)["decisions"].sum() == expected
    function = {"csv": "read_csv", "jsonl": "read_json", "parquet": "read_parquet"}[suffix]
    query = f"select sum(decisions) from {function}('games.{suffix}') where players = 3"
    assert duckdb.sql(query).fetchall()[0][0] == expected


def test_a_folder_of_parts_is_one_table_for_duckdb(here: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    pytest.importorskip("pyarrow")
    measure_rules(read_rules("classics/kuhn"), asked(games=450, out="games.parquet/"))
    assert len(list((here / "games.parquet").rglob("*.parquet"))) == 4  # two looks at two tables
    query = "select count(*), count(distinct game) from read_parquet('games.parquet/*/*.parquet')"
    assert duckdb.sql(query).fetchall()[0] == (900, 450)


def test_a_run_cut_short_goes_on_to_the_same_end(here: Path) -> None:
    """First to 300 games, then to 700: rows and totals of 700 games at once."""
    reading = read_rules("classics/kuhn")
    measure_rules(reading, asked(games=300, out="cut/"))
    (here / "cut" / "players=2" / "part-000000300.jsonl.new").write_text("half a li")
    found = measure_rules(reading, asked(games=700, out="cut/"))
    whole = measure_rules(reading, asked(games=700, out="whole.jsonl"))
    assert [one.totals for one in found.tables] == [one.totals for one in whole.tables]
    assert found.tables[0].continued == 300
    parts = sorted((here / "cut").rglob("*.jsonl"))
    assert "".join(part.read_text() for part in parts) == (here / "whole.jsonl").read_text()


def test_an_interrupted_process_keeps_its_games_and_goes_on(here: Path) -> None:
    words = [sys.executable, "-m", "rulesrun", "simulate", "classics/pig", "--players", "2", "--out", "p.csv", "--json"]
    running = subprocess.Popen([*words, "--games", "100000"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    manifest = here / "p.csv.parts" / MANIFEST
    for _ in range(600):
        time.sleep(0.1)
        if manifest.exists():
            break
    running.send_signal(signal.SIGINT)
    answer, complaint = running.communicate(timeout=60)
    assert (running.returncode, complaint) == (2, "")
    document = json.loads(answer)
    assert document["partial"] is True
    done = document["tables"][0]["games"]
    assert done >= 400
    assert document["tables"][0]["stopped"] == INTERRUPTED
    assert json.loads(manifest.read_text())["tables"]["2"]["done"] == done
    found = measure_rules(read_rules("classics/pig"), asked(players="2", games=done + 30, out="p.csv"))
    straight = measure_rules(read_rules("classics/pig"), asked(players="2", games=done + 30))
    assert found.tables[0].totals == straight.tables[0].totals
    assert len((here / "p.csv").read_text().splitlines()) == done + 31


def test_other_rules_are_not_mixed_in(here: Path) -> None:
    measure_rules(read_rules("classics/kuhn"), asked(games=20, out="games/"))
    with pytest.raises(Trouble, match="other rules"):
        measure_rules(read_rules("classics/kuhn"), asked(games=20, out="games/", seed=1))
    with pytest.raises(Trouble, match="ends in"):
        measure_rules(read_rules("classics/kuhn"), asked(games=20, out="games.xlsx"))


def test_a_broken_manifest_is_said_plainly(here: Path) -> None:
    (here / "games").mkdir()
    (here / "games" / MANIFEST).write_text("{")
    with pytest.raises(Trouble, match="manifest"):
        GameRowFiles("games/", {"game": "int"}, {})
