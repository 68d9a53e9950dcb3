"""Small games of which mathematics says what is true."""

from __future__ import annotations

from functools import cache
from typing import Any

from rulesrun.files.loading import read_playable, read_text
from rulesrun.services.assess import Assessment, assess_rules
from rulesrun.terminal.requests import AssessRequest

# Who begins draws the better of two coins in three of four games, and nobody can do anything about it.
DUDO = """rules 1
game "Dudo"
players 2
die Die: 1..6, 2 of each
zone cup of player: set of Die, private
number bid_count: 0..2 = 0
number bid_face: 1..6 = 1
number bid_rank: 0..12 = 0
define rank_of(n 1..2, f 1..6) = if f = 1 then 6 * n else if n = 1 then (if f = 6 then 5 else f - 1) else f + 5
setup
  each p in players
    roll 1 of Die into cup of p
phase bidding: turns from 1
  choose bid or dudo
action bid(n in 1..2, f in 1..6)
  needs rank_of(n, f) > bid_rank
  bid_rank becomes rank_of(n, f)
  bid_count becomes n
  bid_face becomes f
action dudo
  needs bid_count > 0
  if (sum of (count of cup of p where face = bid_face or face = 1) over p in players) >= bid_count
    player loses
  player wins
"""

LUCK = """rules 1
game "Nothing but luck"
players 2
number thrown: 1..4 = 1
marker winner: player or nothing
phase play: one turn each from 1
  choose wait
phase draw
  roll thrown
  winner becomes if thrown = 4 then 2 else 1
action wait
score at end
  won = if player = winner then 1 else -1
ranking: highest total, ties share
"""

# Everybody takes one of three numbers at once; the highest wins.
PLAIN_SKILL = """rules 1
game "The highest number"
players 2
number taken of player: 0..3 = 0
phase play
  all choose take
action take(amount in 1..3)
  taken becomes amount
score at end
  won = if some o in opponents has taken of o > taken then 0 else 1
ranking: highest total, ties share
"""

# Who begins may take the prize. Players at random give it away as often as not; then who comes second takes it.
GIFT = """rules 1
game "A gift"
players 2
marker owner: player or nothing
phase play: one turn each from 1 until owner is not nothing
  choose take or leave
action take
  owner becomes player
action leave
  owner becomes the o in players where o is not player with highest seat_number(o)
define seat_number(p player) = if p = 1 then 1 else 2
score at end
  won = if player = owner then 1 else -1
ranking: highest total, ties share
"""
# Two who end together: careful counts two, bold one.
TOGETHER = """rules 1
game "All together"
players 2
number done: 0..9 = 0
phase play: one turn each from 1
  choose careful or bold
action careful
  done increases by 2
action bold
  done increases by 1
score at end
  reached = done
result: won when done = 4, otherwise lost
ranking: highest total, ties share
"""


def lead_of_who_begins_dots_and_boxes(rows: int, columns: int) -> int:
    """A program of its own: the boxes of who begins, less those of the other, when both play their best. Whoever closes
    a box goes on."""
    boxes = [
        frozenset((way, row + more * (way == "across"), column + more * (way == "down"))
                  for way in ("across", "down") for more in (0, 1))
        for row in range(rows) for column in range(columns)
    ]  # fmt: skip
    lines = frozenset().union(*boxes)

    @cache
    def lead(drawn: frozenset[tuple[str, int, int]]) -> int:
        """Of who is to draw."""
        found = []
        for line in lines - drawn:
            after = drawn | {line}
            closed = sum(box <= after for box in boxes) - sum(box <= drawn for box in boxes)
            found.append(closed + lead(after) if closed else -lead(after))
        return max(found, default=0)

    return lead(frozenset())


def assess(name: str, work: float = 1e6, **asked: Any) -> Assessment:
    """A bundled game, or rules as text."""
    is_text = "\n" in name
    reading = read_text(name, "made.rules") if is_text else read_playable(name)
    assert reading.program is not None, reading.diagnostics
    request = AssessRequest(files=(reading.name,), quiet=True, **{"jobs": 1, **asked})
    return assess_rules(reading, request, work)


def who_begins_wins_breakthrough(rows: int, columns: int) -> bool:
    """A program of its own: one rank of pawns each, forwards or slantwise, taking slantwise; the far row wins, or who
    takes all."""
    first = frozenset((0, column) for column in range(columns))
    second = frozenset((rows - 1, column) for column in range(columns))

    @cache
    def wins(own: frozenset[tuple[int, int]], other: frozenset[tuple[int, int]], ahead: int) -> bool:
        """Who is to move."""
        far = rows - 1 if ahead > 0 else 0
        for row, column in own:
            for to in (column - 1, column, column + 1):
                place = row + ahead, to
                if not 0 <= to < columns or place in own or (to == column and place in other):
                    continue
                left = other - {place}
                if place[0] == far or not left or not wins(left, own - {(row, column)} | {place}, -ahead):
                    return True
        return False

    return wins(first, second, 1)
