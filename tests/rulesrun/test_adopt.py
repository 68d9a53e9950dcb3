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
CARDS = """\
rules 1
game "Adding and laying"
players 2..3

values Colour: red, blue
card Card: colour Colour, rank 1..3

zone deck: pile of Card, hidden
zone heap: row of Card, public

number n: 0..9 = 0
marker who: player or nothing
marker last: Colour or nothing
marker done: yes or no = no

setup
  shuffle all Card into deck

phase play: one turn each from 1
  choose add, pass or lay

action add
  n increases by 1
  who becomes player
  last becomes red

action pass

action lay
  draw 1 from deck to heap
  done becomes yes

score at end
  points = n

ranking: highest total, ties share

always "n is small": n <= 2

example "values"
  when 1: add  # at once
  then n = 1 and who = 1
  then last = red and n <= 1
  then 3 - 2 = n
  then who is not nothing and not (n > 1)
  when 2: pass
  then points of 1 = 1
  then the game is over

example "cards"
  next: red 1
  when 1: lay
  then (list of colour over heap) = {red}
  then count of heap = 1
  then done
  then 2 can add

example "options"
  when 1: add
  then 2 can lay
  then n = 1

example "promise"
  when 1: add
  then still "n is small"

example "turns"
  when 1: pass
  when 2: pass
  then points of 3 = 0

example "luck"
  when 1: lay
  then (sum of rank over heap) <= 3
"""
CHANGED = """\
rules 1
variant "More at once" of "cards.rules"

change action add
  needs n = 0 and player is not 2 because "only the first may"
  n increases by 3
  who becomes left of player
  last becomes blue

change action lay
  needs n = 0 because "too late"
  draw 2 from deck to heap
  done becomes no
"""
VALUES = """\
change example "values"
  when 1: add  # at once
  then n = 3 and who = 2
  then last = blue and n > 1
  then 3 = n
  then who is not nothing and n > 1
  when 2: pass
  then points of 1 = 3
  then the game is over
"""
RECORDED = f"""\
{CHANGED}
{VALUES}
change example "cards"
  next: red 1
  when 1: lay
  then (list of colour over heap) is not {{red}}
  then count of heap = 2
  then not done
  then 2 cannot add

change example "options"
  when 1: add
  then 2 cannot lay
  then n = 3
"""


@pytest.fixture(autouse=True)
def _files(tmp_path: Path) -> None:
    texts = (("base", BASE), ("two", DOUBLED), ("no_pass", NO_PASS), ("cards", CARDS), ("more", CHANGED))
    for name, text in texts:
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
    nothing: dict[str, list[str]] = {"broken": [], "dropped": [], "recorded": [], "not_recorded": []}
    assert (again.returncode, json.loads(again.stdout)) == (0, {"file": name, **nothing})


def test_all_are_dropped(run: Run, tmp_path: Path) -> None:
    both = DOUBLED + "remove action pass\nchange phase play: one turn each from 1\n  choose add\n"
    (tmp_path / "two.rules").write_text(both, "utf-8")
    run("adopt", "two.rules", "--drop-all")  # what cannot be read; then it can be played
    assert run("adopt", "two.rules", "--drop-all").returncode == 0
    assert run("test", "two.rules", "--games", "1").returncode == 0


@pytest.mark.parametrize(("words", "part"), [
    (["base.rules"], "is not a variant"), (["two.rules", "--drop", "one may pass"], "no example of the base called"),
    (["variants/zero_three_passes", "--drop", "x"], "no example of the base called"),
    (["two.rules", "--record", "one may pass"], "no example of the base called"),
    (["two.rules", "--record", "one is added", "--drop", "one is added"], "not both"),
    (["two.rules", "--record-all", "--drop-all"], "not both"),
])  # fmt: skip
def test_what_cannot_be_dropped_changes_nothing(run: Run, tmp_path: Path, words: list[str], part: str) -> None:
    done = run("adopt", *words)
    assert (done.returncode, part in done.stderr) == (2, True)
    assert (tmp_path / "two.rules").read_text("utf-8") == DOUBLED


def test_other_errors_are_not_blamed_on_examples(run: Run, tmp_path: Path) -> None:
    (tmp_path / "two.rules").write_text(DOUBLED.replace("n increases", "m increases"), "utf-8")
    done = run("adopt", "two.rules", "--drop-all")
    assert (done.returncode, "other errors" in done.stderr) == (2, True)


