"""`rulesrun adopt`: which examples of the base a house rule breaks, and the variant's file without them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.rulesrun.conftest import Run

BASE = """\
rules 1
game "One each"
players 2

number n: 0..9 = 0

phase play: one turn each from 1
  choose add or pass

action add
  n increases by 1

action pass

score at end
  points = n

ranking: highest total, ties share

example "one is added"
  when 1: add
  then n = 1

example "one may pass"
  then 1 can pass
"""
DOUBLED = 'rules 1\nvariant "Two" of "base.rules"\n\nchange action add\n  n increases by 2\n'
NO_PASS = """\
rules 1
variant "No pass" of "base.rules"

remove action pass

change phase play: one turn each from 1
  choose add
"""


@pytest.fixture(autouse=True)
def _files(tmp_path: Path) -> None:
    for name, text in (("base", BASE), ("two", DOUBLED), ("no_pass", NO_PASS)):
        (tmp_path / f"{name}.rules").write_text(text, "utf-8")


@pytest.mark.parametrize(("name", "title", "line"), [
    ("two.rules", "one is added", 20), ("no_pass.rules", "one may pass", 24),
])  # fmt: skip
def test_broken_examples_are_listed_and_dropped(run: Run, tmp_path: Path, name: str, title: str, line: int) -> None:
    text = (tmp_path / name).read_text("utf-8")
    listed = run("adopt", name)
    assert (listed.returncode, f'"{title}" (base.rules:{line})' in listed.stdout) == (1, True)
    assert (tmp_path / name).read_text("utf-8") == text
    dropped = run("adopt", name, "--drop", title)
    assert (dropped.returncode, f'dropped    "{title}"' in dropped.stdout) == (0, True)
    assert (tmp_path / name).read_text("utf-8") == f'{text}\nremove example "{title}"\n'
    assert run("fmt", "--check", name).returncode == 0
    assert run("test", name, "--games", "1").returncode == 0
    again = run("adopt", name, "--json")
    assert (again.returncode, json.loads(again.stdout)) == (0, {"file": name, "broken": [], "dropped": []})


def test_all_are_dropped(run: Run, tmp_path: Path) -> None:
    both = DOUBLED + "remove action pass\nchange phase play: one turn each from 1\n  choose add\n"
    (tmp_path / "two.rules").write_text(both, "utf-8")
    run("adopt", "two.rules", "--drop-all")  # what cannot be read; then it can be played
    assert run("adopt", "two.rules", "--drop-all").returncode == 0
    assert run("test", "two.rules", "--games", "1").returncode == 0


@pytest.mark.parametrize(("words", "part"), [
    (["base.rules"], "is no variant"), (["two.rules", "--drop", "one may pass"], "no example of the base called"),
    (["variants/zero_three_passes", "--drop", "x"], "no example of the base called"),
])  # fmt: skip
def test_what_cannot_be_dropped_changes_nothing(run: Run, tmp_path: Path, words: list[str], part: str) -> None:
    done = run("adopt", *words)
    assert (done.returncode, part in done.stderr) == (2, True)
    assert (tmp_path / "two.rules").read_text("utf-8") == DOUBLED


def test_other_errors_are_not_blamed_on_examples(run: Run, tmp_path: Path) -> None:
    (tmp_path / "two.rules").write_text(DOUBLED.replace("n increases", "m increases"), "utf-8")
    done = run("adopt", "two.rules", "--drop-all")
    assert (done.returncode, "other errors" in done.stderr) == (2, True)
