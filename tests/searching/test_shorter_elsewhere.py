"""A failure that takes long to come on the full table, is told on a small table where that takes fewer moves."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulesrun.cli import main
from rulesrun.examine.examination import examined
from rulesrun.files.loading import read_rules, read_text
from rulesrun.services.stories import story_lines
from rulesrun.terminal.requests import RunRequest

RULES = """rules 1
game "Stairs"
players 2
number steps: 0..HIGH = 0
phase play: turns from 1 until steps = HIGH
  choose climb
action climb
  steps increases by 1
score at end
  points = steps
ranking: highest total, ties share
never "the top": steps = HIGH
small "low stairs"
  number steps: 0..HIGH = HIGH - LEFT
"""
NO_PASS = Path(__file__).parents[1] / "broken" / "b02_tokens_no_pass.rules"


def rules(high: int, left: int) -> str:
    return RULES.replace("HIGH", str(high)).replace("LEFT", str(left))


@pytest.mark.parametrize(
    ("high", "left", "moves"), [(20, 2, 2), (20, 13, 13), (20, 14, 20), (5, 3, 3), (4, 1, 4)]
)
def test_the_story_is_told_where_it_is_much_shorter(high: int, left: int, moves: int) -> None:
    """On the full table it takes `high` moves, on the small one `left`; 20 are not half as many again as 14."""
    report = examined(read_text(rules(high, left)), RunRequest(files=("made.rules",)))
    [story] = report.stories
    assert (len(story.story.moves), len(story.whole_table_story.moves)) == (moves, high)
    told = "\n".join(story_lines(story, 1))
    said = f'on the small table "low stairs"; on the full table it takes {high} moves'
    assert (said in told) is (moves == left)


def test_what_is_kept_can_be_played_by_the_rules_as_they_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, trace = tmp_path / "stairs.rules", tmp_path / "stairs.jsonl"
    file.write_text(rules(20, 2), "utf-8")
    assert main([str(file), "--save-example", "--trace", str(trace), "--json"]) == 1
    [story] = json.loads(capsys.readouterr().out)["files"][0]["stories"]
    assert (story["table"], len(story["moves"])) == ('the small table "low stairs"', 2)
    assert story["shrunk"] == ["number steps: 0..20 = 20 - 2"]
    assert main(["replay", str(file), str(trace), "--rules-only"]) == 0
    assert 'example "found: the top"' in file.read_text("utf-8")
    assert [one.verdict for one in examined(read_rules(str(file)), RunRequest(files=(str(file),))).examples] == [
        "failed"
    ]


def test_the_reference_tells_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("llvmlite")
    told = []
    for engine in ("native", "reference"):
        report = examined(read_text(rules(20, 2)), RunRequest(files=("made.rules",), engine=engine))
        told.append([list(story_lines(story, 1)) for story in report.stories])
    assert told[0] == told[1]


DRY = """rules 1
game "Dry"
players 2
values Colour: red, blue, green
card Card: colour Colour, rank 1..9
zone deck: pile of Card, hidden
zone hand of player: set of Card, private
setup
  shuffle all Card into deck
phase play: turns from 1 until WHEN
  choose take
action take
  draw 1 from deck to hand
score at end
  points = count of hand
ranking: highest total, ties share
"""


def test_a_smaller_table_is_proposed() -> None:
    """27 cards are too few; of two colours with two cards each the fifth is missing."""
    text = DRY.replace("WHEN", "count of hand of 1 = 30")
    text = text.replace("take\n  draw", "take\n  needs deck is not empty\n  draw")
    [story] = examined(read_text(text), RunRequest(files=("made.rules",))).stories
    assert story.story.failure.kind.name == "empty-choice"
    assert (len(story.story.moves), len(story.whole_table_story.moves)) == (4, 27)
    assert story.site is not None
    assert story.site.shrunk == ("values Colour: red, blue", "card Card: rank 1..2")


def test_a_pile_that_runs_out_is_told_of_the_table_as_it_is() -> None:
    """How many cards there are is the point. The 28th of 27 cards is missing; taking it is a move."""
    text = DRY.replace("WHEN", "count of hand of 1 = 30")
    [story] = examined(read_text(text), RunRequest(files=("made.rules",))).stories
    assert story.story.failure.kind.name == "empty-zone"
    assert story.site is None
    assert len(story.story.moves) == 28
    assert [drawn.components for drawn in story.story.drawn] == [27]
    assert sum(course.moves for course in story.story.courses) == 20


def test_what_is_only_too_small_is_not_proposed() -> None:
    """Who has five cards may stop: nothing is wrong with that, but where there are only four cards nobody ever can.
    Then the story is told on a table on which games go well, too."""
    text = DRY.replace("WHEN", "stopped").replace("choose take", "choose take or stop")
    text = text.replace("setup\n", "marker stopped: yes or no = no\nsetup\n", 1)
    text = text.replace("score at end", "action stop\n  needs count of hand >= 5\n  stopped becomes yes\nscore at end")
    for story in examined(read_text(text), RunRequest(files=("made.rules",))).stories:
        assert len(story.story.moves) > 8


@pytest.mark.long
def test_nobody_passes(capsys: pytest.CaptureFixture[str]) -> None:
    """As short as exploring the small table finds it."""
    assert main(["explore", str(NO_PASS), "--json"]) == 1
    tables = json.loads(capsys.readouterr().out)["tables"]
    shortest = min(len(story["moves"]) for table in tables for story in table["stories"])
    [story] = examined(read_rules(str(NO_PASS)), RunRequest(files=(str(NO_PASS),))).stories
    assert len(story.story.moves) == shortest == 6
