"""What is over tells no positions apart, however it ended: `end turn` and its like, turns that were counted."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

pytest.importorskip("llvmlite")
pytest.importorskip("numpy")

import rulesrun
from rulesrun.files.loading import read_text
from rulesrun.interpreter.reference.table import set_up_table
from tests.interpreter.made import table
from tests.native.explored import differences
from tests.native.single import Pair, equal_alike, quick_blocks, started, walk

SCORE = """
action rest
score at end
  points = 0
ranking: highest total, ties share
"""
LEFT = {
    "an action left by the turn's end": """
phase play: turns from 1 until no
  choose one or rest
action one(by in 1..2)
  end turn
""",
    "all choose, left by the first of them": """
phase play: turns from 1 until no
  all choose one or rest
action one(by in 1..2)
  end turn
""",
    "all choose, left after a question": """
marker coin: 1..2
phase play: turns from 1 until no
  all choose one or rest
action one(by in 1..2)
  do leaving
step leaving
  if coin = 1
    roll coin
    end phase
rounds until no
""",
    "several at once": """
marker coin: 1..2
phase play: turns from 1 until no
  roll coin
  choose one or rest
action one(1..2 numbers in 1..3)
  if coin = 1
    end turn
  roll coin
""",
    "several at once, chosen by all": """
marker coin: 1..2
rounds until no
phase play
  all choose one or rest
action one(1..2 numbers in 1..3)
  if coin = 1
    roll coin
    end round
  coin becomes 1
""",
    "turns that are counted for a property": """
phase play: turns from 1 until no
  choose one or rest
action one(by in 1..2)
ends within 5 turns "short"
""",
    "players gone through one after the other": """
number chips of player: 0..1 = 0
phase play: repeat until no
  each player
    roll chips
  each player where chips > 0
    chips becomes 0
    choose one or rest
action one
  if player = 1
    end turn
""",
    "a memory of the same in another order": """
memory seen
phase play: turns from 1 until times(seen) > 3
  choose one or rest
action one(by in 1..3)
  record by in seen
""",
    "what was before, in an action that was left": """
number level: 0..2 = 0
phase play: turns from 1 until no
  choose one or rest
action one(by in 0..2)
  level becomes (level + by) mod 3
  if by is not 1
    end turn
after one "it is as it was": level = before (level)
""",
}
EQUAL = ("an action left by the turn's end", "all choose, left by the first of them")


def start(name: str) -> Pair:
    reading = read_text(f'rules 1\ngame "Left"\nplayers 2\n{LEFT[name]}{SCORE}', "left")
    assert reading.program is not None
    made = set_up_table(reading.program, 2, {})
    return started(reading, made, quick_blocks(made))


@pytest.mark.parametrize("name", LEFT)
def test_equal_positions_are_equal_in_machine_code(name: str) -> None:
    met = walk(start(name), Random(3).randrange, 60, every=60)
    equal_alike(met)
    assert sum(ours == other for at, (ours, _) in enumerate(met) for other, _ in met[:at]) > 10


@pytest.mark.parametrize("name", LEFT)
def test_rows_of_arrays_are_equal_where_positions_are(name: str) -> None:
    """The reference says which are equal; the arrays go the same ways."""
    rules = rulesrun.loads(f'rules 1\ngame "Left"\nplayers 2\n{LEFT[name]}{SCORE}')
    many, chance = rules.many(players=2), Random(5)
    rows, positions = many.start(30), [rules.start(players=2, engine="reference") for _ in range(30)]
    met: dict[Any, bytes] = {}
    for _ in range(12):
        answers = [chance.randrange(amount) if amount else -1 for amount in many.options(rows).tolist()]
        many.apply(rows, answers)
        positions = [one.apply(answer) if answer >= 0 else one for one, answer in zip(positions, answers, strict=True)]
        for position, row in zip(positions, many.settled(rows), strict=True):
            assert met.setdefault(position, row.tobytes()) == row.tobytes()
    assert 1 < len(set(met.values())) == len(met) < 30 * 12
    assert many.settled(rows[:0]).shape == (0, many.size)


@pytest.mark.parametrize("name", EQUAL)
def test_what_was_chosen_does_not_matter_once_it_is_left(name: str) -> None:
    for position in start(name):
        ways = [position.apply(0), position.apply(1)]
        if name.startswith("all"):
            ways = [way.apply(0) for way in ways]
        assert ways[0] == ways[1]
        assert hash(ways[0]) == hash(ways[1])


@pytest.mark.parametrize("name", [name for name in LEFT if not name.startswith("a memory")])
def test_they_are_met_once_when_all_positions_are_gone_through(name: str) -> None:
    assert differences(table(LEFT[name] + SCORE), 2000) == []
