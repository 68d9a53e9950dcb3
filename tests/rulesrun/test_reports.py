"""The report of the plain form: what fails, with the values that made it fail and the command that repeats it."""

from __future__ import annotations

import json
import os
import pty
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.rulesrun.conftest import ROOT, TINY, Run

GOLDEN = ROOT / "tests" / "rulesrun" / "golden"
WRONG_EXAMPLE = TINY + '\nexample "twelve"\n  given hand of 1: 3\n  then points of 1 + 1 = 12\n'
BROKEN = TINY + '\nalways "nobody holds a four": every p in players has no c in hand of p has rank of c = 4\n'
STUCK = TINY.replace("deal 1 from deck to each hand", "deal 1 from deck to each hand\n  draw 3 from deck to table")


def test_a_failing_example_shows_what_its_parts_were_worth(run: Run, tiny: Path) -> None:
    tiny.write_text(WRONG_EXAMPLE, "utf-8")
    done = run("tiny.rules", "--games", "1")
    assert done.returncode == 1
    assert "does not hold: 1 example\n" in done.stdout
    assert 'example "twelve" (line 28)' in done.stdout
    assert "points of 1 + 1 = 4" in done.stdout
    assert "points of 1 = 3" in done.stdout
    assert "again: rulesrun test tiny.rules" in done.stdout


def test_a_broken_property_is_told_with_values_and_a_command_that_repeats_it(run: Run, tiny: Path) -> None:
    tiny.write_text(BROKEN, "utf-8")
    done = run("tiny.rules", "--seed", "4")
    assert done.returncode == 1
    assert re.search(r'always "nobody holds a four": broken in \d+ of 400 games \(line 28\)', done.stdout)
    repeat = re.search(r"again: rulesrun (.*)", done.stdout)
    assert repeat is not None
    again = run(*shlex.split(repeat[1]))
    assert again.returncode == 1
    assert "broken in 1 of 1 games" in again.stdout


def test_a_game_that_gets_stuck_is_told_with_its_place(run: Run, tiny: Path) -> None:
    tiny.write_text(STUCK, "utf-8")
    done = run("tiny.rules", "--players", "3")
    assert done.returncode == 1
    assert "tiny.rules:14" in done.stdout


def test_the_json_of_the_plain_form(run: Run, tiny: Path) -> None:
    tiny.write_text(WRONG_EXAMPLE, "utf-8")
    document = json.loads(run("tiny.rules", "classics/kuhn", "--games", "3", "--json").stdout)
    assert document["engine"] == "reference"
    assert document["games"] == 3 * 2 + 3 * 2
    assert document["partial"] is False
    assert document["seconds"] >= 0
    wrong, kuhn = document["files"]
    assert (wrong["ok"], kuhn["ok"]) == (False, True)
    (example,) = wrong["examples"]
    assert (example["verdict"], example["line"]) == ("failed", 28)
    assert "points of 1 = 3" in example["values"]
    assert (example["tables"], example["failing_tables"]) == (8, [1, 2, 3, 4, 5, 6, 7, 8])
    assert example["notes"] == ["it is player 1's choice: lay or keep"]
    assert [table["players"] for table in kuhn["tables"]] == [2, 3]


def test_quiet_says_only_what_does_not_hold(run: Run, tiny: Path) -> None:
    assert run("tiny.rules", "--quiet", "--games", "2").stdout == ""
    tiny.write_text(WRONG_EXAMPLE, "utf-8")
    assert "twelve" in run("tiny.rules", "--quiet", "--games", "2").stdout


@pytest.mark.parametrize("name", ["classics/kuhn", "classics/tic_tac_toe", "classics/pig"])
def test_the_report_looks_as_it_did(run: Run, name: str, update_golden: bool) -> None:
    text = run(name, "--games", "10").stdout
    text = re.sub(r"\d+\.\d s$", "0.0 s", text, flags=re.MULTILINE)
    golden = GOLDEN / f"{name.replace('/', '_')}.txt"
    if update_golden:
        golden.write_text(text, "utf-8")
    assert text == golden.read_text("utf-8")


def test_what_is_broken_is_told_before_the_report_and_first_in_it(run: Run, tiny: Path) -> None:
    tiny.write_text(WRONG_EXAMPLE + BROKEN.removeprefix(TINY), "utf-8")
    done = run("tiny.rules", "--games", "5")
    assert done.stderr.splitlines()[0] == 'rulesrun: broken: example "twelve" (line 28)'
    labels = [line[2:11].strip() for line in done.stdout.splitlines() if re.match("  [a-z]", line)]
    assert labels[:2] == ["fails", "fails"]
    assert labels.index("holds") < labels.index("games")
    assert "rulesrun: broken" not in run("tiny.rules", "--games", "5", "--json").stderr


@pytest.mark.parametrize("name", ["classics/kuhn", "classics/goofspiel"])
def test_the_trace_looks_as_it_did(run: Run, name: str, update_golden: bool) -> None:
    text = re.sub(r"sha256:\w+", "sha256:…", run("trace", name, "--seed", "1").stdout)
    golden = GOLDEN / f"{name.replace('/', '_')}.jsonl"
    if update_golden:
        golden.write_text(text, "utf-8")
    assert text == golden.read_text("utf-8")


