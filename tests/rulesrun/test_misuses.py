"""What people try by mistake: nothing of theirs is overwritten, no result is lost, every document is one."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.command_line import run_here

RULES = """rules 1
game "Small"
players 2
card Card: rank 1..4
zone deck: pile of Card, hidden
zone hand of player: set of Card, private
zone heap: pile of Card, public
setup
  shuffle all Card into deck
  deal 1 from deck to each hand
phase play: one turn each from 1
  choose lay
action lay(card from hand)
  move card to heap
score at end
  points = count of heap
ranking: highest total, ties share
always "at most two": count of heap <= 1
words ru
  heap: "куча"
"""
VARIANT = """rules 1
variant "{title}" of "{base}.rules"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "small.rules").write_text(RULES, "utf-8")
    (tmp_path / "other.rules").write_text(RULES.replace("Small", "Other"), "utf-8")
    return tmp_path


@pytest.mark.parametrize("words", [
    ("report", "small.rules", "--games", "5", "--html", "other.rules"),
    ("report", "small.rules", "--games", "5", "--html", "new.rules"),
    ("report", "small.rules", "--games", "5", "--html", "copy.txt"),
    ("small.rules", "--games", "5", "--trace", "other.rules"),
])  # fmt: skip
def test_no_rulebook_is_overwritten(folder: Path, words: tuple[str, ...]) -> None:
    (folder / "copy.txt").write_text(RULES, "utf-8")
    before = {path: path.read_bytes() for path in folder.iterdir()}
    done = run_here(*words, folder=folder)
    assert done.returncode == 2
    assert "would be overwritten" in done.stderr
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
@pytest.mark.parametrize("words", [
    ("report", "small.rules", "--games", "5", "--html", "/dev/full"),
    ("small.rules", "--trace", "/dev/full"),
])  # fmt: skip
def test_what_cannot_be_written_does_not_take_the_report_with_it(folder: Path, words: tuple[str, ...]) -> None:
    done = run_here(*words, folder=folder)
    assert done.returncode == 2
    assert "does not hold" in done.stdout
    assert "/dev/full: cannot be written: No space left on device" in done.stderr


def test_rules_are_no_variant_of_themselves(folder: Path) -> None:
    done = run_here("check", "small.rules", "--with", "small.rules", folder=folder)
    assert done.returncode == 1
    assert "error[not-a-variant]: `small.rules` is a whole rulebook, not a variant of `small.rules`" in done.stdout


def test_a_variant_of_other_rules_is_told_at_its_own_line(folder: Path) -> None:
    (folder / "house.rules").write_text(VARIANT.format(title="House", base="other"), "utf-8")
    done = run_here("check", "small.rules", "--with", "house.rules", folder=folder)
    assert done.returncode == 1
    assert "this is a variant of `other.rules`, not of `small.rules`\n --> house.rules:2:20" in done.stdout


def test_a_changed_copy_of_the_base_takes_its_variants(folder: Path) -> None:
    inner = folder / "copies"
    inner.mkdir()
    (inner / "small.rules").write_text(RULES.replace("1..4", "1..5"), "utf-8")
    (folder / "house.rules").write_text(VARIANT.format(title="House", base="small") + "change players 2..3\n", "utf-8")
    assert run_here("check", "copies/small.rules", "--with", "house.rules", folder=folder).returncode == 0


def test_two_variants_that_remove_the_same_agree(folder: Path) -> None:
    for name in ("one", "two"):
        text = VARIANT.format(title=name, base="small") + 'remove always "at most two"\n'
        (folder / f"{name}.rules").write_text(text, "utf-8")
    done = run_here("check", "small.rules", "--with", "one.rules", "--with", "two.rules", folder=folder)
    assert (done.returncode, done.stdout) == (0, "small.rules: no errors\n")


def test_labels_of_what_a_variant_has_removed_warn_of_nothing(folder: Path) -> None:
    zone = 'zone side: set of Card, public\nalways "empty": side is empty\n'
    first = VARIANT.format(title="First", base="small") + zone
    (folder / "first.rules").write_text(first + 'words ru\n  side: "сбоку"\n', "utf-8")
    second = VARIANT.format(title="Second", base="first") + 'remove zone side\nremove always "empty"\n'
    (folder / "second.rules").write_text(second, "utf-8")
    done = run_here("check", "second.rules", folder=folder)
    assert (done.returncode, done.stdout) == (0, "second.rules: no errors\n")
    misspelt = VARIANT.format(title="Third", base="small") + 'words ru\n  haep: "куча"\n'
    (folder / "third.rules").write_text(misspelt, "utf-8")
    assert "unknown-label" in run_here("check", "third.rules", folder=folder).stdout


COMMANDS = ["check", "test", "simulate", "explore", "tree", "solve", "ladder", "deadweight", "readings"]


@pytest.mark.parametrize("command", ["", *COMMANDS])
@pytest.mark.parametrize("words", [("broken.rules",), ("nofile.rules",), ("small.rules", "--players", "9"),
                                   ("small.rules", "--no-such-option")])  # fmt: skip
def test_with_json_there_is_one_document_whatever_happens(folder: Path, command: str, words: tuple[str, ...]) -> None:
    (folder / "broken.rules").write_text('rules 1\ngame "x"\n', "utf-8")
    done = run_here(*([command] if command else []), *words, "--json", folder=folder)
    document = json.loads(done.stdout)
    assert isinstance(document, dict)
    if words == ("broken.rules",):
        assert done.returncode == 1
        assert '"code": "' in done.stdout
    elif done.returncode == 2:
        assert document["error"] in done.stderr
