"""A small table proves nothing of a condition that it cannot tell from the one of the base, or settles by its sizes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import run_here

GAME = """rules 1
game "High cards"
players 2
card Card: rank 1..20
zone stock: pile of Card, hidden
zone hand of player: set of Card, private
zone heap: pile of Card, public
number fines of player: 0..99 = 0
define strong(c Card) = rank of c > 16
setup
  shuffle all Card into stock
  deal 3 from stock to each hand
phase play: repeat 3 times
  one turn each from 1
    choose lay or hold
action lay(given from hand where rank of it < 18)
  needs rank of given < 14
  if rank of given > 12
    fines increases by 2
  move given to heap
action hold
  fines increases by 1
PROPERTIES
score at end
  points = count of heap - fines
ranking: highest total, ties share
small "ranks to four"
  card Card: rank 1..4
  setup
    shuffle all Card into stock
    deal 1 from stock to each hand
  phase play: repeat 1 times
"""
ACTION = """change action lay(given from hand where rank of it < {from_hand})
  {needs}
  if rank of given > {above}
    fines increases by {fine}
  move given to heap
"""
SAME: dict[str, object] = {"from_hand": 18, "needs": "needs rank of given < 14", "above": 12, "fine": 2}


def explored(folder: Path, change: str, properties: str = "", *more: str) -> tuple[str, dict[str, Any]]:
    (folder / "high.rules").write_text(GAME.replace("PROPERTIES\n", properties), "utf-8")
    name = "high.rules"
    if change:
        name = "own.rules"
        (folder / name).write_text(f'rules 1\nvariant "Own" of "high.rules"\n{change}\n', "utf-8")
    words = ["explore", name, "--engine", "reference", "--players", "2", *more]
    done, told = run_here(*words, folder=folder), run_here(*words, "--json", folder=folder)
    assert done.returncode == told.returncode == 0, done.stdout + done.stderr
    return done.stdout, json.loads(told.stdout)


def untold(folder: Path, change: str) -> list[tuple[str, int]]:
    """The changes of which nothing is proved, with their lines."""
    return [(one["name"], one["line"]) for one in explored(folder, change)[1]["not_reached"] if one["kind"] == "change"]


# ranks go to four at the small table: conditions that differ above it are one there
CHANGES: dict[str, tuple[dict[str, object], list[tuple[str, int]]]] = {
    "a need that differs among high ranks": ({"needs": "needs rank of given < 15"}, [("action lay", 4)]),
    "one that differs among low ranks": ({"needs": "needs rank of given < 4"}, []),
    "a need the other way round": ({"needs": "needs 14 > rank of given"}, [("action lay", 4)]),
    "one more need, always met": (
        {"needs": "needs rank of given < 14\n  needs rank of given < 18"}, [("action lay", 5)],
    ),
    "one more need, sometimes met": ({"needs": "needs rank of given < 14\n  needs rank of given > 2"}, []),
    "no need any more": ({"needs": "needs yes"}, [("action lay", 4)]),
    "a branch that differs among high ranks": ({"above": 13}, [("action lay", 5)]),
    "a branch that differs among low ranks": ({"above": 2}, []),
    "which cards may be given, of high ranks": ({"from_hand": 17}, [("action lay", 3)]),
    "which cards may be given, of low ranks": ({"from_hand": 3}, []),
}  # fmt: skip

WRAPPED: dict[str, list[tuple[str, int]]] = {"rank of given < 15": [("action lay", 7)], "rank of given < 4": []}


@pytest.mark.parametrize("condition", WRAPPED)
def test_a_new_condition_that_always_holds_is_not_proved(tmp_path: Path, condition: str) -> None:
    change = ACTION.format(**SAME).replace("  move given to heap", f"  if {condition}\n    move given to heap")
    assert untold(tmp_path, change) == WRAPPED[condition]

LOST = {  # above which rank the base fines, whether the variant fines always or never: whether it is not proved
    "never reached, gone": (12, "", True),
    "reached, gone": (2, "", False),
    "always reached, gone": (0, "", False),
    "always reached, always done": (0, "  fines increases by 2\n", True),
    "sometimes reached, always done": (2, "  fines increases by 2\n", False),
}


@pytest.mark.parametrize("name", LOST)
def test_a_condition_of_the_base_that_is_gone_must_be_told(tmp_path: Path, name: str) -> None:
    above, lines, expected = LOST[name]
    base = GAME.replace("PROPERTIES\n", "").replace("if rank of given > 12", f"if rank of given > {above}")
    (tmp_path / "high.rules").write_text(base, "utf-8")
    action = "change action lay(given from hand where rank of it < 18)\n  needs rank of given < 14\n"
    action += f"{lines}  move given to heap\n"
    (tmp_path / "own.rules").write_text(f'rules 1\nvariant "Own" of "high.rules"\n{action}', "utf-8")
    done = run_here("explore", "own.rules", "--engine", "reference", "--players", "2", "--json", folder=tmp_path)
    found = [one["kind"] for one in json.loads(done.stdout)["not_reached"]]
    assert ("change" in found) is expected


@pytest.mark.parametrize("name", CHANGES)
def test_a_condition_that_comes_to_the_same_is_not_proved(tmp_path: Path, name: str) -> None:
    words, expected = CHANGES[name]
    assert untold(tmp_path, ACTION.format(**{**SAME, **words})) == expected


def test_the_report_says_so(tmp_path: Path) -> None:
    text, _ = explored(tmp_path, ACTION.format(**{**SAME, "needs": "needs rank of given < 15"}))
    assert "everything holds" not in text
    assert "action lay: `rank of given < 15`" in text


def test_what_the_base_says_in_words_that_the_variant_lost_is_not_known(tmp_path: Path) -> None:
    change = "remove define dear\ndefine costly(c Card) = rank of c > 2\n"
    change += ACTION.format(**{**SAME, "needs": "needs yes and not costly(given)"})
    base = GAME.replace("needs rank of given < 14", "needs not dear(given)")
    base = base.replace("setup\n", "define dear(c Card) = rank of c > 3\nsetup\n", 1)
    (tmp_path / "high.rules").write_text(base.replace("PROPERTIES\n", ""), "utf-8")
    (tmp_path / "own.rules").write_text(f'rules 1\nvariant "Own" of "high.rules"\n{change}\n', "utf-8")
    done = run_here("explore", "own.rules", "--engine", "reference", "--players", "2", "--json", folder=tmp_path)
    found = json.loads(done.stdout)["not_reached"]
    assert ("change", "action lay") in [(one["kind"], one["name"]) for one in found]


RENAMED: dict[str, list[tuple[str, int]]] = {"rank of c > 2": [], "rank of c > 13": [("define costly", 3)]}


@pytest.mark.parametrize("body", RENAMED)
def test_what_only_has_another_name_is_compared_by_its_new_one(tmp_path: Path, body: str) -> None:
    base = GAME.replace("needs rank of given < 14", "needs not strong(given)").replace("PROPERTIES\n", "")
    (tmp_path / "high.rules").write_text(base, "utf-8")
    change = f"remove define strong\ndefine costly(c Card) = {body}\n"
    change += ACTION.format(**{**SAME, "needs": "needs not costly(given)"})
    (tmp_path / "own.rules").write_text(f'rules 1\nvariant "Own" of "high.rules"\n{change}\n', "utf-8")
    done = run_here("explore", "own.rules", "--engine", "reference", "--players", "2", "--json", folder=tmp_path)
    found = [(one["name"], one["line"]) for one in json.loads(done.stdout)["not_reached"] if one["kind"] == "change"]
    assert found == [(name, line + 1) for name, line in RENAMED[body]]


PROPERTIES = {  # by what the sizes of the small table settle: ranks 1..4, four cards
    'never "fifteen": some c in heap has rank of c = 15': True,
    'never "three": some c in heap has rank of c = 30 - 27 and count of heap > 10': True,
    'always "weak": no c in heap has strong(c)': True,
    'always "low": every c in heap has rank of c < 14': True,
    'always "none high": count of (heap where rank > 13) = 0': True,
    'always "not among": every c in heap has rank of c not in {14, 15}': True,
    'never "many": count of heap > 8': True,
    'always "few": count of heap <= 2': False,
    'never "a high fine": fines of 1 > 7': False,
    'always "something low": every c in heap has rank of c < 4 or count of heap <= 2': False,
    'always "said by the ranges of the rules": fines of 1 <= 99': False,
}


@pytest.mark.parametrize("written", PROPERTIES)
def test_a_property_that_sizes_settle_is_not_proved(tmp_path: Path, written: str) -> None:
    text, document = explored(tmp_path, "", written + "\n")
    title = written.split('"')[1]
    found = [(one["kind"], one["name"]) for one in document["not_reached"]]
    assert (("property", title) in found) is PROPERTIES[written]
    assert ("everything holds" in text) is (found == [])