def test_what_is_true_now_is_recorded_and_what_cannot_be_said_is_left_with_its_reason(run: Run, tmp_path: Path) -> None:
    done = run("adopt", "more.rules", "--record-all")
    assert (done.returncode, (tmp_path / "more.rules").read_text("utf-8")) == (1, RECORDED)
    assert 'recorded   "values"' in done.stdout
    assert "cannot be updated: this property does not hold (cards.rules:" in done.stdout
    assert "it holds at" in done.stdout  # neither the line nor its opposite holds at every table
    assert run("fmt", "--check", "more.rules").returncode == 0
    left = json.loads(run("adopt", "more.rules", "--record-all", "--json").stdout)
    assert [one["title"] for one in left["not_recorded"]] == [one["title"] for one in left["broken"]]
    assert {one["title"] for one in left["broken"]} == {"promise", "luck"}
    assert (tmp_path / "more.rules").read_text("utf-8") == RECORDED
    report = json.loads(run("test", "more.rules", "--games", "1", "--json").stdout)["files"][0]
    verdicts = {one["title"]: one["verdict"] for one in report["examples"]}
    assert [title for title, verdict in verdicts.items() if verdict != "passed"] == ["promise", "luck"]


def test_one_is_recorded_by_its_name_and_the_others_are_dropped(run: Run, tmp_path: Path) -> None:
    done = run("adopt", "more.rules", "--record", "values", "--drop-all")
    removed = "".join(f'remove example "{title}"\n' for title in ("cards", "options", "promise", "luck"))
    assert done.returncode == 0
    assert (tmp_path / "more.rules").read_text("utf-8") == f"{CHANGED}\n{removed}\n{VALUES}"
    assert run("adopt", "more.rules").returncode == 0


@pytest.mark.parametrize(("change", "reason"), [
    ('change action add\n  needs no p in players has p = 1\n  n increases by 1\n', "this cannot be done"),
    ("remove action add\n\nchange phase play: one turn each from 1\n  choose pass or lay\n", "add"),
])  # fmt: skip
def test_an_example_whose_moves_no_longer_fit_is_left_alone(
    run: Run, tmp_path: Path, change: str, reason: str
) -> None:
    text = f'rules 1\nvariant "No adding" of "cards.rules"\n\n{change}'
    (tmp_path / "no_adding.rules").write_text(text, "utf-8")
    done = run("adopt", "no_adding.rules", "--record", "values", "--json")
    (left,) = json.loads(done.stdout)["not_recorded"]
    assert (done.returncode, left["title"], reason in left["reason"]) == (1, "values", True)
    assert (tmp_path / "no_adding.rules").read_text("utf-8") == text


def test_examples_of_the_base_stand_apart_from_faults_in_the_report(run: Run, tmp_path: Path) -> None:
    told = '  base examples  1 no longer holds under this variant: "one is added" (rulesrun adopt two.rules)\n'
    done = run("test", "two.rules", "--games", "1")
    assert (done.returncode, done.stdout.count(told), "fails" in done.stdout) == (1, 1, False)
    assert done.stdout.endswith("  the variant holds; 1 example of its base no longer holds\n")
    assert "broken" not in done.stderr
    assert told in run("test", "base.rules", "--with", "two.rules", "--games", "1").stdout
    assert told in run("two.rules", "--quiet", "--games", "1").stdout
    (tmp_path / "two.rules").write_text(f'{DOUBLED}\nexample "own"\n  when 1: add\n  then n = 1\n', "utf-8")
    both = run("two.rules", "--games", "1")
    assert (both.stdout.count(told), both.stdout.count('fails      example "own"')) == (1, 1)
    assert both.stdout.endswith("  does not hold: 1 example; 1 example of its base no longer holds\n")
    document = json.loads(run("two.rules", "--games", "1", "--json").stdout)["files"][0]
    assert (document["ok"], document["base_examples"]) == (False, ["one is added"])
    run("adopt", "two.rules", "--record-all")
    assert json.loads(run("two.rules", "--games", "1", "--json").stdout)["files"][0]["base_examples"] == []


def test_examples_that_can_no_longer_be_read_are_told_apart_too(run: Run) -> None:
    done = run("test", "no_pass.rules", "--games", "1")
    told = 'base examples  1 can no longer be read under this variant: "one may pass" (rulesrun adopt no_pass.rules)\n'
    assert (done.returncode, told in done.stdout) == (1, True)
    assert "base examples" not in run("test", "base.rules", "--games", "1").stdout