def on_a_terminal(*words: str, folder: Path, **environment: str) -> str:
    """What a person would see who runs this on a terminal."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "rulesrun", *words], cwd=folder, stdout=theirs, stderr=theirs, stdin=theirs,
        env={**os.environ, "TERM": "xterm", **environment},
    ) as process:  # fmt: skip
        os.close(theirs)
        seen = b""
        while True:
            try:
                part = os.read(ours, 65536)
            except OSError:
                break
            if not part:
                break
            seen += part
        process.wait(timeout=60)
    os.close(ours)
    return seen.decode()


def test_colour_comes_on_a_terminal_and_no_color_is_honoured(tiny: Path, tmp_path: Path) -> None:
    assert "\x1b[" in on_a_terminal("tiny.rules", "--games", "2", folder=tmp_path)
    assert "\x1b[" not in on_a_terminal("tiny.rules", "--games", "2", folder=tmp_path, NO_COLOR="1")
    assert "\x1b[" not in on_a_terminal("tiny.rules", "--games", "2", "--json", folder=tmp_path)


def test_an_interrupted_report_says_what_is_known_and_that_it_is_partial(tiny: Path, tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "rulesrun", "tiny.rules", "--games", "100000000", "--json"],
        cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8",
    ) as process:  # fmt: skip
        time.sleep(4)
        process.send_signal(signal.SIGINT)
        told, complaints = process.communicate(timeout=30)
    document = json.loads(told)
    assert document["partial"] is True
    assert document["games"] > 0
    assert process.returncode == 2
    assert "Traceback" not in complaints


def test_the_answers_are_the_same_in_every_process(fresh: Run) -> None:
    """Hash seeds change the order of sets; nothing may depend on it."""
    first = json.loads(fresh("zero", "--games", "2", "--json", PYTHONHASHSEED="1").stdout)
    second = json.loads(fresh("zero", "--games", "2", "--json", PYTHONHASHSEED="2").stdout)
    for document in (first, second):
        document["seconds"] = 0
        document["engine"] = "either"  # the second may find machine code that the first one left
        for file in document["files"]:
            file["seconds"] = 0
            for table in file["tables"]:
                table["seconds"] = 0
    assert first == second


def test_the_tree_as_json_has_the_keys_of_the_contract(run: Run) -> None:
    document = json.loads(run("tree", "classics/kuhn", "--players", "2", "--json").stdout)
    counts = {"histories": 58, "decisions": 24, "chance": 4, "together": 0, "terminals": 30, "max_depth": 5}
    assert {name: document[name] for name in counts} == counts
    assert document["information_sets"] == {"1": 6, "2": 6}
    assert document["expected_scores"] == {"1": "1/8", "2": "-1/8"}
    assert document["expected_decisions"] == "9/4"  # two, and a third in one game of four
    assert (document["win_shares"], document["ties"]) == ({"1": "9/16", "2": "7/16"}, "0")
    assert document["properties"] == {"a bluff works": "1/8"}


def test_the_tree_of_a_declared_small_table(run: Run) -> None:
    words = ("tree", "classics/goofspiel", "--players", "2", "--json")
    small = json.loads(run(*words, "--small", "four cards").stdout)
    whole = json.loads(run(*words, "--set", "cards=4").stdout)
    assert {**small, "seconds": 0} == {**whole, "seconds": 0}
    refused = run(*words, "--small", "five cards")
    assert refused.returncode == 2
    assert 'there is no small table "five cards"; there are: "four cards"' in refused.stderr


def test_simulation_counts_what_the_games_came_to(run: Run) -> None:
    done = run("simulate", "classics/kuhn", "--players", "2", "--games", "400", "--seed", "3", "--json")
    assert done.returncode == 0
    document = json.loads(done.stdout)
    (table,) = document["tables"]
    assert (document["games"], document["engine"], table["games"]) == (400, "reference", 400)
    assert sum(table["wins"].values()) == pytest.approx(400)
    assert table["mean_scores"]["1"] == -table["mean_scores"]["2"]
    assert abs(table["mean_scores"]["1"] - 1 / 8) < 0.35  # 1/8 in the mean, five standard errors
    assert run("simulate", "classics/kuhn", "--games", "50").stdout.count("seat ") == 5


OPTION = 'option more: 0..9 = 0\nrequire more < 8 because "there are not so many"\n'
DEALS_MORE = TINY.replace("\nsetup", f"\n{OPTION}\nsetup", 1).replace(
    "deal 1 from deck to each hand", "deal 1 from deck to each hand\n  draw more from deck to table"
)


def test_what_gets_stuck_with_another_value_of_an_option_is_told(run: Run, tiny: Path) -> None:
    """Without it the report would say that everything holds, and the table that takes the other value is stuck."""
    tiny.write_text(DEALS_MORE, "utf-8")
    done = run("tiny.rules")
    (again,) = re.findall(r"again: rulesrun (.* --set more=\d .*)", done.stdout)
    assert done.returncode == 1
    assert run(*shlex.split(again)).returncode == 1
    for words in (["--games", "5"], ["--set", "more=0"]):  # who says what is to be played gets that
        assert run("tiny.rules", *words).returncode == 0, words


def test_values_that_the_rules_forbid_together_are_not_tried(run: Run, tiny: Path) -> None:
    tiny.write_text(DEALS_MORE.replace("more < 8", "more < 1"), "utf-8")
    assert run("tiny.rules").returncode == 0
