"""Who sees what: views follow from the zones alone."""

from __future__ import annotations

import pytest

from rulesrun.interpreter.model.random import Streams
from rulesrun.interpreter.model.values import State
from rulesrun.interpreter.play.game_loop import play_game, random_picker
from rulesrun.interpreter.play.step import next_state, start_state
from rulesrun.interpreter.play.visibility import PlayerViews, view_to_json
from rulesrun.interpreter.reference.table import Table, set_up_table
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
    return view_to_json(made, made.to_slots(state), player)


def test_zones_and_numbers_by_their_visibility() -> None:
    made = table(RULES.replace("nobody_knows + open", "open - nobody_knows"))
    view = seen(made, start_state(made), 1)
    assert view["zones"] == {
        "deck": {"count": 3}, "hand[1]": ["5"], "hand[2]": {"count": 1}, "heap": {"count": 2, "top": "4"},
        "board": ["1", "2"],
    }
    assert view["variables"] == {"secret_number[1]": 3, "open": 7}


def test_what_is_shown_is_seen_until_the_next_question_is_answered() -> None:
    made = table(RULES.replace("nobody_knows + open", "open - nobody_knows"))
    state = start_state(made)
    assert seen(made, state, 2)["shown"] == []
    state = next_state(made, state, 0)
    assert seen(made, state, 2)["shown"] == [{"zone": "hand[1]", "components": ["5"]}]
    assert seen(made, next_state(made, state, 0), 2)["shown"] == []


@pytest.mark.parametrize(("name", "players"), [("zero", 3), ("classics/kuhn", 3), ("classics/goofspiel", 2)])
def test_a_view_does_not_change_with_what_is_hidden(name: str, players: int) -> None:
    """Exchanging two cards that a player does not see leaves that player's view as it is."""
    made = set_up_table(bundled(name), players)
    viewers = PlayerViews(made)
    rooms = [room for room in made.bench.zones.values() if room.declaration.visibility == "private"]
    for played, _ in zip(play_game(made, random_picker(Streams(4))), range(40), strict=False):
        S = made.to_slots(played.step.state)
        before = viewers.view(S, 1)
        for room in rooms:
            two, last = room.base + 1, room.base + players - 1
            S[two], S[last] = S[last], S[two]
            if len(S[two]) == len(S[last]):
                assert viewers.view(S, 1) == before
            S[two], S[last] = S[last], S[two]
