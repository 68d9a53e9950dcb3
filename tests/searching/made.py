"""Small rulebooks in which something is wrong, and games of them."""

from __future__ import annotations

from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.search.answered_games import AnsweredGame, Failure, FailureKind, GameChecker, ListedAnswers
from rulesrun.interpreter.search.biased_search import SearchResult, search_failures
from rulesrun.interpreter.search.effort import Effort

COUNTER = """
number height: 0..9 = 0
phase play: repeat until height = 9
  choose climb, slide or rest
action climb
  height increases by 1
action slide
  needs height > 0
  height becomes 0
action rest
score at end
  points = height
ranking: highest total, ties share
always "not too high": height < 4
"""

HANDS = """
card Card: rank 1..6
zone deck: pile of Card, hidden
zone hand of player: set of Card, private
zone table: row of Card, public
setup
  shuffle all Card into deck
  deal 2 from deck to each hand
phase play: one turn each from 1
  choose lay or keep
action lay(card from hand){needs}
  move card to table
action keep{keep}
score at end
  points = sum of rank over hand
ranking: highest total, ties share
"""


def searched(table: Table, games: int = 40, leaks: bool = False) -> SearchResult:
    return search_failures([table], 7, Effort(10**9, 60), games, leaks)


def replayed(game: AnsweredGame, kind: FailureKind) -> Failure | None:
    """The same answers, played once more."""
    return GameChecker(game.table, 1000, kind).play_game(ListedAnswers(game.answers)).find_failure(kind)
