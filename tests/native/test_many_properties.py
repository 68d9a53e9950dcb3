"""More properties than a word has bits: both engines say the same of each, whichever way games are played."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("llvmlite")

from rulesrun.cli import main
from rulesrun.interpreter.measure.duel import ReferenceMeasurer
from rulesrun.interpreter.native.layout.machine import MOST_PROPERTIES, SHARED, bits_of
from rulesrun.interpreter.native.measure.measurement import NativeMeasurer, compile_measuring_engine
from rulesrun.interpreter.reference.table import Table
from tests.interpreter.made import table
from tests.native import explored
from tests.native.both import differences, quick_engine

SIDES = 90
PLAY = """
number n: 0..99 = 0
number before_it: 0..99 = 0
phase play: repeat 2 times
  choose take
  choose rest
action take(k in 0..89)
  before_it becomes n
  n becomes k
action rest
score at end
  points = n
ranking: highest total, ties share
"""
NEVER = [f'never "it was {k}": n = {k}' for k in range(SIDES)]
CAN = [f'can happen "{k} is taken": n = {k}' for k in range(20)]
SHARES = [f'at least 1/2 of games "ends at {k} or more": n >= {k}' for k in range(0, 60, 10)]
MOMENTS = [
    'after take "it grows": n >= before (n)', 'at end of turn "not fifty": n is not 50',
    'at end of game "not forty": n is not 40', 'ends within 3 decisions "soon over"',
]


def made(properties: list[str]) -> Table:
    return table(PLAY + "\n".join(properties) + "\n")


ALL = [*NEVER[:70], *CAN, *MOMENTS, *SHARES, *NEVER[70:]]


def test_what_has_happened_keeps_a_bit_of_its_own() -> None:
    found = made(ALL)
    bits = bits_of(found)
    own = [bit for bit, judged in zip(bits, found.watches.properties, strict=True)
           if judged.declaration.word == "can happen" or judged.declaration.share is not None]
    assert len(set(own)) == len(CAN) + len(SHARES)
    assert SHARED not in own
    assert max(bits) == SHARED
    assert bits_of(made(NEVER[:MOST_PROPERTIES])) == tuple(range(MOST_PROPERTIES))


@pytest.mark.parametrize("properties", [ALL, [*NEVER[60:], *CAN, *NEVER[:40]]])
def test_both_engines_find_the_same_broken(properties: list[str]) -> None:
    rules = made(properties)
    assert differences(rules, 150, engine=quick_engine(rules)) == []
    assert NativeMeasurer(compile_measuring_engine(rules), 3).totals(0, 60) == ReferenceMeasurer(rules, 3).totals(0, 60)


def test_both_engines_go_through_the_same_positions() -> None:
    assert explored.differences(made(ALL), 1_500) == []


def test_a_broken_one_among_those_that_share_a_bit_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In one of five hundred games `n` is anything but 0, and then it is 77."""
    text = PLAY.replace("0..89", "0..999").replace("becomes k", "becomes if k = 5 then 77 else 0")
    rules = tmp_path / "many.rules"
    rules.write_text('rules 1\n# Made up for a test.\ngame "Many"\nplayers 1\n' + text + "\n".join(NEVER[1:]) + "\n")
    told = []
    for engine in ("native", "reference"):
        assert main([str(rules), "--engine", engine, "--games", "3000", "--json"]) == 1
        (report,) = json.loads(capsys.readouterr().out)["files"]
        told.append([(one["title"], one["ok"], one["games"]) for one in report["properties"]])
    assert told[0] == told[1]
    assert [title for title, holds, _ in told[0] if not holds] == ["it was 77"]
