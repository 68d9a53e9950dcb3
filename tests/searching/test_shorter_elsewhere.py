"""A long story of rules that have a small table says where it may be told in fewer moves."""

from __future__ import annotations

import pytest

from rulesrun.arguments import Request
from rulesrun.commands.run import examined
from rulesrun.loading import read_text
from rulesrun.stories import story_lines

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
small "two steps"
  number steps: 0..HIGH = HIGH - 2
"""


@pytest.mark.parametrize(("high", "is_said"), [(20, True), (5, False)])
def test_a_long_story_points_to_the_small_table(high: int, is_said: bool) -> None:
    report = examined(read_text(RULES.replace("HIGH", str(high))), Request("run", ["made.rules"]))
    [story] = report.stories
    assert len(story.story.moves) == high
    assert any("shorter on a small table: rulesrun explore" in line for line in story_lines(story, 1)) is is_said
