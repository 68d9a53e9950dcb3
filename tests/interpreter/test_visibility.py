"""Who sees what: views follow from the zones alone."""

from __future__ import annotations

import pytest

from rulesrun.interpreter.model.random import Streams
from rulesrun.interpreter.model.values import State
from rulesrun.interpreter.play.game_loop import at_random, play
from rulesrun.interpreter.play.step import advance, start
from rulesrun.interpreter.play.visibility import Viewers, view_json
from rulesrun.interpreter.reference.table import Table, set_up
from tests.interpreter.made import bundled, table

RULES = """
card Card: rank 1..9
zone deck: pile of Card, hidden
zone hand of player: set of Card, private
zone heap: pile of Card, public top
zone board: row of Card, public
number secret_number of player: 0..9 = 3, private
number nobody_knows: 0..9 = 5, hidden
number open: 0..9 = 7
setup
  move all Card where rank <= 2 to board
  move all Card where rank = 3 or rank = 4 to heap
  each player
    move all Card where rank = player_rank to hand
  move all Card where rank >= 7 to deck
define player_rank = if player = 1 then 5 else 6
phase play
  choose show_it
  choose wait
action show_it
  show hand
action wait
  secret_number becomes nobody_knows + open
score at end
  points = secret_number
ranking: highest total, ties share
"""


def seen(made: Table, state: State, player: int) -> dict[str, object]:
    return view_json(made, made.opened(state), player)


def test_zones_and_numbers_by_their_visibility() -> None:
    made = table(RULES.replace("nobody_knows + open", "open - nobody_knows"))
    view = seen(made, start(made), 1)
    assert view["zones"] == {
        "deck": {"count": 3}, "hand[1]": ["5"], "hand[2]": {"count": 1}, "heap": {"count": 2, "top": "4"},
        "board": ["1", "2"],
    }
    assert view["variables"] == {"secret_number[1]": 3, "open": 7}


def test_what_is_shown_is_seen_until_the_next_question_is_answered() -> None:
    made = table(RULES.replace("nobody_knows + open", "open - nobody_knows"))
    state = start(made)
    assert seen(made, state, 2)["shown"] == []
    state = advance(made, state, 0)
    assert seen(made, state, 2)["shown"] == [{"zone": "hand[1]", "components": ["5"]}]
    assert seen(made, advance(made, state, 0), 2)["shown"] == []


@pytest.mark.parametrize(("name", "players"), [("zero", 3), ("classics/kuhn", 3), ("classics/goofspiel", 2)])
def test_a_view_does_not_change_with_what_is_hidden(name: str, players: int) -> None:
    """Exchanging two cards that a player does not see leaves that player's view as it is."""
    made = set_up(bundled(name), players)
    viewers = Viewers(made)
    rooms = [room for room in made.bench.zones.values() if room.declaration.visibility == "private"]
    for played, _ in zip(play(made, at_random(Streams(4))), range(40), strict=False):
        S = made.opened(played.step.state)
        before = viewers.view(S, 1)
        for room in rooms:
            two, last = room.base + 1, room.base + players - 1
            S[two], S[last] = S[last], S[two]
            if len(S[two]) == len(S[last]):
                assert viewers.view(S, 1) == before
            S[two], S[last] = S[last], S[two]
